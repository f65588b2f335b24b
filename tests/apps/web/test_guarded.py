"""Calls in guarded processes."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from webstrata.apps.web.guarded import Guarded
from webstrata.errors import InputError
from webstrata.workers.limits import Limits


def test_a_call_that_kills_its_process_or_never_ends_is_told() -> None:
    guarded = Guarded(limits=Limits(seconds=0.1), jobs=1)
    try:
        for call, told in (((os.abort,), "SIGABRT"), ((time.sleep, 60), "longer"), ((int, "x"), "could not be read")):
            with pytest.raises(InputError, match=told):
                asyncio.run(guarded(*call))
        assert asyncio.run(guarded(len, "still here")) == 10
    finally:
        guarded.close()
    with pytest.raises(InputError, match="stopped"):
        asyncio.run(guarded(len, ""))
