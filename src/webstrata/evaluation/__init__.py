"""Evaluation of any algorithm on any data set (Kreuzer 2013 chapter 5).

- `datasets`: pages with gold data;
- `answers`: runs algorithms, and writes their answers to files (``outputs/<dataset>/<algorithm>.jsonl``);
- `metrics`: the metrics, pure functions on plain data; `measures` lists them by name, `judge` prepares gold data and
  answers for them, and `scoring` writes the results as rows (``scores/<dataset>/<algorithm>.parquet``, see `scores`);
- `reports`: tables and plots of the rows, and floors;
- `papers`: the experiments of papers, with the printed figures beside ours.

Each stage reads only the files of the one before, so that scoring again never runs an algorithm.
"""
