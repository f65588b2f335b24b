import numpy as np
import numpy.typing as npt

from webstrata.segmentation.learned.candidates import Candidates

def feature_names(self: Candidates) -> tuple[str, ...]: ...
def features(self: Candidates, chosen: npt.NDArray[np.int32], out: npt.NDArray[np.float32], count: int) -> None: ...
