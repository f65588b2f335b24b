# ruff: noqa: E501 - the markup of makers, as they write it
"""Pages as common makers write them: code, boxes, tables, footnotes, tasks, without the aids of the page."""

from __future__ import annotations

import pytest

from webstrata.extraction import extract

MAKERS = {
    "sphinx": """<div class="admonition warning"><p class="admonition-title">Warning</p><p>Dig slowly.</p></div>
<div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="k">def</span> <span class="nf">f</span><span class="p">(</span><span class="n">a</span><span class="p">):</span>
    <span class="k">return</span> <span class="n">a</span> <span class="o">&lt;</span> <span class="mi">2</span>
</pre></div></div>
<table class="docutils align-default"><thead><tr class="row-odd"><th class="head"><p>Layer</p></th><th class="head"><p>mm</p></th></tr></thead><tbody><tr class="row-even"><td><p>silt</p></td><td><p>31</p></td></tr></tbody></table>
<dl class="py function"><dt class="sig sig-object py" id="grain.f"><span class="sig-prename descclassname"><span class="pre">grain.</span></span><span class="sig-name descname"><span class="pre">f</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">a</span></span></em><span class="sig-paren">)</span><a class="headerlink" href="#grain.f" title="Link to this definition">¶</a></dt><dd><p>Gives a.</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><p><strong>a</strong> – a number</p></dd></dl></dd></dl>
<p class="rubric">Footnotes</p><p>Silt <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> sinks.</p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>slowly</p></aside></aside>""",
    "doxygen": """<dl class="section note"><dt>Note</dt><dd>Dig slowly.</dd></dl><dl class="section warning"><dt>Warning</dt><dd>Dry mud.</dd></dl>
<div class="fragment"><div class="line"><a id="l00001" name="l00001"></a><span class="lineno">    1</span><span class="keywordtype">int</span> f(<span class="keywordtype">int</span> a) {</div>
<div class="line"><span class="lineno">    2</span>    <span class="keywordflow">return</span> a &lt; 2;</div>
<div class="line"><span class="lineno">    3</span>}</div>
</div><!-- fragment -->
<table class="markdownTable"><tr class="markdownTableHead"><th class="markdownTableHeadNone">Layer</th><th class="markdownTableHeadNone">mm</th></tr><tr class="markdownTableRowOdd"><td class="markdownTableBodyNone">silt</td><td class="markdownTableBodyNone">31</td></tr></table>
<dl class="params"><dt>Parameters</dt><dd><table class="params"><tr><td class="paramname">a</td><td>a number</td></tr></table></dd></dl>""",
    "javadoc": """<section class="detail" id="f(int)"><h3>f</h3><div class="member-signature"><span class="modifiers">public static</span>&nbsp;<span class="return-type">boolean</span>&nbsp;<span class="element-name">f</span><wbr><span class="parameters">(int&nbsp;a)</span></div><div class="block">Compares. <pre> f(2);
   g();</pre></div><dl class="notes"><dt>Parameters:</dt><dd><code>a</code> - a number</dd><dt>Returns:</dt><dd>whether it is small</dd></dl></section>
<div class="caption"><span>Methods</span></div><div class="summary-table three-column-summary"><div class="table-header col-first">Modifier and Type</div><div class="table-header col-second">Method</div><div class="table-header col-last">Description</div><div class="col-first even-row-color"><code>static boolean</code></div><div class="col-second even-row-color"><code><a href="#f(int)" class="member-name-link">f</a><wbr>(int&nbsp;a)</code></div><div class="col-last even-row-color"><div class="block">Compares.</div></div></div>""",
    "mkdocs": """<h2 id="a">Layers<a class="headerlink" href="#a" title="Permanent link">&para;</a></h2><div class="admonition tip"><p class="admonition-title">Field tip</p><p>Dig slowly.</p></div>
<details class="note" open="open"><summary>More</summary><p>Dry mud.</p></details>
<div class="language-python highlight"><pre id="__code_0"><span></span><button class="md-clipboard md-icon" title="Copy to clipboard" data-clipboard-target="#__code_0 > code"></button><code><a id="__codelineno-0-1" name="__codelineno-0-1" href="#__codelineno-0-1"></a><span class="k">def</span> f(a):
<a id="__codelineno-0-2" name="__codelineno-0-2" href="#__codelineno-0-2"></a>    <span class="k">return</span> a &lt; 2
</code></pre></div><div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>
<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code>one
two
</code></pre></div></td></tr></table></div>
<ul class="task-list"><li class="task-list-item"><label class="task-list-control"><input type="checkbox" disabled checked/><span class="task-list-indicator"></span></label> done</li><li class="task-list-item"><label class="task-list-control"><input type="checkbox" disabled/><span class="task-list-indicator"></span></label> open</li></ul>
<p>Silt<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup> sinks.</p><div class="footnote"><hr/><ol><li id="fn:1"><p>slowly&#160;<a class="footnote-backref" href="#fnref:1" title="Jump back">&#8617;</a></p></li></ol></div>
""",
    "jekyll": """<h2 id="a">Layers <a href="#a" class="anchor-heading" aria-labelledby="a"><svg viewBox="0 0 16 16" aria-hidden="true"><use xlink:href="#svg-link"></use></svg></a></h2>
<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code><span class="k">def</span> <span class="nf">f</span>
  <span class="mi">2</span>
<span class="k">end</span>
</code></pre></div></div><blockquote class="prompt-tip"><p>Dry mud.</p></blockquote>
<figure class="highlight"><pre><code class="language-ruby" data-lang="ruby"><table class="rouge-table"><tbody><tr><td class="gutter gl"><pre class="lineno">1
2
</pre></td><td class="code"><pre>a
  b
</pre></td></tr></tbody></table></code></pre></figure>
<p>Silt<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup> sinks.</p><div class="footnotes" role="doc-endnotes"><ol><li id="fn:1" role="doc-endnote"><p>slowly <a href="#fnref:1" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div>""",
    "wordpress": """<figure class="wp-block-table"><table><thead><tr><th>Layer</th><th>mm</th></tr></thead><tbody><tr><td>silt</td><td>31</td></tr></tbody></table><figcaption class="wp-element-caption">Layers</figcaption></figure>
<pre class="wp-block-code"><code lang="python" class="language-python">def f(a):
    return a &lt; 2</code></pre><pre class="wp-block-preformatted">one
two</pre>
<figure class="wp-block-image size-large"><img decoding="async" src="https://example.org/a-1024.jpg" alt="A lake" srcset="https://example.org/a-1024.jpg 1024w, https://example.org/a.jpg 2048w"/><figcaption class="wp-element-caption">The lake</figcaption></figure>
<blockquote class="wp-block-quote"><p>Mud is dark.</p><cite>A digger</cite></blockquote><figure class="wp-block-pullquote"><blockquote><p>Silt is pale.</p></blockquote></figure>
<div class="wp-block-syntaxhighlighter-code "><pre class="brush: python; title: ; notranslate" title="">
def f(a):
    return a &lt; 2
</pre></div><p>Silt<sup data-fn="x1" class="fn"><a href="#x1" id="x1-link">1</a></sup> sinks.</p><ol class="wp-block-footnotes"><li id="x1">slowly <a href="#x1-link" aria-label="Jump to footnote reference 1">↩︎</a></li></ol>
<figure class="wp-block-embed is-type-video"><div class="wp-block-embed__wrapper"><iframe title="Varves" src="https://www.youtube.com/embed/b_PXuEPxN50?feature=oembed"></iframe></div></figure><p>End.</p>""",
    "discourse": """<aside class="quote no-group" data-username="ann" data-post="2" data-topic="3"><div class="title">ann:</div><blockquote><p>Silt is pale.</p></blockquote></aside><p>Yes.</p>
<pre class="codeblock-buttons"><code class="hljs language-python" data-highlighted="yes"><span class="hljs-keyword">def</span> f(a):
    <span class="hljs-keyword">return</span> a &lt; 2
</code><div class="codeblock-button-wrapper"><button class="btn nohighlight btn-icon copy-cmd" aria-label="copy code to clipboard"></button></div></pre>
<div class="md-table"><table><thead><tr><th>Layer</th><th>mm</th></tr></thead><tbody><tr><td>silt</td><td>31</td></tr></tbody></table></div>
<div class="lightbox-wrapper"><a class="lightbox" href="/big.jpg" title="lake"><img src="/small.jpg" alt="lake"><div class="meta"><svg class="fa d-icon" aria-hidden="true"><use href="#far-image"></use></svg><span class="filename">lake</span><span class="informations">1920×1080 200 KB</span></div></a></div>
<details><summary>More</summary><p>Dry mud.</p></details><p>End.</p>""",
    "mediawiki": """<h2><span class="mw-headline" id="Silt">Silt</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?title=V&amp;action=edit&amp;section=1" title="Edit section: Silt">edit</a><span class="mw-editsection-bracket">]</span></span></h2>
<table class="wikitable"><caption>Layers</caption><tbody><tr><th>Layer</th><th>mm</th></tr><tr><td>silt</td><td>31</td></tr></tbody></table>
<div class="mw-highlight mw-highlight-lang-python mw-content-ltr" dir="ltr"><pre><span></span><span class="k">def</span> f(a):
    <span class="k">return</span> a &lt; 2
</pre></div><p>Mass <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="{\\displaystyle E=mc^{2}}"><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">{\\displaystyle E=mc^{2}}</annotation></semantics></math></span><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/9f73" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle E=mc^{2}}"></span> is.</p>
<p>Silt<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup> sinks.</p><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span> <span class="reference-text">slowly</span></li></ol>
<figure typeof="mw:File/Thumb"><a href="/wiki/File:A.jpg" class="mw-file-description"><img src="//upload.wikimedia.org/a.jpg" alt="A lake"></a><figcaption>The lake</figcaption></figure>
<dl><dt>Silt</dt><dd>pale</dd></dl><dl><dd>indented</dd></dl>""",
    "hugo": """<h2 id="a">Layers<a hidden class="anchor" aria-hidden="true" href="#a">#</a></h2>
<div class="alert alert-warning" role="alert"><h4 class="alert-heading">Careful</h4><p>Dig slowly.</p></div><blockquote class="book-hint info"><p>Dry mud.</p></blockquote>
<div class="highlight"><div style="color:#f8f8f2;background-color:#272822;"><table style="border-spacing:0"><tr><td style="vertical-align:top"><pre tabindex="0"><code><span style="white-space:pre;user-select:none;margin-right:.4em">1
</span><span style="white-space:pre;user-select:none">2
</span></code></pre></td><td style="vertical-align:top;width:100%"><pre tabindex="0"><code class="language-python" data-lang="python"><span style="display:flex;"><span>def f(a):
</span></span><span style="display:flex;"><span>    return a &lt; 2
</span></span></code></pre></td></tr></table></div></div>
<figure><img src="/a.jpg" alt="A lake"><figcaption><h4>The lake</h4></figcaption></figure>""",
    "asciidoctor": """<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">Dig slowly.</td></tr></table></div>
<div class="admonitionblock warning"><table><tr><td class="icon"><i class="fa icon-warning" title="Warning"></i></td><td class="content"><div class="paragraph"><p>Dry mud.</p></div></td></tr></table></div>
<div class="listingblock"><div class="title">Listing 1. A grain</div><div class="content"><pre class="highlightjs highlight"><code class="language-python hljs" data-lang="python">def f(a): <i class="conum" data-value="1"></i><b>(1)</b>
    return a &lt; 2</code></pre></div></div><div class="colist arabic"><table><tr><td><i class="conum" data-value="1"></i><b>1</b></td><td>The start.</td></tr></table></div>
<table class="tableblock frame-all grid-all stretch"><caption class="title">Table 1. Layers</caption><colgroup><col><col></colgroup><thead><tr><th class="tableblock halign-left valign-top">Layer</th><th class="tableblock halign-left valign-top">mm</th></tr></thead><tbody><tr><td class="tableblock halign-left valign-top"><p class="tableblock">silt</p></td><td class="tableblock halign-left valign-top"><p class="tableblock">31</p></td></tr></tbody></table>
<div class="quoteblock"><blockquote>Mud is dark.</blockquote><div class="attribution">&#8212; A digger</div></div><div class="literalblock"><div class="content"><pre>one
  two</pre></div></div>
<div class="paragraph"><p>Silt<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1" title="View footnote.">1</a>]</sup> sinks.</p></div><div id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. slowly</div></div>""",
    "docusaurus": """<div class="theme-admonition theme-admonition-info admonition_xJq3 alert alert--info"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 14 16"><path d="M6"></path></svg></span>info</div><div class="admonitionContent_BuS1"><p>Dig slowly.</p></div></div>
<div class="language-python codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockTitle_Ktv7">grain.py</div><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-python codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><span class="token-line"><span class="token plain">def f(a):</span><br></span><span class="token-line"><span class="token plain">    return a &lt; 2</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" title="Copy" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"></span></button></div></div></div>
<h2 class="anchor" id="a">Layers<a href="#a" class="hash-link" aria-label="Direct link to Layers" title="Direct link to Layers">​</a></h2>""",
    "github": """<div class="markdown-heading" dir="auto"><h2 class="heading-element">Layers</h2><a id="user-content-layers" class="anchor" aria-label="Permalink: Layers" href="#layers"><svg class="octicon octicon-link" aria-hidden="true"><path d="m7"></path></svg></a></div><div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg class="octicon"><path d="M0"></path></svg>Note</p><p>Dig slowly.</p></div>
<div class="highlight highlight-source-python notranslate position-relative overflow-auto" data-snippet-clipboard-copy-content="def f(a)"><pre><span class="pl-k">def</span> f(a):
    <span class="pl-k">return</span> a &lt; 2</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" value="def f"><svg></svg></clipboard-copy></div></div>
<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled class="task-list-item-checkbox" checked> done</li><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled> open</li></ul>
<p>Silt<sup><a href="#user-content-fn-1-x" id="user-content-fnref-1-x" data-footnote-ref aria-describedby="footnote-label">1</a></sup> sinks.</p><section data-footnotes class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1-x"><p>slowly <a href="#user-content-fnref-1-x" data-footnote-backref aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p></li></ol></section>
<p>Changed <relative-time datetime="2025-01-01">3 months ago</relative-time> by ann</p>""",
}

