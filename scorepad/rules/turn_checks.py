"""Checks of totals counted at the table, and of the events of a turn: the opening and going out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from scorepad.rules.bounds import Bounds, find_bounds
from scorepad.rules.cards import (
    JOKER,
    NATURAL_INDICES,
    NOTHING,
    RED_THREE,
    TWO,
    Cards,
    gather,
)
from scorepad.rules.checks import (
    NO_SOURCE,
    SMALLEST_POINTS,
    MessageArgument,
    Needed,
    Violation,
    hand_check,
    violation,
)
from scorepad.rules.definitions import Ruleset, Standing
from scorepad.rules.settings import IncompleteKind, Settings
from scorepad.rules.solver import has_solver
from scorepad.rules.table import (
    LaidMeld,
    LaidSide,
    Meld,
    Party,
    Pointer,
    Table,
    combine_sides,
    find_kind_of_canasta,
    is_natural_canasta,
)

# ---------------------------------------------------------------- totals


@hand_check("totals-impossible", agreeable=False)
def find_impossible_totals(table: Table) -> Iterator[Violation]:
    """Report sides (teams) whose cards cannot be worth the points that the players entered.

    Players may count their cards themselves and enter only `totals`: the points, and how many
    canastas (groups of seven cards or more) they have. No cards are worth 12 points, for example.
    """
    for counted in _list_counted_sides(table):
        why = _find_reason_against_points(counted.points, counted.bounds)
        if why is not None:
            yield _report_impossible_totals(counted, why)


BOUNDS_NOT_CHECKED = "bounds-not-checked"
"""The code of a warning that only machines without the solver report."""


@hand_check(BOUNDS_NOT_CHECKED)
def find_totals_that_were_not_checked(table: Table) -> Iterator[Violation]:
    """Report sides (teams) whose points are only known not to be absurd.

    To find out whether cards can be worth the points that the players entered takes a solver, a
    library that is not made for every system.
    """
    if has_solver():
        return
    for counted in _list_counted_sides(table):
        bounds = counted.bounds
        if bounds is None or bounds.is_exact:
            continue
        if _find_reason_against_points(counted.points, bounds) is None:
            side = counted.side
            yield violation((*side.where, "totals"), cited_settings=NO_SOURCE, side=side.name)


class _CountedSide(NamedTuple):
    """A side (team) that counted its cards itself: their points, and the least and the most that
    they can have; None if no cards make its canastas.
    """

    side: LaidSide
    points: int
    bounds: Bounds | None


def _list_counted_sides(table: Table) -> Iterator[_CountedSide]:
    """List the sides (teams) that counted their cards themselves, each with its bounds."""
    for party in table.parties:
        for side in party.sides:
            totals = side.entry.totals
            if totals is None:
                continue
            cards_elsewhere = _gather_cards_elsewhere(table, party)
            points = totals.cards
            bounds = find_bounds(
                table.settings, totals.canastas, cards_elsewhere, points, went_out=side.is_out
            )
            yield _CountedSide(side, points, bounds)


def _gather_cards_elsewhere(table: Table, party: Party) -> Cards:
    """Gather the cards that a party cannot have laid, because they are known to be elsewhere.

    A party is the sides (teams) that lay their cards together. With all jokers among the cards of
    the opponents, for example, its own points cannot come from jokers.
    """
    cards_elsewhere = [table.named]  # laid by others, still in hand, or discarded last
    for opponents in table.parties:
        if opponents is party:
            continue
        if opponents.melds:
            continue  # all that they laid is in `table.named`, also what they laid first
        cards_elsewhere += _list_first_melds(opponents)
    return gather(cards_elsewhere)


def _list_first_melds(party: Party) -> list[Cards]:
    """List the groups of cards that a party laid first in the round, as far as they were entered.

    A party is the sides (teams) that lay their cards together. `K K K` of one, and `8 8 8` and
    `9 9 9` of the other → all three.
    """
    first_melds: list[Cards] = []
    for side in party.sides:
        for laid in side.opening:
            first_melds.append(laid.meld.cards)
    return first_melds


class _WhyImpossible(StrEnum):
    """Why the cards of a side cannot have the points that its totals give."""

    NO_CARDS = "no-cards"
    """No cards make the canastas of the totals."""
    MORE = "more"
    LESS = "less"
    MULTIPLE = "multiple"
    """The points are not a multiple of five, as those of cards are."""
    MELD = "meld"
    """The points are fewer than those of the cheapest meld."""


_SETTINGS_AGAINST_TOTALS: dict[_WhyImpossible, tuple[str, ...]] = {
    _WhyImpossible.NO_CARDS: ("card-points", "decks"),
    _WhyImpossible.MORE: ("card-points", "decks"),
    _WhyImpossible.LESS: ("card-points",),
    _WhyImpossible.MULTIPLE: ("card-points",),
    _WhyImpossible.MELD: ("card-points", "decks"),
}
"""The settings that make totals impossible, by the reason."""


def _report_impossible_totals(counted: _CountedSide, why: _WhyImpossible) -> Violation:
    """Make the report that the cards of a side cannot have so many points."""
    side, bounds = counted.side, counted.bounds
    # On the page: "Noi: the cards laid make 2000 points at most, but you wrote 5000."
    limits: dict[str, MessageArgument] = {}
    if bounds is not None:
        limits = {"least": bounds.least, "most": bounds.most}
    return violation(
        (*side.where, "totals"),
        cited_settings=_SETTINGS_AGAINST_TOTALS[why],
        side=side.name,
        why=why.value,
        points=counted.points,
        **limits,
    )


def _find_reason_against_points(points: int, bounds: Bounds | None) -> _WhyImpossible | None:
    """Find the reason why the cards of a side cannot be worth so many points; None if they can.

    `bounds` are the least and the most points of cards that make its canastas (groups of seven or
    more), None if no cards make them. With bounds from 100 to 400:

    - 50 → `LESS`, and 450 → `MORE`
    - 203 → `MULTIPLE`: every card is worth a multiple of 5 points
    """
    if bounds is None:
        return _WhyImpossible.NO_CARDS
    if points > bounds.most:
        return _WhyImpossible.MORE
    if points < bounds.least:
        return _WhyImpossible.LESS
    if points % SMALLEST_POINTS != 0:
        return _WhyImpossible.MULTIPLE
    if not bounds.holds(points):
        return _WhyImpossible.MELD  # 5 or 10 points: even the cheapest three cards are worth 15
    return None


# ---------------------------------------------------------------- the opening

# The opening is what a side lays first in a round; its points must reach a minimum.

MINIMUM_HOLDS = "concealed-out/minimum"
"""The rule, to be cited, that a side which opens and goes out in one turn needs the minimum too."""


class OpeningRefusal(StrEnum):
    """Why melds may not be the opening of a side, which is what it lays first in a round."""

    NATURAL_GROUP = "natural-group"
    """None of them has enough natural cards of one rank to be a meld without its wild cards."""
    MIXED_CANASTA = "mixed-canasta"
    """One of them is a canasta (seven cards or more) of natural and wild cards."""
    WILDS_ALONE = "wilds-alone"
    """All of them are of wild cards alone."""
    BLACK_THREES = "black-threes"
    """One of them is of black threes."""
    NATURALS = "naturals"
    """Only melds without wild cards count toward so low a minimum, and those lack points."""
    POINTS = "points"
    """They lack points."""


_SETTING_OF_FORBIDDEN_MELDS = {
    OpeningRefusal.NATURAL_GROUP: "opening-natural-group",
    OpeningRefusal.MIXED_CANASTA: "opening-natural-group",
    OpeningRefusal.WILDS_ALONE: "opening-wild-melds",
    OpeningRefusal.BLACK_THREES: "black-threes",
}
"""The setting by which melds are refused as an opening however many points they have."""


class OpeningCount(NamedTuple):
    """What an opening is worth, and whether it is refused."""

    points: int
    """The points of the melds that count."""
    melds_not_counting: int
    """How many of its melds do not count."""
    refusal: OpeningRefusal | None
    """Why it is refused; None if it is not."""


def count_opening(table: Table, side: LaidSide, minimum: int) -> OpeningCount:
    """Count the points of the groups of cards that a side laid first in a round (its opening).

    They must be worth a minimum. Some kinds of cards are forbidden, or do not count. Where
    `minimum` is 50 points:

    - `K K K`, at 10 points each → `OpeningCount(30, melds_not_counting=0, refusal=POINTS)`
    - `K K K K K` → `OpeningCount(50, melds_not_counting=0, refusal=None)`
    """
    points = 0
    melds_not_counting = 0
    for laid in side.opening:
        if _counts_toward_minimum(table.settings, side, laid, minimum):
            points += laid.points
        else:
            melds_not_counting += 1

    refusal = _find_forbidden_cards_in_opening(table.settings, side, minimum)
    melds = [laid.meld for laid in side.opening]
    is_short = points < minimum and not opens_by_canasta(table.settings, melds)
    if refusal is None and is_short:
        # The message says whether some of the cards did not count.
        do_all_count = melds_not_counting == 0
        refusal = OpeningRefusal.POINTS if do_all_count else OpeningRefusal.NATURALS
    return OpeningCount(points, melds_not_counting, refusal)


def opens_by_canasta(settings: Settings, melds: Iterable[Meld]) -> bool:
    """Tell whether one of these first melds of a side is a canasta that needs no minimum of points.

    In some games that is a canasta (a meld of seven cards) of natural cards alone, or of jokers and
    twos alone.
    """
    if settings.opening_canasta == "counts":
        return False
    for meld in melds:
        is_canasta = find_kind_of_canasta(meld, settings) is not None
        if is_canasta and not _is_mixed_canasta(meld, settings):
            return True
    return False


def _find_forbidden_cards_in_opening(
    settings: Settings, side: LaidSide, minimum: int
) -> OpeningRefusal | None:
    """Find the reason why a side may not lay these cards first in a round, whatever their points.

    - black threes among them → `BLACK_THREES`: most often they may not be laid yet
    - only jokers and twos, in a game that forbids it → `WILDS_ALONE`
    - cards that are allowed → None

    `minimum` is the number of points that they need. Some rules hold only above a low one.
    """
    if any(_are_black_threes_laid_too_early(side, laid) for laid in side.opening):
        return OpeningRefusal.BLACK_THREES
    melds = [laid.meld for laid in side.opening]
    return _find_forbidden_first_melds(settings, melds, minimum)


def _are_black_threes_laid_too_early(side: LaidSide, laid: LaidMeld) -> bool:
    """Tell whether a side laid black threes in its first turn although that was forbidden.

    Black threes may be laid only in the turn in which a player plays the last card. A side's first
    turn is that turn only if a player laid all cards at once (`is_concealed`).
    """
    if not laid.meld.is_of_black_threes:
        return False
    return not side.is_concealed


def _counts_toward_minimum(
    settings: Settings, side: LaidSide, laid: LaidMeld, minimum: int
) -> bool:
    """Tell whether a meld (a group of cards) counts toward the minimum that a side lays first.

    In some games melds with wild cards (jokers and twos) do not count toward a low minimum. Where
    they do not count up to 50 points:

    - `K K 2`, with a minimum of 50 → False
    - `K K 2`, with a minimum of 90 → True
    """
    if _are_black_threes_laid_too_early(side, laid):
        return False
    if laid.meld.wilds == 0:
        return True
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    return not is_low_minimum


def _find_forbidden_first_melds(
    settings: Settings, melds: list[Meld], minimum: int
) -> OpeningRefusal | None:
    """Find the reason why a side may not lay these melds (groups of cards) first in a round.

    None if it may. `minimum` is how many points they have to be worth. That is not checked here,
    but some rules hold only above a low minimum.
    """
    if settings.opening_natural_group != "not-needed":
        refusal = _check_natural_group_in_opening(settings, melds)
        if refusal is not None:
            return refusal
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    if is_low_minimum:
        return None  # wild cards need no check: they do not count toward so low a minimum
    return _check_opening_of_wild_cards_alone(settings, melds)


def _check_natural_group_in_opening(settings: Settings, melds: list[Meld]) -> OpeningRefusal | None:
    """Check the melds (groups of cards) that a side lays first where one must have no wild cards.

    Wild cards are jokers and twos. Returns the reason for refusing the melds, or None:

    - `K K K` and `8 8 2` → None
    - `K K 2` and `8 8 2` → `NATURAL_GROUP`, none of them is without wild cards
    - `K K K` and `8 8 8 8 8 8 2` → `MIXED_CANASTA`, seven cards with a wild one are too many
    """
    if any(_is_mixed_canasta(meld, settings) for meld in melds):
        return OpeningRefusal.MIXED_CANASTA
    for meld in melds:
        is_natural_group = meld.wilds == 0 and _has_enough_natural_cards(meld, settings)
        if is_natural_group or _may_wilds_open(settings, meld):
            return None
    return OpeningRefusal.NATURAL_GROUP


def _may_wilds_open(settings: Settings, meld: Meld) -> bool:
    """Tell whether a meld of jokers and twos alone serves as well as a natural one in an opening."""
    return settings.opening_natural_group == "or-wilds" and meld.naturals == 0


def _has_enough_natural_cards(meld: Meld, settings: Settings) -> bool:
    """Tell whether the natural cards of a meld (a group of cards) would be a meld by themselves.

    Wild cards (jokers and twos) do not count, nor do black threes, which a side may not lay first.
    Where three cards are needed: `K K K 2` → True, `K K 2 2` → False.
    """
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_mixed_canasta(meld: Meld, settings: Settings) -> bool:
    """Tell whether a meld is a canasta (a group of seven cards or more) with some wild cards.

    Wild cards are jokers and twos: `K K K K K K 2` → True, `7xK` and `K K 2` → False.
    """
    is_mixed = meld.wilds > 0 and meld.naturals > 0
    return is_mixed and find_kind_of_canasta(meld, settings) is not None


def _check_opening_of_wild_cards_alone(
    settings: Settings, melds: list[Meld]
) -> OpeningRefusal | None:
    """Check that a side does not lay only jokers and twos first, where that is forbidden.

    They are wild cards. In some games `2 2 JK` alone → `WILDS_ALONE`, and `2 2 JK` with `K K K` →
    None, which is allowed. In the other games the result is always None.
    """
    if settings.opening_wild_melds != "not-alone":
        return None
    has_only_wilds = len(melds) > 0 and all(meld.naturals == 0 for meld in melds)
    return OpeningRefusal.WILDS_ALONE if has_only_wilds else None


@hand_check("opening-below-minimum", of_opening=True)
def find_refused_openings(table: Table) -> Iterator[Violation]:
    """Report sides whose first cards in the round are worth too little, or may not be laid first.

    In most games the first cards of a side (team) must be worth a minimum of points. They are
    checked only if the players entered them.
    """
    for side in table.sides:
        minimum = side.minimum
        if minimum is None or table.needs_no_minimum(side):
            continue
        if not _are_first_melds_known(side):
            continue
        opening = count_opening(table, side, minimum)
        if opening.refusal is None:
            continue  # it is in order
        yield _report_refused_opening(
            table,
            side,
            opening.refusal,
            opening.points,
            where=(*side.where, "opening"),
            cited_settings=_cite_refusal(
                table, side, opening.refusal, is_concealed=side.is_concealed
            ),
        )


def _are_first_melds_known(side: LaidSide) -> bool:
    """Tell whether the cards that a side laid first were entered, and all of them could be read."""
    if side.entry.opening is None:
        return False
    return not any(laid.has_unreadable_cards for laid in side.opening)


def _cite_refusal(
    table: Table,
    side: LaidSide,
    refusal: OpeningRefusal,
    *,
    is_concealed: bool,
    left_out_by: str | None = None,
) -> tuple[str, ...]:
    """Name the settings that explain why cards may not be the first that a side lays in a round.

    - they are black threes, which may not be laid yet → `("black-threes",)`
    - they lack points for the minimum from a match score of 1,500 on → `("opening-steps/1500",)`

    `left_out_by` is the setting by which some points did not count, if there is one. If a player
    laid all cards in one turn (`is_concealed`), the rule that even then the minimum holds is added.
    """
    score = table.before[side.position]
    setting_of_minimum = table.rules.find_cited_setting_of_minimum(score, table.hand.deal)
    cited_settings: list[str] = []
    if refusal in _SETTING_OF_FORBIDDEN_MELDS:
        cited_settings.append(_SETTING_OF_FORBIDDEN_MELDS[refusal])
        # Nothing is forbidden without a minimum, so it matters if the players changed that.
        cited_settings += table.rules.find_settings_chosen_by_players([setting_of_minimum])
    elif refusal is OpeningRefusal.NATURALS:
        cited_settings += [setting_of_minimum, "opening-naturals-up-to"]
    else:
        cited_settings.append(setting_of_minimum)
        if left_out_by is not None:
            cited_settings.append(left_out_by)
    if is_concealed:
        cited_settings.append(MINIMUM_HOLDS)
    return tuple(cited_settings)


def _report_refused_opening(
    table: Table,
    side: LaidSide,
    refusal: OpeningRefusal,
    points: int,
    *,
    where: Pointer,
    cited_settings: tuple[str, ...],
) -> Violation:
    """Make the report that the first cards of a side are refused, with the figures for the message.

    `refusal` is the reason, `points` what the cards are worth, and `where` the field of the form,
    such as `("sides", 0, "opening")`.
    """
    minimum = side.minimum or 0  # the callers report only sides that have a minimum
    # On the page: "Noi: opening this hand takes at least 50 points; the opening noted makes 30, 20
    # short."
    return violation(
        where,
        cited_settings=cited_settings,
        why=refusal.value,
        side=side.name,
        points=points,
        minimum=minimum,
        missing=minimum - points,
        score=table.before[side.position],
        deal=table.hand.deal,
    )


@hand_check("opening-impossible", of_opening=True)
def find_parties_that_cannot_have_opened(table: Table) -> Iterator[Violation]:
    """Report parties whose cards in the whole round are too few for what they had to lay first.

    A party is the sides that lay their cards together; their first cards must be worth a minimum,
    the lowest of these sides. With a minimum of 50 points, a party that laid only `K K K` (30
    points) in the whole round is reported.
    """
    for party in table.parties:
        opener = _find_side_with_lowest_minimum(party)
        if opener is None or any(table.needs_no_minimum(side) for side in party.sides):
            continue  # it needs no minimum
        if not _are_cards_laid_known(party) or _may_wilds_have_gone_back(table, party):
            continue
        best = _find_best_possible_opening(table.settings, party, opener.minimum)
        refusal = best.forbidden
        needs_points = not _may_have_opened_by_canasta(table.settings, party)
        if refusal is None and needs_points and best.points < opener.minimum:
            refusal = OpeningRefusal.POINTS
        if refusal is None:
            continue  # it can have laid enough first

        # The cards may have been entered for another side of the party.
        where = _find_first_side_with_cards(party).where
        cited_settings = _cite_refusal(
            table,
            opener.side,
            refusal,
            is_concealed=any(side.is_concealed for side in party.sides),
            left_out_by=best.left_out_by,
        )
        yield _report_refused_opening(
            table, opener.side, refusal, best.points, where=where, cited_settings=cited_settings
        )


def _may_have_opened_by_canasta(settings: Settings, party: Party) -> bool:
    """Tell whether a party has a canasta that needed no minimum of points if it was laid at once.

    In some games that is one of seven natural cards, or of seven jokers and twos.
    """
    if settings.opening_canasta == "counts":
        return False
    canastas_without_minimum = party.families.total() - party.families["mixed"]
    return canastas_without_minimum > 0


def _may_wilds_have_gone_back(table: Table, party: Party) -> bool:
    """Tell whether a party may have opened with wild cards that it has no more on the table.

    At some tables a canasta (a group of seven cards or more) gives its jokers and twos back to the
    hand once it is natural without them.
    """
    if table.settings.meld_wilds_stay == "always":
        return False
    has_opened_last = table.settings.concealed_out != "with-lay-offs"
    if has_opened_last and any(side.is_concealed for side in party.sides):
        return False  # it opened in the turn in which the hand ended
    if any(is_natural_canasta(laid.meld.cards, table.settings) for laid in party.melds):
        return True
    for kind in table.settings.canastas:
        fewest_wilds, _most_wilds = kind.wilds
        may_be_natural = kind.shape == "group" and fewest_wilds == 0
        if may_be_natural and _has_noted_canasta(party, kind.item):
            return True
    return False


def _has_noted_canasta(party: Party, item: str) -> bool:
    """Tell whether a party noted a canasta of this name among its totals, without its cards."""
    totals = [entry.totals for entry in party.entries if entry.totals is not None]
    return any(counted.canastas.get(item, 0) > 0 for counted in totals)


class _Opener(NamedTuple):
    """A side that had to reach an opening minimum, and that minimum."""

    side: LaidSide
    minimum: int


def _find_side_with_lowest_minimum(party: Party) -> _Opener | None:
    """Find the side of a party whose first cards have to be worth the fewest points.

    A party is the sides (teams) that lay their cards together. How many points the first cards of a
    side need depends on its match score: with 90 for the first side and 50 for the second →
    `_Opener(second_side, minimum=50)`. None if no side has a minimum.
    """
    lowest: _Opener | None = None
    for side in party.sides:
        if side.minimum is None:
            continue
        if lowest is None or side.minimum < lowest.minimum:
            lowest = _Opener(side, side.minimum)
    return lowest


def _are_cards_laid_known(party: Party) -> bool:
    """Tell whether a party laid cards, and it is known which ones, or how many points they have.

    A party is the sides (teams) that lay their cards together.

    - no cards at all → False
    - only the points of its cards were entered, 150 → True
    - a word among its cards could not be read, or its points are below zero → False
    """
    if not party.opened or not _are_melds_known(party):
        return False
    for entry in party.entries:
        # Cards cannot have points below zero: another check reports that.
        if entry.totals is not None and entry.totals.cards < 0:
            return False
    return True


def _are_melds_known(party: Party) -> bool:
    """Tell whether everything that a party laid on the table is known.

    A party is the sides (teams) that lay their cards together. Something is not known if a word
    among the cards is no card, or if the players entered only the sum of a side's points.
    """
    return not party.unreadable and not party.is_summed


def _find_first_side_with_cards(party: Party) -> LaidSide:
    """Find the first side (team) of a party that laid cards. Call it only if one of them did.

    A party is the sides that lay their cards together.
    """
    return next(side for side in party.sides if _has_laid_cards(side))


def _has_laid_cards(side: LaidSide) -> bool:
    """Tell whether a side laid cards on the table, entered card by card or only as their points."""
    totals = side.entry.totals
    has_points_of_cards = totals is not None and totals.cards != 0
    return bool(side.melds) or has_points_of_cards


class _PossibleOpening(NamedTuple):
    """The best opening that some of a party's cards can have been."""

    points: int
    """The most points that it can count."""
    forbidden: OpeningRefusal | None = None
    """Why these cards may not open however many points they count; None if they may."""
    left_out_by: str | None = None
    """The setting by which not all points of the party's cards count; None if all do."""


