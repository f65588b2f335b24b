"""Any algorithm on any data set, measured (Kreuzer 2013 chapter 5).

The story, room by room:

- `datasets`: pages and what is true of them;
- `answers`: what algorithms say of the pages, in files (``outputs/<dataset>/<algorithm>.jsonl``);
- `metrics`: the measures of agreement, pure functions on plain data; `judge` puts an answer before them, and `scoring`
  makes rows of the results (``scores/<dataset>/<algorithm>.parquet``, read and written by `scores`);
- `reports`: rows as tables and plots, and floors under them;
- `papers`: the experiments of papers, with the printed figures beside ours.

Each stage reads only the files of the one before, so that scoring again never runs an algorithm again.
"""
