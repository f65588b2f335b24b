"""Programs for people: the command line. No algorithm lives here."""
