"""Folds: the rows of one key become a model or a table."""
