"""Pages for the tests of adapters: an article with navigation around it, and a page without content."""

from __future__ import annotations

__all__ = ["ARTICLE", "EMPTY"]

_SENTENCE = "The river carries sand and clay to the sea, where they settle slowly in layers on the bed of the bay. "
_SECTIONS = "".join(f"<h2>Layer {i}</h2><p>{i}. {_SENTENCE * 4}</p>" for i in range(6))

ARTICLE = f"""<!doctype html><html lang=en><head><title>Strata of the bay | Rocks</title>
<meta name=author content="Ada Stone"><meta name=keywords content="silt, clay"></head><body>
<nav><ul><li><a href=/>Home</a><li><a href=/about>About us</a><li><a href=/shop>Shop</a></ul></nav>
<main><article><h1>Strata of the bay</h1>{_SECTIONS}</article></main>
<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer></body></html>"""
EMPTY = "<!doctype html><title>Nothing</title>"
