"""Kept blocks with their structure: one walk (`outline`), and what is written from it (`markdown`, `html`)."""
