"""The figures printed in Kohlschütter 2011. None is a number that its table does not have."""

from __future__ import annotations

__all__ = ["FIGURE_4_21", "FITS", "TABLE_4_8", "TABLE_4_9"]

#: The fits of chapter 4: R², RMSE and parameters, by the names of our reports.
FITS: dict[str, tuple[float | None, float | None, str]] = {
    "token length": (0.9335, 0.00002, "a 0.51, C 4.096e-5, d -1"),
    "text density": (0.9654, 0.0154, "a 7.5e-7, C 2.79e4, d -1"),
    "density over length": (0.97, 0.0029, "a 0.024, C 0.712, d -0.98"),
    "two betas": (None, None, "unsatisfactory: weights 0.65 and 0.55"),
    "three betas": (0.944, 0.0031, "(64.08, 147.9), (2.596, 32.33), (10.7, 30.45), x_norm 36"),
    "two betas and a normal": (0.998, 0.0021, "(68.03, 132.5), (4.034, 54.49), x_norm 36, d 0.64"),
    "token length, one beta": (0.9876, 0.003, "(40.53, 2612), x_norm 358"),
    "document frequency ratio": (0.9468, 0.0034, "C 0.01, a 0.39"),
    "full stop, with full stop": (0.94, 0.014, "(30.15, 61.54)"),
    "full stop, without": (0.91, 0.015, "(1.394, 10.75)"),
    "segment frequency": (0.9329, 14.2665, "a 0.7408"),
    "templates": (0.9966, 0.0026, "(106.6, 162.6), (5.348, 64.35), x_norm 31, d 0.4821"),
    "length of sentences": (0.996, 8.87e-4, "(1.926, 6.356), x_norm 79, on the Brown Corpus"),
}

#: Table 4.8: blocks, words and tokens of each class.
TABLE_4_8: dict[str, tuple[int | str, ...]] = {
    "total": (72662, 520483, 644021),
    "boilerplate": ("79%", "35%", "46%"),
    "any content": ("21%", "65%", "54%"),
    "headline": ("1%", "1%", "1%"),
    "full text": ("12%", "51%", "42%"),
    "supplemental": ("3%", "3%", "2%"),
    "related content": ("4%", "9%", "8%"),
    "user comments": ("1%", "1%", "1%"),
}


def _row(*numbers: float | None) -> dict[str, tuple[float | None, ...]]:
    """A row of table 4.9: precision, recall, F1, false-positive rate, AUC and leaves, each for two and four classes."""
    return {"two": numbers[::2], "four": numbers[1::2]}


#: Table 4.9: the rows by name.
TABLE_4_9 = {
    "ZeroR": _row(40.7, None, 63.8, None, 49.7, None, 63.8, 59.2, 49.0, 48.9, None, None),
    "Only Avg. Sentence Length": _row(78.5, 72.4, 67.9, 66.6, 68.0, 65.2, 21.4, 22.3, 73.3, 72.1, 2, 4),
    "C4.8 Element Frequency (P/C/N)": _row(77.7, 70.9, 76.2, 73.2, 73.8, 69.8, 38.3, 34.7, 70.9, 69.8, 9, 4),
    "Only Avg. Word Length": _row(80.2, 77.4, 77.0, 74.8, 77.5, 73.5, 19.5, 20.0, 78.8, 77.4, 2, 178),
    "Only Number of Words": _row(86.7, 80.9, 86.7, 84.9, 86.7, 82.8, 15.5, 15.5, 85.6, 84.7, 2, 2),
    "Only Link Density": _row(88.5, 81.7, 87.8, 83.8, 87.4, 81.4, 19.2, 22.5, 84.3, 80.7, 16, 2),
    "1R over all features": _row(87.8, 81.4, 87.9, 85.4, 87.9, 83.4, 14.3, 15.3, 86.8, 85.0, 2, 2),
    "C4.8 Link Density (P/C/N)": _row(91.1, 83.7, 91.1, 87.4, 91.0, 85.4, 12.1, 14.3, 94.2, 90.8, 37, 32),
    "C4.8 Number of Words (P/C/N)": _row(91.1, 87.6, 90.8, 89.3, 90.9, 87.6, 8.9, 1.0, 94.7, 94.6, 40, 48),
    "C4.8 All Local Features (C)": _row(92.9, 88.7, 92.9, 89.9, 92.9, 88.7, 8.7, 10.6, 96.6, 95.7, 102, 72),
    "C4.8 NumWords + LinkDensity, simplified": _row(92.2, 84.8, 92.2, 88.9, 92.2, 86.8, 10.1, 12.1, 95.7, 93.3, 8, 7),
    "C4.8 Text + LinkDensity, simplified": _row(92.4, 84.7, 92.4, 88.8, 92.4, 86.7, 8.5, 11.4, 96.9, 93.2, 8, 12),
    "C4.8 All Local Features (C) + TDQ": _row(92.9, 89.2, 93.0, 90.3, 92.9, 89.1, 8.3, 9.4, 97.2, 96.1, 109, 78),
    "C4.8 Text+Link Density (P/C/N)": _row(93.9, 89.3, 93.8, 91.0, 93.9, 89.5, 6.7, 8.4, 97.6, 96.1, 51, 45),
    "C4.8 All Local Features (P/C/N)": _row(95.0, 91.3, 95.0, 92.4, 95.0, 91.4, 5.5, 7.1, 98.1, 96.7, 105, 98),
    "C4.8 All Local Features + Global Freq.": _row(95.1, 91.5, 95.0, 92.5, 95.1, 91.6, 5.4, 6.8, 98.0, 96.9, 99, 125),
    "SMO All Local Features + Global Freq.": _row(95.3, 92.4, 95.3, 93.2, 95.3, 91.9, 5.4, 6.8, 95.0, 94.0, None, None),
}


#: Quotations about figure 4.21, whose curves are a picture only.
FIGURE_4_21 = {
    "L3S-GN1": {
        "keep-all": "mean 0.685 (0.9593 is 40% more)",
        "min-words": "mean 0.811 (18.3% over keep-all)",
        "numwords": "mean 0.913 (33.3% over keep-all)",
        "bte": "on par with both trees: better median, worse mean",
        "densitometric+main-content": "mean 0.959 for the better of the two trees",
        "numwords+main-content": "mean 0.959 for the better of the two trees",
    },
    "CleanEval": {
        "keep-all": "only marginally worse than bte",
        "bte": "apparently best",
        "min-words": "like numwords",
        "numwords": "like min-words",
        "numwords+largest-content": "much worse than keep-all",
        "densitometric+largest-content": "much worse than keep-all",
        "numwords+main-content": "much worse than keep-all",
        "densitometric+main-content": "much worse than keep-all",
    },
}
