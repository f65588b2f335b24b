"""Make the pictures of the documentation and its gallery from the package: ``make pictures``.

    python tools/pictures.py [--check]

Each picture shows what the algorithms of the package find on bundled and golden pages. ``docs/img/pictures.json``
holds a digest of these findings; with --check nothing is drawn, and pictures whose findings changed are named.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "kits"))

from golden import load

from webstrata import extract, segment
from webstrata.apps.explain import report
from webstrata.page import Page
from webstrata.segmentation.picture import densitogram, overlay

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DIGESTS = DOCS / "img" / "pictures.json"
#: The pages of the gallery, by their golden names.
GALLERY = {
    "article": "An article", "forum": "A thread of a forum", "product": "A product", "documentation": "A manual",
    "listing": "A listing", "recipe": "A recipe", "tables": "Tables", "code": "Code", "chinese": "Chinese",
    "japanese": "Japanese", "arabic": "From right to left", "old-blog": "A blog of 2004",
}  # fmt: skip
_LINES = 24
_GALLERY_HEAD = """# Gallery

Twelve pages that ship with the project, each with its segments by the default segmenter, and its content as Markdown by
the default extractor. `make pictures` makes this page; a test fails when it is no longer true.
"""


def pages() -> dict[str, Page]:
    """The pages of the gallery, parsed."""
    return {slug: load(slug)[0] for slug in GALLERY}


def digest(page: Page) -> str:
    """A digest of what the pictures of a page show: its source, its segments, its kept blocks, and its Markdown."""
    segments = [(item.start, item.stop, item.level, item.kind) for item in segment(page)]
    found = extract(page)
    value = [page.source.decode(), segments, found.keep.tolist(), found.kind.tolist(), found.markdown]
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def digests() -> dict[str, str]:
    """The digest of the findings on each page."""
    return {slug: digest(page) for slug, page in pages().items()}


def stale() -> list[str]:
    """The pages whose findings are no longer those in the pictures."""
    pinned = json.loads(DIGESTS.read_text(encoding="utf-8"))
    return sorted(slug for slug, digest in digests().items() if pinned.get(slug) != digest)


@contextmanager
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    from webstrata.rendering.tab import find_browser

    only_here = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", only_here]
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        yield found
        found.close()


def save(picture: bytes, path: Path) -> None:
    """Write a picture with a palette of 128 colours, a third of the size."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(BytesIO(picture)).convert("RGB").quantize(128).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def shot_of(chromium: Browser, html: str, path: Path, *, wide: int, high: int) -> None:
    """A picture of the top of a page, by a browser in which no script runs."""
    tab = chromium.new_page(viewport={"width": wide, "height": high}, java_script_enabled=False)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(html, encoding="utf-8")
        tab.goto(source.as_uri())
        tall = tab.locator("html").bounding_box()
        shown = min(high, round(tall["height"])) if tall else high
        save(tab.screenshot(clip={"x": 0, "y": 0, "width": wide, "height": shown}), path)
    tab.close()


def gallery(chromium: Browser) -> None:
    """The gallery: a picture and the beginning of the Markdown of each page."""
    parts = [_GALLERY_HEAD]
    for slug, page in pages().items():
        shot_of(chromium, overlay(segment(page)), DOCS / "img" / "gallery" / f"{slug}.png", wide=900, high=1000)
        lines = extract(page).markdown.splitlines()
        shown = "\n".join(lines[:_LINES]) + ("\n\n(and so on)" if len(lines) > _LINES else "")
        parts.append(
            f"## {GALLERY[slug]}\n\n![{GALLERY[slug]} with its segments](img/gallery/{slug}.png)\n\n"
            f"`````markdown\n{shown}\n`````\n"
        )
    (DOCS / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


def single(chromium: Browser) -> None:
    """The pictures of the guide: the report, the overlay and the densitogram of the bundled article."""
    page = pages()["article"]
    found, segments = extract(page), segment(page)
    explained = report(found, name="article.html", segmentation=segments)
    shot_of(chromium, explained, DOCS / "img" / "explain.png", wide=1180, high=900)
    shot_of(chromium, overlay(segments), DOCS / "img" / "segments.png", wide=1000, high=900)
    (DOCS / "img" / "densitogram.svg").write_text(densitogram([segment(page, "bf-rulebased")]), encoding="utf-8")


def web(chromium: Browser) -> None:
    """The pictures of the web page."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "pages"
        data.mkdir()
        (data / "article.html").write_bytes(pages()["article"].source)
        _shots(chromium, data)


def _shots(chromium: Browser, data: Path) -> None:
    from web_server import running

    with running(data=data, demo_site=True) as server:
        tab = chromium.new_page(viewport={"width": 1280, "height": 860})
        for name, path, wait in (
            ("web-viewer", "/view/{}?other=bf-rulebased", "#adjusted-rand"),
            ("web-content", "/view/{}?tab=results&form=markdown", "#result"),
        ):
            tab.goto(server.url + path.format(server.post("/api/pages/demo/article").json["id"]))
            tab.wait_for_selector(wait)
            tab.wait_for_timeout(1500)
            save(tab.screenshot(), DOCS / "img" / f"{name}.png")
        annotate(tab, server.url)
        save(tab.screenshot(), DOCS / "img" / "web-annotate.png")


def annotate(tab: object, url: str) -> None:
    """Open the annotator at the bundled article, with the segments of the default segmenter to start from."""
    from playwright.sync_api import Page as Tab

    assert isinstance(tab, Tab)
    tab.goto(f"{url}/annotate")
    tab.get_by_label("Your name").fill("Ada")
    tab.get_by_role("button", name="Continue").click()
    tab.get_by_role("link", name="article").click()
    tab.wait_for_selector("#saved:has-text('nothing marked yet')")
    tab.locator("#algorithm").select_option("learned")
    tab.get_by_role("button", name="Use its segments").click()
    tab.wait_for_selector("#marks li")
    tab.wait_for_timeout(1500)


def main() -> None:
    if "--check" in sys.argv[1:]:
        sys.exit(f"make pictures: the findings changed on {', '.join(names)}" if (names := stale()) else 0)
    with browser() as chromium:
        single(chromium)
        gallery(chromium)
        web(chromium)
    DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
