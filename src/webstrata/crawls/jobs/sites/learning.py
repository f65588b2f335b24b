"""The job that learns sites from a crawl: it runs the step and the folds. `webstrata.sites.Sites` reads its folder.

The folder ``rows``, with the nodes of each page, is removed at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from webstrata.crawls.folding.engines import LOCAL, Engine
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.jobs.sites.classes import ClassesOfSite
from webstrata.crawls.jobs.sites.nodes import FingerprintsOfSite, PageNodes, TreesOfSite
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.errors import InputError
from webstrata.sites.folder import about_sites
from webstrata.sites.grouping import BY
from webstrata.sites.rules import Rules
from webstrata.workers.limits import Limits

__all__ = ["SMALL", "SiteLearner"]

#: Sites with fewer pages than this are unreliable: every class is rare (beta of Fernandes et al. 2011).
SMALL = 8


@dataclass(frozen=True, kw_only=True)
class SiteLearner:
    """Learns the sites of a crawl.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.finding.find_inputs`
    output : the folder to write to
    by : the unit of sites: host, registered-domain or all
    rules : of the trees
    extractor : its decisions are counted for each segment class, for extraction with a site; none if empty
    limits : time and memory of a page
    """

    inputs: tuple[Input, ...]
    output: Path
    by: str = "host"
    rules: Rules = field(default_factory=Rules)
    extractor: str = "learned"
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.by not in BY:
            raise InputError(f"{self.by!r} is not a unit of sites: choose one of {', '.join(BY)}")

    @property
    def job(self) -> Job:
        """The run that reads the pages."""
        step = PageNodes(by=self.by, rules=self.rules, extractor=self.extractor, limits=self.limits)
        return Job(inputs=self.inputs, step=step, output=self.output / "rows", limits=self.limits)

    def folds(self) -> dict[str, Fold]:
        """The folds by the names of their folders, in order: classes need the trees."""
        classes = ClassesOfSite(trees=str((self.output / "trees").absolute()), rules=self.rules)
        return {"trees": TreesOfSite(), "fingerprints": FingerprintsOfSite(), "classes": classes}

    def learn(
        self,
        engine: Engine = LOCAL,
        *,
        progress: Progress | None = None,
        on_fold: Callable[[str], None] = lambda name: None,
    ) -> Summary:
        """Learn, or do the rest of an earlier run; the parameters are those of `Engine.map_and_fold`."""
        work = partial(self._learn, engine, progress, on_fold)
        return engine.once(self.output, "site.json", repr(self.job.step), work)

    def _learn(
        self, engine: Engine, progress: Progress | None, on_fold: Callable[[str], None]
    ) -> tuple[Summary, dict[str, Any]]:
        summary = engine.map_and_fold(self.job, self.folds(), progress=progress, on_fold=on_fold)
        if not summary.written:
            raise InputError("no page came out of the input, so there is nothing to learn a site from")
        return summary, about_sites(self.by, self.rules, summary.written, extractor=self.extractor)
