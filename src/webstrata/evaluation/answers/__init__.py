"""The first stage: every algorithm is asked about every page, and what it said is written down."""
