"""A match on paper: the sheet's page values, made from the match as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.pad.paper_notes import corrections, doubts, penalties
from scorepad.pad.paper_words import PaperWords, keyed
from scorepad.pad.values import SIDE_KEYS, HandState, MatchState
from scorepad.rules.score import ITEMS
from scorepad.rules.variants import Choice
from scorepad.sheets import Cell, Goal, Hand, HouseOption, Lacking, Result, Row, SheetPage, Side, match_sheet_pdf


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
        goal=_goal(state, say),
        unit=say.unit,
        dealer=say.seat(state.dealer),
        options=tuple(_house_options(state, words)),
        sides=tuple(map(Side, say.names, say.players)),
        hands=tuple(_hand(hand, say) for hand in state.hands),
        penalties=tuple(penalties(state, say)),
        doubts=tuple(doubts(state, say)),
        corrections=tuple(corrections(state, say)),
        result=_result(state, say),
        signers=tuple(_signers(say)),
    )


def _goal(state: MatchState, say: PaperWords) -> Goal:
    """The target; or, where a number of hands decides, that number."""
    settings, text = state.rules.settings, say.words.text
    if settings.match_deals is not None:
        return Goal(text("sheets.deals-head"), text("sheets.all-deals", count=settings.match_deals))
    return Goal(text("sheets.target"), text("sheets.none") if settings.target is None else say.counted(settings.target))


def _house_options(state: MatchState, words: Words) -> Iterator[HouseOption]:
    """What the table plays otherwise than its codification, or than the variant where it chose none."""
    for name in state.house:
        yield HouseOption(words.text(f"option.{name}"), _choice(name, state.rules.options[name], words))


def _choice(name: str, value: Choice, words: Words) -> str:
    key = f"option.{name}.{str(value).lower() if isinstance(value, bool) else value}"
    if words.has(key) or not isinstance(value, int):
        return words.text(key)
    return words.figure(value)


def _hand(hand: HandState, say: PaperWords) -> Hand:
    return Hand(
        number=hand.number,
        about=tuple(_about(hand, say)),
        openings=tuple(say.opening(side) for side in hand.sides),
        rows=tuple(_rows(hand, say)),
        hand=tuple(side.hand for side in hand.sides),
        total=tuple(side.total for side in hand.sides),
    )


def _about(hand: HandState, say: PaperWords) -> Iterator[str]:
    """Who dealt, who sat out, and how the hand ended; of a hand given as sums nobody said how."""
    text, counted = say.words.text, hand.versions[-1].hand
    yield text("sheets.deals", name=say.seat(hand.turn.dealer))
    for seat in hand.turn.resting:
        yield text("sheets.rests", name=say.seat(seat))
    yield from _partners(hand, say)
    out = counted.get("out")
    if out:
        yield text("sheets.out", name=say.names[SIDE_KEYS.index(out["side"])])
    elif not all("sum" in side for side in counted["sides"].values()):
        yield text("sheets.nobody-out")
    for name, key in zip(say.names, SIDE_KEYS, strict=False):
        if special := counted["sides"].get(key, {}).get("special"):
            yield text("sheets.special", side=name, name=text(f"value.special.{special}"))
    if hand.is_corrected:
        yield text("sheets.corrected")


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


def _result(state: MatchState, say: PaperWords) -> Result:
    totals, winner = tuple(side.total for side in state.sides), state.standing.winner
    if winner is None and state.standing.finished:
        return Result(say.words.plural("sheets.even", len(state.hands)), totals, None)
    if winner is None:
        return Result(say.words.plural("sheets.going-on", len(state.hands)), totals, None)
    sentence = say.words.text("sheets.won", name=say.names[winner], points=say.counted(totals[winner]))
    return Result(sentence, totals, winner)


def _signers(say: PaperWords) -> Iterator[str]:
    """Every player who has a name; a side whose players have none signs as a side."""
    for name, players in zip(say.names, say.players, strict=True):
        yield from players or (name,)
