from collections.abc import Callable, Sequence

from webstrata.text import Column

def masses(
    start: Column, block: Column, block_page: Column, alive: Column, pages: int, frequency: Column, mass: Column
) -> None: ...
def matches(
    pages: Column,
    block_start: Column,
    paragraph: Column,
    stratum: Column,
    mass: Column,
    first_mass: int,
    begin: Column,
    end: Column,
    posting_block: Column,
    idf: Column,
    whole: float,
) -> tuple[Column, Column, Column]: ...

class Order:
    def __init__(self, sequence: Sequence[str]) -> None: ...
    def share(self, text: str, alter: Callable[[str], str | None] | None = None) -> float: ...
