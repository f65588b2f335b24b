"""The recordings of the Kreuzer pages: their alignment with the source, and the costs of making and reading them.

    webstrata record kreuzer-random kreuzer-popular kreuzer-left-out
    python bench/rendering.py

Reads the data from WEBSTRATA_DATA, or ../shared/data beside the project.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from webstrata.errors import InputError, RenderError
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.locate import data_path
from webstrata.evaluation.datasets.recorder import PageVersion, page_versions
from webstrata.evaluation.datasets.recordings import recorded, recording_path
from webstrata.page import CLONED, IMPLIED, parse
from webstrata.rendering import RenderedPage, Renderer
from webstrata.segmentation import SEGMENTERS
from webstrata.workers.process_tree import descendants

TIMEOUT = 120.0


def versions(folder: Path) -> Iterator[PageVersion]:
    """Both inputs of all pages, also of those that the thesis left out; the archives are unpacked into the folder."""
    for name in ("kreuzer-random", "kreuzer-popular", "kreuzer-left-out"):
        yield from page_versions(find_dataset(name), folder / name)


def fit(items: list[PageVersion], console: Console) -> None:
    """How many elements have their box, how many lead back to the source, and how large recordings are."""
    table = Table("input", "pages", "elements", "aligned", "lead back", "boxes, KB", "all, KB")
    for name in ("html", "dom"):
        pages = elements = aligned = back = boxes = size = 0
        for item in items:
            path = recording_path(item.document)
            if item.name != name or not path.is_file():
                continue
            found = RenderedPage.load(path)
            rows = found.page.elements
            own = (rows.flags & (IMPLIED | CLONED)) == 0
            pages += 1
            elements += len(rows)
            aligned += int(own.sum())
            back += int((found.source_row >= 0).sum())
            size += path.stat().st_size
            with zipfile.ZipFile(path) as archive:
                boxes += sum(archive.getinfo(part).compress_size for part in ("boxes", "texts"))
        table.add_row(
            name, str(pages), f"{elements:,}", f"{aligned / max(elements, 1):.4%}", f"{back / max(elements, 1):.3%}",
            f"{boxes / 1000:,.0f}", f"{size / 1000:,.0f}",
        )  # fmt: skip
    console.print(table)


def cpu(pids: list[int]) -> dict[int, float]:
    """Seconds of processor time that each process has used so far."""
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # User and system time, with those of children that have ended.
        found[pid] = sum(int(field) for field in fields[11:15]) / tick
    return found


def browser_cost(items: list[PageVersion], tabs: int) -> tuple[float, float]:
    """Seconds of processor time and of the clock for a page, rendered and recorded."""
    with Renderer(tabs=tabs) as renderer, tempfile.TemporaryDirectory() as folder:
        renderer.render("<p>one", timeout=TIMEOUT)
        watchdog = descendants(os.getpid())
        before, own, started = cpu(watchdog), time.process_time(), time.perf_counter()
        peak = dict(before)
        futures = [item.submit(renderer, TIMEOUT) for item in items]
        for number, future in enumerate(futures):
            future.result().save(Path(folder) / f"{number}.rendered")
            # The process of a page ends with it, so its time is read while it runs.
            peak |= cpu(descendants(os.getpid()))
        used = sum(value - before.get(pid, 0.0) for pid, value in peak.items()) + time.process_time() - own
        return used / len(items), (time.perf_counter() - started) / len(items)


def segmenter_cost(items: list[PageVersion]) -> dict[str, list[float]]:
    """Milliseconds of processor time for each recorded page; the best of three."""
    found: dict[str, list[float]] = {"load": [], "vips": [], "webterrain": []}
    for item in items:
        started = time.process_time()
        page = recorded(item.document)
        found["load"].append(1000 * (time.process_time() - started))
        for name in ("vips", "webterrain"):
            segmenter = SEGMENTERS.make(name)
            times = []
            for _ in range(3):
                started = time.process_time()
                segmenter(page)  # type: ignore[arg-type]
                times.append(1000 * (time.process_time() - started))
            found[name].append(min(times))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=30, help="pages for the cost of the browser (default: 30)")
    options = parser.parse_args()
    try:
        data_path("kreuzer")
    except InputError as error:
        parser.exit(0, f"{error}\n")
    console = Console(width=150)
    with tempfile.TemporaryDirectory() as folder:
        items = list(versions(Path(folder)))
        fit(items, console)
        doms = [item for item in items if item.name == "dom" and recording_path(item.document).is_file()]
        table = Table("", "mean", "median", "90 %")
        for name, values in segmenter_cost(doms).items():
            table.add_row(f"{name}, ms of processor time a page", *(f"{x:.1f}" for x in
                          (np.mean(values), np.median(values), np.quantile(values, 0.9))))  # fmt: skip
        console.print(table)
        sample = random.Random(14).sample(doms, min(options.pages, len(doms)))
        table = Table("render and record", "s of processor time a page", "s a page")
        for tabs in (1, 2):
            used, wall = browser_cost(sample, tabs)
            table.add_row(f"{tabs} tab{'s' * (tabs > 1)}", f"{used:.2f}", f"{wall:.2f}")
        console.print(table)
        markers(items, sample, console)


def markers(items: list[PageVersion], sample: list[PageVersion], console: Console) -> None:
    """Of the elements of the original source that the browser shows, how many are found again, scripts off and on."""
    names = {item.page for item in sample}
    originals = [item for item in items if item.name == "html" and item.page in names]
    table = Table("scripts", "elements", "lead back", "elements of the source", "found again")
    with Renderer(tabs=2) as renderer:
        for scripts in (False, True):
            shown = back = source = again = 0
            futures = [
                renderer.submit(str(item.path), folder=item.folder, timeout=TIMEOUT, scripts=scripts)
                for item in originals
            ]
            for item, future in zip(originals, futures, strict=True):
                try:
                    found = future.result()
                except RenderError as error:
                    print(error)
                    continue
                own = (parse(Path(str(item.path)).read_bytes()).elements.flags & (IMPLIED | CLONED)) == 0
                shown += len(found.source_row)
                back += int((found.source_row >= 0).sum())
                source += int(own.sum())
                again += int(own[np.unique(found.source_row[found.source_row >= 0])].sum())
            table.add_row("on" if scripts else "off", f"{shown:,}", f"{back / max(shown, 1):.2%}", f"{source:,}",
                          f"{again / max(source, 1):.2%}")  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main()
