"""The data sets by name, each with its card. What they hold is read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from webstrata.errors import InputError
from webstrata.evaluation.datasets import cleaneval, cleanportaleval, dragnet, kreuzer, l3s_gn1, snippets, wcxb
from webstrata.evaluation.datasets.base import Card, Dataset, Document, Gold, Item
from webstrata.evaluation.datasets.folder import folder_dataset, tiny_dataset
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.locate import data_path

__all__ = ["DATASETS", "find_dataset"]

_KREUZER_INDEX = "dd862c9d8b91d44e86adb5f6b9248162e0c91b998e0fd91631f6db286d82546c"


def _kreuzer(part: kreuzer.Part | None) -> Iterator[Item]:
    folder = data_path("kreuzer")
    for page in kreuzer.left_out(folder) if part is None else kreuzer.read(folder, part):
        fold = fold_of(page.url, page.id)
        inputs = {
            "html": Document(page.original.source, "utf-8", page.url, fold),
            "dom": Document(page.dom.source, "utf-8", page.url, fold),
        }
        yield Item(page.id, inputs, Gold(segmentation=page.truth, marked=page.marked))


def _kreuzer_left_out() -> Dataset:
    parts = [DATASETS[f"kreuzer-{part}"]().card.files for part in ("random", "popular")]
    card = Card(
        "kreuzer-left-out",
        "Kreuzer, pages left out",
        "github.com/rkrzr/dataset-random and dataset-popular; R. Kreuzer, MSc thesis, Utrecht 2013 (Kreuzer 2013)",
        "public domain, attribution encouraged",
        11,
        {"blocks": 173},
        {**parts[0], **parts[1]},
        "Pages that were marked, and that the thesis left out, most of them because one algorithm failed on them. They"
        " serve training.",
    )
    return Dataset(card, ("html", "dom"), partial(_kreuzer, None))


def _kreuzer_dataset(part: kreuzer.Part, *, pages: int, blocks: int, sha256: str) -> Dataset:
    card = Card(
        f"kreuzer-{part}",
        f"Kreuzer, {part} pages",
        f"github.com/rkrzr/dataset-{part}; R. Kreuzer, MSc thesis, Utrecht 2013 (Kreuzer 2013)",
        "public domain, attribution encouraged",
        pages,
        {"blocks": blocks},
        {"kreuzer/index.json": _KREUZER_INDEX, f"kreuzer/kreuzer-{part}.tar.xz": sha256},
        "The pages that the thesis used. Where its DOM HTML is another page's, the marked page stands in for it.",
    )
    return Dataset(card, ("html", "dom"), partial(_kreuzer, part))


def _l3s_gn1() -> Iterator[Item]:
    for page in l3s_gn1.news_pages():
        document = Document(page.page.source, "utf-8", page.url)
        yield Item(page.name, {"html": document}, Gold(text=page.gold(), labels=page.labels))


def _cleaneval() -> Iterator[Item]:
    for page in cleaneval.cleaneval_pages():
        yield Item(page.name, {"html": Document(page.html, page.encoding)}, Gold(text=page.gold), page.split)


def _cleanportaleval() -> Iterator[Item]:
    for page in cleanportaleval.portal_pages():
        document = Document(page.html, page.encoding, page.url)
        yield Item(page.name, {"html": document}, Gold(text=page.gold), page.domain)


def _wcxb() -> Iterator[Item]:
    for page in wcxb.wcxb_pages():
        gold = Gold(text=page.gold, wanted=page.wanted, unwanted=page.unwanted, fields=page.fields)
        document = Document(page.html, url=page.url or None, fold=fold_of(page.url, page.name))
        yield Item(page.name, {"html": document}, gold, page.page_type)


def _dragnet(comments: bool) -> Iterator[Item]:
    for page in dragnet.dragnet_pages():
        gold = Gold(text=page.both if comments else page.content)
        group = "with comments" if page.comments else "without comments"
        yield Item(page.name, {"html": Document(page.html)}, gold, group)


def _snippets() -> Iterator[Item]:
    for page in snippets.snippet_pages():
        gold = Gold(wanted=page.wanted, unwanted=page.unwanted)
        yield Item(page.name, {"html": Document(page.html, url=page.url)}, gold)


def _l3s_gn1_dataset() -> Dataset:
    card = Card(
        "l3s-gn1",
        "L3S-GN1, news pages of 2008 with a class for each block",
        "C. Kohlschütter, L3S; WSDM 2010 (Kohlschütter 2011)",
        "research use only, no redistribution",
        621,
        {"texts": 621},
        {"l3s-gn1/l3s-gn1.parquet": "adc2cd501716bc4f9aea01294af41353b21ea070539adfac3d67f88b973ee69a"},
        "Algorithms see the annotated page with its annotations taken out.",
    )
    return Dataset(card, ("html",), _l3s_gn1)


def _cleaneval_dataset() -> Dataset:
    card = Card(
        "cleaneval",
        "CleanEval, pages of 2007 cleaned by hand",
        "cleaneval.sigwac.org.uk, mirrored at github.com/j-szulc/html-cleaning-dataset-merged",
        "none stated: research use, no redistribution",
        739,
        {"dev": 58, "final": 681},
        {"cleaneval/cleaneval.parquet": "b51696463b71fb8df76e9a17be940070fc197ade6fba0a5540e9197c8561563c"},
        "59 pages of the final split have no gold text and are left out.",
    )
    return Dataset(card, ("html",), _cleaneval)


def _cleanportaleval_dataset() -> Dataset:
    card = Card(
        "cleanportaleval",
        "CleanPortalEval, news pages of four portals",
        "github.com/ppke-nlpg/CleanPortalEval, mirrored at github.com/j-szulc/html-cleaning-dataset-merged",
        "none stated: research use, no redistribution",
        71,
        {"tv.msnbc.com": 30, "washingtonpost.com": 15, "blogs.wsj.com": 14, "bbc.co.uk": 12},
        {"cleaneval/cleanportaleval.parquet": "a0e0f7752bc06a6adfd25aeb1d74ec527ec2d75ce60f70bb1c47a2cc64f7c279"},
        "Its own readme says 70 pages.",
    )
    return Dataset(card, ("html",), _cleanportaleval)


def _wcxb_dataset() -> Dataset:
    card = Card(
        "wcxb",
        "WCXB 1.0, development pages of seven types that are not in its test set",
        "github.com/Murrough-Foley/web-content-extraction-benchmark",
        "CC-BY-4.0",
        1358,
        {
            "article": 711,
            "service": 165,
            "forum": 112,
            "listing": 98,
            "product": 92,
            "collection": 91,
            "documentation": 89,
        },
        {"wcxb-dev/wcxb-dev.parquet": "8e8676ef1d8ddc2608524dc4b212d57a899c17ccbce8d377a37c4b20c2017c14"},
        "The content of 21 pages is empty.",
    )
    return Dataset(card, ("html",), _wcxb)


def _dragnet_dataset(comments: bool) -> Dataset:
    card = Card(
        "dragnet-dev-comments" if comments else "dragnet-dev",
        f"dragnet, half of its blog and news pages of 2012: content {'and' if comments else 'without'} comments",
        "github.com/seomoz/dragnet_data; M. E. Peters and D. Lecocq, WWW 2013 companion",
        "none stated: testing only, no redistribution",
        682,
        {"texts": 682, "with comments": 203, "without comments": 479},
        {"dragnet-dev/dragnet-dev.tar.xz": "0302dc05e7e4a6b2100f4be65801d552067a2efe2b68bf94d50cbc28765b07a7"},
        "The content usually has the title and the date line. Some texts have fewer than 20 words, and are right.",
    )
    return Dataset(card, ("html",), partial(_dragnet, comments))


def _snippets_dataset() -> Dataset:
    card = Card(
        "snippets-dev",
        "Half of the pages of trafilatura's evaluation, with wanted and unwanted snippets",
        "github.com/adbar/trafilatura, tests/evaldata.json",
        "annotations Apache-2.0; the pages belong to their publishers: testing only, no redistribution",
        510,
        {"wanted": 1513, "unwanted": 1526},
        {"snippets-dev/snippets-dev.tar.xz": "27931d7996e754389793594f4e75333b23e5fb14d76612a06adb2fa10cbbf977"},
        "Mostly German, French and English. Its authors count snippets over all pages together.",
    )
    return Dataset(card, ("html",), _snippets)


#: How to make each data set that has a name.
DATASETS: dict[str, Callable[[], Dataset]] = {
    "tiny": tiny_dataset,
    "kreuzer-random": partial(
        _kreuzer_dataset, "random", pages=78, blocks=1219,
        sha256="3e14ef55f943bd5d8ba6eee05de43e0d82711b5f0fa09dd3dd7a5c78f2ade4ea",
    ),
    "kreuzer-popular": partial(
        _kreuzer_dataset, "popular", pages=63, blocks=1142,
        sha256="def01175b3f568ba108b0ff5b6e6cb757f1e9912d7aff7de6880d59a121ed591",
    ),
    "kreuzer-left-out": _kreuzer_left_out,
    "l3s-gn1": _l3s_gn1_dataset,
    "cleaneval": _cleaneval_dataset,
    "cleanportaleval": _cleanportaleval_dataset,
    "wcxb": _wcxb_dataset,
    "dragnet-dev": partial(_dragnet_dataset, False),
    "dragnet-dev-comments": partial(_dragnet_dataset, True),
    "snippets-dev": _snippets_dataset,
}  # fmt: skip


def find_dataset(name: str) -> Dataset:
    """The data set of that name, or the one in the folder of that name.

    >>> find_dataset("tiny").card.licence
    'Apache-2.0'
    """
    if name in DATASETS:
        return DATASETS[name]()
    folder = Path(name)
    if folder.is_dir():
        return folder_dataset(folder)
    raise InputError(f"no data set is called {name!r}: choose one of {', '.join(DATASETS)}, or give a folder")
