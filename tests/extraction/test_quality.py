"""The rules of C4 and Gopher: each rule has a text that breaks it alone."""

from __future__ import annotations

import pytest

from webstrata.extraction.quality import QUALITY, Gopher, GopherRepetition

SENTENCES = [
    "Rivers carry fine grains of sand and clay from the hills to the sea.",
    "Where the water slows down, the heavy grains settle first.",
    "Silt stays afloat for days, and it can be seen from above as a pale cloud.",
    "In winter the lake is covered with ice, so that nothing stirs the water.",
    "Then the finest clay sinks to the ground and forms a dark layer.",
    "Each pair of layers is one year, as the rings of trees are.",
    "People have counted thousands of them in a single core of mud.",
]
GOOD = " ".join(SENTENCES)


def test_a_good_text_breaks_no_rule() -> None:
    assert [rules()(GOOD) for rules in QUALITY.values()] == [None] * len(QUALITY)


@pytest.mark.parametrize(
    ("rules", "text", "detail"),
    [
        ("c4", GOOD + " {", "a curly bracket"),
        ("c4", GOOD + " Lorem ipsum dolor.", "lorem ipsum"),
        ("c4", "\n".join(SENTENCES[:2]), "2 sentences"),
        ("c4", "\n".join(sentence.rstrip(".") for sentence in SENTENCES), "0 sentences"),
        ("c4", "\n".join(f"{sentence} See the terms of use." for sentence in SENTENCES), "0 sentences"),
        ("c4", "\n".join(["Too short line."] * 9), "0 sentences"),
        ("gopher", "the and " * 20, "40 words"),
        ("gopher", "a b " * 50 + "the and", "words of 1.0 characters"),
        ("gopher", "incomprehensibilities " * 60, "words of 21.0 characters"),
        ("gopher", GOOD + " #" * 12, "0.12 hash signs for each word"),
        ("gopher", "\n".join(f"- {sentence}" for sentence in SENTENCES), "100% of lines begin with a bullet"),
        ("gopher", "\n".join(f"{sentence}.." for sentence in SENTENCES), "100% of lines end with an ellipsis"),
        ("gopher", GOOD + " 1234" * 40, "70% of words have a letter"),
        ("gopher", "Silt " * 60, "0 stop words"),
        ("gopher-repetition", "\n".join(SENTENCES[:4] * 2), "50% of lines are repeated"),
        ("gopher-repetition", " ".join([*SENTENCES, *SENTENCES]), "repeated runs of 5 words are 49% of the text"),
        ("gopher-repetition", "salt water " * 18 + GOOD, "the most frequent run of 2 words is 30% of the text"),
    ],
)
def test_each_rule_is_broken(rules: str, text: str, detail: str) -> None:
    assert QUALITY[rules]()(text) == detail


def test_empty_texts() -> None:
    assert [rules()("") for rules in QUALITY.values()] == ["0 sentences", "0 words", None]


def test_rules_have_parameters() -> None:
    assert Gopher(least=1, stop_words=0)("Silt and clay.") is None
    assert GopherRepetition(lines=0.6, line_characters=0.6, paragraphs=1, top=(), repeated=())("a\na") is None
