"""The command line: verbs, each in its own file, each importing what it needs when it is used."""

from __future__ import annotations

import sys


def main() -> None:
    """Run ``trope``; a user's error ends without a traceback and with a non-zero exit code."""
    from trope.cli.app import app
    from trope.errors import TropeError

    try:
        app()
    except TropeError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
