"""Pairs of pages against all pairs compared one by one."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np

from webstrata.duplicates import PAPER, Rule
from webstrata.evaluation.papers.duplicate_pages import PairedPages, count_pairs, manual_pages
from webstrata.page import parse

WORDS = [f"word{number}" for number in range(400)]


def variant(seed: int, changed: int) -> str:
    """A text of 120 words, some of which are another's."""
    random = np.random.default_rng(seed)
    words = list(WORDS[:120])
    for place in random.choice(120, changed, replace=False).tolist():
        words[place] = WORDS[200 + place]
    return " ".join(words)


def test_pairs_are_those_of_comparing_each_with_each() -> None:
    texts = [variant(seed, changed) for seed, changed in enumerate([0, 1, 1, 2, 60, 110, 0, 3])] + ["", "short"]
    side = np.array([0, 1, 0, 1, 0, 1, 1, 0, 0, 1])
    content = np.array([0, 0, 0, 1, 1, 2, 0, 3, 4, 5])
    given = PairedPages([parse("x")] * len(texts), side, content)
    for rule in (PAPER, Rule()):
        signatures = [rule.signature(text) for text in texts]
        true = found = others = wrong = within = 0
        for one, other in combinations(range(len(texts)), 2):
            a, b = signatures[one], signatures[other]
            near = False
            if a is not None and b is not None:
                equal = a == b
                in_a_band = equal.reshape(rule.bands, rule.rows).all(axis=1).any()
                near = bool(in_a_band) and int(equal.sum()) >= rule.needed
            across, same = side[one] != side[other], content[one] == content[other]
            true += same and across
            found += same and across and near
            others += not same and across
            wrong += not same and across and near
            within += not same and not across and near
        counts = count_pairs(texts, given, rule)
        assert (counts.true, counts.found, counts.others) == (true, found, others)
        assert (counts.wrong, counts.wrong_within) == (wrong, within)
        assert counts.found
        assert counts.wrong


def test_pages_of_the_same_path_have_the_same_content(tmp_path: Path) -> None:
    for release, pages in (("1.0", "ab"), ("1.1", "bc")):
        folder = tmp_path / release / "html"
        folder.mkdir(parents=True)
        for name in pages:
            (folder / f"{name}.html").write_text(f"<p>{name} {release}")
    given = manual_pages(tmp_path / "1.0", tmp_path / "1.1")
    assert given.side.tolist() == [0, 0, 1, 1]
    assert given.content.tolist() == [0, 1, 1, 2]
