"""The pad keeps a match of any variant, and knows the rules that the table chose."""

from __future__ import annotations

import pytest

from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules.variants import variant_ids
from tests.matches.whole_matches import GOLDEN, whole

WHOLE = [name for name in variant_ids() if (GOLDEN / f"{name}-whole-match.json").exists()]


@pytest.mark.parametrize("variant", WHOLE)
def test_a_whole_match_is_kept_from_the_first_hand_to_the_winner(start, variant: str) -> None:
    played = whole(variant)
    table = start(played.new)
    for number, each in enumerate(played.hands_of_pad):
        assert table.state.status.finished is False
        table.play(each)
        assert tuple(table.totals) == played.totals[number]
        assert tuple(side.minimum for side in table.state.sides) == played.minimums[number]
    state = table.state
    assert state.status.finished
    assert state.status.winner is not None
    assert state.sides[state.status.winner].name == played.winner


@pytest.mark.parametrize(
    ("variant", "preset", "options", "house"),
    [
        ("classica", None, {}, ()),
        ("classica", "getty", {}, ()),
        ("classica", None, {"target": 3000}, ()),
        ("mini", None, {"players": 2, "hand-groups": "per-rank"}, ("hand-groups",)),
        ("classica", "getty", {"concealed-canasta": 0}, ("concealed-canasta",)),
    ],
    ids=["as usual", "a codification", "a target", "beside the players", "beside a codification"],
)
def test_house_rules_are_those_chosen_otherwise_than_usual(
    start, variant: str, preset: str | None, options: dict[str, object], house: tuple[str, ...]
) -> None:
    new = NewMatch(variant, preset, options, Labels(("Noi", "Loro")))
    assert start(new).state.house == house
