"""Sample answers to an open fact: some that fit the other answers of a case, some that do not."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.rules.cards import KINDS, NO_CARDS, Cards, Kind, read_cards
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Answers, Fact, InputKind
from scorepad.web.text_search import without_repetitions

_HIGH_RANKS = ("A", "K", "Q", "J", "10")
_NATURALS = tuple(kind for kind in Kind if kind.is_natural)
"""The natural ranks, from the ace down to the four."""
_CARDS_JOINING_SEQUENCE = 2
"""Cards of the hand that make a sequence with the top card of the pile."""
_CARDS_OF_SEQUENCE = 3


def sample_answers(fact: Fact, case: Case) -> Iterator[Answers]:
    """Sample answers to a fact, each different: some fit the other answers of the case, some do not.

    They are few, but enough to find whether the fact can change the referee's answer. Most facts are
    answered in one URL parameter, `{"top": "K"}`; counts of canastas have one for each kind.
    """
    if fact.input is InputKind.COUNTS:
        yield from _canasta_counts(case.parameters_of(fact))
        return
    for text in without_repetitions(_sample_texts(fact, case)):
        yield {fact.name: text}


def _canasta_counts(names: tuple[str, ...]) -> Iterator[Answers]:
    """No canasta, one or two of a kind, one of each."""
    yield {names[0]: "0"}
    for name in names:
        yield {name: "1"}
        yield {name: "2"}
    yield dict.fromkeys(names, "1")


def _sample_texts(fact: Fact, case: Case) -> Iterator[str]:
    """Sample texts for the input in which a fact is answered; the same text may come twice."""
    match fact.input:
        case InputKind.CHOICE:
            yield from fact.values
        case InputKind.SIDE:
            sides = case.match.sides if case.match else ()
            for position in range(len(sides)):
                yield str(position)
        case InputKind.SCORE:
            yield from _scores(case.settings)
        case InputKind.FIGURE:
            yield from _sample_numbers(fact, case.settings)
        case InputKind.CARD:
            yield from _single_cards(fact, case)
        case InputKind.CARDS | InputKind.TURNED | InputKind.MELDS:
            yield from _melds(fact, case)


def _sample_numbers(fact: Fact, settings: Settings) -> Iterator[str]:
    """Sample numbers: of a hand the first and the last of a match; of red threes none to four.

    Four red threes are all of two decks, which often count double; so 3 is no better sample than 2.
    """
    if fact.name == "deal":
        last_deal = settings.match_deals or len(settings.opening_deals) or 1
        yield from ("1", str(last_deal))
    else:
        yield from ("0", "1", "2", "4")


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
    """Sample melds (sets of cards laid together) for a fact that is answered with several cards.

    Some fit the cards that the question is about, some do not. They are lines such as `3xQ / 2xK`.
    """
    settings = case.settings
    cards_asked_about = _cards_asked_about(case)
    kinds = [kind for kind in KINDS if cards_asked_about.of(kind)]
    is_laid_with_top_card = fact.name == "laid"
    if is_laid_with_top_card:
        yield from _melds_beside_top(kinds)
    elif case.question.kind == "out":  # no canasta, one, and enough of them to go out
        yield from ("", "5xQ 2x2", " / ".join(canastas_to_go_out(settings)))
    elif fact.name == "on":
        yield from _melds_laid_on(cards_asked_about, kinds)
    else:
        yield from _melds_of_side(settings, _rank_among(kinds))

    if _can_stand_in_sequence(cards_asked_about, settings):
        # With the top card of the pile, two cards are a sequence of three already.
        length = _CARDS_JOINING_SEQUENCE if is_laid_with_top_card else _CARDS_OF_SEQUENCE
        yield from _runs_beside(cards_asked_about, length)


def _can_stand_in_sequence(cards: Cards, settings: Settings) -> bool:
    """Whether cards may be part of a sequence (a meld of cards of one suit in a row).

    They need suits, and no rank may come twice among them.
    """
    has_no_rank_twice = len(cards.ranks) == cards.naturals
    return settings.sequences != "none" and bool(cards.suited) and has_no_rank_twice


def _cards_asked_about(case: Case) -> Cards:
    """The cards that the question is about, such as the top card of the pile; may be none."""
    question = case.as_json()
    for key in ("top", "card", "cards"):
        if question.get(key):
            return read_cards(question[key]).cards
    return NO_CARDS


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


def _runs_beside(cards: Cards, length: int) -> Iterator[str]:
    """Runs of cards in a row just above and just below some cards of a suit.

    Beside `7h` there are `9h 8h` above and `6h 5h` below, if the length is 2. There is then also a
    run with one card on either side: `8h 6h`. A run is left out if it would go beyond the ace or
    the four.
    """
    _, suit, _ = cards.suited[0]
    positions = [_NATURALS.index(KINDS[index]) for index in cards.ranks]
    highest = min(positions)  # the ace is at position 0
    lowest = max(positions)
    above = _NATURALS[max(0, highest - length) : highest]
    below = _NATURALS[lowest + 1 : lowest + 1 + length]
    runs = [above, below]
    if length == _CARDS_JOINING_SEQUENCE and above and below:
        runs.append((above[-1], below[0]))
    for run in runs:
        if len(run) == length:
            yield " ".join(f"{kind}{suit}" for kind in run)
