r"""Formulas: TeX where the page has it, their text once where it has not."""

from __future__ import annotations

import pytest

from webstrata.extraction.structure.formulas import formulas, tex
from webstrata.extraction.structure.html import html
from webstrata.extraction.structure.markdown import markdown
from webstrata.extraction.structure.text import text
from webstrata.page import parse

NOTED = '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">{}</annotation></semantics></math>'


def written(source: str) -> str:
    page = parse(source)
    return markdown(page, ~page.blocks.hidden)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"<p>a {NOTED.format('x_1')} b", "a $x_1$ b"),
        (f"<p>a{NOTED.format('x_1')}, b", "a$x_1$, b"),
        (f"<p>({NOTED.format('x')})", "($x$)"),
        (f"<p>a <b>{NOTED.format('x')}</b> b", "a $x$ b"),
        (f"<p>{NOTED.format('x &lt; y')}<p>b", "$x \\lt y$\n\nb"),
        (f"<p>a<br>{NOTED.format('x')} b", "a\n\n$x$ b"),
        (f"<p>a {NOTED.format('x')} {NOTED.format('y')} b", "a $x$ $y$ b"),
        (f"<ul><li>a {NOTED.format('x')}<li>{NOTED.format('y')} b</ul>", "- a $x$\n- $y$ b"),
        (f"<p>a<table><tr><th>f<th>g<tr><td>{NOTED.format('x|y')}<td>1</table>",
         "a\n\n| f | g |\n| --- | --- |\n| $x\\|y$ | 1 |"),
        ("<p>a <math alttext='x^2'><mi>x</mi></math>.", "a $x^2$."),
        ("<p>a <math display=block alttext='x^2'><mi>x</mi></math> b", "a $$x^2$$ b"),
        ("<p>a <math><mi>x</mi></math> b", "a $x$ b"),
        ("<p>a <math></math> b", "a b"),
        ("<p>a <script type=math/tex>x & y</script> b", "a $x & y$ b"),
        ("<p>a <script type='text/x'>x</script> b", "a b"),
        (f"<p>a {NOTED.format('x $ y')} b", "a $x$ b"),
        (f"<p>a {NOTED.format('[x](y) `z`')} b", "a $[x] (y) {\\lq}z{\\lq}$ b"),
        (f"{NOTED.format('x')}", "x"),
    ],
)  # fmt: skip
def test_markdown_has_the_tex(source: str, expected: str) -> None:
    assert written(source) == expected


def test_formulas_that_only_programs_are_shown_are_content_where_the_text_around_them_is() -> None:
    hidden = f"<span style='display:none'>{NOTED.format('x')}</span>"
    page = parse(f"<p>one {hidden} two</p><footer>{hidden} three</footer>")
    assert text(page, ~page.blocks.hidden) == "one two\n\nthree"
    assert markdown(page, page.blocks.words * ~page.blocks.hidden > 0).startswith("one $x$ two")
    kept = ~page.blocks.hidden & (page.blocks.element == page.elements.find("p")[0])
    assert markdown(page, kept) == "one $x$ two"


def test_html_has_the_tex_escaped() -> None:
    page = parse(f"<p>a {NOTED.format('x &lt; y')} b")
    assert '<p>a <span class="math inline">\\(x &lt; y\\)</span> b</p>' in html(page, ~page.blocks.hidden)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (r"{\displaystyle a}", "a"),
        (r"{\displaystyle a}{b}", r"{\displaystyle a}{b}"),
        ("a % note\n b", "a b"),
        (r"5 \% \$", r"5 \% \$"),
        ("a $ b", ""),
        ("a \\", ""),
        ("  ", ""),
        (r"\href{http://a}{b}", ""),
        (r"\def\a{b}", ""),
        (r"\default", r"\default"),
        ("x" * 100_000, ""),
    ],
)
def test_tex_is_cleaned_and_what_leads_elsewhere_is_not_taken(given: str, expected: str) -> None:
    assert tex(given) == expected


def test_formulas_are_read_in_linear_time() -> None:
    page = parse("<p>" + "<math><mtext>" * 400 + "<annotation " * 20_000)
    assert formulas(page) == {}
    many = parse("<p>a " + NOTED.format("x") * 3000 + "<math>" * 3000)
    assert len(formulas(many)) == 3000


def test_control_characters_of_a_formula_are_left_out() -> None:
    page = parse(b"<p>a " + NOTED.format("x\0\x01\x7f_1").encode() + b" b")
    assert markdown(page, ~page.blocks.hidden) == "a $x_1$ b"
    assert "\0" not in html(page, ~page.blocks.hidden)


def test_any_markup_in_a_formula_is_read() -> None:
    fraction = "<math><mml:mfrac><mml:mspace/><mml:mi>a</mml:mi><mn>2</mn></mml:mfrac></math>"
    assert written(f"<p>Depth <math><![CDAT[ ><mi>x</mi></math> is {fraction}") == r"Depth $x$ is $\frac{a}{2}$"
