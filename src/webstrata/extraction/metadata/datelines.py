"""Candidates for the day of publication: declared, marked in the body, in the URL, or in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from webstrata._lengths import LONGEST_URL
from webstrata.elements import Elements
from webstrata.extraction.metadata.candidates import FieldCandidates, source_columns
from webstrata.extraction.metadata.dates import FIRST_DAY, dates_in, iso_date, last_day
from webstrata.extraction.metadata.jsonld import value_of
from webstrata.extraction.metadata.months import month_of
from webstrata.extraction.metadata.sources import REVIEWS, MetadataSources
from webstrata.extraction.metadata.tags import is_one_of

__all__ = ["DATE_FEATURES", "DATE_SOURCES", "date_candidates", "date_features", "declared_dates", "marked_dates"]

# Groups of names of meta elements.
_META = {
    "meta published": (
        "article:published_time og:article:published_time og:published_time og:publish_date article:published"
        " datepublished article:first_published_time published_time published-date published publish-date publish_date"
        " publishdate pubdate date-pub date_published parsely-pub-date sailthru.date cxenseparse:publishtime bt:pubdate"
        " rnews:datepublished originalpublicationdate article.published article_date_original ptime pub_date"
        " publication_date article.created cse_date datepublication w-published-date dcterms.available publisheddate"
        " dc.date.available article:publish_date og:pubdate article.published_date post_date postdate"
    ).split(),
    "meta of papers": (
        "citation_publication_date citation_online_date citation_date prism.publicationdate dc.date.issued"
        " dcterms.issued"
    ).split(),
    "meta date": (
        "date dc.date dc:date dcterms.date dateissued datecreated dc.date.created dcterms.created created displaydate"
        " release_date video:release_date last-published ms.date"
    ).split(),
    "meta modified": (
        "article:modified_time og:updated_time datemodified dcterms.modified last-modified revised dc.date.modified"
        " og:modified_time updated_time lastmod updated article:modified modified_time"
    ).split(),
}
#: Where the day of publication may come from, the most trusted first.
DATE_SOURCES = (
    *("JSON-LD datePublished", *_META, "JSON-LD dateCreated", "itemprop", "time of publication", "time", "marked"),
    *("URL", "labelled text", "text after the title", "later text", "JSON-LD dateModified", "time of a change"),
    *("marked as changed", "text before the title", "labelled later", "image URL", "published in a script"),
    *("created in a script", "changed in a script", "JSON-LD date of a review"),
)
_IS_DECLARED = sum(
    1 << number
    for number, name in enumerate(DATE_SOURCES)
    if name in ("JSON-LD datePublished", "meta published", "meta of papers")
)
_IS_CHANGE = sum(
    1 << number for number, name in enumerate(DATE_SOURCES) if name in ("JSON-LD dateModified", "meta modified")
)
# A date with a year of two digits before the time of the day, as European stations write it.
_SHORT_WITH_TIME = re.compile(r"(?<![\d.])\d\d?\.\d\d?\.\d\d(?=[ |,–-]{1,4}(?:um )?\d\d?[:.]\d\d(?!\d))")
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:date|pub(?:lished)?(?:date|on)?|posted|timestamp|post-?date|entry-?date|byline|author)(?:$|[\s_-])"
    r"|[a-z]date\b|publish"
)
_IS_PUBLISHED = re.compile(r"publish|posted|entry-date|pubdate|created")
_IS_CHANGED = re.compile(r"modif|updat|edited|changed")
_PUBLISHED_IN_SOURCE = re.compile(_IS_PUBLISHED.pattern.encode())
_IN_URL = re.compile(
    r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?!\d)|/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?!\d)"
    r"|/((?:19|20)\d\d)/([a-z]{3,9})/(\d\d?)(?!\d)|[-_/=]((?:19|20)\d\d)[-_](\d\d)[-_](\d\d)(?!\d|[-_]archive)",
    re.IGNORECASE,
)
# Keys of dates in the scripts and attributes of a page, such as the state of an application, and what is between a key
# and its value.
_IN_SCRIPT = (
    (b"ublish", "published in a script", re.compile(rb"[pP]ublish(?:ed)?_?(?:[dD]ate|[aA]t|[oO]n|[tT]ime)?\b")),
    (b"reate", "created in a script", re.compile(rb"[cC]reated?_?(?:[dD]ate|[aA]t|[oO]n|[tT]ime)\b")),
    (b"odifie", "changed in a script", re.compile(rb"[mM]odified_?(?:[dD]ate|[aA]t|[oO]n|[tT]ime)?\b")),
    (b"pdate", "changed in a script", re.compile(rb"[uU]pdated?_?(?:[dD]ate|[aA]t|[oO]n|[tT]ime)\b")),
)
_SCRIPT_VALUE = re.compile(
    rb"(?:\\{0,3}[\"']|&quot;|&#34;)?[ \t\n]{0,9}[:=][ \t\n]{0,9}(?:\\{0,3}[\"']|&quot;|&#34;)?([\w:.+ ,-]{8,40})"
)
# Places that are tried for each key, and the values that are read of them.
_MOST_PLACES, _MOST_IN_SCRIPTS = 200, 3
_MONTH_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])/")
_LABELLED = re.compile(
    r"(?:publish|posted|released|created|veröffentlicht|publiziert|erstellt|publié|publicad|fecha|datum\b|stand\b|pubblicat|gepubliceerd"
    r"|geplaatst|publicerad|publisert|udgivet|julkaistu|opublikowan|dodan|publikov|megjelen|objavlj|опублік|опубл"
    r"|дата|yayın|eklenme|نشر|פורסם|เผยแพร่|đăng|terbit|tayang|dipublikasi|δημοσ|zverejn|ilmesty|\bbirt\b|paskelb|publicēt"
    r"|avaldat|публик|გამოქვეყნ|հրապարակ|انتشار|प्रकाशित|প্রকাশ|ตีพิมพ์|发布|發布|发表|發表|发稿|發稿|刊登|刊出|日期|时间|時間|公開|投稿|掲載"
    r"|配信|登録|入力|등록|입력|작성|게시|발행|투고|승인)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?:updat|modif|edited|aktualis|geändert|mis à jour|mise à jour|actualiz|aggiorn|bijgewerkt|uppdater|oppdater"
    r"|opdater|päivitet|aktualiz|frissít|обновл|оновл|güncel|تحديث|עודכן|cập nhật|diperbarui|dikemas|ενημέρωσ|ažurira"
    r"|uuendat|atnaujin|atjaunin|અપડેટ|अपडेट|হালনাগাদ|روزرسانی|อัปเดต|更新|修改|改訂|最終|수정|업데이트|갱신)",
    re.IGNORECASE,
)
# Characters before a date that may say what it is.
_LABEL_ROOM = 30
# Dates of the text near the title that are read, and characters of the page that are searched for labels.
_MOST_IN_TEXT, _LONGEST_TEXT = 6, 50_000


def date_candidates(sources: MetadataSources, *, url: str, month_first: bool, language: str = "") -> FieldCandidates:
    """What may be the day of publication, as YYYY-MM-DD.

    A day in the future, or before the web existed, is no candidate.

    >>> from webstrata.page import parse
    >>> sources = MetadataSources(parse("<p>by Ada"))
    >>> [one.value for one in date_candidates(sources, url="https://example.org/2024/05/17/strata", month_first=True)]
    ['2024-05-17']
    """
    found = FieldCandidates(DATE_SOURCES)
    last = last_day()

    def add(days: Iterable[tuple[str, str | None]]) -> None:
        for source, day in days:
            if day and FIRST_DAY <= day <= last:
                found.add(source, day, day)

    def read(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str | None]]:
        return ((source, iso_date(text, month_first=month_first, language=language)) for source, text in texts if text)

    add(read(declared_dates(sources, url)))
    # The body is read only if no day of publication is declared, or if that is the day of the last change as well: some
    # sites declare this day for both.
    declared = [one.sources for one in found if one.sources & _IS_DECLARED]
    if not declared or any(bits & _IS_CHANGE for bits in declared):
        add(read(marked_dates(sources)))
        add(_in_text(sources, month_first, language))
    if not declared:
        add(_labelled_later(sources, month_first, language))
        add(read(_in_scripts(sources.page.source)))
    return found


def declared_dates(sources: MetadataSources, url: str) -> Iterator[tuple[str, str]]:
    """The texts that declare the day of publication, with their sources."""
    nodes = sources.main_nodes[:20]
    reviews = [node for node in nodes if is_one_of(node, REVIEWS)]
    for node in nodes:
        # A page about a product has the dates of its reviews; a page that is a review has no other main node.
        if len(reviews) < len(nodes) and node in reviews:
            yield "JSON-LD date of a review", value_of(node, "datePublished", "dateCreated")
            continue
        for source, keys in (
            ("JSON-LD datePublished", ("datePublished",)),
            ("JSON-LD dateCreated", ("dateCreated", "uploadDate")),
            ("JSON-LD dateModified", ("dateModified",)),
        ):
            yield source, value_of(node, *keys)
    for source, names in _META.items():
        for contents in sources.declarations.contents(*names):
            yield source, contents[0]
    for source, address in (
        ("URL", url),
        ("URL", sources.page.url or ""),
        ("image URL", sources.declarations.first("og:image")),
    ):
        if in_url := _IN_URL.search(address[:LONGEST_URL]):
            year, month, day = filter(None, in_url.groups())
            yield source, f"{year}-{month if month.isdigit() else month_of(month)}-{day}"


def marked_dates(sources: MetadataSources) -> Iterator[tuple[str, str]]:
    """The texts of elements of the body that are marked for dates."""
    elements, marked = sources.page.elements, sources.marked_dates
    for mark in marked:
        if mark.item in ("datePublished", "dateCreated", "dateModified"):
            text = elements.attribute(mark.row, "content") or elements.attribute(mark.row, "datetime")
            yield "marked as changed" if mark.item == "dateModified" else "itemprop", text or sources.text_of(mark.row)
    # A date of publication comes before other dates of the page.
    times = [row for row in sources.declarations.times[:50] if not elements.is_hidden(row)]
    times.sort(key=lambda row: not _is_published(elements, row))
    for row in times[:8]:
        name, when = elements.some_attributes(row, (b"class", b"datetime"))
        source = "time of a change" if _IS_CHANGED.search(name) else "time"
        if source == "time" and _is_published(elements, row):
            source = "time of publication"
        yield source, when
        yield source, sources.text_of(row)
    for mark in marked[:20]:
        if _DATE_CLASS.search(mark.words):
            text = sources.text_of(mark.row)
            if len(text) < 100:
                yield "marked as changed" if _IS_CHANGED.search(mark.words) else "marked", text


def _in_text(sources: MetadataSources, month_first: bool, language: str) -> Iterator[tuple[str, str]]:
    """The dates of the text near the title."""
    text, seen = sources.opening, 0
    title = sources.opening_title
    if short := _SHORT_WITH_TIME.search(text):
        yield "text after the title" if short.start() >= title else "text before the title", iso_date(short[0]) or ""
    for day, at in dates_in(text, month_first=month_first, language=language):
        label = text[max(0, at - _LABEL_ROOM) : at]
        if _CHANGED.search(label):
            yield "marked as changed", day
        elif _LABELLED.search(label):
            yield "labelled text", day
        elif at < title:
            yield "text before the title", day
        else:
            yield "later text" if seen else "text after the title", day
            seen += 1
        if seen == _MOST_IN_TEXT:
            break


def _labelled_later(sources: MetadataSources, month_first: bool, language: str) -> Iterator[tuple[str, str]]:
    """The first date of the whole text with a word such as "published" before it."""
    text = sources.page.text[:_LONGEST_TEXT]
    for day, at in dates_in(text, month_first=month_first, language=language):
        label = text[max(0, at - _LABEL_ROOM) : at]
        if _LABELLED.search(label) and not _CHANGED.search(label):
            yield "labelled later", day
            return


def _in_scripts(source: bytes) -> Iterator[tuple[str, str]]:
    """The first dates after each kind of key in the source."""
    for word, name, key in _IN_SCRIPT:
        at, read = source.find(word), 0
        for _ in range(_MOST_PLACES):
            if at < 0 or read == _MOST_IN_SCRIPTS:
                break
            found = key.match(source, at - 1)
            value = _SCRIPT_VALUE.match(source, found.end()) if found else None
            if value is not None:
                yield name, value[1].decode("ascii", "replace").strip(" ,.")
                read += 1
            at = source.find(word, at + len(word))


def _is_published(elements: Elements, row: int) -> bool:
    """Whether an attribute marks an element as the date of publication."""
    if not _PUBLISHED_IN_SOURCE.search(elements.source, *elements.start_tag(row)):
        return False
    return _IS_PUBLISHED.search(" ".join(elements[row].attributes.values())) is not None


#: What is measured of a candidate besides its sources.
DATE_FEATURES = (
    *("sources", "candidates", "days after the first", "days before the last", "first", "last", "order"),
    *("month of the URL", "year of the URL", "near the title", "article node", "declared as an article", "path levels"),
    *("other days", "month and day may be exchanged"),
)


def date_features(sources: MetadataSources, found: FieldCandidates, *, url: str) -> list[list[float]]:
    """A row of numbers for each candidate: whether each source names it, then `DATE_FEATURES`."""
    days = [date.fromisoformat(one.value) for one in found]
    first, last = min(days), max(days)
    path = url.partition("://")[2].partition("/")[2].partition("?")[0].strip("/")
    page = [
        float(sources.has_article),
        float(sources.declarations.first("og:type").lower() == "article"),
        float(path.count("/") + bool(path)),
    ]
    text_bits = sum(1 << number for number, name in enumerate(DATE_SOURCES) if "text" in name)
    rows = []
    for order, ((value, _, bits), day) in enumerate(zip(found, days, strict=True)):
        year, month = value[:4], value[5:7]
        rows.append(
            [
                *source_columns(bits, len(DATE_SOURCES)),
                float(bits.bit_count()),
                float(len(found)),
                float(min(400, (day - first).days)),
                float(min(400, (last - day).days)),
                float(day == first),
                float(day == last),
                float(order),
                float(f"{year}/{month}" in path or f"{year}-{month}" in path or f"{year}{month}" in path),
                float(year in path),
                float(bool(bits & text_bits)),
                *page,
                float(sum(abs((day - other).days) > 1 for other in days)),
                float(day.day <= 12),
            ]
        )
    return rows
