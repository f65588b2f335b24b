"""Pages that hypothesis makes up: text full of signs, in any nesting of elements."""

from __future__ import annotations

from hypothesis import strategies as st

words = st.text(alphabet="ab1 .:*_`[]()<>&#|~!\\-+=\"'é中。", max_size=8)
inline = st.recursive(
    words.map(lambda value: value.replace("&", "&amp;").replace("<", "&lt;")),
    lambda inner: st.builds(
        "{1}<{0}>{2}</{0}>{3}".format,
        st.sampled_from(["b", "i", "code", "s", "span", "a href=/x?y=1"]),
        inner,
        inner,
        inner,
    ).map(lambda value: value.replace("</a href=/x?y=1>", "</a>")),
    max_leaves=4,
)
tags = st.sampled_from(
    ["p", "div", "ul", "ol", "li", "blockquote", "h1", "h3", "pre", "table", "tr", "td", "th", "dl", "dt", "dd", "br"]
)
blocks = st.recursive(
    inline,
    lambda inner: st.builds("{1}<{0}>{2}{3}</{0}>{4}".format, tags, inner, inner, inner, inner),
    max_leaves=12,
)
