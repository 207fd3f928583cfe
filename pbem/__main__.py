"""`python -m pbem`: the same as the command."""

from pbem.cli.main import main

if __name__ == "__main__":
    main()
