"""Matches over the HTTP API: a program begins, reads and continues them with their keys."""

from collections.abc import Callable
from http import HTTPStatus
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
from tests.api.conftest import BegunMatch, Program, assert_conforms
from tests.data import read_data
from tests.exported import export_file
from tests.matches.test_frozen_rules import store_rules_as_version_2
from tests.web.client import Client, Element, Page
from tests.web.playing import device

UNUSABLE_MATCHES = read_data("api/unusable-matches.toml")["matches"]
# Points of a mixed canasta (300) and of the cards laid, less those left in hand:
# 300 + 150 − 20 = 430 for We, 100 − 40 = 60 for They.
SIDES_OF_430_AND_60 = {
    "We": {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 150}, "left": 20},
    "They": {"totals": {"cards": 100}, "left": 40},
}


def problem_codes(answer: dict[str, Any]) -> set[str]:
    """Return the codes of the problems that an answer finds in a hand."""
    return {problem["code"] for problem in answer["problems"]}


def test_new_match_is_answered_with_its_keys(program: Program) -> None:
    body = {"names": ["We", "They"], "players": [["Ada", "Ugo"], []]}

    answer = program.send("POST", "/matches", body)

    assert_conforms(answer_types.BegunAnswer, answer.json)
    match = answer.json["match"]
    assert answer.headers["Location"] == f"/api/v1/matches/{match['id']}"
    # The answer holds keys, so no cache may keep it.
    assert answer.headers["Cache-Control"] == "no-store"
    assert [side["players"] for side in match["sides"]] == [["Ada", "Ugo"], ["", ""]]

    # Unless the body says otherwise, the match is classic canasta: it has no limit of hands or
    # minutes, and ends at 5000 points.
    assert match["variant"] == "classica"
    assert match["target"] == 5000
    assert match["ends"] == {"hands": None, "minutes": None}

    # Whoever begins a match may write in it, and may give either key to others.
    assert match["access"] == "write"
    keys = answer.json["keys"]
    assert is_key(keys["write"])
    assert is_key(keys["view"])


@pytest.mark.parametrize("path", ["", "/export"])
def test_keys_of_a_match_are_not_shown_again(begun_match: BegunMatch, path: str) -> None:
    text = begun_match.writer.send("GET", f"{begun_match.path}{path}").text
    assert begun_match.writer.key not in text
    assert begun_match.looker.key not in text


def test_first_phone_owns_a_match_begun_by_a_program(
    begun_match: BegunMatch, app: Flask, pad: Pad
) -> None:
    # A program may write in its match, but never becomes its owner.
    begun_match.count(1, SIDES_OF_430_AND_60)
    assert begun_match.read()["access"] == "write"

    # A phone opens the link with the key for writing, as a QR code holds it.
    phone = Client(app, "en")
    page = phone.get(f"/e/{begun_match.writer.key}")

    assert page.url == f"/partite/{begun_match.id}"
    match = MatchId(begun_match.id)
    assert pad.access(match, device(phone)) is Access.OWN


def test_program_has_no_access_after_the_owner_renewed_the_key(
    begun_match: BegunMatch, app: Flask, pad: Pad
) -> None:
    # The first phone that comes in owns the match.
    phone = Client(app, "en")
    phone.get(f"/e/{begun_match.writer.key}")

    # On the page of the phones it replaces the key for writing by a new one.
    page = phone.get(f"/partite/{begun_match.id}/telefoni")
    form = form_of_key_to_write(page)
    phone.post(form["action"], page.values(form) | {"do": "renew"})

    # The program still has the old key. The phone is known by its cookie and keeps its access.
    answer = begun_match.writer.ask("GET", begun_match.path, status=HTTPStatus.UNAUTHORIZED)
    assert answer["code"] == "no-key"
    assert pad.access(MatchId(begun_match.id), device(phone)) is Access.OWN


