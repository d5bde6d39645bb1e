"""Starting a match: one tap is enough, and everything that may be chosen is on the same page.

A match follows the rules of a variant of canasta, such as `classica`. Of one variant there may be
several presets: the rules of a source, such as a rulebook, that a match follows as a whole.
"""

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
    """A person who starts a match on the page of a new match."""

    def __init__(self, client: Client, pad: Pad) -> None:
        self.client = client
        self.pad = pad
        self.button = {"it": "Comincia: ", "en": "Start: "}[client.language]

    def page(self, **query: str) -> Page:
        """Open the page of a new match, with this query in its address."""
        return self.client.get(NEW_MATCH_URL, query_string=query)

    def send(self, page: Page, changed: Mapping[str, str], status: int = 200) -> Page:
        """Change these fields of the form and send it; return the page that is answered."""
        # The fields are those that the button "Begin: …" sends. Among the changed ones may be
        # another button, such as `switch`, which chooses a variant and shows the form again.
        fields = page.form_values(self.button)
        return self.client.post(NEW_MATCH_URL, fields | changed, status)

    def refused(self, page: Page, **typed: str) -> Page:
        """Type into the form and start the match, which is refused; return the page with errors."""
        return self.client.submit(page, self.button, status=422, **typed)

    def begin(self, page: Page, **typed: str) -> MatchState:
        """Type into the form and start the match; return its state."""
        match_page = self.client.submit(page, self.button, **typed)
        return self.pad.state(match_of(match_page.url), device(self.client))


@pytest.fixture
def starter(client: Client, pad: Pad) -> Starter:
    return Starter(client, pad)


def typed_into(page: Page, prefix: str) -> list[str]:
    """Return the values of the text fields whose names begin with `name-` or `player-`."""
    fields = page.all("input", type="text")
    return [field["value"] for field in fields if field["name"].startswith(prefix)]


def side_names(page: Page) -> list[str]:
    return typed_into(page, "name-")


def players(page: Page) -> list[str]:
    """Return the players in the form: those of the first side, then those of the second."""
    return typed_into(page, "player-")


def fieldset(page: Page, heading: str) -> Element:
    """Find the group of fields under a heading."""
    for found in page.all("fieldset"):
        if found.texts("legend") == [heading]:
            return found
    raise AssertionError(f"no fields under {heading}")


def rule_line(page: Page, name: str) -> Element:
    """Find the line of the rule of this name. It unfolds to the choices and their sources."""
    for line in page.all("details", class_="rule"):
        if line.one(class_="rule-name").text == name:
            return line
    raise AssertionError(f"no line of {name}")


def value_of_rule(line: Element) -> str:
    """Return the value that is in force, as the line of a rule shows it."""
    return line.one(class_="rule-value").text


def test_match_begins_with_everything_typed(starter: Starter) -> None:
    # Sides and players are numbered from 0. Two of the four players stay unnamed.
    sides = {"name_0": "Nonni", "name_1": "Nipoti", "player_0_0": "Ada", "player_1_1": "Ugo"}

    # A preset is the rules of one source, here getty. Two of them are chosen otherwise.
    rules = {"preset": "getty", "option_concealed_canasta": "0", "option_target": "3.000"}

    # Ugo, the second player of the second side, deals first.
    state = starter.begin(starter.page(), **sides, **rules, place="Rimini", dealer="1-1")

    nonni, nipoti = state.sides
    assert nonni.name == "Nonni"
    assert nonni.players == ("Ada", "")
    assert nipoti.name == "Nipoti"
    assert nipoti.players == ("", "Ugo")
    assert state.labels.place == "Rimini"
    assert state.begins.dealer == (1, 1)

    # What was typed comes before the rules of the preset, which hold for everything else.
    assert state.rules.preset == "getty"
    assert state.rules.options["concealed-canasta"] == 0
    assert state.rules.settings.target == 3000
    assert state.rules.options["wild-limit"] == "not-more-than-naturals", "from the preset"


def test_english_numbers_are_read_in_english(visit: Visit, pad: Pad) -> None:
    starter = Starter(visit("en"), pad)

    # In English a comma groups thousands, where Italian has a point. "Carried" are the points that
    # the sides bring from a match begun on paper.
    typed = {"option_target": "3,000", "carried_0": "1,500", "carried_1": "0"}
    state = starter.begin(starter.page(), **typed)

    assert state.rules.settings.target == 3000
    assert state.carried == (1500, 0)


