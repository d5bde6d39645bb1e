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
    Reading,
    gather,
)
from scorepad.rules.checks import (
    SMALLEST_POINTS,
    MessageArgument,
    Needed,
    Violation,
    hand_check,
    violation,
)
from scorepad.rules.definitions import Ruleset, Standing
from scorepad.rules.hand import Out, Totals
from scorepad.rules.settings import IncompleteKind, Settings
from scorepad.rules.table import (
    LaidMeld,
    LaidSide,
    Meld,
    Party,
    Pointer,
    Table,
    combine_sides,
    find_kind_of_canasta,
)

# ---------------------------------------------------------------- totals


@hand_check("totals-impossible", agreeable=False)
def totals_impossible(table: Table) -> Iterator[Violation]:
    """Totals, the points of a side's cards as counted at the table, that no legal cards have."""
    for party in table.parties:
        for side in party.sides:
            totals = side.entry.totals
            if totals is None:
                continue
            taken = _cards_named_elsewhere(table, party)
            impossible = _check_totals(table.settings, side, totals, taken)
            if impossible:
                yield impossible


def _cards_named_elsewhere(table: Table, party: Party) -> Cards:
    """The cards of the decks that a party cannot have, because the hand shows them elsewhere.

    These are the cards that the hand names, and those that other parties laid in their first turn.
    """
    named_elsewhere = [table.named]
    for other in table.parties:
        if other is party:
            continue
        are_melds_given = len(other.melds) > 0
        # The cards of the first turn are among the melds, so they are not counted a second time.
        if not are_melds_given:
            named_elsewhere += _cards_of_openings(other)
    return gather(named_elsewhere)


def _cards_of_openings(party: Party) -> list[Cards]:
    """The cards of each meld that is recorded as laid in the first turn of a side."""
    bundles: list[Cards] = []
    for side in party.sides:
        for laid in side.opening:
            bundles.append(laid.meld.cards)
    return bundles


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


def _check_totals(
    settings: Settings, side: LaidSide, totals: Totals, taken: Cards
) -> Violation | None:
    """The violation if no cards make the canastas and the points of a side's totals.

    `taken` are the cards of the decks that the side cannot have.
    """
    points = totals.cards
    bounds = find_bounds(settings, totals.canastas, taken, points, went_out=side.is_out)
    why = _why_points_are_impossible(points, bounds)
    if why is None:
        return None
    limits: dict[str, MessageArgument] = {}
    if bounds is not None:
        limits = {"least": bounds.least, "most": bounds.most}
    return violation(
        (*side.where, "totals"),
        cited_settings=_SETTINGS_AGAINST_TOTALS[why],
        side=side.name,
        why=why.value,
        points=points,
        **limits,
    )


