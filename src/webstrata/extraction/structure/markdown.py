"""Kept blocks as Markdown: CommonMark with GitHub's tables and strike-through.

A CommonMark parser gets the text of the page back: every character with a meaning is escaped, and a mark that may not
begin or end beside its neighbours is written as an HTML tag.

Deviations: lists and quotations nest eight deep, because parsers fail not far beyond that; deeper ones are written at
the eighth level. A cell is one line, so ``<br>`` separates its paragraphs. A term of a description list is a strong
paragraph. Signs that link a heading to itself are dropped. Markdown requires a header row: the first row of a table, or
an empty row if that one was not kept or begins with the name of a row. TeX in the text of the page passes without
escapes, for MathJax or KaTeX (`tex_text`). Formulas are written as TeX between dollar signs, which GitHub and pandoc
understand, and footnotes as ``[^1]`` with their notes at the end; a note is written if its reference is, whether it was
kept or not. Callouts are quotations that begin with their kind, as on GitHub.
"""

from __future__ import annotations

from webstrata.extraction.structure import inline
from webstrata.extraction.structure.markdown_writer import write, write_traced
from webstrata.extraction.structure.roles import written_roles
from webstrata.extraction.structure.spans import Span, joined, spans_of_origins
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["escape", "heading", "markdown", "markdown_with_spans"]


def markdown(page: Page, keep: Column, *, images: bool = True, links: bool = True, citations: bool = True) -> str:
    """The kept blocks of a page as Markdown.

    Parameters
    ----------
    images, links : whether they are written; the text of a link is in any case
    citations : whether footnotes and the references to them are written

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
    keep, roles = written_roles(page, keep, links=links, citations=citations)
    text = write(page, keep, roles, images=images, links=links)
    if roles.note is None:
        return text
    notes = write(page, keep, roles, images=images, links=links, in_notes=True)
    return "\n\n".join(filter(None, (text, notes)))


def markdown_with_spans(
    page: Page, keep: Column, *, images: bool = True, links: bool = True, citations: bool = True
) -> tuple[str, list[Span]]:
    """The same Markdown, and where its pieces come from."""
    keep, roles = written_roles(page, keep, links=links, citations=citations)
    in_notes = (False,) if roles.note is None else (False, True)
    written = (write_traced(page, keep, roles, images=images, links=links, in_notes=each) for each in in_notes)
    return joined(((text, spans_of_origins(page, origins)) for text, origins in written), "\n\n")


def escape(text: str) -> str:
    """Text with escapes, so that a CommonMark parser reads it as it is; not for the start of a line.

    >>> print(escape("snake_case *is* <b> AT&T &amp; 1 < 2"))
    snake_case \\*is\\* \\<b> AT&T \\&amp; 1 < 2
    """
    return inline.escape(text)


def heading(title: str) -> str:
    """A title as a heading; "" without a title.

    >>> print(heading("Strata *of* the lake"))
    # Strata \\*of\\* the lake
    """
    line = escape(" ".join(title.split()))
    # A number sign at the end would close the heading.
    return f"# {line[:-1]}\\#" if line.endswith("#") else f"# {line}" if line else ""
