"""A report on an extraction: one HTML file with the blocks of the page, their scores and the reasons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files

import numpy as np

from webstrata import features
from webstrata._escaping import html as escape
from webstrata._escaping import one_line
from webstrata._lengths import LONGEST_TAG_NAME, MOST_LEVELS
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.base import Kind
from webstrata.extraction.structure.text import text as rendered
from webstrata.page import Page
from webstrata.paragraphs import LINE, ends
from webstrata.segmentation import SEGMENTERS, Segment, Segmentation
from webstrata.text import Column
from webstrata.tree import path_of

__all__ = ["report"]

# The most bars of the strip; on a longer page, each bar stands for several blocks.
_BARS = 600
# The beginning of a segment that is shown.
_SEGMENT_LETTERS = 60
_STRIP_WIDTH, _HALF_HEIGHT = 1200.0, 56.0


def report(
    extraction: Extraction, *, name: str, segmentation: Segmentation | None = None, kept_only: bool = False
) -> str:
    """The report on an extraction as a single HTML file.

    Parameters
    ----------
    name : a name for the page, such as its file name
    segmentation : segments of the page to list
    kept_only : open with the kept blocks only; a checkbox shows the others
    """
    page = extraction.page
    template = files("webstrata.apps").joinpath("explain.template.html").read_text(encoding="utf-8")
    metadata = extraction.metadata
    paths, names = _paths(page)
    explanations, numbers = list(dict.fromkeys(extraction.explanations)), list(dict.fromkeys(_numbers(extraction)))
    values = {
        "title": escape(metadata.title or name),
        "name": escape(name),
        "algorithm": escape(EXTRACTORS.shortened(extraction.algorithm)),
        "kept": str(int(extraction.keep.sum())),
        "blocks": str(len(page.blocks)),
        "kept_words": str(int(page.blocks.words[extraction.keep].sum())),
        "words": str(int(page.blocks.words.sum())),
        "metadata": "".join(
            f"<dt>{escape(key.replace('_', ' '))}<dd>{escape(', '.join(value) if isinstance(value, list) else value)}"
            for key, value in metadata.as_dict().items()
            if value
        ),
        "strip": _strip(extraction),
        "page": "".join([*_paragraphs(extraction, paths), _carried(extraction)]),
        # "</script>" in a string would end the script.
        "tables": json.dumps({"reasons": explanations, "numbers": numbers, "paths": names}).replace("<", "\\u003c"),
        "reasons": _reasons(extraction),
        "segments": _segments(segmentation) if segmentation is not None else "",
        "only_kept": " checked" if kept_only else "",
    }
    # In one pass, because a value may look like a placeholder itself. Every second part is the name of a placeholder.
    parts = re.split(r"@(\w+)@", template)
    parts[1::2] = [values.get(name, f"@{name}@") for name in parts[1::2]]
    return "".join(parts)


def _paths(page: Page) -> tuple[dict[int, int], list[str]]:
    """The number of the path of each element with text, and the different paths."""
    numbers: dict[str, int] = {}
    paths: dict[int, int] = {}
    for element in np.unique(page.blocks.element).tolist():
        names = path_of(page.elements, element, levels=MOST_LEVELS, letters=LONGEST_TAG_NAME)
        path = " › ".join(name for name in names if name != "a")
        paths[element] = numbers.setdefault(path, len(numbers))
    return paths, list(numbers)


def _numbers(extraction: Extraction) -> list[str]:
    """For each block the measures behind its explanation."""
    return ["; ".join(cause.numbers for cause in causes) for causes in extraction.causes]


def _colour(score: float, *, kept: bool, is_title: bool = False) -> str:
    """The class of the colour: s6 to s10 for what is kept, by its score, and s0 to s4 for what is left out.

    A title is kept for its place, whatever its score: it has the colour of what is surely kept.
    """
    level = 10 if kept and is_title else round(score * 10) if score == score else 0
    return f"s{min(10, max(6, level)) if kept else min(4, max(0, level))}"


def _paragraphs(extraction: Extraction, paths: dict[int, int]) -> Iterator[str]:
    """The blocks, paragraph by paragraph, each with the number of its path."""
    page, blocks = extraction.page, extraction.page.blocks
    end = ends(page).tolist()
    explanations = {why: number for number, why in enumerate(dict.fromkeys(extraction.explanations))}
    measures = _numbers(extraction)
    numbers = {text: number for number, text in enumerate(dict.fromkeys(measures))}
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    stop = 0
    for row, block in enumerate(blocks):
        element = int(blocks.element[row])
        between = page.text[stop : blocks.text_start[row]]
        stop = int(blocks.text_stop[row])
        if end[row] > LINE:
            yield "</p>\n<p>" if row else "<p>"
        elif end[row] == LINE:
            yield "<br>"
        elif between:
            yield " "
        # In the order of `columns` in the template.
        details = [
            explanations[extraction.explanations[row]],
            block.words,
            round(float(extraction.score[row]), 3),
            numbers[measures[row]],
            paths[element],
            round(float(text_density[row]), 2),
            round(float(link_density[row]), 2),
            int(blocks.source_start[row]),
            int(blocks.source_stop[row]),
        ]
        kept = bool(extraction.keep[row])
        colour = _colour(float(extraction.score[row]), kept=kept, is_title=extraction.kind[row] == Kind.TITLE)
        classes = [colour, "kept" if kept else "left"]
        classes += ["hidden"] * block.hidden + [f"h{block.heading}"] * bool(block.heading)
        classes += ["pre"] * bool(blocks.preformatted[row])
        yield (
            f'<span id="b{row}" tabindex="0" class="{" ".join(classes)}" data-d="{json.dumps(details)[1:-1]}">'
            f"{escape(block.text)}</span>"
        )
    if len(blocks):
        yield "</p>"


def _carried(extraction: Extraction) -> str:
    """Content outside of the page's blocks, which has no scores."""
    carried = extraction.carried
    text = rendered(carried, ~carried.blocks.hidden) if carried else ""
    paragraphs = "".join(f"\n<p>{escape(paragraph)}</p>" for paragraph in text.split("\n\n"))
    return f"\n<h2>Carried outside of the visible text</h2>{paragraphs}" if text else ""