def _why_points_are_impossible(points: int, bounds: Bounds | None) -> _WhyImpossible | None:
    """Why the cards of a side cannot have these points; None if they can.

    `bounds` are the least and the most points that cards with its canastas can have, None if there
    are no such cards.
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
        return _WhyImpossible.MELD
    return None


# ---------------------------------------------------------------- the opening

# The opening is what a side lays first in a hand; its points must reach a minimum.

MINIMUM_HOLDS = "concealed-out/minimum"
"""The rule, to be cited, that a side which opens and goes out in one turn needs the minimum too."""


class OpeningRefusal(StrEnum):
    """Why melds may not be the opening of a side, which is what it lays first in a hand."""

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
    aside: int
    """How many of its melds do not count."""
    why: OpeningRefusal | None
    """Why it is refused; None if it is not."""


def count_opening(table: Table, side: LaidSide, minimum: int) -> OpeningCount:
    """Count the melds that a side laid first in the hand, which need this minimum of points.

    Of three kings (30 points) and a minimum of 50 the answer is 30 points, refused as `POINTS`.
    """
    points = 0
    melds_not_counting = 0
    for laid in side.opening:
        is_forbidden = _is_forbidden_black_threes(side, laid)
        if is_forbidden or not _counts_toward(table.settings, laid.meld, minimum):
            melds_not_counting += 1
        else:
            points += laid.points

    why_forbidden = _why_side_may_not_open(table.settings, side, minimum)
    if why_forbidden is not None:
        return OpeningCount(points, melds_not_counting, why_forbidden)
    if points >= minimum:
        return OpeningCount(points, melds_not_counting, None)
    if melds_not_counting > 0:
        return OpeningCount(points, melds_not_counting, OpeningRefusal.NATURALS)
    return OpeningCount(points, melds_not_counting, OpeningRefusal.POINTS)


def _why_side_may_not_open(
    settings: Settings, side: LaidSide, minimum: int
) -> OpeningRefusal | None:
    """Why the opening recorded for a side is refused regardless of its points; None if it is not."""
    if any(_is_forbidden_black_threes(side, laid) for laid in side.opening):
        return OpeningRefusal.BLACK_THREES
    melds = [laid.meld for laid in side.opening]
    return _why_melds_may_not_open(settings, melds, minimum)


def _is_forbidden_black_threes(side: LaidSide, laid: LaidMeld) -> bool:
    """Whether it is a meld of black threes that the side could not lay in its first turn.

    Black threes may be laid only in the turn in which a player plays the last card. That is also
    the first turn of the side only if it laid all its cards at once (`is_concealed`).
    """
    went_out_in_first_turn = side.is_concealed
    return laid.meld.is_of_black_threes and not went_out_in_first_turn


def _counts_toward(settings: Settings, meld: Meld, minimum: int) -> bool:
    """Whether a meld counts toward the minimum: in some variants, melds with wild cards do not count
    toward a low one.
    """
    has_wild_cards = meld.wilds > 0
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    return not (has_wild_cards and is_low_minimum)


def _why_melds_may_not_open(
    settings: Settings, melds: list[Meld], minimum: int
) -> OpeningRefusal | None:
    """Why these melds may not open regardless of their points; None if they may."""
    if settings.opening_natural_group == "needed":
        why = _why_without_natural_group(settings, melds)
        if why is not None:
            return why
    if minimum <= settings.opening_naturals_up_to:
        return None  # melds with wild cards do not count anyway
    return _why_wilds_may_not_open(settings, melds)


def _why_without_natural_group(settings: Settings, melds: list[Meld]) -> OpeningRefusal | None:
    """Why these melds may not open where an opening needs a group of natural cards, and may not hold
    a complete mixed canasta; None if they may.
    """
    if any(_is_mixed_canasta(meld, settings) for meld in melds):
        return OpeningRefusal.MIXED_CANASTA
    for meld in melds:
        is_natural_group = meld.wilds == 0 and _has_enough_naturals(meld, settings)
        if is_natural_group:
            return None
    return OpeningRefusal.NATURAL_GROUP


def _has_enough_naturals(meld: Meld, settings: Settings) -> bool:
    """Whether its natural cards alone make a meld; black threes never open."""
    return meld.naturals - meld.black_threes >= settings.meld_shortest


def _is_mixed_canasta(meld: Meld, settings: Settings) -> bool:
    """Whether it is a canasta of natural and wild cards."""
    is_mixed = meld.wilds > 0 and meld.naturals > 0
    return is_mixed and find_kind_of_canasta(meld, settings) is not None


def _why_wilds_may_not_open(settings: Settings, melds: list[Meld]) -> OpeningRefusal | None:
    """`WILDS_ALONE` if the melds hold only wild cards and may not be laid first so; otherwise None.

    Some variants do not let a side begin with `2 2 JK` alone, but do so with `2 2 JK` and `K K K`.
    """
    needs_natural_cards = settings.opening_wild_melds == "not-alone"
    has_only_wilds = len(melds) > 0 and all(meld.naturals == 0 for meld in melds)
    if needs_natural_cards and has_only_wilds:
        return OpeningRefusal.WILDS_ALONE
    return None


@hand_check("opening-below-minimum", of_opening=True)
def opening_below_minimum(table: Table) -> Iterator[Violation]:
    """The melds that a side laid first have fewer points than its minimum, or may not be laid first.

    Only sides are checked whose first melds are recorded in the hand.
    """
    for side in table.sides:
        minimum = side.minimum
        if minimum is None or table.needs_no_minimum(side):
            continue
        if not _is_recorded_opening_readable(side):
            continue
        opening = count_opening(table, side, minimum)
        if opening.why is None:
            continue
        yield _refused_opening(
            table,
            side,
            where=(*side.where, "opening"),
            cited_settings=(
                *_cited_settings_against_opening(table, side, opening.why),
                *_cited_settings_if_concealed([side]),
            ),
            why=opening.why,
            points=opening.points,
        )


def _is_recorded_opening_readable(side: LaidSide) -> bool:
    """Whether the hand tells what the side laid first, and all of it could be read as cards."""
    if side.entry.opening is None:
        return False
    return all(laid.whole for laid in side.opening)


def _cited_settings_against_opening(
    table: Table, side: LaidSide, why: OpeningRefusal
) -> tuple[str, ...]:
    """The names of the settings whose sources are cited for refusing what a side laid first.

    `BLACK_THREES` → `("black-threes",)`; `POINTS` → the setting of the side's minimum, such as
    `("opening-steps/1500",)`.
    """
    score = table.before[side.position]
    setting_of_minimum = table.rules.find_cited_setting_of_minimum(score, table.hand.deal)
    if why is OpeningRefusal.POINTS:
        return (setting_of_minimum,)
    if why is OpeningRefusal.NATURALS:
        return (setting_of_minimum, "opening-naturals-up-to")

    setting_of_melds = _SETTING_OF_FORBIDDEN_MELDS[why]
    # Such melds are refused only where there is a minimum. Its sources say nothing about them and
    # are not cited; but a minimum that the players chose themselves has to be named.
    minimum_chosen_by_players = table.rules.find_settings_chosen_by_players([setting_of_minimum])
    return (setting_of_melds, *minimum_chosen_by_players)


def _cited_settings_if_concealed(sides: Iterable[LaidSide]) -> tuple[str, ...]:
    """The rule to cite besides the minimum, if one of these sides laid all its cards in one turn.

    It says that such a side, which opens and goes out at once, needs the minimum too. For other
    sides the answer is empty.
    """
    for side in sides:
        if side.is_concealed:
            return (MINIMUM_HOLDS,)
    return ()


def _refused_opening(
    table: Table,
    side: LaidSide,
    *,
    where: Pointer,
    cited_settings: tuple[str, ...],
    why: OpeningRefusal,
    points: int,
) -> Violation:
    """The violation of an opening of the side that counts so many points."""
    minimum = side.minimum or 0
    return violation(
        where,
        cited_settings=cited_settings,
        why=why.value,
        side=side.name,
        points=points,
        minimum=minimum,
        missing=minimum - points,
        score=table.before[side.position],
        deal=table.hand.deal,
    )


@hand_check("opening-impossible", of_opening=True)
def opening_impossible(table: Table) -> Iterator[Violation]:
    """Not even all cards that a party laid in the hand have the points that its first melds needed.

    A party are the sides that lay melds together; they need the lowest minimum of these sides. With
    a minimum of 50 points, a party that laid only `K K K` (30 points) in the hand is reported.
    """
    for party in table.parties:
        opener = _side_with_lowest_minimum(party)
        if opener is None or any(table.needs_no_minimum(side) for side in party.sides):
            continue
        if not _are_opening_cards_known(party):
            continue
        best = _best_possible_opening(table.settings, party, opener.minimum)
        if best.reaches(opener.minimum):
            continue
        yield _refused_opening(
            table,
            opener.side,
            # The hand may give the cards under another side of the party than the opener.
            where=_first_side_with_cards(party).where,
            cited_settings=_cited_settings_against_best_opening(table, party, opener.side, best),
            why=best.why_refused,
            points=best.points,
        )


def _cited_settings_against_best_opening(
    table: Table, party: Party, opener: LaidSide, best: _PossibleOpening
) -> tuple[str, ...]:
    """The names of the settings whose sources are cited, if not even the best first melds that a
    party can have laid are enough.

    `best` are these melds; `opener` is the side of the party whose minimum they had to reach.
    """
    cited_settings = list(_cited_settings_against_opening(table, opener, best.why_refused))
    has_too_few_points = best.why_refused is OpeningRefusal.POINTS
    if has_too_few_points and best.left_out_by is not None:
        cited_settings.append(best.left_out_by)  # the setting by which points were not counted
    cited_settings += _cited_settings_if_concealed(party.sides)
    return tuple(cited_settings)


class _Opener(NamedTuple):
    """A side that had to reach an opening minimum, and that minimum."""

    side: LaidSide
    minimum: int


def _side_with_lowest_minimum(party: Party) -> _Opener | None:
    """The side of a party with the lowest opening minimum, the first of several; None if no side
    has one.
    """
    lowest: _Opener | None = None
    for side in party.sides:
        if side.minimum is None:
            continue
        if lowest is None or side.minimum < lowest.minimum:
            lowest = _Opener(side, side.minimum)
    return lowest


def _are_opening_cards_known(party: Party) -> bool:
    """Whether a party laid cards, and the hand tells which ones or what points they have."""
    if not party.opened or not _are_melds_known(party):
        return False
    for entry in party.entries:
        # Cards cannot have points below zero: another check reports that.
        if entry.totals is not None and entry.totals.cards < 0:
            return False
    return True


def _are_melds_known(party: Party) -> bool:
    """Whether everything that a party laid is known: all of it could be read, and no side gives only
    the sum of its hand.
    """
    return not party.unreadable and not party.is_summed


def _first_side_with_cards(party: Party) -> LaidSide:
    """The first side of a party that laid cards; one must have, because the party opened."""
    return next(side for side in party.sides if _has_laid_cards(side))


def _has_laid_cards(side: LaidSide) -> bool:
    """Whether a side laid melds, or has points of cards in its totals."""
    totals = side.entry.totals
    return bool(side.melds) or (totals is not None and totals.cards != 0)


class _PossibleOpening(NamedTuple):
    """The best opening that some of a party's cards can have been."""

    points: int
    """The most points that it can count."""
    forbidden: OpeningRefusal | None = None
    """Why these cards may not open however many points they count; None if they may."""
    left_out_by: str | None = None
    """The setting by which not all points of the party's cards count; None if all do."""

    def reaches(self, minimum: int) -> bool:
        """Whether a side with this minimum may have opened so."""
        return self.forbidden is None and self.points >= minimum

    @property
    def why_refused(self) -> OpeningRefusal:
        """Why it is refused, if it does not reach the minimum."""
        if self.forbidden is None:
            return OpeningRefusal.POINTS
        return self.forbidden


