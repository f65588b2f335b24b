"""Whole crawls: records from archives through a step into shards, on local processes or on Spark.

The processes that survive any page need what POSIX systems have: limits for one process, alarms, and pipes that are
handed on. This room alone needs it; everything else runs on Windows as well.
"""

import sys

if sys.platform == "win32":
    raise ImportError("webstrata.crawls needs a POSIX system such as Linux or macOS: on Windows, use WSL")

from webstrata.crawls.folding.folds import Fold, Folded, FoldJob
from webstrata.crawls.jobs.extract_many import extract_many
from webstrata.crawls.reading.inputs import Input, find_inputs
from webstrata.crawls.running.guard import Guard
from webstrata.crawls.running.job import Job, Summary
from webstrata.crawls.running.steps import STEPS, Blocks, Extract, Segment, Step
from webstrata.workers.limits import Limits, Reject

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