@pytest.mark.parametrize(("field", "text", "error"), CASES["wrong_ends"])
def test_invalid_end_is_refused_and_form_kept(
    starter: Starter, field: str, text: str, error: str
) -> None:
    # One case is a target ("Traguardo") of "3,000". In Italian the comma begins a fraction.
    typed = {field: text, "name-0": "Nonni", "place": "Rimini", "dealer": "0-1"}

    page = starter.refused(starter.page(), **typed)

    # The error stands beside the field, which is not folded away.
    error_beside_field = page.one("p", id=f"{field}-error").text
    assert error in error_beside_field
    assert page.is_unfolded("rules")

    # The summary at the top, which gets the focus, says it too and links to the field.
    assert page.errors == [error_beside_field]
    summary = page.one(class_="errors")
    assert summary.one("a")["href"] == f"#{field}"
    assert summary.has("autofocus")

    # Everything that was typed is still in the form.
    assert typed.items() <= page.form_values("Comincia: ").items()


def test_all_invalid_names_are_reported_at_once(starter: Starter) -> None:
    typed = {
        "name_0": "Noi",
        "name_1": " noi ",  # for a reader the same name as that of the first side
        "player_1_2": "x" * 61,  # 60 characters are allowed
        "place": "a\u202eb",  # an invisible character that turns the text around
    }

    # In the variant "sei" (six) each of the two sides has three players.
    page = starter.refused(starter.page(variante="sei"), **typed)

    # "Side 2: this name is there already.", "Side 2, player 3: this text is too long" and "Place:
    # there is an invisible character in this text."
    name_error, player_error, place_error = page.errors
    assert name_error.startswith("Squadra 2: Questo nome c'è già.")
    assert player_error.startswith("Squadra 2, Giocatore 3: Questo testo è troppo lungo")
    assert place_error.startswith("Luogo: In questo testo c'è un carattere che non si vede.")

    # Each error stands beside its field too, and the summary links to the field.
    assert page.one("p", id="name-1-error").text == name_error
    assert page.one("p", id="player-1-2-error").text == player_error
    assert page.one("p", id="place-error").text == place_error
    assert error_links(page) == ["#name-1", "#player-1-2", "#place"]

    # With a maximal length the browser would cut a pasted name without a word.
    assert not page.one("input", id="player-1-2").has("maxlength")


def test_switching_variant_keeps_what_was_typed(starter: Starter) -> None:
    # On paper one side has 1,500 points so far, the other one is 20 below zero.
    on_paper = {"carried-0": "1.500", "carried-1": "20", "carried-1-below": "on"}
    typed = {"place": "Rimini", "option-target": "3.000", **on_paper}

    # The variant for three players ("tre") is chosen. What was typed stays.
    of_three = starter.send(starter.page(), typed | {"switch": "tre"})
    assert "Canasta a tre, 3 giocatori" in of_three.text
    assert typed.items() <= of_three.form_values("Comincia: Canasta a tre").items()
    assert of_three.is_unfolded("paper")
    # With three players a red three cannot count for "the opponents".
    assert not of_three.all("input", name="option-red-threes-unopened", value="to-opponents")

    # Then the one for two ("due"), where each player is a side and may have a name.
    of_two = starter.send(of_three, {"name-0": "Ada", "switch": "due"})
    assert side_names(of_two) == ["Ada", "Giocatore 2"]  # "Player 2"
    # Only this variant offers the choice between several rulebooks for two.
    assert of_two.one("input", name="option-code", value="usa-1")


def test_rule_line_shows_value_choices_and_sources(starter: Starter) -> None:
    page = starter.page()

    # The rule "Wild cards in a meld" has the value "at most three".
    wild_cards = rule_line(page, "Matte in una combinazione")
    assert not wild_cards.has("open")
    assert value_of_rule(wild_cards) == "al massimo tre"

    # The other choice is "at most three, and never more than the natural cards". It is quoted from
    # its source, the "Rules translated from English".
    stricter = "al massimo tre, e mai più delle carte naturali"
    assert stricter in wild_cards.one("fieldset").text
    sources = wild_cards.one(class_="sources").texts("div")
    quotation = f"{stricter} Regole tradotte dall'inglese: «"
    assert any(source.startswith(quotation) for source in sources)

    # "Bonus for the concealed canasta": "none". That is "Deduced: who lists the bonuses …".
    concealed_canasta = rule_line(page, "Premio per la canasta nascosta")
    assert value_of_rule(concealed_canasta) == "nessuno"
    assert "Dedotto: Chi elenca i premi" in concealed_canasta.one(class_="sources").text


