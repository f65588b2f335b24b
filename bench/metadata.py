"""Metadata against the gold fields of all data sets at hand, beside trafilatura and htmldate, in one run.

    python bench/metadata.py [--set fundus] [--folds FOLDER] [--calibration] [--every N] [--errors title] [--alone]
                              [--store]

For each set and field: the share of pages with the right value (all authors; for tags, F1 in place of a share), with a
wrong one and without one; the share that is right of those that are answered; the number of pages; and how many pages
without a gold value got one all the same. Such a page may have a value that nobody noted, so this is an upper limit.
``webstrata, guess`` gives `guessed_date` where there is no date.

The shipped model was trained on these pages. With --folds, each page is read by the model that was trained without the
pages of its host: ``webstrata train --metadata wcxb many-dev --weights 1,8 -o m.npz --folds-to FOLDER`` writes them.
--calibration adds, for ranges of confidence, the mean confidence and the share of right answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from pages import progress
from results import store
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.metrics.fields import same_field
from webstrata.extraction.metadata import Metadata
from webstrata.extraction.metadata.choice import MetadataModel
from webstrata.page import parse

#: The sets, each a group of a data set or all of it.
SETS = {"fundus": ("many-dev", "fundus"), "reader": ("many-dev", "reader"), "wcxb": ("wcxb", None)}
SETS_IN_WORDS = {"fundus": "News of fundus", "reader": "Pages of reader views", "wcxb": "WCXB"}
FIELDS = ("title", "author", "date", "tags")
COLUMNS = ("field", "program", "right", "wrong", "abstained", "right of answered", "pages", "false")
RELIABILITY = ("field", "confidence", "right", "pages")
RANGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)

Answers = Mapping[str, str | None]


@dataclass(frozen=True)
class Outcome:
    """What a program answered for a field of a page: the gold value is None where the data has none."""

    program: str
    field: str
    page: str
    gold: str | None
    found: str | None

    @property
    def right(self) -> float:
        """1 for the right value, 0 for another; for tags F1."""
        if self.gold is None:
            return 0.0
        if self.field != "tags":
            return float(same_field(self.field, self.gold, self.found))
        gold, found = (
            {part.strip().casefold() for part in (tags or "").split(";")} for tags in (self.gold, self.found)
        )
        return 2 * len(gold & found) / (len(gold) + len(found))


def reader(folds: Path | None) -> Callable[[Item], Metadata]:
    """The function that reads the metadata of a page, by the model without its fold if there are such models."""
    models = {
        int(file.stem.rpartition("-")[2]): MetadataModel.load(file) for file in (folds or Path()).glob("without-*")
    }

    def read(item: Item) -> Metadata:
        given = item.inputs["html"]
        return Metadata(parse(given.html, url=given.url), model=models[given.fold or 0] if folds else None)

    return read


def ours(found: Metadata) -> dict[str, Answers]:
    fields = {"title": found.title, "author": found.author, "date": found.date, "tags": "; ".join(found.tags) or None}
    return {"webstrata": fields, "webstrata, guess": {"date": found.guessed_date}}


def peers(item: Item) -> dict[str, Answers]:
    """The answers of trafilatura and of htmldate; a page that they cannot read has none."""
    from htmldate import find_date
    from trafilatura import extract_metadata

    given = item.inputs["html"]
    found = extract_metadata(given.html, default_url=given.url)
    fields: dict[str, str | None] = {name: getattr(found, name, None) for name in ("title", "author", "date")}
    # Each of its tags may be a list with commas.
    tags = [tag.strip() for joined in getattr(found, "tags", None) or () for tag in joined.split(",")]
    fields["tags"] = "; ".join(filter(None, tags)) or None
    try:
        date = find_date(given.html.decode("utf-8", "replace"), url=given.url, original_date=True)
    except ValueError:  # what it raises for pages that are not HTML
        date = None
    return {"trafilatura": fields, "htmldate": {"date": date}}


def items_of(name: str, every: int) -> list[Item]:
    dataset, group = SETS[name]
    return [item for item in find_dataset(dataset).items() if group in (None, item.group)][::every]


def outcomes(items: Sequence[Item], answer: Callable[[Item], dict[str, Answers]], what: str) -> Iterator[Outcome]:
    known = {field for item in items for field in item.gold.fields}
    for item in progress(items, what, len(items)):
        for program, answers in answer(item).items():
            for field in [field for field in FIELDS if field in known and field in answers]:
                yield Outcome(program, field, item.name, item.gold.fields.get(field), answers[field])


def row(of: Sequence[Outcome]) -> list[str]:
    known = [outcome for outcome in of if outcome.gold is not None]
    answered = sum(bool(one.found) for one in known)
    right = sum(one.right for one in known)
    shares = (count / max(len(known), 1) for count in (right, answered - right, len(known) - answered))
    unknown = [outcome for outcome in of if outcome.gold is None]
    false = f"{sum(bool(one.found) for one in unknown)} of {len(unknown)}" if unknown else ""
    return [*(f"{share:.3f}" for share in shares), f"{right / max(answered, 1):.3f}", str(len(known)), false]


def rows_of(found: Sequence[Outcome]) -> list[list[str]]:
    """The rows of the table of a set, by field and program."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for one in sorted(found, key=lambda one: FIELDS.index(one.field)):
        groups.setdefault((one.field, one.program), []).append(one)
    return [[*group, *row(of)] for group, of in groups.items()]


