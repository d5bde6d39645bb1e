"""The settings of `scorepad serve`: from the command line, from the environment, or from a file."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from scorepad.cli import main, serve
from scorepad.cli.output import DONE
from scorepad.cli.serve import ServeOptions
from tests.cli.running import get_error_line
from tests.data import read_data

WRONG_SETTINGS = read_data("cli/settings.toml")

FILE_OF_EVERY_SETTING = """
host = "0.0.0.0"
port = 99
allow-host = ["canasta.example", "pad.example"]
proxies = 2
no-limits = true
no-open = true
log = "json"
data = "x.db"
"""


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ServeOptions]:
    """Return a function that runs the command without a server.

    It returns the options that the server would get.
    """
    options_of_servers: list[ServeOptions] = []

    def record_options(options: ServeOptions) -> int:
        options_of_servers.append(options)
        return DONE

    monkeypatch.setattr(serve, "run_server", record_options)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(*arguments: str) -> ServeOptions:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
        return options_of_servers.pop()

    return run


def write_file(file: Path, text: str) -> str:
    """Write a file, and its folders where they are missing. Return its path for a command line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_command_line_precedes_environment_and_environment_precedes_file(
    run_command: Callable[..., ServeOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = write_file(tmp_path / "s.toml", "port = 1111")
    assert run_command("serve", "--config", file).port == 1111

    monkeypatch.setenv("SCOREPAD_PORT", "2222")
    assert run_command("serve", "--config", file).port == 2222
    assert run_command("serve", "--config", file, "--port", "3333").port == 3333


def test_default_port(run_command: Callable[..., ServeOptions]) -> None:
    assert run_command("serve").port == 8765


# The same settings, none of which has its default, in three forms: see also FILE_OF_EVERY_SETTING.
FLAGS_OF_EVERY_SETTING = shlex.split(
    "--host 0.0.0.0 --port 99 --allow-host canasta.example --allow-host pad.example --proxies 2"
    " --no-limits --no-open --log json --data x.db"
)
VARIABLES_OF_EVERY_SETTING = {
    "SCOREPAD_HOST": "0.0.0.0",
    "SCOREPAD_PORT": "99",
    "SCOREPAD_ALLOW_HOST": "canasta.example pad.example",
    "SCOREPAD_PROXIES": "2",
    "SCOREPAD_NO_LIMITS": "1",
    "SCOREPAD_NO_OPEN": "true",
    "SCOREPAD_LOG": "json",
    "SCOREPAD_DATA": "x.db",
}
# What the server gets from each of the three.
EVERY_SETTING = ServeOptions(
    host="0.0.0.0",
    port=99,
    allow_host=("canasta.example", "pad.example"),
    proxies=2,
    no_limits=True,
    no_open=True,
    log="json",
    data=Path("x.db"),
)


def test_every_setting_on_the_command_line(run_command: Callable[..., ServeOptions]) -> None:
    # "--host 0.0.0.0 --port 99 …"
    assert run_command("serve", *FLAGS_OF_EVERY_SETTING) == EVERY_SETTING


def test_file_can_have_every_setting(
    run_command: Callable[..., ServeOptions], tmp_path: Path
) -> None:
    # The file has a line for each of the eight settings, such as: port = 99
    file = write_file(tmp_path / "s.toml", FILE_OF_EVERY_SETTING)

    # The server gets all of them, such as the port 99. None has its default.
    assert run_command("serve", "--config", file) == EVERY_SETTING


def test_every_setting_in_the_default_file(
    run_command: Callable[..., ServeOptions], tmp_path: Path
) -> None:
    # The fixture has set XDG_CONFIG_HOME to this folder.
    write_file(tmp_path / "config" / "scorepad" / "scorepad.toml", FILE_OF_EVERY_SETTING)
    assert run_command("serve") == EVERY_SETTING


@pytest.mark.parametrize("arguments", [["serve"], []], ids=["serve", "no command"])
def test_every_setting_in_the_environment(
    run_command: Callable[..., ServeOptions],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    # Such as SCOREPAD_HOST with the value "0.0.0.0".
    for name, value in VARIABLES_OF_EVERY_SETTING.items():
        monkeypatch.setenv(name, value)
    assert run_command(*arguments) == EVERY_SETTING


@pytest.mark.parametrize(("name", "value", "message"), WRONG_SETTINGS["environment"])
def test_wrong_environment_variable_is_reported_by_its_name(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    message: str,
) -> None:
    # Such as PORT with "99999": "SCOREPAD_PORT vuole un numero intero da 0 a 65535." ("takes a whole
    # number from 0 to 65535").
    monkeypatch.setenv(f"SCOREPAD_{name}", value)
    assert get_error_line(capsys, "serve") == message


@pytest.mark.parametrize(("text", "message"), WRONG_SETTINGS["file"])
def test_wrong_value_in_settings_file_is_reported_with_key_and_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    # Such as the line "port = 99999": "port (FILE) vuole un numero intero da 0 a 65535.", in which
    # FILE stands for the name of the file.
    file = write_file(tmp_path / "s.toml", text)
    data = str(tmp_path / "x.db")

    error = get_error_line(capsys, "serve", "--config", file, "--data", data)

    assert error == message.replace("FILE", file)


def test_settings_file_that_is_no_text_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "s.toml"
    file.write_bytes(b"\xff\xfe")  # no text in UTF-8
    error = get_error_line(capsys, "--lang", "en", "serve", "--config", str(file))
    assert "is no TOML" in error


def test_settings_file_that_is_a_folder_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    error = get_error_line(capsys, "--lang", "en", "serve", "--config", str(tmp_path))
    assert "cannot be read" in error


def test_environment_names_data_file_of_other_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The command that lists matches looks for this file, too, and says that it is not there.
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "nowhere.db"))
    assert "nowhere.db" in get_error_line(capsys, "matches")
