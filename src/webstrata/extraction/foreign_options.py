"""Explains options of other extractors: their names here."""

from __future__ import annotations

from collections.abc import Iterable

from webstrata.errors import InputError
from webstrata.extraction.formats import FORMATS

__all__ = ["explain_foreign_options"]

_FORMS = "the result has every format: " + ", ".join(
    f".{each.name}{'()' if each.has_decisions else ''}" for each in FORMATS.values()
)
_RESULT = "the result has .metadata, and .json() holds it"
_FOREIGN = {
    "output_format": _FORMS,
    "include_formatting": _FORMS,
    "preserve_formatting": _FORMS,
    "include_links": "Markdown and HTML have links, text has none; write links=False to leave them out",
    "include_images": "Markdown and HTML have images, text has none; write images=False to leave them out",
    "include_tables": "every format has tables; write tables=False to leave them out",
    "include_comments": "write comments=True or comments=False",
    "favor_precision": 'write favour="precision"',
    "favor_recall": 'write favour="recall"',
    "favour_precision": 'write favour="precision"',
    "favour_recall": 'write favour="recall"',
    "favor": 'write favour="precision" or favour="recall"',
    "with_metadata": _RESULT,
    "only_with_metadata": _RESULT,
    "target_language": """write "learned+language(languages='en')" for the algorithm""",
    "prune_xpath": """write a CSS selector: prune="nav, div.share > ul\"""",
    "main_content": "the content is what is extracted; keep-all is the algorithm for everything",
    "fast": "there is one way, and it is fast",
    "no_fallback": "there is one way, and it is fast",
}


def explain_foreign_options(algorithm: str, parameters: Iterable[str]) -> None:
    """Raise an InputError that explains the first option of trafilatura or resiliparse among these parameters.

    >>> explain_foreign_options("learned", ["favor_recall"])
    Traceback (most recent call last):
    webstrata.errors.InputError: there is no option favor_recall: write favour="recall" (see docs/coming-from.md)
    >>> explain_foreign_options("https://example.org/", [])
    Traceback (most recent call last):
    webstrata.errors.InputError: the address of a page is given by its name: url='https://example.org/'
    """
    if algorithm.startswith(("http://", "https://")):
        raise InputError(f"the address of a page is given by its name: url={algorithm!r}")
    for name in parameters:
        if name in _FOREIGN:
            raise InputError(f"there is no option {name}: {_FOREIGN[name]} (see docs/coming-from.md)")
