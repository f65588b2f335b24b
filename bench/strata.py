"""The fits of Kohlschütter 2011 §4.3 and §4.4.4 on several collections, beside the printed ones, as one table.

L3S-GN1 is the thesis's own collection and has classes by hand; folders of HTML are counted without classes. Figures
4.13 to 4.17 and 4.23 to 4.26 of each go to ``--output``.

    python bench/strata.py l3s-gn1 wcxb wpcd/ python3.11-doc/ --limit 1000 --output out/strata
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from pages import html_of
from webstrata.apps.statistics_report import write_statistics
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.l3s_gn1 import CLASSES
from webstrata.page import Page, parse
from webstrata.statistics.analyses import cut_off, density_against_words, full_stop, strata, token_lengths, writer
from webstrata.statistics.surveys import PageSurvey, Survey, survey_page

#: The printed figures, for its own collection (§4.4.4) or for Webspam-UK2007 (§4.3) where marked.
PRINTED = {
    "geometric P_T(N)": "0.3145",
    "its adjusted R²": "0.967",
    "mixture P_N(S)": "0.7586",
    "mixture P_S(N)": "0.3968",
    "mixture P_L(N)": "0.04369",
    "its adjusted R² ": "0.988",
    "two betas and a normal R²": "0.997",
    "words of units of 11 words": "345,175",
    "words of a density of 11": "358,428",
    "words in full-stop units": "69 % (Webspam)",
    "information gain of density, bits": "0.711 (Webspam)",
    "accuracy of a threshold": "91.4 % (Webspam)",
    "removed by the cut-off": "23 % (Webspam)",
    "of repeated texts, removed": "84 % (Webspam)",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="+", help="l3s-gn1, wcxb, or a folder of HTML")
    parser.add_argument("--limit", type=int, default=1000, help="pages of a collection, of folders at random")
    parser.add_argument("--output", type=Path, help="folder for a report on each collection")
    arguments = parser.parse_args()
    columns = {"thesis": PRINTED}
    for name in arguments.collections:
        survey = Survey.of(pages_of(name, arguments.limit))
        columns[short(name)] = answers(survey)
        if arguments.output is not None:
            write_statistics(arguments.output / short(name), survey, source=short(name))
        print(f"{short(name)}: {survey.documents:,} documents, {survey.tokens:,} words", flush=True)
    print(f"| {' | '.join(['', *columns])} |")
    print("|" + " --- |" * (len(columns) + 1))
    for row in answers(Survey.of([])):
        print(f"| {' | '.join([row.strip(), *(column.get(row, '') for column in columns.values())])} |")


def short(name: str) -> str:
    return Path(name).name


def pages_of(name: str, limit: int) -> Iterator[PageSurvey]:
    """The counts of the pages of a collection, one after the other."""
    if name == "l3s-gn1":
        for item in find_dataset(name).items(limit):
            assert item.gold.labels is not None
            classes = [CLASSES[label] for label in item.gold.labels.tolist()]
            yield survey_page(item.inputs["html"].page(), classes=classes)
        return
    yield from map(survey_page, _pages(name, limit))


def _pages(name: str, limit: int) -> Iterator[Page]:
    if name == "wcxb":
        yield from map(parse, html_of(name, limit))
        return
    files = sorted(path for path in Path(name).rglob("*.htm*") if path.is_file())
    for path in sorted(random.Random(1).sample(files, min(limit, len(files)))):
        yield parse(path.read_bytes())


def answers(survey: Survey) -> dict[str, str]:
    """The rows of the table."""
    text, dense, stop, cut = writer(survey), strata(survey), full_stop(survey), cut_off(survey)
    one, two = text.one, text.two
    best = dense.fits["two betas and a normal"]
    by_words, by_density = density_against_words(survey)
    stopped = int(stop.with_stop.sum()) / max(1, survey.tokens)
    return {
        "geometric P_T(N)": f"{one.model.p:.4f}" if one else "",
        "its adjusted R²": f"{one.goodness.adjusted_r2:.3f}" if one else "",
        "mixture P_N(S)": f"{two.model.short:.4f}" if two else "",
        "mixture P_S(N)": f"{two.model.p_short:.4f}" if two else "",
        "mixture P_L(N)": f"{two.model.p_long:.5f}" if two else "",
        "its adjusted R² ": f"{two.goodness.adjusted_r2:.3f}" if two else "",
        "two betas and a normal R²": f"{best.goodness.r2:.3f}" if best else "",
        "two strata by AIC": "yes" if dense.two else "no",
        "boundary": "" if dense.boundary is None else f"{dense.boundary:.1f}",
        "words below it": f"{dense.below / max(1, dense.below + dense.above):.1%}",
        "words of units of 11 words": f"{by_words:,}",
        "words of a density of 11": f"{by_density:,}",
        "words in full-stop units": f"{stopped:.1%}",
        "information gain of density, bits": f"{stop.gain:.3f}",
        "accuracy of a threshold": f"{stop.accuracy:.1%} from {stop.threshold} on",
        "mean length of a word": f"{token_lengths(survey)[0]:.2f}",
        "removed by the cut-off": f"{cut.sparse / max(1, cut.tokens):.1%}",
        "of repeated texts, removed": f"{cut.both / max(1, cut.frequent):.1%}",
    }


if __name__ == "__main__":
    main()
