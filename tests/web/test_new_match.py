"""Starting a match: one tap, or everything else on the same page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.variant_json import find_differing_rules
from tests.web.client import Client, Page
from tests.web.playing import DEVICE, device, match_of, start


def test_everything_typed_is_what_the_match_is_played_by(client: Client, pad: Pad) -> None:
    url = start(
        client,
        name_0="Nonni", name_1="Nipoti", player_0_0="Ada", player_1_1="Ugo", place="Rimini", dealer="1-1",
        preset="getty", option_concealed_canasta="0", option_target="3.000",
    )  # fmt: skip
    state = pad.state(match_of(url), device(client))
    assert [(side.name, side.players) for side in state.sides] == [
        ("Nonni", ("Ada", "")),
        ("Nipoti", ("", "Ugo")),
    ]
    assert (state.labels.place, state.begins.dealer, state.rules.preset) == (
        "Rimini",
        (1, 1),
        "getty",
    )
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "the codification holds"
    assert state.rules.options["concealed-canasta"] == 0, "an option beats the codification"
    assert state.rules.settings.target == 3000


@pytest.mark.parametrize(
    ("language", "typed"),
    [("it", "3000"), ("it", "3.000"), ("it", "3 000"), ("it", " 3000 "), ("en", "3,000")],
)
def test_the_target_is_read_as_people_write_it(
    visit: Callable[..., Client], pad: Pad, language: str, typed: str
) -> None:
    client = visit(language)
    button = {"it": "Comincia: ", "en": "Start: "}[language]
    page = client.submit(client.get("/partite/nuova"), button, option_target=typed)
    assert pad.state(match_of(page.url), device(client)).rules.settings.target == 3000


@pytest.mark.parametrize(
    "typed", ["3,000", "1750", "0", "-500", "tanto", "99999999", "5.00", "٣٠٠٠"]
)
def test_a_target_that_cannot_be_is_refused_beside_its_field_with_everything_typed_kept(
    client: Client, typed: str
) -> None:
    more = {"name_0": "Nonni", "place": "Rimini", "dealer": "0-1"}
    page = client.get("/partite/nuova")
    page = client.submit(page, "Comincia: ", 422, option_target=typed, **more)
    assert [page.one("p", id="option-target-error").text] == page.errors
    assert page.one(class_="errors").one("a")["href"] == "#option-target"
    assert page.one(class_="errors").has("autofocus")
    sent = page.values(page.form("Comincia: "))
    kept = [sent[name] for name in ("option-target", "name-0", "place", "dealer")]
    assert kept == [typed, "Nonni", "Rimini", "0-1"]
    assert next(fold for fold in page.all("details") if "Traguardo" in fold.text).has("open")


def test_all_that_is_wrong_with_the_names_is_said_at_once(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova?variante=sei")
    wrong = {"name_0": "Noi", "name_1": " noi ", "player_1_2": "x" * 61, "place": "a\u202eb"}
    page = client.submit(page, "Comincia: ", 422, **wrong)
    name, player, place = page.errors
    assert name.startswith("Squadra 2: Questo nome c'è già.")
    assert player.startswith("Squadra 2, Giocatore 3: Questo testo è troppo lungo")
    assert place.startswith("Luogo: In questo testo c'è un carattere che non si vede.")
    fields = ["name-1", "player-1-2", "place"]
    assert [page.one("p", id=f"{field}-error").text for field in fields] == page.errors
    links = [link["href"] for link in page.one(class_="errors").all("a")]
    assert links == [f"#{field}" for field in fields]
    assert not page.one("input", id="player-1-2").has("maxlength"), "nothing pasted is cut unsaid"
    assert not any(pad.summaries(device(client)))


def test_another_variant_keeps_what_was_typed_and_shows_its_own_fields(client: Client) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {
        "place": "Rimini",
        "option-target": "3.000",
        "switch": "tre",
    }
    three = client.post("/partite/nuova", sent)
    assert "Canasta a tre, 3 giocatori" in three.text
    assert "Comincia: Canasta a tre" in three.text
    assert three.one("input", name="place")["value"] == "Rimini"
    assert three.one("input", name="option-target")["value"] == "3.000"
    assert not three.all("input", name="option-red-threes-unopened", value="to-opponents"), (
        "for two sides only"
    )
    back = client.post(
        "/partite/nuova",
        three.values(three.form("Comincia: ")) | {"name-0": "Ada", "switch": "due"},
    )
    assert [back.one("input", name=f"name-{side}")["value"] for side in (0, 1)] == [
        "Ada",
        "Giocatore 2",
    ]
    assert back.one("input", name="option-code", value="usa-1")


def test_every_option_is_a_line_with_its_value_that_opens_its_choices_and_their_sources(
    client: Client,
) -> None:
    page = client.get("/partite/nuova")
    lines = {line.one(class_="rule-name").text: line for line in page.all("details", class_="rule")}
    assert lines["Regole seguite"].one(class_="rule-value").text == "Wikipedia"
    wilds = lines["Matte in una combinazione"]
    assert wilds.one(class_="rule-value").text == "al massimo tre"
    assert "al massimo tre, e mai più delle carte naturali" in wilds.one("fieldset").text
    sources = {
        row.one("dt").text: row.one("dd").text for row in wilds.one(class_="sources").all("div")
    }
    assert sources["al massimo tre, e mai più delle carte naturali"].startswith(
        "Regole tradotte dall'inglese: «Regole"
    )
    concealed = lines["Premio per la canasta nascosta"]
    assert concealed.one(class_="rule-value").text == "nessuno"
    assert "Dedotto: Chi elenca i premi" in concealed.one(class_="sources").text
    assert not any(line.has("open") for line in lines.values())


def test_house_rules_are_one_line_that_counts_what_differs(client: Client) -> None:
    page = client.get("/partite/nuova")
    assert (
        page.one("details", id="rules").one("span", data_one="Le nostre regole: 1 diversa").text
        == "Regole: Wikipedia"
    )
    sent = page.values(page.form("Comincia: ")) | {"show": "rules"}
    for changed, title in (
        ({"preset": "getty"}, "Regole: Regole tradotte dall'inglese"),
        ({"option-wild-limit": "three"}, "Regole: Wikipedia"),
        ({"option-target": "3.000"}, "Le nostre regole: 1 diversa"),
        (
            {"option-target": "3.000", "preset": "getty", "option-wild-limit": "three"},
            "Le nostre regole: 2 diverse",
        ),
    ):
        shown = client.post("/partite/nuova", sent | changed)
        assert shown.one("span", data_one="Le nostre regole: 1 diversa").text == title, changed
        assert shown.one("details", id="rules").has("open")
    lines = {
        line.one(class_="rule-name").text: line.one(class_="rule-value").text
        for line in shown.all("details", class_="rule")
    }
    assert lines["Matte in una combinazione"] == "al massimo tre"
    assert lines["Regole seguite"] == "Regole tradotte dall'inglese"
    samba = client.get("/partite/nuova?variante=samba")
    assert samba.one("span", data_one="Le nostre regole: 1 diversa").text == "Regole: Samba"


def test_the_same_form_sent_twice_starts_one_match(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    first, second = (client.submit(page, "Comincia: ").url for _ in range(2))
    assert first == second
    assert len(pad.summaries(device(client)).in_progress) == 1


@pytest.mark.parametrize(
    ("variant", "field", "value"),
    [
        ("classica", "preset", "nessuno"),
        ("classica", "dealer", "9-9"),
        ("classica", "option-wild-limit", "quattro"),
        ("classica", "request_id", "x"),
        ("mini", "option-players", "7"),
    ],
)
def test_a_choice_that_the_page_does_not_offer_is_refused_in_words(
    client: Client, pad: Pad, variant: str, field: str, value: str
) -> None:
    page = client.get(f"/partite/nuova?variante={variant}")
    sent = page.values(page.form("Comincia: ")) | {field: value}
    assert len(client.post("/partite/nuova", sent, 422).errors) == 1
    assert not any(pad.summaries(device(client)))


def test_a_form_without_its_token_starts_nothing_and_shows_again_what_was_typed(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {"csrf_token": "old", "name-0": "Nonni"}
    shown = client.post("/partite/nuova", sent, 422)
    assert "è scaduta" in shown.errors[0]
    assert shown.one("input", name="name-0")["value"] == "Nonni"
    assert not any(pad.summaries(device(client)))
    assert client.submit(shown, "Comincia: ").one("h1").text == "Nonni contro Loro"


# ---------------------------------------------------------------- other variants


@pytest.mark.quick(8)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_variant_is_chosen_with_a_button_and_shows_what_it_changes(
    visit: Callable[..., Client], pad: Pad, variant: str, language: str
) -> None:
    client = visit(language)
    page = client.get("/partite/nuova")
    start = {"it": "Comincia: ", "en": "Start: "}[language]
    page = client.post("/partite/nuova", page.values(page.form(start)) | {"switch": variant})
    speech, rules = words(language), settle(variant)
    assert speech.t(f"variant.{variant}.name") in page.one(class_="under").text
    assert len(page.all("input", type="text")) >= len(rules.settings.sides)
    found = [each for each in find_differing_rules(get_variant(variant), speech) if each.matters]
    if found:
        assert page.one(id="differences").has("open")
        rows = [
            [part.text for part in row.all("dt", "dd")][:2]
            for row in page.one(class_="differences").all("div")
        ]
        assert rows == [[each.name, each.here] for each in found]
        assert page.one(class_="special").text == speech.t(f"variant.{variant}.special")
    else:
        assert not page.all(id="differences")
    told = page.one(id="rules").text
    for option in get_variant(variant).options.values():
        if option.id != "players":
            assert speech.t(f"option.{option.id}") in told
    match = client.submit(page, start)
    state = pad.state(match_of(match.url), device(client))
    assert (state.rules.settings, state.house) == (settle(variant, state.rules.preset).settings, ())


def test_the_value_of_the_rules_followed_is_offered_once_and_marked(client: Client) -> None:
    page = client.get("/partite/nuova")
    fields = {
        field.one("legend").text: field for field in page.all("fieldset") if field.all("legend")
    }
    opening = fields["Punteggio di apertura"]
    assert [choice["value"] for choice in opening.all("input") if choice.has("checked")] == [""]
    assert [choice.text for choice in opening.all("label")] == [
        "15 sotto zero, poi 50, 90 e 120 Come da regolamento",
        "50 anche sotto zero, poi 90 e 120",
        "sempre 50",
    ]


def test_without_codifications_the_usual_value_is_chosen_and_marked(
    client: Client, pad: Pad
) -> None:
    page = client.get("/partite/nuova?variante=samba")
    fields = {
        field.one("legend").text: field for field in page.all("fieldset") if field.all("legend")
    }
    usual = fields["Prendere il pozzo attaccando"]
    assert "Come da regolamento" not in page.one(id="rules").text
    assert [choice.text for choice in usual.all("label")] == [
        "attaccando la carta in cima si prende tutto di solito",
        "si prende solo la carta che attacca",
    ]
    assert usual.all("input")[0].has("checked")
    url = client.submit(page, "Comincia: ", option_pile_layoff="top-card-only").url
    assert pad.state(match_of(url), device(client)).house == ("pile-layoff",)


@pytest.mark.parametrize(
    ("players", "names", "cards"),
    [
        ("2", ["Giocatore 1", "Giocatore 2"], 12),
        ("3", ["Giocatore 1", "Giocatore 2", "Giocatore 3"], 10),
        ("4", ["Noi", "Loro"], 9),
    ],
)
def test_so_many_players_of_mini_are_asked_so_many_names(
    client: Client, pad: Pad, players: str, names: list[str], cards: int
) -> None:
    page = client.get("/partite/nuova?variante=mini")
    assert [button.text for button in page.one(class_="tables").all("button")] == [
        "due, con 12 carte", "tre, con 10 carte", "quattro in due coppie, con 9 carte scelto",
    ]  # fmt: skip
    sent = page.values(page.form("Comincia: ")) | {"place": "Rimini"}
    page = client.post("/partite/nuova", sent | {"sit": f"players={players}"})
    assert [page.one("input", name=f"name-{side}")["value"] for side in range(len(names))] == names
    assert f"Canasta mini, {players} giocatori, si arriva a 30" in page.text
    assert page.one("input", name="place")["value"] == "Rimini"
    state = pad.state(match_of(client.submit(page, "Comincia: ").url), device(client))
    assert ([side.name for side in state.sides], state.rules.settings.dealt) == (names, cards)
    assert state.labels.place == "Rimini"


def test_names_typed_stay_when_more_or_fewer_sit_down(client: Client) -> None:
    page = client.get("/partite/nuova?variante=mini&players=3")
    sent = page.values(page.form("Comincia: ")) | {"name-0": "Ada", "name-2": "Cleo"}
    two = client.post("/partite/nuova", sent | {"sit": "players=2"})
    assert [two.one("input", name=f"name-{side}")["value"] for side in (0, 1)] == [
        "Ada",
        "Giocatore 2",
    ]
    pairs = client.post("/partite/nuova", two.values(two.form("Comincia: ")) | {"sit": "players=4"})
    assert [pairs.one("input", name=f"name-{side}")["value"] for side in (0, 1)] == ["Ada", "Loro"]
    assert pairs.one("input", name="player-1-1")["value"] == ""


@pytest.mark.parametrize("sit", ["players=9", "players", "target=3", "=", "players=3=4"])
def test_so_many_cannot_sit_down(client: Client, sit: str) -> None:
    page = client.get("/partite/nuova?variante=mini&players=9")
    shown = client.post("/partite/nuova", page.values(page.form("Comincia: ")) | {"sit": sit})
    assert [shown.one("input", name=f"name-{side}")["value"] for side in (0, 1)] == ["Noi", "Loro"]


def test_every_variant_is_offered_with_its_players_and_what_is_special(client: Client) -> None:
    buttons = client.get("/partite/nuova").one(id="variants").all("button")
    told = [button.text for button in buttons]
    assert len(told) == len(variant_ids())
    assert any(each.startswith("Canasta mini 2, 3 o 4 giocatori") for each in told)
    assert any("Samba 4 giocatori Tre mazzi, e anche scale" in each for each in told)


def test_where_a_number_of_hands_decides_no_target_is_asked(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova?variante=hand-and-foot")
    assert "Hand and foot, 4 giocatori, 4 smazzate, vince il totale più alto" in page.text
    assert not page.all("input", name="option-target")
    assert (
        "Traguardo: nessuno. Si giocano 4 smazzate, vince il totale più alto."
        in page.one(id="rules").text
    )
    state = pad.state(match_of(client.submit(page, "Comincia: ").url), device(client))
    assert (state.status.target, state.rules.settings.match_deals) == (None, 4)


def test_a_target_in_points_is_none_in_units(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova")
    sent = page.values(page.form("Comincia: ")) | {"option-target": "3.000", "switch": "mini"}
    mini = client.post("/partite/nuova", sent)
    assert mini.one("input", name="option-target")["value"] == ""
    assert "Un numero intero. Lasciato vuoto: 30." in mini.text
    refused = client.submit(mini, "Comincia: ", 422, option_target="trenta")
    assert refused.errors == ["Traguardo: scrivi un numero da 1 a 9.999.999."]
    refused = client.submit(refused, "Comincia: ", 422, option_target="0")
    assert refused.errors == ["Traguardo: scrivi un numero da 1 a 9.999.999."]
    url = client.submit(refused, "Comincia: ", option_target="21").url
    assert pad.state(match_of(url), device(client)).status.target == 21


def test_the_rulebook_leads_to_a_match_of_the_game_as_it_was_read(client: Client, pad: Pad) -> None:
    book = client.get(
        "/regole/classica",
        query_string={"preset": "getty", "held-red-three": "once", "target": "7500"},
    )
    path, _, asked = book.links()["Gioca"].partition("?")
    page = client.get(path, query_string=asked)
    assert page.one("details", id="rules").has("open")
    match = client.submit(page, "Comincia: ")
    rules = pad.state(match_of(match.url), device(client)).rules
    assert rules.preset == "getty"
    assert (rules.options["held-red-three"], rules.options["target"]) == ("once", 7500)


def test_an_address_that_asks_for_what_there_is_not_begins_the_game_as_usual(
    client: Client, pad: Pad
) -> None:
    asked = {"variante": "classica", "preset": "nessuna", "wild-limit": "sette", "target": "x"}
    match = client.submit(client.get("/partite/nuova", query_string=asked), "Comincia: ")
    rules = pad.state(match_of(match.url), device(client)).rules
    assert (rules.preset, rules.options["wild-limit"], rules.options["target"]) == (
        "wikipedia",
        "three",
        5000,
    )


# ---------------------------------------------------------------- who plays


def names_of(page: Page) -> list[str]:
    """The players that the form holds, side by side."""
    return [
        page.one("input", name=f"player-{side}-{index}")["value"]
        for side in (0, 1)
        for index in (0, 1)
    ]


def dealers(page: Page) -> list[str]:
    """Who may deal first, clockwise."""
    asked = next(
        field
        for field in page.all("fieldset")
        if "Chi dà le carte" in field.text and field.all("legend")
    )
    return [label.text for label in asked.all("label")]


@pytest.fixture
def evening(client: Client) -> Page:
    """The page of a new match where four have played before."""
    start(
        client,
        player_0_0="Ada",
        player_0_1="Ugo",
        player_1_0="Bea",
        player_1_1="Leo",
        name_1="Nipoti",
    )
    return client.get("/partite/nuova")


def press(client: Client, page: Page, **button: str) -> Page:
    """Press a button that shows the form again."""
    return client.post("/partite/nuova", page.values(page.form("Comincia: ")) | button)


def test_players_known_here_are_seated_with_a_tap_and_get_up_with_another(
    client: Client, evening: Page
) -> None:
    known = evening.one(class_="known").all("button", name="player")
    assert [(button.text, button["aria-pressed"]) for button in known] == [
        ("Ada", "false"), ("Ugo", "false"), ("Bea", "false"), ("Leo", "false"),
    ]  # fmt: skip
    page = press(client, press(client, evening, player="Leo"), player="Ada")
    assert names_of(page) == ["Leo", "Ada", "", ""]
    assert [each.text for each in page.one(class_="known").all("button", aria_pressed="true")] == [
        "Ada",
        "Leo",
    ]
    assert dealers(page) == ["Leo (Noi)", "Loro, giocatore 1", "Ada (Noi)", "Loro, giocatore 2"]
    assert page.one("details", id="names").has("open")
    assert names_of(press(client, page, player="Leo")) == ["", "Ada", "", ""]


def test_a_pair_known_here_takes_the_first_free_side_with_its_name(
    client: Client, evening: Page, pad: Pad
) -> None:
    assert [button.text for button in evening.all("button", name="pair")] == [
        "Ada e Ugo",
        "Nipoti: Bea e Leo",
    ]
    page = press(client, evening, pair="Nipoti\tBea\tLeo")
    assert [button.text for button in page.all("button", name="pair")] == ["Ada e Ugo"], (
        "those who sit are not offered"
    )
    page = press(client, page, pair="\tAda\tUgo")
    assert names_of(page) == ["Bea", "Leo", "Ada", "Ugo"]
    state = pad.state(match_of(client.submit(page, "Comincia: ").url), device(client))
    assert [(side.name, side.players) for side in state.sides] == [
        ("Nipoti", ("Bea", "Leo")),
        ("Loro", ("Ada", "Ugo")),
    ]


@pytest.mark.parametrize(
    "sent", [{"pair": ""}, {"pair": "a\tb\tc\td"}, {"player": ""}, {"draw": ""}, {"show": "x"}]
)
def test_a_tap_that_the_page_does_not_offer_changes_no_name(
    client: Client, sent: dict[str, str]
) -> None:
    assert names_of(press(client, client.get("/partite/nuova"), **sent)) == [""] * 4


def test_players_of_another_device_are_not_offered(
    visit: Callable[..., Client], evening: Page
) -> None:
    assert evening.all(class_="known")
    assert not visit().get("/partite/nuova").all(class_="known")


def test_three_who_play_alone_are_seated_and_offered_again(client: Client, evening: Page) -> None:
    page = press(
        client, press(client, press(client, evening, switch="tre"), player="Bea"), player="Ada"
    )
    assert [page.one("input", name=f"name-{side}")["value"] for side in range(3)] == [
        "Bea",
        "Ada",
        "Giocatore 3",
    ]
    assert not page.all("button", name="pair")
    client.submit(page, "Comincia: ", name_2="Cleo")
    assert "Cleo" in client.get("/partite/nuova").one(class_="known").text


def test_a_draw_seats_everybody_named_and_says_who_deals_before_the_start(
    client: Client, evening: Page, pad: Pad
) -> None:
    players = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}
    named = players | {"name-0": "Nonni"}
    drawn = [press(client, evening, draw="seats", **named) for _ in range(25)]
    for page in drawn:
        one, two, three, four = names_of(page)
        assert sorted(names_of(page)) == ["Ada", "Bea", "Leo", "Ugo"]
        clockwise = [f"{one} (Nonni)", f"{three} (Loro)", f"{two} (Nonni)", f"{four} (Loro)"]
        assert dealers(page) == clockwise
        told = page.one("p", class_="notice").text
        assert told.startswith(f"Sorteggiato. In senso orario: {', '.join(clockwise[:3])} e {four}")
    dealer_of = [page.one("input", name="dealer", checked="")["value"] for page in drawn]
    assert len({tuple(names_of(page)) for page in drawn}) > 1
    assert len(set(dealer_of)) > 1
    state = pad.state(match_of(client.submit(drawn[0], "Comincia: ").url), device(client))
    assert "{}-{}".format(*state.begins.dealer) == dealer_of[0]
    assert [*state.sides[0].players, *state.sides[1].players] == names_of(drawn[0])


def test_a_draw_of_three_leaves_the_unnamed_their_usual_names(client: Client) -> None:
    page = client.get("/partite/nuova?variante=tre")
    drawn = press(client, page, draw="seats", **{"name-0": "Ada", "name-1": "Bea"})
    names = [drawn.one("input", name=f"name-{side}")["value"] for side in range(3)]
    assert {"Ada", "Bea"} < set(names)
    empty = next(side for side, name in enumerate(names) if name not in ("Ada", "Bea"))
    assert names[empty] == f"Giocatore {empty + 1}"


def test_one_tap_starts_noi_against_loro_in_four_at_classica(client: Client, pad: Pad) -> None:
    page = client.get("/partite/nuova?variante=bridge")
    assert "Canasta classica, 4 giocatori, si arriva a 5.000" in page.text
    assert [button.text for button in page.all("button", class_="primary")] == [
        "Comincia: Canasta classica"
    ]
    # The enter key presses the first button of the form; the one that people see stands last.
    first, *_, last = page.form("Comincia: ").all("button")
    assert (first.text, first.get("name")) == (last.text, "")
    assert (first["aria-hidden"], first["tabindex"]) == ("true", "-1")
    url = client.submit(page, "Comincia: ", name_0="", name_1="  ").url
    state = pad.state(match_of(url), device(client))
    assert (state.rules.variant, state.rules.preset, state.house) == ("classica", "wikipedia", ())
    assert [side.name for side in state.sides] == ["Noi", "Loro"]


# ---------------------------------------------------------------- in a browser


def test_in_a_browser_names_typed_are_offered_as_dealers_and_the_rules_line_follows(
    open_page: Callable[..., BrowserPage],
) -> None:
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()
    page.locator("#player-1-0").fill("Bea")
    page.locator("#name-0").fill("Nonni")
    expect(page.locator("label[for=dealer-1]")).to_have_text("Bea (Loro)")
    expect(page.locator("label[for=dealer]")).to_have_text("Nonni, giocatore 1")
    page.locator("#rules > summary").tap()
    wilds = page.locator(".rule", has=page.locator("#option-wild-limit"))
    wilds.locator("summary").first.tap()
    wilds.locator("label").nth(1).tap()
    expect(wilds.locator(".rule-value")).to_have_text(
        "al massimo tre, e mai più delle carte naturali"
    )
    expect(page.locator("#rules > summary")).to_have_text("Le nostre regole: 1 diversa")
    wilds.locator("label").first.tap()
    expect(wilds.locator(".rule-value")).to_have_text("al massimo tre")
    expect(page.locator("#rules > summary")).to_have_text("Regole: Wikipedia")


def test_in_a_browser_known_players_sit_down_and_are_drawn_on_the_same_page(
    pad: Pad, open_page: Callable[..., BrowserPage]
) -> None:
    before = NewMatch(
        "classica", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Bea", "Leo")))
    )
    pad.actions.start(RequestId("the-match-before"), DEVICE, before)
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()
    page.locator("#place").fill("Rimini")
    page.evaluate("document.body.dataset.same = 'yes'")
    page.get_by_role("button", name="Leo", exact=True).tap()
    expect(page.locator("#player-0-0")).to_have_value("Leo")
    page.get_by_role("button", name="Ada e Ugo").tap()
    expect(page.locator("#player-1-1")).to_have_value("Ugo")
    expect(page.get_by_role("button", name="Ada e Ugo")).to_have_count(0)
    expect(page.locator("label[for=dealer-1]")).to_have_text("Ada (Loro)")
    page.get_by_role("button", name="Leo", exact=True).tap()
    expect(page.locator("#player-0-0")).to_have_value("")
    page.get_by_role("button", name="Sorteggia").tap()
    expect(page.locator("#drawn")).to_contain_text("Sorteggiato.")
    expect(page.locator("#place")).to_have_value("Rimini")
    assert page.evaluate("document.body.dataset.same") == "yes", "no other page was loaded"
