from collections.abc import Sequence

from webstrata.page import Page
from webstrata.text import Column

def blocks_as_json(
    page: Page, keep: Column, kind: Column, score: Column, reason: Column, kinds: Sequence[str], reasons: Sequence[str]
) -> str: ...