@pytest.mark.parametrize(("chosen", "title"), CASES["titles"])
def test_title_of_rules_counts_what_differs(
    starter: Starter, chosen: dict[str, str], title: str
) -> None:
    # The form has a fold with the rules. Somebody changes some of them, and has it shown open.
    page = starter.send(starter.page(), chosen | {"show": "rules"})

    rules = page.one("details", id="rules")
    assert rules.has("open")

    # Its title tells how many differ. With another target, "option-target" 3,000, it is "Le nostre
    # regole: 1 diversa" (our rules, 1 differs). With a preset, the rules of a book, it is the name
    # of that book.
    assert rules.texts("summary")[0] == title


@pytest.mark.parametrize(("variant", "field", "choice"), CASES["not_offered"])
def test_choice_that_is_not_offered_is_refused(
    starter: Starter, variant: str, field: str, choice: str
) -> None:
    # In the variant mini two to four can play. One case sends the field "option-players" with 7.
    page = starter.page(variante=variant)
    refused = starter.send(page, {field: choice}, status=422)

    # The page says what is wrong, and no match has begun.
    assert len(refused.errors) == 1
    matches_of_phone = starter.pad.summaries(device(starter.client))
    assert matches_of_phone.in_progress == ()


# ---------------------------------------------------------------- other variants


@pytest.mark.quick(8)
@pytest.mark.parametrize("variant", variant_ids())
@pytest.mark.parametrize("language", ["it", "en"])
def test_variant_button_shows_options_and_differences(
    visit: Visit, pad: Pad, variant: str, language: str
) -> None:
    starter = Starter(visit(language), pad)
    speech = words(language)

    # The button of the variant is pressed.
    page = starter.send(starter.page(), {"switch": variant})

    # The page names the variant and its rules. The number of players is chosen elsewhere.
    assert speech.t(f"variant.{variant}.name") in page.one(class_="under").text
    for option in get_variant(variant).options:
        if option != "players":
            assert speech.t(f"option.{option}") in page.one(id="rules").text

    # What is played differently than in classica is listed, where there is something.
    differing_rules = find_differing_rules(get_variant(variant), speech)
    expected_differences = [[rule.name, rule.here] for rule in differing_rules if rule.matters]
    assert shown_differences(page) == expected_differences
    if expected_differences:
        assert page.one(id="differences").has("open")
        assert page.one(class_="special").text == speech.t(f"variant.{variant}.special")

    # A match that begins now has the rules of the variant, and no house rules.
    state = starter.begin(page)
    assert state.rules.settings == settle(variant, state.rules.preset).settings
    assert state.house == ()


def shown_differences(page: Page) -> list[list[str]]:
    """Return the rules that differ from classica: the name of each, and what holds instead."""
    differences = []
    for table in page.all("dl", class_="differences"):
        for row in table.all("div"):
            differences.append([row.one("dt").text, row.texts("dd")[0]])
    return differences


def test_rare_rules_are_folded_unless_chosen(starter: Starter) -> None:
    # Under "Rules of few tables" is how much of the discard pile one takes, which hardly anybody
    # changes. What happens at the end of the stock differs more often.
    usual_page = starter.page()
    rare_rules = usual_page.one(class_="rules").one("details", class_="fold")
    assert rare_rules.text.startswith("Regole di pochi tavoli")
    assert "Quanto pozzo si prende" in rare_rules.text
    assert "Fine del tallone" not in rare_rules.text
    assert not rare_rules.has("open")

    # The address chooses one of the rare rules: only the seven top cards are taken.
    page_with_rare_rule = starter.page(**{"pile-taken": "top-seven"})
    assert page_with_rare_rule.one(class_="rules").one("details", class_="fold").has("open")


def test_value_of_preset_is_offered_once_and_marked(starter: Starter) -> None:
    # "Opening score": how many points the first melds of a side must have. That depends on its
    # score in the match so far.
    opening = fieldset(starter.page(), "Punteggio di apertura")

    assert opening.texts("label") == [
        # "15 below zero, then 50, 90 and 120", marked "As in the rulebook"
        "15 sotto zero, poi 50, 90 e 120 Come da regolamento",
        "50 anche sotto zero, poi 90 e 120",  # "50 below zero too, …"
        "sempre 50",  # "always 50"
    ]
    # The first one is chosen. Its value is empty, as it leaves the choice to the preset.
    assert opening.one("input", checked="")["value"] == ""


