"""The learned extractor by models without a fold, and metadata, as algorithms of an evaluation."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import make_algorithm, parse_spec
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.datasets.base import Gold, PageInput
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import METRICS, metrics_for
from webstrata.evaluation.scoring import score_answer
from webstrata.extraction import extract

ARTICLE = b"""<title>Silt</title><meta name=author content="Ann Bee">
<nav><a href=/>Home</a> <a href=/a>About us</a></nav>
<article><h1>Silt</h1><p>In spring the river carries pale silt into the lake, and in autumn the mud that settles there
is dark, so that a year can be told from the next by its colour alone.</p></article>"""


def folds(folder: Path, *numbers: int) -> str:
    with as_file(files("webstrata.extraction.learned") / "model.npz") as model:
        for number in numbers:
            shutil.copy(model, folder / f"without-{number}.npz")
    return str(folder)


def test_a_page_is_read_by_the_model_without_its_fold(tmp_path: Path) -> None:
    algorithm = make_algorithm(parse_spec(f"learned-out-of-fold(folds={folds(tmp_path, 2)!r}, comments=False)"))
    assert algorithm(PageInput(ARTICLE, fold=2), 1)["text"] == extract(ARTICLE, comments=False).text
    for fold in (1, None):
        with pytest.raises(InputError, match=f"is in fold {fold}"):
            algorithm(PageInput(ARTICLE, fold=fold), 1)


def test_other_models_are_another_algorithm(tmp_path: Path) -> None:
    spec = parse_spec(f"learned-out-of-fold(folds={folds(tmp_path, 0)!r})")
    before = repr(make_algorithm(spec))
    assert before == repr(make_algorithm(spec))
    folds(tmp_path, 1)
    assert repr(make_algorithm(spec)) != before


def test_missing_models_raise(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="webstrata train"):
        parse_spec(f"learned-out-of-fold(folds={str(tmp_path)!r})")


def test_metadata_is_scored_field_by_field() -> None:
    fields = make_algorithm(parse_spec("metadata"))(PageInput(ARTICLE), 1)["fields"]
    assert (fields["title"], fields["author"]) == ("Silt", "Ann Bee")
    gold = Gold(fields={"title": "silt", "author": "Cy Dee"})
    assert [metric.name for metric in metrics_for(gold, {"fields"}, None)] == ["title", "author"]
    for status, expected in (("ok", [1.0, 0.0]), ("empty", [0.0, 0.0]), ("error", [0.0, 0.0])):
        answer = PageAnswer(page="p", input="html", algorithm="a", status=status, fields=fields)  # type: ignore[arg-type]
        given = Submission(Judge(gold, PageInput(ARTICLE)), answer)
        assert [score_answer(given, METRICS[name])[0].f for name in ("title", "author")] == expected