def _find_best_possible_opening(settings: Settings, party: Party, minimum: int) -> _PossibleOpening:
    """Find the best cards that a party can have laid first, from all that it has on the table.

    The players did not enter which cards these were. A party is the sides (teams) that lay their
    cards together, and `minimum` is how many points their first cards must be worth. In most games
    all cards may have come first: `K K K` and `8 8 2` → `_PossibleOpening(points=70)`.
    """
    has_only_points = any(entry.totals for entry in party.entries)
    if has_only_points:
        return _PossibleOpening(party.points)  # any cards may have these points
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    if is_low_minimum:
        return _find_best_opening_without_wilds(settings, party)
    if settings.opening_natural_group != "not-needed":
        return _find_best_opening_with_natural_group(settings, party)
    melds = [laid.meld for laid in party.melds]
    forbidden = _check_opening_of_wild_cards_alone(settings, melds)
    return _PossibleOpening(party.points, forbidden=forbidden)


def _find_best_opening_with_natural_group(settings: Settings, party: Party) -> _PossibleOpening:
    """Find the best cards that a party can have laid first where one group must have no wild cards.

    Wild cards are jokers and twos, and a party is the sides that lay their cards together. Such a
    game also forbids to begin with a group of seven cards that has wild ones. So of `K K K K K K 2`
    on the table, worth 80 points, at least one king came later: 70 points are the most.
    """
    melds = [laid.meld for laid in party.melds]
    forbidden = None
    has_natural_group = any(_has_enough_natural_cards(meld, settings) for meld in melds)
    if not has_natural_group and not any(_may_wilds_open(settings, meld) for meld in melds):
        forbidden = OpeningRefusal.NATURAL_GROUP
    left_out_by = None
    points_laid_later = _count_fewest_points_laid_later(settings, melds)
    if points_laid_later > 0:
        left_out_by = "opening-natural-group"
    return _PossibleOpening(party.points - points_laid_later, forbidden, left_out_by)


