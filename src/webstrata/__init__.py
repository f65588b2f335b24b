"""webstrata reads the strata of web pages.

>>> import webstrata
>>> page = webstrata.parse("<h1>Strata</h1><p>A page comes in layers.")
>>> [block.text for block in page.blocks]
['Strata', 'A page comes in layers.']
>>> webstrata.segment(page, "bf-rulebased").texts()
['Strata', 'A page comes in layers.']
>>> webstrata.extract(page, "keep-all").text
'Strata\\n\\nA page comes in layers.'
"""

from webstrata.errors import WebstrataError
from webstrata.extraction import Extraction, extract
from webstrata.page import Page, parse
from webstrata.segmentation import Segment, Segmentation, segment

__all__ = ["Extraction", "Page", "Segment", "Segmentation", "WebstrataError", "extract", "parse", "segment"]
__version__ = "0.1.0"
