"""Child processes: what they may use."""

import io
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from scorepad import limited
from scorepad.limited import ChildFailed, LimitReached, read_with_limits

CHILD = """
from scorepad.limited import run_as_child

def read(source, target, arguments):
    {body}

if __name__ == "__main__":
    run_as_child(read)
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module that can be imported, and run by its name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "a_child.py"
    sys.modules.pop("a_child", None)


def run(child: Path, body: str, *arguments: str, source: bytes = b"") -> bytes:
    child.write_text(CHILD.format(body=body), "utf-8")
    read = import_module("a_child").read
    with read_with_limits(read, *arguments, source=io.BytesIO(source)) as written:
        return written.read()


@pytest.fixture(params=["in a child", "in a browser"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are child processes, and where there are none."""
    if request.param == "in a browser":
        monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})


@pytest.mark.usefixtures("anywhere")
def test_a_file_is_read_and_what_is_in_it_is_written(child: Path) -> None:
    body = "target.write(source.read()[::-1] + arguments[0].encode())"
    assert run(child, body, "!", source=b"abc") == b"cba!"


@pytest.mark.usefixtures("anywhere")
def test_a_file_that_takes_too_much_memory_is_refused(child: Path) -> None:
    with pytest.raises(LimitReached):
        run(child, "raise MemoryError")


def test_in_a_browser_no_other_process_reads_the_file(
    child: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})
    process = run(child, "import os; target.write(str(os.getpid()).encode())")
    assert int(process) == os.getpid()


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
