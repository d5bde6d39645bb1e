"""The tool schemathesis sends whatever the OpenAPI document allows, and much that it forbids.

One of its checks is left out: that every body of a valid form is accepted. No schema can tell which
option belongs to which variant, or that the cards of an opening are among those laid; the API
answers such a body with 400.
"""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.serving import make_server

from tests.api.conftest import BegunMatch


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Start a server, which schemathesis needs, and give the address of its API."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}/api/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def run_schemathesis(
    address: str, key: str, folder: Path, *more: str
) -> subprocess.CompletedProcess[str]:
    """Run schemathesis with the key of a match. Its requests are the same at every run."""
    # It is run on the OpenAPI document that the server gives.
    program = Path(sys.executable).with_name("schemathesis")
    command = [
        program,
        "run",
        f"{address}/openapi.json",
        "--header",
        f"Authorization: Bearer {key}",
    ]

    # One check wants every body that the document allows to be accepted. It is left out, because
    # the API may refuse such a body: the document cannot tell which option belongs to which variant.
    command += ["--exclude-checks", "positive_data_acceptance", "--warnings", "off"]

    command += ["--generation-deterministic", "--no-color", *more]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        pytest.param(("--phases", "examples,fuzzing", "--max-examples", "10"), id="briefly"),
        pytest.param(("--max-examples", "500"), id="at-length", marks=pytest.mark.full),
    ],
)
def test_schemathesis_finds_no_issue(
    address: str, begun_match: BegunMatch, tmp_path: Path, more: tuple[str, ...]
) -> None:
    # A match with a hand, so that there is something to read, correct and undo.
    begun_match.count(1, {"We": {"sum": 300}, "They": {"sum": 60}})

    done = run_schemathesis(address, begun_match.writer.key, tmp_path, *more)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout


@pytest.mark.soak
def test_schemathesis_with_state_finds_no_issue(
    address: str, begun_match: BegunMatch, tmp_path: Path
) -> None:
    # In every path schemathesis puts the id of the match that the key opens.
    configuration = f'[parameters]\n"path.match" = "{begun_match.id}"\n'
    (tmp_path / "schemathesis.toml").write_text(configuration, encoding="utf-8")

    # In the stateful phase a request uses what earlier answers told: hands of the match are
    # counted, corrected and undone in any order.
    options = ["--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "200"]
    done = run_schemathesis(address, begun_match.writer.key, tmp_path, *options)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout
    assert re.search(r"Stateful\D+\d+", done.stdout), "the stateful phase has run"

    # How many requests were made, for docs/benchmarks.md.
    for figure in (r"\d+ generated", r"Tested: \d+"):
        print("schemathesis with state:", *re.findall(figure, done.stdout))
