"""From the command to the first answer, against importing the libraries that were loaded by then,
and answering.
"""

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.bench.conftest import Bench

LOADED = """
import sys
from pathlib import Path
from scorepad.app import Config, create_app
from waitress import create_server
app = create_app(Config(Path({data!r}), b"k" * 32))
assert app.test_client().get("/").status_code == 200
print(*(name for name in list(sys.modules) if not name.startswith(("scorepad", "_", "sitecustomize"))))
"""
BARE = """
import importlib
for name in {libraries!r}:
    importlib.import_module(name)
from flask import Flask
from waitress import serve
app = Flask("bare")
app.get("/")(lambda: "hello")
serve(app, host="127.0.0.1", port={port})
"""
LONGEST_WAIT = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def first_answer(command: list[str], port: int) -> None:
    """Start it, ask until it answers, stop it."""
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                    assert answer.status == 200
                    return
            except OSError:
                time.sleep(0.005)
        pytest.fail("no answer")
    finally:
        server.terminate()
        server.wait()


def libraries(folder: Path) -> list[str]:
    """Every module that is not ours and is loaded by the first answer."""
    code = LOADED.format(data=str(folder / "loaded.db"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.bench
def test_start_to_first_answer(bench: Bench, tmp_path: Path) -> None:
    data = str(tmp_path / "pad.db")
    loaded = libraries(tmp_path)
    assert {"flask", "pydantic", "sqlite_utils", "waitress"} <= set(loaded)
    assert "weasyprint" not in loaded

    def ours() -> None:
        port = free_port()
        first_answer(["-m", "scorepad", "serve", "--port", str(port), "--data", data], port)

    def floor() -> None:
        port = free_port()
        first_answer(["-c", BARE.format(libraries=loaded, port=port)], port)

    bench.compare("start to first answer", ours, floor, "2.2")
