"""Rulings kept with a match: frozen as they were answered, with their penalty, told everywhere,
taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.matches.access import Access, DeviceId, NotAllowed, RequestId
from scorepad.matches.actions import Asking
from scorepad.matches.events import EndHow, Ending, RulingKept
from scorepad.matches.keys import NO_KEYS
from scorepad.matches.rulings import ruling_text
from scorepad.matches.transaction import MatchOver, RequestRefused, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.sheets.match_sheet import MatchSheet
from scorepad.storage import Storage
from tests.matches.conftest import Table

SHORT = {"kind": "opening", "score": 1600, "melds": ["3xQ", "3x9"]}
"""Thirty and thirty points where ninety are needed (W, L'apertura)."""
OUT_OF_TURN = {"kind": "penalty", "code": "draw-out-of-turn"}


def asking(
    table: Table, question: Mapping[str, Any] = SHORT, side: int | None = 0, **other: str
) -> Asking:
    told = {
        "rules": table.state.rules.digest,
        "hand_id": table.pad.open(table.match, table.device).id,
        **other,
    }
    return Asking(question, told["rules"], told["hand_id"], side)


def keep(
    table: Table,
    asked: Asking | None = None,
    *,
    with_penalty: bool = False,
    request: RequestId | None = None,
) -> Any:
    return table.pad.actions.keep_ruling(
        request or table.request(),
        table.match,
        table.device,
        asked or asking(table),
        with_penalty=with_penalty,
    )


def noted(table: Table) -> list[tuple[int, str]]:
    return [(each.side, each.code) for each in table.state.noted_penalties]


def take_back(table: Table, entry: int) -> Any:
    return table.pad.actions.take_back_ruling(table.request(), table.match, table.device, entry)


def test_a_ruling_is_kept_with_the_hand_that_is_being_played(table: Table) -> None:
    assert isinstance(keep(table), Saved)
    kept = table.state.rulings[0].event
    ruling = kept.answer.ruling
    assert (kept.number, kept.side, kept.question["kind"], ruling.verdict) == (
        1,
        0,
        "opening",
        "forbidden",
    )
    assert kept.question == SHORT
    assert ruling.details == {"minimum": 90, "counted": 60, "missing": 30}
    reason = ruling.reasons[0]
    assert reason.code == "opening-below-minimum"
    assert "W:L'apertura" in reason.sources
    assert (kept.code, kept.points) == (None, None)


def test_a_kept_ruling_is_told_in_either_language_with_the_figures_of_its_case(
    table: Table,
) -> None:
    keep(table)
    for language, asked, word in (
        ("it", "Basta per aprire?", "No"),
        ("en", "Is it enough to open?", "No"),
    ):
        told = ruling_text(table.state.rulings[0].event, "classica", words(language))
        assert (told.question, told.word) == (asked, word)
        assert all(figure in told.reasons[0].text for figure in ("90", "60", "30"))


def test_a_ruling_keeps_what_it_said_whatever_is_read_later(table: Table, storage: Storage) -> None:
    keep(table)
    with storage.reading() as rows:
        payload = list(rows.entries(table.match))[-1].payload
    assert payload["answer"]["ruling"]["verdict"] == "forbidden"
    assert payload["answer"]["ruling"]["reasons"][0]["figures"]["missing"] == 30
    assert payload["question"] == SHORT


def test_where_the_answer_would_be_another_is_kept_as_well(table: Table) -> None:
    natural_and_wild = {
        "kind": "pile",
        "top": "K",
        "frozen": True,
        "opened": True,
        "with": ["2xK 2"],
    }
    keep(table, asking(table, natural_and_wild))
    kept = table.state.rulings[0].event
    assert kept.answer.ruling.verdict == "forbidden"
    assert {each.preset for each in kept.answer.others} == {"enciclopedia"}


def test_the_penalty_of_a_ruling_waits_for_the_count(table: Table) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    kept = table.state.rulings[0].event
    assert (kept.code, kept.points) == ("draw-out-of-turn", 100)
    assert kept.side == 1
    assert noted(table) == [(1, "draw-out-of-turn")]


def test_a_penalty_that_is_not_taken_is_not_kept(table: Table) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=None))
    assert table.state.rulings[0].event.points is None
    assert noted(table) == []


def test_a_ruling_without_penalty_notes_none(table: Table) -> None:
    keep(table, asking(table), with_penalty=True)
    assert table.state.rulings[0].event.points is None
    assert noted(table) == []


def test_what_costs_no_points_takes_none(table: Table) -> None:
    keep(
        table, asking(table, {"kind": "penalty", "code": "exposed-card"}, side=0), with_penalty=True
    )
    assert table.state.rulings[0].event.points is None
    assert noted(table) == []


def test_sent_again_it_is_kept_once(table: Table) -> None:
    asked, name = asking(table), table.request()
    keep(table, asked, request=name)
    assert keep(table, asked, request=name).again
    assert len(table.state.rulings) == 1


