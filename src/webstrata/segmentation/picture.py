"""Pictures of segmentations: the densitogram (Kohlschütter & Nejdl 2008 figure 1) and an overlay on the page itself."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from webstrata import features
from webstrata._allowed import POLICY
from webstrata._escaping import html as escape
from webstrata._escaping import one_line
from webstrata._harmless import harmless
from webstrata.drawing.axes import Axis
from webstrata.drawing.svg import FAINT, PALETTE, picture, text
from webstrata.errors import InputError
from webstrata.segmentation.base import SEGMENTERS, Segment, Segmentation
from webstrata.segmentation.html import id_name, marks
from webstrata.text import Column

__all__ = ["densitogram", "overlay", "png"]

_BAR = "#9A9A9A"
# Colour, dashes and width of the boundaries of the coarsest level, and of other levels.
_LEVEL_LINES = ((PALETTE[1], "", 1.6), (PALETTE[0], "4 2", 1.0))

_LEFT, _RIGHT, _TOP, _ROW, _ROW_GAP, _BOTTOM = 52, 16, 44, 120, 34, 62


def densitogram(segmentations: Sequence[Segmentation], *, names: Sequence[str] = (), width: int | None = None) -> str:
    """The text density of each shown block as a bar, with segment boundaries: a row for each segmentation, as SVG.

    The width of a bar is the number of wrapped lines of the block; white stripes between bars are the gaps of tags.

    Parameters
    ----------
    segmentations : segmentations of one page
    names : titles of the rows; the algorithms by default
    width : of the picture in pixels; by default four for each line of text, from 720 to 2400

    >>> from webstrata.segmentation import segment
    >>> svg = densitogram([segment("<h1>Strata</h1><p>A page comes in layers.", "taggap")])
    >>> svg.count("<rect class='block'"), svg.count("<line class='level-1'")
    (2, 1)
    """
    if not segmentations:
        raise InputError("a densitogram needs at least one segmentation")
    page = segmentations[0].page
    if any(item.page.source != page.source for item in segmentations):
        raise InputError("a densitogram shows segmentations of one page: give those of the same page")
    shown = np.flatnonzero(~page.blocks.hidden)
    edges = np.concatenate(([0], np.cumsum(page.blocks.lines[shown])))
    width = width or min(max(int(edges[-1]) * 4, 720), 2400)
    scale = (width - _LEFT - _RIGHT) / max(int(edges[-1]), 1)
    height = _TOP + len(segmentations) * (_ROW + _ROW_GAP) + _BOTTOM
    parts = [text(_LEFT, 22, one_line(page.title or page.url or "page", width // 8), size=15, weight="bold")]
    density = features.text_density(page.blocks)[shown]
    top = max(float(density.max(initial=0)), 10.0)
    bars = "".join(_bars(density, edges, scale, top))
    for number, item in enumerate(segmentations):
        y = _TOP + number * (_ROW + _ROW_GAP)
        name = names[number] if number < len(names) else item.algorithm
        title = one_line(f"{name}: {len(item.at(1))} segments", width // 8)
        parts.append(text(_LEFT, y + 12, title))
        parts.append(f"<g transform='translate({_LEFT} {y + 20})'>")
        parts += _axis(width - _LEFT - _RIGHT, top)
        parts.append(bars)
        parts += _boundaries(item, shown, edges, scale)
        parts.append("</g>")
    parts += _line_numbers(int(edges[-1]), scale, height - _BOTTOM + 2)
    parts += _legend(height - 14, two_levels=any(len(item.levels) > 1 for item in segmentations))
    return picture(width, height, parts, alone=True)


def _bars(density: Column, edges: Column, scale: float, top: float) -> Iterator[str]:
    for i, value in enumerate(density.tolist()):
        left, right = edges[i] * scale, edges[i + 1] * scale
        stripe = min(1.0, (right - left) / 4)
        tall = _ROW * value / top
        yield (
            f"<rect class='block' x='{left + stripe / 2:.2f}' y='{_ROW - tall:.2f}' "
            f"width='{right - left - stripe:.2f}' height='{tall:.2f}' fill='{_BAR}'/>"
        )


def _axis(width: float, top: float) -> Iterator[str]:
    up = Axis(0, top, False, _ROW, 0)
    for value in up.ticks():
        yield f"<path d='M0 {up(value):.1f}H{width:.1f}' stroke='{FAINT}'/>"
        yield text(-6, up(value) + 4, f"{value:g}", anchor="end")


def _boundaries(item: Segmentation, shown: Column, edges: Column, scale: float) -> Iterator[str]:
    """A line at each boundary of a segment; finer levels first, so that coarser ones are on top."""
    for level in sorted(item.levels, reverse=True):
        colour, dashes, thick = _LEVEL_LINES[0 if level == item.levels[0] else 1]
        places = {place for segment in item.at(level) for place in segment[:2]}
        at = sorted({int(edges[row]) for row in np.searchsorted(shown, sorted(places)).tolist()} - {0, int(edges[-1])})
        for edge in at:
            x = edge * scale
            yield (
                f"<line class='level-{level}' x1='{x:.2f}' x2='{x:.2f}' y1='0' y2='{_ROW + 4}' stroke='{colour}' "
                f"stroke-width='{thick}' stroke-dasharray='{dashes}'/>"
            )


def _line_numbers(lines: int, scale: float, y: float) -> Iterator[str]:
    across = Axis(0, max(lines, 1), False, _LEFT, _LEFT + max(lines, 1) * scale)
    for number in across.ticks():
        if number == int(number):
            yield text(across(number), y, f"{number:.0f}", anchor="middle")
    yield text(_LEFT, y + 18, "line of wrapped text; bars: words a line; white stripes: gaps of tags")


def _legend(y: float, *, two_levels: bool) -> Iterator[str]:
    x = float(_LEFT)
    entries = [(f"<rect x='{{x}}' y='{y - 10}' width='14' height='11' fill='{_BAR}'/>", "text density of a block")]
    names = ("segment boundary", "boundary of finer levels") if two_levels else ("segment boundary",)
    for (colour, dashes, thick), name in zip(_LEVEL_LINES, names, strict=False):
        line = (
            f"<path d='M{{x}} {y - 5}h18' stroke='{colour}' stroke-width='{thick + 0.6}' stroke-dasharray='{dashes}'/>"
        )
        entries.append((line, name))
    for mark, name in entries:
        yield mark.format(x=x)
        yield text(x + 24, y, name)
        x += 44 + 6.6 * len(name)


def overlay(segmentation: Segmentation) -> str:
    """The page itself with its segments in colours, as one HTML file that loads nothing from outside.

    Neighbouring segments have different colours; finer levels have dashed borders; kinds and scores are shown as
    labels. The page is written by the list of what is allowed (`webstrata._harmless`): scripts, style sheets of other
    files, and images that are not in the page itself are left out.

    >>> from webstrata.segmentation import segment
    >>> html = overlay(segment("<h1>Strata</h1><p>A page comes in layers.", "taggap"))
    >>> html.count('data-block-id="'), "Content-Security-Policy" in html
    (2, True)
    """
    page = segmentation.page
    name = id_name(page.source)
    rules = [_OVERLAY_STYLE]
    for number, segment in enumerate(segmentation.segments):
        colour = PALETTE[number % len(PALETTE)]
        border = "solid" if segment.level == 1 else "dashed"
        rules.append(
            f'[{name}~="{number}"][data-block]{{outline:2px {border} {colour}!important;outline-offset:-1px;'
            f"box-shadow:none!important;background-image:linear-gradient({colour}38,{colour}38)!important}}"
        )
        if segment.kind or segment.score is not None:
            # Two segments may be one element: the label of the coarser is at its start, of the finer at its end.
            rules.append(
                f'[{name}~="{number}"][data-block]::{"before" if segment.level == 1 else "after"}'
                f"{{content:{_label(segment)}!important;background:{colour}!important;{_LABEL_STYLE}}}"
            )
    attributes, inserts = marks(segmentation)
    head = f"{POLICY}<style>{''.join(rules)}</style>"
    return harmless(page, head, attributes=attributes, inserts=inserts) + _overlay_legend(segmentation)


def _label(segment: Segment) -> str:
    """The kind and the score of a segment as a string of a style sheet, escaped so that no text can end the string."""
    text = segment.kind[:_LONGEST_KIND] + ("" if segment.score is None else f" {segment.score:.2f}")
    plain = "".join(c if c.isascii() and c.isalnum() else f"\\{ord(c):x} " for c in text.strip())
    return f'"{plain}"'


# Characters of a kind in a label.
_LONGEST_KIND = 40
# A label floats, so that text flows around it and is not covered.
_LABEL_STYLE = (
    "float:right!important;order:99!important;position:relative!important;z-index:2147483646!important;"
    "display:block!important;padding:0 3px!important;margin:0!important;align-self:flex-start!important;"
    "font:bold 10px/13px Helvetica,Arial,sans-serif!important;color:#fff!important;opacity:.9!important;"
    "width:auto!important;height:auto!important;text-indent:0!important;white-space:nowrap!important"
)
_OVERLAY_STYLE = (
    "#webstrata-legend{position:fixed;right:8px;bottom:8px;max-width:22em;padding:8px 12px;z-index:2147483647;"
    "font:12px/1.5 Helvetica,Arial,sans-serif;color:#222;background:#fff;border:1px solid #222;text-align:left}"
    "#webstrata-legend b{display:inline-block;width:1.1em;height:1.1em;margin-right:3px;vertical-align:middle}"
)


def _overlay_legend(segmentation: Segmentation) -> str:
    swatches = "".join(f'<b style="background:{colour}"></b>' for colour in PALETTE)
    levels = "; dashed: finer level" if len(segmentation.levels) > 1 else ""
    scored = any(item.score is not None for item in segmentation)
    scores = "; number: how likely people call it a segment" if scored else ""
    return (
        f'<div id="webstrata-legend"><div>{escape(SEGMENTERS.shortened(segmentation.algorithm))}</div>'
        f"<div>{len(segmentation)} segments of {len(segmentation.page.blocks)} blocks</div>"
        f"<div>{swatches} one colour a segment{levels}{scores}</div></div>"
    )


def png(drawn: str, path: str | Path, *, width: int = 1024, height: int = 768) -> None:
    """Write an SVG or HTML picture as PNG, rendered by a headless Chromium."""
    path = Path(path)
    browser = next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )
    if browser is None:
        raise InputError("PNG needs Chromium on the PATH: install it, or write SVG or HTML")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / ("picture.svg" if drawn.startswith("<svg") else "picture.html")
        source.write_text(drawn, encoding="utf-8")
        command = [browser, *_FLAGS, f"--user-data-dir={folder}/profile", f"--window-size={width},{height}"]
        command += [f"--screenshot={path.absolute()}", source.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode or not path.exists():
        raise InputError(f"Chromium could not render {path}: {done.stderr.strip()[-300:]}")


_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
