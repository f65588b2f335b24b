"""The roles of elements that tags alone do not tell: formulas, code, footnotes, callouts.

Every structured format is written from the kept blocks of a page and these roles (`content`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from webstrata.extraction.structure.aids import AID_WORDS, aids, tasks
from webstrata.extraction.structure.callouts import CALLOUT_WORDS, Callout, callouts
from webstrata.extraction.structure.candidates import TagRows
from webstrata.extraction.structure.code import CODE_WORDS, code_parts
from webstrata.extraction.structure.embeds import Embed, embeds
from webstrata.extraction.structure.footnotes import Footnotes, footnotes
from webstrata.extraction.structure.formulas import FORMULA_WORDS, Formula, drawn_copies, formulas
from webstrata.extraction.structure.inline_notes import INLINE_NOTE_WORDS
from webstrata.extraction.structure.sidenotes import NOTE_WORDS
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["Roles", "roles_of", "written_roles"]

_WORDS = tuple(
    dict.fromkeys((*CODE_WORDS, *CALLOUT_WORDS, *NOTE_WORDS, *INLINE_NOTE_WORDS, *FORMULA_WORDS, *AID_WORDS))
)


@dataclass(frozen=True, eq=False, slots=True)
class Roles:
    """The roles of elements of a page, by their rows.

    Attributes
    ----------
    formulas : written as TeX in place of their blocks
    code : written as code with this text in place of their blocks
    callouts : boxes with a kind and a title
    tasks : items of task lists, and whether each is done
    embeds : players and posts, written as links
    footnotes : notes, references, and the ranges of the text in whose place these are
    dropped : for each block, whether it is only an aid of the page: a line number, a label of code, a drawn copy of a
        formula, the title of a callout, a link that edits a section
    note : for each block the number of its note, from 1; None if there are no notes
    """

    formulas: dict[int, Formula] = field(default_factory=dict)
    code: dict[int, str] = field(default_factory=dict)
    callouts: dict[int, Callout] = field(default_factory=dict)
    tasks: dict[int, bool] = field(default_factory=dict)
    embeds: dict[int, Embed] = field(default_factory=dict)
    footnotes: Footnotes = field(default_factory=Footnotes)
    dropped: Column | None = None
    note: Column | None = None


def roles_of(page: Page) -> Roles:
    """The roles of the elements of a page."""
    tags = TagRows(page, _WORDS)
    code, boxes = code_parts(page, tags), callouts(page, tags)
    notes, tex = footnotes(page, tags), formulas(page, tags)
    elements = page.elements
    dropped = np.zeros(len(page.blocks), bool)
    for row in (*code.dropped_rows, *drawn_copies(page, tags), *aids(page, tags)):
        dropped[slice(*elements.block_span(row))] = True
    for callout in boxes.values():
        dropped[callout.title_blocks.start : callout.title_blocks.stop] = True
    dropped[code.dropped_blocks] = True
    note = None
    if notes.notes:
        note = np.zeros(len(page.blocks), np.int32)
        for number, each in enumerate(notes.notes, 1):
            note[each.first_block : each.end_block] = number
        cuts = [(start, stop) for start, stop, row in notes.cuts if row < 0]
        # One search for all of them: each would convert the whole column to the type of its numbers.
        ranges = np.searchsorted(page.blocks.text_start, np.array(cuts, np.int64).reshape(-1, 2))
        for (_, stop), (first, end) in zip(cuts, ranges.tolist(), strict=True):
            # Blocks without anything else.
            dropped[first:end] |= page.blocks.text_stop[first:end] <= stop
    return Roles(tex, code.texts, boxes, tasks(page), embeds(page), notes, dropped if dropped.any() else None, note)


def written_roles(page: Page, keep: Column, *, links: bool = True, citations: bool = True) -> tuple[Column, Roles]:
    """The blocks that a structured format writes, and the roles of their elements.

    Parameters
    ----------
    links : whether embeds, which are links, are written
    citations : whether footnotes and the references to them are written
    """
    roles = roles_of(page)
    if not links:
        roles = replace(roles, embeds={})
    if roles.note is None:
        return keep, roles
    return (_with_notes(page, keep, roles), roles) if citations else _without_citations(keep, roles)


def _with_notes(page: Page, keep: Column, roles: Roles) -> Column:
    """The kept blocks, and the footnotes of the references in them: a footnote goes with its reference."""
    whole: Column = keep.copy()
    starts, stops = page.blocks.text_start, page.blocks.text_stop
    referenced = set()
    cuts = roles.footnotes.cuts
    blocks = np.searchsorted(starts, np.array([start for start, *_ in cuts], np.int64), side="right") - 1
    for (start, stop, row), block in zip(cuts, blocks.tolist(), strict=True):
        if row < 0 or not (keep[block] or (block and keep[block - 1])):
            continue
        referenced.add(roles.footnotes.references[row].label)
        if starts[block] >= start and stops[block] <= stop:
            whole[block] = True
    for row, reference in roles.footnotes.marks.items():
        if page.elements.first_block[row] and keep[page.elements.first_block[row] - 1]:
            referenced.add(reference.label)
    hidden = page.blocks.hidden
    for note in roles.footnotes.notes:
        rows = slice(note.first_block, note.end_block)
        if note.label in referenced:
            whole[rows] |= ~hidden[rows] | hidden[rows].all()
    return whole


def _without_citations(keep: Column, roles: Roles) -> tuple[Column, Roles]:
    """The kept blocks without footnotes, and the roles without references to them."""
    assert roles.note is not None
    cuts = [(start, stop, -1) for start, stop, _ in roles.footnotes.cuts]
    shown = roles.note == 0
    shown[roles.footnotes.headings] = False
    return keep & shown, replace(roles, footnotes=Footnotes(cuts=cuts), note=None)
