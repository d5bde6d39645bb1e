"""The page of a match: the card with its columns, the coming hand, and the counted hands as rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import partial
from typing import Any

from flask import Blueprint, current_app, url_for
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
from scorepad.rules.table import HOUSE
from scorepad.sheets.result import Table, ended_of, ending_to_come, single_and_pair, table_of
from scorepad.web.base import FieldError, app_state, device_id, get_pad, load_match, page_words, render_page, t
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

blueprint = Blueprint("matches", __name__, url_prefix="/partite")


@blueprint.get("/<match>")
def page(match: str) -> Response:
    """A match as it stands."""
    return show_match(load_match(match))


def show_match(state: MatchState, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    """The page of a match, with a form to undo the last entry that it shows."""
    state, words, records = reachable(state), page_words(), get_pad().records
    is_over, order = state.standing.finished, own_side_first(state)
    sides = [state.sides[each] for each in order]
    is_checked = state.checking or any(hand.contest for hand in state.hands)
    names = side_names(state)
    return render_page(
        "matches/page.html",
        title=versus(names, words),
        status=status,
        errors=errors,
        watch=watch(state, url_for("matches.page", match=state.id)),
        match=state,
        form=UndoForm(formdata=None, seen=state.sequence),
        seat=partial(player, sides=state.sides, words=words),
        columns=[(side, _minimum_reason(state, side, words), _distance(state, side, words)) for side in sides],
        order=order,
        ended=ended_of(state, words) if is_over else None,
        series=records.series(state) if is_over or state.begins.game > 1 else None,
        is_level=_is_level(state),
        agreed_end=ending_to_come(state, words),
        doubtful=[(hand, doubt_text(hand, names, words)) for hand in state.hands if hand.doubts],
        can_check=get_pad().checking.can_check(state.id, device_id()) if is_checked else (),
        thirteen=thirteen_word(state.rules.settings, words),
        needs=out_needs(state.rules, words),
        coming_rulings=() if is_over else tuple(kept_rulings(state, len(state.hands) + 1, words)),
        noted=noted_sentence(state, words),
        is_typed=_is_typed(state),
        hands=hand_rows(state, words, order),
        undo=deed_text(state, state.undoable),
        redo=deed_text(state, state.redoable),
        rules=tuple(rules_facts(state, words, all_options=False)),
        rulebook=rules_url(state.rules),
        facts=match_facts(state),
        chart=chart_of(state, words) if is_over else Markup(),
    )


def match_facts(state: MatchState, *more: str) -> str:
    """Variant, place and start of a match in a line."""
    variant = t(f"variant.{state.rules.variant}.name")
    parts = [variant, state.place, moment(state.started, page_words()), *more]
    return "\N{NO-BREAK SPACE}· ".join(filter(None, parts))


def deed_text(state: MatchState, entry: LogEntry[Event] | None) -> str:
    """What an entry of the log did, to be undone or done again; empty for none."""
    if entry is None:
        return ""
    return t(f"actions.deed.{entry.event.kind}", number=state.called(entry.event.hand_number or 0))


def _is_typed(state: MatchState) -> bool:
    """Whether anything but penalties is typed of the coming hand."""
    draft = state.open_hand.draft if state.open_hand else {}
    return any(text.strip() and not {"penalties", HOUSE}.intersection(name.split(".")) for name, text in draft.items())


def _is_level(state: MatchState) -> bool:
    """Whether the target was reached and the match goes on because the highest totals are equal."""
    target = state.standing.target
    return not state.standing.finished and target is not None and max(side.total for side in state.sides) >= target


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
    """How far to the target; without a target, how far behind. Empty for a match that is over."""
    if state.standing.finished:
        return ""
    if side.to_target is None:
        behind = max(other.total for other in state.sides) - side.total
        return words.text("web.distance.behind", points=behind) if behind else ""
    return words.text("web.distance", points=side.to_target) if side.to_target else words.text("web.distance.none")


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


def rules_facts(state: MatchState, words: Words, *, all_options: bool = True) -> Iterator[tuple[str, str]]:
    """The rules of a match by name: variant, preset and options, or of these the target and the house rules alone."""
    rules = state.rules
    yield words.text("web.rules.variant"), words.text(f"variant.{rules.variant}.name")
    if rules.ends.minutes is not None:
        yield words.text("web.rules.minutes"), words.figure(rules.ends.minutes)
    if rules.settings.match_deals is not None:
        yield words.text("setting.match-deals"), words.figure(rules.settings.match_deals)
    if rules.preset:
        yield words.text("web.new.preset"), words.text(f"preset.{rules.preset}")
    for name, value in rules.options.items():
        if all_options or name in (*state.house, "target"):
            yield words.text(f"option.{name}"), value_word(name, value, words)
