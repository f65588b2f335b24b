from webstrata.page import Page
from webstrata.text import Column

def in_tables(page: Page, keep: Column) -> Column: ...