def _best_possible_opening(settings: Settings, party: Party, minimum: int) -> _PossibleOpening:
    """The first melds with most points that the cards laid by a party in the whole hand allow.

    `minimum` is the number of points that the first melds need. Where it is low, some variants
    count only natural cards toward it; others want a natural group (`K K K`) among the first melds.
    In all other cases every card that was laid may have been laid first.
    """
    if any(entry.totals for entry in party.entries):
        # Totals are points of cards that are not known, so that nothing else can be found wrong.
        return _PossibleOpening(party.points)
    if minimum <= settings.opening_naturals_up_to:
        return _best_opening_of_naturals(settings, party)
    if settings.opening_natural_group == "needed":
        return _best_opening_with_natural_group(settings, party)
    melds = [laid.meld for laid in party.melds]
    return _PossibleOpening(party.points, forbidden=_why_wilds_may_not_open(settings, melds))


def _best_opening_with_natural_group(settings: Settings, party: Party) -> _PossibleOpening:
    """The best first melds where one must be of natural cards (`K K K`), and none may already be a
    canasta (seven cards or more) with wild cards.

    A meld that is such a canasta by the end of the hand got at least one card later. Of `6xK 2`,
    which are 80 points, at most 70 were laid first: one king came later.
    """
    melds = [laid.meld for laid in party.melds]
    has_natural_group = any(_has_enough_naturals(meld, settings) for meld in melds)
    forbidden = None if has_natural_group else OpeningRefusal.NATURAL_GROUP

    points_laid_later = _fewest_points_laid_later(settings, melds)
    were_all_laid_first = points_laid_later == 0
    return _PossibleOpening(
        points=party.points - points_laid_later,
        forbidden=forbidden,
        left_out_by=None if were_all_laid_first else "opening-natural-group",
    )


