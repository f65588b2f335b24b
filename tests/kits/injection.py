"""Whether anything runs, is fetched or navigates when what was made of a hostile page is opened in a browser.

    python tests/kits/injection.py [--pages 1000] [--seed 1]

Every page is written in every format. One headless Chromium opens all of them, one after the other, in frames of a
page that a server on this machine gives, looks whether each frame still shows its document, and clicks every link. The
outputs hold a canary: a script that runs, an image, a style sheet or a frame that is fetched asks the server for a path
that begins with ``/canary``. Markdown goes through the HTML that a CommonMark parser makes of it, raw HTML included.
With more pages than the kit has, the others are pieces of its pages in a row, mutated.
"""

from __future__ import annotations

import argparse
import html
import http.server
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from fuzz import mutate
from mutation_xss import MUTATING

import webstrata
from webstrata.apps.duplicates_report import clusters_report, side_by_side
from webstrata.apps.explain import report
from webstrata.apps.site_report import report as site_report
from webstrata.apps.web.frames import frame_policy, framed
from webstrata.duplicates.comparison import TextComparison
from webstrata.segmentation.picture import densitogram, overlay
from webstrata.sites import learn

__all__ = ["FORMATS", "PAGES", "browser", "hostile_pages", "made", "markdown", "opened"]

_RUN = "fetch('/canary/run')"
_SCRIPT = f"<script>{_RUN}</script>"

#: What a page may hold, with a canary in it.
PAGES: dict[str, str] = {
    "script": f"<p>one</p>{_SCRIPT}<p>two",
    "escaped script": f"<p>{html.escape(_SCRIPT)}</p>",
    "script in a title": f"<title>{html.escape(_SCRIPT)}</title><h1>{html.escape(_SCRIPT)}</h1><p>x",
    "handler": f'<img src=/canary/image onerror="{_RUN}" alt=\'x\'><p onmouseover="{_RUN}">x',
    "newlines in a scheme": f'<p><a href="java{"&#10;" * 64}script:{_RUN}">x</a>',
    "controls before a scheme": f'<p><a href="{"&#1;" * 64}javascript:{_RUN}">x</a>',
    "base that runs": f'<base href="&#x7f;javascript:{_RUN}//"><p><a href="#x">x</a> <a href="%0a{_RUN}">y</a>',
    "return in code": f"<blockquote><pre>a&#13;{html.escape(_SCRIPT)}&#13;b</pre></blockquote>",
    "return in a list": f"<ul><li><pre>a&#13;&#13;{html.escape(_SCRIPT)}</pre></ul>",
    "code in a cell": f"<table><tr><th>a<th>b<tr><td><pre>|&#13;{html.escape(_SCRIPT)}</pre><td>x</table>",
    "attribute": f"<p><a href='http://a/\"onclick=\"{_RUN}'>x</a><img src='http://a/\">{_SCRIPT}' alt='\">{_SCRIPT}'>",
    "entity in a link": f"<p><a href='javascript&amp;colon;{_RUN}'>x</a> <a href='&#x6a;avascript:{_RUN}'>y</a>",
    "class": f"<div class='language-x\"><img/src=/canary/class>'><pre>x</pre></div><div lang='\">{_SCRIPT}'>y",
    "no-break space": f"\u00a0<!doctype html><p>one{_SCRIPT}<img src=/canary/image><iframe src=/canary/frame></iframe>",
    "refresh": "<!doctype html><meta http-equiv=refresh content='0;url=/canary/refresh'><p>one",
    "refresh in the body": "<p>one<META/HTTP-EQUIV=refresh/content='0;url=/canary/refresh'><p>two",
    "style": "<link rel=stylesheet href=/canary/style><style>@import '/canary/import';body{background:url(/canary/b)}"
    "</style><p style='background:url(/canary/inline)'>x",
    "preload": "<link rel=preload as=image href=/canary/preload><link rel=prefetch href=/canary/prefetch><p>x",
    "frame": f'<p>x<iframe srcdoc="{html.escape(_SCRIPT)}"></iframe><object data=/canary/o></object>'
    "<embed src=/canary/e>",
    "svg": f'<svg onload="{_RUN}"><image href=/canary/svg /><text>{html.escape(_SCRIPT)}</text></svg><p>x',
    "raw text": f"<textarea></textarea >{_SCRIPT}</textarea><xmp>{_SCRIPT}</xmp><p>x<plaintext>{_SCRIPT}",
    "formula": f"<p>x <math alttext='[y](javascript:{_RUN}) {html.escape(_SCRIPT)}'><mi>y</mi></math> z"
    f"<script type=math/tex>a <img src=/canary/tex> `</script> "
    f"<math alttext='&lt;/span>{html.escape(_SCRIPT)}'><mi>y</mi></math>",
    "srcset": f"<p>x<img src=a.png srcset='javascript:{_RUN} 2x, java&#10;script:{_RUN} 9x' data-src='javascript:x'>",
    "comment": f"<p>x<!--><img src=/canary/comment>--><p>y<!-- --!>{_SCRIPT}-->",
    "JSON-LD": '<script type="application/ld+json">{"@type":"Article","headline":"\\u003cscript>'
    + _RUN
    + '\\u003c/script>","author":"\\u003cimg src=/canary/author>"}</script><p>x',
    "players": f"<p>x<iframe title='](x) {html.escape(_SCRIPT)}' src=https://player.vimeo.com/video/1></iframe>"
    f"<video title='\"><img src=/canary/video>' src='javascript:{_RUN}'></video>"
    f"<audio src='http://a/) {html.escape(_SCRIPT)}'></audio>",
    "notes": f"<p>x<sup><a href='#fn1\"><img src=/canary/note>'>1</a></sup> y<label class=sidenote-number></label>"
    f"<span class=sidenote>1. {html.escape(_SCRIPT)}</span><p id='fn1\"><img src=/canary/note>'>1. z [^2]: "
    f"[w](javascript:{_RUN})",
    "callouts": f"<div class='admonition note'><p class=admonition-title>[!] {html.escape(_SCRIPT)}<p>x&#13;y</div>"
    f"<img class=latex alt='x {html.escape(_SCRIPT)}' src='/latex.php?latex=x'>",
    "unknown tag": f'<x"><img/src=/canary/tag>y</x><p>z{_SCRIPT}',
    "placeholder": "<title>@page@</title><h1>@metadata@</h1><p>@tables@ @strip@",
}


