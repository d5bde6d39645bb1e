"""The counted hands as rows of the card: figures side by side, lines with their sources, corrections and doubts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from flask import current_app, url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import message
from scorepad.pad.lines import keyed
from scorepad.pad.values import HandState, HandVersion, MatchState
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.judge import Finding
from scorepad.rules.score import ITEMS, Line
from scorepad.rules.terms import Partnership
from scorepad.web.citing import places_shown
from scorepad.web.frame import setup
from scorepad.web.labels import moment, player_then
from scorepad.web.matches.hand_said import agreements, marks, said, who_went_out
from scorepad.web.matches.page import Cell, HandRow, LineRow, LineTable, OldVersion, SideScore
from scorepad.web.rulebook.links import broken_rules, line_anchor, rules_url
from scorepad.web.wording import line_word


def hands_shown(state: MatchState, words: Words) -> Markup:
    """The rows of the hands as they stand on the page, made anew only when something was added to the match's log."""
    key = (state.id, state.sequence, words.language, state.access.can_write)
    shown = setup().shown
    return shown.get(key) or shown.put(key, Markup().join(_shown(state, hand, words) for hand in state.hands))


def _shown(state: MatchState, hand: HandState, words: Words) -> Markup:
    """A hand's row, made anew only when something of the hand changed: a long match is mostly old hands."""
    can_write, rows = state.access.can_write, setup().rows
    key = (state.id, words.language, can_write, *_what_shows(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    template = current_app.jinja_env.get_template("matches/hand.html")
    shown = template.render(hand=_row(state, hand, words), words=words, can_write=can_write)
    return rows.put(key, Markup(shown))  # noqa: S704 - nothing but what the template escaped itself


def _what_shows(state: MatchState, hand: HandState) -> Iterator[Hashable]:
    """All that a hand's row depends on."""
    yield hand.number
    yield hand.versions[-1].entry
    yield is_last(state, hand)
    yield tuple((side.name, side.players) for side in state.sides)
    yield tuple(side.total for side in hand.sides)
    yield (hand.checked.confirmed, hand.checked.contest and hand.checked.contest.entry, hand.checked.waits)
    yield hand.remark
    yield tuple(kept.entry for kept in state.rulings if kept.number == hand.number)
    yield state.replacements
    yield tuple((finding.code, finding.where) for finding in (*hand.warnings, *hand.doubts))


def is_last(state: MatchState, hand: HandState) -> bool:
    """Whether it is the last one counted, which stands open."""
    return hand.number == len(state.hands)


def anchor(number: int) -> str:
    """Where a hand stands on the page."""
    return f"smazzata-{number}"


def _row(state: MatchState, hand: HandState, words: Words) -> HandRow:
    names = tuple(side.name for side in state.sides)
    counted, number = hand.versions[-1], state.called(hand.number)
    return HandRow(
        number=number,
        title=words.text("web.hand.title", number=number),
        anchor=anchor(hand.number),
        sides=tuple(
            SideScore(name, words.signed(side.hand), words.figure(side.total))
            for name, side in zip(names, hand.sides, strict=True)
        ),
        is_open=is_last(state, hand) or bool(hand.doubts) or hand.checked.contest is not None,
        is_corrected=hand.is_corrected,
        alone=_alone(state, hand, words),
        doubt=doubt_told(hand, names, words),
        about=tuple(about(state, hand, words)),
        table=table_of(words.text("web.hand.title", number=number), names, counted, state.rules.variant, words),
        reasons=tuple(_reasons(counted.hand, names, words)),
        doubts=_told(hand.doubts, names, words),
        warnings=_told(hand.warnings, names, words),
        book=rules_url(state.rules),
        broken=tuple(broken_rules(state.rules, (*hand.doubts, *counted.broken, *hand.warnings), words)),
        note=counted.note,
        marks=tuple(marks(hand, words)),
        agreements=tuple(agreements(counted, names, words)),
        said=tuple(said(state, hand, words)),
        contest=_contest(hand, state, words),
        versions=tuple(_old(place, hand, state, words) for place in range(1, len(hand.versions))),
        correct_url=url_for("count.correct", match=state.id, number=hand.number),
        remark_url=url_for("course.remark", match=state.id, number=hand.number),
    )


def about(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """What there is to know of a hand beside its figures."""
    minimums = [
        words.text("web.hand.minimum", side=stands.name, points=side.minimum)
        for stands, side in zip(state.sides, hand.sides, strict=True)
        if side.minimum is not None
    ]
    if minimums:
        yield words.text("web.hand.minimums", minimums=words.listing(minimums))
    yield words.text("web.hand.dealt-by", player=player_then(hand.turn.dealer, hand.number, state, words))
    if hand.turn.resting:
        resting = words.listing(player_then(seat, hand.number, state, words) for seat in hand.turn.resting)
        yield words.text("web.rested", players=resting)
    counted = hand.versions[-1].hand
    out = counted.get("out")
    yield from _partners(state, hand, words)
    if not out:
        if "out" in counted:  # of a hand given as sums nobody said
            yield words.text("web.hand.nobody-out")
        return
    side = who_went_out(state, hand, out, words)
    yield words.text("web.hand.out-concealed" if out.get("concealed") else "web.hand.out", side=side)


def _alone(state: MatchState, hand: HandState, words: Words) -> str:
    """Who played alone, and the pair."""
    if hand.single is None:
        return ""
    single, pair = _single_and_pair(state, hand.single, words)
    return words.text("web.alone", single=single, pair=pair)


def _partners(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """How this hand came by its pair."""
    if state.rules.settings.partnership is not Partnership.SINGLE_TAKER:
        return
    if hand.single is None:
        yield words.text("web.hand.each-alone")
        return
    single, pair = _single_and_pair(state, hand.single, words)
    key = "web.hand.took-the-pile" if hand.versions[-1].hand.get("single") else "web.hand.pile-not-taken"
    yield words.text(key, single=single, pair=pair)


def _single_and_pair(state: MatchState, single: int, words: Words) -> tuple[str, str]:
    names = [side.name for side in state.sides]
    return names[single], words.listing(name for position, name in enumerate(names) if position != single)


def table_of(caption: str, names: tuple[str, ...], version: HandVersion, variant: str, words: Words) -> LineTable:
    """The lines of a counting, side by side."""
    concealed = bool((version.hand.get("out") or {}).get("concealed"))
    return LineTable(
        caption=caption,
        names=names,
        rows=line_rows(version.sides, words, concealed=concealed, variant=variant),
        hands=tuple(words.signed(sum(line.points for line in lines)) for lines in version.sides),
    )


# A counted hand never changes, and its lines are asked for at every look at the match.
@lru_cache(maxsize=1024)
def line_rows(
    sides: tuple[tuple[Line, ...], ...], words: Words, *, concealed: bool, variant: str
) -> tuple[LineRow, ...]:
    """The lines of the sides side by side, in the order of the items; `concealed`: who went out did so concealed."""
    by_side = [keyed(lines, by_reason=True) for lines in sides]
    keys = dict.fromkeys(key for lines in by_side for key in lines)
    ordered = sorted(keys, key=lambda key: ITEMS.index(key.item))
    return tuple(
        _line_row([lines.get(key) for lines in by_side], words, concealed=concealed, variant=variant) for key in ordered
    )


def _line_row(lines: list[Line | None], words: Words, *, concealed: bool, variant: str) -> LineRow:
    one = next(line for line in lines if line is not None)
    sources = dict.fromkeys(place for line in lines if line for place in line.sources or ())
    name = line_word(one, words, concealed=concealed, variant=variant)
    shown = tuple(_cell(line, words) for line in lines)
    return LineRow(name, shown, places_shown(sources, words), line_anchor(one.item, one.code))


def _cell(line: Line | None, words: Words) -> Cell | None:
    if line is None:
        return None
    count = "" if line.count is None else words.text("web.times", count=line.count)
    return Cell("" if line.item == "out" else count, words.signed(line.points))


def _reasons(hand: Mapping[str, Any], names: tuple[str, ...], words: Words) -> Iterator[str]:
    """What the table said for its own penalties, and which hand was shown instead of melded."""
    for key, name in zip(SIDE_KEYS, names, strict=False):
        side = hand.get("sides", {}).get(key, {})
        if side.get("special"):
            yield words.text("web.hand.special", side=name, name=words.text(f"value.special.{side['special']}"))
        for penalty in side.get("penalties", ()):
            if isinstance(penalty, Mapping) and penalty.get("reason"):
                points = words.signed(-int(penalty["points"]))
                yield words.text("web.hand.reason", side=name, points=points, reason=str(penalty["reason"]))


def doubt_told(hand: HandState, names: tuple[str, ...], words: Words) -> str:
    """Why a hand is in doubt, in a few words; empty where it is not."""
    return "; ".join(dict.fromkeys(_in_short(doubt, names, words) for doubt in hand.doubts))


def _in_short(doubt: Finding, names: tuple[str, ...], words: Words) -> str:
    position = doubt.where[1:2]
    side = names[position[0]] if position and isinstance(position[0], int) else ""
    if doubt.nature.of_opening:
        minimum = doubt.figures["minimum"]
        assert isinstance(minimum, int), doubt
        return words.text("web.doubt.opening", side=side, minimum=minimum)
    key = f"web.doubt.{doubt.code}"
    return words.text(key, side=side) if words.has(key) else words.text("web.hand.doubt")


def _told(findings: tuple[Finding, ...], names: tuple[str, ...], words: Words) -> tuple[str, ...]:
    return tuple(message(finding, names, words) for finding in findings)


def _contest(hand: HandState, state: MatchState, words: Words) -> OldVersion | None:
    """The other of two counts: whose it is where that is known."""
    version, names = hand.checked.contest, tuple(side.name for side in state.sides)
    if version is None:
        return None
    when = moment(version.at, words)
    if version.by is None:
        title = words.text("checking.counted.1", when=when)
    else:
        title = words.text("checking.counted-by", side=names[version.by], when=when)
    return OldVersion(version.note, table_of(title, names, version, state.rules.variant, words))


def _old(number: int, hand: HandState, state: MatchState, words: Words) -> OldVersion:
    version, names = hand.versions[number - 1], tuple(side.name for side in state.sides)
    title = words.text("web.version", number=number, when=moment(version.at, words))
    return OldVersion(version.note, table_of(title, names, version, state.rules.variant, words))
