"""The figures printed in Kreuzer 2013: tables 7.1 to 7.8 and 8.1."""

from __future__ import annotations

__all__ = ["ANOVA", "TABLES", "Figures"]

#: Precision, recall, F, retrieved, hits and relevant blocks.
Figures = tuple[float, float, float, float, float, float]

#: For each data set, input and metric: the figures of each algorithm.
TABLES: dict[tuple[str, str, str], dict[str, Figures]] = {
    ("kreuzer-random", "html", "exact-thesis"): {
        "BlockFusion": (0.03, 0.06, 0.04, 25.99, 0.77, 12.24),
        "PageSegmenter": (0.11, 0.27, 0.14, 46.96, 2.97, 12.24),
        "VIPS": (0.07, 0.06, 0.06, 7.42, 0.91, 12.24),
        "WebTerrain": (0.25, 0.22, 0.21, 10.9, 2.23, 12.24),
    },
    ("kreuzer-random", "html", "fuzzy-thesis"): {
        "BlockFusion": (0.06, 0.11, 0.07, 25.99, 1.51, 12.24),
        "PageSegmenter": (0.19, 0.45, 0.24, 46.96, 5.24, 12.24),
        "VIPS": (0.28, 0.16, 0.17, 7.42, 1.99, 12.24),
        "WebTerrain": (0.48, 0.43, 0.42, 10.9, 4.5, 12.24),
    },
    ("kreuzer-random", "dom", "exact-thesis"): {
        "BlockFusion": (0.08, 0.14, 0.09, 30.96, 1.79, 12.24),
        "PageSegmenter": (0.11, 0.39, 0.16, 65.04, 4.47, 12.24),
        "VIPS": (0.36, 0.21, 0.24, 9.24, 2.73, 12.24),
        "WebTerrain": (0.34, 0.29, 0.29, 10.58, 3.04, 12.24),
    },
    ("kreuzer-random", "dom", "fuzzy-thesis"): {
        "BlockFusion": (0.1, 0.17, 0.12, 30.96, 2.35, 12.24),
        "PageSegmenter": (0.15, 0.51, 0.2, 65.04, 6.12, 12.24),
        "VIPS": (0.51, 0.26, 0.3, 9.24, 3.33, 12.24),
        "WebTerrain": (0.57, 0.49, 0.49, 10.58, 5.33, 12.24),
    },
    ("kreuzer-popular", "html", "exact-thesis"): {
        "BlockFusion": (0.03, 0.06, 0.03, 72.85, 1.07, 16.15),
        "PageSegmenter": (0.05, 0.24, 0.08, 124.43, 4.05, 16.22),
        "VIPS": (0.07, 0.09, 0.07, 16.72, 1.17, 16.11),
        "WebTerrain": (0.18, 0.17, 0.16, 13.86, 2.19, 16.09),
    },
    ("kreuzer-popular", "html", "fuzzy-thesis"): {
        "BlockFusion": (0.05, 0.12, 0.06, 72.85, 2.07, 16.15),
        "PageSegmenter": (0.09, 0.42, 0.13, 124.43, 6.74, 16.22),
        "VIPS": (0.13, 0.15, 0.12, 16.72, 2.23, 16.11),
        "WebTerrain": (0.37, 0.35, 0.33, 13.86, 4.81, 16.09),
    },
    ("kreuzer-popular", "dom", "exact-thesis"): {
        "BlockFusion": (0.03, 0.08, 0.04, 81.75, 1.34, 16.15),
        "PageSegmenter": (0.05, 0.27, 0.07, 163.71, 4.56, 16.3),
        "VIPS": (0.13, 0.14, 0.12, 19.51, 2.25, 16.11),
        "WebTerrain": (0.27, 0.28, 0.26, 14.75, 3.77, 16.09),
    },
    ("kreuzer-popular", "dom", "fuzzy-thesis"): {
        "BlockFusion": (0.04, 0.12, 0.06, 81.75, 2.13, 16.15),
        "PageSegmenter": (0.07, 0.41, 0.11, 164.0, 6.68, 16.22),
        "VIPS": (0.19, 0.21, 0.17, 19.51, 3.29, 16.11),
        "WebTerrain": (0.47, 0.46, 0.42, 14.74, 6.43, 16.09),
    },
}

#: Table 8.1: degrees of freedom, sum of squares, mean square, F; p where it is not below 2e-16.
ANOVA: dict[str, tuple[int, float, float, float | None, float | None]] = {
    "algorithm": (3, 20.59, 6.864, 319.416, 2e-16),
    "html": (1, 1.58, 1.581, 73.569, 2e-16),
    "dataset": (1, 2.28, 2.280, 106.119, 2e-16),
    "metric": (1, 4.44, 4.438, 206.536, 2e-16),
    "algorithm:html": (3, 1.26, 0.419, 19.505, 1.74e-12),
    "algorithm:dataset": (3, 0.24, 0.080, 3.731, 0.0108),
    "algorithm:metric": (3, 2.19, 0.730, 33.983, 2e-16),
    "html:dataset": (1, 0.17, 0.172, 8.006, 0.0047),
    "html:metric": (1, 0.05, 0.052, 2.401, 0.1214),
    "dataset:metric": (1, 0.10, 0.096, 4.468, 0.0346),
    "Residuals": (2298, 49.38, 0.021, None, None),
}
