"""Thin adapters to other frameworks, each in a module named after its framework.

They contain no algorithms. A module imports its framework at the top, because its classes are subclasses of the
framework's; if the framework is missing, the error names the extra to install.
"""
