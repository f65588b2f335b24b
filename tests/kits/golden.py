"""Golden pages: their files, and how the expected files are written.

A page is a folder of ``tests/pages`` with ``source.html`` (or a demo page of the package) and ``gold.json``:

- ``url``: where the page is said to come from, or null;
- ``demo``: the name of the demo page, for those that ship with the package;
- ``content``: the elements whose text is content, by "#id" or ".class";
- ``boilerplate``: the elements inside these whose text is not;
- ``carried``: whether what the page carries outside of its visible text is looked for;
- ``formulas``: whether it has formulas, which a plain parser of Markdown reads as TeX.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.evaluation.datasets.base import Card, Dataset, Gold, Item, PageInput
from webstrata.extraction.base import Extraction, decide
from webstrata.extraction.embedded import carried
from webstrata.page import Page, parse
from webstrata.text import Column

FOLDER = Path(__file__).parents[1] / "pages"


@dataclass(frozen=True, kw_only=True)
class Marked:
    """An extractor that keeps the elements named in ``gold.json``."""

    content: tuple[str, ...]
    boilerplate: tuple[str, ...]
    carried: bool = False
    formulas: bool = False

    def __call__(self, page: Page) -> Extraction:
        keep = ~page.blocks.hidden & self._inside(page, self.content) & ~self._inside(page, self.boilerplate)
        found = decide(self, page, keep)
        return replace(found, carried=carried(page)) if self.carried else found

    def _inside(self, page: Page, names: tuple[str, ...]) -> Column:
        inside = np.zeros(len(page.blocks), bool)
        found = set()
        for element in page.elements:
            attributes = element.attributes
            own = {f".{name}" for name in attributes.get("class", "").split()} | {f"#{attributes.get('id', '')}"}
            if own & set(names):
                inside[element.blocks.start : element.blocks.stop] = True
                found |= own
        missing = set(names) - found
        if missing:
            raise LookupError(f"the page has no element {', '.join(sorted(missing))}")
        return inside


def slugs() -> list[str]:
    """The golden pages, by folder."""
    return sorted(path.parent.name for path in FOLDER.glob("*/gold.json"))


def load(slug: str) -> tuple[Page, Marked]:
    """A golden page, and the extractor that keeps its content."""
    gold: dict[str, Any] = json.loads((FOLDER / slug / "gold.json").read_text(encoding="utf-8"))
    page = parse(_source(slug).read_bytes(), url=gold["url"])
    content, boilerplate = tuple(gold["content"]), tuple(gold["boilerplate"])
    switches = {name: gold.get(name, False) for name in ("carried", "formulas")}
    return page, Marked(content=content, boilerplate=boilerplate, **switches)


def _source(slug: str) -> Path:
    """The HTML of a golden page."""
    demo = json.loads((FOLDER / slug / "gold.json").read_text(encoding="utf-8")).get("demo")
    return Path(str(files("webstrata") / "demo" / demo)) if demo else FOLDER / slug / "source.html"


def golden_dataset() -> Dataset:
    """The golden pages, the demo pages of the package among them, as a data set with their content as text."""
    files = [path for slug in slugs() for path in (_source(slug), FOLDER / slug / "gold.json")]
    sums = {"/".join(path.parts[-2:]): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return Dataset(
        Card("golden", "Golden pages", "written for webstrata", "Apache-2.0", len(slugs()), files=sums), _items
    )


def _items() -> Iterator[Item]:
    for slug in slugs():
        page, gold = load(slug)
        yield Item(slug, {"html": PageInput(_source(slug).read_bytes(), url=page.url)}, Gold(text=gold(page).text))


def outputs(extraction: Extraction) -> dict[str, str]:
    """What is compared, by file name."""
    return {
        "expected.txt": extraction.text + "\n",
        "expected.md": extraction.markdown + "\n",
        "expected.html": extraction.html + "\n",
        "expected.json": json.dumps(_told(extraction), ensure_ascii=False, indent=2) + "\n",
    }


def _told(extraction: Extraction) -> dict[str, Any]:
    """The metadata, without the fields that few pages have where they have none."""
    found = extraction.metadata.as_dict()
    return {name: value for name, value in found.items() if value or name not in ("tags", "categories", "licence")}


def difference(expected: str, found: str) -> str:
    """What differs between two texts, line by line; empty when nothing does."""
    if expected == found:
        return ""
    lines = difflib.unified_diff(
        expected.splitlines(keepends=True), found.splitlines(keepends=True), "expected", "found", n=1
    )
    return "".join(lines)


def regenerate(names: Sequence[str] = ()) -> None:
    """Write the expected files of these pages, or of all."""
    for slug in names or slugs():
        page, gold = load(slug)
        for name, value in outputs(gold(page)).items():
            path = FOLDER / slug / name
            changed = not path.exists() or path.read_text(encoding="utf-8") != value
            path.write_text(value, encoding="utf-8")
            if changed:
                print(f"wrote {slug}/{name}")
