"""Pages that have got scripts past sanitizers, and trees that only scripts can build.

The first are public knowledge: HTML that a parser reads in another way once it has been written and read again. Each
holds a canary: ``fetch('/canary/run')`` if it runs, ``/canary/image`` if it is an image that should not be there.
"""

from __future__ import annotations

__all__ = ["MUTATING", "SCRIPTED"]

RUN = "fetch('/canary/run')"
IMAGE = f"<img src=/canary/image onerror={RUN}>"
_RAW = (
    "style",
    "xmp",
    "noembed",
    "noframes",
    "noscript",
    "iframe",
    "title",
    "textarea",
    "template",
    "plaintext",
    "script",
)

#: Pages whose tree no parser builds from any text: a form in a form.
NO_PARSER_BUILDS = ("two forms", "two forms and svg")
#: Pages by a name.
MUTATING: dict[str, str] = {
    **{f"{raw} in svg": f"<svg><{raw}>{IMAGE}</{raw}></svg><p>x" for raw in _RAW},
    **{f"{raw} in math": f"<math><mtext><mglyph><{raw}>{IMAGE}</{raw}></math><p>x" for raw in _RAW},
    **{f"escaped in {raw} in svg": f"<svg><{raw}>&lt;/{raw}>&lt;img src=/canary/image></{raw}></svg>" for raw in _RAW},
    **{f"end of {raw} in a value": f'<{raw}><p title="</{raw}>{IMAGE}"></{raw}><p>x' for raw in _RAW},
    **{f"end of {raw} in a value in svg": f'<svg></p><{raw}><a id="</{raw}>{IMAGE}">' for raw in _RAW},
    "two forms": f"<form><math><mtext></form><form><mglyph><style></math>{IMAGE}",
    "two forms and svg": f'<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style>{IMAGE}">',
    "table in math": '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=/canary/image&gt;">',
    "style in a table in math": f"<math><mtext><table><mglyph><style><math>{IMAGE}",
    "paragraph in svg": f'<svg><p><style><a id="</style>{IMAGE}"></p></svg>',
    "annotation": f"<math><annotation-xml encoding='text/html'><style>{IMAGE}</style></annotation-xml></math>",
    "annotation with a link": f"<math><annotation-xml encoding='text/html'><svg><style><a title='</style>{IMAGE}'>",
    "integration points": f"<svg><foreignObject><math><mi><svg><desc><style>{IMAGE}</style></desc></svg></mi></math>",
    "mismatched points": f"<svg><desc><math><title><mtext><style><a title='</style>{IMAGE}'>",
    "noscript in a description": f"<svg><desc><noscript><style></noscript>{IMAGE}</style></desc>",
    "CDATA": "<svg><![CDATA[><img src=/canary/image>]]></svg><![CDATA[><img src=x>]]>",
    "comment that ends at once": "<!--><p title='--><img src=/canary/image>'>x",
    "comment that ends at once, later": "<p>x<!---><p title='--><img src=/canary/image>'>x",
    "comment with an exclamation mark": "<!-- --!><p title='--><img src=/canary/image>'>x -->",
    "processing instruction": '<?xml <img src=\'>x<p title="><img src=/canary/image>">',
    "declaration": "<!ELEMENT <p title='><img src=/canary/image>'>x",
    "backtick": f'<img alt="`` onerror={RUN}" src=data:,>',
    "listing": f"<listing>&lt;img src=/canary/image onerror={RUN}&gt;</listing>",
    "style with an escape": "<p style=\"font-family:'a\\27 \\3b  background:url(/canary/style)'\">x",
    "style with an end": "<style>p::after { content: '\\3c /style>'; background: url('/canary/style') }"
    " <\\/style></style>",
    "select": f"<select><iframe></select>{IMAGE}<option><style></option></select><b>{IMAGE}</style>",
    "select with svg": f"<select><svg><style><a title='</style>{IMAGE}'></select>x",
    "template": f"<template><style></template>{IMAGE}</style></template><p>x",
    "shadow tree": f"<div><template shadowrootmode=open><slot></slot>{IMAGE}</template>x</div>",
    "animated link": f'<svg><a><animate attributeName=href values="javascript:{RUN}" /><text y=20>x</text></a></svg>',
    "set handler": f'<svg><set attributeName=onmouseover to="{RUN}" /><text>x</text></svg>',
    "used document": '<svg><use href="data:image/svg+xml,<svg id=x><image href=/canary/image /></svg>#x" /></svg>',
    "linked svg": f'<svg><a xlink:href="java&#9;script:{RUN}"><text y=20>x</text></a><image href=/canary/svg /></svg>',
    "linked math": f'<math href="javascript:{RUN}"><mi xlink:href="javascript:{RUN}">x</mi></math>',
    "filter": "<svg><rect fill='url(/canary/fill#x)' filter='url(\"/canary/filter#x\")'"
    " cursor='url(/canary/cur),auto' /></svg>",
    "form actions": f'<form action="javascript:{RUN}"><button'
    f' formaction="javascript:{RUN}">x</button><input type=image '
    f'src=/canary/image formaction="javascript:{RUN}"></form><isindex action="javascript:{RUN}" type=submit>',
    "autofocus": f'<input autofocus onfocus="{RUN}"><details open ontoggle="{RUN}">x</details><body onload="{RUN}">',
    "quoted names": "<p \"<img/src=/canary/image>=x\" 'a'=b <i=1 ====x>x",
    "null bytes": f"<sc\0ript>{RUN}</sc\0ript><img src=data:, on\0error={RUN}><p>x",
    "deep": "<div>" * 520 + f"<form><math><mtext></form><form><mglyph><svg><mtext><style><path id='</style>{IMAGE}'>",
    "deep svg": "<svg>" + "<g>" * 520 + f"<style><a title='</style>{IMAGE}'>",
    "nested links": f"<a href=1>x<table><a href=2>y<tr><td><a href=3>z<svg><style><a title='</style>{IMAGE}'>",
    "nobr": f"<nobr>x<table><tr><nobr><b>y<style><img title='</style>{IMAGE}'></style></table>",
    "frame set": f"<frameset><frame src=\"javascript:{RUN}\"><noframes><p title='</noframes>{IMAGE}'>",
    "meta": "<meta http-equiv=refresh content='0;url=/canary/refresh'><meta http-equiv=set-cookie content=x=y>"
    "<meta name=x http-equiv=Refresh content='0;url=/canary/refresh'><p>x",
    "base": "<base href=//127.0.0.1/canary/><img src=base><p>x",
    "objects": f'<object data="javascript:{RUN}"><embed src="javascript:{RUN}">x</object><applet code=x>y</applet>',
}

