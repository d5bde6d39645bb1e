"""The command, run by itself in a shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

SCOREPAD = f"{sys.executable} -m scorepad"
BLIND = re.compile(
    r"Traceback|Qualcosa non ha funzionato|Something went wrong|Errno|(cli|json|machine|serve)\.[a-z]|%\("
)
"""What no sentence holds whose cause is known: that nothing is known, or a key in place of words."""


def shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line in which `scorepad` is the command, standing in a folder of the test's own."""
    script = f'set -o pipefail; scorepad() {{ {SCOREPAD} "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=as_people_have_it() | environment,
        capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def as_people_have_it() -> dict[str, str]:
    """The environment, but for what makes Python write at once: nobody at a terminal has set that."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """What is told of a command that cannot be used: one sentence, the cause known, and nothing else."""
    told = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b""), told
    assert told.count("\n") == 1, told
    assert not BLIND.search(told), told
    return told.rstrip("\n")