def _fewest_points_laid_later(settings: Settings, melds: list[Meld]) -> int:
    """The points that at least were laid after an opening which held no complete mixed canasta.

    Each of these melds that is such a canasta now (seven cards or more, natural and wild) got one
    card or more later. The fewest points are those of one card, the cheapest of the meld.
    """
    points = 0
    for meld in melds:
        if _is_mixed_canasta(meld, settings):
            points += _points_of_cheapest_card(settings, meld)
    return points


def _best_opening_of_naturals(settings: Settings, party: Party) -> _PossibleOpening:
    """The best opening without wild cards: the natural cards of the melds that have enough of them."""
    points = 0
    has_opening_melds = False
    for laid in party.melds:
        if _has_enough_naturals(laid.meld, settings):
            points += _points_of_naturals(settings, laid.meld)
            has_opening_melds = True
    forbidden = None if has_opening_melds else OpeningRefusal.NATURALS
    left_out_by = "opening-naturals-up-to" if points < party.points else None
    return _PossibleOpening(points, forbidden, left_out_by)


def _points_of_naturals(settings: Settings, meld: Meld) -> int:
    """The points of its natural cards, without black threes."""
    counts = meld.cards.counts
    return sum(counts[rank] * settings.card_points[rank] for rank in NATURAL_INDICES)


