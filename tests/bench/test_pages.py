"""The match page and the saving of a hand, against Flask, Jinja, Flask-WTF and SQLite alone; the
match sheet, against WeasyPrint alone on the same HTML.
"""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from weasyprint import HTML

from scorepad.i18n import words
from scorepad.sheets import pdf
from scorepad.sheets.match_sheet import make_match_sheet, render_match_sheet
from tests.bench.conftest import Bench
from tests.bench.rooms import DEVICE, Room, bare_page, bare_save, crowd, room

HANDS = 12
HIDDEN = re.compile(r'<input (?=[^>]*type="hidden")(?=[^>]*name="(\w+)")[^>]*value="([^"]*)"')
# 500 + 300 + 215 + 100 for a red three + 100 for going out - 10 = 1205; 130 + 100 - 15 = 215.
TYPED = {
    "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "215",
    "a.red_threes": "1", "a.left": "10", "b.cards": "130", "b.red_threes": "1", "b.left": "15", "out": "a",
}  # fmt: skip
FEW = 5
OTHERS = 100_000


@pytest.mark.bench
def test_match_page(bench: Bench, tmp_path: Path) -> None:
    ours = room(tmp_path)
    match = ours.start()
    ours.count(match, HANDS)
    page = ours.page(match)
    assert page.count("1.345") >= HANDS
    # As many rows: the match with its rules and its summary, an entry for each hand and for the
    # start.
    floor = bare_page(tmp_path / "bare.db", HANDS + 4, page)
    bare = floor.get("/m").text
    assert abs(len(bare) - len(page)) < len(page) // 10
    assert bare.count("1.345") == page.count("1.345")
    bench.compare(
        "match page of 12 hands", lambda: ours.page(match), lambda: floor.get("/m"), "1.6"
    )


@pytest.mark.bench
def test_saving_a_hand(bench: Bench, tmp_path: Path) -> None:
    ours = room(tmp_path)
    match = ours.start()
    floor = bare_save(tmp_path / "bare.db")
    form: dict[str, str] = {}
    token = {"csrf_token": floor.get("/").text}

    def fetch_the_form() -> None:
        page = ours.client.get(f"/partite/{match}/smazzata").text
        form.update(dict(HIDDEN.findall(page)) | TYPED | {"do": "save"})

    def save() -> None:
        answer = ours.client.post(f"/partite/{match}/smazzata", data=form)
        assert answer.status_code == 303, answer.text

    def save_one_row() -> None:
        assert floor.post("/", data=form | token).status_code == 303

    bench.compare("saving a hand", save, save_one_row, "2.5", before=fetch_the_form, times=6)
    counted = ours.pad.state(match, DEVICE).hands
    assert [side.hand for side in counted[-1].sides] == [1205, 215]


@pytest.mark.bench
def test_match_page_among_many(bench: Bench, tmp_path: Path) -> None:
    alone, crowded = room(tmp_path / "alone"), room(tmp_path / "crowded")
    only, one_of_many = alone.start(), crowded.start()
    alone.count(only, HANDS)
    crowded.count(one_of_many, HANDS)
    crowd(crowded, one_of_many, OTHERS if bench.rounds > FEW else OTHERS // 100)
    bench.compare(
        "match page among 100,000 other matches",
        lambda: crowded.page(one_of_many),
        lambda: alone.page(only),
        "1.2, to it alone",
        times=4,
    )


@pytest.mark.bench
def test_match_sheet(bench: Bench, tmp_path: Path) -> None:
    ours = room(tmp_path)
    match = ours.start()
    ours.count(match, 12)
    state, speech = ours.pad.state(match, DEVICE), words("it")
    html = render_match_sheet(state, speech)

    def alone() -> bytes:
        page = HTML(string=html, url_fetcher=pdf.make_url_fetcher())
        made: bytes = page.write_pdf(pdf_variant=pdf.VARIANT)
        return made

    assert len(alone()) == len(make_match_sheet(state, speech))
    bench.compare("match sheet of 12 hands", lambda: make_match_sheet(state, speech), alone, "1.3")


# ------------------------------- the 200th hand of a match against its 10th, in seconds of the processor

HAND_OF_PROGRAM: dict[str, Any] = {
    "sides": {
        "Noi": {"melds": ["7xK", "4xA 2", "4x10 2"], "left": ""},
        "Loro": {"melds": ["7xQ", "3xA JK", "4xJ 2"], "left": "9 9"},
    },
    "out": {"side": "Noi"},
}


class Played:
    """A match of so many hands, played over the JSON interface."""

    def __init__(self, ours: Room, hands: int) -> None:
        self.client, self.hands = ours.app.test_client(), 0
        new = {"names": ["Noi", "Loro"], "options": {"target": 500_000}}
        begun = self.client.post("/api/v1/matches", json=new).get_json()
        self.match = begun["match"]["id"]
        self.headers = {"Authorization": f"Bearer {begun['keys']['write']}"}
        while self.hands < hands:
            self.save()

    def save(self) -> None:
        """Save one more hand."""
        self.hands += 1
        path = f"/api/v1/matches/{self.match}/hands"
        answer = self.client.post(
            path, json={**HAND_OF_PROGRAM, "number": self.hands}, headers=self.headers
        )
        assert answer.status_code == 201, answer.text


@pytest.mark.bench
def test_a_save_does_not_grow_with_the_match(bench: Bench, tmp_path: Path) -> None:
    short, long = Played(room(tmp_path / "short"), 10), Played(room(tmp_path / "long"), 200)
    clocks = (time.thread_time, time.thread_time)
    measured = bench.compare(
        "saving the 200th hand, to the 10th", long.save, short.save, "1.5", times=4, clocks=clocks
    )
    assert measured.ratio < 1.5
