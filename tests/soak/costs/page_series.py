"""Hostile requests to the pages: each field, parameter and part of an address in turn, in each shape."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from werkzeug.routing import Rule

from tests.soak.costs.browser import FORM, Browser, encode, encode_fields
from tests.soak.costs.measuring import Request
from tests.soak.costs.pages import PLACES, FoundForm, Offered, filled
from tests.soak.costs.shapes import KB, MB, TEXTS, Made
from tests.soak.costs.table import Table

FIELD_SIZES = (1 * KB, 30 * KB, 250 * KB)
LARGEST_SIZES = (8 * MB - 20 * KB,)
"""As much as the server reads of any request; only imports may be as large."""
ADDRESS_SIZES = (1 * KB, 15 * KB)
"""The server takes 16 kB of request line and headers."""
MANY = 1990
"""How many fields are sent: the server takes 2,000."""
OF_EVERY_FORM = ("csrf_token", "request_id")
"""Fields that a form needs as they are; they are made hostile by themselves."""


class Refreshed(Protocol):
    """What a request is made from, and must be read again once a request was taken."""

    def refresh(self) -> None:
        """Read it again."""


@dataclass(frozen=True)
class Series:
    """The same hostile request in growing sizes."""

    what: str
    sizes: tuple[int, ...]
    build: Callable[[int], Request]
    source: Refreshed | None = None
    follow: tuple[Request, ...] = ()
    """What is asked for after it was taken, beside the page that it leads to."""


def page_series(
    rule: Rule, method: str, offered: Offered, table: Table, owner: Browser
) -> Iterator[Series]:
    """All hostile requests to a route of the pages."""
    if method == "GET":
        yield from _parameters(rule, offered, table, owner)
        return
    known = set[str]()
    checked = table.matches["awaiting"].id  # elsewhere there is nothing to confirm
    forms = sorted(offered.forms[rule.endpoint], key=lambda form: checked not in form.page)
    for form in forms or [_stand_in(rule, offered, table, owner)]:
        fresh = [name for name in form.fields if kind_of(name) not in known]
        if not fresh and known:
            continue
        if not known:
            yield from _many_fields(form)
        yield from _fields(form, fresh)
        known |= {"any", *map(kind_of, form.fields)}


def kind_of(name: str) -> str:
    """Fields of one kind are read in one way: those of each side and of each row."""
    return re.sub(r"[0-9]+", "N", re.sub(r"^[abc]\.", "S.", name))


# ---------------------------------------------------------------------------------------- addresses


def place_series(
    rule: Rule, method: str, table: Table, headers: Mapping[str, str]
) -> Iterator[Series]:
    """Each part of the address made hostile."""
    match = table.matches["played"]
    places = PLACES | {"match": match.id, "key": match.key}
    body = None if method == "GET" else b""
    for name in sorted(rule.arguments):
        for shape, made in TEXTS.items():

            def build(size: int, name: str = name, made: Made = made) -> Request:
                hostile = {**places, name: quote(_fitting(made, size), safe="")}
                return Request(method, filled(rule, **hostile), headers, body)

            yield Series(f"<{name}> {shape}", ADDRESS_SIZES, build)


def _parameters(rule: Rule, offered: Offered, table: Table, owner: Browser) -> Iterator[Series]:
    """Each known address as it is; then each of its parameters, and many of them."""
    match = table.matches["played"]
    usual = (owner, filled(rule, match=match.id, key=match.key))
    addresses = offered.addresses[rule.endpoint] or [usual]
    for browser, path in addresses:
        yield Series(f"as it is: {path[-40:]}", (0,), _getting(browser, path))
    browser, longest = max(addresses, key=lambda address: len(address[1]))
    parts = urlsplit(longest)
    asked = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in sorted(offered.parameters[rule.endpoint]):
        for shape, made in TEXTS.items():

            def build(size: int, name: str = name, made: Made = made) -> Request:
                query = urlencode({**asked, name: _fitting(made, size)}, errors="surrogatepass")
                return Request("GET", f"{parts.path}?{query}"[:size], browser.headers)

            yield Series(f"?{name}= {shape}", ADDRESS_SIZES, build)
    for shape, part in (("unknown", "k=1&"), ("blank", "&"), ("repeated", "testo=a&cerca=a&")):
        path = f"{parts.path}?{part * (ADDRESS_SIZES[-1] // len(part))}"
        yield Series(f"?many {shape}", (0,), _getting(browser, path))


def _getting(browser: Browser, path: str) -> Callable[[int], Request]:
    return lambda _: Request("GET", path, browser.headers)


def _fitting(made: Made, size: int) -> str:
    """A text that takes about so many bytes once it is escaped."""
    text = made(size)
    length = len(quote(text, safe=" "))
    return text[: max(1, len(text) * size // length)]


# -------------------------------------------------------------------------------------------- forms


def _stand_in(rule: Rule, offered: Offered, table: Table, owner: Browser) -> FoundForm:
    """For a route without a form on any page: the form of the hand, which some of them take."""
    match = table.matches["played"]
    pages = offered.forms["hand_entry.page"]
    form = next(each for each in pages if match.id in each.action)
    return replace(form, sent_to=filled(rule, match=match.id, key=match.key))


def _fields(form: FoundForm, names: list[str]) -> Iterator[Series]:
    """The form as it is, each of these fields in turn, then all at once."""
    yield Series("as it is", (0,), lambda _: post(form, form.fields), form)
    typed = [name for name in form.fields if name not in (*OF_EVERY_FORM, *form.files)]
    groups = {name: [name] for name in names if name not in form.files} | {"all fields": typed}
    for group, fields in groups.items():
        for shape, made in TEXTS.items():

            def build(size: int, fields: list[str] = fields, made: Made = made) -> Request:
                text = _encoded_to_fit(made, size // max(1, len(fields)))
                return post(form, form.fields | dict.fromkeys(fields, text))

            yield Series(f"{group}: {shape}", FIELD_SIZES, build, form)


def _many_fields(form: FoundForm) -> Iterator[Series]:
    """Long names, too much of one field, and many fields: unknown ones, and rows of known ones."""
    last = list(form.fields)[-1]
    yield Series(
        "too many letters",
        LARGEST_SIZES,
        lambda size: post(form, {**form.fields, last: "a" * size}),
        form,
    )
    for shape, made in TEXTS.items():

        def build(size: int, made: Made = made) -> Request:
            return post(form, {**form.fields, _encoded_to_fit(made, size): "1"})

        yield Series(f"long name: {shape}", FIELD_SIZES[1:], build, form)
    rows = {re.sub(r"[0-9]+", "#", name) for name in form.fields if re.search(r"[0-9]", name)}
    for pattern in ("k#", "a.#", "a.canastas.#", "a.penalties.x#", "option-#", *sorted(rows)):
        for value in ("1", "K " * 60):

            def fill(_: int, pattern: str = pattern, value: str = value) -> Request:
                names = [pattern.replace("#", str(each)) for each in range(MANY - len(form.fields))]
                return post(form, form.fields | dict.fromkeys(names, value))

            yield Series(f"many {pattern}={value[:4]}", (0,), fill, form)


def post(form: FoundForm, fields: Mapping[str, str]) -> Request:
    """A form as a browser sends it, with a new request id."""
    if form.files:
        return post_parts(form, fields, b"")
    headers = form.browser.headers | {"Content-Type": FORM}
    return Request("POST", form.sent_to or form.action, headers, encode_fields(renewed(fields)))


def renewed(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields with another request id, so that the request is no repetition."""
    if len(fields.get("request_id", "")) != 32:
        return dict(fields)
    return {**fields, "request_id": secrets.token_hex(16)}


def post_parts(
    form: FoundForm, fields: Mapping[str, str], file: bytes, name: str = "x.json"
) -> Request:
    """A form with a file."""
    body = b""
    for field, text in renewed(fields).items():
        if field not in form.files:
            head = f'--b\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n'
            body += head.encode() + text.encode("utf-8", "surrogatepass") + b"\r\n"
    for field in form.files:
        body += f'--b\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode()
        body += file + b"\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    return Request(
        "POST", form.sent_to or form.action, form.browser.headers | kind, body + b"--b--\r\n"
    )


def _encoded_to_fit(made: Made, size: int) -> str:
    text = made(size)
    length = len(encode(text).encode("utf-8", "surrogatepass"))
    return text[: max(1, len(text) * size // length)]
