"""The embedded text of pages (JSON-LD, state of scripts) against their content, over all pages of WCXB.

    python bench/carried.py [--folds out/folds]

First the choice: on every page with embedded text, F1 of JSON-LD, of embedded state, and of the one with more words.
Then the use: each page by the model that has not seen its host, with and without embedded text, and with the
description of the page in its place if there is nothing else.
"""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from flagship import ROOT, need_folds
from webstrata.evaluation.answers.ours import OutOfFold
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.metrics.words import word_score
from webstrata.extraction.embedded.linked import linked_passages
from webstrata.extraction.embedded.prose import Passage, to_html
from webstrata.extraction.embedded.state import state_passages
from webstrata.extraction.structure import text as render
from webstrata.page import parse


def choice(passages: list[Passage], content: str) -> tuple[int, float]:
    """The number of words of passages, and their F1."""
    page = parse(to_html(passages))
    return int(page.blocks.words.sum()), word_score(content, page.text).f


def mean(values: list[float]) -> float:
    return sum(values) / max(len(values), 1)


@click.command(help=__doc__)
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds")
def main(folds: Path) -> None:
    console = Console(width=120)
    need_folds(folds)
    extractor = OutOfFold(folds=str(folds))
    pages = list(find_dataset("wcxb").items())
    choices: dict[str, list[float]] = {"JSON-LD": [], "state": [], "JSON-LD first": [], "more words": []}
    used: list[tuple[float, float]] = []
    described: list[tuple[float, float]] = []
    for page in track(pages, "carried", console=Console(stderr=True)):
        document, content = page.inputs["html"], page.gold.text or ""
        linked, state = (choice(read(document.page()), content) for read in (linked_passages, state_passages))
        for name, found in (("JSON-LD", linked), ("state", state)):
            choices[name] += [found[1]] * bool(found[0])
        if linked[0] or state[0]:
            choices["JSON-LD first"].append(linked[1] if linked[0] else state[1])
            choices["more words"].append(max(linked, state, key=lambda found: found[0])[1])
        extraction = extractor(document)
        before = word_score(content, render.text(extraction.page, extraction.keep)).f
        if extraction.carried:
            used.append((before, word_score(content, extraction.text).f))
            console.print(f"{page.name} {page.group}: {before:.3f} to {used[-1][1]:.3f}")
        elif not extraction.keep.any() and extraction.metadata.description:
            described.append((before, word_score(content, extraction.metadata.description).f))
    for name, scores in choices.items():
        console.print(f"{name}: {len(scores)} pages, mean F1 {mean(scores):.3f}")
    for name, pairs in (("embedded text", used), ("the description, not used", described)):
        gained, lost = sum(after > before for before, after in pairs), sum(after < before for before, after in pairs)
        change = sum(after - before for before, after in pairs) / len(pages)
        console.print(f"{name}: {len(pairs)} of {len(pages)} pages, {gained} gain, {lost} lose, mean F1 {change:+.4f}")


if __name__ == "__main__":
    main()
