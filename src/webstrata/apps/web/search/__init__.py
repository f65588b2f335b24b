"""The search view: results while the user types, facets from link topics, a choice of rankings, and explanations."""