def _points_of_cheapest_card(settings: Settings, meld: Meld) -> int:
    """The points of its cheapest card, without threes."""
    kinds = [kind for kind in (JOKER, TWO, *NATURAL_INDICES) if meld.cards.counts[kind]]
    points: int = min(settings.card_points[kind] for kind in kinds)
    return points


@hand_check("opening-unknown", of_opening=True)
def opening_unknown(table: Table) -> Iterator[Violation]:
    """The points of a side reach its opening minimum, but do not show whether its first melds did.

    That is so where a side gives only the points of all its cards (totals), and some cards, such as
    those of melds with wild cards, may not be laid first or do not count toward the minimum.
    """
    for side in table.sides:
        minimum = side.minimum
        totals = side.entry.totals
        if totals is None or minimum is None or table.needs_no_minimum(side):
            continue
        rule = _rule_limiting_opening(table.settings, minimum)
        if rule is None:
            continue  # all cards may be laid first
        if totals.cards < minimum:
            continue  # they are too few in any case, which another check reports
        cited_settings = (rule.setting, *_cited_settings_if_concealed([side]))
        yield violation(
            side.where,
            cited_settings=cited_settings,
            side=side.name,
            minimum=minimum,
            why=rule.why.value,
        )


class _OpeningRule(NamedTuple):
    """A rule that limits which melds a side may lay first in a hand."""

    setting: str
    """The name of the setting that holds the rule."""
    why: OpeningRefusal
    """Why melds that break it are refused."""


def _rule_limiting_opening(settings: Settings, minimum: int) -> _OpeningRule | None:
    """The rule that limits which melds (sets of cards) a side may lay first; None if all may be.

    `minimum` is what they must be worth. Some games want a meld without wild cards among them
    (`opening_natural_group`); in others, only such melds count toward a low minimum, up to that in
    `opening_naturals_up_to`.
    """
    if settings.opening_natural_group == "needed":
        return _OpeningRule("opening-natural-group", OpeningRefusal.NATURAL_GROUP)
    is_low_minimum = minimum <= settings.opening_naturals_up_to
    if is_low_minimum:
        return _OpeningRule("opening-naturals-up-to", OpeningRefusal.NATURALS)
    return None


# ---------------------------------------------------------------- going out


# Going out is playing one's last card, which ends the hand.


def has_out_canastas(table: Table, party: Party) -> bool:
    """Whether a party has the canastas that going out requires, in all and of each family."""
    settings = table.settings
    if party.families.total() < settings.canastas_needed:
        return False
    for family, number_needed in settings.canasta_families_needed:
        if party.families[family] < number_needed:
            return False
    return True


def cite_family_of_wild_canastas(rules: Ruleset, party: Party) -> tuple[str, ...]:
    """The settings to cite for whether a canasta of wild cards counts as natural or as mixed.

    The printed rules of some games do not say it: it is inferred from them. There the answer for a
    party that has seven twos or jokers in a meld is `("canastas",)`. Otherwise it is empty.
    """
    is_inferred = rules.cited["canastas"].standing is Standing.INFERRED
    if not is_inferred:
        return ()
    if not _has_canasta_of_wilds(rules.settings, party):
        return ()
    return ("canastas",)


def _has_canasta_of_wilds(settings: Settings, party: Party) -> bool:
    """Whether a party has a canasta of wild cards (jokers and twos) alone."""
    kinds_of_wilds = [kind for kind in settings.canastas if kind.shape == "wilds"]
    return any(party.canastas[kind.item] > 0 for kind in kinds_of_wilds)


class _GoingOut(NamedTuple):
    """The side that went out (played its last card), and the sides with which it lays melds."""

    party: Party
    side: LaidSide


