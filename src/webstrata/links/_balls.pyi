from webstrata.text import Column

def exact(start: Column, source: Column, first: int, stop: int, score: Column) -> None: ...
def begin(rows: Column, seed: int) -> None: ...
def sizes(rows: Column, size: Column) -> None: ...
def grow(
    start: Column,
    source: Column,
    before: Column,
    after: Column,
    grew: Column,
    grows: Column,
    distance: float,
    size: Column,
    score: Column,
    first: int,
    stop: int,
) -> float: ...
