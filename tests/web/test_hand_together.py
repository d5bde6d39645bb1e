"""Two phones that write the same hand: what they typed in different fields is joined, in the same
field it is asked.
"""

from __future__ import annotations

import pytest

from tests.web.client import Page, Visit
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.scorer import differences, shown_values
from tests.web.tables import read_tables

PHONES = read_tables("hand_page")["phones"]
KEEP_MINE = "Tieni quello che ho scritto io"
JOINED = "Intanto un altro telefono ha scritto in questa smazzata"
FORM_WITHOUT_CARDS_OF_NOI = {"a.left": "20", "b.cards": "200", "b.left": "40", "out": "nobody"}
"""With 300 for the cards of Noi the hand is 280 to 160."""


@pytest.fixture
def first(player: Player) -> Player:
    """A phone that writes in a match."""
    return player


@pytest.fixture
def second(first: Player, visit: Visit) -> Player:
    """Another phone that may write in the same match."""
    return Player(first.let_in(visit()), first.pad, first.match)


@pytest.mark.parametrize("case", PHONES.values(), ids=PHONES.keys())
def test_what_two_phones_typed_stands_beside_each_other(
    first: Player, second: Player, case: dict[str, dict[str, str]]
) -> None:
    first.check(case["before"])
    page_of_first = first.open()
    page_of_second = second.open()

    first.check(case["mine"], page_of_first)
    joined = second.check(case["theirs"], page_of_second)

    assert case["both"].items() <= shown_values(joined).items()


def test_the_same_field_typed_differently_is_asked_and_nothing_else(
    first: Player, second: Player
) -> None:
    late = second.open()
    first.check({"a.cards": "300", "a.left": "15"})
    typed_on_second = {"a.cards": "305", "b.cards": "200", "out": "b"}

    assert second.answer_while_typing(typed_on_second, late).status_code == 409
    conflict = second.check(typed_on_second, late, status=409)

    # The field, what is stored and what was typed here.
    assert differences(conflict) == [
        ["Noi: Carte calate", "300", "305"],
        ["Loro: Carte calate", "niente", "200"],
        ["Chi ha chiuso?", "niente", "Loro"],
    ]
    assert first.draft["a.cards"] == "300"

    with_stored = second.client.get(conflict.links()["Tieni quello che c'è"])
    assert shown_values(with_stored)["a.cards"] == "300"

    values = shown_values(second.submit(conflict, KEEP_MINE))
    assert values["a.cards"] == "305"
    assert values["a.left"] == "15"
    assert values["b.cards"] == "200"


def test_where_one_figure_differs_the_buttons_name_it(first: Player, second: Player) -> None:
    late = second.open()
    first.check({"a.cards": "300"})

    conflict = second.check({"a.cards": "305"}, late, status=409)

    assert "Tieni 300" in conflict.links(), "the other phone has no name"
    kept = second.submit(conflict, "Tieni 305 (tu)")
    assert shown_values(kept)["a.cards"] == "305"


