"""Two phones that write the same hand: what they typed in different fields is joined, in the same
field it is asked.
"""

from __future__ import annotations

import pytest

from tests.web.client import Page, Visit
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.scorer import differences, let_in, shown_values
from tests.web.tables import read_tables

PHONES = read_tables("hand_page")["phones"]
KEEP_MINE = "Tieni quello che ho scritto io"
JOINED = "Intanto un altro telefono ha scritto in questa smazzata"
REST = {"a.left": "20", "b.cards": "200", "b.left": "40", "out": "nobody"}
"""What is still to be typed of a hand once the cards of `a` are: 280 and 160 points with 300."""


@pytest.fixture
def one(player: Player) -> Player:
    return player


@pytest.fixture
def other(one: Player, visit: Visit) -> Player:
    """Another phone that may write in the same match."""
    return Player(let_in(one.client, one.match, visit()), one.pad, one.match)


@pytest.mark.parametrize("case", PHONES.values(), ids=PHONES.keys())
def test_what_two_phones_typed_stands_beside_each_other(
    one: Player, other: Player, case: dict[str, dict[str, str]]
) -> None:
    one.check(case["before"])
    page = one.open()
    late = other.open()

    one.check(case["mine"], page)
    joined = other.check(case["theirs"], late)

    assert case["both"].items() <= shown_values(joined).items()


def test_the_same_field_typed_differently_is_asked_and_nothing_else(
    one: Player, other: Player
) -> None:
    late = other.open()
    one.check({"a.cards": "300", "a.left": "15"})
    theirs = {"a.cards": "305", "b.cards": "200", "out": "b"}

    assert other.answer_while_typing(theirs, late).status_code == 409
    conflict = other.check(theirs, late, status=409)

    assert differences(conflict) == [
        ["Noi: Carte calate", "300", "305"],
        ["Loro: Carte calate", "niente", "200"],
        ["Chi ha chiuso?", "niente", "Loro"],
    ]
    assert one.draft["a.cards"] == "300"
    stored = other.client.get(conflict.links()["Tieni quello che c'è"])
    assert shown_values(stored)["a.cards"] == "300"
    kept = other.client.submit(conflict, KEEP_MINE)
    assert {"a.cards": "305", "a.left": "15", "b.cards": "200"}.items() <= shown_values(
        kept
    ).items()


def test_where_one_figure_differs_the_buttons_name_it(one: Player, other: Player) -> None:
    late = other.open()
    one.check({"a.cards": "300"})

    conflict = other.check({"a.cards": "305"}, late, status=409)

    assert "Tieni 300" in conflict.links(), "the other phone has no name"
    kept = other.client.submit(conflict, "Tieni 305 (tu)")
    assert shown_values(kept)["a.cards"] == "305"


def test_cards_instead_of_totals_are_a_conflict_that_says_what_does_not_count(
    one: Player, other: Player
) -> None:
    late = other.open()
    one.check({"a.cards": "100", "b.sum": "50", "b.melds": "3xA"})

    theirs = {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"}
    conflict = other.check(theirs, late, status=409)

    assert differences(conflict) == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_what_does_not_count_is_no_conflict_and_is_kept_from_both(
    one: Player, other: Player
) -> None:
    late = other.open()
    # Beside a sum the rest of the side does not count.
    one.check({**REST, "a.cards": "335", "b.sum": "1105", "b.melds": "5x7"})

    mine = {**REST, "a.cards": " 335 ", "a.red_threes_held": "0", "b.cards": "", "b.sum": "1.105"}
    joined = other.while_typing(mine, late)

    assert joined.answer.headers["Scorepad-Joined"] == "1"
    assert joined.one("textarea", id="b-melds").text == "5x7"
    kept = {"a.cards": " 335 ", "b.melds": "5x7", "b.cards": "200", "b.sum": "1.105"}
    assert kept.items() <= one.draft.items()
    assert other.save(mine, late).url == other.match
    assert one.points == [[315, 1105]]


def test_a_hand_is_not_saved_with_figures_that_its_page_did_not_show(
    one: Player, other: Player
) -> None:
    late = other.open()
    one.check({"a.cards": "300"})

    joined = other.save(REST, late)
    assert JOINED in joined.text
    assert one.hands == []

    other.save({}, joined)
    assert one.points == [[280, 160]]


def test_a_penalty_noted_on_another_phone_is_shown_before_it_is_counted(
    one: Player, other: Player
) -> None:
    page = one.open()
    other.note("1")

    joined = one.save({**REST, "a.cards": "300"}, page)
    assert JOINED in joined.text
    assert "Pescata fuori turno, \N{MINUS SIGN}100" in joined.one(id="b-noted").text

    one.save({}, joined)
    assert one.points == [[280, 60]]


def test_a_penalty_noted_before_is_part_of_what_both_phones_save(
    one: Player, other: Player
) -> None:
    one.note("1")
    one.note("1", "house", points="25", reason="vino")
    whole = {**REST, "a.cards": "300"}
    same = other.open()
    late = other.open()
    one.save(whole)

    told = other.save(whole, same).notices[0]
    assert told.startswith("La smazzata 1 era già stata salvata")
    conflict = other.save({**whole, "b.left": "45"}, late, status=409)
    assert differences(conflict) == [["Loro: Carte in mano", "40", "45"]]

    other.save({}, other.client.submit(conflict, "Correggi con quello che ho scritto io"))
    # 300 - 20; 200 - 45 - 100 - 25
    assert one.points == [[280, 30]]
    assert len(one.hands[0].versions) == 2


# ---------------------------------------------------------------- back to an earlier hand


@pytest.fixture
def third(one: Player, other: Player) -> Page:
    """The page of the third hand on a phone, while another undid the second and the first."""
    for _ in range(2):
        one.save({**REST, "a.cards": "300"})
    page = other.open()
    for number in (2, 1):
        one.undo(f"Annulla la smazzata {number}")
    return page


def test_that_hands_were_undone_is_said_plainly_and_nothing_is_asked_of_who_typed_nothing(
    other: Player, third: Page
) -> None:
    page = other.save({}, third, status=409)

    assert page.one("h1").text == "Intanto la smazzata 1 è stata annullata"
    assert "ora si conta di nuovo da lì" in page.one(class_="lead").text
    assert page.all("table", "button") == []


def test_and_what_was_typed_of_a_later_one_is_shown_and_can_be_kept(
    other: Player, third: Page
) -> None:
    conflict = other.check({"b.cards": "85"}, third, status=409)
    assert differences(conflict) == [["Loro: Carte calate", "200", "85"]], "nothing else was typed"

    again = other.client.submit(conflict, KEEP_MINE)
    assert again.one("h1").text == "Smazzata 1"
    assert shown_values(again)["b.cards"] == "85"


def test_a_correction_of_an_undone_hand_is_told_while_it_is_typed(
    one: Player, other: Player
) -> None:
    one.play(HAND_430_TO_60)
    page = other.correct()
    one.undo("Annulla la smazzata 1")
    assert other.answer_while_typing({}, page).status_code == 409


def test_who_is_out_is_told_so_by_the_check_even_with_a_form_that_expired(
    one: Player, visit: Visit
) -> None:
    stranger = Player(visit(), one.pad, one.match)
    assert stranger.answer_while_typing({"a.cards": "300"}, one.open()).status_code == 404
