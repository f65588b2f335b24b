"""Whole crawls: records from archives through a step into shards, on local processes or on Spark."""

from webstrata.crawls.folds import Fold, Folded, FoldJob
from webstrata.crawls.guard import Guard
from webstrata.crawls.inputs import Input, find_inputs
from webstrata.crawls.job import Job, Summary
from webstrata.crawls.limits import Limits, Reject
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
    "find_inputs",
]
