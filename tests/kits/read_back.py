"""Markdown read by a CommonMark parser, back to text."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Tags that the Markdown writer puts in where the signs of Markdown do not reach.
_TAGS = frozenset(f"<{slash}{name}>" for slash in ("", "/") for name in ("strong", "em", "del", "sub", "sup"))


def parser() -> MarkdownIt:
    """CommonMark with the tables and the strike-through of GitHub."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read_back(markdown: str) -> str:
    """The text of Markdown, images left out; words apart as the parser says.

    >>> read_back("# A *b*\\\\*").split()
    ['A', 'b*']
    """
    parts = []
    for token in parser().parse(markdown):
        if token.type == "inline":
            parts += [_text(child) for child in token.children or []]
        elif token.type == "fence":
            parts.append(token.content)
        elif token.content:
            raise AssertionError(f"nobody wrote this {token.type}: {token.content!r}")
        parts.append("\n" if token.block else "")
    return "".join(parts)


def _text(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    if token.type in ("softbreak", "hardbreak") or token.content == "<br>":
        return "\n"
    if token.type == "html_inline" and token.content not in _TAGS:
        raise AssertionError(f"nobody wrote this tag: {token.content!r}")
    return ""
