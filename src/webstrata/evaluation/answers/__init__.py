"""The first stage: algorithms, the worker processes that run them, and the files of their answers."""