EXPECTED = {
    "sphinx": """> [!warning] Warning
> Dig slowly.

```python
def f(a):
    return a < 2
```

| Layer | mm |
| --- | --- |
| silt | 31 |

**grain.f(**<strong><em>a</em></strong>**)**

Gives a.

**Parameters:**

**a** – a number

Footnotes

Silt [^1] sinks.

[^1]: slowly""",
    "doxygen": """> [!note] Note
> Dig slowly.

> [!warning] Warning
> Dry mud.

```
int f(int a) {
    return a < 2;
}
```

| Layer | mm |
| --- | --- |
| silt | 31 |

**Parameters**

a

a number""",
    "javadoc": """### f

public static boolean f(int a)

Compares.

```
 f(2);
   g();
```

**Parameters:**

`a` - a number

**Returns:**

whether it is small

Methods

Modifier and Type

Method

Description

`static boolean`

[`f`](https://example.org/#f%28int%29)`(int a)`

Compares.""",
    "mkdocs": """## Layers

> [!tip] Field tip
> Dig slowly.

> [!note] More
> Dry mud.

```python
def f(a):
    return a < 2
```

```
one
two
```

- [x] done
- [ ] open

Silt[^1] sinks.

[^1]: slowly""",
    "jekyll": """## Layers

```ruby
def f
  2
end
```

> [!tip]
> Dry mud.

```ruby
a
  b
```

Silt[^1] sinks.

[^1]: slowly""",
    "wordpress": """| Layer | mm |
| --- | --- |
| silt | 31 |

Layers

```python
def f(a):
    return a < 2
```

```
one
two
```

![A lake](https://example.org/a.jpg)

The lake

> Mud is dark.
>
> *A digger*

> Silt is pale.

```python
def f(a):
    return a < 2
```

Silt[^1] sinks.

End.

[^1]: slowly""",
    "discourse": """ann:

> Silt is pale.

Yes.

```python
def f(a):
    return a < 2
```

| Layer | mm |
| --- | --- |
| silt | 31 |

[![lake](https://example.org/small.jpg)](https://example.org/big.jpg)

More

Dry mud.

End.""",
    "mediawiki": """## Silt

Layers

| Layer | mm |
| --- | --- |
| silt | 31 |

```python
def f(a):
    return a < 2
```

Mass $E=mc^{2}$ is.

Silt[^1] sinks.

[![A lake](https://upload.wikimedia.org/a.jpg)](https://example.org/wiki/File:A.jpg)

The lake

**Silt**

pale

indented

[^1]: slowly""",
    "hugo": """## Layers

> [!warning] Careful
> Dig slowly.

> [!info]
> Dry mud.

```python
def f(a):
    return a < 2
```

![A lake](https://example.org/a.jpg)

#### The lake""",
    "asciidoctor": """> [!tip] Tip
> Dig slowly.

> [!warning]
> Dry mud.

Listing 1. A grain

```python
def f(a): (1)
    return a < 2
```

**1**

The start.

Table 1. Layers

| Layer | mm |
| --- | --- |
| silt | 31 |

> Mud is dark.

— A digger

```
one
  two
```

Silt[^1] sinks.

[^1]: slowly""",
    "docusaurus": """> [!info] info
> Dig slowly.

grain.py

```python
def f(a):
    return a < 2
```

## Layers""",
    "github": """## Layers

> [!note] Note
> Dig slowly.

```python
def f(a):
    return a < 2
```

- [x] done
- [ ] open

Silt[^1] sinks.

Changed 3 months ago by ann

[^1]: slowly""",
}


