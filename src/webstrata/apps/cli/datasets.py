"""``webstrata datasets``: the data sets and their cards."""

from __future__ import annotations

import click

from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.evaluation.datasets.catalogue import DATASETS
from webstrata.evaluation.datasets.locate import data_path

__all__ = ["command"]


@click.command("datasets", epilog="Example:  webstrata datasets --check")
@click.option("--check", is_flag=True, help="Verify the checksums of the files.")
def command(check: bool) -> None:
    """List the data sets with their cards: source, licence, counts, and whether their files are available."""
    for name, make in DATASETS.items():
        dataset = make()
        card = dataset.card
        echo(f"{name}: {card.title}", bold=True)
        echo(f"  {card.pages} pages, inputs {', '.join(dataset.inputs)}; {card.licence}")
        echo(f"  {card.source}")
        if card.note:
            echo(f"  {card.note}")
        for group, convention in card.conventions.items():
            echo(f"  {group}: {convention}")
        echo(f"  {_state(name, check)}")


def _state(name: str, check: bool) -> str:
    if name == "tiny":
        return "available: part of the package"
    card = DATASETS[name]().card
    try:
        for file in card.files:
            data_path(file)
        if check:
            card.check(data_path)
    except InputError as error:
        return f"not usable: {error}"
    return "available, with correct checksums" if check else "available"
