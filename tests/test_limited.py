"""Child processes: what they may use."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad import limited
from scorepad.limited import ChildFailed, LimitReached, run_module_with_limits

CHILD = """
from scorepad.limited import call_within_limits

def read(source, target):
    {body}

call_within_limits(read)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module that can be run by its name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "a_child.py"


def run(child: Path, body: str, source: bytes = b"") -> bytes:
    child.write_text(CHILD.format(body=body), "utf-8")
    with run_module_with_limits("a_child", source=io.BytesIO(source)) as written:
        return written.read()


def test_a_child_reads_its_source_and_writes_its_answer(child: Path) -> None:
    assert run(child, "target.write(source.read()[::-1])", b"abc") == b"cba"


def test_more_memory_than_allowed_is_refused(child: Path) -> None:
    with pytest.raises(LimitReached):
        run(child, "kept = [bytes(2**20) + source.read() for _ in range(400)]; target.write(b'x')")


def test_more_processor_time_than_allowed_is_refused(child: Path) -> None:
    lower = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))"
    with pytest.raises(LimitReached):
        run(child, f"{lower}\n    while True: pass")


def test_a_child_that_never_ends_is_refused(child: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "SECONDS", 0.5)
    with pytest.raises(LimitReached):
        run(child, "import time; time.sleep(60)")


def test_a_fault_of_the_child_is_not_a_limit(child: Path) -> None:
    with pytest.raises(ChildFailed):
        run(child, "raise ValueError")


def test_the_working_directory_is_not_searched_for_modules(
    child: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = child.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "shutil.py").write_text("raise SystemExit(1)", "utf-8")
    monkeypatch.chdir(elsewhere)
    assert run(child, "target.write(b'fine')") == b"fine"
