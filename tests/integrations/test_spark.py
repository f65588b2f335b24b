"""Spark: the step over a DataFrame, with a page that has no content."""

from __future__ import annotations

from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.crawls import Extract
from webstrata.crawls.running.spark import map_step, session


def test_a_data_frame() -> None:
    spark = session(jobs=1)
    frame = spark.createDataFrame([("a", ARTICLE.encode()), ("b", EMPTY.encode())], "url string, html binary")
    found = {row["url"]: row for row in map_step(frame, Extract(formats=("markdown",))).collect()}
    assert found["a"]["text"] == extract(ARTICLE).text
    assert found["b"]["reason"] == "no content"
    spark.stop()
