"""What `scorepad serve` warns of when it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorepad.app import STORAGE, Config, create_app, key_path, signing_key
from tests.web.client import Client
from tests.web.playing import start

pytestmark = pytest.mark.long


def warnings_of_a_start(data: Path) -> str:
    """What a server says on standard error until it listens and is told to end."""
    command = [sys.executable, "-m", "scorepad", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.terminate()
        return server.communicate(timeout=20)[1]


def test_files_that_others_can_read_are_named_with_the_command_that_protects_them(
    tmp_path: Path,
) -> None:
    data = tmp_path / "x.db"
    assert warnings_of_a_start(data) == ""
    for each in (data, key_path(data)):
        assert each.stat().st_mode & 0o777 == 0o600
        each.chmod(0o666)
    lines = warnings_of_a_start(data).splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        f"chmod 600 {data}",
        f"chmod 600 {data}.key",
    ]


def test_a_signing_key_that_was_lost_is_told_where_phones_are_in_a_match(tmp_path: Path) -> None:
    data = tmp_path / "x.db"
    app = create_app(Config(data, signing_key(data)))
    start(Client(app))
    app.extensions[STORAGE].close()
    key_path(data).unlink()
    assert f"mancava la chiave {key_path(data)}" in warnings_of_a_start(data)
