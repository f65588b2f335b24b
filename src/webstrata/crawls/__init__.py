"""Whole crawls: records from archives through a step into shards, on local processes or on Spark.

The processes survive any page. That needs a POSIX system such as Linux or macOS; elsewhere, an attempt to start one is
an error.
"""

from webstrata.crawls.folding.folds import Fold, Folded, FoldJob
from webstrata.crawls.jobs.blocks import ListBlocks
from webstrata.crawls.jobs.extract import Extract
from webstrata.crawls.jobs.extract_many import extract_many
from webstrata.crawls.jobs.segment import SegmentPages
from webstrata.crawls.reading.finding import find_inputs
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.guard import Guard
from webstrata.crawls.running.job import Job, Summary
from webstrata.crawls.running.steps import CrawlStep, PageStep
from webstrata.workers.limits import Limits, Reject

__all__ = [
    "CrawlStep",
    "Extract",
    "Fold",
    "FoldJob",
    "Folded",
    "Guard",
    "Input",
    "Job",
    "Limits",
    "ListBlocks",
    "PageStep",
    "Reject",
    "SegmentPages",
    "Summary",
    "extract_many",
    "find_inputs",
]
