"""The result of every extractor: a score and a decision for each block, with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from webstrata._once import once
from webstrata.extraction.causes import Cause, explained
from webstrata.extraction.structure.readings import with_readings, without_readings
from webstrata.extraction.structure.text import structured_text, structured_text_with_spans, text
from webstrata.page import Page
from webstrata.text import Column

if TYPE_CHECKING:
    from webstrata.extraction.chunks import Chunk
    from webstrata.extraction.metadata import Metadata
    from webstrata.extraction.posts import Post
    from webstrata.extraction.structure.spans import Span
    from webstrata.segmentation.base import Segmenter

__all__ = ["Extraction", "Kind"]


class Kind(IntEnum):
    """The kind of a block, as an extractor sees it."""

    BOILERPLATE = 0
    CONTENT = 1
    TITLE = 2
    COMMENT = 3
    CAPTION = 4


# A sign at the end of a heading that links it to itself.
_PERMALINK = re.compile(r"\s*[¶🔗⚓]\s*$|\s+[#§]\s*$")
_KIND_NAMES = tuple(kind.name.lower() for kind in Kind)
# As plain integers: comparing a column with a member of an enumeration is much slower.
_BOILERPLATE, _CONTENT, _TITLE, _COMMENT = (int(kind) for kind in Kind if kind != Kind.CAPTION)


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """The decisions of an extractor about a page.

    Attributes
    ----------
    page : the page
    keep : for each block, whether it is given
    kind : for each block, its `Kind` as a number
    score : for each block, how much it looks like content, from 0 to 1
    reason : for each block, the reason of the decision: an index into `reasons`
    reasons : the reasons in words
    algorithm : the ``repr`` of the extractor; evaluating it rebuilds the extractor
    carried : text that the page carries outside of its visible text (`webstrata.extraction.embedded`), as a page of its
        own; None if there is none, if the visible text has it, or if the extractor does not look for it
    images, links : whether Markdown and HTML have them; the text of a link is given in any case
    citations : whether Markdown, HTML, TEI and structured text have footnotes and the references to them
    readings : whether readings over words (``ruby``) are written, with the brackets that the page has for them
    structured : whether `text` has the markers of lists, and rows of tables as lines with tabs between their cells
    explain : gives, for each block of a page, the causes of its score; None if an extractor knows nothing beyond the
        reasons
    assess : gives the confidence of an extraction; None if an extractor has none
    """

    page: Page
    keep: Column
    kind: Column
    score: Column
    reason: Column
    reasons: tuple[str, ...]
    algorithm: str
    carried: Page | None = None
    images: bool = True
    links: bool = True
    citations: bool = True
    readings: bool = False
    structured: bool = False
    explain: Callable[[Page], Iterable[tuple[Cause, ...]]] | None = None
    assess: Callable[[Extraction], float | None] | None = None

    @once
    def _strata(self) -> list[tuple[Page, Column]]:
        """The pages to render, each with the blocks to keep: the page itself, and what it carries."""
        written = with_readings if self.readings else without_readings
        strata = [(self.page, self.keep), *([(self.carried, ~self.carried.blocks.hidden)] if self.carried else [])]
        return [(page, written(page, keep)) for page, keep in strata]

    @once
    def text(self) -> str:
        """The content as text: paragraphs with a blank line between, headings and list items on their own lines."""
        if self.structured:
            written = (structured_text(page, keep, citations=self.citations) for page, keep in self._strata)
        else:
            written = (text(page, keep) for page, keep in self._strata)
        return "\n\n".join(filter(None, written))

    @property
    def _written(self) -> dict[str, bool]:
        return {"images": self.images, "links": self.links, "citations": self.citations}

    @once
    def comments(self) -> str:
        """The readers' comments as text, whether they are given with the content or not."""
        return text(self.page, self.kind == _COMMENT)

    @once
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread and the comments on a page, with author and date where the page has them, in order.

        They are read from the page as it is, whichever of them are given as content.
        """
        from webstrata.extraction.posts import find_posts

        return find_posts(self.page, self.keep | (self.kind == _COMMENT))

    @once
    def _title(self) -> Column:
        """The blocks of the title that is given."""
        title: Column = self.keep & (self.kind == _TITLE)
        return title

    @once
    def _heading(self) -> str:
        """The text of the title that is given, without the sign that links it to itself."""
        return _PERMALINK.sub("", text(self.page, self._title))

    @once
    def markdown(self) -> str:
        """The content as Markdown, with headings, lists, tables, code, links and images; it begins with the title."""
        from webstrata.extraction.structure.markdown import heading, markdown

        (page, keep), *more = self._strata
        title = heading(self._heading)
        strata = ((page, keep & ~self._title), *more)
        parts = (markdown(page, keep, **self._written) for page, keep in strata)
        return "\n\n".join(filter(None, (title, *parts)))

    @once
    def markdown_spans(self) -> tuple[Span, ...]:
        """For each piece of `markdown` the bytes of the source that it comes from, in order (`structure.spans`).

        >>> from webstrata.extraction import extract
        >>> html = "<p>Silt is <b>pale</b>."
        >>> found = extract(html, "keep-all")
        >>> [(found.markdown[a:b], html[c:d]) for a, b, c, d, _ in found.markdown_spans]
        [('Silt is', 'Silt is'), ('pale', 'pale'), ('.', '.')]
        """
        from webstrata.extraction.structure.markdown import heading, markdown_with_spans
        from webstrata.extraction.structure.spans import Span, joined

        (page, keep), *more = self._strata
        title, rows = heading(self._heading), np.flatnonzero(self._title)
        parts: list[tuple[str, list[Span]]] = []
        if title:
            start, stop = int(page.blocks.source_start[rows[0]]), int(page.blocks.source_stop[rows[-1]])
            parts.append((title, [Span(2, len(title), start, stop)]))
        parts.append(markdown_with_spans(page, keep & ~self._title, **self._written))
        for carried, keep in more:
            written, spans = markdown_with_spans(carried, keep, **self._written)
            parts.append((written, [span.moved(0, carried=True) for span in spans]))
        return tuple(joined(parts, "\n\n")[1])

    @once
    def text_spans(self) -> tuple[Span, ...]:
        """For each piece of `text` the bytes of the source that it comes from, in order."""
        from webstrata.extraction.structure.spans import joined, spans_of_text

        parts = []
        for page, keep in self._strata:
            if self.structured:
                written, spans = structured_text_with_spans(page, keep, citations=self.citations)
            else:
                written, spans = text(page, keep), spans_of_text(page, keep)
            parts.append((written, [span.moved(0, carried=page is self.carried) for span in spans]))
        return tuple(joined(parts, "\n\n")[1])

    @once
    def html(self) -> str:
        """The content as clean HTML, one ``article``; it begins with the title."""
        from webstrata.extraction.structure.html import html

        (page, keep), *more = self._strata
        return html(page, keep & ~self._title, *more, title=self._heading, **self._written)

    @once
    def explanations(self) -> tuple[str, ...]:
        """For each block why it was kept or left out: the reason, and what moved its score most, in words.

        Computed on demand; takes about ten times as long as the extraction.
        """
        reasons = [self.reasons[number] for number in self.reason.tolist()]
        rows = zip(reasons, self.keep.tolist(), self.causes, strict=True)
        return tuple(explained(reason, kept, causes) for reason, kept, causes in rows)

    @once
    def causes(self) -> tuple[tuple[Cause, ...], ...]:
        """For each block what moved its score most, the strongest first; none if the extractor does not explain."""
        if self.explain is None:
            return ((),) * len(self.page.blocks)
        return tuple(self.explain(self.page))

    @once
    def confidence(self) -> float | None:
        """The chance, from 0 to 1, that the content is right: that its words agree with those that a person would take,
        with an F1 over 0.8. None if the extractor has no such model. Computed on demand, from counts and scores.
        """
        return None if self.assess is None else self.assess(self)

    @once
    def metadata(self) -> Metadata:
        """The metadata of the page: title, author, date and more."""
        from webstrata.extraction.metadata.reader import metadata

        return metadata(self.page)

    @once
    def tei(self) -> str:
        """The content as a document of the Text Encoding Initiative, with the metadata in its header."""
        from webstrata.extraction.structure.tei import tei

        return tei(self.html, self.metadata)

    def chunks(
        self,
        *,
        size: int = 2000,
        length: Callable[[str], int] | Any = len,
        overlap: int = 0,
        segmenter: str | Segmenter | None = "learned",
    ) -> tuple[Chunk, ...]:
        r"""The content as passages for retrieval: Markdown that is cut along headings, segments and wholes.

        Parameters
        ----------
        size : the most characters of a chunk, or tokens
        length : measures a text: a function, or a tokenizer, that is an object whose method ``encode`` returns tokens
        overlap : how much of the end of a chunk the next one repeats at most, in whole sentences, items and rows,
            unless a section begins there; no more than half of ``size``
        segmenter : finds the segments; None for headings alone

        >>> from webstrata.extraction import extract
        >>> html = "<h1>Varves</h1><h2>Silt</h2><p>Pale, in spring.<h2>Mud</h2><p>Dark, in autumn."
        >>> for chunk in extract(html, "keep-all").chunks(size=40):
        ...     print(repr(chunk.text), chunk.headings)
        '# Varves\n\n## Silt\n\nPale, in spring.' ('Varves', 'Silt')
        '## Mud\n\nDark, in autumn.' ('Varves', 'Mud')
        """
        from webstrata.extraction.chunks import chunks

        return chunks(self, size=size, length=length, overlap=overlap, segmenter=segmenter)

    def as_dict(
        self,
        *,
        with_metadata: bool = True,
        with_blocks: bool = True,
        with_spans: bool = False,
        with_posts: bool = True,
    ) -> dict[str, Any]:
        """Text, metadata and decisions as plain values, under the names that `webstrata extract` and `webstrata run`
        write. Each block has its text, its span in the source, its score and its reason; ``carried`` is the text that
        the page carries elsewhere.

        Parameters
        ----------
        with_metadata : whether to add the metadata
        with_blocks : whether to add the blocks and the carried text
        with_spans : whether to add the Markdown, and the spans of the text and of the Markdown
        with_posts : whether to add the posts
        """
        summary = self._summary(with_metadata, with_spans, with_posts)
        if not with_blocks:
            return summary
        blocks = self.page.blocks
        columns = (blocks.text_start, blocks.text_stop, blocks.source_start, blocks.source_stop)
        rows = [
            {
                "text": self.page.text[start:stop],
                "source": [source_start, source_stop],
                "hidden": hidden,
                "keep": keep,
                "kind": _KIND_NAMES[kind],
                "score": round(score, 4),
                "reason": self.reasons[reason],
            }
            for start, stop, source_start, source_stop, hidden, keep, kind, score, reason in zip(
                *(
                    column.tolist()
                    for column in (*columns, blocks.hidden, self.keep, self.kind, self.score, self.reason)
                ),
                strict=True,
            )
        ]
        return {**summary, "blocks": rows, "carried": self._carried_text}

    def _summary(self, with_metadata: bool, with_spans: bool, with_posts: bool) -> dict[str, Any]:
        """The fields before the blocks. The URL is where the page came from, or the one that it declares."""
        fields = self.metadata.as_dict() if with_metadata else {}
        url = self.page.url or fields.pop("url", None)
        found = {**fields, "url": url, "text": self.text, "algorithm": self.algorithm}
        found["confidence"] = None if self.confidence is None else round(self.confidence, 4)
        if with_posts:
            found["posts"] = [post._asdict() for post in self.posts]
        if with_spans:
            found["text_spans"] = [span._asdict() for span in self.text_spans]
            found["markdown"] = self.markdown
            found["markdown_spans"] = [span._asdict() for span in self.markdown_spans]
        return found

    @property
    def _carried_text(self) -> str | None:
        return text(*self._strata[1]) if self.carried else None

    def json(
        self,
        *,
        indent: int | None = None,
        with_metadata: bool = True,
        with_blocks: bool = True,
        with_spans: bool = False,
        with_posts: bool = True,
    ) -> str:
        """`as_dict` as JSON."""
        encode = _json_encoder(indent)
        if indent is not None or not with_blocks:
            parts = {"with_metadata": with_metadata, "with_blocks": with_blocks}
            return encode(self.as_dict(**parts, with_spans=with_spans, with_posts=with_posts))
        from webstrata.extraction.json_writer import blocks_as_json

        summary, carried = encode(self._summary(with_metadata, with_spans, with_posts)), encode(self._carried_text)
        blocks = blocks_as_json(self.page, self.keep, self.kind, self.score, self.reason, _KIND_NAMES, self.reasons)
        return f'{summary[:-1]}, "blocks": {blocks}, "carried": {carried}}}'

    def dropping(self, rows: npt.ArrayLike, reason: str) -> Extraction:
        """This extraction without some of its blocks: they become boilerplate, score 0, and have this reason.

        Comments stay comments, so that `comments` has them whether they are given or not.

        Parameters
        ----------
        rows : a mask or indexes of blocks; those that are not kept stay as they are
        reason : why they are dropped

        >>> from webstrata.extraction import extract
        >>> found = extract("<p>Silt is pale.<p>Share this", "keep-all").dropping([1], "a call to share")
        >>> found.text, found.explanations[1]
        ('Silt is pale.', 'a call to share')
        """
        return self._decided(rows, reason, keep=False)

    def adding(self, rows: npt.ArrayLike, reason: str) -> Extraction:
        """This extraction with more blocks: those that were not kept become content, score 1, and have this reason.

        >>> from webstrata.extraction import extract
        >>> found = extract("<p>Silt is pale.<p>Mud", "min-words(minimum=3)").adding([1], "the end of a text")
        >>> found.text, found.explanations[1]
        ('Silt is pale.\\n\\nMud', 'the end of a text')
        """
        return self._decided(rows, reason, keep=True)

    def _decided(self, rows: npt.ArrayLike, reason: str, *, keep: bool) -> Extraction:
        """Decide once more about some blocks, as far as the decision is another than before."""
        changed = np.zeros(len(self.keep), bool)
        changed[np.asarray(rows)] = True
        changed &= self.keep != keep
        kinds = _CONTENT if keep else np.where(self.kind == _COMMENT, _COMMENT, _BOILERPLATE)
        return replace(
            self,
            keep=np.where(changed, keep, self.keep),
            kind=np.where(changed, kinds, self.kind).astype(np.uint8),
            score=np.where(changed, float(keep), self.score),
            reason=np.where(changed, len(self.reasons), self.reason),
            reasons=(*self.reasons, reason),
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        words = int(self.page.blocks.words[self.keep].sum())
        carried = f", {int(self.carried.blocks.words.sum())} words carried" if self.carried else ""
        return (
            f"<Extraction of {self.page.url or repr(self.page.title)} by {self.algorithm.partition('(')[0]}: "
            f"{int(self.keep.sum())} of {len(self.keep)} blocks kept, {words} words{carried}>"
        )

    def _repr_html_(self) -> str:
        """For notebooks: the blocks that a browser shows, the kept ones in colour."""
        from webstrata._notebook import Line, table

        shown = np.flatnonzero(~self.page.blocks.hidden | self.keep).tolist()
        colours = {Kind.TITLE: "#fdf0d0", Kind.COMMENT: "#f3e6f7", Kind.CAPTION: "#e5f5e8"}
        lines = (
            Line(
                _KIND_NAMES[self.kind[row]] if self.keep[row] else self.reasons[self.reason[row]],
                self.page.blocks[row].text,
                colours.get(self.kind[row], "#e3effb") if self.keep[row] else "",
            )
            for row in shown
        )
        return table(f"{self.metadata.title or ''} {self!r}".strip(), lines)


@lru_cache(maxsize=8)
def _json_encoder(indent: int | None) -> Callable[[object], str]:
    """The function that writes JSON, cached: making one takes as long as reading a short page."""
    from json import JSONEncoder  # most users want text: keep the import light

    return JSONEncoder(ensure_ascii=False, indent=indent).encode
