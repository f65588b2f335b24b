"""Reports on extractions."""

from __future__ import annotations

import numpy as np

from webstrata.apps.explain import report
from webstrata.extraction.base import decide
from webstrata.extraction.shallow import KeepAll
from webstrata.page import parse


def test_a_report_is_safe_and_takes_any_page() -> None:
    hostile = parse(
        "<title>@page@ </script><b>x</title><p>&lt;script>alert(1)&lt;/script> @strip@ \" '<p>b" + "<p>c" * 3000
    )
    scores = np.linspace(0, 1, len(hostile.blocks))
    scores[1] = np.nan
    text = report(decide(KeepAll(), hostile, scores > 0.5, score=scores), name="<i>")
    assert text.count("<script>") == 1
    assert "alert(1)</script>" not in text
    assert text.count("<rect") == 3 * 600
    assert text.count("</p>") >= 3000
    empty = parse("")
    assert "0 of 0 blocks" in report(decide(KeepAll(), empty, np.zeros(0, bool)), name="empty")
