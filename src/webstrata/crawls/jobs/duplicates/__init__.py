"""Near-duplicates of a crawl: the step that computes signatures, the fold that joins bands, and the clusters."""
