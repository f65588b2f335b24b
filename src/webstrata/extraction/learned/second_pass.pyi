import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline

def context_names(page: Outline) -> tuple[str, ...]: ...
def context(
    page: Outline, score: npt.NDArray[np.float64], out: npt.NDArray[np.float32], column: int, count: int
) -> None: ...
