"""Sites learned from a crawl: the step that reads the nodes of pages, the folds, and the job that runs them."""
