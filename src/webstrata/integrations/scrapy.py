"""Scrapy: an item pipeline that adds the content of pages to the items of a spider.

In the settings of a project::

    ITEM_PIPELINES = {"webstrata.integrations.scrapy.WebstrataPipeline": 300}
    WEBSTRATA_ALGORITHM = "learned(favour='recall')"   # optional, as are the others
    WEBSTRATA_FORMATS = ["text", "markdown"]
    WEBSTRATA_FIELD = "html"                           # the field of the page
    WEBSTRATA_KEEP_HTML = False                        # keep the page in the item
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webstrata.crawls.jobs.extract import check_formats, fields_of
from webstrata.errors import from_extra
from webstrata.extraction import EXTRACTORS
from webstrata.workers.limits import Limits, Reject, read_page

with from_extra("scrapy", "scrapy"):
    from itemadapter import ItemAdapter
    from scrapy.exceptions import DropItem

__all__ = ["WebstrataPipeline"]


class WebstrataPipeline:
    """Replaces the page in an item by its content and its metadata; items without content are dropped.

    The page is the ``body`` of a response, or its ``text``. The fields are those of ``webstrata run extract``; an item
    that is not a dictionary gets only the fields that it declares.

    Parameters
    ----------
    algorithm : the extractor
    formats : the formats of the content
    field : the field of the page; items without it are not changed
    keep_html : keep the page in the item

    >>> pipeline = WebstrataPipeline("keep-all")
    >>> item = pipeline.process_item({"url": "https://a.example/", "html": b"<title>Silt</title><p>Pale."})
    >>> item["url"], item["title"], item["text"], "html" in item
    ('https://a.example/', 'Silt', 'Pale.', False)
    """

    def __init__(
        self,
        algorithm: str = "learned",
        *,
        formats: Sequence[str] = ("text",),
        field: str = "html",
        keep_html: bool = False,
    ) -> None:
        self._extractor = EXTRACTORS.make(algorithm)
        self._formats = check_formats(formats)
        self._field = field
        self._keep_html = keep_html

    @classmethod
    def from_crawler(cls, crawler: Any) -> WebstrataPipeline:
        settings = crawler.settings
        return cls(
            settings.get("WEBSTRATA_ALGORITHM", "learned"),
            formats=settings.getlist("WEBSTRATA_FORMATS", ["text"]),
            field=settings.get("WEBSTRATA_FIELD", "html"),
            keep_html=settings.getbool("WEBSTRATA_KEEP_HTML", False),
        )

    def process_item(self, item: Any) -> Any:
        adapter = ItemAdapter(item)
        html = adapter.get(self._field)
        if html is None:
            return item
        record = {"html": html, "url": adapter.get("url"), "encoding": adapter.get("encoding")}
        try:
            found = fields_of(self._extractor(read_page(record, Limits())), self._formats)
        except Reject as rejection:
            raise DropItem(f"{adapter.get('url')}: {rejection.reason} {rejection.detail}".rstrip()) from None
        if not self._keep_html:
            del adapter[self._field]
        for name, value in found.items():
            if isinstance(item, dict) or name in adapter.field_names():
                adapter[name] = value
        return item
