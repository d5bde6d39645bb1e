"""What is typed into a count: figures, lines of cards, buttons that change a draft, and the hand that comes of it."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import parse_cards
from scorepad.rules.judge import Finding, SideScore, judge
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable, read_asked, read_hand
from scorepad.web.count import names
from scorepad.web.count.counting import what_counts, with_what_stands
from scorepad.web.count.growing import can_grow
from scorepad.web.count.prefill import draft_from
from scorepad.web.count.reading import read_draft
from scorepad.web.count.steps import grow, shrink, take_step
from scorepad.web.figures import Misread, read_figure

IT, EN = Language.ITALIAN, Language.ENGLISH
CLASSICA = settle("classica")
CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize("typed", ["1500", "1.500", "1 500", " 1500 ", "1\u00a0500", "1\u202f500", "01500"])
@pytest.mark.parametrize("language", [IT, EN])
def test_a_figure_is_read_as_people_write_it(typed: str, language: Language) -> None:
    assert read_figure(typed, language) == 1500


def test_a_comma_groups_figures_in_english_only() -> None:
    assert read_figure("1,500", EN) == 1500
    assert read_figure("1,500", IT) is Misread.FIGURE


@pytest.mark.parametrize("typed", ["-50", "\u221250", "- 50"])
def test_a_minus_is_told_from_what_is_no_figure_at_all(typed: str) -> None:
    assert read_figure(typed, IT) is Misread.MINUS


@pytest.mark.parametrize("typed", ["cento", "15.00", "1.5", "12a", "²", "٣", "1e3", "1.500.00", "+-3"])
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
    assert grow(text, token) == grown


def test_taking_the_last_card_away_undoes_the_tap() -> None:
    for text in ("K", "3xK", "4xK 2x2 JK", "10 10"):
        for token in ("K", "2", "JK", "10"):
            assert cards_in(shrink(grow(text, token))) == cards_in(text)
    assert shrink("") == ""
    assert shrink("2xK") == "K"


def cards_in(text: str) -> tuple[int, ...]:
    return parse_cards(text).counts


def test_a_stepper_goes_up_and_down_and_never_below_nothing() -> None:
    assert step("up:a-red", {}) == {"a-red": "1"}
    assert step("down:a-red", {"a-red": "1"}) == {"a-red": "0"}
    assert step("down:a-red", {"a-red": "0"}) == {"a-red": "0"}
    assert step("up:a-red", {"a-red": "tre"}) == {"a-red": "tre"}


def test_a_button_that_is_no_step_changes_nothing() -> None:
    for button in ("save", "check", "", "up:csrf_token", "card:a:1", "card:z:K", "meld-edit:a:7", "drop:a"):
        assert take_step(button, {}, IT) is None


def test_tapped_cards_go_to_the_meld_in_hand() -> None:
    draft: dict[str, str] = {}
    for button in (
        "card:a:K",
        "card:a:K",
        "card:a:K",
        "meld-new:a",
        "card:a:Q",
        "meld-edit:a:0",
        "card:a:2",
        "uncard:a",
    ):
        draft = step(button, draft)
    assert draft == {"a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "Q", "a-current": "0"}


def test_another_meld_is_begun_only_where_none_stands_empty() -> None:
    once = step("meld-new:a", {"a-meld-0": "3xK"})
    assert once == {"a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "", "a-current": "1"}
    assert step("meld-new:a", once) == once


def test_a_meld_taken_away_leaves_the_others_with_their_ticks() -> None:
    draft = {"a-meld-0": "3xK", "a-meld-1": "3xQ", "a-meld-2": "7x8", "a-meld-2-concealed": "on", "a-current": "2"}
    assert step("meld-drop:a:1", draft) == {
        "a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "7x8", "a-meld-1-concealed": "on", "a-current": "1",
    }  # fmt: skip


def step(button: str, draft: dict[str, str]) -> dict[str, str]:
    done = take_step(button, draft, IT)
    assert done is not None
    return done.draft


FULL = {
    "a-way": "totals", "a-canasta-natural-canasta": "1", "a-canasta-mixed-canasta": "2", "a-cards": "1.335",
    "a-red": "1", "a-left": "15", "a-penalty-draw-out-of-turn": "2", "a-house-0-points": "25",
    "a-house-0-reason": "carte guardate", "a-opening": "3xQ\n3x8",
    "b-way": "cards", "b-meld-0": "4xK 2x2 JK", "b-meld-1": "", "b-meld-2": "3x7", "b-left-way": "cards",
    "b-left-cards-0": "K 4", "b-red-held": "1", "out": "a", "concealed": "on", "discard": "6",
}  # fmt: skip


def test_a_draft_becomes_the_hand_of_the_contract() -> None:
    count = read_draft(FULL, CLASSICA, IT)
    assert count.troubles == []
    assert count.hand == {
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
    field = read_draft(FULL, CLASSICA, IT).field_of
    assert field(("sides", 1, "melds", 1)) == "b-meld-2"
    assert field(("sides", 0, "penalties", 1)) == "a-penalty-draw-out-of-turn"
    assert field(("sides", 0, "penalties", 2)) == "a-house-0-points"
    assert field(("sides", 0, "opening", "melds", 1)) == "a-opening"
    assert field(("sides", 0, "totals")) == "a-cards"
    assert field(("sides", 0)) == "a-cards"
    assert field(("sides", 1)) == "b-melds"
    assert field(("sides", 1, "left")) == "b-left-cards-0"
    assert field(("out", "discard")) == "discard"
    assert field(("out",)) == "out"
    assert field(("sides",)) is None


def test_what_is_missing_or_cannot_be_read_is_told_by_its_field() -> None:
    draft = {"a-cards": "-5", "a-red": "100", "b-house-0-points": "25", "out": "c"}
    told = {(trouble.field, trouble.reason) for trouble in read_draft(draft, CLASSICA, IT).troubles}
    assert told == {
        ("a-cards", "minus"), ("a-red", "many"), ("b-cards", "cards-missing"), ("b-house-0-reason", "house-reason"),
        ("out", "out-missing"), ("a-left", "left-missing"), ("b-left", "left-missing"),
    }  # fmt: skip


def test_a_side_counted_by_cards_says_what_it_laid_or_that_it_laid_nothing() -> None:
    draft = {
        "a-way": "cards",
        "a-left": "20",
        "b-cards": "0",
        "b-left-way": "cards",
        "b-left-cards-0": "4 9",
        "out": "nobody",
    }
    told = {(trouble.field, trouble.reason) for trouble in read_draft(draft, CLASSICA, IT).troubles}
    assert told == {("a-meld-0", "melds-missing")}


def test_only_whoever_plays_alone_and_went_out_holds_no_cards_without_saying_so() -> None:
    alone = settle("due")
    draft = {"a-cards": "200", "b-cards": "0", "b-left": "85", "out": "a"}
    assert read_draft(draft, alone, IT).troubles == []
    told = [(trouble.field, trouble.reason) for trouble in read_draft({**draft, "out": "b"}, alone, IT).troubles]
    assert told == [("a-left", "left-missing")]


def test_a_side_that_is_not_counted_yet_is_not_taken_for_one_that_did_not_open() -> None:
    count = read_draft({"a-canasta-natural-canasta": "1", "a-red": "2", "b-cards": "90", "out": "a"}, CLASSICA, IT)
    assert count.unfinished == {0}
    assert count.hand == {"sides": {"a": {}, "b": {"totals": {"canastas": {}, "cards": 90}}}, "out": None}


def test_a_named_player_may_go_out_and_one_that_does_not_play_may_not() -> None:
    assert read_draft({"out": "b.1"}, CLASSICA, IT).hand["out"] is None  # its cards are still missing
    full = {"a-cards": "0", "b-cards": "0", "a-way": "totals"}
    assert read_draft({**full, "out": "b.1"}, CLASSICA, IT).hand["out"]["player"] == 1
    assert "player" not in read_draft({**full, "out": "b.2"}, CLASSICA, IT).hand["out"]


def test_blank_fields_are_no_draft() -> None:
    sent = {
        "a-way": "cards",
        "a-current": "0",
        "a-meld-0": "",
        "a-cards": " ",
        "csrf_token": "x",
        "note": "n",
        "do": "save",
    }
    assert names.draft_of(sent) == {}
    assert names.draft_of({**sent, "a-meld-0": "K"}) == {"a-way": "cards", "a-current": "0", "a-meld-0": "K"}
    assert names.draft_of({"a-cards": "0", "a-meld-1": ""}) == {"a-cards": "0", "a-meld-1": ""}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a-cards": "1.335"}, {"a-cards": " 1335 "}),
        ({"a-cards": "5", "a-red": "0"}, {"a-cards": "5", "a-way": "totals"}),
        ({"a-cards": "5", "a-meld-0": "3xK", "a-left": "15", "a-left-cards-0": "K"}, {"a-cards": "5", "a-left": "15"}),
        ({"a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "3xQ", "a-cards": "5"},
         {"a-way": "cards", "a-meld-3": "Q Q Q", "a-meld-5": "K 2xK", "a-current": "5"}),
        ({"a-way": "cards", "b-cards": "5"}, {"b-cards": "5"}),
        ({"a-opening": "3xQ, 3x8"}, {"a-opening": "8 8 8\n3xQ\n"}),
        ({"a-house-0-points": "", "a-house-1-points": "25", "a-house-1-reason": "x"},
         {"a-house-0-points": "25", "a-house-0-reason": " x "}),
    ],
)  # fmt: skip
def test_two_drafts_that_count_the_same_are_the_same(one: dict[str, str], other: dict[str, str]) -> None:
    assert what_counts(one, CLASSICA, IT) == what_counts(other, CLASSICA, IT)
    joined = with_what_stands(one, other, CLASSICA, IT)
    assert what_counts(joined, CLASSICA, IT) == what_counts(one, CLASSICA, IT)
    typed = {text.strip() for draft in (one, other) for name, text in draft.items() if not names.is_view(name)}
    counted = {"1335", "25", "0", "8 8 8\n3xQ"}
    assert typed - {text.strip() for text in joined.values()} <= counted | {"Q Q Q", "K 2xK"}, "only what says the same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a-cards": "5"}, {"a-cards": "10"}), ({"a-cards": "0"}, {}), ({"a-cards": "mille"}, {"a-cards": "milla"}),
        ({"a-cards": "5"}, {"a-cards": "5", "a-way": "cards"}), ({"a-red": "1"}, {"a-red": "2"}),
        ({"a-way": "cards", "a-meld-0": "3xK"}, {"a-way": "cards", "a-meld-0": "4xK"}),
        ({"a-way": "cards", "a-meld-0": "3xK"}, {"a-way": "cards", "a-meld-0": "3xK", "a-meld-1": "3xK"}),
        ({"a-way": "cards", "a-meld-0": "K x"}, {"a-way": "cards", "a-meld-0": "K y"}),
        ({"out": "a"}, {"out": "b"}), ({"out": "a"}, {"out": "a", "concealed": "on"}), ({}, {"discard": "6"}),
        ({"a-penalty-draw-out-of-turn": "1"}, {}), ({"a-house-0-points": "25"}, {"a-house-0-points": "20"}),
        ({"a-left": "5"}, {"a-left": "5", "a-left-way": "cards"}), ({"a-opening": "3xK"}, {}),
    ],
)  # fmt: skip
def test_two_drafts_that_count_otherwise_are_told_apart(one: dict[str, str], other: dict[str, str]) -> None:
    assert what_counts(one, CLASSICA, IT) != what_counts(other, CLASSICA, IT)


def test_a_concealed_canasta_counts_where_it_is_counted() -> None:
    one = {"a-way": "cards", "a-meld-0": "7xK"}
    assert what_counts(one, CLASSICA, IT) != what_counts({**one, "a-meld-0-concealed": "on"}, CLASSICA, IT)


def worked_hands() -> list[Any]:
    """Every worked hand that may be."""
    found = []
    for file in sorted(CASES.glob("*/*.json")):
        for number, case in enumerate(json.loads(file.read_text("utf-8"))):
            asked, expected = case["hand"], case["expect"]
            if expected.get("valid"):
                found.append(pytest.param(asked, id=f"{file.parent.name}-{file.stem}-{number}"))
    return found


@pytest.mark.parametrize("asked", worked_hands())
def test_a_counted_hand_shown_for_correction_is_the_same_hand(asked: dict[str, Any]) -> None:
    rules = read_asked(json.dumps(asked)).rules
    before = asked.get("before", {"noi": 0, "loro": 0})
    keys = dict(zip(before, SIDE_KEYS, strict=False))
    hand = in_keys(asked, keys)
    draft = draft_from(hand, rules)
    again = read_draft(draft, rules, IT)
    assert again.troubles == []
    scores = tuple(before.values())
    deal = {"deal": asked["deal"]} if "deal" in asked else {}
    judged = [
        judge(rules, read_hand({**each, **deal}, rules, tuple(keys.values()), scores)) for each in (hand, again.hand)
    ]
    assert judged[0].sides is not None
    assert judged[1].sides is not None
    assert [told(side) for side in judged[1].sides] == [told(side) for side in judged[0].sides]
    assert judged[1].findings == judged[0].findings
    assert what_counts(draft_from(again.hand, rules), rules, IT) == what_counts(draft, rules, IT)


def told(side: SideScore) -> SideScore:
    """A score without lines that only say that nothing was counted: on the page a 0 is nothing."""
    return replace(side, lines=tuple(line for line in side.lines if line.points or line.count is not None))


def in_keys(asked: dict[str, Any], keys: dict[str, str]) -> dict[str, Any]:
    """A worked hand as a match keeps it: under its sides' keys."""
    out = asked.get("out")
    hand: dict[str, Any] = {
        "sides": {keys[name]: side for name, side in asked["sides"].items()},
        "out": {**out, "side": keys[out["side"]]} if out else None,
    }
    if "single" in asked:
        hand["single"] = keys[asked["single"]] if asked["single"] else None
    return hand


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
    assert can_grow(Finding(code, "error", (), {}, ()), cards, rules.settings) is mended


