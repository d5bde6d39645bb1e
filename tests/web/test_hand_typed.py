"""What is typed into the fields of a hand: figures, sums, lines of cards, and drafts compared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorepad.i18n import Language
from scorepad.rules.cards import parse_cards
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle, variant_ids
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS, check_usable
from scorepad.web.card_lines import add_card, remove_last_card
from scorepad.web.draft_comparison import DraftReader, count_the_same, merge_drafts
from scorepad.web.forms import Misread, read_figure, read_sum
from scorepad.web.typed_hand import read_draft
from tests.web.tables import read_tables

ITALIAN = Language.ITALIAN
CLASSICA = settle("classica")
CLASSICA_READER = DraftReader(CLASSICA, ITALIAN)
CASES = read_tables("hand_typed")


@pytest.mark.parametrize(("typed", "number"), CASES["figures"]["numbers"].items())
def test_number_or_sum_is_read_from_cell(typed: str, number: int) -> None:
    # Examples from `hand_typed.toml`: "1.500" is 1500, and "3x50+4x20" is 230.
    assert read_sum(typed, ITALIAN) == number


@pytest.mark.parametrize(("reason", "texts"), CASES["figures"]["misread"].items())
def test_unreadable_number_is_reported_with_reason(reason: str, texts: list[str]) -> None:
    # Examples from `hand_typed.toml`: "-50" is Misread.MINUS, "cento" ("hundred") Misread.FIGURE,
    # and "10000000" Misread.LARGE.
    for typed in texts:
        assert read_sum(typed, ITALIAN) is Misread[reason], typed


def test_blank_cell_is_read_as_none() -> None:
    assert read_sum("  ", ITALIAN) is None


def test_very_long_number_or_sum_is_refused() -> None:
    assert read_sum("1+" * 300 + "1", ITALIAN) is Misread.FIGURE
    assert read_figure("9" * 500, ITALIAN) is Misread.LARGE


def test_comma_groups_thousands_in_english() -> None:
    assert read_sum("1,500", Language.ENGLISH) == 1500


@pytest.mark.parametrize(
    ("typed", "number"), [("-60", -60), ("− 3x20", -60), ("60", 60), ("5-3", Misread.FIGURE)]
)
def test_signed_cell_accepts_leading_minus_only(typed: str, number: int | Misread) -> None:
    # Only a few cells, such as that of points agreed at the table, may be below zero.
    assert read_sum(typed, ITALIAN, signed=True) == number


@pytest.mark.parametrize(("line", "card", "line_with_card"), CASES["tapped"])
def test_tapped_card_is_added_to_line_and_removed_again(
    line: str, card: str, line_with_card: str
) -> None:
    # An example from `hand_typed.toml`: a second king is tapped, and "K" becomes "2xK".
    assert add_card(line, card) == line_with_card

    # Without it the line is as before. It may only be written in another way, such as "4xK" for
    # "4xk".
    shortened = remove_last_card(line_with_card)
    assert parse_cards(shortened).counts == parse_cards(line).counts


def test_no_card_is_removed_from_empty_line() -> None:
    assert remove_last_card("") == ""


FULL_DRAFT: dict[str, str] = CASES["full"]


@pytest.mark.parametrize("case", CASES["place"])
def test_location_in_hand_is_traced_back_to_form_field(case: dict[str, Any]) -> None:
    # An error names a place in the hand, and the page must show it beside a field. An example from
    # `hand_typed.toml`: ["sides", 1, "melds", 1] leads to the field "b.melds".
    typed_hand = read_draft(FULL_DRAFT, CLASSICA, ITALIAN)
    location = tuple(case["place"])
    assert typed_hand.key_at(location) == case.get("field")


@pytest.mark.parametrize("case", CASES["same"])
def test_drafts_with_same_values_are_equal_and_merge(case: dict[str, dict[str, str]]) -> None:
    # An example from `hand_typed.toml`: one phone typed {"a.cards": "1000+335"}, and the other
    # {"a.cards": "1335"}.
    one = case["one"]
    other = case["other"]
    assert count_the_same(one, other, CLASSICA_READER)

    # The merged draft counts the same too. It has the texts of the first.
    merged = merge_drafts(one, other, base=None, reader=CLASSICA_READER)
    assert merged is not None
    assert count_the_same(merged, one, CLASSICA_READER)
    assert one.items() <= merged.items()


@pytest.mark.parametrize("case", CASES["otherwise"])
def test_drafts_with_different_values_do_not_merge(case: dict[str, dict[str, str]]) -> None:
    # An example from `hand_typed.toml`: one phone typed {"a.cards": "5"}, and the other
    # {"a.cards": "10"}. It is not known what was there before.
    one = case["one"]
    other = case["other"]
    assert not count_the_same(one, other, CLASSICA_READER)
    assert merge_drafts(one, other, base=None, reader=CLASSICA_READER) is None


@pytest.mark.parametrize("case", CASES["otherwise"])
def test_drafts_changed_in_different_fields_merge(case: dict[str, dict[str, str]]) -> None:
    # Two drafts from `hand_typed.toml` that differ in a field of Noi (side a) or of the whole hand,
    # such as {"a.cards": "5"} and {"a.cards": "10"}.
    before = case["one"]
    changed_on_first_phone = case["other"]

    # Both phones had the draft `before`. The second one has typed the cards of Loro (side b).
    changed_on_second_phone = {**before, "b.cards": "5"}

    # `None` would say that both have changed the same field.
    merged = merge_drafts(
        changed_on_second_phone, changed_on_first_phone, base=before, reader=CLASSICA_READER
    )
    assert merged is not None


# Up to 24 fields of any variant, with texts that fit somewhere or any other text.
DRAFTS = st.dictionaries(
    st.sampled_from([*FULL_DRAFT, *CASES["anywhere"]]),
    st.one_of(st.sampled_from([*FULL_DRAFT.values(), *CASES["texts"]]), st.text(max_size=12)),
    max_size=24,
)


@given(st.sampled_from(variant_ids()), DRAFTS)
def test_any_draft_can_be_read_compared_and_judged(variant: str, draft: dict[str, str]) -> None:
    # A draft is what stands in the fields of a form: {"a.cards": "300", "out": "b"}. Whatever anybody
    # types or sends, none of the functions called here raises an error.
    rules = settle(variant)
    reader = DraftReader(rules, ITALIAN)

    # Two phones have the same draft. It counts the same, and does not conflict with itself.
    assert count_the_same(draft, draft, reader)
    assert merge_drafts(draft, draft, base=None, reader=reader) is not None

    # It is read as a hand. Some hands are refused before they are judged, such as one that ends
    # with a discard of several cards.
    typed_hand = read_draft(draft, rules, ITALIAN)
    side_keys = SIDE_KEYS[: len(rules.settings.sides)]
    try:
        check_usable(typed_hand.hand, rules, side_keys)
    except Unusable:
        return

    # Each thing that the rules find in the hand has a place, for which the field is looked up.
    # There is none for the whole hand.
    for finding in judge(rules, typed_hand.hand).findings:
        field = typed_hand.key_at(finding.where)
        assert field is None or isinstance(field, str)
