"""A page sent a second time with other content, or too late: nothing is taken for done, and what was
typed is given back.
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
KEEP_MINE = "Tieni quello che ho scritto io"  # "Keep what I wrote"


def test_hand_sent_twice_counts_once_and_a_changed_one_conflicts(player: Player) -> None:
    page = player.open()
    player.save(FORM_130_TO_60, page)
    sent_twice = player.save(FORM_130_TO_60, page)
    assert sent_twice.url == player.match

    conflict = player.save(FORM_130_TO_60 | {"a.cards": "250"}, page, status=409)

    assert differences(conflict) == [["Noi: Carte calate", "150", "250"]]
    assert player.points == [[130, 60]]


def test_correction_sent_again_with_a_change_conflicts(leading: Player) -> None:
    page = leading.correct()
    assert leading.save({"a.cards": "200"}, page).url == leading.match

    conflict = leading.save({"a.cards": "250"}, page, status=409)

    assert differences(conflict) == [["Noi: Carte calate", "200", "250"]]
    assert leading.points == [[480, 60]]


def test_names_sent_again_with_a_change_are_refused_once(player: Player) -> None:
    client = player.client
    page = player.page("nomi")
    saved = client.submit(page, "Salva", name_0="Rossi", name_1="Bianchi")
    assert saved.heading == "Rossi contro Bianchi"

    refused = client.submit(page, "Salva", status=409, name_0="Verdi", name_1="Bianchi")
    assert "adesso vale Rossi contro Bianchi" in refused.errors[0]  # "now it is …"
    assert refused.value_of("name-0") == "Verdi"

    saved = client.submit(refused, "Salva")
    assert saved.heading == "Verdi contro Bianchi"


def test_new_match_sent_again_with_a_change_is_refused_once(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    match = client.submit(page, "Comincia: ").url
    assert client.submit(page, "Comincia: ").url == match

    refused = client.submit(page, "Comincia: ", status=409, name_0="Rossi", place="al mare")
    assert "è già cominciata una partita" in refused.errors[0]  # "a match has begun already"
    assert refused.value_of("place") == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1

    second_match = client.submit(refused, "Comincia: ")
    assert second_match.heading.startswith("Rossi ")
    assert len(pad.summaries(device(client)).in_progress) == 2


@pytest.fixture
def used_request_id(leading: Player) -> dict[str, str]:
    """The hidden field with the id of a request that has undone the first hand."""
    page = leading.page()
    leading.submit(page, "Annulla la smazzata 1")
    form = page.form_values("Annulla la smazzata 1")
    return {"request_id": form["request_id"]}


@pytest.mark.parametrize(
    ("address", "button"), [("{match}/nomi", "Salva"), ("/partite/nuova", "Comincia: ")]
)
def test_form_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str], address: str, button: str
) -> None:
    page = leading.client.get(address.format(match=leading.match))
    form = page.form_values(button) | {"place": "al mare"}

    refused = leading.client.post(page.url, form | used_request_id, status=409)

    assert refused.value_of("place") == "al mare"
    assert refused.value_of("request_id") != used_request_id["request_id"]


def test_hand_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str]
) -> None:
    refused = leading.save(FORM_130_TO_60 | used_request_id, status=400)
    assert "era già stato mandato altro" in refused.errors[0]  # "something else had been sent"
    assert shown_values(refused)["a.cards"] == "150"
    assert leading.points == []


def test_correction_with_a_used_request_id_is_refused_and_kept(
    leading: Player, used_request_id: dict[str, str]
) -> None:
    leading.save(FORM_130_TO_60)
    correction = {"a.cards": "200"} | used_request_id

    refused = leading.save(correction, leading.correct(), status=400)

    assert shown_values(refused)["a.cards"] == "200"
    assert leading.points == [[130, 60]]


def test_undo_with_a_used_request_id_is_refused(player: Player) -> None:
    page = player.open()
    player.save(FORM_130_TO_60, page)
    used_request_id = {"request_id": shown_values(page)["request_id"]}
    undo = player.page().form_values("Annulla la smazzata 1")

    player.client.post(f"{player.match}/annulla", undo | used_request_id, status=409)

    assert len(player.hands) == 1


def test_hand_sent_after_the_end_is_kept_as_a_conflict(leading: Player) -> None:
    page = leading.open()
    leading.end("time")
    assert leading.answer_while_typing(FORM_130_TO_60, page).status_code == 409

    conflict = leading.save(FORM_130_TO_60, page, status=409)
    assert conflict.heading == "La partita è finita prima della smazzata 2"  # "… ended before …"
    assert ["Noi: Carte calate", "niente", "150"] in differences(conflict)  # nothing against 150

    leading.undo("Annulla la fine della partita")
    form = leading.submit(conflict, KEEP_MINE)
    assert shown_values(form)["a.cards"] == "150"
    assert len(leading.hands) == 1


def test_correction_of_an_undone_hand_can_be_kept_as_the_open_hand(leading: Player) -> None:
    page = leading.correct()
    leading.undo("Annulla la smazzata 1")

    conflict = leading.save({"a.cards": "355"}, page, status=409)
    assert "La smazzata 1 è stata annullata" in conflict.heading  # "Hand 1 was undone"

    form = leading.submit(conflict, KEEP_MINE)
    assert shown_values(form)["a.cards"] == "355"
