"""The data-set builder (Kreuzer 2013 §4.2.3): people mark the segments of pages, and the data set is a folder of files.

A human is just another segmenter: what is marked is a `Segmentation`, and every file of the folder is one that
``webstrata evaluate --dataset FOLDER`` reads.
"""
