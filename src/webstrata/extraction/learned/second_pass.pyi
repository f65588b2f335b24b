import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.page_features import PageFeatures

def context_names(page: PageFeatures) -> tuple[str, ...]: ...
def context(
    page: PageFeatures, score: npt.NDArray[np.float64], out: npt.NDArray[np.float32], column: int, count: int
) -> None: ...
