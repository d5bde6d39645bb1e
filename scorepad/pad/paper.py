"""A match on paper: the sheet's page values, made from the match as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.pad.lines import keyed
from scorepad.pad.paper_counts import checked, contests, corrections
from scorepad.pad.paper_notes import agreements, doubts, penalties, remarks, replacements, sums
from scorepad.pad.paper_result import goal_of, result_of
from scorepad.pad.paper_rulings import rulings
from scorepad.pad.paper_words import PaperWords
from scorepad.pad.running import running_chart
from scorepad.pad.values import HandState, MatchState
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.score import ITEMS
from scorepad.sheets import Carried, Cell, Hand, HouseOption, Lacking, Row, SheetPage, Side, match_sheet_pdf
from scorepad.sheets.chart_values import Chart

DRAWN_FROM = 2
"""The hands from which on a chart shows more than the table."""


def match_sheet(state: MatchState, words: Words) -> bytes:
    """The match sheet as PDF. Raises NoPdf."""
    return match_sheet_pdf(lambda lacking: sheet_of(state, words, lacking))


def sheet_of(state: MatchState, words: Words, lacking: Lacking = frozenset()) -> SheetPage:
    """What stands on the match sheet; `lacking` are the characters that cannot be drawn."""
    say, rules = PaperWords(state, words, lacking), state.rules
    return SheetPage(
        language=words.language,
        title=" – ".join(say.names),
        played=state.started.astimezone().date(),
        place=say.free(state.place),
        variant=words.text(f"variant.{rules.variant}.name"),
        codification=words.text(f"preset.{rules.preset}") if rules.preset else "",
        goal=goal_of(state, say),
        unit=say.unit,
        dealer=say.seat_in(state.dealer, 1),
        options=tuple(_house_options(state, words)),
        replacements=tuple(replacements(state, say)),
        is_practice=state.practice,
        sides=tuple(map(Side, say.names, say.players)),
        carried=_carried(state, words),
        hands=tuple(_hand(state, hand, say) for hand in state.hands),
        chart=_chart(state, say),
        chart_names=tuple(_chart_names(say)),
        penalties=tuple(penalties(state, say)),
        agreements=tuple(agreements(state, say)),
        sums=tuple(sums(state, say)),
        contests=tuple(contests(state, say)),
        doubts=tuple(doubts(state, say)),
        remarks=tuple(remarks(state, say)),
        corrections=tuple(corrections(state, say)),
        result=result_of(state, say),
        signers=tuple(_signers(say)),
        rulings=tuple(rulings(state, say)),
    )


def _house_options(state: MatchState, words: Words) -> Iterator[HouseOption]:
    """What the table plays otherwise than its codification, or than the variant where it chose none."""
    for name in state.house:
        yield HouseOption(words.text(f"option.{name}"), value_word(name, state.rules.options[name], words))


def _carried(state: MatchState, words: Words) -> Carried | None:
    """What a match taken over from paper had by then."""
    if not state.carried and not state.played:
        return None
    about = words.plural("sheets.played-before", state.played) if state.played else ""
    return Carried(about, state.carried or (0,) * len(state.sides))


def _chart(state: MatchState, say: PaperWords) -> Chart | None:
    return running_chart(state, say.words.language, say.drawn) if len(state.hands) >= DRAWN_FROM else None


def _chart_names(say: PaperWords) -> Iterator[str]:
    """Who is meant where the chart goes by numbers."""
    for name, drawn in zip(say.names, say.drawn, strict=True):
        if name != drawn:
            yield say.words.text("sheets.chart-name", number=drawn, name=name)


def _hand(state: MatchState, hand: HandState, say: PaperWords) -> Hand:
    return Hand(
        number=say.number(hand.number),
        about=(*_about(hand, say), *_standing(state, hand, say)),
        openings=tuple(say.opening(side) for side in hand.sides),
        rows=tuple(_rows(hand, say)),
        hand=tuple(side.hand for side in hand.sides),
        total=tuple(side.total for side in hand.sides),
    )


def _about(hand: HandState, say: PaperWords) -> Iterator[str]:
    """Who dealt, who sat out, and how the hand ended; of a hand given as sums nobody said how."""
    text, counted = say.words.text, hand.versions[-1].hand
    yield text("sheets.deals", name=say.seat_in(hand.turn.dealer, hand.number))
    for seat in hand.turn.resting:
        yield text("sheets.rests", name=say.seat_in(seat, hand.number))
    yield from _partners(hand, say)
    out = counted.get("out")
    if out:
        yield text("sheets.out", name=say.names[SIDE_KEYS.index(out["side"])])
    elif not all("sum" in side for side in counted["sides"].values()):
        yield text("sheets.nobody-out")
    for name, key in zip(say.names, SIDE_KEYS, strict=False):
        if special := counted["sides"].get(key, {}).get("special"):
            yield text("sheets.special", side=name, name=text(f"value.special.{special}"))


def _standing(state: MatchState, hand: HandState, say: PaperWords) -> Iterator[str]:
    """What became of the hand: corrected, counted by agreement against the rules, checked by the other side."""
    if hand.is_corrected:
        yield say.words.text("sheets.corrected")
    if hand.versions[-1].agreed:
        yield say.words.text("sheets.agreed-hand")
    if told := checked(state, hand, say):
        yield told


def _partners(hand: HandState, say: PaperWords) -> Iterator[str]:
    """Who played alone and who together, where pairs are made anew in every hand."""
    if say.pairs_are_fixed:
        return
    if hand.single is None:
        yield say.words.text("sheets.each-alone")
        return
    yield say.words.text("sheets.single", name=say.names[hand.single])
    pair = (name for position, name in enumerate(say.names) if position != hand.single)
    yield say.words.text("sheets.pair", names=say.words.listing(pair))


def _rows(hand: HandState, say: PaperWords) -> Iterator[Row]:
    """The lines of all sides side by side, in the order in which lines are told."""
    by_side = [keyed(side.lines) for side in hand.sides]
    keys = dict.fromkeys(key for lines in by_side for key in lines)
    for key in sorted(keys, key=lambda key: ITEMS.index(key.item)):
        found = [lines.get(key) for lines in by_side]
        cells = tuple(None if line is None else Cell(line.count, line.points) for line in found)
        yield Row(say.item(key, hand.versions[-1].hand), say.detail(key), cells)


def _signers(say: PaperWords) -> Iterator[str]:
    """Every player who has a name; a side whose players have none signs as a side."""
    for name, players in zip(say.names, say.players, strict=True):
        yield from players or (name,)
