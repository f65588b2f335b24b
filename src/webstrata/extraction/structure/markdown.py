"""Kept blocks as Markdown: CommonMark with the tables and the strike-through of GitHub.

What a CommonMark parser reads back is the text of the page: every character that would mean something is escaped, and
a mark that the rules about neighbouring characters would not let begin or end is written as an HTML tag.

Deviations: lists and quotations nest eight deep, as parsers give up not far below; what is deeper stands at the eighth
level. Cells hold one line, so their paragraphs are parted by ``<br>``. A description list is a strong paragraph for
each term. Signs that link a heading to itself are left out. Markdown requires a header row: that is the first row of a
table, or an empty one where that row was not kept or begins with the name of a row. Formulas that the page has the TeX
of stand between dollar signs, as GitHub and pandoc read them; a plain parser sees the TeX.
"""

from __future__ import annotations

from webstrata.extraction.structure import inline
from webstrata.extraction.structure.markdown_writer import write
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["escape", "heading", "markdown"]


def markdown(page: Page, keep: Column, *, images: bool = True, links: bool = True) -> str:
    """The kept blocks of a page as Markdown.

    Parameters
    ----------
    images, links : whether they are written; the text of a link is in any case

    >>> from webstrata.page import parse
    >>> page = parse("<h1>Strata</h1><p>A <b>page</b> has 2*3 <a href=/l>layers</a>.<ol><li>top<li>base</ol>")
    >>> print(markdown(page, ~page.blocks.hidden))
    # Strata
    <BLANKLINE>
    A **page** has 2\\*3 [layers](/l).
    <BLANKLINE>
    1. top
    2. base
    """
    return write(page, keep, images=images, links=links)


def escape(text: str) -> str:
    """Text that a CommonMark parser reads as itself, within a line.

    >>> print(escape("snake_case *is* <b> AT&T &amp; 1 < 2"))
    snake_case \\*is\\* \\<b> AT&T \\&amp; 1 < 2
    """
    return inline.escape(text)


def heading(title: str) -> str:
    """A title as the first heading; nothing without one.

    >>> print(heading("Strata *of* the lake"))
    # Strata \\*of\\* the lake
    """
    line = escape(" ".join(title.split()))
    # A number sign at the end would close the heading.
    return f"# {line[:-1]}\\#" if line.endswith("#") else f"# {line}" if line else ""
