"""The command line in this process: what `tests.conftest.trope` does, without the second that a new one takes."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from trope.cli import main


def trope_here(*arguments: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run ``trope`` with these arguments in a folder."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    command = ["trope", *arguments]
    with contextlib.chdir(cwd), patch.object(sys, "argv", command):
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
    done = subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())
    if check and code:
        raise AssertionError(f"trope {' '.join(arguments)} ended {code}:\n{done.stdout}\n{done.stderr}")
    return done
