"""How often our tree agrees with lexbor's: the share of text characters whose tag path is the same.

Every character of the text that is no white space has a path of tags from the root, without `a`. Both trees are read
as one sequence of characters with their paths; characters that only one of them has count as disagreement.

    python bench/agreement.py [wcxb|kreuzer|l3s-gn1 ...] [--kinds 12]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from selectolax.lexbor import LexborHTMLParser, LexborNode

import webstrata
from pages import progress
from results import store
from webstrata.evaluation.datasets import kreuzer
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.l3s_gn1 import crawled_html
from webstrata.page import Page

# Elements whose text is not part of the page's text.
SILENT = frozenset("head iframe noembed noframes option script select style template title".split())

Run = tuple[str, str]


def our_runs(page: Page) -> list[Run]:
    """The blocks as (characters, path)."""
    paths: dict[int, str] = {}
    runs = []
    for block in page.blocks:
        row = int(page.blocks.element[block.row])
        if row not in paths:
            paths[row] = "/".join(block.path)
        runs.append(("".join(block.text.split()), paths[row]))
    return runs


def lexbor_runs(html: bytes) -> list[Run]:
    """The text nodes of lexbor's tree as (characters, path)."""
    root = LexborHTMLParser(html).root
    runs: list[Run] = []
    stack: list[tuple[LexborNode, str]] = [(root, "")] if root is not None else []
    while stack:
        node, path = stack.pop()
        if node.next is not None and path:
            stack.append((node.next, path))
        tag = node.tag
        if tag == "-text":
            text = "".join((node.text_content or "").split())
            if text:
                runs.append((text, path))
        elif (tag is not None and tag[0] not in "-!" and tag not in SILENT) or (tag == "title" and "/svg" in path):
            inner = path if tag == "a" else f"{path}/{tag}".lstrip("/")
            if node.child is not None:
                stack.append((node.child, inner))
    return runs


def merge(runs: list[Run]) -> list[Run]:
    merged: list[Run] = []
    for text, path in runs:
        if merged and merged[-1][1] == path:
            merged[-1] = (merged[-1][0] + text, path)
        else:
            merged.append((text, path))
    return merged


def compare(ours: list[Run], theirs: list[Run], kinds: Counter[tuple[str, str]]) -> tuple[int, int]:
    """The number of their characters with our path, and of all."""
    total = sum(len(text) for text, _ in theirs)
    our_text, their_text = "".join(text for text, _ in ours), "".join(text for text, _ in theirs)
    if our_text == their_text:
        spans = [(0, 0, len(our_text))]
    else:
        head = next((i for i, (a, b) in enumerate(zip(our_text, their_text, strict=False)) if a != b), 0)
        a, b = our_text[head:], their_text[head:]
        step = max(1, max(len(a), len(b)) // 20_000)  # long texts are aligned in pieces
        matcher = SequenceMatcher(None, pieces(a, step), pieces(b, step), autojunk=False)
        spans = [(0, 0, head)]
        spans += [(head + i * step, head + j * step, size * step) for i, j, size in matcher.get_matching_blocks()]
    agreed = aligned = 0
    our_paths, their_paths = expand(ours), expand(theirs)
    for i, j, size in spans:
        for k in range(min(size, len(our_paths) - i, len(their_paths) - j)):
            aligned += 1
            if our_paths[i + k] == their_paths[j + k]:
                agreed += 1
            else:
                kinds[difference(our_paths[i + k], their_paths[j + k])] += 1
    if aligned < total:
        kinds["(no such text in ours)", "text"] += total - aligned
    return agreed, total


def pieces(text: str, step: int) -> list[str]:
    return [text[i : i + step] for i in range(0, len(text), step)]


def expand(runs: list[Run]) -> list[str]:
    paths: list[str] = []
    for text, path in runs:
        paths += [path] * len(text)
    return paths


def difference(ours: str, theirs: str) -> tuple[str, str]:
    """The paths from the first difference on."""
    a, b = ours.split("/"), theirs.split("/")
    common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return "/".join(a[common - 1 :]), "/".join(b[common - 1 :])


def data_set(name: str) -> Iterator[Page]:
    """The pages of a data set, as they were crawled."""
    if name == "l3s-gn1":
        return map(webstrata.parse, crawled_html())
    items = kreuzer.read(used=None) if name == "kreuzer" else find_dataset(name).items()
    return (item.inputs["html"].page() for item in items)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", default=["wcxb", "kreuzer", "l3s-gn1"])
    parser.add_argument("--kinds", type=int, default=12, help="how many kinds of disagreement to print")
    parser.add_argument("--limit", type=int, help="pages of each data set")
    parser.add_argument("--store", action="store_true", help="store the results for docs/benchmarks.md")
    options = parser.parse_args()
    rows = []
    for name in options.datasets:
        kinds: Counter[tuple[str, str]] = Counter()
        agreed = total = count = 0
        for page in progress(data_set(name), name, options.limit):
            a, t = compare(merge(our_runs(page)), merge(lexbor_runs(page.source)), kinds)
            agreed, total, count = agreed + a, total + t, count + 1
        print(f"{name}: {agreed / max(total, 1):.3%} of {total:,} characters on {count} pages have lexbor's path")
        for (ours, theirs), chars in kinds.most_common(options.kinds):
            print(f"  {chars / total:7.3%}  ours {ours}  lexbor {theirs}")
        rows.append((name, f"{count:,}", f"{total:,}", f"{agreed / max(total, 1):.3%}"))
    if options.store:
        about = "The share of characters whose tag path is the one of lexbor's tree"
        store("agreement", about, ("data set", "pages", "characters", "agreed"), rows)


if __name__ == "__main__":
    main()
