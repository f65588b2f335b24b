"""The cache of opened pages."""

from __future__ import annotations

import pytest

from webstrata.apps.web.stored import Store, StoredPage


def test_the_oldest_pages_are_dropped() -> None:
    store = Store(pages=3, size=1000)
    names = [store.add(StoredPage(bytes([number]) * 10)) for number in range(4)]
    assert [name for name, _ in store.recent()] == names[:0:-1]
    with pytest.raises(KeyError):
        store[names[0]]
    last = store.add(StoredPage(b"x" * 2000))
    assert [name for name, _ in store.recent()] == [last]
