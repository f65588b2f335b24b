"""webstrata reads the strata of web pages.

>>> import webstrata
>>> page = webstrata.parse("<h1>Strata</h1><p>A page comes in layers.")
>>> [block.text for block in page.blocks]
['Strata', 'A page comes in layers.']
"""

from webstrata.errors import WebstrataError
from webstrata.page import Page, parse

__all__ = ["Page", "WebstrataError", "parse"]
__version__ = "0.1.0"
