"""Made pages: what was content before is content after, and every kind does what it says."""

from __future__ import annotations

import numpy as np
import pytest

from webstrata.page import parse
from webstrata.training.augmentation import KINDS, EditablePage, augment
from webstrata.training.samples import Labelled, prepare

SENTENCE = "The river carries sand and clay to the sea, where they settle slowly in layers number {}."


def page(number: int, paragraphs: int = 6) -> Labelled:
    texts = [SENTENCE.format(100 * number + i) for i in range(paragraphs)]
    table = f"<table><tr><td>depth {number}<td>age {number}</table>"
    html = (
        f"<html><head><title>Page {number}</title></head><body><nav class=menu><a href=/>Home of {number}</a></nav>"
        f"<article class=post id=p{number}><h1>Page {number}</h1>"
        + "".join(f"<p class=text>{text}</p>" for text in texts)
        + f"{table}</article><aside class=side><ul>"
        + "".join(f"<li><a href=/{i}>More about {number} and {i}</a></li>" for i in range(12))
        + "</ul></aside></body></html>"
    )
    content = "\n".join((f"Page {number}", *texts, f"depth {number} age {number}"))
    return Labelled(f"page-{number}", f"http://host{number % 3}.example/{number}", "article", html.encode(), content)


@pytest.fixture(scope="module")
def originals() -> list[EditablePage]:
    return [EditablePage.from_sample(prepare(page(number))) for number in range(6)]


def content_of(original: EditablePage) -> list[str]:
    blocks = original.page.blocks
    return [blocks[row].text for row in np.flatnonzero(original.content >= 0.5).tolist()]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_come_along(kind: str, originals: list[EditablePage]) -> None:
    """Whatever is content on a made page was content on the page it came from, and the rest was not."""
    known = {text for original in originals for text in content_of(original)}
    others = {block.text for original in originals for block in original.page.blocks} - known
    after = KINDS[kind][1](originals[0], originals[1:], np.random.default_rng(3))
    assert set(content_of(after)) <= known
    assert {block.text for row, block in enumerate(after.page.blocks) if after.content[row] < 0.5} <= others


def made(kind: str, originals: list[EditablePage], seed: int = 1) -> EditablePage:
    return KINDS[kind][1](originals[0], originals[1:], np.random.default_rng(seed))


def test_names_are_taken_away(originals: list[EditablePage]) -> None:
    for kind in ("without names", "aged"):
        after = made(kind, originals)
        assert b"class=" not in after.page.source
        assert b"id=" not in after.page.source
        assert content_of(after) == content_of(originals[0])


def test_lengths(originals: list[EditablePage]) -> None:
    def words(original: EditablePage) -> float:
        return float((original.page.blocks.words * original.content).sum())

    assert words(made("shortened", originals)) < words(originals[0]) / 2
    assert words(made("lengthened", originals)) > 2 * words(originals[0])
    assert len(made("fragment", originals).page.blocks) < len(originals[0].page.blocks)
    assert len(made("with sidebars", originals).page.source) != len(originals[0].page.source)


def test_a_transplant_has_the_other_page_s_title(originals: list[EditablePage]) -> None:
    after = made("transplanted", originals)
    assert after.page.title in {original.page.title for original in originals[1:]}
    assert set(content_of(after)).isdisjoint(content_of(originals[0]))


def test_old_pages_have_no_sections(originals: list[EditablePage]) -> None:
    assert not len(made("aged", originals).page.elements.find("article"))


def test_made_pages_are_of_one_fold_and_the_same_each_time() -> None:
    samples = [prepare(page(number)) for number in range(9)]
    first, again = augment(samples, share=2, seed=5), augment(samples, share=2, seed=5)
    assert len(first) >= 9
    assert [sample.words.tolist() for sample in first] == [sample.words.tolist() for sample in again]
    hosts: dict[int, set[str]] = {sample.fold: set() for sample in samples}
    for sample in samples:
        hosts[sample.fold].add(sample.page.url.split("/")[2])
    for sample in first:
        assert sample.is_made
        assert sample.page.url.split("/")[2] in hosts[sample.fold]


def test_edits_inside_of_others_are_left_out() -> None:
    original = EditablePage(parse(b"<p>one<p>two<p>three"), np.array([1.0, 0, 1]), page(1), 0)
    after = original.edited([(0, 6, (b"<p>new",)), (3, 4, (b"x",)), (12, 12, ((original, 0, 6),))])
    assert [block.text for block in after.page.blocks] == ["new", "two", "one", "three"]
    assert after.content.tolist() == [0, 0, 1, 1]
