"""The links of pages: strata, broken URLs, and pages that hold too many."""

from __future__ import annotations

import time

import numpy as np
import pytest

from webstrata.links.anchors import MOST_LINKS, anchors
from webstrata.page import parse

BROKEN = ["javascript:x()", "mailto:a@b.c", "http://[x", "http://a:99999/", "", "ftp://a.org/", "http://" + "a" * 9000]


def test_broken_links_are_counted() -> None:
    html = "".join(f"<a href='{href}'>x</a>" for href in [*BROKEN, "/ok", "b?q=1#c"])
    page = parse(html, url="http://A.org/d/")
    found = anchors(page, np.ones(len(page.blocks), bool))
    # An empty reference leads to the page itself; all the others lead nowhere.
    assert [link.target for link in found.links] == ["http://a.org/d/", "http://a.org/ok", "http://a.org/d/b?q=1"]
    assert (found.broken, found.dropped) == (6, 0)
    without = anchors(page, np.ones(len(page.blocks), bool), query=False)
    assert without.links[-1].target == "http://a.org/d/b"


def test_pictures_take_the_stratum_around_them() -> None:
    page = parse("<p>one <a href=/1><img src=x></a> two<p><a href=/2><img src=y></a>", url="http://a.org/")
    inside = [link.content for link in anchors(page, np.ones(len(page.blocks), bool)).links]
    outside = [link.content for link in anchors(page, np.zeros(len(page.blocks), bool)).links]
    assert (inside, outside) == ([True, True], [False, False])


def test_a_page_without_url_or_blocks() -> None:
    assert anchors(parse("<a href=x>y</a>"), np.ones(1, bool)).broken == 1
    page = parse("<a href=http://b.org/><img></a>")
    assert [link.content for link in anchors(page, np.zeros(0, bool)).links] == [False]


@pytest.mark.slow
def test_many_links_are_bounded() -> None:
    for html in ("<a href=/>x</a>" * 100_000, "".join(f"<a href=/{i}>x</a>" for i in range(50_000))):
        page = parse(html, url="http://a.org/")
        start = time.process_time()
        found = anchors(page, np.ones(len(page.blocks), bool))
        assert time.process_time() - start < 10
        assert len(found.links) == MOST_LINKS
        assert found.dropped > 0
        assert len(found.links) + found.broken + found.dropped == html.count("<a ")
