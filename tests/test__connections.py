"""Requests to checked addresses."""

from __future__ import annotations

import pytest

from webstrata._connections import Target, is_public
from webstrata.errors import InputError


@pytest.mark.parametrize(
    ("url", "header", "path"),
    [
        ("http://例え.jp/", "xn--r8jz45g.jp", "/"),
        ("http://müller.de/ä?ö=ü#part", "xn--mller-kva.de", "/%C3%A4?%C3%B6=%C3%BC"),
        ("https://[::1]:8443/a b", "[::1]:8443", "/a%20b"),
        ("http://user:word@example.org:80", "example.org", "/"),
    ],
)
def test_a_url_is_sent_in_ascii(url: str, header: str, path: str) -> None:
    target = Target.of(url)
    assert (target.header, target.path) == (header, path)


@pytest.mark.parametrize(
    "url", ["http://[::1", "http://a:99999/", "ftp://a/", "http://", "http://\udc80.de/", f"http://{'ü' * 99}.de/"]
)
def test_a_broken_url_is_input_that_cannot_be_used(url: str) -> None:
    with pytest.raises(InputError):
        Target.of(url)


def test_addresses_of_a_site_are_not_public() -> None:
    assert not is_public("fec0::1")
    assert is_public("2606:4700::1111")
