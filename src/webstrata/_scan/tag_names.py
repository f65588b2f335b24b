"""The names of tags, and the traits that the HTML standard gives to elements.

`tags.pxd` defines the numbers of the tags and the meaning of the traits.
"""

from __future__ import annotations

__all__ = ["BOXED_TAGS", "INLINE_TAGS", "TAGS", "TRAITS", "VOID_TAGS"]

_NAMES = """
a abbr acronym address applet area article aside audio
b base basefont bdi bdo bgsound big blink blockquote body br button
canvas caption center cite code col colgroup
data datalist dd del details dfn dialog dir div dl dt
em embed fieldset figcaption figure font footer form frame frameset
h1 h2 h3 h4 h5 h6 head header hgroup hr html
i iframe img input ins isindex kbd keygen label legend li link listing
main map mark marquee math menu menuitem meta meter multicol
nav nextid nobr noembed noframes noscript
object ol optgroup option output p param picture plaintext pre progress
q rb rp rt rtc ruby s samp script search section select slot small source spacer span
strike strong style sub summary sup svg
table tbody td template textarea tfoot th thead time title tr track tt
u ul var video wbr xmp
""".split()

#: Tag names by number; number 0 is every name that has no number.
TAGS = ("", *_NAMES)

#: The names that have each trait, in the order of the bits.
TRAITS = {
    "VOID": ("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"),
    "SPECIAL": (
        "address applet area article aside base basefont bgsound blockquote body br button caption center col "
        "colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 "
        "h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu "
        "meta nav noembed noframes noscript object ol p param plaintext pre script search section select "
        "source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp"
    ),
    "FORMATTING": "a b big code em font i nobr s small strike strong tt u",
    "SCOPE": "applet caption html marquee object table td template th",
    "TABLE_SCOPE": "html table template",
    "CLOSES_P": (
        "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer "
        "form h1 h2 h3 h4 h5 h6 header hgroup hr li dd dt listing main menu nav ol p plaintext pre search "
        "section summary ul xmp"
    ),
    "BLOCK_END": (
        "address applet article aside blockquote button center details dialog dir div dl fieldset figcaption "
        "figure footer header hgroup listing main marquee menu nav noscript object ol pre search section "
        "select summary ul"
    ),
    "IMPLIED_END": "dd dt li optgroup option p rb rp rt rtc",
    "METADATA": "base basefont bgsound link meta noframes script style template title",
    "TABLE_PART": "caption col colgroup tbody td tfoot th thead tr",
    "TABLE_CONTEXT": "table tbody tfoot thead tr",
    "BREAKS_OUT": (
        "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
        "listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"
    ),
    "MARKER": "applet caption marquee object td template th",
    "RAW": "iframe noembed noframes style xmp",
    "RCDATA_TEXT": "textarea title",
    "NO_TEXT": "head iframe noembed noframes option script select style template title",
    "HIDDEN_TEXT": "audio canvas datalist noscript rp video",
    "KEEPS_SPACE": "listing plaintext pre textarea xmp",
    "INLINE": (
        "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label map mark nobr "
        "output q rb rp rt rtc ruby s samp script slot small span strike strong style sub sup time template "
        "tt u var wbr basefont link meta noscript param source track"
    ),
    "BOXED": (
        "applet area audio button canvas embed iframe img input keygen math meter object picture progress "
        "select svg textarea video"
    ),
    "HEADING": "h1 h2 h3 h4 h5 h6",
    "RECONSTRUCTS": (
        "a abbr acronym applet area audio b bdi bdo big blink br button canvas cite code data datalist del "
        "dfn em embed font i img input ins isindex kbd keygen label legend map mark marquee math menuitem "
        "meter multicol nextid nobr noscript object optgroup option output picture progress q ruby s samp "
        "select slot small spacer span strike strong sub sup svg time tt u var video wbr xmp"
    ),
}

#: Elements that flow within a line of text.
INLINE_TAGS = frozenset(TRAITS["INLINE"].split())
#: Elements that are boxes within a line of text, such as images and buttons.
BOXED_TAGS = frozenset(TRAITS["BOXED"].split())
#: Elements that never have content.
VOID_TAGS = frozenset(TRAITS["VOID"].split())
