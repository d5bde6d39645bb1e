"""How a match stands or ended, in a few lines to send, and as what is drawn in a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scorepad.i18n import Words
from scorepad.pad.paper_words import PaperWords
from scorepad.pad.running import running_chart
from scorepad.pad.values import MatchState
from scorepad.sheets import isolated
from scorepad.sheets.picture import Picture, PictureSide, lacking
from scorepad.web.labels import versus
from scorepad.web.matches.ending import ended_of


@dataclass(frozen=True, slots=True)
class Side:
    """A side: its name, its players as far as they are named, its total as people write it."""

    name: str
    players: str
    total: str


@dataclass(frozen=True, slots=True)
class Result:
    """A match in few words: which game, when and where, who made what, how it ended or goes, and why so."""

    game: str
    day: str
    place: str
    sides: tuple[Side, ...]
    sentence: str
    how: str


def result_of(state: MatchState, words: Words) -> Result:
    """How a match stands or ended."""
    sentence, how = _ended(state, words) if state.standing.finished else _going(state, words)
    game = words.text(f"variant.{state.rules.variant}.name")
    return Result(
        game=words.text("share.practice", game=game) if state.practice else game,
        day=words.day(state.started.astimezone()),
        place=state.place,
        sides=tuple(
            Side(side.name, _players(side.players, words) if seats > 1 else "", words.figure(side.total))
            for side, seats in zip(state.sides, state.rules.settings.sides, strict=True)
        ),
        sentence=sentence,
        how=how,
    )


def _players(players: tuple[str, ...], words: Words) -> str:
    """The players of a side who are named."""
    named = [isolated(name) for name in players if name]
    return words.listing(named) if named else ""


def _ended(state: MatchState, words: Words) -> tuple[str, str]:
    ended, winner = ended_of(state, words), state.standing.winner
    if winner is None:
        return ended.sentence, ended.how
    return words.text("share.won", side=state.sides[winner].name), ended.how


def _going(state: MatchState, words: Words) -> tuple[str, str]:
    hands, highest = state.played + len(state.hands), max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    sentence = words.plural("share.going-on", hands) if hands else words.text("share.not-begun")
    return sentence, words.text("share.leads", side=leading[0]) if len(leading) == 1 else ""


def text_of(result: Result, words: Words) -> str:
    """The result as text to send: a line for each side between where it was played and how it ended."""
    where = ", ".join(filter(None, (result.game, result.day, isolated(result.place))))
    how = f"{result.sentence}. {result.how}".rstrip()
    return "\n".join((where, *(_line(side, words) for side in result.sides), how))


def _line(side: Side, words: Words) -> str:
    name = isolated(side.name)
    if not side.players:
        return words.text("share.text.side", side=name, points=side.total)
    return words.text("share.text.players", side=name, players=side.players, points=side.total)


def alt_of(result: Result, words: Words) -> str:
    """What the picture shows."""
    sides = ", ".join(f"{isolated(side.name)} {side.total}" for side in result.sides)
    return words.text("share.picture.alt", sides=sides, how=f"{result.sentence}. {result.how}".rstrip())


def picture_of(state: MatchState, words: Words) -> Picture:
    """The result as it is drawn. Who is called by nothing that can be drawn is called by the seat too, as on paper."""
    missing = lacking(_written(state))
    on_paper = PaperWords(state, words, missing)
    drawn = replace(
        state,
        sides=tuple(
            replace(side, name=name, players=players)
            for side, name, players in zip(state.sides, on_paper.names, on_paper.players, strict=True)
        ),
    )
    told, winner = result_of(drawn, words), state.standing.winner
    chart = running_chart(drawn, words.language) if state.hands else None
    return Picture(
        game=told.game,
        when=" · ".join(filter(None, (told.day, told.place))),
        sides=tuple(
            PictureSide(side.name, side.players, side.total, won=position == winner)
            for position, side in enumerate(told.sides)
        ),
        sentence=told.sentence,
        how=told.how,
        won=words.text("web.won"),
        chart=None if chart is None else replace(chart, openings=()),
        note=words.text("share.picture.stand-in") if missing else "",
    )


def _written(state: MatchState) -> Iterable[str]:
    """What people wrote of what stands in the picture."""
    yield state.place
    for side in state.sides:
        yield side.name
        yield from side.players


def file_name(state: MatchState, words: Words) -> str:
    """What the picture is called where it is kept, without its ending."""
    names = versus([side.name for side in state.sides], words)
    return words.text("share.picture.file", names=names, day=words.day(state.started.astimezone()))
