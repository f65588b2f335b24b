"""Posts of threads and comments: the shapes of well-known programs, what is none, and hostile pages."""

from __future__ import annotations

import json

import pytest

from webstrata.extraction import extract
from webstrata.extraction.posts import Post
from webstrata.page import parse

SAID = (
    "The ferry crosses the river every hour, and the old bridge was closed after the flood.",
    "I used to live near the harbour; nobody there believed the new signals would ever work.",
    "Has anybody measured the layers since the lake was drained for the third time?",
)


def _page(body: str, head: str = "") -> str:
    return f"<html><head><title>The ferry</title>{head}</head><body><nav><a href=/>Home</a></nav>{body}</body></html>"


def _rows(pattern: str) -> str:
    return "".join(pattern.format(i=i, day=i + 1, text=text) for i, text in enumerate(SAID))


SHAPES = {
    "phpBB": _page(
        _rows(
            "<div id=p8{i} class='post bg1'><dl class=postprofile><dt><a href=memberlist.php?u={i} class=username>"
            "ada{i}</a></dt><dd>2 May 2011</dd></dl><div class=postbody><h3><a href=#p8{i}>Re: The ferry</a></h3>"
            "<p class=author>by <a href=memberlist.php?u={i} class=username>ada{i}</a> » <time"
            " datetime=2012-03-0{day}T10:00>Mar</time></p><div class=content>{text}</div></div></div>"
        ),
        "<link rel=canonical href=https://a.example/forum/viewtopic.php>",
    ),
    "Hacker News": _page(
        "<table class=fatitem><tr class='athing submission'><td><a href=https://b.example>The ferry</a></table>"
        "<table class=comment-tree>"
        + _rows(
            "<tr class='athing comtr' id=4{i}><td><table><tr><td class=default><div><span class=comhead><a"
            " href=user?id=ada{i} class=hnuser>ada{i}</a> <span class=age title='2012-03-0{day}T12:00:00 17'><a href=i>"
            "3 hours ago</a></span> <span class=navs>| <a href=#n>next</a></span></span></div><br><div class=comment>"
            "<div class='commtext c00'>{text}</div><div class=reply><a href=r>reply</a></div></div></table>"
        )
        + "</table>"
    ),
    "pull request": _page(
        _rows(
            "<div class=TimelineItem><div class=timeline-comment-group id=issuecomment-19{i}>"
            "<div class=timeline-comment><div class=timeline-comment-header><h3><a class='author Link' href=/ada{i}>"
            "ada{i}</a> commented <a href=#issuecomment-19{i}><relative-time datetime=2012-03-0{day}T10:00Z>Mar"
            "</relative-time></a></h3></div><table><tr><td class='comment-body markdown-body'><p>{text}</p></table>"
            "</div></div></div>"
        )
    ),
    "questions": _page(
        _rows(
            "<div id=answer-7{i} class=answer itemscope itemtype=https://schema.org/Answer><div class=post-layout>"
            "<div class=js-post-body itemprop=text><p>{text}</p></div><div class=user-action-time>answered <span"
            " class=relativetime title='2012-03-0{day} 10:00'>Mar 1 at 10:00</span></div><div class=user-details"
            " itemprop=author><a href=/users/{i}/ada{i}>ada{i}</a></div></div></div>"
        )
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_posts_of_a_thread_have_authors_and_dates(name: str) -> None:
    found = extract(SHAPES[name])
    assert [(post.author, post.date) for post in found.posts] == [
        (f"ada{i}", f"2012-03-0{i + 1}") for i in range(len(SAID))
    ]
    # A date of the author or a link to reply may stand beside the text.
    assert all(
        text in post.text and len(post.text) < len(text) + 16 for post, text in zip(found.posts, SAID, strict=True)
    )
    assert all(text in found.text for text in SAID)


ARTICLE = (
    "<article id=post-1 class='post type-post'><h1>The ferry</h1><a class=author href=/author/x>Xenia</a>"
    "<time datetime=2010-01-01>2010</time>" + "".join(f"<p>{i} {' '.join(SAID)}</p>" for i in range(5)) + "</article>"
)
COMMENTS = (
    "<div id=comments><h2>3 thoughts</h2><ol class=comment-list>"
    + _rows(
        "<li id=comment-7{i} class='comment depth-1'><article id=div-comment-7{i} class=comment-body><footer"
        " class=comment-meta><b class=fn>ada{i}</b> <span class=says>says:</span> <a href=#c><time"
        " datetime=2012-03-0{day}>March</time></a></footer><div class=comment-content><p>{text}</p></div>"
        "<a class=comment-reply-link href=#>Reply</a></article></li>"
    )
    + "</ol></div>"
)


def test_comments_on_an_article_are_posts_and_the_article_is_none() -> None:
    found = extract(_page(ARTICLE + COMMENTS))
    assert [(post.author, post.date) for post in found.posts] == [
        (f"ada{i}", f"2012-03-0{i + 1}") for i in range(len(SAID))
    ]
    # A date of the author or a link to reply may stand beside the text.
    assert all(
        text in post.text and len(post.text) < len(text) + 16 for post, text in zip(found.posts, SAID, strict=True)
    )
    assert all(text in found.comments for text in SAID)
    assert json.loads(found.json())["posts"][0] == {
        **found.posts[0]._asdict(),
        "blocks": list(found.posts[0].blocks or ()),
    }
    assert "posts" not in found.as_dict(with_posts=False)


def test_a_reply_in_a_post_has_a_level() -> None:
    reply = "<ul><li id=comment-9 class=comment><b class=fn>Ben</b><p>No, nobody has measured it since then.</li></ul>"
    outer = f"<li id=comment-8 class=comment><b class=fn>Ada</b><p>{SAID[2]}{reply}<p>And who should do it?</li>"
    found = extract(_page(f"{ARTICLE}<ol class=comments>{outer}</ol>"), comments=True)
    assert [(post.author, post.level) for post in found.posts] == [("Ada", 0), ("Ben", 1)]
    assert found.posts[0].text.split("\n\n") == [SAID[2], "And who should do it?"]


def test_a_list_of_articles_has_no_posts() -> None:
    rows = _rows(
        "<article class=post id=post-{i}><h2><a href=/ferry-{i}>The ferry {i}</a></h2><span class=author>Ada</span>"
        "<time datetime=2012-03-0{day}>March</time><p>{text}</p></article>"
    )
    assert extract(_page(rows)).posts == ()
    assert extract(_page(ARTICLE)).posts == ()
    assert extract("").posts == ()


def test_posts_in_linked_data() -> None:
    comment = {"@type": "Comment", "text": SAID[1], "author": {"name": "Ben"}, "dateCreated": "2012-03-02T10:00"}
    thread = {"@type": "DiscussionForumPosting", "text": f"<p>{SAID[0]}", "author": "Ada", "comment": [comment]}
    html = _page(f'<div id=app></div><script type="application/ld+json">{json.dumps(thread)}</script>')
    assert extract(html).posts == (
        Post("Ada", None, SAID[0], 0, None),
        Post("Ben", "2012-03-02", SAID[1], 1, None),
    )


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comment>" * 3000 + "x",
        "<div class='comment author date'>" * 500 + "by <b class=fn>Ada</b> 2012-03-01 x",
        "<li class=comment><b class=fn></b><time datetime=x></time>" * 50,
        f"<div class=comment id={'post' * 5000}1 title={'_' * 5000}date><b class={'_' * 9000}>1 Mar 2012",
        '<script type="application/ld+json">[[[{"@type": ["Comment", 1], "text": 5, "comment": [[]]}]]]</script>',
    ],
)
def test_hostile_pages_have_few_posts(html: str) -> None:
    page = parse(html)
    for post in extract(page, "keep-all").posts:
        assert post.text
        assert post.blocks is None or 0 <= post.blocks[0] < post.blocks[1] <= len(page.blocks)
