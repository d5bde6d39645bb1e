"""A match as JSON, made from its state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.api.shapes import ComingTold, HandSide, HandTold, LineTold, MatchAnswer, MatchLine, SideTold
from scorepad.matches.values import HandState, MatchState, SideHand
from scorepad.matches.who import SIDE_KEYS
from scorepad.rules.score import Line
from scorepad.schemas.forms import HandForm
from scorepad.storage.writing import as_moment


def named(hand: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A hand whose sides go by other names."""
    told = {**hand, "sides": {names[key]: side for key, side in hand["sides"].items()}}
    if hand.get("out"):
        told["out"] = {**hand["out"], "side": names[hand["out"]["side"]]}
    if hand.get("single"):
        told["single"] = names[hand["single"]]
    return told


def match_line(state: MatchState) -> MatchLine:
    """A match in a line."""
    return MatchLine.model_construct(
        id=state.id,
        variant=state.rules.variant,
        names=[side.name for side in state.sides],
        totals=[side.total for side in state.sides],
        hands=len(state.hands),
        finished=state.standing.finished,
        winner=_winner(state),
        started=as_moment(state.started),
        changed=as_moment(state.changed),
        access=state.access.value,
    )


def match_whole(state: MatchState) -> MatchAnswer:
    """A match with its hands."""
    return MatchAnswer.model_construct(
        id=state.id,
        variant=state.rules.variant,
        preset=state.rules.preset,
        options=dict(state.rules.options),
        unit=state.rules.settings.unit,
        place=state.place,
        started=as_moment(state.started),
        changed=as_moment(state.changed),
        sequence=state.sequence,
        access=state.access.value,
        practice=state.practice,
        played=state.played,
        sides=list(_sides(state)),
        hands=[_hand(state, hand) for hand in state.hands],
        coming=_coming(state),
        target=state.standing.target,
        finished=state.standing.finished,
        winner=_winner(state),
        ending=state.ending.how.value if state.ending else None,
    )


def _winner(state: MatchState) -> str | None:
    return None if state.standing.winner is None else state.sides[state.standing.winner].name


def _sides(state: MatchState) -> Iterator[SideTold]:
    for side in state.sides:
        yield SideTold.model_construct(
            name=side.name, players=list(side.players), total=side.total, opening_minimum=side.minimum
        )


def _coming(state: MatchState) -> ComingTold | None:
    if state.standing.finished:
        return None
    return ComingTold.model_construct(
        number=len(state.hands) + 1,
        dealer=list(state.next_turn.dealer),
        version=state.open_hand.version if state.open_hand else 0,
    )


def _hand(state: MatchState, hand: HandState) -> HandTold:
    names = [side.name for side in state.sides]
    counts = hand.versions[-1]
    return HandTold.model_construct(
        number=hand.number,
        entry=counts.entry,
        at=as_moment(counts.at),
        hand=HandForm.model_validate(named(counts.hand, dict(zip(SIDE_KEYS, names, strict=False)))),
        sides={name: _side(side) for name, side in zip(names, hand.sides, strict=True)},
        corrected=hand.is_corrected,
        confirmed=hand.checked.confirmed is not None,
        contested=hand.checked.contest is not None,
        remark=hand.remark,
        agreed=counts.agreed,
    )


def _side(side: SideHand) -> HandSide:
    return HandSide.model_construct(
        lines=[_line(line) for line in side.lines],
        before=side.before,
        hand=side.hand,
        total=side.total,
        opened=side.opened,
        opening_minimum=side.minimum,
    )


def _line(line: Line) -> LineTold:
    apart: dict[str, Any] = {"code": line.code, "reason": line.reason}
    return LineTold.model_construct(
        item=line.item,
        count=line.count,
        points=line.points,
        sources=list(line.sources),
        standing=line.standing,
        **{name: text for name, text in apart.items() if text is not None},
    )
