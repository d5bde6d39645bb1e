"""Starting a match: one tap, or everything else on the same page."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import expect

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.projection import MatchState
from scorepad.rules.variants import get_variant, settle, variant_ids
from scorepad.schemas.variant_json import find_differing_rules
from tests.web.client import Client, Element, Page, Visit
from tests.web.counting import NewMatch, OpenPage
from tests.web.playing import device, match_of, start
from tests.web.scorer import error_links
from tests.web.tables import read_tables

NEW_MATCH_URL = "/partite/nuova"
CASES = read_tables("new_match")


class Starter:
    """Whoever starts a match on its page."""

    def __init__(self, client: Client, pad: Pad) -> None:
        self.client = client
        self.pad = pad
        self.button = {"it": "Comincia: ", "en": "Start: "}[client.language]

    def page(self, **query: str) -> Page:
        """The page of a new match, as an address with this query shows it."""
        return self.client.get(NEW_MATCH_URL, query_string=query)

    def send(self, page: Page, changed: Mapping[str, str], status: int = 200) -> Page:
        """The page after its form was sent with these fields changed. One of them may be a button
        that only shows the form again, such as `switch`, which chooses a variant.
        """
        return self.client.post(
            NEW_MATCH_URL, page.values(page.form(self.button)) | changed, status
        )

    def refused(self, page: Page, **typed: str) -> Page:
        """The page after a start with this typed was refused."""
        return self.client.submit(page, self.button, status=422, **typed)

    def begin(self, page: Page, **typed: str) -> MatchState:
        """The match that begins."""
        match = match_of(self.client.submit(page, self.button, **typed).url)
        return self.pad.state(match, device(self.client))


@pytest.fixture
def starter(client: Client, pad: Pad) -> Starter:
    return Starter(client, pad)


def typed_into(page: Page, prefix: str) -> list[str]:
    """The values of the text fields whose names begin so: `name-` or `player-`."""
    fields = page.all("input", type="text")
    return [field["value"] for field in fields if field["name"].startswith(prefix)]


def side_names(page: Page) -> list[str]:
    return typed_into(page, "name-")


def players(page: Page) -> list[str]:
    """The players that the form holds, side by side."""
    return typed_into(page, "player-")


def fieldset(page: Page, heading: str) -> Element:
    """The fields under a heading."""
    for found in page.all("fieldset"):
        if found.texts("legend") == [heading]:
            return found
    raise AssertionError(f"no fields under {heading}")


def rule_line(page: Page, name: str) -> Element:
    """The line of the rule of this name."""
    for line in page.all("details", class_="rule"):
        if line.one(class_="rule-name").text == name:
            return line
    raise AssertionError(f"no line of {name}")


def value_of_rule(line: Element) -> str:
    """The value that the line of a rule shows."""
    return line.one(class_="rule-value").text


def test_match_begins_with_everything_typed(starter: Starter) -> None:
    sides = {"name_0": "Nonni", "name_1": "Nipoti", "player_0_0": "Ada", "player_1_1": "Ugo"}
    rules = {"preset": "getty", "option_concealed_canasta": "0", "option_target": "3.000"}

    state = starter.begin(starter.page(), **sides, **rules, place="Rimini", dealer="1-1")

    nonni, nipoti = state.sides
    assert nonni.name == "Nonni"
    assert nonni.players == ("Ada", "")
    assert nipoti.name == "Nipoti"
    assert nipoti.players == ("", "Ugo")
    assert state.labels.place == "Rimini"
    assert state.begins.dealer == (1, 1)
    assert state.rules.preset == "getty"
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "from the preset"
    assert state.rules.options["concealed-canasta"] == 0, "typed, and not that of the preset"
    assert state.rules.settings.target == 3000


def test_english_numbers_are_read_in_english(visit: Visit, pad: Pad) -> None:
    starter = Starter(visit("en"), pad)
    typed = {"option_target": "3,000", "carried_0": "1,500", "carried_1": "0"}
    state = starter.begin(starter.page(), **typed)
    assert state.rules.settings.target == 3000
    assert state.carried == (1500, 0)


@pytest.mark.parametrize(("field", "text", "error"), CASES["wrong_ends"])
def test_invalid_end_is_refused_and_form_kept(
    starter: Starter, field: str, text: str, error: str
) -> None:
    typed = {field: text, "name-0": "Nonni", "place": "Rimini", "dealer": "0-1"}

    page = starter.refused(starter.page(), **typed)

    error_beside_field = page.one("p", id=f"{field}-error").text
    assert error in error_beside_field
    assert page.errors == [error_beside_field]
    summary = page.one(class_="errors")
    assert summary.one("a")["href"] == f"#{field}"
    assert summary.has("autofocus")
    assert typed.items() <= page.form_values("Comincia: ").items()
    assert page.is_unfolded("rules"), "the field is not folded away"


def test_all_invalid_names_are_reported_at_once(starter: Starter) -> None:
    typed = {
        "name_0": "Noi",
        "name_1": " noi ",  # the same as the other side's, for a reader
        "player_1_2": "x" * 61,  # 60 characters are allowed
        "place": "a\u202eb",  # a control character that turns the text around
    }

    page = starter.refused(starter.page(variante="sei"), **typed)

    # The name is taken, the player's too long, and the place has an invisible character.
    name_error, player_error, place_error = page.errors
    assert name_error.startswith("Squadra 2: Questo nome c'è già.")
    assert player_error.startswith("Squadra 2, Giocatore 3: Questo testo è troppo lungo")
    assert place_error.startswith("Luogo: In questo testo c'è un carattere che non si vede.")
    assert page.one("p", id="name-1-error").text == name_error
    assert page.one("p", id="player-1-2-error").text == player_error
    assert page.one("p", id="place-error").text == place_error
    assert error_links(page) == ["#name-1", "#player-1-2", "#place"]
    assert not page.one("input", id="player-1-2").has("maxlength"), "nothing pasted is cut unsaid"


def test_switching_variant_keeps_what_was_typed(starter: Starter) -> None:
    on_paper = {"carried-0": "1.500", "carried-1": "20", "carried-1-below": "on"}
    typed = {"place": "Rimini", "option-target": "3.000", **on_paper}

    of_three = starter.send(starter.page(), typed | {"switch": "tre"})
    assert "Canasta a tre, 3 giocatori" in of_three.text
    assert typed.items() <= of_three.form_values("Comincia: Canasta a tre").items()
    assert of_three.is_unfolded("paper")
    assert not of_three.all("input", name="option-red-threes-unopened", value="to-opponents")

    of_two = starter.send(of_three, {"name-0": "Ada", "switch": "due"})
    assert side_names(of_two) == ["Ada", "Giocatore 2"]
    assert of_two.one("input", name="option-code", value="usa-1")


def test_rule_line_shows_value_choices_and_sources(starter: Starter) -> None:
    page = starter.page()
    # "at most three, and never more than the natural cards"
    stricter = "al massimo tre, e mai più delle carte naturali"

    wild_cards = rule_line(page, "Matte in una combinazione")  # wild cards in a meld
    assert not wild_cards.has("open")
    assert value_of_rule(wild_cards) == "al massimo tre"
    assert stricter in wild_cards.one("fieldset").text
    sources = wild_cards.one(class_="sources").texts("div")
    assert any(
        source.startswith(f"{stricter} Regole tradotte dall'inglese: «") for source in sources
    )

    # the bonus for a concealed canasta
    concealed_canasta = rule_line(page, "Premio per la canasta nascosta")
    assert value_of_rule(concealed_canasta) == "nessuno"
    # "Deduced"
    assert "Dedotto: Chi elenca i premi" in concealed_canasta.one(class_="sources").text


@pytest.mark.parametrize(("chosen", "title"), CASES["titles"])
def test_title_of_rules_counts_what_differs(
    starter: Starter, chosen: dict[str, str], title: str
) -> None:
    page = starter.send(starter.page(), chosen | {"show": "rules"})
    rules = page.one("details", id="rules")
    assert rules.has("open")
    assert rules.texts("summary")[0] == title


@pytest.mark.parametrize(("variant", "field", "choice"), CASES["not_offered"])
def test_choice_that_is_not_offered_is_refused(
    starter: Starter, variant: str, field: str, choice: str
) -> None:
    refused = starter.send(starter.page(variante=variant), {field: choice}, status=422)
    assert len(refused.errors) == 1
    assert starter.pad.summaries(device(starter.client)).in_progress == ()


# ---------------------------------------------------------------- other variants


@pytest.mark.quick(8)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("language", ["it", "en"])
def test_variant_button_shows_options_and_differences(
    visit: Visit, pad: Pad, variant: str, language: str
) -> None:
    starter = Starter(visit(language), pad)
    speech = words(language)

    page = starter.send(starter.page(), {"switch": variant})

    assert speech.t(f"variant.{variant}.name") in page.one(class_="under").text
    for option in get_variant(variant).options:
        if option != "players":
            assert speech.t(f"option.{option}") in page.one(id="rules").text

    differing_rules = find_differing_rules(get_variant(variant), speech)
    expected_differences = [[rule.name, rule.here] for rule in differing_rules if rule.matters]
    assert shown_differences(page) == expected_differences
    if expected_differences:
        assert page.one(id="differences").has("open")
        assert page.one(class_="special").text == speech.t(f"variant.{variant}.special")

    state = starter.begin(page)
    assert state.rules.settings == settle(variant, state.rules.preset).settings
    assert state.house == ()


def shown_differences(page: Page) -> list[list[str]]:
    """The rules that differ from classica: the name of each, and what holds in the variant."""
    differences = []
    for table in page.all("dl", class_="differences"):
        for row in table.all("div"):
            differences.append([row.one("dt").text, row.texts("dd")[0]])
    return differences


def test_rare_rules_are_folded_unless_chosen(starter: Starter) -> None:
    usual = starter.page()
    with_rare_rule = starter.page(**{"pile-taken": "top-seven"})

    fold = usual.one(class_="rules").one("details", class_="fold")
    assert fold.text.startswith("Regole di pochi tavoli")  # "Rules of few tables"
    assert "Quanto pozzo si prende" in fold.text  # how much of the pile is taken
    assert "Fine del tallone" not in fold.text  # the end of the stock
    assert not fold.has("open")
    assert with_rare_rule.one(class_="rules").one("details", class_="fold").has("open")


def test_value_of_preset_is_offered_once_and_marked(starter: Starter) -> None:
    opening = fieldset(starter.page(), "Punteggio di apertura")
    # "15 below zero, then 50, 90 and 120", marked as that of the rules followed.
    assert opening.texts("label") == [
        "15 sotto zero, poi 50, 90 e 120 Come da regolamento",
        "50 anche sotto zero, poi 90 e 120",
        "sempre 50",
    ]
    assert opening.one("input", checked="")["value"] == ""


def test_usual_value_is_marked_where_there_are_no_presets(starter: Starter) -> None:
    page = starter.page(variante="samba")
    layoff = fieldset(page, "Prendere il pozzo attaccando")  # taking the pile by laying off

    assert layoff.texts("label") == [
        "attaccando la carta in cima si prende tutto di solito",  # marked as usual
        "si prende solo la carta che attacca",
    ]
    assert layoff.all("input")[0].has("checked")
    assert "Come da regolamento" not in page.one(id="rules").text  # "as in the rulebook"
    state = starter.begin(page, option_pile_layoff="top-card-only")
    assert state.house == ("pile-layoff",), "the other value is a house rule"


def test_mini_is_offered_for_two_three_and_four_players(starter: Starter) -> None:
    of_four = starter.page(variante="mini")
    assert of_four.one(class_="tables").texts("button") == [
        "due, con 12 carte",  # "two, with 12 cards"
        "tre, con 10 carte",
        "quattro in due coppie, con 9 carte scelto",  # the chosen one
    ]


@pytest.mark.parametrize(("players", "names", "cards"), CASES["mini"])
def test_number_of_players_of_mini_sets_names_and_cards(
    starter: Starter, players: str, names: list[str], cards: int
) -> None:
    of_four = starter.page(variante="mini")

    page = starter.send(of_four, {"place": "Rimini", "sit": f"players={players}"})
    state = starter.begin(page)

    assert side_names(page) == names
    assert f"Canasta mini, {players} giocatori, si arriva a 30" in page.text
    assert state.rules.settings.dealt == cards
    assert state.labels.place == "Rimini"
    assert state.house == (), "how many sit down is no rule of the house"


def test_typed_names_are_kept_when_number_of_players_changes(starter: Starter) -> None:
    of_three = starter.page(variante="mini", players="3")

    of_two = starter.send(of_three, {"name-0": "Ada", "name-2": "Cleo", "sit": "players=2"})
    of_four = starter.send(of_two, {"sit": "players=4"})

    assert side_names(of_two) == ["Ada", "Giocatore 2"]
    assert side_names(of_four) == ["Ada", "Loro"]
    assert players(of_four) == ["", "", "", ""]


@pytest.mark.parametrize("sit", CASES["tables"])
def test_invalid_number_of_players_is_ignored(starter: Starter, sit: str) -> None:
    page = starter.send(starter.page(variante="mini", players="9"), {"sit": sit})
    assert side_names(page) == ["Noi", "Loro"], "two pairs, as before"


def test_every_variant_is_offered_with_a_description(starter: Starter) -> None:
    variants = starter.page().one(id="variants")
    assert len(variants.all("button")) == len(variant_ids())
    assert "Canasta mini 2, 3 o 4 giocatori" in variants.text
    assert "Samba 4 giocatori Tre mazzi, e anche scale" in variants.text


def test_variant_that_ends_by_hands_asks_no_target(starter: Starter) -> None:
    page = starter.page(variante="hand-and-foot")
    state = starter.begin(page)

    four_hands = "4 smazzate, vince il totale più alto"  # "4 hands, the highest total wins"
    assert f"Hand and foot, 4 giocatori, {four_hands}" in page.text
    assert not page.all("input", name="option-target")
    assert f"Traguardo: nessuno. Si giocano {four_hands}." in page.text
    assert state.status.target is None
    assert state.rules.settings.match_deals == 4


def test_target_in_points_is_not_kept_for_mini(starter: Starter) -> None:
    """In mini a match goes to some 30 points, elsewhere to thousands."""
    mini = starter.send(starter.page(), {"option-target": "3.000", "switch": "mini"})
    assert mini.value_of("option-target") == ""
    assert "Un numero intero. Lasciato vuoto: 30." in mini.text  # "A whole number. Left empty, 30."

    for wrong_target in ("trenta", "0"):
        refused = starter.refused(mini, option_target=wrong_target)
        # "Target, write a number …"
        assert refused.errors == ["Traguardo: scrivi un numero da 1 a 9.999.999."]

    assert starter.begin(mini, option_target="21").status.target == 21


def test_link_of_rulebook_begins_a_match_by_the_rules_shown(starter: Starter) -> None:
    chosen = {"preset": "getty", "held-red-three": "once", "target": "7500"}
    rulebook = starter.client.get("/regole/classica", query_string=chosen)

    page = starter.client.get(rulebook.links()["Gioca"])
    rules = starter.begin(page).rules

    assert page.is_unfolded("rules")
    assert rules.preset == "getty"
    assert rules.options["held-red-three"] == "once"
    assert rules.options["target"] == 7500


def test_unknown_choices_in_address_are_ignored(starter: Starter) -> None:
    unknown = {"preset": "nessuna", "wild-limit": "sette", "target": "x"}
    rules = starter.begin(starter.page(variante="classica", **unknown)).rules
    assert rules.preset == "wikipedia"
    assert rules.options["wild-limit"] == "three"
    assert rules.options["target"] == 5000


# ---------------------------------------------------------------- who plays


def offered_dealers(page: Page) -> list[str]:
    """Who may deal first, clockwise."""
    return fieldset(page, "Chi dà le carte per primo").texts("label")


@pytest.fixture
def page_with_known_players(client: Client) -> Page:
    """The page of a new match where four have played before."""
    four = {"player_0_0": "Ada", "player_0_1": "Ugo", "player_1_0": "Bea", "player_1_1": "Leo"}
    start(client, **four, name_1="Nipoti")
    return client.get(NEW_MATCH_URL)


def known_players(page: Page, **attributes: str) -> list[str]:
    """The buttons of players who played on this device before."""
    return page.one(class_="known").texts("button", name="player", **attributes)


def test_tap_seats_a_known_player_and_second_tap_removes_it(
    starter: Starter, page_with_known_players: Page
) -> None:
    assert known_players(page_with_known_players, aria_pressed="false") == [
        "Ada",
        "Ugo",
        "Bea",
        "Leo",
    ]

    page = starter.send(page_with_known_players, {"player": "Leo"})
    page = starter.send(page, {"player": "Ada"})
    assert players(page) == ["Leo", "Ada", "", ""]
    assert known_players(page, aria_pressed="true") == ["Ada", "Leo"]
    assert offered_dealers(page) == [
        "Leo (Noi)",
        "Loro, giocatore 1",
        "Ada (Noi)",
        "Loro, giocatore 2",
    ]
    assert page.is_unfolded("names")

    page = starter.send(page, {"player": "Leo"})
    assert players(page) == ["", "Ada", "", ""]


def test_tap_seats_a_known_pair_on_the_first_free_side(
    starter: Starter, page_with_known_players: Page
) -> None:
    assert page_with_known_players.texts("button", name="pair") == [
        "Ada e Ugo",
        "Nipoti: Bea e Leo",
    ]

    page = starter.send(page_with_known_players, {"pair": "Nipoti\tBea\tLeo"})
    assert page.texts("button", name="pair") == ["Ada e Ugo"], "who sits is not offered"

    page = starter.send(page, {"pair": "\tAda\tUgo"})
    assert side_names(page) == ["Nipoti", "Loro"]
    assert players(page) == ["Bea", "Leo", "Ada", "Ugo"]


@pytest.mark.parametrize("sent", CASES["taps"])
def test_invalid_tap_changes_no_name(starter: Starter, sent: dict[str, str]) -> None:
    assert players(starter.send(starter.page(), sent)) == [""] * 4


def test_players_of_another_device_are_not_offered(
    guest: Client, page_with_known_players: Page
) -> None:
    assert page_with_known_players.all(class_="known")
    assert not guest.get(NEW_MATCH_URL).all(class_="known")


def test_tap_seats_known_players_in_a_match_of_three(
    starter: Starter, page_with_known_players: Page
) -> None:
    page = starter.send(page_with_known_players, {"switch": "tre"})
    page = starter.send(page, {"player": "Bea"})
    page = starter.send(page, {"player": "Ada"})
    assert side_names(page) == ["Bea", "Ada", "Giocatore 3"]
    assert page.all("button", name="pair") == []

    starter.begin(page, name_2="Cleo")
    assert "Cleo" in known_players(starter.page())


def test_draw_seats_all_players_and_chooses_the_dealer(
    starter: Starter, page_with_known_players: Page
) -> None:
    four = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}

    page = starter.send(page_with_known_players, four | {"draw": "seats"})

    assert sorted(players(page)) == ["Ada", "Bea", "Leo", "Ugo"]
    # The names of one side, then of the other; partners sit opposite each other.
    noi_1, noi_2, loro_1, loro_2 = players(page)
    dealers = [f"{noi_1} (Noi)", f"{loro_1} (Loro)", f"{noi_2} (Noi)", f"{loro_2} (Loro)"]
    assert offered_dealers(page) == dealers
    clockwise = f"{dealers[0]}, {dealers[1]}, {dealers[2]} e {dealers[3]}"
    notice = page.one("p", class_="notice").text
    assert notice.startswith(f"Sorteggiato. In senso orario: {clockwise}")
    side, seat = starter.begin(page).begins.dealer
    assert f"{side}-{seat}" == first_dealer(page)


def first_dealer(page: Page) -> str:
    """Who is chosen as the first dealer, such as `1-0` for the first player of the second side."""
    return page.one("input", name="dealer", checked="")["value"]


def test_draws_differ(starter: Starter, page_with_known_players: Page) -> None:
    four = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}
    seatings = set()
    dealers = set()
    for _ in range(25):
        page = starter.send(page_with_known_players, four | {"draw": "seats"})
        seatings.add(tuple(players(page)))
        dealers.add(first_dealer(page))
    assert len(seatings) > 1
    assert len(dealers) > 1


def test_draw_of_three_keeps_default_name_of_unnamed_player(starter: Starter) -> None:
    named = {"name-0": "Ada", "name-1": "Bea", "draw": "seats"}

    names = side_names(starter.send(starter.page(variante="tre"), named))

    assert len(set(names)) == 3
    assert "Ada" in names
    assert "Bea" in names
    for seat, name in enumerate(names, start=1):
        assert name in ("Ada", "Bea", f"Giocatore {seat}"), "the unnamed has the number of its seat"


def test_one_tap_begins_a_match_of_classica(starter: Starter) -> None:
    page = starter.page(variante="bridge")  # there is no such variant
    assert "Canasta classica, 4 giocatori, si arriva a 5.000" in page.text
    assert page.one("button", class_="primary").text == "Comincia: Canasta classica"

    state = starter.begin(page, name_0="", name_1="  ")

    assert state.rules.variant == "classica"
    assert state.rules.preset == "wikipedia"
    assert [side.name for side in state.sides] == ["Noi", "Loro"]


def test_enter_key_begins_the_match(starter: Starter) -> None:
    """It presses the first button of a form, which is hidden; the one that people see stands last."""
    buttons = starter.page().form("Comincia: ").all("button")
    pressed_by_enter = buttons[0]
    assert pressed_by_enter.text == buttons[-1].text
    assert pressed_by_enter.get("name") == ""
    assert pressed_by_enter["aria-hidden"] == "true"
    assert pressed_by_enter["tabindex"] == "-1"


# ---------------------------------------------------------------- in a browser


def test_browser_offers_typed_names_as_dealers(open_page: OpenPage) -> None:
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()
    page.locator("#player-1-0").fill("Bea")
    page.locator("#name-0").fill("Nonni")
    expect(page.locator("label[for=dealer-1]")).to_have_text("Bea (Loro)")
    expect(page.locator("label[for=dealer]")).to_have_text("Nonni, giocatore 1")


def test_browser_updates_rule_lines_when_a_choice_changes(open_page: OpenPage) -> None:
    page = open_page("/partite/nuova")
    title = page.locator("#rules > summary")
    title.tap()
    wild_cards = page.locator(".rule", has=page.locator("#option-wild-limit"))
    wild_cards.locator("summary").first.tap()

    wild_cards.locator("label").nth(1).tap()
    stricter = "al massimo tre, e mai più delle carte naturali"
    expect(wild_cards.locator(".rule-value")).to_have_text(stricter)
    expect(title).to_have_text("Le nostre regole: 1 diversa")  # "Our rules, 1 differs"

    wild_cards.locator("label").first.tap()
    expect(title).to_have_text("Regole: Wikipedia")


def test_browser_seats_and_draws_players_without_reload(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    new_match(players=(("Ada", "Ugo"), ("Bea", "Leo")))
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()
    page.locator("#place").fill("Rimini")
    page.evaluate("document.body.dataset.same = 'yes'")

    page.get_by_role("button", name="Leo", exact=True).tap()
    expect(page.locator("#player-0-0")).to_have_value("Leo")

    page.get_by_role("button", name="Ada e Ugo").tap()
    expect(page.locator("#player-1-1")).to_have_value("Ugo")
    expect(page.locator("label[for=dealer-1]")).to_have_text("Ada (Loro)")

    page.get_by_role("button", name="Sorteggia").tap()
    expect(page.locator("#drawn")).to_contain_text("Sorteggiato.")
    expect(page.locator("#place")).to_have_value("Rimini")
    assert page.evaluate("document.body.dataset.same") == "yes", "no other page was loaded"
