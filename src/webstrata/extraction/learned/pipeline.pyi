from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.scorer import Scorer
from webstrata.page import Page

def classify_paragraphs(
    scorer: Scorer,
    page: Page | PageFeatures,
    thresholds: npt.NDArray[np.float64],
    given: bytes,
    *,
    steps: Iterable[str] = ...,
    hidden: npt.NDArray[np.bool_] | None = None,
) -> tuple[
    PageFeatures, npt.NDArray[np.bool_], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.float64]
]: ...
