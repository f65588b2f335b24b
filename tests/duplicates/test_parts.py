"""Which part of a page is compared."""

from __future__ import annotations

import pytest

from webstrata.duplicates import BY, LargestSegment, make_part
from webstrata.errors import InputError
from webstrata.page import parse
from webstrata.segmentation.base import SEGMENTERS, Segment, Segmentation

PAGE = parse(
    "<ul><li><a href=a>a long list of links that lead to other pages of the site and nowhere else at all</a></ul>"
    "<h1>Strata</h1><p>A page comes in strata, and its largest stratum is text.</p>"
    "<script>hidden words that nobody sees</script>"
)


def test_the_largest_segment_is_not_one_of_links() -> None:
    found = LargestSegment(segmenter=SEGMENTERS.make("justrules"))(PAGE)
    assert found == "A page comes in strata, and its largest stratum is text."


def test_the_bound_of_links_can_be_changed() -> None:
    found = LargestSegment(segmenter=SEGMENTERS.make("justrules"), linked=1.1)(PAGE)
    assert found.startswith("a long list")


def test_of_nested_segments_the_inner_ones_count() -> None:
    page = parse("<p>one two three<p>four five<p>six")

    def nested(page: object) -> Segmentation:
        return Segmentation(parsed, (Segment(0, 3), Segment(1, 2, level=2)), "by hand")

    parsed = page
    assert LargestSegment(segmenter=nested)(page) == "one two three\nsix"


@pytest.mark.parametrize("by", BY)
def test_pages_without_text_have_no_part(by: str) -> None:
    part = make_part(by)
    for html in ("", "<p>", "<script>x</script>"):
        assert part(parse(html)) == ""


def test_the_whole_page_is_what_is_shown() -> None:
    text = make_part("page")(PAGE)
    assert "Strata" in text
    assert "hidden" not in text


def test_names_that_are_not_known_say_so() -> None:
    with pytest.raises(InputError, match="content, segment, page"):
        make_part("title")
    with pytest.raises(InputError, match="without an algorithm"):
        make_part("page", "bf-plain")
