from webstrata.blocks import Blocks
from webstrata.text import Column

def goes_on(blocks: Blocks, keep: Column, ends: Column, lines: Column) -> Column: ...
def runs(
    blocks: Blocks, keep: Column, ends: Column, lines: Column
) -> tuple[list[int], list[int], list[tuple[int, int, int]]]: ...
