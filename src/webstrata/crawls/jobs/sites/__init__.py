"""Sites learned from a crawl: the step that reads nodes of pages, the folds, and the sites."""
