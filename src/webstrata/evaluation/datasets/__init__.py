"""Data sets with ground truth, one module each. The files are not part of the project."""
