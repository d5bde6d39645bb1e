"""What Windows, macOS and small systems lack or do otherwise, imitated on this one."""

import errno
import mimetypes
import os
import signal
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scorepad import limited
from scorepad.app import Config, create_app, signing_key
from scorepad.app.server import listen
from scorepad.cli import output, serve
from scorepad.storage import Storage
from scorepad.storage.backup import back_up
from scorepad.storage.connection import sync
from scorepad.storage.own_rules import save_house_rules_file
from scorepad.web.network_addresses import home_addresses

NOW = datetime(2026, 5, 1, 20, 30, tzinfo=UTC)
RULES = 'id = "casa"\nextends = "classica"\n'

# ------------------------------------------------------------------------------------------- files


def _require_closed(path: Path) -> None:
    """Refuse what Windows refuses: to rename, replace or delete a file that is open."""
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            is_open = path.exists() and descriptor.samefile(path)
        except OSError:  # a socket, or closed meanwhile
            continue
        if is_open:
            raise PermissionError(errno.EACCES, "used by another process", str(path))


@pytest.fixture
def _windows_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files as Windows has them: open ones stay where they are, and folders cannot be opened."""

    def strict(call: Callable[..., Any]) -> Callable[..., Any]:
        def checked(path: Path, *others: Any, **options: Any) -> Any:
            _require_closed(path)
            for other in others:
                if isinstance(other, Path):
                    _require_closed(other)
            return call(path, *others, **options)

        return checked

    for name in ("rename", "replace", "unlink"):
        monkeypatch.setattr(Path, name, strict(getattr(Path, name)))
    monkeypatch.delattr(os, "O_DIRECTORY")


@pytest.mark.usefixtures("_windows_files")
def test_files_are_closed_before_they_are_renamed(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    storage = Storage(data)
    storage.close()
    assert signing_key(data) == signing_key(data)
    copy = tmp_path / "copy.db"
    for _ in range(2):  # the second one replaces the first
        assert back_up(data, copy, NOW).path == copy
    back_up(data, None, NOW)


@pytest.mark.usefixtures("_windows_files")
def test_files_are_renamed_where_no_file_can_have_two_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links")

    monkeypatch.setattr(os, "link", refuse)
    data = tmp_path / "scorepad.db"
    Storage(data).close()
    assert back_up(data, tmp_path / "copy.db", NOW).matches == 0


def test_files_are_renamed_by_a_python_without_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "link")  # as in a browser
    data = tmp_path / "scorepad.db"
    Storage(data).close()
    assert back_up(data, tmp_path / "copy.db", NOW).matches == 0


@pytest.mark.usefixtures("_windows_files")
def test_house_rules_are_saved_over_earlier_ones(own_rules_folder: Path) -> None:
    save_house_rules_file("casa", RULES)
    save_house_rules_file("casa", RULES)
    assert (own_rules_folder / "casa.toml").read_text("utf-8") == RULES


@pytest.fixture
def own_rules_folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of house rules."""
    from scorepad.rules.variants import offer_own_variants

    offer_own_variants(tmp_path)
    yield tmp_path
    offer_own_variants(None)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_cannot_sync_folders_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    fail_to_sync_folders(monkeypatch, number)
    Storage(tmp_path / "scorepad.db").close()
    assert (tmp_path / "scorepad.db").exists()


def test_a_fault_of_the_disk_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_to_sync_folders(monkeypatch, errno.EIO)
    with pytest.raises(OSError, match="refused"):
        sync(tmp_path)


def fail_to_sync_folders(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let syncing a folder fail with this error; files are synced as ever."""
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").is_dir():
            raise OSError(number, "refused")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)


# --------------------------------------------------------------------------------- child processes


def test_a_system_that_allows_less_than_our_limits_keeps_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")
    set_limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (7, 7))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: set_limits.append(pair))
    limited._limit_process()
    assert set_limits == [(7, 7), (7, 7)]


def test_a_system_that_refuses_limits_runs_children_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")

    def refuse(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    limited._limit_process()


def test_a_python_without_limits_runs_children_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    limited._limit_process()


# ----------------------------------------------------------------------------------------- signals


class StoppedServer:
    """Stands for the server, and counts how often it was stopped."""

    stops = 0

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def _own_signals() -> Iterator[None]:
    """Put back what the test process does at each signal."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("_own_signals")
def test_a_system_without_hang_up_stops_in_good_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGHUP")
    server = StoppedServer()
    serve._stop_on_signals(server)
    os.kill(os.getpid(), signal.SIGTERM)
    assert server.stops == 1


@pytest.mark.usefixtures("_own_signals")
def test_a_closed_window_of_windows_stops_it_as_a_closed_terminal_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed_window = signal.SIGHUP
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(signal, "SIGBREAK", closed_window, raising=False)
    server = StoppedServer()
    serve._stop_on_signals(server)
    os.kill(os.getpid(), closed_window)
    os.kill(os.getpid(), closed_window)
    assert server.stops == 1


# ------------------------------------------------------------------------- addresses and the screen


@pytest.mark.parametrize("missing", [ImportError, PermissionError])
def test_where_interfaces_cannot_be_listed_the_address_of_the_network_is_enough(
    monkeypatch: pytest.MonkeyPatch, missing: type[Exception]
) -> None:
    psutil = pytest.importorskip("psutil")

    def refuse() -> None:
        raise missing

    monkeypatch.setattr(psutil, "net_if_stats", refuse)
    monkeypatch.setattr("scorepad.web.network_addresses.home_address", lambda: "192.168.1.5")
    assert home_addresses() == ("192.168.1.5",)


def test_a_port_belongs_to_one_server_where_ports_could_be_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options: list[int] = []
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    real = socket.socket.setsockopt

    def set_option(this: socket.socket, level: int, option: int, *value: Any) -> None:
        options.append(option)
        real(this, level, option, *value)

    monkeypatch.setattr("socket.socket.setsockopt", set_option)
    server = listen(lambda *_: [], "127.0.0.1", 0)
    assert socket.SO_KEEPALIVE in options
    assert socket.SO_REUSEADDR not in options
    server.close()


def test_it_serves_where_the_system_can_only_select(monkeypatch: pytest.MonkeyPatch) -> None:
    import select

    monkeypatch.delattr(select, "poll")

    def answer(_: object, start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    server = listen(answer, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    with urllib.request.urlopen(f"http://127.0.0.1:{server.effective_port}/", timeout=10) as page:
        assert page.read() == b"ok"
    server.stop()
    thread.join(timeout=10)


def test_a_closed_pipe_of_windows_ends_the_command_in_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = OSError(errno.EINVAL, "Invalid argument")
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit):
        output._stop_writing(closed)


def test_style_sheets_are_sent_as_such_whatever_the_registry_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mimetypes.init()
    monkeypatch.setitem(mimetypes.types_map, ".css", "application/x-css")
    app = create_app(Config(data=tmp_path / "scorepad.db", key=b"k" * 32))
    with app.test_client().get("/static/scorepad.css") as answer:
        assert answer.mimetype == "text/css"
