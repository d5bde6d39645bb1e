"""What is typed into the fields of a hand: figures, sums, lines of cards, and drafts compared."""

from __future__ import annotations

import contextlib
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

IT = Language.ITALIAN
CLASSICA = settle("classica")
READER = DraftReader(CLASSICA, IT)


CASES = read_tables("hand_typed")


@pytest.mark.parametrize(("typed", "read"), CASES["figures"]["numbers"].items())
def test_a_cell_takes_a_figure_or_a_sum_as_people_write_them(typed: str, read: int) -> None:
    assert read_sum(typed, IT) == read


@pytest.mark.parametrize(("why", "texts"), CASES["figures"]["misread"].items())
def test_what_is_no_figure_is_told_apart(why: str, texts: list[str]) -> None:
    for typed in texts:
        assert read_sum(typed, IT) is Misread[why], typed


def test_a_blank_cell_has_no_figure() -> None:
    assert read_sum("  ", IT) is None


def test_a_sum_or_a_figure_without_end_is_refused() -> None:
    assert read_sum("1+" * 300 + "1", IT) is Misread.FIGURE
    assert read_figure("9" * 500, IT) is Misread.LARGE


def test_a_comma_groups_figures_in_english() -> None:
    assert read_sum("1,500", Language.ENGLISH) == 1500


@pytest.mark.parametrize(
    ("typed", "read"), [("-60", -60), ("− 3x20", -60), ("60", 60), ("5-3", Misread.FIGURE)]
)
def test_only_where_it_may_be_below_zero_a_minus_stands_in_front(
    typed: str, read: int | Misread
) -> None:
    assert read_sum(typed, IT, signed=True) == read


@pytest.mark.parametrize(("text", "token", "grown"), CASES["tapped"])
def test_a_tapped_card_joins_the_line_and_is_taken_away_again(
    text: str, token: str, grown: str
) -> None:
    """For example a second king: `K` becomes `2xK`."""
    assert add_card(text, token) == grown
    assert parse_cards(remove_last_card(grown)).counts == parse_cards(text).counts
    assert remove_last_card("") == ""


FULL: dict[str, str] = CASES["full"]


@pytest.mark.parametrize("case", CASES["place"])
def test_a_place_of_the_hand_leads_back_to_its_field(case: dict[str, Any]) -> None:
    """A place is where something stands in the JSON of a hand."""
    assert read_draft(FULL, CLASSICA, IT).key_at(tuple(case["place"])) == case.get("field")


@pytest.mark.parametrize("case", CASES["same"])
def test_two_drafts_that_count_the_same_are_the_same(case: dict[str, dict[str, str]]) -> None:
    """For example `1000+335` and `1335`."""
    one = case["one"]
    other = case["other"]
    assert count_the_same(one, other, READER)

    both = merge_drafts(one, other, base=None, reader=READER)
    assert both is not None
    assert count_the_same(both, one, READER)
    assert one.items() <= both.items()


@pytest.mark.parametrize("case", CASES["otherwise"])
def test_two_drafts_that_count_otherwise_are_told_apart(case: dict[str, dict[str, str]]) -> None:
    one = case["one"]
    other = case["other"]
    assert not count_the_same(one, other, READER)
    assert merge_drafts(one, other, base=None, reader=READER) is None

    changed = {**one, "b.cards": "5"}
    assert merge_drafts(changed, other, base=one, reader=READER) is not None, "only one changed it"


DRAFTS = st.dictionaries(
    st.sampled_from([*FULL, *CASES["anywhere"]]),
    st.one_of(st.sampled_from([*FULL.values(), *CASES["texts"]]), st.text(max_size=12)),
    max_size=24,
)


@given(st.sampled_from(variant_ids()), DRAFTS)
def test_any_draft_is_read_and_whatever_comes_of_it_can_be_judged(
    variant: str, draft: dict[str, str]
) -> None:
    rules = settle(variant)
    parsed = read_draft(draft, rules, IT)
    reader = DraftReader(rules, IT)
    assert count_the_same(draft, draft, reader)
    assert merge_drafts(draft, draft, base=None, reader=reader) is not None
    # The opening's cards, a last discard of several cards: told beside their field
    with contextlib.suppress(Unusable):
        check_usable(parsed.hand, rules, SIDE_KEYS[: len(rules.settings.sides)])
        for finding in judge(rules, parsed.hand).findings:
            parsed.key_at(finding.where)
