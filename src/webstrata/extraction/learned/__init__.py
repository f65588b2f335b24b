"""The learned extractor."""
