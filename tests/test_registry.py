"""Algorithms by name: made once, found without a look outside, with errors that help."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import webstrata
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, FILTERS
from webstrata.registry import Registry
from webstrata.segmentation import SEGMENTERS

REGISTRIES: list[Registry[Any]] = [SEGMENTERS, EXTRACTORS, FILTERS]
PAGE = "<nav><a href=/>Home</a></nav><h1>Strata</h1>" + "<p>A page comes in layers, and each has its own density." * 9


def python(code: str, *arguments: str, path: Path | None = None) -> Any:
    """What a new process prints, read as JSON. Modules and packages in `path` are found by it."""
    found = [str(path)] if path else []
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*found, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", code, *arguments]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def test_the_same_spelling_is_made_once() -> None:
    for make, name, parameter in (
        (SEGMENTERS.make, "bf-plain", {"theta": 0.25}),
        (EXTRACTORS.make, "numwords", {"words": 7}),
    ):
        made: Callable[..., object] = make
        assert made(name) is made(name)
        assert made(name, **parameter) is made(name, **parameter)
        assert made(name, **parameter) != made(name)
    assert EXTRACTORS.make("numwords+largest-content") is EXTRACTORS.make("numwords+largest-content")


def test_values_that_are_equal_but_written_otherwise_are_kept_apart() -> None:
    assert repr(SEGMENTERS.make("bf-plain", theta=1)) == "BFPlain(theta=1, inner=None, width=80)"
    assert repr(SEGMENTERS.make("bf-plain", theta=1.0)) == "BFPlain(theta=1.0, inner=None, width=80)"


def test_values_without_a_spelling_are_made_anew(tmp_path: Path) -> None:
    class Text(str): ...

    first, second = (EXTRACTORS.make("learned", model=Text("x.npz")) for _ in range(2))
    assert first == second
    assert first is not second
    long = "x" * 2000
    assert EXTRACTORS.make("learned", model=long) == EXTRACTORS.make("learned", model=long)


def test_keywords_are_the_same_as_brackets() -> None:
    assert SEGMENTERS.make("bf-plain", theta=0.5) is SEGMENTERS.make("bf-plain(theta=0.5)")
    assert SEGMENTERS.make("bf-plain(theta=0.5)", width=60) == SEGMENTERS.make("bf-plain(width=60, theta=0.5)")
    assert webstrata.segment(PAGE, "bf-plain(theta=0.5)") == webstrata.segment(PAGE, "bf-plain", theta=0.5)
    recipe = "numwords(words=20)+largest-content"
    assert webstrata.extract(PAGE, recipe).algorithm == repr(EXTRACTORS.make(recipe))


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_a_made_algorithm_can_be_spelled(registry: Registry[Any]) -> None:
    for name in registry:
        made = registry.make(name)
        assert registry.spell(made) == name
    for spelling in ("bf-rulebased(theta=inf, improved=True)", "min-words(minimum=5)+main-content(words=9)"):
        if spelling.partition("(")[0] in registry:
            assert registry.spell(registry.make(spelling)) == spelling
    with pytest.raises(InputError, match=f"no {registry.kind} of ours is a str"):
        registry.spell("nothing")


@pytest.mark.parametrize(
    ("spelling", "parameters", "message"),
    [
        ("bfplain", {}, "no segmenter is called 'bfplain', did you mean bf-plain? There are bf-plain, bf-rulebased,"),
        ("zzz", {}, "no segmenter is called 'zzz': choose one of bf-plain, bf-rulebased, bf-smoothed, containers,"),
        ("bf-plain(thta=0.5)", {}, "bf-plain has no parameter 'thta': it takes theta=0.38, inner=None, width=80"),
        ("bf-plain", {"thta": 0.5}, "bf-plain has no parameter 'thta': it takes theta=0.38, inner=None, width=80"),
        ("taggap(width=3)", {}, "taggap has no parameter 'width': it takes no parameters"),
        ("bf-plain(theta='wide')", {}, "bf-plain: theta must be a number, not 'wide'"),
        ("bf-plain(theta=-1)", {}, "bf-plain: theta must be a slope delta, 0 or more, not -1"),
        ("bf-plain(theta=1)", {"theta": 2}, "theta is given in 'bf-plain(theta=1)' and once more beside it"),
        ("bf-plain+taggap", {}, "a segmenter is one step, and 'bf-plain+taggap' has 2"),
        ("bf-plain(theta=[])", {}, "bf-plain: theta must be a number, not []"),
        (3, {}, "an algorithm is named by a string such as 'bf-plain(theta=0.5)', not by 3"),
    ],
)
def test_mistakes_are_told(spelling: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        webstrata.segment(PAGE, spelling, **parameters)
    assert str(caught.value).startswith(message)
    assert "__init__" not in str(caught.value)


def test_mistakes_in_recipes_are_told() -> None:
    with pytest.raises(InputError, match="no filter is called 'largest', did you mean largest-content"):
        EXTRACTORS.make("numwords+largest")
    with pytest.raises(InputError, match="largest-content has no parameter 'distance': it takes max_distance=3"):
        EXTRACTORS.make("numwords+largest-content(distance=2)")
    with pytest.raises(InputError, match=r"in brackets after its name, as in numwords\(words=...\)"):
        EXTRACTORS.make("numwords+largest-content", words=3)
    with pytest.raises(InputError, match="density-cutoff: no segmenter is called 'nothing'"):
        EXTRACTORS.make("density-cutoff(segmenter='nothing')")


WARM = """
import json, sys, importlib.metadata
import webstrata
html = sys.argv[1]
def work():
    webstrata.extract(html).text
    webstrata.extract(html.encode(), favour="recall").text
    webstrata.extract(html, "numwords(words=20)+largest-content").markdown
    webstrata.extract(html).metadata
    webstrata.segment(html).texts()
    webstrata.segment(html, "bf-plain", theta=0.5).texts()
