"""NeMo Curator: the algorithm inside its extractor of Common Crawl."""

from __future__ import annotations

from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.nemo_curator import WebstrataExtractor


def test_a_record() -> None:
    extractor = CommonCrawlHTMLExtractor(algorithm=WebstrataExtractor(favour="recall"))
    record = {"url": "https://example.org/", "warc_id": "1", "source_id": "a.warc", "content": ARTICLE.encode()}
    found = extractor.extract(record)
    assert found is not None
    assert found["language"] == "ENGLISH"
    assert "".join(found["text"].split()) == "".join(extract(ARTICLE, favour="recall").text.split())
    assert extractor.extract({**record, "content": EMPTY.encode()}) is None
