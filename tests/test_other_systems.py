"""What Windows, macOS and small systems lack or do otherwise, imitated on this one."""

import errno
import mimetypes
import os
import select
import signal
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scorepad import limited
from scorepad.app import Config, create_app, signing_key
from scorepad.app.server import listen
from scorepad.cli import output, serve
from scorepad.rules.variants import offer_own_variants
from scorepad.storage import Storage
from scorepad.storage.backup import back_up
from scorepad.storage.connection import sync
from scorepad.storage.own_rules import save_house_rules_file
from scorepad.web.network_addresses import home_addresses
from tests.cli.running import serving_here

NOW = datetime(2026, 5, 1, 20, 30, tzinfo=UTC)

# ------------------------------------------------------------------------------------------- files


def refuse_if_open(path: Path) -> None:
    """Refuse what Windows refuses: to rename, replace or delete a file that is open."""
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            is_open = path.exists() and descriptor.samefile(path)
        except OSError:  # a socket, or closed meanwhile
            continue
        if is_open:
            raise PermissionError(errno.EACCES, "used by another process", str(path))


@pytest.fixture
def windows_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat files as Windows does: one that is open cannot be renamed, replaced or deleted, and a
    folder cannot be opened.
    """
    real_rename = Path.rename
    real_replace = Path.replace
    real_unlink = Path.unlink

    def rename(path: Path, target: Path) -> Path:
        """Rename a file as on Windows: neither it nor the file that it replaces may be open."""
        refuse_if_open(path)
        refuse_if_open(target)
        return real_rename(path, target)

    def replace(path: Path, target: Path) -> Path:
        refuse_if_open(path)
        refuse_if_open(target)
        return real_replace(path, target)

    def unlink(path: Path, missing_ok: bool = False) -> None:
        refuse_if_open(path)
        real_unlink(path, missing_ok)

    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(Path, "unlink", unlink)
    monkeypatch.delattr(os, "O_DIRECTORY")


@pytest.mark.usefixtures("windows_files")
def test_signing_key_is_made_and_kept_on_windows_files(tmp_path: Path) -> None:
    # The key signs cookies. It is in a file beside the data file, made when it is first needed.
    data = tmp_path / "scorepad.db"
    Storage(data).close()

    first_key = signing_key(data)

    assert signing_key(data) == first_key


@pytest.mark.usefixtures("windows_files")
def test_backups_on_windows_files(tmp_path: Path) -> None:
    data = tmp_path / "scorepad.db"
    copy = tmp_path / "copy.db"
    Storage(data).close()
    signing_key(data)  # makes another file beside it

    # A backup is made, and replaced by another one. Neither leaves a file open.
    assert back_up(data, copy, NOW).path == copy
    assert back_up(data, copy, NOW).path == copy

    # Without a name, a backup gets one from the time.
    backup_named_by_time = back_up(data, None, NOW)
    assert backup_named_by_time.path.exists()


@pytest.mark.usefixtures("windows_files")
def test_backup_on_file_system_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A finished file gets its name by a hard link, which never replaces another file. Memory cards
    # have no hard links: then it is renamed.
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links")

    monkeypatch.setattr(os, "link", refuse)

    data = tmp_path / "scorepad.db"
    Storage(data).close()
    assert back_up(data, tmp_path / "copy.db", NOW).matches == 0


def test_backup_by_python_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The Python of browsers has no function for hard links.
    monkeypatch.delattr(os, "link")

    data = tmp_path / "scorepad.db"
    Storage(data).close()
    assert back_up(data, tmp_path / "copy.db", NOW).matches == 0


@pytest.mark.usefixtures("windows_files")
def test_house_rules_are_replaced_on_windows_files(own_rules_folder: Path) -> None:
    # The users describe rules of their own, "casa", in a file, and then change it.
    rules = 'id = "casa"\nextends = "classica"\n'
    save_house_rules_file("casa", rules)

    other_rules = rules + "# changed\n"
    save_house_rules_file("casa", other_rules)

    assert (own_rules_folder / "casa.toml").read_text("utf-8") == other_rules


@pytest.fixture
def own_rules_folder(tmp_path: Path) -> Iterator[Path]:
    """Offer the rules in an empty folder among the games, until the test ends."""
    offer_own_variants(tmp_path)
    yield tmp_path
    offer_own_variants(None)


# By these errors a file system says that it cannot sync a folder at all.
@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP], ids=["EINVAL", "ENOTSUP"])
def test_file_system_that_cannot_sync_folders_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    fail_to_sync_folders(monkeypatch, number)

    Storage(tmp_path / "scorepad.db").close()
    assert (tmp_path / "scorepad.db").exists()


def test_disk_error_while_syncing_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The disk fails while it writes.
    fail_to_sync_folders(monkeypatch, errno.EIO)

    with pytest.raises(OSError, match="refused"):
        sync(tmp_path)


def fail_to_sync_folders(monkeypatch: pytest.MonkeyPatch, error_number: int) -> None:
    """Let `os.fsync` of a folder fail with the error "refused"; files are synced as ever."""
    real_fsync = os.fsync

    def fsync_of_files_only(descriptor: int) -> None:
        """Sync a file. If a folder is open under this number, fail."""
        # Linux has a link to whatever is open.
        opened = Path(f"/proc/self/fd/{descriptor}")
        if opened.is_dir():
            raise OSError(error_number, "refused")
        real_fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync_of_files_only)


# --------------------------------------------------------------------------------- child processes


def test_lower_limits_of_the_system_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The system allows a process 7 bytes of memory and 7 seconds: much less than the program does.
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (7, 7))
    limits_set = {}
    monkeypatch.setattr(resource, "setrlimit", limits_set.__setitem__)

    limited._limit_process()

    assert limits_set == {resource.RLIMIT_DATA: (7, 7), resource.RLIMIT_CPU: (7, 7)}


def test_system_that_refuses_limits_is_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")

    def refuse(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)

    limited._limit_process()


def test_python_without_limits_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # Windows has no module `resource`.
    monkeypatch.setitem(sys.modules, "resource", None)

    limited._limit_process()


# ----------------------------------------------------------------------------------------- signals


class StoppedServer:
    """Stands for the server, and counts how often it was stopped."""

    stops = 0

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def restore_signal_handlers() -> Iterator[None]:
    """Put back what the test process does at each signal."""
    handlers = {}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        handlers[number] = signal.getsignal(number)
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("restore_signal_handlers")
def test_server_stops_on_system_without_sighup(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where there is SIGHUP, which says that the terminal was closed, it stops the server as well.
    monkeypatch.delattr(signal, "SIGHUP")
    server = StoppedServer()  # counts how often it is stopped
    serve._stop_on_signals(server)

    # The system asks this process to end.
    os.kill(os.getpid(), signal.SIGTERM)

    assert server.stops == 1


@pytest.mark.usefixtures("restore_signal_handlers")
def test_server_stops_once_when_its_window_is_closed_on_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Windows has SIGBREAK in place of SIGHUP. Here it gets a number that this system knows.
    sigbreak = signal.SIGHUP
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(signal, "SIGBREAK", sigbreak, raising=False)
    signal.signal(sigbreak, signal.SIG_DFL)  # under `nohup` it would be ignored, by the server too
    server = StoppedServer()
    serve._stop_on_signals(server)

    # Windows may send it again while the server stops.
    os.kill(os.getpid(), sigbreak)
    os.kill(os.getpid(), sigbreak)

    assert server.stops == 1


# ------------------------------------------------------------------------- addresses and the screen


@pytest.mark.parametrize("missing", [ImportError, PermissionError])
def test_home_addresses_where_interfaces_cannot_be_listed(
    monkeypatch: pytest.MonkeyPatch, missing: type[Exception]
) -> None:
    # Phones in the same house are told under which addresses they reach this machine. Here the
    # system does not list them.
    psutil = pytest.importorskip("psutil")

    def refuse() -> None:
        raise missing

    monkeypatch.setattr(psutil, "net_if_stats", refuse)

    # Only the address is told from which the system reaches other networks.
    monkeypatch.setattr("scorepad.web.network_addresses.home_address", lambda: "192.168.1.5")
    assert home_addresses() == ("192.168.1.5",)


def test_port_is_exclusive_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    # On Windows SO_REUSEADDR would let another program take the port. SO_EXCLUSIVEADDRUSE, which
    # only Windows has, keeps it out. Here SO_KEEPALIVE, an option that nothing else sets, stands in
    # for it.
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)

    server = listen(lambda *_: [], "127.0.0.1", 0)

    (listener,) = server._listeners
    assert listener.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert listener.socket.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 0
    server.close()


def test_server_works_without_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    # Windows has only `select.select`.
    monkeypatch.delattr(select, "poll")

    def application(_: object, start_response: Callable[..., object]) -> list[bytes]:
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    with (
        serving_here(application) as port,
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer,
    ):
        assert answer.read() == b"ok"


def test_closed_pipe_on_windows_ends_the_command_silently(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Somebody types `scorepad matches | more` and leaves `more`. On Windows the next write fails
    # with EINVAL, which elsewhere would be a mistake of the program.
    error_of_closed_pipe = OSError(errno.EINVAL, "Invalid argument")
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(SystemExit):
        output._stop_writing(error_of_closed_pipe)


def test_style_sheet_type_does_not_depend_on_the_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python reads the types of files from the registry of Windows, where another program may have
    # changed that of ".css". A browser uses a style sheet only if its type is right.
    mimetypes.init()
    monkeypatch.setitem(mimetypes.types_map, ".css", "application/x-css")
    app = create_app(Config(data=tmp_path / "scorepad.db", key=b"k" * 32))

    with app.test_client().get("/static/scorepad.css") as answer:
        assert answer.mimetype == "text/css"