def reliability(items: Sequence[Item], read: Callable[[Item], Metadata], name: str) -> Iterator[list[str]]:
    """For ranges of confidence the mean confidence of the best candidates, and the share of them that is right."""
    pages = [(item, read(item)) for item in progress(items, f"confidence on {name}", len(items))]
    for field in FIELDS[:3]:
        best = [(found.best(field), item.gold.fields[field]) for item, found in pages if field in item.gold.fields]
        known = [(one.confidence, same_field(field, gold, one.value)) for one, gold in best if one.value]
        for low, high in pairwise(RANGES):
            inside = [(sure, right) for sure, right in known if low <= sure < high]
            if inside:
                means = (sum(column) / len(inside) for column in zip(*inside, strict=True))
                yield [field, *(f"{mean:.3f}" for mean in means), str(len(inside))]


@click.command(help=__doc__)
@click.option("--set", "sets", type=click.Choice(list(SETS)), multiple=True, help="Only this set.")
@click.option("--folds", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Models without a fold.")
@click.option("--calibration", is_flag=True, help="Show how often answers are right, by their confidence.")
@click.option("--every", type=click.IntRange(1), default=1, help="Only every Nth page.")
@click.option("--errors", type=click.Choice(FIELDS), help="Show our errors in one field.")
@click.option("--alone", is_flag=True, help="Leave the other programs out.")
@click.option("--store", "is_stored", is_flag=True, help="Store the results for docs/benchmarks.md.")
def main(
    sets: Sequence[str],
    folds: Path | None,
    calibration: bool,
    every: int,
    errors: str | None,
    alone: bool,
    is_stored: bool,
) -> None:
    console = Console(width=120)
    read = reader(folds)

    def show(name: str, about: str, headings: Sequence[str], rows: Iterable[list[str]]) -> None:
        """Print a table, and store it if that is asked for."""
        table, cells = Table(*headings, title=about), list(rows)
        for values in cells:
            table.add_row(*values)
        console.print(table)
        if is_stored:
            store(name, about, headings, cells)

    for name in sets or SETS:
        items = items_of(name, every)
        found = list(outcomes(items, lambda item: ours(read(item)), f"ours on {name}"))
        found += [] if alone else outcomes(items, peers, f"others on {name}")
        for one in found:
            if one.field == errors and one.program == "webstrata" and one.right < 1 and (one.gold or one.found):
                console.print(one.page, repr(one.gold), repr(one.found), markup=False, soft_wrap=True)
        show(f"metadata-{name}", f"{SETS_IN_WORDS[name]}: {len(items)} pages", COLUMNS, rows_of(found))
        if calibration:
            about = f"{SETS_IN_WORDS[name]}: how often the best candidates are right, by their confidence"
            show(f"metadata-{name}-confidence", about, RELIABILITY, reliability(items, read, name))


if __name__ == "__main__":
    main()
