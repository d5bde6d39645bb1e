"""Mutated requests: what a browser would send, with something changed, and what none would."""

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
"""Values of the arguments of an address."""
SLOW = (".pdf", ".png")
"""How addresses end that take a while, and are asked for less often."""


@dataclass
class Mutants:
    """Random requests, each made from its number, so that it can be repeated."""

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
        path = self._path(chance, rule.rule)
        method = self._method(chance, rule.methods or {"GET"})
        body: dict[str, Any] = {}
        if chance.random() < 0.8 or method in ("POST", "PUT"):
            body = self._body(chance, rule.rule)
        headers = self._headers(chance, rule.rule)
        client = self.app.test_client(use_cookies=False)
        answer = client.open(path, method=method, headers=headers, buffered=True, **body)
        described = f"{self.seed}-{number}: {method} {path[:200]} {str(body)[:300]} {headers}"
        return described, answer

    def client_session(self) -> str:
        """The session that the token belongs to."""
        cookie = self.client.get_cookie("scorepad_session")
        if cookie is None:
            return ""
        return cookie.value

    def _headers(self, chance: random.Random, rule: str) -> dict[str, str]:
        headers = {}
        for name, values in HEADERS.items():
            if chance.random() < 0.04:
                headers[name] = chance.choice(values)
        if rule.startswith("/api/v1") and chance.random() < 0.8:
            headers["Authorization"] = f"Bearer {self.key}"
        if "Cookie" not in headers:
            device = device_cookie(self.device)
            session = self.client_session()
            headers["Cookie"] = f"scorepad_device={device}; scorepad_session={session}"
        return headers

    def _method(self, chance: random.Random, usual: set[str]) -> str:
        if chance.random() < 0.3:
            return chance.choice(_TABLES["methods"])
        return chance.choice(sorted(usual - {"OPTIONS"}))

    def _path(self, chance: random.Random, rule: str) -> str:
        """An address of this rule, some of whose arguments are odd, with some query."""
        path = rule
        values_of_arguments = {**PLACES, "match": self.match, "key": self.key}
        for argument, value in values_of_arguments.items():
            word = chance.choice(WORDS).encode("utf-8", "replace")
            unquoted = "/"
            if chance.random() < 0.5:
                unquoted = ""
            text = value
            if chance.random() < 0.15:
                text = quote(word, safe=unquoted)[:2000] or "x"
            path = path.replace(f"<{argument}>", text)
        if chance.random() < 0.03:
            path = chance.choice(("/", "//", "/%2e%2e/", "/./")) + path.lstrip("/")
        number_of_fields = chance.choice((0, 0, 1, 1, 2, 6))
        fields = [f"{self._name(chance)}={self._value(chance)}" for _ in range(number_of_fields)]
        if not fields:
            return path
        return f"{path}?{'&'.join(fields)}"

    def _name(self, chance: random.Random) -> str:
        """The name of a field of some form, of a query, or an odd one."""
        names = []
        for form in self.forms.values():
            names += form
        names += _TABLES["asked"]
        for word in WORDS:
            names.append(word.encode("utf-8", "replace").decode())
        return quote(chance.choice(names))

    def _value(self, chance: random.Random) -> str:
        return quote_from_bytes(chance.choice(WORDS).encode("utf-8", "surrogateescape"))

    def _body(self, chance: random.Random, rule: str) -> dict[str, Any]:
        """The form of an address, or another one, with some fields more, others or missing."""
        form = self.forms.get(rule.replace("<match>", "*"))
        if not form:
            form = chance.choice(list(self.forms.values()))
        fields = dict(form)
        for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
            word = chance.choice(WORDS)
            fields[self._name(chance)] = word
        for name in list(fields):
            if chance.random() < 0.05:
                del fields[name]
        if chance.random() < 0.9:
            fields["csrf_token"] = self.token()
        else:
            fields["csrf_token"] = chance.choice(WORDS)

        pairs = []
        for name, value in fields.items():
            pairs.append(f"{name}={quote_from_bytes(value.encode('utf-8', 'surrogateescape'))}")
        content_types = _TABLES["kinds"]
        content_type = content_types[0]
        if chance.random() >= 0.85:
            content_type = chance.choice(content_types)
        data = "&".join(pairs).encode()
        if chance.random() < 0.05:
            number_of_octets = chance.choice((1, 30, 3000))
            data = bytes(chance.randrange(256) for _ in range(number_of_octets)) + data
        return {"data": data, "content_type": content_type}
