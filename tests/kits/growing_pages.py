"""Pages that hurt, by kind and of any size: for `growth_kit`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

__all__ = ["KINDS"]


def _filled(head: str, unit: str, n: int, tail: str = "") -> str:
    return head + unit * max(1, (n - len(head) - len(tail)) // len(unit)) + tail


def _json_ld(value: str) -> str:
    return f'<title>Silt</title><script type="application/ld+json">{value}</script><p>text'


def _nested_id(n: int) -> str:
    # Python reads some hundred levels of JSON: many values of these.
    deep = '{"@id":' * 300 + '"x"' + "}" * 300
    return _json_ld("[" + ",".join([deep] * max(1, n // len(deep))) + "]")


def _state(title: str, word: str, n: int) -> str:
    prose = f"{word} settles on the floor of the lake and every winter a dark layer of mud covers it. "
    posts = json.dumps([{"body": prose * 4}] * max(1, n // 2 // (4 * len(prose))), ensure_ascii=False)
    return f'<title>{_filled("", title, n // 4)}</title><script>window.state = {{"posts": {posts}}}</script>'


def _nested(name: str, depth: int, inner: str, n: int) -> str:
    """Elements in each other, many times."""
    unit = f"<{name}>" * depth + inner + f"</{name}>" * depth
    return unit * max(1, n // len(unit))


def _each(unit: str, values: Callable[[int], object], n: int, head: str = "", tail: str = "") -> str:
    """A unit many times, each time with another value for the @ in it."""
    return head + "".join(unit.replace("@", str(values(i))) for i in range(max(1, n // (len(unit) + 4)))) + tail


#: Pages by kind, of about n bytes.
KINDS: dict[str, Callable[[int], str]] = {
    "prose": lambda n: _filled("<h1>Silt</h1>", "<p>Silt settles on the <b>floor</b> of the <a href=/l>lake</a>.", n),
    "date that is none": lambda n: _filled("<h1>T</h1><p>1", " of -", n),
    "date in a time": lambda n: _filled("<h1>T</h1><time>1", " -", n),
    "newlines in pre": lambda n: _filled("<pre>a", "\n", n),
    "newlines in a list": lambda n: _filled("<blockquote>" * 8 + "<pre>a", "\nb", n),
    "combining marks": lambda n: _filled("<title>a", "\u0301\u0316", n // 2) + "</title><h1>a</h1>",
    "authors": lambda n: _json_ld(_filled('{"@type":"Article","author":["', 'Ada S","', n) + '"]}'),
    "different authors": lambda n: _json_ld(
        '{"@type":"Article","author":[' + ",".join(f'"Ada Stone{i}"' for i in range(n // 14)) + "]}"
    ),
    "referenced author": lambda n: _json_ld(
        '[{"@type":"Article","author":['
        + _filled("", '{"@id":"a"},', n // 2)
        + '0]},{"@id":"a","name":"'
        + "A" * (n // 2)
        + '"}]'
    ),
    "nested @id": _nested_id,
    "nested type": lambda n: _nested_id(n).replace("@id", "@type"),
    "broken JSON": lambda n: _json_ld(_filled('{"headline":"', 'x\\"', n)),
    "CJK title and state": lambda n: _state("".join(chr(0x4E00 + i) for i in range(997)), "湖底的淤泥", n // 3),
    "state": lambda n: _state("silt ", "Silt", n),
    "big class": lambda n: _filled(f"<div class='{'x ' * (n // 4)}'>", "<pre>x</pre>", n),
    "backticks": lambda n: _filled("<pre>", "`", n, "</pre>"),
    "runs of backticks": lambda n: _filled("<pre>", "`` ` ``` ", n, "</pre>"),
    "inline backticks": lambda n: _filled("<p><code>", "``` `` ", n, "</code>"),
    "nested lists": lambda n: _filled("", "<ul><li>a", n),
    "nested divs": lambda n: _filled("", "<div>a", n),
    "nested empty": lambda n: _filled("", "<div>", n // 2, "a") + "</div>b" * (n // 14),
    "deep and wide": lambda n: _filled("<div>" * min(500, n // 100), "<p>x", n),
    "deep inline and images": lambda n: _filled("<b>" * (n // 8), "<img src=x.png>", n, "x"),
    "unknown tag": lambda n: _filled(f"<{'x' * (n // 4)}>", "a<b>b</b>", n),
    "torn link": lambda n: _filled(f"<p><a href={'x' * (n // 2)}>", "x<p>", n),
    "torn short link": lambda n: _filled(f"<p><a href={'x' * 1500}>", "x<p>", n),
    "link over breaks": lambda n: _filled(f"<p><a href={'x' * 1500}>", "x<br>", n),
    "base": lambda n: _filled(f"<base href=http://a/{'x' * (n // 2)}/>", "<a href=b>x</a> ", n),
    "short base": lambda n: _filled(f"<base href=http://a/{'x' * 1500}/>", "<p><a href=b>x</a><img src=c>", n),
    "links": lambda n: _filled("<p>", "<a href=/x>x</a> y ", n),
    "nested links": lambda n: _filled("", "<a href=x>y<table><tr><td>", n),
    "unclosed links": lambda n: _filled("", "<a href=x><b>y", n),
    "bold spaces": lambda n: _filled("<p>", "x<b> </b>", n),
    "formatting": lambda n: _filled("<p>", "<b>x<p>", n),
    "table": lambda n: _filled("<table>", "<tr><td colspan=32 rowspan=1000>x<td>y", n),
    "one word": lambda n: _filled("<p>", "word ", n),
    "one word each": lambda n: _filled("", "<p>word", n),
    "spaces in a tag": lambda n: _filled("<div data-block=1", " ", n, ">x</div>"),
    "marks": lambda n: _filled("", '<div data-block="1" data-block-type="x">y', n),
    "equal marks": lambda n: _filled("", '<div data-block="1">', n, "y"),
    "references": lambda n: _filled("<title>", "&#1", n, "</title><p>x"),
    "long reference": lambda n: f"<meta name=description content='&#{'1' * n};'><p>x&#{'1' * n};",
    "meta": lambda n: _filled("", "<meta name=author content='Ada Stone'>", n),
    "hidden": lambda n: _filled("", "<p hidden>x<p>y", n),
    "list items": lambda n: _filled("", "<li>x", n),
    "options": lambda n: _filled("", "<select><option>x", n),
    "adoption": lambda n: _filled("", "<a><b><p>x</a>", n),
    "blockquotes": lambda n: _filled("", "<blockquote>x", n),
    "math": lambda n: _filled("", "<math><mi>x", n),
    "framed": lambda n: _filled("", "<div><table><tr><td>x</table></div>", n),
    "entities": lambda n: _filled("<p>", "&amp;<", n),
}

# Elements that are closed, again and again, and elements that never are.
_REPEATED = {
    "empty elements": "<p></p><div></div><span></span>",
    "headings": "<h1>a</h1><h3>b</h3><h6>c</h6>",
    "headings and text": "<h2>Silt</h2><p>Silt settles on the floor of the lake.",
    "definition lists": "<dl><dt>a<dd>b<dd>c</dl>",
    "definition list": "<dt>a<dd>b",
    "details": "<details><summary>a</summary>b</details>",
    "figures": "<figure><img src=x.png alt=y><figcaption>z</figcaption></figure>",
    "ruby": "<ruby>漢<rp>(<rt>kan<rp>)</ruby>",
    "forms": "<form><label>a<input value=b></label><button>c</button></form>",
    "fields": "<fieldset><legend>a</legend><textarea>b</textarea></fieldset>",
    "option groups": "<select><optgroup label=a><option>b</select>",
    "sub and sup": "x<sub>1</sub><sup>2</sup> ",
    "marks of text": "<mark>a</mark><ins>b</ins><del>c</del><q>d</q><abbr title=e>f</abbr>",
    "small code blocks": "<pre><code class=language-c>int x;\n</code></pre>",
    "line tables": "<table class=highlight><tr><td class=lineno>1<td><pre>x = 1\n</pre></table>",
    "small tables": "<table><caption>a</caption><tr><th>b<td>c</table>",
    "tables of one cell": "<table><tr><td>x</table>",
    "rows without a table": "<tr><td>x",
    "text in tables": "<table>x<tr>y<td>z</table>",
    "column groups": "<table><colgroup><col span=9><col></colgroup><tr><td>x</table>",
    "bodies of tables": "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>",
    "footnotes": "a<sup><a href=#f1 id=r1>1</a></sup><p id=f1>b <a href=#r1>back</a></p>",
    "noscript": "<noscript><img src=a.png></noscript>x",
    "templates": "<template><p>a</template>b",
    "iframes": "<iframe src=a></iframe><p>b",
    "objects": "<object data=a><param name=b value=c>d</object>",
    "media": "<video src=a poster=b><source src=c>d</video><audio src=e>f</audio>",
    "pictures": "<picture><source srcset='a.png 1x, b.png 2x'><img src=c.png></picture>",
    "vector images": "<svg width=9><title>a</title><path d='M0 0'/><text>b</text></svg>",
    "foreign HTML": "<svg><foreignObject><p>a</p></foreignObject></svg>",
    "MathML": "<math alttext='x^2'><semantics><mrow><mi>x</mi><mn>2</mn></mrow></semantics></math>",
    "TeX": "<p>$x^2$ and \\(y_1\\) and $$\\frac{a}{b}$$",
    "TeX in scripts": "<script type=math/tex>x^2</script>y ",
    "scripts": "<script>var a = '<p>b</p>';</script>c<p>",
    "styles": "<style>p { color: red }</style><p>a",
    "inline styles": "<p style='color:red;display:block;background:url(a)'>b",
    "hidden styles": "<div style='display:none'>a</div>b",
    "comments": "a<!-- b --><!-- --!><!-->",
    "declarations": "<!doctype html><?xml a?></ b><![CDATA[c]]>d",
    "breaks": "a<br>b<hr>",
    "breaks alone": "<br>",
    "paragraphs of one letter": "<p>a</p>",
    "bold and italic": "<b>a<i>b</b>c</i>",
    "end tags alone": "</p></div></br></x>",
    "links in links": "<a href=a>b<a href=c>d</a>",
    "nested buttons": "<button>a<button>b",
    "custom elements": "<my-part slot=a><o:p>b</o:p></my-part>",
    "addresses": "<address>By <a rel=author href=/a>Ada Stone</a> <time datetime=2020-01-02>2 January</time></address>",
    "microdata": "<div itemscope itemtype=http://schema.org/Comment><b itemprop=author>Ada</b><p itemprop=text>x</div>",
    "comments of readers": "<div class=comment id=c1><b class=author>Ada</b><p>I like silt.</p></div>",
    "bylines": "<p class=byline>By Ada Stone and Ben Hill, 2 May 2021",
    "dates": "<p>2 May 2021, 2021-05-02T10:00:00Z, May 2nd ",
    "prices": "<p>$ 1,299.00 or 1.299,00 EUR",
    "menus": "<ul class=nav><li><a href=/a>Home</a><li><a href=/b>News</a></ul>",
    "layout tables": "<table width=100%><tr><td><font size=2>Silt settles.</font><td><img src=a></table>",
    "CJK": "<p>湖底の淤泥は毎年ひとつの層になる。",
    "bidi": "<p dir=rtl>שלום \u202e עולם \u200f",
    "zero width": "a\u200b\u200c\u200d\ufeff",
    "no-break spaces": "a&nbsp;\u00a0\u3000 ",
    "null bytes": "a\0b<p\0>c",
    "carriage returns": "a\rb\r\n<p>",
    "emoji": "<p>\U0001f469\u200d\U0001f52c\U0001f1e9\U0001f1ea",
    "long references": "&CounterClockwiseContourIntegral;&notit;&#x1F600;&#1114112;",
    "ampersands": "&&amp&ampx",
    "less than": "< <1 <= ",
    "quotes": "<p title='\"'>a<p title=\"'\">b",
    "images in data": "<img src='data:image/png;base64,iVBORw0KGgo='>x ",
    "lazy images": "<img data-src=a.jpg src=data:, class=lazy alt=b>",
    "pages of paragraphs": "<section><h2>a</h2><p>Silt settles on the floor. Every winter a layer covers it.</section>",
    "wrappers": "<div><div><div>a</div></div></div>",
    "inline wrappers": "<p><span><span><em>a</em></span></span> ",
    "callouts": "<div class='admonition note'><p class=admonition-title>Note<p>Silt settles.</div>",
    "open callouts": "<div class='callout'><p>Silt.",
    "code containers": "<div class=code-block>x = 1\n</div>",
    "open containers of code": "<div class=code-block>x = 1\n",
    "code of editors": "<div class=CodeMirror-code><pre class=CodeMirror-line><span>x</span></pre></div>",
    "lines of blobs": "<table><tr><td class=blob-num>1<td class=blob-code>x</table>",
    "code without pre": "<p><code class=block>a\nb</code>",
    "open code": "<code>a\n",
    "open blocks of code": "<code class=block>a<br>\n",
    "images of formulas": "<img class=latex alt='x^2' src='/latex.php?latex=x%5E2'>",
    "formulas in attributes": "<span data-tex='x^2'>x</span> ",
    "drawn formulas": "<span class=katex><span class=katex-mathml><math><mi>x</mi><annotation"
    " encoding='application/x-tex'>x</annotation></math></span><span aria-hidden=true>x</span></span> ",
    "open annotations": "<math><annotation tex x='tex",
    "sidenotes": "<p>a<label class=sidenote-number></label><span class=sidenote>1. b</span>",
    "cards": "<div class=card><h3><a href=/a>Silt</a></h3><p>Silt settles on the floor.</div>",
    "open cards": "<div class=card><h3><a href=/a>Silt</a></h3><p>Silt settles on the floor.",
    "dialogs": "<div role=dialog class=cookie-banner>We use cookies <button>OK</button></div>",
}
KINDS |= {name: partial(_filled, "", unit) for name, unit in _REPEATED.items()}

# Elements in each other: 20 and 400 levels deep, many times.
_DEEP = (
    "ol dl table select ruby blockquote section details object svg math button form a b font span td option h1".split()
)
KINDS |= {f"{name} in {name}": partial(_nested, name, 20, "x") for name in _DEEP}
KINDS |= {f"deep {name}": partial(_nested, name, 400, "x") for name in ("em", "p", "li", "article")}

KINDS |= {
    "dots in a tag name": lambda n: _filled("<a", ".", n, "!>x"),
    "hyphens in a tag name": lambda n: _filled("<a", "-.", n, "!>x"),
    "hyphens in a name": lambda n: _filled("<p a", "-a", n, "!=b>x"),
    "attributes": lambda n: _each(" a@=b", int, n, "<p", ">x"),
    "equal attributes": lambda n: _filled("<p", " a=b", n, ">x"),
    "long attribute": lambda n: _filled("<p title='", "Silt & ", n, "'>x"),
    "classes": lambda n: _each("<p class='a@ b@'>x", int, n),
    "many ids": lambda n: _each("<p id=p@>x", int, n),
    "equal ids": lambda n: _filled("", "<p id=a>x", n),
    "anchors": lambda n: _each("<a href=#p@>x</a>", int, n // 2) + _each("<p id=p@>y", int, n // 2),
    "long srcset": lambda n: _each("a@.png @w, ", lambda i: i + 1, n, "<img srcset='", "'>x"),
    "long style": lambda n: _filled("<p style='", "color:red;", n, "'>x"),
    "long data URL": lambda n: _filled("<img src='data:image/png;base64,", "AAAA", n, "'>x"),
    "long word": lambda n: _filled("<p>", "siltsiltsilt", n),
    "long CJK": lambda n: _filled("<p>", "湖底の淤泥", n),
    "long comment": lambda n: _filled("<p>a<!--", "- <p>", n, "-->b"),
    "open comment": lambda n: _filled("<p>a<!--", "- --", n),
    "open comments": lambda n: _filled("<p>a", "<!--x", n),
    "open tag": lambda n: _filled("<p>a<p ", "b=c ", n),
    "open quotes": lambda n: _filled("", "<p title=\"x'>", n),
    "open CDATA": lambda n: _filled("<svg>", "<![CDATA[x", n),
    "open script": lambda n: _filled("<p>a<script>", "<!--<script>", n),
    "open textarea": lambda n: _filled("<textarea>", "</textare>x", n),
    "open title": lambda n: _filled("<title>", "a </titl", n),
    "open noscript": lambda n: _filled("", "<noscript>a", n),
    "open iframes": lambda n: _filled("", "<iframe>a", n),
    "open templates": lambda n: _filled("", "<template>a", n),
    "plaintext": lambda n: _filled("<plaintext>", "<p>a", n),
    "bases": lambda n: _filled("", "<base href=/a/><a href=b>c</a>", n),
    "meta of all kinds": lambda n: _each(
        "<meta property=og:title content='Silt @'><meta name=date content=20@>", int, n
    ),
    "links of the head": lambda n: _each(
        "<link rel=canonical href=/@><link rel=alternate hreflang=de href=/@>", int, n
    ),
    "titles": lambda n: _each("<title>Silt @ | Lake</title>", int, n, tail="<h1>Silt</h1>"),
    "JSON-LD articles": lambda n: _each(
        '<script type=application/ld+json>{"@type":"Article","headline":"Silt @","author":{"name":"Ada"}}</script>',
        int,
        n,
        tail="<h1>Silt</h1><p>x",
    ),
    "JSON-LD graph": lambda n: _json_ld(
        '{"@graph":[' + _each('{"@id":"#@","@type":"Person","name":"Ada","knows":{"@id":"#0"}},', int, n) + "{}]}"
    ),
    "JSON-LD keys": lambda n: _json_ld("{" + _each('"k@":1,', int, n) + '"@type":"Article"}'),
    "JSON-LD text": lambda n: _json_ld('{"@type":"Article","articleBody":"' + _filled("", "Silt settles. ", n) + '"}'),
    "JSON-LD brackets": lambda n: _json_ld("[" * (n // 2)),
    "nested microdata": lambda n: _filled("", "<div itemscope itemprop=author>a", n),
    "number of many digits": lambda n: f"<h1>T</h1><time datetime={'1' * n}>{'2' * 99}</time>",
    "dates of many digits": lambda n: _filled("<h1>T</h1><p>", "2021-05-02-", n),
    "names in a byline": lambda n: _filled("<h1>T</h1><p class=byline>By ", "Ada Stone, ", n),
    "long TeX": lambda n: _filled("<p>$", "{x_", n, "$"),
    "dollars": lambda n: _filled("<p>", "$x", n),
    "backslashes": lambda n: _filled("<p>", "\\(\\[", n),
    "brackets": lambda n: _filled("<p>", "[a](b", n),
    "stars": lambda n: _filled("<p>", "*_~a", n),
    "pipes in cells": lambda n: _filled("<table><tr><th>a<tr><td>", "|", n, "</table>"),
    "wide table": lambda n: _filled("<table><tr>", "<td>x", n),
    "wide and long table": lambda n: _filled("<table>", "<tr>" + "<td>x" * 60, n),
    "ragged table": lambda n: "<table>" + "".join("<tr>" + "<td>x" * i for i in range(1, max(2, int((n / 3) ** 0.5)))),
    "long code": lambda n: _filled("<pre><code>", "if x < 1:\n    y()\n", n),
    "code of spans": lambda n: _filled("<pre><code>", "<span class=k>if</span> x\n", n),
    "code of lines": lambda n: _filled("<pre>", "<span class=line><span class=n>1</span>x</span><br>", n),
    "ordered list": lambda n: _filled("<ol start=99999>", "<li value=7>x", n),
    "list of lists": lambda n: _filled("<ul>", "<li>a<ul><li>b<ol><li>c</ol></ul>", n),
    "list of blocks": lambda n: _filled("<ul>", "<li><p>a<pre>b</pre><blockquote>c</blockquote>", n),
    "deep list": lambda n: "<ul><li>a" * 250 + _filled("", "<p>x", n),
    "deep quotes": lambda n: "<blockquote>" * 250 + _filled("", "<p>x", n),
    "deep list of code": lambda n: "<ul><li>" * 120 + _filled("<pre>", "x\n", n),
    "one option": lambda n: _filled("<select><option>", "x ", n),
    "options of one list": lambda n: _filled("<select>", "<option>x", n),
    "formatting of 12 kinds": lambda n: _filled(
        "", "<b><i><u><s><em><tt><big><code><font><small><strong><strike>x<p>", n
    ),
    "formatting in tables": lambda n: _filled("", "<table><b>x", n),
    "formatting with attributes": lambda n: _each("<font size=@>x<p>", int, n),
    "misnested blocks": lambda n: _filled("", "<a><div>x</a>", n),
    "headings in links": lambda n: _filled("", "<a href=/a><h2>Silt</h2><p>x</a>", n),
    "frames": lambda n: _filled("<frameset>", "<frame src=a>", n),
    "bodies": lambda n: _filled("", "<body class=a><html lang=b>x", n),
    "one sentence": lambda n: _filled("<p>", "and silt, ", n),
    "sentences": lambda n: _filled("<p>", "Silt! Mud? Yes. ", n),
    "white space": lambda n: _filled("<p>a", " \t\n", n, "b"),
    "different words": lambda n: _each("<p>word@", int, n),
    "equal paragraphs": lambda n: _filled(
        "", "<p>Silt settles on the floor of the lake every winter, and it stays there.", n
    ),
    "gutters in gutters": lambda n: (
        _filled("<pre>", "<span class=lineno>x", n // 4 * 3) + _filled("", "</span>", n // 4)
    ),
    "newlines before code": lambda n: _filled("<pre>", "\n", n, "<div>a</div>"),
    "newlines after code": lambda n: _filled("<pre><div>a</div>", "\n", n),
    "deep code": lambda n: "<div>" * 400 + _filled("", "<code>a\nb</code> ", n),
    "open quotes in code": lambda n: _filled("<pre><div>", "<b '<b \"", n),
    "long MathML": lambda n: _filled("<math>", "<mfrac><mi>x</mi><mn>2</mn></mfrac>", n, "</math>"),
    "deep MathML": lambda n: _filled("", "<math>" + "<msqrt>" * 99 + "x" + "</msqrt>" * 99 + "</math>", n),
    "fences": lambda n: _filled("<math>", "<mo stretchy=true>(</mo>", n, "</math>"),
    "numbered footnotes": lambda n: (
        _each("a<sup><a href=#fn@>@</a></sup>", int, n // 2) + _each("<p id=fn@>@. Silt.", int, n // 2)
    ),
    "footnotes in one element": lambda n: (
        _each("a<sup><a href=#fn@>@</a></sup>", int, n // 2) + _each("<a id=fn@></a>@. Silt. ", int, n // 2, "<div>")
    ),
    "footnotes of equal numbers": lambda n: (
        _filled("", "a<sup>1</sup> ", n // 2) + _filled("", "<p><sup>1</sup> Silt.", n // 2)
    ),
    "references to one note": lambda n: _filled("<p>", "a<sup><a href=#fn1>1</a></sup> ", n) + "<p id=fn1>1. Silt.",
    "back links": lambda n: "<p>a<sup><a href=#fn1>1</a></sup><p id=fn1>" + _filled("Silt. ", "<a href=#r1>^</a> ", n),
    "lists of notes in each other": lambda n: "<ol class=footnotes>" * 200 + _filled("a<sup>1</sup>", "<li>x", n),
    "title of a torn link": lambda n: _filled(f"<a title='{'x' * (n // 2)}'>", "<div>x <p>y</div>", n),
    "title of a torn font": lambda n: _filled(f"<font title='{'x' * (n // 2)}'>", "<div class=a>x <p>y</div>", n),
    "exclamation marks": lambda n: (
        _filled("<p>a b c d e f ", "!", n // 2, "x y.") + _filled("<p>a b c d e ", '!"', n // 2, "x.")
    ),
    "byte soup": lambda n: "".join(chr(33 + i * 7919 % 90) for i in range(n)),
    "nothing": lambda n: " " * n,
}

# Dates, names, tags and reviews that metadata read.
KINDS |= {
    "dates": lambda n: _filled("<h1>T</h1><p>", "published 17 May 2024, ", n),
    "digits of dates": lambda n: _filled("<h1>T</h1><time>2024-05-17", "0", n),
    "dates in scripts": lambda n: _filled('<h1>T</h1><script>var a = {"published_at": "', '2024-05","createdAt":"', n),
    "days in addresses": lambda n: _filled("", "<img src=/2024/05/17/a.jpg>", n),
    "times": lambda n: _filled("<h1>T</h1>", "<time class=updated datetime=2024-05-17T08:05>May</time>", n),
    "names of reporters": lambda n: _filled("<h1>湖</h1><p>", "（记者林晓禾、", n),
    "links to tags": lambda n: _filled("<h1>T</h1>", "<a class=tag href=/tag/silt>silt</a>", n),
    "reviews": lambda n: _json_ld(
        _filled('{"@type":"Product","review":[', '{"@type":"Review","dateCreated":"2024-05-17"},', n) + "{}]}"
    ),
}
