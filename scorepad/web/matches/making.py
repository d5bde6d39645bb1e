"""Makes the match page out of a match as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from flask import url_for
from markupsafe import Markup

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.matches.projection import MatchState, SideState
from scorepad.rules.settings import OpeningBy
from scorepad.sheets.result import ended_of, ending_to_come
from scorepad.web.course.penalties import told_in_short
from scorepad.web.frame import FieldError
from scorepad.web.labels import moment, player, versus
from scorepad.web.live.watching import watch
from scorepad.web.matches.forms import UndoForm
from scorepad.web.matches.hands import anchor, awaited, doubt_told, hands_shown, rulings_told
from scorepad.web.matches.links import links_shown
from scorepad.web.matches.page import Column, Coming, Doubtful, Fact, MatchPage
from scorepad.web.matches.undo_page import undo_told
from scorepad.web.rulebook.links import rules_url
from scorepad.web.share import chart_of
from scorepad.web.wording import out_needs, thirteen_word

LONG = 14
"""Letters beyond which a name no longer stands large over its column."""
USUAL_DECKS = 2
"""Packs of cards that nobody needs to be told of."""
WIDE = 5
"""Characters of a total, point and sign included, that stand as large as can be."""


def match_page(
    state: MatchState,
    form: UndoForm,
    words: Words,
    errors: tuple[FieldError, ...] = (),
    can_check: tuple[bool, ...] = (),
) -> MatchPage:
    """The page of a match."""
    names = tuple(side.name for side in state.sides)
    return MatchPage(
        title=versus(names, words),
        errors=errors,
        watch=watch(state, url_for("matches.page", match=state.id), words),
        id=state.id,
        columns=tuple(_column(state, position, words) for position in range(len(names))),
        ended=ended_of(state, words) if state.standing.finished else None,
        level=_is_level(state),
        coming=None if state.standing.finished else _coming(state, words),
        hands=hands_shown(state, words),
        carried=tuple(words.figure(total) for total in state.carried),
        undo=undo_told(state, words),
        form=form,
        doubtful=tuple(_doubtful(state, words)),
        rules=tuple(rules_told(state, words)),
        game=rules_url(state.rules),
        said=_said(state, words),
        can_write=state.access.can_write,
        undo_asks=state.undoable is not None and state.undoable.guarded,
        practice=state.practice,
        to_come=ending_to_come(state, words),
        awaited=tuple(awaited(state, can_check, words)),
        rematch=url_for("matches.page", match=state.rematch) if state.rematch else "",
        links=links_shown(state, words),
        chart=chart_of(state, words) if state.standing.finished and state.hands else Markup(),
    )


def _is_level(state: MatchState) -> bool:
    """Whether the target was reached and the match goes on, because the highest are equal."""
    target = state.standing.target
    return not state.standing.finished and target is not None and max(side.total for side in state.sides) >= target


def _doubtful(state: MatchState, words: Words) -> Iterator[Doubtful]:
    names = tuple(side.name for side in state.sides)
    for hand in state.hands:
        if hand.doubts:
            title = words.text("web.hand.title", number=state.called(hand.number))
            yield Doubtful(title, anchor(hand.number), doubt_told(hand, names, words))


def _column(state: MatchState, position: int, words: Words) -> Column:
    side = state.sides[position]
    finished = state.standing.finished
    widest = max(len(words.figure(each.total)) for each in state.sides)
    return Column(
        name=side.name,
        is_long=len(side.name) > LONG,
        players=", ".join(filter(None, side.players)) if len(side.players) > 1 else "",
        total=words.figure(side.total),
        is_wide=widest > WIDE,
        minimum="" if side.minimum is None else words.figure(side.minimum),
        why=_why(state, side, words),
        distance="" if finished else _distance(state, side, words),
        won=state.standing.winner == position,
    )


def _why(state: MatchState, side: SideState, words: Words) -> str:
    """What the opening minimum in force goes by: from which score on, or in which hand."""
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
    """How far to the target; where there is none, how far behind."""
    if side.to_target is None:
        behind = max(other.total for other in state.sides) - side.total
        return words.text("web.distance.behind", points=behind) if behind else ""
    return words.text("web.distance", points=side.to_target) if side.to_target else words.text("web.distance.none")


def _coming(state: MatchState, words: Words) -> Coming:
    resting = [player(seat, state.sides, words) for seat in state.next_turn.resting]
    return Coming(
        title=_coming_title(state, words),
        button=words.text("web.hand.resume" if _is_typed(state) else "web.hand.new"),
        facts=tuple(_facts(state, words)),
        resting=words.text("web.resting", players=words.listing(resting)) if resting else "",
        noted=told_in_short(state, words),
        rulings=tuple(rulings_told(state, len(state.hands) + 1, words)),
    )


def _is_typed(state: MatchState) -> bool:
    """Whether something of the coming hand stands there."""
    return state.open_hand is not None and bool(state.open_hand.draft)


def _coming_title(state: MatchState, words: Words) -> str:
    number, hands = state.coming, state.rules.settings.match_deals
    if hands is None:
        return words.text("web.coming", number=number)
    return words.text("web.coming.of", number=number, hands=hands)


def _facts(state: MatchState, words: Words) -> Iterator[Fact]:
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


def _said(state: MatchState, words: Words) -> str:
    variant = words.text(f"variant.{state.rules.variant}.name")
    parts = [variant, state.place, moment(state.started, words)]
    return "\N{NO-BREAK SPACE}· ".join(filter(None, parts))


def rules_told(state: MatchState, words: Words) -> Iterator[Fact]:
    """The rules as they stand."""
    rules = state.rules
    yield Fact(words.text("web.rules.variant"), words.text(f"variant.{rules.variant}.name"))
    if rules.settings.match_deals is not None:
        yield Fact(words.text("setting.match-deals"), words.figure(rules.settings.match_deals))
    if rules.preset:
        yield Fact(words.text("web.new.preset"), words.text(f"preset.{rules.preset}"))
    for name, value in rules.options.items():
        yield Fact(words.text(f"option.{name}"), value_word(name, value, words))
