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
KEEP_MINE = "Tieni quello che ho scritto io"


def test_a_hand_sent_again_counts_once_and_with_another_figure_shows_both(player: Player) -> None:
    page = player.open()
    for _ in range(2):
        assert player.save(FORM_130_TO_60, page).url == player.match

    conflict = player.save({**FORM_130_TO_60, "a.cards": "250"}, page, status=409)

    assert differences(conflict) == [["Noi: Carte calate", "150", "250"]]
    assert player.points == [[130, 60]]


def test_a_correction_sent_again_with_another_figure_shows_both(leading: Player) -> None:
    page = leading.correct()
    assert leading.save({"a.cards": "200"}, page).url == leading.match

    conflict = leading.save({"a.cards": "250"}, page, status=409)

    assert differences(conflict) == [["Noi: Carte calate", "200", "250"]]
    assert leading.points == [[480, 60]]


def test_names_sent_again_that_are_others_are_told_with_those_that_hold(player: Player) -> None:
    client = player.client
    page = player.page("nomi")
    saved = client.submit(page, "Salva", name_0="Rossi", name_1="Bianchi")
    assert saved.heading == "Rossi contro Bianchi"

    refused = client.submit(page, "Salva", status=409, name_0="Verdi", name_1="Bianchi")
    assert "adesso vale Rossi contro Bianchi" in refused.errors[0]
    assert refused.value_of("name-0") == "Verdi"

    saved = client.submit(refused, "Salva")
    assert saved.heading == "Verdi contro Bianchi"


def test_a_match_started_again_with_other_names_is_told_and_can_be_started(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova")
    match = client.submit(page, "Comincia: ").url
    assert client.submit(page, "Comincia: ").url == match

    refused = client.submit(page, "Comincia: ", status=409, name_0="Rossi", place="al mare")
    assert "è già cominciata una partita" in refused.errors[0]
    assert refused.value_of("place") == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1

    second_match = client.submit(refused, "Comincia: ")
    assert second_match.heading.startswith("Rossi ")
    assert len(pad.summaries(device(client)).in_progress) == 2


@pytest.fixture
def used_id(leading: Player) -> dict[str, str]:
    """The id of a submission that undid the first hand, as a field of a form."""
    page = leading.page()
    leading.submit(page, "Annulla la smazzata 1")
    return {"request_id": page.form_values("Annulla la smazzata 1")["request_id"]}


@pytest.mark.parametrize(
    ("address", "button"), [("{match}/nomi", "Salva"), ("/partite/nuova", "Comincia: ")]
)
def test_a_form_whose_id_served_for_something_else_gives_back_what_was_typed(
    leading: Player, used_id: dict[str, str], address: str, button: str
) -> None:
    page = leading.client.get(address.format(match=leading.match))
    form = page.form_values(button) | {"place": "al mare"}

    refused = leading.client.post(page.url, form | used_id, status=409)

    assert refused.value_of("place") == "al mare"
    assert refused.value_of("request_id") != used_id["request_id"]


def test_a_hand_whose_id_served_for_something_else_gives_back_what_was_typed(
    leading: Player, used_id: dict[str, str]
) -> None:
    refused_hand = leading.save(FORM_130_TO_60 | used_id, status=400)
    assert "era già stato mandato altro" in refused_hand.errors[0]
    assert shown_values(refused_hand)["a.cards"] == "150"

    leading.save(FORM_130_TO_60)
    correction = {"a.cards": "200"} | used_id
    refused_correction = leading.save(correction, leading.correct(), status=400)
    assert shown_values(refused_correction)["a.cards"] == "200"
    assert leading.points == [[130, 60]]


def test_an_undo_whose_id_served_for_a_hand_undoes_nothing(player: Player) -> None:
    page = player.open()
    player.save(FORM_130_TO_60, page)
    used_id = {"request_id": shown_values(page)["request_id"]}
    undo = player.page().form_values("Annulla la smazzata 1")

    player.client.post(f"{player.match}/annulla", undo | used_id, status=409)

    assert len(player.hands) == 1


def test_a_hand_sent_when_the_match_was_ended_meanwhile_is_told_and_nothing_typed_is_lost(
    leading: Player,
) -> None:
    page = leading.open()
    leading.end("time")
    assert leading.answer_while_typing(FORM_130_TO_60, page).status_code == 409

    late = leading.save(FORM_130_TO_60, page, status=409)
    assert late.heading == "La partita è finita prima della smazzata 2"
    assert ["Noi: Carte calate", "niente", "150"] in differences(late)

    leading.undo("Annulla la fine della partita")
    kept = leading.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "150"
    assert len(leading.hands) == 1


def test_a_correction_of_a_hand_undone_meanwhile_can_be_kept_as_the_hand_in_progress(
    leading: Player,
) -> None:
    page = leading.correct()
    leading.undo("Annulla la smazzata 1")

    late = leading.save({"a.cards": "355"}, page, status=409)
    assert "La smazzata 1 è stata annullata" in late.heading

    kept = leading.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "355"
