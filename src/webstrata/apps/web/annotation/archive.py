"""Import and export of data sets: a zip file of the folder, and the data of Kreuzer 2013.

A zip file may be hostile: guarded processes unpack it into a folder of its own, and read its files. Only files with the
names of a data set are taken from it. The sizes in its headers are not trusted.
"""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from webstrata.apps.web.annotation import work
from webstrata.apps.web.annotation.folder import DataFolder, DerivedFiles, check_annotator, check_name, name_of
from webstrata.apps.web.annotation.marks import Sheet, marks_of, segmentation
from webstrata.apps.web.guarded import Guarded
from webstrata.apps.web.settings import ServerSettings
from webstrata.errors import InputError
from webstrata.files import temporary_folder
from webstrata.segmentation.html import to_html

__all__ = ["export_zip", "import_data", "import_folder", "import_kreuzer", "import_zip", "unpack"]

_MOST_FILES, _MOST_BYTES = 20_000, 1 << 30
_LARGEST_FILE = 32 << 20
_PIECE = 1 << 20
_PAGE_FILE = re.compile(r"(?:\w[^/]*/)?([A-Za-z0-9][A-Za-z0-9._-]{0,99})\.(html|json)")
_SHEET_FILE = re.compile(r"(?:\w[^/]*/)?annotators/([^/]{1,200})/([A-Za-z0-9][A-Za-z0-9._-]{0,99})\.json")


def unpack(archive: str, folder: str) -> list[str]:
    """Unpack the files of a data set; returns their paths in the folder. Runs in a guarded process."""
    try:
        with zipfile.ZipFile(archive) as found:
            return list(_members(found, Path(folder)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise InputError(f"cannot read the zip file: {error}") from error


def _members(found: zipfile.ZipFile, folder: Path) -> Iterator[str]:
    if len(found.infolist()) > _MOST_FILES:
        raise InputError(f"the archive has more than {_MOST_FILES} files: import it in parts")
    total = 0
    for member in found.infolist():
        place = _place(member.filename)
        if place is None or member.is_dir():
            continue
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError("the archive has an unsupported compression: use deflate")
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        size = 0
        with found.open(member) as stream, path.open("wb") as file:
            while piece := stream.read(_PIECE):
                size += len(piece)
                total += len(piece)
                if size > _LARGEST_FILE or total > _MOST_BYTES:
                    raise InputError("the archive is too large for a data set: import it in parts")
                file.write(piece)
        yield place


def _place(name: str) -> str | None:
    """The path of a member of an archive in the folder of a data set; None if it is not part of one.

    >>> _place("set/page.blocks.html"), _place("set/annotators/Ada/page.json"), _place("../../etc/passwd.html")
    ('page.blocks.html', 'annotators/Ada/page.json', None)
    """
    if sheet := _SHEET_FILE.fullmatch(name):
        try:
            return f"annotators/{quote(check_annotator(unquote(sheet[1])), safe='')}/{check_name(sheet[2])}.json"
        except InputError:
            return None
    page = _PAGE_FILE.fullmatch(name)
    if page is None or page[1] in (".", ".."):
        return None
    return f"{page[1]}.{page[2]}"


def import_zip(data: DataFolder, archive: bytes, call: Callable[..., Any]) -> int:
    """Add the pages of a zip file of a data set; the result and ``call`` are those of `import_folder`."""
    with tempfile.TemporaryDirectory() as folder:
        path, inside = Path(folder) / "data.zip", Path(folder) / "data"
        inside.mkdir()
        path.write_bytes(archive)
        call(unpack, str(path), str(inside))
        return import_folder(data, inside, call)


def import_folder(data: DataFolder, folder: Path, call: Callable[..., Any]) -> int:
    """Add the pages of another data set with all marks, or none if one of them fails; returns their number.

    Parameters
    ----------
    call : runs a function in a guarded process, which reads all files of the other data set
    """
    names = DataFolder(folder, bare=True).pages()
    if not names:
        raise InputError("no page found: a data set has files NAME.html, and NAME.blocks.html with marks")
    with temporary_folder(data.path) as staging:
        for name in names:
            try:
                call(work.import_page, str(folder), name, str(staging))
            except InputError as error:
                raise InputError(f"{name}: {error}; nothing was imported") from error
        return data.adopt(DataFolder(staging, bare=True))


def import_data(data: Path, folder: Path, settings: ServerSettings) -> int:
    """Add the pages of another data set, or of Kreuzer 2013, to a data set; returns their number."""
    found = DataFolder(data, types=settings.types)
    try:
        if (folder / "index.json").is_file():
            return import_kreuzer(found, folder)
        guarded = Guarded(limits=settings.limits, jobs=settings.jobs)
        try:
            return import_folder(found, folder, lambda call, *arguments: guarded.submit(call, *arguments).result())
        finally:
            guarded.close()
    finally:
        found.close()


def import_kreuzer(data: DataFolder, folder: Path) -> int:
    """Add the pages of Kreuzer 2013 with their marks, from a folder with ``index.json`` and the archives."""
    from webstrata.evaluation.datasets.kreuzer import read

    count = 0
    for item in read(folder=folder):
        truth, original = item.gold.segmentation, item.inputs["html"]
        assert truth is not None
        facts = {"url": original.url, "group": item.group}
        name = data.add(name_of(item.name), original.html, dom=truth.page.source, facts=facts)
        sheet = Sheet("Kreuzer", 1, marks_of(truth), done=True)
        marked = segmentation(truth.page, sheet.marks, sheet.annotator)
        data.save(name, sheet, DerivedFiles(to_html(marked), marked.json()))
        count += 1
    return count


def export_zip(data: DataFolder, path: Path) -> None:
    """Write the files of a data set as a zip file; other files of its folder stay out."""
    name = data.path.name
    # Zip files have no dates before 1980: those become 1980.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        archive.writestr(f"{name}/README.txt", _readme(data))
        for file in data.files():
            archive.write(file, f"{name}/{file.relative_to(data.path)}")


def _readme(data: DataFolder) -> str:
    card = data.card
    types = "\n".join(f"  level {level}: {', '.join(names)}" for level, names in data.types.items())
    return (
        f"{card.get('title', '')}\n\n{card.get('pages', 0)} pages, {card.get('marked', 0)} of them marked by"
        f" {', '.join(card.get('annotators', [])) or 'no one yet'}. Licence: {card.get('licence', '')}.\n\n"
        f"Types of segments\n{types}\n\nEvaluate it with:  webstrata evaluate --dataset {json.dumps(data.path.name)}\n"
    )
