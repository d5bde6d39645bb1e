"""The counted hands as rows of the card, each opening into its lines; what else there is to say of a counted hand."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import current_app, url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import HandState, HandVersion, MatchState
from scorepad.matches.rulings import told_ruling
from scorepad.rules.judge import Finding
from scorepad.rules.settings import Partnership
from scorepad.sheets.hand_rows import Table, single_and_pair, table_of
from scorepad.web.citing import places_shown, with_source
from scorepad.web.frame import setup
from scorepad.web.labels import moment, player_then
from scorepad.web.rulebook.links import broken_rules, line_anchor, rules_url


@dataclass(frozen=True, slots=True)
class Awaited:
    """A hand that the other side has yet to check, or two countings of which one has yet to be chosen."""

    text: str
    action: str
    """What the link to it says; empty where this device has nothing to do."""
    url: str


def hands_shown(state: MatchState, words: Words) -> Markup:
    """The rows of the hands as they stand on the page, made anew only when something was added to the match's log."""
    key = (state.id, state.sequence, words.language, state.access.can_write)
    shown = setup().shown
    return shown.get(key) or shown.put(key, Markup().join(_shown(state, hand, words) for hand in state.hands))


def _shown(state: MatchState, hand: HandState, words: Words) -> Markup:
    """A hand's row, made anew only when something of the hand changed: a long match is mostly old hands."""
    rows = setup().rows
    key = (state.id, words.language, state.access.can_write, *_what_shows(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    names = tuple(side.name for side in state.sides)
    template = current_app.jinja_env.get_template("matches/hand.html")
    shown = template.render(
        match=state,
        hand=hand,
        counted=hand.versions[-1],
        names=names,
        number=state.called(hand.number),
        anchor=anchor(hand.number),
        is_last=_is_last(state, hand),
        alone=single_and_pair(hand, names, words),
        doubt=doubt_told(hand, names, words),
        agreements=tuple(agreements(hand.versions[-1], names, words)),
        reasons=tuple(_reasons(hand.versions[-1].hand, names, words)),
        about=tuple(about(state, hand, words)),
        rulings=tuple(rulings_told(state, hand.number, words)),
        book=rules_url(state.rules),
        broken=tuple(broken_rules(state.rules, (*hand.doubts, *hand.versions[-1].broken, *hand.warnings), words)),
        table_of=partial(page_table, names=names, variant=state.rules.variant, words=words),
        message=partial(message, names=names, words=words),
        moment=partial(moment, words=words),
        places=partial(places_shown, words=words),
        line_anchor=line_anchor,
        words=words,
    )
    return rows.put(key, Markup(shown))  # noqa: S704 - nothing but what the template escaped itself


def _what_shows(state: MatchState, hand: HandState) -> Iterator[Hashable]:
    """All that a hand's row depends on."""
    yield hand.number
    yield hand.versions[-1].entry
    yield _is_last(state, hand)
    yield tuple((side.name, side.players) for side in state.sides)
    yield tuple(side.total for side in hand.sides)
    yield (hand.checked.confirmed, hand.checked.contest and hand.checked.contest.entry, hand.checked.waits)
    yield hand.remark
    yield tuple(kept.entry for kept in state.rulings if kept.number == hand.number)
    yield tuple(state.replacements)
    yield tuple((finding.code, finding.where) for finding in (*hand.warnings, *hand.doubts))


def _is_last(state: MatchState, hand: HandState) -> bool:
    """Whether it is the last one counted, which stands open."""
    return hand.number == len(state.hands)


def anchor(number: int) -> str:
    """Where a hand stands on the page."""
    return f"smazzata-{number}"


def page_table(version: HandVersion, names: tuple[str, ...], variant: str, words: Words) -> Table:
    """The lines of a counting as a page shows them: points that were agreed each with their reason."""
    return table_of(version, names, variant, words, by_reason=True)


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
    side = _who_went_out(state, hand, out, words)
    yield words.text("web.hand.out-concealed" if out.get("concealed") else "web.hand.out", side=side)


def _partners(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """How this hand came by its pair."""
    if state.rules.settings.partnership is not Partnership.SINGLE_TAKER:
        return
    if hand.single is None:
        yield words.text("web.hand.each-alone")
        return
    single, pair = single_and_pair(hand, [side.name for side in state.sides], words)
    key = "web.hand.took-the-pile" if hand.versions[-1].hand.get("single") else "web.hand.pile-not-taken"
    yield words.text(key, single=single, pair=pair)


def _who_went_out(state: MatchState, hand: HandState, out: Mapping[str, Any], words: Words) -> str:
    """The side that went out; the player of it too, where that was said of one with a name."""
    position = SIDE_KEYS.index(out["side"])
    side, hand_of = state.sides[position], out.get("player")
    playing = [place for place in range(len(side.players)) if (position, place) not in hand.turn.resting]
    if len(side.players) == 1 or hand_of is None or hand_of >= len(playing):
        return side.name
    name = state.sat((position, playing[hand_of]), hand.number)
    return words.text("web.seat.named", player=name, side=side.name) if name else side.name


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


def agreements(version: HandVersion, names: tuple[str, ...], words: Words) -> Iterator[str]:
    """Why the table counted a hand that the rules refuse, and what they refuse in it."""
    if version.agreed:
        yield words.text("checking.agreed", reason=version.agreed)
        for finding in version.broken:
            yield fact(finding, names, words)


def rulings_told(state: MatchState, number: int, words: Words) -> Iterator[str]:
    """The rulings of the referee kept with a hand of the pad, each in a line."""
    for kept in state.rulings:
        if kept.number == number:
            told = told_ruling(kept, state.rules.variant, words)
            facts = told.facts("" if kept.side is None else state.sides[kept.side].name)
            case = words.text("referee.kept.case", facts=facts) if facts else ""
            why = with_source(told.reasons[0].text, told.reasons[0].sources, words) if told.reasons else ""
            line = words.text("referee.kept.in-hand", ruling=told.head, case=case, why=why)
            url = url_for("referee.kept", match=state.id, _anchor=f"decisione-{kept.entry}")
            yield Markup('{} <a class="to-book" href="{}">{}</a>').format(line, url, words.text("referee.kept.look"))


def awaited(state: MatchState, can_check: tuple[bool, ...], words: Words) -> Iterator[Awaited]:
    """The hands that wait for a side's word, the oldest first."""
    for hand in state.hands:
        if hand.checked.contest or hand.checked.waits:
            others = hand.number <= len(can_check) and can_check[hand.number - 1]
            yield _awaited(state, hand, words, can_check=others)


def _awaited(state: MatchState, hand: HandState, words: Words, *, can_check: bool) -> Awaited:
    number, url = state.called(hand.number), url_for("checking.hand", match=state.id, number=hand.number)
    if hand.checked.contest:
        action = words.text("checking.choose") if state.access.can_write else ""
        return Awaited(words.text("checking.is-contested", number=number), action, url)
    key = "checking.is-yours" if can_check else "checking.is-theirs"
    return Awaited(words.text(key, number=number), words.text("checking.look") if can_check else "", url)
