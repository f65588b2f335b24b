"""The trees that Chromium, with scripts off, and our scan read from HTML: the oracle for HTML that we write.

    python tests/kits/second_reading.py [--pages 1000] [--seed 1] [--only frozen]

Writes the hostile pages of the kits and mutated pages in every way that HTML is written from a page (`WRITERS`), and
freezes them. Read by Chromium, each file must have allowed elements only, and the policy first. The tree of an overlay
or a frame must be the one that Chromium reads from the page, without what is not allowed; that of other files the one
that was written. Nothing may run or be fetched when a frozen page is opened (for other outputs see `injection`).
Pages with another tree are listed: some trees are built by no parser, or by our scan in another way.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html.parser import HTMLParser
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz import pages, seed_pages
from injection import PAGES, markdown, opened
from mutation_xss import MUTATING, SCRIPTED

from webstrata._allowed import POLICY, allowed_attribute, allowed_element
from webstrata._harmless import harmless
from webstrata.apps.explain import report
from webstrata.apps.web.frames import framed
from webstrata.errors import WebstrataError
from webstrata.extraction import extract
from webstrata.page import IMPLIED, TAGS, Page, parse
from webstrata.rendering import Renderer
from webstrata.rendering.tab import find_browser
from webstrata.segmentation import segment
from webstrata.segmentation.picture import overlay

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

__all__ = ["WRITERS", "chromium", "faults", "frozen_pages", "keeps_its_tree", "keeps_the_tree", "unlike"]

_VOID = frozenset("area br col frame hr img input meta source wbr".split())

# What stands before the elements of a page in a file with the policy.
_HEAD = ("html", "head", "meta", "meta", "meta")
_SPACES = {"http://www.w3.org/2000/svg": "svg", "http://www.w3.org/1998/Math/MathML": "math"}
_OWN_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)

# Depth, local name, namespace and attributes of each element; a DOMParser runs no scripts and loads nothing.
_READ = """html => {
  const found = [], walk = (node, depth) => {
    for (let at = node; at; at = at.nextElementSibling) {
      found.push([depth, at.localName, at.namespaceURI, [...at.attributes].map(each => [each.name, each.value])]);
      if (at.firstElementChild) walk(at.firstElementChild, depth + 1);
    }
  };
  walk(new DOMParser().parseFromString(html, "text/html").documentElement, 0);
  return found;
}"""


@contextmanager
def chromium() -> Iterator[Tab]:
    """A tab of a browser for `faults`."""
    from playwright.sync_api import sync_playwright

    flags = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--no-sandbox",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")  # fmt: skip
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(flags))
        yield browser.new_page()
        browser.close()


def faults(tab: Tab, html: str) -> list[str]:
    """What is wrong with a file that must hold allowed elements only."""
    read: list[tuple[int, str, str, list[tuple[str, str]]]] = tab.evaluate(_READ, html)
    found = []
    metas = 0
    for _, name, _, attributes in read:
        known = any(allowed_element(name, space) == name for space in ("html", "svg", "math"))
        if not known and name not in ("meta",):
            found.append(f"the element {name}")
        for key, value in attributes:
            if key == "http-equiv":
                metas += 1
            elif key in ("srcset", "sandbox") and (key == "sandbox" or value.startswith("data:")):
                continue
            elif not allowed_attribute(key) and key != "charset":
                found.append(f"the attribute {key} of {name}")
            elif key in ("href", "src", "poster", "background") and "script:" in "".join(value.split()).lower()[:20]:
                found.append(f"the URL {value}")
    first = [name for _, name, *_ in read[:4]]
    if metas != 2 or first != ["html", "head", "meta", "meta"]:
        found.append(f"the policy is not first: {first}")
    return found


def keeps_its_tree(tab: Tab, html: str) -> bool:
    """Whether Chromium and our scan read the tree that was written.

    Neither is so for trees that no parser builds, such as a form in a form. Where elements are wrongly nested, our scan
    moves and copies fewer of them than Chromium.
    """
    elements = parse(html, encoding="utf-8").elements
    # A frame set has an implied body in our tree.
    own = (elements.flags & IMPLIED == 0) | (elements.tag == TAGS.index("tbody"))
    ours = [(int(elements.depth[row]), elements[row].tag) for row in np.flatnonzero(own).tolist()]
    written = _Written()
    written.feed(html)
    theirs = [(depth, name) for depth, name, *_ in tab.evaluate(_READ, html)]
    return _flat(written.tree) == _flat(theirs) == _flat(ours)


def keeps_the_tree(tab: Tab, source: str, html: str) -> bool:
    """Whether Chromium reads from a file the allowed elements of a page, in the tree that it reads from the page."""
    meant: list[tuple[int, str]] = []
    out: int | None = None
    for depth, name, space, _ in tab.evaluate(_READ, source):
        if out is None or depth <= out:
            known = allowed_element(name, _SPACES.get(space, "html"))
            out = depth if known is None else None
            if known is not None:
                meant.append((depth, known))
    read = [(depth, name) for depth, name, *_ in tab.evaluate(_READ, html)]
    return tuple(name for _, name in read[:5]) == _HEAD and _flat([*read[:2], *read[5:]]) == _flat(meant)


def _bare_frame(page: Page) -> str:
    """A frame with the policy in place of our script, which a header allows."""
    return _OWN_SCRIPT.sub(POLICY, framed(page).replace('<meta charset="utf-8">', "", 1), count=1)


def _document(body: str) -> str:
    return f"<!DOCTYPE html><html><head>{POLICY}</head><body>{body}</body></html>"


def _report(page: Page) -> str:
    """A report without its own script, in which texts of the page are strings."""
    html = report(extract(page, "keep-all"), name="page")
    return _OWN_SCRIPT.sub("", html).replace('<meta charset="utf-8">', POLICY, 1)


#: What is written from a page, as a document with the policy.
WRITERS: dict[str, Callable[[Page], str]] = {
    "html": lambda page: _document(extract(page, "keep-all").html),
    "markdown": lambda page: _document(markdown(page)),
    "explain": _report,
    "overlay": lambda page: overlay(segment(page, "taggap")),
    "harmless": lambda page: harmless(page, POLICY),
    "frame": _bare_frame,
}
# Those with the tree of the page, and those with all end tags.
_LIKE_THE_PAGE = ("harmless", "frame")
_COMPLETE = ("html",)


def unlike(tab: Tab, writer: str, html: str | bytes) -> tuple[list[str], bool]:
    """What is wrong with what a writer makes of a page, and whether its tree is the one that was meant."""
    page = parse(html)
    made = WRITERS[writer](page)
    if writer in _LIKE_THE_PAGE:
        kept = keeps_the_tree(tab, page.source.decode(), made)
    else:
        kept = writer not in _COMPLETE or keeps_its_tree(tab, made)
    return faults(tab, made), kept


class _Written(HTMLParser):
    """The tree of a file in which every element that is not void has its end tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tree: list[tuple[int, str]] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tree.append((self._depth, tag))
        self._depth += tag not in _VOID

    def handle_endtag(self, tag: str) -> None:
        self._depth -= 1


