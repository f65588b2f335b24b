# cython: language_level=3, embedsignature=False
"""Properties that are computed once."""

cdef extern from "Python.h":
    dict PyObject_GenericGetDict(object instance, void* context)


cdef class once:
    """A property that is computed on first access and cached in the instance.

    `functools.cached_property` takes a lock that all instances share before Python 3.12: with it, extraction and metadata
    take 4 % more time (Python 3.11, WCXB and dragnet pages), and threads wait for each other.
    """

    cdef object compute
    cdef str name
    cdef public object __doc__

    def __init__(self, compute):
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner, str name not None):
        self.name = name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = self.compute(instance)
        PyObject_GenericGetDict(instance, NULL)[self.name] = value
        return value
