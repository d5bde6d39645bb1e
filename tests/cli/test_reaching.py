"""How phones reach the pad: the addresses that `scorepad serve` prints, and `scorepad link`."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.cli import addresses, link, serve
from scorepad.cli.addresses import terminal_qr
from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, DeviceId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.keys import Keys, NoSuchKey
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from scorepad.web.network_addresses import home_address
from tests.cli.running import CLASSIC_MATCH, command_line_in, refused, serving, shell
from tests.data import read_data

CASES = read_data("cli/reaching.toml")
PHONE, TABLET = DeviceId("phone"), DeviceId("tablet")


class FakeStream:
    """A stream of the command: a terminal or none, in an encoding."""

    def __init__(self, encoding: str = "utf-8", *, is_terminal: bool = True) -> None:
        self.encoding = encoding
        self.isatty = lambda: is_terminal


def has_network() -> bool:
    return home_address() is not None


def is_line_of_qr_code(line: str) -> bool:
    """Tell whether a line belongs to a QR code, which is printed with block characters."""
    return line != "" and set(line) <= set(" ▀▄█")


@pytest.mark.skipif(not has_network(), reason="this machine is in no network")
def test_server_for_the_network_prints_addresses_and_qr_code(
    tmp_path: Path,
) -> None:
    # Read what is printed up to the last line, "Point the camera of the phone at the code: …".
    with serving(tmp_path, "--host", "0.0.0.0") as served:
        lines = served.line.splitlines()
        while not lines[-1].startswith("Inquadra"):
            lines.append(served.read_line().rstrip("\n"))
        with urllib.request.urlopen(served.address, timeout=10) as answer:
            assert answer.status == 200

    # "On this same computer open it here: …", "On the phones of the home network open it here:".
    assert served.address in lines[0]
    local_address = f"http://localhost:{served.port}/"
    assert lines[1] == f"Da questo stesso computer si apre così: {local_address}"
    assert lines[2] == "Dai telefoni della rete di casa si apre così:"
    assert lines[3] == f"  {served.address}"
    assert lines[-1] == (
        f"Inquadra il codice con la fotocamera del telefono: apre {served.address}"
    )

    # The QR code is a block of lines of one length. It fits on a terminal of 80 columns.
    qr_code = [line for line in lines if is_line_of_qr_code(line)]
    assert len(qr_code) >= 15
    width = len(qr_code[0])
    assert 15 < width < 60
    for line in qr_code:
        assert len(line) == width

    # The output is a pipe and no terminal, so it has no colours. A colour begins with an escape.
    for line in lines:
        assert "\033" not in line


def list_lines_printed_at_start(monkeypatch: pytest.MonkeyPatch, *home: str) -> list[str]:
    """Return what is printed in English on a machine with these addresses in the home network."""
    monkeypatch.setattr(addresses, "home_addresses", lambda: home)
    monkeypatch.setattr(addresses, "announced_name", lambda: "tavolo.local")
    with command_line_in("en"):
        return list(addresses.server_address_lines("0.0.0.0", 8765, Path("/x.db")))


def test_all_addresses_of_the_network_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list_lines_printed_at_start(monkeypatch, "192.168.1.23", "10.0.0.7")

    assert lines[1] == "On this same computer open it here: http://localhost:8765/"
    # The last is the name that this machine announces in the network.
    assert lines[3:6] == [
        "  http://192.168.1.23:8765/",
        "  http://10.0.0.7:8765/",
        "  http://tavolo.local:8765/",
    ]
    # The QR code stands for the first address.
    assert lines[-1].endswith("it opens http://192.168.1.23:8765/")


def test_allowed_hosts_are_answered(tmp_path: Path) -> None:
    hosts = ("--allow-host", "canasta.example", "--allow-host", "Altro.Example.")
    with serving(tmp_path, *hosts) as served:
        assert get_status(served.address, "canasta.example") == HTTPStatus.OK
        # Capitals, the full stop at the end and the port do not matter.
        assert get_status(served.address, "altro.example:80") == HTTPStatus.OK
        assert get_status(served.address, "third.example") == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("host", ["", "localhost", "127.0.0.1", "canasta.example"])
def test_match_is_hidden_from_other_devices_under_every_host(tmp_path: Path, host: str) -> None:
    match = start_match_with_two_devices(tmp_path).match
    with serving(tmp_path, "--allow-host", "canasta.example") as served:
        # This request has no cookie, so it comes from neither of the two devices.
        status = get_status(f"{served.address}partite/{match}", host)
        assert status == HTTPStatus.NOT_FOUND


def get_status(address: str, host: str = "") -> int:
    """Request an address, with this Host header if one is given, and return the status."""
    request = urllib.request.Request(address)
    if host:
        request.add_header("Host", host)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        refusal.close()
        return refusal.code


def follow_admin_link(link: str) -> str:
    """Open a link that gives every match, press the button on its page, and return the next page."""
    cookies = urllib.request.HTTPCookieProcessor()
    browser = urllib.request.build_opener(cookies, urllib.request.ProxyHandler({}))
    with browser.open(link, timeout=10) as answer:
        page = answer.read().decode()

    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token
    form = urllib.parse.urlencode({"csrf_token": token[1]}).encode()
    with browser.open(link, form, timeout=10) as answer:
        return str(answer.read().decode())


def test_message_on_a_computer_without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list_lines_printed_at_start(monkeypatch)
    assert lines[1:] == ["This computer is in no network now: until it is, no phone can find it."]


def test_qr_code_on_a_terminal_is_black_on_white(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.sys, "stdout", FakeStream())
    lines = terminal_qr("http://192.168.1.23:8765/").split("\n")

    # The light parts of the code are printed as blocks, the dark ones as spaces. A terminal prints
    # blocks in the colour of the text, and spaces in that of the background. So each line sets both:
    # white text (97) on a black background (40). At its end it takes them back (0).
    white_on_black = re.escape("\033[97;40m")
    end_of_colours = re.escape("\033[0m")

    # The code has 25 x 25 fields, and a margin of 4 fields on each side.
    for line in lines:
        assert re.fullmatch(f"{white_on_black}[ ▀▄█]{{33}}{end_of_colours}", line)


def test_no_qr_code_on_a_terminal_without_block_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.sys, "stdout", FakeStream("iso-8859-1"))
    assert terminal_qr("http://192.168.1.23:8765/") == ""


@pytest.mark.parametrize(("host", "name"), CASES["printed"])
def test_printed_admin_link_gives_every_match_once(tmp_path: Path, host: str, name: str) -> None:
    match = start_match_with_two_devices(tmp_path).match
    with serving(tmp_path, "--host", host) as served:
        # At its start the server prints a link for its administrator. If it listens on all
        # addresses, "0.0.0.0", the name in the link is "localhost".
        line = ""
        while "/casa/" not in line:
            line = served.read_line()
        link = line.strip()
        assert link.startswith(f"http://{name}:{served.port}/casa/")

        # A new browser follows it and sees the match of others. After that the link is used up.
        assert match in follow_admin_link(link)
        assert get_status(link) == HTTPStatus.NOT_FOUND


def test_link_command_makes_an_admin_link_that_works_once(tmp_path: Path) -> None:
    match = start_match_with_two_devices(tmp_path).match
    with serving(tmp_path) as served:
        done = shell(f"scorepad link --admin --data x.db --port {served.port}", tmp_path)

        # A new browser follows the link and sees the match of others. After that it is used up.
        (link,) = re.findall(r"http://localhost:\d+/casa/[a-z2-9]{26}", done.stdout.decode())
        assert match in follow_admin_link(link)
        assert get_status(link) == HTTPStatus.NOT_FOUND


def imitate_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imitate a Linux machine on whose terminal somebody types the command, without a desktop."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(serve.sys, "stdin", FakeStream())
    monkeypatch.setattr(serve.sys, "stdout", FakeStream())
    monkeypatch.setattr(serve.sys, "platform", "linux")


@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_browser_is_opened_at_a_desktop_only(monkeypatch: pytest.MonkeyPatch, display: str) -> None:
    # A terminal without a desktop, as on a server.
    imitate_terminal(monkeypatch)
    assert not serve._is_at_desktop()

    # A terminal in a window. Either variable says that there is a desktop.
    monkeypatch.setenv(display, ":0")
    assert serve._is_at_desktop()

    # A script on the desktop, whose output goes to a file.
    monkeypatch.setattr(serve.sys, "stdout", FakeStream(is_terminal=False))
    assert not serve._is_at_desktop()


def test_no_browser_is_opened_in_an_ssh_session(monkeypatch: pytest.MonkeyPatch) -> None:
    imitate_terminal(monkeypatch)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SSH_CONNECTION", "x")
    assert not serve._is_at_desktop()


def start_match_with_two_devices(folder: Path) -> Saved:
    """Start a match in `x.db` on a phone and let a tablet in. Return its id and its keys."""
    with Storage(folder / "x.db") as storage:
        pad = Pad(storage)
        saved = pad.actions.start(RequestId("start"), PHONE, CLASSIC_MATCH)
        assert isinstance(saved, Saved)
        pad.devices.enter(saved.keys.write, TABLET)
        return saved


def list_access(folder: Path, saved: Saved, *devices: DeviceId) -> list[Access]:
    """Return what each of these devices may do in the match."""
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
def test_link_command_replaces_the_keys_of_a_match(
    tmp_path: Path, language: str, above_link_to_write: str, above_link_to_view: str
) -> None:
    # A match has a phone and a tablet in it. Both are lost, so new links to the match are made.
    saved = start_match_with_two_devices(tmp_path)
    command = f"scorepad link {saved.match} --data x.db --host tavolo.local --port 8000"
    done = shell(f"{command} --lang {language}", tmp_path)

    # The first line names the match. The others fit on a terminal of 80 columns.
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert saved.match in lines[0]
    assert any(is_line_of_qr_code(line) for line in lines)
    for line in lines[1:]:
        assert len(line) < 80

    # Below its title stands each link, which ends with its new key.
    new_keys = Keys(
        write=read_key_below(above_link_to_write, lines),
        view=read_key_below(above_link_to_view, lines),
    )

    # The devices that were in the match are out.
    assert list_access(tmp_path, saved, PHONE, TABLET) == [Access.NONE, Access.NONE]

    # The old keys let nobody in.
    with Storage(tmp_path / "x.db") as storage:
        devices = Pad(storage).devices
        for old_key in (saved.keys.write, saved.keys.view):
            with pytest.raises(NoSuchKey):
                devices.enter(old_key, PHONE)

        # The first device that comes in with the new key to write owns the match.
        assert devices.enter(new_keys.write, TABLET).keys == new_keys
    assert list_access(tmp_path, saved, TABLET) == [Access.OWN]


def read_key_below(title: str, lines: list[str]) -> str:
    """Return the key at the end of the link which stands in the line below this title."""
    link_line = lines[lines.index(title) + 1]
    return link_line.removeprefix("  http://tavolo.local:8000/e/")


@pytest.mark.parametrize(("options", "home_address", "host_of_link"), CASES["named"])
def test_links_name_the_host_or_the_home_network(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    home_address: str,
    host_of_link: str,
) -> None:
    # Cases: without options, the links have the address of this machine in the home network, say
    # 192.168.1.23. With ["--host", "[fd00::7]"] they have that host. In a case where the machine is
    # in no network, the address is empty, and the links have 127.0.0.1.
    monkeypatch.setattr(link, "home_address", lambda: home_address or None)
    match = start_match_with_two_devices(tmp_path).match

    # The command "scorepad link MATCH --data x.db" runs in this process, with English texts.
    data_file = str(tmp_path / "x.db")
    command = link.link_command
    status = command.main(
        [match, "--data", data_file, *options], standalone_mode=False, obj=words("en")
    )

    # It prints links such as "http://192.168.1.23:8765/e/KEY".
    assert status == 0
    assert f"  http://{host_of_link}:8765/e/" in capsys.readouterr().out


@pytest.mark.quick(2)
@pytest.mark.parametrize("match", CASES["no_matches"])
def test_link_of_unknown_match_is_refused(tmp_path: Path, match: str) -> None:
    saved = start_match_with_two_devices(tmp_path)

    message = refused(shell(f'scorepad link "{match}" --data x.db', tmp_path))

    # The message says how to find the id: "the command scorepad matches lists them".
    assert "«scorepad matches» le elenca" in message
    # The keys of the match in the file were not replaced.
    assert list_access(tmp_path, saved, PHONE) == [Access.OWN]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("options", "expected"), CASES["refused"])
def test_invalid_address_is_refused_before_keys_change(
    tmp_path: Path, options: str, expected: str
) -> None:
    saved = start_match_with_two_devices(tmp_path)

    # Such as "--port 0": "--port takes a whole number from 1 to 65535."
    command = f"scorepad link {saved.match} --data x.db {options} --lang en"
    message = refused(shell(command, tmp_path))

    assert message.startswith(expected)
    # The phone keeps its access. It would lose it if the keys were replaced.
    assert list_access(tmp_path, saved, PHONE) == [Access.OWN]


def test_matches_command_lists_name_place_and_time_of_change(tmp_path: Path) -> None:
    # A match in Rimini: Noi ("we"), of whom one has a name, against Loro ("they").
    saved = start_match_with_two_devices(tmp_path)
    with Storage(tmp_path / "x.db") as storage:
        pad = Pad(storage)
        labels = Labels(
            names=("Noi", "Loro"), players=(("Ada", ""), ("Eva", "Ivo")), place="Rimini"
        )
        pad.actions.rename(RequestId("names"), saved.match, ADMIN, labels)
        time_of_change = f"{pad.state(saved.match, ADMIN).changed.astimezone():%H:%M}"

    line = shell("scorepad matches --data x.db", tmp_path).stdout.decode()

    # "in corso" is "in progress". The time tells two matches of the same day apart.
    assert line.startswith(f"{saved.match}  Noi (Ada) 0, Loro (Eva e Ivo) 0  (Rimini, in corso, ")
    assert line.endswith(f", {time_of_change})\n")
