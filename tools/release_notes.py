"""The notes of a release: the section of CHANGELOG.md with its version.

Usage: ``python tools/release_notes.py 0.2.0``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"


def notes(changelog: str, version: str) -> str:
    """The text of the section of a version; empty where there is none.

    >>> notes("# Changelog\\n\\n## [0.2.0] - 2027-01-02\\n\\n- New.\\n\\n## [0.1.0]\\n\\n- Old.\\n", "0.2.0")
    '- New.'
    """
    parts = re.split(r"^## \[([^\]]+)\].*$", changelog, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(version, "").strip()


def main() -> None:
    [version] = sys.argv[1:]
    found = notes(CHANGELOG.read_text(encoding="utf-8"), version.removeprefix("v"))
    if not found:
        sys.exit(f"CHANGELOG.md has no section [{version}]: rename [Unreleased] before the release")
    print(found)


if __name__ == "__main__":
    main()
