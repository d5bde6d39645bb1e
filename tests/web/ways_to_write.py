"""Every form of the pages that changes something (`ways_to_write.toml`), and who may send it."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import TestResponse

from scorepad.matches import Pad
from scorepad.matches.keys import Keys
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Element, Visit
from tests.web.playing import HAND_430_TO_60, device, keys_of, match_of, new_request, play, start
from tests.web.scorer import let_in
from tests.web.tables import read_tables


@dataclass(frozen=True)
class Way:
    """A form: the page that it stands on, its button and what is typed into it. With `by_other` the
    phone of the other side sends it.
    """

    page: str
    button: str
    typed: Mapping[str, str] = field(default_factory=dict)
    by_other: bool = False
    played: bool = True
    """Whether a hand has been counted before."""
    address: str = ""
    """Where it is sent, if not to the address that the form names."""
    shown: str = ""
    """What the page of a refusal shows of what was typed."""


class Stranger(NamedTuple):
    """A phone without the key that a form needs."""

    what: str
    """What it has instead."""
    client: Client
    status: int
    """The status of the answers to it."""


RULING = "/arbitro/calata?cards=3xK&passo=risposta"
CHECKED = ("/smazzate/1/contesta", "/smazzate/1/controlla", "/controllo")
"""Pages that are only there where one side checks what the other counts."""
_TABLES = read_tables("ways_to_write")
IN_A_MATCH = {endpoint: Way(**way) for endpoint, way in _TABLES["in_a_match"].items()}
ANYWHERE = {endpoint: Way(**way) for endpoint, way in _TABLES["anywhere"].items()}


class World:
    """A match with all that may be changed of it, and the phones of its two sides."""

    def __init__(self, app: Flask, pad: Pad, visit: Visit, way: Way) -> None:
        self.app = app
        self.pad = pad
        self.visit = visit
        self.way = way
        self.owner = visit()
        self.other = visit()
        self.url = start(self.owner)
        self.withdrawn = let_in(self.owner, self.url, visit())
        self._renew_code()
        let_in(self.owner, self.url, self.other)
        self._come_to_the_form()
        self.strangers = tuple(self._strangers())
        self.sender = self.other if way.by_other else self.owner
        self.address, self.fields = self._form()

    def _come_to_the_form(self) -> None:
        """Do what has to be done in the match before its page shows the form."""
        way = self.way
        if way.page in CHECKED:
            page = self.owner.get(f"{self.url}/controllo")
            self.owner.submit(page, "D'ora in poi l'altra parte controlla")
        if way.played:
            play(self.pad, self.owner, self.url, HAND_430_TO_60)
        if way.address == "/rivincita":
            page = self.owner.get(f"{self.url}/fine")
            self.owner.submit(page, "Finisce così", how="time")
        if way.address == "/rifai":
            self.owner.submit(self.owner.get(self.url), "Annulla la smazzata 1")
        if way.page == "/arbitro/decisioni":
            self.owner.submit(self.owner.get(f"{self.url}{RULING}"), "Salva la decisione")

    def _strangers(self) -> Iterator[Stranger]:
        """Phones with no key, or with one of each wrong kind."""
        yield Stranger("no key", self.visit(), 404)
        viewer = let_in(self.owner, self.url, self.visit(), VIEW_COOKIE)
        yield Stranger("a viewing key", viewer, 403)
        owner_of_another = self.visit()
        start(owner_of_another)
        yield Stranger("the key of another match", owner_of_another, 404)
        yield Stranger("a key that was withdrawn", self.withdrawn, 404)
        sent_out = let_in(self.owner, self.url, self.visit())
        match = match_of(self.url)
        stored_device = self.pad.devices.find_own_record(match, device(sent_out)).device
        self.pad.devices.remove_device(match, device(self.owner), stored_device, new_request())
        yield Stranger("a phone that was sent out", sent_out, 404)

    def _renew_code(self) -> None:
        """Another key to write, so that the one before opens nothing."""
        old_key = self.keys.write
        page = self.owner.get(f"{self.url}/telefoni")
        form = next(form for form in page.all("form") if form.get("action").endswith("/codice"))
        self.owner.post(form["action"], page.values(form) | {"do": "renew"})
        assert self.keys.write != old_key
        assert self.withdrawn.raw.get(f"/e/{old_key}").status_code == 404

    @property
    def keys(self) -> Keys:
        """The keys that the owner carries."""
        return keys_of(self.owner, self.url)

    def _form(self) -> tuple[str, dict[str, str]]:
        """The address and the fields of the form, as the phone that may send it is shown them."""
        page_url = self.way.page
        if self.way in IN_A_MATCH.values():
            page_url = f"{self.url}{self.way.page}"
        page = self.sender.get(page_url)
        form = next(form for form in page.all("form") if self._has_button(form))
        address = form.get("action") or page.url
        if self.way.address:
            address = f"{self.url}{self.way.address}"
        return address, page.values(form) | dict(self.way.typed)

    def _has_button(self, form: Element) -> bool:
        return any(self.way.button in button.text for button in form.all("button"))

    def send(self, client: Client, token: str | None = None, **headers: str) -> TestResponse:
        """Send the form as this phone, with another CSRF token if one is given; an empty one leaves
        the field out.
        """
        fields: dict[str, Any] = dict(self.fields)
        if token == "":
            del fields["csrf_token"]
        elif token is not None:
            fields["csrf_token"] = token
        if "file" not in fields:
            return client.raw.post(self.address, data=fields, headers=headers)
        content = json.dumps({"scorepad": "x"}).encode()
        fields["file"] = (io.BytesIO(content), "partite.json")
        kind = "multipart/form-data"
        return client.raw.post(self.address, data=fields, headers=headers, content_type=kind)

    def dump_data_file(self) -> str:
        """The data file as SQL statements."""
        with closing(sqlite3.connect(self.pad.context.storage.path)) as file:
            return "\n".join(file.iterdump())


def token_of(client: Client) -> str:
    """A token of this phone's own."""
    return client.get("/").form("English").value_of("csrf_token")
