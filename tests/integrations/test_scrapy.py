"""Scrapy: a spider against a server on this machine, its items through the pipeline into a feed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sample_pages import ARTICLE, EMPTY
from scrapy import Field, Item
from scrapy.exceptions import DropItem

from webstrata import extract
from webstrata.integrations.scrapy import WebstrataPipeline

SPIDER = """
import scrapy


class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        for name in ("article", "empty"):
            yield scrapy.Request(f"{self.server}/{name}.html")

    def parse(self, response):
        yield {"url": response.url, "html": response.body, "encoding": response.encoding}
"""


def test_a_crawl(tmp_path: Path) -> None:
    (tmp_path / "article.html").write_text(ARTICLE, encoding="utf-8")
    (tmp_path / "empty.html").write_text(EMPTY, encoding="utf-8")
    (tmp_path / "spider.py").write_text(SPIDER, encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jsonl", "-a", f"server={url}"]
        command += ["-s", 'ITEM_PIPELINES={"webstrata.integrations.scrapy.WebstrataPipeline": 300}']
        command += ["-s", "WEBSTRATA_FORMATS=text,markdown", "-s", "ROBOTSTXT_OBEY=0", "-s", "DOWNLOAD_DELAY=0"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
        server.shutdown()
    [item] = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text("utf-8").splitlines()]
    assert item["text"] == extract(ARTICLE).text
    assert item["markdown"].startswith("# Strata of the bay")
    assert (item["url"], item["author"]) == (f"{url}/article.html", "Ada Stone")
    assert "html" not in item
    assert "empty.html: no content" in done.stderr


class Page(Item):
    url = Field()
    html = Field()
    title = Field()


def test_items_with_fixed_fields() -> None:
    pipeline = WebstrataPipeline(keep_html=True)
    item = pipeline.process_item(Page(url="https://example.org/", html=ARTICLE))
    assert item["title"] == "Strata of the bay"
    assert item["html"] == ARTICLE
    assert pipeline.process_item({"other": 1}) == {"other": 1}
    with pytest.raises(DropItem, match="no content"):
        pipeline.process_item({"html": EMPTY})
