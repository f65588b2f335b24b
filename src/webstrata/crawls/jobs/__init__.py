"""One job a module: its step, its folds, and how its rows are read."""
