"""Two phones that write the same hand: what they typed in different fields is joined, in the same
field it is asked.
"""

from __future__ import annotations

from http import HTTPStatus

import pytest

from tests.web.client import Page, Visit
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.scorer import differences, shown_values
from tests.web.tables import read_tables

PHONES = read_tables("hand_page")["phones"]
KEEP_WHAT_I_TYPED = "Tieni quello che ho scritto io"
ANOTHER_PHONE_TYPED = "Intanto un altro telefono ha scritto in questa smazzata"
"""Meanwhile another phone has typed into this hand."""
FORM_WITHOUT_CARDS_OF_NOI = {"a.left": "20", "b.cards": "200", "b.left": "40", "out": "nobody"}
"""Only the cards laid by Noi ("we", side a) are missing. With 300 for them it is 280 to 160."""


@pytest.fixture
def first_phone(player: Player) -> Player:
    """Start a match on a phone."""
    return player


@pytest.fixture
def second_phone(first_phone: Player, visit: Visit) -> Player:
    """Let another phone into the match, which may write to it too."""
    return Player(first_phone.let_in(visit()), first_phone.pad, first_phone.match)


@pytest.mark.parametrize("case", PHONES.values(), ids=PHONES.keys())
def test_inputs_of_two_phones_in_different_fields_are_merged(
    first_phone: Player, second_phone: Player, case: dict[str, dict[str, str]]
) -> None:
    # An example from `hand_page.toml`: the first phone types {"a.cards": "300"} and the second
    # {"b.cards": "200"}. Both have opened the form before.
    first_phone.check(case["before"])
    page_of_first = first_phone.open()
    page_of_second = second_phone.open()

    first_phone.check(case["mine"], page_of_first)
    merged = second_phone.check(case["theirs"], page_of_second)

    # The second phone is shown what both have typed.
    assert case["both"].items() <= shown_values(merged).items()


@pytest.fixture
def conflict(first_phone: Player, second_phone: Player) -> Page:
    """Type different values for the cards of Noi on two phones. Returns the page that tells the
    second phone of it.
    """
    page_of_second = second_phone.open()
    first_phone.check({"a.cards": "300", "a.left": "15"})
    typed_on_second = {"a.cards": "305", "b.cards": "200", "out": "b"}

    # What somebody types is sent while they type, and then by a button.
    live_check = second_phone.answer_while_typing(typed_on_second, page_of_second)
    assert live_check.status_code == HTTPStatus.CONFLICT
    return second_phone.check(typed_on_second, page_of_second, status=HTTPStatus.CONFLICT)


def test_conflict_of_two_phones_shows_stored_and_typed_values(
    first_phone: Player, conflict: Page
) -> None:
    # Each line has a field, what is stored ("niente" is "nothing") and what was typed here.
    assert differences(conflict) == [
        ["Noi: Carte calate", "300", "305"],
        ["Loro: Carte calate", "niente", "200"],
        ["Chi ha chiuso?", "niente", "Loro"],  # "Who went out?"
    ]
    assert first_phone.draft["a.cards"] == "300"


def test_user_resolves_conflict_by_keeping_either_value(
    second_phone: Player, conflict: Page
) -> None:
    # The stored values are 300 for the cards of Noi and 15 for those left. Here 305 was typed for
    # the former, and 200 for the cards of Loro. One choice is "Keep what is there".
    keep_what_is_stored = conflict.links()["Tieni quello che c'è"]
    page_with_stored = second_phone.client.get(keep_what_is_stored)
    assert shown_values(page_with_stored)["a.cards"] == "300"

    # The other is "Keep what I have written". What only the first phone typed stays too.
    page_with_typed = second_phone.submit(conflict, KEEP_WHAT_I_TYPED)
    values = shown_values(page_with_typed)
    assert values["a.cards"] == "305"
    assert values["a.left"] == "15"
    assert values["b.cards"] == "200"


