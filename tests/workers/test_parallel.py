"""Functions of many items in processes."""

from __future__ import annotations

import pytest
from answering import add_given, be_given

from webstrata.workers.parallel import in_processes


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_processes_are_set_up(jobs: int) -> None:
    assert list(in_processes(add_given, range(20), jobs, setup=be_given, given=(100,))) == list(range(100, 120))
    assert list(in_processes(abs, [-1, -2], jobs)) == [1, 2]
