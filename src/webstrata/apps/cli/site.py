"""``webstrata site``: learn the templates of sites, and look at their segment classes."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.errors import InputError, need

__all__ = ["command"]


@click.group("site", epilog="Example:  webstrata site learn crawl.warc.gz -o site && webstrata site classes site")
def command() -> None:
    """Learn what the pages of a site have in common: its tree, its segment classes, its template texts."""


@command.command("learn", epilog="Example:  webstrata site learn docs/ -o out/site --by all")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="SITE", help="Folder for what is learnt.")
@click.option(
    "--by",
    type=click.Choice(["host", "registered-domain", "all"]),
    default="host",
    show_default=True,
    help="What makes pages one site.",
)
@click.option("--paper", is_flag=True, help="Fernandes et al. 2011 to the letter, without our choices.")
@click.option(
    "--no-extraction", is_flag=True, help="Do not count what is content: faster, but extract --site knows less."
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes (default: all cores).")
@click.option(
    "--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True, help="Where to run."
)
@click.option("--resume", is_flag=True, help="Go on with what an earlier run left in SITE.")
def _learn(
    inputs: tuple[str, ...],
    output: str,
    by: str,
    paper: bool,
    no_extraction: bool,
    jobs: int | None,
    engine: str,
    resume: bool,
) -> None:
    """Learn sites from crawls: one tree for each host, or as --by says.

    INPUT is what `webstrata run` reads: WARC files, files or folders of HTML, JSON lines, Parquet.
    """
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls import find_inputs
    from webstrata.crawls.folding.engines import Engine
    from webstrata.crawls.jobs.sites.learning import SMALL, SiteLearner, Sites
    from webstrata.sites import PAPER, Rules

    need("scale", "pyarrow")
    if engine == "spark":
        need("spark", "pyspark")
    where = Engine(name=engine, jobs=jobs, resume=resume)
    learner = SiteLearner(
        inputs=tuple(find_inputs(inputs)),
        output=Path(output),
        by=by,
        rules=PAPER if paper else Rules(),
        extractor="" if no_extraction else SiteLearner.extractor,
    )
    with CrawlProgress(learner.inputs) as progress:
        summary = learner.learn(where, progress=progress, tell=lambda stage: click.echo(f"folding {stage}", err=True))
    names = Sites(output).names()
    click.echo(f"{summary.records} records read, {len(names)} sites of {summary.written} pages written to {output}")
    small = [name for name, pages in names.items() if pages < SMALL]
    if small:
        click.echo(
            f"{len(small)} of them have fewer than {SMALL} pages: too few to tell a template from what is on one page;"
            " expect few large segments there, and extraction that leaves out no more than texts of 3 pages",
            err=True,
        )
    if by == "host" and "" in names:
        click.echo(
            f"{names['']} pages have no address, so they were taken for one site: if they are not, learn them apart",
            err=True,
        )


@command.command("classes", epilog="Example:  webstrata site classes out/site -o report.html")
@click.argument("site", metavar="SITE")
@click.option("--name", metavar="NAME", help="Which site, where SITE holds several (default: the largest).")
@click.option("--top", type=click.IntRange(1), default=30, show_default=True, help="How many classes to list.")
@click.option("-o", "--output", metavar="FILE", help="Write a report for a browser instead.")
def _classes(site: str, name: str | None, top: int, output: str | None) -> None:
    """The segment classes of a site: pages, segments, words, weight."""
    from webstrata.crawls.jobs.sites.learning import SMALL, Sites

    sites = Sites(site)
    names = sites.names()
    found = sites.load(name if name is not None else next(iter(names)))
    if found is None:
        raise InputError(f"{site} has no site called {name!r}: it has {', '.join(list(names)[:10])}")
    if found.pages < SMALL:
        click.echo(f"{found.pages} pages are too few to tell a template from what is on one page", err=True)
    if found.mixed:
        click.echo("the pages are of several templates that share little: learn them apart for finer classes", err=True)
    if output is not None:
        from webstrata.apps.site_report import report

        Path(output).write_text(report(found, learnt=str(site)), encoding="utf-8")
        return
    total = sum(item.words for item in found.classes)
    click.echo(f"{found.name or 'pages without address'}: {found.pages} pages, {len(found.classes)} classes")
    click.echo(f"{'pages':>8} {'segments':>8} {'words':>9} {'share':>6} {'weight':>6}  class")
    for item in found.classes[:top]:
        share = item.words / total if total else 0.0
        click.echo(f"{item.pages:>8} {item.segments:>8} {item.words:>9} {share:>6.1%} {item.weight:>6.2f}  {item.path}")
