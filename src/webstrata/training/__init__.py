"""Training of the learned extractor and the learned segmenter from labelled pages, and their model cards."""
