"""What the melds that could be laid out of a hand count for an opening: each is weighed as an opening by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorepad.rules.cards import JOKER, TWO, Reading
from scorepad.rules.checks.opening import weigh
from scorepad.rules.entries import Out, SideEntry
from scorepad.rules.melds import Meld, canasta_of, shape_of
from scorepad.rules.programs import Resource
from scorepad.rules.rulings.answers import Reason
from scorepad.rules.rulings.casing import ASKER, asker, broken, lay_case
from scorepad.rules.rulings.ways import COUNTED, Choice
from scorepad.rules.rulings.ways_melds import Draft
from scorepad.rules.settings import Settings
from scorepad.rules.terms import Shape
from scorepad.rules.variants import Ruleset

CANNOT_BE = frozenset({"card-unknown", "deck-exceeded", "red-threes-exceeded"})
"""The checks of what no cards can be, asked before anything is looked for."""

_LACKING = frozenset({"natural-group", "wilds-alone"})
"""Why a meld is no opening by itself, that another meld beside it makes good."""
_SHORT = frozenset({None, "points", "naturals"})
"""Nothing but points keeps it from being one."""

FITS: Resource = ("fits",)
"""The tally of melds one of which an opening needs."""
BINDS: Resource = ("binds",)
"""The tally of incomplete melds of wild cards, where such a meld binds the side."""

CANASTAS: Resource = ("canastas",)
"""The tally of canastas; those of a family stand in `("family", …)`."""

Tallies = tuple[tuple[Resource, int], ...]
Limit = tuple[Resource, tuple[int, int | None]]
Limits = tuple[Limit, ...]


def cannot_be(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """What is wrong with cards whatever is done with them."""
    return broken(lay_case(rules, SideEntry(left=cards)), CANNOT_BE)


@dataclass(frozen=True, slots=True)
class Opener:
    """A meld of an opening: the points of its cards but for wild ones beside natural ones, and whether they count.

    `fits`: an opening with it lacks nothing but points.
    """

    draft: Draft
    points: int
    counts: bool = True
    fits: bool = True

    @property
    def tallies(self) -> Tallies:
        """What it adds to an opening."""
        return ((COUNTED, self.points if self.counts else 0), (FITS, int(self.fits)))


def openers(rules: Ruleset, drafts: Iterable[Draft], minimum: int | None, *, concealed: bool) -> Iterator[Opener]:
    """The melds that an opening may hold, toward a minimum in points; without one, a card is worth a point."""
    put = tuple(drafts)
    if minimum is None:
        yield from (Opener(draft, draft.lies.size - draft.wilds) for draft in put)
        return
    entry = SideEntry(opening=tuple(Reading(draft.lies.cards) for draft in put))
    table = lay_case(rules, entry, out=Out(ASKER, concealed=True) if concealed else None)
    lay = asker(table)[1]
    for draft, laid in zip(put, lay.opening, strict=True):
        weighed = weigh(table, replace(lay, opening=(laid,)), minimum)
        if weighed.why in _LACKING or weighed.why in _SHORT:
            points = laid.points - draft.wilds * rules.settings.card_points[TWO]
            yield Opener(draft, points, not weighed.aside, weighed.why in _SHORT)


def choices(
    settings: Settings, found: Iterable[Opener], minimum: int | None, *, counted_first: bool = False
) -> tuple[tuple[Choice, ...], Pair, Pair]:
    """Melds to choose from for the best opening, and what wild cards beside natural ones are worth.

    The best lays most points, and of those that lay the same counts most; `counted_first`: the other way round.
    """
    all_of_them = tuple(found)
    inside, outside = (1, 1)
    if not all(opener.counts for opener in all_of_them):
        inside, outside = MOST_POINTS + 1, 1 if counted_first else MOST_POINTS
    made = tuple(
        Choice(
            opener.draft,
            opener.points * (inside if opener.counts else outside),
            (*opener.tallies, *_of_its_turn(settings, opener.draft.lies)),
            opener.counts,
        )
        for opener in all_of_them
    )
    return made, wild_worths(settings, minimum, inside), wild_worths(settings, minimum, outside, counted=False)


Pair = tuple[tuple[int, int], tuple[int, int]]
"""For a joker and for a two: its worth, and the points that it counts."""
MOST_POINTS = 10000
"""More points than the cards of any decks come to."""


def wild_worths(settings: Settings, minimum: int | None, worth: int, *, counted: bool = True) -> Pair:
    """What a joker and a two beside natural cards are worth; without a minimum, one like any card."""
    joker, two = (1 if minimum is None else settings.card_points[index] for index in (JOKER, TWO))
    return (joker * worth, joker * counted), (two * worth, two * counted)


def standing(settings: Settings, meld: Meld) -> Tallies:
    """What a meld is of which a side may have only one."""
    complete = canasta_of(meld, settings) is not None
    tallies: Tallies = ()
    if settings.wilds_blocked != "nothing" and shape_of(meld, settings) is Shape.WILDS and not complete:
        tallies = ((BINDS, 1),)
    if settings.repeated_rank == "not-incomplete" and meld.size < settings.canasta_length and meld.rank is not None:
        tallies = (*tallies, (("begun", meld.rank), 1))
    return tallies


def _of_its_turn(settings: Settings, meld: Meld) -> Tallies:
    """What a meld counts as among all that is laid in one turn."""
    told = (*standing(settings, meld), *canastas(settings, meld))
    if settings.repeated_rank != "not-incomplete" or meld.rank is None:
        return told
    # One begun leaves no room for a canasta of its rank.
    return (*told, (("turn", meld.rank), 1 if meld.size >= settings.canasta_length else _A_TURN))


_A_TURN = 10
"""Of canastas of a rank no more than that are laid in one turn."""


def canastas(settings: Settings, meld: Meld) -> Tallies:
    """The canasta that a meld is."""
    canasta = canasta_of(meld, settings)
    return () if canasta is None else ((CANASTAS, 1), (("family", canasta.family), 1))


def canastas_needed(settings: Settings) -> Limits:
    """The canastas that going out needs."""
    families = tuple((("family", family), (count, None)) for family, count in settings.canasta_families_needed)
    return ((CANASTAS, (settings.canastas_needed, None)), *families)


def one_of_each(made: Iterable[Choice]) -> Limits:
    """The limits of those tallies."""
    names = {name for choice in made for name, _ in choice.tallies if name == BINDS or name[0] in ("begun", "turn")}
    return tuple((name, (0, _A_TURN if name[0] == "turn" else 1)) for name in sorted(names))