def markdown(page: webstrata.Page) -> str:
    """The Markdown of a page as HTML, by a CommonMark parser, with the HTML that it holds."""
    from markdown_it import MarkdownIt

    return str(
        MarkdownIt("commonmark", {"html": True}).enable("table").render(webstrata.extract(page, "keep-all").markdown)
    )


_HERE = "http://127.0.0.1/"
_IMAGE = re.compile(r'<img src="[^"]*"')


def _shown(content: str) -> str:
    # Images of the content are meant to be fetched where they were; this is no canary.
    return _IMAGE.sub(lambda found: found[0].replace("/canary", ""), content)


#: The formats: what a page becomes, as a document for a browser.
FORMATS: dict[str, Callable[[webstrata.Page], str]] = {
    "html": lambda page: _shown(webstrata.extract(page, "keep-all").html),
    "markdown": lambda page: f"<!doctype html><meta charset=utf-8>{_shown(markdown(page))}",
    "tei": lambda page: webstrata.extract(page, "keep-all").tei,
    "explain": lambda page: report(webstrata.extract(page, "keep-all"), name="<page>"),
    "overlay": lambda page: overlay(webstrata.segment(page, "taggap")),
    "frame": framed,
    "densitogram": lambda page: densitogram([webstrata.segment(page, "taggap")]),
    "duplicates report": lambda page: side_by_side(
        TextComparison(page.text, page.text[:99]), (page.title, "b"), "page"
    ),
    "clusters report": lambda page: clusters_report(
        [
            {
                "cluster": 1,
                "title": page.title,
                "keeper": True,
                "words": 1,
                "url": page.url or page.title,
                "file": page.text[:99],
                "record": 0,
            }
        ],
        {"clusters": 1, "by": "page", "written": 1, "members": 1, "dropped": 0},
    ),
    "site report": lambda page: site_report(learn([page, page], name=page.title, extractor=None), learnt=page.title),
    "notebook": lambda page: page._repr_html_(),
}


# Media types of documents that are not HTML, by how they begin.
_KINDS = {"<svg": "image/svg+xml", "<?xml": "application/xml", "<TEI": "application/xml"}


@dataclass
class Opened:
    """What a browser did with the documents: how many it opened, and what it asked for besides."""

    documents: int = 0
    fetched: list[str] = field(default_factory=list)


