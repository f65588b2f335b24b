"""Metadata: where each field comes from, and what is preferred."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from datetime import date
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata._escaping import one_line, unescape, well_formed
from webstrata._lengths import LONGEST_DESCRIPTION, LONGEST_TITLE
from webstrata.extraction import extract
from webstrata.extraction.metadata import FIELDS, Metadata, authors, metadata
from webstrata.extraction.metadata.authors import author_names
from webstrata.extraction.metadata.bylines import author_candidates
from webstrata.extraction.metadata.datelines import date_candidates
from webstrata.extraction.metadata.dates import find_date, iso_date
from webstrata.extraction.metadata.jsonld import nodes_of
from webstrata.extraction.metadata.marks import marked
from webstrata.extraction.metadata.months import MONTHS
from webstrata.extraction.metadata.tags import Declarations, folded
from webstrata.page import CLONED, parse


def read(html: str | bytes, url: str | None = "https://www.rocks.example/a") -> Metadata:
    return metadata(parse(html, url=url))


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_a_page_without_anything() -> None:
    found = read("", url=None)
    assert found.as_dict() == {**dict.fromkeys(FIELDS), "tags": [], "categories": []}
    assert found == read("<p>", url=None)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (ld({"@type": "NewsArticle", "author": {"@type": "Person", "name": "Ada Stone"}}), "Ada Stone"),
        (ld([{"@type": "Article", "author": ["Ada Stone", {"name": "Ben Marl"}]}]), "Ada Stone; Ben Marl"),
        (
            ld({"@graph": [{"@type": "Article", "author": {"@id": "#1"}}, {"@id": "#1", "name": "Ada Marl"}]}),
            "Ada Marl",
        ),
        ("<meta name=author content='Ada Stone'>", "Ada Stone"),
        ("<meta property=article:author content='https://social.example/ada'><meta name=author content=Ada>", "Ada"),
        (
            "<meta name=citation_author content='A. Stone'><meta name=citation_author content='B. Marl'>",
            "A. Stone; B. Marl",
        ),
        ("<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ada Stone'>", "Ada Stone"),
        ("<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='5 minutes'>", None),
        ("<body><span itemprop=author><span>A</span> <p>Ada Stone</span>", "Ada Stone"),
        ("<body><a rel=author href=/ada>Ada Stone</a>", "Ada Stone"),
        ("<body><p class=post-byline>By Ada Stone | Updated May 2024", "Ada Stone"),
        ("<body><div class='author-bio'>A long life</div><span class='c-author__name'>Ada Stone</span>", "Ada Stone"),
        ("<h1>Strata</h1><p>By Ada Stone</p><p>Rocks have layers", "Ada Stone"),
        ("<body><p hidden class=byline>By Nobody Here", None),
        (
            "<meta property=og:site_name content=Rocks><meta name=author content=Rocks>"
            "<h1>Clay</h1><p class=byline>By Ada Stone",
            "Ada Stone",
        ),
        ("<meta property=og:site_name content=Rocks><meta name=author content=Rocks>", "Rocks"),
        ("<meta name=author content=admin>", None),
        ("<body><a class=author href=/login>Sign in</a><p class=byline>By Ada Stone", "Ada Stone"),
        ("<body><span class=username>Log in</span>", None),
        ("<body><a class=author-link>Leave a comment</a>", None),
        ("<body><span class=byline>12 Comments</span>", None),
        ("<h1>Strata</h1><ol class='comment-list'><li class=comment><cite class=author>Rude Reader</cite></ol>", None),
        ("<h1>Strata</h1><div id=comments><div><a rel=author>Rude Reader</a></div></div>", None),
        ("<h1>Strata</h1><p class='comment-author vcard'>Rude Reader</p><p class=author>Ada Stone", "Ada Stone"),
        ("<body class='post has-comments'><p class=author>Ada Stone", "Ada Stone"),
    ],
)
def test_author(html: str, expected: str | None) -> None:
    found = read(html)
    # These pages are too short to be sure of what they say.
    assert found.best("author").value == expected if expected else found.author is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            ld({"@type": "BlogPosting", "datePublished": "2024-05-17T23:00:00Z", "dateModified": "2025-01-01"}),
            "2024-05-17",
        ),
        ("<meta property=article:published_time content=2024-05-17>", "2024-05-17"),
        ("<meta name=dc.date.issued content=20240517>", "2024-05-17"),
        ("<meta name=citation_publication_date content=2024/05/17>", "2024-05-17"),
        ("<meta property=article:modified_time content=2025-01-01>", "2025-01-01"),
        (
            "<h1>Clay</h1><time class=published datetime=2024-05-17>y</time> <time class=updated datetime=2024-06-01>x",
            "2024-05-17",
        ),
        ("<body><span itemprop=datePublished content=2024-05-17>x</span>", "2024-05-17"),
        ("<body><div class=post-date>May 17th, 2024</div>", "2024-05-17"),
        ("<h1>Strata</h1><p>17 May 2024. Rocks", "2024-05-17"),
        ("<html lang=de><body><p class=date>17.05.2024", "2024-05-17"),
        ("<html lang=en-GB><body><p class=date>03/04/2024", "2024-04-03"),
        ("<html lang=en-US><body><p class=date>03/04/2024", "2024-03-04"),
        ("<meta name=date content=soon><link rel=canonical href=/2024/05/17/strata>", "2024-05-17"),
        ("<p>nothing", None),
    ],
)
def test_date(html: str, expected: str | None) -> None:
    assert read(html).best("date").value == expected


def test_weak_evidence_gives_no_answer_but_a_guess() -> None:
    rocks = "We sell rocks. " * 200
    found = read(f"<title>Rocks</title><h1>Rocks</h1><p>{rocks}<p>Our shop was opened on 3 May 2004. {rocks}")
    assert found.date is None
    assert found.guessed_date == "2004-05-03"
    assert found.evidence["guessed_date"].confidence < 0.7
    owner = read("<title>Rocks</title><p>We sell rocks.<footer>© 2019-2021 Rocks</footer>")
    assert owner.guessed_date == "2021-01-01"
    assert owner.evidence["guessed_date"].source == "copyright line"


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ('<script>var page = {"publishedAt":"2024-05-17T13:08:55-07:00"}</script>', "published in a script"),
        ('<div data-state="{&quot;datePublished&quot;:&quot;2024-05-17&quot;}">x</div>', "published in a script"),
        ('<script>x = {"createDate":20240517,"doctype":1}</script>', "created in a script"),
        ('<script>x = {"lastModified":"202405171407"}</script>', "changed in a script"),
        ("<meta property=og:image content=https://i.example/2024/05/17/a.jpg>", "image URL"),
        ("<link rel=canonical href=/blog/2024/may/17/strata>", "URL"),
        ("<link rel=canonical href=/blog/strata-2024-05-17>", "URL"),
        (f"<h1>Strata</h1><p>{'Rocks have layers. ' * 300}<p>Datum<br>17.05.2024", "labelled later"),
        ("<h1>Strata</h1><p>Fr 17.05.24 | 14:07 Uhr", "text after the title"),
        ("<p class=date>17.05.24", "marked"),
    ],
)
def test_weaker_sources_of_dates(html: str, source: str) -> None:
    found = date_candidates(read(html).sources, url=read(html).url or "", month_first=False)
    assert [(one.value, source in found.names(one.sources)) for one in found] == [("2024-05-17", True)]


def test_a_day_of_publication_that_is_the_day_of_the_last_change_is_compared_with_the_text() -> None:
    node = ld({"@type": "Article", "datePublished": "2025-01-01", "dateModified": "2025-01-01"})
    found = date_candidates(read(f"{node}<h1>Clay</h1><p>17 May 2024").sources, url="", month_first=False)
    assert [one.value for one in found] == ["2025-01-01", "2024-05-17"]


def test_the_last_resort_counts_the_days_of_addresses() -> None:
    pictures = "<img src=/i/2024/05/17/a.jpg><img src=/i/2024/05/17/b.jpg><img src=/i/2020/01/01/c.jpg>"
    assert read(f"<title>Rocks</title><p>We sell rocks.{pictures}").guessed_date == "2024-05-17"
    assert read("<title>Rocks</title><img src=/uploads/2024/05/a.jpg>").guessed_date == "2024-05-01"


def test_strong_evidence_gives_an_answer() -> None:
    node = {"@type": "NewsArticle", "headline": "Clay in lakes", "datePublished": "2024-05-17T08:00:00+02:00"}
    node["author"] = {"@type": "Person", "name": "Ada Stone"}  # type: ignore[assignment]
    head = "<title>Clay in lakes | Rocks</title><meta property=og:type content=article>"
    found = read(f"{head}{ld(node)}<h1>Clay in lakes</h1><p class=byline>By Ada Stone<p>{'Clay settles. ' * 50}")
    assert (found.title, found.author, found.date) == ("Clay in lakes", "Ada Stone", "2024-05-17")
    for name in ("title", "author", "date"):
        assert 0.8 < found.evidence[name].confidence <= 1
        assert found.evidence[name].source in found.evidence[name].sources


def test_no_day_in_the_future_or_before_the_web() -> None:
    for day in ("2098-01-01", "1990-05-17"):
        assert read(f"<meta property=article:published_time content={day}>").guessed_date is None


def test_metadata_can_be_pickled_after_they_were_read() -> None:
    found = read("<title>Clay</title><h1>Clay</h1>")
    assert found.title == "Clay"
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_other_fields() -> None:
    found = read(
        "<html lang=en_GB><base href=https://cdn.example/x/><link rel='shortlink canonical' href=../strata>"
        "<meta property=og:site_name content='Rocks &amp; Sand'><meta name=description content=' All about\nrocks '>"
        "<meta property=og:image content=/i.png>"
    )
    assert found.language == "en-GB"
    assert found.url == "https://cdn.example/strata"
    assert found.site_name == "Rocks & Sand"
    assert found.description == "All about rocks"
    assert found.image == "https://cdn.example/i.png"
    assert read("<link rel=canonical href='javascript:x'>").url is None
    assert read("<link rel=canonical href='http://[broken'><title>x</title>").title == "x"


@pytest.mark.parametrize(
    ("title", "headings", "declared", "expected"),
    [
        ("Strata | Rocks", ["Strata"], None, "Strata"),
        ("Strata | Rocks", ["Rocks", "Strata"], None, "Strata"),
        ("Strata: a story - Rocks", ["Menu", "Strata: a story"], None, "Strata: a story"),
        ("Strata of the Alps - Geology - Rocks", [], None, "Strata of the Alps"),
        ("Ten strata", ["The ten best strata"], "The ten best strata", "The ten best strata"),
        ("", ["A heading"], None, "A heading"),
        ("", [], "Declared", "Declared"),
        ("", [], None, None),
        ("地层的故事_岩石网", ["地层的故事"], None, "地层的故事"),
        ("Rivers and their strata｜Rocks", [], None, "Rivers and their strata"),
        ("Stra\u00adta", ["Stra\u00adta"], None, "Strata"),
    ],
)
def test_title(title: str, headings: list[str], declared: str | None, expected: str | None) -> None:
    head = f"<title>{title}</title><meta property=og:site_name content=Rocks>"
    head += f'<meta property=og:title content="{declared}">' if declared else ""
    found = read(head + "".join(f"<h1>{text}</h1>" for text in headings) + "<p>Rocks have layers.")
    assert found.title == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-17", "2024-05-17"), ("2024-5-7", "2024-05-07"), ("20240517T101500Z", "2024-05-17"),
        ("Fri, 17 May 2024 10:00:00 GMT", "2024-05-17"), ("May 17, 2024", "2024-05-17"),
        ("17th of May 2024", "2024-05-17"),
        ("17. Mai 2024", "2024-05-17"), ("1er août 2023", "2023-08-01"), ("3 de marzo de 2021", "2021-03-03"),
        ("5 dicembre 2020", "2020-12-05"), ("2 maart 2022", "2022-03-02"), ("7 października 2019", "2019-10-07"),
        ("17 мая 2024", "2024-05-17"), ("2024年5月17日", "2024-05-17"), ("2024년 5월 17일", "2024-05-17"),
        ("2024. 5. 17", "2024-05-17"), ("2024ko maiatzaren 17a", "2024-05-17"), ("17/May/2024:10:00", "2024-05-17"),
        ("2024 ж. 17 мамыр", "2024-05-17"), ("১৭ মে ২০২৪", "2024-05-17"), ("17 மே 2024", "2024-05-17"),
        ("الجمعة 17 مايو/أيار 2024", "2024-05-17"), ("二〇二四年十二月二十一日", "2024-12-21"),
        ("民國113年5月17日", "2024-05-17"), ("جمعه ۲۸ اردیبهشت ۱۴۰۳", "2024-05-17"), ("30 حوت 1403", "2025-03-20"),
        ("31 مهر 1403", None), ("15 رمضان 1445", None), ("Fr 17.05.24", "2024-05-17"), ("3.5.99", None),
        ("17.05.2024", "2024-05-17"), ("25/12/2024", "2024-12-25"), ("12/25/2024", "2024-12-25"),
        ("1715904000", "2024-05-17"), ("1715904000000", "2024-05-17"),
        ("2024-02-30", None), ("2024-13-01", None), ("1850-01-01", None), ("12345678", None), ("v1.2.2024", None),
        ("", None), ("May", None), ("May 2024", None), ("10:30", None),
    ],
)  # fmt: skip
def test_iso_date(value: str, expected: str | None) -> None:
    assert iso_date(value) == expected


def test_the_first_date_of_a_text() -> None:
    assert find_date("Updated 3 May 2024, first on 2021-02-01") == ("2024-05-03", 8)
    for no_date in ("3 May 20145", "May 3, 20145", "3/5/20145"):
        assert find_date(f"{no_date} and 2 June 2024") == ("2024-06-02", len(no_date) + 5)


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_read_in_every_form(day: date) -> None:
    for form in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%a, %d %b %Y", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d"):
        assert iso_date(day.strftime(form)) == day.isoformat()


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "Article", "headline": "Strata",}',
        '<!-- {"@type": "Article", "headline": "Strata"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "Strata"}\n//]]>',
        '{"@type": "Article", "headline": "Strata", "text": "two\nlines"}',
        '[[{"a": {"b": [{"@type": "Article", "headline": "Strata"}]}}]]',
        '{"@type": "Article", "headline": "Strata", "description": "a "quoted" word"}',
        '{"@type": "Article", "headline": "Strata"',
    ],
)
def test_json_that_is_broken_or_nested(text: str) -> None:
    page = parse(f"<script type='application/LD+JSON; charset=utf-8'>{text}</script>")
    assert "Strata" in [node.get("headline") for node in nodes_of(page)]


@pytest.mark.parametrize("text", ["", "null", "1", '"x"', "[" * 100_000, "{" * 100_000, "[" * 5000 + "]" * 5000])
def test_json_that_says_nothing(text: str) -> None:
    assert all(not node for node in nodes_of(parse(f"<script type=application/ld+json>{text}</script>")))


def test_author_names() -> None:
    assert author_names(["Written by: Ada Stone, Senior Editor"]) == ["Ada Stone"]
    assert author_names(["Ada Stone, Ben Marl and Cy Schist"]) == ["Ada Stone", "Ben Marl", "Cy Schist"]
    assert author_names(["Posted by ada_s on May 3"]) == ["ada_s"]
    assert author_names(["作者:林晓禾", "Автор: Ольга Ветрова"]) == ["林晓禾", "Ольга Ветрова"]
    assert author_names(["von Tobi", "MORITZ MARL am", "Ada Stone @ada", "Cy Schist April"]) == [
        *("Tobi", "MORITZ MARL", "Ada Stone", "Cy Schist")
    ]
    names = ["Luigi Di Maio", "Theresa May", "Redaktion Rocks", "Redaktion", "Theo"]
    assert author_names(names) == names
    assert author_names(["Interview: Ada Stone", "Autor/in: Ben Marl"]) == ["Ada Stone", "Ben Marl"]
    assert (
        author_names(
            [
                "Erstellt am09",
                "26 Mai",
                "22 products",
                "Artikel von",
                "Von",
                "23. Dezember",
                "Forgot Password?",
                "Photo: Ada",
            ]
        )
        == []
    )
    assert author_names(["x" * 100_000, "a, " * 1000, "", "http://x"]) == []


def test_names_of_bibliographies_have_the_family_name_last() -> None:
    html = "<meta name=citation_author content='Stone, Ada B.'><meta name=citation_author content='von der Marl, Ben'>"
    values = [one.value for one in author_candidates(read(html).sources, site_name="")]
    assert values == ["Ada B. Stone; Ben von der Marl"]
    html = "<meta name=dc.creator content='Stone, Ada; Marl, Ben'>"
    assert [one.value for one in author_candidates(read(html).sources, site_name="")] == ["Ada Stone; Ben Marl"]
    html = "<meta name=author content='Stone, Ada'>"  # not the form of a bibliography
    assert "Ada Stone" not in [one.value for one in author_candidates(read(html).sources, site_name="")]


def test_the_date_of_a_review_is_not_that_of_the_product() -> None:
    review = {"@type": "Review", "datePublished": "2024-05-17", "author": "Ada Stone"}

    def sources_of_days(node: object) -> dict[str, tuple[str, ...]]:
        found = date_candidates(read(ld(node)).sources, url="", month_first=True)
        return {one.value: found.names(one.sources) for one in found}

    product = {"@type": "Product", "name": "Silt", "review": [review]}
    assert "JSON-LD date of a review" in sources_of_days(product)["2024-05-17"]
    assert "JSON-LD datePublished" not in sources_of_days(product)["2024-05-17"]
    assert sources_of_days(review)["2024-05-17"][0] == "JSON-LD datePublished"


@pytest.mark.parametrize(
    "text",
    [
        "发布时间：2024-05-17",
        "發稿時間 2024/05/17",
        "投稿日 2024年5月17日",
        "기사입력 2024.05.17",
        "작성일 : 2024-05-17",
    ],
)
def test_labels_of_dates_in_chinese_japanese_and_korean(text: str) -> None:
    found = date_candidates(read(f"<h1>Silt</h1><p>{text}").sources, url="", month_first=False)
    assert ["labelled text" in found.names(one.sources) for one in found] == [True]


def test_the_first_day_of_an_archive_is_no_day_of_publication() -> None:
    def days(url: str) -> list[str]:
        return [one.value for one in date_candidates(read("<p>Silt").sources, url=url, month_first=True)]

    assert days("https://example.org/diary/2004_11_01_archive.html") == []
    assert days("https://example.org/diary/2004_11_01_silt.html") == ["2004-11-01"]


@pytest.mark.parametrize("label", ["Note", "Sort by", "Filter by:", "Hinweis", "注意"])
def test_labels_of_boxes_and_lists_are_no_authors(label: str) -> None:
    text = f"<h1>Reading tables</h1><p>{label}<p>{'Rocks have layers. ' * 20}"
    found = author_candidates(read(text).sources, site_name="")
    assert [one.value for one in found] == []
    assert author_names(["Lars Note", "Trier Stone"]) == ["Lars Note", "Trier Stone"]


@pytest.mark.parametrize(
    ("html", "title"),
    [
        # The heading of a blog is often the name of the site, and its class says so.
        ("<title>Clay in the lake | Ada's Rocks</title><h1 class=site-title>Ada's Rocks</h1><h2>Clay in the lake</h2>",
         "Clay in the lake"),
        ("<title>湖の地層｜岩と砂</title><meta property=og:site_name content=岩と砂><h1>湖の地層</h1>", "湖の地層"),
    ],
)  # fmt: skip
def test_the_name_of_the_site_is_told_from_the_title(html: str, title: str) -> None:
    assert read(html).title == title


def test_authors_at_the_end_of_a_text_and_in_other_scripts() -> None:
    rocks = "Rocks have layers. " * 300
    for end in (
        "<p>Autorin/Autor<br>Ada Stone",
        "<p>Author: Ada Stone",
        "<p>（责编：林晓禾、王地）",
        "<p>【山田太郎】",
    ):
        names = author_candidates(read(f"<h1>Strata</h1><p>{rocks}{end}").sources, site_name="")
        assert {one.value for one in names} & {"Ada Stone", "林晓禾; 王地", "山田太郎"}, end
    found = author_candidates(read("<h1>지층</h1><p>홍길동 기자").sources, site_name="")
    assert "홍길동" in [one.value for one in found]


def test_the_author_of_a_review_is_not_that_of_the_product() -> None:
    product = {"@type": "Product", "name": "Hammer", "review": {"@type": "Review", "author": {"name": "Ada Stone"}}}
    names = author_candidates(read(ld(product)).sources, site_name="")
    assert [names.names(one.sources) for one in names] == [("JSON-LD author of a review",)]


@pytest.mark.parametrize(
    "author",
    [
        {"@id": "#ada"},
        "#ada",
        {"@list": [{"name": "Ada Stone"}, {"name": "Ben Marl"}]},
        {"name": ["Ada Stone", "Ben Marl"]},
        [{"givenName": "Ada", "familyName": "Stone"}, "Ben Marl"],
    ],
)
def test_authors_of_json_ld_in_all_forms(author: object) -> None:
    ada = {"@type": "Person", "@id": "#ada", "name": ["Ada Stone", "Ben Marl"]}
    found = read(ld({"@graph": [{"@type": "Article", "author": author}, ada]}))
    assert found.best("author").value == "Ada Stone; Ben Marl"


_RULES = (authors._LEAD, authors._TAIL, authors._PLACEHOLDER, authors._PARTS)
_WORDS = sorted({"Ada", "Stone", *re.findall("[A-Za-z]+", " ".join(rule.pattern for rule in _RULES))})


@settings(max_examples=500)
@given(st.lists(st.sampled_from(_WORDS), max_size=5), st.sampled_from([str, str.title, str.upper]))
def test_a_plain_name_is_what_the_expressions_would_find(words: list[str], write: Callable[[str], str]) -> None:
    text = write(" ".join(words))
    found = author_names([text])
    with patch.object(authors, "_is_plain", return_value=False):
        assert author_names([text]) == found


@given(st.binary(max_size=300))
def test_nothing_is_raised_on_any_bytes(tail: bytes) -> None:
    head = b"<title>t</title><h1>h</h1><meta name=author content='"
    read(head + tail)
    read(b"<script type=application/ld+json>" + tail)
    read(b"<p class=byline>" + tail + b"<time datetime=" + tail)


def _linked(value: str) -> Metadata:
    return metadata(parse(f'<script type="application/ld+json">{value}</script><p>x'))


def test_what_python_cannot_read_is_no_crash() -> None:
    number = f"&#{'1' * 5000};"
    found = metadata(parse(f"<title>{number}</title><meta name=description content='&amp;#{'1' * 5000};'><h1>x</h1>"))
    assert found.description == "\ufffd"
    assert _linked(f'{{"@type": "Article", "headline": "{number}"}}').title == "\ufffd"
    assert _linked(f'{{"@type": "Article", "headline": {"1" * 5000}}}').title is None


def test_a_lone_surrogate_can_be_written() -> None:
    found = _linked('{"@type": "Article", "headline": "a\\ud800b", "author": {"name": "Ada \\udfff Stone"}}')
    assert found.title == "a\ufffdb"
    assert json.dumps(found.as_dict(), ensure_ascii=False).encode()


def test_names_that_are_no_strings_name_nobody() -> None:
    assert _linked('{"@type": {"@type": "Article"}, "author": {"@id": {"@id": "x"}}}').author is None


def test_what_is_too_long_is_cut_and_says_so() -> None:
    found = metadata(parse(f"<title>{'a ' * 5000}</title><meta name=description content='{'b' * 50_000}'>"))
    assert (found.title or "").endswith("…")
    assert len(found.title or "") <= LONGEST_TITLE
    assert (found.description or "").endswith("…")
    assert len(found.description or "") <= LONGEST_DESCRIPTION


def test_extraction_looks_for_no_author_and_no_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is carried is told by the title and the description alone."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("webstrata.extraction.metadata.deciding.author_candidates", fail)
    monkeypatch.setattr("webstrata.extraction.metadata.deciding.date_candidates", fail)
    post = "Silt settles on the floor of the lake, and every winter a dark layer of mud covers it. " * 4
    page = parse(f'<title>Silt in lakes</title><script>window.state = {{"posts": [{{"body": "{post}"}}]}}</script>')
    found = extract(page)
    assert "Silt settles" in found.text
    assert "title" not in found.as_dict(with_metadata=False)


def test_a_field_is_read_without_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise AssertionError("JSON-LD is not asked for")

    monkeypatch.setattr("webstrata.extraction.metadata.sources.nodes_of", refuse)
    found = read(f"<html lang=de><meta name=description content='About &amp; layers'>{ld({'headline': 'x'})}")
    assert (found.description, found.language, found.url) == ("About & layers", "de", "https://www.rocks.example/a")


MARKED = [
    "author",
    "Author",
    "byline",
    "poster",
    "username",
    "creator",
    "publish",
    "posted",
    "date",
    "Date",
    "datum",
    "post",
]


@given(
    st.lists(st.tuples(st.sampled_from(["p", "a", "img", "span", "b"]), st.sampled_from([*MARKED, "x", "auth", ""])))
)
def test_marked_tags_are_all_that_hold_a_word(tags: list[tuple[str, str]]) -> None:
    page = parse("".join(f"<{tag} class='c-{word}'>{'' if tag == 'img' else 'text'}" for tag, word in tags))
    elements = page.elements
    starts = {
        row: page.source[elements.source_start[row] : elements.open_stop[row]]
        for row in range(len(elements))
        if not elements.flags[row] & CLONED and (elements[row].blocks or elements[row].tag == "span")
    }

    def holding(words: tuple[bytes, ...]) -> list[int]:
        return [row for row, start in starts.items() if any(word in start for word in words)]

    assert marked(elements, 0, len(page.source)) == (
        holding((b"uthor", b"yline", b"poster", b"username", b"creator")),
        holding((b"ublish", b"osted", b"date", b"yline", b"author", b"Date")),
    )


@given(st.text("ab &;\n\t\x1f\xa0\ud800üamp#38", max_size=40))
def test_texts_are_folded_once_and_the_same_whether_plain_or_not(text: str) -> None:
    expected = one_line(unescape(well_formed(text)), LONGEST_DESCRIPTION)
    assert folded(text) == expected
    long = "word " * LONGEST_DESCRIPTION
    assert len(folded(text + long)) <= LONGEST_DESCRIPTION


META_NAMES = ["og:title", "OG:Title", " og:title ", "og&colon;title", "title", "author"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["name", "property", "PROPERTY", "itemprop", "data-name"]),
            st.sampled_from(META_NAMES),
            st.sampled_from(["", " ", "one", "two &amp; three", "ü  x"]),
        ),
        max_size=6,
    )
)
def test_meta_elements_are_told_by_their_names(metas: list[tuple[str, str, str]]) -> None:
    page = parse("".join(f'<meta {key}="{name}" content="{content}">' for key, name, content in metas))
    told: dict[str, list[str]] = {}
    for key, name, content in metas:
        text = " ".join(content.replace("&amp;", "&").split())
        if key.lower() != "data-name" and text:
            told.setdefault(name.replace("&colon;", ":").strip().lower(), []).append(text)
    wanted = ("author", "og:title", "nothing", "title")
    survey = Declarations(page.elements)
    assert survey.contents(*wanted) == [told[name] for name in wanted if name in told]
    assert survey.first(*wanted) == next((told[name][0] for name in wanted if name in told), "")


def test_so_many_marked_tags_are_enough() -> None:
    page = parse("<p class=poster>text" * 200 + "<p class=date>text" * 200)
    assert marked(page.elements, 0, len(page.source)) == (list(range(3, 103)), list(range(203, 303)))


_RELATIONS = ["tag", "Tag", "category", "license", "LICENCE", "canonical", "nofollow", "tags"]


@given(st.lists(st.tuples(st.sampled_from(["a", "link"]), st.lists(st.sampled_from(_RELATIONS), max_size=3))))
def test_links_are_told_by_what_they_say_of_where_they_lead(links: list[tuple[str, list[str]]]) -> None:
    page = parse("".join(f"<{tag} title=rel REL = ' {'  '.join(words)} ' href=x>" for tag, words in links))
    found, elements = Declarations(page.elements), page.elements

    def saying(tags: tuple[str, ...], *words: str) -> list[int]:
        rows = [row for row in elements.find(*tags).tolist() if not elements.flags[row] & CLONED]
        return [row for row in rows if {*(elements.attribute(row, "rel") or "").lower().split()} & {*words}]

    assert found.canonical == saying(("link",), "canonical")
    assert found.tags == saying(("a",), "tag")
    assert found.categories == saying(("a",), "category")
    assert found.licences == saying(("a", "link"), "license", "licence")


# The forms of dates as they are said, each tried at every place.
_NAME = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_GAP = r"[\s-]{1,20}"
_ORDINAL = r"(?:st|nd|rd|th|\.|º|er)?"
SAID = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d\s?[年년]\s?\d\d?\s?[月월]\s?\d\d?\s?[日일]"
    rf"|(?<![^\W_])\d\d?{_ORDINAL}(?:{_GAP}(?:(?:of|de){_GAP})?|(?:of|de){_GAP}){_NAME}\.?,?{_GAP}(?:de{_GAP})?(?:19|20)\d\d(?!\d)"
    rf"|(?<![^\W_]){_NAME}\.?\s{{1,20}}\d\d?{_ORDINAL},?\s{{1,20}}(?:19|20)\d\d(?!\d)"
    r"|(?<![\w.])\d\d?([./-])\d\d?\1(?:19|20)\d\d(?!\d)",
    re.IGNORECASE,
)
PARTS = st.sampled_from(
    [
        "2024",
        "1999",
        "3",
        "17",
        "05",
        "117",
        "-",
        "/",
        ".",
        " ",
        ", ",
        "May",
        "mai",
        " of ",
        " de ",
        "th",
        "年",
        "月",
        "日",
        "x",
        "_",
    ]
)


@given(st.lists(PARTS, max_size=14).map("".join))
def test_dates_are_found_where_they_are_said(text: str) -> None:
    found, said = find_date(text), SAID.search(text)
    if said is None:
        assert found is None
    if found is not None:
        assert said is not None
        assert said.start() <= found[1]
        assert SAID.match(text, found[1])


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title>History - Python docs</title><h1>History<a class=headerlink href=#history>¶</a></h1>", "History"),
        ("<title>History</title><h1>History <a href=#history>#</a></h1>", "History"),
        ("<h1>History<a href=#history title='Permalink to this heading'>🔗</a></h1>", "History"),
        ("<h1>History Permalink to this headline</h1>", "History"),
        ("<h1>History <span>[edit]</span></h1>", "History"),
        ("<title>A book about C#</title><h1>A book about C#</h1>", "A book about C#"),
    ],
)
def test_signs_that_link_a_heading_to_itself_are_no_title(html: str, expected: str) -> None:
    assert read(html).title == expected
