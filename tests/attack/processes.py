"""What a process of this machine takes of memory and of the processor, as /proc tells it."""

import os
import re
from contextlib import suppress
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that run now."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text("ascii").split())
    return found


def status_of(pid: int, name: str) -> float:
    """A figure of /proc/PID/status in MB; 0 once the process has ended."""
    try:
        text = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(rf"{name}:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def resident(pid: int) -> float:
    """MB of a process and its children now."""
    return sum(status_of(each, "VmRSS") for each in (pid, *children_of(pid)))


def processor_of(pid: int) -> float:
    """Processor seconds of a process and of its children that have ended; 0 once it has ended
    itself.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii")
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK
