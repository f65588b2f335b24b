"""The packages of the extra."""

from __future__ import annotations

import sys

import pytest

from webstrata.crawls import arrow
from webstrata.errors import MissingExtra


@pytest.mark.parametrize(("package", "module"), [("pyarrow", "pyarrow"), ("fastwarc", "fastwarc.warc")])
def test_a_missing_package_is_named_with_its_extra(package: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"{package} is not installed: run pip install 'webstrata\[scale\]'"):
        getattr(arrow, package)()
