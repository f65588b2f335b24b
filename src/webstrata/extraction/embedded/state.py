"""Prose in the initial state of scripts: JSON in scripts and attributes.

JSON is read from ``<script type="application/json">`` and similar scripts, from assignments such as
``window.__STATE__ = {...}``, from attributes of large start tags such as Discourse's ``data-preloaded``, and from
strings in these values that are JSON themselves.

State also contains labels, settings, menus, legal texts and other pages. So strings count only under keys for texts,
and never below keys for other things. Strings are grouped by place, such as ``posts[].cooked``,
``product.description`` or ``article.body[].text``; of the places that match the topic of the page, the one with the
most words wins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from webstrata.extraction.embedded.prose import Passage, is_prose, plain, share_named
from webstrata.extraction.metadata import topic
from webstrata.extraction.metadata.jsonld import MOST_CHARACTERS
from webstrata.extraction.structure.attributes import script_text
from webstrata.page import Page
from webstrata.text import count_words

__all__ = ["state_passages"]

_SMALLEST = 200  # characters of a value; smaller ones have no text
_LARGE_TAG = 500
# The most broken values: for each error, Python counts the lines of the whole script.
_MOST_BROKEN = 200

_JSON_TYPE = re.compile(rb"type\s*=\s*[\"']?[\w.-]+/(?!ld\+)[\w.+-]*json\b", re.IGNORECASE)
_DATA_TYPE = re.compile(rb"\ssrc\s*=|\stype\s*=\s*[\"']?(?!module|text/javascript|application/javascript)\w", re.I)
# An assigned value, and the text before it: a variable, or the first words of the script. The value is searched first,
# because it is rare in long scripts.
_ASSIGNED = re.compile(r"=\s*(?:JSON\.parse\(\s*)?(?=\{\s*\"|\[\s*[{\[\"]|\"\s*[{\[])")
_VARIABLE = re.compile(r"(?:\b(?:window|self|globalThis|var|let|const)\b[^=;(){}]{0,80}|^\s*[\w.$]{1,80}\s*)\Z")
_VARIABLE_LENGTH = 100

_TEXT_KEYS = frozenset(
    "cooked body content contents description text html article story post message markdown rendered paragraph"
    " paragraphs copy answer richtext value".split()
)
_OTHER_KEYS = frozenset(
    "cookie cookies consent gdpr privacy legal terms policy footer header nav navigation menu i18n intl translation"
    " translations locale locales messages labels label strings dictionary config configuration settings setting"
    " seo meta metadata head og alt aria error errors warning tooltip banner modal popup newsletter shipping"
    " returns delivery related recommended recommendations similar suggested reviews review testimonials ads ad css"
    " style styles script scripts svg icon template templates categories tags author profile bio disclaimer"
    " disclaimers promo promotion promotions notification notifications alert alerts theme analytics tracking"
    " experiments flags site badge badges navbar sidebar".split()
)
_HOLDS_TEXT = (str, dict, list)
_KEY_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# The fewest words of a place, in all and for each string: titles, names and labels have fewer.
_FEWEST_WORDS, _FEWEST_A_STRING = 40, 8
# The least share of the words of the topic. On WCXB, 111 places pass, with 0.82 of their words in the content; without
# this limit, 170 places with 0.67.
_NAMED = 0.5


def state_passages(page: Page) -> list[Passage]:
    """The prose of the place with the most words that matches the title and description of the page, in order.

    >>> from webstrata.page import parse
    >>> post = "Silt settles on the floor of the lake, and every winter a dark layer of mud covers it. "
    >>> html = '<script>window.state = {"posts": [{"body": "%s"}, {"body": "%s"}]}</script>' % (post * 2, post * 3)
    >>> len(state_passages(parse("<title>Silt in lakes</title>" + html))), state_passages(parse(html))
    (2, [])
    """
    places: list[tuple[int, str, list[str]]] = []
    for strings in _StateReader(page).places():
        prose = [string for string in dict.fromkeys(strings) if is_prose(plain(string))]
        text = "\n".join(map(plain, prose))
        words = count_words(text)
        if words >= max(_FEWEST_WORDS, _FEWEST_A_STRING * len(prose)):
            places.append((words, text, prose))
    if not places:
        return []
    about = topic(page)
    named = [place for place in places if share_named(place[1], about) >= _NAMED]
    return [Passage("", string) for string in max(named)[2]] if named else []


@lru_cache(maxsize=4096)
def _words_of(key: str) -> str:
    return " ".join(_KEY_WORD.findall(key)).lower()


class _StateReader:
    """Reads the state of a page, up to a limit of characters."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._left = MOST_CHARACTERS
        self._broken = 0
        # A place is a number for a path of keys; this list has the words of its last key.
        self._last: list[str] = [""]
        self._holds_text: list[bool] = [False]
        # The place below a place, by the words of a key, and by the key itself. None is no place.
        self._places: dict[tuple[int, str], int | None] = {}
        self._below: list[dict[str, int | None]] = [{}]

    def places(self) -> list[list[str]]:
        """The strings under keys for texts, by place."""
        found: dict[int, list[str]] = {}
        for root in self._values():
            stack = [(root, 0)]
            while stack:
                value, place = stack.pop()
                if isinstance(value, dict):
                    stack += self._inside(value, place)
                elif isinstance(value, list):
                    stack += [(item, place) for item in reversed(value)]
                elif isinstance(value, str):
                    if value[:1] in ("{", "[") and value[-1:] in ("}", "]"):
                        stack += [(item, place) for item in self._read(value)]
                    elif self._holds_text[place]:
                        found.setdefault(place, []).append(value)
        return list(found.values())

    def _inside(self, value: dict[str, Any], place: int) -> Iterator[tuple[Any, int]]:
        """The values of an object that may contain text, the last first, each with its place."""
        below = self._below[place]
        for key, item in reversed(value.items()):
            if isinstance(item, _HOLDS_TEXT):
                at = below[key] if key in below else below.setdefault(key, self._find(place, key))
                # Most strings are neither text nor JSON.
                if at is not None and (self._holds_text[at] or not isinstance(item, str) or item[:1] in ("{", "[")):
                    yield item, at

    def _find(self, place: int, key: str) -> int | None:
        """The place of a key below a place; the same place for a key within itself, as in rich text."""
        words = _words_of(key[:80])
        if words == self._last[place]:
            return place
        if (place, words) not in self._places:
            if _OTHER_KEYS.isdisjoint([key.lower(), *words.split()]):
                self._places[place, words] = len(self._last)
                self._last.append(words)
                self._holds_text.append(not _TEXT_KEYS.isdisjoint(words.split()))
                self._below.append({})
            else:
                self._places[place, words] = None
        return self._places[place, words]

    def _values(self) -> Iterator[Any]:
        """The JSON values of the page."""
        page, elements = self.page, self.page.elements
        scripts = elements.find("script")
        for row in scripts[elements.source_stop[scripts] - elements.open_stop[scripts] >= _SMALLEST].tolist():
            tag = page.source[elements.source_start[row] : elements.open_stop[row]]
            if _JSON_TYPE.search(tag):
                yield from self._read(script_text(page, row).strip())
            elif not _DATA_TYPE.search(tag):
                yield from self._assigned(script_text(page, row))
        large = np.flatnonzero(elements.open_stop - elements.source_start >= _LARGE_TAG)
        # Elements that the parser opened again have the same start tag.
        for row in large[np.unique(elements.source_start[large], return_index=True)[1]].tolist():
            for value in elements[row].attributes.values():
                if value[:1] in ("{", "["):
                    yield from self._read(value)

    def _assigned(self, script: str) -> Iterator[Any]:
        """The values that a script assigns to its variables."""
        if len(script) > self._left:
            return
        at = 0
        while self._left > 0 and self._broken < _MOST_BROKEN and (match := _ASSIGNED.search(script, at)):
            at = match.end()
            if _VARIABLE.search(script, max(match.start() - _VARIABLE_LENGTH, 0), match.start()):
                value, at = self._decode(script, at)
                yield from self._read(value) if isinstance(value, str) else [value]

    def _read(self, text: str) -> list[Any]:
        return [self._decode(text, 0)[0]] if _SMALLEST <= len(text) <= self._left else []

    def _decode(self, text: str, start: int) -> tuple[Any, int]:
        """The value at an index (None if it is broken) and its end. Counts towards the limit."""
        value = None
        try:
            value, stop = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            stop = error.pos
            self._broken += 1
        except (ValueError, RecursionError):  # a number or a nesting beyond the limits of Python
            stop = len(text)
        stop = max(stop, start + 1)
        self._left -= stop - start
        return value, stop


_DECODER = json.JSONDecoder(strict=False)
