"""Plain text as a page, so that its density can be counted (Kohlschütter 2011 §4.4.4, footnote 15)."""

from __future__ import annotations

from webstrata._escaping import html, lines

__all__ = ["page_of_text"]


def page_of_text(text: str) -> str:
    r"""HTML of a plain text: empty lines separate paragraphs.

    >>> page_of_text("A page\ncomes in\n\n  strata & layers.\n")
    '<!DOCTYPE html><p>A page\ncomes in</p>\n<p>strata &amp; layers.</p>'
    """
    paragraphs: list[list[str]] = [[]]
    for line in lines(text):
        if line.strip():
            paragraphs[-1].append(line.strip())
        elif paragraphs[-1]:
            paragraphs.append([])
    body = "\n".join(f"<p>{html(chr(10).join(found))}</p>" for found in paragraphs if found)
    return f"<!DOCTYPE html>{body}"
