import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.outline import Outline

def feature_names(outline: Outline) -> tuple[str, ...]: ...
def features(outline: Outline, out: npt.NDArray[np.float32], count: int) -> None: ...
