"""Near-duplicates by three rules: the pages of `webstrata.evaluation.papers.duplicate_pages`, and the speed.

python bench/duplicates.py manuals python3.11-doc/ python3.13-doc/
python bench/duplicates.py templates
python bench/duplicates.py speed
python bench/duplicates.py million
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.duplicates import PAPER, Rule, make_part
from webstrata.evaluation.papers.duplicate_pages import (
    PairedPages,
    count_pairs,
    manual_pages,
    swapped_pages,
    text_parts,
)
from webstrata.page import parse
from webstrata.text import shingles

#: The rules that are compared: the paper's, the default, and one with a lower threshold and a better estimate.
RULES = {
    "8 min-hashes, 50 %": PAPER,
    "32 min-hashes, 50 %": Rule(),
    "128 min-hashes, 25 %": Rule(bands=64, shared=0.25),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["manuals", "templates", "speed", "million"])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--contents", type=int, default=300)
    parser.add_argument("--signatures", type=int, default=1_000_000)
    arguments = parser.parse_args()
    if arguments.what == "manuals":
        report(manual_pages(*arguments.folders))
    elif arguments.what == "templates":
        report(swapped_pages(arguments.contents))
    elif arguments.what == "speed":
        speed()
    else:
        million(arguments.signatures)


def report(given: PairedPages) -> None:
    """Print true pairs found and false pairs, by text and rule."""
    print(f"{'text':20} {'rule':22} {'true pairs':>10} {'found':>7} {'false':>7} {'false within':>12}")
    for text, texts in text_parts(given):
        for label, rule in RULES.items():
            pairs = count_pairs(texts, given, rule)
            share = pairs.found / max(1, pairs.true)
            print(f"{text:20} {label:22} {pairs.true:>10} {share:>7.3f} {pairs.wrong:>7} {pairs.wrong_within:>12}")


def speed() -> None:
    """SignPages of one text after the other beside datasketch and rensa: processor time as ratios."""
    import rensa
    from datasketch import MinHash

    texts = [text for text in (make_part("page")(parse(html)) for html in _some_pages()) if text]
    words = sum(len(text.split()) for text in texts)
    for values in (8, 32, 128):
        rule = Rule(bands=values, rows=1)

        def with_datasketch(text: str, values: int = values) -> None:
            sketch = MinHash(num_perm=values)
            sketch.update_batch([" ".join(shingle).encode() for shingle in shingles(text, 6)])

        def with_rensa(text: str, values: int = values) -> None:
            sketch = rensa.RMinHash(num_perm=values, seed=1)
            sketch.update([" ".join(shingle) for shingle in shingles(text, 6)])

        ways: dict[str, Callable[[str], Any]] = {
            "webstrata": rule.signature,
            "shingles alone": lambda text: [" ".join(shingle) for shingle in shingles(text, 6)],
            "rensa": with_rensa,
            "datasketch": with_datasketch,
        }
        costs = dict.fromkeys(ways, float("inf"))
        for _ in range(3):
            for name, way in ways.items():
                start = time.process_time()
                for text in texts:
                    way(text)
                costs[name] = min(costs[name], time.process_time() - start)
        least = costs["webstrata"]
        ratios = ", ".join(f"{name} {cost / least:.1f}" for name, cost in costs.items())
        print(
            f"{values} min-hashes of {len(texts)} texts, {words} words: {1e9 * least / words:.0f} ns a word; {ratios}"
        )


def _some_pages(count: int = 200) -> Iterator[bytes]:
    from pages import html_of

    return html_of("wcxb", count)


def million(count: int) -> None:
    """``count`` signatures, a tenth of them near-duplicates, joined on two processes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from webstrata.crawls import FoldJob
    from webstrata.crawls.jobs.duplicates.clusters import write_clusters
    from webstrata.crawls.jobs.duplicates.signatures import Bands, SignPages

    rule = Rule()
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "rows").mkdir()
        schema = pa.schema([field for field in SignPages().schema if field.name not in ("reason", "detail")])
        for part, first in enumerate(range(0, count, 50_000)):
            rows = min(50_000, count - first)
            matrix = random.integers(0, 2**32, (rows, rule.permutations), dtype=np.uint32)
            copies = np.flatnonzero(random.random(rows) < 0.1)
            copies = copies[copies > 0]
            changed = random.random((len(copies), rule.permutations)) < 0.2
            matrix[copies] = np.where(changed, matrix[copies], matrix[copies - 1])
            columns = {
                "url": [f"http://host{n % 997}.example/{n}" for n in range(first, first + rows)],
                "file": [f"{part}.warc"] * rows,
                "record": list(range(rows)),
                "words": [500] * rows,
                "signature": [row.tobytes() for row in matrix],
            }
            full = [pa.array(columns.get(item.name, [None] * rows), item.type) for item in schema]
            pq.write_table(pa.Table.from_arrays(full, schema=schema), folder / f"rows/part-{part:05}.parquet")
        start, cost = time.monotonic(), _processor_time()
        FoldJob(rows=folder / "rows", fold=Bands(rule=rule), output=folder / "pairs").run(jobs=2)
        joined = time.monotonic() - start, _processor_time() - cost
        found = write_clusters(folder, rule)
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{count} signatures of {rule.permutations} values: {found}")
        print(f"bands joined in {joined[0]:.0f} s ({joined[1]:.0f} s of processor time on two processes),", end=" ")
        print(f"all in {time.monotonic() - start:.0f} s; largest process {largest:.0f} MB, this one {own:.0f} MB")


def _processor_time() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
