# cython: language_level=3, embedsignature=False
"""Properties that are computed once."""

cdef extern from "Python.h":
    dict PyObject_GenericGetDict(object instance, void* context)


cdef class once:
    """A property that is computed when it is first asked for, and kept in the instance.

    As `functools.cached_property`, which before Python 3.12 takes a lock that all instances share: it costs more than
    what most properties compute, and threads would wait for each other. Native, since a page asks for a hundred.
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
