"""The metrics, one file each: pure functions on plain data.

Every function takes the ground truth before the prediction. If both are empty the score is 1, if only one is empty
it is 0 (see :class:`Score`).
"""

from webstrata.evaluation.metrics.bcubed import extended_bcubed
from webstrata.evaluation.metrics.contingency import Contingency, contingency_table
from webstrata.evaluation.metrics.kappa import cohen_kappa
from webstrata.evaluation.metrics.labels import ClassScore, LabelScores, label_scores, roc_auc
from webstrata.evaluation.metrics.matching import exact_matching, fuzzy_matching
from webstrata.evaluation.metrics.nmi import normalised_mutual_information
from webstrata.evaluation.metrics.rand import adjusted_rand
from webstrata.evaluation.metrics.score import Score
from webstrata.evaluation.metrics.words import SnippetScore, snippets, tokens, word_score

__all__ = [
    "ClassScore",
    "Contingency",
    "LabelScores",
    "Score",
    "SnippetScore",
    "adjusted_rand",
    "cohen_kappa",
    "contingency_table",
    "exact_matching",
    "extended_bcubed",
    "fuzzy_matching",
    "label_scores",
    "normalised_mutual_information",
    "roc_auc",
    "snippets",
    "tokens",
    "word_score",
]
