"""Statistics of web text: histograms of density, words and token length, and the distributions that fit them."""

from webstrata.statistics.blocks import Geometric, NegativeHypergeometric, TwoGeometrics
from webstrata.statistics.densities import OneBeta, ThreeBetas, TwoBetas, TwoBetasAndNormal
from webstrata.statistics.fitting import Fit, fit_model
from webstrata.statistics.goodness import Goodness
from webstrata.statistics.ranks import Lavalette, MenzerathAltmann, Zipf
from webstrata.statistics.surveys import Survey, survey

__all__ = [
    "Fit",
    "Geometric",
    "Goodness",
    "Lavalette",
    "MenzerathAltmann",
    "NegativeHypergeometric",
    "OneBeta",
    "Survey",
    "ThreeBetas",
    "TwoBetas",
    "TwoBetasAndNormal",
    "TwoGeometrics",
    "Zipf",
    "fit_model",
    "survey",
]
