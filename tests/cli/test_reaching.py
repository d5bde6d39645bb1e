"""How phones come to the pad: what `scorepad serve` prints for a network, and new links by
`scorepad link`.
"""

import re
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from scorepad.cli import addresses, link, serve
from scorepad.cli.addresses import terminal_qr
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, DeviceId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.keys import Keys, NoSuchKey
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.cli.running import command_line_in, refused, serving, shell
from tests.data import read_data

BLOCKS = set(" ▀▄█")
CASES = read_data("cli/reaching.toml")
PHONE, TABLET = DeviceId("phone"), DeviceId("tablet")


class Stream:
    """A stream of the command: a terminal or none, in an encoding."""

    def __init__(self, encoding: str = "utf-8", *, is_terminal: bool = True) -> None:
        self.encoding = encoding
        self.isatty = lambda: is_terminal


def has_network() -> bool:
    from scorepad.web.network_addresses import home_address

    return home_address() is not None


def is_of_code(line: str) -> bool:
    """Whether a line belongs to a code to point a camera at."""
    return line != "" and set(line) <= BLOCKS


@pytest.mark.skipif(not has_network(), reason="this machine is in no network")
def test_a_pad_for_the_network_prints_its_addresses_and_a_code_to_point_a_camera_at(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as served:
        lines = served.line.splitlines()
        while not lines[-1].startswith("Inquadra"):
            lines.append(served.read_line().rstrip("\n"))
        with urllib.request.urlopen(served.address, timeout=10) as answer:
            assert answer.status == 200

    assert served.address in lines[0]
    local_address = f"http://localhost:{served.port}/"
    assert lines[1] == f"Da questo stesso computer si apre così: {local_address}"
    assert lines[2] == "Dai telefoni della rete di casa si apre così:"
    assert lines[3] == f"  {served.address}"
    code = [line for line in lines if is_of_code(line)]
    assert len(code) >= 15
    width = len(code[0])
    assert 15 < width < 60
    for line in code:
        assert len(line) == width
    assert lines[-1] == (
        f"Inquadra il codice con la fotocamera del telefono: apre {served.address}"
    )
    assert "\033" not in "".join(lines), "no colours but on a terminal"


def list_address_lines(monkeypatch: pytest.MonkeyPatch, *home: str) -> list[str]:
    """What is printed in English on a machine with these addresses in the home network."""
    monkeypatch.setattr(addresses, "home_addresses", lambda: home)
    monkeypatch.setattr(addresses, "announced_name", lambda: "tavolo.local")
    with command_line_in("en"):
        return list(addresses.server_address_lines("0.0.0.0", 8765, Path("/x.db")))


def test_every_address_is_printed_the_name_last(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list_address_lines(monkeypatch, "192.168.1.23", "10.0.0.7")
    assert lines[1] == "On this same computer open it here: http://localhost:8765/"
    assert lines[3:6] == [
        "  http://192.168.1.23:8765/",
        "  http://10.0.0.7:8765/",
        "  http://tavolo.local:8765/",
    ]
    assert lines[-1].endswith("it opens http://192.168.1.23:8765/")


def test_further_hosts_are_answered_to_and_no_address_shows_the_match_of_another(
    tmp_path: Path,
) -> None:
    match = started(tmp_path).match
    hosts = ("--allow-host", "canasta.example", "--allow-host", "Altro.Example.")
    with serving(tmp_path, *hosts) as served:
        assert status_of(served.address, "canasta.example") == 200
        assert status_of(served.address, "altro.example:80") == 200
        assert status_of(served.address, "third.example") == 400
        for host in ("", "localhost", "127.0.0.1", "canasta.example"):
            assert status_of(f"{served.address}partite/{match}", host) == 404


def status_of(address: str, host: str = "") -> int:
    request = urllib.request.Request(address, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        refusal.close()
        return refusal.code


def press(link: str) -> str:
    """Open a link to every match and press its button; the first page afterwards."""
    cookies = urllib.request.HTTPCookieProcessor()
    browser = urllib.request.build_opener(cookies, urllib.request.ProxyHandler({}))
    with browser.open(link, timeout=10) as answer:
        found = re.search(r'name="csrf_token" value="([^"]+)"', answer.read().decode())
    sent = urllib.parse.urlencode({"csrf_token": found[1]}).encode()
    with browser.open(link, sent, timeout=10) as answer:
        return str(answer.read().decode())


def test_a_computer_in_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list_address_lines(monkeypatch)
    assert lines[1:] == ["This computer is in no network now: until it is, no phone can find it."]


def test_on_a_terminal_the_code_is_black_on_white(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.sys, "stdout", Stream())
    for line in terminal_qr("http://192.168.1.23:8765/").split("\n"):
        assert re.fullmatch("\033\\[97;40m[ ▀▄█]{33}\033\\[0m", line)


def test_on_a_terminal_without_blocks_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.sys, "stdout", Stream("iso-8859-1"))
    assert terminal_qr("http://192.168.1.23:8765/") == ""


@pytest.mark.parametrize(("host", "name"), CASES["printed"])
def test_the_link_that_is_printed_at_the_start_gives_every_match_once(
    tmp_path: Path, host: str, name: str
) -> None:
    match = started(tmp_path).match
    with serving(tmp_path, "--host", host) as served:
        line = ""
        while "/casa/" not in line:
            line = served.read_line()
        link = line.strip()
        assert link.startswith(f"http://{name}:{served.port}/casa/")
        assert match in press(link)
        assert status_of(link) == 404

        made = shell(f"scorepad link --admin --data x.db --port {served.port}", tmp_path)
        (new_link,) = re.findall(r"http://localhost:\d+/casa/[a-z2-9]{26}", made.stdout.decode())
        assert match in press(new_link)
        assert status_of(new_link) == 404


def type_at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a Linux machine on whose terminal somebody types the command."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(serve.sys, "stdin", Stream())
    monkeypatch.setattr(serve.sys, "stdout", Stream())
    monkeypatch.setattr(serve.sys, "platform", "linux")


@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_the_browser_is_opened_at_a_desktop_alone(
    monkeypatch: pytest.MonkeyPatch, display: str
) -> None:
    type_at_terminal(monkeypatch)
    assert not serve._is_at_desktop()
    monkeypatch.setenv(display, ":0")
    assert serve._is_at_desktop()
    monkeypatch.setattr(serve.sys, "stdout", Stream(is_terminal=False))
    assert not serve._is_at_desktop()


def test_no_browser_is_opened_from_afar(monkeypatch: pytest.MonkeyPatch) -> None:
    type_at_terminal(monkeypatch)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SSH_CONNECTION", "x")
    assert not serve._is_at_desktop()


def started(folder: Path) -> Saved:
    """A match in the file `x.db` that a phone started and a tablet came into."""
    with Storage(folder / "x.db") as storage:
        pad = Pad(storage)
        new = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))
        saved = pad.actions.start(RequestId("start"), PHONE, new)
        assert isinstance(saved, Saved)
        pad.devices.enter(saved.keys.write, TABLET)
        return saved


