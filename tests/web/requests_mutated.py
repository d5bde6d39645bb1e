"""Requests as no page makes them: what a browser would send, with something changed, and what
nobody would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_from_bytes

from flask import Flask
from werkzeug.test import TestResponse

from tests.cookies import device_cookie

METHODS = (
    "GET",
    "GET",
    "GET",
    "POST",
    "POST",
    "POST",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "X-Y",
)
WORDS = (
    "", "0", "1", "-1", "2", "a", "b", "c", "on", "save", "check", "undo", "noi", "loro", "classica", "moderna", "mini",
    "hand-and-foot", "tagliagola", "7xQ", "4xK 2x2 JK", "3r", "\0", "\r\nX-A: b", "'", '"', "<x>", "../..", "%00",
    "é", "😀",
    "1.500", "1,5", "−5", "９", "٣", "1e309", "NaN", "null", "true", "[]", "{}", "=1+1", "x" * 300, "9" * 40,
    "9" * 5000,
    "a:b", "a.1", "meld-new:a", "card:a:0:K", "house-new:b", "adjust-new:a", "up:a-cards", "nobody", "0-0", "9-9",
    "time", "given-up:0", "given-up:9", "hands", "last-hand", "house", "draw-out-of-turn", "renew", "withdraw", "view",
    "write", "remove", "hand-on", "none", "it", "en", "xx", "//evil.example", "javascript:x", "pozzo", "gelo",
    "\u202e", "\udc80",
)  # fmt: skip
HEADERS: Mapping[str, tuple[str, ...]] = {
    "Accept-Language": ("en", "it;q=0", "*", "x" * 500, ";;;,,", "en;q=zz"),
    "Accept-Encoding": ("gzip", "gzip;q=0", "identity;q=0", "*;q=0.5", "br", ""),
    "If-None-Match": ('"x"', "*", 'W/"1.own.0"', '"', "x" * 999),
    "If-Modified-Since": ("yesterday", "Sat, 01 Jan 0000 00:00:00 GMT", "Sat, 01 Jan 9999 00:00:00 GMT"),
    "Range": ("bytes=0-1", "bytes=-1", "bytes=9-1", "x", "bytes=0-0,1-1,2-2"),
    "Cookie": ("scorepad_device=x", "scorepad_session=eyJ4", "scorepad_language=xx", "=;=;", "a" * 5000),
    "Origin": ("null", "https://evil.example", "http://localhost", "x"),
    "Host": ("localhost", "127.0.0.1:8", "evil.example", "", "[::1]", "localhost:99999", "a b"),
    "Authorization": ("Bearer x", "Basic x", "Bearer", "Digest a=b", "Bearer " + "k" * 26),
    "Scorepad-Script": ("1",), "Scorepad-Live": ("1",), "X-Forwarded-For": ("1.2.3.4, x",),
    "Sec-Purpose": ("prefetch",),
    "X-HTTP-Method-Override": ("DELETE",), "Content-Length": ("0", "5"), "Transfer-Encoding": ("chunked",),
}  # fmt: skip
PLACES = {
    "int:number": "1", "int:entry": "3", "key": "x", "game": "classica", "question": "pozzo", "name": "Anna",
    "variant": "samba", "path:filename": "scorepad.css",
}  # fmt: skip
"""What stands for the parts of an address."""
SLOW = (".pdf", ".png")
"""What takes a while is asked for less often."""
KINDS = (
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data", "application/json",
    "text/plain", "application/json; charset=utf-16", "application/xml", "", "x",
    "application/x-www-form-urlencoded; charset=x",
)  # fmt: skip


@dataclass
class Mutants:
    """Requests made by chance, each of which can be made again from its number: those of a run are
    always the same.
    """

    app: Flask
    match: str
    device: str
    key: str
    forms: Mapping[str, Mapping[str, str]]
    """The fields of forms, by the pages' addresses within a match."""
    seed: int = 6
    token: Callable[[], str] = field(default=lambda: "")

    def __post_init__(self) -> None:
        self.rules = sorted(self.app.url_map.iter_rules(), key=lambda rule: rule.rule)
        self.client = self.app.test_client()

    def send(self, number: int) -> tuple[str, TestResponse]:
        """What a request asks for, in a line, and its answer."""
        chance = random.Random(f"{self.seed}-{number}")  # noqa: S311 - the same each time
        rule = chance.choice(self.rules)
        while rule.rule.endswith(SLOW) and chance.random() < 0.95:
            rule = chance.choice(self.rules)
        path, method = self._path(chance, rule.rule), self._method(chance, rule.methods or {"GET"})
        more = (
            self._body(chance, rule.rule)
            if chance.random() < 0.8 or method in ("POST", "PUT")
            else {}
        )
        headers = {
            name: chance.choice(values)
            for name, values in HEADERS.items()
            if chance.random() < 0.04
        }
        if rule.rule.startswith("/api/v1") and chance.random() < 0.8:
            headers["Authorization"] = f"Bearer {self.key}"
        if "Cookie" not in headers:
            session = self.client_session()
            headers["Cookie"] = (
                f"scorepad_device={device_cookie(self.device)}; scorepad_session={session}"
            )
        answer = self.app.test_client(use_cookies=False).open(
            path, method=method, headers=headers, buffered=True, **more
        )
        return f"{self.seed}-{number}: {method} {path[:200]} {str(more)[:300]} {headers}", answer

    def client_session(self) -> str:
        """The session that the token belongs to."""
        found = self.client.get_cookie("scorepad_session")
        return "" if found is None else found.value

    def _method(self, chance: random.Random, usual: set[str]) -> str:
        return (
            chance.choice(METHODS)
            if chance.random() < 0.3
            else chance.choice(sorted(usual - {"OPTIONS"}))
        )

    def _path(self, chance: random.Random, rule: str) -> str:
        places = {**PLACES, "match": self.match, "key": self.key}
        for place, value in places.items():
            odd = quote(
                chance.choice(WORDS).encode("utf-8", "replace"),
                safe="" if chance.random() < 0.5 else "/",
            )
            rule = rule.replace(
                f"<{place}>", odd[:2000] or "x" if chance.random() < 0.15 else value
            )
        if chance.random() < 0.03:
            rule = chance.choice(("/", "//", "/%2e%2e/", "/./")) + rule.lstrip("/")
        asked = "&".join(
            f"{self._name(chance)}={self._value(chance)}"
            for _ in range(chance.choice((0, 0, 1, 1, 2, 6)))
        )
        return f"{rule}?{asked}" if asked else rule

    def _name(self, chance: random.Random) -> str:
        known = [name for form in self.forms.values() for name in form]
        asked = [
            "cerca",
            "testo",
            "gioco",
            "uno",
            "altro",
            "passo",
            "caso",
            "cards",
            "variante",
            "errori",
            "primo",
            "visto",
        ]
        return quote(
            chance.choice(
                [*known, *asked, *(word.encode("utf-8", "replace").decode() for word in WORDS)]
            )
        )

    def _value(self, chance: random.Random) -> str:
        return quote_from_bytes(chance.choice(WORDS).encode("utf-8", "surrogateescape"))

    def _body(self, chance: random.Random, rule: str) -> dict[str, Any]:
        fields = dict(
            self.forms.get(rule.replace("<match>", "*"), {})
            or chance.choice(list(self.forms.values()))
        )
        for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
            fields[self._name(chance)] = chance.choice(WORDS)
        for name in [name for name in fields if chance.random() < 0.05]:
            del fields[name]
        fields["csrf_token"] = self.token() if chance.random() < 0.9 else chance.choice(WORDS)
        octets = "&".join(
            f"{name}={quote_from_bytes(value.encode('utf-8', 'surrogateescape'))}"
            for name, value in fields.items()
        )
        kind = KINDS[0] if chance.random() < 0.85 else chance.choice(KINDS)
        data = octets.encode()
        if chance.random() < 0.05:
            data = bytes(chance.randrange(256) for _ in range(chance.choice((1, 30, 3000)))) + data
        return {"data": data, "content_type": kind}
