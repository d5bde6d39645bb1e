"""schemathesis asks whatever the OpenAPI document allows, and much that it does not, and finds
nothing amiss.

All its checks but one. That every body of a valid shape is accepted cannot hold: no schema tells
which option belongs to which variant, or that the cards of an opening must be among those laid, and
the contract answers those with 400.
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

SUMS_OF_300_AND_60 = {"We": {"sum": 300}, "They": {"sum": 60}}


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The address of the API, of a server that runs."""
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
    """Run schemathesis with the key of a match; its requests are the same at every run."""
    command = [Path(sys.executable).with_name("schemathesis"), "run", f"{address}/openapi.json"]
    command += ["--header", f"Authorization: Bearer {key}"]
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
    begun_match.count(1, SUMS_OF_300_AND_60)

    done = run_schemathesis(address, begun_match.writer.key, tmp_path, *more)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout


CONFIGURATION = """
[parameters]
"path.match" = "{match}"
"""


@pytest.mark.soak
def test_schemathesis_with_state_finds_no_issue(
    address: str, begun_match: BegunMatch, tmp_path: Path
) -> None:
    """Each request goes on from the answers before: in the match that the key opens, hands are
    counted, corrected and undone in any order.
    """
    configuration = CONFIGURATION.format(match=begun_match.id)
    (tmp_path / "schemathesis.toml").write_text(configuration, encoding="utf-8")

    options = ["--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "200"]
    done = run_schemathesis(address, begun_match.writer.key, tmp_path, *options)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout
    assert re.search(r"Stateful\D+\d+", done.stdout), "the stateful phase has run"
    for figure in (r"\d+ generated", r"Tested: \d+"):
        print("schemathesis with state:", *re.findall(figure, done.stdout))
