"""Limits on the lengths of parts of a page that are copied, compared or written out.

A page may have a title of a megabyte, or a link of a megabyte around a thousand paragraphs. Code that reads or writes
such a part more than once would take time or memory out of proportion to the page. So longer text is cut, and longer
URLs are left out. All limits are far above what ordinary pages have.

The limit for JSON is with its reader (`webstrata.extraction.metadata.jsonld`), those of the scan
with the scan. Time and memory for whole pages are limited in `webstrata.crawls`.
"""

from __future__ import annotations

__all__ = [
    "FREE_URL_ROOM",
    "LONGEST_CLASS",
    "LONGEST_DESCRIPTION",
    "LONGEST_OPENING",
    "LONGEST_TAG_NAME",
    "LONGEST_TITLE",
    "LONGEST_URL",
    "MOST_LEVELS",
    "MOST_NAMES",
    "URL_ROOM",
]

#: Characters of a URL, the base that it is joined with included. A longer one is left out. Servers answer 414 (URI Too
#: Long) from about this length on.
LONGEST_URL = 8192
#: Characters of all URLs that are written for one page: a number for each byte of its source, and a free number. A
#: short link may stand in a long base, or be torn into one link for each of a thousand paragraphs. Beyond it, the text
#: of a link stands without its link.
URL_ROOM = 12
FREE_URL_ROOM = 65536
#: Characters of a title, a heading, the name of a site or an author in the metadata. A longer one is cut.
LONGEST_TITLE = 1000
#: Characters of a description in the metadata. A longer one is cut.
LONGEST_DESCRIPTION = 10_000
#: Number of authors; papers in physics have a thousand.
MOST_NAMES = 1000
#: Characters of a class or an id in which words such as "byline" are looked for.
LONGEST_CLASS = 1000
#: Characters around the first heading in which a date or an author is looked for.
LONGEST_OPENING = 4000
#: Characters of the name of a tag, and levels of a path from the root to a block, for display.
LONGEST_TAG_NAME = 40
MOST_LEVELS = 24
