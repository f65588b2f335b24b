"""Text on its way into another language."""

from __future__ import annotations

import html
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata._escaping import html as to_html
from webstrata._escaping import lines, one_line, terminal, unescape, well_formed, xml

# Any text, lone surrogates included.
_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@settings(deadline=None)
@given(_TEXT)
def test_any_text_survives(text: str) -> None:
    assert html.unescape(to_html(text)) == html.unescape(html.escape(text))
    assert ElementTree.fromstring(f"<a>{xml(text)}</a>").text is not None or not text
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in terminal(text))
    well_formed(text).encode()
    assert "".join(lines(text)) == text.replace("\r", "").replace("\n", "")
    assert len(lines(text)) == 1 + text.replace("\r\n", "\n").count("\r") + text.count("\n")


@settings(deadline=None)
@given(st.text(alphabet="ab \n\u3000", max_size=60), st.integers(1, 30))
def test_one_line_is_short_and_says_when_it_was_cut(text: str, most: int) -> None:
    cut, whole = one_line(text, most), " ".join(text.split())
    assert len(cut) <= most
    assert cut == whole or (cut.endswith("…") and whole.startswith(cut[:-1].rstrip()))


@settings(deadline=None)
@given(_TEXT)
def test_unescape_is_that_of_the_standard_library(text: str) -> None:
    assert unescape(f"&lt;{text}&#65;") == html.unescape(f"&lt;{text}&#65;")


def test_numbers_of_any_length_are_read() -> None:
    assert unescape("&#" + "9" * 5000 + ";&#x" + "9" * 5000 + ";&#00000000000065;") == "\ufffd\ufffdA"
