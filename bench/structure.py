"""The structure of our Markdown beside trafilatura's: what of the Markdown of a good clipper is found again.

    python bench/structure.py [--misses KIND] [--extra KIND] [--only TEXT] [--everything] [--store]

The pages are those of ``markdown-dev``. Both Markdowns are read by a CommonMark parser and compared as multisets:
headings with their levels (one and two are one level, because the clipper has no first one), items with their depth,
code with every character, its language, cells, links with their text, images, videos and
posts of other sites (the clipper writes them as images, we write links), formulas without their white space,
quotations, callouts with their kind, the words before footnote references, and definitions. URLs are compared without
their hosts. trafilatura needs the extra ``bench``; its column stays empty without it.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from textwrap import dedent
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import click
from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console
from rich.table import Table

import webstrata
from results import store
from webstrata.evaluation.datasets.locate import data_path

KINDS = (
    "headings", "items", "exact code", "code language", "cells", "links", "images", "players", "formulas", "quotes",
    "callouts", "footnote refs", "footnote definitions",
)  # fmt: skip
Found = dict[str, Counter[tuple[object, ...]]]

_URL = re.compile(r'<!-- *(\{"url".*?\}) *-->')
_CODE = re.compile(r"^[> ]*(?P<fence>`{3,}|~{3,}).*?(?:^[> ]*(?P=fence)|\Z)|(?P<ticks>`+)[^`]+(?P=ticks)", re.M | re.S)
_FORMULA = re.compile(
    r"(?<![\\$])\$\$(?P<display>.+?)\$\$|(?<![\\$\w])\$(?=\S)(?P<inline>[^$\n]{1,4000}?)(?<=\S)\$(?!\d)", re.S
)
_DEFINITION = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.*(?:\n(?:[ \t]+\S.*|(?=\n[ \t]+\S)))*)", re.M)
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\]")
_CALLOUT = re.compile(r"\[!([\w-]+)\][^\n]*")
_PLAYER = re.compile(
    r"//(?:[\w-]+\.)*(?:youtube\.com/watch|youtu\.be/|vimeo\.com/\d|(?:x|twitter)\.com/[^?#]+/status/)"
)
_FORMULA_MARK = "\ue000"


class Case(NamedTuple):
    """A page, and the Markdown that is expected."""

    name: str
    html: bytes
    url: str | None
    title: str
    markdown: str


def cases() -> Iterator[Case]:
    """The pages of ``markdown-dev`` by name."""
    with tarfile.open(data_path("markdown-dev/markdown-dev.tar.xz")) as archive:
        members = [(member.name.removeprefix("./"), archive.extractfile(member)) for member in archive]
        files = {name: file.read() for name, file in members if file is not None}
    for name in sorted(name.removesuffix(".html") for name in files if name.endswith(".html")):
        head, _, markdown = files[f"{name}.md"].decode().removeprefix("```json\n").partition("\n```")
        html = files[f"{name}.html"]
        declared = _URL.search(html.decode("utf-8", "replace"))
        url = json.loads(declared[1])["url"] if declared else f"https://{name.rpartition('--')[2]}/"
        yield Case(name, html, url, json.loads(head)["title"], markdown)


def words(text: str) -> str:
    """Letters and digits, by single spaces."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def place(url: str) -> str:
    """A URL without its host."""
    parts = urlsplit(unquote(url))
    return f"{parts.path.rstrip('/')}?{parts.query}#{parts.fragment}"


# Spellings of the same formula.
_SAME = (
    (r"\\(?:displaystyle|textstyle|left|right)(?![a-zA-Z])\.?|\\[,;:!]|\\text\{\s*\}", ""),
    (r"\\lt(?![a-zA-Z])", "<"),
    (r"\\gt(?![a-zA-Z])", ">"),
    (r"\\[hlc]?dots(?:c|b)?(?![a-zA-Z])", "..."),
    (r"\\overset\{\s*\\cdot\s*\}", r"\\dot"),
    (r"\\overset\{\s*\\rightarrow\s*\}", r"\\vec"),
    (r"\\(?:operatorname|mathrm|text)\*?\{([^{}]*)\}", r"\1"),
    (r"[\s{}~]", ""),
)


def _formula(tex: str) -> str:
    """TeX without white space, braces and other differences that change nothing."""
    for pattern, other in _SAME:
        tex = re.sub(pattern, other, tex)
    return tex


def structure(markdown: str, title: str = "") -> Found:
    """What a Markdown has, by kind."""
    found: Found = {kind: Counter() for kind in KINDS}
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"{_FORMULA_MARK}{len(held) - 1}{_FORMULA_MARK}"

    def formula(match: re.Match[str]) -> str:
        found["formulas"][(_formula(match["display"] or match["inline"]),)] += 1
        return " formula "

    markdown = _FORMULA.sub(formula, _CODE.sub(hold, markdown))

    def define(match: re.Match[str]) -> str:
        found["footnote definitions"][(words(re.sub(r"\]\([^)\s]*\)", "]", match[2])),)] += 1
        return dedent(re.sub(r"^(?=\S)", "    ", match[2])) + "\n"

    markdown = _DEFINITION.sub(define, markdown)
    markdown = re.sub(rf"{_FORMULA_MARK}(\d+){_FORMULA_MARK}", lambda match: held[int(match[1])], markdown)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    _read(tokens, found, words(title))
    return found


