"""The sheet of a match of any variant of canasta, in the terms that its players use."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches.events import Labels
from scorepad.matches.projection import MatchState
from scorepad.rules.variants import variant_ids
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.outcome import say_who_won
from tests.data import read_data
from tests.hands_read import hand_of
from tests.matches.whole_matches import GOLDEN, whole
from tests.sheets.reading import list_tags, print_sheet, read_text, sheet_text

VARIANTS_WITH_WHOLE_MATCH = [
    name for name in variant_ids() if (GOLDEN / f"{name}-whole-match.json").exists()
]
# A case has the hands of a match (`golden = 2`: the first two of the whole match of its variant), what
# its sheet says (`told = ["Libri puliti 1 500"]`, "clean books") and what it does not (`never`).
CASES = read_data("sheets/variants.toml")


def play_case(start_match: Any, case: Mapping[str, Any]) -> MatchState:
    """Play the match of a case, and return its state.

    For each variant one match is known from its first hand to its last. `golden = 2` in a case means
    its first two hands. Then come the hands of the case itself.
    """
    known_match = whole(case["variant"])
    new_match = replace(known_match.new, options=known_match.new.options | case.get("options", {}))
    if "names" in case:
        names = tuple(case["names"])
        no_players = ((),) * len(names)  # none is named, on any side
        new_match = replace(new_match, labels=Labels(names, no_players))
    table = start_match(new_match)

    table.play(*known_match.hands_of_pad[: case.get("golden", 0)])

    # A hand of a case is JSON in which the sides are called "a", "b" and so on.
    side_keys = SIDE_KEYS[: len(new_match.labels.names)]
    for hand in case.get("hands", []):
        table.play(hand_of(hand, side_keys))

    state: MatchState = table.state
    return state


def play_whole_match(start_match: Any, variant: str) -> MatchState:
    """Play all hands of the match that is known for a variant, and return its state."""
    return play_case(start_match, {"variant": variant, "golden": 99})  # no match has so many


def as_printed(numbers: tuple[int, ...]) -> str:
    """Return numbers as they are printed in a row: `(1575, -280)` → "1.575 −280"."""
    return " ".join(words("it").figure(number) for number in numbers)


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", VARIANTS_WITH_WHOLE_MATCH)
def test_sheet_of_whole_match_has_every_total(start_match: Any, variant: str) -> None:
    state = play_whole_match(start_match, variant)

    sheet = print_sheet(state)

    # The sheet names the game.
    text = read_text(sheet)
    assert words("it").t(f"variant.{variant}.name") in text

    # Below each hand stand the totals of all sides: "Total of the match 1,575 −280".
    totals_after_each_hand = whole(variant).totals
    assert text.count("Totale della partita ") == len(totals_after_each_hand)
    for totals in totals_after_each_hand:
        assert f"Totale della partita {as_printed(totals)}" in text

    # The result names the winner: "Vince Bruno: 34 unità." ("Bruno wins: 34 units.")
    winner = state.status.winner
    assert winner is not None
    assert f"{say_who_won(state, winner, words('it'))}: " in text

    # The PDF has tags for screen readers: one heading, and tables with headings of their own.
    tags = [tag["/S"] for tag in list_tags(sheet)]
    assert tags.count("/H1") == 1
    assert "/Table" in tags
    assert "/TH" in tags

    # The sheet is there in English too: "page 1 of 2".
    assert "1 of " in sheet_text(state, "en", details=False)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_sheet_of_variant_has_its_texts(start_match: Any, case: Mapping[str, Any]) -> None:
    # Such as hand and foot, where the rows are called "Libri puliti" ("clean books").
    state = play_case(start_match, case)

    # A case may ask for another language, for large print, or for a sheet without details.
    text = sheet_text(state, case.get("language", "it"), **case.get("how", {}))

    for expected in case["told"]:
        assert expected in text
    for unexpected in case.get("never", []):
        assert unexpected not in text


@pytest.mark.parametrize("variant", ["hand-and-foot", "moderna"])
def test_large_print_breaks_no_row_of_figures(start_match: Any, variant: str) -> None:
    state = play_whole_match(start_match, variant)

    text = sheet_text(state, details=False, large=True)

    # The row of a hand has for each side the points of the hand and the total so far, such as
    # "850 2.680" and "1.855 1.575".
    for hand in state.hands:
        figures_of_sides = [as_printed((side.hand, side.total)) for side in hand.sides]
        assert " ".join(figures_of_sides) in text
