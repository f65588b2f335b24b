"""``webstrata train``: a model for the learned extractor, or for the learned segmenter, from labelled pages."""

from __future__ import annotations

import os
from pathlib import Path

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.errors import InputError, need

__all__ = ["command"]

# The share of made pages that the shipped model was trained with.
_MADE_SHARE = 1.8

_CREDIT = (
    "WCXB 1.0 (github.com/Murrough-Foley/web-content-extraction-benchmark) is licensed CC-BY-4.0; a model trained on it"
    " must name it."
)


@click.command("train", epilog="Example:  webstrata train wcxb-dev.parquet -o model.npz --folds-to out/folds")
@click.argument("dataset")
@click.option(
    "--segmenter", is_flag=True, help="Train the learned segmenter; DATASET is names of data sets or folders."
)
@options.output("File for the model (.npz).")
@click.option("--credit", show_default="that of the data", help="Licence and source of the data.")
@options.recordings
@click.option(
    "--folds-to", type=options.FOLDER, help="Folder for the models trained without one fold of the pages, for scoring."
)
@click.option(
    "--made",
    default=_MADE_SHARE,
    show_default=True,
    type=click.FloatRange(0),
    help="Synthetic pages for each page with text; 0 for none.",
)
@click.option("--workers", default=2, show_default=True, help="Models to train at the same time.")
def command(
    dataset: str,
    segmenter: bool,
    output: Path,
    credit: str | None,
    recordings: Path | None,
    folds_to: Path | None,
    made: float,
    workers: int,
) -> None:
    """Train the learned extractor on DATASET, a Parquet file or a folder of them with the columns of WCXB.

    The output is the model, and beside it a model card with cross-validated scores. The same data gives the same model.
    Synthetic pages are added to the data: shortened, lengthened, aged, with other sidebars (see
    `webstrata.training.augmentation`).

    With --segmenter, DATASET names data sets of pages segmented by hand, and the learned segmenter is trained:

        webstrata train --segmenter kreuzer-random,kreuzer-popular -o segmenter.npz --folds-to out/segmenter-folds
    """
    if not segmenter and not Path(dataset).exists():
        raise InputError(f"there is no file or folder {dataset}: check its name, or add --segmenter for data sets")
    need("train", "lightgbm", "pyarrow", "scikit-learn", "scipy")
    _make_folders(output, folds_to)
    if segmenter:
        if recordings is not None:
            from webstrata.evaluation.datasets.recordings import RECORDINGS

            os.environ[RECORDINGS] = str(recordings)
        _train_segmenter(split(dataset), output, credit, folds_to, workers)
    else:
        _train_extractor(Path(dataset), output, _CREDIT if credit is None else credit, folds_to, made, workers)


def _make_folders(output: Path, folds_to: Path | None) -> None:
    """Create the folders, to fail before the training."""
    for folder in (output.parent, folds_to or output.parent):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write into {folder}: {error.strerror}") from error


def _train_extractor(
    dataset: Path, output: Path, credit: str, folds_to: Path | None, made: float, workers: int
) -> None:
    from rich.console import Console
    from rich.progress import track

    from webstrata.training.augmentation import augment
    from webstrata.training.extractor import train
    from webstrata.training.extractor_card import out_of_fold, write_card
    from webstrata.training.samples import prepare, read_dataset

    console = Console(stderr=True)
    pages = read_dataset(dataset)
    samples = [prepare(page) for page in track(pages, "labelling", console=console)]
    with console.status("") as status:
        status.update("augmentation")
        augmented = augment(samples, share=made)
        trained = train([*samples, *augmented], workers=workers, progress=status.update)
        status.update("scoring")
        scores = out_of_fold(samples, trained)
    trained.model.save(output)
    card = write_card(dataset.stem, samples, scores, made=len(augmented), credit=credit)
    output.with_suffix(".md").write_text(card, encoding="utf-8")
    if folds_to is not None:
        for fold, model in trained.without.items():
            model.save(folds_to / f"without-{fold}.npz")
    console.print(f"F1 {sum(score.f for score in scores) / max(len(scores), 1):.4f} out of fold; wrote {output}")


def _train_segmenter(
    datasets: list[str], output: Path, credit: str | None, folds_to: Path | None, workers: int
) -> None:
    from rich.console import Console
    from rich.progress import track

    from webstrata.evaluation.datasets.catalogue import find_dataset
    from webstrata.training.segment_samples import SegmentSample, samples_of
    from webstrata.training.segmenter import train_segmenter
    from webstrata.training.segmenter_card import outcomes, write_segmenter_card

    console = Console(stderr=True)
    found = [find_dataset(name) for name in datasets]
    items = [(dataset.name, item) for dataset in found for item in dataset.items()]
    plain: list[SegmentSample] = []
    boxes: list[SegmentSample] = []
    for name, item in track(items, "labelling", console=console):
        plain += samples_of(item, name, rendered=False)
        boxes += samples_of(item, name, rendered=True)
    if not boxes:
        console.print("no page has a recording: the model will ignore boxes (see --recordings)")
    with console.status("") as status:
        trained = train_segmenter(plain, boxes, workers=workers, progress=status.update)
        status.update("scoring")
        scored = outcomes([*plain, *boxes], trained)
    trained.model.save(output)
    if credit is None:
        credit = " ".join(f"{dataset.card.title}: {dataset.card.source}; {dataset.card.licence}." for dataset in found)
    output.with_suffix(".md").write_text(write_segmenter_card(scored, credit=credit), encoding="utf-8")
    if folds_to is not None:
        for fold, model in trained.without.items():
            model.save(folds_to / f"without-{fold}.npz")
    console.print(f"F {sum(outcome.f for outcome in scored) / max(len(scored), 1):.4f} out of fold; wrote {output}")
