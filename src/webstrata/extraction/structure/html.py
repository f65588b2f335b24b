"""Kept blocks as clean HTML: semantic tags only, absolute URLs, nothing that a browser would run.

Deviation: elements that a list or a table needs to be well formed are added (see `walk`).
"""

from __future__ import annotations

import re

from webstrata._escaping import html as escape
from webstrata.extraction.structure.html_writer import write
from webstrata.extraction.structure.roles import written_roles
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["html"]

_LANGUAGE_TAG = re.compile(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*")


def html(
    page: Page,
    keep: Column,
    *more: tuple[Page, Column],
    title: str = "",
    images: bool = True,
    links: bool = True,
    citations: bool = True,
) -> str:
    """The kept blocks of a page, and of more pages after it, as one ``article`` in the language of the first.

    Formulas with TeX in the page are written as TeX in a ``span``.

    Parameters
    ----------
    title : the text of the first heading, if any
    images, links, citations : as for `webstrata.extraction.structure.markdown.markdown`

    >>> from webstrata.page import parse
    >>> page = parse("<div onclick=x()>1 &lt; <b>2</b><ul><li>one</ul>")
    >>> print(html(page, ~page.blocks.hidden))
    <article>
    <p>1 &lt; <strong>2</strong></p>
    <ul>
    <li>one</li>
    </ul>
    </article>
    """
    heading = f"\n<h1>{escape(' '.join(title.split()))}</h1>" if title else ""
    content = "".join(
        _content(*each, images=images, links=links, citations=citations) for each in ((page, keep), *more)
    )
    return f"<article{_language(page)}>{heading}{content}\n</article>"


def _content(page: Page, keep: Column, *, images: bool, links: bool, citations: bool) -> str:
    """The text of a page, and its footnotes after it."""
    keep, roles = written_roles(page, keep, links=links, citations=citations)
    text = write(page, keep, roles, images=images, links=links)
    return text if roles.note is None else text + write(page, keep, roles, images=images, links=links, in_notes=True)


def _language(page: Page) -> str:
    """The language and the direction that the page declares."""
    lang = page.lang or ""
    direction = (page.elements.attribute(0, "dir") or "").strip().lower()
    return (f' lang="{lang}"' if _LANGUAGE_TAG.fullmatch(lang) else "") + (
        f' dir="{direction}"' if direction in ("rtl", "ltr", "auto") else ""
    )
