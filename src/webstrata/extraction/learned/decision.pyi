import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline

REASONS: tuple[str, ...]

def decide(
    page: Outline,
    first: npt.NDArray[np.float64],
    score: npt.NDArray[np.float64],
    threshold: float,
    *,
    tells: bool = False,
    deduplicate: bool = True,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
