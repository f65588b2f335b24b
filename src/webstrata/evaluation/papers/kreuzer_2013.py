"""Kreuzer 2013: tables 7.1 to 7.8 (segmenters on two data sets, two inputs, by two metrics) and 8.1 (analysis of
variance), as printed, and ours beside them.

Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.recordings import find_recording
from webstrata.evaluation.papers.anova import AnovaRow, analyse_variance, stars
from webstrata.evaluation.papers.catalogue import PaperData
from webstrata.evaluation.papers.kreuzer_2013_printed import ANOVA, TABLES, Figures
from webstrata.evaluation.reports.document import NotRun, Part
from webstrata.evaluation.reports.overlays import write_overlays
from webstrata.evaluation.reports.report import write_report
from webstrata.evaluation.reports.tables import ReportTable
from webstrata.evaluation.scores import Row
from webstrata.evaluation.scoring import score
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.base import RENDERED

__all__ = [
    "COUNTERPARTS",
    "DATA",
    "PARTS",
    "SegmenterScores",
    "anova_table",
    "gains_table",
    "tables",
    "thesis_anova",
    "thesis_tables",
]

_DATASETS = ("kreuzer-random", "kreuzer-popular")
_METRICS = ("exact-thesis", "fuzzy-thesis", "exact", "fuzzy", "adjusted-rand", "nmi")
_MAPPED = ("exact-mapped", "fuzzy-mapped")

#: The names of our algorithms in the thesis. Its BlockFusion is BF-plain with a threshold of 0.38 on the blocks of
#: boilerpipe, whose texts are then searched for in the page (§6.1.2); ours knows the offsets of its blocks.
#: Its PageSegmenter marks links and pictures inside of texts as well; ours does so for this comparison alone.
#: The thesis had only the texts of VIPS's segments and searched for them in the page (§6.3.2); so do we.
_MAPPED_VIPS = "vips, texts searched for"
COUNTERPARTS = {
    "bf-plain": "BlockFusion",
    "pagesegmenter-marked": "PageSegmenter",
    _MAPPED_VIPS: "VIPS",
    "webterrain": "WebTerrain",
}

_COLUMNS = ("precision", "recall", "value", "retrieved", "hits", "relevant")
_HEADER = ("algorithm", "precision", "recall", "F", "retrieved", "hits", "relevant")


def thesis_tables(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """The tables 7.1 to 7.8 that the rows allow: our algorithms, the thesis's figures below, the difference."""
    rows = [*rows, *_mapped_rows(rows)]
    for number, ((dataset, source, metric), printed) in enumerate(TABLES.items(), start=1):
        own: dict[str, list[Row]] = {}
        for row in rows:
            if (row.dataset, row.input, row.metric) == (dataset, source, metric):
                own.setdefault(row.algorithm, []).append(row)
        if not own:
            continue
        title = (
            f"Table 7.{number}: {dataset.removeprefix('kreuzer-').capitalize()}-{source.upper()}-"
            f"{metric.removesuffix('-thesis').capitalize()}, {max(map(len, own.values()))} pages"
        )
        yield ReportTable(f"thesis-7-{number}", title, _HEADER, tuple(_lines(own, printed)))


