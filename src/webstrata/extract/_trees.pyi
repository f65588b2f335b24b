import numpy as np
import numpy.typing as npt

class Trees:
    width: int
    def __init__(
        self,
        roots: npt.ArrayLike,
        depths: npt.ArrayLike,
        feature: npt.ArrayLike,
        threshold: npt.ArrayLike,
        child: npt.ArrayLike,
        value: npt.ArrayLike,
    ) -> None: ...
    def __len__(self) -> int: ...
    def sums(
        self, rows: npt.NDArray[np.float32], start: int = 0, stop: int | None = None
    ) -> npt.NDArray[np.float64]: ...
