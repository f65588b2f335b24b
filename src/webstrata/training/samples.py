"""Training data of the extractor: labelled pages with the share of content in each paragraph, and their folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError, from_extra
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.metrics.words import tokens
from webstrata.extraction.base import Kind
from webstrata.extraction.learned.decision import decide
from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.reading import read_page
from webstrata.files import readable
from webstrata.page import Page, parse
from webstrata.training._align import align

__all__ = [
    "SWITCHES",
    "Labelled",
    "Sample",
    "content_of_blocks",
    "label",
    "paragraph_texts",
    "prepare",
    "read_dataset",
    "sample_of_page",
]

Floats = npt.NDArray[np.float64]

#: The options of the learned extractor with which it gives what the gold of a suite includes.
SWITCHES: dict[str, dict[str, bool]] = {
    "fundus": {"title": False, "captions": False},
    "articles": {"title": False, "captions": False},
    "reader": {"title": False},
    "magic-forum": {"comments": True},
}

_CELLS = 400_000_000  # of the table of an alignment; pages that need more are left out


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page whose content is known.

    ``source`` is the data set or test suite that labelled it, and ``weight`` its weight in training.
    """

    name: str
    url: str
    page_type: str
    html: bytes
    content: str
    source: str = ""
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Sample:
    """A labelled page as training data: for each paragraph its words and the share of them that is content.

    The share is NaN for paragraphs of kinds that the source does not label. ``is_made`` marks the pages that were made
    by augmentation.
    """

    page: Labelled
    features: PageFeatures
    words: Floats
    content: Floats
    starts: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint32]
    page_hashes: npt.NDArray[np.uint32]
    fold: int
    is_made: bool = False


def read_dataset(path: str | Path, *, weight: float = 1.0) -> list[Labelled]:
    """The pages of a Parquet file, or of all in a folder, with the columns of WCXB: html, main_content, url,
    page_type and file_id. A column source names the test suite of a page; otherwise it is the name of the file."""
    with from_extra("train", "pyarrow"):
        import pyarrow.parquet as parquet
    path = Path(path)
    names = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not names or not all(name.is_file() for name in names):
        raise InputError(f"no Parquet file in {path}")
    pages = []
    for name in names:
        with readable(name, "it needs the columns of WCXB"):
            for batch in parquet.ParquetFile(name).iter_batches(64):
                pages += [
                    Labelled(
                        row["file_id"],
                        row["url"] or "",
                        row["page_type"],
                        row["html"],
                        row["main_content"] or "",
                        row.get("source") or name.stem,
                        weight,
                    )
                    for row in batch.to_pylist()
                ]
    return pages


def paragraph_texts(page: Page, features: PageFeatures) -> list[str]:
    """The text of each paragraph."""
    first = features.first_block
    last = np.append(first[1:], len(page.blocks))[: len(first)] - 1
    starts, stops = page.blocks.text_start[first].tolist(), page.blocks.text_stop[last].tolist()
    return [page.text[start:stop] for start, stop in zip(starts, stops, strict=True)]


def label(texts: Sequence[str], content: str) -> tuple[Floats, Floats]:
    """The share of the words of each paragraph that is in the known content, and the number of its words.

    The words are aligned in order. A paragraph of five or more words that is elsewhere in the content, word for word,
    is content as well: the labels of some pages have another order.

    >>> label(["Home", "The cat sat.", "Home about"], "The cat sat")[0].tolist()
    [0.0, 1.0, 0.0]
    """
    known = tokens(content)
    numbers = {word: number for number, word in enumerate(dict.fromkeys(known))}
    found = [tokens(text) for text in texts]
    counts = np.array([len(words) for words in found], np.float64)
    owner = np.repeat(np.arange(len(texts)), counts.astype(np.int64))
    every = np.array([numbers.get(word, -1) for words in found for word in words], np.int32)
    place = np.flatnonzero(every >= 0).astype(np.int32)
    right = np.array([numbers[word] for word in known], np.int32)
    if len(place) * len(right) > _CELLS:
        return np.full(len(texts), np.nan), counts
    matched = place[align(every[place], place, right)]
    hits = np.bincount(owner[matched], minlength=len(texts))
    share = np.divide(hits, counts, out=np.zeros(len(texts)), where=counts > 0)
    left = Counter(known)
    left.subtract(word for words, hit in zip(found, share, strict=True) if hit >= 0.5 for word in words)
    line = f" {' '.join(known)} "
    for i in np.flatnonzero((counts >= 5) & (share < 0.3)):
        needed = Counter(found[i])
        if needed <= left and f" {' '.join(found[i])} " in line:
            share[i] = 1
            left.subtract(needed)
    return share, counts


def prepare(page: Labelled) -> Sample:
    """Read and label a page."""
    parsed = parse(page.html)
    features = read_page(parsed)
    content, _ = label(paragraph_texts(parsed, features), page.content)
    content[_unlabelled(features, page.source)] = np.nan
    words = _words(parsed, features)
    return Sample(page, features, words, content, *features.hashes(), fold_of(page.url, page.name))


def _words(page: Page, features: PageFeatures) -> Floats:
    """The words of each paragraph, by `webstrata.text`: those of a script without spaces are counted too."""
    first = features.first_block
    return np.add.reduceat(page.blocks.words, first).astype(np.float64) if len(first) else np.zeros(0)


def _unlabelled(features: PageFeatures, source: str) -> npt.NDArray[np.bool_]:
    """The titles and captions of a source whose gold leaves them out, though they belong to the content elsewhere."""
    every = np.ones(len(features))
    kinds, _ = decide(features, every, every, 0.5, steps=("keep_by_score", "separate_captions", "separate_title"))
    given = SWITCHES.get(source, {})
    title, captions = given.get("title", True), given.get("captions", True)
    left_out: npt.NDArray[np.bool_] = (kinds == Kind.TITLE) & (not title) | (kinds == Kind.CAPTION) & (not captions)
    return left_out


def content_of_blocks(sample: Sample) -> Floats:
    """The share of content of each block: that of its paragraph."""
    (content,) = sample.features.spread(sample.content)
    return content


def sample_of_page(page: Page, content: Floats, labelled: Labelled, fold: int) -> Sample:
    """A made page with the share of content of each block."""
    features = read_page(page)
    first = features.first_block
    weight = page.blocks.words + 1e-3
    share = np.add.reduceat(weight * content, first) / np.add.reduceat(weight, first) if len(first) else np.zeros(0)
    return Sample(labelled, features, _words(page, features), share, *features.hashes(), fold, is_made=True)
