"""Tables as CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from html import escape

from webstrata.evaluation.reports.statistics import Interval
from webstrata.evaluation.reports.tables import Cell, ReportTable

__all__ = ["text_lines", "to_csv", "to_html", "to_latex", "to_markdown"]

# Cells that are no formulas though they begin like one: numbers, and a dash for nothing.
_NUMBER = re.compile(r"-|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?%?")
# Names of the program in texts of ours, as in Markdown.
_CODE, _AS_CODE = re.compile(r"`([^`]+)`"), r"<code>\1</code>"
_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)  # fmt: skip


def _cell_text(cell: Cell, digits: int = 3) -> str:
    """A cell for people: floats with this number of digits, intervals in brackets.

    >>> [_cell_text(cell) for cell in (0.12345, 7, None, Interval(0.5, 0.25, 0.75))]
    ['0.123', '7', '', '0.500 [0.250, 0.750]']
    """
    if cell is None:
        return ""
    if isinstance(cell, Interval):
        return f"{cell.mean:.{digits}f} [{cell.low:.{digits}f}, {cell.high:.{digits}f}]"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def text_lines(table: ReportTable) -> list[list[str]]:
    """The lines for people: all numbers of a column have the same number of digits, large ones fewer."""
    digits = []
    for column in range(len(table.header)):
        cells = (line[column] for line in table.lines)
        largest = max((abs(cell) for cell in cells if isinstance(cell, float)), default=0.0)
        digits.append(3 if largest < 10 else 2 if largest < 1000 else 0)
    return [[_cell_text(cell, number) for cell, number in zip(line, digits, strict=True)] for line in table.lines]


def to_csv(table: ReportTable) -> str:
    """A CSV file with all digits; an interval takes three columns."""
    wide = [any(isinstance(line[i], Interval) for line in table.lines) for i in range(len(table.header))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    header: list[object] = []
    for name, is_wide in zip(table.header, wide, strict=True):
        header += [name, f"{name} low", f"{name} high"] if is_wide else [name]
    writer.writerow(map(_csv_cell, header))
    for line in table.lines:
        row: list[object] = []
        for cell, is_wide in zip(line, wide, strict=True):
            if isinstance(cell, Interval):
                row += [cell.mean, cell.low, cell.high]
            else:
                row += [cell, None, None] if is_wide else [cell]
        writer.writerow(map(_csv_cell, row))
    return out.getvalue()


def _csv_cell(cell: object) -> object:
    """A cell of a CSV file. Spreadsheets run text that begins like a formula, unless an apostrophe is before it.

    >>> _csv_cell("=HYPERLINK(1)"), _csv_cell(-1.5), _csv_cell("-1.5")
    ("'=HYPERLINK(1)", -1.5, '-1.5')
    """
    if not isinstance(cell, str) or not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def to_markdown(table: ReportTable) -> str:
    """A pipe table under its title."""

    def line(cells: list[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    rows = [line(row) for row in text_lines(table)]
    rule = line([":---" if not _is_number(table, i) else "---:" for i in range(len(table.header))])
    return "\n".join([f"### {table.title}", "", line(list(table.header)), rule, *rows, ""])


def to_latex(table: ReportTable) -> str:
    """A ``table`` environment for the package booktabs."""
    columns = "".join("r" if _is_number(table, i) else "l" for i in range(len(table.header)))
    rows = [" & ".join(cell.translate(_LATEX) for cell in row) for row in (table.header, *text_lines(table))]
    body = [rows[0] + r" \\", r"\midrule", *(row + r" \\" for row in rows[1:])]
    return "\n".join(
        [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *body, r"\bottomrule",
         r"\end{tabular}", rf"\caption{{{table.title.translate(_LATEX)}}}", rf"\label{{tab:{table.name}}}",
         r"\end{table}", ""]
    )  # fmt: skip


def to_html(table: ReportTable) -> str:
    """A ``figure`` with the table; numbers are aligned right."""
    numbers = [_is_number(table, i) for i in range(len(table.header))]

    def cells(row: Sequence[str], tag: str) -> str:
        parts = []
        for i, (cell, number) in enumerate(zip(row, numbers, strict=True)):
            name = "th" if tag == "th" or i == 0 else "td"
            kind = ' class="n"' if number else ""
            parts.append(f"<{name}{kind}>{_CODE.sub(_AS_CODE, escape(cell))}</{name}>")
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(cells(row, "td") for row in text_lines(table))
    return (
        f'<figure class="table" id="{escape(table.name)}"><figcaption>{escape(table.title)}</figcaption>'
        f'<div class="wide"><table><thead>{cells(table.header, "th")}</thead><tbody>{body}</tbody></table></div>'
        "</figure>"
    )


def _is_number(table: ReportTable, column: int) -> bool:
    return any(isinstance(line[column], int | float | Interval) for line in table.lines)
