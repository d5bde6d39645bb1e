"""Matches over HTTP: begun, looked at, carried on, by the key of each and no other."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask import Flask

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access, MatchId, RequestId
from scorepad.matches.actions import NewPenalty
from scorepad.matches.hands import ShownDraft
from scorepad.matches.keys import is_key, new_key
from scorepad.schemas import answer_types
from scorepad.storage.connection import Unwritable
from tests.api.conftest import Begun, Program, conforms
from tests.exported import export_file
from tests.matches.test_frozen_rules import frozen_by_a_later_scorepad
from tests.web.client import Client
from tests.web.playing import device

UNUSABLE = tomllib.loads(Path(__file__).with_name("unusable-matches.toml").read_text("utf-8"))[
    "matches"
]
USUAL = {
    "Noi": {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 150}, "left": 20},
    "Loro": {"totals": {"cards": 100}, "left": 40},
}
"""430 and 60: 300 + 150 − 20, and 100 − 40."""


def codes(answer: dict[str, Any]) -> set[str]:
    """The problems of a hand."""
    return {problem["code"] for problem in answer["problems"]}


def test_a_match_is_begun_and_told_with_its_keys_this_once(program: Program) -> None:
    asked = {"names": ["Noi", "Loro"], "players": [["Ada", "Ugo"], []]}
    answer = program.send("POST", "/matches", asked)
    told = answer.json
    conforms(answer_types.BegunAnswer, told)
    match, keys = told["match"], told["keys"]
    assert answer.headers["Location"] == f"/api/v1/matches/{match['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert is_key(keys["write"])
    assert is_key(keys["view"])
    assert [side["players"] for side in match["sides"]] == [["Ada", "Ugo"], ["", ""]]
    assert (match["variant"], match["target"], match["access"]) == ("classica", 5000, "write")
    assert match["ends"] == {"hands": None, "minutes": None}
    writer = Program(program.app, keys["write"])
    for path in ("", "/export"):
        later = writer.send("GET", f"/matches/{match['id']}{path}").text
        assert keys["write"] not in later
        assert keys["view"] not in later


def test_the_first_phone_that_enters_with_the_key_to_write_owns_a_match_begun_by_a_program(
    begun: Begun, app: Flask, pad: Pad
) -> None:
    match = MatchId(begun.id)
    begun.count(1, USUAL)
    assert begun.read()["access"] == "write"
    phone = Client(app)
    page = phone.get(f"/e/{begun.writer.key}")
    assert page.url == f"/partite/{begun.id}"
    assert pad.access(match, device(phone)) is Access.OWN
    codes = phone.get(f"/partite/{begun.id}/telefoni")
    form = next(each for each in codes.all("form") if each.all(name="access", value="write"))
    phone.post(form["action"], codes.values(form) | {"do": "renew"})
    assert begun.writer.ask("GET", begun.path, status=401)["code"] == "no-key"
    assert pad.access(match, device(phone)) is Access.OWN


def test_a_match_is_not_handed_on_to_a_program(begun: Begun, app: Flask, pad: Pad) -> None:
    phone = Client(app)
    phone.get(f"/e/{begun.writer.key}")
    begun.read()
    page = phone.get(f"/partite/{begun.id}/telefoni")
    program = page.one("li", id="phone-1").one("form")
    assert [each.text for each in program.all("button")] == ["Fallo uscire"]
    phone.post(program["action"], page.values(program) | {"do": "hand-on"}, 403)
    assert pad.access(MatchId(begun.id), device(phone)) is Access.OWN
    phone.post(program["action"], page.values(program) | {"do": "remove"})
    assert phone.get(f"/partite/{begun.id}/telefoni").all("li", id="phone-1") == []


@pytest.mark.parametrize("row", UNUSABLE, ids=[row["says"] for row in UNUSABLE])
def test_a_match_that_cannot_begin_is_refused_by_the_key_that_is_wrong(
    program: Program, pad: Pad, row: dict[str, Any]
) -> None:
    told = program.ask("POST", "/matches", row["body"], 400)
    assert told["code"] == "unusable"
    assert row["says"] in told["error"]
    assert not any(pad.summaries(ADMIN))


def test_a_hand_is_counted_and_stands_in_the_match(begun: Begun) -> None:
    told = begun.count(1, USUAL, remark="bella")
    conforms(answer_types.CountedAnswer, told)
    assert (told["saved"], told["number"], told["sequence"]) == (True, 1, 2)
    assert told["sides"]["Noi"]["total"] == 430
    assert told["sides"]["Loro"]["total"] == 60
    match = begun.looker.ask("GET", begun.path)
    conforms(answer_types.MatchAnswer, match)
    (hand,) = match["hands"]
    assert (hand["number"], hand["remark"], hand["hand"]["sides"]) == (1, "bella", USUAL)
    assert hand["sides"]["Noi"]["total"] == 430
    assert [side["total"] for side in match["sides"]] == [430, 60]
    assert match["coming"]["number"] == 2
    (line,) = begun.looker.ask("GET", "/matches")["matches"]
    assert line["id"] == begun.id
    assert (line["totals"], line["hands"], line["access"]) == ([430, 60], 1, "view")


def test_a_hand_sent_twice_counts_once(begun: Begun) -> None:
    begun.count(1, USUAL)
    assert begun.count(1, USUAL, 409)["code"] == "number"
    assert len(begun.read()["hands"]) == 1


def test_a_hand_that_cannot_be_is_answered_with_its_problems_and_not_stored(begun: Begun) -> None:
    wrong = {"Noi": {"melds": ["3xQ 4x2"]}, "Loro": {"left": 7}}
    told = begun.count(1, wrong, 200)
    assert (told["valid"], told["saved"], told["sides"]) == (False, False, None)
    problems = {problem["code"]: problem["where"] for problem in told["problems"]}
    assert problems["meld-too-many-wilds"] == "/sides/Noi/melds/0"
    assert "points-not-multiple" in problems
    assert begun.read()["hands"] == []


@pytest.mark.parametrize("name", ["a", "Altri", "noi"])
def test_a_side_goes_by_the_name_that_the_match_gives_it_and_no_other(
    begun: Begun, name: str
) -> None:
    told = begun.count(1, {name: {"left": 5}}, 200)
    assert "side-unknown" in codes(told)
    assert not told["saved"]


def test_a_penalty_noted_on_a_phone_counts_with_the_hand_of_a_program(
    begun: Begun, pad: Pad
) -> None:
    match, noted = MatchId(begun.id), NewPenalty(1, "draw-out-of-turn")
    coming = pad.open(match, ADMIN).id
    pad.actions.add_penalty(RequestId("noted"), match, ADMIN, coming, noted)
    refused = begun.count(1, {"Noi": {"sum": 430}, "Loro": {"sum": 60}}, 400)
    assert refused["error"].startswith("A penalty is noted for Loro")
    told = begun.count(1, USUAL)
    assert told["sides"]["Loro"]["total"] == -40
    (hand,) = begun.read()["hands"]
    assert hand["hand"]["sides"]["Loro"]["penalties"] == ["draw-out-of-turn"]
    # A correction is the whole hand.
    told = begun.write("PUT", "/hands/1", {"entry": hand["entry"], "sides": USUAL})
    assert told["sides"]["Loro"]["total"] == 60


def test_what_the_table_agreed_is_counted_with_its_reason(begun: Begun) -> None:
    melds = {"Noi": {"melds": ["3xQ 4x2"]}, "Loro": {}}
    assert begun.count(1, melds, agreed="così si gioca da noi")["saved"]
    assert begun.read()["hands"][0]["agreed"] == "così si gioca da noi"


def test_a_hand_is_put_right_and_the_last_thing_undone(begun: Begun) -> None:
    begun.count(1, USUAL)
    entry = begun.read()["hands"][0]["entry"]
    sides = {"Noi": {"sum": 500}, "Loro": {"sum": 0}}
    right = {"sides": sides, "entry": entry, "note": "ricontata"}
    told = begun.write("PUT", "/hands/1", right)
    assert told["saved"]
    assert told["sides"]["Noi"]["total"] == 500
    assert begun.write("PUT", "/hands/1", right, 409)["code"] == "stale"
    assert begun.write("PUT", "/hands/2", right, 404)["code"] == "no-hand"
    match = begun.read()
    assert match["hands"][0]["corrected"]
    seen = {"sequence": match["sequence"]}
    assert begun.write("POST", "/undo", seen)["sequence"] == 4
    assert begun.write("POST", "/undo", seen, 409)["code"] == "stale"
    assert begun.read()["sides"][0]["total"] == 430


def test_a_corrected_hand_is_corrected_again_by_the_entry_that_is_read(begun: Begun) -> None:
    begun.count(1, USUAL)
    for points in (500, 510):
        entry = begun.read()["hands"][0]["entry"]
        sides = {"Noi": {"sum": points}, "Loro": {"sum": 0}}
        assert begun.write("PUT", "/hands/1", {"sides": sides, "entry": entry})["saved"]
    assert begun.read()["sides"][0]["total"] == 510


def test_what_somebody_is_typing_is_not_counted_over_unseen(begun: Begun, pad: Pad) -> None:
    match = MatchId(begun.id)
    coming = pad.open(match, ADMIN)
    pad.store_draft(match, ADMIN, ShownDraft(coming.id, 0), {"line-a": "7xQ"})
    assert begun.count(1, USUAL, 409)["code"] == "being-typed"
    version = begun.read()["coming"]["version"]
    assert begun.count(1, USUAL, version=version)["saved"]


def test_a_match_that_is_over_takes_no_more(begun: Begun) -> None:
    sides = {"Noi": {"sum": 6000}, "Loro": {"sum": 0}}
    begun.count(1, sides)
    match = begun.read()
    assert (match["finished"], match["winner"], match["coming"]) == (True, "Noi", None)
    assert begun.count(2, sides, 409)["code"] == "over"


def test_a_match_of_three_goes_by_the_names_of_its_players(begin: Callable[..., Begun]) -> None:
    three = begin(variant="tagliagola", names=["Ada", "Bea", "Ugo"])
    sides = {"Ada": {"left": 5}}
    assert "side-unknown" in codes(three.count(1, sides, 200, single="Eva"))
    assert three.count(1, sides, single="Ada")["saved"]
    assert three.read()["hands"][0]["hand"]["single"] == "Ada"


def test_beside_an_unknown_name_a_hand_is_judged_as_that_of_its_number(
    begin: Callable[..., Begun],
) -> None:
    deals = begin(variant="hand-and-foot")
    deals.count(1, {"Noi": {"sum": 5}})
    # 60 points open the first hand, and not the second.
    sides = {"Noi": {"totals": {"cards": 60}}, "Altri": {}}
    assert codes(deals.count(2, sides, 200)) == {"side-unknown", "opening-impossible"}


# --------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize("path", ["", "/export"])
def test_without_the_key_of_a_match_nothing_is_told_of_it(
    begun: Begun, begin: Callable[..., Begun], program: Program, path: str
) -> None:
    """What writes is tried in test_nobody_in_by_key.py."""
    answer = program.send("GET", begun.path + path)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    for key in ("x", new_key(), "Basic"):
        Program(program.app, key).ask("GET", begun.path + path, status=401)
    other = begin().writer
    mine = other.send("GET", begun.path + path)
    none = other.send("GET", f"/matches/zzzzzzzzzz{path}")
    assert (mine.status_code, none.status_code) == (404, 404)
    assert mine.data == none.data


def test_those_with_a_key_are_one_device_which_owns_nothing(begun: Begun, pad: Pad) -> None:
    for _ in range(3):
        begun.read()
        begun.looker.ask("GET", begun.path)
    devices = pad.devices.list_devices(MatchId(begun.id), ADMIN)
    assert [device.access for device in devices] == [Access.WRITE, Access.VIEW]


def test_a_match_is_exported_as_the_command_line_does(begun: Begun, pad: Pad) -> None:
    begun.count(1, USUAL)
    told = begun.looker.send("GET", f"{begun.path}/export")
    assert told.data == export_file(pad, MatchId(begun.id))


def test_a_match_by_rules_of_a_later_scorepad_is_told_in_json(pad: Pad, begun: Begun) -> None:
    frozen_by_a_later_scorepad(pad.context.storage)
    pad.context.matches.clear()
    pad.context.rules.clear()
    told = begun.writer.ask("GET", begun.path, None, 503)
    assert told["code"] == "storage"


def test_a_match_ends_by_the_hands_that_the_table_chose(begin: Callable[..., Begun]) -> None:
    begun = begin(ends={"hands": 1, "minutes": 50})
    assert begun.read()["ends"] == {"hands": 1, "minutes": 50}
    told = begun.count(1, USUAL, out=None)
    assert (told["match"]["finished"], told["match"]["winner"]) == (True, "Noi")


# --------------------------------------------------------------------------------------------- room


def test_what_finds_no_room_on_the_disk_is_refused_with_the_reason(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object, **__: object) -> NoReturn:
        raise Unwritable(Path("scorepad.db"), reason="full")

    begun.count(1, USUAL)
    for name in ("count", "correct", "undo"):
        monkeypatch.setattr(Pad, name, no_space)
    for method, path, body in (
        ("POST", "/hands", {"number": 2, "sides": USUAL}),
        ("PUT", "/hands/1", {"entry": 2, "sides": USUAL}),
        ("POST", "/undo", {"sequence": 2}),
    ):
        told = begun.write(method, path, body, 507)
        assert told["code"] == "disk-full"
        assert told["error"].startswith("The disk of the score pad is full: nothing was saved.")
    assert begun.read()["hands"]
