"""Names of algorithms, and what algorithms may answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import webstrata

from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm, parse_spec, reply
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.scores import read_scores
from webstrata.extraction import EXTRACTORS, extract
from webstrata.segmentation import SEGMENTERS, segment
from webstrata.segmentation.base import RENDERED

PAGE = PageInput(b"<h1>Strata</h1><p>A page comes in layers, and each has its own density of words.")


def test_parameters_are_part_of_the_name() -> None:
    assert repr(make_algorithm(parse_spec("bf-plain(theta=0.5)"))) == repr(SEGMENTERS.make("bf-plain", theta=0.5))
    assert repr(make_algorithm(Spec("numwords+largest-content"))).startswith("Recipe(extractor=NumWords(")
    recipe = "min-words(minimum=5)+largest-content(max_distance=2)"
    assert repr(make_algorithm(parse_spec(recipe))) == repr(EXTRACTORS.make(recipe))


def test_a_name_is_kept_in_one_spelling() -> None:
    assert parse_spec("bf-plain( theta=.50 )") == parse_spec("bf-plain(theta=0.5)") == Spec("bf-plain(theta=0.5)")


def test_an_unknown_name_is_compared_with_all() -> None:
    with pytest.raises(InputError, match=r"no algorithm is called 'bfplain', did you mean bf-plain.*numwords.*driver"):
        parse_spec("bfplain")


@pytest.mark.parametrize(
    "name", ["nothing", "bf-plain(theta)", "bf-plain(1)", "bf-plain(theta=", "bf-plain(theta=x)", "bf-plain(alpha=1)",
             "answering:missing", "no_such_module:f", "os:sep"]
)  # fmt: skip
def test_invalid_names_raise_at_once(name: str) -> None:
    with pytest.raises(InputError):
        parse_spec(name)


def test_a_shared_name_is_the_segmenter_on_segmentation_data(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.html").write_bytes(PAGE.html)
    (tmp_path / "data" / "a.blocks.html").write_bytes(PAGE.html.replace(b"<p>", b"<p data-block=1>"))
    arguments = ("--dataset", str(tmp_path / "data"), "--algorithm", "learned,taggap", "-o", str(tmp_path / "out"))
    result = webstrata("evaluate", *arguments, "--jobs", "1")
    assert result.exit_code == 0, result.output
    rows = read_scores(tmp_path / "out")
    assert {row.algorithm for row in rows if row.metric == "fuzzy" and row.status == "ok"} == {"learned", "taggap"}


def test_every_registered_algorithm_answers() -> None:
    page = PAGE.page()
    # A name that an extractor has as well is the extractor's.
    for name in (name for name in SEGMENTERS if SEGMENTERS.needs(name) != RENDERED and name not in EXTRACTORS):
        found = make_algorithm(Spec(name))(PAGE, 1)
        assert [row["text"] for row in found["segments"]] == segment(page, name).texts()
        assert found["blocks"] == len(page.blocks)
    for name in EXTRACTORS:
        found = make_algorithm(Spec(name))(PAGE, 1)
        assert found["text"] == extract(page, name).text


def test_functions_get_the_bytes() -> None:
    assert make_algorithm(Spec("answering:texts"))(PAGE, 1)["segments"][0]["text"] == "Strata"
    assert repr(make_algorithm(Spec("answering:texts"))) == "answering:texts"
    assert make_algorithm(Spec("answering:texts(shortest=9)"))(PAGE, 1)["segments"][0]["text"].startswith("A page")
    assert repr(make_algorithm(parse_spec("answering:texts(shortest = 9)"))) == "answering:texts(shortest=9)"


@pytest.mark.parametrize("value", [3, b"bytes", [1], [{"level": 1}], {"x": 1}])
def test_other_answers_raise(value: object) -> None:
    with pytest.raises(InputError):
        reply(value)