def _flat(tree: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    found = []
    bodies: list[int] = []
    for depth, name in tree:
        while bodies and bodies[-1] >= depth:
            bodies.pop()
        if name == "tbody":  # implied
            bodies.append(depth)
        else:
            # Both parsers limit the depth, at 511 and 512.
            found.append((min(depth, 500) - len(bodies), name.lower()))
    return found


def frozen_pages(
    renderer: Renderer, named: Iterable[tuple[str, str | bytes]], **options: Any
) -> Iterator[tuple[str, str]]:
    """The pages frozen, several at a time; pages that cannot be rendered are left out."""

    def freeze(pair: tuple[str, str | bytes]) -> tuple[str, str]:
        name, html = pair
        try:
            return name, renderer.freeze(html if isinstance(html, bytes) else html.encode(), **options)[0].decode()
        except WebstrataError as error:
            print(f"{name}: {error}")
            return name, ""

    with ThreadPoolExecutor(4) as pool:
        yield from (pair for pair in pool.map(freeze, named) if pair[1])


def _frozen(kits: list[tuple[str, str]], pages: list[tuple[str, bytes]]) -> tuple[int, int]:
    """Check frozen pages: how many there are, and how many faults they have."""
    wrong = 0
    with Renderer(tabs=4) as renderer, chromium() as tab:
        runs = (
            ("", frozen_pages(renderer, [*kits, *pages])),
            (", scripts on", frozen_pages(renderer, [*kits, *SCRIPTED.items()], scripts=True)),
        )
        files = {f"{name}{how}": html for how, run in runs for name, html in run}
        for name, html in files.items():
            for fault in faults(tab, html):
                wrong += 1
                print(f"{name}, frozen: {fault}", flush=True)
        moved = [name for name, html in files.items() if not keeps_its_tree(tab, html)]
    waiting = iter(files.items())
    while some := dict(islice(waiting, 150)):
        for line in opened(some).fetched:
            wrong += 1
            print(line, flush=True)
    print(
        f"{len(files)} frozen pages read twice and opened, {wrong} faults; another tree: {', '.join(moved) or 'none'}"
    )
    return len(files), wrong


def _written(writer: str, pages: Iterable[tuple[str, str | bytes]]) -> tuple[int, int]:
    """Check what a writer makes of pages."""
    count = wrong = 0
    moved = []
    with chromium() as tab:
        for name, html in pages:
            found, kept = unlike(tab, writer, html)
            count += 1
            wrong += len(found)
            for fault in found:
                print(f"{name}, {writer}: {fault}", flush=True)
            if not kept:
                moved.append(name)
    print(f"{writer}: {count} pages, {wrong} faults; another tree: {', '.join(moved) or 'none'}", flush=True)
    return count, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000, help="mutated pages (default: 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[*WRITERS, "frozen"], help="one writer (default: all)")
    options = parser.parse_args()
    mutated = ((f"mutated {n}", page) for n, page in enumerate(pages(seed_pages([]), options.seed)))
    kits = [*PAGES.items(), *MUTATING.items()]
    some = list(islice(mutated, options.pages))
    writers = [options.only] if options.only else [*WRITERS, "frozen"]
    results = [_frozen(kits, some) if name == "frozen" else _written(name, [*kits, *some]) for name in writers]
    print(f"{sum(count for count, _ in results)} files, {sum(wrong for _, wrong in results)} faults")
    sys.exit(any(wrong for _, wrong in results))


if __name__ == "__main__":
    main()
