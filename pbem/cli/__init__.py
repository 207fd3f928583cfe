"""The command line."""


def main() -> None:
    """Run the command line."""
    from pbem.cli.main import main as run

    run()
