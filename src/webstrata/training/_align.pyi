import numpy as np
import numpy.typing as npt

def align(
    left: npt.NDArray[np.int32], left_place: npt.NDArray[np.int32], right: npt.NDArray[np.int32]
) -> npt.NDArray[np.bool_]: ...
