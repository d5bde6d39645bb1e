"""What was done in a match, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.matches.audit import AuditEntry
from scorepad.matches.events import (
    AccessChange,
    Checking,
    Choice,
    Confirm,
    Counted,
    EndHow,
    Ending,
    Labels,
    Penalty,
    Remark,
    Rematch,
    Rename,
    Replacement,
    RulesChange,
    RulingKept,
    Start,
    Undo,
)
from scorepad.matches.rulings import KeptRuling, told_ruling
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


def tell(done: AuditEntry, say: Say) -> Told:
    """What was done."""
    if isinstance(done.event, Counted | Confirm | Remark | Penalty | RulingKept):
        return _of_a_hand(done, say)
    return _of_the_match(done, say)


def _of_a_hand(done: AuditEntry, say: Say) -> Told:
    match done.event:
        case Counted():
            return Told(counted_what(done, say), tuple(counted_more(done, say)))
        case Choice():
            return _chosen(done, say)
        case Confirm() as confirmed:
            return Told(say.words.text("history.confirm", number=say.state.called(confirmed.number)))
        case Remark() as remark:
            return _remarked(remark, done.before or "", say)
        case Penalty() as penalty:
            return _penalised(penalty, done.rules, say)
        case RulingKept() as ruling:
            return _ruled(KeptRuling.of(done.sequence, done.at, ruling), done.rules.variant, say)
    raise AssertionError(done.event)


def _of_the_match(done: AuditEntry, say: Say) -> Told:  # noqa: PLR0911 - one line for each kind
    words = say.words
    match done.event:
        case Start() as start:
            return Told(_started(start, done.rules, words), tuple(_started_more(start, done.rules, words)))
        case RulesChange():
            return Told(words.text("history.rules"), tuple(_rules_changed(done.before, done.rules, words)))
        case Checking(on=on):
            return Told(words.text("history.checking.on" if on else "history.checking.off"))
        case Rename() as rename:
            return Told(words.text("history.rename"), tuple(_renamed(done.before, rename.labels, words)))
        case Replacement() as taken:
            return Told(_took_place(taken, say))
        case Ending() as ending:
            return Told(_ending(ending, say))
        case Rematch():
            return Told(words.text("history.rematch"))
        case AccessChange() as change:
            return Told(_access_changed(change, words))
        case Undo() as undo:
            return _taken_back(undo, say)
    raise AssertionError(done.event)


# ---------------------------------------------------------------------------------------------------- the match


def _started(start: Start, rules: Ruleset, words: Words) -> str:
    game = words.text(f"variant.{rules.variant}.name")
    return words.text("history.start", game=game, sides=versus(start.names, words))


def _started_more(start: Start, rules: Ruleset, words: Words) -> Iterator[str]:
    if start.practice:
        yield words.text("history.start.practice")
    if start.rematch:
        yield words.text("history.start.rematch")
    yield from _players(start.labels, words)
    if start.place:
        yield words.text("history.place", place=start.place)
    if rules.preset:
        yield words.text(
            "web.new.chosen", option=words.text("web.new.preset"), value=words.text(f"preset.{rules.preset}")
        )
    if start.carried:
        totals = totals_told(start.names, start.carried, words)
        if start.played:
            yield words.plural("history.start.carried", start.played, totals=totals)
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


def _took_place(taken: Replacement, say: Say) -> str:
    side = say.names[taken.seat[0]]
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


def _access_changed(change: AccessChange, words: Words) -> str:
    key = f"history.door.{change.what}"
    if change.access is not None:
        return words.text(f"{key}.{change.access}")
    return words.text(key) if change.phone is None else words.text(key, number=change.phone)


def _taken_back(undo: Undo, say: Say) -> Told:
    words = say.words
    figures = {} if undo.number is None else {"number": say.state.called(undo.number)}
    more = (words.text("history.note", note=undo.note),) if undo.note else ()
    return Told(words.text(f"history.undo.{undo.undone}", **figures), more)


# ---------------------------------------------------------------------------------------------------- a hand


def _chosen(done: AuditEntry, say: Say) -> Told:
    chosen = done.chosen
    assert chosen is not None, "a choice without its count"
    if done.before is None or done.before == chosen:
        return Told(say.words.text("history.choice.same", number=chosen.deal, points=points_made(chosen, say)))
    points = points_changed(done.before, chosen, say)
    return Told(say.words.text("history.choice", number=chosen.deal, points=points))


def _remarked(remark: Remark, before: str, say: Say) -> Told:
    words, number = say.words, say.state.called(remark.number)
    if not remark.text:
        return Told(words.text("history.remark.gone", number=number, text=before))
    more = (words.text("history.remark.before", text=before),) if before else ()
    return Told(words.text("history.remark", number=number, text=remark.text), more)


def _penalised(penalty: Penalty, rules: Ruleset, say: Say) -> Told:
    words, cost = say.words, penalty.cost(rules)
    what = words.text(f"penalty.{penalty.code}")
    key = "history.penalty" if cost is None else "history.penalty.points"
    points = {} if cost is None else {"points": words.signed(-cost)}
    more = (words.text("history.reason", reason=penalty.reason),) if penalty.reason else ()
    return Told(
        words.text(key, number=say.state.called(penalty.number), side=say.names[penalty.side], what=what, **points),
        more,
    )


def _ruled(kept: KeptRuling, game: str, say: Say) -> Told:
    words = say.words
    told = told_ruling(kept, game, words)
    facts = told.facts("" if kept.side is None else say.names[kept.side])
    more = [words.text("referee.kept.case", facts=facts)] if facts else []
    more += [with_source(reason.text, reason.sources, words) for reason in told.reasons]
    if kept.penalty is not None and kept.side is not None:
        points = words.signed(-kept.penalty.points)
        more.append(words.text("referee.kept.penalty", side=say.names[kept.side], points=points))
    number = say.state.called(kept.number)
    return Told(words.text("history.ruling", number=number, ruling=told.head), tuple(more))