def _count_fewest_points_laid_later(settings: Settings, melds: list[Meld]) -> int:
    """Count the points that a side must have laid after its first turn, at the least.

    Its first cards may not include a complete canasta (seven cards or more) with jokers or twos. So
    each of its melds that is one by now got a card later. `K K K K K K 2` → 10, the points of a
    king, which is the cheapest card of this meld.
    """
    points = 0
    for meld in melds:
        if _is_mixed_canasta(meld, settings):
            points += _find_points_of_cheapest_card(settings, meld)
    return points


def _find_best_opening_without_wilds(settings: Settings, party: Party) -> _PossibleOpening:
    """Find the best cards that a party can have laid first where groups with wild cards do not count.

    Wild cards are jokers and twos, and a party is the sides that lay their cards together. Of `K K
    K 2` and `8 8 2` on the table, the three kings count, 30 points: the two may have come later.
    Two eights are no group by themselves.
    """
    points = 0
    forbidden: OpeningRefusal | None = OpeningRefusal.NATURALS  # if no group is left
    for laid in party.melds:
        if _has_enough_natural_cards(laid.meld, settings):
            points += _count_points_of_natural_cards(settings, laid.meld)
            forbidden = None
    left_out_by = None
    if points < party.points:
        left_out_by = "opening-naturals-up-to"
    return _PossibleOpening(points, forbidden, left_out_by)


