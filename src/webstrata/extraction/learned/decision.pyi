from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.page_features import PageFeatures

REASONS: tuple[str, ...]
STEPS: tuple[str, ...]

def decide(
    page: PageFeatures,
    first: npt.NDArray[np.float64],
    score: npt.NDArray[np.float64],
    threshold: float,
    *,
    type_is_known: bool = False,
    steps: Iterable[str] = STEPS,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...
