"""Agreement of two texts: word by word regardless of order, and by snippets that must or must not occur.

A word is a run of ``\\w``, as in the benchmarks of content extraction (WCXB, the evaluation of dragnet), and not a word
of `webstrata.text`: scores compare with published ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from webstrata.evaluation.metrics.score import Score

__all__ = ["SnippetScore", "characters_or_tokens", "snippets", "tokens", "word_score"]

_WORD = re.compile(r"\w+")

# Kana and ideographs, one by one; runs of all other letters and digits.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CHARACTER_OR_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def tokens(text: str) -> list[str]:
    r"""The words of a text as they are compared: runs of letters, digits and underscores (``\w+``), in lower case.

    Unlike a split at white space this is blind to punctuation and to the Markdown marks that extractors add or drop
    around a word. A script without spaces between words yields one token per run, so that one wrong character
    there costs the whole run.

    Examples
    --------
    >>> tokens("**Don't** panic!")
    ['don', 't', 'panic']
    """
    return _WORD.findall(text.lower())


def characters_or_tokens(text: str) -> list[str]:
    """The words of a text as by `tokens`, but of Chinese and Japanese the characters, one by one.

    >>> characters_or_tokens("Die 地层 sind alt")
    ['die', '地', '层', 'sind', 'alt']
    """
    return _CHARACTER_OR_WORD.findall(text.lower())


def word_score(truth: str, predicted: str, *, tokenise: Callable[[str], Iterable[str]] = tokens) -> Score:
    r"""Precision, recall and F1 of the words of an extracted text, compared as bags.

    With :math:`t_w` and :math:`p_w` the number of times that word *w* occurs in either text, there are
    :math:`\sum_w \min(t_w, p_w)` hits. Order does not matter; number does. Two texts without words agree (1); a text
    with words and one without share nothing (0).

    Parameters
    ----------
    truth, predicted
        The texts.
    tokenise
        The function that splits a text: :func:`tokens`, or ``str.split`` which keeps case and punctuation.

    Examples
    --------
    >>> word_score("the cat and the dog", "The cat, the mat")
    Score(precision=0.75, recall=0.6, f=0.6666666666666666, hits=3, retrieved=4, relevant=5)
    >>> word_score("the cat and the dog", "The cat, the mat", tokenise=str.split).hits
    1

    References
    ----------
    C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011, section 4 (bag-of-words
    token-level F1 in place of the edit distance of CleanEval).
    """
    relevant, retrieved = Counter(tokenise(truth)), Counter(tokenise(predicted))
    hits = (relevant & retrieved).total()
    return Score.from_counts(hits, retrieved=retrieved.total(), relevant=relevant.total())


@dataclass(frozen=True)
class SnippetScore:
    """The number of ``wanted`` snippets that were found, and of ``unwanted`` ones that were avoided.

    The share of no snippets is 1.
    """

    found: int
    wanted: int
    avoided: int
    unwanted: int

    @property
    def score(self) -> Score:
        """Precision and recall as in trafilatura's evaluation: retrieved are the snippets of both kinds that occur."""
        kept = self.unwanted - self.avoided
        return Score.from_counts(self.found, retrieved=self.found + kept, relevant=self.wanted)

    @property
    def found_share(self) -> float:
        """Share of the wanted snippets that occur in the text."""
        return self.found / self.wanted if self.wanted else 1.0

    @property
    def avoided_share(self) -> float:
        """Share of the unwanted snippets that do not occur in the text."""
        return self.avoided / self.unwanted if self.unwanted else 1.0


def snippets(text: str, wanted: Iterable[str], unwanted: Iterable[str], *, fold_case: bool = True) -> SnippetScore:
    """Look for snippets that a good extraction contains and for others that it leaves out.

    Each run of white space counts as one space on both sides. A snippet may start or end within a word; a blank one is
    ignored. Case is folded, unless ``fold_case`` is false.

    Examples
    --------
    >>> snippets("A  storm hit\\nthe coast.", wanted=["storm hit the", "rain"], unwanted=["Subscribe now"])
    SnippetScore(found=1, wanted=2, avoided=1, unwanted=1)
    """
    haystack = _normalised(text, fold_case)
    must = [needle for snippet in wanted if (needle := _normalised(snippet, fold_case))]
    must_not = [needle for snippet in unwanted if (needle := _normalised(snippet, fold_case))]
    return SnippetScore(
        found=sum(needle in haystack for needle in must),
        wanted=len(must),
        avoided=sum(needle not in haystack for needle in must_not),
        unwanted=len(must_not),
    )


def _normalised(text: str, fold_case: bool) -> str:
    folded = " ".join(text.split())
    return folded.casefold() if fold_case else folded