def _mapped_rows(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows of VIPS scored by its texts alone, as another algorithm."""
    for row in rows:
        if row.algorithm == "vips" and row.metric.endswith("-mapped"):
            yield replace(row, algorithm=_MAPPED_VIPS, metric=row.metric.replace("-mapped", "-thesis"))


def _lines(own: dict[str, list[Row]], printed: dict[str, Figures]) -> Iterator[tuple[str | float, ...]]:
    left = dict(printed)
    # The algorithms of the thesis come first, in its order.
    for name in sorted(own, key=lambda name: (list(COUNTERPARTS).index(name) if name in COUNTERPARTS else 99, name)):
        means = [fmean(getattr(row, column) for row in own[name]) for column in _COLUMNS]
        yield name, *means
        figures = left.pop(COUNTERPARTS.get(name, ""), None)
        if figures is not None:
            yield f"  thesis: {COUNTERPARTS[name]}", *figures
            yield "  difference", *(mean - figure for mean, figure in zip(means, figures, strict=True))
    for name, figures in left.items():
        yield f"  thesis: {name} (not run here)", *figures


def thesis_anova(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """Table 8.1 with our rows: for the algorithms that the thesis has as well, and for all segmenters."""
    rows = [*rows, *_mapped_rows(rows)]
    used = [row for row in rows if (row.dataset, row.input, row.metric) in TABLES]
    common = [row for row in used if row.algorithm in COUNTERPARTS]
    names = sorted({row.algorithm for row in common})
    complete = len({(row.dataset, row.input, row.metric) for row in used}) == len(TABLES)
    if not complete:
        return
    if len(names) > 1:
        title = (
            f"Table 8.1: analysis of variance of F, {', '.join(names)}; the thesis's sums of squares and F beside ours"
        )
        yield anova_table("thesis-8-1", title, analyse_variance(common), printed=True)
    if len({row.algorithm for row in used}) > max(len(names), 1):
        yield anova_table("thesis-8-1-all", "Table 8.1 for all segmenters", analyse_variance(used))


_ABOUT_7 = """All numbers are means over pages: *retrieved* segments were found by the algorithm, *relevant* ones by
people, and *hits* by both. Below each algorithm of the thesis are its figures, and ours less those; algorithms without
such lines are ours or of other papers. The pages are the thesis's; our parser and a Chromium of today take the place of
its parsers and browser."""

_WHY_7 = """What explains the differences:

- *PageSegmenter*: `pagesegmenter-marked` marks text, links and pictures as the thesis's program did, and is within .02
  of its F in all tables. It finds as many segments on random pages as they came (46 and 47), and fewer elsewhere, which
  is unexplained. `pagesegmenter` does not mark links inside of texts, and `pagesegmenter-blocks` is another reading.
- *BlockFusion*: about twice the recall of the thesis with fuzzy matching. The thesis took the texts of another program
  and searched for them in the page, and does not say how many it found; `bf-plain` knows where its blocks are.
- *VIPS*: the program of the thesis cannot be had. Ours is written from its description, and its weights were chosen
  on these pages. It is better on pages as they came (HTML), by .09 and .10 with fuzzy matching. The thesis searches for
  its texts in the page, and so does the row above its figures.
- *WebTerrain*: within .07 of F, but for exact matches on random pages after scripts have run, where ours has .13 more.
  The thesis does not say how large a font makes a heading; here only tags do.

`containers` makes every `div`, `ul` and `table` a segment. It decides nothing, and yet only WebTerrain has a better
fuzzy F: people marked elements, and neither nested segments nor repeated ones cost it much. A high F by this metric is
therefore no proof of a good segmenter. `whole-page` divides nothing, and has almost no F, as it should."""

_WHY_8 = """The analysis asks which choices explain the differences between scores: the larger F, the more. The
algorithm, the metric, the data set and the input matter most, each with p below .001, as in the thesis.

An *interaction*, such as `algorithm:metric`, says how much the gain of one choice (fuzzy instead of exact matching)
differs between the values of another (the algorithms); the last table has these gains. Two are smaller here than in the
thesis. `algorithm:metric`: in the thesis BlockFusion gains .03 by fuzzy matching and WebTerrain .19. Here BlockFusion
and VIPS gain more, because more of their segments are found, and WebTerrain less, because more of its segments are
exact already; so their gains are more alike. `algorithm:html`: VIPS gains half as much by reading the page after its
scripts have run, because it is better before."""


def gains_table(rows: Sequence[Row]) -> ReportTable | None:
    """What F gains from exact to fuzzy matching and from the original HTML to the DOM, here and in the thesis; None
    without rows of all tables.

    The interactions of table 8.1 say how much these gains differ between algorithms.
    """
    found = [row for row in (*rows, *_mapped_rows(rows)) if (row.dataset, row.input, row.metric) in TABLES]
    if {(row.dataset, row.input, row.metric) for row in found} != set(TABLES):
        return None
    lines: list[tuple[str | float | None, ...]] = []
    for name, counterpart in COUNTERPARTS.items():
        own: dict[tuple[str, str, str], list[float]] = {}
        for row in found:
            if row.algorithm == name:
                own.setdefault((row.dataset, row.input, row.metric), []).append(row.value)
        if own:
            here = {key: fmean(values) for key, values in own.items()}
            printed = {key: figures[counterpart][2] for key, figures in TABLES.items()}
            lines.append((name, *(cell for place, high in ((2, "fuzzy-thesis"), (1, "dom"))
                                  for cell in (_gain(here, place, high), _gain(printed, place, high)))))  # fmt: skip
    header = ("algorithm", "exact to fuzzy", "thesis", "HTML to DOM", "thesis ")
    return ReportTable("thesis-8-1-gains", "Mean gain in F, by algorithm", header, tuple(lines))


def _gain(means: dict[tuple[str, str, str], float], place: int, high: str) -> float:
    """The mean of the tables whose key has ``high`` at a place, less that of the others."""
    return fmean(means[key] for key in means if key[place] == high) - fmean(
        means[key] for key in means if key[place] != high
    )


def anova_table(name: str, title: str, found: Sequence[AnovaRow], *, printed: bool = False) -> ReportTable:
    """An analysis of variance as R prints it, with the thesis's figures at the right if ``printed``."""
    header = ("term", "Df", "Sum Sq", "Mean Sq", "F value", "Pr(>F)", "")
    lines = []
    for row in found:
        last = row.term == "Residuals"
        line: tuple[str | float | None, ...] = (
            row.term, row.df, row.sum_sq, row.mean_sq,
            None if last else row.f, None if last else _chance(row.p), "" if last else stars(row.p),
        )  # fmt: skip
        if printed:
            df, sum_sq, mean_sq, f, p = ANOVA.get(row.term, (None,) * 5)
            line += df, sum_sq, mean_sq, f, None if p is None else _chance(p), "" if p is None else stars(p)
        lines.append(line)
    beside = ("thesis: Df", "Sum Sq", "Mean Sq", "F value", "Pr(>F)", "") if printed else ()
    return ReportTable(name, title, header + beside, tuple(lines))


def _chance(p: float) -> str:
    """A chance as R prints it.

    >>> _chance(0.0), _chance(1.74e-12), _chance(0.0346)
    ('< 2e-16', '1.74e-12', '0.0346')
    """
    if p <= 2e-16:
        return "< 2e-16"
    return f"{p:.2e}" if p < 1e-4 else f"{p:.4f}"


def tables(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """All tables of the thesis that the rows allow, and an analysis of variance of all rows."""
    yield from thesis_tables(rows)
    yield from thesis_anova(rows)
    if len({row.algorithm for row in rows}) > 1:
        title = "Analysis of variance: how much of the differences between scores each variable explains"
        yield anova_table("anova", title, analyse_variance(rows))


@dataclass(frozen=True)
class SegmenterScores(PaperData):
    """The scores of every segmenter on both inputs of both data sets.

    The files are in ``evaluation/``, as `webstrata evaluate` writes them, so that a second run only scores.
    """

    @once
    def unrecorded(self) -> str | None:
        """Why the visual segmenters cannot run, or None."""
        try:
            for name in _DATASETS:
                for document in next(iter(find_dataset(name).items())).inputs.values():
                    find_recording(document)
        except InputError as error:
            return str(error)
        return None

    @once
    def rows(self) -> list[Row]:
        """The scores of all segmenters but the learned one, which was trained on these very pages."""
        visual = (
            () if self.unrecorded is None else tuple(name for name in SEGMENTERS if SEGMENTERS.needs(name) == RENDERED)
        )
        names = (*(name for name in SEGMENTERS if name not in ("learned", *visual)), "pagesegmenter-marked")
        specs = tuple(parse_spec(name) for name in names)
        folder, jobs = self.setting.folder / "evaluation", self.setting.jobs
        rows: list[Row] = []
        for name in _DATASETS:
            dataset = find_dataset(name)
            experiment = Experiment(dataset, specs, folder, dataset.inputs, self.setting.pages)
            run(experiment, jobs=jobs, progress=self.setting.progress(f"{name}: running"))
            # Searching for texts in pages is slow, and only VIPS is scored that way.
            vips = tuple(spec for spec in specs if spec.name == "vips")
            others = replace(experiment, specs=tuple(spec for spec in specs if spec not in vips))
            progress = self.setting.progress
            found = score(others, metrics=_METRICS, jobs=jobs, progress=progress(f"{name}: scoring"))
            found += score(replace(experiment, specs=vips), metrics=_METRICS + _MAPPED, jobs=jobs,
                           progress=progress(f"{name}: scoring vips"))  # fmt: skip
            write_overlays(experiment, found)
            rows += found
        write_report(folder, papers=(tables,))
        return rows


def _tables_7(data: SegmenterScores) -> Iterator[Part]:
    """Tables 7.1 to 7.8: segmenters on two data sets and two inputs, by two metrics."""
    yield "All scores, plots and the worst pages are in [evaluation/report.html](evaluation/report.html)."
    yield _ABOUT_7
    yield from thesis_tables(data.rows)
    yield _WHY_7
    if data.unrecorded is not None:
        yield NotRun("VIPS and WebTerrain", f"They need recordings: {data.unrecorded}.")


def _table_8_1(data: SegmenterScores) -> Iterator[Part]:
    """Table 8.1: the analysis of variance."""
    yield from thesis_anova(data.rows)
    gains = gains_table(data.rows)
    if gains is not None:
        yield gains
    yield _WHY_8


DATA = SegmenterScores
#: The tables by name.
PARTS = {"tables-7": _tables_7, "table-8.1": _table_8_1}
