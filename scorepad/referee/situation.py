"""The cards of a question on a table, and what the checks of a hand find there."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Any

from scorepad.referee.ruling import Reason, Reasons
from scorepad.rules import checks
from scorepad.rules.cards import KINDS, Kind, Reading, gather_readings
from scorepad.rules.checks import CHECKS, Violation
from scorepad.rules.definitions import Rule, Ruleset
from scorepad.rules.hand import Hand, HeldTogether, MeldEntry, Out, SideEntry
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer, Table, build_table, is_incomplete_wild_meld, read_meld

ASKER = 0
"""The position of the side that the question concerns, and of its party."""
MELD_CHECKS = frozenset({"card-unknown", "deck-exceeded", *checks.MELD_CHECKS})
"""The checks of cards as melds, regardless of who lays them and when."""
IMPOSSIBLE_CARDS = frozenset({"card-unknown", "deck-exceeded", "red-threes-exceeded"})
"""The checks for impossible cards, which run before any search."""


def table_with(
    rules: Ruleset,
    *melds: Reading,
    out: Out | None = None,
    score: int = 0,
    deal: int = 1,
    **entry: Any,
) -> Table:
    """The table of a hand in which only the side of the question has entries.

    `score` is its match score before the hand, `deal` the number of the hand in the match. `entry`
    are the fields of its `SideEntry` besides the melds, such as `red_threes=2`.
    """
    side_of_question = SideEntry(melds=tuple(MeldEntry(meld) for meld in melds), **entry)
    number_of_others = len(rules.settings.sides) - 1
    other_sides = [SideEntry()] * number_of_others
    other_scores = [0] * number_of_others
    hand = Hand((side_of_question, *other_sides), out=out, deal=deal)
    return build_table(rules, hand, before=(score, *other_scores))


def kind_of(card: Reading) -> Kind:
    """The kind of a card, or of several cards of one kind: a queen for `Qh` and for `2xQ`.

    The reading must hold a card.
    """
    return next(kind for kind in KINDS if card.cards.of(kind))


# ------------------------------------------------------------------------------------------- checks


def table_meld_checks(rules: Ruleset) -> frozenset[str]:
    """The checks for melds that are on the table together.

    If a second incomplete meld of a rank is forbidden, the table cannot have one; otherwise a
    second is only unusual.
    """
    if rules.settings.repeated_rank == "not-incomplete":
        return MELD_CHECKS | {"meld-rank-repeated"}
    return MELD_CHECKS


def laid_meld_checks(rules: Ruleset) -> frozenset[str]:
    """The checks for cards laid now: those of melds, and when black threes may be laid.

    If black threes are never melded, one check is sufficient.
    """
    if rules.settings.black_threes == "never":
        return table_meld_checks(rules)
    return table_meld_checks(rules) | {"black-threes-not-out"}


def violations(table: Table, codes: Collection[str]) -> tuple[Reason, ...]:
    """The violations that these checks find, as far as they are in force, as reasons without
    duplicates.
    """
    reasons: list[Reason] = []
    for check in table.rules.checks:
        if check.id not in codes:
            continue
        for violation in CHECKS[check.id](table):
            reason = _reason_for_violation(check, violation)
            if reason not in reasons:
                reasons.append(reason)
    return tuple(reasons)


_ARGUMENTS_FOR_SIDES = ("side", "sides")
"""The arguments in which a finding of a check names sides of the table."""


def _reason_for_violation(check: Rule, violation: Violation) -> Reason:
    """What a check found, as a reason of a ruling.

    A ruling is about one side only, so the reason does not name it. If the finding is about a meld,
    the argument `meld` is its number, from one.
    """
    arguments = dict(violation.arguments)
    for argument_for_sides in _ARGUMENTS_FOR_SIDES:
        arguments.pop(argument_for_sides, None)
    meld_index = _index_of_meld(violation.where)
    if meld_index is not None:
        arguments["meld"] = meld_index + 1

    # The finding may follow from other settings than the check does in general.
    cited_settings = (
        check.cited_settings if violation.cited_settings is None else violation.cited_settings
    )
    return Reason(check.id, arguments, cited_settings=tuple(cited_settings))


def _index_of_meld(where: Pointer) -> int | None:
    """The index of the meld that a place in a hand lies in; None if it lies in no meld.

    It follows the key `melds`: `("sides", 0, "melds", 2)` → 2.
    """
    for key, index in pairwise(where):
        if key == "melds" and isinstance(index, int):
            return index
    return None


def unknown_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """The reason against tokens that are not cards."""
    return violations(_table_with_cards_held(rules, cards), {"card-unknown"})


def impossible_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """The reasons against cards that cannot be, regardless of their use."""
    return violations(_table_with_cards_held(rules, cards), IMPOSSIBLE_CARDS)


def _table_with_cards_held(rules: Ruleset, cards: Iterable[Reading]) -> Table:
    """A table without melds, on which the side of the question holds all these cards in its hands.

    Checks find there whether the cards can exist, without judging them as melds.
    """
    all_cards = gather_readings(*cards)
    cards_left_in_hand = HeldTogether(all_cards)
    return table_with(rules, left=cards_left_in_hand)


def is_legal_meld(rules: Ruleset, meld: Reading) -> bool:
    """Whether cards are a legal meld."""
    return not violations(table_with(rules, meld), MELD_CHECKS)


def against_table_meld(rules: Ruleset, meld: Reading, *, out: Out | None = None) -> Reasons:
    """The reason if the meld of the table that cards are laid on is not legal."""
    checks_of_melds = MELD_CHECKS - IMPOSSIBLE_CARDS
    against = violations(table_with(rules, meld, out=out), checks_of_melds)
    if against:
        cited_settings = _cited_settings_of_all(against)
        yield Reason(
            "table-meld-illegal", {"cards": meld.cards.size}, cited_settings=cited_settings
        )


def _cited_settings_of_all(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """The settings cited by several reasons, each once, in their order."""
    cited_settings: list[str] = []
    for each in reasons:
        cited_settings += each.cited_settings
    return tuple(dict.fromkeys(cited_settings))  # without duplicates


def incomplete_wild_melds(settings: Settings, melds: Iterable[Reading]) -> int:
    """The number of these melds that consist of wild cards alone and are not canastas."""
    return sum(is_incomplete_wild_meld(read_meld(each.cards), settings) for each in melds)
