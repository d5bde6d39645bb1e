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
    """A form: the page that it stands on, its button, what is typed. `by_other`: the other side's
    phone sends it.
    """

    page: str
    button: str
    typed: Mapping[str, str] = field(default_factory=dict)
    by_other: bool = False
    played: bool = True
    """Whether a hand has been counted before."""
    address: str = ""
    """Where it goes, where that is not what the form says."""
    shown: str = ""
    """What of the typed a page shows again."""


class Stranger(NamedTuple):
    """A phone whose key does not do."""

    what: str
    """What it has in the place of the right key."""
    client: Client
    status: int
    """The status that it is answered."""


KEEPABLE = "/arbitro/calata?cards=3xK&passo=risposta"
CHECKED = ("/smazzate/1/contesta", "/smazzate/1/controlla", "/controllo")
"""Pages that are only there where one side checks what the other counts."""
_TABLES = read_tables("ways_to_write")
IN_A_MATCH = {endpoint: Way(**way) for endpoint, way in _TABLES["in_a_match"].items()}
ANYWHERE = {endpoint: Way(**way) for endpoint, way in _TABLES["anywhere"].items()}


class World:
    """A match with all that may be changed of it, and the phones of its two sides."""

    def __init__(self, app: Flask, pad: Pad, visit: Visit, way: Way) -> None:
        self.app, self.pad, self.visit, self.way = app, pad, visit, way
        self.owner, self.other = visit(), visit()
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
            self.owner.submit(self.owner.get(f"{self.url}{KEEPABLE}"), "Salva la decisione")

    def _strangers(self) -> Iterator[Stranger]:
        """Those whose key does not do."""
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
        before, page = self.keys.write, self.owner.get(f"{self.url}/telefoni")
        form = next(each for each in page.all("form") if each.get("action").endswith("/codice"))
        self.owner.post(form["action"], {**page.values(form), "do": "renew"})
        assert self.keys.write != before
        assert self.withdrawn.raw.get(f"/e/{before}").status_code == 404

    @property
    def keys(self) -> Keys:
        """The keys that the owner carries."""
        return keys_of(self.owner, self.url)

    def _form(self) -> tuple[str, dict[str, str]]:
        """Where the form goes, and all that it sends, as whoever may send it is shown it."""
        is_in_match = self.way in IN_A_MATCH.values()
        page = self.sender.get(f"{self.url}{self.way.page}" if is_in_match else self.way.page)
        form = next(form for form in page.all("form") if self._has_button(form))
        address = form.get("action") or page.url
        if self.way.address:
            address = f"{self.url}{self.way.address}"
        return address, {**page.values(form), **self.way.typed}

    def _has_button(self, form: Element) -> bool:
        return any(self.way.button in button.text for button in form.all("button"))

    def send(self, client: Client, token: str | None = None, **headers: str) -> TestResponse:
        """Send the form as this phone, with this token for the one it was shown with (empty: with
        none).
        """
        sent: dict[str, Any] = dict(self.fields)
        if token is not None:
            sent["csrf_token"] = token
            if not token:
                del sent["csrf_token"]
        if "file" in sent:
            sent["file"] = (io.BytesIO(json.dumps({"scorepad": "x"}).encode()), "partite.json")
            return client.raw.post(
                self.address, data=sent, headers=headers, content_type="multipart/form-data"
            )
        return client.raw.post(self.address, data=sent, headers=headers)

    def everything(self) -> str:
        """All that stands in the data file."""
        with closing(sqlite3.connect(self.pad.context.storage.path)) as file:
            return "\n".join(file.iterdump())


def token_of(client: Client) -> str:
    """A token of this phone's own."""
    return client.get("/").form("English").value_of("csrf_token")
