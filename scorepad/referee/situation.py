"""The cards of a question on a table, and what the checks of a hand find there."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from scorepad.referee.ruling import Reason
from scorepad.rules import checks
from scorepad.rules.cards import KINDS, Kind, Reading, gather_readings, subtract_cards
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
_CHECKS_OF_POSSIBLE_MELDS = MELD_CHECKS - IMPOSSIBLE_CARDS
"""The checks of cards as melds, without those for cards that cannot exist."""


def build_table_with_melds(rules: Ruleset, *melds: Reading, out: Out | None = None) -> Table:
    """Build a table on which the side that asks has laid these melds (groups of cards).

    `out` says that it also played its last card. The other sides have no cards there.
    """
    return build_table_of_asker(rules, SideEntry(melds=enter_melds(melds)), out=out)


def build_table_of_asker(
    rules: Ruleset,
    entry: SideEntry,
    *,
    out: Out | None = None,
    score: int = 0,
    deal: int = 1,
) -> Table:
    """Build a table on which the side that asks has what this entry of a score sheet says.

    The checks of a score sheet look at such a table, so that they can be used for a question too.
    The other sides have no cards there.

    - `out`: the side played its last card
    - `score`: its match score before the hand (round)
    - `deal`: the number of the hand in the match
    """
    number_of_others = len(rules.settings.sides) - 1
    entries_of_others = [SideEntry()] * number_of_others
    scores_of_others = [0] * number_of_others
    hand = Hand((entry, *entries_of_others), out=out, deal=deal)
    return build_table(rules, hand, before=(score, *scores_of_others))


def enter_melds(melds: Iterable[Reading]) -> tuple[MeldEntry, ...]:
    """Enter melds (groups of cards) on a score sheet, with nothing told but their cards."""
    return tuple(MeldEntry(meld) for meld in melds)


def kind_of(card: Reading) -> Kind:
    """Return the kind of a typed card, or of several of one kind: `Qh` → queen, `2xQ` → queen.

    Call it only if there is a card.
    """
    return next(kind for kind in KINDS if card.cards.of(kind))


# ------------------------------------------------------------------------------------------- checks


def select_checks_of_table_melds(rules: Ruleset) -> frozenset[str]:
    """Return the ids of the checks for melds (groups of cards) that lie on the table together.

    They are the checks of single melds. In some games a side may not have two incomplete melds of
    kings, of fewer than seven cards each: there `"meld-rank-repeated"` checks that too.
    """
    forbids_second_incomplete = rules.settings.repeated_rank == "not-incomplete"
    if forbids_second_incomplete:
        return MELD_CHECKS | {"meld-rank-repeated"}
    return MELD_CHECKS


def select_checks_of_laid_melds(rules: Ruleset) -> frozenset[str]:
    """Return the ids of the checks for melds (groups of cards) that a player lays now.

    They are the checks of melds on the table, and one for black threes: in most games a player may
    lay these only when playing the last card.
    """
    if rules.settings.black_threes == "never":
        # A check of melds says already that black threes may not be laid at all.
        return select_checks_of_table_melds(rules)
    return select_checks_of_table_melds(rules) | {"black-threes-not-out"}


def run_checks(table: Table, codes: Collection[str]) -> tuple[Reason, ...]:
    """Run the checks with these ids on a table, and return what is wrong as reasons of a ruling.

    `{"deck-exceeded"}`, on a table with more kings than the decks hold → one reason with that code.
    Nothing wrong → no reasons. Checks that the game does not have are left out, and the same reason
    is not returned twice.
    """
    reasons: list[Reason] = []
    for check in table.rules.checks:
        if check.id not in codes:
            continue
        for violation in CHECKS[check.id](table):
            reason = _make_reason_of_violation(check, violation)
            if reason not in reasons:
                reasons.append(reason)
    return tuple(reasons)


_ARGUMENTS_FOR_SIDES = ("side", "sides")
"""The arguments in which a finding of a check names sides of the table."""


def _make_reason_of_violation(check: Rule, violation: Violation) -> Reason:
    """Turn a broken rule, as a check of a score sheet found it, into a reason of a ruling.

    If it is about one meld (group of cards), the reason also says which one, counted from one.
    """
    arguments = dict(violation.arguments)
    for name_of_sides in _ARGUMENTS_FOR_SIDES:
        arguments.pop(name_of_sides, None)  # a ruling is about one side, and does not name it

    meld_index = _find_meld_index(violation.where)
    if meld_index is not None:
        arguments["meld"] = meld_index + 1

    if violation.cited_settings is None:  # what was found depends on all settings of the check
        cited_settings = check.cited_settings
    else:
        cited_settings = tuple(violation.cited_settings)
    return Reason(check.id, arguments, cited_settings=cited_settings)


def _find_meld_index(where: Pointer) -> int | None:
    """Find which meld (group of cards) a path into the JSON of a hand is about, by its index.

    - `("sides", 0, "melds", 2)` → 2, the number after `melds`
    - `("sides", 0, "left")` → None
    """
    for part, next_part in pairwise(where):
        if part == "melds" and isinstance(next_part, int):
            return next_part
    return None


def report_unreadable_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """Return a reason if some words typed as cards are none, such as `foo` in `K K foo`.

    No reason means that all words are cards.
    """
    return run_checks(_build_table_with_cards_in_hand(rules, cards), {"card-unknown"})


def report_impossible_cards(rules: Ruleset, *cards: Reading) -> tuple[Reason, ...]:
    """Return the reasons against typed cards that nobody can have, whatever is done with them.

    - `K K foo` → one reason, since `foo` is no card
    - `9xK` with two decks → one reason, since they hold eight kings
    """
    return run_checks(_build_table_with_cards_in_hand(rules, cards), IMPOSSIBLE_CARDS)


def _build_table_with_cards_in_hand(rules: Ruleset, cards: Iterable[Reading]) -> Table:
    """Build a table on which the side that asks still has all these cards in hand.

    There, checks find out whether the cards can exist. They do not judge them as melds (groups).
    """
    cards_in_hand = HeldTogether(gather_readings(*cards))
    return build_table_of_asker(rules, SideEntry(left=cards_in_hand))


def is_legal_meld(rules: Ruleset, meld: Reading) -> bool:
    """Tell whether cards may be a meld (a group laid on the table): `3xK` → True, `K Q` → False.

    It does not matter who lays them, or when.
    """
    table = build_table_with_melds(rules, meld)
    reasons_against_meld = run_checks(table, MELD_CHECKS)
    return not reasons_against_meld


def check_meld_on_table(
    rules: Ruleset, meld: Reading, *, out: Out | None = None
) -> tuple[Reason, ...]:
    """Return a reason if the meld on the table, to which cards are to be added, is not legal.

    A meld is a group of cards: `K K` is too short, for example. No reason means that it is legal.
    `out` says that the side plays its last card.
    """
    table = build_table_with_melds(rules, meld, out=out)
    reasons_against_meld = run_checks(table, _CHECKS_OF_POSSIBLE_MELDS)
    if not reasons_against_meld:
        return ()
    # On the page: "The meld on the table (2 cards) is no meld: correct that one first."
    illegal = Reason(
        "table-meld-illegal",
        {"cards": meld.cards.size},
        cited_settings=_list_cited_settings(reasons_against_meld),
    )
    return (illegal,)


def _list_cited_settings(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """List the settings of the rules that some reasons cite, each once: `("meld-shortest",)`."""
    cited_settings: list[str] = []
    for each in reasons:
        cited_settings += each.cited_settings
    without_repeats = dict.fromkeys(cited_settings)  # keeps their order
    return tuple(without_repeats)


def leave_top_card_out(
    rules: Ruleset, melds: tuple[Reading, ...], index_of_holder: int, top: Reading
) -> tuple[Reading, ...]:
    """Return the melds (groups of cards) that a player lays from the hand alone, without the pile.

    The meld at this index also holds the top card of the pile. With a king on top, and the melds
    `K K K` and `8 8 8`: `8 8 8`, since two kings alone are no meld; with `4xK` and `8 8 8`: `3xK`
    and `8 8 8`.
    """
    holder = melds[index_of_holder]
    from_hand = Reading(subtract_cards(holder.cards, top.cards))
    others_before, others_after = melds[:index_of_holder], melds[index_of_holder + 1 :]
    if is_legal_meld(rules, from_hand):
        return (*others_before, from_hand, *others_after)
    return (*others_before, *others_after)


def count_incomplete_wild_melds(settings: Settings, melds: Iterable[Reading]) -> int:
    """Count the melds (groups of cards) of wild cards only that are not complete yet.

    Wild cards are jokers and twos; with seven of them such a meld is complete. `JK 2 2`, `7x2` and
    `K K JK` → 1, since only the first is such a meld.
    """
    incomplete = 0
    for meld in melds:
        if is_incomplete_wild_meld(read_meld(meld.cards), settings):
            incomplete += 1
    return incomplete
