"""The best of all legal ways to lay cards out of a hand, found exactly.

How many melds of each make-up are laid is a whole number each; the cards held bound them, and what else a question
asks is counted in tallies with limits of their own: a program in whole numbers (`programs`). What comes out is dealt
back into cards, and whoever asked lets the rule itself judge it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from scorepad.rules.cards import BLACK_THREE, JOKER, KINDS, NO_CARDS, NOTHING, RED_THREE, TWO, Cards, Reading, gather
from scorepad.rules.programs import Piece, Resource, Solution, solve
from scorepad.rules.rulings.answers import Laid, Reason, Way
from scorepad.rules.rulings.casing import together
from scorepad.rules.rulings.ways_melds import Draft, cards_of

COUNTED: Resource = ("counted",)
"""The tally of the points that count for an opening."""
TOP: Resource = ("top",)
"""The tally of the melds that may hold the top card of the pile."""
SCALE = 100
"""Points weigh so much more than the number of melds: of two ways that come to the same, that with fewer is shown."""
TIDY_HAND = 40
"""Cards: in a larger hand any way that comes to most is shown, since the fewest melds take too long to find."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A meld that may be laid: its worth in the question's own terms, and what it counts as in its tallies.

    `counts` says whether wild cards beside its natural ones are worth what those of `Task.wilds` are, or nothing.
    """

    draft: Draft
    worth: int
    tallies: tuple[tuple[Resource, int], ...] = ()
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """What to lay: from these cards, some of these melds, within limits of the tallies.

    `whole`: no card stays in the hand. `discards` are the kinds of card (indices) of which one may be discarded, at
    least and at most so many as `discarded` says; None where nobody goes out. `wilds` are the worth and the points
    counted of a joker and of a two beside natural cards; `aside` the same in melds that do not count.
    """

    held: Cards
    choices: tuple[Choice, ...]
    limits: tuple[tuple[Resource, tuple[int, int | None]], ...] = ()
    wilds: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    aside: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    whole: bool = False
    discards: tuple[int, ...] | None = None
    discarded: tuple[int, int] = (0, 0)
    top: Reading | None = None
    """The top card of the pile, which is among those held: it goes to a meld of the tally `TOP`."""


def new_melds(way: Way) -> tuple[Reading, ...]:
    """The new melds of a way."""
    return tuple(Reading(laid.cards) for laid in way.laid if laid.on is None)


def lies_at_the_end(way: Way, table: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The melds of the side when it is done, those of the table first, at their places."""
    added = {laid.on: Reading(laid.cards) for laid in way.laid if laid.on is not None}
    return (*(together(lying, added.get(n, NOTHING)) for n, lying in enumerate(table)), *new_melds(way))


