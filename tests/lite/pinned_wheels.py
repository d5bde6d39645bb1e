"""The wheels of `scorepad lite`, pinned: each with the version that `requirements.txt` of the
checkout locks, and the digest of the wheel for the browser.

Run as a program with the wheels that the site needs, this module prints their requirements file:
`python -m tests.lite.pinned_wheels > /tmp/wheels.txt`. It takes the names from the file that is
there, so a line with a name alone adds a package.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from scorepad.lite import pieces

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK = CHECKOUT / "requirements.txt"
HEAD = """\
# The wheels of the site of `scorepad lite`: the packages that the application needs in a browser, in the versions of
# requirements.txt of the checkout, without what no page imports there. To make this file anew after that one:
#    python -m tests.lite.pinned_wheels > /tmp/wheels.txt && mv /tmp/wheels.txt scorepad/lite/requirements.txt
"""


def read_names(requirements: Path) -> list[str]:
    """The names of the packages of a requirements file."""
    return re.findall(r"^[a-z0-9-]+", requirements.read_text("utf-8"), re.MULTILINE)


def read_lock(lock: Path = LOCK) -> dict[str, str]:
    """The lines of a lock by package, each with all digests in one line."""
    text = lock.read_text("utf-8").replace("\\\n", "")
    lines = {}
    for line in text.splitlines():
        found = re.match(r"[a-z0-9-]+(?===)", line)
        if found:
            lines[found[0]] = line
    return lines


def write_requirements() -> str:
    """The requirements file of the site, with the digests of the wheels that pip takes."""
    lock = read_lock()
    names = read_names(pieces.WHEELS)
    lines = [HEAD]
    with TemporaryDirectory() as folder:
        locked = Path(folder, "locked.txt")
        locked.write_text("\n".join(lock[name] for name in names), "utf-8")
        pieces._download_wheels(Path(folder), locked, pieces._BROWSER)
        for requirement in pieces._read_requirements(locked):
            wheel = pieces._find_wheel(Path(folder), requirement)
            digest = sha256(wheel.read_bytes()).hexdigest()
            pinned = f"{requirement.name}=={requirement.version}"
            lines.append(f"{pinned} \\\n    --hash=sha256:{digest}\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.stdout.write(write_requirements())
