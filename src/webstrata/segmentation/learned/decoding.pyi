import numpy as np
import numpy.typing as npt

from webstrata.segmentation.learned.candidates import Candidates

def select(
    self: Candidates, score: npt.NDArray[np.float64], cut: float
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def select_parts(
    self: Candidates, kind: npt.NDArray[np.int32], chance: npt.NDArray[np.float64], cut: float
) -> npt.NDArray[np.bool_]: ...
