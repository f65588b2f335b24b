from collections.abc import Iterable

from webstrata._scan.columns import Columns

class TagWords:
    words: tuple[bytes, ...]
    def __init__(self, words: Iterable[bytes]) -> None: ...
    def rows(self, source: bytes, elements: Columns) -> dict[bytes, list[int]]: ...
