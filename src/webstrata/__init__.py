"""webstrata reads the strata of web pages.

>>> import webstrata
>>> page = webstrata.parse("<h1>Strata</h1><p>A page comes in layers.")
>>> [block.text for block in page.blocks]
['Strata', 'A page comes in layers.']
>>> webstrata.segment(page, "bf-rulebased").texts()
['Strata', 'A page comes in layers.']
>>> webstrata.extract(page, "keep-all").text
'Strata\\n\\nA page comes in layers.'

Names are imported lazily, so that the command line prints its help without loading NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstrata.crawls.jobs.extract_many import extract_many
    from webstrata.errors import WebstrataError
    from webstrata.extraction import Extraction, extract
    from webstrata.page import Page, parse
    from webstrata.segmentation import Segment, Segmentation, segment

__all__ = [
    "Extraction",
    "Page",
    "Segment",
    "Segmentation",
    "WebstrataError",
    "extract",
    "extract_many",
    "parse",
    "segment",
]
__version__ = "0.1.0"

_HOMES = {
    "Extraction": "webstrata.extraction",
    "Page": "webstrata.page",
    "Segment": "webstrata.segmentation",
    "Segmentation": "webstrata.segmentation",
    "WebstrataError": "webstrata.errors",
    "extract": "webstrata.extraction",
    "extract_many": "webstrata.crawls.jobs.extract_many",
    "parse": "webstrata.page",
    "segment": "webstrata.segmentation",
}


if not TYPE_CHECKING:  # a type checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
