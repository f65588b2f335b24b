"""What the viewer shows of a page, as plain values. Each function runs in a guarded process, on a stored page.

Other packages compute everything; these functions only rearrange it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from webstrata import features
from webstrata._escaping import html as escape
from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TAG_NAME, LONGEST_TITLE, MOST_LEVELS
from webstrata.apps.web.choices import in_words
from webstrata.apps.web.frames import framed
from webstrata.apps.web.stored import StoredPage, load, load_page
from webstrata.evaluation.metrics import Score, adjusted_rand, exact_matching, fuzzy_matching
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.base import Kind
from webstrata.extraction.causes import explained
from webstrata.extraction.formats import FORMATS, OutputFormat
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS, Segmentation
from webstrata.segmentation.base import segmented
from webstrata.segmentation.html import to_html
from webstrata.segmentation.picture import densitogram, overlay
from webstrata.segmentation.places import places
from webstrata.text import Column
from webstrata.tree import path_of

__all__ = [
    "FORMS",
    "MOST_ROWS",
    "agreement",
    "columns",
    "described",
    "excerpt",
    "extraction",
    "facts",
    "frame",
    "hit",
    "pieces",
    "preview",
    "result",
    "segmentation",
    "table",
]

#: Rows of the table of blocks in one answer.
MOST_ROWS = 200
# Blocks of the largest page whose scores are explained, which takes about ten times as long as the extraction.
_MOST_EXPLAINED = 5000
# Characters of a text in a list.
_SHOWN_TEXT = 160
_KINDS = tuple(kind.name.lower() for kind in Kind)

#: The forms of results: the formats of the extraction, and those of the segmentation. The endings of HTML say of
#: what it is, because the page itself is HTML too.
FORMS = FORMATS | {
    each.name: each
    for each in (
        FORMATS["html"]._replace(ending=".content.html"),
        OutputFormat("segments", "Segments, JSON", "application/json", ".segments.json"),
        OutputFormat("blocks", "Segments, HTML", "text/html", ".blocks.html"),
        OutputFormat("overlay", "Overlay", "text/html", ".overlay.html"),
        OutputFormat("densitogram", "Densitogram", "image/svg+xml", ".svg"),
    )
}


def facts(source: StoredPage) -> dict[str, Any]:
    """Facts about the page: title, language, counts."""
    page = load_page(source)
    return {
        "id": source.id,
        "name": source.name,
        "title": one_line(page.title, LONGEST_TITLE) or source.name,
        "url": page.url,
        "lang": page.lang,
        "encoding": page.encoding,
        "bytes": len(page.source),
        "blocks": len(page.blocks),
        "elements": len(page.elements),
        "words": int(page.blocks.words.sum()),
        "links": len(page.link_spans[0]),
        "rendered": source.recording is not None,
    }


def frame(source: StoredPage) -> bytes:
    """The page for its frame."""
    return framed(load_page(source)).encode()


def columns(source: StoredPage) -> bytes:
    """The columns of blocks for the densitogram, as JSON."""
    blocks = load_page(source).blocks
    return json.dumps(
        {
            "density": features.text_density(blocks).round(2).tolist(),
            "lines": blocks.lines.tolist(),
            "hidden": np.flatnonzero(blocks.hidden).tolist(),
        },
        separators=(",", ":"),
    ).encode()


def segmentation(source: StoredPage, algorithm: str) -> bytes:
    """The segments of the page, with the rows of elements and the ranges of blocks to draw."""
    found = _segmented(source, algorithm)
    value = {"caption": in_words(algorithm), **described(found)}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def described(found: Segmentation) -> dict[str, Any]:
    """A segmentation as plain values."""
    rows: list[list[int]] = [[] for _ in found.segments]
    ranges: list[list[list[int]]] = [[] for _ in found.segments]
    where = places(found)
    for row, numbers in where.rows.items():
        for number in numbers:
            rows[number].append(row)
    ends = np.array([(wrapper.start, wrapper.stop) for wrapper in where.wrappers], np.int64).reshape(-1, 2)
    spans = np.searchsorted(found.page.blocks.source_start, ends).tolist()
    for wrapper, (first, stop) in zip(where.wrappers, spans, strict=True):
        ranges[wrapper.segment].append([first, stop])
    return {
        "algorithm": found.algorithm,
        "levels": list(found.levels),
        "segments": [
            {
                **segment._asdict(),
                "rows": sorted(rows[number]),
                "ranges": ranges[number],
                "text": _beginning(found.page, segment.start, segment.stop),
            }
            for number, segment in enumerate(found.segments)
        ],
    }


def _beginning(page: Page, start: int, stop: int) -> str:
    """The beginning of the text of a segment."""
    if start >= stop:
        return ""
    first, last = int(page.blocks.text_start[start]), int(page.blocks.text_stop[stop - 1])
    return one_line(page.text[first : min(last, first + 4 * _SHOWN_TEXT)], _SHOWN_TEXT)


def agreement(source: StoredPage, algorithm: str, other: str) -> dict[str, Any]:
    """The agreement of two segmentations; the first is the reference."""
    left, right = _segmented(source, algorithm), _segmented(source, other)
    texts, other_texts = left.texts(), right.texts()
    return {
        "algorithm": left.algorithm,
        "other": right.algorithm,
        "captions": [in_words(algorithm), in_words(other)],
        "segments": [len(left), len(right)],
        "adjusted_rand": adjusted_rand(left.labels(per="token"), right.labels(per="token")),
        "exact": _score(exact_matching(texts, other_texts)),
        "fuzzy": _score(fuzzy_matching(texts, other_texts)),
    }


def _score(score: Score) -> dict[str, float]:
    return {"precision": score.precision, "recall": score.recall, "f": score.f}


def extraction(source: StoredPage, algorithm: str) -> bytes:
    """The decision on each block, as columns, and the metadata of the page."""
    page = load_page(source)
    found = _extracted(page, algorithm)
    counts = np.bincount(found.reason, minlength=len(found.reasons))
    words = np.bincount(found.reason, page.blocks.words, minlength=len(found.reasons))
    reasons = sorted(zip(counts.tolist(), words.astype(int).tolist(), found.reasons, strict=True), reverse=True)
    value = {
        "algorithm": found.algorithm,
        "caption": in_words(algorithm),
        "keep": found.keep.astype(int).tolist(),
        "kind": found.kind.tolist(),
        "kinds": _KINDS,
        "score": found.score.round(3).tolist(),
        "reason": found.reason.tolist(),
        "reasons": found.reasons,
        "why": _why(found),
        "counts": [{"reason": reason, "blocks": n, "words": m} for n, m, reason in reasons if n],
        "kept": {"blocks": int(found.keep.sum()), "words": int(page.blocks.words[found.keep].sum())},
        "metadata": {key: value for key, value in found.metadata.as_dict().items() if value not in (None, [], "")},
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _why(found: Extraction) -> list[str]:
    """For each block the rest of the sentence that begins with its reason; none for large pages, which take seconds."""
    if found.explain is None or len(found.page.blocks) > _MOST_EXPLAINED:
        return []
    return [explained("", kept, causes) for kept, causes in zip(found.keep.tolist(), found.causes, strict=True)]


def table(source: StoredPage, algorithm: str, extractor: str, start: int) -> dict[str, Any]:
    """Rows of the blocks with counts, segment, decision, and byte range in the source."""
    page = load_page(source)
    blocks = page.blocks
    labels = _segmented(source, algorithm).labels()
    decided = _extracted(page, extractor)
    stop = min(start + MOST_ROWS, len(blocks))
    density, link_density = features.text_density(blocks), features.link_density(blocks)
    breaks = _line_starts(page.source)
    why = _why(decided)
    rows = [
        {
            "block": row,
            "text": one_line(page.text[blocks.text_start[row] : blocks.text_stop[row]], _SHOWN_TEXT),
            "path": " › ".join(
                path_of(page.elements, int(blocks.element[row]), levels=MOST_LEVELS, letters=LONGEST_TAG_NAME)[-4:]
            ),
            "words": int(blocks.words[row]),
            "density": round(float(density[row]), 2),
            "link_density": round(float(link_density[row]), 2),
            "hidden": bool(blocks.hidden[row]),
            "segment": int(labels[row]),
            "kind": _KINDS[int(decided.kind[row])],
            "keep": bool(decided.keep[row]),
            "score": round(float(decided.score[row]), 3),
            "reason": decided.reasons[int(decided.reason[row])],
            "why": why[row] if why else "",
            "numbers": [cause.numbers for cause in decided.causes[row]] if why else [],
            "source": [int(blocks.source_start[row]), int(blocks.source_stop[row])],
            "line": int(np.searchsorted(breaks, blocks.source_start[row], side="right")),
        }
        for row in range(min(start, len(blocks)), stop)
    ]
    return {"start": start, "stop": stop, "blocks": len(blocks), "rows": rows}


def _line_starts(source: bytes) -> Column:
    """The offsets of the lines of the source."""
    starts: Column = np.r_[0, np.flatnonzero(np.frombuffer(source, np.uint8) == 10) + 1]
    return starts


def excerpt(source: StoredPage, start: int, stop: int, *, around: int = 600) -> dict[str, Any]:
    """A byte range of the source with its context, cut at line breaks if lines are short."""
    data = load_page(source).source
    start, stop = max(0, min(start, len(data))), max(0, min(stop, len(data)))
    stop = min(max(start, stop), start + 20 * around)
    first, last = max(0, start - around), min(len(data), stop + around)
    first = max(first, data.find(b"\n", first, start) + 1)
    end = data.rfind(b"\n", stop, last)
    last = end if end >= 0 else last
    return {
        "line": data.count(b"\n", 0, start) + 1,
        "start": start,
        "stop": stop,
        "before": data[first:start].decode(errors="replace"),
        "inside": data[start:stop].decode(errors="replace"),
        "after": data[stop:last].decode(errors="replace"),
    }


def result(source: StoredPage, form: str, algorithm: str) -> str:
    """A result of one of the `FORMS`."""
    if form not in FORMATS:
        found = _segmented(source, algorithm)
        if form == "segments":
            return found.json(indent=1)
        if form == "blocks":
            return to_html(found)
        return overlay(found) if form == "overlay" else densitogram([found])
    decided = _extracted(load_page(source), algorithm)
    return decided.json(indent=1) if form == "json" else str(getattr(decided, form))


def pieces(source: StoredPage, form: str, algorithm: str, most: int) -> tuple[list[dict[str, Any]], bool]:
    """A result in pieces with the block that each comes from (None for signs of the format), and whether it was cut.

    The pieces of text and Markdown have blocks; other results are one piece.
    """
    if form not in ("text", "markdown"):
        text = result(source, form, algorithm)
        return [{"text": text[:most], "block": None}], len(text) > most
    found = _extracted(load_page(source), algorithm)
    text, spans = getattr(found, form), getattr(found, f"{form}_spans")
    # With the type of the numbers that are searched for: otherwise each search would convert the whole column.
    starts, rows, at = found.page.blocks.source_start.astype(np.int64), list[dict[str, Any]](), 0
    for span in spans:
        if span.carried or span.stop > most:
            continue
        if at < span.start:
            rows.append({"text": text[at : span.start], "block": None})
        block = max(int(np.searchsorted(starts, span.source_start, side="right")) - 1, 0)
        rows.append({"text": text[span.start : span.stop], "block": block})
        at = span.stop
    return [*rows, {"text": text[at:most], "block": None}], len(text) > most


def preview(source: StoredPage, algorithm: str) -> str:
    """The Markdown as HTML, by a CommonMark parser that passes no HTML. Images are not loaded: their text is shown."""
    from markdown_it import MarkdownIt

    def image(self: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
        return f"<i>[{escape(tokens[at].content) or 'image'}]</i>"

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", image)
    body = parser.render(_extracted(load_page(source), algorithm).markdown)
    return f'<!DOCTYPE html><meta charset="utf-8"><title>Preview</title><style>{_PREVIEW_STYLE}</style>{body}'


_PREVIEW_STYLE = (
    "body{font:15px/1.55 system-ui,sans-serif;margin:1rem;color:#222;background:#fff;overflow-wrap:anywhere}"
    "pre{background:#f4f3ef;padding:.7rem;overflow-x:auto}code{font-size:.9em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top}"
    "blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #ccc;color:#555}"
)


def hit(source: StoredPage, text: str) -> int | None:
    """The block with the beginning of a passage of the page, such as a snippet; None if the page does not have it.

    >>> from webstrata.apps.web.stored import StoredPage
    >>> hit(StoredPage(b"<p>Silt<p>Blue clay is soft.", name="page"), "... clay is soft")
    1
    """
    page = load_page(source)
    for passage in sorted(text.replace("...", "…").split("…"), key=len, reverse=True):
        at = page.text.find(one_line(passage, _SHOWN_TEXT).rstrip("…").strip()[:40])
        if passage.strip() and at >= 0:
            return max(int(np.searchsorted(page.blocks.text_start, at, side="right")) - 1, 0)
    return None


def _segmented(source: StoredPage, algorithm: str) -> Segmentation:
    return segmented(load(source), SEGMENTERS.make(algorithm), needs=SEGMENTERS.needs(algorithm))


def _extracted(page: Page, algorithm: str) -> Extraction:
    return EXTRACTORS.make(algorithm)(page)
