"""Pages made of real tags at random: deep, wide, wrongly nested, with few names each, so that these meet often."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

from webstrata.page import TAGS

__all__ = ["trees", "written_tree"]

_NAMES = [*(name for name in TAGS if name), "x-y", "o:p", "image", "LinearGradient", "mglyph"]
_ATTRIBUTES = (
    "", "", "", "", " hidden", " class='comment byline'", " href=/a", " id=x title='&lt;'", " style='display:none'",
    " src=x.png alt=x", " colspan=9 rowspan=9", " itemprop=author", " datetime=2020-02-02", " lang=de", " /",
    " encoding=text/html", " data-block=1", " aria-hidden=true", " type=hidden", " start=7", " content='Ada Stone'",
)  # fmt: skip
_TEXTS = (
    "x", " ", "\n", "Silt settles on the floor of the lake.", "One. Two? Three!", "&amp;&lt;", "<", "2 May 2021",
    "By Ada Stone", "漢字かな交じり文。", "a" * 300, "e\u0301\u0316", "`` ` ``", "| * _ [x](y) #", "$x^2$",
    "\u202e\u200b", "\0",
)  # fmt: skip
_TIMES = (1, 1, 1, 1, 2, 5, 40, 600)

# A step: what to write, how often.
_Step = tuple[str, int]


def written_tree(steps: Sequence[_Step]) -> bytes:
    """A page of so many bytes at most that it is no test of patience."""
    return "".join(text * times for text, times in steps)[:10_000].encode()


def steps(rng: random.Random) -> list[_Step]:
    """The steps to a random page."""
    names = rng.sample(_NAMES, rng.randint(1, 8))
    opens, text = rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.9)
    found: list[_Step] = []
    open_names: list[str] = []
    times = _TIMES if rng.random() < 0.3 else (1,)
    for _ in range(rng.randint(1, 120)):
        if rng.random() < opens:
            name = rng.choice(names)
            open_names.append(name)
            found.append((f"<{name}{rng.choice(_ATTRIBUTES)}>", rng.choice(times)))
        elif open_names:
            # Now and then the wrong one.
            at = -1 if rng.random() < 0.8 else rng.randrange(len(open_names))
            found.append((f"</{open_names.pop(at)}>", rng.choice(times)))
        if rng.random() < text:
            found.append((rng.choice(_TEXTS), rng.choice(times)))
    return found


def _tagged(name: str) -> st.SearchStrategy[_Step]:
    tags = st.sampled_from([*(f"<{name}{some}>" for some in _ATTRIBUTES), f"</{name}>", f"</{name}>"])
    return st.tuples(tags, st.sampled_from(_TIMES))


def trees() -> st.SearchStrategy[bytes]:
    """Pages of some names, for hypothesis."""
    texts = st.tuples(st.sampled_from(_TEXTS), st.sampled_from(_TIMES))
    names = st.lists(st.sampled_from(_NAMES), min_size=1, max_size=4, unique=True)
    return names.flatmap(
        lambda some: st.lists(st.one_of(texts, *map(_tagged, some)), min_size=1, max_size=40).map(written_tree)
    )
