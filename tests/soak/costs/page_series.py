"""Hostile requests to the pages: each field, parameter, part of an address and header in turn, in
each shape.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from werkzeug.routing import Rule

from tests.soak.costs.browser import FORM, Browser, encode, encode_fields
from tests.soak.costs.measuring import Request
from tests.soak.costs.pages import PLACES, FoundForm, Offered, filled, parameters_read
from tests.soak.costs.shapes import KB, MB, TEXTS, Made
from tests.soak.costs.table import Table

FIELD_SIZES = (1 * KB, 30 * KB, 250 * KB)
LARGEST_SIZES = (8 * MB - 20 * KB,)
"""As much as the server reads of any request; only imports may be as large."""
ADDRESS_SIZES = (1 * KB, 15 * KB)
"""The server takes 16 kB of request line and headers."""
FILE_SIZES = (1 * KB, 16 * KB, 60 * KB, 250 * KB, 1 * MB, 8 * MB - 20 * KB)
MANY = (100, 1990)
"""How many fields are sent: the server takes 2,000."""
_PRESET = re.compile(r"csrf_token|request_id")
"""Fields that every form needs as they are; they are made hostile in one form only."""
OUR_COOKIES = (
    "scorepad_device",
    "scorepad_admin",
    "scorepad_session",
    "scorepad_language",
    "scorepad_write",
    "other",
)
HEADERS = (
    "Accept-Language", "Accept-Encoding", "Accept", "If-None-Match", "If-Modified-Since", "If-Range", "Range", "Origin",
    "Referer", "Authorization", "Content-Type", "User-Agent", "Forwarded", "X-Forwarded-For", "Sec-Fetch-Site",
    "Sec-Purpose", "Scorepad-Script", "Scorepad-Live", "Cache-Control",
)  # fmt: skip
HEADER_LISTS: Mapping[str, str] = {
    "languages": "it;q=0.1,", "encodings": "gzip;q=0.1,", "tags": '"a", ', "unclosed tags": 'W/"', "ranges": "0-1,",
    "cookies": "a=b; ", "quoted cookies": 'a="\\054"; ',
}  # fmt: skip
"""Parts that are repeated in headers, beside the usual shapes."""
HEADERS_TRIED_AT = ("home.page", "matches.page", "live.state", "static", "api.match", "files.whole")


class Refreshed(Protocol):
    """What a request is made from, and must be read again once a request was taken."""

    def refresh(self) -> None:
        """Read it again."""


@dataclass(frozen=True)
class Series:
    """The same hostile request in growing sizes."""

    route: str
    what: str
    sizes: tuple[int, ...]
    build: Callable[[int], Request]
    source: Refreshed | None = None
    follow: tuple[Request, ...] = ()
    """What is asked for after it was taken, beside the page that it leads to."""
    once: bool = False
    """Whether it can be taken only once by a server: another needs a fresh one."""


def page_series(
    rule: Rule, method: str, offered: Offered, table: Table, owner: Browser
) -> Iterator[Series]:
    """All hostile requests to a route of the pages."""
    route = f"{method} {rule.rule}"
    if method == "GET":
        yield from _plain(route, rule, offered, table, owner)
        yield from _parameters(route, rule, offered, table, owner)
        yield from _places(route, rule, table, owner)
        if rule.endpoint in HEADERS_TRIED_AT:
            yield from _headers(route, _address(rule, table), owner)
        return
    seen = set[str]()
    forms = offered.forms[rule.endpoint] or [_stand_in(rule, offered, table, owner)]
    if rule.endpoint == "matches.check_hand":  # the other matches have nothing to confirm
        checked = table.matches["checked"].id
        forms = [form for form in forms if checked in form.page and form.button]
    for form in forms:
        fresh = [
            name
            for name in form.fields
            if kind_of(name) not in seen and not _PRESET.fullmatch(name)
        ]
        if not fresh and seen:
            continue
        yield from _fields(route, form, fresh)
        if not seen:
            yield from _many_fields(route, form)
        seen |= {kind_of(name) for name in form.fields} | {"any"}
    yield from _places(route, rule, table, owner, method)


def kind_of(name: str) -> str:
    """Fields of one kind are read in one way: those of each side and of each row."""
    return re.sub(r"[0-9]+", "N", re.sub(r"^[abc]\.", "S.", name))


def _address(rule: Rule, table: Table) -> str:
    match = table.matches["playing"]
    return filled(rule, match=match.id, key=match.key)


# ---------------------------------------------------------------------------------------- addresses


def _plain(
    route: str, rule: Rule, offered: Offered, table: Table, owner: Browser
) -> Iterator[Series]:
    """Each known address as it is."""
    known = offered.addresses[rule.endpoint] or [(owner, _address(rule, table))]
    for browser, path in known:
        yield Series(route, f"as it is: {_query_of(path)}", (0,), _getting(browser, path))


def _query_of(path: str) -> str:
    return urlsplit(path).query[:40]


def _getting(browser: Browser, path: str) -> Callable[[int], Request]:
    return lambda _: Request("GET", path, browser.headers)


def _parameters(
    route: str, rule: Rule, offered: Offered, table: Table, owner: Browser
) -> Iterator[Series]:
    known = offered.addresses[rule.endpoint]
    browser, base = (
        max(known, key=lambda found: len(found[1])) if known else (owner, _address(rule, table))
    )
    read = parameters_read()
    names = (
        offered.parameters[rule.endpoint]
        | read.get(rule.endpoint.partition(".")[0], set())
        | read["presenters"]
    )
    if rule.endpoint == "static":
        names = set()
    for name in sorted(names):
        for shape, made in TEXTS.items():
            build = _asking(browser, base, name, made)
            yield Series(route, f"?{name}= {shape}", ADDRESS_SIZES, build)
    for shape, part in (("unknown", "k#=1"), ("blank", "#"), ("repeated", "testo=a&cerca=a")):
        yield Series(route, f"?many {shape}", ADDRESS_SIZES, _asking_many(browser, base, part))
    for shape, made in TEXTS.items():
        yield Series(
            route,
            f"?all {shape}",
            ADDRESS_SIZES[-1:],
            _asking_all(browser, base, sorted(names), made),
        )


def _asking(browser: Browser, base: str, name: str, made: Made) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        parts = urlsplit(base)
        query = dict(parse_qsl(parts.query, keep_blank_values=True)) | {name: _fitting(made, size)}
        return Request("GET", f"{parts.path}?{_query(query)}"[:size], browser.headers)

    return build


def _asking_all(
    browser: Browser, base: str, names: list[str], made: Made
) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        each = size // max(1, len(names))
        return Request("GET", f"{urlsplit(base).path}?{_query({n: _fitting(made, each) for n in names})}"[:size],
                       browser.headers)  # fmt: skip

    return build


def _query(query: Mapping[str, str]) -> str:
    return urlencode(query, errors="surrogatepass")


def _fitting(made: Made, size: int) -> str:
    """A text that takes about so many bytes once it is escaped."""
    text = made(size)
    length = len(quote(text, safe=" "))
    return text[: max(1, len(text) * size // length)]


def _asking_many(browser: Browser, base: str, part: str) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        parts = [part.replace("#", str(number)) for number in range(size // (len(part) + 3))]
        return Request("GET", f"{urlsplit(base).path}?{'&'.join(parts)}", browser.headers)

    return build


def _places(
    route: str, rule: Rule, table: Table, owner: Browser, method: str = "GET"
) -> Iterator[Series]:
    """Each part of the address made hostile."""
    match = table.matches["playing"]
    places = PLACES | {"match": match.id, "key": match.key}
    for name in sorted(rule.arguments):
        for shape, made in TEXTS.items():
            yield Series(
                route,
                f"<{name}> {shape}",
                ADDRESS_SIZES,
                _placing(rule, places, name, made, owner, method),
            )


def _placing(
    rule: Rule, places: Mapping[str, str], name: str, made: Made, owner: Browser, method: str
) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        path = filled(rule, **{**places, name: quote(_fitting(made, size), safe="")})
        return Request(method, path, owner.headers, b"" if method != "GET" else None)

    return build


def _headers(route: str, path: str, owner: Browser) -> Iterator[Series]:
    shapes: dict[str, Made] = {name: made for name, made in TEXTS.items() if _is_header(made(50))}
    for name, part in HEADER_LISTS.items():
        shapes[name] = _repeating(part)
    for shape, made in shapes.items():
        for name in HEADERS:
            yield Series(
                route, f"{name}: {shape}", ADDRESS_SIZES, _sending(path, owner, name, made)
            )
        for cookie in OUR_COOKIES:
            yield Series(
                route,
                f"Cookie {cookie}= {shape}",
                ADDRESS_SIZES,
                _with_cookie(path, owner, cookie, made),
            )


def _repeating(part: str) -> Made:
    return lambda size: part * (size // len(part))


def _is_header(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _sending(path: str, owner: Browser, name: str, made: Made) -> Callable[[int], Request]:
    begin = "bytes=" if name == "Range" else ""
    return lambda size: Request(
        "GET", path, owner.headers | {name: begin + made(max(KB, size - KB))}
    )


def _with_cookie(path: str, owner: Browser, cookie: str, made: Made) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        cookies = [
            each
            for each in owner.headers["Cookie"].split("; ")
            if not each.startswith(f"{cookie}=")
        ]
        headers = owner.headers | {
            "Cookie": "; ".join([*cookies, f"{cookie}={made(max(KB, size - KB))}"])
        }
        return Request("GET", path, headers)

    return build


# -------------------------------------------------------------------------------------------- forms


def _stand_in(rule: Rule, offered: Offered, table: Table, owner: Browser) -> FoundForm:
    """For a route without a form on any page: the form of the hand, which some of them take, or a
    form of anything.
    """
    pages = offered.forms["hand_entry.page"]
    form = next(each for each in pages if table.matches["playing"].id in each.action)
    if rule.endpoint.startswith("hand_entry."):
        return _Redirected(form, _address(rule, table))
    fields = {name: form.fields[name] for name in ("csrf_token", "request_id")}
    return _Redirected(replace(form, fields=fields | {"do": "remove", "device": "x", "name": "x"}),
                       _address(rule, table))  # fmt: skip


class _Redirected(FoundForm):
    """The fields of one form, sent to another address."""

    def __init__(self, form: FoundForm, action: str) -> None:
        super().__init__(**{**form.__dict__, "action": action})
        self._form = form

    def refresh(self) -> None:
        """Read the other form again."""
        added = {
            name: text
            for name, text in self.fields.items()
            if name not in ("csrf_token", "request_id")
        }
        self._form.refresh()
        self.fields = self._form.fields | added


def _fields(route: str, form: FoundForm, names: list[str]) -> Iterator[Series]:
    """Each field in turn, then all at once."""
    yield Series(route, "as it is", (0,), _posting(form, {}), form)
    kinds = set[str]()
    for name in names:
        if name in form.files or kind_of(name) in kinds:
            continue
        kinds.add(kind_of(name))
        for shape, made in TEXTS.items():
            yield Series(route, f"{name}: {shape}", FIELD_SIZES, _typing(form, name, made), form)
    typed = [name for name in form.fields if not _PRESET.fullmatch(name) and name not in form.files]
    for shape, made in TEXTS.items():
        yield Series(
            route, f"all fields: {shape}", FIELD_SIZES, _typing_all(form, typed, made), form
        )


def _many_fields(route: str, form: FoundForm) -> Iterator[Series]:
    """Many fields, unknown ones and rows of known ones; long names; fields of every form."""
    names = [name for name in form.fields if name not in form.files]
    build = _typing(form, names[-1], TEXTS["letters"])
    yield Series(route, f"{names[-1]}: too many letters", LARGEST_SIZES, build, form)
    for shape in ("letters", "digits", "cards", "no cards", "combining marks", "dots", "percents"):
        made = TEXTS[shape]
        yield Series(route, f"long name: {shape}", FIELD_SIZES, _naming(form, made), form)
    patterns = [
        "k#",
        "a.#",
        "a.canastas.#",
        "a.penalties.x#",
        "option-#",
        "player-#",
        "player-0-#",
        "a.left.#",
    ]
    patterns += [re.sub(r"[0-9]+", "#", name) for name in form.fields if re.search(r"[0-9]", name)]
    for pattern in dict.fromkeys(patterns):
        for value in ("1", "K " * 60):
            yield Series(
                route, f"many {pattern}={value[:4]}", MANY, _many(form, pattern, value), form
            )
    for name in [each for each in form.fields if not _PRESET.fullmatch(each)][:40]:
        yield Series(route, f"repeated {name}", MANY, _repeated(form, name), form)
    for name in ("csrf_token", "request_id"):
        for shape, made in TEXTS.items():
            yield Series(route, f"{name}: {shape}", FIELD_SIZES, _typing(form, name, made), form)
    for shape in ("letters", "blanks", "lines", "hyphens in words"):
        yield Series(route, f"parts: {shape}", FIELD_SIZES, _in_parts(form, TEXTS[shape]), form)


def _posting(form: FoundForm, typed: Mapping[str, str]) -> Callable[[int], Request]:
    return lambda _: post(form, form.fields | dict(typed))


def post(form: FoundForm, fields: Mapping[str, str]) -> Request:
    """A form as a browser sends it, with a new request id."""
    if form.files:
        return post_parts(form, fields, b"")
    return Request(
        "POST",
        form.action,
        form.browser.headers | {"Content-Type": FORM},
        encode_fields(renewed(fields)),
    )


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
    return Request("POST", form.action, form.browser.headers | kind, body + b"--b--\r\n")


def _typing(form: FoundForm, name: str, made: Made) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        return post(form, form.fields | {name: _encoded_to_fit(made, size)})

    return build


def _typing_all(form: FoundForm, names: list[str], made: Made) -> Callable[[int], Request]:
    def build(size: int) -> Request:
        text = _encoded_to_fit(made, size // max(1, len(names)))
        return post(form, form.fields | dict.fromkeys(names, text))

    return build


@lru_cache(maxsize=300)
def _encoded_to_fit(made: Made, size: int) -> str:
    text = made(size)
    length = len(encode(text).encode("utf-8", "surrogatepass"))
    return text[: max(1, len(text) * size // length)]


def _naming(form: FoundForm, made: Made) -> Callable[[int], Request]:
    return lambda size: post(form, form.fields | {_encoded_to_fit(made, size): "1"})


def _many(form: FoundForm, pattern: str, value: str) -> Callable[[int], Request]:
    def build(count: int) -> Request:
        room = 250 * KB // count - len(pattern) - 8
        rows = {
            pattern.replace("#", str(number)): value[:room]
            for number in range(count - len(form.fields))
        }
        return post(form, form.fields | rows)

    return build


def _repeated(form: FoundForm, name: str) -> Callable[[int], Request]:
    def build(count: int) -> Request:
        request = post(form, form.fields)
        again = f"&{encode(name)}=1".encode() * (count - len(form.fields))
        return replace(request, body=(request.body or b"") + again) if not form.files else request

    return build


def _in_parts(form: FoundForm, made: Made) -> Callable[[int], Request]:
    """The form as a body of parts, one of which has a hostile head."""

    def build(size: int) -> Request:
        request = post_parts(form, form.fields, b"")
        head = f"--b\r\nContent-Disposition: form-data; name={made(size)}; x={made(10)}\r\n\r\nx\r\n".encode()
        return replace(request, body=head + (request.body or b""))

    return build
