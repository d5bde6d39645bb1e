"""The page of a hand in each variant: its fields and no others, its names, its questions, and what it
refuses.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.rules.hand import encode_hand
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.web.client import Client, Page
from tests.web.counting import (
    column_heads,
    hand_sums,
    notes_beside,
    sides_asked_for_cards,
    still_missing,
)
from tests.web.player import Begin, Player
from tests.web.scorer import differences, error_links, hand_form, link_to, shown_values
from tests.web.tables import read_tables
from tests.web.worked_hands import BY_VARIANT, INVALID, Case, begin

CASES = read_tables("hand_variants")


# ---------------------------------------------------------------- the fields, by name

FIELDS = CASES["fields"]


def fields_of(page: Page) -> set[str]:
    """List the names of all fields of the form that may be typed into or chosen."""
    names = set()
    for control in hand_form(page).all("input", "select", "textarea"):
        if control.get("name") and control.get("type") != "hidden":
            names.add(control["name"])
    return names


def first_side_fields(page: Page) -> set[str]:
    """List the fields of the first side without the key of the side: `cards` for `a.cards`."""
    return {name.removeprefix("a.") for name in fields_of(page) if name.startswith("a.")}


def fields_of_whole_hand(variant: str) -> set[str]:
    """List the fields that are not of a side, such as `out`, as `hand_variants.toml` says."""
    # A few variants have other ones than usual.
    return set(FIELDS["hand_instead"].get(variant, FIELDS["of_the_hand"]).split())


def fields_of_a_side(variant: str) -> set[str]:
    """List the fields that each side must have in a variant, as `hand_variants.toml` says."""
    # Mini has fields of its own. The others have the usual ones, and some have more.
    if variant in FIELDS["instead"]:
        return set(FIELDS["instead"][variant].split())
    usual_fields = FIELDS["usual"].split()
    more_fields = FIELDS["more"].get(variant, "").split()
    return {*usual_fields, *more_fields}


@pytest.mark.parametrize("variant", variant_ids())
def test_page_has_exactly_the_fields_of_its_variant(begin: Begin, variant: str) -> None:
    # The form has fields of the whole hand, such as "out" (who went out).
    expected_fields = fields_of_whole_hand(variant)

    # It also has fields of each side, such as "cards": "a.cards", "b.cards" and, if three sides play
    # against each other, "c.cards".
    number_of_sides = len(settle(variant).settings.sides)
    for key in "abc"[:number_of_sides]:
        for name in fields_of_a_side(variant):
            expected_fields.add(f"{key}.{name}")

    page = begin(variant).open()
    assert fields_of(page) == expected_fields


@pytest.mark.parametrize(
    ("variant", "options", "added_field"),
    [
        ("bolivia", {"option_dirty_escalera": "true"}, "canastas.dirty-samba"),
        ("cubana", {"option_concealed_canasta": "100"}, "canastas.concealed-canasta"),
    ],
)
def test_option_adds_its_field(
    begin: Begin, variant: str, options: dict[str, str], added_field: str
) -> None:
    # The option gives points to a kind of canasta, whose number must then be typed.
    page = begin(variant, **options).open()
    assert first_side_fields(page) == fields_of_a_side(variant) | {added_field}


@pytest.mark.parametrize("players", ["2", "3"])
def test_mini_for_single_players_has_one_field_for_cards_left(
    client: Client, pad: Pad, players: str
) -> None:
    # In the variant mini two or three may play, each alone.
    start_page = client.get(f"/partite/nuova?variante=mini&players={players}")
    match = client.submit(start_page, "Comincia: ").url
    page = Player(client, pad, match).open()

    # A pair has a field for the cards in hand of each of its players.
    field_of_second_player = "left.1"
    assert first_side_fields(page) == fields_of_a_side("mini") - {field_of_second_player}


# ---------------------------------------------------------------- what things are called


@pytest.mark.parametrize("case", CASES["named"])
def test_page_uses_names_and_points_of_variant(begin: Begin, case: dict[str, Any]) -> None:
    # An example from `hand_variants.toml`: the page of messicana has the row "Canaste di sette
    # 1.000", where the number of canastas of sevens is typed, each for 1,000 points.
    page = begin(case["variant"]).open()
    names_with_points = page.texts("div", class_="name")
    for name in case["rows"]:
        assert name in names_with_points
    assert case.get("in_full", "") in page.text


@pytest.mark.parametrize("case", CASES["going_out"])
def test_page_states_requirements_and_bonus_of_going_out(
    begin: Begin, case: dict[str, str]
) -> None:
    # An example from `hand_variants.toml`: in bolivia "Premio di chiusura: 200, anche in mano", the
    # bonus for going out is 200, also if it is concealed (all cards at once).
    page = begin(case["variant"]).open()
    facts = page.one(id="live").one("ul").texts("li")
    assert case["fact"] in facts


def test_canastone_names_bonus_for_going_out_with_five_canastas(begin: Begin) -> None:
    # Noi go out with five canastas, of which one is natural. In this variant it gives 1,000.
    typed = {
        "a.canastas.natural-canasta": "1",
        "a.canastas.mixed-canasta": "4",
        "a.cards": "500",
        "b.cards": "0",
        "out": "a",
        "discard": "9",
        **TEN_LEFT_EACH,
    }
    page = begin("canastone").while_typing(typed)
    # "Went out with at least 5 canastas"
    assert "Chiusura con almeno 5 canaste +1.000" in page.text


@pytest.mark.parametrize("variant", ["canastone", "moderna"])
def test_totals_without_cards_give_no_warning(begin: Begin, variant: str) -> None:
    # In these variants not every meld may be a side's first one. Both sides have typed only points,
    # from which nobody can tell with which cards they opened.
    typed = {"a.cards": "300", "b.cards": "200", "out": "nobody", **TEN_LEFT_EACH}

    page = begin(variant).while_typing(typed)

    # That is usual, so it is no warning beside each field, but one line of the facts.
    assert page.all("p", class_="message") == []
    facts = page.one(id="live").one("ul")
    assert "I totali non dicono con quali carte si è aperto" in facts.text


@pytest.mark.parametrize(
    ("variant", "is_open", "text"),
    [
        ("classica", False, ""),
        ("canastone", True, "L'ultimo scarto è obbligatorio: né una matta né un 3."),
        ("moderna", True, "L'ultimo scarto è obbligatorio: anche una matta, mai un 3."),
    ],
    ids=["not obligatory", "neither a wild card nor a three", "a wild card but no three"],
)
def test_obligatory_last_discard_is_unfolded(
    begin: Begin, variant: str, is_open: bool, text: str
) -> None:
    # Whoever goes out discards a last card, which is obligatory in some variants. The field for it
    # is in a part of the page that is folded in the others.
    page = begin(variant).open()
    assert page.is_unfolded("rest") is is_open
    assert text in page.one("details", id="rest").text


def test_hand_and_foot_numbers_its_four_hands(begin: Begin) -> None:
    page = begin("hand-and-foot").open()
    assert page.heading == "Smazzata 1 di 4"  # "Hand 1 of 4"
    # Each player plays two hands of cards, called the hand and the foot, one after the other.
    assert "Ognuno gioca 2 mani, una dopo l'altra: la mano e il piede (pozzetto)." in page.text


# -------------------------------------------------------- refused, with the reason beside the field

TEN_LEFT_EACH = {"a.left": "10", "b.left": "10"}


@pytest.mark.parametrize("case", CASES["refused"])
def test_wrong_hand_shows_error_beside_field_and_keeps_input(
    begin: Begin, case: dict[str, Any]
) -> None:
    # An example from `hand_variants.toml`: in cubana Noi and Loro together have typed five black
    # threes, and beside "b.black_threes_aside" the page says that the pack has four.
    player = begin(case["variant"])

    page = player.save(case["typed"])

    field = case["field"]
    notes = notes_beside(page, field) + notes_beside(page, "hand")
    assert case["message"] in " ".join(notes)
    assert link_to(field) in error_links(page)
    assert case["typed"].items() <= shown_values(page).items()


def one_hand_for_each_broken_rule(variant: str) -> list[Case]:
    """Find the first hand of `tests/cases` in a variant for each rule that one of them breaks."""
    hands: dict[str, Case] = {}
    for case in INVALID:
        if case.asked["variant"] == variant and case.broken:
            hands.setdefault(case.broken, case)
    return list(hands.values())


@pytest.mark.quick(5)
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_broken_rule_links_to_a_field(client: Client, pad: Pad, variant: str) -> None:
    for case in one_hand_for_each_broken_rule(variant):
        match = begin(pad, client, case)
        if match is None:  # no match begins with the totals of this case
            continue

        page = Player(client, pad, match).save(case.values)

        # Every error is a link. The client checks that each leads to an element of the page.
        assert page.errors, case.name
        assert len(error_links(page)) == len(page.errors), case.name


# ---------------------------------------------------------------- the pair of tagliagola

FORM_800_435_635 = {
    "single": "a",
    "a.canastas.natural-canasta": "1",
    "a.cards": "100",
    "a.red_threes": "1",
    "b.canastas.mixed-canasta": "1",
    "b.cards": "150",
    "b.left": "10",
    "c.red_threes": "2",
    "c.left": "5",
    "out": "a",
}
"""Anna (a) plays alone: 500 for a natural canasta + 100 for cards + 100 for a red three + 100 for
going out = 800. Bea (b) and Carlo (c) are a pair: 300 for a mixed canasta + 150 − 10 − 5 = 435.
Carlo has 200 more for two red threes.
"""


@pytest.fixture
def tagliagola_player(begin: Begin) -> Player:
    """Start a match of tagliagola for three. In each hand the player who takes the pile first plays
    alone against the pair of the other two.
    """
    return begin("tagliagola", name_0="Anna", name_1="Bea", name_2="Carlo")


def test_pair_shares_melds_but_not_red_threes(tagliagola_player: Player) -> None:
    # Anna plays alone against Bea and Carlo, who lay their melds together.
    page = tagliagola_player.check(FORM_800_435_635)

    # "Plays alone against the pair." "In a pair with Carlo." The melds of the pair "are written
    # only once, and stand in Bea's column".
    anna, bea, carlo = column_heads(page)
    assert "Gioca da solo, contro la coppia" in anna
    assert "In coppia con Carlo" in bea
    assert "si scrivono una volta sola: stanno nella scheda di Bea." in carlo
    assert sides_asked_for_cards(page) == "ab"

    # Both players of the pair score its 435. Only Carlo has two red threes, for 200.
    assert hand_sums(page) == ["+800", "+435", "+635"]

    tagliagola_player.save({}, page)
    assert tagliagola_player.points == [[800, 435, 635]]


@pytest.mark.parametrize("case", CASES["pair"], ids=[case["name"] for case in CASES["pair"]])
def test_cards_of_pair_are_entered_in_one_column(
    tagliagola_player: Player, case: dict[str, Any]
) -> None:
    # Three play, each with a column: a, b and c. One of them is alone (`single`) against the pair of
    # the other two, who lay their cards together. An example from `hand_variants.toml`: if
    # {"single": "a", "out": "c"} is typed, a is alone and c went out.
    typed = case["typed"]
    page = tagliagola_player.check(typed)

    # In this example only the columns "ac" ask for cards: those of the pair are typed in c.
    assert sides_asked_for_cards(page) == case["shown"]

    # What was typed still stands in the form.
    values = shown_values(page)
    assert values.items() >= typed.items()


@pytest.mark.parametrize(
    "typed",
    [{"concealed": "on"}, {"b.melds": "7xK\n3x3b"}],
    ids=["all cards laid at once", "black threes"],
)
def test_melds_of_pair_count_for_partner_who_went_out(
    tagliagola_player: Player, typed: dict[str, str]
) -> None:
    # Anna (a) plays alone. The melds of the pair, seven kings, are entered in Bea's column (b).
    form = {"single": "a", "a.cards": "0", "a.left": "20", "b.melds": "7xK", "b.left": "10"}

    # Carlo (c) goes out. Only who goes out may do so concealed or lay black threes, so the melds
    # are his.
    tagliagola_player.save({**form, "out": "c", **typed})

    melds_of_carlo = shown_values(tagliagola_player.correct())["c.melds"]
    assert melds_of_carlo.startswith("7xK")


def test_scores_are_hidden_until_single_player_is_known(tagliagola_player: Player) -> None:
    # Nobody has typed yet who took the pile first and so plays alone. Which cards belong together
    # depends on it.
    form = {
        "a.cards": "0",
        "b.melds": "3xQ",
        "c.cards": "60",
        "out": "a",
        "a.left": "5",
        "b.left": "5",
        "c.left": "5",
    }

    # The page asks "who took the pile first", and shows neither errors nor scores.
    page = tagliagola_player.while_typing(form)
    assert page.one(id="bar-problems").all("li") == []
    say_who_took_the_pile = "Di' chi ha preso il pozzo per primo"
    assert say_who_took_the_pile in " ".join(still_missing(page))
    assert hand_sums(page) == ["–", "–", "–"]

    # Three queens and a king are no meld, whoever plays alone.
    page = tagliagola_player.while_typing({**form, "b.melds": "3xQ K"})
    assert "Errore: " in notes_beside(page, "b.melds")[0]


# ---------------------------------------------------------------- the special hands of moderna


def test_special_hand_replaces_score_and_keeps_input(begin: Begin) -> None:
    # In the variant moderna a player who holds certain cards may show them, which ends the hand. The
    # side then gets a number of points for them, in place of all else: 3,000 for a straight. Only
    # penalties still count.
    player = begin("moderna")
    typed = {
        "a.special": "straight",
        "a.penalties.draw-out-of-turn": "1",  # a penalty of 100
        # This does not count beside a straight.
        "a.canastas.natural-canasta": "1",
        "a.cards": "335",
        "a.left": "40",
        # Loro laid nothing.
        "b.cards": "0",
        "b.left": "85",
    }

    # The form has the score, and all that was typed. It says "Noi went out, with the special hand."
    page = player.check(typed)
    assert hand_sums(page) == ["+2.900", "−85"]
    assert page.one(id="out-shown").text == "Chiusura di Noi, con la mano speciale."
    assert shown_values(page).items() >= typed.items()

    # The form is saved as it is. Noi, the side 0, went out in the saved hand.
    player.save({}, page)
    assert player.points == [[2900, -85]]
    saved_hand = player.hands[0].counted.hand
    assert saved_hand.out.side == 0

    # The form of its correction has the straight again.
    form_of_correction = player.correct()
    assert shown_values(form_of_correction)["a.special"] == "straight"


# ---------------------------------------------------------------- melds


@pytest.mark.parametrize("case", CASES["meld"])
def test_meld_is_described_by_its_kind(begin: Begin, case: dict[str, Any]) -> None:
    # An example from `hand_variants.toml`: in samba the cards "10h 9h 8h" (ten, nine and eight of
    # hearts) are a "scala", a sequence, for 30 points.
    player = begin(case["variant"], **case.get("options", {}))
    page = player.check({"a.melds": case["cards"]})
    meld = page.one(id="a-melds-list").one("li").text
    assert meld.endswith(f": {case['message']}")


@pytest.mark.parametrize("case", CASES["unfinished"])
def test_sequence_is_unfinished_if_cards_can_complete_it(
    begin: Begin, case: dict[str, Any]
) -> None:
    # Examples from `hand_variants.toml`, in samba: "10h 9h 7h" lacks the eight of hearts, which may
    # follow ("Da finire", to be completed). "10h 9s 8h" has two suits, which is an error.
    player = begin(case["variant"], **case.get("options", {}))
    page = player.while_typing({"a.melds": case["cards"]})
    note = notes_beside(page, "a.melds")[0]
    assert note.startswith(case["tone"])


# ---------------------------------------------------------------- what is in hand


@pytest.mark.parametrize(("variant", "typed", "fields"), CASES["asked_for"])
def test_cards_left_are_asked_for_unless_the_player_went_out(
    begin: Begin, variant: str, typed: dict[str, str], fields: list[str]
) -> None:
    # Whoever goes out has no cards left, so that this is not asked. An example from
    # `hand_variants.toml`, in a game for two: if a goes out ({"out": "a", "b.left": "85", …}), no
    # field is missing. If b goes out, "a.left" is.
    page = begin(variant).while_typing({"b.cards": "0", **typed})

    # The page has a list of what is still missing, with a link to each field: "#a-left".
    list_of_missing = page.one(id="bar-missing")
    assert list_of_missing.hrefs("a") == fields


def test_cards_left_of_both_players_can_be_split_in_correction(begin: Begin) -> None:
    # The cards left of both players of a side are typed into one field: a nine, a seven and a four.
    player = begin("sette")
    in_one_field = {"a.melds": "5xA", "a.left.all": "9 7 4", "b.cards": "0", "b.left": "85"}
    player.save({**in_one_field, "out": "nobody"})

    # In this variant it matters who was left with which sevens. The correction shows a warning.
    correction = player.correct()
    assert shown_values(correction)["a.left.all"] == "9 7 4"
    assert "Attenzione: " in notes_beside(correction, "a.left.all")[0]

    # Some cards are typed again into the field of the first player, which is refused.
    in_both_ways = player.save({"a.left.0": "4 9"}, correction, status=422)
    assert error_links(in_both_ways) == ["#a-left-all"]

    # The common field is emptied, and the rest goes into the field of the second player.
    player.save({"a.left.all": "", "a.left.1": "7"}, in_both_ways)
    assert saved_side_of_noi(player) == {"melds": ["5xA"], "left": ["9 4", "7"]}


@pytest.mark.parametrize(("typed", "expected_side"), CASES["held"])
def test_count_of_players_with_aces_is_ignored_beside_cards(
    begin: Begin, typed: dict[str, str], expected_side: dict[str, object]
) -> None:
    # In moderna a player who is left with three aces loses 1,500. The field "a.aces_held" has the
    # number of such players. Here it is one.
    player = begin("moderna")
    form = {"a.cards": "0", "a.aces_held": "1", "b.cards": "0", "b.left": "5", "out": "nobody"}

    # There are two cases. If only the points left in hand are typed ({"a.left": "60"}), the number
    # is saved: {"left": 60, "aces_held": 1}. If the cards left of both players are typed
    # ({"a.left.0": "3xA", "a.left.1": "4"}), it is not, because they already tell it: {"left":
    # ["3xA", "4"]}.
    player.save({**form, **typed})
    assert saved_side_of_noi(player) == expected_side


def saved_side_of_noi(player: Player) -> object:
    """Return what the first side has in the JSON of the first saved hand: `{"left": 60}`."""
    hand = player.hands[0].counted.hand
    return encode_hand(hand, SIDE_KEYS)["sides"]["a"]


def test_mini_asks_for_laid_cards_of_side_without_any(begin: Begin) -> None:
    # All players have typed which cards they have left, a nine or a four and a nine; "0" is none.
    # Loro laid nothing, which they say with a 0 too. Noi have not typed what they laid.
    left = {"a.left.0": "9", "a.left.1": "0", "b.left.0": "4 9", "b.left.1": "0"}
    page = begin("mini").while_typing({**left, "b.melds": "0", "out": "nobody"})

    # The page asks which cards Noi laid. A side that laid none types 0.
    cards_of_noi = "Quali carte sono state calate da Noi? (0 se nessuna)"
    assert still_missing(page) == [cards_of_noi]


# ---------------------------------------------------------------- limits, and two phones


@pytest.mark.parametrize(("variant", "field", "most"), CASES["most"])
def test_stepper_has_maximum_of_variant(begin: Begin, variant: str, field: str, most: str) -> None:
    # A stepper is a field with buttons for plus and minus. For red threes it stops at 4 in a game
    # of two decks, and at 10 in one of five. Typed numbers may be higher.
    page = begin(variant).check({field: "17"})
    assert page.one("input", name=field)["data-most"] == most
    assert shown_values(page)[field] == "17", "what somebody typed stays"


@pytest.mark.parametrize(("variant", "field", "values", "difference"), CASES["differ"])
def test_conflict_names_field_and_values_of_variant(
    begin: Begin, variant: str, field: str, values: list[str], difference: list[str]
) -> None:
    # An example from `hand_variants.toml`: on two pages of moderna somebody chooses "a.special",
    # once pairs and once garbage. They are shown as "Noi: Mano speciale", "coppie", "spazzatura".
    player = begin(variant)
    page = player.open()
    stored, typed = values
    player.check({field: stored}, page)
    conflict = player.check({field: typed}, page, status=409)
    assert differences(conflict) == [difference]
