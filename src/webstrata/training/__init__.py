"""Models from labelled pages."""
