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
from tests.web.tables import read_tables

_TABLES = read_tables("requests_mutated")
WORDS = (*_TABLES["words"], "x" * 300, "9" * 40, "9" * 5000, "\udc80")
HEADERS: dict[str, list[str]] = _TABLES["headers"]
for _name in ("Accept-Language", "If-None-Match", "Cookie"):
    HEADERS[_name].append("x" * 5000)
PLACES: dict[str, str] = _TABLES["places"]
"""What stands for the parts of an address."""
SLOW = (".pdf", ".png")
"""What takes a while is asked for less often."""


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
            chance.choice(_TABLES["methods"])
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
        return quote(
            chance.choice(
                [
                    *known,
                    *_TABLES["asked"],
                    *(word.encode("utf-8", "replace").decode() for word in WORDS),
                ]
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
        kinds = _TABLES["kinds"]
        kind = kinds[0] if chance.random() < 0.85 else chance.choice(kinds)
        data = octets.encode()
        if chance.random() < 0.05:
            data = bytes(chance.randrange(256) for _ in range(chance.choice((1, 30, 3000)))) + data
        return {"data": data, "content_type": kind}
