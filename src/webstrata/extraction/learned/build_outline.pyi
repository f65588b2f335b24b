from webstrata.extraction.learned.outline import Outline
from webstrata.page import Page

def outline(page: Page) -> Outline: ...
