"""The open hand and the count: nothing typed is lost, nothing is counted twice, nothing impossible
is counted.
"""

from dataclasses import replace

import pytest

from scorepad.matches.access import RequestId
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.transaction import MatchOver, Refused, Saved, Stale
from tests.matches.conftest import TWO_AGAINST_TWO, counted, hand, usual


def test_a_match_that_is_over_takes_no_hand_and_goes_on_after_a_correction(start) -> None:
    table = start(replace(TWO_AGAINST_TWO, options={"target": 500}))
    big = hand(counted(290, natural_canasta=1), counted(130, 10), "a")
    table.play(big)  # 500 + 290 + 100 = 890, and 120
    state = table.state
    assert (table.totals, state.status.finished, state.status.winner) == ([890, 120], True, 0)
    assert [(side.minimum, side.to_target) for side in state.sides] == [(None, 0), (None, 380)]
    shown = ShownDraft(f"{table.match}-{state.sequence}", 0)
    with pytest.raises(MatchOver):
        table.pad.open(table.match, table.device)
    with pytest.raises(MatchOver):
        table.pad.store_draft(table.match, table.device, shown, {"x": "1"})
    late = SentHand(hand=usual())
    with pytest.raises(MatchOver):
        table.pad.count(RequestId("late"), table.match, table.device, shown, late)
    assert isinstance(table.correct(1, usual()), Saved)
    assert table.state.status.finished is False
    assert table.pad.summaries(table.device).finished == ()


def test_a_hand_that_cannot_be_is_refused_and_stays_as_typed(table) -> None:
    impossible = hand(counted(100, mixed_canasta=1), counted(100), "b")
    table.keep({"out": "b"})
    told = table.count(impossible, {"out": "b", "cards": "100"})
    assert isinstance(told, Refused)
    assert [finding.code for finding in told.judgement.findings] == ["out-canastas-missing"]
    assert told.judgement.sides is None
    assert (told.open_hand.version, told.open_hand.draft) == (2, {"out": "b", "cards": "100"})
    state = table.state
    assert (state.hands, state.open_hand) == ([], told.open_hand)
    assert isinstance(table.count(usual()), Saved)


# ---------------------------------------------------------------- the open hand


@pytest.mark.parametrize(
    "text", ["", "  ", "−45", "♠♥", "\0", "\ud83d", "x" * 10_000, '{"json": [1]}', "'; --"]
)
def test_whatever_is_typed_is_kept_exactly(table, text: str) -> None:
    table.keep({"field": text, text or "empty": "other"})
    assert table.state.open_hand.draft == {"field": text, text or "empty": "other"}


# ---------------------------------------------------------------- the same submission again


def test_a_refused_hand_put_right_may_keep_its_request(table) -> None:
    bad = hand(counted(40), counted(0))
    assert isinstance(table.count(bad, request=RequestId("same")), Refused)
    assert isinstance(table.count(usual(), request=RequestId("same")), Saved)


def test_what_another_phone_typed_meanwhile_is_not_overwritten(table) -> None:
    table.keep({"cards": "1"})
    table.keep({"cards": "12"}, version=1)
    assert table.keep({"cards": "12"}, version=1).version == 2, "sent again it is kept once"
    told = table.keep({"cards": "9"}, version=1)
    assert isinstance(told, Stale)
    assert (told.current.version, told.current.draft) == (2, {"cards": "12"})
    assert table.state.open_hand.draft == {"cards": "12"}
