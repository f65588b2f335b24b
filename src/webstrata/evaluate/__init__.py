"""Any algorithm on any data set, measured (seed 004 chapter 5).

A pipeline of files: what algorithms said (``outputs/<dataset>/<algorithm>.jsonl``, `webstrata.evaluate.runner`), how
good that is (``scores/<dataset>/<algorithm>.parquet``, `webstrata.evaluate.scoring`), and tables, plots and a report
(`webstrata.evaluate.report`). Each stage reads only the files of the one before, so that scoring again never runs
again.
"""
