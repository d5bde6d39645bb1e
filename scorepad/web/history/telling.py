"""What was done in a match, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.matches.audit import (
    Agreed,
    Chosen,
    Confirmed,
    CountedHand,
    Deed,
    DoorChanged,
    Penalised,
    Remarked,
    Rematched,
    Renamed,
    Ruled,
    RulesTaken,
    Started,
    Switched,
    TakenBack,
    TookPlace,
)
from scorepad.matches.payloads import Labels
from scorepad.matches.ruling_words import told_ruling
from scorepad.matches.values import EndHow, Ending
from scorepad.rules.variants import Ruleset
from scorepad.web.citing import with_source
from scorepad.web.history.counting import Say, counted_more, counted_what, points_changed, points_made, totals_told
from scorepad.web.labels import versus

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What was done, in a sentence, and what there is to say beside it."""

    what: str
    more: tuple[str, ...] = ()


def tell(deed: Deed, say: Say) -> Told:
    """What was done."""
    if isinstance(deed, CountedHand | Confirmed | Chosen | Remarked | Penalised | Ruled):
        return _of_a_hand(deed, say)
    return _of_the_match(deed, say)


def _of_a_hand(deed: CountedHand | Confirmed | Chosen | Remarked | Penalised | Ruled, say: Say) -> Told:
    match deed:
        case CountedHand():
            return Told(counted_what(deed, say), tuple(counted_more(deed, say)))
        case Confirmed():
            return Told(say.words.text("history.confirm", number=say.state.called(deed.number)))
        case Chosen():
            return _chosen(deed, say)
        case Remarked():
            return _remarked(deed, say)
        case Penalised():
            return _penalised(deed, say)
        case Ruled():
            return _ruled(deed, say)


_OfTheMatch = Started | RulesTaken | Switched | Renamed | TookPlace | Agreed | Rematched | DoorChanged | TakenBack


def _of_the_match(deed: _OfTheMatch, say: Say) -> Told:  # noqa: PLR0911 - one line for each kind
    words = say.words
    match deed:
        case Started():
            return Told(_started(deed, words), tuple(_started_more(deed, words)))
        case RulesTaken():
            return Told(words.text("history.rules"), tuple(_rules_changed(deed.before, deed.after, words)))
        case Switched():
            return Told(words.text("history.checking.on" if deed.on else "history.checking.off"))
        case Renamed():
            return Told(words.text("history.rename"), tuple(_renamed(deed.before, deed.after, words)))
        case TookPlace():
            return Told(_took_place(deed, say))
        case Agreed():
            return Told(_ending(deed.ending, say))
        case Rematched():
            return Told(words.text("history.rematch"))
        case DoorChanged():
            return Told(_door_changed(deed, words))
        case TakenBack():
            return _taken_back(deed, say)


# ---------------------------------------------------------------------------------------------------- the match


def _started(deed: Started, words: Words) -> str:
    game = words.text(f"variant.{deed.rules.variant}.name")
    return words.text("history.start", game=game, sides=versus(deed.labels.names, words))


def _started_more(deed: Started, words: Words) -> Iterator[str]:
    names, rules = deed.labels.names, deed.rules
    if deed.practice:
        yield words.text("history.start.practice")
    if deed.is_rematch:
        yield words.text("history.start.rematch")
    yield from _players(deed.labels, words)
    if deed.labels.place:
        yield words.text("history.place", place=deed.labels.place)
    if rules.preset:
        yield words.text(
            "web.new.chosen", option=words.text("web.new.preset"), value=words.text(f"preset.{rules.preset}")
        )
    if deed.carried:
        totals = totals_told(names, deed.carried, words)
        if deed.played:
            yield words.plural("history.start.carried", deed.played, totals=totals)
        else:
            yield words.text("history.start.from-paper", totals=totals)


def _players(labels: Labels, words: Words) -> Iterator[str]:
    for name, players in zip(labels.names, labels.players, strict=True):
        named = [player for player in players if player]
        if named and len(players) > 1:
            yield words.text("history.start.players", side=name, players=words.listing(named))


def _rules_changed(before: Ruleset, after: Ruleset, words: Words) -> Iterator[str]:
    """What was chosen otherwise, each with what it was before."""
    if before.preset != after.preset:
        was, now = (
            words.text(f"preset.{one.preset}" if one.preset else "web.new.preset.none") for one in (before, after)
        )
        yield words.text("history.rules.changed", what=words.text("web.new.preset"), before=was, after=now)
    for name, value in after.options.items():
        old = before.options.get(name)
        if old is not None and old != value:
            told = [value_word(name, each, words) for each in (old, value)]
            yield words.text("history.rules.changed", what=words.text(f"option.{name}"), before=told[0], after=told[1])


