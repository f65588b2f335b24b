"""None"""

from __future__ import annotations

import pickle
import sys

import pytest

from webstrata.errors import EncodingError, InputError, MissingExtra, WebstrataError, need


def test_the_tree() -> None:
    assert issubclass(InputError, WebstrataError)
    assert issubclass(InputError, ValueError)
    assert issubclass(EncodingError, InputError)
    assert issubclass(MissingExtra, WebstrataError)
    assert issubclass(MissingExtra, ImportError)


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
