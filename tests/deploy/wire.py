"""A browser's side of https, to a name that leads here: cookies, Referer and Origin as browsers
have them.
"""

import http.client
import http.cookiejar
import socket
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPMessage
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from tests.web.client import Client


@dataclass(frozen=True)
class Sent:
    """What was asked for in the end."""

    path: str


@dataclass(frozen=True)
class Answer:
    """An answer, as the strict client reads it."""

    status_code: int
    headers: HTTPMessage
    data: bytes
    request: Sent

    @property
    def text(self) -> str:
        return self.data.decode()

    @property
    def mimetype(self) -> str:
        return self.headers.get_content_type()


class _Here(http.client.HTTPSConnection):
    """A connection to this machine, whatever the name."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._create_connection = lambda place, *rest: socket.create_connection(
            ("127.0.0.1", place[1]), *rest
        )


class _Handler(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._trust = context

    def https_open(self, asked: urllib.request.Request) -> Any:
        return self.do_open(_Here, asked, context=self._trust)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Wire:
    """One browser at `https://NAME:PORT`."""

    def __init__(self, origin: str, context: ssl.SSLContext) -> None:
        self.origin, self.jar = origin, http.cookiejar.CookieJar()
        self.told: list[str] = []
        """Every cookie that came, as it was sent."""
        cookies = urllib.request.HTTPCookieProcessor(self.jar)
        self._opener = urllib.request.build_opener(
            _Handler(context), cookies, _Stay, urllib.request.ProxyHandler({})
        )
        self._page = "/"

    def get(
        self, url: str, *, follow_redirects: bool = False, query_string: Any = None, **more: Any
    ) -> Answer:
        answer = self.open(
            "GET", url + (f"?{urlencode(query_string)}" if query_string else ""), **more
        )
        while follow_redirects and answer.status_code in (302, 303):
            answer = self.open("GET", answer.headers["Location"])
        return answer

    def post(self, url: str, data: dict[str, str], headers: dict[str, str] | None = None) -> Answer:
        ours = {"Origin": self.origin, "Referer": f"{self.origin}{self._page}"}
        return self.open("POST", url, urlencode(data).encode(), ours | (headers or {}))

    def send_file(self, url: str, fields: dict[str, str], octets: bytes) -> Answer:
        mark = "x" * 40
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
            for k, v in fields.items()
        ]
        file = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="p.json"\r\n\r\n'
        body = "".join([*parts, file]).encode() + octets + f"\r\n--{mark}--\r\n".encode()
        ours = {"Origin": self.origin, "Referer": f"{self.origin}{self._page}"}
        return self.open(
            "POST", url, body, ours | {"Content-Type": f"multipart/form-data; boundary={mark}"}
        )

    def open(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        asked = urllib.request.Request(
            urljoin(self.origin, url), body, headers or {}, method=method
        )
        try:
            with self._opener.open(asked, timeout=60) as found:
                status, told, data = found.status, found.headers, found.read()
        except urllib.error.HTTPError as error:
            with error:
                status, told, data = error.code, error.headers, error.read()
        self.told += told.get_all("Set-Cookie", [])
        if method == "GET" and told.get_content_type() == "text/html":
            self._page = urlsplit(url).path
        return Answer(status, told, data, Sent(urlsplit(url).path))


class Phone(Client):
    """The strict client of the pages, over the wire."""

    def __init__(self, origin: str, context: ssl.SSLContext) -> None:
        self.raw, self.language = Wire(origin, context), "it"  # type: ignore[assignment]