def _renamed(before: Labels, after: Labels, words: Words) -> Iterator[str]:
    for was, now in zip(before.names, after.names, strict=True):
        if was != now:
            yield words.text("history.rename.changed", before=was, after=now)
    for side, old, new in zip(after.names, before.players, after.players, strict=True):
        if len(new) > 1:
            yield from _players_renamed(side, old, new, words)
    if before.place != after.place:
        yield words.text("history.place" if after.place else "history.place.gone", place=after.place or before.place)


def _players_renamed(side: str, old: Names, new: Names, words: Words) -> Iterator[str]:
    for was, now in zip(old, new, strict=False):
        if was and now and was != now:
            yield words.text("history.rename.changed", before=was, after=now)
        elif was != now:
            key = "history.rename.named" if now else "history.rename.gone"
            yield words.text(key, side=side, player=now or was)


def _took_place(deed: TookPlace, say: Say) -> str:
    taken, side = deed.taken, say.names[deed.taken.seat[0]]
    key = "history.replace" if taken.was else "history.replace.empty"
    if taken.was == side:
        key = "history.replace.alone"
    return say.words.text(key, number=say.state.called(taken.number), name=taken.name, was=taken.was, side=side)


def _ending(ending: Ending, say: Say) -> str:
    side = "" if ending.side is None else say.names[ending.side]
    if ending.hands is None:
        return say.words.text(f"history.end.{ending.how}", side=side)
    key = "history.end.last" if ending.how is EndHow.LAST_HAND else "history.end.after"
    return say.words.text(key, number=say.state.called(ending.hands))


def _door_changed(deed: DoorChanged, words: Words) -> str:
    key = f"history.door.{deed.what}"
    if deed.access is not None:
        return words.text(f"{key}.{deed.access}")
    return words.text(key) if deed.phone is None else words.text(key, number=deed.phone)


def _taken_back(deed: TakenBack, say: Say) -> Told:
    words = say.words
    figures = {} if deed.number is None else {"number": say.state.called(deed.number)}
    more = (words.text("history.note", note=deed.note),) if deed.note else ()
    return Told(words.text(f"history.undo.{deed.kind}", **figures), more)


# ---------------------------------------------------------------------------------------------------- a hand


def _chosen(deed: Chosen, say: Say) -> Told:
    number = deed.counted.deal
    if not deed.is_other:
        return Told(say.words.text("history.choice.same", number=number, points=points_made(deed.counted, say)))
    points = points_changed(deed.before, deed.counted, say)
    return Told(say.words.text("history.choice", number=number, points=points))


def _remarked(deed: Remarked, say: Say) -> Told:
    words, number = say.words, say.state.called(deed.number)
    if not deed.text:
        return Told(words.text("history.remark.gone", number=number, text=deed.before))
    more = (words.text("history.remark.before", text=deed.before),) if deed.before else ()
    return Told(words.text("history.remark", number=number, text=deed.text), more)


def _penalised(deed: Penalised, say: Say) -> Told:
    words = say.words
    what = words.text(f"penalty.{deed.code}")
    key = "history.penalty" if deed.points is None else "history.penalty.points"
    points = {} if deed.points is None else {"points": words.signed(deed.points)}
    more = (words.text("history.reason", reason=deed.reason),) if deed.reason else ()
    return Told(
        words.text(key, number=say.state.called(deed.number), side=say.names[deed.side], what=what, **points), more
    )


def _ruled(deed: Ruled, say: Say) -> Told:
    words, kept = say.words, deed.kept
    told = told_ruling(kept, deed.game, words)
    facts = told.facts("" if kept.side is None else say.names[kept.side])
    more = [words.text("referee.kept.case", facts=facts)] if facts else []
    more += [with_source(reason.text, reason.sources, words) for reason in told.reasons]
    if kept.penalty is not None and kept.side is not None:
        points = words.signed(-kept.penalty.points)
        more.append(words.text("referee.kept.penalty", side=say.names[kept.side], points=points))
    number = say.state.called(kept.number)
    return Told(words.text("history.ruling", number=number, ruling=told.head), tuple(more))
