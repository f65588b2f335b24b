from __future__ import annotations

from recordings import batches, rows_of

from webstrata.crawls.jobs.blocks import ListBlocks


def test_blocks_with_their_counts() -> None:
    [row] = rows_of(ListBlocks()(batches(b"<title>T</title><p>one two<div hidden>three")))
    assert [(block["text"], block["tag"], block["words"], block["hidden"]) for block in row["blocks"]] == [
        ("one two", "p", 2, False),
        ("three", "div", 1, True),
    ]
