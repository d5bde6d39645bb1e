"""The counted hands of a match as rows of its page, and what there is to say about a hand beside its figures."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import current_app, url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import HandState, HandVersion, MatchState
from scorepad.matches.rulings import told_ruling
from scorepad.rules.judge import Finding
from scorepad.rules.settings import Partnership
from scorepad.sheets.hand_rows import Table, single_and_pair, table_of
from scorepad.web.base import app_state
from scorepad.web.presenters import (
    broken_rules,
    hand_anchor,
    line_anchor,
    moment,
    places_shown,
    player_then,
    rules_url,
    side_names,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of a list: its name, its value, and what there is to say beside it."""

    name: str
    value: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class PendingHand:
    """A hand that waits for a confirmation, or for the choice of one of two countings."""

    text: str
    action: str
    """The label of the link; empty if this device has nothing to do."""
    url: str


def hand_rows(state: MatchState, words: Words) -> Markup:
    """The rows of the hands, cached until the log of the match changes."""
    key = (state.id, state.sequence, words.language, state.access.can_write)
    shown = app_state().shown
    return shown.get(key) or shown.put(key, Markup().join(_row(state, hand, words) for hand in state.hands))


def _row(state: MatchState, hand: HandState, words: Words) -> Markup:
    """The row of a hand, cached by all that it shows."""
    rows = app_state().rows
    key = (state.id, words.language, state.access.can_write, *_row_key(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    names = side_names(state)
    template = current_app.jinja_env.get_template("matches/hand.html")
    shown = template.render(
        match=state,
        hand=hand,
        counted=hand.versions[-1],
        names=names,
        number=state.called(hand.number),
        anchor=hand_anchor(hand.number),
        is_last=hand.number == len(state.hands),
        alone=single_and_pair(hand, names, words),
        doubt=doubt_text(hand, names, words),
        agreements=tuple(agreements(hand.versions[-1], names, words)),
        reasons=tuple(_reasons(hand.versions[-1].hand, names, words)),
        about=tuple(about(state, hand, words)),
        rulings=tuple(kept_rulings(state, hand.number, words)),
        book=rules_url(state.rules),
        broken=tuple(broken_rules(state.rules, (*hand.doubts, *hand.versions[-1].broken, *hand.warnings), words)),
        table_of=partial(page_table, names=names, variant=state.rules.variant, words=words),
        message=partial(message, names=names, words=words),
        moment=partial(moment, words=words),
        places=partial(places_shown, words=words),
        line_anchor=line_anchor,
        t=words.text,
    )
    return rows.put(key, Markup(shown))  # noqa: S704 - the template escapes what people wrote


def _row_key(state: MatchState, hand: HandState) -> Iterator[Hashable]:
    """All that the row of a hand shows."""
    yield hand.number
    yield hand.versions[-1].entry
    yield hand.number == len(state.hands)
    yield tuple((side.name, side.players) for side in state.sides)
    yield tuple(side.total for side in hand.sides)
    yield (hand.checked.confirmed, hand.checked.contest and hand.checked.contest.entry, hand.checked.waits)
    yield hand.remark
    yield tuple(kept.entry for kept in state.rulings if kept.number == hand.number)
    yield tuple(state.replacements)
    yield tuple((finding.code, finding.where) for finding in (*hand.warnings, *hand.doubts))


def page_table(version: HandVersion, names: tuple[str, ...], variant: str, words: Words) -> Table:
    """The score lines of a counting; points agreed at the table are listed by their reason."""
    return table_of(version, names, variant, words, by_reason=True)


def about(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """Opening minimums, dealer, who sat out, partners and who went out of a hand."""
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
    yield from _partners(state, hand, words)
    counted = hand.versions[-1].hand
    out = counted.get("out")
    if out:
        side = _who_went_out(state, hand, out, words)
        yield words.text("web.hand.out-concealed" if out.get("concealed") else "web.hand.out", side=side)
    elif "out" in counted:  # a hand given as sums does not say
        yield words.text("web.hand.nobody-out")


def _partners(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """Who played alone in a hand of three players."""
    if state.rules.settings.partnership is not Partnership.SINGLE_TAKER:
        return
    if hand.single is None:
        yield words.text("web.hand.each-alone")
        return
    single, pair = single_and_pair(hand, side_names(state), words)
    key = "web.hand.took-the-pile" if hand.versions[-1].hand.get("single") else "web.hand.pile-not-taken"
    yield words.text(key, single=single, pair=pair)


def _who_went_out(state: MatchState, hand: HandState, out: Mapping[str, Any], words: Words) -> str:
    """The side that went out, with its player if the hand says which and the player has a name."""
    position = SIDE_KEYS.index(out["side"])
    side, index = state.sides[position], out.get("player")
    playing = [place for place in range(len(side.players)) if (position, place) not in hand.turn.resting]
    if len(side.players) == 1 or index is None or index >= len(playing):
        return side.name
    name = state.sat((position, playing[index]), hand.number)
    return words.text("web.seat.named", player=name, side=side.name) if name else side.name


def _reasons(hand: Mapping[str, Any], names: tuple[str, ...], words: Words) -> Iterator[str]:
    """The special hands, and the reasons of the house penalties."""
    for key, name in zip(SIDE_KEYS, names, strict=False):
        side = hand.get("sides", {}).get(key, {})
        if side.get("special"):
            yield words.text("web.hand.special", side=name, name=words.text(f"value.special.{side['special']}"))
        for penalty in side.get("penalties", ()):
            if isinstance(penalty, Mapping) and penalty.get("reason"):
                points = words.signed(-int(penalty["points"]))
                yield words.text("web.hand.reason", side=name, points=points, reason=str(penalty["reason"]))


def doubt_text(hand: HandState, names: tuple[str, ...], words: Words) -> str:
    """Why a hand is in doubt after a correction of an earlier one; empty if it is not."""
    return "; ".join(dict.fromkeys(_short_doubt(doubt, names, words) for doubt in hand.doubts))


def _short_doubt(doubt: Finding, names: tuple[str, ...], words: Words) -> str:
    position = doubt.where[1:2]
    side = names[position[0]] if position and isinstance(position[0], int) else ""
    if doubt.nature.of_opening:
        minimum = doubt.figures["minimum"]
        assert isinstance(minimum, int), doubt
        return words.text("web.doubt.opening", side=side, minimum=minimum)
    key = f"web.doubt.{doubt.code}"
    return words.text(key, side=side) if words.has(key) else words.text("web.hand.doubt")


def agreements(version: HandVersion, names: tuple[str, ...], words: Words) -> Iterator[str]:
    """Why the table counted a hand that the rules refuse, and what they refuse."""
    if version.agreed:
        yield words.text("checking.agreed", reason=version.agreed)
        for finding in version.broken:
            yield fact(finding, names, words)


def kept_rulings(state: MatchState, number: int, words: Words) -> Iterator[Markup]:
    """The referee's rulings kept with a hand, each in a line with a link to its page."""
    for kept in state.rulings:
        if kept.number == number:
            line = words.text("referee.kept.in-hand", ruling=told_ruling(kept, state.rules.variant, words).head)
            url = url_for("rulings.kept", match=state.id, _anchor=f"decisione-{kept.entry}")
            yield Markup('{} <a class="to-book" href="{}">{}</a>').format(line, url, words.text("referee.kept.look"))


def pending_hands(state: MatchState, can_check: tuple[bool, ...], words: Words) -> Iterator[PendingHand]:
    """The hands that wait for a confirmation or a choice, the oldest first."""
    for hand in state.hands:
        number, url = state.called(hand.number), url_for("checking.hand", match=state.id, number=hand.number)
        if hand.checked.contest:
            action = words.text("checking.choose") if state.access.can_write else ""
            yield PendingHand(words.text("checking.is-contested", number=number), action, url)
        elif hand.checked.waits:
            may = hand.number <= len(can_check) and can_check[hand.number - 1]
            text = words.text("checking.is-yours" if may else "checking.is-theirs", number=number)
            yield PendingHand(text, words.text("checking.look") if may else "", url)


def rules_facts(state: MatchState, words: Words) -> Iterator[Fact]:
    """The rules of a match: variant, preset and options."""
    rules = state.rules
    yield Fact(words.text("web.rules.variant"), words.text(f"variant.{rules.variant}.name"))
    if rules.settings.match_deals is not None:
        yield Fact(words.text("setting.match-deals"), words.figure(rules.settings.match_deals))
    if rules.preset:
        yield Fact(words.text("web.new.preset"), words.text(f"preset.{rules.preset}"))
    for name, value in rules.options.items():
        yield Fact(words.text(f"option.{name}"), value_word(name, value, words))
