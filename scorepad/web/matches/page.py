"""The page of a match: the card with its columns, the coming hand, and the counted hands as rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import current_app, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.settings import value_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted, Event, LogEntry
from scorepad.matches.projection import HandState, MatchState, SideState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.judge import Finding
from scorepad.rules.settings import OpeningBy, Partnership
from scorepad.sheets.result import Table, ended_of, ending_to_come, single_and_pair, table_of
from scorepad.web.base import FieldError, app_state, device_id, get_pad, page_words, render_page, t
from scorepad.web.hand_fields import noted_sentence
from scorepad.web.matches.forms import UndoForm
from scorepad.web.polling import watch
from scorepad.web.presenters import (
    broken_rules,
    chart_of,
    hand_anchor,
    line_anchor,
    moment,
    out_needs,
    own_side_first,
    places_shown,
    player,
    player_then,
    reachable,
    rules_url,
    side_names,
    thirteen_word,
    versus,
)

LONG = 14
"""Characters beyond which a name is set in small letters."""
WIDE = 5
"""Characters beyond which a total is set in small figures."""
USUAL_DECKS = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A side at the head of the card; `minimum` is empty if no hand is to come or none is asked."""

    name: str
    is_long: bool
    players: str
    total: str
    is_wide: bool
    minimum: str
    why: str
    distance: str
    won: bool


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


