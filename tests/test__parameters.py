"""Parameters that do not fit an algorithm are told in a user's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from webstrata._parameters import check, takes
from webstrata.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    theta: float = 0.38
    inner: float | None = None
    width: int = 80
    improved: bool = False
    lines: Literal["source", "blocks"] = "source"
    names: tuple[str, ...] = ()


class Plain:
    def __init__(self, *, folder: str, width: int = 3) -> None: ...


class Open:
    def __init__(self, **parameters: Any) -> None: ...


class Foreign:
    """As a package writes it that imports a type for type checkers alone."""

    def __init__(self, *, value: NotThere = 1) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"theta": 1, "inner": None, "width": 60, "improved": True, "lines": "blocks"},
        {"theta": np.float64(0.5), "width": np.int64(3)},
        {"names": ["anything, for no check is known"]},
    ],
)
def test_what_fits(parameters: dict[str, Any]) -> None:
    check("bf", Algorithm, parameters)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"thta": 1},
            "bf has no parameter 'thta': it takes theta=0.38, inner=None, width=80, improved=False, lines='source', "
            "names=()",
        ),
        ({"theta": "0.5"}, "bf: theta must be a number, not '0.5'"),
        ({"theta": True}, "bf: theta must be a number, not True"),
        ({"inner": "x"}, "bf: inner must be a number or None, not 'x'"),
        ({"width": 1.5}, "bf: width must be a whole number, not 1.5"),
        ({"improved": 1}, "bf: improved must be True or False, not 1"),
        ({"lines": "columns"}, "bf: lines must be one of 'source', 'blocks', not 'columns'"),
    ],
)
def test_what_does_not_fit(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        check("bf", Algorithm, parameters)
    assert str(caught.value) == message


def test_classes_that_are_no_dataclasses() -> None:
    check("plain", Plain, {"folder": "here"})
    with pytest.raises(InputError, match=r"plain needs folder: it takes folder=\.\.\., width=3"):
        check("plain", Plain, {})
    with pytest.raises(InputError, match="width must be a whole number"):
        check("plain", Plain, {"folder": "here", "width": "wide"})
    check("open", Open, {"anything": 1})
    check("foreign", Foreign, {"value": "anything"})
    # Native code may not tell its parameters.
    check("native", type, {"anything": 1})
    assert takes(type) == "unknown parameters"
