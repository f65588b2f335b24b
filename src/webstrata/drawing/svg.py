"""The parts of every picture: colours, text, lines, and the ``<svg>`` around them.

Colours are those of Okabe and Ito, which are distinct for any kind of colour vision; lines have dashes too, so that a
grey print is readable. Lines and text are ``currentColor``: the colour of the text around a picture in a page, and
black on white in a separate file.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

__all__ = ["FAINT", "INK", "PALETTE", "colour", "escape", "line", "marker", "picture", "stroke", "text"]

#: Okabe and Ito without black, the colour of text, and without yellow, which is too light for lines.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
#: The colour of text in files, and the colour of lines behind the data.
INK, FAINT = "#222222", "#DDDDDD"
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4", "12 4")

# Everything except Char of XML 1.0: control characters, surrogates and two noncharacters.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(words: str) -> str:
    """A text for XML, as content or inside an attribute; characters that XML forbids are left out.

    >>> escape("a < b\\x01 & 'c'")
    'a &lt; b &amp; &#x27;c&#x27;'
    """
    return html.escape(_FORBIDDEN.sub("", words))


def picture(width: float, height: float, parts: Iterable[str], *, alone: bool = False) -> str:
    """The parts as one SVG.

    Parameters
    ----------
    width, height : in pixels
    parts : its content, in the order of drawing
    alone : for a separate file with a white background; otherwise the page around it gives the colours

    >>> picture(20, 10, [text(5, 5, "a")]).startswith("<svg xmlns=")
    True
    """
    ink = f" color='{INK}'" if alone else ""
    ground = f"<rect class='ground' width='{width:g}' height='{height:g}' fill='white'/>" if alone else ""
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
            f"viewBox='0 0 {width:g} {height:g}' role='img'{ink} "
            f"font-family='system-ui, Helvetica, Arial, sans-serif' font-size='12'>{ground}",
            *parts,
            "</svg>\n",
        ]
    )


def text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, weight: str = "normal", turn: int = 0
) -> str:
    """A text whose start, middle or end (``anchor``) is at a point; ``turn`` is in degrees."""
    spin = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn else ""
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-size='{size}' font-weight='{weight}' "
        f"fill='currentColor'{spin}>{escape(words)}</text>"
    )


def line(x1: float, y1: float, x2: float, y2: float, *, faint: bool = False, width: float = 1.0) -> str:
    """A straight line, or a faint one behind the data."""
    style = "opacity='.18'" if faint else f"stroke-width='{width:g}'"
    return f"<path d='M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}' stroke='currentColor' {style}/>"


def stroke(number: int) -> str:
    """The attributes of the line of a series: colour and dashes, which repeat after 42 series.

    >>> stroke(0) == stroke(len(PALETTE))
    False
    """
    dashes = _DASHES[number % len(_DASHES)]
    return f"stroke='{colour(number)}' stroke-width='2' stroke-dasharray='{dashes}'"


def colour(number: int) -> str:
    """The colour of a series."""
    return PALETTE[number % len(PALETTE)]


def marker(x: float, y: float, number: int, *, radius: float = 2, title: str = "") -> str:
    """A dot in the colour of a series; the title is its tooltip."""
    tooltip = f"<title>{escape(title)}</title>" if title else ""
    fill = f"fill='{colour(number)}' fill-opacity='0.7'"
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius:g}' {fill}>{tooltip}</circle>"
