"""A crawl of three hosts for tests of chains: the same pages as a WARC file, a folder, JSON lines and Parquet."""

from __future__ import annotations

import json
import random
from pathlib import Path

from warcs import PACKINGS, info, page_record

__all__ = ["HOSTS", "KINDS", "pages", "write_crawl"]

#: The hosts, each with a template of its own.
HOSTS = ("a.example.org", "b.example.org", "c.example.net")
#: The kinds of inputs that `write_crawl` writes.
KINDS = ("warc", "folder", "jsonl", "parquet")

_WORDS = """river sand clay layer stone valley water spring autumn field quarry wall town reader map year bank ground
glacier flood silt bed time story ice wind grain hill deposit""".split()
_PAGES = 6


def pages() -> dict[str, str]:
    """The pages by URL: on each host a menu, an article with links, and a footer."""
    return {_url(host, number): _page(host, number) for host in range(len(HOSTS)) for number in range(_PAGES)}


def _url(host: int, number: int) -> str:
    return f"http://{HOSTS[host]}/" + (f"page{number}.html" if number else "")


def _page(host: int, number: int) -> str:
    chance = random.Random(100 * host + number)
    menu = "".join(f"<li><a href={_url(host, other)}>Chapter {other}</a>" for other in range(_PAGES))
    near, far = _url(host, (number + 1) % _PAGES), _url((host + 1) % len(HOSTS), number // 2)
    subject = f"{_WORDS[host]} {_WORDS[3 + number]}"
    text = [" ".join(chance.choices(_WORDS, k=45)) for _ in range(4)]
    paragraphs = "".join(f"<p>{item.capitalize()}, as every {subject} shows." for item in text)
    see = (
        f"<p>More about it is told in <a href={near}>the next chapter on {subject}</a> and <a href={far}>elsewhere</a>."
    )
    page = f"<h1>The {subject}</h1>{paragraphs}{see}"
    tag, lang = ("article", "main", "div class=text")[host], ("en", "en-GB", "en")[host]
    return (
        f"<!doctype html><html lang={lang}><meta charset=utf-8><title>The {subject}</title>"
        f"<div class=menu{host}><h4>{HOSTS[host]}</h4><ul>{menu}</ul></div><{tag}>{page}</{tag.split()[0]}>"
        f"<footer><p>All rights of {HOSTS[host]} reserved</p><a href=/terms>Terms of use</a></footer></html>\n"
    )


def write_crawl(folder: Path, kind: str, *, mirror: bool = False) -> Path:
    """Write the crawl as one of `KINDS`; returns the path that commands take as their input.

    With ``mirror``, two articles of the first host are also on the last one.
    """
    found = pages()
    if mirror:
        found |= {f"http://{HOSTS[-1]}/archive/{number}.html": found[_url(0, number)] for number in (1, 2)}
    if kind == "warc":
        path = folder / "crawl.warc.gz"
        records = [info(), *(page_record(url, html.encode()) for url, html in found.items())]
        path.write_bytes(b"".join(map(PACKINGS[".warc.gz"], records)))
    elif kind == "folder":
        path = folder / "pages"
        for url, html in found.items():
            host, _, name = url.removeprefix("http://").partition("/")
            file = path / host / (name or "index.html")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(html, encoding="utf-8")
    elif kind == "jsonl":
        path = folder / "crawl.jsonl"
        path.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in found.items()))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = folder / "crawl.parquet"
        pq.write_table(pa.table({"url": list(found), "html": list(found.values())}), path)
    return path
