import numpy as np
import numpy.typing as npt

from webstrata.extraction.learned.page_features import PageFeatures

def feature_names(page: PageFeatures) -> tuple[str, ...]: ...
def features(page: PageFeatures, out: npt.NDArray[np.float32], count: int) -> None: ...