def test_conflict_in_one_field_shows_its_values_on_buttons(
    first_phone: Player, second_phone: Player
) -> None:
    # Both phones type only this field, with different values.
    page_of_second = second_phone.open()
    first_phone.check({"a.cards": "300"})

    conflict = second_phone.check({"a.cards": "305"}, page_of_second, status=HTTPStatus.CONFLICT)

    # The choices are short: "Keep 300", "Keep 305 (you)".
    assert "Tieni 300" in conflict.links()
    page_with_305 = second_phone.submit(conflict, "Tieni 305 (tu)")
    assert shown_values(page_with_305)["a.cards"] == "305"


def test_conflict_marks_cards_that_do_not_count(first_phone: Player, second_phone: Player) -> None:
    # On both phones Loro ("they", side b) have an agreed sum, beside which their melds do not
    # count.
    page_of_second = second_phone.open()
    first_phone.check({"a.cards": "100", "b.sum": "50", "b.melds": "3xA"})
    typed_on_second = {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"}
    conflict = second_phone.check(typed_on_second, page_of_second, status=HTTPStatus.CONFLICT)

    # Field, what is stored, what was typed here. "Does not count" stands beside the melds of Loro.
    assert differences(conflict) == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_values_that_count_the_same_do_not_conflict(
    first_phone: Player, second_phone: Player
) -> None:
    # Loro ("they", side b) have a sum that the players agreed on. Their cards do not count beside
    # it.
    page_of_second = second_phone.open()
    rest = FORM_WITHOUT_CARDS_OF_NOI
    first_phone.check({**rest, "a.cards": "335", "b.sum": "1105", "b.melds": "5x7"})

    # The second phone writes the same numbers in another way, and no cards of Loro.
    same_numbers = {"a.cards": " 335 ", "a.red_threes_held": "0", "b.sum": "1.105"}
    typed_on_second = {**rest, **same_numbers, "b.cards": ""}
    merged = second_phone.while_typing(typed_on_second, page_of_second)

    # The draft has what the second phone wrote, and the cards of Loro from the first.
    assert merged.answer.headers["Scorepad-Joined"] == "1"
    assert merged.one("textarea", id="b-melds").text == "5x7"
    draft = first_phone.draft
    assert draft["a.cards"] == " 335 "
    assert draft["b.melds"] == "5x7"
    assert draft["b.cards"] == "200"
    assert draft["b.sum"] == "1.105"

    # It can be saved at once: nothing on the page of the second phone is wrong.
    saved = second_phone.save(typed_on_second, page_of_second)
    assert saved.url == second_phone.match
    assert first_phone.points == [[315, 1105]]  # 335 − 20, and the sum


def test_hand_is_not_saved_with_values_not_shown_on_page(
    first_phone: Player, second_phone: Player
) -> None:
    # After the second phone has opened the form, the first one types the cards of Noi.
    page_of_second = second_phone.open()
    first_phone.check({"a.cards": "300"})

    # The second phone types the rest and saves. It is shown the form with the cards of Noi first.
    merged = second_phone.save(FORM_WITHOUT_CARDS_OF_NOI, page_of_second)
    assert ANOTHER_PHONE_TYPED in merged.text
    assert first_phone.hands == []

    # Then it saves what it has seen.
    second_phone.save({}, merged)
    assert first_phone.points == [[280, 160]]  # 300 − 20, 200 − 40


def test_penalty_noted_on_another_phone_is_shown_before_save(
    first_phone: Player, second_phone: Player
) -> None:
    # After the first phone has opened the form, the second one notes a penalty of 100 for Loro
    # ("they", side 1, key "b").
    page = first_phone.open()
    second_phone.note("1")

    # The first phone saves the hand. It is shown the form with the penalty ("drawn out of turn")
    # first.
    merged = first_phone.save({**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}, page)
    assert ANOTHER_PHONE_TYPED in merged.text
    assert "Pescata fuori turno, −100" in merged.one(id="b-noted").text

    # Then it saves what it has seen.
    first_phone.save({}, merged)
    assert first_phone.points == [[280, 60]]  # 300 − 20 and 200 − 40 − 100


def test_noted_penalties_are_part_of_hand_saved_by_either_phone(
    first_phone: Player, second_phone: Player
) -> None:
    # Two penalties are noted for Loro ("they", side 1): one of 100, and one that the players made
    # up.
    first_phone.note("1")
    first_phone.note("1", "house", points="25", reason="vino")

    # The second phone opens the form twice. Then the first one saves the hand.
    form = {**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}
    page_of_second = second_phone.open()
    other_page_of_second = second_phone.open()
    first_phone.save(form)

    # The second phone saves the same: "Hand 1 had already been saved".
    same = second_phone.save(form, page_of_second)
    already_saved = "La smazzata 1 era già stata salvata"
    assert same.notices[0].startswith(already_saved)

    # It saves another value. The penalties are no difference.
    different = {**form, "b.left": "45"}
    conflict = second_phone.save(different, other_page_of_second, status=HTTPStatus.CONFLICT)
    assert differences(conflict) == [["Loro: Carte in mano", "40", "45"]]

    # It chooses "Correct with what I have written". The penalties still count.
    correction = second_phone.submit(conflict, "Correggi con quello che ho scritto io")
    second_phone.save({}, correction)
    # 300 − 20 and 200 − 45 − 100 − 25
    assert first_phone.points == [[280, 30]]
    assert len(first_phone.hands[0].versions) == 2


# ---------------------------------------------------------------- back to an earlier hand


@pytest.fixture
def page_of_third_hand(first_phone: Player, second_phone: Player) -> Page:
    """Open the form of the third hand on the second phone, and undo the first two on the first."""
    for _ in range(2):
        first_phone.save({**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"})
    page = second_phone.open()
    first_phone.undo("Annulla la smazzata 2")
    first_phone.undo("Annulla la smazzata 1")
    return page


def test_empty_hand_after_undone_hands_is_told_of_undo_without_choices(
    second_phone: Player, page_of_third_hand: Page
) -> None:
    # The second phone saves a form in which nothing is typed. The hands before have been undone.
    page = second_phone.save({}, page_of_third_hand, status=HTTPStatus.CONFLICT)

    # "Meanwhile hand 1 has been undone" and "now counting goes on from there"
    assert page.heading == "Intanto la smazzata 1 è stata annullata"
    assert "ora si conta di nuovo da lì" in page.one(class_="lead").text
    # There is nothing to choose between.
    assert page.all("table", "button") == []


def test_hand_typed_after_undone_hands_can_be_kept(
    second_phone: Player, page_of_third_hand: Page
) -> None:
    # On the second phone the form of the third hand is open, but the hands before have been undone.
    # So the draft is that of the first hand again, with 200 for the cards of Loro.
    typed = {"b.cards": "85"}
    conflict = second_phone.check(typed, page_of_third_hand, status=HTTPStatus.CONFLICT)
    assert differences(conflict) == [["Loro: Carte calate", "200", "85"]]

    # The user keeps what was typed here, now for the first hand.
    page_with_typed = second_phone.submit(conflict, KEEP_WHAT_I_TYPED)
    assert page_with_typed.heading == "Smazzata 1"
    assert shown_values(page_with_typed)["b.cards"] == "85"


def test_correction_of_undone_hand_conflicts_while_typing(
    first_phone: Player, second_phone: Player
) -> None:
    # The second phone corrects a hand, and the first one undoes it.
    first_phone.play(HAND_430_TO_60)
    correction = second_phone.correct()
    first_phone.undo("Annulla la smazzata 1")

    live_check = second_phone.answer_while_typing({}, correction)

    assert live_check.status_code == HTTPStatus.CONFLICT


def test_live_check_of_phone_without_access_is_not_found(first_phone: Player, visit: Visit) -> None:
    # A phone that is not in the match sends the form of another phone. That its token is wrong too
    # is not said, as it would be to a phone of the match.
    stranger = Player(visit(), first_phone.pad, first_phone.match)
    form_of_first = first_phone.open()
    live_check = stranger.answer_while_typing({"a.cards": "300"}, form_of_first)
    assert live_check.status_code == HTTPStatus.NOT_FOUND
