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

# Answers the first request, and prints the names of all modules but scorepad's and hidden ones.
PRINT_LOADED_LIBRARIES = """
import sys
from pathlib import Path
from scorepad.app import Config, create_app
from waitress import create_server
app = create_app(Config(Path({data!r}), b"k" * 32))
assert app.test_client().get("/").status_code == 200
print(*(name for name in list(sys.modules) if not name.startswith(("scorepad", "_", "sitecustomize"))))
"""
# Imports the same modules, and answers "hello" by Flask and Waitress alone.
BARE_SERVER = """
import importlib
for name in {libraries!r}:
    importlib.import_module(name)
from flask import Flask
from waitress import serve
app = Flask("bare")
app.get("/")(lambda: "hello")
serve(app, host="127.0.0.1", port={port})
"""


def free_port() -> int:
    """Find a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_and_get_first_answer(command: list[str], port: int) -> None:
    """Start a server, ask it until it answers, for at most 30 seconds, and stop it."""
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
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


def list_loaded_libraries(folder: Path) -> list[str]:
    """List the modules of other libraries that scorepad has loaded when it first answers."""
    # A process of its own starts scorepad, opens the home page, and prints the names.
    code = PRINT_LOADED_LIBRARIES.format(data=str(folder / "loaded.db"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.bench
def test_start_to_first_answer(bench: Bench, tmp_path: Path) -> None:
    # Up to its first answer, scorepad loads Flask and others. WeasyPrint, which is slow to import,
    # is loaded for the first PDF.
    data = str(tmp_path / "pad.db")
    loaded = list_loaded_libraries(tmp_path)
    assert {"flask", "pydantic", "sqlite_utils", "waitress"} <= set(loaded)
    assert "weasyprint" not in loaded

    def start_scorepad() -> None:
        """Run `python -m scorepad serve`, and wait for its first answer."""
        port = free_port()
        command = ["-m", "scorepad", "serve", "--port", str(port), "--data", data]
        start_and_get_first_answer(command, port)

    def start_bare_server() -> None:
        """Run a server of Flask and Waitress that answers "hello", and wait for that.

        Before it imports all that scorepad has loaded.
        """
        port = free_port()
        code = BARE_SERVER.format(libraries=loaded, port=port)  # Python to be run
        start_and_get_first_answer(["-c", code], port)

    bench.compare("start to first answer", start_scorepad, start_bare_server, "2.2")
