"""A crawl of 1,000 records of which every tenth is hostile, beside the same crawl without them.

    python tests/kits/hostile_crawl.py [--records 1000] [--size 65536]

The hostile records are the pages of the growth kit and answers that are damaged around their pages. Both crawls go
through the crawl's extraction on two processes. The counts must add up, every good page must come out as it does
alone, and the processor time may be twice that of the clean crawl and the time limits of the pages that ran into them.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pyarrow.parquet as pq
from fuzz import seed_pages
from growing_pages import KINDS
from warcs import page_record, record

from webstrata.crawls import Extract, Job, Limits, Summary, find_inputs
from webstrata.errors import InputError
from webstrata.evaluation.datasets.catalogue import find_dataset

_SECONDS = 10
_COMMENTS = b"<!---->" * 146


def good_pages() -> list[bytes]:
    """Those of WCXB, or the golden pages where it is not there; these are short, so that hostile pages weigh more."""
    try:
        return [item.inputs["html"].html for item in find_dataset("wcxb").items(1000)]
    except InputError as problem:
        print(problem)
        return seed_pages([])


def hostile_records(size: int) -> Iterator[bytes]:
    """Records that hung, killed or confused something once, without end."""
    around = [
        page_record("http://bad/sniffed", _COMMENTS, content_type=None),
        page_record("http://bad/charset", b"<p>x", content_type="text/html; charset=" + " " * 30_000),
        page_record("http://bad/longer", b"<p>wrong length", longer=10**19),
        page_record("http://bad/shorter", b"<p>wrong length", longer=-5),
        record("response", b"<p>x", "WARC-Target-URI: http://bad/digits", length=int("9" * 4000)),
        page_record("http://bad/bomb", b"\x1f\x8b\x08" + b"\0" * 60, "Content-Encoding: gzip"),
        page_record("http://bad/nul", b"\0" * size),
        page_record("http://bad/\x1b[2J", b"<title>\x1b]0;x\x07</title><p>text"),
    ]
    pages = [page_record(f"http://bad/{i}", kind(size).encode()) for i, kind in enumerate(KINDS.values())]
    return cycle(around + pages)


def crawl(records: list[bytes], folder: Path) -> tuple[float, Summary, dict[str, str]]:
    """Seconds of processor time, counts, and the text of each URL."""
    folder.mkdir()
    (folder / "crawl.warc").write_bytes(b"".join(records))
    limits = Limits(seconds=_SECONDS)
    inputs = tuple(find_inputs([str(folder / "crawl.warc")]))
    job = Job(inputs=inputs, step=Extract(limits=limits), output=folder / "out", limits=limits)
    began = processor_seconds()
    summary = job.run(jobs=2)
    seconds = processor_seconds() - began
    rows = pq.read_table(sorted((folder / "out").glob("*.parquet")), columns=["url", "text"]).to_pylist()
    return seconds, summary, {row["url"]: row["text"] for row in rows}


def processor_seconds() -> float:
    """What this process and the workers that have ended took so far: other programs on the machine do not count."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--size", type=int, default=1 << 16, help="bytes of a hostile page")
    options = parser.parse_args()
    pages = islice(cycle(good_pages()), options.records)
    good = [page_record(f"http://good/{i}", html) for i, html in enumerate(pages)]
    attacked = list(good)
    attacked[::10] = islice(hostile_records(options.size), len(good[::10]))
    with tempfile.TemporaryDirectory() as name:
        clean_seconds, _, clean = crawl(good, Path(name) / "clean")
        seconds, summary, found = crawl(attacked, Path(name) / "attacked")
    rejected = Counter(summary.rejected)
    told = ", ".join(f"{count} {reason}" for reason, count in rejected.most_common())
    print(f"{summary.records} records, {summary.written} written, rejected: {told}")
    print(f"clean {clean_seconds:.1f} s, with every tenth record hostile {seconds:.1f} s of processor time")
    untouched = {f"http://good/{i}" for i in range(options.records) if i % 10}
    lost = [url for url in untouched if found.get(url) != clean.get(url)]
    assert summary.written + rejected.total() == summary.records, "the counts do not add up"
    assert not lost, f"good pages that came out otherwise: {lost[:5]}"
    assert seconds <= 2 * clean_seconds + _SECONDS * rejected["timed out"], "it took too long"


if __name__ == "__main__":
    main()