def _count_points_of_natural_cards(settings: Settings, meld: Meld) -> int:
    """Count the points of the cards in a meld (a group) that are not wild, nor threes.

    Wild cards are jokers and twos: `K K K 2` → 30.
    """
    counts = meld.cards.counts
    return sum(counts[rank] * settings.card_points[rank] for rank in NATURAL_INDICES)


def _find_points_of_cheapest_card(settings: Settings, meld: Meld) -> int:
    """Find the points of the cheapest card in a meld (a group), threes left out: `K K 2` → 10.

    The king counts 10 points, and the two 20.
    """
    kinds_in_meld = [kind for kind in (JOKER, TWO, *NATURAL_INDICES) if meld.cards.counts[kind] > 0]
    points: int = min(settings.card_points[kind] for kind in kinds_in_meld)
    return points


@hand_check("opening-unknown", of_opening=True)
def find_unclear_openings(table: Table) -> Iterator[Violation]:
    """Report sides of which nobody can tell whether they laid the right cards first in the round.

    In some games one group among the first cards must be without wild cards (jokers and twos), say.
    That cannot be checked if the players entered only the points of all cards (totals).
    """
    for side in table.sides:
        minimum = side.minimum  # of points, for the first cards
        if minimum is None or table.needs_no_minimum(side):
            continue
        rule = _find_rule_limiting_opening(table.settings, minimum)
        if rule is None:
            continue  # all cards may be laid first
        totals = side.entry.totals
        if totals is None:
            continue  # the cards were entered
        if totals.cards < minimum:
            continue  # they are too few in any case, which another check reports
        cited_settings = [rule.setting]
        if side.is_concealed:
            cited_settings.append(MINIMUM_HOLDS)
        # On the page: "The totals suffice, but do not tell which cards opened."
        yield violation(
            side.where,
            cited_settings=tuple(cited_settings),
            side=side.name,
            minimum=minimum,
            why=rule.refusal.value,
        )


