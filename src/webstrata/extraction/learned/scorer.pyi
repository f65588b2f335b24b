from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.vocabulary import Vocabulary
from webstrata.models.trees import Trees

DAMPING: float

def start_score(first: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...

class Scorer:
    def __init__(
        self,
        words: Vocabulary,
        page_words: Vocabulary,
        page_bias: npt.NDArray[np.float32],
        start: Trees,
        first: Trees,
        second: Trees,
        *,
        features: int,
        sums: int,
        context: int,
    ) -> None: ...
    def weigh(self, page: PageFeatures, out: npt.NDArray[np.float32]) -> None: ...
    def passes(self, page: PageFeatures) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int, bool]: ...
    def matrix_rows(
        self, page: PageFeatures, first: npt.NDArray[np.float64], most: int
    ) -> Iterator[npt.NDArray[np.float32]]: ...
