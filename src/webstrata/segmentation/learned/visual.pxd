# cython: language_level=3
"""The visual features of a candidate, on a rendered page."""
