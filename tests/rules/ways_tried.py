"""Every way to lay a small hand, one by one: what the ways found are proved against.

Nothing is looked for here: every division of the cards into melds is made, and each is shown to the
referee as a player would show it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from scorepad.referee.answering import give_ruling
from scorepad.referee.field_types import Permission
from scorepad.referee.questions import (
    MeldQuestion,
    OpeningQuestion,
    OutQuestion,
    PileQuestion,
)
from scorepad.referee.ruling import Ruling, Verdict
from scorepad.rules.cards import Reading, read_cards
from scorepad.rules.cards import write_cards as text_of
from scorepad.rules.definitions import Ruleset

Hand = tuple[str, ...]
"""Cards by their tokens, sorted."""


def parts(cards: Hand) -> Iterator[tuple[Hand, Hand]]:
    """Every choice of some of the cards, none and all of them included, with the others; each once."""
    if not cards:
        yield (), ()
        return
    alike = cards.count(cards[0])
    for chosen, others in parts(cards[alike:]):
        for count in range(alike + 1):
            yield (cards[0],) * count + chosen, (cards[0],) * (alike - count) + others


def lays(cards: Hand, is_meld: Callable[[Hand], bool]) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
    """Every way to lay some of the cards as melds, with the cards that stay."""
    if not cards:
        yield (), ()
        return
    first, rest = cards[0], cards[1:]
    for melds, stay in lays(rest, is_meld):
        yield melds, (first, *stay)
    for chosen, others in parts(rest):
        meld = (first, *chosen)
        if is_meld(meld):
            for melds, stay in lays(others, is_meld):
                yield (meld, *melds), stay


def reading(cards: Hand) -> Reading:
    return read_cards(" ".join(cards))


@dataclass
class Trier:
    """Shows every way to the referee; what was asked once is remembered."""

    rules: Ruleset
    melds: dict[tuple[Hand, Hand | None, bool], Ruling] = field(default_factory=dict)

    def meld(self, cards: Hand, on: Hand | None = None, *, going_out: bool = True) -> Ruling:
        key = (cards, on, going_out)
        if key not in self.melds:
            asked = MeldQuestion(reading(cards), None if on is None else reading(on), going_out)
            self.melds[key] = give_ruling(self.rules, asked)
        return self.melds[key]

    def is_meld(self, cards: Hand) -> bool:
        return self.meld(cards).verdict is Verdict.ALLOWED

    def points(self, melds: tuple[Hand, ...]) -> int:
        return sum(reading(meld).cards.points(self.rules.settings.card_points) for meld in melds)


@dataclass(frozen=True)
class Opened:
    """An opening that a player may lay: its melds, the cards that stay, and what the referee says
    to the melds.
    """

    melds: tuple[Hand, ...]
    stay: Hand
    judged: Ruling
    goes_out: bool


def openings(trier: Trier, asked: OpeningQuestion, hand: Hand, top: Hand) -> list[Opened]:
    """Every opening of the hand that a player may lay.

    Who says that he goes out with it does so if he can. Otherwise one card is discarded and one
    stays, unless the player goes out; with the top card the pile comes into the hand, with a talon
    its cards, in hand and foot the foot, and in mini who runs out of cards plays on.
    """
    kept = trier.rules.variant not in ("mini", "hand-and-foot") and not top
    fewest_kept = 1 if trier.rules.settings.talon else 2
    every = [
        (melds, stay) for melds, stay in lays(tuple(sorted(hand + top)), trier.is_meld) if melds
    ]
    out = [(melds, stay) for melds, stay in every if goes_out(trier, melds, stay, top)]
    if asked.concealed_out:
        going = shown_openings(trier, asked, out, goes_out=True, concealed=True)
        if going:
            return going
    staying = [(melds, stay) for melds, stay in every if len(stay) >= fewest_kept or not kept]
    found = shown_openings(trier, asked, staying, goes_out=False, concealed=False)
    if kept and not asked.concealed_out:
        found += shown_openings(trier, asked, out, goes_out=True, concealed=False)
    return found


def goes_out(trier: Trier, melds: tuple[Hand, ...], stay: Hand, top: Hand) -> bool:
    """Whether the player goes out with these melds; with the pile nobody knows what is left, but
    the canastas show.
    """
    table = tuple(map(reading, melds))
    if top:
        bare = OutQuestion(
            table, concealed=True, red_threes=len(melds), permission=Permission.GRANTED
        )
        return give_ruling(trier.rules, bare).verdict is Verdict.ALLOWED
    out = OutQuestion(table, reading(stay), concealed=True, permission=Permission.GRANTED)
    return len(stay) <= 1 and give_ruling(trier.rules, out).verdict is Verdict.ALLOWED


def shown_openings(
    trier: Trier,
    asked: OpeningQuestion,
    ways: list[tuple[tuple[Hand, ...], Hand]],
    *,
    goes_out: bool,
    concealed: bool,
) -> list[Opened]:
    """Those of these ways that the referee does not forbid."""
    shown = OpeningQuestion(asked.score, (), asked.top_card, concealed, asked.deal)
    judged = [
        (*way, give_ruling(trier.rules, replace(shown, melds=tuple(map(reading, way[0])))))
        for way in ways
    ]
    return [
        Opened(melds, stay, answer, goes_out)
        for melds, stay, answer in judged
        if answer.verdict is not Verdict.FORBIDDEN
    ]


def pile_takings(trier: Trier, asked: PileQuestion, hand: Hand, top: str) -> Iterator[Ruling]:
    """The answers to every way to take the pile that is not forbidden."""
    shown = PileQuestion(
        asked.top, asked.frozen, asked.opened, asked.score, asked.table, (), asked.deal
    )
    rank = top.rstrip("hdsc")
    joins = any(
        {token.rstrip("hdsc") for token in written(lying)} - {"2", "JK"} == {rank}
        for lying in asked.table
    )
    for with_top, others in parts(hand):
        meld = with_top if joins or not with_top else (*with_top, top)
        alone = give_ruling(trier.rules, replace(shown, laid=(reading(meld),) if meld else ()))
        if {why.code for why in alone.reasons if alone.verdict is Verdict.FORBIDDEN} - SHORT:
            # What is wrong with the melds themselves is not mended by more melds.
            continue
        for melds, _ in lays(others, trier.is_meld):
            laid = tuple(map(reading, (meld, *melds) if meld else melds))
            answer = give_ruling(trier.rules, replace(shown, laid=laid))
            if answer.verdict is not Verdict.FORBIDDEN:
                yield answer


SHORT = {
    "opening-below-minimum", "opening-from-hand", "fault-only-fifty", "fault-without-fifteen", "fault-wild-unfreezes",
    "pile-always-frozen", "pile-never-frozen",
}  # fmt: skip
"""Reasons that more melds take away, or that are none against it."""


def written(lying: Reading) -> Hand:
    """The tokens of a meld, one for each card."""
    tokens: list[str] = []
    for token in text_of(lying.cards).split():
        count, _, card = token.rpartition("x")
        tokens += [card] * int(count or 1)
    return tuple(sorted(tokens))


def goings_out(trier: Trier, asked: OutQuestion, hand: Hand) -> Iterator[Verdict]:
    """Whether each way to go out is allowed; silent where it rests on what no source speaks of."""
    settings = trier.rules.settings
    concealed = asked.concealed or not asked.table
    if concealed and asked.table and settings.concealed_out == "opening-turn":
        return
    tables = [written(lying) for lying in asked.table]
    dead = dead_ranks(trier, tables)
    for grown, rest, silent in laid_off(trier, tables, hand, nothing=concealed, dead=dead):
        for melds, stay in lays(rest, trier.is_meld):
            at_once = len(stay) <= 1 or are_discarded_at_once(trier, stay)
            if not at_once or not fits_the_moment(trier, asked, melds, concealed=concealed):
                continue
            if any(rank_of(meld) in dead for meld in melds):
                continue
            if asked.discard is not None and stay != written(asked.discard):
                continue
            end = tuple(map(reading, (*grown, *melds)))
            out = OutQuestion(end, reading(stay), concealed, asked.red_threes, asked.permission)
            if give_ruling(trier.rules, out).verdict is Verdict.ALLOWED:
                yield Verdict.SILENT if silent else Verdict.ALLOWED


def dead_ranks(trier: Trier, tables: list[Hand]) -> set[str]:
    """In moderna, the ranks of which a canasta lies there: nobody begins or extends a meld of them."""
    if trier.rules.variant != "moderna":
        return set()
    return {rank_of(lying) for lying in tables if len(lying) >= 7} - {""}


def rank_of(meld: Hand) -> str:
    """The rank of a group, empty for wild cards alone."""
    return next((card.rstrip("hdsc") for card in meld if card not in ("2", "JK")), "")


def are_discarded_at_once(trier: Trier, stay: Hand) -> bool:
    """Whether these are four threes of one colour, in mini."""
    return trier.rules.variant == "mini" and len(stay) == 4 and set(stay) in ({"3b"}, {"3r"})


def opened_with(trier: Trier, meld: Hand) -> Hand:
    """What of a meld opens: in moderna a complete mixed canasta comes without one natural card,
    laid on it after.
    """
    naturals = [card for card in meld if card not in ("2", "JK")]
    if trier.rules.variant != "moderna" or len(meld) < 7 or len(naturals) in (0, 7):
        return meld
    return tuple(sorted([*naturals[1:], *(card for card in meld if card in ("2", "JK"))]))


def fits_the_moment(
    trier: Trier, asked: OutQuestion, melds: tuple[Hand, ...], *, concealed: bool
) -> bool:
    """Whether new melds may be laid now: as an opening, or by a side that has opened."""
    if not asked.table:
        first = tuple(reading(opened_with(trier, meld)) for meld in melds)
        shown = OpeningQuestion(asked.score, first, None, True, asked.deal)
        return bool(melds) and give_ruling(trier.rules, shown).verdict is not Verdict.FORBIDDEN
    only_in_opening = {"wilds-only-in-opening", "early-wilds-only-in-opening"}
    if any(why.code in only_in_opening for meld in melds for why in trier.meld(meld).reasons):
        return False
    return not concealed or any(trier.meld(meld).details["canasta"] for meld in melds)


def laid_off(
    trier: Trier, tables: list[Hand], hand: Hand, *, nothing: bool, dead: set[str]
) -> Iterator[tuple[tuple[Hand, ...], Hand, bool]]:
    """Every way to lay cards off on melds: the melds then, the cards left, and whether no source
    speaks of it.
    """
    if not tables:
        yield (), hand, False
        return
    first, *others = tables
    for chosen, rest in [((), hand)] if nothing or rank_of(first) in dead else parts(hand):
        answer = trier.meld(chosen, first).verdict if chosen else Verdict.ALLOWED
        if answer is Verdict.FORBIDDEN:
            continue
        for grown, left, silent in laid_off(trier, others, rest, nothing=nothing, dead=dead):
            yield (tuple(sorted(first + chosen)), *grown), left, silent or answer is Verdict.SILENT


def is_of(cards: Hand, hand: Hand) -> bool:
    """Whether all these cards are among the hand's."""
    return Counter(cards) <= Counter(hand)
