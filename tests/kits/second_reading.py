"""The trees that Chromium, with scripts off, and our scan read from HTML: the oracle for HTML that we write.

    python tests/kits/second_reading.py [--pages 1000] [--seed 1]

Freezes the hostile pages of the kits and mutated pages. Read by Chromium, each file must have allowed elements only,
and the policy first. Nothing may run or be fetched when it is opened. Files with another tree than was written are
listed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from html.parser import HTMLParser
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz import pages, seed_pages
from injection import PAGES, opened
from mutation_xss import MUTATING, SCRIPTED

from webstrata._allowed import allowed_attribute, allowed_element
from webstrata.errors import WebstrataError
from webstrata.page import IMPLIED, parse
from webstrata.rendering import Renderer
from webstrata.rendering.tab import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

__all__ = ["chromium", "faults", "frozen_pages", "keeps_its_tree"]

_VOID = frozenset("area br col frame hr img input meta source wbr".split())

# Depth, local name and attributes of each element; the parser of a DOMParser runs no scripts and loads nothing.
_READ = """html => {
  const found = [], walk = (node, depth) => {
    for (let at = node; at; at = at.nextElementSibling) {
      found.push([depth, at.localName, [...at.attributes].map(each => [each.name, each.value])]);
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
    read: list[tuple[int, str, list[tuple[str, str]]]] = tab.evaluate(_READ, html)
    found = []
    metas = 0
    for _, name, attributes in read:
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
    first = [name for _, name, attributes in read[:4]]
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
    implied = elements.flags & IMPLIED != 0
    ours = [(int(elements.depth[row]), elements[row].tag) for row in np.flatnonzero(~implied).tolist()]
    written = _Written()
    written.feed(html)
    theirs = [(depth, name) for depth, name, _ in tab.evaluate(_READ, html)]
    return _flat(written.tree) == _flat(theirs) == _flat(ours)


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


def _flat(tree: list[tuple[int, str]]) -> list[tuple[int, str]]:
    # Both parsers limit the depth, at 511 and 512.
    return [(min(depth, 511), name.lower()) for depth, name in tree]


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000, help="mutated pages (default: 1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    mutated = ((f"mutated {n}", page) for n, page in enumerate(pages(seed_pages([]), options.seed)))
    kits = [*PAGES.items(), *MUTATING.items()]
    wrong = 0
    with Renderer(tabs=4) as renderer, chromium() as tab:
        runs = (
            ("", frozen_pages(renderer, [*kits, *islice(mutated, options.pages)])),
            (", scripts on", frozen_pages(renderer, [*kits, *SCRIPTED.items()], scripts=True)),
        )
        files = {f"{name}{how}": html for how, run in runs for name, html in run}
        for name, html in files.items():
            for fault in faults(tab, html):
                wrong += 1
                print(f"{name}: {fault}")
        moved = [name for name, html in files.items() if not keeps_its_tree(tab, html)]
    waiting = iter(files.items())
    while some := dict(islice(waiting, 150)):
        for line in opened(some).fetched:
            wrong += 1
            print(line)
    print(
        f"{len(files)} frozen pages read twice and opened, {wrong} faults; another tree: {', '.join(moved) or 'none'}"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
