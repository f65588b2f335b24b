"""The papers whose experiments can be reproduced, and how to run them.

The module of a paper defines two names: ``DATA``, a subclass of `PaperData`, and ``PARTS``, for each table or figure
the function that makes it from the data.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from webstrata.errors import InputError, WebstrataError
from webstrata.evaluation.answers.runner import Progress, silent
from webstrata.evaluation.papers.states import states_meaning, states_table
from webstrata.evaluation.reports.document import NotRun, Part, write_document
from webstrata.evaluation.reports.tables import ReportTable
from webstrata.files import write_json

__all__ = ["PAPERS", "Paper", "PaperData", "Setting", "find_paper", "reproduce"]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The options of a reproduction.

    Attributes
    ----------
    folder : for the report and its files
    pages : read only the first pages of each data set; all by default
    jobs : processes
    sites : folders of whole sites, for the papers that can use more of them
    page : a page, for the papers that draw one
    progress : makes a progress callback for a description
    """

    folder: Path
    sites: tuple[Path, ...] = ()
    page: Path | None = None
    pages: int | None = None
    jobs: int = 1
    progress: Callable[[str], Progress] = lambda _: silent


@dataclass(frozen=True)
class PaperData:
    """The input of the tables and figures of a paper. Subclasses read it lazily, once."""

    setting: Setting

    def tracked(self, description: str, values: Iterable[T], total: int) -> Iterator[T]:
        """The values, with a progress bar."""
        progress = self.setting.progress(description)
        for done, value in enumerate(values, start=1):
            yield value
            progress(done, total)


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: its key on the command line, its citation and title, and the data sets that its experiments need.

    ``about`` says what it is about, for readers who do not know it.
    """

    key: str
    citation: str
    title: str
    published: str
    data: tuple[str, ...]
    about: str

    @property
    def parts(self) -> dict[str, Callable[[Any], Iterator[Part]]]:
        """The tables and figures that can be made, by name."""
        return dict(self._module.PARTS)

    @property
    def _module(self) -> Any:
        return import_module(f"webstrata.evaluation.papers.{self.key.replace('-', '_')}")

    def data_for(self, setting: Setting) -> PaperData:
        """The input of the parts."""
        data: PaperData = self._module.DATA(setting)
        return data


PAPERS = {
    paper.key: paper
    for paper in (
        Paper(
            key="kohlschuetter-nejdl-2008",
            citation="Kohlschütter & Nejdl 2008",
            title="A densitometric approach to web page segmentation",
            published="CIKM 2008",
            data=("kreuzer", "l3s-gn1"),
            about=(
                "A web page is cut into segments by *text density*, the number of words in a line when the text of a "
                "block is wrapped at 80 columns: full text is dense, menus are not. *Block Fusion* (BF) joins "
                "neighbouring blocks whose densities are alike, in three versions: plain, smoothed, and rule-based, "
                "which also looks at tags. The paper compares them with simpler ways to cut, shows that densities "
                "follow laws known from quantitative linguistics, and finds copies of pages by their largest segment. "
                "How well segments agree with those of people is measured by the adjusted Rand index (AdjRand) and by "
                "normalised mutual information (NMI), both 1 for the same cut."
            ),
        ),
        Paper(
            key="weninger-hsu-2008",
            citation="Weninger & Hsu 2008",
            title="Web content extraction through histogram clustering",
            published="ANNIE 2008",
            data=("cleaneval", "l3s-gn1"),
            about=(
                "Articles are separated from menus and advertisements by counting, for each line of the HTML "
                "source, how many characters of text there are for each tag. Lines with a high ratio are content. The "
                "paper compares a threshold on this ratio with three ways to cluster the lines."
            ),
        ),
        Paper(
            key="fernandes-2011",
            citation="Fernandes et al. 2011",
            title="A site oriented method for segmenting web pages",
            published="SIGIR 2011",
            data=("wpcd",),
            about=(
                "The pages of one site share a template. The paper puts all of them on top of each other, as a tree "
                "(the *site object model*, SOM) whose nodes count on how many pages they are, and reads the segments "
                "of each page from it: a node that occurs on many pages is a class of segments, such as the menu or "
                "the text. Then a search engine weighs words by the class of the segment that they are in. Compared "
                "are segments of people (ManS) and of the algorithm (AutS), and ranking without segments (BM25) and "
                "without templates (BM25NT)."
            ),
        ),
        Paper(
            key="kohlschuetter-2011-links",
            citation="Kohlschütter 2011",
            title="Exploiting links and text structure on the Web, chapter 3: links",
            published="PhD thesis, Hannover 2011",
            data=("wpcd",),
            about=(
                "Chapter 3 of the thesis is about links: PageRank, the chance that a surfer who follows links at "
                "random is on a page, computed on a graph that is ordered by hosts and cut into partitions, and "
                "computed once for each topic of a catalogue by a surfer who starts on pages of that topic. From the "
                "ranks by topic follow *facets*: the topics of a list of search results."
            ),
        ),
        Paper(
            key="kohlschuetter-2011",
            citation="Kohlschütter 2011",
            title="Exploiting links and text structure on the Web, chapter 4: text",
            published="PhD thesis, Hannover 2011",
            data=("cleaneval", "l3s-gn1", "wcxb"),
            about=(
                "Chapter 4 of the thesis is about text. It finds that a page has two kinds of text, short and long, "
                "as if two authors had written it, and that a few shallow features, the number of words of a block "
                "and the share of them in links, tell content from *boilerplate* (menus, advertisements, footers). It "
                "fits distributions to these features, learns classifiers from them, and searches in the content "
                "alone."
            ),
        ),
        Paper(
            key="kreuzer-2013",
            citation="Kreuzer 2013",
            title="A quantitative comparison of semantic web page segmentation algorithms",
            published="MSc thesis, Utrecht 2013",
            data=("kreuzer",),
            about=(
                "The thesis compares four algorithms that cut pages into segments, on random and popular home "
                "pages whose segments people marked. *BlockFusion* looks at the density of the text, *PageSegmenter* "
                "at the tree of tags, *VIPS* and *WebTerrain* at the page as it is shown in a browser. *Exact* counts "
                "segments whose text is that of a true segment, *fuzzy* those whose text is 80 % alike; F is the "
                "harmonic mean of precision and recall. Each page is read as it came from the server (HTML) and after "
                "its scripts have run (DOM)."
            ),
        ),
    )
}


def find_paper(key: str) -> Paper:
    """The paper with this key.

    >>> find_paper("kreuzer-2013").citation
    'Kreuzer 2013'
    """
    if key not in PAPERS:
        raise InputError(f"no paper is called {key!r}: choose one of {', '.join(PAPERS)}")
    return PAPERS[key]


def reproduce(paper: Paper, setting: Setting, only: Sequence[str] = ()) -> tuple[Path, list[NotRun]]:
    """Make the tables and figures of a paper, or some of them.

    Returns the path of the report, and the parts that could not be made, because data or recordings are missing. The
    report ends with the processor time of each part, and ``parts.json`` has the same for `write_index`.
    """
    parts = paper.parts
    if unknown := sorted(set(only) - parts.keys()):
        raise InputError(f"{paper.citation} has no part called {unknown[0]!r} here: choose some of {', '.join(parts)}")
    made = _Made(paper, setting, only or tuple(parts))
    introduction = () if only else (paper.about, states_table(paper.key), states_meaning(paper.key))
    found = write_document(setting.folder, f"{paper.title} ({paper.citation})", (*introduction, *made.parts()))
    write_json(setting.folder / "parts.json", {"paper": paper.key, "seconds": made.seconds, "not run": made.missing})
    return found


@dataclass(frozen=True)
class _Made:
    """The parts of a report as they are made, the processor seconds of each, and why some could not be made."""

    paper: Paper
    setting: Setting
    names: Sequence[str]
    seconds: dict[str, float] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def parts(self) -> Iterator[Part]:
        """All parts, each below a heading, and the table of times."""
        data = self.paper.data_for(self.setting)
        for name in self.names:
            make = self.paper.parts[name]
            start = _processor_seconds()
            yield f"## {_heading(name, make)}"
            for part in _attempted(name, make, data):
                if isinstance(part, NotRun):
                    self.missing[part.name] = part.reason
                yield part
            self.seconds[name] = round(_processor_seconds() - start, 1)
        yield "## Time"
        total = ("all", sum(self.seconds.values()))
        title = "Processor seconds of each part"
        yield ReportTable("times", title, ("part", "seconds"), (*self.seconds.items(), total))
        yield "What several parts need, such as pages and their features, is computed by the first of them."


def _processor_seconds() -> float:
    """Processor time of this process and of those that it waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _heading(name: str, make: Callable[[Any], Iterator[Part]]) -> str:
    """The heading of a part: the first line of its docstring."""
    return (make.__doc__ or name).strip().splitlines()[0].rstrip(".")


def _attempted(name: str, part: Callable[[Any], Iterator[Part]], data: PaperData) -> Iterator[Part]:
    """The tables and figures of a part; what it misses is told in the report and does not stop the other parts."""
    try:
        yield from part(data)
    except WebstrataError as error:
        yield NotRun(name, f"{str(error)[:1].upper()}{str(error)[1:]}.")
