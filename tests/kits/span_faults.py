"""What is wrong with the spans of an extraction: order, overlaps, text without a span, sources without its words.

    python tests/kits/span_faults.py [--every N]

reads the pages of WCXB and many-dev, as far as they are there, and counts the faults.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from html import unescape

from webstrata.extraction import Extraction, extract
from webstrata.extraction.structure.spans import Span

# What Markdown has besides the text of the page: links, labels of footnotes, kinds of callouts, languages of code,
# numbers of items, tags.
_SIGNS = re.compile(
    r"\]\([^)\s]*\)|\[\^[^\]]+\]|\[![a-z]+\]|^[> ]*(?:[-*] |\d+[.)] )*`{3,}.*$|^[> ]*(?:(?:[-*]|\d+[.)]) )+"
    r"|</?[a-z]+>|\$+|\\lt\b|\{\\lq\}",
    re.MULTILINE,
)
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z!][^<>]*>", re.DOTALL)
_WORD = re.compile(r"[^\W_]")


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text))


def _source_letters(source: bytes) -> str:
    """The letters of a piece of HTML, those of attributes included."""
    html = source.decode("utf-8", "replace")
    bare = _letters(unescape(_TAG.sub("", html)))
    return bare + "\n" + _letters(unescape(html)) + "\n" + _letters(unescape(unescape(html)))


def _faults(output: str, spans: tuple[Span, ...], found: Extraction, *, has_signs: bool) -> Iterator[str]:
    at = 0
    bare = []
    carried = found.carried.source if found.carried else b""
    for span in spans:
        if not at <= span.start < span.stop <= len(output):
            yield f"order: {span} after {at}"
        bare.append(output[at : span.start])
        at = span.stop
        source = (carried if span.carried else found.page.source)[span.source_start : span.source_stop]
        piece = output[span.start : span.stop]
        is_formula = has_signs and piece.startswith("$")  # whose TeX may be made of MathML
        letters = "" if is_formula else _letters(_SIGNS.sub("", piece) if has_signs else piece)
        if letters and letters not in (whole := _source_letters(source)) and Counter(letters) - Counter(whole):
            yield f"source: {piece!r:.200} is not in {source!r:.300}"
    bare.append(output[at:])
    left = "\x00".join(bare)
    # A cut in a sign leaves its parts on both sides.
    rest = _letters(_SIGNS.sub("", left) if has_signs else left)
    if rest:
        yield f"no span: {rest[:80]!r} of {len(rest)} letters"


def span_faults(found: Extraction) -> Iterator[str]:
    """The faults of the spans of both outputs."""
    yield from (f"text: {fault}" for fault in _faults(found.text, found.text_spans, found, has_signs=False))
    yield from (f"Markdown: {fault}" for fault in _faults(found.markdown, found.markdown_spans, found, has_signs=True))


def main() -> None:
    from webstrata.evaluation.datasets.catalogue import find_dataset

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="read only every Nth page")
    options = parser.parse_args()
    pages = wrong = 0
    for name in ("wcxb", "many-dev"):
        for item in list(find_dataset(name).items())[:: options.every]:
            page = item.inputs["html"].page()
            faults = [fault for algorithm in ("learned", "keep-all") for fault in span_faults(extract(page, algorithm))]
            pages += 1
            wrong += bool(faults)
            for fault in faults[:3]:
                print(f"{item.name}: {fault}")
    print(f"{pages} pages, {wrong} with faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
