from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.page import Page

def read_page(page: Page) -> PageFeatures: ...
