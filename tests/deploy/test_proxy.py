"""Behind nginx with https, set up as docs/deploying.md has it: all that is done in a match, as it
is done at home.
"""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from scorepad.app import Config, create_app
from tests.cli.running import serving
from tests.deploy.wire import Phone, Wire
from tests.web.client import Client
from tests.web.playing import start

NAME = "canasta.example"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
OPENSSL = shutil.which("openssl")
LARGE = 3_000_000
"""Octets of blanks at the end of a file, which are as good as matches: more than nginx takes unless
told.
"""


class Place(NamedTuple):
    """Where the pad is for browsers and for nginx, whom browsers trust, nginx without https, the
    link of the start.
    """

    origin: str
    behind: int
    trust: ssl.SSLContext
    plain: int
    link: str


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def as_told(checkout: Path) -> str:
    """The nginx servers of docs/deploying.md."""
    page = (checkout / "docs" / "deploying.md").read_text("utf-8")
    found = re.search(r"```text\n(server \{\n.*?\n\}\n)```", page, re.DOTALL)
    assert found, "docs/deploying.md has no nginx server"
    return found[1]


@pytest.fixture(scope="module")
def place(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    if NGINX is None or OPENSSL is None:
        pytest.skip("no nginx or no openssl on this machine: apt-get install nginx-light openssl")
    folder, public, plain = tmp_path_factory.mktemp("proxy"), free_port(), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME},DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    names = {"SCOREPAD_PROXIES": "1", "SCOREPAD_ALLOW_HOST": NAME}
    with serving(folder, **names) as pad:
        assert pad.read_line() == f"Attraverso il proxy si apre così: https://{NAME}/\n"
        pad.read_line()
        link = pad.read_line().strip()
        assert re.fullmatch(rf"https://{re.escape(NAME)}/casa/[a-z2-9]{{26}}", link)
        told = as_told(checkout)
        for old, new in (
            ("listen 80;", f"listen 127.0.0.1:{plain};"),
            ("listen 443 ssl", f"listen 127.0.0.1:{public} ssl"), ("127.0.0.1:8765", f"127.0.0.1:{pad.port}"),
            ("/etc/ssl/canasta.pem", str(certificate)), ("/etc/ssl/canasta.key", str(key)),
        ):  # fmt: skip
            assert told.count(old) == 1, f"the nginx server of docs/deploying.md without {old}"
            told = told.replace(old, new)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
            f"events {{}}\nhttp {{\naccess_log {folder}/access.log;\n{temporary}{told}}}\n"
        )
        with subprocess.Popen(
            [NGINX, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
        ) as nginx:
            try:
                wait_for(public)
                trust = ssl.create_default_context(cafile=str(certificate))
                home_link = link.removeprefix(f"https://{NAME}")
                yield Place(f"https://{NAME}:{public}", pad.port, trust, plain, home_link)
            finally:
                nginx.terminate()
    assert (folder / "error.log").read_text() == ""
    assert not (folder / "access.log").exists() or (folder / "access.log").read_text() == "", (
        "keys in nginx's own log"
    )


def wait_for(port: int) -> None:
    for _ in range(100):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    pytest.fail("nginx does not listen")


@pytest.fixture
def phone(place: Place) -> Callable[[], Phone]:
    return lambda: Phone(place.origin, place.trust)


def test_a_match_is_started_joined_by_its_code_followed_and_printed(
    place: Place, phone: Callable[[], Phone]
) -> None:
    owner = phone()
    url = start(owner, name_0="Nonni")

    # Nothing is new for the page of the match.
    main = owner.get(url).one("main")
    state = main["data-live-state"]
    known = {"If-None-Match": f'"{main["data-live-tag"]}"'}
    unchanged = owner.raw.get(state, headers=known)
    assert unchanged.status_code == 304
    assert unchanged.data == b""

    # A guest comes in by the address that the code holds, and changes a name.
    codes = owner.get(f"{url}/telefoni").answer.text
    addresses = dict.fromkeys(re.findall(rf"{re.escape(place.origin)}/e/[\w-]+", codes))
    address_to_write, _address_to_view = addresses
    guest = phone()
    entered = guest.raw.get(address_to_write.removeprefix(place.origin))
    assert entered.status_code == 303
    assert entered.headers["Location"] == f"{url}/telefoni/chi"
    guest.submit(guest.get(f"{url}/nomi"), "Salva", name_1="Nipoti")

    # The owner sees it, and prints the sheet.
    assert owner.raw.get(state, headers=known).status_code == 200
    assert owner.get(url).one("h1").text == "Nonni contro Nipoti"
    sheet = owner.raw.get(f"{url}/foglio.pdf")
    assert sheet.status_code == 200
    assert sheet.mimetype == "application/pdf"
    assert sheet.data.startswith(b"%PDF-")
    assert sheet.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert_cookies_are_secure(owner)
    assert_cookies_are_secure(guest)


def assert_cookies_are_secure(device: Phone) -> None:
    """Browsers take a cookie whose name begins so over HTTPS only."""
    cookies = device.raw.told
    names = {cookie.partition("=")[0] for cookie in cookies}
    assert "__Host-scorepad_device" in names
    assert "__Host-scorepad_session" in names
    assert "__Secure-scorepad_write" in names
    for cookie in cookies:
        assert "; Secure" in cookie
        assert cookie.startswith(("__Host-", "__Secure-"))


@pytest.mark.parametrize("path", ["/", "/regole/cerca?testo=pozzo%20bloccato"])
def test_whoever_comes_without_https_is_led_to_it(place: Place, path: str) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", place.plain, timeout=10)) as connection:
        connection.request("GET", path, headers={"Host": NAME})
        answer = connection.getresponse()
    assert answer.status == 301
    assert answer.headers["Location"] == f"https://{NAME}{path}"


def test_the_link_of_the_start_gives_every_match_through_the_proxy(
    place: Place, phone: Callable[[], Phone]
) -> None:
    url = start(phone(), name_0="Altrui")
    owner = phone()
    owner.get(url, 404)

    owner.submit(owner.get(place.link), "Vedi tutte le partite")

    assert owner.get(url).status == 200
    (cookie,) = [cookie for cookie in owner.raw.told if "scorepad_admin" in cookie]
    assert cookie.startswith("__Host-scorepad_admin=")
    phone().get(place.link, 404)  # it opens once


def test_a_large_file_is_taken_in(phone: Callable[[], Phone], tmp_path: Path) -> None:
    other_pad = Client(create_app(Config(tmp_path / "y.db", b"k" * 32, testing=True)))
    url = start(other_pad, name_0="Grandi")
    exported = other_pad.raw.get(f"{url}/file/partita.json").data
    device = phone()
    page = device.get("/file")
    wire = device.raw
    assert isinstance(wire, Wire)

    answer = wire.send_file("/file", page.values(page.form("Carica")), exported + b" " * LARGE)

    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"] == url
    assert device.get(url).one("h1").text == "Grandi contro Loro"


def test_the_language_can_be_changed_where_the_browser_tells_nothing_of_where_it_was(
    place: Place, phone: Callable[[], Phone]
) -> None:
    """As on the page of a link that opens nothing: its address may hold a key, and is told to
    nobody.
    """
    device = phone()
    page = device.get("/e/niente", 404)
    assert page.answer.headers["Referrer-Policy"] == "no-referrer"
    sent = page.values(page.form("English")) | {"language": "en"}
    wire = device.raw
    assert isinstance(wire, Wire)
    answer = wire.open(
        "POST",
        "/lingua",
        "&".join(f"{k}={v}" for k, v in sent.items()).encode(),
        {"Origin": "null"},
    )
    assert answer.status_code == 303, answer.text


def test_who_comes_through_the_proxy_is_nobody_on_this_machine(
    place: Place, phone: Callable[[], Phone]
) -> None:
    url = start(phone(), name_0="Segreti")
    here = Phone(place.origin.replace(NAME, "localhost"), place.trust)
    assert "Segreti" not in here.get("/").text
    assert here.raw.get(url).status_code == 404


@pytest.mark.parametrize(("path", "status"), [("/", 400), ("/salute", 200)])
def test_another_name_is_refused_and_the_health_is_reported_all_the_same(
    place: Place, path: str, status: int
) -> None:
    headers = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    with closing(http.client.HTTPConnection("127.0.0.1", place.behind, timeout=10)) as connection:
        connection.request("GET", path, headers=headers)
        assert connection.getresponse().status == status


@pytest.mark.parametrize(
    ("proxies", "forwarded", "secure"),
    [
        (0, {"X-Forwarded-Proto": "https"}, False),
        (1, {"X-Forwarded-Proto": "https"}, True),
        (1, {"X-Forwarded-Proto": "https, http"}, False),
        (2, {"X-Forwarded-Proto": "https, http"}, True),
        (1, {}, False),
    ],
)
def test_https_is_believed_of_so_many_proxies_as_there_are(
    tmp_path: Path, proxies: int, forwarded: dict[str, str], secure: bool
) -> None:
    config = Config(tmp_path / "x.db", b"k" * 32, (NAME,), proxies=proxies, testing=True)
    client = Client(create_app(config))

    answer = client.raw.get("/partite/nuova", headers={"Host": NAME, **forwarded})

    cookies = answer.headers.getlist("Set-Cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        assert ("; Secure" in cookie) == secure


@pytest.mark.parametrize(("proxies", "status"), [(0, 400), (1, 200), (2, 400)])
def test_the_name_is_believed_of_so_many_proxies_as_there_are(
    tmp_path: Path, proxies: int, status: int
) -> None:
    config = Config(tmp_path / "x.db", b"k" * 32, (NAME,), proxies=proxies, testing=True)
    headers = {"Host": "x.example", "X-Forwarded-Host": NAME}
    answer = Client(create_app(config)).raw.get("/", headers=headers)
    assert answer.status_code == status
