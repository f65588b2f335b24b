"""The command line, run as a user would run it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from webstrata.apps.cli import _group

__all__ = ["webstrata"]


def webstrata(*arguments: str, stdin: bytes = b"") -> Result:
    """``webstrata ARGUMENTS``."""
    return CliRunner().invoke(_group, arguments, input=stdin)
