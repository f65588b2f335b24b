"""The posts in the elements of a page."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from webstrata._once import once
from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.metadata.dates import iso_date
from webstrata.extraction.posts.declared import declared_posts
from webstrata.extraction.posts.names import (
    ATTRIBUTES,
    MARK_PARTS,
    POST_PARTS,
    author_of,
    beginning,
    date_of,
    is_ago,
    kind_of,
)
from webstrata.extraction.posts.post import Post
from webstrata.extraction.structure.spans import spans_of_text
from webstrata.extraction.structure.text import text
from webstrata.page import Page
from webstrata.paragraphs import LINE, ends
from webstrata.text import Column

__all__ = ["find_posts"]

# Elements that are no posts whatever their names are.
_NO_POST = np.zeros(256, bool)
_NO_POST[
    [
        TAG_NUMBERS[name]
        for name in "html body main span a time b i em strong label button input form nav p ul ol header footer aside"
        " h1 h2 h3 h4 h5 h6 img svg script style template".split()
    ]
] = True
# Elements that are read; a thread of ten thousand posts has as many.
_MOST = 20_000
# Bytes at the beginning of a post that are searched for a linked heading.
_HEADING = 3000
_BUTTON_WORDS = 4
_DEEPEST = 200
# Blocks of an element with a name or a date.
_MARK_BLOCKS = 6
# A heading that leads to another page, as in lists of posts.
_LISTED = re.compile(
    rb"<h[1-4]\b[^<>]*>\s*(?:<(?!a\b)[^<>]*>\s*){0,3}<a\b[^<>]*?href\s*=\s*[\"']?[^\"'<>#\s]+[\"'\s>]|<a\b[^<>]*>\s*<h[1-4]\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Candidate:
    """An element that may be a post, while its parts are collected.

    Attributes
    ----------
    row, start, stop : the element and its blocks
    signature : what elements of the same kind share
    is_comment, is_question : what it says of itself
    above : the candidate around it
    authors, dates : what names them, as a value and the blocks of it
    inside : the posts inside of it that are in no other one of them
    """

    row: int
    start: int
    stop: int
    signature: str
    is_comment: bool
    is_question: bool
    above: _Candidate | None
    authors: list[tuple[str, int, int]] = field(default_factory=list)
    dates: list[tuple[str | None, int, int]] = field(default_factory=list)
    inside: list[_Candidate] = field(default_factory=list)


def find_posts(page: Page, taken: Column) -> tuple[Post, ...]:
    """The posts of a page in their order.

    Parameters
    ----------
    taken : the blocks that are kept or comments; in posts with such blocks, others are left out

    >>> from webstrata.page import parse
    >>> page = parse("<li class=comment><a class=author>Ada</a> <time datetime=2024-05-17>May</time><p>Silt.</p>"
    ...              "<li class=comment><a class=author>Ben</a><p>Mud.")
    >>> for post in find_posts(page, ~page.blocks.hidden):
    ...     print(*post[:3])
    Ada 2024-05-17 Silt.
    Ben None Mud.
    """
    return tuple(_PostReader(page, taken).posts() or declared_posts(page))


class _PostReader:
    """Reads the posts of the elements of a page."""

    def __init__(self, page: Page, taken: Column) -> None:
        self.page, self.taken = page, taken
        self.sums = np.concatenate(([0], np.cumsum(taken)))
        self.words = np.concatenate(([0], np.cumsum(page.blocks.words)))

    def posts(self) -> list[Post]:
        """The posts, without those of lists, and those that are alone and do not say what they are."""
        groups: defaultdict[str, list[_Candidate]] = defaultdict(list)
        for candidate in self._settled():
            groups[candidate.signature].append(candidate)
        chosen = {
            candidate.row: candidate
            for group in groups.values()
            if len(group) > 1 or group[0].is_comment or group[0].is_question
            if self._is_taken(group) and not self._is_listing(group)
            for candidate in group
        }
        ordered = [chosen[row] for row in sorted(chosen)]
        made = map(self._post, ordered, self._texts(ordered), self._levels(ordered))
        return [post for post in made if post.text]

    @once
    def lines(self) -> Column:
        """For each block the number of its line."""
        return np.cumsum(ends(self.page) >= LINE)

    @once
    def _titles(self) -> Column:
        """The blocks of headings with the title of the page, which many forums repeat above each post."""
        page, found = self.page, np.zeros(len(self.page.blocks), bool)
        title = page.title[:_HEADING].casefold()
        for row in np.flatnonzero(page.blocks.heading).tolist():
            heading = page.blocks[row].text.casefold().removeprefix("re:").strip()
            found[row] = bool(heading) and heading in title
        return found

    @once
    def _tags(self) -> tuple[bytes, Column]:
        """The start tags of all elements in lower case, one after the other, and where each begins."""
        elements, source = self.page.elements, self.page.source
        starts, stops = elements.source_start.tolist(), elements.open_stop.tolist()
        tags = b"".join([source[start:stop] for start, stop in zip(starts, stops, strict=True)])
        lengths = elements.open_stop - elements.source_start
        return tags.lower(), np.cumsum(lengths) - lengths

    def _holding(self, parts: tuple[bytes, ...], first: int) -> Column:
        """Which elements, from a row on, have a start tag that holds one of these parts."""
        tags, begins = self._tags
        found = np.zeros(len(begins), bool)
        for part in parts:
            places = []
            at = tags.find(part, begins[first])
            while at >= 0:
                places.append(at)
                at = tags.find(part, at + len(part))
            # Elements without a start tag of their own begin where the next one does: the last one has the tag.
            found[np.searchsorted(begins, places, side="right") - 1] = True
        return found

    def _candidates(self) -> list[_Candidate]:
        """The elements that may be posts, in order, each with the names and dates that are in no other one in it."""
        elements = self.page.elements
        found: list[_Candidate] = []
        around: list[_Candidate] = []
        posts = self._holding(POST_PARTS, 0) & ~_NO_POST[elements.tag] & (elements.end_block > elements.first_block)
        if not posts.any():
            return []
        rows = np.flatnonzero(posts | self._holding(MARK_PARTS, int(posts.argmax())))[:_MOST]
        for row in rows.tolist():
            attributes = elements.some_attributes(row, ATTRIBUTES)
            start, stop = elements.block_span(row)
            while around and start >= around[-1].stop:
                around.pop()
            kind = kind_of(attributes) if posts[row] else None
            if kind is not None and len(around) < _DEEPEST:
                signature = f"{elements.tag[row]} {kind.signature}"
                above = around[-1] if around else None
                around.append(_Candidate(row, start, stop, signature, kind.is_comment, kind.is_question, above))
                found.append(around[-1])
            elif around and stop - start <= _MARK_BLOCKS:
                if author := author_of(self.page, row, attributes, start, stop):
                    around[-1].authors.append((author, *self._head(author, start, stop)))
                elif (date := date_of(self.page, attributes, start, stop)) is not None:
                    around[-1].dates.append((date or None, start, stop))
        return found

    def _head(self, author: str, start: int, stop: int) -> tuple[int, int]:
        """The blocks of a name; none if a block has other text, because links are parts of blocks."""
        words = int(self.words[stop] - self.words[start])
        return (start, stop) if words <= len(author.split()) + _BUTTON_WORDS else (start, start)

    def _settled(self) -> list[_Candidate]:
        """The candidates that are posts. What is none leaves its parts to the candidate around it."""
        found: list[_Candidate] = []
        for candidate in reversed(self._candidates()):
            above = candidate.above
            if self._is_post(candidate):
                found.append(candidate)
                if above is not None:
                    above.inside.append(candidate)
            elif above is not None:
                above.inside += candidate.inside
                if not candidate.inside:
                    above.authors[:0] = candidate.authors
                    above.dates[:0] = candidate.dates
        return found

    def _is_post(self, candidate: _Candidate) -> bool:
        """Whether a candidate names its author or its date, and has text besides."""
        if not candidate.authors and not candidate.dates:
            if candidate.inside:
                return False
            begin = beginning(self.page, candidate.start, candidate.stop)
            day = iso_date(begin)
            if day is None and not is_ago(begin):
                return False
            candidate.dates.append((day, candidate.start, candidate.start))
        if candidate.inside and not self._taken_around(candidate):
            self._pass_inside(candidate)
            return False
        around = {(start, stop) for _, start, stop in (*candidate.authors[:1], *candidate.dates[:1])}
        spans = [*around, *((each.start, each.stop) for each in candidate.inside)]
        own = self.words[candidate.stop] - self.words[candidate.start]
        return bool(own > sum(int(self.words[stop] - self.words[start]) for start, stop in spans))

    def _taken_around(self, candidate: _Candidate) -> bool:
        """Whether the extractor took text of a candidate that is in no post inside of it."""
        return self._taken_in(candidate) > sum(map(self._taken_in, candidate.inside))

    def _taken_in(self, candidate: _Candidate) -> int:
        return int(self.sums[candidate.stop] - self.sums[candidate.start])

    def _pass_inside(self, candidate: _Candidate) -> None:
        """Give what a wrapper names to the only post inside of it, which may have a head of its own."""
        if len(candidate.inside) == 1:
            [only] = candidate.inside
            only.authors = only.authors or candidate.authors
            only.dates = [each for each in only.dates if each[0]] or candidate.dates

    def _is_taken(self, group: list[_Candidate]) -> bool:
        """Whether the extractor took text of any of these posts."""
        return any(map(self._taken_in, group))

    def _is_listing(self, group: list[_Candidate]) -> bool:
        """Whether most posts begin with a linked heading, and lead to pages of their own."""
        if group[0].is_comment or group[0].is_question:
            return False
        elements, source = self.page.elements, self.page.source
        places = (int(elements.source_start[each.row]) for each in group)
        linked = sum(_LISTED.search(source, place, place + _HEADING) is not None for place in places)
        return 2 * linked > len(group)

    def _texts(self, posts: list[_Candidate]) -> list[str]:
        """The own texts of posts in the order of their elements."""
        owner = np.full(len(self.page.blocks), -1)
        for number, post in enumerate(posts):
            owner[post.start : post.stop] = number  # posts inside of others come after them
        given = np.zeros(len(owner), bool)
        for number, post in enumerate(posts):
            given[post.start : post.stop] |= self._own(post, owner[post.start : post.stop] == number)
        rows = np.flatnonzero(given)
        whole = text(self.page, given)
        pieces: list[list[str]] = [[] for _ in posts]
        spans = spans_of_text(self.page, given)
        begin = 0
        for at, number in enumerate(owner[rows].tolist()):
            if at + 1 == len(rows) or owner[rows[at + 1]] != number:
                pieces[number].append(whole[spans[begin].start : spans[at].stop].strip())
                begin = at + 1
        return ["\n\n".join(filter(None, each)) for each in pieces]

    def _own(self, post: _Candidate, own: Column) -> Column:
        """Which of the blocks of a post are its text, among those that are in no post inside of it."""
        blocks, begin = self.page.blocks, post.start
        span = slice(post.start, post.stop)
        author, day = _first(post)
        head = np.zeros(len(own), bool)
        for _, start, stop in (
            *(each for each in post.authors if each[0] == author),
            *(each for each in post.dates if each[0] == day),
        ):
            head[start - begin : stop - begin] = True
        shown = ~blocks.hidden[span] & ~(
            (blocks.words[span] <= _BUTTON_WORDS) & (blocks.link_words[span] == blocks.words[span])
        )
        mask = own & ~head
        mask &= self.taken[span] if (mask & self.taken[span]).any() else shown
        # The line of a name and a date has other marks and words, such as "wrote"; short posts may stand there as well.
        mask &= ~self._titles[span]
        lines = self.lines[span]
        below = mask & ~np.isin(lines, lines[head])
        return below if (below & (blocks.words[span] > 0)).any() else mask

    def _levels(self, posts: list[_Candidate]) -> list[int]:
        """For each post the number of posts that it stands in."""
        levels: list[int] = []
        around: list[int] = []
        for post in posts:
            while around and around[-1] <= post.start:
                around.pop()
            levels.append(len(around))
            around.append(post.stop)
        return levels

    def _post(self, candidate: _Candidate, written: str, level: int) -> Post:
        author, day = _first(candidate)
        return Post(author, day, written, level, (candidate.start, candidate.stop))


def _first(candidate: _Candidate) -> tuple[str | None, str | None]:
    """The first author and the first day of a candidate."""
    author = candidate.authors[0][0] if candidate.authors else None
    return author, next((day for day, _, _ in candidate.dates if day), None)
