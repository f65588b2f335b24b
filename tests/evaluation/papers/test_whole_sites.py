"""Whole sites: true regions, agreement with them, and documents with regions in place of found segments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.evaluation.papers.site_queries import categories, read_documents, with_regions
from webstrata.evaluation.papers.whole_sites import LearnedSite, WholeSite, agreement, find_site, true_labels
from webstrata.sites import Rules

PAGE = "<html><body><div id=menu><p>Home<p>About</div><div id=text><p>All about {0}.<p>More of {0}.</div></body></html>"
WORDS = "clay sand silt marl loam chalk flint slate gneiss schist".split()


def site() -> WholeSite:
    files = [
        (f"{'soft' if number < 5 else 'hard'}/{word}.html", PAGE.format(word).encode())
        for number, word in enumerate(WORDS)
    ]
    return WholeSite("stones", ("id=menu", "id=text"), files)


def test_the_segments_of_a_plain_site_are_its_regions() -> None:
    stones = site()
    truth = [true_labels(page, stones.regions)[0] for page in stones.pages]
    learned = LearnedSite.of(stones.pages, Rules())
    assert agreement(stones.pages, truth, learned.labels) == [pytest.approx((1.0, 1.0))] * 10
    assert learned.class_sizes.tolist() == [10, 10]
    assert learned.stability(0.5) == (5, 1.0)


def test_documents_with_regions_have_their_classes() -> None:
    stones = site()
    pairs = list(read_documents(stones))
    manual = [with_regions(*pair, stones.regions) for pair in pairs]
    assert {tuple(document.label.tolist()) for document in manual} == {(2, 2, 3, 3)}
    assert all(np.array_equal(one.words, two.words) for one, (_, two) in zip(manual, pairs, strict=True))
    hard = {f"http://stones/hard/{word}.html" for word in WORDS[5:]}
    assert categories([document for _, document in pairs[4:]]) == {"soft": {"http://stones/soft/loam.html"}}
    assert categories([document for _, document in pairs]) == {}
    assert hard < {document.url for document in manual}


def test_sites_are_known_by_their_folders(tmp_path: Path) -> None:
    folder = tmp_path / "apache2-doc" / "manual"
    folder.mkdir(parents=True)
    with pytest.raises(InputError, match="has no HTML files"):
        find_site(folder)
    (folder / "index.html").write_text("<div id=page-content>One")
    assert [page.url for page in find_site(folder).pages] == ["http://apache2-doc/index.html"]
    with pytest.raises(InputError, match="give sites whose path has one of"):
        find_site(tmp_path)
