"""What pages carry outside of their visible text, against their content, over all pages of WCXB.

    python bench/carried.py [DATASET] [--folds out/folds]

First the choice: on every page that carries something, shown or not, F1 of JSON-LD, of embedded state, and of the one
with more words. Then the use: each page by the model that has not seen its host, with and without what is carried; and
what the page's description would do in its place, where nothing else is there.
"""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from flagship import DATA, ROOT, fold_models
from webstrata.evaluation.metrics.words import word_score
from webstrata.extraction.embedded.linked import linked_passages
from webstrata.extraction.embedded.prose import Passage, to_html
from webstrata.extraction.embedded.state import state_passages
from webstrata.extraction.structure import text as render
from webstrata.page import parse
from webstrata.training.samples import fold_of, read_dataset


def choice(passages: list[Passage], content: str) -> tuple[int, float]:
    """How many words passages have, and their F1."""
    page = parse(to_html(passages))
    return int(page.blocks.words.sum()), word_score(content, page.text).f


def mean(values: list[float]) -> float:
    return sum(values) / max(len(values), 1)


@click.command(help=__doc__)
@click.argument("dataset", type=click.Path(path_type=Path), default=DATA / "wcxb-dev")
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds")
def main(dataset: Path, folds: Path) -> None:
    console = Console(width=120)
    extractors = fold_models(folds, dataset)
    pages = read_dataset(dataset)
    choices: dict[str, list[float]] = {"JSON-LD": [], "state": [], "JSON-LD first": [], "more words": []}
    used: list[tuple[float, float]] = []
    described: list[tuple[float, float]] = []
    for page in track(pages, "carried", console=Console(stderr=True)):
        parsed = parse(page.html)
        linked, state = (choice(read(parsed), page.content) for read in (linked_passages, state_passages))
        for name, found in (("JSON-LD", linked), ("state", state)):
            choices[name] += [found[1]] * bool(found[0])
        if linked[0] or state[0]:
            choices["JSON-LD first"].append(linked[1] if linked[0] else state[1])
            choices["more words"].append(max(linked, state, key=lambda found: found[0])[1])
        extraction = extractors[fold_of(page)](parsed)
        before = word_score(page.content, render.text(parsed, extraction.keep)).f
        if extraction.carried:
            used.append((before, word_score(page.content, extraction.text).f))
            console.print(f"{page.name} {page.page_type}: {before:.3f} to {used[-1][1]:.3f}")
        elif not extraction.keep.any() and extraction.metadata.description:
            described.append((before, word_score(page.content, extraction.metadata.description).f))
    for name, scores in choices.items():
        console.print(f"{name}: {len(scores)} pages, mean F1 {mean(scores):.3f}")
    for name, pairs in (("what is carried", used), ("the description, not used", described)):
        gained, lost = sum(after > before for before, after in pairs), sum(after < before for before, after in pairs)
        change = sum(after - before for before, after in pairs) / len(pages)
        console.print(f"{name}: {len(pairs)} of {len(pages)} pages, {gained} gain, {lost} lose, mean F1 {change:+.4f}")


if __name__ == "__main__":
    main()