def _read(tokens: list[Token], found: Found, title: str) -> None:
    depth = 0
    quotes: list[list[str]] = []
    opened: list[str] = []
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            opened.append("item")
        elif token.type == "blockquote_open":
            quotes.append([])
        elif token.type == "blockquote_close":
            text = "\n".join(quotes.pop())
            kind = _CALLOUT.match(text)
            if kind:
                found["callouts"][(kind[1].lower(), words(text[kind.end() :]))] += 1
            else:
                found["quotes"][(words(text),)] += 1
        elif token.type == "fence" or token.type == "code_block":
            code, language = token.content.rstrip("\n"), token.info.strip().lower()
            found["exact code"][("\n".join(line.rstrip() for line in code.split("\n")),)] += 1
            if language:
                found["code language"][(language, "".join(code.split()))] += 1
            for quote in quotes:
                quote.append(code)
        elif token.type == "inline":
            text = _inline(token, found)
            for quote in quotes:
                quote.append(text)
            if opened:
                found["items"][(depth, words(text))] += 1
                opened.clear()
        if following is not None and following.type == "inline":
            text = words(_text(following))
            if token.type == "heading_open" and not (text == title and not found["headings"]):
                found["headings"][(max(2, int(token.tag[1])), text)] += 1
            elif token.type in ("td_open", "th_open") and text:
                found["cells"][(text,)] += 1


def _text(token: Token) -> str:
    return "".join(
        "\n" if child.type in ("softbreak", "hardbreak") or child.content == "<br>" else child.content
        for child in token.children or []
        if child.type in ("text", "code_inline", "softbreak", "hardbreak") or child.content == "<br>"
    )


def _inline(token: Token, found: Found) -> str:
    """Note links, images and references; returns the text."""
    text = ""
    link, start = None, 0
    for child in token.children or []:
        if child.type == "link_open":
            link, start = str(child.attrs["href"]), len(text)
        elif child.type == "link_close" and link is not None:
            if _PLAYER.search(link):
                found["players"][(place(link),)] += 1
            elif words(text[start:]):
                found["links"][(words(text[start:]), place(link))] += 1
            link = None
        elif child.type == "image":
            source = str(child.attrs["src"])
            found["players" if _PLAYER.search(source) else "images"][(place(source),)] += 1
        elif child.type in ("softbreak", "hardbreak") or child.content == "<br>":
            text += "\n"
        elif child.type in ("text", "code_inline"):
            text += child.content
    for match in _REFERENCE.finditer(text):
        before = words(_REFERENCE.sub("", text[: match.start()])).split()
        found["footnote refs"][(" ".join(before[-3:]),)] += 1
    return text


def ours(case: Case) -> str:
    return webstrata.extract(case.html, url=case.url).markdown


def everything(case: Case) -> str:
    return webstrata.extract(case.html, "keep-all", url=case.url).markdown


def peers() -> dict[str, Callable[[Case], str]]:
    try:
        import trafilatura
    except ImportError:
        return {}

    def markdown(case: Case) -> str:
        found: str | None = trafilatura.extract(
            case.html, url=case.url, output_format="markdown", include_links=True, include_images=True,
            include_formatting=True,
        )  # fmt: skip
        return found or ""

    return {"trafilatura": markdown}


def _shares(expected: Counter[tuple[object, ...]], given: Counter[tuple[object, ...]]) -> tuple[str, str]:
    both = (expected & given).total()
    return f"{both / (expected.total() or 1):.2f}", f"{both / (given.total() or 1):.2f}"


@click.command(help=__doc__)
@click.option("--misses", type=click.Choice(KINDS), help="Show what we miss of a kind.")
@click.option("--extra", type=click.Choice(KINDS), help="Show what we have more of a kind.")
@click.option("--only", default="", help="Only pages with this text in their names.")
@click.option("--everything", "with_all", is_flag=True, help="Beside it, all that browsers show, whatever is content.")
@click.option("--store", "stored", is_flag=True, help="Store the results for docs/benchmarks.md.")
def main(misses: str | None, extra: str | None, only: str, with_all: bool, stored: bool) -> None:
    programs: dict[str, Callable[[Case], str]] = {"ours": ours, **peers()}
    if with_all:
        programs["everything"] = everything
    pages = 0
    total: dict[str, Found] = {name: {kind: Counter() for kind in KINDS} for name in ("expected", *programs)}
    for case in cases():
        if only not in case.name:
            continue
        pages += 1
        found = {"expected": structure(case.markdown, case.title)}
        found.update((name, structure(program(case), case.title)) for name, program in programs.items())
        for name, kinds in found.items():
            for kind, things in kinds.items():
                for thing, count in things.items():
                    total[name][kind][case.name, *thing] += count
    if misses:
        for thing in total["expected"][misses] - total["ours"][misses]:
            kept = "" if not with_all or thing not in total["everything"][misses] else "  (decision)"
            print(f"{thing!r:.300}{kept}")
    if extra:
        for thing in total["ours"][extra] - total["expected"][extra]:
            print(f"{thing!r:.300}")
    headings = ("kind", "expected", *(f"{name}, {what}" for name in programs for what in ("recall", "precision")))
    rows = [
        (kind, str(expected.total()), *(share for name in programs for share in _shares(expected, total[name][kind])))
        for kind in KINDS
        for expected in [total["expected"][kind]]
    ]
    table = Table(*headings)
    for row in rows:
        table.add_row(*row)
    Console(width=160).print(table)
    if stored:
        store("structure", f"{pages} pages of markdown-dev", headings, rows)


if __name__ == "__main__":
    main()
