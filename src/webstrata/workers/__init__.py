"""Processes that can be killed at any moment and are limited in time and memory, and pools of them.

They need a POSIX system. Elsewhere the modules can be imported, and starting a process raises an error that says so.
"""
