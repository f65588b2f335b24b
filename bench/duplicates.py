"""Near-duplicates: the experiment of Kohlschütter 2011 table 4.3 on manuals and on swapped templates, and the speed.

The lyrics pages of the thesis no longer exist. In their place: pages of the same path in two releases of a manual, such
as Debian's packages of documentation (``apt-get download NAME`` and ``dpkg -x``), and contents of WCXB pages, each put
into the templates of three other hosts. A pair is true if the path, or the content, is the same. SignPages of all
pages of the one release are compared with all of the other.

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

from webstrata.duplicates import PAPER, LargestSegment, Rule, TextPart, WholePage, make_part
from webstrata.evaluation.papers.whole_sites import LearnedSite
from webstrata.page import Page, parse
from webstrata.sites import Rules
from webstrata.sites.segmenter import SOMSegmenter
from webstrata.text import Column, shingles

_SEGMENTERS = "wordwrap taggap bf-plain bf-smoothed bf-rulebased justrules pagesegmenter-blocks".split()
#: The rules that are compared: the paper's, the default, and one with a lower threshold and a better estimate.
RULES = {
    "8 min-hashes, 50 %": PAPER,
    "32 min-hashes, 50 %": Rule(),
    "128 min-hashes, 25 %": Rule(bands=64, shared=0.25),
}
_CHUNK = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["manuals", "templates", "speed", "million"])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--contents", type=int, default=300)
    parser.add_argument("--signatures", type=int, default=1_000_000)
    arguments = parser.parse_args()
    if arguments.what == "manuals":
        manuals(*arguments.folders)
    elif arguments.what == "templates":
        templates(arguments.contents)
    elif arguments.what == "speed":
        speed()
    else:
        million(arguments.signatures)


def manuals(first: str, second: str) -> None:
    """The table of two releases of one manual."""
    pages, sides, names = [], [], []
    for release, folder in enumerate((first, second)):
        for path in sorted(path for path in Path(folder).rglob("*.html") if not path.is_symlink()):
            # Releases put their version into the path of the package, and nowhere below the folder of the pages.
            pages.append(parse(path.read_bytes()))
            names.append(str(path).split("/html/")[-1])
            sides.append(release)
    name = np.unique(names, return_inverse=True)[1]
    print(f"{first} and {second}: {sides.count(0)} and {sides.count(1)} pages")
    table(pages, np.array(sides), name)


def templates(contents: int) -> None:
    """The table of contents in swapped templates."""
    pages, content, template = swapped(contents)
    print(f"{contents} contents in 3 of {len(set(template))} templates each: {len(pages)} pages")
    table(pages, np.arange(len(pages)), np.array(content))


def swapped(contents: int) -> tuple[list[Page], list[int], list[int]]:
    """Pages made of contents and templates of WCXB, and the number of the content and of the template of each."""
    from webstrata.training.augmentation import EditablePage, transplanted
    from webstrata.training.samples import prepare, read_dataset

    random = np.random.default_rng(1)
    whole: dict[str, EditablePage] = {}
    labelled = read_dataset(_data("wcxb-dev/wcxb-dev.parquet"))
    for number in random.permutation(len(labelled)).tolist():
        page = labelled[number]
        host = page.url.split("/")[2] if page.url.count("/") > 2 else page.name
        if page.page_type == "article" and host not in whole and len(page.html) < 400_000:
            patient = EditablePage.from_sample(prepare(page))
            if covered(patient):
                whole[host] = patient
        if len(whole) == contents + 30:
            break
    patients = list(whole.values())
    made, content, template = [], [], []
    for number, donor in enumerate(patients[30:]):
        for place in random.choice(30, 3, replace=False).tolist():
            made.append(transplanted(patients[place], [donor], random).page)
            content.append(number)
            template.append(place)
    return made, content, template


def covered(patient: Any) -> bool:
    """Whether a page has enough content, and nearly all of it in elements that can be cut out."""
    words = patient.page.blocks.words
    content = float((words * np.nan_to_num(patient.content)).sum())
    inside = sum(patient.words_of(row) for row in patient.parts)
    return content >= 100 and 0.95 * content <= inside <= 1.1 * content


def _data(name: str) -> Path:
    from webstrata.evaluation.datasets.locate import data_path

    return data_path(name)


def parts(pages: list[Page], side: Column) -> Iterator[tuple[str, list[str]]]:
    """The texts of all pages by each way to choose them."""
    ways: dict[str, TextPart] = {"full text": WholePage()}
    ways |= {name: make_part("segment", name) for name in _SEGMENTERS}
    ways |= {"content (numwords)": make_part("content", "numwords"), "content (learned)": make_part("content")}
    for name, way in ways.items():
        yield name, [way(page) for page in pages]
        if name == _SEGMENTERS[-1] and len(set(side.tolist())) == 2:
            yield "som", list(site_texts(pages, side))


def site_texts(pages: list[Page], side: Column) -> Iterator[str]:
    """The largest segment of each page by the tree of its own release."""
    for number in (0, 1):
        own = [page for page, of in zip(pages, side.tolist(), strict=True) if of == number]
        largest = LargestSegment(segmenter=SOMSegmenter(tree=LearnedSite.of(own, Rules()).tree))
        yield from map(largest, own)


def table(pages: list[Page], side: Column, name: Column) -> None:
    """Print true pairs found and false pairs, by text and rule."""
    print(f"{'text':20} {'rule':22} {'true pairs':>10} {'found':>7} {'false':>7} {'false within':>12}")
    for text, texts in parts(pages, side):
        for label, rule in RULES.items():
            true, found, false, within = pairs(texts, side, name, rule)
            share = found / max(1, true)
            print(f"{text:20} {label:22} {true:>10} {share:>7.3f} {false:>7} {within:>12}", flush=True)


def pairs(texts: list[str], side: Column, name: Column, rule: Rule) -> tuple[int, int, int, int]:
    """True pairs, those found, and false pairs found: of two sides, and within one."""
    signatures = [rule.signature(text) for text in texts]
    known = np.array([item is not None for item in signatures])
    none = np.zeros(rule.permutations, np.uint32)
    matrix = np.stack([none if item is None else item for item in signatures])
    counts = np.zeros(4, np.int64)
    order = np.arange(len(texts))
    for start in range(0, len(texts), _CHUNK):
        rows = order[start : start + _CHUNK]
        same = matrix[rows, None] == matrix[None]
        found = (same.sum(axis=2) >= rule.needed) & known[rows, None] & known[None]
        found &= same.reshape(*same.shape[:2], rule.bands, rule.rows).all(axis=3).any(axis=2)
        later, across = order[None] > rows[:, None], side[rows, None] != side[None]
        true = name[rows, None] == name[None]
        counts += [
            int((true & later & across).sum()),
            int((true & later & across & found).sum()),
            int((~true & later & across & found).sum()),
            int((~true & later & ~across & found).sum()),
        ]
    return tuple(counts.tolist())  # type: ignore[return-value]


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
