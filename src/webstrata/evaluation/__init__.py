"""Any algorithm on any data set, measured (Kreuzer 2013 chapter 5).

A pipeline of files: what algorithms said (``outputs/<dataset>/<algorithm>.jsonl``,
`webstrata.evaluation.answers.runner`), how good that is (``scores/<dataset>/<algorithm>.parquet``,
`webstrata.evaluation.metrics.scoring`), and tables, plots and a report (`webstrata.evaluation.reports.report`). Each
stage reads only the files of the one before, so that scoring again never runs again.
"""