def form_of_key_to_write(page: Page) -> Element:
    """Return the form on the page of the phones that shows and renews the key for writing."""
    for form in page.all("form"):
        if form.all(name="access", value="write"):
            return form
    raise AssertionError("no form about the code for keeping score")


@pytest.fixture
def owner(begun_match: BegunMatch, app: Flask) -> Client:
    """Let a phone into a match that a program has begun, and return it. It owns the match."""
    # The first phone that enters by the link with the key becomes the owner.
    phone = Client(app, "en")
    phone.get(f"/e/{begun_match.writer.key}")

    # The program reads the match. From now on the page of the phones shows it too, as device 1.
    begun_match.read()
    return phone


def test_program_cannot_become_owner_of_a_match(
    begun_match: BegunMatch, owner: Client, pad: Pad
) -> None:
    # A phone owns the match, and opens the page of all devices, "telefoni". Beside another phone would
    # stand a button to make that the owner. Beside the program, which is device 1, there is only one
    # to remove it.
    page = owner.get(f"/partite/{begun_match.id}/telefoni")
    form = page.one("li", id="phone-1").one("form")
    assert form.texts("button") == ["Remove it"]

    # The owner sends all the same what the other button would send. It is refused.
    fields = page.values(form) | {"do": "hand-on"}
    owner.post(form["action"], fields, HTTPStatus.FORBIDDEN)

    # The phone still owns the match.
    assert pad.access(MatchId(begun_match.id), device(owner)) is Access.OWN


def test_program_can_be_removed_on_the_page_of_the_phones(
    begun_match: BegunMatch, owner: Client
) -> None:
    owner.submit(f"/partite/{begun_match.id}/telefoni", "Remove it")

    # The program was device 1.
    page = owner.get(f"/partite/{begun_match.id}/telefoni")
    assert page.all("li", id="phone-1") == []


@pytest.mark.parametrize("row", UNUSABLE_MATCHES, ids=lambda row: row["says"])
def test_unusable_new_match_is_refused_with_the_wrong_field(
    program: Program, pad: Pad, row: dict[str, Any]
) -> None:
    # A row has the body of a request and a part of the error: the body {"names": ["Noi"]} gets "2
    # names are needed".
    answer = program.ask("POST", "/matches", row["body"], HTTPStatus.BAD_REQUEST)
    assert answer["code"] == "unusable"
    assert row["says"] in answer["error"]
    assert not any(pad.summaries(ADMIN)), "no match was begun"


