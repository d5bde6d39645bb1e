"""The open hand and the count: nothing typed is lost, nothing is counted twice, nothing impossible
is counted.
"""

import threading

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.transaction import MatchOver, Refused, RequestRefused, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.storage.rows import OpenHand


def test_a_counted_hand_stands_with_its_lines(table, build) -> None:
    noi = build.counted(230, natural_canasta=1, mixed_canasta=1, red_threes=1)
    played = build.hand(noi, build.counted(150, 45, mixed_canasta=1), "a")
    saved = table.count(played)
    # Noi: 500 + 300 + 230 + 100 for the red three + 100 for going out. Loro: 300 + 150 - 45.
    assert (saved.match, saved.number, saved.again) == (table.match, 1, False)
    assert [(side.hand, side.total) for side in saved.judgement.sides] == [(1230, 1230), (405, 405)]
    (hand,) = table.state.hands
    assert [[(line.item, line.points) for line in side.lines] for side in hand.sides] == [
        [
            ("natural-canasta", 500), ("mixed-canasta", 300), ("cards", 230), ("red-threes", 100), ("out", 100),
            ("cards-left", 0),
        ],
        [("mixed-canasta", 300), ("cards", 150), ("cards-left", -45)],
    ]  # fmt: skip
    assert all(line.sources for side in hand.sides for line in side.lines)
    assert [
        (side.hand, side.total - side.hand, side.total, side.opened, side.opening_minimum)
        for side in hand.sides
    ] == [
        (1230, 0, 1230, True, 50),
        (405, 0, 405, True, 50),
    ]
    assert (hand.versions[0].event.hand, hand.versions[0].event.reason, hand.is_corrected) == (
        played,
        "",
        False,
    )
    assert hand.versions[0].event.lines == tuple(side.lines for side in hand.sides)


def test_the_opening_minimum_rises_by_itself_and_says_from_where(table, build) -> None:
    table.play(build.usual(), build.usual(), build.usual())
    assert [(side.total, side.minimum, side.minimum_from) for side in table.state.sides] == [
        (1290, 50, 0),
        (180, 50, 0),
    ]
    table.play(build.usual())
    assert [
        (side.total, side.minimum, side.minimum_from, side.to_target) for side in table.state.sides
    ] == [
        (1720, 90, 1500, 3280),
        (240, 50, 0, 4760),
    ]


def test_below_zero_the_minimum_holds_from_no_score(table, build) -> None:
    table.play(build.hand(build.counted(150, 20, mixed_canasta=1), build.counted(0, 115)))
    assert [(side.total, side.minimum, side.minimum_from) for side in table.state.sides] == [
        (430, 50, 0),
        (-115, 15, None),
    ]


def test_the_match_ends_at_the_target(table, build) -> None:
    big = build.hand(
        build.counted(290, natural_canasta=4, red_threes=4), build.counted(130, 10), "a"
    )
    table.play(big)  # 2000 + 290 + 800 + 100 = 3190, and 120
    assert (table.totals, table.state.status.finished) == ([3190, 120], False)
    table.play(
        build.hand(build.counted(290, natural_canasta=3, red_threes=1), build.counted(130, 10), "a")
    )
    state = table.state  # 1500 + 290 + 100 + 100 = 1990
    assert (table.totals, state.status.finished, state.status.winner) == ([5180, 240], True, 0)
    assert [(side.minimum, side.minimum_from, side.to_target) for side in state.sides] == [
        (None, None, 0),
        (None, None, 4760),
    ]
    with pytest.raises(MatchOver):
        table.pad.open(table.match, table.device)
    with pytest.raises(MatchOver):
        table.pad.store_draft(
            table.match, table.device, ShownDraft(f"{table.match}-{state.sequence}", 0), {"x": "1"}
        )
    with pytest.raises(MatchOver):
        table.pad.count(
            RequestId("late"),
            table.match,
            table.device,
            ShownDraft(f"{table.match}-{state.sequence}", 0),
            SentHand(hand=build.usual()),
        )
    assert isinstance(table.correct(1, build.usual()), Saved)
    assert table.state.status.finished is False
    table.undo()
    table.undo()
    assert (table.totals, len(table.state.hands)) == ([3190, 120], 1)


