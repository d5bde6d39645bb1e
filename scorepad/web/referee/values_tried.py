"""Sample answers to an open fact: some that fit the other answers of a case, some that do not.

Cards are in the notation of the inputs: `3xQ 2` are three queens and a two (a wild card), `JK` is a
joker, and a slash parts melds (sets of cards laid together), as in `3xQ / 2xK`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorepad.rules.cards import KINDS, NO_CARDS, Cards, Kind, read_cards
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Answers, Fact, FactName, InputKind
from scorepad.web.text_search import without_repetitions

_HIGH_RANKS = ("A", "K", "Q", "J", "10")
_ANY_RANK = "9"
"""The rank of sample melds if the question is about no natural card."""
_RANKS_DOWNWARDS = tuple(kind for kind in Kind if kind.is_natural)
"""The natural ranks, from the ace down to the four."""
_CARDS_JOINING_SEQUENCE = 2
"""Cards of the hand that make a sequence with the top card of the pile."""
_CARDS_OF_SEQUENCE = 3
_CANASTA_OF_SEQUENCE = "4h 5h 6h 7h 8h 9h 10h"
_USUAL_WILDS = 2
"""Wild cards of a sample canasta that is mixed."""
SCORE_BELOW_ZERO = "-5"
"""Any score below zero serves: the opening minimum is the same for all."""


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
    """Sample numbers of canastas: none, one or two of a kind, and one of each kind.

    `names` are the URL parameters of the kinds: `{"canastas-mixed-canasta": "1"}` is one sample.
    """
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
            yield from _sample_scores(case.settings)
        case InputKind.FIGURE:
            yield from _sample_numbers(fact, case.settings)
        case InputKind.CARD:
            yield from _single_cards(fact, case)
        case InputKind.CARDS | InputKind.TURNED | InputKind.MELDS:
            yield from _sample_melds(fact, case)


def _sample_numbers(fact: Fact, settings: Settings) -> list[str]:
    """Sample answers to a fact that is a number: of a hand in the match, or of red threes.

    Of the hands these are the first and the last one. Of the red threes none to four, but not three:
    only all four of two decks often count double.
    """
    is_number_of_hand = fact.name == FactName.DEAL
    if is_number_of_hand:
        return ["1", str(_last_hand(settings))]
    return ["0", "1", "2", "4"]


def _last_hand(settings: Settings) -> int:
    """The number of the last hand of a match; without a limit, of the last with its own minimum.

    It is 1 if no hand has a minimum of its own.
    """
    if settings.match_deals:
        return settings.match_deals
    return max(1, len(settings.opening_deals))


def _sample_scores(settings: Settings) -> Iterator[str]:
    """One match score for every opening minimum: one below zero, and the lowest for each step.

    The opening minimum is what the first melds of a side must count; it rises with the score.
    """
    yield SCORE_BELOW_ZERO
    minimums_tried: set[int] = set()
    for score, minimum in settings.opening_steps:
        if minimum not in minimums_tried:
            minimums_tried.add(minimum)
            yield str(score)


def _single_cards(fact: Fact, case: Case) -> Iterator[str]:
    """Sample answers to a fact that is a single card: `9`, a black three, a wild card, a red three.

    The top card of the pile may also be unknown, or fit a meld (set of cards) on the table.
    """
    if fact.name == FactName.TOP:
        yield ""  # unknown
        yield from _rank_on_table(case)
    yield _ANY_RANK
    yield Kind.BLACK_THREE
    yield Kind.TWO  # a wild card
    yield Kind.RED_THREE


def _rank_on_table(case: Case) -> list[str]:
    """The first rank of the melds (sets of cards) that the side has on the table: `["K"]`.

    Empty if it has none, or if they are not known.
    """
    cards_on_table = read_cards(case.answer(FactName.TABLE)).cards
    if not cards_on_table.ranks:
        return []
    index_of_rank = cards_on_table.ranks[0]
    return [KINDS[index_of_rank]]


# ------------------------------------------------------------------------------------------- melds


def _sample_melds(fact: Fact, case: Case) -> Iterator[str]:
    """Sample melds (sets of cards laid together) for a fact that is answered with several cards.

    Some fit the cards that the question is about, some do not. They are lines such as `3xQ / 2xK`.
    """
    cards_asked_about = _cards_asked_about(case)
    yield from _sample_groups(fact, case, cards_asked_about)
    if not _can_stand_in_sequence(cards_asked_about, case.settings):
        return
    if fact.name == FactName.LAID:
        # With the top card of the pile, two cards are a sequence of three.
        yield from _pairs_joining_sequence(cards_asked_about)
    else:
        yield from _runs_beside(cards_asked_about, _CARDS_OF_SEQUENCE)


def _cards_asked_about(case: Case) -> Cards:
    """The cards that the question is about, such as the top card of the pile; may be none."""
    question = case.as_json()
    for key in ("top", "card", "cards"):
        if question.get(key):
            return read_cards(question[key]).cards
    return NO_CARDS


def _sample_groups(fact: Fact, case: Case, cards_asked_about: Cards) -> list[str]:
    """Sample melds of cards of one rank or of wild cards; which ones depends on what is asked."""
    kinds = [kind for kind in KINDS if cards_asked_about.of(kind)]
    if fact.name == FactName.LAID:
        return _melds_beside_top(kinds)
    if case.question.kind == "out":
        return _melds_for_going_out(case.settings)
    if fact.name == FactName.ON:
        return _melds_to_add_to(kinds)
    return _melds_of_side(case.settings, _rank_among(kinds))


def _rank_among(kinds: list[Kind]) -> str:
    """The first natural rank among these kinds of cards; a nine if there is none."""
    for kind in kinds:
        if kind.is_natural:
            return kind
    return _ANY_RANK


def _melds_beside_top(kinds: list[Kind]) -> list[str]:
    """Sample cards that a player lays to take the pile with its top card: `2xQ` for a queen.

    `kinds` are the kinds of the cards that the question is about: here the top card, if it is known.
    """
    top = kinds[0] if kinds else _ANY_RANK
    return [
        "",  # nothing
        f"2x{top}",  # a natural pair
        f"{top} 2",  # a card and a wild card
        top,  # for a meld of the side on the table
        f"3x{top}",
        f"4x{top}",
        f"2x{top} / {_melds_of_many_points(kinds)}",  # enough for any opening minimum
    ]


def _melds_of_many_points(kinds_left_out: list[Kind]) -> str:
    """Three melds of five high cards each, of other kinds than these: `5xA / 5xK / 5xQ`."""
    ranks = [rank for rank in _HIGH_RANKS if rank not in kinds_left_out]
    return " / ".join(f"5x{rank}" for rank in ranks[:3])


def _melds_to_add_to(kinds: list[Kind]) -> list[str]:
    """Sample melds on the table to which a player adds cards of these kinds.

    There are none for cards of several ranks: only a sequence takes these.
    """
    natural_kinds = [kind for kind in kinds if kind.is_natural]
    if len(natural_kinds) > 1:
        return []
    rank = _rank_among(kinds)
    return [
        f"3x{rank}",
        f"4x{rank}",
        f"2x{rank} 2",  # with a wild card
        f"7x{rank}",  # a canasta
        f"6x{rank} 2",  # a canasta with a wild card
        "3x2",  # wild cards alone
        "3xJK",
    ]


def _melds_of_side(settings: Settings, rank: str) -> list[str]:
    """Sample melds that a side has on the table: none, or a short or a long one of this rank.

    Where an incomplete meld of wild cards restricts the side, there are also such melds.
    """
    melds = ["", f"3x{rank}", f"5x{rank}", f"7x{rank}"]
    if settings.wilds_blocked != "nothing":
        melds += ["3x2", "3xJK"]
        melds += [f"3x2 / 3x{rank} 2", f"3x2 / 4x{rank} 2", f"3x2 / 5x{rank} 2"]
    return melds


def _melds_for_going_out(settings: Settings) -> list[str]:
    """Sample melds of a side that plays its last card: none, one canasta, and enough of them.

    A canasta is a meld of seven cards or more; a side needs some to end the hand.
    """
    return ["", "5xQ 2x2", " / ".join(canastas_to_go_out(settings))]


def canastas_to_go_out(settings: Settings) -> list[str]:
    """Canastas that suffice to go out: one of each required kind, and natural ones for the rest.

    If two canastas are needed, one of them mixed: `["5xA 2x2", "7xK"]`.
    """
    length = settings.canasta_length
    unused_ranks = iter(_RANKS_DOWNWARDS)  # two canastas of one rank would be one meld
    canastas: list[str] = []
    for kind in _kinds_needed_to_go_out(settings):
        canastas.append(_example_canasta(kind, length, unused_ranks))
    while len(canastas) < settings.canastas_needed:
        canastas.append(f"{length}x{next(unused_ranks)}")
    return canastas


def _kinds_needed_to_go_out(settings: Settings) -> list[CanastaKind]:
    """The kinds of the canastas of which a side needs some to go out, each as often as needed.

    A family, such as the natural canastas, may have several kinds; the first of them stands for it.
    """
    kinds: list[CanastaKind] = []
    for family, count in settings.canasta_families_needed:
        kinds_of_family = [kind for kind in settings.canastas if kind.family == family]
        kinds += [kinds_of_family[0]] * count
    return kinds


def _example_canasta(kind: CanastaKind, length: int, unused_ranks: Iterator[Kind]) -> str:
    """A canasta of this kind and length: `5xA 2x2` for a mixed one.

    It is of the only rank that the kind allows, or of the next unused one.
    """
    if kind.shape == "sequence":
        return _CANASTA_OF_SEQUENCE
    if kind.shape == "wilds":
        return _canasta_of_wilds(kind, length)
    rank = kind.rank or next(unused_ranks)
    return _canasta_of_rank(kind, length, rank)


def _canasta_of_wilds(kind: CanastaKind, length: int) -> str:
    """A canasta of wild cards alone, with as few jokers as the kind allows: `4xJK 3x2`."""
    fewest_jokers, _most = kind.jokers
    if fewest_jokers:
        return f"{fewest_jokers}xJK {length - fewest_jokers}x2"
    return f"{length}x2"


def _canasta_of_rank(kind: CanastaKind, length: int, rank: str) -> str:
    """A canasta of one rank, `7xA`; with wild cards if the kind needs some, `5xA 2x2`."""
    fewest_wilds, _most = kind.wilds
    if not fewest_wilds:
        return f"{length}x{rank}"
    wilds = max(fewest_wilds, _USUAL_WILDS)
    return f"{length - wilds}x{rank} {wilds}x2"


# --------------------------------------------------------------------------------------- sequences


def _can_stand_in_sequence(cards: Cards, settings: Settings) -> bool:
    """Whether cards may be part of a sequence (a meld of cards of one suit in a row).

    They need suits, and no rank may come twice: `7h 8h` may, `7h 7h` may not.
    """
    if settings.sequences == "none" or not cards.suited:
        return False
    is_each_rank_once = cards.naturals == len(cards.ranks)
    return is_each_rank_once


class _Neighbours(NamedTuple):
    """The ranks just above and just below some cards, from high to low: `9 8` and `6 5` for a seven."""

    above: Sequence[Kind]
    below: Sequence[Kind]


def _neighbours_of(cards: Cards, count: int) -> _Neighbours:
    """At most this many ranks above, and below, some cards of a suit.

    There may be fewer: nothing is above the ace or below the four.
    """
    positions = [_RANKS_DOWNWARDS.index(KINDS[index]) for index in cards.ranks]
    highest = min(positions)  # the ace is at position 0
    lowest = max(positions)
    ranks_above = _RANKS_DOWNWARDS[:highest]
    ranks_below = _RANKS_DOWNWARDS[lowest + 1 :]
    return _Neighbours(above=ranks_above[-count:], below=ranks_below[:count])


def _runs_beside(cards: Cards, length: int) -> Iterator[str]:
    """Runs of cards in a row just above and just below some cards of a suit.

    Beside `7h` there are `9h 8h` above and `6h 5h` below, if the length is 2. A run is left out if it
    would go beyond the ace or the four.
    """
    neighbours = _neighbours_of(cards, length)
    suit = cards.suited[0].suit
    for ranks in (neighbours.above, neighbours.below):
        if len(ranks) == length:
            yield _write_run(ranks, suit)


def _pairs_joining_sequence(cards: Cards) -> Iterator[str]:
    """The pairs of cards that make a longer run with some cards of a suit.

    Beside `7h` these are `9h 8h` above, `6h 5h` below, and `8h 6h` with a card on either side. Pairs
    that would go beyond the ace or the four are left out.
    """
    yield from _runs_beside(cards, _CARDS_JOINING_SEQUENCE)
    above, below = _neighbours_of(cards, count=1)
    if above and below:
        yield _write_run((*above, *below), cards.suited[0].suit)


def _write_run(ranks: Sequence[Kind], suit: str) -> str:
    """Cards of these ranks in one suit, in the notation of the inputs: `8h 6h`."""
    return " ".join(f"{rank}{suit}" for rank in ranks)
