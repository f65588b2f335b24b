"""The last stage: scores as tables, plots and pages. Nothing is run or scored again."""
