"""What one page may cost."""

from __future__ import annotations

import pytest

from webstrata.crawls import Limits
from webstrata.workers.limits import Reject, read_page


@pytest.mark.parametrize(
    ("html", "limits", "reason"),
    [
        (b"", Limits(), "empty"),
        (b"<p>12345678", Limits(bytes=10), "too large"),
        (b"<div>" * 100 + b"x", Limits(depth=50), "too deep"),
        (b"<p " + b"".join(b"a%d " % i for i in range(20_000)) + b">x", Limits(), "too many attributes"),
    ],
)
def test_limits(html: bytes, limits: Limits, reason: str) -> None:
    with pytest.raises(Reject) as rejection:
        read_page({"html": html}, limits)
    assert rejection.value.reason == reason


def test_an_unknown_encoding_is_ignored() -> None:
    assert read_page({"html": "<p>Мир".encode(), "encoding": "utf-9"}, Limits()).text == "Мир"
