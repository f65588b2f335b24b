from webstrata.page import Page
from webstrata.text import Column

def write(page: Page, keep: Column, *, images: bool = True, links: bool = True) -> str: ...
