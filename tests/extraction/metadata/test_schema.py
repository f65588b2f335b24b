"""Products, recipes, events and jobs in JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest

from webstrata.extraction.metadata import metadata
from webstrata.page import parse


def schema_of(*nodes: object) -> list[dict[str, Any]]:
    scripts = (f"<script type=application/ld+json>{json.dumps(node)}</script>" for node in nodes)
    return metadata(parse("".join(scripts), url="https://example.org/a/")).schema


def test_things_are_copied_without_identifiers_and_empty_values() -> None:
    offer = {"@type": "Offer", "@id": "#o", "price": 9.5, "priceCurrency": "EUR", "availability": ""}
    node = {"@context": "https://schema.org", "@type": "Product", "name": " Silt &amp; clay ", "offers": [offer, {}]}
    assert schema_of(node) == [
        {
            "@type": "Product",
            "name": "Silt & clay",
            "offers": [{"@type": "Offer", "price": 9.5, "priceCurrency": "EUR"}],
        }
    ]


@pytest.mark.parametrize("kind", ["Recipe", "BusinessEvent", "JobPosting", ["Thing", "ProductGroup"]])
def test_types_in_graphs(kind: object) -> None:
    node = {"@graph": [{"@type": "WebPage", "name": "Page"}, {"@type": kind, "name": "Silt"}]}
    assert schema_of(node) == [{"@type": kind, "name": "Silt"}]


def test_other_types_and_nodes_without_properties_are_left_out() -> None:
    assert schema_of({"@type": "Article", "name": "Silt"}, {"@type": "Product"}, {"@type": "Product", "name": ""}) == []


def test_a_thing_in_another_one_is_told_once() -> None:
    variant = {"@type": "Product", "name": "Fine silt"}
    assert schema_of({"@type": "ProductGroup", "name": "Silt", "hasVariant": [variant]}, variant) == [
        {"@type": "ProductGroup", "name": "Silt", "hasVariant": [variant]},
        variant,  # of another script
    ]


def test_addresses_are_safe_and_absolute() -> None:
    node = {"@type": "Event", "name": "Dig", "url": "dig", "image": ["javascript:alert(1)", "/a.jpg"]}
    assert schema_of(node) == [
        {"@type": "Event", "name": "Dig", "url": "https://example.org/a/dig", "image": ["https://example.org/a.jpg"]}
    ]


def test_numbers_that_json_does_not_have_are_left_out() -> None:
    page = parse(
        '<script type=application/ld+json>{"@type": "Product", "name": "Silt", "weight": NaN, "x": true}</script>'
    )
    assert metadata(page).schema == [{"@type": "Product", "name": "Silt", "x": True}]


def test_large_and_deep_things_are_limited() -> None:
    deep: dict[str, object] = {"name": "bottom"}
    for _ in range(100):
        deep = {"part": deep, "name": "level"}
    (found,) = schema_of({"@type": "Product", "name": "Silt", "part": deep})
    assert json.dumps(found).count("level") == 5
    assert "bottom" not in json.dumps(found)
    (found,) = schema_of({"@type": "Product", "name": "Silt", "sizes": list(range(100_000))})
    assert 1000 < len(found["sizes"]) < 10_000
    assert len(schema_of([{"@type": "Product", "name": f"Silt {number}"} for number in range(1000)])) == 50
