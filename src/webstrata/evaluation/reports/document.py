"""The report of a reproduced paper: Markdown and HTML, with tables and figures as files beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from webstrata.evaluation.reports.formats import to_csv, to_html, to_latex, to_markdown
from webstrata.evaluation.reports.tables import ReportTable

__all__ = ["Figure", "NotRun", "Part", "html_page", "write_document"]


@dataclass(frozen=True)
class Figure:
    """A figure: its file name, title and SVG."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class NotRun:
    """A part that could not be made, and why."""

    name: str
    reason: str


#: A paragraph of text, a table, a figure, or a part that is missing.
Part = str | ReportTable | Figure | NotRun


def write_document(folder: Path, title: str, parts: Iterable[Part]) -> tuple[Path, list[NotRun]]:
    """Write ``report.html`` and ``report.md``, each table as CSV and LaTeX and each figure as SVG.

    Returns the path of the HTML page, and the parts that could not be made: the report begins with them. Each table
    and figure is written as soon as it is ready; the report is written last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Part] = []
    for part in parts:
        if isinstance(part, ReportTable):
            (folder / f"{part.name}.csv").write_text(to_csv(part), encoding="utf-8")
            (folder / f"{part.name}.tex").write_text(to_latex(part), encoding="utf-8")
        elif isinstance(part, Figure):
            (folder / f"{part.name}.svg").write_text(part.svg, encoding="utf-8")
        made.append(part)
    missing = [part for part in made if isinstance(part, NotRun)]
    made = [*missing, *(part for part in made if not isinstance(part, NotRun))]
    text = "\n\n".join([f"# {title}", *map(_markdown, made)]) + "\n"
    (folder / "report.md").write_text(text, encoding="utf-8")
    path = folder / "report.html"
    path.write_text(html_page(title, "\n".join(map(_html, made))), encoding="utf-8")
    return path, missing


def _markdown(part: Part) -> str:
    if isinstance(part, ReportTable):
        return to_markdown(part).strip()
    if isinstance(part, Figure):
        return f"### {part.title}\n\n![{part.title}]({part.name}.svg)"
    return part.strip() if isinstance(part, str) else f"**Not run: {part.name}.** {part.reason}"


def _html(part: Part) -> str:
    if isinstance(part, ReportTable):
        return to_html(part)
    if isinstance(part, Figure):
        # Most charts have their title in the picture.
        caption = "" if escape(part.title) in part.svg else f"<figcaption>{escape(part.title)}</figcaption>"
        return f'<figure id="{escape(part.name)}">{caption}{part.svg}</figure>'
    if isinstance(part, NotRun):
        return f'<p class="missing"><strong>Not run: {escape(part.name)}.</strong> {escape(part.reason)}</p>'
    return "\n".join(map(_paragraph, re.split(r"\n{2,}", part.strip())))


_INLINE = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\[([^\[\]]+)\]\(([\w./#-]+)\)"), r'<a href="\2">\1</a>'),
    (re.compile(r"\*([^*\n]+)\*"), r"<em>\1</em>"),
)


def _paragraph(text: str) -> str:
    """A paragraph, heading or list of a report's own text.

    >>> _paragraph("*One* `<two>` [three](a.html)")
    '<p><em>One</em> <code>&lt;two&gt;</code> <a href="a.html">three</a></p>'
    """
    html = escape(text, quote=False)
    for pattern, replacement in _INLINE:
        html = pattern.sub(replacement, html)
    if html.startswith("## "):
        return f"<h2>{html[3:]}</h2>"
    if html.startswith("- "):
        items = "".join(f"<li>{item}</li>" for item in re.split(r"^- ", html, flags=re.MULTILINE) if item)
        return f"<ul>{items}</ul>"
    return f"<p>{html}</p>"


def html_page(title: str, body: str) -> str:
    """A whole page in the style of the reports, around a body that is HTML."""
    style = files("webstrata.evaluation.reports").joinpath("report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><header><h1>{escape(title)}</h1></header>"
        f"<main>{body}</main></body></html>\n"
    )
