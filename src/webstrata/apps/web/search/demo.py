"""The small site that ships with the package: an almanac of layers, written for webstrata.

Its texts are in ``site/almanac.txt``. All pages share a template with menu, breadcrumbs and footer, so that the site
has a template to learn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np

from webstrata._escaping import html as escape
from webstrata._lengths import LONGEST_TAG_NAME, MOST_LEVELS
from webstrata.apps.web.search.ranked import document_graph, topic_ranks
from webstrata.page import Page, parse
from webstrata.search import Documenter, Index
from webstrata.search.index import DEFAULT
from webstrata.sites.classes import Refined, refine
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree
from webstrata.tree import path_of

__all__ = ["build_demo_index", "demo_site"]

_HOST = "http://almanac.example/"
_LINK = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
_SECTIONS = ("rocks", "water", "soil", "towns", "books")


def demo_site() -> dict[str, bytes]:
    """The pages of the site, by their URLs.

    >>> pages = demo_site()
    >>> len(pages), "http://almanac.example/rocks/soft/clay.html" in pages
    (26, True)
    """
    text = files("webstrata.apps.web").joinpath("site/almanac.txt").read_text(encoding="utf-8")
    return {f"{_HOST}{name}.html": _page(name, title, body) for name, title, body in _entries(text)}


def _entries(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """The entries of the file: name, title and paragraphs."""
    for entry in text.split("\n= "):
        head, _, body = entry.removeprefix("= ").partition("\n")
        name, _, title = head.partition(" | ")
        yield name.strip(), title.strip(), [line for line in body.split("\n") if line.strip()]


def _page(name: str, title: str, body: list[str]) -> bytes:
    section, slash, _ = name.partition("/")
    menu = "".join(f'<li><a href="/{each}/index.html">{each.capitalize()}</a></li>' for each in _SECTIONS)
    home = '<a href="/index.html">Almanac</a>'
    trail = f'{home} / <a href="/{section}/index.html">{section}</a>' if slash else "Almanac"
    text = "".join(f"<p>{_linked(line)}</p>\n" for line in body)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head>\n"
        f'<body><header><b>The Almanac of Layers</b><nav><ul class="menu">{menu}</ul></nav></header>\n'
        f'<div class="trail">{trail}</div>\n<main><article><h1>{escape(title)}</h1>\n{text}</article></main>\n'
        "<aside><h2>Read also</h2><p>A new entry every month. Ask the editors for the printed almanac.</p></aside>\n"
        "<footer><p>Printed on paper and kept in layers. No cookies, no comments.</p></footer></body></html>\n"
    ).encode()


def _linked(line: str) -> str:
    return _LINK.sub(lambda link: f'<a href="/{link[2]}.html">{link[1]}</a>', escape(line))


_STYLE = (
    "body{font:17px/1.55 Georgia,serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "header,footer,.trail,aside{font:14px/1.5 sans-serif;color:#555}"
    ".menu{display:flex;gap:1rem;list-style:none;padding:0}"
    "aside{border-left:4px solid #ddd;padding-left:1rem;margin:2rem 0}"
    "footer{border-top:1px solid #ddd;padding-top:1rem}"
)


def build_demo_index(folder: Path) -> tuple[Index, dict[str, str]]:
    """An index of the site, with the folders of its URLs as topics, and the names of its segment classes."""
    pages = [parse(html, url=url) for url, html in demo_site().items()]
    tree = refine(Tree.of(map(nodes_of, pages)))
    document = Documenter()
    documents = [document(page, tree) for page in pages]
    graph = document_graph(documents)
    index = Index.build(
        documents, folder, rankings=(DEFAULT, "segment-aware", "bm25"), graph=graph, ranks=topic_ranks(graph)
    )
    return index, _class_paths(pages, tree)


def _class_paths(pages: list[Page], tree: Refined) -> dict[str, str]:
    """Names for segment classes, by kind: the last two tags of the path to their elements."""
    found: dict[str, str] = {}
    for page in pages:
        nodes = nodes_of(page, tree.rules)
        segment, label = tree.segments(nodes)
        for row in np.flatnonzero(segment == np.arange(len(segment))).tolist():
            path = path_of(page.elements, int(nodes.element[row]), levels=MOST_LEVELS, letters=LONGEST_TAG_NAME)
            found.setdefault(f"{int(label[row]):016x}", " › ".join(path[-2:]))
    return found
