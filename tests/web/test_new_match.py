"""Starting a match: one tap, or everything else on the same page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState, NewMatch
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.variant_json import find_differing_rules
from tests.web.client import Client, Element, Page, Visit
from tests.web.playing import DEVICE, device, match_of, start

NEW = "/partite/nuova"
BEGIN = {"it": "Comincia: ", "en": "Start: "}


class Starter:
    """Whoever starts a match on its page."""

    def __init__(self, client: Client, pad: Pad) -> None:
        self.client = client
        self.pad = pad
        self.button = BEGIN[client.language]

    def page(self, **asked: str) -> Page:
        return self.client.get(NEW, query_string=asked)

    def send(self, page: Page, changed: Mapping[str, str], status: int = 200) -> Page:
        """The form with these fields changed, one of them a button that shows it again or none."""
        return self.client.post(NEW, page.values(page.form(self.button)) | changed, status)

    def refused(self, page: Page, **typed: str) -> Page:
        return self.client.submit(page, self.button, 422, **typed)

    def begin(self, page: Page, **typed: str) -> MatchState:
        """The match that begins."""
        match = match_of(self.client.submit(page, self.button, **typed).url)
        return self.pad.state(match, device(self.client))

    @property
    def has_begun_none(self) -> bool:
        return not any(self.pad.summaries(device(self.client)))


@pytest.fixture
def starter(client: Client, pad: Pad) -> Starter:
    return Starter(client, pad)


def side_names(page: Page) -> list[str]:
    """The names of the sides that the form holds."""
    fields = page.all("input", type="text")
    return [field["value"] for field in fields if field["name"].startswith("name-")]


def players(page: Page) -> list[str]:
    """The players that the form holds, side by side."""
    fields = page.all("input", type="text")
    return [field["value"] for field in fields if field["name"].startswith("player-")]


def named_fields(page: Page) -> dict[str, Element]:
    """What may be chosen, by its heading."""
    return {
        field.one("legend").text: field for field in page.all("fieldset") if field.all("legend")
    }


def rule_lines(page: Page) -> dict[str, Element]:
    """The line of each rule, by its name."""
    return {line.one(class_="rule-name").text: line for line in page.all("details", class_="rule")}


def rules_title(page: Page) -> str:
    """What the fold of the rules is called."""
    return page.one("span", data_one="Le nostre regole: 1 diversa").text


def test_everything_typed_is_what_the_match_is_played_by(starter: Starter) -> None:
    state = starter.begin(
        starter.page(),
        name_0="Nonni", name_1="Nipoti", player_0_0="Ada", player_1_1="Ugo", place="Rimini", dealer="1-1",
        preset="getty", option_concealed_canasta="0", option_target="3.000",
    )  # fmt: skip
    assert [(side.name, side.players) for side in state.sides] == [
        ("Nonni", ("Ada", "")),
        ("Nipoti", ("", "Ugo")),
    ]
    assert (state.labels.place, state.begins.dealer) == ("Rimini", (1, 1))
    assert state.rules.preset == "getty"
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "the codification holds"
    assert state.rules.options["concealed-canasta"] == 0, "an option beats the codification"
    assert state.rules.settings.target == 3000


def test_the_target_is_read_as_people_write_it_in_english(visit: Visit, pad: Pad) -> None:
    starter = Starter(visit("en"), pad)
    assert starter.begin(starter.page(), option_target="3,000").rules.settings.target == 3000


@pytest.mark.parametrize(
    "typed", ["3,000", "1750", "0", "-500", "tanto", "99999999", "5.00", "٣٠٠٠"]
)
def test_a_target_that_cannot_be_is_refused_beside_its_field_with_everything_typed_kept(
    starter: Starter, typed: str
) -> None:
    sent = {"option-target": typed, "name-0": "Nonni", "place": "Rimini", "dealer": "0-1"}
    page = starter.refused(starter.page(), **sent)
    assert [page.one("p", id="option-target-error").text] == page.errors
    assert page.one(class_="errors").one("a")["href"] == "#option-target"
    assert page.one(class_="errors").has("autofocus")
    assert sent.items() <= page.values(page.form("Comincia: ")).items()
    assert next(fold for fold in page.all("details") if "Traguardo" in fold.text).has("open")


def test_all_that_is_wrong_with_the_names_is_said_at_once(starter: Starter) -> None:
    wrong = {"name_0": "Noi", "name_1": " noi ", "player_1_2": "x" * 61, "place": "a\u202eb"}
    page = starter.refused(starter.page(variante="sei"), **wrong)
    told = {
        "name-1": "Squadra 2: Questo nome c'è già.",
        "player-1-2": "Squadra 2, Giocatore 3: Questo testo è troppo lungo",
        "place": "Luogo: In questo testo c'è un carattere che non si vede.",
    }
    for error, says in zip(page.errors, told.values(), strict=True):
        assert error.startswith(says)
    assert [page.one("p", id=f"{field}-error").text for field in told] == page.errors
    links = [link["href"] for link in page.one(class_="errors").all("a")]
    assert links == [f"#{field}" for field in told]
    assert not page.one("input", id="player-1-2").has("maxlength"), "nothing pasted is cut unsaid"
    assert starter.has_begun_none


def test_another_variant_keeps_what_was_typed_and_shows_its_own_fields(starter: Starter) -> None:
    typed = {"place": "Rimini", "option-target": "3.000"}
    three = starter.send(starter.page(), typed | {"switch": "tre"})
    assert "Canasta a tre, 3 giocatori" in three.text
    assert "Comincia: Canasta a tre" in three.text
    assert typed.items() <= three.values(three.form("Comincia: ")).items()
    for_two_sides = three.all("input", name="option-red-threes-unopened", value="to-opponents")
    assert not for_two_sides
    back = starter.send(three, {"name-0": "Ada", "switch": "due"})
    assert side_names(back) == ["Ada", "Giocatore 2"]
    assert back.one("input", name="option-code", value="usa-1")


def test_every_option_is_a_line_with_its_value_that_opens_its_choices_and_their_sources(
    starter: Starter,
) -> None:
    lines = rule_lines(starter.page())
    assert not any(line.has("open") for line in lines.values())
    assert value(lines["Regole seguite"]) == "Wikipedia"
    wilds = lines["Matte in una combinazione"]
    assert value(wilds) == "al massimo tre"
    stricter = "al massimo tre, e mai più delle carte naturali"
    assert stricter in wilds.one("fieldset").text
    sources = {}
    for row in wilds.one(class_="sources").all("div"):
        sources[row.one("dt").text] = row.one("dd").text
    assert sources[stricter].startswith("Regole tradotte dall'inglese: «Regole")
    concealed = lines["Premio per la canasta nascosta"]
    assert value(concealed) == "nessuno"
    assert "Dedotto: Chi elenca i premi" in concealed.one(class_="sources").text


def value(line: Element) -> str:
    """The value that the line of a rule shows."""
    return line.one(class_="rule-value").text


def test_house_rules_are_one_line_that_counts_what_differs(starter: Starter) -> None:
    page = starter.page()
    assert rules_title(page) == "Regole: Wikipedia"
    chosen = {"option-target": "3.000", "preset": "getty", "option-wild-limit": "three"}
    for changed, title in (
        ({"preset": "getty"}, "Regole: Regole tradotte dall'inglese"),
        ({"option-wild-limit": "three"}, "Regole: Wikipedia"),
        ({"option-target": "3.000"}, "Le nostre regole: 1 diversa"),
        (chosen, "Le nostre regole: 2 diverse"),
    ):
        shown = starter.send(page, changed | {"show": "rules"})
        assert rules_title(shown) == title
        assert shown.one("details", id="rules").has("open")
    lines = rule_lines(shown)
    assert value(lines["Matte in una combinazione"]) == "al massimo tre"
    assert value(lines["Regole seguite"]) == "Regole tradotte dall'inglese"
    assert rules_title(starter.page(variante="samba")) == "Regole: Samba"


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
    starter: Starter, variant: str, field: str, value: str
) -> None:
    page = starter.page(variante=variant)
    assert len(starter.send(page, {field: value}, 422).errors) == 1
    assert starter.has_begun_none


# ---------------------------------------------------------------- other variants


@pytest.mark.quick(8)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_variant_is_chosen_with_a_button_and_shows_what_it_changes(
    visit: Visit, pad: Pad, variant: str, language: str
) -> None:
    starter, speech = Starter(visit(language), pad), words(language)
    page = starter.send(starter.page(), {"switch": variant})
    assert speech.t(f"variant.{variant}.name") in page.one(class_="under").text
    assert len(side_names(page) or players(page)) >= len(settle(variant).settings.sides)
    differing = find_differing_rules(get_variant(variant), speech)
    found = [(each.name, each.here) for each in differing if each.matters]
    if found:
        assert page.one(id="differences").has("open")
        rows = page.one(class_="differences").all("div")
        assert [(row.one("dt").text, row.all("dd")[0].text) for row in rows] == found
        assert page.one(class_="special").text == speech.t(f"variant.{variant}.special")
    else:
        assert not page.all(id="differences")
    of_rules = page.one(id="rules").text
    for option in get_variant(variant).options.keys() - {"players"}:
        assert speech.t(f"option.{option}") in of_rules
    state = starter.begin(page)
    assert (state.rules.settings, state.house) == (settle(variant, state.rules.preset).settings, ())


def test_the_value_of_the_rules_followed_is_offered_once_and_marked(starter: Starter) -> None:
    opening = named_fields(starter.page())["Punteggio di apertura"]
    assert [choice["value"] for choice in opening.all("input") if choice.has("checked")] == [""]
    assert [choice.text for choice in opening.all("label")] == [
        "15 sotto zero, poi 50, 90 e 120 Come da regolamento",
        "50 anche sotto zero, poi 90 e 120",
        "sempre 50",
    ]


def test_without_codifications_the_usual_value_is_chosen_and_marked(starter: Starter) -> None:
    page = starter.page(variante="samba")
    usual = named_fields(page)["Prendere il pozzo attaccando"]
    assert "Come da regolamento" not in page.one(id="rules").text
    assert [choice.text for choice in usual.all("label")] == [
        "attaccando la carta in cima si prende tutto di solito",
        "si prende solo la carta che attacca",
    ]
    assert usual.all("input")[0].has("checked")
    assert starter.begin(page, option_pile_layoff="top-card-only").house == ("pile-layoff",)


@pytest.mark.parametrize(
    ("players", "names", "cards"),
    [
        ("2", ["Giocatore 1", "Giocatore 2"], 12),
        ("3", ["Giocatore 1", "Giocatore 2", "Giocatore 3"], 10),
        ("4", ["Noi", "Loro"], 9),
    ],
)
def test_so_many_players_of_mini_are_asked_so_many_names(
    starter: Starter, players: str, names: list[str], cards: int
) -> None:
    page = starter.page(variante="mini")
    assert [button.text for button in page.one(class_="tables").all("button")] == [
        "due, con 12 carte", "tre, con 10 carte", "quattro in due coppie, con 9 carte scelto",
    ]  # fmt: skip
    page = starter.send(page, {"place": "Rimini", "sit": f"players={players}"})
    assert side_names(page) == names
    assert f"Canasta mini, {players} giocatori, si arriva a 30" in page.text
    state = starter.begin(page)
    assert [side.name for side in state.sides] == names
    assert (state.rules.settings.dealt, state.labels.place) == (cards, "Rimini")


def test_names_typed_stay_when_more_or_fewer_sit_down(starter: Starter) -> None:
    page = starter.page(variante="mini", players="3")
    two = starter.send(page, {"name-0": "Ada", "name-2": "Cleo", "sit": "players=2"})
    assert side_names(two) == ["Ada", "Giocatore 2"]
    pairs = starter.send(two, {"sit": "players=4"})
    assert side_names(pairs) == ["Ada", "Loro"]
    assert players(pairs) == [""] * 4


@pytest.mark.parametrize("sit", ["players=9", "players", "target=3", "=", "players=3=4"])
def test_so_many_cannot_sit_down(starter: Starter, sit: str) -> None:
    page = starter.page(variante="mini", players="9")
    assert side_names(starter.send(page, {"sit": sit})) == ["Noi", "Loro"]


def test_every_variant_is_offered_with_its_players_and_what_is_special(starter: Starter) -> None:
    told = [button.text for button in starter.page().one(id="variants").all("button")]
    assert len(told) == len(variant_ids())
    assert any(each.startswith("Canasta mini 2, 3 o 4 giocatori") for each in told)
    assert any("Samba 4 giocatori Tre mazzi, e anche scale" in each for each in told)


def test_where_a_number_of_hands_decides_no_target_is_asked(starter: Starter) -> None:
    page = starter.page(variante="hand-and-foot")
    assert "Hand and foot, 4 giocatori, 4 smazzate, vince il totale più alto" in page.text
    assert not page.all("input", name="option-target")
    assert "Traguardo: nessuno. Si giocano 4 smazzate, vince il totale più alto." in page.text
    state = starter.begin(page)
    assert (state.status.target, state.rules.settings.match_deals) == (None, 4)


def test_a_target_in_points_is_none_in_units(starter: Starter) -> None:
    mini = starter.send(starter.page(), {"option-target": "3.000", "switch": "mini"})
    assert mini.one("input", name="option-target")["value"] == ""
    assert "Un numero intero. Lasciato vuoto: 30." in mini.text
    for typed in ("trenta", "0"):
        refused = starter.refused(mini, option_target=typed)
        assert refused.errors == ["Traguardo: scrivi un numero da 1 a 9.999.999."]
    assert starter.begin(refused, option_target="21").status.target == 21


def test_the_rulebook_leads_to_a_match_of_the_game_as_it_was_read(starter: Starter) -> None:
    asked = {"preset": "getty", "held-red-three": "once", "target": "7500"}
    book = starter.client.get("/regole/classica", query_string=asked)
    page = starter.client.get(book.links()["Gioca"])
    assert page.one("details", id="rules").has("open")
    rules = starter.begin(page).rules
    assert rules.preset == "getty"
    assert (rules.options["held-red-three"], rules.options["target"]) == ("once", 7500)


def test_an_address_that_asks_for_what_there_is_not_begins_the_game_as_usual(
    starter: Starter,
) -> None:
    asked = {"variante": "classica", "preset": "nessuna", "wild-limit": "sette", "target": "x"}
    rules = starter.begin(starter.page(**asked)).rules
    assert rules.preset == "wikipedia"
    assert (rules.options["wild-limit"], rules.options["target"]) == ("three", 5000)


# ---------------------------------------------------------------- who plays


def dealers(page: Page) -> list[str]:
    """Who may deal first, clockwise."""
    return [label.text for label in named_fields(page)["Chi dà le carte per primo"].all("label")]


@pytest.fixture
def evening(client: Client) -> Page:
    """The page of a new match where four have played before."""
    four = {"player_0_0": "Ada", "player_0_1": "Ugo", "player_1_0": "Bea", "player_1_1": "Leo"}
    start(client, **four, name_1="Nipoti")
    return client.get(NEW)


def known_players(page: Page, **attributes: str) -> list[str]:
    buttons = page.one(class_="known").all("button", name="player", **attributes)
    return [button.text for button in buttons]


def test_players_known_here_are_seated_with_a_tap_and_get_up_with_another(
    starter: Starter, evening: Page
) -> None:
    assert known_players(evening, aria_pressed="false") == ["Ada", "Ugo", "Bea", "Leo"]
    page = starter.send(starter.send(evening, {"player": "Leo"}), {"player": "Ada"})
    assert players(page) == ["Leo", "Ada", "", ""]
    assert known_players(page, aria_pressed="true") == ["Ada", "Leo"]
    assert dealers(page) == ["Leo (Noi)", "Loro, giocatore 1", "Ada (Noi)", "Loro, giocatore 2"]
    assert page.one("details", id="names").has("open")
    assert players(starter.send(page, {"player": "Leo"})) == ["", "Ada", "", ""]


def test_a_pair_known_here_takes_the_first_free_side_with_its_name(
    starter: Starter, evening: Page
) -> None:
    pairs = [button.text for button in evening.all("button", name="pair")]
    assert pairs == ["Ada e Ugo", "Nipoti: Bea e Leo"]
    page = starter.send(evening, {"pair": "Nipoti\tBea\tLeo"})
    pairs = [button.text for button in page.all("button", name="pair")]
    assert pairs == ["Ada e Ugo"], "those who sit are not offered"
    page = starter.send(page, {"pair": "\tAda\tUgo"})
    assert players(page) == ["Bea", "Leo", "Ada", "Ugo"]
    assert [(side.name, side.players) for side in starter.begin(page).sides] == [
        ("Nipoti", ("Bea", "Leo")),
        ("Loro", ("Ada", "Ugo")),
    ]


@pytest.mark.parametrize(
    "sent", [{"pair": ""}, {"pair": "a\tb\tc\td"}, {"player": ""}, {"draw": ""}, {"show": "x"}]
)
def test_a_tap_that_the_page_does_not_offer_changes_no_name(
    starter: Starter, sent: dict[str, str]
) -> None:
    assert players(starter.send(starter.page(), sent)) == [""] * 4


def test_players_of_another_device_are_not_offered(guest: Client, evening: Page) -> None:
    assert evening.all(class_="known")
    assert not guest.get(NEW).all(class_="known")


def test_three_who_play_alone_are_seated_and_offered_again(starter: Starter, evening: Page) -> None:
    page = evening
    for pressed in ({"switch": "tre"}, {"player": "Bea"}, {"player": "Ada"}):
        page = starter.send(page, pressed)
    assert side_names(page) == ["Bea", "Ada", "Giocatore 3"]
    assert not page.all("button", name="pair")
    starter.begin(page, name_2="Cleo")
    assert "Cleo" in known_players(starter.page())


def test_a_draw_seats_everybody_named_and_says_who_deals_before_the_start(
    starter: Starter, evening: Page
) -> None:
    named = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}
    drawn = []
    for _ in range(25):
        drawn.append(starter.send(evening, named | {"name-0": "Nonni", "draw": "seats"}))
    for page in drawn:
        one, two, three, four = players(page)
        assert {one, two, three, four} == set(named.values())
        clockwise = [f"{one} (Nonni)", f"{three} (Loro)", f"{two} (Nonni)", f"{four} (Loro)"]
        assert dealers(page) == clockwise
        told = page.one("p", class_="notice").text
        assert told.startswith(f"Sorteggiato. In senso orario: {', '.join(clockwise[:3])} e {four}")
    dealer_of = [page.one("input", name="dealer", checked="")["value"] for page in drawn]
    assert len({tuple(players(page)) for page in drawn}) > 1
    assert len(set(dealer_of)) > 1
    state = starter.begin(drawn[0])
    assert "{}-{}".format(*state.begins.dealer) == dealer_of[0]
    assert [*state.sides[0].players, *state.sides[1].players] == players(drawn[0])


def test_a_draw_of_three_leaves_the_unnamed_their_usual_names(starter: Starter) -> None:
    named = {"name-0": "Ada", "name-1": "Bea", "draw": "seats"}
    names = side_names(starter.send(starter.page(variante="tre"), named))
    assert {"Ada", "Bea"} < set(names)
    empty = next(side for side, name in enumerate(names) if name not in ("Ada", "Bea"))
    assert names[empty] == f"Giocatore {empty + 1}"


def test_one_tap_starts_noi_against_loro_in_four_at_classica(starter: Starter) -> None:
    page = starter.page(variante="bridge")
    assert "Canasta classica, 4 giocatori, si arriva a 5.000" in page.text
    assert page.one("button", class_="primary").text == "Comincia: Canasta classica"
    # The enter key presses the first button of the form; the one that people see stands last.
    first, *_, last = page.form("Comincia: ").all("button")
    assert (first.text, first.get("name")) == (last.text, "")
    assert (first["aria-hidden"], first["tabindex"]) == ("true", "-1")
    state = starter.begin(page, name_0="", name_1="  ")
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
