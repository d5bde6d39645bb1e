"""A submission that comes again counts once; with other content it is never taken for what came
first.
"""

import secrets
from dataclasses import replace

import pytest

from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import RequestRefused, Saved, SentOtherwise, Stale

SAME = RequestId("same")
PHONE = DeviceId("phone")
NEW = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo"))))


@pytest.fixture
def other(build):
    """Another hand than the usual one: 300 + 200 − 20, and 100 − 40."""
    return build.hand(build.counted(200, 20, mixed_canasta=1), build.counted(100, 40))


def test_a_hand_sent_again_with_other_content_is_stale_and_what_came_first_stands(
    table, build, other
) -> None:
    coming = table.pad.open(table.match, PHONE)
    sent = (SAME, table.match, PHONE, ShownDraft(coming.id, coming.version))
    assert isinstance(table.pad.count(*sent, SentHand(hand=build.usual(), draft={"a": "1"})), Saved)
    told = table.pad.count(*sent, SentHand(hand=other, draft={"a": "2"}))
    assert isinstance(told, Stale)
    assert [len(told.state.hands), table.totals] == [1, [430, 60]]
    again = table.pad.count(*sent, SentHand(hand=build.usual(), draft={"a": "1"}))
    assert isinstance(again, Saved)
    assert again.again


def test_a_hand_sent_again_after_it_was_undone_is_stale_too(table, build, other) -> None:
    coming = table.pad.open(table.match, PHONE)
    sent = (SAME, table.match, PHONE, ShownDraft(coming.id, coming.version))
    table.pad.count(*sent, SentHand(hand=build.usual(), draft={}))
    table.undo()
    assert isinstance(table.pad.count(*sent, SentHand(hand=other, draft={})), Stale)
    assert table.totals == [0, 0]


def test_a_correction_sent_again_with_other_content_is_stale(table, build, other) -> None:
    table.play(build.usual())
    sent = (SAME, table.match, PHONE, 1, 2)
    assert isinstance(table.pad.correct(*sent, SentHand(hand=other, reason="contate male")), Saved)
    told = table.pad.correct(
        *sent,
        SentHand(hand=build.hand(build.counted(100), build.counted(60)), reason="contate male"),
    )
    assert isinstance(told, Stale)
    assert isinstance(
        table.pad.correct(*sent, SentHand(hand=other, reason="un altro perché")), Stale
    )
    assert table.totals == [480, 60]
    table.undo()
    assert isinstance(table.pad.correct(*sent, SentHand(hand=build.usual(), reason="")), Stale), (
        "undone, it is still not what was sent"
    )
    assert isinstance(table.pad.correct(*sent, SentHand(hand=other, reason="contate male")), Saved)


def test_names_sent_again_that_are_others_are_stale(table) -> None:
    sent = (SAME, table.match, PHONE)
    assert isinstance(
        table.pad.actions.rename(*sent, Labels(("Rossi", "Bianchi"), (("", ""), ("", "")), "")),
        Saved,
    )
    told = table.pad.actions.rename(*sent, Labels(("Verdi", "Bianchi"), (("", ""), ("", "")), ""))
    assert isinstance(told, Stale)
    assert [side.name for side in told.state.sides] == ["Rossi", "Bianchi"]
    assert isinstance(
        table.pad.actions.rename(*sent, Labels(["Rossi", "Bianchi"], [["", ""], ["", ""]], "")),
        Saved,
    )


def test_an_undo_sent_again_for_something_else_is_stale(table, build) -> None:
    table.play(build.usual(), build.usual())
    seen = table.state.sequence
    assert isinstance(table.pad.undo(SAME, table.match, PHONE, seen), Saved)
    assert isinstance(table.pad.undo(SAME, table.match, PHONE, table.state.sequence), Stale)
    assert len(table.state.hands) == 1


def test_a_match_is_not_started_twice_by_one_form_nor_another_one_taken_for_it(pad) -> None:
    first = pad.actions.start(SAME, PHONE, NEW)
    assert isinstance(first, Saved)
    with pytest.raises(SentOtherwise):
        pad.actions.start(
            SAME, PHONE, replace(NEW, labels=replace(NEW.labels, names=("Rossi", "Bianchi")))
        )
    with pytest.raises(SentOtherwise):
        pad.actions.start(SAME, PHONE, replace(NEW, options={"target": 3000}))
    again = pad.actions.start(
        SAME,
        PHONE,
        replace(
            NEW, labels=replace(NEW.labels, players=[list(side) for side in NEW.labels.players])
        ),
    )
    assert isinstance(again, Saved)
    assert (again.match, again.again) == (first.match, True)
    with pytest.raises(RequestRefused):
        pad.actions.start(SAME, DeviceId("tablet"), NEW)


def test_what_a_device_carries_never_comes_to_the_file(start, build, storage) -> None:
    device = DeviceId("k7Hn-the-cookie-of-a-telephone-9Qz")
    table = start(device=device)
    table.request = lambda: RequestId(secrets.token_hex(8))
    table.play(build.usual())
    table.keep({"a.red_threes": "1"})
    table.correct(1, build.usual(), "di nuovo")
    assert table.totals == [430, 60]
    assert table.pad.summaries(device).in_progress[0].id == table.match
    storage.close()
    assert device.encode() not in storage.path.read_bytes()
