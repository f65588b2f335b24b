"""How reliable the confidence of the learned extractor is, on pages that neither model has seen.

    python bench/confidence.py [--folds out/folds] [--pages N]

On WCXB and many-dev each page is extracted, and its confidence given, by the models without the fold of its host, as
`webstrata train --folds-to FOLDS` writes them (trained here when absent). The other data sets are read by the models of
the package, which were not trained on them. A suite of many-dev is scored with the switches that mean what its gold
does.

The first table is the reliability curve: for ranges of confidence its mean, the share of pages with an F1 over 0.8, and
the mean F1. The second has the share of pages from 0.9 on for each data set, and what is left without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from flagship import need_folds
from pages import progress
from webstrata.evaluation.answers.ours import OutOfFold
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.metrics.words import characters_or_tokens, word_score
from webstrata.extraction import Extraction, extract
from webstrata.extraction.learned.confidence import GOOD
from webstrata.training.confidence import reliability_curve
from webstrata.training.samples import SWITCHES

ROOT = Path(__file__).parent.parent
HELD_OUT = ("wcxb", "many-dev")
OTHERS = ("cleaneval", "l3s-gn1", "cleanportaleval", "dragnet-dev")
SURE = 0.9


class Outcome(NamedTuple):
    source: str
    confidence: float
    f: float


def held_out(folds: Path, most: int | None) -> Iterator[Outcome]:
    """The pages of the data sets that were trained on, each by the models without its fold."""
    extractors: dict[str, OutOfFold] = {}
    for name in HELD_OUT:
        dataset = find_dataset(name)
        for number, item in enumerate(progress(dataset.items(), name, dataset.card.pages)):
            if most is not None and number >= most:
                break
            source = item.group if name == "many-dev" else name
            if source not in extractors:
                extractors[source] = OutOfFold(folds=str(folds), **SWITCHES.get(source, {}))
            yield outcome(source, extractors[source](item.inputs["html"]), item.gold.text or "")


def others(most: int | None) -> Iterator[Outcome]:
    """The pages of the other data sets."""
    for name in OTHERS:
        dataset = find_dataset(name)
        for number, item in enumerate(progress(dataset.items(), name, dataset.card.pages)):
            if most is not None and number >= most:
                break
            document: PageInput = item.inputs["html"]
            yield outcome(name, extract(document.page()), item.gold.text or "")


def outcome(source: str, found: Extraction, gold: str) -> Outcome:
    if found.confidence is None:
        raise click.ClickException("the models have no confidence beside them: run `webstrata train --confidence`")
    return Outcome(source, found.confidence, word_score(gold, found.text, tokenise=characters_or_tokens).f)


def print_curve(title: str, found: list[Outcome], console: Console) -> None:
    table = Table("confidence", f"F1 over {GOOD}", "mean F1", "pages", title=title, title_justify="left")
    for row in reliability_curve([each.confidence for each in found], [each.f for each in found]):
        table.add_row(f"{row.confidence:.3f}", f"{row.good:.3f}", f"{row.f:.3f}", str(row.pages))
    console.print(table)


def print_shares(found: list[Outcome], console: Console) -> None:
    names = (
        "pages",
        "number",
        f"F1 over {GOOD}",
        f"from {SURE} on",
        f"F1 over {GOOD} of these",
        "mean F1 of these",
        "others",
    )
    table = Table(*names, title=f"Pages with a confidence of {SURE} or more", title_justify="left")
    for source in dict.fromkeys(each.source for each in found):
        own = [each for each in found if each.source == source]
        f = np.array([each.f for each in own])
        sure = np.array([each.confidence >= SURE for each in own])
        values = (np.mean(f > GOOD), np.mean(sure), *(_mean(each) for each in (f[sure] > GOOD, f[sure], f[~sure])))
        table.add_row(source, str(len(own)), *(f"{value:.3f}" for value in values))
    console.print(table)


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


@click.command(help=__doc__)
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds", help="Models without a fold.")
@click.option("--pages", type=click.IntRange(1), help="Only the first pages of each data set.")
def main(folds: Path, pages: int | None) -> None:
    need_folds(folds)
    console = Console(width=120)
    trained, unseen = list(held_out(folds, pages)), list(others(pages))
    print_curve("WCXB and many-dev, out of fold by host", trained, console)
    print_curve("Other data sets, models of the package", unseen, console)
    print_shares([*trained, *unseen], console)


if __name__ == "__main__":
    main()
