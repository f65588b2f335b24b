"""``webstrata site``: learn the templates of sites, and look at their segment classes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.sites.rules import PAPER, Rules

if TYPE_CHECKING:
    from webstrata.crawls.folding.engines import Engine
    from webstrata.sites import Site, Sites

__all__ = ["command"]

# Learnt sites that are looked at for warnings, the largest first.
_WARNED = 5


@click.group("site", epilog="Example:  webstrata site learn crawl.warc.gz -o site && webstrata site classes site")
def command() -> None:
    """Learn the template of a site from its pages.

    The template is a tree of regions, classes of segments, and the texts that pages repeat.
    """


@command.command("learn", epilog="Example:  webstrata site learn docs/ -o out/site --by all")
@options.input_arguments
@options.output("Folder for the learnt sites.", metavar="SITE")
@click.option(
    "--by",
    type=click.Choice(["host", "registered-domain", "all"]),
    default="host",
    show_default=True,
    help="What makes pages one site.",
)
@click.option("--paper", is_flag=True, help="Follow Fernandes et al. 2011 exactly, without our changes.")
@click.option("--alpha", type=click.IntRange(1), help="Join nested texts fewer levels apart than this.  [default: 6]")
@click.option("--beta", type=click.IntRange(1), help="Join children on fewer pages than this.  [default: 8]")
@click.option("--no-extraction", is_flag=True, help="Do not extract content: faster, but extract --site is less exact.")
@options.engine_options
def _learn(
    inputs: tuple[str, ...],
    url_from: str,
    output: Path,
    by: str,
    paper: bool,
    alpha: int | None,
    beta: int | None,
    no_extraction: bool,
    engine: Engine,
) -> None:
    """Learn sites from crawls: one tree for each host.

    --by makes other pages one site. INPUT is an input of `webstrata run`: WARC files, files or folders of HTML, JSON
    lines, Parquet.
    """
    from webstrata.apps.cli.crawl_progress import CrawlProgress, report_earlier
    from webstrata.crawls import find_inputs
    from webstrata.crawls.jobs.sites.learning import SMALL, SiteLearner
    from webstrata.sites import Sites

    rules = PAPER if paper else Rules()
    rules = replace(rules, alpha=alpha or rules.alpha, beta=beta or rules.beta)
    learner = SiteLearner(
        inputs=tuple(find_inputs(inputs, url_from=url_from)),
        output=output,
        by=by,
        rules=rules,
        extractor="" if no_extraction else SiteLearner.extractor,
    )
    with CrawlProgress(learner.inputs) as progress:
        summary = learner.learn(engine, progress=progress, on_fold=lambda stage: echo(f"folding {stage}", err=True))
    report_earlier(summary, output)
    sites = Sites(output)
    names = sites.names()
    echo(f"{summary.records} records read, {len(names)} sites of {summary.written} pages written to {output}")
    small = [name for name, pages in names.items() if pages < SMALL]
    if small:
        echo(
            f"{len(small)} of them have fewer than {SMALL} pages, too few to learn a template: expect few large"
            " segments there, and extraction that drops only texts of 3 or more pages",
            err=True,
        )
    for name in [name for name, pages in names.items() if pages >= SMALL][:_WARNED]:
        _loaded(sites, name)
    if by == "host" and "" in names:
        echo(
            f"{names['']} pages without address are treated as one site: if they are not one, learn them separately",
            err=True,
        )


@command.command("classes", epilog="Example:  webstrata site classes out/site -o report.html")
@click.argument("site", metavar="SITE")
@click.option("--name", metavar="NAME", help="Name of a site, if SITE has several.  [default: all, the largest first]")
@click.option("--top", type=click.IntRange(1), default=30, show_default=True, help="Number of classes to list.")
@click.option("--sites", "most", type=click.IntRange(1), default=10, show_default=True, help="Number of sites to list.")
@click.option("-o", "--output", type=options.FOLDER, metavar="FILE", help="Write an HTML report of one site instead.")
def _classes(site: str, name: str | None, top: int, most: int, output: Path | None) -> None:
    """List the segment classes of sites, with their sizes."""
    from webstrata.sites import Sites

    sites = Sites(site)
    names = list(sites.names())
    if name is not None and name not in names:
        raise InputError(f"{site} has no site called {name!r}: it has {', '.join(names[:10])}")
    if output is not None:
        from webstrata.apps.site_report import report

        chosen = names[0] if name is None else name
        output.write_text(report(_loaded(sites, chosen), learnt=str(site)), encoding="utf-8")
        if name is None and len(names) > 1:
            echo(f"the report is of {chosen}, the largest of {len(names)} sites: --name chooses another", err=True)
        return
    for chosen in names[:most] if name is None else [name]:
        _list_classes(_loaded(sites, chosen), top)
    if name is None and len(names) > most:
        echo(f"{len(names) - most} smaller sites are not shown: see --sites", err=True)


def _loaded(sites: Sites, name: str) -> Site:
    """A site; what makes its classes uncertain goes to standard error."""
    from webstrata.crawls.jobs.sites.learning import SMALL

    found = sites.load(name)
    if found is None:
        raise InputError(f"the site {name!r} is damaged or missing: learn it again with `webstrata site learn`")
    shown = name or "pages without address"
    if found.pages < SMALL:
        echo(f"{shown}: {found.pages} pages are too few to learn a template", err=True)
    if found.mixed:
        echo(f"{shown}: the pages have different templates: learn them separately for finer classes", err=True)
    if found.undivided:
        echo(f"{shown}: most pages are one segment, so there is no template to tell from content", err=True)
    return found


def _list_classes(site: Site, top: int) -> None:
    total = sum(item.words for item in site.classes)
    echo(f"{site.name or 'pages without address'}: {site.pages} pages, {len(site.classes)} classes")
    echo(f"{'pages':>8} {'segments':>8} {'words':>9} {'share':>6} {'weight':>6}  class")
    for item in site.classes[:top]:
        share = item.words / total if total else 0.0
        echo(f"{item.pages:>8} {item.segments:>8} {item.words:>9} {share:>6.1%} {item.weight:>6.2f}  {item.path}")
