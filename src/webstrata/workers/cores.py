"""The number of cores to use."""

from __future__ import annotations

import os

__all__ = ["cores"]


def cores() -> int:
    """The number of cores that this process may use, or of all cores on systems that do not restrict processes."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
