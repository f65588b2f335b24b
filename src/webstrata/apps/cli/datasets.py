"""``webstrata datasets``: the data sets, their cards, and where their files come from."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli.bars import progress_bars
from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card
from webstrata.evaluation.datasets.catalogue import DATASETS
from webstrata.evaluation.datasets.locate import data_folder, data_path

__all__ = ["command"]


@click.group("datasets", invoke_without_command=True, epilog="Example:  webstrata datasets --check")
@click.option("--check", is_flag=True, help="Verify the checksums of the files.")
@click.pass_context
def command(context: click.Context, check: bool) -> None:
    """List the data sets, and fetch their files.

    Each has a card: source, licence, counts, size, and whether its files are here.

    Their files are not part of the package, because most licences do not permit it. The folder that the environment
    variable WEBSTRATA_DATA names has them.
    """
    if context.invoked_subcommand:
        return
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
        echo(f"  {_state(card, check)}")
    echo(f"\nFiles belong below {data_folder()}; webstrata datasets get NAME --from ADDRESS puts them there.")


@command.command("get", epilog="Example:  webstrata datasets get wcxb --from https://example.org/data")
@click.argument("name", type=click.Choice(list(DATASETS)))
@click.option("--from", "address", metavar="ADDRESS", help="Address or folder that has the files under their names.")
@click.option("-o", "--output", type=FOLDER, metavar="DIR", help="Folder of data sets (default: WEBSTRATA_DATA).")
def _get(name: str, address: str | None, output: Path | None) -> None:
    """Fetch the files of a data set.

    Files with the right checksum are put into the folder of data sets.
    """
    card = DATASETS[name]().card
    if name == "tiny":
        echo(f"{name} is part of the package")
        return
    if not address:
        raise InputError(
            f"the files of {name} have no public address. They are made from {card.source} ({card.licence}): "
            f"name the folder or the address that has {', '.join(card.files)} by --from"
        )
    from webstrata.evaluation.datasets.fetching import fetch

    with progress_bars() as bars:
        task = bars.add_task(f"fetching {name}", total=None)
        found = fetch(card, address, output or data_folder(), progress=lambda size: bars.advance(task, size))
    for path in found:
        echo(f"{path}: {path.stat().st_size:,} bytes")


def _state(card: Card, check: bool) -> str:
    if card.name == "tiny":
        return "available: part of the package"
    try:
        size = sum(data_path(file).stat().st_size for file in card.files)
        if check:
            card.check(data_path)
    except InputError as error:
        return f"not usable: {error}"
    return f"available, {size / 1e6:.1f} MB" + (", with correct checksums" if check else "")
