"""Starting a match: one tap, or everything else on the same page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.pad import Pad
from tests.web.client import Client
from tests.web.playing import device, match_of, start


def test_one_tap_starts_noi_against_loro_in_four_at_classica(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    assert "Canasta classica, 4 giocatori, si arriva a 5.000" in page.text
    url = client.submit(page, "Comincia: Noi contro Loro").url
    state = pad.state(match_of(url), device(client))
    assert (state.rules.variant, state.rules.preset) == ("classica", "wikipedia")
    assert [side.name for side in state.sides] == ["Noi", "Loro"]
    assert state.rules.settings.target == 5000


def test_everything_typed_is_what_the_match_is_played_by(client: Client, pad: Pad) -> None:
    url = start(
        client,
        name_0="Nonni", name_1="Nipoti", player_0_0="Ada", player_1_1="Ugo", place="Rimini", dealer="1-1",
        preset="getty", option_concealed_canasta="0", option_target="3.000",
    )  # fmt: skip
    state = pad.state(match_of(url), device(client))
    assert [(side.name, side.players) for side in state.sides] == [("Nonni", ("Ada", "")), ("Nipoti", ("", "Ugo"))]
    assert (state.place, state.dealer, state.rules.preset) == ("Rimini", (1, 1), "getty")
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "the codification holds"
    assert state.rules.options["concealed-canasta"] == 0, "an option beats the codification"
    assert state.rules.settings.target == 3000


@pytest.mark.parametrize("typed", ["3000", "3.000", "3 000", " 3000 "])
def test_the_target_is_read_as_people_write_it(client: Client, pad: Pad, typed: str) -> None:
    url = start(client, option_target=typed)
    assert pad.state(match_of(url), device(client)).rules.settings.target == 3000


def test_the_target_is_read_with_an_english_comma_in_english(visit: Callable[..., Client], pad: Pad) -> None:
    english = visit("en")
    page = english.submit(english.get("/partite/nuova"), "Start: ", option_target="3,000")
    assert pad.state(match_of(page.url), device(english)).rules.settings.target == 3000


@pytest.mark.parametrize("typed", ["3,000", "1750", "0", "-500", "tanto", "99999999", "5.00", "٣٠٠٠"])
def test_a_target_that_cannot_be_is_refused_beside_its_field_with_everything_typed_kept(
    client: Client, typed: str
) -> None:
    page = client.submit(
        client.get("/partite/nuova"),
        "Comincia: ",
        422,
        option_target=typed,
        name_0="Nonni",
        place="Rimini",
        dealer="0-1",
    )
    assert len(page.errors) == 1
    assert page.one("p", id="option-target-error").text == page.errors[0]
    assert page.one(class_="errors").one("a")["href"] == "#option-target"
    assert page.one(class_="errors").has("autofocus")
    assert page.one("input", name="option-target")["value"] == typed
    assert page.one("input", name="name-0")["value"] == "Nonni"
    assert page.one("input", name="place")["value"] == "Rimini"
    assert page.one("input", name="dealer", value="0-1").has("checked")
    assert next(fold for fold in page.all("details") if "Traguardo" in fold.text).has("open")


def test_all_that_is_wrong_with_the_names_is_said_at_once(client: Client, pad: Pad) -> None:
    page = client.submit(
        client.get("/partite/nuova"),
        "Comincia: ",
        422,
        name_0="Noi",
        name_1=" noi ",
        player_0_1="x" * 61,
        place="a\u202eb",
    )
    assert page.errors == [
        "Coppia 1, Giocatore 2: Questo testo è troppo lungo: al massimo 60 caratteri.",
        "Coppia 2: Questo nome c'è già. Scrivine uno diverso, o non si saprebbe di chi sono i punti.",
        "Luogo: In questo testo c'è un carattere che non si vede. Riscrivilo.",
    ]
    assert [page.one("p", id=f"{field}-error").text for field in ("player-0-1", "name-1", "place")] == page.errors
    assert not page.one("input", id="player-0-1").has("maxlength"), "nothing pasted is cut unsaid"
    assert {link["href"] for link in page.one(class_="errors").all("a")} == {"#name-1", "#player-0-1", "#place"}
    assert not any(pad.summaries(device(client)))


def test_of_three_who_play_alone_and_of_teams_it_is_said_whose_name_is_wrong(client: Client) -> None:
    for variant, field, whose in (("tre", "name-2", "Giocatore 3"), ("sei", "player-1-2", "Squadra 2, Giocatore 3")):
        page = client.get(f"/partite/nuova?variante={variant}")
        refused = client.submit(page, "Comincia: ", 422, **{field: "x" * 61})
        assert refused.errors == [f"{whose}: Questo testo è troppo lungo: al massimo 60 caratteri."]


def test_a_name_left_empty_is_the_usual_one(client: Client, pad: Pad) -> None:
    url = start(client, name_0="", name_1="  ")
    assert [side.name for side in pad.state(match_of(url), device(client)).sides] == ["Noi", "Loro"]


def test_another_variant_keeps_what_was_typed_and_shows_its_own_fields(client: Client) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {"place": "Rimini", "option-target": "3.000", "switch": "tre"}
    three = client.post("/partite/nuova", sent)
    assert "Canasta a tre, 3 giocatori" in three.text
    assert "Comincia: Giocatore 1, Giocatore 2 e Giocatore 3" in three.text
    assert three.one("input", name="place")["value"] == "Rimini"
    assert three.one("input", name="option-target")["value"] == "3.000"
    assert not three.all("input", name="option-red-threes-unopened", value="to-opponents"), "for two sides only"
    back = client.post("/partite/nuova", three.values(three.form("Comincia: ")) | {"name-0": "Ada", "switch": "due"})
    assert [back.one("input", name=f"name-{side}")["value"] for side in (0, 1)] == ["Ada", "Giocatore 2"]
    assert back.one("input", name="option-code", value="usa-1")


@pytest.mark.parametrize(("variant", "sides"), [("due", 2), ("tre", 3), ("sei", 2), ("cinque", 2)])
def test_every_table_size_can_be_started(client: Client, pad: Pad, variant: str, sides: int) -> None:
    state = pad.state(match_of(start(client, variant)), device(client))
    assert (state.rules.variant, len(state.sides)) == (variant, sides)


def test_every_option_is_shown_with_its_words_and_its_source(client: Client) -> None:
    page = client.get("/partite/nuova")
    choices = {field.one("legend").text: field for field in page.all("fieldset") if field.all("legend")}
    wilds = choices["Matte in una combinazione"]
    assert "al massimo tre, e mai più delle carte naturali Regole tradotte dall'inglese: «Regole" in wilds.text
    assert "nessuno" in choices["Premio per la canasta nascosta"].text
    assert "Dedotto: Chi elenca i premi" in choices["Premio per la canasta nascosta"].text
    for name in ("Codificazione", "Chi dà le carte per primo"):
        assert name in choices


def test_the_same_form_sent_twice_starts_one_match(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    first, second = (client.submit(page, "Comincia: ").url for _ in range(2))
    assert first == second
    assert len(pad.summaries(device(client)).in_progress) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("preset", "nessuno"), ("dealer", "9-9"), ("option-wild-limit", "quattro"), ("request_id", "x")],
)
def test_a_choice_that_the_page_does_not_offer_is_refused_in_words(client: Client, field: str, value: str) -> None:
    page = client.get("/partite/nuova")
    refused = client.post("/partite/nuova", page.values(page.form("Comincia: ")) | {field: value}, 422)
    assert len(refused.errors) == 1


def test_a_form_without_its_token_starts_nothing_and_shows_again_what_was_typed(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {"csrf_token": "old", "name-0": "Nonni"}
    shown = client.post("/partite/nuova", sent, 422)
    assert "non vale più" in shown.errors[0]
    assert shown.one("input", name="name-0")["value"] == "Nonni"
    assert not any(pad.summaries(device(client)))
    assert client.submit(shown, "Comincia: ").one("h1").text == "Nonni contro Loro"