def test_sent_again_with_another_question_it_is_stale(table: Table) -> None:
    name = table.request()
    keep(table, asking(table), request=name)
    assert isinstance(keep(table, asking(table, OUT_OF_TURN), request=name), Stale)


def test_a_name_that_stood_for_something_else_is_refused(table: Table, five_hands: Any) -> None:
    name = table.request()
    table.count(five_hands[0], request=name)
    with pytest.raises(RequestRefused):
        keep(table, request=name)


def test_a_hand_that_is_over_takes_no_more_rulings(table: Table, five_hands: Any) -> None:
    asked = asking(table)
    table.play(five_hands[0])
    assert isinstance(keep(table, asked), Stale)
    assert table.state.rulings == []


def test_a_ruling_by_other_rules_than_those_of_the_match_is_stale(table: Table) -> None:
    assert isinstance(keep(table, asking(table, rules="other")), Stale)


def test_a_match_that_is_over_takes_none(table: Table) -> None:
    asked = asking(table)
    table.pad.actions.end(table.request(), table.match, table.device, 0, Ending(EndHow.BROKEN_OFF))
    with pytest.raises(MatchOver):
        keep(table, asked)


def test_what_is_no_question_is_told_as_such(table: Table) -> None:
    with pytest.raises(Unusable):
        keep(table, asking(table, {"kind": "opening", "melds": "3xQ"}))
    assert table.state.rulings == []


def test_who_may_only_look_keeps_none(table: Table) -> None:
    other = DeviceId("somebody else's phone")
    key = table.pad.devices.renew(table.match, table.device, Access.VIEW, NO_KEYS).view
    table.pad.devices.enter(key, other)
    with pytest.raises(NotAllowed):
        table.pad.actions.keep_ruling(table.request(), table.match, other, asking(table))
    keep(table)
    with pytest.raises(NotAllowed):
        table.pad.actions.take_back_ruling(
            table.request(), table.match, other, table.state.rulings[0].sequence
        )


def test_undoing_takes_the_last_ruling_back_with_its_penalty(table: Table) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    assert table.state.undoable is not None
    assert table.state.undoable.event.kind == "ruling"
    table.undo()
    assert table.state.rulings == []
    assert noted(table) == []


def test_a_ruling_is_taken_back_whatever_was_done_since(table: Table) -> None:
    keep(table)
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    first, second = table.state.rulings
    assert isinstance(take_back(table, first.sequence), Saved)
    assert table.state.rulings == [second]
    assert noted(table) == [(1, "draw-out-of-turn")]
    assert isinstance(take_back(table, first.sequence), Stale)


def test_the_penalty_of_a_counted_hand_stays_there_when_its_ruling_is_taken_back(
    table: Table, build: Any
) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    table.play(build.hand(build.counted(60), build.counted(60)))
    total = table.state.sides[1].total
    assert total == -40
    take_back(table, table.state.rulings[0].sequence)
    assert table.state.rulings == []
    assert table.state.sides[1].total == total


def test_a_ruling_stays_with_its_hand_when_that_is_counted_and_undone(
    table: Table, five_hands: Any
) -> None:
    keep(table)
    table.play(five_hands[0])
    keep(table, asking(table, OUT_OF_TURN, side=1))
    assert [kept.event.number for kept in table.state.rulings] == [1, 2]
    table.undo()
    table.undo()
    assert [kept.event.number for kept in table.state.rulings] == [1]


def test_the_log_tells_of_rulings_and_of_taking_them_back(table: Table) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    take_back(table, table.state.rulings[0].sequence)
    _, kept, back = table.pad.records.audit(table.match, table.device)
    assert isinstance(kept.event, RulingKept)
    assert (kept.event.code, kept.event.points, kept.rules.variant) == (
        "draw-out-of-turn",
        100,
        "classica",
    )
    assert kept.undone == back.sequence


def test_the_sheet_tells_the_ruling_with_its_reason_its_source_and_its_penalty(
    table: Table,
) -> None:
    keep(table, asking(table, OUT_OF_TURN, side=1), with_penalty=True)
    (ruling,) = MatchSheet(table.state, words("it")).footnotes.rulings
    assert (ruling.number, ruling.text) == (1, "Pescata fuori turno: −100")
    assert "100 punti" in ruling.reasons[0][0]
    assert "Calcolo delle penalità" in ruling.reasons[0][1]
    assert ruling.detail.endswith("Penalità: Eva–Ivo, −100")


def test_hands_on_paper_count_in_the_number_of_a_ruling(start: Callable[..., Table]) -> None:
    from dataclasses import replace

    from tests.matches.conftest import TWO_AGAINST_TWO

    table = start(replace(TWO_AGAINST_TWO, carried=(1480, 65), played=3))
    keep(table)
    assert table.state.rulings[0].event.number == 1
    assert MatchSheet(table.state, words("it")).footnotes.rulings[0].number == 4
