"""A client that reads every page strictly, and fills in forms as a browser without JavaScript does."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
}
TYPED = {"input", "select", "textarea"}
POINTING = {"aria-describedby", "aria-labelledby", "aria-controls", "for"}
"""Attributes that hold ids of other elements."""


@dataclass(repr=False)  # its parent and children would be written out again and again
class Element:
    """An element of a page, with what stands in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)
    inside: list[Element] = field(default_factory=list)
    """Every element inside, in the order of the page."""

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def has(self, name: str) -> bool:
        return name in self.attributes

    @property
    def text(self) -> str:
        """What is read, with single spaces."""
        parts = (child if isinstance(child, str) else child.text for child in self.children)
        return " ".join(" ".join(parts).split())

    def all(self, *tags: str, **attributes: str) -> list[Element]:
        """Every element inside with one of these tags and all of these attributes (`class_` holds
        one of its names).
        """
        found = [each for each in self.inside if each.tag in tags] if tags else self.inside
        return [each for each in found if each._is(attributes)] if attributes else [*found]

    def one(self, *tags: str, **attributes: str) -> Element:
        found = self.all(*tags, **attributes)
        assert len(found) == 1, f"{len(found)} of {tags} {attributes}"
        return found[0]

    def texts(self, *tags: str, **attributes: str) -> list[str]:
        """The text of every element that `all` finds."""
        return [element.text for element in self.all(*tags, **attributes)]

    def hrefs(self, *tags: str, **attributes: str) -> list[str]:
        """Where every link that `all` finds leads."""
        return [link["href"] for link in self.all(*tags, **attributes)]

    def ids(self) -> set[str]:
        """The ids of the elements inside."""
        return {element["id"] for element in self.all() if element.has("id")}

    def value_of(self, name: str) -> str:
        """What stands in the field of this name."""
        return self.one("input", name=name)["value"]

    def is_unfolded(self, part: str) -> bool:
        """Whether a part of the page that can be folded, by its id, is open."""
        return self.one("details", id=part).has("open")

    def _is(self, wanted: dict[str, str]) -> bool:
        for name, value in wanted.items():
            if name == "class_":
                if value not in self.get("class").split():
                    return False
            elif self.attributes.get(name.replace("_", "-")) != value:
                return False
        return True


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in <{tag}>"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        for around in self.open:
            around.inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


class Page(Element):
    """An answer that is a page, checked."""

    def __init__(self, answer: TestResponse, url: str) -> None:
        builder = _Builder()
        builder.feed(answer.text)
        builder.close()
        assert len(builder.open) == 1, f"<{builder.open[-1].tag}> is never closed"
        super().__init__("", {}, builder.root.children, builder.root.inside)
        self.answer, self.url, self.status = answer, url, answer.status_code

    @property
    def title(self) -> str:
        return self.one("head").one("title").text

    @property
    def errors(self) -> list[str]:
        """What the error summary says."""
        return [item.text for box in self.all(class_="errors") for item in box.all("li")]

    @property
    def notices(self) -> list[str]:
        return [text.text for box in self.all(class_="notice") for text in box.all("p")]

    @property
    def heading(self) -> str:
        return self.one("h1").text

    def links(self) -> dict[str, str]:
        """Words of each link to its address."""
        return {link.text: link["href"] for link in self.all("a")}

    def form(self, button: str) -> Element:
        """The form that holds this button."""
        found = [
            form
            for form in self.all("form")
            if any(button in each.text for each in form.all("button"))
        ]
        assert len(found) == 1, (
            f"{len(found)} forms with a button {button!r}: {[b.text for b in self.all('button')]}"
        )
        return found[0]

    def form_values(self, button: str) -> dict[str, str]:
        """What a browser would send of the form that holds this button, left as it is."""
        return self.values(self.form(button))

    def values(self, form: Element) -> dict[str, str]:
        """What a browser would send of a form that is left as it is."""
        sent = {}
        for control in form.all("input"):
            if not control.has("name") or control.has("disabled"):
                continue
            if control.get("type") in ("radio", "checkbox") and not control.has("checked"):
                continue
            sent[control["name"]] = control.get("value")
        for area in form.all("textarea"):
            sent[area["name"]] = "".join(
                part for part in area.children if isinstance(part, str)
            ).removeprefix("\n")
        for choice in form.all("select"):
            options = choice.all("option")
            chosen = [option for option in options if option.has("selected")] or options[:1]
            if chosen:
                sent[choice["name"]] = chosen[0].get("value", chosen[0].text)
        return sent


class Browser(FlaskClient):
    """Flask's test client, that reads every answer to its end."""

    def open(self, *args: Any, buffered: bool = True, **more: Any) -> TestResponse:
        return super().open(*args, buffered=buffered, **more)


