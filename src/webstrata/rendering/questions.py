"""What a page is asked in the browser, in JavaScript."""

from __future__ import annotations

__all__ = ["COUNT", "CSSOM", "DENSITIES", "MISSING", "SETTLED"]

#: How many nodes it has.
COUNT = "document.evaluate('count(//node())', document, null, XPathResult.NUMBER_TYPE, null).numberValue"

#: The rules of style sheets that scripts filled: a string for each ``style`` element without text, and
#: one for those that belong to no element.
CSSOM = """[...document.querySelectorAll('style')].map(element =>
  element.sheet && !element.textContent.trim() ? [...element.sheet.cssRules].map(rule => rule.cssText).join('\\n') : '')
  .concat([[...document.adoptedStyleSheets].map(sheet =>
    [...sheet.cssRules].map(rule => rule.cssText).join('\\n')).join('\\n')])"""

#: For each of its images, how many pixels of it make one of the page: one that was chosen from a ``srcset`` is as large
#: as it says there.
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

#: Whether it is still where it was, asked once its fonts are there and two frames are drawn: browsers put the text of
#: an image that is missing in its place a moment after the page is loaded.
SETTLED = f'document.fonts.ready.then(() => {_FRAMES}).then(() => location.protocol != "about:")'

#: Takes from the missing images the choice of another. A picture of more than the window makes the browser choose again
#: among the images of a ``srcset``, and load those that are missing once more, while the picture is taken.
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