class _OpeningRule(NamedTuple):
    """A rule that limits which melds a side may lay first in a round."""

    setting: str
    """The name of the setting that holds the rule."""
    refusal: OpeningRefusal
    """Why melds that break it are refused."""


def _find_rule_limiting_opening(settings: Settings, minimum: int) -> _OpeningRule | None:
    """Find the rule that limits which groups of cards a side may lay first; None if it may lay any.

    Such a rule is about wild cards (jokers and twos). Either one group must have none of them, or
    groups with them do not count toward a low minimum. `minimum` is what the first cards must be
    worth.
    """
    if settings.opening_natural_group != "not-needed":
        return _OpeningRule("opening-natural-group", OpeningRefusal.NATURAL_GROUP)
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    if is_low_minimum:
        return _OpeningRule("opening-naturals-up-to", OpeningRefusal.NATURALS)
    return None


# ---------------------------------------------------------------- going out


# Going out is playing one's last card, which ends the round.


def has_canastas_to_go_out(table: Table, party: Party) -> bool:
    """Tell whether a party has the canastas that it needs before a player may end the round.

    A canasta is a group of seven cards or more, and a party the sides (teams) that lay their cards
    together. A game may want a number of canastas, and some of a family. Where two are needed, one
    natural (without jokers and twos) and one mixed:

    - a natural and a mixed one → True
    - two natural ones → False
    """
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    for family, number_needed in settings.canasta_families_needed:
        if party.families[family] < number_needed:
            return False
    return True


