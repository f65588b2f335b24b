"""Docstrings as Markdown, with their sections and examples.

A docstring of this project is prose with a few sections under a ruled heading ("Parameters", "Attributes",
"Deviations", "References"), the first two with lines "name : meaning"; and with examples after ``>>>``.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_FIELD = re.compile(r"^([\w, ]+?) : ")
# Registers our own cached property.
griffe.stdlib_decorators["webstrata._once.once"] = {"cached", "property"}


def markdown(docstring: str) -> str:
    """A docstring as Markdown."""
    text = docstring.replace("``", "`")
    text = _SECTION.sub(lambda match: f"**{match[1]}**\n\n", text)
    return _fenced(_listed(text))


def _listed(text: str) -> str:
    """Fields as items of a list; indented lines below a field belong to it."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        field = _FIELD.match(line)
        if field and not line.startswith((">>>", "...")):
            lines.append(f"- `{field[1].replace(', ', '`, `')}`: {line[field.end() :]}")
            inside = True
        elif inside and not line.strip():
            lines.append("")
            inside = False
        else:
            lines.append(line)
    return "\n".join(lines)


def _fenced(text: str) -> str:
    """Examples as blocks of Python, from their first line to the next blank one; text after ``::`` as a block."""
    out: list[str] = []
    fence = False
    literal = False
    for line in text.split("\n"):
        if not fence and line.startswith(">>> "):
            out.append("\n```pycon")
            fence = True
        elif fence and not line.strip():
            out.append("```")
            fence = False
        if line.rstrip().endswith("::") and not fence:
            line = line.rstrip()[:-1].rstrip(":") + (":" if line.strip() != "::" else "")
            literal = True
        elif literal and line.strip() and not line.startswith(" "):
            literal = False
        out.append(line)
    if fence:
        out.append("```")
    return "\n".join(out)


class OursAsMarkdown(griffe.Extension):
    """Turns every docstring into Markdown before it is rendered."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)