def test_hand_sent_twice_is_counted_once(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # A program that got no answer sends the same hand again.
    answer = begun_match.count(1, SIDES_OF_430_AND_60, HTTPStatus.CONFLICT)

    assert answer["code"] == "number"  # hand 1 is not the next one
    assert len(begun_match.read()["hands"]) == 1


def test_answer_to_a_counted_hand(begun_match: BegunMatch) -> None:
    answer = begun_match.count(1, SIDES_OF_430_AND_60, remark="bella")

    assert_conforms(answer_types.CountedAnswer, answer)
    assert answer["saved"]
    assert answer["number"] == 1
    # Entry 1 of the match's log is its start, entry 2 this hand.
    assert answer["sequence"] == 2
    assert answer["sides"]["We"]["total"] == 430
    assert answer["sides"]["They"]["total"] == 60


def test_counted_hand_is_in_the_match(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60, remark="bella")

    match = begun_match.looker.ask("GET", begun_match.path)

    assert_conforms(answer_types.MatchAnswer, match)
    assert [side["total"] for side in match["sides"]] == [430, 60]
    assert match["coming"]["number"] == 2  # the hand to be played next

    (counted,) = match["hands"]
    assert counted["number"] == 1
    assert counted["remark"] == "bella"
    assert counted["hand"]["sides"] == SIDES_OF_430_AND_60
    assert counted["sides"]["We"]["total"] == 430


def test_match_is_listed_for_whoever_may_see_it(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # The list of matches holds those that the key opens: here one.
    (match,) = begun_match.looker.ask("GET", "/matches")["matches"]

    assert match["id"] == begun_match.id
    assert match["totals"] == [430, 60]
    assert match["hands"] == 1
    assert match["access"] == "view"


def test_invalid_hand_is_answered_with_problems_and_not_stored(
    begun_match: BegunMatch,
) -> None:
    # A set of cards of one rank, here queens, may hold three wild cards at most, and twos are
    # wild: four are too many. Every card is worth a multiple of 5, so nobody has 7 points left.
    sides = {"We": {"melds": ["3xQ 4x2"]}, "They": {"left": 7}}

    # The question could be answered, so the status is 200.
    answer = begun_match.count(1, sides, status=HTTPStatus.OK)

    assert not answer["valid"]
    assert not answer["saved"]
    assert answer["sides"] is None
    # Each problem says where in the body it is.
    where = {problem["code"]: problem["where"] for problem in answer["problems"]}
    assert where["meld-too-many-wilds"] == "/sides/We/melds/0"
    assert "points-not-multiple" in where
    assert begun_match.read()["hands"] == []


@pytest.mark.parametrize("name", ["a", "Altri", "noi"])
def test_unknown_name_of_a_side_is_a_problem(begun_match: BegunMatch, name: str) -> None:
    # The sides of this match are We and They. The program itself calls the first "a", and in
    # Italian it would be "Noi". Names are taken as they are.
    answer = begun_match.count(1, {name: {"left": 5}}, status=HTTPStatus.OK)
    assert "side-unknown" in problem_codes(answer)
    assert not answer["saved"]


@pytest.fixture
def penalty_of_second_side(begun_match: BegunMatch, pad: Pad) -> None:
    """Note in the first hand, as a phone does, that They drew out of turn: 100 points less."""
    match = MatchId(begun_match.id)
    open_hand = pad.open(match, ADMIN)
    penalty = NewPenalty(1, "draw-out-of-turn")  # side 1 is They, side 0 is We
    pad.actions.add_penalty(RequestId("noted"), match, ADMIN, open_hand.id, penalty)


@pytest.mark.usefixtures("penalty_of_second_side")
def test_penalty_noted_on_a_phone_counts_in_the_hand_of_a_program(
    begun_match: BegunMatch,
) -> None:
    # The program counts the hand and does not mention the penalty of 100.
    answer = begun_match.count(1, SIDES_OF_430_AND_60)

    assert answer["sides"]["They"]["total"] == 60 - 100
    (hand,) = begun_match.read()["hands"]
    assert hand["hand"]["sides"]["They"]["penalties"] == ["draw-out-of-turn"]


@pytest.mark.usefixtures("penalty_of_second_side")
def test_correction_replaces_a_penalty_noted_on_a_phone(begun_match: BegunMatch) -> None:
    # They have 60 points less 100 for the penalty that a phone has noted.
    counted = begun_match.count(1, SIDES_OF_430_AND_60)
    assert counted["sides"]["They"]["total"] == 60 - 100

    # The program corrects the hand and sends it without the penalty.
    entry = begun_match.read()["hands"][0]["entry"]
    correction = {"entry": entry, "sides": SIDES_OF_430_AND_60}
    answer = begun_match.write("PUT", "/hands/1", correction)

    # The penalty is gone.
    assert answer["sides"]["They"]["total"] == 60


@pytest.mark.usefixtures("penalty_of_second_side")
def test_agreed_sum_is_refused_beside_a_noted_penalty(begun_match: BegunMatch) -> None:
    # A sum alone does not tell whether the penalty, which a phone has noted, is in it.
    answer = begun_match.count(1, {"We": {"sum": 430}, "They": {"sum": 60}}, HTTPStatus.BAD_REQUEST)
    assert answer["error"].startswith("A penalty is noted for They")


def test_hand_agreed_against_the_rules_is_counted_with_its_reason(begun_match: BegunMatch) -> None:
    # Three queens with four twos, which are wild: the rules allow three wild cards.
    sides = {"We": {"melds": ["3xQ 4x2"]}, "They": {}}

    # The table has agreed on it all the same, and the program says why.
    answer = begun_match.count(1, sides, agreed="so we play at our table")

    assert answer["saved"]
    assert begun_match.read()["hands"][0]["agreed"] == "so we play at our table"


def test_corrected_hand_can_be_corrected_again(
    begun_match: BegunMatch,
) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # A correction names the entry that it replaces: first the count, then the first correction.
    for points in (500, 510):
        entry = begun_match.read()["hands"][0]["entry"]
        sides = {"We": {"sum": points}, "They": {"sum": 0}}
        answer = begun_match.write("PUT", "/hands/1", {"sides": sides, "entry": entry})
        assert answer["saved"]

    assert begun_match.read()["sides"][0]["total"] == 510


# A hand of which the table gives only the points of each side.
SUMS_OF_500_AND_0 = {"We": {"sum": 500}, "They": {"sum": 0}}


def test_hand_is_corrected(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # A correction names the entry of the log that it replaces.
    entry = begun_match.read()["hands"][0]["entry"]
    correction = {"sides": SUMS_OF_500_AND_0, "entry": entry, "note": "counted again"}
    answer = begun_match.write("PUT", "/hands/1", correction)

    assert answer["saved"]
    assert answer["sides"]["We"]["total"] == 500
    assert begun_match.read()["hands"][0]["corrected"]


def test_remark_is_kept_or_changed_by_a_correction(begun_match: BegunMatch) -> None:
    # A remark is a sentence that stands below the hand, unlike the note that says why it is corrected.
    begun_match.count(1, SIDES_OF_430_AND_60, remark="bella")

    # A correction has all of the hand, with the remark as it is to be: first the same, then another.
    for remark in ("bella", "brutta"):
        entry = begun_match.read()["hands"][0]["entry"]
        correction = {"sides": SUMS_OF_500_AND_0, "entry": entry, "remark": remark}
        begun_match.write("PUT", "/hands/1", correction)
        assert begun_match.read()["hands"][0]["remark"] == remark


def test_note_of_a_correction_is_its_reason_in_the_log(begun_match: BegunMatch, pad: Pad) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # A correction names the entry of the log that it replaces, and may say why.
    entry = begun_match.read()["hands"][0]["entry"]
    correction = {"sides": SUMS_OF_500_AND_0, "entry": entry, "note": "counted again"}
    begun_match.write("PUT", "/hands/1", correction)

    last_entry = pad.records.audit(MatchId(begun_match.id), ADMIN)[-1]
    assert last_entry.event.reason == "counted again"


def test_correction_of_an_earlier_version_is_refused(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)
    entry = begun_match.read()["hands"][0]["entry"]
    correction = {"sides": SUMS_OF_500_AND_0, "entry": entry}
    begun_match.write("PUT", "/hands/1", correction)

    # A second correction names the same entry, which the first has replaced.
    answer = begun_match.write("PUT", "/hands/1", correction, HTTPStatus.CONFLICT)

    assert answer["code"] == "stale"


def test_correction_of_a_missing_hand_is_refused(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)

    # There is no second hand yet.
    correction = {"sides": SUMS_OF_500_AND_0, "entry": 2}
    answer = begun_match.write("PUT", "/hands/2", correction, HTTPStatus.NOT_FOUND)

    assert answer["code"] == "no-hand"


def test_last_entry_is_undone(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)
    begun_match.count(2, SUMS_OF_500_AND_0)

    # An undo names the last entry of the log, so that nothing newer is undone by mistake.
    last_entry = begun_match.read()["sequence"]
    answer = begun_match.write("POST", "/undo", {"sequence": last_entry})

    # Nothing is deleted from the log: the undo is an entry of its own.
    assert answer["sequence"] == last_entry + 1
    # The 500 points of the second hand are gone.
    assert begun_match.read()["sides"][0]["total"] == 430


def test_undo_sent_twice_undoes_one_entry(begun_match: BegunMatch) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)
    begun_match.count(2, SUMS_OF_500_AND_0)
    last_entry = begun_match.read()["sequence"]
    begun_match.write("POST", "/undo", {"sequence": last_entry})

    # A program that got no answer sends the same undo again.
    answer = begun_match.write("POST", "/undo", {"sequence": last_entry}, HTTPStatus.CONFLICT)

    assert answer["code"] == "stale"


@pytest.fixture
def hand_being_typed(begun_match: BegunMatch, pad: Pad) -> None:
    """Let somebody type into the form of the first hand, which they have not saved yet."""
    # The form was empty before: nothing is stored as version 0.
    match = MatchId(begun_match.id)
    open_hand = pad.open(match, ADMIN)
    empty_form = ShownDraft(open_hand.id, version=0)

    # They type that We have laid seven queens: "a" is the first side.
    pad.store_draft(match, ADMIN, empty_form, {"line-a": "7xQ"})


@pytest.mark.usefixtures("hand_being_typed")
def test_hand_that_somebody_types_is_not_counted(begun_match: BegunMatch) -> None:
    # Somebody has typed seven queens into the form of this hand on a phone.
    answer = begun_match.count(1, SIDES_OF_430_AND_60, HTTPStatus.CONFLICT)
    assert answer["code"] == "being-typed"


@pytest.mark.usefixtures("hand_being_typed")
def test_hand_being_typed_is_counted_if_its_version_is_sent(
    begun_match: BegunMatch,
) -> None:
    # By the version a program says that it has seen what is typed, and counts the hand anyway.
    version = begun_match.read()["coming"]["version"]
    answer = begun_match.count(1, SIDES_OF_430_AND_60, version=version)
    assert answer["saved"]


def test_finished_match_takes_no_hand(begun_match: BegunMatch) -> None:
    # The match ends at 5000 points.
    sides = {"We": {"sum": 6000}, "They": {"sum": 0}}
    begun_match.count(1, sides)

    match = begun_match.read()
    assert match["finished"]
    assert match["winner"] == "We"
    assert match["coming"] is None

    answer = begun_match.count(2, sides, HTTPStatus.CONFLICT)
    assert answer["code"] == "over"


def test_names_of_single_players_in_a_match_of_three(
    begin: Callable[..., BegunMatch],
) -> None:
    # In "tagliagola" each of three plays alone, and one is the single of the hand: the first who
    # takes the discard pile.
    begun_match = begin(variant="tagliagola", names=["Ada", "Bea", "Ugo"])
    sides = {"Ada": {"left": 5}}

    # Nobody is called Eva.
    answer = begun_match.count(1, sides, status=HTTPStatus.OK, single="Eva")
    assert "side-unknown" in problem_codes(answer)

    answer = begun_match.count(1, sides, single="Ada")
    assert answer["saved"]
    assert begun_match.read()["hands"][0]["hand"]["single"] == "Ada"


def test_hand_with_unknown_name_is_judged_by_its_number(
    begin: Callable[..., BegunMatch],
) -> None:
    # In "hand-and-foot" the first cards that a side lays must be worth 50 points in the first
    # hand, and 90 in the second.
    begun_match = begin(variant="hand-and-foot")
    begun_match.count(1, {"We": {"sum": 5}})

    # No side is called Altri. The minimum holds all the same, since this is the second hand.
    sides = {"We": {"totals": {"cards": 60}}, "Altri": {}}
    answer = begun_match.count(2, sides, status=HTTPStatus.OK)

    assert problem_codes(answer) == {"side-unknown", "opening-impossible"}


@pytest.mark.parametrize("path", ["", "/export"])
def test_match_is_not_shown_without_its_key(
    begun_match: BegunMatch, program: Program, path: str
) -> None:
    # Requests that write are tried in test_nobody_in_by_key.py.
    answer = program.send("GET", begun_match.path + path)
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("path", ["", "/export"])
@pytest.mark.parametrize("wrong_key", ["x", new_key(), "Basic"], ids=["x", "no match's", "Basic"])
def test_match_is_not_shown_to_a_wrong_key(
    begun_match: BegunMatch, app: Flask, path: str, wrong_key: str
) -> None:
    Program(app, wrong_key).ask("GET", begun_match.path + path, status=HTTPStatus.UNAUTHORIZED)


@pytest.mark.parametrize("path", ["", "/export"])
def test_key_of_another_match_gets_the_answer_of_an_unknown_match(
    begun_match: BegunMatch, begin: Callable[..., BegunMatch], path: str
) -> None:
    writer_of_another_match = begin().writer

    answer = writer_of_another_match.send("GET", begun_match.path + path)
    answer_of_unknown_match = writer_of_another_match.send("GET", f"/matches/zzzzzzzzzz{path}")

    # The key does not even reveal that the match exists.
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert answer_of_unknown_match.status_code == HTTPStatus.NOT_FOUND
    assert answer.data == answer_of_unknown_match.data


def test_all_programs_with_a_key_are_one_device(begun_match: BegunMatch, pad: Pad) -> None:
    # Requests by a key carry no cookie: nothing tells one program from another.
    for _ in range(3):
        begun_match.read()
        begun_match.looker.ask("GET", begun_match.path)

    devices = pad.devices.list_devices(MatchId(begun_match.id), ADMIN)

    assert [device.access for device in devices] == [Access.WRITE, Access.VIEW]


def test_export_equals_that_of_the_command_line(begun_match: BegunMatch, pad: Pad) -> None:
    begun_match.count(1, SIDES_OF_430_AND_60)
    answer = begun_match.looker.send("GET", f"{begun_match.path}/export")
    assert answer.data == export_file(pad, MatchId(begun_match.id))


def test_match_with_rules_of_a_later_version_is_an_error_in_json(
    pad: Pad, begun_match: BegunMatch
) -> None:
    # A newer program has written the rules of the match into the data file, which this one cannot
    # read. It has the match and its rules in memory: it forgets them and reads them again.
    store_rules_as_version_2(pad.context.storage)
    pad.context.matches.clear()
    pad.context.rules.clear()

    answer = begun_match.writer.ask("GET", begun_match.path, status=HTTPStatus.SERVICE_UNAVAILABLE)
    assert answer["code"] == "storage"


def test_match_ends_after_the_chosen_number_of_hands(begin: Callable[..., BegunMatch]) -> None:
    begun_match = begin(ends={"hands": 1, "minutes": 50})
    assert begun_match.read()["ends"] == {"hands": 1, "minutes": 50}

    match = begun_match.count(1, SIDES_OF_430_AND_60)["match"]

    assert match["finished"]
    assert match["winner"] == "We"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/hands", {"number": 2, "sides": SIDES_OF_430_AND_60}),
        ("PUT", "/hands/1", {"entry": 2, "sides": SIDES_OF_430_AND_60}),
        ("POST", "/undo", {"sequence": 2}),
    ],
    ids=["count", "correct", "undo"],
)
def test_full_disk_is_reported_with_the_reason(
    begun_match: BegunMatch,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    def fail_on_full_disk(*_: object, **__: object) -> NoReturn:
        raise Unwritable(Path("scorepad.db"), reason="full")

    # After the first hand the disk is full.
    begun_match.count(1, SIDES_OF_430_AND_60)
    for name in ("count", "correct", "undo"):
        monkeypatch.setattr(Pad, name, fail_on_full_disk)

    answer = begun_match.write(method, path, body, HTTPStatus.INSUFFICIENT_STORAGE)

    assert answer["code"] == "disk-full"
    assert answer["error"].startswith("The disk of the score pad is full: nothing was saved.")
    # The match can still be read.
    assert begun_match.read()["hands"]
