"""Readers of data sets with ground truth, one file each. The data itself is no part of the package: see `locate`."""
