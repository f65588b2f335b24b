"""Readers of data sets with ground truth. The data itself is not part of the project."""
