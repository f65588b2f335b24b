# cython: language_level=3
"""Tags as small integers, and their traits in the HTML standard."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

# One number for each element name of HTML, living or obsolete, in the order of `tag_names.TAGS`.
# OTHER stands for every name that is not listed, and for foreign elements; its name is read from the source.
cdef enum:
    OTHER
    A, ABBR, ACRONYM, ADDRESS, APPLET, AREA, ARTICLE, ASIDE, AUDIO
    B, BASE, BASEFONT, BDI, BDO, BGSOUND, BIG, BLINK, BLOCKQUOTE, BODY, BR, BUTTON
    CANVAS, CAPTION, CENTER, CITE, CODE, COL, COLGROUP
    DATA, DATALIST, DD, DEL, DETAILS, DFN, DIALOG, DIR, DIV, DL, DT
    EM, EMBED, FIELDSET, FIGCAPTION, FIGURE, FONT, FOOTER, FORM, FRAME, FRAMESET
    H1, H2, H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML
    I, IFRAME, IMG, INPUT, INS, ISINDEX, KBD, KEYGEN, LABEL, LEGEND, LI, LINK, LISTING
    MAIN, MAP, MARK, MARQUEE, MATH, MENU, MENUITEM, META, METER, MULTICOL
    NAV, NEXTID, NOBR, NOEMBED, NOFRAMES, NOSCRIPT
    OBJECT, OL, OPTGROUP, OPTION, OUTPUT, P, PARAM, PICTURE, PLAINTEXT, PRE, PROGRESS
    Q, RB, RP, RT, RTC, RUBY, S, SAMP, SCRIPT, SEARCH, SECTION, SELECT, SLOT, SMALL, SOURCE, SPACER, SPAN
    STRIKE, STRONG, STYLE, SUB, SUMMARY, SUP, SVG
    TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TIME, TITLE, TR, TRACK, TT
    U, UL, VAR, VIDEO, WBR, XMP
    TAG_COUNT

# Traits, one bit each. "Special", "formatting" and the scopes are the standard's terms (13.2.4).
cdef enum:
    VOID = 1 << 0            # never has content
    SPECIAL = 1 << 1
    FORMATTING = 1 << 2
    SCOPE = 1 << 3           # ends the default scope
    TABLE_SCOPE = 1 << 4     # ends the table scope
    CLOSES_P = 1 << 5        # its start tag ends an open paragraph
    BLOCK_END = 1 << 6       # its end tag closes it through whatever is still open inside
    IMPLIED_END = 1 << 7     # its end tag may be left out
    METADATA = 1 << 8        # allowed in the head
    TABLE_PART = 1 << 9      # caption, col, colgroup, tbody, td, tfoot, th, thead, tr
    TABLE_CONTEXT = 1 << 10  # table, tbody, tfoot, thead, tr: direct text is misplaced
    BREAKS_OUT = 1 << 11     # its start tag ends foreign content
    MARKER = 1 << 12         # fences the list of active formatting elements
    RAW = 1 << 13            # content is RAWTEXT
    RCDATA_TEXT = 1 << 14    # content is RCDATA
    NO_TEXT = 1 << 15        # its text is no text of the page
    HIDDEN_TEXT = 1 << 16    # its text is not shown by a browser
    KEEPS_SPACE = 1 << 17    # white space inside is kept
    INLINE = 1 << 18         # flows within a line: words on its two sides may be one word
    BOXED = 1 << 19          # inline, but a box of its own: words on its two sides are two words
    HEADING = 1 << 20
    RECONSTRUCTS = 1 << 21   # its start tag reopens the active formatting elements first
    TRAIT_COUNT = 22

cdef uint32_t[256] TRAITS

# What a byte of character data is.
cdef enum:
    PLAIN, WHITE, AMPERSAND, NUL, LEAD, LEAD_MAYBE_WHITE, CONTINUATION

cdef uint8_t[256] BYTE_KINDS

# The names of up to 15 bytes in a hash table, as one or two numbers.
cdef enum:
    PLACES = 1024

cdef struct Name:
    uint64_t low
    uint64_t high
    uint8_t tag              # 0 marks a free place

cdef Name[PLACES] NAMES


cdef inline uint32_t place_of(uint64_t low, uint64_t high) noexcept nogil:
    return <uint32_t>(((low ^ (high * 3)) * <uint64_t>0x9E3779B97F4A7C15) >> 54)
