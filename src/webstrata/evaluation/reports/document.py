"""The report of a reproduced paper: Markdown, with tables and figures as files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from webstrata.evaluation.reports.formats import to_csv, to_latex, to_markdown
from webstrata.evaluation.reports.tables import ReportTable

__all__ = ["Figure", "Part", "write_document"]


@dataclass(frozen=True)
class Figure:
    """A figure: its file name, title and SVG."""

    name: str
    title: str
    svg: str


#: A paragraph of text, a table or a figure.
Part = str | ReportTable | Figure


def write_document(folder: Path, title: str, parts: Iterable[Part]) -> Path:
    """Write ``report.md``, each table as CSV and LaTeX and each figure as SVG, and return the path of the report.

    Each part is written as soon as it is ready; the report is written last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"# {title}"]
    for part in parts:
        if isinstance(part, ReportTable):
            (folder / f"{part.name}.csv").write_text(to_csv(part), encoding="utf-8")
            (folder / f"{part.name}.tex").write_text(to_latex(part), encoding="utf-8")
            lines.append(to_markdown(part).strip())
        elif isinstance(part, Figure):
            (folder / f"{part.name}.svg").write_text(part.svg, encoding="utf-8")
            lines.append(f"### {part.title}\n\n![{part.title}]({part.name}.svg)")
        else:
            lines.append(part)
    path = folder / "report.md"
    path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return path