def test_usual_value_is_marked_where_there_are_no_presets(starter: Starter) -> None:
    # Samba has no presets. Its rule "Taking the discard pile by laying off" has two values.
    page = starter.page(variante="samba")
    layoff = fieldset(page, "Prendere il pozzo attaccando")

    assert layoff.texts("label") == [
        # "who lays off the top card takes everything", marked "usually"
        "attaccando la carta in cima si prende tutto di solito",
        "si prende solo la carta che attacca",  # "one takes only the card that is laid off"
    ]
    assert layoff.all("input")[0].has("checked")
    assert "Come da regolamento" not in page.one(id="rules").text  # "As in the rulebook"

    # The unusual value makes it a match with a house rule.
    state = starter.begin(page, option_pile_layoff="top-card-only")
    assert state.house == ("pile-layoff",)


def test_mini_is_offered_for_two_three_and_four_players(starter: Starter) -> None:
    page = starter.page(variante="mini")
    assert page.one(class_="tables").texts("button") == [
        "due, con 12 carte",  # "two, with 12 cards"
        "tre, con 10 carte",
        "quattro in due coppie, con 9 carte scelto",  # "four in two pairs, with 9 cards": "chosen"
    ]


@pytest.mark.parametrize(("players", "names", "cards"), CASES["mini"])
def test_number_of_players_of_mini_sets_names_and_cards(
    starter: Starter, players: str, names: list[str], cards: int
) -> None:
    # Two players are called "Giocatore 1" and "Giocatore 2", and are dealt 12 cards each. The page
    # is first shown for four.
    of_four = starter.page(variante="mini")

    # The button of another number of players is pressed.
    page = starter.send(of_four, {"place": "Rimini", "sit": f"players={players}"})
    assert side_names(page) == names
    # "Mini canasta, … players, to 30 points"
    assert f"Canasta mini, {players} giocatori, si arriva a 30" in page.text

    # The match that begins has their number of cards, and what was typed before.
    state = starter.begin(page)
    assert state.rules.settings.dealt == cards
    assert state.labels.place == "Rimini"
    assert state.house == (), "the number of players is no house rule"


def test_typed_names_are_kept_when_number_of_players_changes(starter: Starter) -> None:
    # Two of three players have names. Then only two play, and the third one is gone.
    of_three = starter.page(variante="mini", players="3")
    of_two = starter.send(of_three, {"name-0": "Ada", "name-2": "Cleo", "sit": "players=2"})
    assert side_names(of_two) == ["Ada", "Giocatore 2"]  # "Player 2"

    # Of four players, two are a side. The first side keeps its name.
    of_four = starter.send(of_two, {"sit": "players=4"})
    assert side_names(of_four) == ["Ada", "Loro"]  # "They"
    assert players(of_four) == ["", "", "", ""]


@pytest.mark.parametrize("sit", CASES["tables"])
def test_invalid_number_of_players_is_ignored(starter: Starter, sit: str) -> None:
    # In the variant mini two to four can play. The address of the page asks for nine.
    page = starter.page(variante="mini", players="9")

    # Buttons with the name "sit" send how many sit down, such as "players=3". Here one sends what
    # the page does not offer, such as "players=9" or "target=3".
    page = starter.send(page, {"sit": sit})

    # Both are ignored. The page is that for two pairs: "We", "They".
    assert side_names(page) == ["Noi", "Loro"]


def test_every_variant_is_offered_with_a_description(starter: Starter) -> None:
    variants = starter.page().one(id="variants")
    assert len(variants.all("button")) == len(variant_ids())
    assert "Canasta mini 2, 3 o 4 giocatori" in variants.text  # "2, 3 or 4 players"
    # "4 players, three decks, and sequences too"
    assert "Samba 4 giocatori Tre mazzi, e anche scale" in variants.text