def as_of_a_hand(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons for the best of a hand: what was laid is then what can be laid at most."""
    return tuple(
        replace(why, figures={**why.figures, "why": "hand"})
        if why.code in _OF_A_HAND or (why.code, why.figures.get("why")) == ("opening-below-minimum", "points")
        else why
        for why in reasons
    )


_OF_A_HAND = frozenset({"opening-reached", "top-card-unused"})
"""Reasons with words of their own for the best of a hand, beside the points that are missing."""


def best_way(task: Task) -> Way | None:
    """The way of the most worth; None where there is none."""
    found = _solved(_pieces(task), _limits(task))
    return None if found is None else _dealt(task, found)


@lru_cache(maxsize=256)
def _solved(pieces: tuple[Piece, ...], limits: tuple[tuple[Resource, tuple[int, int | None]], ...]) -> Solution | None:
    """Remembered: most options of a variant leave a question as it is, and all of them are asked."""
    return solve(pieces, dict(limits), "most")


# ------------------------------------------------------------------------------------------------ the program

WILD, ASIDE = "wild", "wild-aside"
_DISCARDED: Resource = ("discarded",)


def _pieces(task: Task) -> tuple[Piece, ...]:
    """First the melds, then the jokers and twos beside natural cards, then the discards."""
    counting = task.held.size <= TIDY_HAND
    melds = [_piece(choice, counting=counting) for choice in task.choices]
    discards = [Piece(0, ((("card", kind), 1), (_DISCARDED, 1))) for kind in task.discards or ()]
    return (*melds, *_wild_pieces(task), *discards)


def _piece(choice: Choice, *, counting: bool) -> Piece:
    draft = choice.draft
    uses: list[tuple[Resource, int]] = [(("card", index), n) for index, n in enumerate(draft.added.counts) if n]
    uses += [(("suited", index, suit), count) for index, suit, count in draft.added.suited]
    if draft.wilds:
        uses.append(((WILD if choice.counts else ASIDE,), draft.wilds))
    one = int(counting and draft.wilds + draft.added.size > 0)
    return Piece(choice.worth * SCALE - one, (*uses, *choice.tallies))


def _wild_pieces(task: Task) -> Iterator[Piece]:
    for name, worths in ((WILD, task.wilds), (ASIDE, task.aside)):
        for index, (worth, counted) in zip((JOKER, TWO), worths, strict=True):
            yield Piece(worth * SCALE, ((("card", index), 1), ((name,), -1), (COUNTED, counted)))


def _limits(task: Task) -> tuple[tuple[Resource, tuple[int, int | None]], ...]:
    held, top = task.held, NO_CARDS if task.top is None else task.top.cards
    limits: dict[Resource, tuple[int, int | None]] = {(WILD,): (0, 0), (ASIDE,): (0, 0), _DISCARDED: task.discarded}
    for index, count in enumerate(held.counts):
        limits["card", index] = (count if task.whole else 0, count)
    # The top card lies in a meld of its kind, so that no sequence has it.
    free = without(held, top) if top.size else held
    limits.update({("suited", index, suit): (0, count) for index, suit, count in free.suited})
    return tuple({**limits, **dict(task.limits)}.items())


# ------------------------------------------------------------------------------------------------ back into cards


def _dealt(task: Task, found: Solution) -> Way:
    """Who has which card: suits where a sequence needs them, the jokers first where any wild card will do."""
    number = len(task.choices)
    chosen = [choice for choice, count in zip(task.choices, found.counts, strict=False) for _ in range(count)]
    jokers = {True: found.counts[number], False: found.counts[number + 2]}
    top = NO_CARDS if task.top is None else task.top.cards
    pool = _Pool(_piles(without(task.held, top) if top.size else task.held))
    laid: list[tuple[bool, Laid]] = []
    holder = next((place for place, choice in enumerate(chosen) if (TOP, 1) in choice.tallies), None)
    # A sequence takes its own cards before others take any.
    for place, choice in sorted(enumerate(chosen), key=lambda one: not one[1].draft.added.suited):
        of_these = min(jokers[choice.counts], choice.draft.wilds)
        jokers[choice.counts] -= of_these
        mine = top if place == holder else NO_CARDS
        cards = pool.take(choice.draft.added, (of_these, choice.draft.wilds - of_these), mine)
        if cards.size:
            laid.append((place != holder, Laid(cards, choice.draft.on)))
    laid.sort(key=lambda one: (one[0], one[1].on is None, one[1].on or 0))
    melds = tuple(each for _, each in laid)
    if task.discards is None:
        return Way(melds)
    discards = [kind for kind, count in zip(task.discards, found.counts[number + 4 :], strict=True) if count]
    return Way(melds, gather(pool.take(cards_of({kind: 1}), (0, 0), NO_CARDS) for kind in discards))


def _every(cards: Cards) -> Iterator[tuple[int, str, int]]:
    """The cards by kind and suit, no suit where none was given, those first."""
    for index, count in enumerate(cards.counts):
        suited = [entry for entry in cards.suited if entry[0] == index]
        bare = count - sum(number for _, _, number in suited)
        if bare:
            yield index, "", bare
        yield from suited


def _piles(cards: Cards) -> dict[tuple[int, str], int]:
    return {(index, suit): count for index, suit, count in _every(cards)}


@dataclass(frozen=True, slots=True)
class _Pool:
    """Cards that nobody has taken yet, by kind and suit."""

    left: dict[tuple[int, str], int]

    def take(self, wanted: Cards, wilds: tuple[int, int], top: Cards) -> Cards:
        """Take cards, of the suits that are wanted or of any, and so many jokers and twos beside them.

        The top card is one of them and in nobody's hand.
        """
        taken = {(index, suit): count for index, suit, count in wanted.suited}
        for index, count in enumerate(wanted.counts):
            more = count - top.counts[index] - sum(n for of_kind, _, n in wanted.suited if of_kind == index)
            more += wilds[index] if index in (JOKER, TWO) else 0
            for card in [card for card in self.left if card[0] == index]:
                some = min(more, self.left[card] - taken.get(card, 0))
                more -= some
                taken[card] = taken.get(card, 0) + some
        for card, count in taken.items():
            self.left[card] -= count
        return gather((_cards(taken), top))


def _cards(taken: Mapping[tuple[int, str], int]) -> Cards:
    counts = [0] * len(KINDS)
    for (index, _), count in taken.items():
        counts[index] += count
    return Cards(tuple(counts), tuple((i, suit, n) for (i, suit), n in sorted(taken.items()) if suit and n))


def without(cards: Cards, card: Cards) -> Cards:
    """Cards less a single one that is among them: of its suit, or one whose suit nobody gave."""
    (index, suit, _), *_ = _every(card)
    left = _piles(cards)
    taken = (index, suit) if (index, suit) in left else (index, "")
    return _cards({**left, taken: left[taken] - 1})


def written(cards: Cards) -> str:
    """Cards as people write them, natural cards first and jokers last: `"2xQh Qd 2 JK"`."""
    tokens = [(index in (JOKER, TWO), index == JOKER, index, suit, count) for index, suit, count in _every(cards)]
    return " ".join(_token(index, suit, count) for _, _, index, suit, count in sorted(tokens))


def _token(index: int, suit: str, count: int) -> str:
    rank = "3" if suit and index in (BLACK_THREE, RED_THREE) else KINDS[index].value
    return f"{f'{count}x' if count > 1 else ''}{rank}{suit}"