def test_cards_instead_of_totals_are_a_conflict_that_says_what_does_not_count(
    first: Player, second: Player
) -> None:
    """Beside a sum (`b.sum`) the cards of the side do not count."""
    late = second.open()
    first.check({"a.cards": "100", "b.sum": "50", "b.melds": "3xA"})

    typed_on_second = {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"}
    conflict = second.check(typed_on_second, late, status=409)

    assert differences(conflict) == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_what_does_not_count_is_no_conflict_and_is_kept_from_both(
    first: Player, second: Player
) -> None:
    late = second.open()
    # Beside a sum the rest of the side does not count.
    rest = FORM_WITHOUT_CARDS_OF_NOI
    first.check({**rest, "a.cards": "335", "b.sum": "1105", "b.melds": "5x7"})

    same_figures = {"a.cards": " 335 ", "a.red_threes_held": "0", "b.sum": "1.105"}
    typed_on_second = {**rest, **same_figures, "b.cards": ""}
    joined = second.while_typing(typed_on_second, late)

    assert joined.answer.headers["Scorepad-Joined"] == "1"
    assert joined.one("textarea", id="b-melds").text == "5x7"
    draft = first.draft
    assert draft["a.cards"] == " 335 "
    assert draft["b.melds"] == "5x7"
    assert draft["b.cards"] == "200"
    assert draft["b.sum"] == "1.105"

    saved = second.save(typed_on_second, late)
    assert saved.url == second.match
    assert first.points == [[315, 1105]]


def test_a_hand_is_not_saved_with_figures_that_its_page_did_not_show(
    first: Player, second: Player
) -> None:
    late = second.open()
    first.check({"a.cards": "300"})

    joined = second.save(FORM_WITHOUT_CARDS_OF_NOI, late)
    assert JOINED in joined.text
    assert first.hands == []

    second.save({}, joined)
    assert first.points == [[280, 160]]


def test_a_penalty_noted_on_another_phone_is_shown_before_it_is_counted(
    first: Player, second: Player
) -> None:
    page = first.open()
    second.note("1")  # a penalty of 100 for Loro

    joined = first.save({**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}, page)
    assert JOINED in joined.text
    assert "Pescata fuori turno, −100" in joined.one(id="b-noted").text

    first.save({}, joined)
    assert first.points == [[280, 60]]


def test_a_penalty_noted_before_is_part_of_what_both_phones_save(
    first: Player, second: Player
) -> None:
    first.note("1")
    first.note("1", "house", points="25", reason="vino")
    whole_form = {**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}
    page_of_the_same = second.open()
    page_of_another = second.open()
    first.save(whole_form)

    saved_before = second.save(whole_form, page_of_the_same)
    assert saved_before.notices[0].startswith("La smazzata 1 era già stata salvata")

    conflict = second.save({**whole_form, "b.left": "45"}, page_of_another, status=409)
    assert differences(conflict) == [["Loro: Carte in mano", "40", "45"]]

    correction = second.submit(conflict, "Correggi con quello che ho scritto io")
    second.save({}, correction)
    # 300 − 20; 200 − 45 − 100 − 25
    assert first.points == [[280, 30]]
    assert len(first.hands[0].versions) == 2


# ---------------------------------------------------------------- back to an earlier hand


@pytest.fixture
def page_of_third_hand(first: Player, second: Player) -> Page:
    """On the second phone, while the first one undid the second hand and the first."""
    for _ in range(2):
        first.save({**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"})
    page = second.open()
    first.undo("Annulla la smazzata 2")
    first.undo("Annulla la smazzata 1")
    return page


def test_that_hands_were_undone_is_said_plainly_and_nothing_is_asked_of_who_typed_nothing(
    second: Player, page_of_third_hand: Page
) -> None:
    page = second.save({}, page_of_third_hand, status=409)

    assert page.heading == "Intanto la smazzata 1 è stata annullata"
    assert "ora si conta di nuovo da lì" in page.one(class_="lead").text
    assert page.all("table", "button") == []


def test_what_was_typed_of_a_hand_after_the_undone_ones_is_shown_and_can_be_kept(
    second: Player, page_of_third_hand: Page
) -> None:
    conflict = second.check({"b.cards": "85"}, page_of_third_hand, status=409)
    assert differences(conflict) == [["Loro: Carte calate", "200", "85"]], "nothing else was typed"

    again = second.submit(conflict, KEEP_MINE)
    assert again.heading == "Smazzata 1"
    assert shown_values(again)["b.cards"] == "85"


def test_a_correction_of_an_undone_hand_is_told_while_it_is_typed(
    first: Player, second: Player
) -> None:
    first.play(HAND_430_TO_60)
    page = second.correct()
    first.undo("Annulla la smazzata 1")
    assert second.answer_while_typing({}, page).status_code == 409


def test_who_is_out_is_told_so_by_the_check_even_with_a_form_that_expired(
    first: Player, visit: Visit
) -> None:
    stranger = Player(visit(), first.pad, first.match)
    answer = stranger.answer_while_typing({"a.cards": "300"}, first.open())
    assert answer.status_code == 404
