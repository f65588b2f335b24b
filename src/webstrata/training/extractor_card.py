"""The card of a learned extractor: its training data, and its scores on pages outside of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.evaluation.metrics.words import characters_or_tokens, word_score
from webstrata.extraction.learned.extractor import keep_paragraphs
from webstrata.extraction.learned.model import PAGE_TYPES
from webstrata.page import parse
from webstrata.training.extractor import Trained
from webstrata.training.samples import SWITCHES, Sample, paragraph_texts

__all__ = ["PageScore", "out_of_fold", "write_card"]


@dataclass(frozen=True, slots=True)
class PageScore:
    """Agreement of one page's extracted words with the known content."""

    source: str
    page_type: str
    precision: float
    recall: float
    f: float


def out_of_fold(samples: Sequence[Sample], trained: Trained) -> list[PageScore]:
    """The scores of all samples, each by the model without its fold."""
    scores = []
    for sample in samples:
        texts = paragraph_texts(parse(sample.page.html), sample.features)
        source = sample.page.source
        kept = keep_paragraphs(trained.without[sample.fold], sample.features, **SWITCHES.get(source, {}))
        text = "\n".join(text for text, keep in zip(texts, kept, strict=True) if keep)
        score = word_score(sample.page.content, text, tokenise=characters_or_tokens)
        scores.append(PageScore(source, sample.page.page_type, score.precision, score.recall, score.f))
    return scores


def write_card(samples: Sequence[Sample], scores: Sequence[PageScore], *, made: int, credit: str) -> str:
    """The card as Markdown."""
    folds = sorted({sample.fold for sample in samples})
    sizes = ", ".join(str(sum(sample.fold == fold for sample in samples)) for fold in folds)
    lines = [
        "# Model card: learned main-content extractor",
        "",
        f"Data: {_sources(samples)}; and {made} pages that were made from them by augmentation. {credit}",
        "",
        f"Method: a linear model over words, then two passes of boosted trees over paragraphs. {len(folds)} folds by"
        f" host ({sizes} pages); each stage is trained on scores of models without the page's fold.",
        "",
        "Scores: words compared as bags, mean over pages, each page scored by the model without its fold.",
        "",
        "| pages | number | precision | recall | F1 |",
        "| --- | --- | --- | --- | --- |",
    ]
    for source in sorted({score.source for score in scores}):
        own = [score for score in scores if score.source == source]
        lines.append(_line(source, own))
        types = {score.page_type for score in own}
        if len(types) > 1:
            lines += [
                _line(f"{source}, {name}", [score for score in own if score.page_type == name])
                for name in PAGE_TYPES
                if name in types
            ]
    lines += [
        "",
        "Limits: the pages are mostly English, the words of classes and headings are learned from them, and content is"
        " what the annotators of this data marked.",
        "",
    ]
    return "\n".join(lines)


def _line(name: str, scores: Sequence[PageScore]) -> str:
    means = (np.mean([getattr(score, part) for score in scores]) for part in ("precision", "recall", "f"))
    return f"| {name} | {len(scores)} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def _sources(samples: Sequence[Sample]) -> str:
    """Each source with its number of pages and its weight, where that is not 1."""
    counts = Counter((sample.page.source, sample.page.weight) for sample in samples)
    return ", ".join(
        f"{source} ({count} pages{'' if weight == 1 else f' of weight {weight:g}'})"
        for (source, weight), count in counts.items()
    )
