# cython: language_level=3
"""What the learned segmenter sees of each candidate on a page that a browser has laid out."""
