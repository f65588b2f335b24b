"""JavaScript that runs in the page."""

from __future__ import annotations

__all__ = ["COUNT", "CSSOM", "DENSITIES", "MISSING", "SETTLED"]

#: The number of nodes of the page.
COUNT = "document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE, null).numberValue"

#: The rules of style sheets that scripts filled: a string for each ``style`` element without text, and one for the
#: sheets without an element.
CSSOM = """[...document.querySelectorAll('style')].map(element =>
  element.sheet && !element.textContent.trim() ? [...element.sheet.cssRules].map(rule => rule.cssText).join('\\n') : '')
  .concat([[...document.adoptedStyleSheets].map(sheet =>
    [...sheet.cssRules].map(rule => rule.cssText).join('\\n')).join('\\n')])"""

#: For each image, its pixels per CSS pixel: an image from a ``srcset`` has the density that is written there.
DENSITIES = """Promise.race([
  new Promise(done => setTimeout(() => done([]), 2000)),
  Promise.all([...document.images].map(async image => {
    if (!image.naturalWidth || !(image.srcset || image.closest("picture"))) return 1;
    const plain = new Image();
    plain.src = image.currentSrc;
    await plain.decode().catch(() => {});
    return plain.naturalWidth / image.naturalWidth || 1;
  }))])"""

# Wait for two frames.
_FRAMES = """new Promise(done => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  setTimeout(done, 500);
})"""

#: Whether the page is still at its address, after its fonts are loaded and two frames are drawn: browsers replace a
#: missing image by its alternative text a moment after the page is loaded.
SETTLED = f'document.fonts.ready.then(() => {_FRAMES}).then(() => location.protocol != "about:")'

#: Removes the alternatives of missing images. For a screenshot larger than the window, the browser chooses again from
#: each ``srcset``, and would load missing images again while the screenshot is taken.
MISSING = f"""(async () => {{
  const missing = [...document.images].filter(image => image.complete && !image.naturalWidth);
  for (const image of missing) {{
    image.closest("picture")?.querySelectorAll("source").forEach(source => source.remove());
    image.removeAttribute("srcset");
  }}
  await {_FRAMES};
  const again = missing.filter(image => !image.complete).map(image => new Promise(done => {{
    image.addEventListener("load", done);
    image.addEventListener("error", done);
  }}));
  await Promise.race([Promise.all(again), new Promise(done => setTimeout(done, 2000))]);
  await {_FRAMES};
}})()"""
