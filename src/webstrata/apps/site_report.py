"""A report on a site: one HTML file with its tree, its segment classes, and example pages of each."""

from __future__ import annotations

from html import escape

from webstrata._escaping import link
from webstrata.sites import SegmentClass, Site

__all__ = ["report"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6b7b; --line: #d8dfe6; --bar: #2f7d8c; --low: #c9d3db;
  --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9fb0bf; --line: #33404c; --bar: #5fb6c6;
  --low: #44535f; --paper: #141a20; } }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p.note { color: var(--soft); max-width: 46rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .35rem .6rem; text-align: right;
  border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } th:last-child, td:last-child { text-align: left; width: 55%; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
ul.examples { margin: .2rem 0 0; padding-left: 1.1rem; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
ul.quotes { margin: 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
.tree { list-style: none; padding-left: 1.1rem; border-left: 1px solid var(--line); margin: 0; }
.bar { display: inline-block; height: .7rem; border-radius: 2px; background: linear-gradient(90deg, var(--bar)
  var(--weight), var(--low) var(--weight)); vertical-align: middle; margin-right: .4rem; }
.number { color: var(--soft); font-size: 13px; }
"""
# The classes that are listed, those with most words first.
_CLASSES = 200


def report(site: Site, *, learnt: str) -> str:
    """The report on a site as a single HTML file.

    Parameters
    ----------
    learnt : the folder of the site
    """
    name = escape(site.name or "pages without address")
    total = max(1, sum(item.words for item in site.classes))
    shown = site.classes[:_CLASSES]
    rest = len(site.classes) - len(shown)
    more = f"<p class=note>{rest} more classes with {sum(i.words for i in site.classes[_CLASSES:])} words.</p>"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Segment classes of {name}</title><style>{_STYLE}</style></head><body>
<h1>{name}</h1>
<p class=note>{site.pages} pages, {len(site.classes)} segment classes, from {escape(learnt)}.
A class is a segment in the same position on many pages. Its weight is near 0 if its text is the same on all pages,
and 1 if every page has a different text there. Each class shows a name, how three of its texts begin, its
path, and three of its pages.</p>
<h2>Classes</h2>
<table><thead><tr><th>pages<th>segments<th>words<th>share<th>weight<th>class</tr></thead><tbody>
{"".join(_row(item, total) for item in shown)}</tbody></table>
{more if rest else ""}
<h2>Tree</h2>
<p class=note>Bars show the share of all words; the coloured part is the weight.</p>
{_tree(shown, total)}
</body></html>
"""


def _row(item: SegmentClass, total: int) -> str:
    examples = "".join(f"<li>{link(url)}" for url in item.examples)
    numbers = (str(item.pages), str(item.segments), str(item.words), f"{item.words / total:.1%}", f"{item.weight:.2f}")
    cells = "".join(f"<td>{number}" for number in numbers)
    quotes = "".join(f"<li>{escape(text)}" for text in item.quotes)
    anchor = f"<a id={item.kind}></a>"
    return (
        f"<tr>{cells}<td>{anchor}<strong>{item.name}</strong><ul class=quotes>{quotes}</ul>"
        f"<code>{escape(item.path)}</code><ul class=examples>{examples}</ul></tr>\n"
    )


def _tree(classes: tuple[SegmentClass, ...], total: int) -> str:
    """The paths of the classes as nested lists."""
    root: dict[str, object] = {}
    for item in classes:
        place = root
        for step in item.path.split(" > "):
            place = place.setdefault(step, {})  # type: ignore[assignment]
        place[""] = item
    # Without recursion, because a path may be as deep as a page.
    out: list[str] = ["<ul class=tree>"]
    stack: list[tuple[str, object]] = [(step, inner) for step, inner in reversed(root.items())]
    while stack:
        step, inner = stack.pop()
        if not isinstance(inner, dict):
            out.append(step)
            continue
        own = inner.get("")
        out.append(f"<li><code>{escape(step)}</code>")
        if isinstance(own, SegmentClass):
            width = max(0.2, 40 * own.words / total)
            bar = f'<span class=bar style="width:{width:.2f}rem;--weight:{own.weight:.0%}"></span>'
            out.append(f' <a href="#{own.kind}">{bar}</a><span class=number>{own.words / total:.1%} {own.name}</span>')
        children = [(name, value) for name, value in inner.items() if name]
        stack.append(("</li>" if not children else "</ul></li>", None))
        if children:
            out.append("<ul class=tree>")
            stack.extend(reversed(children))
    out.append("</ul>")
    return "".join(out)
