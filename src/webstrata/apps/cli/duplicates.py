"""``webstrata duplicates``: the near-duplicates of a crawl, and what two pages share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.terminal import echo

if TYPE_CHECKING:
    from webstrata.crawls.folding.engines import Engine

__all__ = ["command"]

_part_options = options.options(
    click.option("--by", type=click.Choice(["content", "segment", "page"]), default="content", show_default=True,
                 help="Part of a page to compare."),
    click.option("--algorithm", metavar="NAME", default="", help="Extractor or segmenter that finds this part."),
    click.option("--length", type=click.IntRange(1), default=6, show_default=True, help="Words of a shingle."),
)  # fmt: skip


class _Find(click.Group):
    """A group with a default command: ``webstrata duplicates crawl.warc.gz -o out`` means ``duplicates find``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._meant(args))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, self._meant(args))

    def _meant(self, args: list[str]) -> list[str]:
        named = not args or args[0] in self.commands or args[0] in ("-h", "--help")
        return args if named else ["find", *args]


@click.group(
    "duplicates", cls=_Find, epilog="Example:  webstrata duplicates crawl.warc.gz -o out/duplicates --by content"
)
def command() -> None:
    """Find near-duplicate pages.

    Pages are compared by their content, their largest segment or as a whole.

    find is the default command: webstrata duplicates INPUT... -o DIR.
    """


@command.command("find", epilog="Example:  webstrata duplicates crawl/*.warc.gz -o out/duplicates --shared 0.8")
@options.input_arguments
@options.output("Folder for the clusters.", metavar="DIR")
@_part_options
@click.option("--bands", type=click.IntRange(1), default=16, show_default=True,
              help="Bands of the signature; pages with an equal band are compared.")  # fmt: skip
@click.option("--rows", type=click.IntRange(1), default=2, show_default=True, help="Min-hashes of each band.")
@click.option("--shared", type=float, default=0.5, show_default=True, help="Share of min-hashes that must agree.")
@options.engine_options
@click.option("--top", type=click.IntRange(0), default=5, show_default=True, help="Number of clusters to show.")
def _find(
    inputs: tuple[str, ...],
    url_from: str,
    output: Path,
    by: str,
    algorithm: str,
    length: int,
    bands: int,
    rows: int,
    shared: float,
    engine: Engine,
    top: int,
) -> None:
    """Find the near-duplicates of a crawl, and one page to keep.

    INPUT is an input of `webstrata run`: WARC files, files or folders of HTML, JSON lines, Parquet. DIR gets
    clusters.parquet, duplicates.json, report.html and probability.svg. The page to keep is the one with the longest
    content; of several, the earliest, then the one with the first URL.
    """
    from webstrata.apps.cli.crawl_progress import CrawlProgress, report_earlier
    from webstrata.apps.duplicates_report import clusters_report
    from webstrata.crawls import find_inputs
    from webstrata.crawls.jobs.duplicates.clusters import Deduplicator, Duplicates
    from webstrata.duplicates import Rule
    from webstrata.files import write_file

    rule = Rule(length=length, bands=bands, rows=rows, shared=shared)
    deduplicator = Deduplicator(
        inputs=tuple(find_inputs(inputs, url_from=url_from)), output=output, by=by, algorithm=algorithm, rule=rule
    )
    with CrawlProgress(deduplicator.inputs) as progress:
        summary = deduplicator.run(engine, progress=progress)
    report_earlier(summary, output)
    found = Duplicates(output)
    about = found.about
    echo(f"{summary.records} records read, {summary.written} pages compared by {by}")
    for reason, count in sorted(summary.rejected.items(), key=lambda item: (-item[1], item[0])):
        echo(f"{count:>10} {reason}")
    echo(f"{about['members']} pages in {about['clusters']} clusters, {about['dropped']} of them can be dropped")
    _show_clusters(found.table, top)
    shown = (row for batch in found.table.to_batches() for row in batch.to_pylist())
    write_file(output / "report.html", clusters_report(shown, about))
    echo(f"written to {output}, see {output / 'report.html'}")


def _show_clusters(table: Any, top: int) -> None:
    """Show the largest clusters, with at most three pages of each."""
    from webstrata.crawls.jobs.duplicates.clusters import page_name

    columns = ["cluster", "keeper", "words", "shared", "url", "file", "record"]
    numbers = table.column("cluster").to_numpy()
    for cluster in range(1, min(top, int(numbers.max(initial=0))) + 1):
        places = (numbers == cluster).nonzero()[0]
        for row in table.select(columns).take(places[:3].tolist()).to_pylist():
            share = "kept" if row["keeper"] else f"{row['shared']:.0%}"
            echo(f"{cluster:>4} {share:>5} {row['words']:>7} words  {page_name(row)}")
        if len(places) > 3:
            echo(f"{'':>10} and {len(places) - 3} more")


@command.command("show", epilog="Example:  webstrata duplicates show a.html crawl.warc.gz#17")
@click.argument("a")
@click.argument("b")
@_part_options
@click.option("-o", "--output", type=options.FOLDER, metavar="FILE", help="Write an HTML report instead.")
def _show(a: str, b: str, by: str, algorithm: str, length: int, output: Path | None) -> None:
    """Show the shared text of two pages, side by side.

    A and B are HTML files, or FILE#RECORD as in clusters.parquet: the record of this number in a WARC file, JSON lines
    or Parquet.
    """
    from webstrata.crawls.jobs.duplicates.clusters import read_record
    from webstrata.duplicates import make_part
    from webstrata.duplicates.comparison import TextComparison

    part = make_part(by, algorithm)
    comparison = TextComparison(part(read_record(a)), part(read_record(b)), length)
    if output is not None:
        from webstrata.apps.duplicates_report import side_by_side

        output.write_text(side_by_side(comparison, (a, b), by), encoding="utf-8")
        echo(output)
        return
    _print_sides(comparison, (a, b))


def _print_sides(comparison: Any, names: tuple[str, str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from webstrata._escaping import terminal
    from webstrata.apps.duplicates_report import summary_of

    sides = Table(show_lines=False, expand=True)
    cells = []
    for side, name in zip("ab", names, strict=True):
        sides.add_column(Text(terminal(name)), ratio=1, overflow="fold")
        cell = Text()
        for run in comparison.runs(side):
            cell.append(terminal(run.text), "green" if run.shared else "dim")
        cells.append(cell)
    sides.add_row(*cells)
    Console().print(sides)
    echo(summary_of(comparison))
