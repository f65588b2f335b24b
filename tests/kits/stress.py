"""Pages that are made to be hard, each with the words that should come out of it.

Long documents, fragments, holes, sidebars, hidden copies, comment threads. The tests hold our extractor to floors;
`bench/hard_pages.py` sets peers beside it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from webstrata.text import words

__all__ = ["Case", "cases", "share"]

_STEMS = """river layer stone harbour winter teacher garden signal market window village engine letter mountain forest
island bridge doctor kitchen summer painter valley paper machine station journey farmer colour music water history
council theatre morning shadow anchor basket candle desert evening feather glacier hammer insect jacket kettle ladder
mirror needle orchard pencil quarry ribbon saddle timber umbrella vessel whistle yellow""".split()
_VERBS = "carries follows holds meets leaves finds keeps moves shows turns watches covers reaches joins opens".split()


class Writer:
    """Sentences that never repeat themselves."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0

    def sentence(self) -> str:
        choose = self._random.choice
        self._count += 1
        return (
            f"The {choose(_STEMS)} of the {choose(_STEMS)} {choose(_VERBS)} the old {choose(_STEMS)} near the"
            f" {choose(_STEMS)}, and number {self._count} {choose(_VERBS)} what the {choose(_STEMS)} left behind."
        )

    def paragraph(self, length: int = 60) -> str:
        found: list[str] = []
        while sum(len(sentence.split()) for sentence in found) < length:
            found.append(self.sentence())
        return " ".join(found)

    def few(self, length: int) -> str:
        return " ".join(self._random.choice(_STEMS) for _ in range(length)).capitalize()


@dataclass(frozen=True)
class Case:
    """A page: its HTML, the texts that belong to its content, and those that do not."""

    kind: str
    name: str
    html: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()
    comments: tuple[str, ...] = field(default=())


def share(texts: tuple[str, ...], found: str) -> float:
    """Which share of the words of some texts is in what was found; a text counts where it stands there as a whole."""
    have = " ".join(re.findall(r"\w+", found.lower()))
    total = sum(len(words(text)) for text in texts)
    kept = sum(len(words(text)) for text in texts if " ".join(re.findall(r"\w+", text.lower())) in have)
    return kept / total if total else 1.0


_PLACES = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Shop", "About"))
_NAV = f"<nav><ul>{_PLACES}</ul></nav>"
_FOOTER = (
    "<footer><p>© 2024 Example. All rights reserved.</p><a href=/privacy>Privacy</a> <a href=/terms>Terms</a></footer>"
)


def framed(body: str, title: str = "A day at the harbour") -> str:
    return f"<html><head><title>{title}</title></head><body>{_NAV}{body}{_FOOTER}</body></html>"


