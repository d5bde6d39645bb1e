"""A page sent a second time with other content, or too late: nothing is taken for done, and what was
typed is given back.
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import EndHow, Ending
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start
from tests.web.scorer import Scorer, differences, shown_values

COUNTED = {
    "a.cards": "150", "a.left": "20", "b.cards": "100", "b.left": "40", "out": "nobody",
}  # fmt: skip
"""130 and 60."""
KEEP_MINE = "Tieni quello che ho scritto io"


@pytest.fixture
def scorer(client: Client, pad: Pad) -> Scorer:
    return Scorer(client, pad, start(client))


def sent(page: Page, button: str, **typed: str) -> dict[str, str]:
    """What the button of a page sends, with what is typed."""
    form = page.form(button)
    pressed = next(each for each in form.all("button") if button in each.text)
    values = page.values(form) | typed
    if pressed.get("name"):
        values[pressed["name"]] = pressed["value"]
    return values


def end_match(scorer: Scorer) -> None:
    match, who = match_of(scorer.match), device(scorer.client)
    scorer.pad.actions.end(RequestId("end"), match, who, len(scorer.hands), Ending(EndHow.TIME))


def undo(scorer: Scorer) -> None:
    sequence = scorer.state.sequence
    scorer.pad.undo(RequestId("undo"), match_of(scorer.match), device(scorer.client), sequence)


def test_a_hand_sent_again_counts_once_and_with_another_figure_shows_both(scorer: Scorer) -> None:
    page = scorer.open()
    for _ in range(2):
        assert scorer.save(COUNTED, page).url == scorer.match
    both = scorer.save({**COUNTED, "a.cards": "250"}, page, 409)
    assert differences(both) == [["Noi: Carte calate", "150", "250"]]
    assert scorer.points == [[130, 60]]


def test_a_correction_sent_again_with_another_figure_shows_both(scorer: Scorer) -> None:
    play(scorer.pad, scorer.client, scorer.match, ALL_GOOD)
    page = scorer.correct()
    assert scorer.save({"a.cards": "200"}, page).url == scorer.match
    both = scorer.save({"a.cards": "250"}, page, 409)
    assert differences(both) == [["Noi: Carte calate", "200", "250"]]
    assert scorer.points == [[480, 60]]


def test_names_sent_again_that_are_others_are_told_with_those_that_hold(scorer: Scorer) -> None:
    client = scorer.client
    page = client.get(f"{scorer.match}/nomi")
    first = sent(page, "Salva") | {"name-0": "Rossi", "name-1": "Bianchi"}
    assert client.post(page.url, first).one("h1").text == "Rossi contro Bianchi"
    again = client.post(page.url, first | {"name-0": "Verdi"}, 409)
    assert "adesso vale Rossi contro Bianchi" in again.errors[0]
    assert again.one("input", name="name-0")["value"] == "Verdi"
    assert client.submit(again, "Salva").one("h1").text == "Verdi contro Bianchi"


def test_a_match_started_again_with_other_names_is_told_and_can_be_started(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova")
    first = sent(page, "Comincia: ")
    for _ in range(2):
        assert client.post("/partite/nuova", first).one("h1").text == "Noi contro Loro"
    again = client.post("/partite/nuova", first | {"name-0": "Rossi", "place": "al mare"}, 409)
    assert "è già cominciata una partita" in again.errors[0]
    assert again.one("input", name="place")["value"] == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1
    assert client.submit(again, "Comincia: ").one("h1").text.startswith("Rossi ")
    assert len(pad.summaries(device(client)).in_progress) == 2


def test_a_page_whose_name_served_for_something_else_gives_back_what_was_typed(
    scorer: Scorer,
) -> None:
    client, match = scorer.client, scorer.match
    page = play(scorer.pad, client, match, ALL_GOOD)
    undone = sent(page, "Annulla la smazzata 1")
    client.post(f"{match}/annulla", undone)
    used = {"request_id": undone["request_id"]}
    for address, button in ((f"{match}/nomi", "Salva"), ("/partite/nuova", "Comincia: ")):
        page = client.get(address)
        again = client.post(address, sent(page, button, place="al mare", **used), 409)
        assert again.one("input", name="place")["value"] == "al mare"
        assert again.one("input", name="request_id")["value"] != used["request_id"]
    again = scorer.save({**COUNTED, **used}, status=400)
    assert "era già stato mandato altro" in again.errors[0]
    assert shown_values(again)["a.cards"] == "150"
    used_by_a_hand = {"request_id": shown_values(scorer.open())["request_id"]}
    scorer.save({**COUNTED, **used_by_a_hand})
    again = scorer.save({"a.cards": "200", **used}, scorer.correct(), 400)
    assert shown_values(again)["a.cards"] == "200"
    undone = sent(client.get(match), "Annulla la smazzata 1", **used_by_a_hand)
    client.post(f"{match}/annulla", undone, 409)
    assert len(scorer.hands) == 1


def test_a_hand_sent_when_the_match_was_ended_meanwhile_is_told_and_nothing_typed_is_lost(
    scorer: Scorer,
) -> None:
    play(scorer.pad, scorer.client, scorer.match, ALL_GOOD)
    page = scorer.open()
    end_match(scorer)
    assert scorer.answer_while_typing(COUNTED, page).status_code == 409
    late = scorer.save(COUNTED, page, 409)
    assert late.one("h1").text == "La partita è finita prima della smazzata 2"
    assert ["Noi: Carte calate", "niente", "150"] in differences(late)
    undo(scorer)
    kept = scorer.client.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "150"
    assert len(scorer.hands) == 1


def test_a_correction_of_a_hand_undone_meanwhile_can_be_kept_as_the_hand_in_progress(
    scorer: Scorer,
) -> None:
    play(scorer.pad, scorer.client, scorer.match, ALL_GOOD)
    page = scorer.correct()
    undo(scorer)
    late = scorer.save({"a.cards": "355"}, page, 409)
    assert "La smazzata 1 è stata annullata" in late.one("h1").text
    kept = scorer.client.submit(late, KEEP_MINE)
    assert shown_values(kept)["a.cards"] == "355"
