"""Segmentations: ranges of blocks, flat or nested by level.

**Hidden blocks** belong to no segment. Segmenters see shown blocks only, and the content of a hidden subtree (its tags
and its text) counts as gap. A range may include hidden blocks, because a segment is one range of rows; they have no
label and are not part of its text. None of our segmenters begins or ends a segment with one. The exception are pages
that show no word, such as those that wait for a script: there, segments are marked ``hidden``, and their text is the
hidden text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, overload

import numpy as np

from webstrata._escaping import one_line
from webstrata._once import once
from webstrata.errors import InputError
from webstrata.page import Page, parse
from webstrata.registry import Entry, Registry
from webstrata.text import Column

if TYPE_CHECKING:
    from webstrata._boxes import Rendered

__all__ = [
    "RENDERED",
    "SEGMENTERS",
    "Segment",
    "Segmentation",
    "Segmenter",
    "Unit",
    "flat",
    "readable",
    "rendered",
    "segment",
    "segmented",
]

#: The value of `Entry.needs` for visual segmenters.
RENDERED = "a rendered page"

Unit = Literal["block", "token", "char"]

# The characters of text in the JSON of a segmentation, at most: 16 for each character of the page, and 65,536 more.
_TEXT_ROOM, _FREE_TEXT_ROOM = 16, 65536
# Colours of segments in a notebook, in turns.
_COLOURS = ("#e3effb", "#fdf0d0", "#e5f5e8", "#f3e6f7")


class Segment(NamedTuple):
    """A range of blocks, ``stop`` excluded.

    A segment without blocks (``start == stop``) is something without text, such as a picture.

    Attributes
    ----------
    start, stop : the range
    level : the level of nesting; 1 is the coarsest
    kind : the kind of the segment, such as "Title"; "" if unknown
    score : the chance, from 0 to 1, that people would call it a segment; None if unknown
    chance : the chance, from 0 to 1, that its kind is right; None if unknown
    hidden : the page shows nothing, and this is hidden text
    extra : people would not mark it. Extra segments complete a segmentation: the rest of the page, and finer parts such
        as each record of a list
    """

    start: int
    stop: int
    level: int = 1
    kind: str = ""
    score: float | None = None
    chance: float | None = None
    hidden: bool = False
    extra: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Segmentation(Sequence[Segment]):
    """The segments of one page: a sequence of `Segment`.

    Attributes
    ----------
    page : the page
    segments : its segments, in any order; segments of one level overlap only where people marked them by hand
    algorithm : the `repr` of the segmenter, which rebuilds it, or another name

    >>> page = parse("<h1>Strata</h1><p>A page comes<p>in layers.")
    >>> found = Segmentation(page, (Segment(0, 1, kind="Title"), Segment(1, 3)), "a person")
    >>> found, found[0], [segment.stop for segment in found]
    (<Segmentation of '' by a person: 2 segments, levels [1]>,
    Segment(start=0, stop=1, level=1, kind='Title', score=None, chance=None, hidden=False,
    extra=False), [1, 3])
    >>> found.texts()
    ['Strata', 'A page comes\\nin layers.']
    >>> found.labels().tolist(), found.labels(per="token").tolist()
    ([0, 1, 1], [0, 1, 1, 1, 1, 1])
    >>> Segmentation.from_json(page, found.json()) == found
    True
    """

    page: Page
    segments: tuple[Segment, ...]
    algorithm: str

    def __post_init__(self) -> None:
        blocks = len(self.page.blocks)
        for start, stop, level, _, score, chance, *_ in self.segments:
            if not (
                0 <= start <= stop <= blocks
                and level >= 1
                and (score is None or 0 <= score <= 1)
                and (chance is None or 0 <= chance <= 1)
            ):
                raise InputError(
                    f"a segment is a range within the page's {blocks} blocks at level 1 or more, with a score and a "
                    f"chance from 0 to 1 or none, not {start}:{stop} at level {level} with {score} and {chance}"
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return (self.page.source, self.segments, self.algorithm) == (other.page.source, other.segments, other.algorithm)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.segments)

    @overload
    def __getitem__(self, index: int) -> Segment: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Segment, ...]: ...
    def __getitem__(self, index: int | slice) -> Segment | tuple[Segment, ...]:
        return self.segments[index]

    def __repr__(self) -> str:
        name = self.page.url or repr(one_line(self.page.title, 60))
        made_by = self.algorithm or "unknown"
        return f"<Segmentation of {name} by {made_by}: {len(self)} segments, levels {list(self.levels)}>"

    def _repr_html_(self) -> str:
        """For notebooks: the text of each segment in a colour of its own, indented by level."""
        from webstrata._notebook import Line, table

        lines = (
            Line(
                f"{'· ' * min(item.level - 1, 20)}{item.kind or number}",
                one_line(self.text(item), 400),
                _COLOURS[number % len(_COLOURS)],
            )
            for number, item in enumerate(self.segments)
        )
        return table(f"{self.page.title} {self!r}".strip(), lines)

    @once
    def levels(self) -> tuple[int, ...]:
        """The levels that occur, coarsest first."""
        return tuple(sorted({segment.level for segment in self.segments}))

    def at(self, level: int | None) -> tuple[Segment, ...]:
        """The segments of one level, or all."""
        return self.segments if level is None else tuple(item for item in self.segments if item.level == level)

    def without_extra(self) -> Segmentation:
        """The segments that people would mark, with their levels among themselves."""
        if not any(item.extra for item in self.segments):
            return self
        kept: list[Segment] = []
        around: list[Segment] = []
        # Outer segments come before inner ones.
        for item in sorted(self.segments, key=lambda item: (item.start, -item.stop, item.level)):
            while around and around[-1].stop <= item.start:
                around.pop()
            if not item.extra:
                kept.append(item._replace(level=item.level - sum(other.extra for other in around)))
            around.append(item)
        return Segmentation(self.page, tuple(kept), self.algorithm)

    def text(self, segment: Segment) -> str:
        """The text that a browser shows of one segment; all text of a hidden one."""
        blocks = self.page.blocks
        if segment.hidden:
            spans = zip(blocks.text_start.tolist(), blocks.text_stop.tolist(), strict=True)
            return "\n".join(self.page.text[slice(*span)] for span in islice(spans, segment.start, segment.stop))
        rows = np.flatnonzero(~blocks.hidden[segment.start : segment.stop]) + segment.start
        if not len(rows):
            return ""
        if len(rows) == rows[-1] - rows[0] + 1:  # most have nothing hidden inside
            return self.page.text[blocks.text_start[rows[0]] : blocks.text_stop[rows[-1]]]
        # Runs of shown blocks are slices of the text; hidden text between two of them leaves a line break.
        breaks = np.flatnonzero(np.diff(rows) > 1)
        starts, stops = rows[np.r_[0, breaks + 1]], rows[np.r_[breaks, len(rows) - 1]]
        spans = zip(blocks.text_start[starts].tolist(), blocks.text_stop[stops].tolist(), strict=True)
        return "\n".join(self.page.text[start:stop] for start, stop in spans)

    def texts(self, level: int | None = None) -> list[str]:
        """The text of each segment of a level, or of all."""
        return [self.text(item) for item in self.at(level)]

    def labels(self, level: int | None = None, *, per: Unit = "block") -> Column:
        """For each block, word or character, the index of its segment in ``segments``; -1 for none.

        Without a level, the innermost segment counts: the shortest one of the highest level.
        """
        labels = np.full(len(self.page.blocks), -1, np.int64)
        numbered = [(item.level, item.start - item.stop, number, item) for number, item in enumerate(self.segments)]
        for _, _, number, item in sorted(numbered):
            if level is None or item.level == level:
                labels[item.start : item.stop] = number
        hidden = self.page.blocks.hidden
        labels[hidden] = -1
        for _, _, number, item in sorted(numbered):
            if item.hidden and (level is None or item.level == level):
                labels[item.start : item.stop] = number
        if per == "block":
            return labels
        return np.repeat(labels, self.page.blocks.words if per == "token" else self.page.blocks.chars)

    def json(self, *, indent: int | None = None) -> str:
        """The segmentation as JSON, with the text of each segment.

        Segments may be nested to any depth. Once the texts together are longer than 16 times the text of the page,
        those of further segments are null.
        """
        import json  # not needed to segment: keep the import light

        rows = []
        room = _TEXT_ROOM * len(self.page.text) + _FREE_TEXT_ROOM
        for segment in self.segments:
            text = self.text(segment) if room > 0 else None
            room -= len(text or "")
            rows.append({**segment._asdict(), "text": text})
        value = {
            "url": self.page.url,
            "title": self.page.title,
            "algorithm": self.algorithm,
            "blocks": len(self.page.blocks),
            "segments": rows,
        }
        return json.dumps(value, ensure_ascii=False, indent=indent)

    @classmethod
    def from_json(cls, page: Page, text: str) -> Segmentation:
        """Read what `json` wrote for this page."""
        import json

        try:
            value = json.loads(text)
            if value["blocks"] != len(page.blocks):
                raise InputError(f"made for another page: {value['blocks']} blocks, this one has {len(page.blocks)}")
            segments = tuple(
                Segment(
                    int(row["start"]),
                    int(row["stop"]),
                    int(row["level"]),
                    str(row["kind"]),
                    _score(row.get("score")),
                    _score(row.get("chance")),
                    bool(row.get("hidden")),
                    bool(row.get("extra")),
                )
                for row in value["segments"]
            )
            algorithm = str(value["algorithm"])
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"not the JSON of a segmentation: {error!r}") from error
        return cls(page, segments, algorithm)


def readable(page: Page) -> Column:
    """The rows of the blocks that segments may have: the shown ones, or all of a page that shows no word.

    >>> readable(parse("<p>one<p hidden>two")).tolist(), readable(parse("<p hidden>two")).tolist()
    ([0], [0])
    """
    hidden = page.blocks.hidden
    shows_nothing = hidden.any() and not page.blocks.words[~hidden].any() and page.blocks.words.any()
    rows: Column = np.flatnonzero(~hidden | shows_nothing)
    return rows


def _score(value: Any) -> float | None:
    return None if value is None else float(value)


class Segmenter(Protocol):
    """A callable from `Page` to `Segmentation`, whose ``repr`` has its parameters."""

    def __call__(self, page: Page) -> Segmentation: ...


def rendered(page: Page | Rendered, algorithm: str) -> Rendered:
    """The rendered page, or an error that explains how to render one."""
    if isinstance(page, Page):
        raise InputError(
            f"{algorithm} needs a rendered page: give it the result of webstrata.rendering.render (which needs"
            " pip install 'webstrata[render]' and Chromium), or a page that `webstrata render` recorded"
        )
    return page


def flat(segmenter: Segmenter, page: Page, starts: Iterable[int], stops: Iterable[int]) -> Segmentation:
    """A segmentation of one level from the ranges of its segments."""
    return Segmentation(page, tuple(map(Segment, starts, stops)), repr(segmenter))


#: The segmenters by name; other packages register theirs in the entry-point group "webstrata.segmenters".
SEGMENTERS: Registry[Segmenter] = Registry(
    "segmenter",
    "webstrata.segmenters",
    {
        "wordwrap": Entry("webstrata.segmentation.baselines:WordWrap", "Kohlschütter & Nejdl 2008 §5"),
        "taggap": Entry("webstrata.segmentation.baselines:TagGap", "Kohlschütter & Nejdl 2008 §5"),
        "justrules": Entry("webstrata.segmentation.baselines:JustRules", "Kohlschütter & Nejdl 2008 §4"),
        "whole-page": Entry("webstrata.segmentation.baselines:Undivided", "a baseline"),
        "containers": Entry("webstrata.segmentation.baselines:Containers", "Kreuzer 2013 §7, a baseline"),
        "bf-plain": Entry("webstrata.segmentation.fusion:BFPlain", "Kohlschütter & Nejdl 2008 Algorithm 1"),
        "bf-smoothed": Entry("webstrata.segmentation.fusion:BFSmoothed", "Kohlschütter & Nejdl 2008 Algorithm 1"),
        "bf-rulebased": Entry("webstrata.segmentation.fusion:BFRuleBased", "Kohlschütter & Nejdl 2008 equation 8"),
        "pagesegmenter": Entry("webstrata.segmentation.pagesegmenter:PageSegmenter", "Kreuzer 2013 Algorithm 6.3"),
        "pagesegmenter-blocks": Entry(
            "webstrata.segmentation.pagesegmenter:PageSegmenterBlocks", "Kreuzer 2013 Algorithm 6.3, a variant"
        ),
        "learned": Entry(
            "webstrata.segmentation.learned.segmenter:LearnedSegmenter", "Kreuzer 2013 §4.2, taken further"
        ),
        "vips": Entry("webstrata.segmentation.vips:VIPS", "Kreuzer 2013 §6.3", RENDERED),
        "webterrain": Entry("webstrata.segmentation.webterrain:WebTerrain", "Kreuzer 2013 Algorithm 6.5", RENDERED),
    },
)


def segment(
    page: Page | Rendered | bytes | str,
    algorithm: str = "learned",
    *,
    url: str | None = None,
    encoding: str | None = None,
    **parameters: Any,
) -> Segmentation:
    """Divide a page into segments.

    Parameters
    ----------
    page : HTML as bytes or text, a `Page` that was parsed before, or a rendered page, which visual segmenters need and
        the learned one can use
    algorithm : the name of a segmenter (`webstrata algorithms` lists them), with parameters other than the defaults in
        brackets: "bf-plain(theta=0.5)"
    url : where the HTML came from
    encoding : a label that overrides what the page declares, such as the one of the HTTP header
    parameters : parameters of the segmenter, as Python values

    >>> segment("<h1>Strata</h1><p>A page comes<p>in layers.", "justrules").texts()
    ['Strata', 'A page comes\\nin layers.']
    """
    segmenter = SEGMENTERS.make(algorithm, **parameters)
    if isinstance(page, bytes | str):
        page = parse(page, url=url, encoding=encoding)
    elif url is not None or encoding is not None:
        raise InputError("a page that was parsed has its url and its encoding already: give them to webstrata.parse")
    return segmented(page, segmenter, needs=SEGMENTERS.needs(algorithm))


def segmented(page: Any, segmenter: Segmenter, *, needs: str = "") -> Segmentation:
    """The segmentation of a plain or rendered page, given to a segmenter in the form that it needs.

    A visual segmenter raises an error without boxes. A segmenter with ``sees_boxes`` gets boxes if there are any.
    """
    sees_boxes = needs == RENDERED or getattr(segmenter, "sees_boxes", False)
    return segmenter(page if isinstance(page, Page) or sees_boxes else page.page)
