from webstrata.text import Column

def fuse(
    words: Column,
    lines: Column,
    wrapped_words: Column,
    flags: Column,
    gap: Column,
    masks: tuple[tuple[int, ...], ...],
    cuts: Column,
    threshold: float,
    smoothing: int,
    low: float,
    max_passes: int,
) -> tuple[list[int], list[int], list[tuple[int, int]]]: ...
