"""Extractors from shallow text features (seed 003 §4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webstrata.extract.base import Extraction, decide
from webstrata.page import Page

__all__ = ["KeepAll"]


@dataclass(frozen=True, kw_only=True)
class KeepAll:
    """Keep every block that is shown: the baseline of seed 003 §4.4.3."""

    def __call__(self, page: Page) -> Extraction:
        return decide(self, page, ~page.blocks.hidden & np.ones(len(page.blocks), bool))
