"""``webstrata explain``: why each block of a page was kept or left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.each_page import PageOutput, find_pages_or_report, write_each
from webstrata.apps.cli.extract import extractor_options
from webstrata.apps.cli.inputs import NamedPage
from webstrata.apps.explain import report
from webstrata.extraction import Extractor
from webstrata.segmentation import segment

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class _Explain:
    """Reads pages and writes their reports."""

    extractor: Extractor
    kept_only: bool
    url: str | None
    encoding: str | None

    def __call__(self, named: NamedPage) -> PageOutput:
        page = named.parse(url=self.url, encoding=self.encoding)
        found = self.extractor(page)
        text = report(found, name=named.name, segmentation=segment(page, "learned"), kept_only=self.kept_only)
        return PageOutput(text, note=f"{named.name}: {int(found.keep.sum())} of {len(page.blocks)} blocks kept")


@click.command("explain", epilog="Example:  webstrata explain page.html -o report.html")
@options.page_arguments
@options.output("File for the report, or with several pages the folder for their reports.", default="out/explain.html")
@options.page_jobs
@click.option("--kept-only", is_flag=True, help="Open with the kept blocks only; a checkbox shows the others.")
@extractor_options
def command(
    files: tuple[str, ...],
    output: Path,
    encoding: str | None,
    url: str | None,
    jobs: int,
    kept_only: bool,
    extractor: Extractor,
) -> None:
    """Write a report: why each block was kept or left out.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input. The report is a single file. It
    shows for each block which features changed its score most, and lists the segments.
    """
    pages, complete = find_pages_or_report(files)
    task = _Explain(extractor=extractor, kept_only=kept_only, url=url, encoding=encoding)
    write_each(task, pages, output=output, ending=".explain.html", jobs=jobs, complete=complete)
