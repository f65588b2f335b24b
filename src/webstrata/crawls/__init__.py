"""Whole crawls: records from archives through a step into shards, on local processes or on Spark.

The processes that survive any page need what POSIX systems have: limits for one process, alarms, and pipes that are
handed on. This room alone needs it; everything else runs on Windows as well.
"""

import sys

if sys.platform == "win32":
    raise ImportError("webstrata.crawls needs a POSIX system such as Linux or macOS: on Windows, use WSL")

from webstrata.crawls.folds import Fold, Folded, FoldJob
from webstrata.crawls.guard import Guard
from webstrata.crawls.inputs import Input, find_inputs
from webstrata.crawls.job import Job, Summary
from webstrata.crawls.limits import Limits, Reject
from webstrata.crawls.many import extract_many
from webstrata.crawls.steps import STEPS, Blocks, Extract, Segment, Step

__all__ = [
    "STEPS",
    "Blocks",
    "Extract",
    "Fold",
    "FoldJob",
    "Folded",
    "Guard",
    "Input",
    "Job",
    "Limits",
    "Reject",
    "Segment",
    "Step",
    "Summary",
    "extract_many",
    "find_inputs",
]
