"""The language of code, and the text of scripts."""

from __future__ import annotations

import re

from webstrata._lengths import LONGEST_CLASS
from webstrata.page import Page

__all__ = ["LANGUAGE_NAMES", "language_of", "script_text"]

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|highlight-|syntax-|brush:\s*|code-lang-|crayon-lang-"
    r"|language=|mw-highlight-lang-)([\w+#.-]+)"
)
_NO_LANGUAGE = frozenset(
    """none default plain text plaintext txt nohighlight no-highlight wrapper wrap block code container line lines inner
    outer box area pre dark light theme body content main auto undefined unknown highlight null""".split()
)
# Names of one language by the version of its highlighter.
_SAME = {"python3": "python", "ipython3": "python", "ipython": "python", "py3": "python"}
_NAMING = (b"data-lang", b"data-language", b"data-code-language", b"class", b"lang")
# Names of languages that highlighters write without a prefix.
_LANGUAGES = frozenset(
    """ada asm awk bash bat clojure cmake cpp c++ csharp css cython dart diff dockerfile elixir erlang fortran fsharp
    golang graphql groovy haskell hcl html http ini java javascript js json jsx julia kotlin latex lean less lisp
    lua makefile
    markdown matlab nginx nim objectivec ocaml perl php powershell prolog protobuf python python3 py ruby rust sass
    scala scheme scss shell sh solidity sql svelte swift tcl tex toml tsx typescript ts vim vue xml yaml yml zig
    zsh""".split()
)

#: Languages by the names that labels beside code have, in lower case.
LANGUAGE_NAMES = {name: name for name in _LANGUAGES} | {
    "c": "c", "r": "r", "d": "d", "go": "go", "c#": "csharp", "f#": "fsharp", "objective-c": "objectivec",
    "html/xml": "html", "shell script": "shell", "console": "console", "terminal": "", "vb.net": "vbnet",
    "jsonc": "json", "visual basic": "vb", "node.js": "javascript", "vue.js": "vue", "text": "",
}  # fmt: skip


def script_text(page: Page, row: int) -> str:
    """The text of a script, which is not part of the text of the page.

    >>> from webstrata.page import parse
    >>> page = parse("<script>let a = 1</script >")
    >>> script_text(page, int(page.elements.find("script")[0]))
    'let a = 1'
    """
    content = page.source[slice(*page.elements.content_span(row))].decode("utf-8", "replace")
    return content.rpartition("</")[0] if content.rstrip().endswith(">") else content


def language_of(page: Page, row: int) -> str:
    """The language of code in an attribute or a class of an element, or "".

    A class has a prefix such as ``language-``, or is the name of a language and of nothing else.

    >>> from webstrata.page import parse
    >>> page = parse("<pre><code class='hljs python'>1</code></pre><pre class='highlight-c notranslate'>2</pre>")
    >>> [language_of(page, row) for row in page.elements.find("code", "pre").tolist()]
    ['', 'python', 'c']
    """
    name, language, other, classes, lang = page.elements.some_attributes(row, _NAMING)
    classes, name = classes[:LONGEST_CLASS], name or language or other
    if not name:
        found = _LANGUAGE.search(classes)
        bare = (*classes.split(), lang)
        name = found[1] if found else next((each for each in bare if each.lower() in _LANGUAGES), "")
    name = name.lower()
    return _SAME.get(name, name) if re.fullmatch(r"[\w+#.-]{1,24}", name) and name not in _NO_LANGUAGE else ""
