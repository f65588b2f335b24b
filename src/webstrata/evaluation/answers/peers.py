"""Extractors of other packages as algorithms, with their own defaults (extra "bench").

Those that read bytes get the bytes of the page; the others get its text, decoded as in a browser. The ``repr`` contains
the version of the package, so that another version runs anew.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar, Literal

from webstrata.encoding import decode
from webstrata.errors import EncodingError, InputError, need
from webstrata.evaluation.datasets.base import PageInput

__all__ = ["BoilerPy3", "JusText", "ReadabilityLxml", "Resiliparse", "Trafilatura", "TrafilaturaMetadata"]


def _text(document: PageInput) -> str:
    """The page as text; an unknown encoding is ignored."""
    try:
        return decode(document.html, document.encoding)[0].decode()
    except EncodingError:
        return decode(document.html)[0].decode()


class _Peer:
    """Base class with the name of the package and a ``repr`` of parameters and version."""

    package: ClassVar[str]

    def __post_init__(self) -> None:
        need("bench", self.package)

    def __repr__(self) -> str:
        given = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({given}) of {self.package} {version(self.package)}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Trafilatura(_Peer):
    """``favour`` selects its precision or recall mode; ``comments`` includes comments."""

    package: ClassVar[str] = "trafilatura"
    favour: Literal["balanced", "precision", "recall"] = "balanced"
    comments: bool = True

    def __post_init__(self) -> None:
        if self.favour not in ("balanced", "precision", "recall"):
            raise InputError(f"favour must be one of balanced, precision, recall, not {self.favour!r}")
        super().__post_init__()

    def __call__(self, document: PageInput) -> str:
        from trafilatura import extract

        found: str | None = extract(
            document.html,
            include_comments=self.comments,
            favor_precision=self.favour == "precision",
            favor_recall=self.favour == "recall",
        )
        return found or ""


@dataclass(frozen=True, kw_only=True, repr=False)
class TrafilaturaMetadata(_Peer):
    """Title, author and date as trafilatura reads them."""

    package: ClassVar[str] = "trafilatura"

    def __call__(self, document: PageInput) -> dict[str, Any]:
        from trafilatura import extract_metadata

        found = extract_metadata(document.html, default_url=document.url)
        return {"fields": {name: getattr(found, name, None) for name in ("title", "author", "date")}}


@dataclass(frozen=True, kw_only=True, repr=False)
class Resiliparse(_Peer):
    """Its main-content mode. ``comments`` is its own switch; None means its default."""

    package: ClassVar[str] = "resiliparse"
    comments: bool | None = None

    def __call__(self, document: PageInput) -> str:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        html = bytes_to_str(document.html, detect_encoding(document.html))
        # The gold texts have no alternative texts of images, which would lower the score of resiliparse.
        return str(extract_plain_text(html, main_content=True, alt_texts=False, comments=self.comments))


@dataclass(frozen=True, kw_only=True, repr=False)
class ReadabilityLxml(_Peer):
    """The Python port of Readability."""

    package: ClassVar[str] = "readability-lxml"

    def __call__(self, document: PageInput) -> str:
        from lxml.html import fromstring
        from readability import Document as Readable

        summary = Readable(_text(document)).summary(html_partial=True)
        return str(fromstring(summary).text_content()) if summary.strip() else ""


@dataclass(frozen=True, kw_only=True, repr=False)
class JusText(_Peer):
    """jusText with the stop words of a language."""

    package: ClassVar[str] = "jusText"
    language: str = "English"

    def __post_init__(self) -> None:
        super().__post_init__()
        from justext import get_stoplists

        if self.language not in get_stoplists():
            raise InputError(f"jusText has no stop words of {self.language!r}: try English, German or French")

    def __call__(self, document: PageInput) -> str:
        from justext import justext

        paragraphs = justext(document.html, _stop_words(self.language))
        return "\n\n".join(each.text for each in paragraphs if not each.is_boilerplate)


@cache
def _stop_words(language: str) -> Any:
    from justext import get_stoplist

    return get_stoplist(language)


@dataclass(frozen=True, kw_only=True, repr=False)
class BoilerPy3(_Peer):
    """Its article extractor, a port of boilerpipe's."""

    package: ClassVar[str] = "boilerpy3"

    def __call__(self, document: PageInput) -> str:
        from boilerpy3.extractors import ArticleExtractor

        return str(ArticleExtractor(raise_on_failure=False).get_content(_text(document)))
