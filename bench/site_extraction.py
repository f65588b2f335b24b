"""Extraction with and without what is known of the site, on CleanPortalEval: four portals, 71 pages.

Each site is learnt from the pages of its portal alone, without their gold texts. F1 over bags of words.

    python bench/site_extraction.py path/to/cleanportaleval.parquet
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

import numpy as np

from webstrata import extract, parse
from webstrata.crawls import find_inputs
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.learning import Learner, Sites
from webstrata.evaluation.metrics.words import word_score

_WRAPPER = re.compile(rb"^\s*<text[^>]*>|</text>\s*$")
_MARKS = re.compile(r"^\s*URL:.*\n|<(?:p|h|l)>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    rows = pyarrow("pyarrow.parquet").read_table(parser.parse_args().file).to_pylist()
    for row in rows:
        # Sections of a portal have hosts of their own; the portal is the site.
        row["html"] = _WRAPPER.sub(b"", row["html"])
    print(f"{'portal':24} {'pages':>5} {'without':>8} {'with':>8}")
    means = []
    for portal in sorted({row["domain"] for row in rows}):
        pages = [row for row in rows if row["domain"] == portal]
        without, known = measured(pages)
        means.append((without, known))
        print(f"{portal:24} {len(pages):5} {without:8.4f} {known:8.4f}", flush=True)
    without, known = np.mean(means, axis=0)
    print(f"{'mean of portals':24} {len(rows):5} {without:8.4f} {known:8.4f}")


def measured(pages: list[dict[str, object]]) -> tuple[float, float]:
    """The mean F1 of a portal's pages without and with the site."""
    pa = pyarrow()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "portal.parquet"
        pyarrow("pyarrow.parquet").write_table(pa.Table.from_pylist(pages).select(["url", "html"]), path)
        output = Path(folder) / "site"
        Learner(inputs=tuple(find_inputs([str(path)])), output=output, by="all").learn(jobs=1)
        site = Sites(output).of(None)
    scores = []
    for row in pages:
        page = parse(row["html"], url=str(row["url"]))  # type: ignore[arg-type]
        gold = _MARKS.sub("", row["gold"].decode("utf-8", "replace"))  # type: ignore[attr-defined]
        scores.append([word_score(gold, extract(page, site=known).text).f for known in (None, site)])
    without, known = np.mean(scores, axis=0)
    return float(without), float(known)


if __name__ == "__main__":
    main()
