"""What the names and the text of an element say: whether it is a post, names an author, or has a date."""

from __future__ import annotations

import re
from typing import NamedTuple

from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.embedded.prose import plain
from webstrata.extraction.metadata.dates import iso_date
from webstrata.page import Page

__all__ = [
    "ATTRIBUTES",
    "MARK_PARTS",
    "POST_PARTS",
    "PostKind",
    "author_of",
    "beginning",
    "date_of",
    "is_ago",
    "kind_of",
]

#: What the start tags of posts hold, and those of names and dates.
POST_PARTS = (
    *(b"comment", b"post", b"repl", b"answer", b"message", b"question", b"topic", b"thread"),
    *(b"comtr", b"floor", b"msg", b"bubble", b"response"),
)
MARK_PARTS = (
    *(b"author", b"user", b"nick", b"member", b"name", b"commenter", b"poster", b"fn", b"authi", b"handle"),
    *(b"/u/", b"/@", b"/~", b"profile", b"people", b"uid", b"creator"),
    *(b"date", b"time", b"posted", b"age", b"ago", b"published", b"when"),
)
#: The attributes that are read.
ATTRIBUTES = (b"class", b"id", b"itemtype", b"itemprop", b"href", b"rel", b"datetime", b"title", b"content")
# The words of names by which an element may be a post; with them, or alone, those of comments.
_COMMENT = frozenset("comment comments comtr reply replies answer response usercomment".split())
_POST = frozenset("post posts postbit message msg topic question thread threadpost bubble floor".split())
_PART_OF_POST = frozenset(
    "form list lists count counts header head footer foot meta info avatar author user button buttons link links nav"
    " title tools actions action controls container wrapper area section box respond date time body content text"
    " inner number total sort tabs input editor more related tag tags icon menu widget sidebar recent latest".split()
)
_TYPES = re.compile(r"/(?:User)?Comments?$|/Answer$|/Question$|/DiscussionForumPosting$|/SocialMediaPosting$")
_QUESTION = re.compile(r"/(?:Question|DiscussionForumPosting)$")
_ITEMS = frozenset("comment suggestedAnswer acceptedAnswer".split())
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBERED = re.compile(
    r"\A[A-Za-z_-]*?(?:comment|post|reply|answer|message|msg|pid|question|floor|topic|thread)s?[-_:]?\w*\d"
)
_AUTHOR_WORDS = re.compile(
    r"(?:^|[\s_-])(?:comment-?)?(?:author|username|user-?name|nick|nickname|poster|hnuser|member|commenter|fn|authi|user"
    r"|display-?name|screen-?name|handle|postauthor)(?:[_-]+(?:name|link|title))?(?:$|\s|--)",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(r"avatar|image|img|bio|badge|rank|count|posts|rep|signature|info|details|joined", re.IGNORECASE)
_PROFILE = re.compile(
    r"/(?:u|users?|members?|profiles?|people|author)/[^/?#]+|/@[^/?#]+|[?&](?:u|user|uid|id|member)=|memberlist|space-uid"
    r"|member\.php|profile\.php|/~[^/?#]+",
    re.IGNORECASE,
)
_DATE_WORDS = re.compile(
    r"(?:^|[\s_-])(?:\w*date|\w*time|timestamp|posted|age|ago|dateline|postdate|published|when)(?:$|[\s_-])",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\b\d+\s*(?:s|sec|m|min|h|hr|d|w|mo|y|yr|second|minute|hour|day|week|month|year)s?\.?\s+ago\b"
    r"|\bvor\s+\d+|\bhace\s+\d+|\bil y a\s+\d+|\d+\s*(?:秒|分钟|分鐘|小时|小時|天|个月|個月|月|年)前",
    re.IGNORECASE,
)
# What pages write around a name, and texts of buttons and labels in the place of names.
_CLEAN = re.compile(
    r"^[\s\u2013\u2014@·-]+|^(?:by|von|par|posted by|written by|reply by|answered by|asked by)\s+"
    r"|\s*\(.*$|\s*(?:says|said|wrote|writes)?\s*[:,]?$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"\blog ?in\b|\bsign (?:in|up)\b|\bregister\b|\bpassword\b|\busername\b|\be-?mail\b|\baccount\b|\bshare\b|\breply\b"
    r"|\bposted\b|\bonline\b|\boffline\b|\bprofile\b|[?!:/\n]|收藏|回复|登录|注册|关注",
    re.IGNORECASE,
)
_LONGEST_NAME, _NAME_WORDS = 60, 5
_MOST_CLASSES = 12
# Characters of an element that are searched for a name or a date, and of its names.
_BEGINNING, _LONGEST_NAMES = 250, 300


class PostKind(NamedTuple):
    """What the names of an element say about a post."""

    signature: str
    is_comment: bool
    is_question: bool


def kind_of(attributes: list[str]) -> PostKind | None:
    """The kind of post that the class, the id and the type of an element name; None if they name none."""
    classes, identity, types, item = attributes[:4]
    if _TYPES.search(types) or item in _ITEMS:
        is_question = _QUESTION.search(types) is not None
        return PostKind(types.rpartition("/")[2] or item, not is_question, is_question)
    for name in (*classes.split()[:_MOST_CLASSES], identity):
        words = [word.lower() for word in _WORD.findall(name[:_LONGEST_NAME])]
        is_numbered = name == identity and _NUMBERED.match(identity[:_LONGEST_NAME]) is not None
        if _PART_OF_POST.isdisjoint(words) and (not _COMMENT.isdisjoint(words) or not _POST.isdisjoint(words)):
            if name == identity and not is_numbered:
                continue
            return PostKind("-".join(words), not _COMMENT.isdisjoint(words), "question" in words)
    return None


def beginning(page: Page, start: int, stop: int) -> str:
    """The first characters of some blocks, where names and dates stand."""
    first, end = page.blocks.text_span(start, stop)
    return page.text[first : min(end, first + _BEGINNING)]


def is_ago(text: str) -> bool:
    """Whether a text says how long ago something was.

    >>> is_ago("posted 3 hours ago"), is_ago("vor 2 Tagen"), is_ago("long ago")
    (True, True, False)
    """
    return _AGO.search(text) is not None


def author_of(page: Page, row: int, attributes: list[str], start: int, stop: int) -> str:
    """The name of an element that names an author; "" for others."""
    classes, identity, _, item, href, relation, _, _, content = attributes
    names = f"{classes} {identity}"[:_LONGEST_NAMES]
    if not (
        item.lower() in ("author", "creator")
        or "author" in relation.split()
        or (_AUTHOR_WORDS.search(names) and not _NO_AUTHOR.search(names))
        or (href and _PROFILE.search(href))
    ):
        return ""
    if stop == start:
        return content if item else ""
    if page.elements.tag[row] == TAG_NUMBERS["a"]:  # links are parts of blocks
        begin, end = page.elements.content_span(row)
        texts = [plain(page.source[begin : min(end, begin + _BEGINNING)].decode("utf-8", "replace"))]
    else:
        texts = [page.blocks[block].text[:_BEGINNING] for block in range(start, stop)]
    for text in texts:
        name = _CLEAN.sub("", text.strip())
        if 0 < len(name) <= _LONGEST_NAME and any(map(str.isalpha, name)) and not _NO_NAME.search(name):
            return name if len(name.split()) <= _NAME_WORDS and iso_date(name) is None else ""
    return ""


def date_of(page: Page, attributes: list[str], start: int, stop: int) -> str | None:
    """The day of an element with a date; "" if it does not name the day, None for other elements."""
    classes, identity, _, item, _, _, when, title, content = attributes
    is_date = item in ("datePublished", "dateCreated", "commentTime") or bool(when)
    if not is_date and not _DATE_WORDS.search(f"{classes} {identity}"[:_LONGEST_NAMES]):
        return None
    written = beginning(page, start, stop) if stop > start else ""
    for value in (when, content if is_date else "", title, written):
        if value and (day := iso_date(value)):
            return day
    return "" if is_date or is_ago(written) else None
