"""Title, author and date against the gold fields of WCXB, beside trafilatura's, in one run.

Scored are the pages whose gold field is not empty. Titles and authors are compared without case, punctuation and
width; several authors as a set; dates as days. A miss and a wrong value count the same.

Pages are split by host into a half on which errors were looked at (``tuned``) and one on which they were not
(``unseen``).

    python bench/metadata.py [--limit N] [--errors title|author|date] [--alone]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
import unicodedata
from collections.abc import Callable
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

import webstrata
from pages import progress, wcxb_rows
from webstrata.extraction.metadata import metadata

FIELDS = {"title": "title", "author": "author", "date": "publish_date"}
HALVES = ("tuned", "unseen")


def half(url: str | None) -> str:
    host = urlsplit(url or "").hostname or ""
    return HALVES[int(hashlib.md5(host.encode()).hexdigest(), 16) % 2]


def normalise(field: str, value: str | None) -> object:
    text = unicodedata.normalize("NFKC", value or "").casefold()
    if field == "date":
        return text[:10]
    if field == "author":
        names = re.split(r"\s*(?:;|,|\||\band\b|&)\s*", text)
        return frozenset(_words(name) for name in names if _words(name))
    return _words(text)


def _words(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text).split())


def ours(html: bytes, url: str | None) -> dict[str, str | None]:
    return metadata(webstrata.parse(html, url=url)).as_dict()


def trafilaturas(html: bytes, url: str | None) -> dict[str, str | None]:
    from trafilatura import extract_metadata

    found = extract_metadata(html, default_url=url)
    return {field: getattr(found, field, None) for field in FIELDS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="read only the first pages")
    parser.add_argument("--errors", choices=FIELDS, help="show the errors in one field, on the tuned half alone")
    parser.add_argument("--alone", action="store_true", help="leave trafilatura out")
    options = parser.parse_args()
    readers: dict[str, Callable[[bytes, str | None], dict[str, str | None]]] = {"webstrata": ours}
    if not options.alone:
        readers["trafilatura"] = trafilaturas
    right = {(name, field, part): 0 for name in readers for field in FIELDS for part in HALVES}
    gold = {(field, part): 0 for field in FIELDS for part in HALVES}
    seconds = dict.fromkeys(readers, 0.0)
    count = 0
    for row in progress(wcxb_rows("file_id", "url", "html", *FIELDS.values(), limit=options.limit), "metadata"):
        part = half(row["url"])
        count += 1
        for name, read in readers.items():
            start = time.process_time()
            found = read(row["html"], row["url"])
            seconds[name] += time.process_time() - start
            for field, column in FIELDS.items():
                if row[column]:
                    correct = normalise(field, found[field]) == normalise(field, row[column])
                    right[name, field, part] += correct
                    gold[field, part] += name == "webstrata"
                    if not correct and name == "webstrata" and options.errors == field and part == "tuned":
                        print(row["file_id"], repr(row[column]), repr(found[field]), row["url"])
    table = Table("reader", *(f"{field}, {part}" for field in FIELDS for part in HALVES), "ms a page")
    for name in readers:
        shares = (f"{right[name, field, part] / max(gold[field, part], 1):.3f}" for field in FIELDS for part in HALVES)
        table.add_row(name, *shares, f"{1000 * seconds[name] / max(count, 1):.2f}")
    table.add_row("pages", *(str(gold[field, part]) for field in FIELDS for part in HALVES), "")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
