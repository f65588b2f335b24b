"""Whether freezing keeps the tree of blocks and the height of real pages.

    python tests/kits/frozen_trees.py [--pages 100]

Reads pages of WCXB and many-dev from WEBSTRATA_DATA. Scripts, and what only browsers without scripts show, are left out
of the comparison.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

from webstrata._allowed import allowed_element
from webstrata.errors import WebstrataError
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.page import Page
from webstrata.rendering import Renderer

__all__ = ["HEIGHT", "changes", "real_pages"]

_LEFT_OUT = frozenset("iframe noembed noframes noscript script template".split())
#: How much the height may change.
HEIGHT = 0.02


def real_pages(number: int) -> Iterator[tuple[str, bytes]]:
    """Names and HTML, half from each data set; raises `InputError` where they are missing."""
    for name in ("wcxb", "many-dev"):
        items = list(find_dataset(name).items(None))
        for item in items[:: max(len(items) * 2 // number, 1)][: number // 2]:
            yield f"{name}/{item.name}", item.inputs["html"].html


def _blocks(page: Page) -> list[tuple[str, ...]]:
    """The texts in each run of blocks of one element, which a script may cut, and the names of its ancestors."""
    elements = page.elements
    paths: list[tuple[str, ...]] = []
    for row, parent in enumerate(elements.parent.tolist()):
        paths.append((*(paths[parent] if parent >= 0 else ()), elements[row].tag))
    kept = ((row, block.text) for row, block in zip(page.blocks.element.tolist(), page.blocks, strict=True)
            if not _LEFT_OUT & {*paths[row]})  # fmt: skip
    return [
        (" ".join(text for _, text in run), *(allowed_element(name, "html") or name for name in paths[row]))
        for row, run in groupby(kept, key=itemgetter(0))
    ]


def changes(renderer: Renderer, html: bytes) -> tuple[list[str], float]:
    """The differences of the blocks, and the height after freezing as a share of that before."""
    frozen, before = renderer.freeze(html, timeout=120)
    after = renderer.render(frozen, timeout=120)
    ours, theirs = _blocks(before.page), _blocks(after.page)
    found = [
        f"{ours[a:b][:2]} became {theirs[c:d][:2]}"
        for kind, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
        if kind != "equal"
    ] if ours != theirs else []  # fmt: skip
    return found, float(after.boxes.height[0]) / max(float(before.boxes.height[0]), 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100)
    options = parser.parse_args()
    count = moved = resized = 0
    with Renderer(tabs=4) as renderer, ThreadPoolExecutor(4) as pool:

        def one(pair: tuple[str, bytes]) -> tuple[str, list[str], float]:
            try:
                return pair[0], *changes(renderer, pair[1])
            except WebstrataError as error:
                return pair[0], [str(error)], 1.0

        for name, found, height in pool.map(one, real_pages(options.pages)):
            count += 1
            moved += bool(found)
            resized += abs(height - 1) > HEIGHT
            if found or abs(height - 1) > HEIGHT:
                print(f"{name}: height {height:.3f}; {'; '.join(found)[:600]}", flush=True)
    print(f"{count} pages; another tree of blocks: {moved}; height more than {HEIGHT:.0%} off: {resized}")
    sys.exit(bool(moved or resized))


if __name__ == "__main__":
    main()
