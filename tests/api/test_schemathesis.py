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

SIDES = {"Noi": {"sum": 300}, "Loro": {"sum": 60}}


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application answers."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}/api/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def ask(address: str, key: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Let schemathesis ask, as somebody with the key of a match; the same questions at every run."""
    command = [
        Path(sys.executable).with_name("schemathesis"), "run", f"{address}/openapi.json", "--no-color",
        "--exclude-checks", "positive_data_acceptance", "--warnings", "off", "--header", f"Authorization: Bearer {key}",
        "--generation-deterministic", *more,
    ]  # fmt: skip
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
def test_nothing_is_amiss(
    address: str, begun_match: BegunMatch, tmp_path: Path, more: tuple[str, ...]
) -> None:
    begun_match.count(1, SIDES)
    done = ask(address, begun_match.writer.key, tmp_path, *more)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout


MOST = "200"
STATEFUL = """
[parameters]
"path.match" = "{match}"
"""


@pytest.mark.soak
def test_nothing_is_amiss_where_each_question_goes_on_from_the_answers_before(
    address: str, begun_match: BegunMatch, tmp_path: Path
) -> None:
    """With the match that the key opens: hands are counted, corrected and undone in any order."""
    (tmp_path / "schemathesis.toml").write_text(
        STATEFUL.format(match=begun_match.id), encoding="utf-8"
    )
    phases = ("--phases", "examples,coverage,fuzzing,stateful")
    done = ask(address, begun_match.writer.key, tmp_path, *phases, "--max-examples", MOST)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    assert "No issues found" in done.stdout
    assert re.search(r"Stateful\D+\d+", done.stdout), "it came as far as what follows from answers"
    (cases,), (tested,) = (
        re.findall(figure, done.stdout) for figure in (r"(\d+) generated", r"Tested: (\d+)")
    )
    print(
        f"schemathesis with state: {cases} questions to {tested} operations, {MOST} examples each, no issue"
    )
