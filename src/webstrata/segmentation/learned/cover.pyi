import numpy as np
import numpy.typing as npt

from webstrata.segmentation.learned.candidates import Candidates

def cover(
    self: Candidates,
    rows: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.int32],
    chances: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]: ...