def has_canasta_of_inferred_family(rules: Ruleset, party: Party) -> bool:
    """Tell whether a party (sides that lay cards together) has a canasta of an inferred kind.

    A canasta is a group of seven cards or more. In some games no rule book says whether one of
    jokers and twos alone counts as natural or as mixed, so that it was inferred from other rules.
    """
    is_inferred = rules.cited["canastas"].standing is Standing.INFERRED
    return is_inferred and _has_canasta_of_wilds(rules.settings, party)


def _has_canasta_of_wilds(settings: Settings, party: Party) -> bool:
    """Tell whether a party has a canasta (seven cards or more) of jokers and twos alone.

    A party is the sides (teams) that lay their cards together.
    """
    kinds_of_wilds = [kind for kind in settings.canastas if kind.shape == "wilds"]
    return any(party.canastas[kind.item] > 0 for kind in kinds_of_wilds)


class _GoingOut(NamedTuple):
    """The side that went out (played its last card), and the sides with which it lays melds."""

    party: Party
    side: LaidSide


def _find_side_that_went_out(table: Table) -> _GoingOut | None:
    """Find the side that ended the round by playing its last card, and its party.

    A party is the sides (teams) that lay their cards together. None if nobody played a last card,
    or if not all cards that the party laid are known. It is also None for a special hand, which a
    player shows in place of laying cards: it needs nothing on the table.
    """
    for party in table.parties:
        if not _are_melds_known(party):
            continue
        for side in party.sides:
            has_shown_special_hand = side.entry.special is not None
            if side.is_out and not has_shown_special_hand:
                return _GoingOut(party, side)
    return None


