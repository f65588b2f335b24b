"""The tree of errors."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path

import pytest

from webstrata import errors
from webstrata.errors import EncodingError, InputError, MissingExtra, WebstrataError, need

SOURCE = Path(errors.__file__).parent


def test_the_tree() -> None:
    assert issubclass(InputError, WebstrataError)
    assert issubclass(InputError, ValueError)
    assert issubclass(EncodingError, InputError)
    assert issubclass(MissingExtra, WebstrataError)
    assert issubclass(MissingExtra, ImportError)


def test_the_docstring_draws_the_whole_tree() -> None:
    tree = (errors.__doc__ or "").split("::")[1].partition("Bad HTML")[0]
    drawn = [(len(indent) // 4, name) for indent, name in re.findall(r"^(\W+)(\w+)", tree, re.MULTILINE)]
    defined = {
        name: parent
        for path in SOURCE.rglob("*.py")
        for name, parent in re.findall(r"^class (\w+)\((\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    branches: dict[int, str] = {}
    parents = {}
    for depth, name in drawn:
        parents[name] = branches.get(depth - 1, "Exception")
        branches[depth] = name
    of_ours = {"WebstrataError"}
    while more := {name for name, parent in defined.items() if parent in of_ours} - of_ours:
        of_ours |= more
    assert parents == {name: defined[name] for name in of_ours}


def test_messages_say_what_to_do() -> None:
    assert "'klingon'" in str(EncodingError("klingon"))
    missing = MissingExtra("eval", "scipy")
    assert (missing.extra, missing.package) == ("eval", "scipy")
    assert "scipy" in str(missing)
    assert "pip install 'webstrata[eval]'" in str(missing)


@pytest.mark.parametrize("error", [EncodingError("klingon"), MissingExtra("eval", "scipy"), InputError("too big")])
def test_errors_cross_process_boundaries(error: WebstrataError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_need_knows_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    need("eval", "scikit-learn", "scipy")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match="scikit-learn is not installed"):
        need("eval", "scipy", "scikit-learn")
