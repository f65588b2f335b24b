"""Whole crawls: records from archives through a step into shards, on local processes or on Spark."""

from webstrata.run.guard import Guard
from webstrata.run.inputs import Input, find_inputs
from webstrata.run.job import Job, Summary
from webstrata.run.limits import Limits, Reject
from webstrata.run.steps import STEPS, Blocks, Extract, Segment, Step

__all__ = [
    "STEPS",
    "Blocks",
    "Extract",
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
