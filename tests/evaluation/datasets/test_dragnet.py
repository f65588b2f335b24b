"""The pages of dragnet as two data sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.dragnet import read_comments, read_content


def test_comments_follow_the_content(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("dragnet-dev")
    content, both = list(read_content()), list(read_comments())
    assert (content[0].name, content[-1].name) == ("100", "T98")
    for alone, longer in zip(content, both, strict=True):
        assert alone.inputs == longer.inputs
        if alone.group == "with comments":
            assert (longer.gold.text or "").startswith(f"{alone.gold.text}\n\n")
        else:
            assert longer.gold.text == alone.gold.text
