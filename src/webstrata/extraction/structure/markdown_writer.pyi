from webstrata.extraction.structure.roles import Roles
from webstrata.page import Page
from webstrata.text import Column

def write(
    page: Page, keep: Column, roles: Roles, *, images: bool = True, links: bool = True, in_notes: bool = False
) -> str: ...
def write_traced(
    page: Page, keep: Column, roles: Roles, *, images: bool = True, links: bool = True, in_notes: bool = False
) -> tuple[str, Column]: ...
