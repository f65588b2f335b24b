"""``webstrata train``: a model for the learned extractor, or for the learned segmenter, from labelled pages."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.errors import InputError, need

__all__ = ["command"]

# The share of made pages that the shipped model was trained with.
_MADE_SHARE = "1.8"

_CREDIT = (
    "WCXB 1.0 (github.com/Murrough-Foley/web-content-extraction-benchmark) is licensed CC-BY-4.0; a model trained on it"
    " must name it."
)


@click.command(
    "train",
    epilog="Example:  webstrata train wcxb-dev.parquet manuals.parquet --weights 1,0.3 -o model.npz --folds-to folds",
)
@click.argument("datasets", metavar="DATASET...", nargs=-1, required=True)
@click.option(
    "--segmenter", is_flag=True, help="Train the learned segmenter; DATASET is names of data sets or folders."
)
@click.option(
    "--metadata", is_flag=True, help="Train the choice of title, author and date; DATASET is names of data sets."
)
@click.option(
    "--confidence",
    is_flag=True,
    help="Train only the confidence that belongs to a model of the extractor; needs --folds. The training of the"
    " extractor does it as well.",
)
@options.output("File for the model (.npz).")
@click.option("--weights", default="1", show_default=True, help="Weight of a page of each DATASET, or of all.")
@click.option("--credit", show_default="that of the data", help="Licence and source of the data.")
@options.recordings
@click.option(
    "--folds-to", type=options.FOLDER, help="Folder for the models trained without one fold of the pages, for scoring."
)
@click.option(
    "--folds", type=options.FOLDER, help="With --confidence: the folder that --folds-to wrote with the model."
)
@click.option(
    "--made",
    default=_MADE_SHARE,
    show_default=True,
    help="Synthetic pages for each page with text of each DATASET, or of all; 0 for none.",
)
@options.processes("Models to train at the same time.")
def command(
    datasets: tuple[str, ...],
    segmenter: bool,
    metadata: bool,
    confidence: bool,
    output: Path,
    weights: str,
    credit: str | None,
    recordings: Path | None,
    folds_to: Path | None,
    folds: Path | None,
    made: str,
    jobs: int,
) -> None:
    """Train the learned extractor, or another model.

    DATASET is a Parquet file or a folder of them, with columns as in WCXB.

    The output is the model, and beside it a model card with cross-validated scores. The same data gives the same model.
    Synthetic pages are added to the data: shortened, lengthened, aged, with other sidebars (see
    `webstrata.training.augmentation`). A number may differ by DATASET; write commas between: --made 1.8,1.8,0

    With --segmenter, DATASET names data sets of pages segmented by hand, and the learned segmenter is trained:

        webstrata train --segmenter kreuzer-random,kreuzer-popular -o segmenter.npz --folds-to out/segmenter-folds

    With --metadata, DATASET names data sets with titles, authors and dates:

        webstrata train --metadata wcxb many-dev --weights 1,8 -o model.npz --folds-to out/metadata-folds

    With --confidence, the confidence of the extractions of a model is calibrated again, from the models without a fold
    that were written with it. The output is model.confidence.npz beside model.npz:

        webstrata train --confidence wcxb-dev.parquet many-dev.parquet --folds folds -o model.npz
    """
    if segmenter + metadata + confidence > 1:
        raise InputError("a model is for one purpose: give one of --segmenter, --metadata and --confidence")
    if confidence != (folds is not None):
        raise InputError("--confidence needs --folds, and --folds is for --confidence")
    for name in () if segmenter or metadata else datasets:
        if not Path(name).exists():
            raise InputError(f"there is no file or folder {name}: check its name, or add --segmenter for data sets")
    need("train", "lightgbm", "pyarrow", "scikit-learn", "scipy")
    _make_folders(output, folds_to)
    if segmenter:
        if recordings is not None:
            from webstrata._recordings_folder import RECORDINGS

            os.environ[RECORDINGS] = str(recordings)
        _train_segmenter([part for name in datasets for part in split(name)], output, credit, folds_to, jobs)
    elif metadata:
        names = [part for name in datasets for part in split(name)]
        _train_metadata(names, _numbers("--weights", weights, len(names)), output, credit, folds_to)
    elif confidence and folds is not None:
        weighted = list(zip(map(Path, datasets), _numbers("--weights", weights, len(datasets)), strict=True))
        _train_confidence(weighted, folds, output, _CREDIT if credit is None else credit)
    else:
        count = len(datasets)
        sources = list(
            zip(
                map(Path, datasets), _numbers("--weights", weights, count), _numbers("--made", made, count), strict=True
            )
        )
        _train_extractor(sources, output, _CREDIT if credit is None else credit, folds_to, jobs)


def _numbers(option: str, text: str, count: int) -> list[float]:
    """One number for each data set."""
    try:
        numbers = [float(part) for part in split(text)]
    except ValueError as error:
        raise InputError(f"{option} needs numbers, not {text!r}") from error
    if len(numbers) not in (1, count) or not all(0 <= number < 1000 for number in numbers):
        raise InputError(f"{option} needs a number from 0 on, or {count}, one for each data set; not {text!r}")
    return numbers * count if len(numbers) == 1 else numbers


def _make_folders(output: Path, folds_to: Path | None) -> None:
    """Create the folders, to fail before the training."""
    for folder in (output.parent, folds_to or output.parent):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write into {folder}: {error.strerror}") from error


def _train_extractor(
    sources: list[tuple[Path, float, float]], output: Path, credit: str, folds_to: Path | None, workers: int
) -> None:
    from rich.console import Console
    from rich.progress import track

    from webstrata.training.augmentation import augment
    from webstrata.training.extractor import train
    from webstrata.training.extractor_card import out_of_fold, write_card
    from webstrata.training.samples import Sample, prepare, read_dataset

    console = Console(stderr=True)
    samples: list[Sample] = []
    augmented: list[Sample] = []
    for file, weight, made in sources:
        pages = read_dataset(file, weight=weight)
        labelled = [prepare(page) for page in track(pages, f"labelling {file.stem}", console=console)]
        samples += labelled
        with console.status(f"made pages from {file.stem}"):
            augmented += augment(labelled, share=made)
    with console.status("") as status:
        trained = train([*samples, *augmented], workers=workers, progress=status.update)
        status.update("scoring")
        scores = out_of_fold(samples, trained)
    trained.model.save(output)
    card = write_card(samples, scores, made=len(augmented), credit=credit)
    output.with_suffix(".md").write_text(card, encoding="utf-8")
    with TemporaryDirectory() as temporary:
        folds = folds_to or Path(temporary)
        for fold, model in trained.without.items():
            model.save(folds / f"without-{fold}.npz")
        _train_confidence([(file, weight) for file, weight, _ in sources], folds, output, credit)
    console.print(f"F1 {sum(score.f for score in scores) / max(len(scores), 1):.4f} out of fold; wrote {output}")


def _train_confidence(sources: list[tuple[Path, float]], folds: Path, output: Path, credit: str) -> None:
    """Write the confidence beside a model, and beside each of the models without a fold."""
    from rich.console import Console
    from rich.progress import track

    from webstrata.evaluation.answers.ours import fold_models
    from webstrata.extraction.learned.confidence import ENDING
    from webstrata.training.confidence import confidence_samples, train_confidence, write_confidence_card
    from webstrata.training.samples import read_dataset

    console = Console(stderr=True)
    models = {fold: str(file) for fold, file in fold_models(folds).items()}
    pages = [page for file, weight in sources for page in read_dataset(file, weight=weight)]
    samples = confidence_samples(track(pages, "confidence", console=console), models)
    trained = train_confidence(samples)
    beside = output.with_suffix(ENDING)
    trained.model.save(beside)
    beside.with_suffix(".md").write_text(write_confidence_card(samples, trained, credit=credit), encoding="utf-8")
    for fold, model in trained.without.items():
        model.save(folds / f"without-{fold}{ENDING}")
    console.print(f"wrote {beside}")


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


def _train_metadata(
    datasets: list[str], weights: list[float], output: Path, credit: str | None, folds_to: Path | None
) -> None:
    from rich.console import Console
    from rich.progress import track

    from webstrata.evaluation.datasets.catalogue import find_dataset
    from webstrata.extraction.metadata.choice import COLUMNS
    from webstrata.training.metadata import FieldSample, reliability, samples_of, train_metadata, write_metadata_card

    console = Console(stderr=True)
    found = [find_dataset(name) for name in datasets]
    samples: list[FieldSample] = []
    for dataset, weight in zip(found, weights, strict=True):
        items = [item for item in dataset.items() if item.gold.fields]
        for item in track(items, f"candidates of {dataset.name}", console=console):
            samples += samples_of(item, dataset.name, weight)
    with console.status("") as status:
        trained = train_metadata(samples, progress=status.update)
    trained.model.save(output)
    if credit is None:
        credit = " ".join(
            f"{dataset.card.title}, weight {weight:g}: {dataset.card.source}; {dataset.card.licence}."
            for dataset, weight in zip(found, weights, strict=True)
        )
    output.with_suffix(".md").write_text(write_metadata_card(samples, trained, credit=credit), encoding="utf-8")
    if folds_to is not None:
        for fold, model in trained.without.items():
            model.save(folds_to / f"without-{fold}.npz")
    for field in COLUMNS:
        table = reliability(samples, trained, field)
        right = sum(share * count for _, share, count in table) / max(1, sum(count for *_, count in table))
        console.print(f"{field}: best candidate right on {right:.3f} of the pages that have one, out of fold")
    console.print(f"wrote {output}")
