"""Whatever stands in a sheet, nothing is fetched for it: neither from the network nor from this
machine.
"""

import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.request import Request

import pytest
from pypdf import PdfReader

from scorepad.sheets.pdf import OwnFiles, SheetError, make_pdf

SECRET = "the-secret-of-this-machine"  # noqa: S105 - a text to look for
TRICKS = (
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


class Counted(BaseHTTPRequestHandler):
    """Counts who asks, and gives a style sheet that asks for more."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/css")
        self.end_headers()
        self.wfile.write(b'@import "/more";')

    do_HEAD = do_POST = do_OPTIONS = do_GET  # noqa: N815 - as the server calls them

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[str]]]:
    """An address, and who asked it."""
    asked: list[str] = []
    made = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Counted,), {"asked": asked}))
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}", asked
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that the sheets' own fetcher gave something for."""
    given: list[str] = []
    opened = OwnFiles.scorepad_open

    def note(self: OwnFiles, request: Request) -> object:
        answer = opened(self, request)
        given.append(request.full_url)
        return answer

    monkeypatch.setattr(OwnFiles, "scorepad_open", note)
    return given


def places(tmp_path: Path, address: str) -> tuple[str, ...]:
    secret = tmp_path / "secret.css"
    secret.write_text(f'p::after {{ content: "{SECRET}" }} /* {SECRET} */', encoding="utf-8")
    bare = address.removeprefix("http:")
    return (
        f"{address}/x.css",
        f"{bare}/x.css",
        secret.as_uri(),
        str(secret),
        f"scorepad:style/../../..{secret}",
    )


@pytest.mark.long
def test_no_trick_in_the_html_of_a_sheet_fetches_anything(
    server: tuple[str, list[str]], fetched: list[str], tmp_path: Path
) -> None:
    """As if a name were markup after all, and stood in the page unescaped."""
    address, asked = server
    for trick in TRICKS:
        for there in places(tmp_path, address):
            body = trick.format(there=there)
            made = b""
            with suppress(SheetError, ValueError, OSError):  # refused, in whichever way
                made = make_pdf(
                    f'<!DOCTYPE html><html lang="it"><head><title>t</title></head><body>{body}</body></html>'
                )
            assert asked == [], body
            assert fetched == [], body
            assert SECRET.encode() not in made
            if made:
                reader = PdfReader(BytesIO(made))
                assert not reader.attachments, body
                assert SECRET not in "".join(page.extract_text() for page in reader.pages), body


def test_the_server_does_count(server: tuple[str, list[str]]) -> None:
    from urllib.request import urlopen

    address, asked = server
    with urlopen(f"{address}/x", timeout=5) as answer:
        assert answer.read()
    assert asked.pop() == "/x"
