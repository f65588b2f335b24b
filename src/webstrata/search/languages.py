"""The languages of pages, and the stemmer of each.

The language of a page is the one that it declares, or else the one whose function words are most frequent in the
beginning of its text: a table of a few words for each language needs no model and takes some microseconds.
"""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["STEMMERS", "language_number", "page_language"]

#: The Snowball stemmers by the code of their language.
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

# Function words that are frequent in one language and rare in the others.
_WORDS = {
    "da": "af at der det ikke jeg som til", "de": "auf das der die ein ist nicht und", "el": "και να το της των",
    "en": "and be for is of that the this", "es": "como del el las los por que una", "fi": "ei ja joka mutta oli on",
    "fr": "dans des est et les pour que une", "hu": "az egy hogy nem van", "id": "dan dengan tidak untuk yang",
    "it": "che con della di gli il non per", "nl": "aan een en het niet van voor zijn",
    "no": "av det ikke og på som til", "pt": "com da do não os para que uma", "ro": "care din este nu pentru și",
    "ru": "в для и на не что это", "sv": "att det en inte och på som är", "tr": "bir bu için ile ve",
}  # fmt: skip
_LANGUAGES_OF: dict[str, list[str]] = {}
for _code, _listed in _WORDS.items():
    for _word in _listed.split():
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{1,8}(?![^\W\d_])")
# Characters of a text that are looked at, and the fewest function words that decide.
_BEGINNING, _FEWEST = 4000, 3


def page_language(declared: str | None, text: str) -> str:
    """The code of the language that a page declares, or of the one of its text; "" if neither is known.

    >>> page_language("pt-BR", ""), page_language("", "The age of clay is that of the sand."), page_language("", "1")
    ('pt', 'en', '')
    """
    code = (declared or "").partition("-")[0].lower()
    if len(code) == 2 and code.isascii() and code.isalpha():
        return code
    found: Counter[str] = Counter()
    for word in _WORD.findall(text[:_BEGINNING].lower()):
        found.update(_LANGUAGES_OF.get(word, ()))
    code, times = max(found.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return code if times >= _FEWEST else ""


def language_number(code: str) -> int:
    """A code of two letters as a number of 16 bits; 0 for any other text.

    >>> language_number("en"), language_number("")
    (25966, 0)
    """
    return int.from_bytes(code.encode(), "big") if len(code) == 2 and code.isascii() else 0
