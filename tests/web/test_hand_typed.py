"""What is typed into a hand: figures, sums, lines of cards, and the hand that comes of it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.i18n import Language
from scorepad.rules.cards import parse_cards
from scorepad.rules.hand import Out, encode_hand
from scorepad.rules.judging import Finding, judge
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS, check_usable
from scorepad.web.card_lines import add_card, remove_last_card
from scorepad.web.draft_comparison import DraftReader, count_the_same, merge_drafts
from scorepad.web.forms import Misread, read_figure, read_sum
from scorepad.web.hand_entry.field_messages import can_more_cards_correct
from scorepad.web.hand_fields import draft_from_form
from scorepad.web.typed_hand import read_draft

IT, EN = Language.ITALIAN, Language.ENGLISH
CLASSICA = settle("classica")
CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize(
    "typed", ["1500", "1.500", "1 500", " 1500 ", "1\u00a0500", "1\u202f500", "01500"]
)
@pytest.mark.parametrize("language", [IT, EN])
def test_a_figure_is_read_as_people_write_it(typed: str, language: Language) -> None:
    assert read_figure(typed, language) == 1500


def test_a_comma_groups_figures_in_english_only() -> None:
    assert read_figure("1,500", EN) == 1500
    assert read_figure("1,500", IT) is Misread.FIGURE


@pytest.mark.parametrize("typed", ["-50", "\u221250", "- 50"])
def test_a_minus_is_told_from_what_is_no_figure_at_all(typed: str) -> None:
    assert read_figure(typed, IT) is Misread.MINUS


@pytest.mark.parametrize(
    "typed", ["cento", "15.00", "1.5", "12a", "²", "٣", "1e3", "1.500.00", "+-3"]
)
def test_what_is_no_whole_number_is_no_figure(typed: str) -> None:
    assert read_figure(typed, IT) is Misread.FIGURE


def test_nothing_typed_is_nothing_and_too_much_is_too_much() -> None:
    assert read_figure("  ", IT) is None
    assert read_figure("9999999", IT) == 9_999_999
    assert read_figure("10000000", IT) is Misread.LARGE
    assert read_figure("9" * 500, IT) is Misread.LARGE


@pytest.mark.parametrize(
    ("text", "token", "grown"),
    [("", "K", "K"), ("K", "K", "2xK"), ("4xK", "K", "5xK"), ("4xk", "K", "5xK"), ("4xK ", "2", "4xK 2"),
     ("4xK 2", "2", "4xK 2x2"), ("10", "10", "2x10"), ("3xA 2x2", "JK", "3xA 2x2 JK")],
)  # fmt: skip
def test_a_tapped_card_joins_the_line(text: str, token: str, grown: str) -> None:
    assert add_card(text, token) == grown


def test_taking_the_last_card_away_undoes_the_tap() -> None:
    for text in ("K", "3xK", "4xK 2x2 JK", "10 10"):
        for token in ("K", "2", "JK", "10"):
            assert cards_in(remove_last_card(add_card(text, token))) == cards_in(text)
    assert remove_last_card("") == ""
    assert remove_last_card("2xK") == "K"


def cards_in(text: str) -> tuple[int, ...]:
    return parse_cards(text).counts


@pytest.mark.parametrize(
    ("typed", "comes_to"),
    [("120+85+40", 245), ("3x50+4x20", 230), ("3 × 50 + 7×20 + 2*10 + 1x5", 315), ("1.000+5", 1005), ("245", 245),
     ("120+", 120), ("3x", 3), ("0", 0), ("", None), ("  ", None)],
)  # fmt: skip
def test_a_cell_takes_sums_and_products(typed: str, comes_to: int | None) -> None:
    assert read_sum(typed, IT) == comes_to


@pytest.mark.parametrize(
    ("typed", "why"),
    [("120++5", "figure"), ("x5", "figure"), ("3x50-4", "figure"), ("-20", "minus"), ("+", "figure"),
     ("9999999+1", "large"), ("9999x9999x9999", "large"), ("1+" * 300 + "1", "figure")],
)  # fmt: skip
def test_what_is_no_sum_is_told(typed: str, why: str) -> None:
    assert read_sum(typed, IT) is Misread(why)


def test_only_where_it_may_be_below_zero_a_minus_stands_in_front() -> None:
    assert [read_sum(typed, IT, signed=True) for typed in ("-60", "− 3x20", "60", "5-3")] == [
        -60,
        -60,
        60,
        Misread.FIGURE,
    ]


FULL = {
    "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "2", "a.cards": "1.335",
    "a.red_threes": "1", "a.left": "15", "a.penalties.draw-out-of-turn": "2", "a.house.0.points": "25",
    "a.house.0.reason": "carte guardate", "a.opening": "3xQ\n3x8",
    "b.melds": "4xK 2x2 JK\n\n3x7",
    "b.left.0": "K 4", "b.red_threes_held": "1", "out": "a", "concealed": "on", "discard": "6",
}  # fmt: skip


def test_a_draft_becomes_the_hand_of_the_contract() -> None:
    parsed = read_draft(FULL, CLASSICA, IT)
    assert parsed.problems == ()
    assert encode_hand(parsed.hand, SIDE_KEYS) == {
        "sides": {
            "a": {
                "totals": {"canastas": {"natural-canasta": 1, "mixed-canasta": 2}, "cards": 1335},
                "red_threes": 1, "left": 15,
                "penalties": ["draw-out-of-turn", "draw-out-of-turn",
                              {"code": "house", "points": 25, "reason": "carte guardate"}],
                "opening": {"melds": ["3xQ", "3x8"]},
            },
            "b": {"melds": ["4xK 2x2 JK", "3x7"], "red_threes_held": 1, "left": "K 4"},
        },
        "out": {"side": "a", "concealed": True, "discard": "6"},
    }  # fmt: skip


def test_places_of_the_hand_lead_back_to_the_fields() -> None:
    field = read_draft(FULL, CLASSICA, IT).key_at
    assert field(("sides", 1, "melds", 1)) == "b.melds"
    assert field(("sides", 0, "penalties", 1)) == "a.penalties.draw-out-of-turn"
    assert field(("sides", 0, "penalties", 2)) == "a.house.0.points"
    assert field(("sides", 0, "opening", "melds", 1)) == "a.opening"
    assert field(("sides", 0, "totals")) == "a.cards"
    assert field(("sides", 0)) == "a.cards"
    assert field(("sides", 1)) == "b.melds"
    assert field(("sides", 1, "left")) == "b.left.0"
    assert field(("out", "discard")) == "discard"
    assert field(("out",)) == "out"
    assert field(("sides",)) is None


def test_what_is_missing_or_cannot_be_read_is_told_by_its_field() -> None:
    draft = {"a.cards": "-5", "a.red_threes": "100", "b.house.0.points": "25", "out": "c"}
    told = {(problem.key, problem.reason) for problem in read_draft(draft, CLASSICA, IT).problems}
    assert told == {
        ("a.cards", "minus"), ("a.red_threes", "many"), ("b.cards", "cards-missing"),
        ("b.house.0.reason", "house-reason"),
        ("out", "out-missing"), ("a.left", "left-missing"), ("b.left", "left-missing"),
    }  # fmt: skip


def test_a_side_of_mini_says_what_it_laid_or_that_it_laid_nothing() -> None:
    draft = {
        "a.left.0": "9",
        "a.left.1": "0",
        "b.melds": "0",
        "b.left.0": "4 9",
        "b.left.1": "0",
        "out": "nobody",
    }
    told = {
        (problem.key, problem.reason) for problem in read_draft(draft, settle("mini"), IT).problems
    }
    assert told == {("a.melds", "melds-missing")}


def test_only_whoever_plays_alone_and_went_out_holds_no_cards_without_saying_so() -> None:
    alone = settle("due")
    draft = {"a.cards": "200", "b.cards": "0", "b.left": "85", "out": "a"}
    assert read_draft(draft, alone, IT).problems == ()
    told = [
        (problem.key, problem.reason)
        for problem in read_draft({**draft, "out": "b"}, alone, IT).problems
    ]
    assert told == [("a.left", "left-missing")]


def test_a_side_that_is_not_counted_yet_is_not_taken_for_one_that_did_not_open() -> None:
    parsed = read_draft(
        {"a.canastas.natural-canasta": "1", "a.red_threes": "2", "b.cards": "90", "out": "a"},
        CLASSICA,
        IT,
    )
    assert parsed.unfinished == {0}
    assert encode_hand(parsed.hand, SIDE_KEYS) == {
        "sides": {"a": {}, "b": {"totals": {"cards": 90}}},
    }


def test_a_named_player_may_go_out_and_one_that_does_not_play_may_not() -> None:
    assert read_draft({"out": "b.1"}, CLASSICA, IT).hand.out is None  # its cards are still missing
    full = {
        "a.cards": "0",
        "b.cards": "0",
    }
    assert read_draft({**full, "out": "b.1"}, CLASSICA, IT).hand.out == Out(1, player=1)
    assert read_draft({**full, "out": "b.2"}, CLASSICA, IT).hand.out == Out(1)


def test_blank_fields_are_no_draft() -> None:
    sent = {
        "a.melds": "",
        "a.cards": " ",
        "csrf_token": "x",
        "reason": "n",
        "do": "save",
        "hand": "h",
    }
    assert draft_from_form(sent) == {}
    assert draft_from_form({**sent, "a.melds": "K", "out": "a"}) == {"a.melds": "K", "out": "a"}


def same(one: dict[str, str], other: dict[str, str]) -> bool:
    return count_the_same(one, other, DraftReader(CLASSICA, IT))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a.cards": "1.335"}, {"a.cards": " 1335 "}), ({"a.cards": "1000+335"}, {"a.cards": "1335"}),
        ({"a.cards": "5", "a.red_threes": "0"}, {"a.cards": "5"}),
        ({"a.sum": "5", "a.melds": "3xK"}, {"a.sum": "5", "a.left": "15"}),
        ({"a.melds": "3xK\n3xQ"}, {"a.melds": "Q Q Q / K 2xK"}),
        ({"a.opening": "3xQ\n3x8"}, {"a.opening": "8 8 8\n3xQ\n"}),
        ({"a.house.0.points": "", "a.house.1.points": "25", "a.house.1.reason": "x"},
         {"a.house.0.points": "25", "a.house.0.reason": " x "}),
    ],
)  # fmt: skip
def test_two_drafts_that_count_the_same_are_the_same(
    one: dict[str, str], other: dict[str, str]
) -> None:
    assert same(one, other)
    both = merge_drafts(one, other, base=None, reader=DraftReader(CLASSICA, IT))
    assert both is not None
    assert same(both, one)
    assert one.items() <= both.items()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a.cards": "5"}, {"a.cards": "10"}), ({"a.cards": "0"}, {}), ({"a.cards": "mille"}, {"a.cards": "milla"}),
        ({"a.red_threes": "1"}, {"a.red_threes": "2"}), ({"a.melds": "3xK"}, {"a.melds": "4xK"}),
        ({"a.melds": "3xK"}, {"a.melds": "3xK\n3xK"}), ({"a.melds": "7xK"}, {"a.melds": "7xK *"}),
        ({"a.melds": "K x"}, {"a.melds": "K y"}), ({"a.sum": "5"}, {"a.sum": "-5"}),
        ({"out": "a"}, {"out": "b"}), ({"out": "a"}, {"out": "a", "concealed": "on"}), ({}, {"discard": "6"}),
        ({"a.penalties.draw-out-of-turn": "1"}, {}), ({"a.house.0.points": "25"}, {"a.house.0.points": "20"}),
        ({"a.sum": "5", "a.penalties.draw-out-of-turn": "1"}, {"a.sum": "5"}), ({"a.opening": "3xK"}, {}),
    ],
)  # fmt: skip
def test_two_drafts_that_count_otherwise_are_told_apart(
    one: dict[str, str], other: dict[str, str]
) -> None:
    assert not same(one, other)
    mine = {**one, "b.cards": "5"}
    merged = merge_drafts(mine, other, base=one, reader=DraftReader(CLASSICA, IT))
    assert merged is not None, "only one changed it"


@pytest.mark.parametrize(
    ("cards", "code", "mended"),
    [
        ("K 2x2", "meld-too-many-wilds", True), ("5xK 4x2", "meld-too-many-wilds", False),
        ("10x", "card-unknown", True), ("K x", "card-unknown", False), ("3", "card-unknown", True),
        ("1 K", "card-unknown", False), ("3b", "meld-kind-not-allowed", True), ("K Q", "meld-mixed-ranks", False),
    ],
)  # fmt: skip
def test_a_meld_can_still_grow_or_cannot(cards: str, code: str, mended: bool) -> None:
    rules = settle("classica", "getty")
    finding = Finding(code, "error", (), {}, ())
    assert can_more_cards_correct(finding, cards, rules.settings) is mended


ANYWHERE = (
    "c.cards", "a.melds", "c.melds", "b.house.3.points", "discard_none", "single", "a.left.0",
    "a.special", "b.special", "a.incomplete.sevens", "b.incomplete.wilds", "a.sevens_held", "a.left.0",
    "b.black_threes", "b.left.1", "b.left.all", "c.left", "a.opening",
    "a.sum", "b.sum", "a.adjustments.0.points", "a.adjustments.2.reason", "agreed",
    "remark",
)  # fmt: skip
TYPED = (*FULL.values(), "pairs", "3x50+4x20", "-5", "c", "b.1", "nobody", "0", "10h 9h 8h", "7x2")
DRAFTS = st.dictionaries(
    st.sampled_from([*FULL, *ANYWHERE]),
    st.one_of(st.sampled_from(TYPED), st.text(max_size=12)),
    max_size=24,
)


@given(st.sampled_from(variant_ids()), DRAFTS)
def test_any_draft_is_read_and_whatever_comes_of_it_can_be_judged(
    variant: str, draft: dict[str, str]
) -> None:
    rules = settle(variant)
    keys = SIDE_KEYS[: len(rules.settings.sides)]
    parsed = read_draft(draft, rules, IT)
    reader = DraftReader(rules, IT)
    assert count_the_same(draft, draft, reader)
    assert merge_drafts(draft, draft, base=None, reader=reader) is not None
    with contextlib.suppress(
        Unusable
    ):  # the opening's cards, a last discard of several cards: told beside their field
        check_usable(parsed.hand, rules, keys)
        for finding in judge(rules, parsed.hand).findings:
            parsed.key_at(finding.where)
