"""The pad keeps a match of any variant, and knows the rules that the table chose."""

from __future__ import annotations

import pytest

from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch


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
