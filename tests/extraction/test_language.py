"""The language filter against sentences whose language is known."""

from __future__ import annotations

import subprocess
import sys

import pytest

from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, extract
from webstrata.extraction.language import Language, guess

pytest.importorskip("py3langid")

SENTENCES = {
    "en": "The river carries sand and clay to the sea, where they settle slowly on the bed of the bay.",
    "de": "Der Fluss trägt Sand und Ton zum Meer, wo sie sich langsam auf dem Grund der Bucht absetzen.",
    "fr": "La rivière transporte le sable et l'argile jusqu'à la mer, où ils se déposent lentement au fond.",
    "ja": "川は砂と粘土を海まで運び、それらは湾の底にゆっくりと積もっていく。",
    "ru": "Река несёт песок и глину к морю, где они медленно оседают на дно залива.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_guess_and_filter(language: str) -> None:
    html = f"<html lang=xx><p>{SENTENCES[language]}"
    assert guess(SENTENCES[language]) == language
    others = ",".join(code for code in SENTENCES if code != language)
    assert extract(html, f"keep-all+language(languages='{language}')").text == SENTENCES[language]
    found = extract(html, f"keep-all+language(languages='{others}')")
    assert found.text == ""
    assert found.reasons[found.reason[0]] == f"in another language: {language}"


def test_too_little_text_is_kept() -> None:
    assert extract("<p>Menu", "keep-all+language(languages='ja')").text == "Menu"


def test_a_wrong_code_is_told() -> None:
    with pytest.raises(InputError, match="codes of two letters"):
        Language(languages="english")


def test_its_spelling() -> None:
    spelling = "learned(favour='recall')+language(languages='en,de')"
    assert EXTRACTORS.spell(EXTRACTORS.make(spelling)) == spelling


def test_without_the_library_the_extra_is_named() -> None:
    code = "import sys; sys.modules['py3langid'] = None; import webstrata; webstrata.extract('', 'keep-all+language')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "py3langid is not installed: run pip install 'webstrata[language]'" in result.stderr
