"""``webstrata snapshot``: a page frozen into one file."""

from webstrata.apps.cli.render import snapshot as command

__all__ = ["command"]
