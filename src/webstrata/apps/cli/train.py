"""``webstrata train``: a model for the learned extractor, from labelled pages."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.errors import InputError, need

__all__ = ["command"]

# As many pages as the shipped model was trained with.
_MADE_SHARE = 1.8

_CREDIT = (
    "WCXB 1.0 (github.com/Murrough-Foley/web-content-extraction-benchmark) is licensed CC-BY-4.0; a model trained on it"
    " must name it."
)


@click.command("train", epilog="Example:  webstrata train wcxb-dev.parquet -o model.npz --folds-to out/folds")
@click.argument("dataset", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "output", type=click.Path(path_type=Path), required=True, help="Where to write the model (.npz).")
@click.option("--credit", default=_CREDIT, show_default="that of WCXB", help="Licence and source of the data.")
@click.option(
    "--folds-to",
    type=click.Path(path_type=Path),
    help="Folder for the models that were each trained without one fold of the pages, for scoring.",
)
@click.option(
    "--made",
    default=_MADE_SHARE,
    show_default=True,
    type=click.FloatRange(0),
    help="How many pages are made by surgery for each page with text; 0 for none.",
)
@click.option("--workers", default=2, show_default=True, help="How many models are trained at once.")
def command(dataset: Path, output: Path, credit: str, folds_to: Path | None, made: float, workers: int) -> None:
    """Train the learned extractor on DATASET, a Parquet file or a folder of them with the columns of WCXB.

    Writes the model, and beside it a model card with the scores on pages that the scoring model has not seen. The same
    data gives the same model. It learns from pages that are made of these, too: shortened, lengthened, aged, with other
    sidebars (see `webstrata.training.surgery`).
    """
    from rich.console import Console
    from rich.progress import track

    from webstrata.training.card import out_of_fold, write_card
    from webstrata.training.samples import prepare, read_dataset
    from webstrata.training.surgery import operate
    from webstrata.training.training import train

    need("train", "lightgbm", "pyarrow", "scikit-learn", "scipy")
    for folder in (output.parent, folds_to or output.parent):  # before the minutes that training takes
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write into {folder}: {error.strerror}") from error
    console = Console(stderr=True)
    pages = read_dataset(dataset)
    samples = [prepare(page) for page in track(pages, "labelling", console=console)]
    with console.status("") as status:
        status.update("surgery")
        operated = operate(samples, share=made)
        trained = train([*samples, *operated], workers=workers, progress=status.update)
        status.update("scoring")
        scores = out_of_fold(samples, trained)
    trained.model.save(output)
    card = write_card(dataset.stem, samples, scores, made=len(operated), credit=credit)
    output.with_suffix(".md").write_text(card, encoding="utf-8")
    if folds_to is not None:
        for fold, model in trained.without.items():
            model.save(folds_to / f"without-{fold}.npz")
    console.print(f"F1 {sum(score.f for score in scores) / max(len(scores), 1):.4f} out of fold; wrote {output}")
