"""Extraction with and without the model of the site, on CleanPortalEval: four portals, 71 pages.

Each site is learnt from the pages of its portal alone, without their gold texts. F1 over bags of words. Character
references in the gold texts are resolved. Two section pages of one portal have no article and always score 0: its mean
is at most .833.

    python bench/site_extraction.py path/to/cleanportaleval.parquet [--extractor learned,numwords]
"""

from __future__ import annotations

import argparse
import re
import tempfile
from html import unescape
from pathlib import Path

import numpy as np

from webstrata import extract, parse
from webstrata.crawls import find_inputs
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.sites.learning import SiteLearner
from webstrata.evaluation.metrics.words import word_score
from webstrata.sites import Sites

_WRAPPER = re.compile(rb"^\s*<text[^>]*>|</text>\s*$")
_MARKS = re.compile(r"^\s*URL:.*\n|<(?:p|h|l)>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--extractor", default="learned", help="with commas (default: learned)")
    arguments = parser.parse_args()
    rows = pyarrow("pyarrow.parquet").read_table(arguments.file).to_pylist()
    for row in rows:
        # Sections of a portal have hosts of their own; the portal is the site.
        row["html"] = _WRAPPER.sub(b"", row["html"])
    for extractor in arguments.extractor.split(","):
        print(f"{extractor:24} {'pages':>5} {'without':>8} {'with':>8} {'gain':>8}")
        means = []
        for portal in sorted({row["domain"] for row in rows}):
            pages = [row for row in rows if row["domain"] == portal]
            means.append(measured(pages, extractor))
            print_row(portal, len(pages), *means[-1])
        print_row("mean of portals", len(rows), *np.mean(means, axis=0))


def print_row(name: str, pages: int, without: float, known: float) -> None:
    print(f"{name:24} {pages:5} {without:8.4f} {known:8.4f} {known - without:+8.4f}", flush=True)


def measured(pages: list[dict[str, object]], extractor: str) -> tuple[float, float]:
    """The mean F1 of a portal's pages without and with the site."""
    pa = pyarrow()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "portal.parquet"
        pyarrow("pyarrow.parquet").write_table(pa.Table.from_pylist(pages).select(["url", "html"]), path)
        output = Path(folder) / "site"
        SiteLearner(inputs=tuple(find_inputs([str(path)])), output=output, by="all", extractor=extractor).learn(
            Engine(jobs=1)
        )
        site = Sites(output).of(None)
    scores = []
    for row in pages:
        page = parse(row["html"], url=str(row["url"]))  # type: ignore[arg-type]
        gold = unescape(_MARKS.sub("", row["gold"].decode("utf-8", "replace")))  # type: ignore[attr-defined]
        scores.append([word_score(gold, extract(page, extractor, site=known).text).f for known in (None, site)])
    without, known = np.mean(scores, axis=0)
    return float(without), float(known)


if __name__ == "__main__":
    main()