_SVG = "'http://www.w3.org/2000/svg'"
_BODY = "document.body.append"


def _script(code: str) -> str:
    return f"<p>x<script>onload = () => {{ {code} }}</script>"


_MADE = "const make = (name, space) => document.createElementNS(space || 'http://www.w3.org/1999/xhtml', name);"

#: Pages whose scripts build trees that no parser builds.
SCRIPTED: dict[str, str] = {
    "head removed": _script(f"document.head.remove(); document.body.innerHTML = `{IMAGE}`"),
    "body first": _script("document.documentElement.prepend(document.body)"),
    "two heads": _script(
        "document.documentElement.append(document.createElement('head'), document.createElement('body'))"
    ),
    "no root": _script("document.documentElement.remove()"),
    "root of svg": _script(f"document.documentElement.replaceWith(document.createElementNS({_SVG}, 'svg'))"),
    "script in svg": _script(
        f"{_MADE} for (const name of ['ScRiPt', 'SCRIPT', 'script']) {{ const made = make(name, {_SVG});"
        f" made.append(\"{RUN}\"); const svg = make('svg', {_SVG}); svg.append(made); {_BODY}(svg,"
        f" made.cloneNode(true)) }}"
    ),
    "script in upper case": _script(
        f"{_MADE} for (const name of ['ScRiPt', 'SCRIPT', 'iFrame', 'Object', 'Html', 'Meta']) {{"
        f' const made = make(name); made.append("{RUN}"); {_BODY}(made) }}'
    ),
    "handler in upper case": _script(
        f"const made = document.createElement('img'); made.setAttributeNS(null, 'OnError', \"{RUN}\");"
        f" made.setAttributeNS(null, 'SRC', '/canary/image'); {_BODY}(made)"
    ),
    "line end in a scheme": _script(
        f"const made = document.createElement('a'); made.setAttribute('href', \" \\x01java\\nscript:{RUN}\");"
        f" made.append('x'); {_BODY}(made)"
    ),
    "comments": _script(
        "for (const text of ['><img src=/canary/a>', '-><img src=/canary/b>', '--><img src=/canary/c>',"
        " '--!><img src=/canary/d>',"
        f" '<!-', '-', '--']) {_BODY}(document.createComment(text), document.createElement('p'))"
    ),
    "raw text": _script(
        f"{_MADE} for (const name of ['style', 'xmp', 'noembed', 'noframes', 'plaintext', 'title',"
        f" 'textarea', 'script', 'iframe'])"
        f" for (const space of [null, {_SVG}]) {{ const made = make(name, space); made.append(`</${{name}}>{IMAGE}`);"
        f" const inner = make('b'); inner.append('y'); made.append(inner); {_BODY}(made) }}"
    ),
    "text in the head": _script(
        "document.head.append('text', document.createElement('p')); document.documentElement.append('t')"
    ),
    "nested": _script(
        f"{_MADE} for (const name of ['p', 'a', 'form', 'button', 'li', 'h1', 'option', 'table', 'select',"
        f" 'nobr', 'td'])"
        f" {{ const outer = make(name), inner = make(name); inner.append('x'); outer.append(make('b'), inner, 'y');"
        f" {_BODY}(outer) }}"
    ),
    "foreign in another": _script(
        f"{_MADE} const math = make('math', 'http://www.w3.org/1998/Math/MathML'), svg = make('svg', {_SVG}),"
        f" p = make('p');"
        f" p.append('x'); svg.append(p, make('title', {_SVG})); math.append(svg, make('style')); {_BODY}(math)"
    ),
}
