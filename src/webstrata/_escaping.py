"""Escaping of text for HTML, XML and terminals, and splitting it into lines.

The text of a page may be hostile. Each output language has one function here that makes any text harmless in it.
(Markdown, where escaping depends on the place in the line, has its own module,
`webstrata.extraction.structure.inline`.)

**Line end.** A carriage return, a line feed, or both together, as CommonMark, HTML and YAML have it. A writer that
puts something before each line must use `lines`: a lone carriage return ends a line for readers of the output.
"""

from __future__ import annotations

import re

__all__ = ["html", "lines", "link", "one_line", "terminal", "unescape", "unmarked", "well_formed", "xml"]

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_LINE_END = re.compile(r"\r\n?|\n")
# Characters that XML 1.0 cannot represent (production 2).
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The control characters of ISO 6429 except tab and line feed, and characters that change the direction of text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Characters that have no meaning in Markdown within a line.
_MARKS = re.compile(r"[^\w\s.,:;?!'’%£$€()/+…-]|_")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Python refuses to read numbers of thousands of digits, leading zeros included; eight digits exceed all characters.
_ZEROS = re.compile(r"&#0+(?=[0-9])")
_LONG_NUMBER = re.compile(r"&#[0-9]{8,};?")


def html(text: str) -> str:
    """Text as HTML, in an element or between the double quotes of an attribute.

    Unlike `html.escape`, apostrophes stay as they are.

    >>> html('<a title="x"> & so on')
    '&lt;a title=&quot;x&quot;&gt; &amp; so on'
    """
    return text.translate(_HTML)


def link(url: str) -> str:
    """A URL as HTML: a link if it is an address of the web, else its text.

    >>> link("https://a.example/?b&c")
    '<a rel="noreferrer" href="https://a.example/?b&amp;c">https://a.example/?b&amp;c</a>'
    >>> link("javascript:alert(1)")
    'javascript:alert(1)'
    """
    text = html(url)
    return f'<a rel="noreferrer" href="{text}">{text}</a>' if url.startswith(("http://", "https://")) else text


def xml(text: str) -> str:
    r"""Text as XML, such as SVG; a character that XML cannot hold becomes U+FFFD.

    >>> xml("1 < 2\x01") == "1 &lt; 2\ufffd"
    True
    """
    return html(_NOT_XML.sub("\ufffd", text))


def terminal(text: str) -> str:
    r"""Text that is safe to print on a terminal: without control characters except tabs and line ends.

    >>> terminal("\x1b[31mred\x07\r\nnext")
    '[31mred\nnext'
    """
    return _CONTROLS.sub("", text)


def lines(text: str) -> list[str]:
    r"""The lines of a text, without their ends.

    >>> lines("a\r\nb\rc\n"), lines("")
    (['a', 'b', 'c', ''], [''])
    """
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def one_line(text: str, most: int) -> str:
    r"""The beginning of a text on one line, white space folded; an ellipsis marks a cut.

    >>> one_line(" one \n two ", 10), one_line("one two three", 8)
    ('one two', 'one two…')
    """
    if len(text) <= most:
        return " ".join(text.split())
    # White space may be most of the text: at most four times the length is read.
    folded = " ".join(text[: 4 * most].split())
    return folded if len(folded) <= most and len(text) <= 4 * most else f"{folded[: most - 1].rstrip()}…"


def unmarked(text: str, most: int) -> str:
    """`one_line` without characters that have a meaning in Markdown or HTML, for tables of reports.

    >>> unmarked("dr.who's", 40), unmarked("a<img/src=x>b", 40)
    ("dr.who's", 'a·img/src·x·b')
    """
    return _MARKS.sub("·", one_line(text, most))


def unescape(text: str) -> str:
    r"""Text with its character references read, as `html.unescape` does, without its error for long numbers.

    >>> unescape("&lt;&#" + "1" * 5000 + ";") == "<\ufffd"
    True
    """
    import html  # imported lazily: its table takes a millisecond

    if "&#" in text:
        text = _LONG_NUMBER.sub("\ufffd", _ZEROS.sub("&#", text))
    return html.unescape(text)


def well_formed(text: str) -> str:
    r"""Text that can be written as UTF-8: a lone surrogate (possible in JSON) becomes U+FFFD.

    >>> well_formed("a\ud800b") == "a\ufffdb"
    True
    """
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