def test_a_hand_that_cannot_be_is_refused_and_stays_as_typed(table, build) -> None:
    impossible = build.hand(build.counted(100, mixed_canasta=1), build.counted(100), "b")
    table.keep({"out": "b"})
    told = table.count(impossible, {"out": "b", "cards": "100"})
    assert isinstance(told, Refused)
    assert [finding.code for finding in told.judgement.findings] == ["out-canastas-missing"]
    assert told.judgement.sides is None
    assert (told.open_hand.version, told.open_hand.draft) == (2, {"out": "b", "cards": "100"})
    state = table.state
    assert (state.hands, state.open_hand) == ([], told.open_hand)
    assert isinstance(table.count(build.usual()), Saved)


def test_a_hand_that_cannot_be_used_stores_nothing(table, build) -> None:
    with pytest.raises(Unusable):
        table.count(build.hand(build.counted(100, samba=1), build.counted(100, 40)))
    assert (table.state.sequence, table.state.open_hand) == (1, None)


def test_the_rules_are_asked_while_typing_and_nothing_is_stored(table, build) -> None:
    table.play(build.usual())
    told = table.pad.judge_typed(
        table.match, table.device, build.hand(build.counted(40), build.counted(0))
    )
    assert [finding.code for finding in told.findings] == ["opening-impossible"]
    told = table.pad.judge_typed(table.match, table.device, build.usual())
    assert [side.total for side in told.sides] == [860, 120]
    told = table.pad.judge_typed(table.match, table.device, build.usual(), number=1)
    assert [side.total for side in told.sides] == [430, 60]
    assert table.state.sequence == 2


# ---------------------------------------------------------------- the open hand


def test_the_open_hand_is_kept_from_its_first_field(table, storage, clock) -> None:
    coming = table.pad.open(table.match, table.device)
    assert (coming.version, coming.draft) == (0, {})
    kept = table.keep({"cards-a": "1.5"})
    assert isinstance(kept, OpenHand)
    assert (kept.id, kept.version) == (coming.id, 1)
    afterwards = Pad(storage, clock).state(table.match, table.device).open_hand
    assert afterwards == kept
    assert afterwards.draft == {"cards-a": "1.5"}


def test_looking_at_an_empty_hand_stores_nothing(table) -> None:
    assert table.pad.open(table.match, table.device) == table.pad.open(table.match, table.device)
    assert table.state.open_hand is None


@pytest.mark.parametrize(
    "text", ["", "  ", "−45", "♠♥", "\0", "\ud83d", "x" * 10_000, '{"json": [1]}', "'; --"]
)
def test_whatever_is_typed_is_kept_exactly(table, text: str) -> None:
    table.keep({"field": text, text or "empty": "other"})
    assert table.state.open_hand.draft == {"field": text, text or "empty": "other"}


def test_what_another_phone_typed_meanwhile_is_not_overwritten(table) -> None:
    table.keep({"cards": "1"})
    table.keep({"cards": "12"})
    told = table.keep({"cards": "9"}, version=1)
    assert isinstance(told, Stale)
    assert (told.current.version, told.current.draft) == (2, {"cards": "12"})
    assert told.state.open_hand == told.current
    assert table.state.open_hand.draft == {"cards": "12"}


def test_the_same_fields_sent_again_after_a_lost_answer_are_kept_once(table) -> None:
    table.keep({"cards": "1"})
    table.keep({"cards": "12"}, version=1)
    again = table.keep({"cards": "12"}, version=1)
    assert isinstance(again, OpenHand)
    assert again.version == 2


def test_a_hand_that_another_phone_counted_is_not_counted_again(table, build) -> None:
    seen = table.pad.open(table.match, table.device)
    table.play(build.usual())
    told = table.count(build.usual(), hand_id=seen.id, version=0)
    assert isinstance(told, Stale)
    assert (told.current, len(told.state.hands)) == (None, 1)
    told = table.pad.store_draft(table.match, table.device, ShownDraft(seen.id, 0), {"cards": "1"})
    assert isinstance(told, Stale)
    assert table.totals == [430, 60]


def test_a_count_that_had_not_seen_the_last_field_is_stale(table, build) -> None:
    table.keep({"cards": "1"})
    table.keep({"cards": "12"})
    told = table.count(build.usual(), version=1)
    assert isinstance(told, Stale)
    assert told.current.draft == {"cards": "12"}
    assert isinstance(table.count(build.usual(), {"cards": "12"}, version=1), Saved)


