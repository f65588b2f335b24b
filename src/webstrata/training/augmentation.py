"""Data augmentation: labelled pages of kinds that the data lacks, made from the pages that it has.

The source of a page is edited, and the result is read like any other page; each piece of the source keeps its labels.
All pages that go into one made page are of one fold, so that no host is on both sides of a fold. The same pages and the
same random numbers make the same pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from webstrata._once import once
from webstrata.page import CLONED, IMPLIED, INLINE_TAGS, TAGS, Page, parse
from webstrata.training.samples import Labelled, Sample, content_of_blocks, sample_of_page

__all__ = [
    "KINDS", "EditablePage", "aged", "augment", "fragment", "in_tables", "lengthened",
    "shortened", "thinned", "transplanted", "with_insertions", "with_sidebars", "without_names",
]  # fmt: skip

Floats = npt.NDArray[np.float64]

#: Elements that only contain others: edits are made inside of them.
_HOLDERS = frozenset("html body main article section div td tr tbody table center form font span".split())
#: Elements that can be inserted between two paragraphs of an article.
_INSERTED = ("ul", "ol", "dl", "table", "pre", "blockquote", "figure", "h2", "h3")

_NAMES = re.compile(
    rb"""\s(?:class|id|role|itemprop|itemtype|aria-label)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)

# What replaces a span of a source: new bytes, or a span of the source of a page.
Piece = bytes | tuple["EditablePage", int, int]
Edit = tuple[int, int, Sequence[Piece]]


@dataclass(frozen=True, eq=False)
class EditablePage:
    """A page with the share of content in each of its blocks."""

    page: Page
    content: Floats
    labelled: Labelled
    fold: int

    @classmethod
    def from_sample(cls, sample: Sample) -> EditablePage:
        """A labelled page."""
        page = parse(sample.page.html)
        return cls(page, content_of_blocks(sample), sample.page, sample.fold)

    @once
    def _sums(self) -> tuple[Floats, Floats]:
        """Running sums over the blocks: words, and words of content."""
        words = self.page.blocks.words + 0.01
        return np.concatenate(([0.0], np.cumsum(words))), np.concatenate(
            ([0.0], np.cumsum(words * np.nan_to_num(self.content)))
        )

    @once
    def share(self) -> Floats:
        """For each element the share of its words that is content; NaN without words."""
        words, content = self._sums
        elements = self.page.elements
        total = words[elements.end_block] - words[elements.first_block]
        inside = content[elements.end_block] - content[elements.first_block]
        share: Floats = np.divide(inside, total, out=np.full(len(total), np.nan), where=total > 0)
        return share

    @once
    def _maximal(self) -> tuple[list[int], list[int]]:
        """The largest elements of content only, but for those that only contain others, and the largest without any."""
        elements, share = self.page.elements, self.share
        parts: list[int] = []
        others: list[int] = []
        row = 0
        while row < len(elements):
            whole = bool(elements.source_stop[row] > elements.open_stop[row] > elements.source_start[row])
            written = whole and not elements.flags[row] & (IMPLIED | CLONED)
            tag = TAGS[elements.tag[row]]
            if written and share[row] >= 0.9 and (tag not in _HOLDERS or not self._holds_elements(row)):
                parts.append(row)
            elif written and share[row] <= 0.05 and tag not in ("html", "body"):
                others.append(row)
            else:
                row += 1
                continue
            row = self._after(row)
        return parts, others

    def _after(self, row: int) -> int:
        """The first row after a subtree."""
        elements = self.page.elements
        end = row + 1
        while end < len(elements) and elements.depth[end] > elements.depth[row]:
            end += 1
        return end

    def _holds_elements(self, row: int) -> bool:
        """Whether some child of an element has words and is more than text within a line."""
        elements = self.page.elements
        for child in range(row + 1, self._after(row)):
            has_words = elements.end_block[child] > elements.first_block[child]
            if elements.parent[child] == row and has_words and TAGS[elements.tag[child]] not in INLINE_TAGS:
                return True
        return False

    @property
    def parts(self) -> list[int]:
        """The elements with the content, in order."""
        return self._maximal[0]

    @property
    def others(self) -> list[int]:
        """The elements without content."""
        return self._maximal[1]

    def span(self, row: int) -> tuple[EditablePage, int, int]:
        """An element as a piece."""
        elements = self.page.elements
        return self, int(elements.source_start[row]), int(elements.source_stop[row])

    def removal(self, row: int) -> Edit:
        _, start, stop = self.span(row)
        return start, stop, ()

    def words_of(self, row: int) -> int:
        elements = self.page.elements
        return int(self.page.blocks.words[elements.first_block[row] : elements.end_block[row]].sum())

    def edited(self, edits: Iterable[Edit]) -> EditablePage:
        """The page after these edits; of overlapping edits only the first is made."""
        pieces: list[Piece] = []
        at = 0
        for start, stop, inserted in sorted(edits, key=lambda edit: edit[:2]):
            if start >= at:
                pieces += [(self, at, start), *inserted]
                at = stop
        return _joined(self, [*pieces, (self, at, len(self.page.source))])

    def sample(self) -> Sample:
        """The page as training data."""
        return sample_of_page(self.page, self.content, self.labelled, self.fold)


