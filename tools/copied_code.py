"""What the copy buttons of the documentation copy: the code of a session, without prompts and output.

The theme copies the attribute ``data-copy`` of an element around the code, if there is one.
"""

from __future__ import annotations

import re
from html import escape, unescape

__all__ = ["with_copied_code"]

_CODE = re.compile(r'<div class="(?:[\w-]+ )*highlight"(?=>)(.*?)</code>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")


def with_copied_code(html: str) -> str:
    """A page whose sessions of Python are copied without prompts and output.

    >>> with_copied_code('<div class="highlight"><pre><code>&gt;&gt;&gt; 1 + 1\\n2\\n</code></pre></div>')
    '<div class="highlight" data-copy="1 + 1"><pre><code>&gt;&gt;&gt; 1 + 1\\n2\\n</code></pre></div>'
    """
    return _CODE.sub(_marked, html)


def _marked(found: re.Match[str]) -> str:
    lines = unescape(_TAG.sub("", found[0])).splitlines()
    code = [_PROMPT.sub("", line, count=1) for line in lines if _PROMPT.match(line)]
    if not code:
        return found[0]
    text = escape("\n".join(code)).replace("\n", "&#10;")
    return found[0].replace(">", f' data-copy="{text}">', 1)