@pytest.mark.parametrize("maker", MAKERS)
def test_makers(maker: str) -> None:
    assert extract(MAKERS[maker], "keep-all", url="https://example.org/").markdown == EXPECTED[maker]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            "<ul><li><input type=checkbox disabled checked> a<li><input type=checkbox disabled> b</ul>",
            "- [x] a\n- [ ] b",
        ),
        ("<ol><li class=task><p><label><input type=checkbox> a</label></p>b</ol>", "1. [ ] a\n\n   b"),
        ("<ul><li><input type=checkbox> red<li><input type=checkbox checked> blue</ul>", "- red\n- blue"),
        ("<ul><li>a <input type=checkbox disabled> b<li><input disabled> c</ul>", "- a b\n- c"),
        ("<input type=checkbox disabled> a", "a"),
    ],
)
def test_tasks(html: str, markdown: str) -> None:
    assert extract(html, "keep-all").markdown == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>a<a href=#a>\u200b</a></h2>", "## a"),
        ("<dl><dt>a<a href=#a>\xb6</a><dd>b</dl>", "**a**\n\nb"),
        ("<p>a <a href=#a>b\u200b</a></p>", "a [b\u200b](#a)"),
    ],
)
def test_links_to_themselves(html: str, markdown: str) -> None:
    assert extract(html, "keep-all").markdown == markdown


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<div class='hint hint-info'><p>a b</p></div>", "info"),
        ("<div class='hint'><p>a b</p></div>", "tip"),
        ("<dl class=section><dt>Note<dd>a b</dl>", ""),
        ("<dl class=note><dt>Note<dd>a b</dl>", ""),
        ("<details><summary>Note</summary>a b</details>", ""),
        ("<details class=warning><summary>Note</summary>a b</details>", "warning"),
    ],
)
def test_boxes(html: str, kind: str) -> None:
    found = extract(f"{html}<p>End.", "keep-all").markdown
    assert found.startswith(f"> [!{kind}]") if kind else "[!" not in found


def test_an_image_with_a_label_over_it_stays() -> None:
    label = "<div class=meta>lake 20 KB</div>"
    html = (
        f"<p>Silt.</p><div class=lightbox-wrapper><a href=/b class=lightbox><img src=/a.jpg alt=lake>{label}</a></div>"
    )
    assert extract(f"{html}<p>Mud.", "keep-all").markdown == "Silt.\n\n[![lake](/a.jpg)](/b)\n\nMud."
