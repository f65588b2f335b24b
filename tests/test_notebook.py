"""Tables for notebooks."""

from __future__ import annotations

from webstrata._notebook import Line, table


def test_text_is_escaped() -> None:
    shown = table("<script>1", [Line("<b>", '"><img src=x onerror=alert(1)>', "#fff")])
    assert "<script" not in shown
    assert "<img" not in shown
    assert "<b>" not in shown


def test_size_is_bounded() -> None:
    shown = table("a" * 10**6, (Line("b" * 10**5, "&" * 10**5) for _ in range(10**5)))
    assert len(shown) < 10**6
    assert "…" in shown


def test_a_short_table_is_whole() -> None:
    assert "…" not in table("", [Line("label", "text")] * 200)
