"""TeX in the text of a page: passed as it is, told from money, and never a way to other markup."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from read_back import parser

from webstrata.extraction import extract


@pytest.mark.parametrize(
    "tex",
    [
        r"\(x_1 * y_2\)", r"\[a_b [c] \]", "$x_i^2$", r"$$\sum_{i} a_i * b_i$$", "$a=b$", "$n$", r"$\alpha_1$",
        r"\(\left[0, 1\right)\)", r"$5_{a}$", r"\[x \\[2pt] y_1 \]", "$a_i*b_i$",
    ],
)  # fmt: skip
def test_tex_is_not_escaped(tex: str) -> None:
    page = f"<p>Let {tex}, and <b>{tex}</b>.<ul><li>{tex}</ul>"
    assert extract(page, "keep-all").markdown == f"Let {tex}, and **{tex}**.\n\n- {tex}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$5 and $6*7*", r"$5 and $6\*7\*"),
        ("from $3*4$5", r"from $3\*4$5"),
        ("$HOME_DIR *and* $PATH_", r"$HOME_DIR \*and\* $PATH\_"),
        ("US$a*b$", r"US$a\*b$"),
        (r"\(open *", r"\\(open \*"),
        (r"a\\(b*c\)", r"a\\\\(b\*c\\)"),
        (r"$a`b_1`$", r"$a\`b_1\`$"),
        (r"\([x](y)\)", r"\\(\[x\](y)\\)"),
        ("$x&amp;lt;_1$", r"$x\&lt;\_1$"),
    ],
)
def test_money_names_and_other_signs_are_escaped(text: str, expected: str) -> None:
    assert extract(f"<p>{text}", "keep-all").markdown == expected


def test_a_sign_in_tex_begins_no_tag() -> None:
    assert extract("<p>$a_1&lt;b$", "keep-all").markdown == "$a_1< b$"


_SIGNS = [*r"$ $$ \( \) \[ \] \ &lt; > [ ] ( ) ^ ! ` &amp; _ * a script { } : /x ~ lt; | 5".split(), " "]


@example(["$", "a", "_", "&lt;", "script", ">", "$"], "<p>%s")
@given(
    st.lists(st.sampled_from(_SIGNS), max_size=14),
    st.sampled_from(["<p>%s", "<a href=/y>%s</a>", "<table><tr><th>a<th>b<tr><td>%s<td>c</table>", "<h2>%s</h2>"]),
)
def test_tex_lets_no_other_markup_in(signs: list[str], frame: str) -> None:
    found = extract(frame.replace("%s", "".join(signs)), "keep-all").markdown
    written = {"text", "softbreak", "em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close"}
    for token in parser().parse(found):
        assert token.type not in ("html_block", "fence", "code_block", "hr", "bullet_list_open", "blockquote_open")
        for child in token.children or []:
            is_link = child.type in ("link_open", "link_close") and child.attrs.get("href", "/y") == "/y"
            assert child.type in written or is_link or child.content == "<br>", (found, child)


def test_many_dollars_take_linear_time() -> None:
    for text in ("$x_", "\\(", "\\[x", "$ ", "\\$", "$$a"):
        extract("<p>" + text * 50_000, "keep-all").markdown  # noqa: B018
