"""``webstrata algorithms``, as a user meets it."""

from __future__ import annotations

import json
import re

from commands import webstrata


def test_algorithms_are_listed_with_their_parameters() -> None:
    assert "theta=0.38, inner=None, width=80" in webstrata("algorithms").output
    rows = [json.loads(line) for line in webstrata("algorithms", "--json").output.splitlines()]
    assert all(row["parameters"] for row in rows)


def test_algorithms() -> None:
    lines = [re.split("  +", line)[:3] for line in webstrata("algorithms").output.splitlines()]
    assert ["segmenter", "bf-rulebased", "Kohlschütter & Nejdl 2008 equation 8"] in lines
    rows = [json.loads(line) for line in webstrata("algorithms", "--json").output.splitlines()]
    (taggap,) = (row for row in rows if row["name"] == "taggap")
    assert (taggap["kind"], taggap["paper"], taggap["needs"]) == ("segmenter", "Kohlschütter & Nejdl 2008 §5", "")
    assert {row["kind"] for row in rows} == {"segmenter", "extractor", "filter"}