ANYWHERE = (
    "c-cards", "a-left-way", "b-meld-17", "a-current", "b-house-3-points", "discard-none", "single", "c-meld-0",
    "a-special", "b-special", "a-incomplete-sevens", "b-incomplete-wilds", "a-extra-sevens-held", "a-left-cards-0",
    "b-extra-black-threes", "b-left-cards-1", "b-left-cards-all", "a-suit", "c-left", "a-way", "b-way", "a-value-50",
    "b-value-5", "a-sum", "b-sum", "b-sum-below", "a-adjust-0-points", "a-adjust-2-less", "a-adjust-0-reason", "agreed",
    "remark",
)  # fmt: skip
TYPED = (*FULL.values(), "special", "nothing", "values", "sum", "pairs", "c", "b.1", "nobody", "0", "10h 9h 8h", "7x2")
DRAFTS = st.dictionaries(
    st.sampled_from([*FULL, *ANYWHERE]), st.one_of(st.sampled_from(TYPED), st.text(max_size=12)), max_size=24
)


@given(st.sampled_from(variant_ids()), DRAFTS)
def test_any_draft_is_read_and_whatever_comes_of_it_can_be_judged(variant: str, draft: dict[str, str]) -> None:
    rules = settle(variant)
    keys = SIDE_KEYS[: len(rules.settings.sides)]
    count = read_draft(draft, rules, IT)
    assert what_counts(with_what_stands(draft, draft, rules, IT), rules, IT) == what_counts(draft, rules, IT)
    with contextlib.suppress(Unusable):  # the opening's cards, a last discard of several cards: told beside their field
        for finding in judge(rules, read_hand(count.hand, rules, keys, (0,) * len(keys))).findings:
            count.field_of(finding.where)
