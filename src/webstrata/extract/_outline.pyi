from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata.page import Page

ABOVE: tuple[str, ...]

class Outline:
    first_block: npt.NDArray[np.int32]
    words: npt.NDArray[np.int32]
    def __len__(self) -> int: ...
    def unit_of_block(self, blocks: int) -> npt.NDArray[np.int32]: ...
    def under(self, names: Iterable[str]) -> npt.NDArray[np.bool_]: ...
    def tokens(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.uint32]]: ...

def outline(page: Page, title: str, inline: npt.NDArray[Any]) -> Outline: ...
