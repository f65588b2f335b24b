"""Other extractors of main content, each as it is shipped: HTML bytes in, text out. They come with the extra "bench".

The import is inside each function, so that one that is not installed is an error of its own rows only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


def trafilatura(html: bytes) -> str:
    from trafilatura import extract

    return extract(html) or ""


def resiliparse(html: bytes) -> str:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    # Texts of images are no content in the data sets: with them resiliparse would score lower.
    return str(extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True, alt_texts=False))


def justext(html: bytes) -> str:
    from justext import justext as paragraphs

    return "\n\n".join(each.text for each in paragraphs(html, _stop_words()) if not each.is_boilerplate)


@cache
def _stop_words() -> Any:
    from justext import get_stoplist

    return get_stoplist("English")


def boilerpy3(html: bytes) -> str:
    from boilerpy3.extractors import ArticleExtractor

    return str(ArticleExtractor(raise_on_failure=False).get_content(html.decode("utf-8", "replace")))


def readability(html: bytes) -> str:
    from lxml.html import fromstring
    from readability import Document

    summary = Document(html.decode("utf-8", "replace")).summary(html_partial=True)
    return str(fromstring(summary).text_content()) if summary.strip() else ""


PEERS: dict[str, Callable[[bytes], str]] = {
    "trafilatura": trafilatura,
    "resiliparse": resiliparse,
    "jusText": justext,
    "boilerpy3": boilerpy3,
    "readability-lxml": readability,
}