def _known_going_out(table: Table) -> Iterator[_GoingOut]:
    """The side that went out by laying melds, if all of these are known; otherwise nothing.

    There is one such side at most. A side that showed a special hand, a combination of cards that
    ends the hand without melds, is none.
    """
    for party in table.parties:
        if not _are_melds_known(party):
            continue
        for side in party.sides:
            has_shown_special_hand = side.entry.special is not None
            if side.is_out and not has_shown_special_hand:
                yield _GoingOut(party, side)


@hand_check("out-canastas-missing")
def out_canastas_missing(table: Table) -> Iterator[Violation]:
    """The side that went out (played its last card) lacks canastas that are needed for it.

    A canasta is a meld of seven cards or more. Sides that lay melds together have them together.
    """
    for going_out in _known_going_out(table):
        side = going_out.side
        party = going_out.party
        if side.is_concealed:
            # Its player laid all cards in one turn, so that no melds of a partner count.
            party = combine_sides(table.settings, [side])
        if not has_out_canastas(table, party):
            yield _canastas_missing(table, side, party)


class _CanastasLacking(StrEnum):
    """What is said of the canastas that a side lacked when it went out."""

    FAMILIES = "families"
    """Canastas of these families, such as natural ones, are too few."""
    KINDS = "kinds"
    """There are enough of each family, but too few in all; the families needed are listed."""
    NUMBER = "number"
    """There are too few in all, and no family is needed."""


def _canastas_missing(table: Table, side: LaidSide, party: Party) -> Violation:
    """The violation of a side that went out without the canastas that its party needs for it.

    If a natural and a mixed canasta are needed and the party has only mixed ones, it says that the
    natural one is missing.
    """
    lacking = _canastas_lacking(table, party)
    arguments: dict[str, MessageArgument] = {}
    if lacking.families:
        arguments["lacking"] = lacking.families
    return violation(
        ("out",),
        cited_settings=lacking.cited_settings,
        side=side.name,
        has=party.families.total(),
        needed=table.settings.canastas_needed,
        game=str(table.rules.variant),
        why=lacking.kind.value,
        **arguments,
    )


class _Lacking(NamedTuple):
    """The canastas that a party lacks for going out."""

    kind: _CanastasLacking
    cited_settings: tuple[str, ...]
    """The settings that say how many it needs."""
    families: tuple[Needed, ...] = ()
    """The families that the message lists."""


def _canastas_lacking(table: Table, party: Party) -> _Lacking:
    """Which canastas a party lacks that has too few of them for going out.

    Canastas belong to families: natural ones, and mixed ones with wild cards. Going out may need a
    number of some families, and a number in all.
    """
    families_needed = _families_needed(table.settings, party)
    too_few_of = tuple(family for family in families_needed if family.has < family.count)
    if too_few_of:
        cited_settings = (
            "canasta-families-needed",
            *cite_family_of_wild_canastas(table.rules, party),
        )
        return _Lacking(_CanastasLacking.FAMILIES, cited_settings, too_few_of)
    cited_settings = ("canastas-needed",)
    if families_needed:
        return _Lacking(_CanastasLacking.KINDS, cited_settings, families_needed)
    return _Lacking(_CanastasLacking.NUMBER, cited_settings)


def _families_needed(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """The families of canastas that going out requires, with those that the party has."""
    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, party.families[family]))
    return tuple(families)


@hand_check("out-red-threes-missing")
def out_red_threes_missing(table: Table) -> Iterator[Violation]:
    """The side that went out exposed fewer red threes than it made canastas."""
    if table.settings.out_red_threes != "one-for-each-canasta":
        return
    for going_out in _known_going_out(table):
        canastas = going_out.party.families.total()
        threes = sum(entry.red_threes for entry in going_out.party.entries)
        if threes < canastas:
            side = going_out.side
            yield violation(("out",), side=side.name, threes=threes, canastas=canastas)


