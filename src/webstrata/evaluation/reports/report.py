"""The last stage: tables and plots as one HTML page, Markdown, CSV and LaTeX. It reads files only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from statistics import fmean
from urllib.parse import quote

from webstrata.drawing.charts import Series as Curve
from webstrata.drawing.charts import bar_chart, line_chart, scatter_chart, thinned
from webstrata.evaluation.answers.files import file_name
from webstrata.evaluation.measures import METRICS
from webstrata.evaluation.reports.cautions import cautions
from webstrata.evaluation.reports.document import html_page
from webstrata.evaluation.reports.formats import to_csv, to_html, to_latex, to_markdown
from webstrata.evaluation.reports.leaderboard import LEADING, leaderboards
from webstrata.evaluation.reports.overlays import beside_path, overlay_path, ranked_pages
from webstrata.evaluation.reports.statistics import bootstrap_mean
from webstrata.evaluation.reports.tables import (
    ReportTable,
    ScoreSeries,
    comparison_tables,
    group_tables,
    mean_tables,
    pooled_tables,
    series,
    status_table,
    time_table,
)
from webstrata.evaluation.scores import Row, read_scores

__all__ = ["quality_tables", "write_report"]

# More curves than this in one plot cannot be distinguished.
_MOST_CURVES = 14

#: Makes the tables of a paper from scores, such as `webstrata.evaluation.papers.kreuzer_2013.tables`.
PaperTables = Callable[[Sequence[Row]], Iterable[ReportTable]]


@dataclass(frozen=True)
class _Section:
    """A part of the page: its anchor, heading and HTML, and whether it is about a measure that matters most."""

    name: str
    title: str
    body: str
    leads: bool = True


def quality_tables(rows: Sequence[Row]) -> list[ReportTable]:
    """All tables that do not depend on the speed of the machine: equal answers give equal tables."""
    return [*mean_tables(rows), *pooled_tables(rows), *group_tables(rows), *comparison_tables(rows)]


def write_report(folder: Path, *, papers: Sequence[PaperTables] = ()) -> Path:
    """Write the report of a folder with scores, and return the path of its HTML page.

    ``report.html`` is self-contained, apart from the overlays that it links to; ``report.md`` has the tables and
    ``tables/`` each of them as CSV and LaTeX. ``tables/pages.csv`` has every score of every page (Kreuzer 2013 §5.3).

    Parameters
    ----------
    folder : contains ``scores/``
    papers : functions that make the tables of papers from the scores
    """
    rows = read_scores(folder)
    printed = [table for make in papers for table in make(rows)]
    tables = [*leaderboards(rows), *quality_tables(rows), *printed, status_table(rows), time_table(rows)]
    target = folder / "tables"
    target.mkdir(exist_ok=True)
    for table in tables:
        (target / f"{file_name(table.name)}.csv").write_text(to_csv(table), encoding="utf-8")
        (target / f"{file_name(table.name)}.tex").write_text(to_latex(table), encoding="utf-8")
    (target / "pages.csv").write_text(to_csv(_by_page(rows)), encoding="utf-8")
    (folder / "report.md").write_text(_markdown(rows, tables), encoding="utf-8")
    page = folder / "report.html"
    page.write_text(_html(folder, rows, {table.name: table for table in tables}, printed), encoding="utf-8")
    return page


def _by_page(rows: Sequence[Row]) -> ReportTable:
    """A line for each score."""
    header = tuple(field.name for field in fields(Row))
    lines = tuple(tuple(getattr(row, name) for name in header) for row in rows)
    return ReportTable("pages", "Scores of pages", header, lines)


def _summary(rows: Sequence[Row]) -> str:
    algorithms = {row.algorithm for row in rows}
    pages = {(row.dataset, row.page) for row in rows}
    datasets = sorted({row.dataset for row in rows})
    answers = {(row.dataset, row.page, row.input, row.algorithm): row.status for row in rows}
    failures = sum(status not in ("ok", "empty") for status in answers.values())
    return (
        f"{len(algorithms)} algorithms on {len(pages)} pages of {', '.join(datasets)}; "
        f"{len(answers)} answers, {failures} of them failures, which score zero."
    )


def _markdown(rows: Sequence[Row], tables: Sequence[ReportTable]) -> str:
    return "\n".join(
        [
            "# Evaluation",
            "",
            *(f"**{each}**\n" for each in cautions(rows)),
            _summary(rows),
            "",
            *map(to_markdown, tables),
        ]
    )


def _html(folder: Path, rows: Sequence[Row], tables: dict[str, ReportTable], printed: Sequence[ReportTable]) -> str:
    scored = list(_series_sections(folder, rows, tables))
    # The measures that matter most come first; all others follow in a part that is closed.
    sections = [part for part in scored if part.leads]
    more = [part for part in scored if not part.leads]
    sections += _paper_section(printed)
    sections += [_Section(name, tables[name].title, to_html(tables[name])) for name in ("status", "time")]
    contents = "".join(f'<li><a href="#{escape(part.name)}">{escape(part.title)}</a></li>' for part in sections)
    body = "".join(map(_as_html, sections))
    if more:
        contents += '<li><a href="#more">More measures</a></li>'
        names = ", ".join(sorted({part.title.rpartition(": ")[2] for part in more}))
        body += (
            f'<section id="more"><h2>More measures</h2><details><summary>{escape(names)}</summary>'
            f"{''.join(map(_as_html, more))}</details></section>"
        )
    boards = "".join(to_html(table) for table in tables.values() if table.name.startswith("leaderboard-"))
    first = "".join(f"<p><strong>{escape(each)}</strong></p>" for each in cautions(rows))
    return html_page(
        "Evaluation", f"{first}<p>{escape(_summary(rows))}</p>{boards}<nav><ol>{contents}</ol></nav>{body}"
    )


def _as_html(part: _Section) -> str:
    return f'<section id="{escape(part.name)}"><h2>{escape(part.title)}</h2>{part.body}</section>'


def _series_sections(folder: Path, rows: Sequence[Row], tables: dict[str, ReportTable]) -> Iterator[_Section]:
    """A section for each data set, input and metric."""
    names = sorted({row.algorithm for row in rows})
    for item in series(rows):
        title = f"{item.dataset}, {item.input}: {item.metric}"
        parts = [f"<p>{escape(METRICS[item.metric].meaning)}.</p>" if item.metric in METRICS else ""]
        parts.append(to_html(tables[f"mean-{item.name}"]))
        parts.append(f'<div class="plots">{"".join(_plots(item, names))}</div>')
        parts += [to_html(tables[name]) for kind in ("pooled", "group") if (name := f"{kind}-{item.name}") in tables]
        if (pairs := tables.get(f"pairs-{item.name}")) is not None:
            parts.append(f"<details><summary>Paired tests</summary>{to_html(pairs)}</details>")
        own = [row for found in item.rows.values() for row in found]
        parts += [_ranked(folder, own, "Worst pages"), _ranked(folder, own, "Best pages", best=True)]
        yield _Section(f"s-{item.name}", title, "".join(parts), leads=item.metric in LEADING)


def _plots(item: ScoreSeries, names: Sequence[str]) -> Iterator[str]:
    """Bars, pages in rising order (as in Fernandes et al. 2011 figure 8), and quality against time."""
    means = {name: bootstrap_mean(item.values(name)) for name in item.rows}
    times = {name: 1000 * fmean(row.seconds for row in found) for name, found in item.rows.items()}
    most = max(row.value for found in item.rows.values() for row in found)
    high = next((high for high in (0.25, 0.5, 1.0) if most <= high), most)
    yield _figure("Mean over pages, with its 95% interval", bar_chart(means, high=high))
    curves = []
    for name in list(item.rows)[:_MOST_CURVES]:
        places, values = zip(*thinned(sorted(item.values(name))), strict=True)
        curves.append(Curve(name, places, values, number=names.index(name)))
    chart = line_chart(
        curves, x="pages of each algorithm, from the worst to the best", y=item.metric, low=0, high=high, alone=False
    )
    yield _figure("Page by page", chart)
    points = {name: (times[name], means[name]) for name in means}
    chart = scatter_chart(points, x="mean milliseconds a page", y=item.metric, names=names, high=high)
    yield _figure("Quality against time", chart)


def _figure(caption: str, svg: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"


def _ranked(folder: Path, rows: Sequence[Row], title: str, *, best: bool = False) -> str:
    """The worst or best pages, with links to their overlays."""
    lines = []
    pages = ranked_pages(rows, best=best)
    for ranked in pages:
        place = (ranked.dataset, ranked.page, ranked.input)
        paths = {name: overlay_path(*place, name) for name in ("gold", ranked.algorithm)}
        paths["beside each other"] = beside_path(*place, ranked.algorithm)
        links = [
            f'<a href="{quote(path.as_posix())}">{escape(name)}</a>'
            for name, path in paths.items()
            if (folder / path).is_file()
        ]
        lines.append(
            f'<tr><th>{escape(ranked.page)}</th><td class="n">{ranked.mean:.3f}</td>'
            f'<td class="n">{ranked.value:.3f}</td><td>{" · ".join(links)}</td></tr>'
        )
    return (
        f'<figure class="table"><figcaption>{title}</figcaption><div class="wide"><table><thead><tr><th>page</th>'
        f'<th class="n">mean of all</th><th class="n">{escape(pages[0].algorithm)}</th><th>overlays</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div></figure>"
    )


def _paper_section(printed: Sequence[ReportTable]) -> Iterator[_Section]:
    if printed:
        note = "<p>Our figures beside those that the paper prints, counted as the paper counts.</p>"
        yield _Section("papers", "Tables of papers", note + "".join(map(to_html, printed)))