def _reasons(extraction: Extraction) -> str:
    """How many blocks and words each reason decided on."""
    counts = np.bincount(extraction.reason, minlength=len(extraction.reasons))
    words = np.bincount(extraction.reason, extraction.page.blocks.words, minlength=len(extraction.reasons))
    rows = sorted(zip(counts.tolist(), words.tolist(), extraction.reasons, strict=True), reverse=True)
    return "".join(
        f"<tr><td>{escape(reason)}<td>{count}<td>{word_count:.0f}" for count, word_count, reason in rows if count
    )


def _segments(found: Segmentation) -> str:
    """The segments with kinds and scores, indented by level; each links to its first block."""
    rows = []
    for item in sorted(found.segments, key=lambda item: (item.start, item.level)):
        words = _beginning(found.page, item)
        score = "" if item.score is None else f"{item.score:.2f}"
        inset = "&emsp;" * min(item.level - 1, MOST_LEVELS)
        rows.append(
            f'<tr><td>{inset}{escape(item.kind) or "-"}<td>{score}<td><a href="#b{item.start}">{escape(words)}</a>'
        )
    if not rows:
        return ""
    head = f"<section class='segments'><h2>Segments</h2><p>by {escape(SEGMENTERS.shortened(found.algorithm))}</p>"
    return f"{head}<table><tr><th>kind<th>score<th>begins with</tr>{''.join(rows)}</table></section>"


def _beginning(page: Page, item: Segment) -> str:
    """The first words of a segment. Only these are read, because nested segments repeat their text at each level."""
    if item.start == item.stop:
        return ""
    start, stop = int(page.blocks.text_start[item.start]), int(page.blocks.text_stop[item.stop - 1])
    return one_line(page.text[start : min(stop, start + 4 * _SEGMENT_LETTERS)], _SEGMENT_LETTERS)


def _strip(extraction: Extraction) -> str:
    """The strip of bars: text density upwards, score downwards; the colour says what is kept."""
    blocks = extraction.page.blocks
    if not len(blocks):
        return ""
    density = features.text_density(blocks)
    edges = np.unique(np.linspace(0, len(blocks), min(_BARS, len(blocks)) + 1).astype(np.int64))
    tallest = max(float(np.percentile(density, 99)), 1.0)
    width = _STRIP_WIDTH / (len(edges) - 1)
    bars = []
    for i, start in enumerate(edges[:-1].tolist()):
        stop = int(edges[i + 1])
        score = _mean(extraction.score[start:stop], blocks.words[start:stop])
        up = _HALF_HEIGHT * min(float(density[start:stop].max()) / tallest, 1.0)
        down = _HALF_HEIGHT * min(max(score, 0.0), 1.0)
        x, w = i * width, max(width * 0.86, 0.6)
        colour = _colour(score, kept=_mean(extraction.keep[start:stop], blocks.words[start:stop]) > 0.5)
        bars.append(
            f'<a href="#b{start}"><title>block {start}: density {float(density[start:stop].max()):.1f}, '
            f"score {score:.2f}</title>{_bar('hit', x, 0, width, 2 * _HALF_HEIGHT + 4)}"
            f"{_bar(colour, x, _HALF_HEIGHT - up, w, up)}{_bar(colour, x, _HALF_HEIGHT + 4, w, down)}</a>"
        )
    return "".join(bars)


def _bar(colour: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{colour}" x="{x:.1f}" y="{y:.1f}" width="{width:.2f}" height="{height:.1f}"/>'


def _mean(values: Column, weights: Column) -> float:
    """The weighted mean; unweighted if all weights are 0."""
    return float(np.average(values, weights=weights)) if weights.sum() else float(values.mean())
