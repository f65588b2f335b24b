from typing import Any

import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline
from webstrata.page import Page

ABOVE: tuple[str, ...]

def outline(page: Page, title: str, inline: npt.NDArray[Any]) -> Outline: ...
