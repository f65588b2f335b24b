"""Elements and attributes that may be in the HTML that is written from pages; everything else is left out.

A tag of this list is harmless wherever a browser reads it. So it does not matter if the browser builds another tree
than the one that was written, as long as no ``<`` is written but those of tags: texts and attributes are escaped, and
raw text is written in style sheets only (`style_text`).
"""

from __future__ import annotations

import re

__all__ = ["HTML", "MATH", "POLICY", "SVG", "allowed_attribute", "allowed_element", "inner_space", "style_text"]

#: The namespaces.
HTML, SVG, MATH = "html", "svg", "math"

#: The start of a head: the policy lets a browser show the content of the file, and load nothing.
POLICY = (
    '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src 'unsafe-inline' data:; img-src data:; font-src data:; media-src data:; frame-src data:; "
    "form-action 'none'; base-uri 'none'\">"
    '<meta http-equiv="x-dns-prefetch-control" content="off">'
)

_HTML_ELEMENTS = frozenset(
    "a abbr acronym address area article aside audio b bdi bdo big blink blockquote body br button canvas"
    " caption center"
    " cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font"
    " footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd"
    " label legend li listing"
    " main map mark marquee math menu meta meter nav nobr object ol optgroup option output p picture pre progress q"
    " rb rbc rp rt rtc ruby s samp search section select slot small source span strike strong style sub summary sup svg"
    " table tbody td textarea tfoot th thead time title tr tt u ul var video wbr".split()
)
# Not shown, or nothing without scripts and other files.
_NOT_SHOWN = frozenset(
    "annotation-xml applet base basefont bgsound embed isindex keygen link noembed noframes noscript param script"
    " template track".split()
)
_PREFORMATTED = frozenset(["xmp", "plaintext"])
_CUSTOM = re.compile(r"[a-z][a-z0-9]*[-:.][a-z0-9_.]+(?:[-:][a-z0-9_.]+)*")  # one way to match only
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_SVG_ELEMENTS = {
    name.lower(): name
    for name in (
        "a circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix"
        " feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR"
        " feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight"
        " feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata path"
        " pattern polygon"
        " polyline radialGradient rect stop style svg switch symbol text textPath title tspan use view"
    ).split()
}
_MATH_ELEMENTS = frozenset(
    "annotation maction math menclose merror mfenced mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom"
    " mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none"
    " semantics".split()
)
# Their content is HTML.
_HOLDS_HTML = {
    SVG: frozenset(["foreignobject", "desc", "title"]),
    MATH: frozenset(["mi", "mo", "mn", "ms", "mtext", "annotation-xml"]),
}

_ATTRIBUTES = frozenset(
    # `sizes` has no meaning without `srcset`, but the browser's own style sheet gives images with it a size.
    # Of all elements.
    "class dir hidden id inert lang part popover role slot style tabindex title translate"
    # Of elements of HTML; attributes with URLs are rewritten.
    " abbr align alink alt axis background behavior bgcolor border bordercolor cellpadding cellspacing char charoff"
    " checked clear color cols colspan compact content controls coords datetime dir direction disabled face for frame"
    " frameborder headers height high href hspace label link loop low marginheight marginwidth max maxlength media min"
    " multiple name noresize noshade nowrap open optimum placeholder poster property readonly rel required"
    " reversed rows"
    " rowspan rules scope scrollamount scrolldelay scrolling selected shape size sizes span src start summary"
    " target text"
    " truespeed type usemap valign value vlink vspace width wrap xml:lang"
    # Of SVG.
    " amplitude azimuth basefrequency bias clippathunits cursor cx cy d diffuseconstant display divisor dx dy edgemode"
    " elevation exponent fill filter filterunits fr fx fy gradienttransform gradientunits in in2 intercept k1 k2 k3 k4"
    " kernelmatrix kernelunitlength lengthadjust limitingconeangle markerheight markerunits markerwidth mask"
    " maskcontentunits maskunits method mode numoctaves offset opacity operator order orient overflow pathlength"
    " patterncontentunits patterntransform patternunits points pointsatx pointsaty pointsatz preservealpha"
    " preserveaspectratio primitiveunits r radius refx refy result rotate rx ry scale seed side slope spacing"
    " specularconstant specularexponent spreadmethod startoffset stddeviation stitchtiles stroke surfacescale"
    " systemlanguage tablevalues targetx targety textlength transform values version viewbox visibility x x1 x2"
    " xchannelselector xlink:href xml:space y y1 y2 ychannelselector z"
    # Of MathML.
    " accent accentunder actiontype alttext close columnalign columnlines columnspacing columnspan depth displaystyle"
    " encoding fence form largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize"
    " minsize movablelimits notation numalign rowalign rowlines rowspacing rspace scriptlevel separator separators"
    " stretchy subscriptshift superscriptshift symmetric voffset".split()
)
# Such as data-x, aria-label and stroke-width.
_HYPHENATED = re.compile(r"(?!on|http-)[a-z][a-z0-9_.]*(?:-[a-z0-9_.]+)+")
# A tag, a comment or a declaration begins so; in media queries, < is followed by a space, a digit or =.
_TAG_IN_STYLE = re.compile(r"<(?=[A-Za-z/!?])")


def allowed_element(name: str, space: str) -> str | None:
    """The name to write for an element in a namespace; None if it and its content are left out.

    Names that HTML does not have get a hyphen, so that no later version of HTML gives them a meaning.

    >>> [allowed_element(name, "html") for name in ("P", "script", "o:p", "blink2", "xmp")]
    ['p', None, 'o:p', 'x-blink2', 'pre']
    >>> [allowed_element(name, "svg") for name in ("clippath", "ScRiPt", "animate", "p")]
    ['clipPath', None, None, None]
    """
    name = name.lower()
    if space == SVG:
        return _SVG_ELEMENTS.get(name)
    if space == MATH:
        return name if name in _MATH_ELEMENTS else None
    if name in _NOT_SHOWN:
        return None
    if name in _PREFORMATTED:
        return "pre"
    if name in _HTML_ELEMENTS or _CUSTOM.fullmatch(name):
        return name
    return f"x-{_NOT_IN_NAMES.sub('-', name).strip('-')}"


def inner_space(name: str, space: str) -> str:
    """The namespace of the content of an element.

    >>> inner_space("svg", "html"), inner_space("foreignObject", "svg"), inner_space("title", "html")
    ('svg', 'html', 'html')
    """
    if name in (SVG, MATH) and space != (MATH if name == SVG else SVG):
        return name
    return HTML if name.lower() in _HOLDS_HTML.get(space, ()) else space


def allowed_attribute(name: str) -> bool:
    """Whether an attribute may be written; the caller makes the URLs of ``href``, ``src`` and their like safe.

    >>> [allowed_attribute(name) for name in ("title", "data-x", "OnClick", "on-tap", "http-equiv", "srcdoc")]
    [True, True, False, False, False, False]
    """
    name = name.lower()
    return name in _ATTRIBUTES or _HYPHENATED.fullmatch(name) is not None


def style_text(css: str) -> str:
    r"""A style sheet as the content of a ``style`` element, without anything that a parser could take for a tag.

    >>> style_text("@media (width < 9px) { p::after { content: '</style><img>' } }")
    "@media (width < 9px) { p::after { content: '\\3c /style>\\3c img>' } }"
    """
    return _TAG_IN_STYLE.sub(r"\\3c ", css)
