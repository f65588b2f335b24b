from typing import Any

from webstrata.blocks import Blocks
from webstrata.elements import Elements

class Survey:
    headings: list[int]
    times: list[int]
    body: int
    canonical: list[int]
    tags: list[int]
    categories: list[int]
    licences: list[int]
    def __init__(self, elements: Elements) -> None: ...
    def contents(self, names: tuple[str, ...]) -> list[list[str]]: ...

class Mark:
    row: int
    item: str
    relation: str
    words: str
    def __init__(self, elements: Elements, row: int, longest: int) -> None: ...

def names_around(elements: Elements, row: int, levels: int, longest: int) -> str: ...
def shown_around(blocks: Blocks, end: int, before: int, after: int) -> list[tuple[int, int]]: ...
def objects_of(root: Any, most: int) -> list[dict[str, Any]]: ...
def is_one_of(node: dict[str, Any], endings: tuple[str, ...]) -> bool: ...
def most_like(
    nodes: list[dict[str, Any]], endings: tuple[str, ...], others: tuple[str, ...]
) -> list[dict[str, Any]]: ...
def marked(elements: Elements, start: int, stop: int, most: int) -> tuple[list[int], list[int]]: ...
