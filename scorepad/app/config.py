"""What the application is made with: explicit, never found by where the program happens to stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """What the application is told.

    `data` is the file of the matches, `key` what cookies are signed with; `allowed_hosts` are further names of this
    machine, `listens` is the host that the server listens on. `proxies`: how many stand before the server and are
    believed where a request comes from, whether by https, and under which name. `limited`: whoever asks too much in too
    short a time is refused. `testing` lets our own mistakes through to the test.
    """

    data: Path
    key: bytes
    allowed_hosts: tuple[str, ...] = ()
    listens: str = "127.0.0.1"
    proxies: int = 0
    limited: bool = True
    testing: bool = False
