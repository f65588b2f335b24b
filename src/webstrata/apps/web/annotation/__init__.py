"""The annotator (Kreuzer 2013 §4.2.3): people mark the segments of pages, and the data set is a folder of files.

A person is just another segmenter: marks become a `Segmentation`, and ``webstrata evaluate --dataset FOLDER`` reads the
folder.
"""
