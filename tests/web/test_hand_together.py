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
    # An example from `hand_page.toml`: Noi have laid 300 and have 20 left, which is typed `before`.
    # Both phones open the form.
    first_phone.check(case["before"])
    page_of_first = first_phone.open()
    page_of_second = second_phone.open()

    # The first phone empties the field {"a.cards": ""}, and sends the form by its button "check",
    # which stores the draft. The second one types {"b.cards": "200"} and does the same.
    first_phone.check(case["mine"], page_of_first)
    merged = second_phone.check(case["theirs"], page_of_second)

    # The second phone is shown what both have done: {"a.cards": "", "a.left": "20", "b.cards":
    # "200"}.
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
    # The first phone has typed 300 for the cards of Noi, and what they have left. The second one has
    # typed 305, the cards of Loro, and that Loro went out.
    #
    # The page shows for each field that differs what is stored ("niente" is "nothing") and what was
    # typed here.
    assert differences(conflict) == [
        ["Noi: Carte calate", "300", "305"],
        ["Loro: Carte calate", "niente", "200"],
        ["Chi ha chiuso?", "niente", "Loro"],  # "Who went out?"
    ]

    # Nothing that is stored has changed.
    assert first_phone.draft["a.cards"] == "300"


def test_user_resolves_conflict_by_keeping_either_value(
    second_phone: Player, conflict: Page
) -> None:
    # The first phone has typed 300 for the cards that Noi laid ("a.cards"), and 15 for those left
    # ("a.left"). The second one has typed 305 for "a.cards", and 200 for "b.cards".

    # One choice on the second phone is "Keep what is there": the 300.
    keep_what_is_stored = conflict.links()["Tieni quello che c'è"]
    page_with_stored = second_phone.client.get(keep_what_is_stored)
    assert shown_values(page_with_stored)["a.cards"] == "300"

    # The other choice is "Keep what I have written": the 305 and the 200. What only the first phone
    # typed, the 15, stays too.
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
    # Both phones type that Loro ("they", side b) get 50, a sum which the players agreed on. Beside
    # it the melds of Loro do not count. They differ, three aces and three queens, and so does what
    # Noi laid.
    page_of_second = second_phone.open()
    first_phone.check({"a.cards": "100", "b.sum": "50", "b.melds": "3xA"})
    typed_on_second = {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"}
    conflict = second_phone.check(typed_on_second, page_of_second, status=HTTPStatus.CONFLICT)

    # Each line has the name of a field, its text from the first phone ("niente" is "nothing"), and
    # the one from the second. "Does not count" stands beside the melds of Loro.
    assert differences(conflict) == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_values_that_count_the_same_do_not_conflict(
    first_phone: Player, second_phone: Player
) -> None:
    # Loro ("they", side b) get 1,105, a sum that the players agreed on. Beside it the cards of Loro
    # do not count: they may stand in the form or not.
    page_of_second = second_phone.open()
    first_phone.check(
        {
            "a.cards": "335",
            "a.left": "20",
            "b.sum": "1105",
            "b.cards": "200",
            "b.melds": "5x7",
            "b.left": "40",
            "out": "nobody",
        }
    )

    # The second phone writes the same numbers in another way, and no cards of Loro. That Noi were
    # left with 0 red threes is the same as nothing typed.
    typed_on_second = {
        "a.cards": " 335 ",
        "a.red_threes_held": "0",
        "a.left": "20",
        "b.sum": "1.105",
        "b.cards": "",
        "b.left": "40",
        "out": "nobody",
    }
    merged = second_phone.while_typing(typed_on_second, page_of_second)

    # This is no conflict. Its page gets the cards of Loro, and a header says that something from
    # another phone is on it.
    assert merged.answer.headers["Scorepad-Joined"] == "1"
    assert merged.one("textarea", id="b-melds").text == "5x7"

    # The server has the numbers as the second phone wrote them, and the cards of Loro.
    draft = first_phone.draft
    assert draft["a.cards"] == " 335 "
    assert draft["b.sum"] == "1.105"
    assert draft["b.cards"] == "200"
    assert draft["b.melds"] == "5x7"

    # The second phone may save at once, as it was shown everything that counts.
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
    # After the first phone has opened the form of a hand, the second one notes a penalty for Loro
    # ("they", side 1, key "b"): a player of theirs drew out of turn, which costs 100.
    page = first_phone.open()
    second_phone.note(side="1", code="draw-out-of-turn")

    # The first phone types the hand and saves. It is not saved yet: the form is shown again, with
    # the penalty.
    whole_hand = {**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}
    form_with_penalty = first_phone.save(whole_hand, page)
    assert ANOTHER_PHONE_TYPED in form_with_penalty.text
    assert "Pescata fuori turno, −100" in form_with_penalty.one(id="b-noted").text
    assert first_phone.points == []

    # The first phone has seen it, and saves again.
    first_phone.save({}, form_with_penalty)
    assert first_phone.points == [[280, 60]]  # 300 − 20 and 200 − 40 − 100


def test_noted_penalties_are_part_of_hand_saved_by_either_phone(
    first_phone: Player, second_phone: Player
) -> None:
    # While a hand is played, two penalties are noted for Loro ("they", side 1): 100 for drawing out
    # of turn, and 25 that the players decided ("wine").
    first_phone.note(side="1", code="draw-out-of-turn")
    first_phone.note(side="1", code="house", points="25", reason="vino")

    # The second phone opens the form of the hand in two tabs. Then the first phone types the hand
    # and saves it.
    first_tab = second_phone.open()
    second_tab = second_phone.open()
    whole_hand = {**FORM_WITHOUT_CARDS_OF_NOI, "a.cards": "300"}
    first_phone.save(whole_hand)
    assert first_phone.points == [[280, 35]]  # 300 − 20 and 200 − 40 − 100 − 25

    # The second phone saves the same in its first tab: "Hand 1 had already been saved".
    page = second_phone.save(whole_hand, first_tab)
    assert page.notices[0].startswith("La smazzata 1 era già stata salvata")

    # In its second tab it saves the hand with 45 left for Loro. Only this field differs from the
    # saved hand: the penalties are part of both.
    different = {**whole_hand, "b.left": "45"}
    conflict = second_phone.save(different, second_tab, status=HTTPStatus.CONFLICT)
    assert differences(conflict) == [["Loro: Carte in mano", "40", "45"]]

    # It chooses "Correct with what I have written". The penalties still count in the correction.
    correction = second_phone.submit(conflict, "Correggi con quello che ho scritto io")
    second_phone.save({}, correction)
    assert first_phone.points == [[280, 30]]  # 300 − 20 and 200 − 45 − 100 − 25
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
    # Two hands were saved, each with 200 for the cards of Loro. The second phone opened the form of
    # the third one. Then the first phone undid both, and so the server has the first hand as a draft
    # again.
    #
    # The second phone types 85 for the cards of Loro in its form. They differ from those 200.
    typed = {"b.cards": "85"}
    conflict = second_phone.check(typed, page_of_third_hand, status=HTTPStatus.CONFLICT)
    assert differences(conflict) == [["Loro: Carte calate", "200", "85"]]

    # The user chooses "Keep what I have written". It now stands in the form of the first hand.
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
