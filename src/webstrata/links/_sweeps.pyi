from webstrata.text import Column

def sweep(
    start: Column,
    slot: Column,
    jump: Column,
    received: Column | None,
    order: Column | None,
    factor: Column,
    stay: Column | None,
    alpha: float,
    weight: Column,
    at_once: bool,
    first: int,
    stop: int,
    x: Column,
    rank: Column,
    sums: Column,
) -> None: ...
def sweep_float32(
    start: Column,
    slot: Column,
    jump: Column,
    order: Column | None,
    factor: Column,
    stay: Column | None,
    alpha: float,
    weight: Column,
    shares: Column,
    sums: Column,
) -> None: ...
def refine(factor: Column, shares: Column, rank: Column) -> None: ...
def share(factor: Column, rank: Column, x: Column) -> None: ...
def votes_out(start: Column, slot: Column, factor: Column, x: Column, first: int, stop: int, votes: Column) -> None: ...
def votes_in(page: Column, vote: Column, votes: Column, first: int, stop: int, received: Column) -> None: ...
def transpose(
    start: Column, end: Column, mark: Column, start_back: Column, end_back: Column, mark_back: Column
) -> None: ...
