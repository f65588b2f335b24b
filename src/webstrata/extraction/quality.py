"""The rules of C4 and Gopher: which texts corpus builders leave out, and why.

Each set of rules is called with a text and returns the rule that the text breaks, with its figure, or None. Words are
runs between white space, lines are those of the text, as in both papers. `QUALITY` has all sets by name.

References
----------
C. Raffel et al., Exploring the limits of transfer learning with a unified text-to-text transformer, JMLR 21 (2020).
J. W. Rae et al., Scaling language models: methods, analysis and insights from training Gopher, arXiv:2112.11446 (2021).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

__all__ = ["C4", "QUALITY", "Gopher", "GopherRepetition"]

# Begins at the first sign of a run, so that long runs take linear time.
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'\u201d\u2019)\]]*+(?=\s|$)")
_LINE_ENDS = (".", "?", "!", '"', "\u201d")
_NOTICES = (
    *("terms of use", "privacy policy", "cookie policy"),
    *("uses cookies", "use of cookies", "use cookies"),
)
_BULLETS = ("\u2022", "\u2023", "\u25aa", "\u25cf", "\u25e6", "-", "*")
_ELLIPSES = ("...", "\u2026")
_STOP_WORDS = frozenset("the be to of and that have with".split())
_PARAGRAPH = re.compile(r"\n{2,}")


@dataclass(frozen=True, kw_only=True)
class C4:
    """The rules of C4 (Raffel et al. 2020 §2.2).

    Only lines count that have enough words, end like a sentence and are no notice about scripts, cookies or terms.

    Parameters
    ----------
    words : the fewest words of a line that counts
    sentences : the fewest sentences of all lines that count

    Deviations. The paper deletes the other lines; a text is kept or left out as a whole here. Its list of bad words is
    not applied. Text that repeats on other pages is the business of ``--drop-duplicates``.

    >>> C4()("Silt is fine, and clay is finer. Sand is not. Both settle slowly."), C4()("function() { return 1 }")
    (None, 'a curly bracket')
    """

    words: int = 5
    sentences: int = 3
    name: ClassVar[str] = "c4"

    def __call__(self, text: str) -> str | None:
        if "{" in text:
            return "a curly bracket"
        lower = text.lower()
        if "lorem ipsum" in lower:
            return "lorem ipsum"
        lines = (line for line in lower.splitlines() if self._counts(line.strip()))
        sentences = sum(len(_SENTENCE_END.findall(line)) for line in lines)
        return f"{sentences} sentences" if sentences < self.sentences else None

    def _counts(self, line: str) -> bool:
        if not line.endswith(_LINE_ENDS) or line.endswith(_ELLIPSES) or len(line.split()) < self.words:
            return False
        return "javascript" not in line and not any(notice in line for notice in _NOTICES)


@dataclass(frozen=True, kw_only=True)
class Gopher:
    """The quality rules of Gopher (Rae et al. 2021, table A1).

    Parameters
    ----------
    least, most : words
    shortest, longest : the mean length of a word
    symbols : the most hash signs, or ellipses, for each word
    bullets, ellipses : the largest share of lines that begin with a bullet, or end with an ellipsis
    letters : the smallest share of words with a letter
    stop_words : the fewest different words of a list of eight English ones; 0 for other languages

    >>> Gopher()("Silt " * 60), Gopher(stop_words=0)("Silt " * 60), Gopher()("Too short.")
    ('0 stop words', None, '2 words')
    """

    least: int = 50
    most: int = 100_000
    shortest: float = 3
    longest: float = 10
    symbols: float = 0.1
    bullets: float = 0.9
    ellipses: float = 0.3
    letters: float = 0.8
    stop_words: int = 2
    name: ClassVar[str] = "gopher"

    def __call__(self, text: str) -> str | None:
        words = text.split()
        count = len(words)
        if not self.least <= count <= self.most:
            return f"{count} words"
        mean = sum(map(len, words)) / max(count, 1)
        if not self.shortest <= mean <= self.longest:
            return f"words of {mean:.1f} characters"
        for name, number in (("hash signs", text.count("#")), ("ellipses", sum(map(text.count, _ELLIPSES)))):
            if number / max(count, 1) > self.symbols:
                return f"{number / count:.2f} {name} for each word"
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if (share := _share(lines, lambda line: line.startswith(_BULLETS))) > self.bullets:
            return f"{share:.0%} of lines begin with a bullet"
        if (share := _share(lines, lambda line: line.endswith(_ELLIPSES))) > self.ellipses:
            return f"{share:.0%} of lines end with an ellipsis"
        if (share := _share(words, lambda word: any(map(str.isalpha, word)))) < self.letters:
            return f"{share:.0%} of words have a letter"
        found = len(_STOP_WORDS & {word.lower().strip(".,;:!?\"'()") for word in words})
        return f"{found} stop words" if found < self.stop_words else None


@dataclass(frozen=True, kw_only=True)
class GopherRepetition:
    """The rules of Gopher against repetition (Rae et al. 2021, table A1), with the thresholds printed there.

    A repeated line, paragraph or n-gram is one that stands before it already. The most frequent n-gram counts by the
    characters of all its copies; repeated n-grams count each character once.

    >>> GopherRepetition()("Home\\nNews\\nHome\\nNews\\nHome\\nNews"), GopherRepetition()("Silt lies on clay.")
    ('67% of lines are repeated', None)
    """

    lines: float = 0.3
    line_characters: float = 0.2
    paragraphs: float = 0.3
    paragraph_characters: float = 0.2
    top: tuple[float, ...] = (0.2, 0.18, 0.16)
    repeated: tuple[float, ...] = (0.15, 0.14, 0.13, 0.12, 0.11, 0.10)
    name: ClassVar[str] = "gopher-repetition"

    def __call__(self, text: str) -> str | None:
        units = {"lines": text.splitlines(), "paragraphs": _PARAGRAPH.split(text)}
        limits = {
            "lines": (self.lines, self.line_characters),
            "paragraphs": (self.paragraphs, self.paragraph_characters),
        }
        for name, parts in units.items():
            count, characters = _repeated([part.strip() for part in parts if part.strip()])
            for share, limit, of in zip((count, characters), limits[name], ("", "characters of "), strict=True):
                if share > limit:
                    return f"{share:.0%} of {of}{name} are repeated"
        words = text.split()
        total = max(sum(map(len, words)), 1)
        for size, limit in enumerate(self.top, 2):
            share = _most_frequent(words, size) / total
            if share > limit:
                return f"the most frequent run of {size} words is {share:.0%} of the text"
        for size, limit in enumerate(self.repeated, 2 + len(self.top)):
            share = _repeated_runs(words, size) / total
            if share > limit:
                return f"repeated runs of {size} words are {share:.0%} of the text"
        return None


def _share(parts: Sequence[str], test: Callable[[str], bool]) -> float:
    return sum(map(test, parts)) / max(len(parts), 1)


def _repeated(parts: Sequence[str]) -> tuple[float, float]:
    """The shares of parts, and of their characters, that stand before already."""
    seen: set[str] = set()
    again = [part for part in parts if part in seen or seen.add(part)]  # type: ignore[func-returns-value]
    return len(again) / max(len(parts), 1), sum(map(len, again)) / max(sum(map(len, parts)), 1)


def _most_frequent(words: Sequence[str], size: int) -> int:
    """The characters of all copies of the most frequent run of words, 0 if none repeats."""
    runs = Counter(zip(*(words[at:] for at in range(size)), strict=False))
    most = max(runs.values(), default=0)
    return (
        max((sum(map(len, run)) for run, count in runs.items() if count == most), default=0) * most if most > 1 else 0
    )


def _repeated_runs(words: Sequence[str], size: int) -> int:
    """The characters of words in runs that stand before already, each word once."""
    seen: set[tuple[str, ...]] = set()
    at = characters = 0
    while at + size <= len(words):
        run = tuple(words[at : at + size])
        if run in seen:
            characters += sum(map(len, run))
            at += size
        else:
            seen.add(run)
            at += 1
    return characters


#: The sets of rules by name.
QUALITY: dict[str, Callable[[], Callable[[str], str | None]]] = {
    rules.name: rules for rules in (C4, Gopher, GopherRepetition)
}
