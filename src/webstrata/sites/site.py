"""A site: its refined tree, its segment classes, and the texts that repeat on its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from webstrata._once import once
from webstrata.extraction.base import Extraction
from webstrata.page import Page
from webstrata.sites.classes import Refined
from webstrata.sites.counts import ClassCounts, SegmentClass
from webstrata.sites.fingerprints import paragraph_fingerprints, paragraph_numbers
from webstrata.sites.segmenter import SOMSegmenter, block_classes
from webstrata.sites.tree import Tree
from webstrata.text import Column

__all__ = ["Site"]


@dataclass(frozen=True, eq=False, repr=False)
class Site:
    """What was learned about one site. Made by `webstrata.sites.learn`, or by a crawl.

    Attributes
    ----------
    name : its host, its registered domain, or "all"
    tree : the refined tree
    classes : its segment classes, those with most words first
    fingerprints, frequency : fingerprints of paragraphs that repeat, sorted, and the number of their pages
    names : for each name of the tree's nodes, the tag with the names of its attributes
    """

    name: str
    tree: Refined
    classes: tuple[SegmentClass, ...]
    fingerprints: Column
    frequency: Column
    names: Mapping[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        size = f"{self.pages} pages, {len(self.classes)} classes, repeated paragraphs: {len(self.fingerprints)}"
        return f"<Site {self.name}: {size}>"

    @classmethod
    def of(
        cls,
        name: str,
        tree: Refined,
        names: Mapping[int, str],
        counts: ClassCounts,
        fingerprints: Column,
        frequency: Column,
    ) -> Site:
        """A site with the classes that these counts make."""
        path = _Paths(tree.tree, names)
        classes = [
            SegmentClass(**vars(count), kind=f"{label % 2**64:016x}", path=path(label % 2**64))
            for label, count in sorted(counts.items(), key=lambda item: (-item[1].words, item[0]))
        ]
        return cls(name, tree, tuple(classes), fingerprints, frequency, names)

    @classmethod
    def open(cls, folder: str | Path) -> Site:
        """The only site in a folder that `save` or a crawl wrote; `webstrata.sites.Sites` reads several."""
        from webstrata.sites.folder import Sites

        return Sites(folder).only()

    def save(self, folder: str | Path) -> None:
        """Write the site to a new folder, for `open` and for ``--site`` of the command line."""
        from webstrata.sites.folder import save

        save(self, Path(folder))

    @property
    def pages(self) -> int:
        """Number of pages that it was learned from."""
        return self.tree.tree.pages

    @property
    def mixed(self) -> bool:
        """Whether its pages have several templates: no class with text is on half of them."""
        return bool(self.classes) and max(item.pages for item in self.classes) < 0.5 * self.pages

    @property
    def undivided(self) -> bool:
        """Whether most of its pages are one segment each, as those of a manual of short stubs."""
        return sum(item.segments for item in self.classes) < 1.5 * self.pages

    @property
    def segmenter(self) -> SOMSegmenter:
        """Divides pages of the site into segments."""
        return SOMSegmenter(tree=self.tree, source=self.name)

    @once
    def _by_label(self) -> dict[int, SegmentClass]:
        return {int(item.kind, 16): item for item in self.classes}

    def frequencies(self, page: Page) -> Column:
        """For each block, the number of pages of the site that have its paragraph; 0 if no other page has it."""
        found, _ = paragraph_fingerprints(page)
        pages = np.zeros(len(found), np.int64)
        if len(self.fingerprints) and len(found):
            place = np.minimum(np.searchsorted(self.fingerprints, found), len(self.fingerprints) - 1)
            pages = np.where(self.fingerprints[place] == found, self.frequency[place], 0)
        number = paragraph_numbers(page)
        result = np.zeros(len(number), np.int64)
        result[number >= 0] = pages[number[number >= 0]]
        return result

    def weights(self, page: Page) -> Column:
        """For each block, the weight of its segment class; 1 for a class that the site does not have."""
        return self._of_classes(page, 1.0, lambda found: found.weight)

    def kept(self, page: Page) -> tuple[Column, Column]:
        """For each block, the share of its class's words that were kept, and the number of pages with that class.

        The second is 0 for a class that the site does not have, and if the site was learned without an extractor.
        """
        extracted = any(item.kept for item in self.classes)
        share = self._of_classes(page, 0.0, lambda found: found.kept / found.words if found.words else 0.0)
        pages = self._of_classes(page, 0.0, lambda found: found.pages * extracted)
        return share, pages

    def _of_classes(self, page: Page, unknown: float, value: Callable[[SegmentClass], float]) -> Column:
        _, labels = block_classes(page, self.tree)
        unique, place = np.unique(labels, return_inverse=True)
        classes = [self._by_label.get(label) for label in unique.tolist()]
        values = np.array([unknown if found is None else value(found) for found in classes])
        return values[place] if len(values) else np.zeros(0)

    def __call__(self, extraction: Extraction) -> Extraction:
        """Filter an extraction with `webstrata.sites.WithSite`."""
        from webstrata.sites.extraction import WithSite

        return WithSite(site=self)(extraction)


class _Paths:
    """Labels of a tree in words, such as "html > body > div[id]:2"."""

    def __init__(self, tree: Tree, names: Mapping[int, str]) -> None:
        columns = (column.tolist() for column in (tree.label, tree.parent, tree.name, tree.number))
        self._nodes = {
            label: (parent, names.get(name, "?"), number)
            for label, parent, name, number in zip(*columns, strict=True)
        }  # fmt: skip

    def __call__(self, label: int) -> str:
        steps: list[str] = []
        while label in self._nodes:
            label, name, number = self._nodes[label]
            steps.append(name if number == 1 else f"{name}:{number}")
        return " > ".join(reversed(steps))