def test_variant_that_ends_by_hands_asks_no_target(starter: Starter) -> None:
    page = starter.page(variante="hand-and-foot")

    four_hands = "4 smazzate, vince il totale più alto"  # "4 hands, the highest total wins"
    assert f"Hand and foot, 4 giocatori, {four_hands}" in page.text
    assert not page.all("input", name="option-target")
    # The page says "Target, none. 4 hands are played, …"
    assert f"Traguardo: nessuno. Si giocano {four_hands}." in page.text

    state = starter.begin(page)
    assert state.status.target is None
    assert state.rules.settings.match_deals == 4


def test_target_in_points_is_not_kept_for_mini(starter: Starter) -> None:
    # In mini a match goes to some 30 points, in other variants to thousands. Somebody types 3,000
    # and then presses the button that switches to mini.
    page = starter.page()
    mini = starter.send(page, {"option-target": "3.000", "switch": "mini"})

    # The field is empty now. "A whole number. Left empty, 30."
    assert mini.value_of("option-target") == ""
    assert "Un numero intero. Lasciato vuoto: 30." in mini.text

    # A match to 21 points can be begun.
    match = starter.begin(mini, option_target="21")
    assert match.status.target == 21


def test_invalid_target_of_mini_is_refused(starter: Starter) -> None:
    mini = starter.page(variante="mini")
    for wrong_target in ("trenta", "0"):  # "thirty" in letters, and no points at all
        refused = starter.refused(mini, option_target=wrong_target)
        # The error is "Target, write a number from 1 to 9,999,999."
        assert refused.errors == ["Traguardo: scrivi un numero da 1 a 9.999.999."]


def test_link_of_rulebook_begins_a_match_by_the_rules_shown(starter: Starter) -> None:
    # Somebody reads the rules of classica with choices of their own, and follows the link "Play".
    chosen = {"preset": "getty", "held-red-three": "once", "target": "7500"}
    rulebook = starter.client.get("/regole/classica", query_string=chosen)
    page = starter.client.get(rulebook.links()["Gioca"])
    assert page.is_unfolded("rules")

    # The match that begins has these rules.
    rules = starter.begin(page).rules
    assert rules.preset == "getty"
    assert rules.options["held-red-three"] == "once"
    assert rules.options["target"] == 7500


def test_unknown_choices_in_address_are_ignored(starter: Starter) -> None:
    unknown = {"preset": "nessuna", "wild-limit": "sette", "target": "x"}
    page = starter.page(variante="classica", **unknown)
    rules = starter.begin(page).rules

    # These are the usual rules of classica.
    assert rules.preset == "wikipedia"
    assert rules.options["wild-limit"] == "three"
    assert rules.options["target"] == 5000


# ---------------------------------------------------------------- who plays


def offered_dealers(page: Page) -> list[str]:
    """Return who may deal first, clockwise around the table."""
    return fieldset(page, "Chi dà le carte per primo").texts("label")  # "Who deals first"


@pytest.fixture
def page_with_known_players(client: Client) -> Page:
    """The page of a new match on a phone on which Ada and Ugo have played against Bea and Leo.

    Bea and Leo had a name as a side, "Nipoti".
    """
    four = {"player_0_0": "Ada", "player_0_1": "Ugo", "player_1_0": "Bea", "player_1_1": "Leo"}
    start(client, **four, name_1="Nipoti")
    return client.get(NEW_MATCH_URL)


def known_players(page: Page, **attributes: str) -> list[str]:
    """Return the buttons of players who have played on this phone before."""
    return page.one(class_="known").texts("button", name="player", **attributes)


def test_tap_seats_a_known_player_and_second_tap_removes_it(
    starter: Starter, page_with_known_players: Page
) -> None:
    # The page offers the players who have played on this phone before.
    not_seated = known_players(page_with_known_players, aria_pressed="false")
    assert not_seated == ["Ada", "Ugo", "Bea", "Leo"]

    # Leo and Ada are tapped. They sit down as the first side.
    page = starter.send(page_with_known_players, {"player": "Leo"})
    page = starter.send(page, {"player": "Ada"})
    assert players(page) == ["Leo", "Ada", "", ""]
    assert known_players(page, aria_pressed="true") == ["Ada", "Leo"]
    assert offered_dealers(page) == [
        "Leo (Noi)",
        "Loro, giocatore 1",  # "They, player 1"
        "Ada (Noi)",
        "Loro, giocatore 2",
    ]
    assert page.is_unfolded("names")

    # Leo is tapped again, and his seat is free.
    page = starter.send(page, {"player": "Leo"})
    assert players(page) == ["", "Ada", "", ""]