work()
events = []
def refuse(*arguments, **parameters):
    raise AssertionError("the entry points were read")
importlib.metadata.entry_points = refuse
def watch(event, arguments):
    if event in ("import", "open", "os.listdir", "os.scandir", "exec", "compile"):
        events.append([event, str(arguments[0])])
sys.addaudithook(watch)
work()
seen = list(events)
import webstrata.evaluation.papers
print(json.dumps([seen, len(events) > len(seen)]))
"""


def test_a_second_call_does_no_work_that_does_not_depend_on_the_page() -> None:
    events, watched = python(WARM, PAGE)
    assert events == []
    assert watched, "the import after it was not seen, so nothing would have been"


OURS = """
import importlib.metadata, json, sys
def refuse(*arguments, **parameters):
    raise AssertionError("the entry points were read")
importlib.metadata.entry_points = refuse
import webstrata
from webstrata.evaluation.answers.algorithms import parse_spec
webstrata.extract(sys.argv[1], "min-words(minimum=5)+largest-content")
webstrata.segment(sys.argv[1])
parse_spec("numwords")
print(json.dumps("fine"))
"""


def test_our_names_are_found_without_entry_points() -> None:
    assert python(OURS, PAGE) == "fine"


THEIRS = """
import importlib.metadata, json, sys
read, calls = importlib.metadata.entry_points, []
def count(*arguments, **parameters):
    calls.append(parameters)
    return read(*arguments, **parameters)
importlib.metadata.entry_points = count
import webstrata
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS
from webstrata.segmentation import SEGMENTERS
found = webstrata.segment(sys.argv[1], "halves(parts=3)")
errors = []
for name in ("halves(part=3)", "broken", "nothing"):
    try:
        webstrata.segment(sys.argv[1], name)
    except InputError as error:
        errors.append(str(error))
list(EXTRACTORS), list(SEGMENTERS)
print(json.dumps([found.algorithm, repr(SEGMENTERS.make("taggap")), SEGMENTERS.entries()["halves"][2:], errors,
                  len(calls)]))
"""
PLUGIN = """
from dataclasses import dataclass
from webstrata.segmentation import Segment, Segmentation

@dataclass(frozen=True, kw_only=True)
class Halves:
    parts: int = 2

    def __call__(self, page):
        return Segmentation(page, (Segment(0, len(page.blocks)),), repr(self))
"""
POINTS = "[webstrata.segmenters]\nhalves = plugin:Halves\ntaggap = plugin:Halves\nbroken = plugin:Missing\n"


def test_other_packages_add_algorithms(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    information = tmp_path / "strata_plugin-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: strata-plugin\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(POINTS)
    algorithm, ours, origin, errors, calls = python(THEIRS, PAGE, path=tmp_path)
    assert algorithm == "Halves(parts=3)"
    assert ours == "TagGap()"
    assert origin == ["", "strata-plugin"]
    assert errors[0] == "halves has no parameter 'part': it takes parts=2"
    assert errors[1].startswith("segmenter 'broken' of strata-plugin cannot be loaded: ")
    assert "halves" in errors[2]
    assert calls == 1
