"""Which of the hidden text of a page is left out.

Text is hidden by the attributes ``hidden`` and ``aria-hidden``, by an inline style, and in elements such as
``noscript``. It is often a copy, a template or spam, and may be written for programs that read pages. But it may also
be text that the page shows later: what waits behind a tab, in the next slide or below "read more" counts as shown, and
so does an article behind a paywall.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.decision import REASONS
from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.result import Kind
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["hidden_to_drop"]

_REPEATED = REASONS.index("said before")
_NOT_GIVEN = (Kind.BOILERPLATE, Kind.COMMENT)
# Attributes that name the element that a control opens. One expression each: they begin with fixed letters, which makes
# the search more than twice as fast.
_OPENS = tuple(
    re.compile(name + rb"\s*=\s*[\"']?#?([^\s\"'<>#]+)")
    for name in (b"aria-controls", b"data-target", b"data-bs-target", b"href")
)
_PANEL_ROLES = frozenset(("tabpanel", "region"))
_SHOWN_LATER = re.compile(r"slide|carousel|swiper|slick|paywall", re.IGNORECASE)


def hidden_to_drop(
    page: Page,
    classified: tuple[PageFeatures, Column, npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.float64]],
) -> npt.NDArray[np.bool_] | None:
    """For each paragraph whether it is left out as hidden; None if no hidden paragraph is kept, or most of them are.

    Parameters
    ----------
    classified : the features of the page, and which paragraphs are kept, their kinds, reasons and scores
    """
    features, _, kind, reason, _ = classified
    hidden = page.blocks.hidden[features.first_block]
    # A copy of hidden text that is shown counts as kept: it will be, without the hidden one.
    kept = ~np.isin(kind, _NOT_GIVEN) | (reason == _REPEATED)
    if not (hidden & kept).any():
        return None
    closed = hidden & ~_shown_later(page, features.first_block, np.flatnonzero(hidden))
    words = np.add.reduceat(page.blocks.words, features.first_block)
    dropped, every = int(words[closed & kept].sum()), int(words[kept].sum())
    return closed if 0 < 2 * dropped <= every else None


def _shown_later(page: Page, first_block: Column, paragraphs: Column) -> Column:
    """Which of all paragraphs are hidden by an element that the page shows later, among the given ones."""
    opened = cache(partial(_opened, page.source))
    found = np.zeros(len(first_block), bool)
    known: dict[int, bool] = {}
    parents, hides = page.elements.parent, page.elements.hidden
    for paragraph in paragraphs.tolist():
        row = int(page.blocks.element[first_block[paragraph]])
        path = []
        while row >= 0 and hides[row] and row not in known:
            path.append(row)
            row = int(parents[row])
        later = known.get(row, False)
        for row in reversed(path):
            later = known[row] = later or _is_shown_later(page, row, opened)
        found[paragraph] = later
    return found


def _opened(source: bytes) -> frozenset[str]:
    """The names of the elements that controls of a page open."""
    return frozenset(name.decode("utf-8", "replace") for each in _OPENS for name in each.findall(source))


def _is_shown_later(page: Page, row: int, opened: Callable[[], frozenset[str]]) -> bool:
    attributes = page.elements[row].attributes
    # Last what searches the whole page.
    return (
        attributes.get("role") in _PANEL_ROLES
        or attributes.get("hidden") == "until-found"
        or "aria-labelledby" in attributes
        or bool(_SHOWN_LATER.search(attributes.get("class") or ""))
        or ("id" in attributes and attributes["id"] in opened())
    )
