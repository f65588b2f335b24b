"""The command line, the web page, and HTML reports. They contain no algorithms."""
