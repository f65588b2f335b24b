"""Thin adapters to other people's frameworks, each in a module of its own that needs the framework it is named for.

None of them holds an algorithm. A module imports its framework when it is itself imported, because its classes are
subclasses of the framework's; where the framework is missing, the error names the extra that brings it.
"""
