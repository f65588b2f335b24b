"""Papers are cited by the keys of docs/papers.md, in the registries as everywhere."""

from __future__ import annotations

import re
from pathlib import Path

from webstrata.evaluation.papers.catalogue import PAPERS
from webstrata.extraction.base import EXTRACTORS, FILTERS
from webstrata.segmentation import SEGMENTERS

ROOT = Path(__file__).parents[2]
KEYS = re.findall(r"^## (.+)$", (ROOT / "docs" / "papers.md").read_text(encoding="utf-8"), re.MULTILINE)
#: A surname or two, or "et al.", and a year: how all keys look.
CITATION = re.compile(r"\b((?:Kohlschütter|Kreuzer|Weninger|Fernandes|Nejdl|Hsu)(?: & \w+| et al\.)? (?:19|20)\d\d)\b")


def test_every_algorithm_but_baselines_comes_from_a_listed_paper() -> None:
    for registry in (SEGMENTERS, EXTRACTORS, FILTERS):
        for name, entry in registry.entries().items():
            told = entry.paper == "a baseline" or any(entry.paper.startswith(key) for key in KEYS)
            assert told or (registry is FILTERS and not entry.paper), name


def test_the_papers_that_can_be_run_again_are_listed() -> None:
    assert {paper.citation for paper in PAPERS.values()} <= set(KEYS)


def test_citations_are_keys() -> None:
    found = {}
    for path in (*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.py"), ROOT / "README.md"):
        for citation in CITATION.findall(path.read_text(encoding="utf-8")):
            found[citation] = path.name
    assert set(KEYS) - {"Fernandes et al. 2011"} <= set(found)
    assert {citation: name for citation, name in found.items() if citation not in KEYS} == {}


def test_the_readme_links_to_the_papers_and_the_guides() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for guide in ("papers.md", "crawls.md", "evaluation.md", "extractors.md", "segmenters.md"):
        assert f"](docs/{guide})" in readme
