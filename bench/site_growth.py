"""Learning one site of any number of synthetic pages: processor time, and the memory of the largest process.

    python bench/site_growth.py 10000 100000 1000000 [--jobs 2]

Pages have a menu, a side bar, an article of 2 to 12 paragraphs under one of five templates, and a footer. They are
written as JSON lines in files of 10,000 pages. The time of reading and parsing alone is measured on the first file and
printed beside.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from webstrata.crawls import find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.sites.learning import SiteLearner
from webstrata.page import parse
from webstrata.sites import Sites

_FILE = 10_000
_WORDS = "strata are layers of a page and each of them is read with care before any word is kept or left out".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{'pages':>9} {'learning, ms/page':>17} {'parsing, ms/page':>17} {'classes':>8} {'largest process, MB':>19}")
    for count in arguments.pages:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), count, arguments.jobs)


def measure(folder: Path, count: int, jobs: int) -> None:
    first, parsing = write_pages(folder / "pages", count), 0.0
    started = time.process_time()
    for line in first.read_text(encoding="utf-8").splitlines():
        parse(json.loads(line)["html"]).blocks  # noqa: B018 (reading the column parses the page)
    parsing = time.process_time() - started
    started = used()
    learner = SiteLearner(inputs=tuple(find_inputs([str(folder / "pages")])), output=folder / "site", extractor="")
    learner.learn(Engine(jobs=jobs))
    cost = used() - started
    site = Sites(folder / "site").load("site.example")
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    per_page = 1000 * parsing / min(count, _FILE)
    print(f"{count:9} {1000 * cost / count:17.3f} {per_page:17.3f} {len(site.classes if site else ()):8} {peak:19.0f}",
          flush=True)  # fmt: skip


def used() -> float:
    """Seconds of processor time of this process and of those that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def write_pages(folder: Path, count: int) -> Path:
    """Write the pages, and give the first file."""
    folder.mkdir()
    for begin in range(0, count, _FILE):
        numbers = range(begin, min(begin + _FILE, count))
        rows = (json.dumps({"url": f"http://site.example/{n}", "html": page(n)}) for n in numbers)
        (folder / f"pages-{begin // _FILE:05}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder / "pages-00000.jsonl"


def page(number: int) -> str:
    chance = random.Random(number)
    text = "".join(f"<p>{' '.join(chance.choices(_WORDS, k=40))} {number}.</p>" for _ in range(2 + number % 11))
    menu = "<div id=menu><ul><li><a href=/>Home</a><li><a href=/h>Help</a><li><a href=/a>About</a></ul></div>"
    side = f"<div class=side><h4>Read also</h4><p><a href=/{number + 1}>the page after {number}</a></p></div>"
    wrapped = ("<div id=c>{}</div>", "<section>{}</section>", "<div id=c><div class=in>{}</div></div>",
               "<article>{}</article>", "<table><tr><td>{}</table>")[number % 5]  # fmt: skip
    body = wrapped.format(f"<h1>Page {number}</h1>{text}")
    return f"<title>{number}</title>{menu}{body}{side}<div id=footer>© Strata</div>"


if __name__ == "__main__":
    main()
