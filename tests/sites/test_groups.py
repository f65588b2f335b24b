"""Pages are grouped by their templates, whatever their number of paragraphs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.page import Page, parse
from webstrata.sites import template_groups
from webstrata.sites.groups import group_nodes
from webstrata.sites.nodes import nodes_of

_SHELLS = (
    "<div id=top><b>Strata</b></div><div class=text><h1>{0}</h1>{1}</div><div id=foot><p>Imprint</div>",
    "<table border=0><tr><td>{0}<td><ul class=parts><li>Price<li>{0}</ul><tr><td>{1}</table>",
    "<form action=x><fieldset id=q><label>{0}</label></fieldset></form><section role=main>{1}</section>",
)


def pages(count: int = 30) -> tuple[list[Page], list[int]]:
    """Pages of three templates in random order, with 1 to 20 paragraphs each."""
    chance = random.Random(3)
    kinds = [0, 1, 2, *(chance.randrange(3) for _ in range(count - 3))]
    made = [
        _SHELLS[kind].format(number, "<p>Some words.</p>" * chance.randint(1, 20)) for number, kind in enumerate(kinds)
    ]
    return list(map(parse, made)), kinds


def test_groups_are_the_templates() -> None:
    found, kinds = pages()
    assert template_groups(found).tolist() == kinds
    assert group_nodes([nodes_of(page) for page in found]).tolist() == kinds


def test_similarity_decides() -> None:
    found, _ = pages()
    assert template_groups(found, similarity=0.01).max() == 0
    assert len(np.unique(template_groups(found, similarity=1.0))) >= 3
    for wrong in (0, 1.1, float("nan")):
        with pytest.raises(InputError):
            template_groups(found, similarity=wrong)


def test_empty_pages_are_a_group() -> None:
    assert template_groups(["", "", "<div><section><h1>a</h1><p>text</section></div>"]).tolist() == [0, 0, 1]
    assert template_groups([]).tolist() == []
