"""Records from archives, folders, JSON lines and Parquet."""
