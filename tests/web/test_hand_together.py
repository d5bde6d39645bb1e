"""Two phones that write the same hand: what they typed in different fields is joined, in the same
field it is asked.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page
from tests.web.counting import beside, read_cases
from tests.web.playing import ALL_GOOD, play, start
from tests.web.scorer import Scorer, differences, let_in, shown_values

PHONES = read_cases("hand_page")["phones"]
JOINED = "Intanto un altro telefono ha scritto in questa smazzata"
REST = {"a.left": "20", "b.cards": "200", "b.left": "40", "out": "nobody"}
"""What is still to be typed of a hand once the cards of `a` are: 280 and 160 points with 300."""


@pytest.fixture
def one(client: Client, pad: Pad) -> Scorer:
    return Scorer(client, pad, start(client))


@pytest.fixture
def other(one: Scorer, visit: Callable[..., Client]) -> Scorer:
    """Another phone that may write in the same match."""
    return Scorer(let_in(one.client, one.match, visit()), one.pad, one.match)


def penalize(scorer: Scorer, **chosen: str) -> None:
    """Note a penalty of the second side during play."""
    page = scorer.client.get(f"{scorer.match}/penalita")
    scorer.client.submit(page, "Segna la penalità", side="1", **chosen)


@pytest.mark.parametrize("case", PHONES.values(), ids=PHONES.keys())
def test_what_two_phones_typed_stands_beside_each_other(
    one: Scorer, other: Scorer, case: dict[str, dict[str, str]]
) -> None:
    one.check(case["before"])
    page, late = one.open(), other.open()
    one.check(case["mine"], page)
    assert case["both"].items() <= shown_values(other.check(case["theirs"], late)).items()


def test_the_same_field_typed_differently_is_asked_and_nothing_else(
    one: Scorer, other: Scorer
) -> None:
    page, late = one.open(), other.open()
    one.check({"a.cards": "300", "a.left": "15"}, page)
    theirs = {"a.cards": "305", "b.cards": "200", "out": "b"}
    assert other.answer_while_typing(theirs, late).status_code == 409
    page = other.check(theirs, late, 409)
    assert differences(page) == [
        ["Noi: Carte calate", "300", "305"],
        ["Loro: Carte calate", "niente", "200"],
        ["Chi ha chiuso?", "niente", "Loro"],
    ]
    assert one.draft["a.cards"] == "300"
    stored = other.client.get(page.links()["Tieni quello che c'è"])
    assert shown_values(stored)["a.cards"] == "300"
    kept = shown_values(other.client.submit(page, "Tieni quello che ho scritto io"))
    assert [kept[name] for name in ("a.cards", "a.left", "b.cards")] == ["305", "15", "200"]


def test_where_one_figure_differs_the_buttons_name_it(one: Scorer, other: Scorer) -> None:
    page, late = one.open(), other.open()
    one.check({"a.cards": "300"}, page)
    page = other.check({"a.cards": "305"}, late, 409)
    assert "Tieni 300" in page.links(), "the other phone has no name"
    kept = other.client.submit(page, "Tieni 305 (tu)")
    assert shown_values(kept)["a.cards"] == "305"


def test_the_same_line_of_melds_typed_differently_is_asked(one: Scorer, other: Scorer) -> None:
    page, late = one.open(), other.open()
    one.check({"a.melds": "5xK\n4x9"}, page)
    told = other.check({"a.melds": "5xK\n5x9"}, late, 409).one("tbody").text
    assert "4x9" in told
    assert "5x9" in told


def test_cards_instead_of_totals_are_a_conflict_that_says_what_does_not_count(
    one: Scorer, other: Scorer
) -> None:
    page, late = one.open(), other.open()
    one.check({"a.cards": "100", "b.sum": "50", "b.melds": "3xA"}, page)
    theirs = {"a.cards": "90", "a.melds": "7xK", "b.sum": "50", "b.melds": "3xQ"}
    assert differences(other.check(theirs, late, 409)) == [
        ["Noi: Carte calate", "100", "90"],
        ["Noi: Combinazioni calate", "niente", "7xK"],
        ["Loro: Combinazioni calate (non conta)", "3xA", "3xQ"],
    ]


def test_what_does_not_count_is_no_conflict_and_is_kept_from_both(
    one: Scorer, other: Scorer
) -> None:
    agreed = {**REST, "b.sum": "1105"}  # beside a sum the rest of the side does not count
    page, late = one.open(), other.open()
    one.check({**agreed, "a.cards": "335", "b.melds": "5x7"}, page)
    mine = {**agreed, "a.cards": " 335 ", "a.red_threes_held": "0", "b.cards": "", "b.sum": "1.105"}
    joined = other.while_typing(mine, late)
    assert joined.answer.headers["Scorepad-Joined"] == "1"
    assert joined.one("textarea", id="b-melds").text == "5x7"
    kept = {"a.cards": " 335 ", "b.melds": "5x7", "b.cards": "200", "b.sum": "1.105"}
    assert kept.items() <= one.draft.items()
    assert other.save(mine, late).url == other.match
    assert one.points == [[315, 1105]]


def test_where_one_side_is_counted_twice_it_is_said(one: Scorer, other: Scorer) -> None:
    page, late = one.open(), other.open()
    one.check({"a.melds": "4xK"}, page)
    joined = other.check({"a.cards": "200"}, late)
    assert shown_values(joined)["a.melds"] == "4xK"
    assert "Ci sono sia i totali sia le carte" in beside(joined, "a.cards")[0]


def test_a_hand_is_not_saved_with_figures_that_its_page_did_not_show(
    one: Scorer, other: Scorer
) -> None:
    page, late = one.open(), other.open()
    one.check({"a.cards": "300"}, page)
    shown = other.save(REST, late)
    assert JOINED in shown.text
    assert one.hands == []
    other.save({}, shown)
    assert one.points == [[280, 160]]


def test_a_penalty_noted_on_another_phone_is_shown_before_it_is_counted(
    one: Scorer, other: Scorer
) -> None:
    page = one.open()
    penalize(other, code="draw-out-of-turn")
    shown = one.save({**REST, "a.cards": "300"}, page)
    assert JOINED in shown.text
    assert "Pescata fuori turno, \N{MINUS SIGN}100" in shown.one(id="b-noted").text
    one.save({}, shown)
    assert one.points == [[280, 60]]


def test_a_penalty_noted_before_is_part_of_what_both_phones_save(
    one: Scorer, other: Scorer
) -> None:
    penalize(one, code="draw-out-of-turn")
    penalize(one, code="house", points="25", reason="vino")
    penalize(one, code="house", points="10", reason="pane")
    whole = {**REST, "a.cards": "300"}
    page, same, late = one.open(), other.open(), other.open()
    one.save(whole, page)
    assert other.save(whole, same).notices[0].startswith("La smazzata 1 era già stata salvata")
    both = other.save({**whole, "b.left": "45"}, late, 409)
    assert differences(both) == [["Loro: Carte in mano", "40", "45"]]
    hidden = both.values(both.one("form", class_="stale-choice"))
    assert hidden["b.penalties.draw-out-of-turn"] == "1"
    assert (hidden["b.house.0.points"], hidden["b.house.0.reason"]) == ("25", "vino")
    assert (hidden["b.house.1.points"], hidden["b.house.1.reason"]) == ("10", "pane")


# ---------------------------------------------------------------- back to an earlier hand


def undo(scorer: Scorer, times: int = 1) -> None:
    for number in range(times, 0, -1):
        page = scorer.client.get(scorer.match)
        scorer.client.submit(page, f"Annulla la smazzata {number}")
    assert scorer.hands == []


@pytest.fixture
def third(one: Scorer, other: Scorer) -> Page:
    """The page of the third hand on a phone, while another undid the second and the first."""
    for _ in range(2):
        one.save({**REST, "a.cards": "300"})
    page = other.open()
    undo(one, times=2)
    return page


def test_that_hands_were_undone_is_said_plainly_and_nothing_is_asked_of_who_typed_nothing(
    other: Scorer, third: Page
) -> None:
    page = other.save({}, third, 409)
    assert page.one("h1").text == "Intanto la smazzata 1 è stata annullata"
    assert "ora si conta di nuovo da lì" in page.one(class_="lead").text
    assert page.all("table", "button") == []
    assert "Guarda la partita" in page.links()


def test_and_what_was_typed_of_a_later_one_is_shown_and_can_be_kept(
    other: Scorer, third: Page
) -> None:
    page = other.check({"b.cards": "85"}, third, 409)
    assert differences(page) == [["Loro: Carte calate", "200", "85"]], "nothing else was typed"
    again = other.client.submit(page, "Tieni quello che ho scritto io")
    assert again.one("h1").text == "Smazzata 1"
    assert shown_values(again)["b.cards"] == "85"


def test_a_correction_of_an_undone_hand_is_told_while_it_is_typed(
    one: Scorer, other: Scorer
) -> None:
    play(one.pad, one.client, one.match, ALL_GOOD)
    page = other.correct()
    undo(one)
    assert other.answer_while_typing({}, page).status_code == 409


def test_who_is_out_is_told_so_by_the_check_even_with_a_form_that_expired(
    one: Scorer, visit: Callable[..., Client]
) -> None:
    stranger = Scorer(visit(), one.pad, one.match)
    assert stranger.answer_while_typing({"a.cards": "300"}, one.open()).status_code == 404
