"""Near-duplicates of a crawl: the step that signs pages, the fold that joins bands, and the clusters."""