@hand_check("out-canastas-missing")
def find_going_out_without_canastas(table: Table) -> Iterator[Violation]:
    """Report the side that ended the round without the canastas that it needs for that.

    A canasta is a group of seven cards or more. Most games want one or two of them before a player
    may play the last card.
    """
    going_out = _find_side_that_went_out(table)
    if going_out is None:
        return
    party = going_out.party  # the sides (teams) that lay their cards together with it
    has_laid_alone = table.settings.concealed_out != "with-lay-offs"
    if going_out.side.is_concealed and has_laid_alone:
        # The player laid all cards in one turn: then the canastas of other sides do not count.
        party = combine_sides(table.settings, [going_out.side])
    if not has_canastas_to_go_out(table, party):
        yield _report_missing_canastas(table, going_out.side, party)


class _CanastasLacking(StrEnum):
    """What is said of the canastas that a side lacked when it went out."""

    FAMILIES = "families"
    """Canastas of these families, such as natural ones, are too few."""
    KINDS = "kinds"
    """There are enough of each family, but too few in all; the families needed are listed."""
    NUMBER = "number"
    """There are too few in all, and no family is needed."""


def _report_missing_canastas(table: Table, side: LaidSide, party: Party) -> Violation:
    """Report that a side ended the round without the canastas needed for it.

    A canasta is a group of seven cards or more, and `party` is the sides (teams) whose canastas
    count for this one. The message names the families (natural, mixed) of which it has too few. If
    it only has too few in all, the message names all families that are needed.
    """
    families_needed = _list_needed_families(table.settings, party)
    families_missing = tuple(family for family in families_needed if family.has < family.count)
    cited_settings: tuple[str, ...] = ("canastas-needed",)
    named: dict[str, MessageArgument] = {}
    if families_missing:
        why = _CanastasLacking.FAMILIES
        named["lacking"] = families_missing
        cited_settings = ("canasta-families-needed",)
        if has_canasta_of_inferred_family(table.rules, party):
            cited_settings = ("canasta-families-needed", "canastas")
    elif families_needed:
        why = _CanastasLacking.KINDS
        named["lacking"] = families_needed
    else:
        why = _CanastasLacking.NUMBER
    # On the page: "Noi cannot have gone out: it takes at least two canastas, of which one natural."
    return violation(
        ("out",),
        cited_settings=cited_settings,
        side=side.name,
        has=party.families.total(),
        needed=table.settings.canastas_needed,
        game=str(table.rules.variant),
        why=why.value,
        **named,
    )


def _list_needed_families(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """List the families of canastas that are needed to end the round, and how many the party has.

    A canasta is a group of seven cards or more, and its family is natural or mixed. Where one of
    each is needed, and the party has two natural ones:
    `(Needed("natural", count=1, has=2), Needed("mixed", count=1, has=0))`.
    """
    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, has=party.families[family]))
    return tuple(families)


@hand_check("out-red-threes-missing")
def find_going_out_without_red_threes(table: Table) -> Iterator[Violation]:
    """Report the side that ended the round with too few red threes (bonus cards) on the table.

    In one game, messicana, a side needs as many of them as it has canastas (groups of seven cards
    or more). Two canastas and one red three are reported.
    """
    if table.settings.out_red_threes != "one-for-each-canasta":
        return
    going_out = _find_side_that_went_out(table)
    if going_out is None:
        return
    canastas = going_out.party.families.total()
    threes = sum(entry.red_threes for entry in going_out.party.entries)
    if threes < canastas:
        # On the page: "Noi cannot have gone out: it takes a red three exposed for every canasta."
        yield violation(("out",), side=going_out.side.name, threes=threes, canastas=canastas)


@hand_check("out-wild-meld-incomplete")
def find_going_out_with_incomplete_wild_meld(table: Table) -> Iterator[Violation]:
    """Report the side that ended the round with an unfinished meld of jokers and twos alone.

    In some games such a meld (a group of cards) must first become a canasta, that is, reach seven
    cards.
    """
    kinds = [kind for kind in table.settings.incomplete if kind.shape == "wilds"]
    yield from _report_incomplete_melds_at_out(table, kinds)


@hand_check("out-meld-incomplete")
def find_going_out_with_incomplete_meld(table: Table) -> Iterator[Violation]:
    """Report the side that ended the round with an unfinished meld, such as one of sevens or aces.

    In some games such a meld (a group of cards) must first become a canasta, that is, reach seven
    cards. Another check is about melds of jokers and twos alone.
    """
    kinds = [kind for kind in table.settings.incomplete if kind.shape != "wilds"]
    yield from _report_incomplete_melds_at_out(table, kinds)


def _report_incomplete_melds_at_out(
    table: Table, kinds: Iterable[IncompleteKind]
) -> Iterator[Violation]:
    """Report the side that ended the round if it has unfinished melds of these kinds.

    A meld is a group of cards on the table. `kinds` may include such that only cost points, and do
    not keep a side from ending the round: these are left out.
    """
    names = [kind.name for kind in kinds if kind.bars_out]
    going_out = _find_side_that_went_out(table)
    if going_out is None:
        return
    melds = sum(going_out.party.incomplete[name] for name in names)
    if melds > 0:
        # On the page: "Noi cannot have gone out: a meld of only wild cards must first become a
        # canasta (melds still incomplete: 1)."
        yield violation(("out",), side=going_out.side.name, melds=melds)