def access(folder: Path, saved: Saved, *devices: DeviceId) -> list[Access]:
    """What these devices may do in the match."""
    with Storage(folder / "x.db") as storage:
        return [Pad(storage).access(saved.match, device) for device in devices]


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("language", "above_link_to_write", "above_link_to_view"),
    [
        ("it", "Per segnare:", "Solo per guardare:"),
        ("en", "To keep score:", "To watch only:"),
    ],
)
def test_new_links_open_the_match_and_the_old_ones_nothing(
    tmp_path: Path, language: str, above_link_to_write: str, above_link_to_view: str
) -> None:
    saved = started(tmp_path)
    command = f"scorepad link {saved.match} --data x.db --host tavolo.local --port 8000"

    done = shell(f"{command} --lang {language}", tmp_path)

    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert saved.match in lines[0]
    for line in lines[1:]:
        assert len(line) < 80
    assert any(is_of_code(line) for line in lines)
    link_to_write = lines[lines.index(above_link_to_write) + 1]
    link_to_view = lines[lines.index(above_link_to_view) + 1]
    prefix = "  http://tavolo.local:8000/e/"
    keys = Keys(link_to_write.removeprefix(prefix), link_to_view.removeprefix(prefix))

    assert access(tmp_path, saved, PHONE, TABLET) == [Access.NONE, Access.NONE]
    with Storage(tmp_path / "x.db") as storage:
        devices = Pad(storage).devices
        for old_key in (saved.keys.write, saved.keys.view):
            with pytest.raises(NoSuchKey):
                devices.enter(old_key, PHONE)
        assert devices.enter(keys.write, TABLET).keys == keys
    assert access(tmp_path, saved, TABLET) == [Access.OWN]


@pytest.mark.parametrize(("options", "home_address", "host_of_link"), CASES["named"])
def test_the_links_name_the_host_or_else_the_home_network(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    home_address: str,
    host_of_link: str,
) -> None:
    monkeypatch.setattr(link, "home_address", lambda: home_address or None)
    match = started(tmp_path).match
    arguments = [match, "--data", str(tmp_path / "x.db"), *options]
    assert link.link_command.main(arguments, standalone_mode=False, obj=words("en")) == 0
    assert f"  http://{host_of_link}:8765/e/" in capsys.readouterr().out


@pytest.mark.quick(2)
@pytest.mark.parametrize("match", CASES["no_matches"])
def test_an_unknown_match_is_reported_in_one_line(tmp_path: Path, match: str) -> None:
    saved = started(tmp_path)
    message = refused(shell(f'scorepad link "{match}" --data x.db', tmp_path))
    assert "«scorepad matches» le elenca" in message
    assert access(tmp_path, saved, PHONE) == [Access.OWN]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("options", "expected"), CASES["refused"])
def test_an_address_that_cannot_be_is_reported_before_any_key_is_changed(
    tmp_path: Path, options: str, expected: str
) -> None:
    saved = started(tmp_path)
    line = f"scorepad link {saved.match} --data x.db {options} --lang en"
    assert refused(shell(line, tmp_path)).startswith(expected)
    assert access(tmp_path, saved, PHONE) == [Access.OWN]


def test_the_keeper_of_the_file_finds_the_match_that_it_makes_links_for(tmp_path: Path) -> None:
    saved = started(tmp_path)
    with Storage(tmp_path / "x.db") as storage:
        pad = Pad(storage)
        labels = Labels(("Noi", "Loro"), (("Ada", ""), ("Eva", "Ivo")), "Rimini")
        pad.actions.rename(RequestId("names"), saved.match, ADMIN, labels)
        time_of_change = f"{pad.state(saved.match, ADMIN).changed.astimezone():%H:%M}"

    line = shell("scorepad matches --data x.db", tmp_path).stdout.decode()

    assert line.startswith(f"{saved.match}  Noi (Ada) 0, Loro (Eva e Ivo) 0  (Rimini, in corso, ")
    assert line.endswith(f", {time_of_change})\n"), "two matches of a day differ"
