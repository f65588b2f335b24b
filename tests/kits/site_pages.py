"""Pages of one site, and whether two sites are equal."""

from __future__ import annotations

import random
from dataclasses import fields

import numpy as np

from webstrata.sites import Site

__all__ = ["NOTICE", "html", "same"]

WORDS = "strata are layers of a page and each of them is read with care before any word is kept or left out".split()
NOTICE = "We care for the writing of our readers, read all about it in our terms of use."


def html(number: int) -> str:
    chance = random.Random(number)
    text = "".join(f"<p>{' '.join(chance.choices(WORDS, k=30))} {number}.</p>" for _ in range(2 + number % 5))
    menu = "<div id=menu><h4>The menu</h4><ul><li><a href=/>Home</a><li><a href=/h>Help me</a></ul></div>"
    return f"{menu}<div id=c><h1>Title {number}</h1>{text}</div><div class=n><em>Note</em><div><p>{NOTICE}</div></div>"


def same(one: Site, other: Site) -> bool:
    """Whether all that is known of two sites is equal."""
    arrays = ("fingerprints", "frequency")
    names = [item.name for item in fields(Site) if item.name not in (*arrays, "tree")]
    return (
        all(getattr(one, name) == getattr(other, name) for name in names)
        and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and one.tree.tree == other.tree.tree
        and one.tree.rules == other.tree.rules
        and np.array_equal(one.tree.into, other.tree.into)
        and np.array_equal(one.tree.flow, other.tree.flow)
    )
