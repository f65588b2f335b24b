"""Chunks: nothing lost, none too long, and each begins and ends where a reader would pause."""

from __future__ import annotations

import json
import pickle
import re
from importlib.resources import files

import pytest
from chunk_faults import EMPTY, LONG, chunk_faults
from generated_pages import pages
from golden import load, slugs
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction import Extraction, extract
from webstrata.extraction.chunks import Chunk, flat_metadata


def real_faults(found: Extraction, size: int, overlap: int = 0) -> list[str]:
    return [fault for fault in chunk_faults(found, size, overlap) if LONG not in fault and EMPTY not in fault]


def texts(html: str, **options: object) -> list[str]:
    return [chunk.text for chunk in extract(html, "keep-all").chunks(**options)]  # type: ignore[arg-type]


@given(pages(), st.integers(1, 200), st.booleans())
def test_nothing_is_lost_or_moved_or_too_long(html: str, size: int, overlaps: bool) -> None:
    found = extract(html, "keep-all")
    chunks = found.chunks(size=size, overlap=size // 2 if overlaps else 0)
    at = 0
    for chunk in chunks:
        assert len(chunk.text) <= size
        assert overlaps or chunk.start >= at
        assert not re.search(r"\w", found.markdown[at : chunk.start])
        at = max(at, chunk.stop)
    assert all(re.match(r"\W*(#.*)?$", line) for line in found.markdown[at:].split("\n"))


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize(("size", "overlap"), [(300, 0), (800, 100)])
def test_golden_pages(slug: str, size: int, overlap: int) -> None:
    assert real_faults(extract(load(slug)[0]), size, overlap) == []


def test_headings_go_with_what_they_head() -> None:
    html = (
        "<h1>Lake</h1><p>It is old.<h2>Silt</h2><h3>Pale</h3><p>In spring, it is pale.<h2>Mud</h2><p>Dark.<h2>End</h2>"
    )
    chunks = extract(html, "keep-all").chunks(size=50)
    assert [(chunk.text, chunk.headings) for chunk in chunks] == [
        ("# Lake\n\nIt is old.", ("Lake",)),
        ("## Silt\n\n### Pale\n\nIn spring, it is pale.", ("Lake", "Silt", "Pale")),
        ("## Mud\n\nDark.", ("Lake", "Mud")),
    ]


def test_wholes_are_not_cut_if_they_fit() -> None:
    table = "<table><tr><th>Layer<th>mm<tr><td>1,205<td>31.5<tr><td>1,206<td>28.0</table>"
    found = texts(f"<p>{'Silt is pale. ' * 5}{table}<pre>a\nb</pre>", size=90)
    assert found == [
        "Silt is pale. Silt is pale. Silt is pale. Silt is pale. Silt is pale.",
        "| Layer | mm |\n| --- | --- |\n| 1,205 | 31.5 |\n| 1,206 | 28.0 |\n\n```\na\nb\n```",
    ]


def test_parts_of_a_table_repeat_its_header() -> None:
    rows = "".join(f"<tr><td>{year}<td>pale" for year in range(1200, 1206))
    found = texts(f"<table><tr><th>Year<th>Silt{rows}</table>", size=80)
    assert len(found) > 1
    assert all(text.startswith("| Year | Silt |\n| --- | --- |\n| 12") for text in found)
    assert sum(text.count("pale") for text in found) == 6


def test_parts_of_code_are_code_in_its_language() -> None:
    code = "\n".join(f"layer({number})" for number in range(20))
    found = texts(f'<pre><code class="language-python">{code}</code></pre>', size=80)
    assert all(text.startswith("```python\nlayer(") and text.endswith(")\n```") for text in found)
    assert re.findall(r"\d+", "".join(found)) == [str(number) for number in range(20)]


def test_an_item_that_begins_a_chunk_is_at_the_left() -> None:
    html = "<ol><li>One.<ul><li>It is pale.<li>It is thin, and it is old.</ul><li>Two, the last one.</ol>"
    assert texts(html, size=36) == [
        "1. One.\n   - It is pale.",
        "- It is thin, and it is old.",
        "2. Two, the last one.",
    ]


def test_a_quotation_goes_on_as_one() -> None:
    assert texts("<blockquote><p>Silt is pale. Mud is dark.</blockquote>", size=16) == [
        "> Silt is pale.",
        "> Mud is dark.",
    ]


def test_what_is_longer_than_a_chunk_is_cut_at_white_space() -> None:
    found = texts(f"<p>{'varve ' * 40}", size=50)
    assert set(" ".join(found).split()) == {"varve"}
    assert "".join(texts(f"<p>{'x' * 95}", size=20)) == "x" * 95


def test_a_link_that_is_longer_than_a_chunk_is_cut_after_a_sentence() -> None:
    html = f"<p><a href=/x>{'Silt sinks in spring when the water is calm. ' * 12}</a>"
    made = extract(html, "keep-all").chunks(size=200)
    assert [chunk.text.lstrip("[")[:11] for chunk in made] == ["Silt sinks "] * len(made)
    assert len(made) > 2


def test_a_chunk_repeats_whole_sentences_of_the_last_one() -> None:
    html = f"<p>{' '.join(f'Layer {number} is pale.' for number in range(10))}<h2>Mud</h2><p>Dark."
    found = texts(html, size=60, overlap=30)
    assert found[0] == "Layer 0 is pale. Layer 1 is pale. Layer 2 is pale."
    assert found[1].startswith("Layer 2 is pale. Layer 3")
    [first, *_, last] = texts(html.replace("Dark.", "It is dark, and it is old."), size=60, overlap=30)
    assert (first, last) == (found[0], "## Mud\n\nIt is dark, and it is old.")


class _Tokenizer:
    """Words as tokens, as tokenizers have them."""

    def encode(self, text: str) -> list[str]:
        return re.findall(r"\w+|[^\w\s]", text)


@pytest.mark.parametrize("length", [_Tokenizer(), lambda text: len(text.encode()), lambda text: len(text) ** 2 // 20])
def test_any_measure_of_length(length: object) -> None:
    measure = (lambda text: len(length.encode(text))) if isinstance(length, _Tokenizer) else length
    html = files("webstrata.demo").joinpath("documentation.html").read_bytes()
    chunks = extract(html).chunks(size=60, length=length)
    assert all(measure(chunk.text) <= 60 for chunk in chunks)  # type: ignore[operator]
    assert len(chunks) > 3


def test_segments_are_boundaries() -> None:
    posts = "".join(f"<article><p>Silt {n} is pale.<p>Mud {n} is dark.</article>" for n in range(4))
    assert texts(posts, size=60) == [f"Silt {n} is pale.\n\nMud {n} is dark." for n in range(4)]
    assert texts(posts, size=60, segmenter=None) != texts(posts, size=60)


def test_comments_are_chunks_of_their_own() -> None:
    chunks = extract(load("article")[0], comments=True).chunks(size=400)
    of_readers = [chunk for chunk in chunks if chunk.kind == "comments"]
    assert of_readers
    assert all(chunk.headings == chunks[0].headings[:1] for chunk in of_readers)
    assert "comments" not in {chunk.kind for chunk in extract(load("article")[0]).chunks(size=400)}


def test_spans_lead_to_the_source() -> None:
    html = b"<h1>Lake</h1><ul><li>Old<ul><li>Silt is pale.<li>Mud is dark.</ul></ul>"
    found = extract(html, "keep-all")
    *_, last = found.chunks(size=20)
    assert last.text == "- Mud is dark."
    [span] = last.spans
    assert last.source is not None
    assert last.text[span.start : span.stop] == "Mud is dark." == html[slice(*last.source)].decode()
    assert Chunk("", (), "text", 0, 0, (), {}).source is None
    assert json.loads(json.dumps(last.as_dict()))["source"] == list(last.source)
    assert pickle.loads(pickle.dumps(last)).text == last.text


def test_metadata() -> None:
    html = "<title>Silt</title><meta name=keywords content='a,b'><h1>Silt</h1><h2>Mud</h2><p>It is dark."
    found = extract(html, "keep-all", url="https://example.org/")
    assert flat_metadata(found) == {"title": "Silt", "tags": "a, b", "url": "https://example.org/"}
    [chunk] = found.chunks()
    start = html.index("Silt<", 20)
    assert chunk.flat() == {
        **chunk.metadata,
        "headings": "Silt > Mud",
        "kind": "text",
        "start": start,
        "stop": len(html),
    }
    assert extract("", "keep-all").chunks() == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "at least 1"),
        ({"overlap": -1}, "at least 0"),
        ({"size": 10, "overlap": 6}, "at most half"),
        ({"length": "words"}, "a function"),
        ({"segmenter": "x"}, "no segmenter"),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        extract("<p>Silt.", "keep-all").chunks(**options)  # type: ignore[arg-type]
