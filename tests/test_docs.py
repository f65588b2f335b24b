"""The documentation: its pages are listed, its links lead somewhere, its commands exist; its Python is run as well."""

from __future__ import annotations

import html
import importlib
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import webstrata
from copied_code import with_copied_code
from release_notes import notes
from results import Result, pages_with_results, read_results, store, with_results
from webstrata.apps.cli import _group

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(`{3,})(\w*)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def slug(heading: str) -> str:
    """How both GitHub and MkDocs make the anchor of a heading, as far as our headings go."""
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def links(path: Path) -> Iterator[str]:
    for target in _LINK.findall(_FENCE.sub("", path.read_text(encoding="utf-8"))):
        if not target.startswith(("http://", "https://", "mailto:")):
            yield target


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in links(path):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if found == ROOT / "docs/reference/commands.md":
            continue  # made when the site is built
        assert found.exists(), f"{name(path)} links to {target}"
        if anchor:
            text = _FENCE.sub("", found.read_text(encoding="utf-8"))
            assert anchor in {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}, target


def commands(path: Path) -> Iterator[str]:
    """The command lines of a page's shell blocks, without what the shell itself reads."""
    for _, language, block in _FENCE.findall(path.read_text(encoding="utf-8")):
        if language == "sh":
            for line in block.replace("\\\n", " ").splitlines():
                line = re.sub(r"\s#.*", "", line)
                line = re.sub(r"\s>\s.*", "", line)
                if (at := line.find("webstrata ")) >= 0 and not line.startswith(("pip", "eval")):
                    yield line[at:]


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_commands_and_their_options_exist(path: Path) -> None:
    for line in commands(path):
        _, *words = shlex.split(line)
        command: click.Command = _group
        context = click.Context(command, info_name="webstrata")
        try:
            while isinstance(command, click.Group) and words and not words[0].startswith("-"):
                _, inner, words = command.resolve_command(context, words)
                assert inner is not None, line
                command = inner
                context = click.Context(command, info_name=command.name, parent=context)
            command.make_parser(context).parse_args(args=list(words))
        except click.UsageError as error:
            pytest.fail(f"{line}: {error.format_message()}")


def test_every_page_of_the_site_is_there() -> None:
    listed = re.findall(r"([\w/-]+\.md)\s*$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert "index.md" in listed
    missing = [page for page in listed if page != "reference/commands.md" and not (ROOT / "docs" / page).exists()]
    assert missing == []
    frameworks = {f"integrations/{path.name}" for path in (ROOT / "docs/integrations").glob("*.md")}
    assert frameworks <= set(listed)


def test_the_notes_of_a_release() -> None:
    changelog = (
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n### Added\n\n- New.\n\n## [0.1.0]\n\n- Old.\n"
    )
    assert notes(changelog, "0.2.0") == "### Added\n\n- New."
    assert notes(changelog, "0.1.0") == "- Old."
    assert notes(changelog, "0.3.0") == ""


def test_one_version_everywhere() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    front = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/webstrata/__init__.py").read_text(), re.MULTILINE)
    assert version is not None
    assert cited is not None
    assert front is not None
    assert version[1] == cited[1] == front[1]


def calls() -> list[tuple[str, str]]:
    """The rooms in the README's table and the call that uses each."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("| room | job | call | guide |")[2]
    return re.findall(r"^\| `(\w+)` \| [^|]* \| `([^`]+)` \|", table, re.MULTILINE)


def test_the_calls_of_the_rooms_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    html = "<title>{0}</title><ul><li><a href=/>Home</a></ul><h1>{0}</h1><p>Two words about {0}.</p>"
    pages = [webstrata.parse(html.format(name), url=f"http://a.org/{name}") for name in ("clay", "sand", "silt")]
    names = {"webstrata": webstrata, "html": html, "pages": pages, "texts": [page.text for page in pages]}
    rooms = dict(calls())
    assert len(rooms) == 10
    if shutil.which("chromium") is None:
        del rooms["rendering"]
    rooms["crawls"] = f"list({rooms['crawls'].replace('pages', 'texts')})"
    for room, call in rooms.items():
        scope = {**names, room: importlib.import_module(f"webstrata.{room}")}
        assert eval(call, scope) is not None


def test_pages_have_the_stored_results() -> None:
    results, pages = read_results(), pages_with_results()
    assert sorted(name for names in pages.values() for name in names) == sorted(results), "run the benches with --store"
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert with_results(text, results) == text, f"{page.name}: run python bench/results.py"


def test_results_of_benches_are_stored_and_written_into_the_page(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    store("speed", "2 pages", ("parser", "ms"), [("old", "9")], file)
    store("agreement", "1 page", ("data set", "agreed"), [("a", "99 %")], file)
    store("speed", "2 pages", ("parser", "ms"), [("ours", "1.5"), ("others", "3.0")], file)
    results = read_results(file)
    assert results["speed"] == Result("2 pages", ["parser", "ms"], [["ours", "1.5"], ["others", "3.0"]])
    page = with_results("# Speed\n\n<!-- results: speed -->\nold text\n<!-- end -->\n", {"speed": results["speed"]})
    assert "| ours | 1.5 |\n| others | 3.0 |" in page
    assert "old text" not in page
    with pytest.raises(SystemExit, match="nothing is stored as speed"):
        with_results(page, {})
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide/speed.md").write_text(page, encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n", encoding="utf-8")
    assert pages_with_results(tmp_path) == {tmp_path / "guide/speed.md": ["speed"]}


def test_copy_buttons_copy_the_code_of_a_session() -> None:
    session = '<div class="language-python highlight"><pre><code>{}</code></pre></div>'
    shown = '<b>&gt;&gt;&gt;</b> say(<i>"&amp;"</i>)\n...\n&amp;\n&gt;&gt;&gt; 2 &gt; 1\nTrue\n'
    found = re.search(r'data-copy="([^"]*)"', with_copied_code(session.format(shown)))
    assert found
    assert html.unescape(found[1]) == 'say("&")\n\n2 > 1'
    shell = session.format("webstrata demo\n")
    assert with_copied_code(shell) == shell
