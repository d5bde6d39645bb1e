"""The pad behind nginx with HTTPS, set up as docs/deploying.md says."""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from scorepad.app import Config, create_app
from tests.cli.running import Serving, serving
from tests.deploy.wire import Phone, Wire
from tests.web.client import Client
from tests.web.playing import start

HOST = "canasta.example"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
OPENSSL = shutil.which("openssl")


class ProxiedPad(NamedTuple):
    """A pad behind nginx.

    `origin` is its address for browsers, `tls_context` trusts its certificate, `admin_link` is the
    path of the link that gives every match.
    """

    origin: str
    tls_context: ssl.SSLContext
    http_port: int
    port_of_pad: int
    admin_link: str


def free_port() -> int:
    """Return a port of this machine on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def read_nginx_servers(checkout: Path) -> str:
    """Return the nginx configuration in docs/deploying.md."""
    page = (checkout / "docs" / "deploying.md").read_text("utf-8")
    servers = re.search(r"```text\n(server \{\n.*?\n\}\n)```", page, re.DOTALL)
    assert servers, "docs/deploying.md has no nginx server"
    return servers[1]


@pytest.fixture(scope="module")
def proxied_pad(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedPad]:
    """Serve a pad, run nginx in front of it, and check at the end that nginx has logged nothing."""
    if NGINX is None or OPENSSL is None:
        pytest.skip("no nginx or no openssl on this machine: apt-get install nginx-light openssl")
    folder = tmp_path_factory.mktemp("proxy")
    make_certificate(folder)
    http_port, https_port = free_port(), free_port()

    # The pad is told that one proxy stands in front of it, and by which host name it is called.
    with serving(folder, SCOREPAD_PROXIES="1", SCOREPAD_ALLOW_HOST=HOST) as pad:
        admin_link = read_admin_link(pad)
        servers = configure_nginx(checkout, folder, http_port, https_port, pad.port)
        with running_nginx(folder, servers):
            wait_for(https_port)
            yield ProxiedPad(
                origin=f"https://{HOST}:{https_port}",
                tls_context=ssl.create_default_context(cafile=folder / "certificate.pem"),
                http_port=http_port,
                port_of_pad=pad.port,
                admin_link=admin_link.removeprefix(f"https://{HOST}"),
            )

    assert (folder / "error.log").read_text() == ""
    # An access log would have the keys of matches, which are in addresses.
    access_log = folder / "access.log"
    if access_log.exists():
        assert access_log.read_text() == ""


def read_admin_link(pad: Serving) -> str:
    """Read the three lines that the pad prints at its start. The last has a link, "/casa/KEY".

    Whoever opens that link sees every match.
    """
    # In English: "Through the proxy open it here: …"
    assert pad.read_line() == f"Attraverso il proxy si apre così: https://{HOST}/\n"
    _introduction = pad.read_line()
    admin_link = pad.read_line().strip()
    assert re.fullmatch(rf"https://{re.escape(HOST)}/casa/[a-z2-9]{{26}}", admin_link)
    return admin_link


def configure_nginx(
    checkout: Path, folder: Path, http_port: int, https_port: int, port_of_pad: int
) -> str:
    """Return the nginx configuration of the documentation, with the ports and files of this test."""
    servers = read_nginx_servers(checkout)
    servers = replace_once(servers, "listen 80;", f"listen 127.0.0.1:{http_port};")
    servers = replace_once(servers, "listen 443 ssl", f"listen 127.0.0.1:{https_port} ssl")
    servers = replace_once(servers, "127.0.0.1:8765", f"127.0.0.1:{port_of_pad}")
    servers = replace_once(servers, "/etc/ssl/canasta.pem", f"{folder}/certificate.pem")
    return replace_once(servers, "/etc/ssl/canasta.key", f"{folder}/key.pem")


def make_certificate(folder: Path) -> None:
    """Write a self-signed certificate and its key."""
    command = [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},DNS:localhost"]
    command += ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    subprocess.run(command, check=True, capture_output=True)


def replace_once(configuration: str, old: str, new: str) -> str:
    """Replace a text that must stand in the configuration once."""
    assert configuration.count(old) == 1, f"the nginx server of docs/deploying.md without {old}"
    return configuration.replace(old, new)


@contextmanager
def running_nginx(folder: Path, servers: str) -> Iterator[None]:
    """Run nginx with these servers. Everything that it writes is in the folder."""
    lines = ["daemon off;", "master_process off;", f"pid {folder}/pid;", "events {}", "http {"]
    lines.append(f"access_log {folder}/access.log;")
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        lines.append(f"{kind}_temp_path {folder}/{kind};")
    lines += [servers, "}", ""]
    (folder / "nginx.conf").write_text("\n".join(lines))

    command = [str(NGINX), "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
    with subprocess.Popen(command) as nginx:
        try:
            yield
        finally:
            nginx.terminate()


def wait_for(port: int) -> None:
    """Wait up to five seconds until something listens on a port of this machine."""
    for _ in range(100):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    pytest.fail("nginx does not listen")


@pytest.fixture
def new_phone(proxied_pad: ProxiedPad) -> Callable[[], Phone]:
    """Return a function that makes a phone without cookies: `new_phone()`."""
    return lambda: Phone(proxied_pad.origin, proxied_pad.tls_context)


def test_guest_enters_by_a_code_with_the_address_of_the_proxy(
    proxied_pad: ProxiedPad, new_phone: Callable[[], Phone]
) -> None:
    owner = new_phone()
    match_url = start(owner, name_0="Nonni")  # grandparents

    # The match has a code to be scanned. It holds an address with the host and port of nginx:
    # https://canasta.example:PORT/e/KEY.
    page_of_codes = owner.get(f"{match_url}/telefoni").answer.text
    _, _, after_origin = page_of_codes.partition(f"{proxied_pad.origin}/e/")
    key = re.match(r"[\w-]+", after_origin)
    assert key

    # A guest scans it, and is asked who they are.
    guest = new_phone()
    entered = guest.raw.get(f"/e/{key[0]}")
    assert entered.status_code == HTTPStatus.SEE_OTHER
    assert entered.headers["Location"] == f"{match_url}/telefoni/chi"

    # The guest may write: they call the other side "Nipoti" (grandchildren) and press "Save".
    guest.submit(guest.get(f"{match_url}/nomi"), "Salva", name_1="Nipoti")
    assert owner.get(match_url).one("h1").text == "Nonni contro Nipoti"

    assert_cookies_are_secure(owner)
    assert_cookies_are_secure(guest)


def test_match_page_learns_through_proxy_whether_something_is_new(
    new_phone: Callable[[], Phone],
) -> None:
    # The page of a match has an address to ask for what is new, and a tag of what it shows.
    device = new_phone()
    match_url = start(device, name_0="Nonni")
    main = device.get(match_url).one("main")
    address_of_news = main["data-live-state"]
    tag = {"If-None-Match": f'"{main["data-live-tag"]}"'}

    # It asks every few seconds. Nothing is new.
    unchanged = device.raw.get(address_of_news, headers=tag)
    assert unchanged.status_code == HTTPStatus.NOT_MODIFIED
    assert unchanged.data == b""

    # The other side gets a name. Now something is.
    device.submit(device.get(f"{match_url}/nomi"), "Salva", name_1="Nipoti")
    assert device.raw.get(address_of_news, headers=tag).status_code == HTTPStatus.OK


def test_sheet_is_printed_through_proxy(new_phone: Callable[[], Phone]) -> None:
    device = new_phone()
    match_url = start(device, name_0="Nonni")

    sheet = device.raw.get(f"{match_url}/foglio.pdf")

    assert sheet.status_code == HTTPStatus.OK
    assert sheet.mimetype == "application/pdf"
    assert sheet.data.startswith(b"%PDF-")
    # The pad tells browsers to ask for this site over HTTPS only, for a year (365 days).
    assert sheet.headers["Strict-Transport-Security"] == "max-age=31536000"


def assert_cookies_are_secure(device: Phone) -> None:
    """Check that every cookie is for HTTPS only.

    Browsers accept a cookie whose name begins with __Host- or __Secure- only if it has `Secure`.
    """
    cookies = device.raw.told
    names = [cookie.partition("=")[0] for cookie in cookies]
    assert "__Host-scorepad_device" in names
    assert "__Host-scorepad_session" in names
    assert "__Secure-scorepad_write" in names
    for cookie in cookies:
        assert "; Secure" in cookie
        assert cookie.startswith(("__Host-", "__Secure-"))


@pytest.mark.parametrize("path", ["/", "/regole/cerca?testo=pozzo%20bloccato"])
def test_http_is_redirected_to_https(proxied_pad: ProxiedPad, path: str) -> None:
    port = proxied_pad.http_port
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path, headers={"Host": HOST})
        answer = connection.getresponse()

    assert answer.status == HTTPStatus.MOVED_PERMANENTLY
    assert answer.headers["Location"] == f"https://{HOST}{path}"


def test_admin_link_works_once_through_proxy(
    proxied_pad: ProxiedPad, new_phone: Callable[[], Phone]
) -> None:
    # Somebody else has started a match, which the administrator cannot see.
    url = start(new_phone(), name_0="Altrui")
    administrator = new_phone()
    administrator.get(url, HTTPStatus.NOT_FOUND)

    # The administrator opens the link and presses "See all matches".
    page = administrator.get(proxied_pad.admin_link)
    administrator.submit(page, "Vedi tutte le partite")

    assert administrator.get(url).status == HTTPStatus.OK
    (cookie,) = [cookie for cookie in administrator.raw.told if "scorepad_admin" in cookie]
    assert cookie.startswith("__Host-scorepad_admin=")
    # The link is used up.
    new_phone().get(proxied_pad.admin_link, HTTPStatus.NOT_FOUND)


def test_large_file_is_imported_through_proxy(
    new_phone: Callable[[], Phone], tmp_path: Path
) -> None:
    # A match "Grandi contro Loro" comes from another pad, in a file. Blanks make it 3 MB larger,
    # which is more than nginx accepts unless it is told otherwise.
    other_pad = Client(create_app(Config(tmp_path / "y.db", b"k" * 32, testing=True)))
    url = start(other_pad, name_0="Grandi")
    exported = other_pad.raw.get(f"{url}/file/partita.json").data
    large_file = exported + b" " * 3_000_000

    # A phone chooses the file on the page and presses "Load".
    device = new_phone()
    page = device.get("/file")
    wire = device.raw
    assert isinstance(wire, Wire)
    fields = page.values(page.form("Carica"))
    answer = wire.send_file("/file", fields, large_file)

    assert answer.status_code == HTTPStatus.SEE_OTHER, answer.text
    assert answer.headers["Location"] == url
    assert device.get(url).one("h1").text == "Grandi contro Loro"


def test_language_can_be_changed_with_origin_null(
    new_phone: Callable[[], Phone],
) -> None:
    # This address ends with a key, here an unknown one. Browsers do not tell it to other sites,
    # since the page asks for no referrer.
    device = new_phone()
    page = device.get("/e/niente", HTTPStatus.NOT_FOUND)
    assert page.answer.headers["Referrer-Policy"] == "no-referrer"

    # From such a page browsers send forms with "Origin: null".
    fields = page.values(page.form("English")) | {"language": "en"}
    wire = device.raw
    assert isinstance(wire, Wire)
    answer = wire.open("POST", "/lingua", urlencode(fields).encode(), {"Origin": "null"})

    assert answer.status_code == HTTPStatus.SEE_OTHER, answer.text


def test_client_of_proxy_is_not_treated_as_local(
    proxied_pad: ProxiedPad, new_phone: Callable[[], Phone]
) -> None:
    # A phone starts a match of a side called "Segreti" (secrets).
    match_url = start(new_phone(), name_0="Segreti")

    # Another browser comes by https://localhost:PORT, which is nginx too. For the pad, its requests
    # come from this machine, and are even for "localhost".
    origin = proxied_pad.origin.replace("canasta.example", "localhost")
    browser = Phone(origin, proxied_pad.tls_context)

    # It sees the match neither on the home page nor at its address.
    assert "Segreti" not in browser.get("/").text
    assert browser.raw.get(match_url).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(("path", "status"), [("/", HTTPStatus.BAD_REQUEST), ("/salute", 200)])
def test_unknown_host_is_refused_but_for_the_health_check(
    proxied_pad: ProxiedPad, path: str, status: int
) -> None:
    # The request goes to the pad itself, past nginx.
    headers = {"Host": "evil.example", "X-Forwarded-Host": "evil.example"}
    port = proxied_pad.port_of_pad
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path, headers=headers)
        assert connection.getresponse().status == status


@pytest.mark.parametrize(
    ("proxies", "forwarded", "is_secure"),
    [
        (0, {"X-Forwarded-Proto": "https"}, False),
        (1, {"X-Forwarded-Proto": "https"}, True),
        (1, {"X-Forwarded-Proto": "https, http"}, False),
        (2, {"X-Forwarded-Proto": "https, http"}, True),
        (1, {}, False),
    ],
)
def test_forwarded_https_is_trusted_for_the_number_of_proxies(
    tmp_path: Path, proxies: int, forwarded: dict[str, str], is_secure: bool
) -> None:
    # Each proxy adds a value to this header: how it was asked itself. So with n proxies the n-th value
    # from the right is true, and values further to the left may be forged.
    config = Config(tmp_path / "x.db", b"k" * 32, (HOST,), proxies=proxies, testing=True)
    client = Client(create_app(config))

    answer = client.raw.get("/partite/nuova", headers={"Host": HOST, **forwarded})

    # The cookies are marked for HTTPS if the browser has asked by HTTPS.
    cookies = answer.headers.getlist("Set-Cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        assert ("; Secure" in cookie) == is_secure


@pytest.mark.parametrize(
    ("proxies", "status"), [(0, HTTPStatus.BAD_REQUEST), (1, 200), (2, HTTPStatus.BAD_REQUEST)]
)
def test_forwarded_host_is_trusted_for_one_proxy(tmp_path: Path, proxies: int, status: int) -> None:
    # Each proxy adds a value to X-Forwarded-Host: the host that it was asked for. With two proxies
    # there should be two values, so a single one may be forged.
    config = Config(tmp_path / "x.db", b"k" * 32, (HOST,), proxies=proxies, testing=True)
    headers = {"Host": "x.example", "X-Forwarded-Host": HOST}
    answer = Client(create_app(config)).raw.get("/", headers=headers)
    assert answer.status_code == status
