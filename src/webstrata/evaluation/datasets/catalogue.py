"""The data sets by name. To add one, write a module with a card and a function ``read``, and add a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from webstrata.errors import InputError
from webstrata.evaluation.datasets import (
    cleaneval,
    cleanportaleval,
    dragnet,
    kreuzer,
    l3s_gn1,
    many_dev,
    marked_pages,
    snippets,
    wcxb,
)
from webstrata.evaluation.datasets.base import Dataset
from webstrata.evaluation.datasets.folder import folder_dataset, tiny_dataset
from webstrata.evaluation.datasets.webis import GROUND_TRUTH, read_folder

__all__ = ["DATASETS", "find_dataset"]

_CARDS = (
    (kreuzer.RANDOM_CARD, kreuzer.read_random),
    (kreuzer.POPULAR_CARD, kreuzer.read_popular),
    (kreuzer.LEFT_OUT_CARD, kreuzer.read_left_out),
    (l3s_gn1.CARD, l3s_gn1.read),
    (cleaneval.CARD, cleaneval.read),
    (cleanportaleval.CARD, cleanportaleval.read),
    (wcxb.CARD, wcxb.read),
    (dragnet.CONTENT_CARD, dragnet.read_content),
    (dragnet.COMMENTS_CARD, dragnet.read_comments),
    (snippets.CARD, snippets.read),
    (many_dev.CARD, many_dev.read),
    (marked_pages.TRAIN_CARD, marked_pages.read_train),
    (marked_pages.TEST_CARD, marked_pages.read_test),
)

#: The data sets whose pages load files that are at hand.
_UNPACK: dict[str, Callable[[Path], Mapping[tuple[str, str], Path]]] = {
    kreuzer.RANDOM_CARD.name: partial(kreuzer.unpack, parts=("random",)),
    kreuzer.POPULAR_CARD.name: partial(kreuzer.unpack, parts=("popular",)),
    kreuzer.LEFT_OUT_CARD.name: kreuzer.unpack,
}

#: For each name, a function that makes the data set.
DATASETS: dict[str, Callable[[], Dataset]] = {
    "tiny": tiny_dataset,
    **{card.name: partial(Dataset, card, read, _UNPACK.get(card.name)) for card, read in _CARDS},
}


def find_dataset(name: str) -> Dataset:
    """The data set with this name, or in the folder of this name.

    >>> find_dataset("tiny").card.licence
    'Apache-2.0'
    """
    if name in DATASETS:
        return DATASETS[name]()
    folder = Path(name)
    if folder.is_dir():
        return read_folder(folder) if any(folder.glob(f"*/{GROUND_TRUTH}")) else folder_dataset(folder)
    raise InputError(f"no data set is called {name!r}: choose one of {', '.join(DATASETS)}, or give a folder")
