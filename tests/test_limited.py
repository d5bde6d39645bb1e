"""Child processes, in which files of strangers are read: how much memory and time they may use."""

import io
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import indent

import pytest

from scorepad import limited
from scorepad.limited import ChildFailed, LimitReached, read_with_limits


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the path of a module, which is not written yet, and let it be imported by its name."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # for the child
    monkeypatch.syspath_prepend(tmp_path)  # for this process
    yield tmp_path / "a_child.py"
    sys.modules.pop("a_child", None)


def run_child(child: Path, body: str, *arguments: str, source: bytes = b"") -> bytes:
    """Run the body of a function in a child process, and return what it writes to `target`.

    The function is called `read`. It is given the files `source` and `target` and the list
    `arguments`.
    """
    module = [
        "from scorepad.limited import run_as_child",
        "def read(source, target, arguments):",
        indent(body, "    "),
        "if __name__ == '__main__':",
        "    run_as_child(read)",
    ]
    child.write_text("\n".join(module), "utf-8")

    # The function is imported here to name it. The child imports its module again.
    read = import_module("a_child").read
    with read_with_limits(read, *arguments, source=io.BytesIO(source)) as written:
        return written.read()


@pytest.fixture(params=["in a child", "in a browser"])
def with_and_without_child_processes(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run a test twice: where there are child processes, and as in a browser, which has none."""
    if request.param == "in a browser":
        monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})


@pytest.mark.usefixtures("with_and_without_child_processes")
def test_child_reads_source_and_writes_target(child: Path) -> None:
    # The child has the files `source` and `target`, and a list of arguments. It writes what it has
    # read, reversed, and then its argument.
    body_of_child = "target.write(source.read()[::-1] + arguments[0].encode())"

    written = run_child(child, body_of_child, "!", source=b"abc")

    assert written == b"cba!"


@pytest.mark.usefixtures("with_and_without_child_processes")
def test_memory_error_of_child_is_a_limit(child: Path) -> None:
    # The child has taken all the memory that it may.
    with pytest.raises(LimitReached):
        run_child(child, "raise MemoryError")


def test_without_child_processes_this_process_reads_the_file(
    child: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited, "NO_CHILD_PROCESSES", {sys.platform})
    write_process_id = "import os; target.write(str(os.getpid()).encode())"

    process_id = run_child(child, write_process_id)

    assert int(process_id) == os.getpid()


def test_child_cannot_take_more_memory_than_allowed(child: Path) -> None:
    # A child may have 192 MB. This one takes 400, and would then write to the file `target`.
    body_of_child = "kept = bytes(400 * 2**20); target.write(b'x')"

    with pytest.raises(LimitReached):
        run_child(child, body_of_child)


def test_child_cannot_take_more_processor_time_than_allowed(child: Path) -> None:
    # The child lowers its own limit to one second, and then works for ever.
    body_of_child = (
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass"
    )

    with pytest.raises(LimitReached):
        run_child(child, body_of_child)


def test_child_that_never_ends_is_stopped(child: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The child sleeps for a minute. After half a second it is stopped.
    monkeypatch.setattr(limited, "SECONDS", 0.5)

    with pytest.raises(LimitReached):
        run_child(child, "import time; time.sleep(60)")


def test_exception_of_child_is_no_limit(child: Path) -> None:
    # A mistake of the program is told apart from a file that is too large.
    with pytest.raises(ChildFailed):
        run_child(child, "raise ValueError")


def test_child_does_not_import_from_working_directory(
    child: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The working directory has a file with the name of a module of Python's, which would end the
    # child.
    elsewhere = child.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "shutil.py").write_text("raise SystemExit(1)", "utf-8")
    monkeypatch.chdir(elsewhere)

    written = run_child(child, "target.write(b'fine')")

    assert written == b"fine"
