"""The console script `fairdeal`."""

import sys


def main() -> None:
    """Run the command line; say plainly what to install when its libraries are missing."""
    try:
        from fairdeal_cli.app import app
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f"error  The command line needs {missing.name}, which is not installed\n"
            "next   pip install 'fairdeal[cli,embedded]'\n"
        )
        sys.exit(2)
    app()
