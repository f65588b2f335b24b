import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline

CONTEXT: tuple[str, ...]

def context(page: Outline, score: npt.NDArray[np.float64], out: npt.NDArray[np.float32], column: int) -> None: ...
