"""Kept blocks as text, Markdown, clean HTML and TEI, with their structure (`content`)."""
