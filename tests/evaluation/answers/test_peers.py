"""Other people's extractors: each gives the text of an article, and tells what it is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from webstrata.errors import InputError, MissingExtra
from webstrata.evaluation.answers.algorithms import OTHERS, make_algorithm, parse_spec
from webstrata.evaluation.datasets.base import PageInput

SENTENCE = "In spring the river carries pale silt into the lake, and in the autumn the mud that settles there is dark."
PARAGRAPHS = "".join(
    f"<p>{SENTENCE} It was so in the year {year}, and so it was in all of the years that came before it.</p>"
    for year in range(2000, 2012)
)
LAST = (
    "Der Fluß trägt es fort, and this is the last of the things that were written of it here by the people of the lake."
)
ARTICLE = f"""<html><head><title>Silt</title></head><body>
<ul><li><a href=/>Home</a></li><li><a href=/x>About us</a></li></ul>
<div id=content><h1>Silt</h1>{PARAGRAPHS}<p>{LAST} {LAST}</p></div></body></html>"""
PEERS = [name for name, entry in OTHERS.entries().items() if entry.needs and not name.endswith("-metadata")]


def peer(name: str) -> str:
    try:
        parse_spec(name)
    except MissingExtra as missing:
        pytest.skip(str(missing))
    return name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
@pytest.mark.parametrize("name", PEERS)
def test_each_finds_the_article(name: str, encoding: str) -> None:
    algorithm = make_algorithm(parse_spec(peer(name)))
    html = ARTICLE.replace("<head>", f"<head><meta charset={encoding}>").encode(encoding)
    text = algorithm(PageInput(html), 10)["text"]
    assert text.count("pale silt") == 12
    assert "trägt es fort" in text


@pytest.mark.filterwarnings("ignore")
def test_the_repr_has_parameters_and_version() -> None:
    name = peer("resiliparse(comments=False)")
    try:
        expected = f"Resiliparse(comments=False) of resiliparse {version('resiliparse')}"
    except PackageNotFoundError:
        pytest.skip("resiliparse is not installed")
    assert repr(make_algorithm(parse_spec(name))) == expected


@pytest.mark.filterwarnings("ignore")
def test_wrong_parameters_raise() -> None:
    peer("resiliparse")
    with pytest.raises(InputError):
        parse_spec("resiliparse(speed=3)")
