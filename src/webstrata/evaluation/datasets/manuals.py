"""Manuals of Debian packages, whose generators mark the main region of every page (`generators`).

The pages are not part of webstrata: `bench/manuals.py` fetches the packages. Half of the packages are for training,
half for testing; a package is never in both. Known difficult manuals are in the half for testing, and so are most
generators of which there is a single package.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card, Dataset, Gold, Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.generators import Region, main_region
from webstrata.files import files_below

__all__ = ["PACKAGES", "Manual", "manual_pages", "manuals_dataset", "scrambled"]


@dataclass(frozen=True)
class Manual:
    """A package with a manual.

    Attributes
    ----------
    package, generator : its name, and the generator of most of its pages
    half : "training" or "test"
    """

    package: str
    generator: str
    half: str


_TRAINING = """
python-sqlalchemy-doc sphinx, python-scrapy-doc sphinx, mypy-doc sphinx, python-pandas-doc sphinx, cmake-doc sphinx,
llvm-15-doc sphinx, python-celery-doc sphinx, postgresql-doc-15 docbook, csound-doc docbook, shorewall-doc docbook,
libpam-doc docbook, libgtk-3-doc docbook, libadwaita-1-doc gi-docgen, libeigen3-doc doxygen, libsfml-doc doxygen,
libcommons-lang3-java-doc javadoc, junit4-doc javadoc, derby-doc javadoc, sbcl-doc makeinfo, maxima-doc makeinfo,
lilypond-doc-html texi2html, mkdocs-doc mkdocs, ruby-mocha-doc yard, libghc-lens-doc haddock,
libbatteries-ocaml-doc ocamldoc, git-doc asciidoc, weechat-doc asciidoctor, gnuplot-doc latex2html, awesome-doc ldoc,
racket-doc scribble, pike8.0-doc pike, libfolks-doc valadoc
"""

_TEST = """
debian-reference-en docbook, maint-guide docbook, libboost1.74-doc docbook, openjdk-17-doc javadoc,
python3.11-doc sphinx, octave-doc makeinfo, erlang-doc erl_docgen, qtbase5-doc-html qdoc, python-django-doc sphinx,
python-pytest-doc sphinx, python-attr-doc sphinx, python-xarray-doc sphinx, varnish-doc sphinx, libglib2.0-doc docbook,
libcairo2-doc docbook, libpango1.0-doc gi-docgen, wx3.2-doc doxygen, libsvn-doc doxygen, libjfreechart-java-doc javadoc,
mit-scheme-doc makeinfo, avrdude-doc texi2html, freetype2-doc mkdocs, python-typer-doc mkdocs, rust-doc rustdoc,
asciidoctor-doc rdoc, rt5-doc-html pod2html, libjs-of-ocaml-doc odoc, ghc-doc haddock, giac-doc hevea,
apache2-doc apache, harden-doc publican, crystal-doc crystal, scala-doc scaladoc, twisted-doc pydoctor, nim-doc nim,
gap-doc gapdoc, kicad-doc-en asciidoctor, ruby-cri-doc yard
"""


def _listed(text: str, half: str) -> Iterator[Manual]:
    for entry in text.replace("\n", " ").split(","):
        package, generator = entry.split()
        yield Manual(package, generator, half)


#: All manuals, those for training first.
PACKAGES = (*_listed(_TRAINING, "training"), *_listed(_TEST, "test"))

# Lists of names and links, frames, search pages and source code: names of files and folders that generators give them.
_NOT_TEXT = re.compile(
    r"""
    (^|/)(
        genindex[^/]* | search | searchindex | py-modindex | doc-index[^/]* | frames? | frameset | toc | contents |
        table_of_contents | allclasses[^/]* | package-(tree|use|frame|list|summary|index)[^/]* | overview-[^/]* |
        index[-_][^/]* | help-doc | constant-values | serialized-form | deprecated(-list)? | annotated | hierarchy |
        inherits | files | classes | globals[^/]* | functions[^/]* | namespacemembers[^/]* | modules | namespaces |
        graph_legend | doxygen_crawl | all | [^/]*-members | [^/]*_source | dir_[^/]* | class_list | method_list |
        file_list | _index | [^/]*[-_]index | opensearch | [^/]*[-_]toc | chap(0|Ind)(_mj)?
    )\.x?html?$
    | (^|/)(class-use | src-html | _static | _sources | _modules | search | src | genindex | hypertext)/
    """,
    re.VERBOSE | re.IGNORECASE,
)

_MAX_BYTES = 1_500_000
_MIN_WORDS, _MIN_CHARACTERS = 30, 200
# A package without regions is given up after this many files for each page that is asked for.
_TRIES = 8


def manual_pages(folder: Path, package: str, *, limit: int = 40) -> Iterator[tuple[str, bytes, Region]]:
    """The path, the HTML and the main region of a sample of the pages of an unpacked package.

    The sample is chosen by a hash of the paths, so that it does not follow their order. Pages with fewer than 30 words
    in the region, of more than 1.5 MB, or with the text of an earlier page, are left out.
    """
    texts: set[str] = set()
    paths = sorted(_paths(folder / package), key=lambda path: hashlib.sha1(f"{package}/{path}".encode()).hexdigest())
    for path in paths[: limit * _TRIES]:
        html = (folder / package / path).read_bytes()
        region = main_region(html) if len(html) <= _MAX_BYTES else None
        if region is None or region.text in texts:
            continue
        if len(region.text.split()) >= _MIN_WORDS or len(region.text) >= _MIN_CHARACTERS:
            texts.add(region.text)
            yield path, html, region
            if len(texts) == limit:
                return


def _paths(folder: Path) -> list[str]:
    """The paths of pages of text. A page index.html is a list, unless many folders have one."""
    paths = [path.relative_to(folder).as_posix() for path in files_below(folder)]
    paths = [path for path in paths if not _NOT_TEXT.search(path)]
    indexes = [path for path in paths if path.endswith(("index.html", "index.htm"))]
    return paths if 3 * len(indexes) > len(paths) else sorted(set(paths).difference(indexes))


def manuals_dataset(
    folder: Path, *, half: str = "test", packages: Collection[str] | None = None, limit: int = 40
) -> Dataset:
    """The manuals that are unpacked in a folder as a data set; the group of a page is its package.

    Parameters
    ----------
    folder : has a folder for each package
    half : "training" or "test"
    packages : some of the packages; all by default
    limit : pages of a package
    """
    items = [
        _item(manual.package, path, html, region.text)
        for manual in PACKAGES
        if manual.half == half and (packages is None or manual.package in packages)
        if (folder / manual.package).is_dir()
        for path, html, region in manual_pages(folder, manual.package, limit=limit)
    ]
    if not items:
        raise InputError(f"{folder} has no manual for {half}: run python bench/manuals.py --fetch")
    card = Card(
        f"manuals-{half}",
        "Manuals of Debian packages with their main regions",
        "packages of Debian",
        "free software: the licence of each package",
        len(items),
        {"texts": len(items)},
        note="A table of contents in the flow of the text belongs to the region. Versions follow the Debian release.",
    )
    return Dataset(card, partial(iter, items))


def _item(package: str, path: str, html: bytes, text: str) -> Item:
    """A page; its URL has a host for each package, so that folds do not divide packages."""
    name = f"{package}/{path}"
    url = f"https://{re.sub('[^a-z0-9-]+', '-', package)}.example/{quote(path)}"
    return Item(name, {"html": PageInput(html, url=url, fold=fold_of(url, name))}, Gold(text=text), package)


_TAG = re.compile(rb"<[a-zA-Z][^<>]*>")
_NAMES = re.compile(
    rb"""(\s(?:class|id|for|aria-labelledby|aria-describedby|aria-controls|data-(?:bs-)?target)\s*=\s*)"""
    rb"""("[^"]*"|'[^']*'|[^\s>"']+)""",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(rb"""(\shref\s*=\s*["']?[^"'\s>]*\#)([^"'\s>]+)""", re.IGNORECASE)
_GENERATOR = re.compile(
    rb"""<meta[^>]*name\s*=\s*["']?generator["']?[^>]*>"""
    rb"""|<!--(?:(?!-->).){0,300}?(?:generated|created)(?:(?!-->).){0,300}?-->""",
    re.IGNORECASE | re.DOTALL,
)


def scrambled(html: bytes, package: str) -> bytes:
    """The page with other names of classes and elements, and without the name of its generator.

    A name has the same replacement on all pages of a package, so that what is learned does not depend on names.

    >>> scrambled(b"<meta name=generator content=x><p class='body text' id=a><a href='#a'>1</a>", "silt-doc")
    b"<p class='oalhfc cbtxse' id=ijwizj9><a href='#ijwizj9'>1</a>"
    """

    def names(match: re.Match[bytes]) -> bytes:
        quoted = match[2][:1] if match[2][:1] in (b'"', b"'") else b""
        value = match[2].strip(b"\"'")
        mark = b"#" if value.startswith(b"#") else b""
        return (
            match[1] + quoted + mark + b" ".join(_name(package, each) for each in value[len(mark) :].split()) + quoted
        )

    def tag(match: re.Match[bytes]) -> bytes:
        return _FRAGMENT.sub(lambda found: found[1] + _name(package, found[2]), _NAMES.sub(names, match[0]))

    return _TAG.sub(tag, _GENERATOR.sub(b"", html))


def _name(package: str, name: bytes) -> bytes:
    """Two to six letters, and for a third of the names a digit."""
    number = int(hashlib.sha1(package.encode() + b"/" + name).hexdigest(), 16)
    letters = "".join("abcdefghijklmnopqrstuvwxyz"[number // 26**place % 26] for place in range(1, 3 + number % 5))
    return (letters + (str(number % 10) if number % 3 == 0 else "")).encode()
