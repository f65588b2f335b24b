"""Tables for notebooks: the HTML of ``_repr_html_``. All text is escaped, and the size is bounded."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from webstrata._escaping import html as escape

__all__ = ["Line", "table"]

_MOST_LINES, _MOST_CHARACTERS = 200, 400


class Line(NamedTuple):
    """A line of a table: a label, a text, and the colour of both (a colour of CSS; "" for grey text)."""

    label: str
    text: str
    colour: str = ""


def table(caption: str, lines: Iterable[Line]) -> str:
    """Lines under a caption; of many lines and of long texts, the beginning.

    >>> print(table("<Page>", [Line("p", "Silt & clay", "#e8f1fb")]))
    <table><caption>&lt;Page&gt;</caption>
    <tr style="background:#e8f1fb;color:#111"><td>p</td><td style="text-align:left">Silt &amp; clay</td></tr>
    </table>
    """
    lines = iter(lines)
    rows = [_row(line) for line in islice(lines, _MOST_LINES)]
    if next(lines, None) is not None:
        rows.append('<tr><td></td><td style="text-align:left">…</td></tr>')
    return "\n".join([f"<table><caption>{escape(_cut(caption))}</caption>", *rows, "</table>"])


def _row(line: Line) -> str:
    style = f"background:{line.colour};color:#111" if line.colour else "color:#888"
    text = f'<td style="text-align:left">{escape(_cut(line.text))}</td>'
    return f'<tr style="{style}"><td>{escape(_cut(line.label))}</td>{text}</tr>'


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"
