"""Near-duplicates of a crawl: the step that signs pages, the fold that joins bands, and the job that makes clusters.

::

    pages ── SignPages ── rows ── Bands (by share of the bands) ── pairs ── connected ── clusters

Pairs are just enough to connect a cluster, so their number is bounded by the numbers of pages and bands. Clusters are
made in one process, which has two numbers in memory for each page with a duplicate, and then the rows of these pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.running.steps import PageStep
from webstrata.duplicates.pairs import lower_halves, pairs_in_bands, shared_bands
from webstrata.duplicates.parts import TextPart, make_part
from webstrata.duplicates.signatures import Rule
from webstrata.page import Page
from webstrata.text import Column, count_words
from webstrata.workers.limits import Reject

__all__ = ["Bands", "SignPages", "page_numbers", "signatures_of"]

# The number of shares of the bands. A share of a thousand million pages with 16 bands is about 300 megabytes.
_SHARES = 4096


@dataclass(frozen=True, kw_only=True)
class SignPages(PageStep):
    """The min-hash signature of a part of each page.

    Parameters
    ----------
    by : the part that is compared: content, segment or page
    algorithm : the extractor or segmenter that finds it; empty for the default
    rule : the lengths of shingles and signatures
    """

    by: str = "content"
    algorithm: str = ""
    rule: Rule = field(default_factory=Rule)

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        return [("title", pa.string()), ("words", pa.int64()), ("signature", pa.binary())]

    @once
    def _part(self) -> TextPart:
        return make_part(self.by, self.algorithm)

    def row(self, page: Page) -> dict[str, Any]:
        text = self._part(page)
        signature = self.rule.signature(text)
        if signature is None:
            raise Reject("no content")
        # Little-endian on every machine, because rows may be folded on another one.
        return {
            "title": page.title or None,
            "words": count_words(text),
            "signature": signature.astype("<u4").tobytes(),
        }


def page_numbers(batch: Any) -> Column:
    """A number of 64 bits for each row, from its ``file`` and ``record``: the same on every engine.

    Among a thousand million pages, the odds that any two have the same number are 1 in 37.
    """
    digests = (
        blake2b(f"{record}\0{file}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for file, record in zip(*(batch.column(name).to_pylist() for name in ("file", "record")), strict=True)
    )
    return np.frombuffer(b"".join(digests), "<i8").astype(np.int64)


def signatures_of(column: Any, rule: Rule) -> Column:
    """A column of signatures as a matrix, a row for each page."""
    return np.frombuffer(b"".join(column.to_pylist()), "<u4").astype(np.uint32).reshape(-1, rule.permutations)


@dataclass(frozen=True, kw_only=True)
class Bands(Fold):
    """Pairs of pages that share enough of their signatures, found by the bands that they share.

    Keys are shares of the bands, so that there are few large groups instead of many small ones. Of each value of a
    signature the lower half is shuffled: that two different values have the same is a chance of 1 in 65,536.

    Parameters
    ----------
    rule : of the signatures
    """

    rule: Rule = field(default_factory=Rule)

    key: ClassVar[str] = "share"

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        return pa.schema([("a", pa.int64()), ("b", pa.int64())])

    def partial_schema(self, schema: Any) -> Any:
        pa = pyarrow()
        return pa.schema(
            [("share", pa.int32()), ("band", pa.int64()), ("page", pa.int64()), ("signature", pa.binary())]
        )

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = pyarrow()
        for batch in batches:
            pages = page_numbers(batch)
            signatures = signatures_of(batch.column("signature"), self.rule)
            bands = self.rule.keys(signatures).ravel()
            owner = np.repeat(np.arange(batch.num_rows), self.rule.bands)
            halves = [row.tobytes() for row in lower_halves(signatures).astype("<u2")]
            columns = [
                pa.array((bands % _SHARES).astype(np.int32)),
                pa.array(bands),
                pa.array(pages[owner]),
                pa.array(halves, pa.binary()).take(pa.array(owner)),
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=self.partial_schema(None))

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        pa = pyarrow()
        rows = pa.Table.from_batches(list(batches))
        rows = rows.take(pa.array(shared_bands(rows.column("band").to_numpy())))
        halves = np.frombuffer(b"".join(rows.column("signature").to_pylist()), "<u2").astype(np.uint16)
        bands, pages = (rows.column(name).to_numpy() for name in ("band", "page"))
        pairs = pairs_in_bands(bands, pages, halves.reshape(-1, self.rule.permutations), self.rule.needed)
        yield pa.RecordBatch.from_arrays([pa.array(column) for column in pairs], schema=self.schema)
