"""``python -m webstrata`` is the command line."""

from webstrata.apps.cli import main

if __name__ == "__main__":
    main()