def test_tap_seats_a_known_pair_on_the_first_free_side(
    starter: Starter, page_with_known_players: Page
) -> None:
    # The page offers the pairs who have played on this phone before. One had a name, "Nipoti".
    pairs = page_with_known_players.texts("button", name="pair")
    assert pairs == ["Ada e Ugo", "Nipoti: Bea e Leo"]

    # The button of a pair sends its name, if it has one, and its players. Bea and Leo sit down, and
    # are not offered any more.
    page = starter.send(page_with_known_players, {"pair": "Nipoti\tBea\tLeo"})
    assert page.texts("button", name="pair") == ["Ada e Ugo"]

    # Ada and Ugo are the other side, without a name of their own.
    page = starter.send(page, {"pair": "\tAda\tUgo"})
    assert side_names(page) == ["Nipoti", "Loro"]
    assert players(page) == ["Bea", "Leo", "Ada", "Ugo"]


@pytest.mark.parametrize("sent", CASES["taps"])
def test_invalid_tap_changes_no_name(starter: Starter, sent: dict[str, str]) -> None:
    # One case is a tap on a pair of three players: {"pair": "a\tb\tc\td"}.
    page = starter.send(starter.page(), sent)
    assert players(page) == ["", "", "", ""]


def test_players_of_another_device_are_not_offered(
    guest: Client, page_with_known_players: Page
) -> None:
    assert page_with_known_players.all(class_="known")
    assert not guest.get(NEW_MATCH_URL).all(class_="known")


def test_tap_seats_known_players_in_a_match_of_three(
    starter: Starter, page_with_known_players: Page
) -> None:
    # In the variant for three ("tre") everybody plays alone. Bea and Ada have played on this phone
    # before, and are tapped.
    page = starter.send(page_with_known_players, {"switch": "tre"})
    page = starter.send(page, {"player": "Bea"})
    page = starter.send(page, {"player": "Ada"})
    assert side_names(page) == ["Bea", "Ada", "Giocatore 3"]  # "Player 3"
    assert page.all("button", name="pair") == []

    # The third player is typed, and is known from now on.
    starter.begin(page, name_2="Cleo")
    assert "Cleo" in known_players(starter.page())


def test_draw_seats_all_players_and_chooses_the_dealer(
    starter: Starter, page_with_known_players: Page
) -> None:
    four = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}

    # Somebody lets the page draw lots for the seats.
    page = starter.send(page_with_known_players, four | {"draw": "seats"})
    assert sorted(players(page)) == ["Ada", "Bea", "Leo", "Ugo"]

    # Partners sit opposite each other, so that the sides alternate around the table.
    noi_1, noi_2, loro_1, loro_2 = players(page)
    clockwise = [f"{noi_1} (Noi)", f"{loro_1} (Loro)", f"{noi_2} (Noi)", f"{loro_2} (Loro)"]
    assert offered_dealers(page) == clockwise
    first_three = ", ".join(clockwise[:3])
    notice = page.one("p", class_="notice").text
    # The page says "Drawn. Clockwise, …" and names the players.
    assert notice.startswith(f"Sorteggiato. In senso orario: {first_three} e {clockwise[3]}")

    # The dealer that was drawn is that of the match.
    side, seat = starter.begin(page).begins.dealer
    assert f"{side}-{seat}" == first_dealer(page)


def first_dealer(page: Page) -> str:
    """Return who is chosen to deal first: `1-0` is the first player of the second side."""
    return page.one("input", name="dealer", checked="")["value"]


def test_draws_differ(starter: Starter, page_with_known_players: Page) -> None:
    four = {"player-0-0": "Ada", "player-0-1": "Ugo", "player-1-0": "Bea", "player-1-1": "Leo"}
    seatings = set()
    dealers = set()

    # The button draws lots for the seats of four players, and for who deals first. If they are
    # drawn at random, 25 draws are never all the same.
    for _ in range(25):
        page = starter.send(page_with_known_players, four | {"draw": "seats"})
        seatings.add(tuple(players(page)))
        dealers.add(first_dealer(page))

    assert len(seatings) > 1
    assert len(dealers) > 1


def test_draw_of_three_keeps_default_name_of_unnamed_player(starter: Starter) -> None:
    # Of three players ("tre") the third one has no name. They draw lots for the seats.
    named = {"name-0": "Ada", "name-1": "Bea", "draw": "seats"}
    page = starter.send(starter.page(variante="tre"), named)

    names = side_names(page)
    assert len(set(names)) == 3
    assert "Ada" in names
    assert "Bea" in names
    # The third one is called "Player 1", 2 or 3, after the seat that was drawn.
    for seat, name in enumerate(names, start=1):
        assert name in ("Ada", "Bea", f"Giocatore {seat}")


