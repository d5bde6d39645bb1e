"""Sample answers to an open fact: some that fit the other answers of a case, some that do not.

Cards are in the notation of the inputs: `3xQ 2` are three queens and a two (a wild card), `JK` is a
joker, and a slash parts melds (sets of cards laid together), as in `3xQ / 2xK`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorepad.rules.cards import KINDS, Cards, Kind, read_cards
from scorepad.rules.settings import CanastaKind, Settings
from scorepad.web.referee.cases import Case
from scorepad.web.referee.facts import Answers, Fact, FactName, InputKind
from scorepad.web.text_search import without_repetitions

_HIGH_RANKS = ("A", "K", "Q", "J", "10")
_ANY_RANK = "9"
"""The rank of sample melds if the question is about no natural card."""
_RANKS_DOWNWARDS = tuple(kind for kind in Kind if kind.is_natural)
"""The natural ranks, from the ace down to the four."""
_CARDS_OF_SEQUENCE = 3
_CANASTA_OF_SEQUENCE = "4h 5h 6h 7h 8h 9h 10h"
_USUAL_WILDS = 2
"""Wild cards of a sample canasta that is mixed."""
SCORE_BELOW_ZERO = "-5"
"""Any score below zero serves: the opening minimum is the same for all."""


def sample_answers(fact: Fact, case: Case) -> Iterator[Answers]:
    """Make a few sample answers to a fact: some fit the other answers of a case, some do not.

    The referee rules on each of them, to find whether the fact can change the answer. Most facts
    are answered in one URL parameter, `{"top": "K"}`. Counts of canastas (groups of seven cards or
    more) have a parameter for each kind.
    """
    if fact.input is InputKind.COUNTS:
        yield from _make_sample_canasta_counts(case.parameters_of(fact))
        return
    for text in without_repetitions(_make_sample_texts(fact, case)):
        yield {fact.name: text}


def _make_sample_canasta_counts(parameters: tuple[str, ...]) -> Iterator[Answers]:
    """Make sample numbers of canastas (groups of seven cards or more), for each kind of them.

    `parameters` are the URL parameters of the kinds. One or two of a kind are samples such as
    `{"canastas-mixed-canasta": "1"}`; others are no canasta at all, and one of each kind.
    """
    no_canasta = {parameters[0]: "0"}  # a kind that is not given counts as none
    yield no_canasta
    for parameter in parameters:
        yield {parameter: "1"}
        yield {parameter: "2"}
    one_of_each_kind = dict.fromkeys(parameters, "1")
    yield one_of_each_kind


def _make_sample_texts(fact: Fact, case: Case) -> Iterator[str]:
    """Make sample texts for the input field of a fact; the same text may come twice.

    A field for a card gets `9` or `2`, one for a score `-5` or `1500`, a choice each of its values.
    """
    match fact.input:
        case InputKind.CHOICE:
            yield from fact.values
        case InputKind.SIDE:
            sides = case.match.sides if case.match else ()
            for position in range(len(sides)):
                yield str(position)
        case InputKind.SCORE:
            yield from _make_sample_scores(case.settings)
        case InputKind.FIGURE:
            yield from _make_sample_numbers(fact, case.settings)
        case InputKind.CARD:
            yield from _make_sample_cards(fact, case)
        case InputKind.CARDS | InputKind.TURNED | InputKind.MELDS:
            yield from _make_sample_melds(fact, case)


def _make_sample_numbers(fact: Fact, settings: Settings) -> list[str]:
    """Make sample answers to a fact that is a number.

    - the number of a hand (a round) → that of the first and of the last
    - red threes (bonus cards) → `["0", "1", "2", "4"]`: four together often count double
    """
    is_number_of_hand = fact.name == FactName.DEAL
    if is_number_of_hand:
        return ["1", str(_find_last_hand(settings))]
    return ["0", "1", "2", "4"]


def _find_last_hand(settings: Settings) -> int:
    """Find the number of the last hand (round) of a match that may have rules of its own.

    - a match of eight hands → 8
    - no limit, and the opening minimum of the hands is listed as `[50, 90, 120]` → 3; it stays 120
    - no limit and no such list → 1, as all hands are alike
    """
    if settings.match_deals:  # a limit of hands
        return settings.match_deals
    return max(1, len(settings.opening_deals))


def _make_sample_scores(settings: Settings) -> Iterator[str]:
    """Make one sample score for each opening minimum: one below zero, and the lowest for each step.

    The opening minimum is the number of points that the first cards laid by a side must reach. It
    rises with the score: the steps `[(0, 50), (1500, 90)]` → `-5`, `0`, `1500`.
    """
    yield SCORE_BELOW_ZERO
    minimums_tried: set[int] = set()
    for score, minimum in settings.opening_steps:
        if minimum not in minimums_tried:
            minimums_tried.add(minimum)
            yield str(score)


def _make_sample_cards(fact: Fact, case: Case) -> Iterator[str]:
    """Make sample answers to a fact that is a single card: `9`, `3b`, `2` and `3r`.

    The top card of the discard pile may also be unknown, or be of the rank of a meld (group of
    cards) that lies on the table.
    """
    if fact.name == FactName.TOP:
        yield ""  # the player does not know it
        yield from _find_rank_on_table(case)
    yield _ANY_RANK
    yield Kind.BLACK_THREE
    yield Kind.TWO  # a wild card, which may stand for any other
    yield Kind.RED_THREE


def _find_rank_on_table(case: Case) -> list[str]:
    """Find the first rank among the melds (groups of cards) of the side on the table: `["K"]`.

    The list is empty if the side has no melds, or if they are not known.
    """
    cards_on_table = read_cards(case.answer(FactName.TABLE)).cards
    if not cards_on_table.ranks:
        return []
    index_of_rank = cards_on_table.ranks[0]
    return [KINDS[index_of_rank]]


# ------------------------------------------------------------------------------------------- melds


def _make_sample_melds(fact: Fact, case: Case) -> Iterator[str]:
    """Make sample answers to a fact that is one or more melds (groups of cards laid together).

    Some fit the cards that the question is about, some do not. They are lines such as
    `3xQ / 2xK`: three queens, and two kings.
    """
    cards = _read_cards_asked_about(case)
    kinds = [kind for kind in KINDS if cards.of(kind)]
    may_be_in_sequence = _can_stand_in_sequence(cards, case.settings)
    if fact.name == FactName.LAID:
        yield from _make_sample_melds_with_top_card(kinds)
        if may_be_in_sequence:
            # With the top card of the pile two cards are a sequence of three.
            yield from _list_pairs_for_sequence(cards)
        return

    if fact.name == FactName.OPPONENTS:
        # Only a canasta (seven cards) matters: in some games its rank is dead for both sides.
        no_melds = ""
        yield no_melds
        naturals = case.settings.canasta_length - _USUAL_WILDS
        yield f"{naturals}x{_choose_rank_among(kinds)} {_USUAL_WILDS}x2"
        return
    if case.question.kind == "out":  # may the player lay the last card?
        yield from _make_sample_melds_for_going_out(case.settings)
    elif fact.name == FactName.ON:
        yield from _make_sample_melds_to_add_to(kinds)
    else:
        yield from _make_sample_melds_of_side(case.settings, _choose_rank_among(kinds))
    if may_be_in_sequence:
        yield from _find_runs_beside(cards, _CARDS_OF_SEQUENCE)


def _read_cards_asked_about(case: Case) -> Cards:
    """Read the cards that the question is about, such as the top card of the discard pile.

    The result has no cards if the player has not told them yet.
    """
    question = case.as_json()
    for key in ("top", "card", "cards"):  # depending on the kind of question
        if question.get(key):
            return read_cards(question[key]).cards
    melds = question.get("melds", ())
    return read_cards(" ".join(melds)).cards


def _choose_rank_among(kinds: list[Kind]) -> str:
    """Return the first natural rank among these kinds of cards: no joker, two or three.

    It is a nine if there is none.
    """
    for kind in kinds:
        if kind.is_natural:
            return kind
    return _ANY_RANK


def _make_sample_melds_with_top_card(kinds: list[Kind]) -> list[str]:
    """Make sample cards that a player lays to take the discard pile: `2xQ` if a queen is on top.

    `kinds` has the kind of the top card. If it is empty (the card is unknown), a nine is taken.
    """
    top = kinds[0] if kinds else _ANY_RANK
    return [
        "",  # nothing
        f"2x{top}",  # a natural pair
        f"{top} 2",  # a card and a wild card
        top,  # for a meld of the side on the table
        f"3x{top}",
        f"4x{top}",
        f"2x{top} / {_write_melds_of_many_points(kinds)}",  # enough for any opening minimum
    ]


def _write_melds_of_many_points(kinds_left_out: list[Kind]) -> str:
    """Write three melds of five high cards each, of other kinds than these: `5xA / 5xK / 5xQ`.

    Their points are enough for any opening minimum.
    """
    ranks = [rank for rank in _HIGH_RANKS if rank not in kinds_left_out]
    return " / ".join(f"5x{rank}" for rank in ranks[:3])


def _make_sample_melds_to_add_to(kinds: list[Kind]) -> list[str]:
    """Make sample melds (groups of equal cards) on the table to which cards are added.

    `kinds` are the kinds of the cards. If they have several ranks, no group of equal cards takes
    them all, so there are no samples.
    """
    ranks = [kind for kind in kinds if kind.is_natural]
    if len(ranks) > 1:
        return []
    rank = _choose_rank_among(kinds)
    return [
        f"3x{rank}",
        f"4x{rank}",
        f"2x{rank} 2",  # with a wild card
        f"7x{rank}",  # a canasta: seven cards
        f"6x{rank} 2",  # a canasta with a wild card
        "3x2",  # wild cards alone
        "3xJK",
    ]


def _make_sample_melds_of_side(settings: Settings, rank: str) -> list[str]:
    """Make sample melds (groups of cards) that a side has on the table, short and long, or none.

    `rank` is the rank of the cards: `3xQ` are three queens.
    """
    no_melds = ""
    melds = [no_melds, f"3x{rank}", f"5x{rank}", f"7x{rank}"]
    # In some games a short meld of wild cards alone forbids to use wild cards elsewhere.
    may_block_other_wilds = settings.wilds_blocked != "nothing"
    if may_block_other_wilds:
        three_twos = "3x2"
        melds += [three_twos, "3xJK"]
        for other_meld in (f"3x{rank} 2", f"4x{rank} 2", f"5x{rank} 2"):
            melds.append(f"{three_twos} / {other_meld}")
    return melds


def _make_sample_melds_for_going_out(settings: Settings) -> list[str]:
    """Make sample melds of a side that plays its last card: none, one canasta, and enough of them.

    A canasta is a meld (group) of seven cards or more. A side needs some of them to end the round.
    """
    no_melds = ""
    one_canasta = "5xQ 2x2"  # five queens and two twos, which are wild cards
    canastas_needed = " / ".join(write_canastas_to_go_out(settings))
    return [no_melds, one_canasta, canastas_needed]


def write_canastas_to_go_out(settings: Settings) -> list[str]:
    """Write the canastas (groups of seven cards or more) that a side needs to end the round.

    First come those of the kinds that the rules require, then others without wild cards. If two
    canastas are needed, one of them mixed (with wild cards): `["5xA 2x2", "7xK"]`.
    """
    length = settings.canasta_length
    # Each canasta takes the next rank from here: two canastas of one rank would be one meld.
    unused_ranks = iter(_RANKS_DOWNWARDS)
    canastas: list[str] = []
    for kind in _list_kinds_needed_to_go_out(settings):
        canastas.append(_write_example_canasta(kind, length, unused_ranks))
    while len(canastas) < settings.canastas_needed:
        canastas.append(f"{length}x{next(unused_ranks)}")
    return canastas


def _list_kinds_needed_to_go_out(settings: Settings) -> list[CanastaKind]:
    """List the kinds of canasta that a side needs to end the round, each as often as needed.

    The rules name families, such as two natural canastas. If a family has several kinds, its first
    one is used.
    """
    kinds: list[CanastaKind] = []
    for family, count in settings.canasta_families_needed:
        kinds_of_family = [kind for kind in settings.canastas if kind.family == family]
        first_kind = kinds_of_family[0]
        kinds += [first_kind] * count
    return kinds


def _write_example_canasta(kind: CanastaKind, length: int, unused_ranks: Iterator[Kind]) -> str:
    """Write an example of a canasta (a group of cards) of this kind: `5xA 2x2` for a mixed one.

    `length` is the number of its cards. It is of the only rank that the kind allows, or of the next
    one that is taken from `unused_ranks`.
    """
    if kind.shape == "sequence":
        return _CANASTA_OF_SEQUENCE
    if kind.shape == "wilds":
        return _write_canasta_of_wilds(kind, length)
    rank = kind.rank
    if rank is None:
        rank = next(unused_ranks)
    return _write_canasta_of_rank(kind, length, rank)


def _write_canasta_of_wilds(kind: CanastaKind, length: int) -> str:
    """Write a canasta of wild cards (jokers and twos) alone, with so many cards.

    It has as few jokers as the kind allows: `7x2`, or `4xJK 3x2` if it needs four.
    """
    fewest_jokers, _most = kind.jokers
    if fewest_jokers:
        return f"{fewest_jokers}xJK {length - fewest_jokers}x2"
    return f"{length}x2"


def _write_canasta_of_rank(kind: CanastaKind, length: int, rank: str) -> str:
    """Write a canasta of one rank, with so many cards: `7xA`.

    If the kind needs wild cards, some of them are twos: `5xA 2x2`.
    """
    fewest_wilds, _most = kind.wilds
    if not fewest_wilds:
        return f"{length}x{rank}"
    wilds = max(fewest_wilds, _USUAL_WILDS)
    return f"{length - wilds}x{rank} {wilds}x2"


# --------------------------------------------------------------------------------------- sequences


def _can_stand_in_sequence(cards: Cards, settings: Settings) -> bool:
    """Tell whether cards may be part of a sequence: cards of one suit in a row, as `9h 8h 7h`.

    - `7h 8h` → True
    - `7h 7h` → False, no rank may come twice
    - `7 8` without suits → False
    - any cards in a game without sequences → False
    """
    if settings.sequences == "none":
        return False
    if not cards.suited:
        return False
    number_of_cards = cards.naturals  # without jokers and twos, which may stand for any card
    number_of_ranks = len(cards.ranks)
    has_each_rank_once = number_of_cards == number_of_ranks
    return has_each_rank_once


class _Neighbours(NamedTuple):
    """The ranks above and below some cards, from high to low: `A … 8` and `6 5 4` for a seven."""

    above: Sequence[Kind]
    below: Sequence[Kind]


def _list_ranks_around(cards: Cards) -> _Neighbours:
    """List all natural ranks above some cards of a suit, and all below, from high to low.

    For `7h` they are the ranks from the ace to the eight, and from the six to the four.
    """
    positions = [_RANKS_DOWNWARDS.index(KINDS[index]) for index in cards.ranks]
    position_of_highest = min(positions)  # the ace is at 0
    position_of_lowest = max(positions)
    return _Neighbours(
        above=_RANKS_DOWNWARDS[:position_of_highest],
        below=_RANKS_DOWNWARDS[position_of_lowest + 1 :],
    )


def _find_runs_beside(cards: Cards, length: int) -> Iterator[str]:
    """Find the runs of so many cards that continue some cards of a suit, above and below.

    `7h` with the length 2 → `9h 8h` and `6h 5h`. A run that would go beyond the ace or the four
    is left out.
    """
    above, below = _list_ranks_around(cards)
    suit = cards.suited[0].suit  # all of these cards have the same
    if len(above) >= length:
        yield _write_run(above[-length:], suit)
    if len(below) >= length:
        yield _write_run(below[:length], suit)


def _list_pairs_for_sequence(cards: Cards) -> Iterator[str]:
    """List the pairs of cards that are in a row with some cards of a suit.

    `7h` → `9h 8h`, `6h 5h`, and `8h 6h` with the seven between them.
    """
    yield from _find_runs_beside(cards, length=2)
    above, below = _list_ranks_around(cards)
    if above and below:
        just_above, just_below = above[-1], below[0]
        yield _write_run([just_above, just_below], cards.suited[0].suit)


def _write_run(ranks: Sequence[Kind], suit: str) -> str:
    """Write cards of these ranks in one suit, in the notation of the input fields: `8h 6h`."""
    return " ".join(f"{rank}{suit}" for rank in ranks)
