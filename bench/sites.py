"""Segments by site against the true regions of whole sites (Fernandes et al. 2011 §5), as one table.

A site is a folder of HTML. Documentation packages of Debian are whole static sites (``apt-get download NAME`` and
``dpkg -x``). The true regions are elements with a class, id, role or tag that is named here or with ``--region``; the
algorithms do not see these values. The rest of a page is one more region.

    python bench/sites.py python3.11-doc/ apache2-doc/usr/share/doc/apache2-doc/manual/en sqlite3-doc/ --limit 1000
    python bench/sites.py some/site --region id=header --region class=content --region tag=footer
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.drawing.charts import Series, line_chart, thinned
from webstrata.evaluation.metrics.rand import adjusted_rand
from webstrata.page import Page, parse
from webstrata.segmentation import SEGMENTERS
from webstrata.sites import PAPER, Rules
from webstrata.sites.classes import Refined, refine
from webstrata.sites.nodes import Nodes, nodes_of
from webstrata.sites.segmenter import block_classes
from webstrata.sites.tree import Tree

_SPHINX = ("class=mobile-nav", "class=related", "class=documentwrapper", "class=sphinxsidebar", "class=footer")
#: The true regions of sites by a part of their folder's name.
REGIONS: dict[str, tuple[str, ...]] = {
    "python3.11-doc": _SPHINX,
    "postgresql-doc": ("class=navheader", "class=navfooter"),
    "cmake-doc": _SPHINX,
    "django-doc": ("id=hd", "id=yui-main", "id=sidebar", "id=ft"),
    "linux-doc": ("class=wy-nav-side", "class=wy-nav-top", "role=main", "tag=footer"),
    "openjdk": ("tag=header", "tag=main", "tag=footer"),
    "wpcd": ("class=firstHeading", "id=bodyContent", "id=footer"),
    "apache2-doc": (
        "id=page-header", "id=path", "id=page-content", "id=quickview", "class=bottomlang", "id=comments_section",
        "id=footer",
    ),
    "sqlite3-doc": ("class=nosearch",),
}  # fmt: skip
_SAMPLES = (0.01, 0.05, 0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--region", action="append", default=[], help="NAME=VALUE of an attribute, or tag=NAME")
    parser.add_argument("--limit", type=int, default=1000, help="pages of a site, chosen at random (default: 1000)")
    parser.add_argument("--curves", help="draw the sorted values of each algorithm (figure 8) into this folder")
    parser.add_argument("--others", default="bf-rulebased", help="segmenters beside ours, with commas")
    arguments = parser.parse_args()
    print(f"{'site':28} {'pages':>6} {'SOM':>6} {'paper':>6} " + " ".join(arguments.others.split(",")), end=" ")
    print(f"{'segments':>8} {'classes':>7} {'rare':>6} {'s1%':>5} {'s5%':>5} {'s10%':>5} {'ms/page':>7}")
    for folder in arguments.folders:
        values = site_row(folder, arguments.region, arguments.limit, arguments.others.split(","))
        if arguments.curves:
            draw_curves(Path(arguments.curves), named(folder), values)


def named(folder: str) -> str:
    return next((name for name in REGIONS if name in folder), Path(folder).name)


def draw_curves(folder: Path, site: str, values: dict[str, list[float]]) -> None:
    """Figure 8 of Fernandes et al. 2011: the adjusted Rand index of each page, the best ones first."""
    folder.mkdir(parents=True, exist_ok=True)
    series = []
    for name, column in values.items():
        places, shown = zip(*thinned(column[::-1]), strict=True)
        series.append(Series(name, [100 * place / len(column) for place in places], shown))
    chart = line_chart(series, title=site, x="pages, ranked (%)", y="adjusted Rand index", low=0, high=1)
    (folder / f"{site}.svg").write_text(chart, encoding="utf-8")


def site_row(folder: str, regions: list[str], limit: int, others: list[str]) -> dict[str, list[float]]:
    """Measure one site, print its row, and give the sorted values of each algorithm."""
    chosen = tuple(regions) or REGIONS.get(named(folder), ())
    if not chosen:
        raise SystemExit(f"{folder}: name its true regions with --region")
    pages = read_site(folder, limit)
    truth = [true_labels(page, chosen) for page in pages]
    start = time.process_time()
    nodes, tree = learnt(pages, Rules())
    found = [block_classes(page, tree, own)[0] for page, own in zip(pages, nodes, strict=True)]
    cost = 1000 * (time.process_time() - start) / len(pages)
    paper = learnt(pages, PAPER)[1]
    values: dict[str, list[float]] = {
        "som": agreement(pages, truth, found),
        "paper": agreement(pages, truth, [block_classes(page, paper)[0] for page in pages]),
    }
    for name in others:
        segmenter = SEGMENTERS.make(name)
        values[name] = agreement(pages, truth, [segmenter(page).labels() for page in pages])
    segments, classes, rare = counted(nodes, tree)
    stable = [stability(pages, nodes, found, share) for share in _SAMPLES]
    scores = " ".join(f"{np.mean(values[name]):{max(6, len(name))}.3f}" for name in values)
    numbers = f"{segments / len(pages):8.1f} {classes:7} {rare:6.2%} " + " ".join(f"{value:5.2f}" for value in stable)
    print(f"{named(folder):28} {len(pages):6} {scores} {numbers} {cost:7.2f}", flush=True)
    return {name: sorted(column) for name, column in values.items()}


def read_site(folder: str, limit: int) -> list[Page]:
    """Pages of a folder that have any text."""
    files = sorted(path for path in Path(folder).rglob("*.htm*") if path.is_file())
    if len(files) > limit:
        files = sorted(random.Random(1).sample(files, limit))
    pages = [parse(path.read_bytes()) for path in files]
    return [page for page in pages if (~page.blocks.hidden).any()]


def true_labels(page: Page, regions: tuple[str, ...]) -> Any:
    """The number of the innermost true region of each block, 0 for none."""
    chosen = [tuple(region.split("=", 1)) for region in regions]
    labels = np.zeros(len(page.blocks), np.int64)
    for element in page.elements:
        if element.blocks.start == element.blocks.stop:
            continue
        attributes = element.attributes
        for name, value in chosen:
            if element.tag == value if name == "tag" else value in attributes.get(name, "").split():
                labels[element.blocks.start : element.blocks.stop] = element.row + 1
    return labels


def learnt(pages: list[Page], rules: Rules) -> tuple[list[Nodes], Refined]:
    nodes = [nodes_of(page, rules) for page in pages]
    return nodes, refine(Tree.of(nodes), rules)


def agreement(pages: list[Page], truth: list[Any], found: list[Any]) -> list[float]:
    """The adjusted Rand index of each page over its shown words."""
    words = (np.where(page.blocks.hidden, 0, page.blocks.words) for page in pages)
    triples = zip(truth, found, words, strict=True)
    return [adjusted_rand(np.repeat(one, count), np.repeat(other, count)) for one, other, count in triples]


def counted(nodes: list[Nodes], tree: Refined) -> tuple[int, int, float]:
    """Segments, classes, and the share of segments in classes of fewer than beta."""
    labels: list[int] = []
    for page in nodes:
        segment, label = tree.segments(page)
        first = np.flatnonzero(segment == np.arange(len(segment)))
        labels += label[first].tolist()
    _, counts = np.unique(labels, return_counts=True)
    rare = int(counts[counts < tree.rules.beta].sum())
    return len(labels), len(counts), rare / max(1, len(labels))


def stability(pages: list[Page], nodes: list[Nodes], found: list[Any], share: float) -> float:
    """How well the segments by a sample of the site agree with those by the whole, on the pages of the sample."""
    chosen = random.Random(7).sample(range(len(pages)), max(2, round(share * len(pages))))
    tree = refine(Tree.of([nodes[number] for number in chosen]))
    sample = [pages[number] for number in chosen]
    by_sample = [block_classes(page, tree)[0] for page in sample]
    return float(np.mean(agreement(sample, [found[number] for number in chosen], by_sample)))


if __name__ == "__main__":
    main()
