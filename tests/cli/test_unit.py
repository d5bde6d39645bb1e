"""`scorepad unit` prints a service for systemd, which accepts it and can run its command."""

import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scorepad.assets import templates_dir
from scorepad.cli import main
from scorepad.cli import unit as service
from tests.cli.running import get_error_line

SYSTEMD = shutil.which("systemd-analyze")
USERADD, USERDEL = (
    shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    for name in ("useradd", "userdel")
)


def run_unit(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """Run `scorepad unit`. Return the unit that it prints, and its messages on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(["unit", *arguments])
    printed = capsys.readouterr()
    assert ended.value.code == 0, printed.err
    return printed.out, printed.err


def read_exec_start(unit: str) -> list[str]:
    """Return the words of the command in a unit.

    They are read as systemd does, which takes "%%" for "%" and "$$" for "$". Variables stay.
    """
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(line)]


def test_unit_runs_this_python_with_data_in_the_state_directory(
    capsys: pytest.CaptureFixture[str],
) -> None:
    unit, _ = run_unit(capsys)
    assert read_exec_start(unit) == [
        sys.executable,
        "-m",
        "scorepad",
        "serve",
        "--data",
        "${STATE_DIRECTORY}/scorepad.db",
    ]


@pytest.mark.parametrize(
    "setting",
    [
        "User=scorepad",
        "StateDirectory=scorepad",
        "StateDirectoryMode=0700",
        "Restart=on-failure",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "TimeoutStopSec=20",
        "MemoryMax=512M",
        "Environment=TMPDIR=/var/tmp",
    ],
)
def test_unit_has_setting(capsys: pytest.CaptureFixture[str], setting: str) -> None:
    unit, _ = run_unit(capsys)
    assert setting in unit.splitlines()


def test_unit_with_another_user_has_folders_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    unit, _ = run_unit(capsys, "--user", "canasta", "--config", "/etc/scorepad 50%.toml")

    lines = unit.splitlines()
    assert "User=canasta" in lines
    assert "StateDirectory=canasta" in lines
    assert "CacheDirectory=canasta" in lines

    # The unit of another user may stand beside it, such as that of the usual user "scorepad". They
    # share no folder: that name is nowhere from the first setting of a folder on.
    from_folders_on = unit[unit.index("StateDirectory") :]
    assert "scorepad" not in from_folders_on


def test_unit_with_settings_file_has_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    unit, _ = run_unit(capsys, "--user", "canasta", "--config", "/etc/scorepad 50%.toml")

    # The command of the unit ends with the option, as systemd reads it.
    *_, option, settings_file = read_exec_start(unit)
    assert option == "--config"
    assert settings_file == "/etc/scorepad 50%.toml"

    # In the text of a unit "%" has a meaning of its own, so it is written twice.
    assert '"/etc/scorepad 50%%.toml"' in unit


@pytest.mark.parametrize(("options", "message"), [
    # "--user takes the name of a user, such as scorepad; «ro ot» is none."
    (["--user", "ro ot"], "--user vuole il nome di un utente, come scorepad; «ro ot» non lo è."),
    (["--user", "x\n[Service]"], "non lo è"),
    # "/etc/a"b has a character in its name that systemd cannot write. Change that name."
    (["--config", '/etc/a"b'], '/etc/a"b ha nel nome un segno che systemd non sa scrivere. Cambia quel nome.'),
    # "The name given for --config is empty"
    (["--config", ""], "Il nome dato per --config è vuoto"),
], ids=["space in user", "section in user", "quotation mark in file", "no file"])  # fmt: skip
def test_option_that_would_break_the_unit_is_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert message in get_error_line(capsys, "unit", *options)


def test_unit_of_program_in_home_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Python is installed in the home folder of Anna, which nobody else may enter.
    closed_home = tmp_path / "home" / "anna"
    closed_home.mkdir(parents=True)
    closed_home.chmod(0o700)
    monkeypatch.setattr(service, "_HOMES", (tmp_path / "home",))
    monkeypatch.setattr(sys, "executable", str(closed_home / "python"))

    unit, message = run_unit(capsys, "--lang", "en")

    # The service must see the home folders, but the user that it runs as cannot enter this one.
    assert "ProtectHome=read-only" in unit.splitlines()
    assert "another user cannot read" in message


@pytest.mark.skipif(SYSTEMD is None, reason="no systemd-analyze on this machine")
def test_systemd_accepts_the_unit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    unit, _ = run_unit(capsys, "--config", "/etc/scorepad 50%.toml")
    done = verify_with_systemd(unit, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.skipif(SYSTEMD is None, reason="no systemd-analyze on this machine")
def test_systemd_reports_a_misspelt_setting(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # This shows that systemd would notice a mistake in a unit.
    unit, _ = run_unit(capsys)
    misspelt = unit.replace("ProtectClock=yes", "ProtectClok=yes")
    assert "ProtectClok" in verify_with_systemd(misspelt, tmp_path).stderr


def verify_with_systemd(unit: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Let `systemd-analyze verify` read a unit; return its status and what it says."""
    file = folder / "scorepad.service"
    file.write_text(unit)
    verify = [str(SYSTEMD), "verify", file]
    return subprocess.run(verify, capture_output=True, text=True, check=False)


@pytest.fixture
def unprivileged_user() -> Iterator[str]:
    """Make a user of this machine who may do nothing, and give its name."""
    if os.geteuid() != 0 or USERADD is None or USERDEL is None:
        pytest.skip("only root can make a user to run it as")
    # The user must be able to run this Python and to read the templates.
    for path in (Path(sys.executable), templates_dir()):
        if service.closed_folder(path) is not None:
            pytest.skip(f"another user cannot read {path}")

    name = f"scorepad-{secrets.token_hex(4)}"
    subprocess.run(
        [USERADD, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name], check=True
    )
    yield name
    subprocess.run([USERDEL, name], check=True, capture_output=True)


@pytest.fixture
def state_folder(unprivileged_user: str) -> Iterator[Path]:
    """Make a folder that belongs to the user, as systemd does before it starts a service."""
    folder = Path("/var/tmp") / unprivileged_user  # noqa: S108 - pytest's own are closed to others
    folder.mkdir(mode=0o700)
    shutil.chown(folder, unprivileged_user, unprivileged_user)
    yield folder
    shutil.rmtree(folder)


@contextmanager
def running_as_owner(folder: Path, command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a server as the owner of a folder, which is its home."""
    # A unit says nothing of the port; here it must be one that is free.
    environment = {"HOME": str(folder), "PYTHONUNBUFFERED": "1", "SCOREPAD_PORT": "0"}
    for name in ("PATH", "PYTHONPATH"):
        if name in os.environ:
            environment[name] = os.environ[name]
    server = subprocess.Popen(
        command,
        user=folder.owner(),
        group=folder.group(),
        extra_groups=[],
        cwd="/",
        umask=0o077,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
    )
    try:
        yield server
    finally:
        server.terminate()
        server.communicate(timeout=10)


def test_command_of_the_unit_runs_as_unprivileged_user(
    capsys: pytest.CaptureFixture[str], state_folder: Path
) -> None:
    # The command of the unit has a variable for the folder of its data, which systemd fills in. The
    # folder of this test belongs to a user who may do nothing else.
    unit, _ = run_unit(capsys)
    command = " ".join(read_exec_start(unit)).replace("${STATE_DIRECTORY}", str(state_folder))

    # The server is run as this user. First it prints the address at which it answers.
    with running_as_owner(state_folder, command.split()) as server:
        first_line = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", first_line)
        assert found, first_line
        address = found[0]

        # It says that it is healthy.
        with urllib.request.urlopen(f"{address}salute", timeout=10) as answer:
            assert answer.read() == b"ok\n"

        # It makes a PDF, for which it needs a folder that it may write in.
        with urllib.request.urlopen(f"{address}regole/classica/scheda.pdf", timeout=30) as answer:
            assert answer.read(5) == b"%PDF-"

        # The data file belongs to the user.
        owner_of_data = (state_folder / "scorepad.db").owner()
        assert owner_of_data == state_folder.owner()