def test_what_was_typed_goes_with_the_hand(table, build) -> None:
    table.keep({"cards": "150"})
    table.play(build.usual())
    assert table.state.open_hand is None
    assert table.pad.open(table.match, table.device).draft == {}


# ---------------------------------------------------------------- the same submission again


def test_a_submission_sent_twice_gets_its_first_result(table, build) -> None:
    coming = table.pad.open(table.match, table.device)
    first = table.count(build.usual(), request=RequestId("same"))
    table.play(build.usual())
    again = table.count(
        build.usual(), request=RequestId("same"), hand_id=coming.id, version=coming.version
    )
    assert again == Saved(table.match, 1, first.judgement, again=True)
    assert table.totals == [860, 120]


def test_a_submission_sent_ten_times_at_once_counts_once(table, build) -> None:
    coming = table.pad.open(table.match, table.device)
    gate, told = threading.Barrier(10), []

    def send() -> None:
        gate.wait()
        told.append(
            table.pad.count(
                RequestId("same"),
                table.match,
                table.device,
                ShownDraft(coming.id, 0),
                SentHand(hand=build.usual(), draft={"x": "1"}),
            )
        )

    threads = [threading.Thread(target=send) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(saved.again for saved in told) == [False] + [True] * 9
    assert {(saved.match, saved.number, saved.judgement.sides[0].total) for saved in told} == {
        (table.match, 1, 430)
    }
    assert table.totals == [430, 60]


def test_a_request_used_for_one_thing_does_no_other(table, start, build) -> None:
    table.count(build.usual(), request=RequestId("same"))
    with pytest.raises(RequestRefused):
        table.pad.undo(RequestId("same"), table.match, table.device, 2)
    with pytest.raises(RequestRefused):
        start().count(build.usual(), request=RequestId("same"))


def test_a_refused_hand_put_right_may_keep_its_request(table, build) -> None:
    bad = build.hand(build.counted(40), build.counted(0))
    assert isinstance(table.count(bad, request=RequestId("same")), Refused)
    assert isinstance(table.count(build.usual(), request=RequestId("same")), Saved)


# ---------------------------------------------------------------- many at once


def _together(jobs) -> list[BaseException]:
    gate, failed = threading.Barrier(len(jobs)), []

    def run(job) -> None:
        gate.wait()
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - the test wants to see it
            failed.append(error)

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


SMALL_TARGET_HANDS = 20


def test_eight_phones_with_twenty_hands_in_their_own_matches_all_save(start, build) -> None:
    tables = [start() for _ in range(8)]
    small = build.hand(build.counted(60, 10), build.counted(0, 20))  # 50 and -20

    def play(table) -> None:
        for _ in range(SMALL_TARGET_HANDS):
            table.play(small)

    assert _together([lambda table=table: play(table) for table in tables]) == []
    assert [table.totals for table in tables] == [[1000, -400]] * 8


def test_two_phones_going_on_in_one_match_lose_and_double_no_hand(table, build) -> None:
    small = build.hand(build.counted(60, 10), build.counted(0, 20))
    counted: list[int] = []

    def play(name: str) -> None:
        for turn in range(10):
            told: object = None
            while not isinstance(told, Saved):
                coming = table.pad.open(table.match, table.device)
                request = RequestId(f"{name}-{turn}")
                told = table.pad.count(
                    request,
                    table.match,
                    table.device,
                    ShownDraft(coming.id, coming.version),
                    SentHand(hand=small),
                )
            counted.append(told.number)

    assert _together([lambda name=name: play(name) for name in ("a", "b")]) == []
    assert sorted(counted) == list(range(1, 21))
    assert table.totals == [1000, -400]


def test_eight_phones_with_the_same_hand_at_once_count_one(table, build) -> None:
    coming = table.pad.open(table.match, table.device)
    told: list[object] = []
    jobs = [
        lambda n=n: told.append(
            table.pad.count(
                RequestId(f"r{n}"),
                table.match,
                table.device,
                ShownDraft(coming.id, 0),
                SentHand(hand=build.usual()),
            )
        )
        for n in range(8)
    ]
    assert _together(jobs) == []
    stale = [answer for answer in told if isinstance(answer, Stale)]
    assert len(stale) == 7
    assert all(len(answer.state.hands) == 1 for answer in stale)
    assert table.totals == [430, 60]
