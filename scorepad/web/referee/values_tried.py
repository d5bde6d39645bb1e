"""The values with which an open fact is tried: some that fit the other answers, some that do not."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import KINDS, Cards, Kind, read_cards
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Answers, Fact, InputKind

_HIGH_RANKS = ("A", "K", "Q", "J", "10")
_NATURALS = tuple(kind for kind in Kind if kind.is_natural)
_CARDS_JOINING_SEQUENCE = 2
"""Cards of the hand that make a sequence with the top card of the pile."""
_CARDS_OF_SEQUENCE = 3


def answers_tried(fact: Fact, case: Case) -> Iterator[Answers]:
    """The values with which a fact is tried."""
    if fact.input is InputKind.COUNTS:
        yield from _canasta_counts(case.parameters_of(fact))
        return
    for text in dict.fromkeys(_texts_tried(fact, case)):
        yield {fact.name: text}


def _canasta_counts(names: tuple[str, ...]) -> Iterator[Answers]:
    """No canasta, one or two of a kind, one of each."""
    yield {names[0]: "0"}
    for name in names:
        yield {name: "1"}
        yield {name: "2"}
    yield dict.fromkeys(names, "1")


def _texts_tried(fact: Fact, case: Case) -> Iterator[str]:
    """The texts with which an input is tried, by its kind; a text may come twice."""
    match fact.input:
        case InputKind.CHOICE:
            yield from fact.values
        case InputKind.SIDE:
            sides = case.match.sides if case.match else ()
            yield from (str(position) for position in range(len(sides)))
        case InputKind.SCORE:
            yield from _scores(case.settings)
        case InputKind.FIGURE if fact.name == "deal":
            deals = case.settings.match_deals or len(case.settings.opening_deals) or 1
            yield from ("1", str(deals))
        case InputKind.FIGURE:
            yield from ("0", "1", "2", "4")
        case InputKind.CARD:
            yield from _single_cards(fact, case)
        case _:
            yield from _melds(fact, case)


def _scores(settings: Settings) -> Iterator[str]:
    """One match score for every opening minimum: one below zero, and the lowest for each step."""
    yield "-5"
    highest_first = reversed(settings.opening_steps)  # a lower score replaces a higher one
    lowest_score_by_minimum = {minimum: score for score, minimum in highest_first}
    for score in lowest_score_by_minimum.values():
        yield str(score)


def _single_cards(fact: Fact, case: Case) -> Iterator[str]:
    """A card of each sort; as the pile's top card also none, and one that fits a meld on the table."""
    if fact.name == "top":
        yield ""
        ranks_on_table = read_cards(case.answer("table")).cards.ranks
        if ranks_on_table:
            yield KINDS[ranks_on_table[0]]
    yield from ("9", Kind.BLACK_THREE, Kind.TWO, Kind.RED_THREE)


# ------------------------------------------------------------------------------------------- melds


def _melds(fact: Fact, case: Case) -> Iterator[str]:
    """Cards and melds that fit the other cards of the case, and some that do not."""
    settings = case.settings
    shown = _cards_shown(case)
    kinds = [kind for kind in KINDS if shown.of(kind)]
    if fact.name == "laid":
        yield from _melds_beside_top(kinds)
    elif case.question.kind == "out":
        yield from ("", "5xQ 2x2", " / ".join(canastas_to_go_out(settings)))
    elif fact.name == "on":
        yield from _melds_laid_on(shown, kinds)
    else:
        yield from _melds_of_side(settings, _rank_among(kinds))
    has_no_rank_twice = len(shown.ranks) == shown.naturals
    if settings.sequences != "none" and shown.suited and has_no_rank_twice:
        number_of_cards = _CARDS_OF_SEQUENCE
        if fact.name == "laid":
            number_of_cards = _CARDS_JOINING_SEQUENCE
        yield from _runs_beside(shown, number_of_cards)