def _joined(base: EditablePage, pieces: Sequence[Piece]) -> EditablePage:
    """One page from these pieces; each block keeps its label."""
    sources, starts, at = [], [], 0
    for piece in pieces:
        source = piece if isinstance(piece, bytes) else piece[0].page.source[piece[1] : piece[2]]
        sources.append(source)
        starts.append(at)
        at += len(source)
    page = parse(b"".join(sources), encoding="utf-8", url=base.page.url)
    content = np.zeros(len(page.blocks))
    begins = page.blocks.source_start
    piece_of = np.searchsorted(np.array(starts), begins, "right") - 1
    for number in np.unique(piece_of).tolist():
        piece = pieces[number]
        if isinstance(piece, bytes) or not len(piece[0].content):
            continue
        donor, start, _ = piece
        rows = np.flatnonzero(piece_of == number)
        old = np.searchsorted(donor.page.blocks.source_start, begins[rows] - starts[number] + start, "right") - 1
        content[rows] = donor.content[np.maximum(old, 0)]
    return EditablePage(page, content, base.labelled, base.fold)


Augmentation = Callable[[EditablePage, Sequence[EditablePage], np.random.Generator], EditablePage]


def without_names(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """Classes, ids and roles removed, so that the model does not depend on names alone."""
    source, elements = original.page.source, original.page.elements
    edits: list[Edit] = []
    for row in range(len(elements)):
        start, stop = int(elements.source_start[row]), int(elements.open_stop[row])
        if stop > start and not elements.flags[row] & (IMPLIED | CLONED):
            tag = source[start:stop]
            bare = _NAMES.sub(b"", tag)
            if bare != tag:
                edits.append((start, stop, (bare,)))
    return original.edited(edits)


def fragment(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """The content with hardly anything around it, as feeds and databases have it."""
    keep = random.random() * 0.15
    removed = [row for row in original.others if random.random() >= keep]
    return original.edited(original.removal(row) for row in removed)


def thinned(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """Some of the boilerplate removed."""
    keep = random.uniform(0.2, 0.8)
    return original.edited(original.removal(row) for row in original.others if random.random() >= keep)


def shortened(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """The content cut to one to three parts: a short post with all of its boilerplate."""
    parts = [row for row in original.parts if original.words_of(row) >= 4]
    if len(parts) < 3:
        return original
    count = int(random.choice([1, 1, 2, 3]))
    first = int(random.integers(0, max(len(parts) - count, 1)))
    kept = set(parts[first : first + count])
    return original.edited(original.removal(row) for row in original.parts if row not in kept)


def with_sidebars(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """A short content beside the sidebars of other pages: their lists of links, their boxes and their footers."""
    after = shortened(original, donors, random) if random.random() < 0.7 else original
    places = [after.span(row)[2] for row in (*after.others, *after.parts[-1:])]
    if not places:
        return after
    inserted: dict[int, list[Piece]] = {}
    for _ in range(int(random.integers(1, 4))):
        donor = donors[int(random.integers(len(donors)))]
        rows = [row for row in donor.others if 30 <= donor.words_of(row) <= 800]
        if rows:
            place = places[int(random.integers(len(places)))]
            piece = donor.span(rows[int(random.integers(len(rows)))])
            inserted.setdefault(place, []).extend((b"<div>", piece, b"</div>"))
    return after.edited((place, place, pieces) for place, pieces in inserted.items())


def lengthened(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """The content made long, up to 20,000 words, with the paragraphs of others."""
    if not original.parts:
        return original
    wanted = float(np.exp(random.uniform(np.log(800), np.log(20_000))))
    edits: list[Edit] = []
    words = 0
    while words < wanted:
        donor = donors[int(random.integers(len(donors)))]
        rows = [row for row in donor.parts if 5 <= donor.words_of(row) <= 400]
        after = original.parts[int(random.integers(len(original.parts)))]
        stop = original.span(after)[2]
        words += sum(donor.words_of(row) for row in rows) + 20
        edits.append((stop, stop, [piece for row in rows for piece in (donor.span(row), b"\n")]))
    merged: dict[int, list[Piece]] = {}
    for stop, _, pieces in edits:
        merged.setdefault(stop, []).extend(pieces)
    return original.edited((stop, stop, pieces) for stop, pieces in merged.items())


def with_insertions(
    original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator
) -> EditablePage:
    """Lists, tables, code, quotations and figures inserted between the paragraphs."""
    edits: list[Edit] = []
    for row in original.parts[:-1]:
        if random.random() < 0.25:
            found = _element_of(donors, _INSERTED, random)
            if found is not None:
                stop = original.span(row)[2]
                edits.append((stop, stop, (b"\n", found, b"\n")))
    return original.edited(edits)


def _element_of(
    donors: Sequence[EditablePage], tags: Sequence[str], random: np.random.Generator
) -> tuple[EditablePage, int, int] | None:
    """An element of the content of some donor that has one of these tags, each tag as likely as the others."""
    wanted = TAGS.index(str(random.choice(list(tags))))
    for number in random.permutation(len(donors))[:60].tolist():
        donor: EditablePage = donors[number]
        elements = donor.page.elements
        rows: list[int] = np.flatnonzero((elements.tag == wanted) & (donor.share >= 0.9)).tolist()
        rows = [row for row in rows if 2 <= donor.words_of(row) <= 300 and not elements.flags[row] & (IMPLIED | CLONED)]
        if rows:
            return donor.span(rows[int(random.integers(len(rows)))])
    return None


def transplanted(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """The content replaced by that of another page, with its title."""
    donor = donors[int(random.integers(len(donors)))]
    if not original.parts or not donor.parts:
        return original
    first, *rest = original.parts
    start, stop = original.span(first)[1:]
    edits: list[Edit] = [original.removal(row) for row in rest]
    edits.append((start, stop, [piece for row in donor.parts for piece in (donor.span(row), b"\n")]))
    title = original.page._title_span
    if title is not None and donor.page.title:
        edits.append((*title, (donor.page.title.replace("<", " ").encode(),)))
    return original.edited(edits)


def in_tables(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """Table layout: the outer divisions, sections and articles become tables of one cell."""
    source, elements = original.page.source, original.page.elements
    outer = {TAGS.index(name) for name in ("div", "section", "article", "main", "aside", "nav", "header", "footer")}
    edits: list[Edit] = []
    for row in np.flatnonzero(elements.depth <= int(random.integers(3, 7))).tolist():
        start, inner, stop = (
            int(column[row]) for column in (elements.source_start, elements.open_stop, elements.source_stop)
        )
        end = source.rfind(b"</", inner, stop)
        name = TAGS[elements.tag[row]].encode()
        if int(elements.tag[row]) in outer and end >= inner and source[end + 2 : stop].lower().startswith(name):
            edits += [(start, inner, (b"<table><tr><td>",)), (end, stop, (b"</td></tr></table>",))]
    return original.edited(edits)


_SECTIONS = frozenset("article section nav header footer main aside figure figcaption".split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def aged(original: EditablePage, donors: Sequence[EditablePage], random: np.random.Generator) -> EditablePage:
    """The page as it might have been written twenty years ago.

    No names and no elements that say what they are for; often no headings but bold text, and line breaks in the place
    of paragraphs.
    """
    source, elements = original.page.source, original.page.elements
    renamed = dict.fromkeys(_SECTIONS, b"div")
    if random.random() < 0.5:
        renamed |= dict.fromkeys(_HEADINGS, b"b")
    breaks = random.random() < 0.4
    edits: list[Edit] = []
    for row in range(len(elements)):
        start, inner, stop = (
            int(column[row]) for column in (elements.source_start, elements.open_stop, elements.source_stop)
        )
        if inner <= start or elements.flags[row] & (IMPLIED | CLONED):
            continue
        name = TAGS[elements.tag[row]]
        tag = _NAMES.sub(b"", source[start:inner])
        closed = source.endswith(b"</" + name.encode() + b">", inner, stop)
        if name in renamed:
            line = b"<br>" if renamed[name] == b"b" else b""
            edits.append((start, inner, (line, b"<", renamed[name], b">")))
            if closed:
                edits.append((stop - len(name) - 3, stop, (b"</", renamed[name], b">", line)))
        elif name == "p" and breaks:
            edits.append((start, inner, (b"<br><br>",)))
            if closed:
                edits.append((stop - 4, stop, ()))
        elif tag != source[start:inner]:
            edits.append((start, inner, (tag,)))
    return original.edited(edits)


#: The kinds of augmentation, each with its share.
KINDS: dict[str, tuple[float, Augmentation]] = {
    "without names": (0.08, without_names),
    "aged": (0.26, aged),
    "fragment": (0.09, fragment),
    "thinned": (0.06, thinned),
    "shortened": (0.12, shortened),
    "with sidebars": (0.16, with_sidebars),
    "lengthened": (0.07, lengthened),
    "with insertions": (0.08, with_insertions),
    "transplanted": (0.05, transplanted),
    "in tables": (0.03, in_tables),
}


# Pages whose content is text. The labels of listings and collections are less certain, and with pages made from them
# the model learned that no list is content: F1 of listings fell by .03.
_TEXTS = ("article", "documentation", "service", "forum")


def augment(samples: Sequence[Sample], *, share: float, seed: int = 0) -> list[Sample]:
    """Made pages, in number this share of the samples with text, each by one or two kinds of augmentation."""
    random = np.random.default_rng(seed)
    originals = [
        EditablePage.from_sample(sample)
        for sample in samples
        if sample.page.page_type in _TEXTS and not np.isnan(sample.content).all()
    ]
    by_fold: dict[int, list[EditablePage]] = {}
    for original in originals:
        if np.nansum(original.content) >= 3:
            by_fold.setdefault(original.fold, []).append(original)
    names, (chances, _) = list(KINDS), zip(*KINDS.values(), strict=True)
    made: list[Sample] = []
    for number in random.permutation(len(originals)).tolist() * (1 + int(share)):
        if len(made) >= share * len(originals):
            break
        original, donors = originals[number], by_fold.get(originals[number].fold, [])
        if np.nansum(original.content) < 3 or not donors:
            continue
        after = original
        for kind in random.choice(names, size=1 + int(random.random() < 0.5), replace=False, p=chances).tolist():
            after = KINDS[kind][1](after, donors, random)
        if after is not original and np.nansum(after.content) > 0:
            made.append(after.sample())
    return made
