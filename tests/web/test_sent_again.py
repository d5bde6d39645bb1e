"""A page sent a second time with other content: nothing is taken for done, and what was typed is
given back.
"""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import EndHow, Ending
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start

FIRST = {"a.cards": "150", "a.left": "20", "b.cards": "100", "b.left": "40"}
COUNTED = {"a.red_threes": "0", "b.red_threes": "0", "out": "nobody"}


def sent(page: Page, button: str, **typed: str) -> dict[str, str]:
    form = page.form(button)
    pressed = next(each for each in form.all("button") if button in each.text)
    return (
        page.values(form)
        | ({pressed["name"]: pressed["value"]} if pressed.get("name") else {})
        | typed
    )


def test_a_hand_sent_again_with_another_figure_shows_both(client: Client, pad: Pad) -> None:
    url = start(client)
    page = client.get(f"{url}/smazzata")
    first = sent(page, "Salva") | FIRST | COUNTED
    assert client.raw.post(page.url, data=first).status_code == 303
    assert len(pad.state(match_of(url), device(client)).hands) == 1, "the first was saved"
    both = client.post(page.url, first | {"a.cards": "250"}, 409)
    cells = [[cell.text for cell in row.all("td")] for row in both.all("tr") if row.all("td")]
    assert ["150", "250"] in cells
    assert pad.state(match_of(url), device(client)).sides[0].total == 130
    assert client.post(page.url, first).url == url, "the same again is what was answered first"


def test_a_correction_sent_again_with_another_figure_shows_both(client: Client, pad: Pad) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/smazzate/1/correggi")
    first = sent(page, "Salva") | {"a.cards": "200", "reason": "contate male"}
    assert client.post(page.url, first).url == url
    both = client.post(page.url, first | {"a.cards": "250"}, 409)
    assert any([cell.text for cell in row.all("td")] == ["200", "250"] for row in both.all("tr"))
    assert pad.state(match_of(url), device(client)).sides[0].total == 480


def test_names_sent_again_that_are_others_are_told_with_those_that_hold(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/nomi")
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
    assert client.post("/partite/nuova", first).one("h1").text == "Noi contro Loro"
    again = client.post("/partite/nuova", first | {"name-0": "Rossi", "place": "al mare"}, 409)
    assert "è già cominciata una partita" in again.errors[0]
    assert again.one("input", name="place")["value"] == "al mare"
    assert len(pad.summaries(device(client)).in_progress) == 1
    assert client.submit(again, "Comincia: ").one("h1").text == "Rossi contro Loro"
    assert len(pad.summaries(device(client)).in_progress) == 2


def test_a_page_whose_name_served_for_something_else_gives_back_what_was_typed(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    page = play(pad, client, url, ALL_GOOD)
    undo = sent(page, "Annulla la smazzata 1")
    client.post(f"{url}/annulla", undo)
    used = {"request_id": undo["request_id"]}
    names = client.post(
        f"{url}/nomi", sent(client.get(f"{url}/nomi"), "Salva") | {"place": "al mare"} | used, 409
    )
    assert "era già stato mandato altro" in names.errors[0]
    assert names.one("input", name="place")["value"] == "al mare"
    assert names.one("input", name="request_id")["value"] != undo["request_id"]
    new = client.post(
        "/partite/nuova",
        sent(client.get("/partite/nuova"), "Comincia: ") | {"place": "al bar"} | used,
        409,
    )
    assert new.one("input", name="place")["value"] == "al bar"
    count = client.get(f"{url}/smazzata")
    again = client.post(count.url, sent(count, "Salva") | FIRST | COUNTED | used, 400)
    assert "era già stato mandato altro" in again.errors[0]
    assert again.one("input", name="a.cards")["value"] == "150"
    play(pad, client, url, ALL_GOOD)
    past = client.get(f"{url}/smazzate/1/correggi")
    again = client.post(past.url, sent(past, "Salva") | {"a.cards": "200"} | used, 400)
    assert again.one("input", name="a.cards")["value"] == "200"
    shown = client.get(url)
    assert client.post(f"{url}/annulla", sent(shown, "Annulla la smazzata 1") | {
        "request_id": count.form("Salva").one("input", name="request_id")["value"]
    }).status == 200  # fmt: skip


@pytest.mark.parametrize("language", ["it", "en"])
def test_it_is_told_in_both_languages(client: Client, language: str) -> None:
    page = client.get("/partite/nuova")
    first = sent(page, "Comincia: ")
    client.post("/partite/nuova", first)
    client.raw.set_cookie("scorepad_language", language)
    client.language = language
    again = client.post("/partite/nuova", first | {"place": "x"}, 409)
    assert {"it": "cominciata", "en": "A match was started"}[language] in again.errors[0]


def test_a_hand_sent_when_the_match_was_ended_meanwhile_is_told_and_nothing_typed_is_lost(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/smazzata")
    match, who = match_of(url), device(client)
    pad.actions.end(RequestId("end"), match, who, 1, Ending(EndHow.TIME))
    typed = sent(page, "Salva") | FIRST | COUNTED
    late = client.post(page.url, typed, 409)
    assert "La partita è finita prima della smazzata 2" in late.one("h1").text
    assert any("150" in cell.text for cell in late.all("td"))
    assert len(pad.state(match, who).hands) == 1
    pad.undo(RequestId("undo"), match, who, pad.state(match, who).sequence)
    again = client.submit(late, "Tieni quello che ho scritto io")
    assert again.one("input", name="a.cards")["value"] == "150"


def test_what_is_typed_when_the_match_was_ended_meanwhile_is_no_mistake_of_ours(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    page = client.get(f"{url}/smazzata")
    match, who = match_of(url), device(client)
    pad.actions.end(RequestId("end"), match, who, 0, Ending(EndHow.TIME))
    typed = sent(page, "Salva") | FIRST | {"do": "check"}
    assert client.raw.post(f"{url}/smazzata/controllo", data=typed).status_code == 409


def test_a_correction_of_a_hand_undone_meanwhile_can_be_kept_as_the_hand_in_progress(
    client: Client, pad: Pad
) -> None:
    url = start(client)
    play(pad, client, url, ALL_GOOD)
    page = client.get(f"{url}/smazzate/1/correggi")
    match, who = match_of(url), device(client)
    pad.undo(RequestId("undo"), match, who, pad.state(match, who).sequence)
    late = client.post(page.url, sent(page, "Salva") | {"a.cards": "355"}, 409)
    assert "La smazzata 1 è stata annullata" in late.one("h1").text
    kept = client.submit(late, "Tieni quello che ho scritto io")
    assert kept.one("input", name="a.cards")["value"] == "355"