class Client:
    """A browser of one device, that checks every page it is shown."""

    def __init__(self, app: Flask, language: str = "it") -> None:
        self.app, self.language = app, language
        self.raw = Browser(app, app.response_class, use_cookies=True)
        if language != "it":
            self.raw.set_cookie("scorepad_language", language)

    def get(self, url: str, status: int = 200, **more: Any) -> Page:
        """Fetch a page."""
        return self._shown(
            self.raw.get(url, headers=self._headers(), follow_redirects=True, **more), url, status
        )

    def post(self, url: str, data: dict[str, str], status: int = 200) -> Page:
        """Send a form, and follow where it leads: always by 303, to a page that is fetched."""
        answer = self.raw.post(url, data=data, headers=self._headers())
        return self._followed(answer, url, status)

    def upload(
        self, page: Page, button: str, octets: bytes, status: int = 200, name: str = "file"
    ) -> Page:
        """Choose a file of this name in the form of a button, and press it."""
        form = page.form(button)
        sent: dict[str, Any] = {**page.values(form), "file": (io.BytesIO(octets), name)}
        url = form.get("action") or page.url
        answer = self.raw.post(url, data=sent, content_type=form["enctype"])
        return self._followed(answer, url, status)

    def submit(self, page: Page | str, button: str, status: int = 200, **typed: str) -> Page:
        """Press a button after typing into fields (`name_0` is the field `name-0`), on a page that
        is shown or at an address.
        """
        if isinstance(page, str):
            page = self.get(page)
        form = page.form(button)
        pressed = next(each for each in form.all("button") if button in each.text)
        assert not pressed.has("disabled"), f"{button} cannot be pressed"
        sent = page.values(form)
        for name, value in typed.items():
            key = name.replace("_", "-")
            key = key if key in sent or form.all(name=key) else name
            assert form.all(name=key), f"no field {key}"
            sent[key] = value
        if pressed.get("name"):
            sent[pressed["name"]] = pressed.get("value")
        url = form.get("action") or page.url
        if form.get("method") == "get":
            return self.get(url, status, query_string=sent)
        return self.post(url, sent, status)

    def cookie(self, name: str) -> str:
        found = self.raw.get_cookie(name)
        assert found is not None, f"no cookie {name}"
        return found.value

    def _followed(self, answer: TestResponse, url: str, status: int) -> Page:
        if answer.status_code in (301, 302, 303, 307, 308):
            assert answer.status_code == 303, f"{url} redirects with {answer.status_code}"
            return self.get(answer.headers["Location"], status)
        return self._shown(answer, url, status)

    def _headers(self) -> dict[str, str]:
        """Those of an Italian browser; another language is chosen on the device."""
        return {"Accept-Language": "it"}

    def _shown(self, answer: TestResponse, url: str, status: int) -> Page:
        assert answer.status_code == status, f"{url}: {answer.status_code}\n{answer.text[:2000]}"
        assert answer.mimetype == "text/html", answer.mimetype
        page = Page(answer, answer.request.path if answer.request else urlsplit(url).path)
        check(page, self.language)
        return page


Visit = Callable[..., Client]
"""Another device comes, in Italian unless it is told another language."""


def check(page: Page, language: str) -> None:
    """What holds for every page."""
    assert page.answer.text.startswith("<!doctype html>")
    assert page.one("html")["lang"] == language
    heading, errors = page.one("h1").text, page.errors
    wrong = {"it": "Errore: ", "en": "Error: "}[language] if errors else ""
    assert page.title == f"{wrong}{heading} – scorepad"
    ids = [element["id"] for element in page.all() if element.has("id")]
    assert sorted(ids) == sorted(set(ids)), "an id twice"
    _check_safety(page)
    _check_fields(page, set(ids))
    page.one("main")
    for element in page.all("a", "button", "summary"):
        assert element.text or element.get("aria-label"), f"<{element.tag}> without words"
    levels = [int(element.tag[1]) for element in page.all("h1", "h2", "h3", "h4")]
    assert all(after <= before + 1 for before, after in zip([1, *levels], levels, strict=False)), (
        f"headings {levels}"
    )
    for key in ("web.", "hand.", "match.", "problem.", "item."):
        assert f">{key}" not in page.answer.text, f"a key without words: {key}"


def _check_safety(page: Page) -> None:
    """Nothing inline, nothing from elsewhere."""
    assert "script-src 'self'" in page.answer.headers["Content-Security-Policy"]
    assert not page.all("style")
    for element in page.all():
        for name, value in element.attributes.items():
            assert name != "style", f"inline style in <{element.tag}>"
            assert not name.startswith("on"), f"inline script in <{element.tag}>"
            if name in ("href", "src", "action", "formaction"):
                assert not value or value.startswith(("/", "#", "?")), element.attributes
                assert not value.startswith("//"), element.attributes
    for script in page.all("script"):
        assert script.get("src"), "inline script"
    for form in page.all("form"):
        if form.get("method", "get").lower() == "post":
            form.one("input", name="csrf_token")


def _check_fields(page: Page, ids: set[str]) -> None:
    """Every field has a label, and what it points at is there."""
    labels = {label.get("for") for label in page.all("label")}
    for control in page.all(*TYPED):
        if control.get("type") in ("hidden", "submit"):
            continue
        assert control.get("id") in labels or control.get("aria-label"), (
            f"no label: {control.attributes}"
        )
    for element in page.all():
        for name in POINTING & element.attributes.keys():
            for wanted in element[name].split():
                assert wanted in ids, f"{name} names {wanted}, which is not there"
        if element.tag == "a" and element.get("href").startswith("#"):
            assert element["href"][1:] in ids, f"a link to {element['href']}, which is not there"
    for control in page.all(*TYPED, aria_invalid="true"):
        assert control.get("aria-describedby"), "a wrong field without words beside it"
