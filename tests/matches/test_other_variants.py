"""The pad keeps a match of any variant: columns, minimums, the end, who played alone."""

from __future__ import annotations

import pytest

from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.rules.variants import variant_ids
from scorepad.schemas.hand_requests import SIDE_KEYS
from tests.hands_read import hand_of
from tests.matches.conftest import PHONE, hand
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


def test_where_a_number_of_hands_decides_there_is_no_target_and_the_list_keeps_none(
    start, pad
) -> None:
    played = whole("hand-and-foot")
    table = start(played.new)
    assert [(side.minimum, side.minimum_from, side.to_target) for side in table.state.sides] == [
        (50, None, None)
    ] * 2
    table.play(*played.hands_of_pad[:3])
    (listed,) = pad.summaries(PHONE).in_progress
    assert (listed.target, listed.finished, listed.hands) == (0, False, 3)
    assert [side.minimum for side in table.state.sides] == [150, 150]
    table.play(played.hands_of_pad[3])
    (listed,) = pad.summaries(PHONE).finished
    assert (listed.target, listed.winner) == (0, 0)
    table.undo()
    assert table.state.status.finished is False, "the last hand can be undone"
    assert [side.minimum for side in table.state.sides] == [150, 150]


def test_after_the_last_hand_equal_totals_leave_nobody_a_winner(start, pad) -> None:
    table = start(whole("hand-and-foot").new)
    # 300 card points and a dirty book each: 600 a hand.
    side = {"totals": {"canastas": {"mixed-canasta": 1}, "cards": 300}, "left": 0}
    for _ in range(4):
        table.play(hand(side, side))
    assert table.totals == [2400, 2400]
    assert (table.state.status.finished, table.state.status.winner) == (True, None)
    assert pad.summaries(PHONE).finished[0].winner is None


def test_level_at_the_target_they_play_on_until_somebody_is_ahead(start) -> None:
    played = whole("mini")
    table = start(played.new)
    table.play(*played.hands_of_pad[:7])
    # Anna and Bruno stand at 30 each.
    assert table.totals == [30, 30, -2]
    assert table.state.status.finished is False
    table.play(played.hands_of_pad[7])
    assert table.state.status.winner == 1


def test_who_played_alone_is_known_of_every_hand(start) -> None:
    played = whole("tagliagola")
    table = start(played.new)
    table.play(*played.hands_of_pad)
    # In the second hand nobody took the pile, and Bruno went out.
    assert [hand.single for hand in table.state.hands] == [0, 1, 2, 0, 1, 2, 0, 2, 1]
    alone = start(played.new)
    nobody = {"single": None, "sides": {"a": {"melds": ["3xA"], "left": ""}}, "out": None}
    alone.play(hand_of(nobody, SIDE_KEYS))
    assert alone.state.hands[0].single is None
    assert start().state.hands == []


def test_where_sides_stay_together_nobody_is_told_to_play_alone(table, build) -> None:
    table.play(build.hand(build.counted(150, natural_canasta=1), build.counted(100, 40), out="a"))
    assert table.state.hands[0].single is None


@pytest.mark.parametrize(("players", "names"), [(2, 2), (3, 3), (4, 2)])
def test_the_players_of_mini_set_its_sides(start, players: int, names: int) -> None:
    new = NewMatch("mini", None, {"players": players}, Labels(("Ada", "Ugo", "Eva")[:names], ()))
    state = start(new).state
    assert len(state.sides) == names
    assert sum(len(side.players) for side in state.sides) == players
    assert state.rules.settings.dealt == {2: 12, 3: 10, 4: 9}[players]
    assert [side.minimum for side in state.sides] == [None] * names


def test_house_rules_are_those_chosen_otherwise_than_usual(start) -> None:
    def house(**new: object) -> tuple[str, ...]:
        variant = {
            "variant": "classica",
            "preset": None,
            "options": {},
            "labels": Labels(("Noi", "Loro")),
        }
        return start(NewMatch(**(variant | new))).state.house  # type: ignore[arg-type]

    assert house() == ()
    assert house(preset="getty") == (), "a codification is no rule of the house"
    assert house(options={"target": 3000}) == (), "the target is told by itself"
    assert house(variant="mini", options={"players": 2, "hand-groups": "per-rank"}) == (
        "hand-groups",
    )
    assert house(preset="getty", options={"concealed-canasta": 0}) == ("concealed-canasta",)
