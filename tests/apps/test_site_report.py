"""The report on a site: what a reader finds of each class."""

from __future__ import annotations

import re

from webstrata.apps.site_report import report
from webstrata.page import parse
from webstrata.sites import learn


def test_each_class_shows_how_three_of_its_texts_begin() -> None:
    page = "<div id=menu>Home and news</div><div id=text><p>Silt & clay of {}</div>"
    places = "rivers lakes hills walls roads farms towns ports mills".split()
    pages = [parse(page.format(place), url=f"http://a/{place}") for place in places]
    site = learn(pages, name="a", extractor=None)
    html = report(site, learnt="out/site")
    quotes = [found.split("<li>")[1:] for found in re.findall("<ul class=quotes>(.*?)</ul>", html)]
    assert len(quotes) == len(site.classes) == 2
    for item, shown in zip(site.classes, quotes, strict=True):
        assert 1 <= len(shown) <= 3
        assert all(text.startswith("Silt &amp; clay of ") for text in shown) or shown == ["Home and news"], item
    assert max(map(len, quotes)) == 3
    # Paths and pages stand beside the texts.
    assert all(f"<code>{item.path.replace('>', '&gt;')}</code>" in html for item in site.classes)
    assert len(re.findall("<a rel=.noreferrer. href=.http://a/", html)) == 6
