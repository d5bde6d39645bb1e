"""What `scorepad serve` is set by: the command line, else the environment, else a file; and where a
mistake stands.
"""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from scorepad.cli import main, serve
from scorepad.cli.output import DONE
from scorepad.cli.serve import ServeOptions
from tests.cli.running import refused_here
from tests.data import read_data

WRONG = read_data("cli/settings.toml")
NAMES = ("HOST", "PORT", "ALLOW_HOST", "PROXIES", "NO_LIMITS", "NO_OPEN", "LOG", "DATA", "CONFIG")


EVERYTHING = """
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
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., ServeOptions]:
    """Run the command, but for the serving: with which options, and on which file."""
    seen: list[ServeOptions] = []

    def run_server(options: ServeOptions) -> int:
        seen.append(options)
        return DONE

    monkeypatch.setattr(serve, "run_server", run_server)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(*arguments: str) -> ServeOptions:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0
        return seen.pop()

    return run


def write(file: Path, text: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_the_command_line_comes_first_then_the_environment_then_the_file(
    opened: Callable[..., ServeOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = write(tmp_path / "s.toml", "port = 1111")
    assert opened("serve", "--config", file).port == 1111
    monkeypatch.setenv("SCOREPAD_PORT", "2222")
    assert opened("serve", "--config", file).port == 2222
    assert opened("serve", "--config", file, "--port", "3333").port == 3333
    monkeypatch.delenv("SCOREPAD_PORT")
    assert opened("serve").port == 8765, "without any of them what the help says"


FLAGS = shlex.split(
    "--host 0.0.0.0 --port 99 --allow-host canasta.example --allow-host pad.example --proxies 2"
    " --no-limits --no-open --log json --data x.db"
)
VALUES = ("0.0.0.0", "99", "canasta.example pad.example", "2", "1", "true", "json", "x.db")
"""Of the variables, in the order of their names."""


@pytest.mark.parametrize("way", ["flags", "environment", "file", "usual file", "bare command"])
def test_everything_can_be_set_in_every_way(
    opened: Callable[..., ServeOptions], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str
) -> None:
    arguments = ["serve"]
    if way == "flags":
        arguments += FLAGS
    if way == "file":
        arguments += ["--config", write(tmp_path / "s.toml", EVERYTHING)]
    if way == "usual file":
        write(tmp_path / "config" / "scorepad" / "scorepad.toml", EVERYTHING)
    if way in ("environment", "bare command"):
        for name, value in zip(NAMES, VALUES, strict=False):
            monkeypatch.setenv(f"SCOREPAD_{name}", value)
    if way == "bare command":
        arguments = []
    assert opened(*arguments) == ServeOptions(
        host="0.0.0.0",
        port=99,
        allow_host=("canasta.example", "pad.example"),
        proxies=2,
        no_limits=True,
        no_open=True,
        log="json",
        data=Path("x.db"),
    )


@pytest.mark.parametrize(("name", "value", "message"), WRONG["environment"])
def test_a_wrong_value_of_the_environment_is_reported_with_its_variable(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    message: str,
) -> None:
    monkeypatch.setenv(f"SCOREPAD_{name}", value)
    assert refused_here(capsys, "serve") == message


@pytest.mark.parametrize(("text", "message"), WRONG["file"])
def test_a_wrong_value_of_the_file_is_reported_with_its_key_and_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, message: str
) -> None:
    file = write(tmp_path / "s.toml", text)
    assert refused_here(
        capsys, "serve", "--config", file, "--data", str(tmp_path / "x.db")
    ) == message.replace("FILE", file)


def test_a_file_that_was_named_and_is_no_text_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff\xfe")
    assert "is no TOML" in refused_here(
        capsys, "--lang", "en", "serve", "--config", str(tmp_path / "s.toml")
    )
    assert "cannot be read" in refused_here(
        capsys, "--lang", "en", "serve", "--config", str(tmp_path)
    )


def test_other_commands_find_the_file_of_the_matches_by_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SCOREPAD_DATA", str(tmp_path / "nowhere.db"))
    assert "nowhere.db" in refused_here(capsys, "matches")
