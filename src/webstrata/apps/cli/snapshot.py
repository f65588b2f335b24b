"""``webstrata snapshot``: freeze a page into one file."""

from webstrata.apps.cli.render import snapshot as command

__all__ = ["command"]
