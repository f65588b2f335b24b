"""The words that `names` searches in the classes, ids and roles of elements."""

from __future__ import annotations

__all__ = ["CUES", "GROUPS", "WORDS"]

# Each group with its words. A word is found anywhere in a name; a word with a leading space must begin a part of the
# name, so that "ad" is not found in "head" or "shadow".
_GROUPS = (
    (b"head", (b"head", b"masthead", b" banner", b" top")),
    (b"foot", (b"foot", b"bottom", b"copyright", b"contentinfo")),
    (b"menu", (b"nav", b"menu", b" tabs", b"breadcrumb")),
    (b"side", (b"side", b"aside", b"widget", b" right", b" rail")),
    (b"content", (b"content", b" main", b" body", b" page")),
    (b"article", (b"article", b" post", b"story", b"entry", b" news", b"product")),
    (b"logo", (b"logo", b"brand")),
    (b"search", (b"search", b"query")),
    (b"comment", (b"comment", b"discuss", b"repl")),
    (b"advertisement", (b" ad", b"sponsor", b"advert", b"promo")),
    (b"title", (b"title", b"heading", b" caption")),
    (b"list", (b"list", b" links", b" items")),
    (b"item", (b"item", b" li", b" cell", b" row")),
    (b"image", (b"image", b" img", b"photo", b"thumb", b"icon")),
    (b"video", (b"video", b"player", b" media")),
    (b"box", (b" box", b"block", b"module", b"panel", b"section")),
    (b"column", (b" col", b"column", b" left", b" span", b"grid")),
    (b"wrapper", (b"wrap", b"container", b"inner", b"outer", b"layout")),
)

# Words that show what a segment is. They are no features: the names above were chosen with the training data.
_CUES = (
    (b"overlay", (b"cookie", b"consent", b"gdpr", b"modal", b"popup", b"overlay", b"dialog", b"lightbox")),
    (b"form", (b"form", b"newsletter", b"subscri", b"signup", b"login")),
    (b"share", (b"share", b"sharing", b"social", b" follow")),
    (b"pages", (b"breadcrumb", b"pagin", b"pager", b"crumb")),
    (b"related", (b"related", b"recommend", b"similar", b"recirc", b" more")),
    (b"reviews", (b"review",)),
    (b"byline", (b"byline", b"author", b" meta", b"publish")),
    (b"tags", (b" tags", b"categor", b"topics")),
    (b"thread", (b"thread", b"message", b"postbody", b"answer", b"repl")),
    (b"contents", (b" toc", b"contents")),
    (b"sidebar", (b"sidebar", b" rail")),
    (b"footer", (b"footer", b"colophon", b"contentinfo")),
    (b"header", (b" header", b"masthead", b"topbar", b"navbar")),
)

#: The names of the groups, by the numbers of their bits.
GROUPS = tuple(name for name, _ in _GROUPS)
#: The names of the groups of cues, whose bits follow.
CUES = tuple(name for name, _ in _CUES)
#: The words in order, each with the bit of its group, and whether it must begin a part of a name.
WORDS = sorted(
    (word.strip(), 1 << bit, word.startswith(b" "))
    for bit, (_, group) in enumerate((*_GROUPS, *_CUES))
    for word in group
)
