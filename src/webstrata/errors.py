"""The errors that webstrata raises, as one small tree.

::

    WebstrataError
    ├── InputError      (also ValueError)   this input cannot be used
    │   ├── EncodingError                   no encoding has this label
    │   └── SheetConflict                   somebody else has saved this annotation sheet
    ├── DriverCrash                         the driver of a compared package crashed on a page
    ├── DriverTimeOut                       it took too long for a page
    ├── StoreError                          an object store or a web server does not answer
    ├── RenderError                         the browser gave no page
    ├── WorkerError     (also RuntimeError) a child process ended before its work was done
    └── MissingExtra    (also ImportError)  an optional dependency is not installed

Bad HTML is not among them: any bytes make a page. Catching `WebstrataError` catches everything that
webstrata raises on purpose; the built-in parents are there for callers who already catch those.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "EncodingError",
    "InputError",
    "MissingExtra",
    "RenderError",
    "StoreError",
    "WebstrataError",
    "WorkerError",
    "from_extra",
    "need",
]


class WebstrataError(Exception):
    """The root of the tree."""


class InputError(WebstrataError, ValueError):
    """The input cannot be used; the message says what to do instead."""


class EncodingError(InputError):
    """The Encoding standard knows no encoding by this label.

    >>> print(EncodingError("utf-9"))
    unknown encoding label 'utf-9': use a label of the Encoding standard, such as 'utf-8' or 'shift_jis'
    """

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label

    def __str__(self) -> str:
        return (
            f"unknown encoding label {self.label!r}: "
            "use a label of the Encoding standard, such as 'utf-8' or 'shift_jis'"
        )


class StoreError(WebstrataError):
    """An object store or a web server does not answer, after several tries. Nothing is wrong with the input."""


class RenderError(WebstrataError):
    """The browser did not give a page: it could not be loaded, took too long, or took the browser down."""


class WorkerError(WebstrataError, RuntimeError):
    """A child process of webstrata ended before its work was done, or cannot be started here."""


class MissingExtra(WebstrataError, ImportError):
    """A function needs a package that comes with one of webstrata's extras.

    Parameters
    ----------
    extra : the extra to install
    package : the package that could not be imported

    >>> print(MissingExtra("eval", "scipy"))
    scipy is not installed: run pip install 'webstrata[eval]'
    """

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(extra, package)
        self.extra = extra
        self.package = package

    def __str__(self) -> str:
        return f"{self.package} is not installed: run pip install 'webstrata[{self.extra}]'"


# Packages whose module has another name.
_MODULES = {"jusText": "justext", "readability-lxml": "readability", "scikit-learn": "sklearn"}


def need(extra: str, *packages: str) -> None:
    """Raise `MissingExtra` if one of these packages of an extra is not installed; nothing is imported.

    Long-running commands call this before they start.

    >>> need("eval", "strata-of-the-moon")
    Traceback (most recent call last):
    webstrata.errors.MissingExtra: strata-of-the-moon is not installed: run pip install 'webstrata[eval]'
    """
    from importlib.util import find_spec  # imported lazily

    for package in packages:
        if find_spec(_MODULES.get(package, package)) is None:
            raise MissingExtra(extra, package)


@contextmanager
def from_extra(extra: str, package: str) -> Iterator[None]:
    """Context for the imports of a package of an extra: raises `MissingExtra` if it is not installed.

    >>> with from_extra("eval", "strata-of-the-moon"):
    ...     import strata_of_the_moon
    Traceback (most recent call last):
    webstrata.errors.MissingExtra: strata-of-the-moon is not installed: run pip install 'webstrata[eval]'
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtra(extra, package) from error
