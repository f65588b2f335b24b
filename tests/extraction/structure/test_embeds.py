# ruff: noqa: E501 - the markup of makers, as they write it
"""Players and posts of other sites, and what is none of these."""

from __future__ import annotations

from dataclasses import replace

import pytest

from webstrata.extraction import extract
from webstrata.extraction.structure.embeds import embeds
from webstrata.page import parse

VIDEO = "https://www.youtube.com/watch?v=b_PXuEPxN50"


@pytest.mark.parametrize(
    ("source", "url", "title"),
    [
        ("<iframe src='https://www.youtube.com/embed/b_PXuEPxN50?rel=0' title='Varves'></iframe>", VIDEO, "Varves"),
        ("<iframe data-src='//www.youtube-nocookie.com/embed/b_PXuEPxN50'></iframe>", VIDEO, "www.youtube-nocookie.com/embed/b_PXuEPxN50"),
        ("<iframe src='https://player.vimeo.com/video/45?h=a'></iframe>", "https://vimeo.com/45", "player.vimeo.com/video/45"),
        ("<iframe src='https://platform.twitter.com/embed/Tweet.html?dnt=1&amp;id=16' title=Post></iframe>", "https://x.com/i/status/16", "Post"),
        ("<iframe src='https://maps.example/lake' title='Map of the lake'></iframe>", "https://maps.example/lake", "Map of the lake"),
        ("<video title=Lake><source src=/lake.mp4>Your browser is old.</video>", "https://a.example/lake.mp4", "Lake"),
        ("<audio src=lake.mp3></audio>", "https://a.example/lake.mp3", "lake.mp3"),
    ],
)  # fmt: skip
def test_an_embed_is_a_link(source: str, url: str, title: str) -> None:
    found = extract(f"<p>Silt is pale.</p>{source}<p>Mud is dark.</p>", "keep-all", url="https://a.example/")
    assert found.markdown == f"Silt is pale.\n\n[{title}]({url})\n\nMud is dark."
    assert f'<a href="{url}">{title}</a>' in found.html
    assert f'target="{url}"' in found.tei


@pytest.mark.parametrize(
    "source",
    [
        "<iframe src='https://ads.example/x' title='3rd party ad content'></iframe>",
        "<iframe src='https://ads.example/x'></iframe>",
        "<iframe src='https://www.youtube.com/embed/b_PXuEPxN50' width=0 height=0></iframe>",
        "<iframe src='https://www.google.example/recaptcha' title=reCAPTCHA></iframe>",
        "<iframe src='javascript:alert(1)' title='Silt'></iframe>",
        "<iframe src='data:text/html,x' title='Silt'></iframe>",
        "<iframe srcdoc='<p>x' title='Silt'></iframe>",
        "<video src='javascript:alert(1)'></video>",
        "<video><p>Your browser is old.</video>",
        "<video><track src=a.vtt></video>",
        "<div hidden><video src=a.mp4></video></div>",
    ],
)
def test_what_is_no_embed(source: str) -> None:
    assert extract(f"<p>Silt is pale.{source}<p>Mud is dark.", "keep-all").markdown.count("](") == 0


def test_embeds_are_links_and_no_images() -> None:
    page = parse("<p>Silt</p><img src=a.png><video src=b.mp4></video><p>Mud", url="https://a.example/")
    video = "[b.mp4](https://a.example/b.mp4)"
    found = extract(page, "keep-all")
    assert replace(found, images=False).markdown == f"Silt\n\n{video}\n\nMud"
    assert replace(found, links=False).markdown == "Silt\n\n![](https://a.example/a.png)\n\nMud"


def test_an_embed_outside_of_the_content_is_left_out() -> None:
    page = parse("<div><p>Silt<p>Mud</div><div><p>More<p>Ads<video src=b.mp4></video></div>")
    assert "mp4" not in extract(page, "keep-all").dropping([2, 3], "left out").markdown


def test_a_title_cannot_leave_its_link() -> None:
    page = parse("<p>Silt</p><iframe src='https://a.example/(x)' title='a](b) <b>\n*c*'></iframe><p>Mud")
    assert extract(page, "keep-all").markdown == "Silt\n\n[a\\](b) \\<b> \\*c\\*](https://a.example/%28x%29)\n\nMud"


def test_only_so_many_are_read() -> None:
    page = parse("<p>a" + "<video src=b.mp4></video>" * 3000)
    assert len(embeds(page)) == 1000
