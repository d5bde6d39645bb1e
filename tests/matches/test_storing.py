"""What is stored comes back the same, and means for ever what it meant when it was acknowledged."""

from collections.abc import Iterator
from itertools import count as numbers

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Refused, Saved, Stale
from scorepad.storage import Storage
from tests.examples import examples
from tests.hands_read import hand_of
from tests.matches.conftest import Table

PHONE = DeviceId("phone")
NEW = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), ()))

MELDS = ("3xK", "4xQ 2", "7x8", "5xA JK 2", "7x5", "4x9 3x2", "3x4")
CANASTAS = {"natural-canasta": st.integers(0, 2), "mixed-canasta": st.integers(0, 2)}
PENALTIES = st.sampled_from(
    ["draw-out-of-turn", {"code": "house", "points": 25, "reason": "tazza rotta ☕"}]
)

by_totals = st.fixed_dictionaries({
    "totals": st.fixed_dictionaries({
        "canastas": st.fixed_dictionaries(CANASTAS), "cards": st.integers(0, 60).map(lambda fives: 5 * fives),
    }),
    "left": st.integers(0, 40).map(lambda fives: 5 * fives),
    "red_threes": st.integers(0, 2),
})  # fmt: skip
by_cards = st.fixed_dictionaries({
    "melds": st.lists(st.sampled_from(MELDS), max_size=3, unique=True),
    "left": st.sampled_from(["", "4 9", "JK 2 A", ["K", "3r"]]),
    "red_threes": st.integers(0, 1),
    "penalties": st.lists(PENALTIES, max_size=2),
})  # fmt: skip
sides = st.one_of(by_totals, by_cards)
outs = st.one_of(st.none(), st.builds(lambda side: {"side": side}, st.sampled_from("ab")))
hands = st.builds(
    lambda a, b, out: hand_of({"sides": {"a": a, "b": b}, "out": out}), sides, sides, outs
)


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Pad, Storage, Iterator[int]]]:
    with Storage(tmp_path_factory.mktemp("data") / "scorepad.db") as storage:
        yield Pad(storage), storage, numbers()


@settings(max_examples=examples(60))
@given(played=st.lists(hands, min_size=1, max_size=3))
def test_any_hand_is_stored_and_loaded_as_it_was_judged(shared, played) -> None:
    pad, storage, numbers = shared
    match = pad.actions.start(RequestId(f"s{next(numbers)}"), PHONE, NEW).match
    told = []
    for hand in played:
        coming = pad.open(match, PHONE)
        answer = pad.count(
            RequestId(f"c{next(numbers)}"),
            match,
            PHONE,
            ShownDraft(coming.id, coming.version),
            SentHand(hand=hand),
        )
        expected = pad.state(match, PHONE).judge(len(told) + 1, hand)
        if isinstance(answer, Refused):
            assert answer.judgement == expected
            continue
        assert answer == Saved(match, len(told) + 1, expected)
        told.append((hand, expected))
    storage.close()
    state = Pad(storage).state(match, PHONE)
    scores = tuple(side.total for side in told[-1][1].sides) if told else (0, 0)
    assert tuple(side.total for side in state.sides) == scores
    assert [hand.versions[0].event.hand for hand in state.hands] == [hand for hand, _ in told]
    for stored, (_, judged) in zip(state.hands, told, strict=True):
        assert [side.lines for side in stored.sides] == [side.lines for side in judged.sides]
        assert [(side.hand, side.total, side.opened) for side in stored.sides] == [
            (side.hand, side.total, side.opened) for side in judged.sides
        ]
        assert (stored.warnings, stored.doubts) == (judged.findings, ())
        before = tuple(side.total - side.hand for side in judged.sides)
        assert stored.counted.score_again(state.rules.settings, before) == judged


@pytest.mark.parametrize(
    "text", ["", "  ", "−45", "♠♥", "\0", "\ud83d", "x" * 10_000, '{"json": [1]}', "'; --"]
)
def test_whatever_is_typed_is_kept_exactly(table: Table, text: str) -> None:
    typed = {"field": text, text or "empty": "other"}
    table.keep(typed)
    assert table.state.open_hand is not None
    assert table.state.open_hand.draft == typed


def test_what_two_phones_type_alike_is_kept_once_and_what_differs_is_stale(table: Table) -> None:
    table.keep({"cards": "1"})
    table.keep({"cards": "12"}, version=1)
    assert table.keep({"cards": "12"}, version=1).version == 2
    told = table.keep({"cards": "9"}, version=1)
    assert isinstance(told, Stale)
    assert told.current is not None
    assert told.current.draft == {"cards": "12"}
