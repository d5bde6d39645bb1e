"""The page of a match: the card with its columns, the coming hand, and the hands as on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import current_app, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.matches.access import Access
from scorepad.matches.events import Event, LogEntry
from scorepad.matches.projection import MatchState, SideState
from scorepad.rules.settings import OpeningBy
from scorepad.sheets.result import ended_of, ending_to_come
from scorepad.web.base import FieldError, app_state, device_id, page_words, render_page, t, the_pad
from scorepad.web.drafts import noted_sentence
from scorepad.web.matches.forms import UndoForm
from scorepad.web.matches.hands import Fact, doubt_text, hand_rows, kept_rulings, pending_hands, rules_facts
from scorepad.web.polling import watch
from scorepad.web.presenters import (
    chart_of,
    hand_anchor,
    moment,
    out_needs,
    player,
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


def show_match(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page of a match, with a form to undo the last entry that it shows."""
    state, words = reachable(state), page_words()
    standing = state.standing
    is_checked = state.checking or any(hand.contest for hand in state.hands)
    can_check = the_pad().checking.can_check(state.id, device_id()) if is_checked else ()
    coming_rulings = () if standing.finished else tuple(kept_rulings(state, len(state.hands) + 1, words))
    return render_page(
        "matches/page.html",
        title=versus(side_names(state), words),
        status=status,
        errors=errors,
        watch=watch(state, match_url(state)),
        match=state,
        form=UndoForm(formdata=None, seen=state.sequence),
        columns=[_column(state, position, words) for position in range(len(state.sides))],
        ended=ended_of(state, words) if standing.finished else None,
        is_level=_is_level(state),
        agreed_end=ending_to_come(state, words),
        doubtful=_doubtful(state, words),
        pending=tuple(pending_hands(state, can_check, words)),
        coming=() if standing.finished else tuple(_coming_facts(state, words)),
        resting=[] if standing.finished else [player(seat, state.sides, words) for seat in state.next_turn.resting],
        coming_rulings=coming_rulings,
        noted=noted_sentence(state, words),
        hands=hand_rows(state, words),
        undo=undo_text(state),
        rules=_rules(state, words),
        rulebook=rules_url(state.rules),
        facts=match_facts(state),
        links=_links(state, words),
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


def _links(state: MatchState, words: Words) -> Markup:
    """The links to other pages about the match, cached by what decides them."""
    finished, counted, penalties = state.standing.finished, bool(state.hands), bool(state.rules.penalties)
    key = ("links", state.id, words.language, state.access, finished, counted, penalties)
    rows = app_state().rows
    known = rows.get(key)
    if known is None:
        template = current_app.jinja_env.get_template("matches/links.html")
        shown = template.render(match=state, finished=finished, owns=state.access is Access.OWN, t=words.text)
        known = rows.put(key, Markup(shown))  # noqa: S704 - the template escapes what people wrote
    return known


def _rules(state: MatchState, words: Words) -> Markup:
    """The rules of a match as a list, cached by what it shows: the settings, the preset, the options, the language."""
    rules = state.rules
    key = ("rules", rules.digest, rules.preset, frozenset(rules.options.items()), words.language)
    rows = app_state().rows
    known = rows.get(key)
    if known is None:
        facts = current_app.jinja_env.get_template("matches/parts.html").module.facts  # type: ignore[attr-defined]
        known = rows.put(key, facts(tuple(rules_facts(state, words))))
    return known


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
