"""Nothing is fetched for a sheet, whatever HTML it has: no file from the network or this machine."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from pypdf import PdfReader

from scorepad.sheets.pdf import OwnFiles, SheetError, make_pdf

SECRET = "the-secret-of-this-machine"  # noqa: S105 - a text to look for
# A browser would fetch the address that replaces {there} in each of these.
HTML_THAT_FETCHES = (
    '<img src="{there}" alt="x">',
    '<img srcset="{there} 1x" src="{there}" alt="x">',
    '<picture><source srcset="{there}"><img src="{there}" alt="x"></picture>',
    '<embed src="{there}">',
    '<object data="{there}">x</object>',
    '<input type="image" src="{there}">',
    '<iframe src="{there}"></iframe>',
    '<video src="{there}" poster="{there}"></video>',
    '<link rel="stylesheet" href="{there}">',
    '<link rel="attachment" href="{there}">',
    '<link rel="icon" href="{there}">',
    '<link rel="preload" as="style" href="{there}">',
    '<a rel="attachment" href="{there}">x</a>',
    '<base href="{there}"><img src="x.png" alt="x">',
    '<meta http-equiv="refresh" content="0; url={there}">',
    '<script src="{there}"></script>',
    '<style>@import "{there}";</style>',
    "<style>@import url({there}) print;</style>",
    '<style>@font-face {{ font-family: f; src: url("{there}") }} body {{ font-family: f }}</style>x',
    '<style>@font-face {{ font-family: f; src: local("x"), url("{there}") }} p {{ font-family: f }}</style><p>x</p>',
    '<style>body {{ background: url("{there}") }}</style>',
    '<style>li {{ list-style-image: url("{there}") }}</style><ul><li>x</li></ul>',
    '<style>p::before {{ content: url("{there}") }}</style><p>x</p>',
    '<style>p {{ border-image: url("{there}") 1 }}</style><p>x</p>',
    '<style>@page {{ background: url("{there}"); @top-left {{ content: url("{there}") }} }}</style>x',
    '<style>@color-profile --p {{ src: url("{there}") }}</style>x',
    '<style>@namespace url("{there}");</style>x',
    '<p style="background: url({there})">x</p>',
    '<table background="{there}"><tr><td background="{there}">x</td></tr></table>',
    '<body background="{there}">',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="{there}" width="9" height="9"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
    '<use xlink:href="{there}#a"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><use href="{there}#a"/>'
    '<rect fill="url({there}#a)" width="9" height="9"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>@import "{there}";</style></svg>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "{there}">]><p>&e;</p>',
    '<?xml-stylesheet href="{there}"?>',
    '<link rel="stylesheet" href="data:text/css,@import%20%22{there}%22">',
    '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E'
    '%3Cimage href=%22{there}%22/%3E%3C/svg%3E">',
)  # fmt: skip


class CountingHandler(BaseHTTPRequestHandler):
    """Keep the path of each request, and answer with a style sheet that imports another one."""

    requested_paths: list[str]

    def do_GET(self) -> None:
        """Note the path of the request, and answer with a style sheet."""
        self.requested_paths.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/css")
        self.end_headers()
        # Who reads this style sheet and follows it asks for another one: a second path to note.
        self.wfile.write(b'@import "/more";')

    do_HEAD = do_POST = do_OPTIONS = do_GET  # noqa: N815 - as the server calls them

    def log_message(self, *_: object) -> None:
        """Write nothing to standard error."""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[str]]]:
    """Run a server, and give its address and the list of the paths that were requested of it."""
    paths: list[str] = []

    class Handler(CountingHandler):
        requested_paths = paths

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}", paths
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture
def served_by_own_fetcher(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List the addresses for which the program itself hands a file to the sheet.

    Sheets take their style sheets and fonts from addresses that begin with "scorepad:".
    """
    served: list[str] = []
    real_open = OwnFiles.scorepad_open

    def open_and_record(self: OwnFiles, request: Request) -> object:
        """Open one of the program's own files as usual, and add its address to `served`."""
        # If there is no such file, this raises ValueError, and nothing is added.
        file = real_open(self, request)
        served.append(request.full_url)
        return file

    # Replace the method that opens "scorepad:…" by this one.
    monkeypatch.setattr(OwnFiles, "scorepad_open", open_and_record)
    return served


def list_addresses(tmp_path: Path, server_address: str) -> tuple[str, ...]:
    """Return addresses on the server, and those of a new file on this machine with the secret."""
    secret_file = tmp_path / "secret.css"
    secret_file.write_text(f'p::after {{ content: "{SECRET}" }} /* {SECRET} */', encoding="utf-8")
    without_scheme = server_address.removeprefix("http:")  # "//127.0.0.1:…"
    return (
        f"{server_address}/x.css",
        f"{without_scheme}/x.css",
        secret_file.as_uri(),
        str(secret_file),
        # An address of our own style sheets that leaves their folder.
        f"scorepad:style/../../..{secret_file}",
    )


def make_pdf_or_nothing(html: str) -> bytes:
    """Make a PDF of the HTML, or return no bytes if the HTML is refused."""
    try:
        return make_pdf(html)
    except (SheetError, ValueError, OSError):
        return b""


@pytest.mark.long
@pytest.mark.parametrize("html", HTML_THAT_FETCHES)
def test_no_html_in_a_sheet_fetches_anything(
    html: str, server: tuple[str, list[str]], served_by_own_fetcher: list[str], tmp_path: Path
) -> None:
    # Names are escaped in a sheet. Should that fail, a name could be such a piece of HTML:
    # '<img src="{there}" alt="x">'. Try it with addresses on a server and of files of this machine.
    server_address, requested_paths = server
    for address in list_addresses(tmp_path, server_address):
        body = html.format(there=address)
        head = '<!DOCTYPE html><html lang="it"><head><title>t</title></head>'
        pdf = make_pdf_or_nothing(f"{head}<body>{body}</body></html>")

        # The server got no request, and no file of the program was opened.
        assert requested_paths == [], body
        assert served_by_own_fetcher == [], body

        assert_has_no_secret(pdf)


def assert_has_no_secret(pdf: bytes) -> None:
    """Check that the secret of a file of this machine is neither printed nor attached."""
    assert SECRET.encode() not in pdf
    if pdf:
        reader = PdfReader(BytesIO(pdf))
        assert not reader.attachments
        for page in reader.pages:
            assert SECRET not in page.extract_text()


def test_server_counts_requests(server: tuple[str, list[str]]) -> None:
    # Without this, an empty list of requests in another test would prove nothing.
    server_address, requested_paths = server
    with urlopen(f"{server_address}/x", timeout=5) as answer:
        assert answer.read()
    assert requested_paths.pop() == "/x"