def browser() -> str | None:
    """The path of Chromium, if there is one."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


# Links are followed too: a scheme that runs something does so when its link is clicked. A frame with a document of
# another origin than ours has been navigated, unless it is sandboxed, which its header says.
_CLICK = """const wait = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
onload = async () => {
  await wait(0.5);
  const frames = [...document.querySelectorAll("iframe")];
  for (const [number, frame] of frames.entries())
    if (frame.contentDocument?.URL !== frame.src) await fetch("/moved/" + number);
  await fetch("/clicks");
  for (const frame of frames)
    for (const link of frame.contentDocument ? frame.contentDocument.querySelectorAll("a") : [])
      link.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  await wait(1.5);
  fetch("/done");
};"""


def opened(documents: dict[str, str], *, seconds: float = 600) -> Opened:
    """Open documents in one browser, some time each, and tell what they asked for."""
    names = list(documents)
    result, clicked, done = Opened(), threading.Event(), threading.Event()
    frames = "".join(f'<iframe src="/document/{number}"></iframe>' for number in range(len(names)))
    page = f"<!doctype html><meta charset=utf-8><body>{frames}<script>{_CLICK}</script>"

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path
            body, kind = b"", "text/html; charset=utf-8"
            if path == "/start":
                body = page.encode()
            elif path.rpartition("/")[0] == "/document" and path[10:].isdigit():
                # URLs of the page, which was read with an address of this machine, lead here.
                text = documents[names[int(path.rpartition("/")[2])]].replace(_HERE, f"http://{self.headers['Host']}/")
                kind = next((other for start, other in _KINDS.items() if text.startswith(start)), kind)
                body = text.encode("utf-8", "replace")
                result.documents += not clicked.is_set()
            elif path == "/clicks":
                clicked.set()
            elif path == "/done":
                done.set()
            elif path.startswith("/moved/"):
                name = names[int(path[7:])]
                if not is_sandboxed(documents[name]):
                    result.fetched.append(f"a navigation by {name}")
            elif clicked.is_set() and self.headers.get("Sec-Fetch-Mode") == "navigate":
                pass  # a link that was clicked
            elif path.startswith("/canary"):
                referer = self.headers.get("Referer", "").rpartition("/document/")[2]
                result.fetched.append(
                    f"{path} by {names[int(referer)] if referer.isdigit() else 'an unknown document'}"
                )
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if is_sandboxed(body.decode("utf-8", "replace")):
                self.send_header("Content-Security-Policy", frame_policy())
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    with _serving(Handler) as port, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [browser() or "chromium", *_FLAGS, f"--user-data-dir={folder}", f"http://127.0.0.1:{port}/start"]
        with open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
            try:
                if not done.wait(seconds):
                    raise TimeoutError(f"the browser opened {result.documents} documents in {seconds} s and no more")
            finally:
                process.terminate()
                process.wait(20)
    return result


def is_sandboxed(document: str) -> bool:
    """Whether a document is a frame of the viewer, for which the server sends a header."""
    return "<script data-ws-token=" in document


# Pages whose documents are opened in one tab.
_AT_ONCE = 16

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@contextmanager
def _serving(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def made(pages: Mapping[str, str] = PAGES) -> dict[str, str]:
    """Every page in every format."""
    return {
        f"{page} as {name}": write(webstrata.parse(source, url=_HERE))
        for page, source in pages.items()
        for name, write in FORMATS.items()
        if name != "site report" or webstrata.parse(source).text  # nothing to learn
    }


def hostile_pages(seed: int) -> Iterator[tuple[str, str]]:
    """The pages of the kit, and then without end some of them in a row with a few things wrong, by name."""
    kit = PAGES | MUTATING
    yield from kit.items()
    rng = random.Random(seed)
    sources = [page.encode() for page in kit.values()]
    for number in count():
        some = b"".join(rng.sample(sources, rng.randint(1, 3)))
        yield f"mutated {number}", mutate(some, sources, rng).decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=len(PAGES | MUTATING), help="default: those of the kit")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pages = islice(hostile_pages(options.seed), options.pages)
    documents = 0
    fetched: list[str] = []
    while some := dict(islice(pages, _AT_ONCE)):
        result = opened(made(some), seconds=300)
        documents += result.documents
        fetched += result.fetched
        for line in result.fetched:
            print(line, flush=True)
    print(f"{documents} documents opened, {len(fetched)} canaries")
    sys.exit(bool(fetched))


if __name__ == "__main__":
    main()
