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
from tests.web.scorer import differences, error_links, hand_form, shown_values
from tests.web.tables import read_tables
from tests.web.worked_hands import BY_VARIANT, INVALID, Case, begin

CASES = read_tables("hand_variants")


# ---------------------------------------------------------------- the fields, by name

FIELDS = CASES["fields"]


def fields_of(page: Page) -> set[str]:
    """The names of everything that may be typed or chosen."""
    names = set()
    for control in hand_form(page).all("input", "select", "textarea"):
        if control.get("name") and control.get("type") != "hidden":
            names.add(control["name"])
    return names


def first_side_fields(page: Page) -> set[str]:
    return {name.removeprefix("a.") for name in fields_of(page) if name.startswith("a.")}


def fields_of_a_side(variant: str) -> set[str]:
    """What a side of this variant is asked for, by `hand_variants.toml`."""
    if variant in FIELDS["instead"]:
        return set(FIELDS["instead"][variant].split())
    return set(FIELDS["usual"].split()) | set(FIELDS["more"].get(variant, "").split())


@pytest.mark.parametrize("variant", variant_ids())
def test_a_variant_has_exactly_its_fields(begin: Begin, variant: str) -> None:
    """By `hand_variants.toml`; `a.`, `b.` and `c.` are the fields of each side."""
    fields_of_hand = FIELDS["hand_instead"].get(variant, FIELDS["of_the_hand"])
    expected = set(fields_of_hand.split())
    for key in SIDE_KEYS[: len(settle(variant).settings.sides)]:
        for name in fields_of_a_side(variant):
            expected.add(f"{key}.{name}")

    assert fields_of(begin(variant).open()) == expected


@pytest.mark.parametrize(
    ("variant", "options", "more"),
    [
        ("bolivia", {"option_dirty_escalera": "true"}, {"canastas.dirty-samba"}),
        ("cubana", {"option_concealed_canasta": "100"}, {"canastas.concealed-canasta"}),
    ],
)
def test_an_option_brings_its_field(
    begin: Begin, variant: str, options: dict[str, str], more: set[str]
) -> None:
    page = begin(variant, **options).open()
    assert first_side_fields(page) == fields_of_a_side(variant) | more


@pytest.mark.parametrize("players", ["2", "3"])
def test_in_mini_a_side_of_one_player_has_one_field_for_what_is_in_hand(
    client: Client, pad: Pad, players: str
) -> None:
    new = client.get(f"/partite/nuova?variante=mini&players={players}")
    match = client.submit(new, "Comincia: ").url
    page = Player(client, pad, match).open()
    assert first_side_fields(page) == fields_of_a_side("mini") - {"left.1"}


# ---------------------------------------------------------------- what things are called


@pytest.mark.parametrize("case", CASES["named"])
def test_things_are_called_as_the_players_of_the_variant_call_them(
    begin: Begin, case: dict[str, Any]
) -> None:
    """For example "Canaste di sette 1.000", a row of messicana with what each is worth."""
    page = begin(case["variant"]).open()
    names_with_worth = page.texts("div", class_="name")
    for name in case["rows"]:
        assert name in names_with_worth
    assert case.get("in_full", "") in page.text


@pytest.mark.parametrize("case", CASES["going_out"])
def test_what_going_out_needs_and_brings_is_told_by_families(
    begin: Begin, case: dict[str, str]
) -> None:
    """Kinds of canastas that count alike are a family."""
    page = begin(case["variant"]).open()
    assert case["fact"] in page.one(id="live").one("ul").texts("li")


