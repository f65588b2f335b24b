"""Sites in folders: saved, opened again, and refused if the folder is not one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from site_pages import html, same

from webstrata.errors import InputError
from webstrata.sites import Site, Sites, learn


@pytest.fixture(scope="module")
def site() -> Site:
    return learn([html(n) for n in range(12)], extractor="numwords", name="example")


def test_a_saved_site_is_the_same(site: Site, tmp_path: Path) -> None:
    for folder in (tmp_path / "a", str(tmp_path / "b")):
        site.save(folder)
        assert same(Site.open(folder), site)
        assert Sites(folder).names() == {"example": 12}
        assert repr(Sites(folder)) == f"<Sites {folder}: 12 pages by all>"
        found = Sites(folder).of("http://any.example/")
        assert found is not None
        assert same(found, site)


def test_a_site_without_repeated_texts_is_saved(tmp_path: Path) -> None:
    site = learn(["<p>clay", "<h1>silt</h1>"], extractor=None)
    assert not len(site.fingerprints)
    site.save(tmp_path / "site")
    assert same(Site.open(tmp_path / "site"), site)


def test_folders_are_not_replaced(site: Site, tmp_path: Path) -> None:
    site.save(tmp_path / "site")
    with pytest.raises(InputError, match="name a new folder"):
        site.save(tmp_path / "site")


def test_other_folders_are_refused(site: Site, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no learned site"):
        Site.open(tmp_path)
    site.save(tmp_path / "site")
    about = json.loads((tmp_path / "site/site.json").read_text())
    (tmp_path / "site/site.json").write_text(json.dumps({**about, "version": 2}))
    with pytest.raises(InputError, match="learn it again"):
        Site.open(tmp_path / "site")
