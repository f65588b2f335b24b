"""Generated parts of the documentation site: the reference of commands, pages missing in the navigation, code to copy.

MkDocs calls these functions while it builds (``hooks`` in mkdocs.yml).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.structure.files import File, Files

from webstrata.apps.cli import _group

sys.path.insert(0, str(Path(__file__).parent))

from copied_code import with_copied_code

COMMANDS = "reference/commands.md"


def on_config(config: Any) -> Any:
    """Add the pages of docs/ that are missing in the navigation."""
    listed = set(_pages(config["nav"]))
    folder = Path(config["docs_dir"])
    more = sorted(path.name for path in folder.glob("*.md") if path.name not in listed)
    if more:
        config["nav"].append({"More": more})
    return config


def _pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for item in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else ():
        yield from _pages(item)


def on_files(files: Files, config: Any) -> Files:
    """Add the reference of commands."""
    files.append(File.generated(config, COMMANDS, content=command_reference()))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """Let copy buttons copy the code of sessions only."""
    return with_copied_code(html)


def command_reference() -> str:
    """Every command with its help, as Markdown."""
    parts = [
        "# Commands",
        "The output of `webstrata COMMAND --help`.",
        _help(_group, "webstrata", None),
    ]
    parts += _described(_group, "webstrata", click.Context(_group, info_name="webstrata"), level=2)
    return "\n\n".join(parts) + "\n"


def _described(group: click.Group, name: str, context: click.Context, *, level: int) -> Iterator[str]:
    for inner in group.list_commands(context):
        command = group.get_command(context, inner)
        if command is None or command.hidden:
            continue
        yield f"{'#' * level} {name} {inner}"
        yield _help(command, f"{name} {inner}", context)
        if isinstance(command, click.Group):
            inside = click.Context(command, info_name=inner, parent=context)
            yield from _described(command, f"{name} {inner}", inside, level=level + 1)


def _help(command: click.Command, name: str, parent: click.Context | None) -> str:
    context = click.Context(command, info_name=name.rpartition(" ")[2], parent=parent, terminal_width=80)
    return f"```text\n{command.get_help(context)}\n```"