def test_the_bonus_for_many_canastas_is_called_so(begin: Begin) -> None:
    canastas = {"a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "4"}
    typed = {
        **canastas,
        "a.cards": "500",
        "b.cards": "0",
        "out": "a",
        "discard": "9",
        **TEN_LEFT_EACH,
    }
    page = begin("canastone").while_typing(typed)
    assert "Chiusura con almeno 5 canaste +1.000" in page.text


@pytest.mark.parametrize("variant", ["canastone", "moderna"])
def test_what_totals_do_not_say_is_no_warning_on_every_hand(begin: Begin, variant: str) -> None:
    typed = {"a.cards": "300", "b.cards": "200", "out": "nobody", **TEN_LEFT_EACH}
    page = begin(variant).while_typing(typed)
    assert page.all("p", class_="message") == []
    assert "I totali non dicono con quali carte si è aperto" in page.one(id="live").one("ul").text


@pytest.mark.parametrize(
    ("variant", "is_open", "text"),
    [
        ("classica", False, ""),
        ("canastone", True, "L'ultimo scarto è obbligatorio: né una matta né un 3."),
        ("moderna", True, "L'ultimo scarto è obbligatorio: anche una matta, mai un 3."),
    ],
)
def test_an_obligatory_last_discard_is_asked_for_and_not_folded_away(
    begin: Begin, variant: str, is_open: bool, text: str
) -> None:
    rest = begin(variant).open().one("details", id="rest")
    assert rest.has("open") is is_open
    assert text in rest.text


def test_hand_and_foot_says_which_of_the_four_hands_it_is(begin: Begin) -> None:
    page = begin("hand-and-foot").open()
    assert page.heading == "Smazzata 1 di 4"
    assert "Ognuno gioca 2 mani, una dopo l'altra: la mano e il piede (pozzetto)." in page.text


# -------------------------------------------------------- refused, with the reason beside the field

TEN_LEFT_EACH = {"a.left": "10", "b.left": "10"}


@pytest.mark.parametrize("case", CASES["refused"])
def test_a_wrong_hand_is_refused_beside_its_field_and_all_that_was_typed_stays(
    begin: Begin, case: dict[str, Any]
) -> None:
    player = begin(case["variant"])
    field = case["field"]

    page = player.save(case["typed"])

    notes = notes_beside(page, field) + notes_beside(page, "hand")
    assert case["message"] in " ".join(notes)
    assert f"#{field.replace('.', '-')}" in error_links(page)
    assert case["typed"].items() <= shown_values(page).items()


def hand_for_each_broken_rule(variant: str) -> list[Case]:
    """A worked hand of the variant for each rule that one breaks."""
    found: dict[str, Case] = {}
    for case in INVALID:
        if case.asked["variant"] == variant and case.broken:
            found.setdefault(case.broken, case)
    return list(found.values())


@pytest.mark.quick(5)
@pytest.mark.parametrize("variant", BY_VARIANT)
def test_every_broken_rule_leads_to_a_field(client: Client, pad: Pad, variant: str) -> None:
    for case in hand_for_each_broken_rule(variant):
        match = begin(pad, client, case)
        if match is None:
            continue
        page = Player(client, pad, match).save(case.values)
        assert page.errors, case.name
        # That each link leads to an element of the page, the client checks.
        assert len(error_links(page)) == len(page.errors), case.name


# ---------------------------------------------------------------- the pair of tagliagola

FORM_OF_THREE = {
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
"""Anna alone 500 + 100 + 100 + 100 = 800; the pair 300 + 150 − 10 − 5 = 435, and 200 for Carlo's
red threes.
"""


@pytest.fixture
def three(begin: Begin) -> Player:
    """A match of tagliagola, in which who takes the pile first plays alone against the two others."""
    return begin("tagliagola", name_0="Anna", name_1="Bea", name_2="Carlo")


def test_the_melds_of_the_pair_are_written_once_and_red_threes_are_personal(
    three: Player,
) -> None:
    page = three.check(FORM_OF_THREE)
    anna, bea, carlo = column_heads(page)
    assert "Gioca da solo, contro la coppia" in anna
    assert "In coppia con Carlo" in bea
    assert "si scrivono una volta sola: stanno nella scheda di Bea." in carlo
    assert sides_asked_for_cards(page) == "ab"
    assert hand_sums(page) == ["+800", "+435", "+635"]

    three.save({}, page)
    assert three.points == [[800, 435, 635]]


@pytest.mark.parametrize("case", CASES["pair"], ids=[case["name"] for case in CASES["pair"]])
def test_a_pair_writes_what_it_laid_in_one_column(three: Player, case: dict[str, Any]) -> None:
    page = three.check(case["typed"])
    assert sides_asked_for_cards(page) == case["shown"]
    assert case["typed"].items() <= shown_values(page).items()


@pytest.mark.parametrize("typed", [{"concealed": "on"}, {"b.melds": "7xK\n3x3b"}])
def test_what_only_the_one_who_went_out_may_lay_counts_as_that_players(
    three: Player, typed: dict[str, str]
) -> None:
    """Bea and Carlo are the pair, whose melds stand in Bea's column; Carlo went out."""
    form = {"single": "a", "a.cards": "0", "a.left": "20", "b.melds": "7xK", "b.left": "10"}
    three.save({**form, "out": "c", **typed})
    melds_of_carlo = shown_values(three.correct())["c.melds"]
    assert melds_of_carlo.startswith("7xK"), "shown where it counts"


def test_as_long_as_nobody_said_who_took_the_pile_nothing_is_said_of_what_hangs_on_it(
    three: Player,
) -> None:
    form = {
        "a.cards": "0",
        "b.melds": "3xQ",
        "c.cards": "60",
        "out": "a",
        "a.left": "5",
        "b.left": "5",
        "c.left": "5",
    }

    page = three.while_typing(form)
    assert page.one(id="bar-problems").all("li") == []
    assert "Di' chi ha preso il pozzo per primo" in " ".join(still_missing(page))
    assert hand_sums(page) == ["–", "–", "–"]

    page = three.while_typing({**form, "b.melds": "3xQ K"})
    assert "Errore: " in notes_beside(page, "b.melds")[0]


# ---------------------------------------------------------------- the special hands of moderna


def test_a_special_hand_takes_the_place_of_everything_and_clears_nothing(begin: Begin) -> None:
    """A straight, shown at once, is worth 3,000 and ends the hand; the penalty takes 100 away."""
    player = begin("moderna")
    typed = {
        "a.canastas.natural-canasta": "1",
        "a.cards": "335",
        "a.left": "40",
        "a.penalties.draw-out-of-turn": "1",
        "a.special": "straight",
        "b.cards": "0",
        "b.left": "85",
    }

    page = player.check(typed)
    assert hand_sums(page) == ["+2.900", "−85"]
    assert page.one(id="out-shown").text == "Chiusura di Noi, con la mano speciale."
    assert typed.items() <= shown_values(page).items()

    player.save({}, page)
    assert player.points == [[2900, -85]]
    assert player.hands[0].counted.hand.out.side == 0
    assert shown_values(player.correct())["a.special"] == "straight"


# ---------------------------------------------------------------- melds


@pytest.mark.parametrize("case", CASES["meld"])
def test_a_meld_says_what_it_is_as_it_grows(begin: Begin, case: dict[str, Any]) -> None:
    player = begin(case["variant"], **case.get("options", {}))
    page = player.check({"a.melds": case["cards"]})
    (meld,) = page.one(id="a-melds-list").texts("li")
    assert meld.endswith(f": {case['message']}")


@pytest.mark.parametrize("case", CASES["unfinished"])
def test_a_sequence_with_gaps_or_a_black_three_is_unfinished_while_cards_can_complete_it(
    begin: Begin, case: dict[str, Any]
) -> None:
    player = begin(case["variant"], **case.get("options", {}))
    page = player.while_typing({"a.melds": case["cards"]})
    assert notes_beside(page, "a.melds")[0].startswith(case["tone"])


# ---------------------------------------------------------------- what is in hand


@pytest.mark.parametrize(("variant", "typed", "fields"), CASES["asked_for"])
def test_every_hand_is_asked_for_but_that_of_whoever_went_out(
    begin: Begin, variant: str, typed: dict[str, str], fields: list[str]
) -> None:
    """Who went out has no cards left."""
    page = begin(variant).while_typing({"b.cards": "0", **typed})
    links = page.one(id="bar-missing").all("a")
    assert [link["href"] for link in links] == fields


def test_hands_noted_as_one_stay_so_until_they_are_written_apart(begin: Begin) -> None:
    """What both players of a side hold may stand in one field, or each hand in its own."""
    player = begin("sette")
    together = {"a.melds": "5xA", "a.left.all": "9 7 4", "b.cards": "0", "b.left": "85"}
    player.save({**together, "out": "nobody"})

    page = player.correct()
    assert shown_values(page)["a.left.all"] == "9 7 4"
    assert "Attenzione: " in notes_beside(page, "a.left.all")[0]

    page = player.save({"a.left.0": "4 9"}, page, status=422)
    assert error_links(page) == ["#a-left-all"]

    player.save({"a.left.all": "", "a.left.1": "7"}, page)
    assert counted_side(player) == {"melds": ["5xA"], "left": ["9 4", "7"]}


@pytest.mark.parametrize(("typed", "expected_side"), CASES["held"])
def test_players_with_too_many_of_a_rank_count_only_beside_points(
    begin: Begin, typed: dict[str, str], expected_side: dict[str, object]
) -> None:
    """`aces_held`, how many players hold too many aces, is seen from the cards where they are typed."""
    player = begin("moderna")
    rest = {"a.cards": "0", "a.aces_held": "1", "b.cards": "0", "b.left": "5", "out": "nobody"}
    player.save({**rest, **typed})
    assert counted_side(player) == expected_side


def counted_side(player: Player) -> object:
    """The first side of the hand that was counted, in JSON."""
    return encode_hand(player.hands[0].counted.hand, SIDE_KEYS)["sides"]["a"]


def test_in_mini_a_side_says_which_cards_it_laid_or_that_it_laid_none(begin: Begin) -> None:
    held = {"a.left.0": "9", "a.left.1": "0", "b.left.0": "4 9", "b.left.1": "0"}
    page = begin("mini").while_typing({**held, "b.melds": "0", "out": "nobody"})
    assert still_missing(page) == ["Quali carte sono state calate da Noi? (0 se nessuna)"]


# ---------------------------------------------------------------- limits, and two phones


@pytest.mark.parametrize(("variant", "field", "most"), CASES["most"])
def test_a_stepper_counts_no_further_than_there_are(
    begin: Begin, variant: str, field: str, most: str
) -> None:
    """For example four red threes in two decks, and ten in five."""
    page = begin(variant).check({field: "17"})
    assert page.one("input", name=field)["data-most"] == most
    assert shown_values(page)[field] == "17", "what somebody typed stays"


@pytest.mark.parametrize(("variant", "field", "values", "difference"), CASES["differ"])
def test_two_pages_on_one_hand_of_any_variant_show_what_differs(
    begin: Begin, variant: str, field: str, values: list[str], difference: list[str]
) -> None:
    player = begin(variant)
    page = player.open()
    player.check({field: values[0]}, page)
    conflict = player.check({field: values[1]}, page, status=409)
    assert differences(conflict) == [difference]
