"""`scorepad unit`: a service that systemd takes, and whose command runs as it is written."""

import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.assets import templates_dir
from scorepad.cli import main
from scorepad.cli import unit as service
from tests.cli.running import refused_here

SYSTEMD = shutil.which("systemd-analyze")
USERADD, USERDEL = (
    shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    for name in ("useradd", "userdel")
)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as left:
        main(["unit", *arguments])
    said = capsys.readouterr()
    assert left.value.code == 0, said.err
    return said.out, said.err


def command(unit: str) -> list[str]:
    """The words of ExecStart, as systemd reads them but for what it puts in."""
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(line)]


def test_it_runs_this_python_as_an_unprivileged_user_on_a_file_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    unit, _ = printed(capsys)
    assert command(unit) == [
        sys.executable,
        "-m",
        "scorepad",
        "serve",
        "--data",
        "${STATE_DIRECTORY}/scorepad.db",
    ]
    lines = unit.splitlines()
    for setting in (
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
    ):
        assert setting in lines


def test_another_user_and_a_file_of_settings_can_be_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    unit, _ = printed(capsys, "--user", "canasta", "--config", "/etc/scorepad 50%.toml")
    lines = unit.splitlines()
    assert "User=canasta" in lines
    assert "StateDirectory=canasta" in lines
    assert "CacheDirectory=canasta" in lines
    # Two services beside one another share nothing.
    assert "scorepad" not in unit.partition("StateDirectory")[2]
    assert command(unit)[-2:] == ["--config", "/etc/scorepad 50%.toml"]
    assert '"/etc/scorepad 50%%.toml"' in unit


@pytest.mark.parametrize(("options", "message"), [
    (["--user", "ro ot"], "--user vuole il nome di un utente, come scorepad; «ro ot» non lo è."),
    (["--user", "x\n[Service]"], "non lo è"),
    (["--config", '/etc/a"b'], '/etc/a"b ha nel nome un segno che systemd non sa scrivere. Cambia quel nome.'),
    (["--config", ""], "Il nome dato per --config è vuoto"),
])  # fmt: skip
def test_what_would_break_the_unit_is_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert message in refused_here(capsys, "unit", *options)


def test_a_program_in_a_home_folder_stays_readable_and_a_closed_folder_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = tmp_path / "home" / "anna"
    closed.mkdir(parents=True)
    closed.chmod(0o700)
    monkeypatch.setattr(service, "_HOMES", (tmp_path / "home",))
    monkeypatch.setattr(sys, "executable", str(closed / "python"))
    unit, message = printed(capsys, "--lang", "en")
    assert "ProtectHome=read-only" in unit.splitlines()
    assert "another user cannot read" in message


@pytest.mark.skipif(SYSTEMD is None, reason="no systemd-analyze on this machine")
@pytest.mark.parametrize(
    ("written", "is_right"), [("ProtectClock=yes", True), ("ProtectClok=yes", False)]
)
def test_systemd_finds_nothing_to_say_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, written: str, is_right: bool
) -> None:
    unit, _ = printed(capsys, "--config", "/etc/scorepad 50%.toml")
    file = tmp_path / "scorepad.service"
    file.write_text(unit.replace("ProtectClock=yes", written))

    verify = [str(SYSTEMD), "verify", file]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)

    nothing_said = done.returncode == 0 and done.stderr == ""
    assert nothing_said == is_right, done.stderr


@pytest.fixture
def user() -> Iterator[str]:
    """A user of this machine who may do nothing."""
    if os.geteuid() != 0 or USERADD is None or USERDEL is None:
        pytest.skip("only root can make a user to run it as")
    for place in (Path(sys.executable), templates_dir()):
        if service.closed_folder(place) is not None:
            pytest.skip(f"another user cannot read {place}")
    name = f"scorepad-{secrets.token_hex(4)}"
    subprocess.run(
        [USERADD, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name], check=True
    )
    yield name
    subprocess.run([USERDEL, name], check=True, capture_output=True)


def test_its_command_runs_as_written_by_an_unprivileged_user(
    capsys: pytest.CaptureFixture[str], user: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    unit, _ = printed(capsys)
    state = Path("/var/tmp") / user  # noqa: S108 - pytest's own folders are closed to others
    state.mkdir(mode=0o700)
    shutil.chown(state, user, user)
    words = [word.replace("${STATE_DIRECTORY}", str(state)) for word in command(unit)]
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    # A unit says nothing of the port; here it must be one that is free.
    server = subprocess.Popen(
        words, user=user, group=user, extra_groups=[], cwd="/", text=True, stdout=subprocess.PIPE, umask=0o077,
        env=kept | {"HOME": str(state), "PYTHONUNBUFFERED": "1", "SCOREPAD_PORT": "0"},
    )  # fmt: skip
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert found
        with urllib.request.urlopen(f"{found[0]}salute", timeout=10) as answer:
            assert answer.read() == b"ok\n"
        with urllib.request.urlopen(f"{found[0]}regole/classica/scheda.pdf", timeout=30) as answer:
            assert answer.read(5) == b"%PDF-"
        assert (state / "scorepad.db").stat().st_uid == state.stat().st_uid != 0
    finally:
        server.terminate()
        server.communicate(timeout=10)
        shutil.rmtree(state)
