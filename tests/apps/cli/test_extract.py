"""``webstrata extract`` and ``webstrata explain``, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import webstrata

PAGE = """<html lang=en><title>Strata | Rocks</title><meta name=author content="Ada Stone">
<h1>Strata</h1><p>A page comes in <b>layers</b>.<p hidden>secret"""


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def extract(*arguments: str) -> str:
    result = webstrata("extract", "--algorithm", "keep-all", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_what_is_given_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "all.html"
    words = "Silt settles on the floor of the lake in summer, and in winter a thin dark layer of mud covers it. "
    path.write_text(
        f"<title>Varves</title><article><h1>Varves</h1><p>{words * 2}<a href=/x>More</a></p><p>{words}A twin.</p>"
        f"<figure><img src=/i.png alt=I><figcaption>A caption of some words.</figcaption></figure><p>{words}</p>"
        f"<table><tr><th>Layer<th>mm<tr><td>one<td>31.5<tr><td>two<td>30</table><p>{words}And so on.</p></article>",
        encoding="utf-8",
    )

    def given(*options: str) -> str:
        result = webstrata("extract", str(path), "--format", "markdown", "--url", "http://a/", *options)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    whole = given()
    for part, option in (
        ("# Varves", "--no-title"),
        ("A caption of some words", "--no-captions"),
        ("| Layer | mm |", "--no-tables"),
        ("![I](http://a/i.png)", "--no-images"),
        ("[More](http://a/x)", "--no-links"),
    ):
        assert part in whole
        assert part not in given(option), option
    assert "More" in given("--no-links")
    assert "A twin" in given("--no-tables")


def test_formats(page: str) -> None:
    assert extract(page) == "Strata\n\nA page comes in layers.\n"
    assert extract(page, "--format", "markdown") == "# Strata\n\nA page comes in **layers**.\n"
    html = extract(page, "--format", "html")
    assert html == (
        '<article lang="en">\n<h1>Strata</h1>\n<p>A page comes in <strong>layers</strong>.</p>\n</article>\n'
    )
    value = json.loads(extract(page, "--format", "json"))
    assert value["file"] == page
    assert value["text"] == "Strata\n\nA page comes in layers."
    assert [block["keep"] for block in value["blocks"]] == [True, True, True, True, False]
    assert PAGE.encode()[slice(*value["blocks"][1]["source"])] == b"A page comes in"
    assert value["title"] == "Strata"
    assert "blocks" not in json.loads(extract(page, "--format", "json", "--no-blocks"))
    assert "<head>Strata</head>" in extract(page, "--format", "tei")


def test_comments_and_model(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    text = "The river carries sand and clay to the sea, where they settle slowly in layers on the bed of the bay. " * 3
    paragraphs = "".join(f"<p>Layer {i}. {text}" for i in range(6))
    comments = "".join(f"<div class=comment><p>Reader {i}. {text}</div>" for i in range(4))
    path.write_text(f"<article>{paragraphs}<section id=comments>{comments}</section></article>", encoding="utf-8")
    kept = webstrata("extract", str(path), "--favour", "recall", "--comments").stdout
    left = webstrata("extract", str(path), "--favour", "recall", "--no-comments").stdout
    assert "Reader 2" in kept
    assert "Reader" not in left
    assert left in kept
    wrong = webstrata("extract", str(path), "--model", str(path))
    assert wrong.exit_code == 2
    assert "cannot read the model" in wrong.stderr
    wrong = webstrata("extract", str(path), "--algorithm", "keep-all", "--no-comments")
    assert wrong.exit_code == 2
    assert "comments" in wrong.stderr


def test_metadata(page: str) -> None:
    head = '---\ntitle: "Strata"\nauthor: "Ada Stone"\nlanguage: "en"\n---\n\n'
    assert extract(page, "--with-metadata").startswith(head + "Strata\n")
    assert extract(page, "--with-metadata", "--format", "markdown").startswith(head + "# Strata\n")
    html = extract(page, "--with-metadata", "--format", "html")
    assert "<title>Strata</title>" in html
    assert '<meta name="author" content="Ada Stone">' in html
    value = json.loads(extract(page, "--with-metadata", "--format", "json"))
    assert value["author"] == "Ada Stone"


def test_many_files_in_one_stream(page: str) -> None:
    body = "Strata\n\nA page comes in layers.\n"
    assert extract(page, page) == f"==> {page} <==\n{body}\n==> {page} <==\n{body}"
    assert extract(page, page, "--format", "markdown").count(f"<!-- {page} -->") == 2
    assert [json.loads(line)["file"] for line in extract(page, page, "--format", "json").splitlines()] == [page, page]


def test_a_bad_file_does_not_stop_the_others(page: str) -> None:
    empty = Path(page).parent / "empty"
    empty.mkdir()
    result = webstrata("extract", "no-such-file.html", page, str(empty), "*.no-such", page, "--algorithm", "keep-all")
    assert result.exit_code == 2
    assert result.stdout.count("A page comes in layers.") == 2
    assert result.stderr.splitlines() == [
        f"webstrata: cannot read {empty}: the folder has no file that ends in .html, .htm, .xhtml, or in these and .gz",
        "webstrata: cannot read *.no-such: no file matches the pattern",
        "webstrata: cannot read no-such-file.html: No such file or directory",
    ]


def test_standard_input_and_url() -> None:
    options = ("--format", "markdown", "--algorithm", "keep-all", "--url", "https://a.example/b/")
    result = webstrata("extract", "-", *options, stdin=b"<a href=c>d</a>")
    assert result.stdout == "[d](https://a.example/b/c)\n"


@pytest.mark.parametrize("command", ["extract", "explain"])
def test_a_wrong_algorithm_is_reported_once(command: str, page: str) -> None:
    result = webstrata(command, page, "--algorithm", "no-such")
    assert result.exit_code == 2
    assert result.stderr.count("no extractor is called 'no-such'") == 1
    assert webstrata(command, page, "--algorithm", "keep-all", "--favour", "recall").exit_code == 2
    assert webstrata(command, page, "--favour", "speed").exit_code == 2
    # Before any file is read, and with what would be right.
    result = webstrata(command, "no-such-file.html", "--algorithm", "numwords(word=20)")
    assert result.exit_code == 2
    assert "numwords has no parameter 'word': it takes link_density=0.333333" in result.stderr
    assert "no-such-file" not in result.stderr
    wrong = webstrata(command, page, "--model", page)
    assert wrong.exit_code == 2
    assert wrong.stderr.count("cannot read the model") == 1


def test_a_recipe_with_parameters(page: str) -> None:
    recipe = "min-words(minimum=2)+largest-content(max_distance=0)"
    result = webstrata("extract", page, "--algorithm", recipe, "--format", "json")
    assert json.loads(result.stdout)["algorithm"] == (
        "Recipe(extractor=MinWords(minimum=2), filters=(LargestContent(max_distance=0),))"
    )
    precise = webstrata("extract", page, "--algorithm", "learned(favour='precision')", "--format", "json")
    assert precise.stdout == webstrata("extract", page, "--favour", "precision", "--format", "json").stdout
