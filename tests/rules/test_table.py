"""Who lays together, who scores, who stands in the match."""

from __future__ import annotations

from scorepad.rules.hand import PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from tests.rules.hands import codes, counted, hand, judged, side

TAGLIAGOLA = settle("tagliagola")


def test_a_pair_that_cannot_have_opened_is_told_by_the_lower_of_its_two_minimums_where_its_cards_lie() -> (
    None
):
    # The pair stands at 3000 (120) and 0 (50): 60 points can have opened, 45 cannot, whoever wrote
    # them down.
    scores = (0, 3000, 0)
    assert not codes(
        judged(hand(side("3xA"), side("3xA"), side(), single=0), TAGLIAGOLA, before=scores)
    )
    too_low = judged(
        hand(side("3xA"), counted(0), side("3x4", "3xK"), single=0), TAGLIAGOLA, before=scores
    )
    (finding,) = too_low.findings
    assert (finding.code, finding.where) == ("opening-impossible", ("sides", 2))
    assert (
        finding.arguments["minimum"],
        finding.arguments["score"],
        finding.arguments["missing"],
    ) == (
        50,
        0,
        5,
    )


def test_penalties_of_a_pair_come_in_the_order_in_which_they_were_written() -> None:
    loro = SideEntry(penalties=(PenaltyEntry("house", 40, "x"), PenaltyEntry("draw-out-of-turn")))
    altri = SideEntry(
        penalties=(PenaltyEntry("permission-then-no-out"), PenaltyEntry("house", 10, "y"))
    )
    judgement = judge(TAGLIAGOLA, hand(side("3xA"), loro, altri, single=0))
    assert judgement.sides is not None
    for scored in judgement.sides[1:]:
        told = [(line.code, line.count, line.points) for line in scored.lines]
        assert told == [
            ("house", 2, -50),
            ("draw-out-of-turn", 1, -100),
            ("permission-then-no-out", 1, -100),
        ]


def test_melds_without_an_opening_cannot_be_told_apart_from_a_sum_so_that_nothing_is_said_of_it() -> (
    None
):
    # altri of the pair is known only as a sum: whether the pair opened cannot be said.
    judgement = judge(
        TAGLIAGOLA, hand(side("3xA"), side(red_threes=1), SideEntry(sum=300), single=0)
    )
    assert codes(judgement) == {"not-checked"}
    assert judgement.sides is not None
    assert judgement.sides[2].hand == 300
