# cython: language_level=3
"""Attributes of start tags, one by one (`next_attribute`) or by name."""

from webstrata._scan.characters cimport is_letter, is_space, same_name
from webstrata._scan.scan cimport next_attribute
from webstrata._scan.tokenizer cimport Attribute

cpdef attribute(bytes source, Py_ssize_t start, Py_ssize_t stop, bytes name)
cpdef list some_attributes(bytes source, Py_ssize_t start, Py_ssize_t stop, tuple names)
