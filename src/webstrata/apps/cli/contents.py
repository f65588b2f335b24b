"""What ``webstrata extract`` writes of one page, in each of its formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from webstrata.apps.cli.sources import Source, parse_source
from webstrata.errors import WebstrataError
from webstrata.extraction import Extraction, Extractor
from webstrata.extraction.base import Filter

__all__ = ["Content", "Wanted", "content_of", "separator"]


class Content(NamedTuple):
    """What comes of a page: text to write, or what is wrong."""

    text: str = ""
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is done with every page; sent to the processes that do it.

    Attributes
    ----------
    extractor : what tells content from boilerplate
    site : what is known of the pages' site
    format : a name in `webstrata.extraction.formats.FORMATS`
    with_metadata : whether metadata stand before text, Markdown and HTML; JSON and TEI have them anyway
    with_blocks : whether JSON tells of each block
    url, encoding : what the user says of the pages
    """

    extractor: Extractor
    site: Filter | None = None
    format: str = "text"
    with_metadata: bool = False
    with_blocks: bool = True
    url: str | None = None
    encoding: str | None = None


def content_of(wanted: Wanted, source: Source) -> Content:
    """Read a page, and write its content."""
    try:
        page = parse_source(source, url=wanted.url, encoding=wanted.encoding)
    except WebstrataError as error:
        return Content(error=str(error))
    found = wanted.extractor(page)
    if wanted.site is not None:
        found = wanted.site(found)
    return Content(_written(source.name, found, wanted))


def separator(name: str, output_format: str, *, first: bool) -> str:
    """The line before each of several pages."""
    if output_format == "json":
        return ""
    line = f"==> {name} <==" if output_format == "text" else f"<!-- {name.replace('--', '- -')} -->\n"
    return f"{line}\n" if first else f"\n{line}\n"


def _written(name: str, found: Extraction, wanted: Wanted) -> str:
    if wanted.format == "json":
        import json

        return f'{{"file": {json.dumps(name, ensure_ascii=False)}, {found.json(with_blocks=wanted.with_blocks)[1:]}'
    content: str = getattr(found, wanted.format)
    if not wanted.with_metadata:
        return content
    if wanted.format in ("text", "markdown"):
        return _front_matter(found) + content
    return _document(found) if wanted.format == "html" else content


def _front_matter(found: Extraction) -> str:
    """The metadata as YAML, whose strings and lists may be written as in JSON."""
    import json

    fields = (
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in found.metadata.as_dict().items() if value
    )
    return f"---\n{''.join(fields)}---\n\n"


def _document(found: Extraction) -> str:
    """The content as a whole HTML document, with the metadata in its head."""
    from html import escape  # its table of character references is long

    fields = {
        key: ", ".join(value) if isinstance(value, list) else value for key, value in found.metadata.as_dict().items()
    }
    title = escape(fields.pop("title") or "")
    lines = [f'<meta name="{key}" content="{escape(value)}">' for key, value in fields.items() if value]
    head = "\n".join(['<meta charset="utf-8">', f"<title>{title}</title>", *lines])
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{found.html}\n</body>\n</html>"
