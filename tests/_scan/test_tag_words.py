"""Words in start tags, against a search in each tag."""

from __future__ import annotations

import random

import pytest

from webstrata._scan.tag_words import TagWords
from webstrata.page import parse

WORDS = (b"footnote", b"note", b"data-math=", b"data-tex=", b'class="note"', b"code-block", b"codeblock", b'alt="\\')


def _rows(html: bytes, words: tuple[bytes, ...]) -> dict[bytes, list[int]]:
    page = parse(html)
    return TagWords(words).rows(page.source, page.elements.columns)


def test_a_word_is_found_wherever_it_is_in_a_tag() -> None:
    html = b'<p class="note"><i data-tex=x></i><b id=footnote1></b><img alt="\\pi"><p>note<pre class=code-block>'
    assert _rows(html, WORDS) == {
        b"note": [3, 5], b'class="note"': [3], b"data-tex=": [4], b"footnote": [5], b'alt="\\': [6], b"code-block": [8],
    }  # fmt: skip


def test_links_and_controls_are_left_out() -> None:
    assert _rows(b"<a class=note>x</a><button class=note>y</button><form class=note>z</form>", WORDS) == {}


def test_tags_shorter_than_a_word_are_no_fault() -> None:
    assert _rows(b"<p><b><i>x<hr><p a=note", WORDS) == {}


@pytest.mark.parametrize("words", [tuple(b"%04d" % number for number in range(65)), (b"abc",)])
def test_too_many_and_too_short_words_are_refused(words: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="64 words"):
        TagWords(words)


def test_the_same_as_a_search_in_each_tag() -> None:
    generator = random.Random(1)
    for _ in range(200):
        values = (b"".join(generator.choices((*WORDS, b" ", b"-", b"x"), k=3)).replace(b'"', b"") for _ in range(5))
        html = b"".join(b'<%s title="%s">x' % (generator.choice((b"p", b"i", b"div")), value) for value in values)
        page = parse(html)
        tags = [page.source[slice(*page.elements.start_tag(row))] for row in range(len(page.elements))]
        # A formatting element that was opened again has the tag of the first one.
        expected = {word: [row for row, tag in enumerate(tags) if word in tag] for word in WORDS}
        assert _rows(html, WORDS) == {word: rows for word, rows in expected.items() if rows}
