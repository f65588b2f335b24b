import numpy as np
import numpy.typing as npt

from webstrata._boxes import Boxes
from webstrata.page import Page
from webstrata.segmentation.learned.candidates import Candidates
from webstrata.text import Column

class Looks:
    def __init__(self, found: Candidates, boxes: Boxes, page: Page, seen: Column) -> None: ...
    def names(self) -> tuple[str, ...]: ...
    def fill(self, chosen: npt.NDArray[np.int32], out: npt.NDArray[np.float32], first: int, count: int) -> None: ...
