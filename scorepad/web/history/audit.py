"""The entries of a match's log in words: what was done, and what there is to say beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import add

from scorepad.i18n.findings import fact
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import (
    AccessChange,
    Checking,
    Choice,
    Confirm,
    Contest,
    Counted,
    EndHow,
    Ending,
    Labels,
    Penalty,
    Redo,
    Remark,
    Rematch,
    Rename,
    Replacement,
    RulesChange,
    RulingKept,
    Start,
    Undo,
)
from scorepad.matches.history import AuditEntry
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.score import Line, item_order
from scorepad.rules.table import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.base import page_words, plural, t
from scorepad.web.presenters import line_word, versus, with_source

_WITHOUT_CARDS = ("sum", "penalty", "adjustment")
"""Items that do not come from the cards."""
_LineKey = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Context:
    """The match of an entry, and the names of its sides at that time."""

    names: tuple[str, ...]
    state: MatchState


def entry_text(entry: AuditEntry, context: Context) -> str:  # noqa: C901, PLR0911, PLR0912 - one branch for each kind
    """What was done, in a sentence."""
    called = context.state.called
    match entry.event:
        case Counted() as counted:
            return _counted(counted, entry.before, context)
        case Choice():
            return _chosen(entry, context)
        case Confirm(number=number):
            return t("history.confirm", number=called(number))
        case Remark(number=number, text=text):
            key = "history.remark" if text else "history.remark.gone"
            return t(key, number=called(number), text=text or entry.before)
        case Penalty() as penalty:
            return _penalty(penalty, entry.rules, context)
        case RulingKept() as ruling:
            head = ruling_text(ruling, entry.rules.variant, page_words()).head
            return t("history.ruling", number=called(ruling.number), ruling=head)
        case Start(names=names):
            game = t(f"variant.{entry.rules.variant}.name")
            return t("history.start", game=game, sides=versus(names, page_words()))
        case RulesChange():
            return t("history.rules")
        case Checking(on=on):
            return t("history.checking.on" if on else "history.checking.off")
        case Rename():
            return t("history.rename")
        case Replacement() as taken:
            return _replaced(taken, context)
        case Ending() as ending:
            return _agreed_end(ending, context)
        case Rematch():
            return t("history.rematch")
        case AccessChange() as change:
            return _access_changed(change)
        case Undo(undone=kind, number=hand) | Redo(undone=kind, number=hand):
            key = "actions.undone" if isinstance(entry.event, Undo) else "actions.redone"
            return t(key, deed=t(f"actions.deed.{kind}", number=called(hand or 0)))
    raise AssertionError(entry.event)


def entry_details(entry: AuditEntry, context: Context) -> Iterator[str]:
    """What there is to say beside it."""
    match entry.event:
        case Counted() as counted:
            yield from _counted_details(counted, entry.before, context)
        case Remark(text=text) if text and entry.before:
            yield t("history.remark.before", text=entry.before)
        case Penalty(reason=reason) if reason:
            yield t("history.reason", reason=reason)
        case RulingKept() as ruling:
            yield from _ruling_details(ruling, entry.rules.variant, context)
        case Start() as start:
            yield from _start_details(start, entry.rules)
        case RulesChange():
            yield from _rule_changes(entry.before, entry.rules)
        case Rename() as rename:
            yield from _name_changes(entry.before, rename.labels)
        case Undo(why=why) if why:
            yield t("history.note", note=why)


# ---------------------------------------------------------------- the match


def _start_details(start: Start, rules: Ruleset) -> Iterator[str]:
    labels = start.labels
    if start.practice:
        yield t("history.start.practice")
    if start.rematch:
        yield t("history.start.rematch")
    for name, players in zip(labels.names, labels.players, strict=True):
        named = [player for player in players if player]
        if named and len(players) > 1:
            yield t("history.start.players", side=name, players=page_words().listing(named))
    if labels.place:
        yield t("history.place", place=labels.place)
    if rules.preset:
        yield t("web.new.chosen", option=t("web.new.preset"), value=t(f"preset.{rules.preset}"))
    if start.carried:
        totals = _totals(labels.names, start.carried)
        if start.played:
            yield plural("history.start.carried", start.played, totals=totals)
        else:
            yield t("history.start.from-paper", totals=totals)


def _rule_changes(before: Ruleset, after: Ruleset) -> Iterator[str]:
    if before.preset != after.preset:
        was, now = (t(f"preset.{one.preset}" if one.preset else "web.new.preset.none") for one in (before, after))
        yield t("history.rules.changed", what=t("web.new.preset"), before=was, after=now)
    for name, value in after.options.items():
        old = before.options.get(name)
        if old is not None and old != value:
            was, now = (value_word(name, each, page_words()) for each in (old, value))
            yield t("history.rules.changed", what=t(f"option.{name}"), before=was, after=now)


def _name_changes(before: Labels, after: Labels) -> Iterator[str]:
    for was, now in zip(before.names, after.names, strict=True):
        if was != now:
            yield t("history.rename.changed", before=was, after=now)
    for side, old, new in zip(after.names, before.players, after.players, strict=True):
        if len(new) > 1:
            yield from _player_changes(side, old, new)
    if before.place != after.place:
        yield t("history.place" if after.place else "history.place.gone", place=after.place or before.place)


def _player_changes(side: str, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[str]:
    for was, now in zip(before, after, strict=False):
        if was and now and was != now:
            yield t("history.rename.changed", before=was, after=now)
        elif was != now:
            yield t("history.rename.named" if now else "history.rename.gone", side=side, player=now or was)


def _replaced(taken: Replacement, context: Context) -> str:
    side = context.names[taken.seat[0]]
    key = "history.replace" if taken.was else "history.replace.empty"
    if taken.was == side:
        key = "history.replace.alone"
    return t(key, number=context.state.called(taken.number), name=taken.name, was=taken.was, side=side)


def _agreed_end(ending: Ending, context: Context) -> str:
    if ending.hands is None:
        side = "" if ending.side is None else context.names[ending.side]
        return t(f"history.end.{ending.how}", side=side)
    key = "history.end.last" if ending.how is EndHow.LAST_HAND else "history.end.after"
    return t(key, number=context.state.called(ending.hands))


def _access_changed(change: AccessChange) -> str:
    key = f"history.access.{change.what}"
    if change.access is not None:
        return t(f"{key}.{change.access}")
    return t(key) if change.phone is None else t(key, number=change.phone)


# ---------------------------------------------------------------- a hand


def _counted(counted: Counted, before: Counted | None, context: Context) -> str:
    is_contest = isinstance(counted, Contest)
    if before is None or is_contest:
        key = "history.contest" if is_contest else "history.hand"
        return t(key, number=counted.deal, points=_points(counted, context))
    return t("history.correction", number=counted.deal, points=_point_changes(before, counted, context))


def _counted_details(counted: Counted, before: Counted | None, context: Context) -> Iterator[str]:
    if before is None:
        totals = map(add, counted.before, (side.points for side in counted.sides))
        yield t("history.totals", totals=_totals(context.names, totals))
        yield from _lines_without_cards(counted, context)
    else:
        changes = [text for side in range(len(context.names)) for text in _changes(side, before, counted, context)]
        yield from changes or [t("history.changed.nothing")]
    old = set() if before is None else set(_house_penalties(before, context))
    yield from (text for text in _house_penalties(counted, context) if text not in old)
    if any(line.item == "sum" for side in counted.sides for line in side.lines):
        yield t("history.not-checked")
    if counted.agreed:
        yield t("checking.agreed", reason=counted.agreed)
        yield from (fact(finding, context.names, page_words()) for finding in counted.findings if finding.is_error)
    if counted.remark and (before is None or before.remark != counted.remark):
        yield t("checking.remark", text=counted.remark)
    if counted.why:
        yield t("history.note", note=counted.why)


def _chosen(entry: AuditEntry, context: Context) -> str:
    chosen, before = entry.chosen, entry.before
    assert chosen is not None, "a choice without its count"
    if before is None or before == chosen:
        return t("history.choice.same", number=chosen.deal, points=_points(chosen, context))
    return t("history.choice", number=chosen.deal, points=_point_changes(before, chosen, context))


def _penalty(penalty: Penalty, rules: Ruleset, context: Context) -> str:
    cost = penalty.cost(rules)
    key = "history.penalty" if cost is None else "history.penalty.points"
    points = {} if cost is None else {"points": page_words().signed(-cost)}
    side, what = context.names[penalty.side], t(f"penalty.{penalty.code}")
    return t(key, number=context.state.called(penalty.number), side=side, what=what, **points)


def _ruling_details(kept: RulingKept, game: str, context: Context) -> Iterator[str]:
    words = page_words()
    text = ruling_text(kept, game, words)
    facts = text.facts("" if kept.side is None else context.names[kept.side])
    if facts:
        yield t("referee.kept.case", facts=facts)
    yield from (with_source(reason.text, reason.sources, words) for reason in text.reasons)
    if kept.points is not None and kept.side is not None:
        points = words.signed(-kept.points)
        yield t("referee.kept.penalty", side=context.names[kept.side], points=points)


def _points(counted: Counted, context: Context) -> str:
    """The points of each side: `Noi +430, Loro −60`."""
    sides = zip(context.names, counted.sides, strict=True)
    return ", ".join(t("history.points", side=name, points=page_words().signed(side.points)) for name, side in sides)


def _point_changes(before: Counted, after: Counted, context: Context) -> str:
    """The points of each side before and after: `Noi da +430 a +530, Loro sempre −60`."""
    signed, changes = page_words().signed, []
    for name, old, new in zip(context.names, before.sides, after.sides, strict=True):
        if old.points == new.points:
            changes.append(t("history.points.same", side=name, points=signed(new.points)))
        else:
            points = {"before": signed(old.points), "after": signed(new.points)}
            changes.append(t("history.points.changed", side=name, **points))
    return ", ".join(changes)


def _totals(names: Iterable[str], totals: Iterable[int]) -> str:
    """The totals of the sides: `Noi 1.280, Loro −15`."""
    sides = zip(names, totals, strict=True)
    return ", ".join(t("history.points", side=name, points=page_words().figure(total)) for name, total in sides)


def _changes(side: int, before: Counted, after: Counted, context: Context) -> Iterator[str]:
    """The score lines of a side that changed, with what they were."""
    old, new = (_by_key(counted.sides[side].lines) for counted in (before, after))
    for key in sorted({*old, *new}, key=lambda key: (item_order(key[0]), key[1] or "", key[2] or "")):
        was, now = _cell(old.get(key, [])), _cell(new.get(key, []))
        if was != now:
            change = "changed" if was and now else "added" if now else "gone"
            item = _label(new[key][0], after, context) if now else _label(old[key][0], before, context)
            yield t(f"history.changed.{change}", side=context.names[side], item=item, before=was, after=now)


def _by_key(lines: tuple[Line, ...]) -> Mapping[_LineKey, list[Line]]:
    kept: dict[_LineKey, list[Line]] = {}
    for line in lines:
        kept.setdefault((line.item, line.code, line.reason), []).append(line)
    return kept


def _cell(lines: list[Line]) -> str:
    """The points of lines, and how many where they are counted: `+600 (2)`; empty for no line."""
    signed = page_words().signed
    return ", ".join(
        signed(line.points)
        if line.count is None or line.item == "out"
        else t("history.cell", points=signed(line.points), count=line.count)
        for line in lines
    )


def _label(line: Line, counted: Counted, context: Context) -> str:
    concealed = bool((counted.hand.get("out") or {}).get("concealed"))
    return line_word(line, page_words(), concealed=concealed, variant=context.state.rules.variant)


def _lines_without_cards(counted: Counted, context: Context) -> Iterator[str]:
    """Sums, penalties of the rules and adjustments."""
    for name, side in zip(context.names, counted.sides, strict=True):
        for line in side.lines:
            if line.item in _WITHOUT_CARDS and line.code != HOUSE:
                points = _cell([replace(line, count=None) if line.count == 1 else line])
                item = _label(line, counted, context)
                yield t("history.changed.added", side=name, item=item, before="", after=points)


def _house_penalties(counted: Counted, context: Context) -> Iterator[str]:
    """House penalties, each with its reason."""
    for name, key in zip(context.names, SIDE_KEYS, strict=False):
        for penalty in counted.hand["sides"].get(key, {}).get("penalties", ()):
            if isinstance(penalty, Mapping) and penalty.get("code") == HOUSE:
                what, points = t(f"penalty.{HOUSE}"), page_words().signed(-int(penalty["points"]))
                yield t("history.why", side=name, what=what, points=points, reason=str(penalty["reason"]))
