"""How long large pages take to open in the viewer, in a headless Chromium.

    python bench/web_large.py

A page of 10 MB of text and one of 100,000 elements. Prints the seconds until the page is in its frame with its
segments drawn, and until the panel below lists them.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/kits"))

from playwright.sync_api import sync_playwright
from web_server import running

from webstrata.rendering.tab import find_browser

_SENTENCE = "A page comes in strata, and this sentence is one of very many that stand in it. "


def large() -> dict[str, bytes]:
    """The pages by name."""
    paragraph = f"<p>{_SENTENCE * 12}</p>\n"
    return {
        "10 MB of text": (paragraph * (10_000_000 // len(paragraph))).encode(),
        "100,000 elements": b"<ul>" + b"<li><b>one</b> two</li>\n" * 50_000 + b"</ul>",
    }


def main() -> None:
    with running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        for name, html in large().items():
            started = time.monotonic()
            answer = server.post("/api/pages", html)
            opened = time.monotonic() - started
            tab = browser.new_page()
            tab.set_default_timeout(120_000)
            tab.goto(f"{server.url}/view/{answer.json['id']}")
            tab.wait_for_selector("#frame-a:not([aria-busy])")
            drawn = time.monotonic() - started
            tab.wait_for_selector("#panel .list")
            listed = time.monotonic() - started
            print(f"{name}: read after {opened:.1f} s, shown after {drawn:.1f} s, listed after {listed:.1f} s")
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
