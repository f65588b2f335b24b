"""A site learned from pages is the site of a crawl of them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from site_pages import NOTICE, html, same

from webstrata import extract
from webstrata._pages import AnyPage
from webstrata.crawls import find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.sites.learning import SiteLearner
from webstrata.errors import InputError
from webstrata.page import Page, parse
from webstrata.sites import Rules, Site, Sites, learn


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """Forty pages, so that samples of texts are full, and an empty one."""
    return [parse(html(n), url=f"http://a.example/{n}") for n in range(40)] + [parse("")]


def test_the_site_is_that_of_a_crawl(pages: list[Page], tmp_path: Path) -> None:
    crawl = tmp_path / "crawl.jsonl"
    crawl.write_text("\n".join(json.dumps({"url": page.url, "html": page.source.decode()}) for page in pages))
    inputs = tuple(find_inputs([str(crawl)]))
    SiteLearner(inputs=inputs, output=tmp_path / "site", extractor="numwords").learn(Engine(jobs=1))
    found = learn(pages, extractor="numwords")
    assert repr(found).startswith("<Site a.example: 40 pages, ")
    crawled = Sites(tmp_path / "site").of("http://a.example/new")
    assert crawled is not None
    assert same(found, crawled)
    assert max(len(item.texts) for item in found.classes) == 32
    shuffled = random.Random(1).sample(pages, len(pages))
    assert same(found, learn(shuffled, extractor="numwords", name="a.example"))


def test_a_learned_site_helps_extraction(pages: list[Page], tmp_path: Path) -> None:
    site = learn(pages, extractor="numwords")
    site.save(tmp_path / "site")
    page = parse(html(99))
    for known in (site, Site.open(str(tmp_path / "site"))):
        assert NOTICE in extract(page, "keep-all").text
        found = extract(page, "keep-all", site=known).text
        assert NOTICE not in found
        assert "Title 99" in found


def test_pages_are_given_in_any_form(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(html(0))
    forms: list[AnyPage] = [html(0), html(0).encode(), parse(html(0)), path]
    assert same(learn(forms, extractor=None), learn([html(0)] * 4, extractor=None))


def test_rules_and_missing_extractor_are_kept(pages: list[Page]) -> None:
    site = learn(pages, extractor=None, rules=Rules(beta=4))
    assert site.tree.rules.beta == 4
    assert sum(item.kept for item in site.classes) == 0


def test_no_text_is_no_site() -> None:
    with pytest.raises(InputError, match="no page has text"):
        learn(["", b"<p>"])