def test_one_tap_begins_a_match_of_classica(starter: Starter) -> None:
    # There is no variant "bridge". The page shows the usual one: "4 players, to 5,000 points".
    page = starter.page(variante="bridge")
    assert "Canasta classica, 4 giocatori, si arriva a 5.000" in page.text
    assert page.one("button", class_="primary").text == "Comincia: Canasta classica"

    # The button "Begin: classic canasta" is pressed, with nothing typed.
    state = starter.begin(page, name_0="", name_1="  ")

    assert state.rules.variant == "classica"
    assert state.rules.preset == "wikipedia"
    assert [side.name for side in state.sides] == ["Noi", "Loro"]


def test_enter_key_begins_the_match(starter: Starter) -> None:
    # The enter key presses the first button of a form. The button that begins the match is the last
    # one. So it is there a second time as the first one, where nobody sees it.
    buttons = starter.page().form("Comincia: ").all("button")
    pressed_by_enter = buttons[0]
    visible_button = buttons[-1]

    assert pressed_by_enter.text == visible_button.text
    assert pressed_by_enter.get("name") == ""
    assert pressed_by_enter["aria-hidden"] == "true"
    assert pressed_by_enter["tabindex"] == "-1"


# ---------------------------------------------------------------- in a browser


def test_browser_offers_typed_names_as_dealers(open_page: OpenPage) -> None:
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()

    # The first player of the second side gets a name, and so does the first side.
    page.locator("#player-1-0").fill("Bea")
    page.locator("#name-0").fill("Nonni")

    # Among the players who may deal first, these two change: Bea, and "player 1" of the Nonni.
    expect(page.locator("label[for=dealer-1]")).to_have_text("Bea (Loro)")
    expect(page.locator("label[for=dealer]")).to_have_text("Nonni, giocatore 1")


def test_browser_updates_rule_lines_when_a_choice_changes(open_page: OpenPage) -> None:
    # The rules are unfolded, and among them the one of wild cards in a meld.
    page = open_page("/partite/nuova")
    title = page.locator("#rules > summary")
    title.tap()
    wild_cards = page.locator(".rule", has=page.locator("#option-wild-limit"))
    wild_cards.locator("summary").first.tap()

    # The second choice is "at most three, and never more than the natural cards". The title says
    # "Our rules: 1 differs".
    wild_cards.locator("label").nth(1).tap()
    stricter = "al massimo tre, e mai più delle carte naturali"
    expect(wild_cards.locator(".rule-value")).to_have_text(stricter)
    expect(title).to_have_text("Le nostre regole: 1 diversa")

    # The first choice is the usual one. Now the rules are those of a source again.
    wild_cards.locator("label").first.tap()
    expect(title).to_have_text("Regole: Wikipedia")


def test_browser_seats_and_draws_players_without_reload(
    new_match: NewMatch, open_page: OpenPage
) -> None:
    # Four players have played on this phone before. The page is marked, to see whether it stays.
    new_match(players=(("Ada", "Ugo"), ("Bea", "Leo")))
    page = open_page("/partite/nuova")
    page.locator("#names > summary").tap()
    page.locator("#place").fill("Rimini")
    page.evaluate("document.body.dataset.same = 'yes'")

    # Leo is tapped, and sits down as the first player of the first side.
    page.get_by_role("button", name="Leo", exact=True).tap()
    expect(page.locator("#player-0-0")).to_have_value("Leo")

    # The pair Ada and Ugo is tapped, and is the second side.
    page.get_by_role("button", name="Ada e Ugo").tap()
    expect(page.locator("#player-1-1")).to_have_value("Ugo")
    expect(page.locator("label[for=dealer-1]")).to_have_text("Ada (Loro)")

    # The button "Draw" is tapped: "Drawn." Nothing that was typed is lost.
    page.get_by_role("button", name="Sorteggia").tap()
    expect(page.locator("#drawn")).to_contain_text("Sorteggiato.")
    expect(page.locator("#place")).to_have_value("Rimini")
    assert page.evaluate("document.body.dataset.same") == "yes", "no other page was loaded"
