"""A browser on real sockets: it keeps its cookies and reads the forms of pages as a person would
send them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

from tests.soak.costs.measuring import Answer, MeasuredServer, Request, send
from tests.web.client import Page

FORM = "application/x-www-form-urlencoded"
_ESCAPED = str.maketrans({each: f"%{ord(each):02X}" for each in "%&+=;#\0\r\n\t?"} | {" ": "+"})


@lru_cache(maxsize=300)
def encode(text: str) -> str:
    """A text of a form with only what must be escaped, so that as much as possible arrives in a
    body of a size.
    """
    return text.translate(_ESCAPED)


def encode_fields(fields: Mapping[str, str]) -> bytes:
    """The body of a form."""
    pairs = [f"{encode(name)}={encode(value)}" for name, value in fields.items()]
    return "&".join(pairs).encode("utf-8", "surrogatepass")


@dataclass
class Browser:
    """A browser with cookies, at a server that may be started anew meanwhile."""

    server: MeasuredServer
    own: dict[str, str]
    """Cookies that it has from the start."""
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of each request."""
        cookies = self.own | self.cookies
        return {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "Accept-Language": "it",
        }

    def take(self, answer: Answer) -> Answer:
        """Keep the cookies of an answer, but for those that were given from the start."""
        self.cookies |= {
            name: value for name, value in answer.cookies.items() if name not in self.own
        }
        return answer

    def enter(self, key: str) -> None:
        """Enter a match by its key, as a phone does that follows a link."""
        path = f"/e/{key}"
        for _ in range(3):
            answer = self.get(path)
            assert answer.status == 303, answer
            path = answer.location
            if not path.startswith("/e/"):
                return
        raise AssertionError(path)

    def get(self, path: str) -> Answer:
        """A page as it is answered."""
        return self.take(send(self.server.port, Request("GET", path, self.headers), timeout=30))

    def page(self, path: str) -> Page | None:
        """A page, following where it leads; None for anything but a page that can be used."""
        for _ in range(5):
            answer = self.get(path)
            if answer.status != 303:
                break
            path = answer.location
        if answer.status != 200 or not answer.body.lstrip().lower().startswith(b"<!doctype html"):
            return None
        return read_page(answer, path)


def read_page(answer: Answer, path: str) -> Page:
    """The elements of a page."""
    seen: Any = SimpleNamespace(text=answer.body.decode(), status_code=answer.status)
    return Page(cast("Any", seen), path)