@hand_check("out-wild-meld-incomplete")
def out_wild_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has a meld of wild cards alone that must be a canasta by then."""
    kinds = [kind for kind in table.settings.incomplete if kind.shape == "wilds"]
    yield from _incomplete_melds_at_out(table, kinds)


@hand_check("out-meld-incomplete")
def out_meld_incomplete(table: Table) -> Iterator[Violation]:
    """The side that went out has a meld with natural cards that had to be a canasta by then.

    Some variants want that of sevens or aces, for example. Melds of wild cards alone are not
    reported here.
    """
    kinds = [kind for kind in table.settings.incomplete if kind.shape != "wilds"]
    yield from _incomplete_melds_at_out(table, kinds)


def _incomplete_melds_at_out(table: Table, kinds: Iterable[IncompleteKind]) -> Iterator[Violation]:
    """The violation if the side that went out has melds of these kinds that prevent it."""
    names = [kind.name for kind in kinds if kind.bars_out]
    for going_out in _known_going_out(table):
        melds = sum(going_out.party.incomplete[name] for name in names)
        if melds:
            yield violation(("out",), side=going_out.side.name, melds=melds)


@hand_check("out-cards-left")
def out_cards_left(table: Table) -> Iterator[Violation]:
    """The player who went out still holds cards."""
    for side in table.sides:
        if not side.is_out:
            continue
        if side.players == 1:
            pointers = list(_where_lone_player_holds_cards(side))
        else:
            pointers = _where_partner_out_holds_cards(side, table.hand.out)
        for pointer in pointers:
            yield violation((*side.where, *pointer), side=side.name)


def _where_lone_player_holds_cards(side: LaidSide) -> Iterator[Pointer]:
    """Where the entry of a side of one player, who went out, has cards still in hand.

    They are given as a list of each player's cards, or together as cards or points; red threes may
    be given by their number.
    """
    left = side.entry.left
    if left.points > 0:
        yield ("left",)
    for player, cards in enumerate(left.readings):
        where: Pointer = ("left", player) if left.is_by_player else ("left",)
        if _has_cards(cards):
            yield where
    if side.entry.red_threes_held:
        yield ("red_threes_held",)


def _where_partner_out_holds_cards(side: LaidSide, out: Out | None) -> list[Pointer]:
    """Where the entry of a side of several players shows that the one who went out holds cards.

    It shows that only if it lists the cards of each player. With `left = ["K K", ""]`, the first
    player (`out.player` 0) cannot have gone out: `[("left", 0)]`. Empty if nothing is wrong.
    """
    are_players_known = side.players > 0
    if out is None or not are_players_known or not side.entry.left.is_by_player:
        return []
    cards_of_players = side.entry.held
    if out.player is None:
        # It is not known who went out: nobody can have, if all players hold cards.
        all_hold_cards = all(_has_cards(cards) for cards in cards_of_players)
        return [("left",)] if all_hold_cards else []
    holds_cards = _has_cards(cards_of_players[out.player])
    return [("left", out.player)] if holds_cards else []


def _has_cards(held: Reading) -> bool:
    """Whether a player holds anything, be it read as cards or not."""
    return held.size > 0


def may_be_last(discard: Cards, settings: Settings) -> bool:
    """Whether a player may discard this as the last card, which ends the hand.

    Natural cards (ace, king to four) always may, and so may no card at all. Of wild cards and
    threes, the setting `last-discard-special` allows none, only the wild cards, or any.
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
def out_discard_special(table: Table) -> Iterator[Violation]:
    """The last card discarded is a three or a wild card, which the rules do not allow."""
    out = table.hand.out
    if out is None or out.discard is None:
        return
    discard = out.discard.cards
    if may_be_last(discard, table.settings):
        return
    card = _special_discard(discard, table.settings)
    settings_to_cite = ["last-discard-special"]
    if card in (_SpecialDiscard.RED_THREE, _SpecialDiscard.RED_THREE_KEPT):
        # The message says whether red threes may be kept: named if the players chose that rule.
        settings_to_cite += table.rules.find_settings_chosen_by_players(["red-threes-kept"])
    yield violation(("out", "discard"), cited_settings=tuple(settings_to_cite), card=card.value)


def _special_discard(cards: Cards, settings: Settings) -> _SpecialDiscard:
    """What a last discard is that is no natural card."""
    if cards.wilds:
        return _SpecialDiscard.WILD
    if not cards.counts[RED_THREE]:
        return _SpecialDiscard.BLACK_THREE
    if settings.red_threes_kept == "exposed":
        return _SpecialDiscard.RED_THREE
    return _SpecialDiscard.RED_THREE_KEPT


@hand_check("out-discard-missing")
def out_discard_missing(table: Table) -> Iterator[Violation]:
    """No last card was discarded although one is required."""
    out = table.hand.out
    if out is None or table.settings.last_discard != "obligatory":
        return
    # A hand that is shown instead of melded goes out without a discard.
    is_shown = any(side.is_out and side.entry.special is not None for side in table.sides)
    if out.discard == NOTHING and not is_shown:
        yield violation(("out", "discard"))