def long_documents() -> list[Case]:
    found = []
    for count in (1_000, 10_000, 50_000):
        for name, tag in (("article", "article"), ("div", "div"), ("main", "main")):
            writer = Writer(count)
            paragraphs = tuple(writer.paragraph(80) for _ in range(count // 80))
            body = "".join(f"<p>{text}</p>" for text in paragraphs)
            found.append(Case("long", f"{count} words in {name}", framed(f"<{tag}>{body}</{tag}>"), paragraphs))
    return found


def fragments() -> list[Case]:
    writer = Writer(7)
    found = []
    for count in (1, 2, 3, 5):
        texts = tuple(writer.paragraph(30) for _ in range(count))
        found.append(Case("fragment", f"{count} paragraphs", "".join(f"<p>{text}</p>" for text in texts), texts))
    text = writer.paragraph(80)
    found.append(Case("fragment", "plain text in body", f"<body>{text}</body>", (text,)))
    found.append(Case("fragment", "two words", "<p>Hello world.</p>", ("Hello world.",)))
    cells = tuple(writer.few(3) for _ in range(12))
    rows = "".join(f"<tr><td>{cells[i]}</td><td>{cells[i + 1]}</td></tr>" for i in range(0, 12, 2))
    found.append(Case("fragment", "a lone table", f"<table>{rows}</table>", cells))
    items = tuple(writer.few(5) for _ in range(6))
    listed = "".join(f"<li>{item}</li>" for item in items)
    found.append(Case("fragment", "a lone list", f"<ul>{listed}</ul>", items))
    code = "<pre>def main():\n    print(1)\n    return 0</pre>"
    found.append(Case("fragment", "code only", code, ("def main", "print 1")))
    return found


def holes() -> list[Case]:
    found = []
    for number, kind in enumerate(("pre", "list", "dl", "table", "quote", "figure", "heading", "math")):
        writer = Writer(100 + number)
        inner: list[str] = []
        parts: list[str] = []
        for _ in range(6):
            first, second = writer.few(4), writer.few(4)
            texts = [first, second]
            if kind == "pre":
                part = f"<pre>{first}\n{second}</pre>"
            elif kind == "list":
                part = f"<ul><li>{first}</li><li>{second}</li></ul>"
            elif kind == "dl":
                part = f"<dl><dt>{first}</dt><dd>{second}</dd></dl>"
            elif kind == "table":
                head, row = f"<tr><th>{first}</th><th>{second}</th></tr>", f"<tr><td>{second}</td><td>{first}</td></tr>"
                part = f"<table>{head}{row}</table>"
            elif kind == "quote":
                part = f"<blockquote><p>{first}, {second}.</p></blockquote>"
            elif kind == "figure":
                part = f"<figure><img src=a.png alt=''><figcaption>{first}, {second}.</figcaption></figure>"
            elif kind == "heading":
                part, texts = f"<h2>{first}</h2>", [first]
            else:
                part, texts = "<math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>", ["E"]
            inner += texts
            parts.append(part + f"<p>{writer.paragraph(60)}</p>")
        body = f"<article><h1>A day at the harbour</h1><p>{writer.paragraph(60)}</p>{''.join(parts)}</article>"
        found.append(Case("hole", kind, framed(body), tuple(inner)))
    return found


def sidebars() -> list[Case]:
    found = []
    for number in range(6):
        writer = Writer(200 + number)
        post = writer.paragraph(50)
        links = [writer.few(4) for _ in range(60)]
        about = writer.paragraph(60)
        blogroll = "".join(f"<li><a href=/{i}>{text}</a></li>" for i, text in enumerate(links))
        recent = "".join(f"<li><a href=/p{i}>{writer.few(6)}</a></li>" for i in range(50))
        side = (
            f"<h3>About me</h3><p>{about}</p><h3>Blogroll</h3><ul>{blogroll}</ul><h3>Recent posts</h3><ul>{recent}</ul>"
        )
        names = ("post", "sidebar") if number % 2 else ("left", "right")
        body = (
            f"<div class={names[0]}><h2>A day at the harbour</h2><p>{post}</p></div><div class={names[1]}>{side}</div>"
        )
        found.append(Case("sidebar", f"blog {number}", framed(body), (post,), tuple(links)))
    return found


def hidden_copies() -> list[Case]:
    found = []
    for number, way in enumerate(("style='display:none'", "hidden", "aria-hidden=true style='display: none'")):
        writer = Writer(300 + number)
        texts = tuple(writer.paragraph(60) for _ in range(5))
        teaser = "".join(f"<p>{text}</p>" for text in texts)
        body = f"<div {way} class=teaser>{teaser}</div><article><h1>A day at the harbour</h1>{teaser}</article>"
        found.append(Case("hidden", way, framed(body), texts))
    return found


def comment_threads() -> list[Case]:
    found = []
    called = (("comments", "comment"), ("respond", "commentlist"), ("disqus_thread", "post-comment"))
    for number, names in enumerate(called):
        writer = Writer(400 + number)
        texts = tuple(writer.paragraph(60) for _ in range(5))
        comments = tuple(writer.paragraph(20) for _ in range(8))
        thread = "".join(
            f"<li class={names[1]}><cite>{writer.few(1)}</cite> <a href=#c{i}>May {i + 1}, 2012</a><p>{text}</p></li>"
            for i, text in enumerate(comments)
        )
        body = (
            "<article><h1>A day at the harbour</h1>"
            + "".join(f"<p>{text}</p>" for text in texts)
            + f"</article><div id={names[0]}><h3>8 comments</h3><ol>{thread}</ol>"
            "<form><label>Name</label><input><textarea></textarea><button>Send</button></form></div>"
        )
        found.append(Case("comments", names[0], framed(body), texts, comments, comments))
    return found


def cases() -> list[Case]:
    """All of them."""
    return [*long_documents(), *fragments(), *holes(), *sidebars(), *hidden_copies(), *comment_threads()]
