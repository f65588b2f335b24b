"""What ``webstrata extract`` does with each page, and what it writes in each format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from webstrata.apps.cli.each_page import PageOutput
from webstrata.apps.cli.inputs import NamedPage
from webstrata.extraction import Extraction, Extractor
from webstrata.extraction.pruning import pruned

if TYPE_CHECKING:
    from webstrata.sites import Sites

__all__ = ["ExtractTask", "separator"]


@dataclass(frozen=True, kw_only=True)
class ExtractTask:
    """Reads pages and writes their content; pickled for worker processes.

    Attributes
    ----------
    extractor : separates content from boilerplate
    sites : learnt sites, to find the one of each page
    format : a name in `webstrata.extraction.formats.FORMATS`
    with_metadata : whether metadata precede text, Markdown and HTML; JSON and TEI always have them
    with_blocks : whether JSON has the blocks
    min_confidence : pages with a lower confidence are errors
    url, encoding : override those of the pages
    prune : a CSS selector of elements to leave out
    written : attributes of the extraction that say what is written
    """

    extractor: Extractor
    sites: Sites | None = None
    format: str = "text"
    with_metadata: bool = False
    with_blocks: bool = True
    min_confidence: float | None = None
    url: str | None = None
    encoding: str | None = None
    prune: str | None = None
    written: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, page_input: NamedPage) -> PageOutput:
        """The content of a page, or the reason why there is none."""
        page = page_input.parse(url=self.url, encoding=self.encoding)
        if self.prune is not None:
            page = pruned(page, self.prune)
        found = replace(self.extractor(page), **self.written)
        if self.sites is not None:
            from webstrata.apps.cli.sites import site_of

            found = site_of(self.sites, page.url)(found)
        if self.min_confidence is not None and (found.confidence or 0.0) < self.min_confidence:
            return PageOutput(error=f"{page_input.name}: low confidence ({found.confidence or 0.0:.3f})")
        return PageOutput(f"{self._written(page_input.name, found)}\n")

    def _written(self, name: str, found: Extraction) -> str:
        if self.format == "json":
            import json

            return f'{{"file": {json.dumps(name, ensure_ascii=False)}, {found.json(with_blocks=self.with_blocks)[1:]}'
        content: str = getattr(found, self.format)
        if not self.with_metadata:
            return content
        if self.format in ("text", "markdown"):
            return _front_matter(found) + content
        return _document(found) if self.format == "html" else content


def separator(name: str, first: bool, *, output_format: str) -> str:
    """The line before each of several pages."""
    if output_format == "json":
        return ""
    line = f"==> {name} <==" if output_format == "text" else f"<!-- {name.replace('--', '- -')} -->\n"
    return f"{line}\n" if first else f"\n{line}\n"


def _front_matter(found: Extraction) -> str:
    """The metadata as YAML; its strings and lists may be written as JSON."""
    import json

    fields = (
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in found.metadata.as_dict().items() if value
    )
    return f"---\n{''.join(fields)}---\n\n"


def _document(found: Extraction) -> str:
    """The content as a whole HTML document, with the metadata in its head."""
    from html import escape  # slow to import

    fields = {
        key: ", ".join(value) if isinstance(value, list) else value for key, value in found.metadata.as_dict().items()
    }
    title = escape(fields.pop("title") or "")
    lines = [f'<meta name="{key}" content="{escape(value)}">' for key, value in fields.items() if value]
    head = "\n".join(['<meta charset="utf-8">', f"<title>{title}</title>", *lines])
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{found.html}\n</body>\n</html>"
