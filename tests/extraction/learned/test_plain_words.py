"""Phrases for features."""

from __future__ import annotations

import re

import pytest

from webstrata.extraction.learned.influences import _PAGE, _subjects
from webstrata.extraction.learned.model import columns
from webstrata.extraction.learned.plain_words import _SUBJECTS, in_plain_words


def test_every_feature_has_a_phrase_without_numbers_and_names_of_columns() -> None:
    names = columns().names
    for subject, members in _subjects().items():
        for name in (names[number] for number in members if subject != _PAGE):
            for value in (-1.0, 0.0, 0.3, 1.0, 40.0, 5000.0):
                for moved in (-1.0, 1.0):
                    phrase = in_plain_words(subject, name, value, moved)
                    assert re.fullmatch(r"[a-z][a-z', ]+", phrase), (name, value, phrase)


def test_most_features_have_phrases_of_their_own() -> None:
    names, general = columns().names, {phrase for pair in _SUBJECTS.values() for phrase in pair}
    own = [
        {in_plain_words(subject, names[number], value, moved) for value in (0.0, 5000.0) for moved in (-1, 1)} - general
        for subject, members in _subjects().items()
        if subject != _PAGE
        for number in members
        if "tag" not in names[number].split()
    ]
    assert sum(map(bool, own)) / len(own) > 0.8


@pytest.mark.parametrize(
    ("feature", "value", "moved", "phrase"),
    [
        ("link density of 10 around", 0.9, -1, "many links around it"),
        ("link density of 10 around", 0.0, 1, "few links around it"),
        ("link density of 10 around", 0.9, 1, "beside content"),  # many links do not speak for content
        ("words of previous", 80, 1, "many words before it"),
        ("score of previous", 0.9, 1, "content before it"),
        ("score of previous", 0.9, -1, "boilerplate before it"),
    ],
)
def test_phrases_follow_value_and_direction(feature: str, value: float, moved: float, phrase: str) -> None:
    assert in_plain_words("the paragraphs before and after it", feature, value, moved) == phrase