@hand_check("out-cards-left")
def find_cards_left_of_finisher(table: Table) -> Iterator[Violation]:
    """Report fields which say that the player who ended the round still has cards.

    A player ends the round by playing the last card, so that none can be left.
    """
    out = table.hand.out
    if out is None:
        return
    for side in table.sides:
        if not side.is_out:
            continue
        if side.players == 1:
            wrong_fields = _list_fields_with_cards_in_hand(side)
        else:
            wrong_fields = _list_fields_with_cards_of_player(side, out.player)
        for field in wrong_fields:
            # On the page: "Whoever goes out holds no cards, but here the player still holds some."
            yield violation((*side.where, *field), side=side.name)


def _list_fields_with_cards_in_hand(side: LaidSide) -> list[Pointer]:
    """List the fields which say that players of a side have cards left in hand.

    - the cards of each player, `["K K", ""]` → `[("left", 0)]`, the field of the first player
    - the cards of all together, or their points → `[("left",)]`
    - the number of red threes → `[("red_threes_held",)]`
    """
    fields: list[Pointer] = []
    left = side.entry.left
    if left.is_by_player:
        for player, cards in enumerate(left.readings):
            if cards.size > 0:
                fields.append(("left", player))
    elif left.readings or left.points > 0:
        fields.append(("left",))
    if side.entry.red_threes_held > 0:
        fields.append(("red_threes_held",))
    return fields


def _list_fields_with_cards_of_player(side: LaidSide, player: int | None) -> list[Pointer]:
    """List the fields which say that the player who ended the round has cards left in hand.

    It is known only if the cards of each player were entered, as `["K K", ""]`. `player` is the
    number of the one who ended the round, from 0: player 0 → `[("left", 0)]`, player 1 → `[]`.

    None: any player of the side may have been the one. But at least one of them has no cards, so
    that the whole field is wrong if all of them have some.
    """
    is_known_who_has_cards = side.players > 0 and side.entry.left.is_by_player
    if not is_known_who_has_cards:
        return []
    cards_of_players = side.entry.left.readings
    if player is None:
        all_have_cards = all(cards.size > 0 for cards in cards_of_players)
        return [("left",)] if all_have_cards else []
    return [("left", player)] if cards_of_players[player].size > 0 else []


def may_be_last_discard(discard: Cards, settings: Settings) -> bool:
    """Tell whether a player may end the round by putting this card on the discard pile.

    An ace, or a king to a four, always may be, and so may no card at all (`discard` is empty).
    Jokers, twos and threes depend on the game, by its setting `last-discard-special`:

    - `"forbidden"` → none of them
    - `"wilds"` → jokers and twos, which are wild cards
    - `"any"` → all of them
    """
    if discard.size == 0 or discard.naturals > 0:
        return True
    if settings.last_discard_special == "wilds":
        return discard.wilds > 0
    return settings.last_discard_special == "any"


class _SpecialDiscard(StrEnum):
    """A card that may not be the last discard of a player who goes out."""

    WILD = "wild"
    RED_THREE = "red-three"
    """A red three in a game in which it has to be exposed at once."""
    RED_THREE_KEPT = "red-three-kept"
    """A red three in a game in which it may be kept, and discarded in any other turn."""
    BLACK_THREE = "black-three"


@hand_check("out-discard-special")
def find_forbidden_last_discard(table: Table) -> Iterator[Violation]:
    """Report a last discard that the game forbids: in most games a three, a joker or a two.

    The last discard is the card that a player puts on the discard pile to end the round.
    """
    out = table.hand.out
    if out is None or out.discard is None:
        return
    discard = out.discard.cards
    if may_be_last_discard(discard, table.settings):
        return

    card = _classify_special_discard(discard, table.settings)
    settings_to_cite = ["last-discard-special"]
    if card in (_SpecialDiscard.RED_THREE, _SpecialDiscard.RED_THREE_KEPT):
        # The message also says whether red threes may be kept in hand. If the players changed that
        # rule, no rule book supports the message any more.
        settings_to_cite += table.rules.find_settings_chosen_by_players(["red-threes-kept"])
    # On the page: "The last card discarded to go out may not be a wild card."
    yield violation(("out", "discard"), cited_settings=tuple(settings_to_cite), card=card.value)


def _classify_special_discard(cards: Cards, settings: Settings) -> _SpecialDiscard:
    """Tell what a forbidden last discard is, for the message: a wild card, or a three of a colour.

    - `JK` and `2` → `WILD`
    - `3b` → `BLACK_THREE`
    - `3r` → `RED_THREE`, or `RED_THREE_KEPT` in a game in which red threes may be kept in hand
    """
    if cards.wilds > 0:
        return _SpecialDiscard.WILD
    is_red_three = cards.counts[RED_THREE] > 0
    if not is_red_three:
        return _SpecialDiscard.BLACK_THREE
    if settings.red_threes_kept == "exposed":
        return _SpecialDiscard.RED_THREE
    return _SpecialDiscard.RED_THREE_KEPT


@hand_check("out-discard-missing")
def find_missing_last_discard(table: Table) -> Iterator[Violation]:
    """Report that a player ended the round without discarding a last card, where one is required.

    Nothing is reported if the players did not enter whether a card was discarded.
    """
    out = table.hand.out
    if out is None or table.settings.last_discard != "obligatory":
        return
    # A special hand, shown in place of laying cards, ends the round without a discard.
    is_special_hand = any(side.is_out and side.entry.special is not None for side in table.sides)
    was_nothing_discarded = out.discard == NOTHING  # None: it was not entered
    if was_nothing_discarded and not is_special_hand:
        yield violation(("out", "discard"))  # "Going out takes a last discard here."
