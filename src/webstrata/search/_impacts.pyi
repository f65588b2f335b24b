from webstrata.text import Column

def find(data: Column, start: Column, name: bytes) -> int: ...
def class_sums(
    start: Column,
    block: Column,
    count: Column,
    block_page: Column,
    block_segment: Column,
    segment_class: Column,
    class_segments: Column,
    first_term: int,
    stamp: Column,
    holding: Column,
    vocabulary_sum: Column,
    vocabulary: Column,
    occurrence_sum: Column,
    occurrences: Column,
) -> None: ...
def impacts(
    start: Column, block: Column, count: Column, block_page: Column, weight: Column, pages: int, k1: float
) -> tuple[Column, Column, Column]: ...
def scores(start: Column, page: Column, impact: Column, terms: Column, times: Column, out: Column) -> None: ...
def best(score: Column, k: int) -> tuple[Column, Column, int]: ...
