"""Check that every link inside the built documentation site has an existing target file and anchor.

External links are only counted. Usage: ``python tools/check_site.py
out/site``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import webstrata


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    pages = {path: webstrata.parse(path.read_bytes(), encoding="utf-8") for path in sorted(folder.rglob("*.html"))}
    anchors = {
        path: {value for element in page.elements for key in ("id", "name") if (value := element.attributes.get(key))}
        for path, page in pages.items()
    }
    inside, outside, broken = 0, 0, []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # it is served at any URL, and its links are absolute
        for element in page.elements:
            for reference in (element.attributes.get(key) for key in ("href", "src")):
                target = urlsplit(reference or "")
                if reference is None or target.scheme or target.netloc:
                    outside += reference is not None
                    continue
                inside += 1
                file = (path.parent / unquote(target.path)).resolve() if target.path else path
                file = file / "index.html" if file.is_dir() else file
                anchor = unquote(target.fragment)
                if not file.exists() or (anchor and file in anchors and anchor not in anchors[file]):
                    broken.append(f"{path.relative_to(folder)}: {reference}")
    print(f"{len(pages)} pages, {inside} links inside the site, {outside} to elsewhere, {len(broken)} broken")
    for line in broken:
        print(line)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
