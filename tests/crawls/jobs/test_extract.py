from __future__ import annotations

from recordings import batches, rows_of

from webstrata.crawls.jobs.extract import Extract


def test_spans_lead_to_the_source() -> None:
    html = "<nav>Навигация</nav><p>Мир <b>и</b> труд.".encode()
    [row] = rows_of(Extract(algorithm="keep-all", spans=True)(batches(html)))
    found = [html[span["start"] : span["stop"]].decode() for span in row["spans"]]
    assert found == ["Навигация", "Мир", "и", "труд."]
