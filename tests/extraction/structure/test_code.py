# ruff: noqa: E501 - the markup of makers, as they write it
"""Code of common highlighters: lines, indents and languages, without line numbers and buttons."""

from __future__ import annotations

import pytest

from webstrata.extraction import extract
from webstrata.extraction.structure.code import code_parts
from webstrata.page import parse

EXPECTED = "```python\ndef grain(a):\n    if a < 2:\n\n        return a\n```"
LINES = ("def grain(a):", "    if a &lt; 2:", "", "        return a")
TEXT = "\n".join(LINES)


def lines(template: str, empty: str = "") -> str:
    return "".join(template.format(n=n, line=line or empty) for n, line in enumerate(LINES, 1))


NUMBERS = "\n".join("1234")
MAKERS = {
    "plain": f'<pre><code class="language-python">{TEXT}\n</code></pre>',
    "pygments table": f'<div class="highlight-python3 notranslate"><table class="highlighttable"><tr><td class="linenos">'
    f'<div class="linenodiv"><pre>{NUMBERS}</pre></div></td><td class="code"><div class="highlight"><pre>{TEXT}</pre></div>'
    "</td></tr></table></div>",
    "pygments inline": f'<div class="highlight-python"><pre>{lines("<span class=linenos>{n}</span>{line}" + chr(10))}</pre></div>',
    "rouge": f'<div class="language-python highlighter-rouge"><div class="highlight"><code><table class="rouge-table"><tbody>'
    f'<tr><td class="rouge-gutter gl"><pre class="lineno">{NUMBERS}\n</pre></td><td class="rouge-code"><pre>{TEXT}\n</pre>'
    "</td></tr></tbody></table></code></div></div>",
    "chroma": '<div class="highlight"><pre><code class="language-python" data-lang="python">'
    + lines('<span style="display:flex"><span style="user-select:none">{n}</span><span>{line}\n</span></span>')
    + "</code></pre></div>",
    "hexo": '<figure class="highlight python"><table><tr><td class="gutter"><pre>'
    + "".join(f'<span class="line">{n}</span><br>' for n in range(1, 5))
    + '</pre></td><td class="code"><pre>'
    + lines('<span class="line">{line}</span><br>')
    + "</pre></td></tr></table></figure>",
    "prism": f'<div class="code-toolbar"><pre class="line-numbers language-python"><code class="language-python">{TEXT}'
    '<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre><div class="toolbar">'
    '<div class="toolbar-item"><span>Python</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>',
    "syntaxhighlighter": '<div class="syntaxhighlighter python"><table><tr><td class="gutter">'
    + lines('<div class="line number{n}">{n}</div>')
    + '</td><td class="code"><div class="container">'
    + lines('<div class="line number{n}"><code class="python plain">{line}</code></div>', "&nbsp;").replace(
        "    ", "&nbsp;" * 4
    )
    + "</div></td></tr></table></div>",
    "github": '<table class="highlight" data-hpc><tbody>'
    + lines(
        '<tr><td class="blob-num" data-line-number="{n}"></td><td class="blob-code blob-code-inner">{line}</td></tr>\n'
    )
    + "</tbody></table>",
    "react": '<div><div><span>python</span><button>Copy code</button></div><pre><code class="language-python">'
    + lines('<span class="linenumber react-syntax-highlighter-line-number">{n}</span><span>{line}\n</span>')
    + "</code></pre></div>",
    "docusaurus": '<div class="language-python codeBlockContainer"><pre class="prism-code language-python"><code>'
    + lines('<span class="token-line" style="color:#000">{line}<br></span>')
    + '</code></pre><div class="buttonGroup"><button aria-label="Copy">Copy</button></div></div>',
    "shiki": '<pre class="shiki" data-language="python"><code>'
    + "\n".join(f'<span class="line">{line}</span>' for line in LINES)
    + "</code></pre>",
    "monaco": '<div class="monaco-editor" data-lang="python"><div class="view-lines">'
    + lines('<div class="view-line"><span>{line}</span></div>', "&nbsp;").replace("    ", "&nbsp;" * 4)
    + "</div></div>",
    "discuz": '<div class="blockcode"><div><ol>'
    + lines("<li>{line}<br />\n</li>")
    + "</ol></div><em>复制代码</em></div>",
}
WITHOUT_LANGUAGE = ("discuz", "github")


@pytest.mark.parametrize("maker", MAKERS)
def test_makers(maker: str) -> None:
    found = extract(f"<p>Before it.</p>{MAKERS[maker]}<p>After it.</p>", "keep-all").markdown
    expected = EXPECTED.replace("python\n", "\n", 1) if maker in WITHOUT_LANGUAGE else EXPECTED
    assert found == f"Before it.\n\n{expected}\n\nAfter it."


@pytest.mark.parametrize("maker", MAKERS)
def test_html_has_the_same_code(maker: str) -> None:
    assert TEXT in extract(f"<p>Before it.</p>{MAKERS[maker]}<p>After it.</p>", "keep-all").html


VERSO = (
    '<div class="example"><code class="hl lean block">#check 1\n</code>\n<pre class="hl lean lean-output">1 : Nat</pre>'
)


def test_a_listing_in_pieces_is_one_block() -> None:
    found = extract(f"<p>Before it.</p>{VERSO}<code class='hl lean block'>#eval 2</code></div><p>After it.", "keep-all")
    assert found.markdown == "Before it.\n\n```lean\n#check 1\n1 : Nat\n#eval 2\n```\n\nAfter it."


@pytest.mark.parametrize("between", ["<p>And then:</p>", "And then:", "<div><pre>x</pre></div>"])
def test_pieces_with_something_between_are_blocks_of_their_own(between: str) -> None:
    found = extract(f"<p>a</p>{VERSO}{between}<code class='hl lean block'>#eval 2</code></div>", "keep-all").markdown
    assert found.count("```lean") >= 3


@pytest.mark.parametrize(
    "source",
    [
        "<p>a <code>b</code> c",
        "<p>a <code>b\nc</code> d",
        "<p><code>b</code>",
        "<pre>1\n2</pre>",
        "<div class=code-block>a</div>",
    ],
)
def test_other_code_stays(source: str) -> None:
    parts = code_parts(parse(source))
    assert not parts.texts
    assert not parts.dropped_rows


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>C<td><pre>int a;</pre><tr><td>Go<td><pre>var a</pre></table>",
        "<dl><dt>Go<dd><pre>var a</pre></dl>",
    ],
)
def test_a_language_in_another_cell_is_no_label(html: str) -> None:
    assert "Go" in extract(html, "keep-all").markdown


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("<ol>1</ol>1", "1\n1"),
        ("<ul><li>a</ul><h2>b</h2>c<blockquote>d</blockquote>", "a\nb\nc\nd"),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", "a\tb\nc\nd"),
        (
            "<table><tr><td class=lineno>1</td><td>a</td></tr><tr><td class=lineno>2</td><td>  b</td></tr></table>",
            "a\n  b",
        ),
    ],
)
def test_elements_of_blocks_break_the_lines_of_code(inside: str, code: str) -> None:
    assert list(code_parts(parse(f"<pre>{inside}</pre>")).texts.values()) == [code]


@pytest.mark.parametrize("unit", ["<", "<a ", "<!--", "<div>", "</div>", "<br>", "<a '", '<a "x"', "<span class=line>"])
def test_broken_code_takes_linear_time(unit: str) -> None:
    page = parse("<pre><div>" + unit * 30_000 + "</pre>")
    assert len(code_parts(page).texts) <= 1
