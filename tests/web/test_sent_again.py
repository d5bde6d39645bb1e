"""A form that is sent a second time with other content, or too late: it is not taken for the first
one, and what was typed is given back.

Each form has a request ID, by which the pad knows one that it has accepted already. The hands of
these tests are of two sides, Noi ("We", side `a`) and Loro ("They", side `b`).
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from tests.web.client import Client
from tests.web.player import Player
from tests.web.playing import device
from tests.web.scorer import differences, shown_values

FORM_130_TO_60 = {
    "a.cards": "150",
    "a.left": "20",
    "b.cards": "100",
    "b.left": "40",
    "out": "nobody",
}
"""A hand as it is typed: points of cards laid, 150 and 100, less those left in hand, 20 and 40."""
KEEP_MINE = "Tieni quello che ho scritto io"  # "Keep what I wrote"


def test_hand_sent_twice_counts_once_and_a_changed_one_conflicts(player: Player) -> None:
    # A hand is sent twice. The second time the pad answers with the page of the match again.
    page = player.open()
    player.save(FORM_130_TO_60, page)
    sent_twice = player.save(FORM_130_TO_60, page)
    assert sent_twice.url == player.match

    # Somebody goes back to the form and sends it with other points.
    conflict = player.save(FORM_130_TO_60 | {"a.cards": "250"}, page, status=409)

    # The page shows what differs, "Cards laid" by Noi. The hand is as it was: 150 − 20 left in
    # hand, and 100 − 40.
    assert differences(conflict) == [["Noi: Carte calate", "150", "250"]]
    assert player.points == [[130, 60]]


def test_correction_sent_again_with_a_change_conflicts(leading: Player) -> None:
    # The counted hand is corrected, and the same form sent again with other points.
    page = leading.correct()
    corrected = leading.save({"a.cards": "200"}, page)
    assert corrected.url == leading.match
    conflict = leading.save({"a.cards": "250"}, page, status=409)

    # "Cards laid" by Noi differ. They have 300 for a mixed canasta + 200 − 20 left in hand.
    assert differences(conflict) == [["Noi: Carte calate", "200", "250"]]
    assert leading.points == [[480, 60]]


def test_names_sent_again_with_a_change_are_refused_once(player: Player) -> None:
    client = player.client
    page = player.page("nomi")
    saved = client.submit(page, "Salva", name_0="Rossi", name_1="Bianchi")  # "Save"
    assert saved.heading == "Rossi contro Bianchi"  # "Rossi against Bianchi"

    # Somebody goes back to the form and sends it with another name: "now it is Rossi …".
    refused = client.submit(page, "Salva", status=409, name_0="Verdi", name_1="Bianchi")
    assert "adesso vale Rossi contro Bianchi" in refused.errors[0]
    assert refused.value_of("name-0") == "Verdi"

    # It was meant. From the page of the refusal the names are saved.
    saved = client.submit(refused, "Salva")
    assert saved.heading == "Verdi contro Bianchi"


def test_new_match_sent_again_with_a_change_is_refused_once(client: Client, pad: Pad) -> None:
    # The button "Begin" is pressed twice, and begins one match.
    page = client.get("/partite/nuova")
    match = client.submit(page, "Comincia: ").url
    assert client.submit(page, "Comincia: ").url == match

    # Somebody goes back to the form and types a name and a place: "a match has begun already".
    refused = client.submit(page, "Comincia: ", status=409, name_0="Rossi", place="al mare")
    assert "è già cominciata una partita" in refused.errors[0]
    assert refused.value_of("place") == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1

    # It was meant. From the page of the refusal a second match begins.
    second_match = client.submit(refused, "Comincia: ")
    assert second_match.heading.startswith("Rossi ")
    assert len(pad.summaries(device(client)).in_progress) == 2


@pytest.fixture
def used_request_id(leading: Player) -> dict[str, str]:
    """Play a hand, 430 to 60, and undo it. Return the hidden ID of the form that undid it."""
    page = leading.page()
    leading.submit(page, "Annulla la smazzata 1")  # "Undo hand 1"
    form = page.form_values("Annulla la smazzata 1")
    return {"request_id": form["request_id"]}


@pytest.mark.parametrize(
    ("address", "button"), [("{match}/nomi", "Salva"), ("/partite/nuova", "Comincia: ")]
)
def test_form_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str], address: str, button: str
) -> None:
    # A place is typed on the page of the names ("Save"), or on that of a new match ("Begin").
    page = leading.client.get(address.format(match=leading.match))
    form = page.form_values(button) | {"place": "al mare"}

    # Every form has a hidden ID, by which the pad knows one that was sent before. This form is sent
    # with the ID of another one, by which a hand was undone: a conflict, status 409.
    form["request_id"] = used_request_id["request_id"]
    refused = leading.client.post(page.url, form, status=409)

    # The form that is shown again has an ID of its own, with which it will be accepted.
    assert refused.value_of("place") == "al mare"
    assert refused.value_of("request_id") != used_request_id["request_id"]


def test_hand_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str]
) -> None:
    # Every form has a hidden ID, by which the pad knows one that was sent before. The first hand
    # was undone, and the match has no hand now. A hand in which side a laid 150 points of cards is
    # sent with the ID of the form that undid the first one.
    refused = leading.save(FORM_130_TO_60 | used_request_id, status=400)

    # The page says "something else had been sent", and shows what was typed. No hand is saved.
    assert "era già stato mandato altro" in refused.errors[0]
    assert shown_values(refused)["a.cards"] == "150"
    assert leading.points == []


def test_correction_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str]
) -> None:
    # The first hand was undone, and another one is saved. It is corrected with the ID of the undo.
    leading.save(FORM_130_TO_60)
    correction = {"a.cards": "200"} | used_request_id

    refused = leading.save(correction, leading.correct(), status=400)

    assert shown_values(refused)["a.cards"] == "200"
    assert leading.points == [[130, 60]]


def test_undo_with_a_used_request_id_is_refused(player: Player) -> None:
    # A form has a hidden ID, by which the pad knows one that was sent before. A hand is saved.
    page = player.open()
    player.save(FORM_130_TO_60, page)
    used_request_id = {"request_id": shown_values(page)["request_id"]}

    # The button "Undo hand 1" sends the same ID.
    undo = player.page().form_values("Annulla la smazzata 1")
    player.client.post(f"{player.match}/annulla", undo | used_request_id, status=409)

    assert len(player.hands) == 1


def test_hand_sent_after_the_end_is_kept_as_a_conflict(leading: Player) -> None:
    # While the second hand is typed on one phone, the match is ended, because time is up.
    page = leading.open()
    leading.end("time")
    assert leading.answer_while_typing(FORM_130_TO_60, page).status_code == 409

    # The hand is sent: "The match ended before hand 2". Of "Cards laid" there is "nothing" there.
    conflict = leading.save(FORM_130_TO_60, page, status=409)
    assert conflict.heading == "La partita è finita prima della smazzata 2"
    assert ["Noi: Carte calate", "niente", "150"] in differences(conflict)

    # "Undo the end of the match". The hand is in the form again, and can be saved.
    leading.undo("Annulla la fine della partita")
    form = leading.submit(conflict, KEEP_MINE)
    assert shown_values(form)["a.cards"] == "150"
    assert len(leading.hands) == 1


def test_correction_of_an_undone_hand_can_be_kept_as_the_open_hand(leading: Player) -> None:
    # While the first hand is corrected on one phone, it is undone on another: "Undo hand 1".
    page = leading.correct()
    leading.undo("Annulla la smazzata 1")

    # The correction is sent: "Hand 1 was undone".
    conflict = leading.save({"a.cards": "355"}, page, status=409)
    assert "La smazzata 1 è stata annullata" in conflict.heading

    # What was typed becomes the hand that is played now.
    form = leading.submit(conflict, KEEP_MINE)
    assert shown_values(form)["a.cards"] == "355"
