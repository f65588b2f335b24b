"""Measuring algorithms against ground truth: datasets, metrics, runner, report."""
