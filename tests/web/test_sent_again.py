"""A page sent a second time with other content, or too late: nothing is taken for done, and what was
typed is given back.
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.matches.events import EndHow
from tests.web.client import Client
from tests.web.playing import HAND_430_TO_60, device, end, match_of, new_request, play, start
from tests.web.scorer import Scorer, differences, shown_values

COUNTED = {"a.cards": "150", "a.left": "20", "b.cards": "100", "b.left": "40", "out": "nobody"}
"""130 and 60."""
KEEP_MINE = "Tieni quello che ho scritto io"


@pytest.fixture
def scorer(client: Client, pad: Pad) -> Scorer:
    return Scorer(client, pad, start(client))


@pytest.fixture
def counted(scorer: Scorer) -> Scorer:
    """Whoever holds a match with a hand."""
    play(scorer.pad, scorer.client, scorer.match, HAND_430_TO_60)
    return scorer


def undo(scorer: Scorer) -> None:
    sequence = scorer.state.sequence
    scorer.pad.undo(new_request(), match_of(scorer.match), device(scorer.client), sequence)


def test_a_hand_sent_again_counts_once_and_with_another_figure_shows_both(scorer: Scorer) -> None:
    page = scorer.open()
    for _ in range(2):
        assert scorer.save(COUNTED, page).url == scorer.match
    both = scorer.save({**COUNTED, "a.cards": "250"}, page, status=409)
    assert differences(both) == [["Noi: Carte calate", "150", "250"]]
    assert scorer.points == [[130, 60]]


def test_a_correction_sent_again_with_another_figure_shows_both(counted: Scorer) -> None:
    page = counted.correct()
    assert counted.save({"a.cards": "200"}, page).url == counted.match
    both = counted.save({"a.cards": "250"}, page, status=409)
    assert differences(both) == [["Noi: Carte calate", "200", "250"]]
    assert counted.points == [[480, 60]]


def test_names_sent_again_that_are_others_are_told_with_those_that_hold(scorer: Scorer) -> None:
    client = scorer.client
    page = client.get(f"{scorer.match}/nomi")
    first = client.submit(page, "Salva", name_0="Rossi", name_1="Bianchi")
    assert first.one("h1").text == "Rossi contro Bianchi"
    again = client.submit(page, "Salva", status=409, name_0="Verdi", name_1="Bianchi")
    assert "adesso vale Rossi contro Bianchi" in again.errors[0]
    assert again.one("input", name="name-0")["value"] == "Verdi"
    assert client.submit(again, "Salva").one("h1").text == "Verdi contro Bianchi"


def test_a_match_started_again_with_other_names_is_told_and_can_be_started(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova")
    first = client.submit(page, "Comincia: ")
    assert client.submit(page, "Comincia: ").url == first.url
    again = client.submit(page, "Comincia: ", status=409, name_0="Rossi", place="al mare")
    assert "è già cominciata una partita" in again.errors[0]
    assert again.one("input", name="place")["value"] == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1
    assert client.submit(again, "Comincia: ").one("h1").text.startswith("Rossi ")
    assert len(pad.summaries(device(client)).in_progress) == 2


@pytest.fixture
def used(counted: Scorer) -> dict[str, str]:
    """The id of a submission that undid the first hand."""
    page = counted.client.get(counted.match)
    counted.client.submit(page, "Annulla la smazzata 1")
    form = page.values(page.form("Annulla la smazzata 1"))
    return {"request_id": form["request_id"]}


@pytest.mark.parametrize(("path", "button"), [("/nomi", "Salva"), ("", "Comincia: ")])
def test_a_form_whose_id_served_for_something_else_gives_back_what_was_typed(
    counted: Scorer, used: dict[str, str], path: str, button: str
) -> None:
    client = counted.client
    page = client.get(f"{counted.match}{path}" if path else "/partite/nuova")
    form = page.values(page.form(button)) | {"place": "al mare"}
    again = client.post(page.url, form | used, status=409)
    assert again.one("input", name="place")["value"] == "al mare"
    assert again.one("input", name="request_id")["value"] != used["request_id"]


def test_a_hand_whose_id_served_for_something_else_gives_back_what_was_typed(
    counted: Scorer, used: dict[str, str]
) -> None:
    again = counted.save(COUNTED | used, status=400)
    assert "era già stato mandato altro" in again.errors[0]
    assert shown_values(again)["a.cards"] == "150"
    counted.save(COUNTED)
    again = counted.save({"a.cards": "200"} | used, counted.correct(), status=400)
    assert shown_values(again)["a.cards"] == "200"
    assert counted.points == [[130, 60]]


def test_an_undo_whose_id_served_for_a_hand_undoes_nothing(scorer: Scorer) -> None:
    page = scorer.open()
    scorer.save(COUNTED, page)
    match = scorer.client.get(scorer.match)
    form = match.values(match.form("Annulla la smazzata 1"))
    form["request_id"] = shown_values(page)["request_id"]
    scorer.client.post(f"{scorer.match}/annulla", form, status=409)
    assert len(scorer.hands) == 1


def test_a_hand_sent_when_the_match_was_ended_meanwhile_is_told_and_nothing_typed_is_lost(
    counted: Scorer,
) -> None:
    page = counted.open()
    end(counted.pad, counted.client, counted.match, EndHow.TIME)
    assert counted.answer_while_typing(COUNTED, page).status_code == 409
    late = counted.save(COUNTED, page, status=409)
    assert late.one("h1").text == "La partita è finita prima della smazzata 2"
    assert ["Noi: Carte calate", "niente", "150"] in differences(late)
    undo(counted)
    kept = counted.client.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "150"
    assert len(counted.hands) == 1


def test_a_correction_of_a_hand_undone_meanwhile_can_be_kept_as_the_hand_in_progress(
    counted: Scorer,
) -> None:
    page = counted.correct()
    undo(counted)
    late = counted.save({"a.cards": "355"}, page, status=409)
    assert "La smazzata 1 è stata annullata" in late.one("h1").text
    kept = counted.client.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "355"
