"""The share of the words of the main region of manuals that extractors give: ours and three others.

    python bench/manuals.py --fetch                      download the packages first (Debian; 400 MB, once)
    python bench/manuals.py --only rust-doc,nim-doc      some of the packages
    python bench/manuals.py --training manuals.parquet   write the half for training, with the columns of WCXB
    python bench/manuals.py --store                      store the table for docs/benchmarks.md

The main region of a page is the element that the generator of the manual marks as such. Recall and precision of bags of
words are means over at most 40 pages of a package; "lost" counts pages with more than 500 words in the region of which
less than half are given. `webstrata.evaluation.datasets.manuals` lists the packages of the half for training and of the
half for testing; the table is of the latter. In the file for training, the names of classes and elements are replaced
on every second page.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tarfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from pages import progress
from results import store
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.manuals import PACKAGES, Manual, manuals_dataset, scrambled
from webstrata.evaluation.scores import Row
from webstrata.evaluation.scoring import score
from webstrata.files import new_folder, temporary_folder

OURS = "learned"
PEERS = ("trafilatura", "resiliparse", "readability-lxml")
ENDINGS = (".html", ".htm", ".xhtml")
LONG_PAGE = 500


def fetch(manuals: Sequence[Manual], folder: Path) -> list[str]:
    """Unpack the pages of the packages that the folder does not have; return the packages that there are not."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise InputError("the packages are downloaded by apt-get: run this on Debian, or unpack them by hand")
    folder.mkdir(parents=True, exist_ok=True)
    missing = [each.package for each in manuals if not (folder / each.package).exists()]
    return [package for package in progress(missing, "packages", len(missing)) if not _fetched(package, folder)]


def _fetched(package: str, folder: Path) -> bool:
    with temporary_folder(folder) as work:
        command = ["apt-get", "download", package]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        archives = list(work.glob("*.deb"))
        if done.returncode or not archives:
            return False
        with (
            new_folder(folder / package) as target,
            subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(archives[0])], stdout=subprocess.PIPE) as unpacked,
            tarfile.open(fileobj=unpacked.stdout, mode="r|") as archive,
        ):
            for member in archive:
                if member.isfile() and member.name.endswith(ENDINGS):
                    archive.extract(member, target, filter="data")
    return True


def write_training(folder: Path, file: Path) -> int:
    """Write the half for training as a Parquet file and return the number of pages."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    generators = {each.package: each.generator for each in PACKAGES}
    rows = []
    for number, item in enumerate(manuals_dataset(folder, half="training").items()):
        page = item.inputs["html"]
        rows.append(
            {
                "file_id": item.name,
                "url": page.url,
                "page_type": "documentation",
                "html": scrambled(page.html, item.group) if number % 2 else page.html,
                "main_content": item.gold.text,
                "package": item.group,
                "generator": generators[item.group],
            }
        )
    pq.write_table(pa.Table.from_pylist(rows), file, compression="zstd")
    return len(rows)


def table_rows(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """A line for each package and one of means: recall, precision and lost pages of each extractor."""
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.group][row.algorithm].append(row)
    lines = []
    values: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for manual in PACKAGES:
        if own := found.get(manual.package):
            for name, each in own.items():
                values[name].append(_values(each))
            cells = (cell for name in (OURS, *PEERS) for cell in _cells(*values[name][-1]))
            lines.append((manual.package, manual.generator, str(len(own[OURS])), *cells))
    cells = (cell for name in (OURS, *PEERS) for cell in _total(values[name]))
    return [*lines, ("mean", "", str(len(rows) // len(values)), *cells)]


def print_table(lines: Sequence[tuple[str, ...]], console: Console) -> None:
    table = Table(title="Words of the main regions of manuals", title_justify="left")
    for heading in ("package", "generator", "pages"):
        table.add_column(heading, no_wrap=True)
    for name in (OURS, *PEERS):
        for part in (f"{name}\nrecall", "\nprecision", "\nlost"):
            table.add_column(part, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(*line)
    console.print(table)


def store_table(lines: Sequence[tuple[str, ...]]) -> None:
    """Store recall, precision and lost pages of each extractor in one cell."""
    about = "Recall and precision of the words of the main region; pages over 500 words that lost more than half"
    cells = [
        (*line[:3], *(f"{line[at]}, {line[at + 1]}, {line[at + 2]}" for at in range(3, len(line), 3))) for line in lines
    ]
    store("manuals", about, ("package", "generator", "pages", OURS, *PEERS), cells)


def _values(rows: Sequence[Row]) -> tuple[float, float, int]:
    """Mean recall and precision of pages, and the number of long pages of which less than half is given."""
    return (
        statistics.fmean(row.recall for row in rows),
        statistics.fmean(row.precision for row in rows),
        sum(row.relevant > LONG_PAGE and row.recall < 0.5 for row in rows),
    )


def _cells(recall: float, precision: float, lost: int) -> tuple[str, str, str]:
    return f"{recall:.3f}", f"{precision:.3f}", str(lost)


def _total(values: Sequence[tuple[float, float, int]]) -> tuple[str, str, str]:
    """Means over packages, and all pages lost."""
    recall, precision, lost = zip(*values, strict=True)
    return _cells(statistics.fmean(recall), statistics.fmean(precision), sum(lost))


@click.command(help=__doc__)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("out/manuals/packages"), help="The packages.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("out/manuals"))
@click.option("--fetch", "fetch_first", is_flag=True, help="Download the packages that the folder does not have.")
@click.option("--only", help="Some of the packages.")
@click.option("--training", type=click.Path(path_type=Path), help="Write the half for training and stop.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--fresh", is_flag=True, help="Run the peers again.")
@click.option("--store", "stored", is_flag=True, help="Store the results for docs/benchmarks.md.")
def main(
    folder: Path,
    output: Path,
    fetch_first: bool,
    only: str | None,
    training: Path | None,
    jobs: int,
    fresh: bool,
    stored: bool,
) -> None:
    console = Console(width=180)
    half = "test" if training is None else "training"
    chosen = [each for each in PACKAGES if each.half == half and (only is None or each.package in only.split(","))]
    if fetch_first and (absent := fetch(chosen, folder)):
        console.print(f"not found by apt-get: {', '.join(absent)}")
    if training is not None:
        console.print(f"{write_training(folder, training)} pages in {training}")
        return
    dataset = manuals_dataset(folder, packages=[each.package for each in chosen])

    def experiment(*names: str) -> Experiment:
        return Experiment(dataset, tuple(map(parse_spec, names)), output, dataset.inputs)

    with progress_bars() as bars:
        run(experiment(OURS), jobs=jobs, fresh=True, progress=bar(bars, "ours"))
        every = experiment(OURS, *PEERS)
        run(every, jobs=jobs, fresh=fresh, progress=bar(bars, "peers"))
        rows = score(every, metrics=("words",), jobs=jobs, progress=bar(bars, "scoring"))
    lines = table_rows(rows)
    print_table(lines, console)
    if stored:
        store_table(lines)


if __name__ == "__main__":
    main()
