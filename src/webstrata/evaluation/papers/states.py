"""Every numbered table and figure of the five papers, and what became of it here.

`STATES` is the one list: reports begin with the part of their paper, ``docs/papers.md`` prints all of it, and a test
holds that no item is missing and none lacks its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.evaluation.reports.tables import Cell, ReportTable

__all__ = [
    "DEVIATES",
    "ILLUSTRATION",
    "LOST",
    "MEANINGS",
    "OTHER_DATA",
    "REPRODUCED",
    "STATES",
    "PaperItem",
    "states_markdown",
    "states_meaning",
    "states_table",
]

REPRODUCED = "reproduced"
OTHER_DATA = "other data"
DEVIATES = "deviates"
LOST = "cannot be"
#: A figure without measurements: an example or a drawing.
ILLUSTRATION = "illustration"

#: What the states mean.
MEANINGS = {
    REPRODUCED: "on the paper's own data, or free of data, with the result of the paper",
    OTHER_DATA: "the paper's data cannot be had; made on other data, with the printed numbers for orientation",
    DEVIATES: "on the paper's own data, with another result; the report says why, or that it is unexplained",
    LOST: "what it needs is lost, and nothing can take its place",
    ILLUSTRATION: "a drawing or an example without a measurement",
}


@dataclass(frozen=True)
class PaperItem:
    """A table or figure of a paper.

    Attributes
    ----------
    name : as the paper numbers it
    state : one of the states of this module
    part : the part of ``webstrata reproduce`` that makes it, or the command that does; empty if none
    reason : why the state is not `REPRODUCED`, or what agrees
    """

    name: str
    state: str
    part: str
    reason: str


_SAME = "webstrata reproduce kohlschuetter-nejdl-2008"
_WCXB = "Webspam UK-2007 is lost; WCXB"

STATES: dict[str, tuple[PaperItem, ...]] = {
    "kohlschuetter-nejdl-2008": (
        PaperItem("Figures 1 and 8 to 10", OTHER_DATA, "figures-1-and-8-to-10", "another page; any by `densitogram`"),
        PaperItem("Algorithm 1, equations 5 to 8", REPRODUCED, "", "oracles in the tests are written from the paper"),
        PaperItem("Figure 2", OTHER_DATA, "figure-2", "the printed distribution, and segments by hand of other pages"),
        PaperItem("Appendix A", REPRODUCED, "figure-2", "expected frequencies, χ², P and C agree to the last digit"),
        PaperItem(
            "Table 1",
            OTHER_DATA,
            "table-1",
            "Webspam UK-2007 is lost; the order of the two best reverses",
        ),
        PaperItem("Figures 3 and 4", OTHER_DATA, "figures-3-and-4", "other pages; also on two random halves (§5.2)"),
        PaperItem("Figure 5", OTHER_DATA, "figure-5", "other pages"),
        PaperItem("Figure 6", OTHER_DATA, "figure-6", "other pages"),
        PaperItem("Table 2", OTHER_DATA, "figure-6", "other pages; with χ², and with taggap and wordwrap"),
        PaperItem("Figure 7", OTHER_DATA, "figure-7", "other pages"),
        PaperItem("Table 3", OTHER_DATA, "table-3", "the pages of lyrics are gone; articles in swapped templates"),
    ),
    "kohlschuetter-2011": (
        PaperItem("Figure 4.1", ILLUSTRATION, "webstrata explain", "a page with its content highlighted"),
        PaperItem("Figures 4.2 and 4.9 to 4.11", ILLUSTRATION, "webstrata densitogram", "one page of 2008"),
        PaperItem("Algorithm 4.1", REPRODUCED, _SAME, "the chapter reprints Kohlschütter & Nejdl 2008"),
        PaperItem("Figures 4.3 to 4.8 and 4.12", OTHER_DATA, _SAME, "figures 2 to 7 and appendix A there"),
        PaperItem("Tables 4.1 to 4.3", OTHER_DATA, _SAME, "tables 1 to 3 there"),
        PaperItem("Figure 4.13", OTHER_DATA, "figure-4.13", _WCXB),
        PaperItem("Figure 4.14", OTHER_DATA, "figure-4.14", _WCXB),
        PaperItem("Figure 4.15", OTHER_DATA, "figure-4.15", _WCXB),
        PaperItem("Figure 4.16", OTHER_DATA, "figure-4.16", _WCXB),
        PaperItem("§4.3.2, sentences of the Brown Corpus", OTHER_DATA, "sentences", "no Brown Corpus here; CleanEval"),
        PaperItem("Tables 4.4 and 4.5", OTHER_DATA, "tables-4.4-and-4.5", _WCXB),
        PaperItem("Figure 4.17", OTHER_DATA, "figure-4.17", _WCXB),
        PaperItem("Tables 4.6 and 4.7", OTHER_DATA, "tables-4.6-and-4.7", _WCXB),
        PaperItem("Figure 4.18", OTHER_DATA, "figure-4.18", _WCXB),
        PaperItem("Figure 4.19", OTHER_DATA, "figure-4.19", "one page of most sites repeats few texts"),
        PaperItem("Table 4.8", DEVIATES, "table-4.8", "within 2 %; two of its rows are exchanged in print"),
        PaperItem("Figure 4.20", DEVIATES, "figure-4.20", "other intervals: quotients gain less"),
        PaperItem(
            "Table 4.9", DEVIATES, "table-4.9", "most rows within two points, the others are marked and explained"
        ),
        PaperItem(
            "§4.4.3, 1R (table 4.9)",
            DEVIATES,
            "table-4.9-settings",
            "other definitions and settings do not explain two rows",
        ),
        PaperItem("Algorithms 4.2 and 4.3", REPRODUCED, "", "`numwords` and `densitometric`; oracles from the print"),
        PaperItem("Figure 4.21", DEVIATES, "figure-4.21", "means agree, but for one rule; the curves are a picture"),
        PaperItem(
            "§4.4.3, Readability (figure 4.21c)", OTHER_DATA, "figure-4.21c", "a later Readability, no Safari Reader"
        ),
        PaperItem("Figure 4.22", REPRODUCED, "figure-4.22", "the thesis's own pages; printed as a picture"),
        PaperItem("Figure 4.23", REPRODUCED, "figure-4.23", "the thesis's own pages"),
        PaperItem("Figure 4.24", REPRODUCED, "figure-4.24", "the thesis's own pages; printed as a picture"),
        PaperItem("Figure 4.25", REPRODUCED, "strata-by-collection", "parameters within 5 %"),
        PaperItem("Figure 4.26", OTHER_DATA, "webstrata stats", "its three texts are not here; works on any text"),
        PaperItem("Figure 4.27", OTHER_DATA, "figure-4.27", "BLOGS06 cannot be had; queries made from the news pages"),
    ),
    "weninger-hsu-2008": (
        PaperItem("Figures 1 to 5", OTHER_DATA, "figures-1-to-5", "the pages are not published; any page by `--page`"),
        PaperItem(
            "Equations 1 to 4", REPRODUCED, "", "oracles in the tests; `webstrata.extraction.ttr` lists misprints"
        ),
        PaperItem("Table 1", OTHER_DATA, "table-1", "its 176 pages are lost"),
        PaperItem("Figure 6", OTHER_DATA, "figure-6", "its 176 pages are lost"),
        PaperItem(
            "Table 2", OTHER_DATA, "table-2", "its 176 pages are lost; the paper's winner is among the last here"
        ),
    ),
    "kreuzer-2013": (
        PaperItem("Table 4.1", ILLUSTRATION, "", "a list of data sets in the literature"),
        PaperItem("Figures 5.1 and 5.2", ILLUSTRATION, "", "drawings of the pipeline; docs/evaluation.md has ours"),
        PaperItem("Algorithm 6.1", REPRODUCED, "", "`bf-plain`; the thesis searches for its texts in the page"),
        PaperItem(
            "Algorithms 6.2 and 6.3", REPRODUCED, "", "`pagesegmenter-marked` is within .02 of F; 6.2 its origin"
        ),
        PaperItem("Algorithm 6.4", DEVIATES, "", "`vips`: rules are told, but not the degrees of coherence"),
        PaperItem("Algorithm 6.5", REPRODUCED, "", "`webterrain`; a large font is no heading, as no size is given"),
        PaperItem(
            "Tables 7.1 to 7.8", DEVIATES, "tables-7", "other parsers and browsers; differences are in the tables"
        ),
        PaperItem("Table 8.1", DEVIATES, "table-8.1", "two interactions are smaller here; the report has the gains"),
    ),
    "fernandes-2011": (
        PaperItem("Figures 1 and 4", ILLUSTRATION, "", "screen shots of pages of 2011"),
        PaperItem(
            "Figures 2, 3, 5, 6 and 7",
            ILLUSTRATION,
            "",
            "worked examples; `tests/sites/test_tree.py` holds ours to them",
        ),
        PaperItem(
            "Algorithms 1 and 2", REPRODUCED, "", "`webstrata.sites`; an oracle in the tests is written from the paper"
        ),
        PaperItem("Table 1", OTHER_DATA, "table-1", "the four crawls are not published; whole sites of today"),
        PaperItem(
            "Figure 8", OTHER_DATA, "figure-8", "true regions are those that templates name; one open choice decides"
        ),
        PaperItem("§5.3, mutual information", OTHER_DATA, "figure-8", "measured by the authors and not printed"),
        PaperItem("§5.3, samples of 1, 5 and 10 %", OTHER_DATA, "samples", "sites are smaller than 1 % of the paper's"),
        PaperItem(
            "§4.3, clustering pages by template", OTHER_DATA, "groups", "named as an alternative and not measured"
        ),
        PaperItem(
            "Table 2", OTHER_DATA, "table-2", "queries and judgements are not published; made from titles and links"
        ),
    ),
    "kohlschuetter-2011-links": (
        PaperItem("Figure 2.1", ILLUSTRATION, "", "a diagram of sets"),
        PaperItem(
            "Figure 3.1", OTHER_DATA, "figure-3.1", "LargeWeb cannot be had here; the folders of one site as hosts"
        ),
        PaperItem("Tables 3.1 and 3.2", OTHER_DATA, "tables-3", "one site links across its folders, hosts link within"),
        PaperItem("Figures 3.2 to 3.5", OTHER_DATA, "tables-3", "the same graph"),
        PaperItem("Figure 3.6", OTHER_DATA, "figure-3.6", "convergence and times; no network between partitions"),
        PaperItem("Figure 3.7", OTHER_DATA, "figure-3.7", "subjects in place of the Open Directory; articles held out"),
        PaperItem("Figure 3.8", ILLUSTRATION, "webstrata serve", "a screen shot; ours is the search page"),
        PaperItem(
            "Table 3.3", LOST, "", "samples of AdWords suggestions of 2006; names of subjects are the queries here"
        ),
        PaperItem("Equation 3.6", OTHER_DATA, "equation-3.6", "given and not measured in the thesis"),
        PaperItem("Algorithm 3.1, §3.4.4", OTHER_DATA, "facets", "the criterion of the thesis, and held-out articles"),
        PaperItem("Figures 5.1 and 5.2", OTHER_DATA, "figure-5.2", "drawings of surfers; measured here"),
        PaperItem("Figure 5.3", ILLUSTRATION, "", "a drawing of random writers; chapter 4 measures them"),
    ),
}


def states_table(key: str) -> ReportTable:
    """The states of the tables and figures of a paper."""
    header = ("table or figure", "state", "made by", "why")
    lines: tuple[tuple[Cell, ...], ...] = tuple(
        (item.name, item.state, item.part, item.reason) for item in STATES.get(key, ())
    )
    return ReportTable("states", "What became of each table and figure", header, lines)


def states_meaning(key: str) -> str:
    """A list of the states that occur in the table of a paper, and what they mean."""
    found = {item.state for item in STATES.get(key, ())}
    return "\n".join(f"- *{state}*: {meaning}" for state, meaning in MEANINGS.items() if state in found)


def states_markdown(key: str) -> Iterator[str]:
    """The lines of the same table for the guide to the papers."""
    yield "| table or figure | state | made by | why |"
    yield "| --- | --- | --- | --- |"
    for item in STATES.get(key, ()):
        part = f"`{item.part}`" if item.part else ""
        yield f"| {item.name} | {item.state} | {part} | {item.reason} |"
