"""Windows of the previous, current and next block, and their shallow features as a named matrix (Kohlschütter 2011
§4.4.2).

Neighbours are visible neighbours: hidden blocks are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from webstrata import features
from webstrata.errors import InputError
from webstrata.page import Blocks, Page
from webstrata.text import Column

__all__ = [
    "ALL_FEATURES",
    "BLOCK_FEATURES",
    "CURRENT_FEATURES",
    "POSITION_FEATURES",
    "QUOTIENT_FEATURES",
    "WINDOW_FEATURES",
    "FeatureMatrix",
    "feature_matrix",
    "neighbours",
    "text_frequencies",
]

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

#: Features of a block by itself: structure, shallow text, heuristics, densities.
BLOCK_FEATURES = (
    *(f"in_{name}" for name in (*_HEADINGS, "p", "div", "a")),
    "average_word_length",
    "average_sentence_length",
    "words",
    "capital_words",
    "upper_words",
    "capital_ratio",
    "upper_ratio",
    "full_stop_ratio",
    "date_tokens",
    "bars",
    "link_density",
    "text_density",
)
POSITION_FEATURES = ("absolute_position", "relative_position")
#: Current over previous block: the "text-flow capturing variants" of two features.
QUOTIENT_FEATURES = ("words_quotient", "text_density_quotient")


def _of(places: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name} ({place})" for place in places for name in names)


# The thesis has numbers of features but no list. These sets have its numbers: 23, 25, 64 and 67 (table 4.9).
#: "All Local Features (C)", 23.
CURRENT_FEATURES = (*_of("C", BLOCK_FEATURES), *POSITION_FEATURES)
#: "All Local Features (P/C/N)", 64.
WINDOW_FEATURES = (*_of("PCN", BLOCK_FEATURES), "relative_position")
#: "All Local Features + Global Freq.", 67.
ALL_FEATURES = (*WINDOW_FEATURES, *_of("PCN", ["frequency"]))


def neighbours(column: Column) -> tuple[Column, Column, Column]:
    """A column shifted to the previous, the current and the next row; 0 beyond both ends.

    >>> [each.tolist() for each in neighbours(np.array([4, 5, 6]))]
    [[0, 4, 5], [4, 5, 6], [5, 6, 0]]
    """
    previous, following = np.zeros_like(column), np.zeros_like(column)
    previous[1:] = column[:-1]
    following[:-1] = column[1:]
    return previous, column, following


@dataclass(frozen=True, eq=False)
class FeatureMatrix:
    """A row for each visible block, a column for each feature. ``rows`` are the rows of the blocks in their page."""

    names: tuple[str, ...]
    values: Column
    rows: Column

    def __getitem__(self, name: str) -> Column:
        if name not in self.names:
            raise InputError(f"no feature is called {name!r}: choose one of {', '.join(self.names)}")
        column: Column = self.values[:, self.names.index(name)]
        return column

    def select(self, names: Iterable[str]) -> FeatureMatrix:
        """The same rows with only these columns."""
        chosen = tuple(names)
        columns = [self[name] for name in chosen]
        values = np.stack(columns, axis=1) if columns else np.zeros((len(self.rows), 0))
        return FeatureMatrix(chosen, values, self.rows)


def feature_matrix(page: Page, *, frequencies: Mapping[str, int] | None = None) -> FeatureMatrix:
    """The shallow features of the previous (P), current (C) and next (N) block of each visible block.

    Parameters
    ----------
    page : the page
    frequencies : how often each text occurs in a corpus (`text_frequencies`); by default, the three columns "frequency"
        are left out

    Columns are `BLOCK_FEATURES` for each of P, C and N, `POSITION_FEATURES`, `QUOTIENT_FEATURES` and the frequencies;
    `CURRENT_FEATURES`, `WINDOW_FEATURES` and `ALL_FEATURES` are sets to select.

    Deviations
    ----------
    The thesis counts texts in a crawl of 254,000 pages that is lost; here the caller gives a corpus.

    >>> from webstrata.page import parse
    >>> matrix = feature_matrix(parse("<h1>Strata</h1><p>A page comes in layers.<p hidden>Psst."))
    >>> matrix["words (C)"].tolist(), matrix["words (P)"].tolist(), matrix["in_h1 (P)"].tolist()
    ([1.0, 5.0], [0.0, 1.0], [0.0, 1.0])

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, section 4.4.2.
    """
    rows = np.flatnonzero(~page.blocks.hidden)
    current = _block_features(page.blocks, rows)
    columns: dict[str, Column] = {}
    for name, column in current.items():
        columns.update(_window(name, column))
    columns["absolute_position"] = np.arange(len(rows), dtype=np.float64)
    columns["relative_position"] = columns["absolute_position"] / max(len(rows) - 1, 1)
    for name in ("words", "text_density"):
        columns[f"{name}_quotient"] = features.ratio(columns[f"{name} (C)"], columns[f"{name} (P)"])
    order = [*_of("PCN", BLOCK_FEATURES), *POSITION_FEATURES, *QUOTIENT_FEATURES]
    if frequencies is not None:
        found = [frequencies.get(_key(page.blocks[int(row)].text), 0) for row in rows]
        columns.update(_window("frequency", np.array(found, np.float64)))
        order += _of("PCN", ["frequency"])
    values = np.stack([columns[name] for name in order], axis=1)
    return FeatureMatrix(tuple(order), values, rows)


def text_frequencies(pages: Iterable[Page]) -> Counter[str]:
    """How often each text occurs as a visible block of these pages, ignoring case.

    >>> from webstrata.page import parse
    >>> text_frequencies([parse("<p>Home<p>News"), parse("<p>home")])
    Counter({'home': 2, 'news': 1})
    """
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update(_key(block.text) for block in page.blocks if not block.hidden)
    return counts


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()


def _window(name: str, column: Column) -> dict[str, Column]:
    return {f"{name} ({place})": view for place, view in zip("PCN", neighbours(column), strict=True)}


def _block_features(blocks: Blocks, rows: Column) -> dict[str, Column]:
    counts, words = features.shallow(blocks), blocks.words
    columns = {f"in_{name}": features.enclosed_by(blocks, name) for name in (*_HEADINGS, "p", "div", "a")}
    columns |= {
        "average_word_length": features.ratio(counts.word_chars, words),
        "average_sentence_length": features.ratio(words, counts.sentences),
        "words": words,
        "capital_words": counts.capital_words,
        "upper_words": counts.upper_words,
        "capital_ratio": features.ratio(counts.capital_words, words),
        "upper_ratio": features.ratio(counts.upper_words, words),
        "full_stop_ratio": features.ratio(counts.full_stops, words),
        "date_tokens": features.date_tokens(blocks),
        "bars": counts.bars,
        "link_density": features.link_density(blocks),
        "text_density": features.text_density(blocks),
    }
    return {name: columns[name][rows].astype(np.float64) for name in BLOCK_FEATURES}