def _cards_shown(case: Case) -> Cards:
    """The cards that the question is about."""
    raw = case.as_json()
    for key in ("top", "card", "cards"):
        if raw.get(key):
            return read_cards(raw[key]).cards
    return read_cards("").cards


def _rank_among(kinds: list[Kind]) -> str:
    """The first natural rank among these kinds of cards; a nine if there is none."""
    for kind in kinds:
        if kind.is_natural:
            return kind
    return "9"


def _melds_beside_top(kinds: list[Kind]) -> Iterator[str]:
    """Cards laid with the top card; the last of them with melds of many points."""
    top = kinds[0] if kinds else "9"
    other_ranks = [rank for rank in _HIGH_RANKS if rank not in kinds]
    rich = " / ".join(f"5x{rank}" for rank in other_ranks[:3])
    yield from ("", f"2x{top}", f"{top} 2", top, f"3x{top}", f"4x{top}", f"2x{top} / {rich}")


def _melds_laid_on(shown: Cards, kinds: list[Kind]) -> Iterator[str]:
    """Melds of one rank or of wild cards; cards of several ranks go on a sequence only."""
    if len(shown.ranks) > 1:
        return
    rank = _rank_among(kinds)
    yield from (f"3x{rank}", f"4x{rank}", f"2x{rank} 2", f"7x{rank}", f"6x{rank} 2")
    yield from ("3x2", "3xJK")


def _melds_of_side(settings: Settings, rank: str) -> Iterator[str]:
    """Melds on the table: none, short and long ones of this rank and, where an incomplete meld of wild
    cards restricts the side, such melds.
    """
    yield ""
    yield from (f"{count}x{rank}" for count in (3, 5, 7))
    if settings.wilds_blocked != "nothing":
        yield from ("3x2", "3xJK")
        yield from (f"3x2 / {count}x{rank} 2" for count in (3, 4, 5))


def canastas_to_go_out(settings: Settings) -> list[str]:
    """Canastas that suffice to go out: one of each required kind, and natural ones for the rest."""
    ranks = iter(_NATURALS)
    canastas: list[str] = []
    for family, count in settings.canasta_families_needed:
        kinds = [kind for kind in settings.canastas if kind.family == family]
        for _ in range(count):
            canastas.append(_example_canasta(kinds[0], settings.canasta_length, ranks))
    while len(canastas) < settings.canastas_needed:
        canastas.append(f"{settings.canasta_length}x{next(ranks)}")
    return canastas


def _example_canasta(kind: CanastaKind, length: int, ranks: Iterator[Kind]) -> str:
    """A canasta of this kind, of its rank or of the next one."""
    if kind.shape == "sequence":
        return "4h 5h 6h 7h 8h 9h 10h"
    if kind.shape == "wilds":
        jokers = kind.jokers[0]
        if jokers:
            return f"{jokers}xJK {length - jokers}x2"
        return f"{length}x2"
    rank = kind.rank or next(ranks)
    fewest_wilds = kind.wilds[0]
    if not fewest_wilds:
        return f"{length}x{rank}"
    wilds = max(fewest_wilds, 2)
    return f"{length - wilds}x{rank} {wilds}x2"


def _runs_beside(cards: Cards, count: int) -> Iterator[str]:
    """Runs of `count` cards directly above and below cards of a suit; with two, also one on each
    side.
    """
    suit = cards.suited[0][1]
    ranks = [_NATURALS.index(KINDS[index]) for index in cards.ranks]
    above = _NATURALS[max(0, min(ranks) - count) : min(ranks)]
    below = _NATURALS[max(ranks) + 1 : max(ranks) + 1 + count]
    runs = [above, below]
    if count == _CARDS_JOINING_SEQUENCE:
        runs.append((*above[-1:], *below[:1]))
    for run in runs:
        if len(run) == count:
            yield " ".join(f"{kind}{suit}" for kind in run)
