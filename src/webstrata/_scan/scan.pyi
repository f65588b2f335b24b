from typing import Any

from webstrata.text import Column

def scan(
    source: bytes, width: int
) -> tuple[str, tuple[int, int] | None, list[Column], list[Column], list[Column], list[Column]]: ...
def tokens(source: bytes, state: str = "data", last_start_tag: bytes = b"") -> list[tuple[Any, ...]]: ...
