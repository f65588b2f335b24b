import numpy as np
import numpy.typing as npt

MOST_LEAVES: int

class Trees:
    width: int
    def __init__(
        self,
        feature: npt.ArrayLike,
        threshold: npt.ArrayLike,
        tree: npt.ArrayLike,
        leaves: npt.ArrayLike,
        value: npt.ArrayLike,
    ) -> None: ...
    def __len__(self) -> int: ...
    def sums(self, matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]: ...
    def class_sums(self, matrix: npt.NDArray[np.float32], classes: int) -> npt.NDArray[np.float64]: ...
    def add(
        self, matrix: npt.NDArray[np.float32], rows: npt.NDArray[np.int32], out: npt.NDArray[np.float64]
    ) -> None: ...
