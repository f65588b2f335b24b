import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline
from webstrata.extraction.learned.scorer import Scorer
from webstrata.page import Page

def judge(
    scorer: Scorer,
    page: Page | Outline,
    thresholds: npt.NDArray[np.float64],
    given: bytes,
    *,
    deduplicate: bool = True,
) -> tuple[Outline, npt.NDArray[np.bool_], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.float64]]: ...
