"""The match as pages show it, made from its log."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.matches.judging import look_again
from scorepad.matches.log import Log, Version
from scorepad.matches.values import (
    Checked,
    EndHow,
    HandState,
    HandVersion,
    MatchState,
    MatchSummary,
    OpenHand,
    SideHand,
    SideState,
)
from scorepad.matches.who import SIDE_KEYS, Access, DeviceMark, MatchId
from scorepad.rules.match import Standing, Turn, turns
from scorepad.rules.settings import Partnership, Settings
from scorepad.storage.records import OpenHandRecord, SummaryRecord


def state_of(log: Log, record: OpenHandRecord | None, access: Access) -> MatchState:
    """The match as it stands for a device with this access."""
    *played, coming = turns(log.rules.settings, log.dealer, len(log.hands) + 1)
    standing = log.standing
    return MatchState(
        id=MatchId(log.match.id),
        rules=log.rules,
        sides=tuple(_sides(log)),
        hands=tuple(_hands(log, played)),
        standing=standing,
        next_turn=coming,
        open_hand=open_hand_of(log, record),
        undoable=log.undoable[-1] if log.undoable else None,
        started=log.match.started,
        changed=log.changed,
        place=log.labels.place,
        dealer=log.dealer,
        sequence=log.sequence,
        house=log.house,
        access=access,
        ending=log.ending,
        ended_early=standing.finished and not log.by_rules.finished,
        checking=bool(log.checking_since),
        carried=log.begins.carried,
        played=log.begins.played,
        practice=log.begins.practice,
        replacements=log.replacements,
        rulings=log.rulings,
    )


def open_hand_of(log: Log, record: OpenHandRecord | None) -> OpenHand | None:
    """The hand being typed, if anything of it has been kept."""
    if record is None:
        return None
    return OpenHand(record.id, record.version, len(log.hands) + 1, record.draft, record.kept_at)


def summary_of(record: SummaryRecord) -> MatchSummary:
    """A match as the home page lists it."""
    return MatchSummary(
        id=MatchId(record.match),
        variant=record.variant,
        names=record.names,
        totals=record.totals,
        hands=record.hands,
        standing=Standing(record.target or None, record.finished, record.winner),
        started=record.started,
        changed=record.changed,
        players=record.players,
        ending=EndHow(record.ending) if record.ending else None,
        place=record.place,
    )


def summary_record(log: Log) -> SummaryRecord:
    """The row in which lists find the match."""
    standing = log.standing
    return SummaryRecord(
        match=log.match.id,
        variant=log.rules.variant,
        names=log.labels.names,
        totals=log.scores[-1],
        hands=len(log.hands),
        target=standing.target or 0,
        finished=standing.finished,
        winner=standing.winner,
        started=log.match.started,
        changed=log.changed,
        place=log.last.place,
        players=log.labels.players,
        practice=log.begins.practice,
        ending=log.ending.how.value if log.ending and standing.finished and not log.by_rules.finished else "",
    )


def _sides(log: Log) -> Iterator[SideState]:
    settings, standing, coming = log.rules.settings, log.standing, log.deals + 1
    for name, players, total in zip(log.labels.names, log.labels.players, log.scores[-1], strict=True):
        yield SideState(
            name=name,
            players=players,
            total=total,
            minimum=None if standing.finished else settings.opening_minimum(total, coming),
            minimum_from=None if standing.finished else _minimum_from(settings, total),
            to_target=None if standing.target is None else max(0, standing.target - total),
        )


def _minimum_from(settings: Settings, total: int) -> int | None:
    """The match score from which the opening minimum in force holds."""
    reached = [start for start, _ in settings.opening_steps if 0 <= start <= total]
    return reached[-1] if reached and len(settings.opening_steps) > 1 else None


def _hands(log: Log, played: list[Turn]) -> Iterator[HandState]:
    scores = log.scores
    for number, (versions, turn) in enumerate(zip(log.hands, played, strict=True), 1):
        before, after = scores[number - 1], scores[number]
        second = look_again(log.rules, versions[-1].counted, before)
        yield HandState(
            number=number,
            sides=tuple(_side_hands(log, versions[-1], before, after)),
            turn=turn,
            versions=tuple(map(_version, versions)),
            warnings=tuple(finding for finding in second.warnings if not finding.is_error),
            doubts=second.doubts,
            single=_single(log, versions[-1]),
            checked=_checked(log, number),
            remark=log.marks[number - 1].remark,
        )


def _side_hands(log: Log, version: Version, before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[SideHand]:
    for side, start, end in zip(version.counted.sides, before, after, strict=True):
        minimum = log.rules.settings.opening_minimum(start, version.counted.deal)
        yield SideHand(side.lines, side.points, start, end, side.opened, minimum)


def _checked(log: Log, number: int) -> Checked:
    """How far the other side is with checking a hand."""
    marks, first = log.marks[number - 1], log.hands[number - 1][0].entry.sequence
    return Checked(
        confirmed=marks.confirmed.at if marks.confirmed else None,
        contest=_version(marks.contest) if marks.contest else None,
        waits=0 < log.checking_since < first and marks.confirmed is None,
    )


def _single(log: Log, version: Version) -> int | None:
    """Who took the pile first; where nobody did, who went out. None where everybody played for themselves."""
    if log.rules.settings.partnership is not Partnership.SINGLE_TAKER:
        return None
    hand = version.counted.hand
    single = hand.get("single") or (hand.get("out") or {}).get("side")
    return SIDE_KEYS.index(single) if single in SIDE_KEYS else None


def _version(version: Version) -> HandVersion:
    return HandVersion(
        entry=version.entry.sequence,
        at=version.entry.at,
        device=DeviceMark(version.entry.device),
        note=version.counted.note,
        hand=version.counted.hand,
        sides=tuple(side.lines for side in version.counted.sides),
        agreed=version.counted.said.agreed,
        broken=tuple(finding for finding in version.counted.findings if finding.is_error),
        by=version.counted.by,
        draft=version.counted.draft,
    )