def show_match(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page of a match, with a form to undo the last entry that it shows."""
    state, words = reachable(state), page_words()
    standing, order = state.standing, own_side_first(state)
    is_checked = state.checking or any(hand.contest for hand in state.hands)
    can_check = get_pad().checking.can_check(state.id, device_id()) if is_checked else ()
    coming_rulings = () if standing.finished else tuple(kept_rulings(state, len(state.hands) + 1, words))
    return render_page(
        "matches/page.html",
        title=versus(side_names(state), words),
        status=status,
        errors=errors,
        watch=watch(state, match_url(state)),
        match=state,
        form=UndoForm(formdata=None, seen=state.sequence),
        columns=[_column(state, position, words) for position in order],
        order=order,
        ended=ended_of(state, words) if standing.finished else None,
        is_level=_is_level(state),
        agreed_end=ending_to_come(state, words),
        doubtful=_doubtful(state, words),
        pending=tuple(pending_hands(state, can_check, words)),
        coming=() if standing.finished else tuple(_coming_facts(state, words)),
        resting=[] if standing.finished else [player(seat, state.sides, words) for seat in state.next_turn.resting],
        coming_rulings=coming_rulings,
        noted=noted_sentence(state, words),
        hands=hand_rows(state, words, order),
        undo=undo_text(state),
        rules=tuple(rules_facts(state, words)),
        rulebook=rules_url(state.rules),
        facts=match_facts(state),
        chart=chart_of(state, words) if standing.finished else Markup(),
    )


def match_url(state: MatchState) -> str:
    """The URL of a match."""
    return url_for("matches.page", match=state.id)


def match_facts(state: MatchState, *more: str) -> str:
    """Variant, place and start of a match in a line."""
    variant = t(f"variant.{state.rules.variant}.name")
    parts = [variant, state.place, moment(state.started, page_words()), *more]
    return "\N{NO-BREAK SPACE}· ".join(filter(None, parts))


def undo_text(state: MatchState) -> str:
    """What would be undone; empty if there is nothing."""
    last = state.undoable
    return "" if last is None else t(f"web.undo.{last.event.kind}", **_hand_number(state, last))


def undone_text(state: MatchState, last: LogEntry[Event], *, keeps_typed: bool) -> str:
    """What was undone; `keeps_typed`: the open hand keeps what was being typed."""
    if keeps_typed and last.event.hand_number is not None:
        return t("web.undone.hand.typed", number=state.called(last.event.hand_number))
    return t(f"web.undone.{last.event.kind}", **_hand_number(state, last))


def _hand_number(state: MatchState, last: LogEntry[Event]) -> dict[str, int]:
    number = last.event.hand_number
    return {} if number is None else {"number": state.called(number)}


def _is_level(state: MatchState) -> bool:
    """Whether the target was reached and the match goes on because the highest totals are equal."""
    target = state.standing.target
    return not state.standing.finished and target is not None and max(side.total for side in state.sides) >= target


def _doubtful(state: MatchState, words: Words) -> list[tuple[str, str]]:
    """The hands that a correction left in doubt: their anchor, and their number with the reason."""
    names = side_names(state)
    return [
        (
            hand_anchor(hand.number),
            f"{t('web.hand.title', number=state.called(hand.number))} – {doubt_text(hand, names, words)}",
        )
        for hand in state.hands
        if hand.doubts
    ]


def _column(state: MatchState, position: int, words: Words) -> Column:
    side = state.sides[position]
    widest = max(len(words.figure(each.total)) for each in state.sides)
    return Column(
        name=side.name,
        is_long=len(side.name) > LONG,
        players=", ".join(filter(None, side.players)) if len(side.players) > 1 else "",
        total=words.figure(side.total),
        is_wide=widest > WIDE,
        minimum="" if side.minimum is None else words.figure(side.minimum),
        why=_minimum_reason(state, side, words),
        distance="" if state.standing.finished else _distance(state, side, words),
        won=state.standing.winner == position,
    )


def _minimum_reason(state: MatchState, side: SideState, words: Words) -> str:
    """What decides the opening minimum: a score, or the number of the hand."""
    settings = state.rules.settings
    if side.minimum is None:
        return ""
    if settings.opening_by is OpeningBy.DEAL:
        return words.text("web.minimum.deal", number=state.coming, hands=settings.match_deals or 0)
    if side.total < 0 and side.minimum != settings.opening_minimum(0, 1):
        return words.text("web.minimum.below-zero")
    if side.minimum_from:
        return words.text("web.minimum.from", score=side.minimum_from)
    later = [start for start, _ in settings.opening_steps if start > max(side.total, 0)]
    return words.text("web.minimum.under", score=later[0]) if later else ""


def _distance(state: MatchState, side: SideState, words: Words) -> str:
    """How far to the target; without a target, how far behind."""
    if side.to_target is None:
        behind = max(other.total for other in state.sides) - side.total
        return words.text("web.distance.behind", points=behind) if behind else ""
    return words.text("web.distance", points=side.to_target) if side.to_target else words.text("web.distance.none")


def _coming_facts(state: MatchState, words: Words) -> Iterator[Fact]:
    """What the table must know before the coming hand."""
    settings, turn = state.rules.settings, state.next_turn
    yield Fact(words.text("web.fact.dealer"), player(turn.dealer, state.sides, words))
    yield Fact(words.text("web.fact.first"), player(turn.first, state.sides, words))
    if settings.decks != USUAL_DECKS:
        yield Fact(words.text("setting.decks"), words.figure(settings.decks))
    several = {} if settings.hands_each == 1 else {"hands": settings.hands_each}
    cards = "web.cards.hands" if several else "web.cards"
    yield Fact(words.text("web.fact.cards"), words.plural(cards, settings.drawn, dealt=settings.dealt, **several))
    if settings.first_exchange:
        yield Fact(words.text("web.fact.exchange"), words.text("web.exchange"))
    if thirteen := thirteen_word(settings, words):
        yield Fact(words.text("setting.thirteen"), thirteen)
    yield Fact(words.text("web.fact.out"), *out_needs(state.rules, words))


# ---------------------------------------------------------------- the counted hands


def hand_rows(state: MatchState, words: Words, order: tuple[int, ...]) -> Markup:
    """The rows of the hands, cached until the log of the match changes; `order`: that of the columns."""
    key = (state.id, state.sequence, words.language, state.access.can_write, order)
    shown = app_state().shown
    return shown.get(key) or shown.put(key, Markup().join(_row(state, hand, words, order) for hand in state.hands))


def _row(state: MatchState, hand: HandState, words: Words, order: tuple[int, ...]) -> Markup:
    """The row of a hand, cached by all that it shows."""
    rows = app_state().rows
    key = (state.id, words.language, state.access.can_write, order, *_row_key(state, hand))
    known = rows.get(key)
    if known is not None:
        return known
    names = side_names(state)
    template = current_app.jinja_env.get_template("matches/hand.html")
    shown = template.render(
        match=state,
        hand=hand,
        counted=hand.counted,
        names=names,
        order=order,
        number=state.called(hand.number),
        anchor=hand_anchor(hand.number),
        is_last=hand.number == len(state.hands),
        alone=single_and_pair(hand, names, words),
        doubt=doubt_text(hand, names, words),
        agreements=tuple(agreements(hand.counted, names, words)),
        reasons=tuple(_reasons(hand.counted.hand, names, words)),
        about=tuple(about(state, hand, words)),
        rulings=tuple(kept_rulings(state, hand.number, words)),
        book=rules_url(state.rules),
        broken=tuple(broken_rules(state.rules, (*hand.doubts, *hand.counted.broken, *hand.warnings), words)),
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
    yield hand.versions[-1].sequence
    yield hand.number == len(state.hands)
    yield tuple((side.name, side.players) for side in state.sides)
    yield tuple(side.total for side in hand.sides)
    yield (hand.confirmed, hand.contest and hand.contest.sequence, hand.waits)
    yield hand.remark
    yield tuple(kept.sequence for kept in state.rulings if kept.event.number == hand.number)
    yield tuple(state.replacements)
    yield tuple((finding.code, finding.where) for finding in (*hand.warnings, *hand.doubts))


def page_table(counted: Counted, names: tuple[str, ...], variant: str, words: Words) -> Table:
    """The score lines of a counting; points agreed at the table are listed by their reason."""
    return table_of(counted, names, variant, words, by_reason=True)


def about(state: MatchState, hand: HandState, words: Words) -> Iterator[str]:
    """Opening minimums, dealer, who sat out, partners and who went out of a hand."""
    minimums = [
        words.text("web.hand.minimum", side=stands.name, points=side.opening_minimum)
        for stands, side in zip(state.sides, hand.sides, strict=True)
        if side.opening_minimum is not None
    ]
    if minimums:
        yield words.text("web.hand.minimums", minimums=words.listing(minimums))
    yield words.text("web.hand.dealt-by", player=player_then(hand.turn.dealer, hand.number, state, words))
    if hand.turn.resting:
        resting = words.listing(player_then(seat, hand.number, state, words) for seat in hand.turn.resting)
        yield words.text("web.rested", players=resting)
    yield from _partners(state, hand, words)
    counted = hand.counted.hand
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
    key = "web.hand.took-the-pile" if hand.counted.hand.get("single") else "web.hand.pile-not-taken"
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


def agreements(counted: Counted, names: tuple[str, ...], words: Words) -> Iterator[str]:
    """Why the table counted a hand that the rules refuse, and what they refuse."""
    if counted.agreed:
        yield words.text("checking.agreed", reason=counted.agreed)
        for finding in counted.broken:
            yield fact(finding, names, words)


def kept_rulings(state: MatchState, number: int, words: Words) -> Iterator[Markup]:
    """The referee's rulings kept with a hand, each in a line with a link to its page."""
    for kept in state.rulings:
        if kept.event.number == number:
            line = words.text("referee.kept.in-hand", ruling=ruling_text(kept.event, state.rules.variant, words).head)
            url = url_for("rulings.kept", match=state.id, _anchor=f"decisione-{kept.sequence}")
            yield Markup('{} <a class="to-book" href="{}">{}</a>').format(line, url, words.text("referee.kept.look"))


def pending_hands(state: MatchState, can_check: tuple[bool, ...], words: Words) -> Iterator[PendingHand]:
    """The hands that wait for a confirmation or a choice, the oldest first."""
    for hand in state.hands:
        number, url = state.called(hand.number), url_for("checking.hand", match=state.id, number=hand.number)
        if hand.contest:
            action = words.text("checking.choose") if state.access.can_write else ""
            yield PendingHand(words.text("checking.is-contested", number=number), action, url)
        elif hand.waits:
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
