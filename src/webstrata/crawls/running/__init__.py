"""Jobs: records through a guarded step into shards, on local processes or on Spark."""
