"""Hostile files: exports of matches, and files of house rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from scorepad.matches.file_format import compute_seal
from tests.soak.costs.json_series import WHOLE, hostile_places, with_hostile
from tests.soak.costs.measuring import Request
from tests.soak.costs.page_series import FILE_SIZES, Series, post_parts
from tests.soak.costs.pages import FoundForm, Offered
from tests.soak.costs.shapes import KB, MB, TOML_LINES, TOML_VALUES, Made, json_list, repeat
from tests.soak.costs.table import HOUSE

RULES_SIZES = (1 * KB, 16 * KB, 60 * KB)
"""Files of house rules are limited to 64 kB; what is larger is tried with one shape."""
IMPORT_SIZES = (1 * KB, 250 * KB, 1 * MB, 8 * MB - 20 * KB)
_DEAR_MEMORY = ("dotted", "deep")
"""Shapes whose memory grows with the square of the length: no larger than 16 kB, so that the
machine is spared.
"""
BEFORE = (
    HOUSE.replace('"casa"', '"casa-nuova"')
    .replace("Canasta di casa", "Altra di casa")
    .replace("at home", "there")
)


def file_series(route: str, offered: Offered) -> Iterator[Series]:
    """All hostile files that a route takes."""
    if route == "POST /file":
        yield from _imports(route, offered.forms["files.take"][0])
    if route == "POST /nostre-regole/file":
        yield from _house_rules(route, offered.forms["own_rules.take"][0])


def _sent(form: FoundForm, made: Callable[[int], str], name: str) -> Callable[[int], Request]:
    return lambda size: post_parts(
        form, form.fields, made(size).encode("utf-8", "surrogatepass"), name
    )


# -------------------------------------------------------------------------------------- house rules


def _house_rules(route: str, form: FoundForm) -> Iterator[Series]:
    cookie = {"Cookie": form.browser.headers["Cookie"]}
    shown = ("/nostre-regole/", "/partite/nuova", "/regole/casa-nuova", "/regole/casa-nuova/segnapunti.pdf",
             "/partite/nuova?variante=casa-nuova", "/nostre-regole/casa-nuova/cambia", "/arbitro?variante=casa-nuova",
             "/api/v1/variants/casa-nuova")  # fmt: skip
    follow = tuple(Request("GET", path, cookie) for path in shown)
    yield Series(
        route,
        "as it is",
        (0,),
        _sent(form, lambda _: BEFORE, "casa-nuova.toml"),
        form,
        follow,
        once=True,
    )
    for shape, made in TOML_LINES.items():
        sizes = RULES_SIZES[:2] if shape.startswith(_DEAR_MEMORY) else RULES_SIZES
        yield Series(
            route,
            f"lines {shape}",
            sizes,
            _sent(form, _after(made), "casa-nuova.toml"),
            form,
            follow,
            once=True,
        )
    for shape, made in TOML_VALUES.items():
        sizes = RULES_SIZES[:2] if "dotted" in shape or "nested" in shape else RULES_SIZES
        yield Series(
            route,
            f"zz = {shape}",
            sizes,
            _sent(form, _as_key(made), "casa-nuova.toml"),
            form,
            follow,
            once=True,
        )
        for line in _lines_with_values():
            build = _sent(form, _instead(line, made), "casa-nuova.toml")
            yield Series(route, f"{line} {shape}", sizes, build, form, follow, once=True)
    for shape, part in (("letters", "a"), ("comments", "#\n")):
        yield Series(route, f"file {shape}", FILE_SIZES, _sent(form, repeat(part), "x.toml"), form)


def _after(made: Made) -> Made:
    return lambda size: f"{BEFORE}\n{made(max(100, size - len(BEFORE)))}\n"


def _as_key(made: Made) -> Made:
    return lambda size: f"zz = {made(max(100, size - len(BEFORE)))}\n{BEFORE}"


def _lines_with_values() -> list[str]:
    """The beginnings of the lines of the file that hold a key and a value."""
    return list(dict.fromkeys(re.findall(r"^[a-z.-]+ = ", BEFORE, re.MULTILINE)))


def _instead(line: str, made: Made) -> Made:
    """The file with another value after the first line that begins so; a value of several lines is
    replaced whole.
    """
    pattern = re.compile(rf"^{re.escape(line)}(\[\n.*?^\]|.*?)$", re.MULTILINE | re.DOTALL)

    def make(size: int) -> str:
        value = made(max(100, size - len(BEFORE)))
        return pattern.sub(lambda _: f"{line}{value}", BEFORE, count=1)

    return make


# ------------------------------------------------------------------------------------------ matches


def _imports(route: str, form: FoundForm) -> Iterator[Series]:
    export = _export_of(form)
    yield Series(
        route,
        "as it is",
        (0,),
        _sent(form, lambda _: json.dumps(export), "x.json"),
        form,
        once=True,
    )
    for shape, made in WHOLE.items():
        yield Series(route, f"file {shape}", IMPORT_SIZES, _sent(form, made, "x.json"), form)
    same = json_list(json.dumps(export["matches"][0]))
    yield Series(
        route,
        "the same match",
        IMPORT_SIZES,
        _sent(form, _at(export, ("matches",), same), "x.json"),
        form,
    )
    follow = tuple(
        Request("GET", path, {"Cookie": form.browser.headers["Cookie"]})
        for path in ("/", "/giocatori")
    )
    for what, place, made in hostile_places(export, known=set()):
        build = _sent(form, _at(export, place, made), "x.json")
        # Every place with every shape at one size, and lists and objects, which hold the most, at
        # all sizes.
        is_large = "list of" in what or "keys" in what or "more like" in what
        sizes = IMPORT_SIZES if is_large else IMPORT_SIZES[1:2]
        yield Series(route, what, sizes, build, form, follow, once=True)


def _export_of(form: FoundForm) -> Any:
    """The export of a match with a hand of each kind, under another id."""
    browser = form.browser
    page = browser.page("/")
    assert page is not None
    addresses = [
        link["href"]
        for link in page.all("a")
        if re.fullmatch(r"/partite/[a-z0-9]{10}", link["href"])
    ]
    found = [json.loads(browser.get(f"{each}/file/partita.json").body) for each in addresses]
    usable = [each for each in found if 4 <= len(each["matches"][0]["entries"]) <= 20]
    export = max(usable, key=lambda each: len(json.dumps(each)))
    text = json.dumps(export).replace(export["matches"][0]["id"], "zzzzzzzzzz")
    return json.loads(sealed(text))


def _at(export: Any, place: tuple[str | int, ...], made: Made) -> Made:
    return lambda size: sealed(with_hostile(export, place, made(size)))


def sealed(text: str) -> str:
    """A file whose seals fit what somebody changed; what is no such file stays as it is."""
    try:
        file = json.loads(text)
        for match in file["matches"]:
            match["seal"] = compute_seal(match)
        return json.dumps(file)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return text
