import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline

SUMS: tuple[str, ...]

class Vocabulary:
    def __init__(self, hashes: npt.NDArray[np.uint32], weights: npt.NDArray[np.float32]) -> None: ...
    def unit_sums(self, page: Outline, out: npt.NDArray[np.float32], column: int) -> None: ...
