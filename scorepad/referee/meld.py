"""Rulings on melds: whether cards may be laid, as a new meld or on one of the side's."""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.referee.in_force import is_dead, leave_reclaimed_wilds_out, may_be_dead
from scorepad.referee.questions import MeldQuestion
from scorepad.referee.reasons import explain_longer_melds, find_known_mistakes, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, allowed, forbidden, silent
from scorepad.referee.situation import (
    ASKER,
    build_table_with_melds,
    check_meld_on_table,
    count_incomplete_wild_melds,
    report_unreadable_cards,
    run_checks,
    select_checks_of_laid_melds,
)
from scorepad.rules.cards import KINDS, NOTHING, Kind, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.settings import Settings
from scorepad.rules.table import (
    LaidMeld,
    Meld,
    Table,
    find_kind_of_canasta,
    find_shape,
    is_incomplete_wild_meld,
    read_meld,
)

_SETTINGS_BY_KIND = {
    "natural": ("meld-shortest", "meld-one-rank"),
    "mixed": ("meld-naturals", "wild-limit"),
    "wild": ("wild-melds", "wild-melds-shortest"),
    "sequence": ("sequences",),
    "dirty-sequence": ("sequences", "wild-limit"),
    "black-threes": ("black-threes", "black-threes-fewest", "black-threes-wilds"),
}
"""The settings that allow a meld of each kind; for a mixed one also the ratio of its wild cards, if
any.
"""
_FAULTS_BY_REASON = {
    "meld-mixed-ranks": ("fault-suits-and-sequences",),
    "meld-too-many-wilds": ("fault-wilds-not-lost",),
    "meld-mixed": ("fault-wilds-not-lost",),
    "meld-black-threes": ("fault-black-three-left-out", "fault-black-three-swapped"),
}
"""The known faults of the sources about what a reason states, by the code of the reason."""


def meld_kind(meld: Meld, settings: Settings) -> str:
    """Name the kind of a legal meld, a group of cards laid on the table.

    - `K K K` → `"natural"`, `K K 2` → `"mixed"`: twos and jokers are wild cards
    - `2 2 JK` → `"wild"`
    - `9h 8h 7h` → `"sequence"`, `9h 2 7h` → `"dirty-sequence"`
    - `3b 3b 3b` → `"black-threes"`
    """
    if meld.is_of_black_threes:
        return "black-threes"

    shape = find_shape(meld, settings)
    if shape == "wilds":
        return "wild"
    has_wilds = meld.wilds > 0
    if shape == "sequence":
        return "dirty-sequence" if has_wilds else "sequence"
    return "mixed" if has_wilds else "natural"


def rule_meld(rules: Ruleset, question: MeldQuestion) -> Ruling:
    """Decide whether a player may lay cards on the table, as a new meld (group) or on an old one.

    The resulting meld is judged: with `K` laid on `K K K` it is `K K K K`. If it is legal, the
    details say what it is: `{"kind": "natural", "points": 40, "canasta": None, "bonus": 0}`.
    """
    settings = rules.settings
    table = _build_table_with_meld(rules, question)
    resulting = _find_resulting_meld(table)
    meld = resulting.meld
    points = _describe_points(resulting, settings)

    reasons_against = tuple(_list_reasons_against_meld(table, question, meld))
    if reasons_against:
        notes = _list_mistakes_to_mention(rules, reasons_against)
        return forbidden((*reasons_against, *notes), points)
    if _is_undecided_by_sources(question, settings):  # no rule book allows it or forbids it
        return silent((_explain_silence_on_naturals(question),), points)

    reasons_for = tuple(_explain_legal_meld(table, question, meld))
    notes = _list_mistakes_to_mention(rules, reasons_for)
    details = _describe_meld(question, meld, settings, points=points)
    return allowed((*reasons_for, *notes), details)


def _explain_silence_on_naturals(question: MeldQuestion) -> Reason:
    """Explain that no rule book says whether these cards may join a meld of jokers and twos alone."""
    cards_laid = question.cards.cards
    # The naturals are the cards that are neither jokers nor twos.
    return Reason("naturals-on-wilds-unspoken", {"naturals": cards_laid.naturals})


def _is_undecided_by_sources(question: MeldQuestion, settings: Settings) -> bool:
    """Tell whether no rule book of this game says if the cards may be laid.

    The only such case is that of ordinary cards laid on a meld (group) of wild cards alone, as `K`
    on `2 2 JK`, in a game whose rule books do not mention it.
    """
    is_mentioned_in_books = settings.wild_meld_naturals != "unspoken"
    if is_mentioned_in_books:
        return False
    return _asks_about_naturals_on_wilds(question, settings)


def _build_table_with_meld(rules: Ruleset, question: MeldQuestion) -> Table:
    """Build the table with the side's melds (groups of cards) as they are after laying the cards.

    The side's other melds come first. The last one is that in which the cards are laid: with `K`
    laid on `K K K` it is `K K K K`. Jokers and twos that it gives back to the hand are left out.
    """
    other_melds = question.table or ()
    meld_laid_on = question.on
    if meld_laid_on is None:
        resulting = question.cards
    else:
        natural_canasta = leave_reclaimed_wilds_out(rules.settings, meld_laid_on, question.cards)
        resulting = natural_canasta or gather_readings(meld_laid_on, question.cards)
    out = Out(ASKER) if question.going_out else None
    return build_table_with_melds(rules, *other_melds, resulting, out=out)


def _find_resulting_meld(table: Table) -> LaidMeld:
    """Return the meld (group of cards) that results from the question: the last on its table."""
    melds = table.parties[ASKER].melds
    return melds[-1]


def _describe_points(laid: LaidMeld, settings: Settings) -> Details:
    """Describe what the cards of a meld are worth, as a detail of the answer.

    Three kings → `{"points": 30}`. There is no detail if some words typed are no cards, or in a
    game that does not count cards in points.
    """
    are_all_words_cards = not laid.has_unreadable_cards
    if are_all_words_cards and settings.unit == "points":
        return {"points": laid.points}
    return {}


def _describe_meld(
    question: MeldQuestion, meld: Meld, settings: Settings, *, points: Details
) -> Details:
    """Describe a legal meld as details of the answer: its kind, its points, and its bonus.

    A bonus is for canastas (melds of seven cards or more). Seven kings: `{"kind": "natural",
    "points": 70, "canasta": "natural-canasta", "bonus": 500}`; three kings have no canasta (None).
    """
    details: Details = {"kind": meld_kind(meld, settings), **points, "canasta": None, "bonus": 0}
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is not None:
        details["canasta"] = canasta.item
        details["bonus"] = canasta.points + _extra_bonus_for_complete(question, settings)
    return details


def _extra_bonus_for_complete(question: MeldQuestion, settings: Settings) -> int:
    """Return the extra points for a canasta (a meld of seven cards or more) laid complete at once.

    They are 0 if the cards are laid on a meld of the table, and in games without such a bonus.
    """
    is_laid_at_once = question.on is None
    return settings.concealed_canasta if is_laid_at_once else 0


def _asks_about_naturals_on_wilds(question: MeldQuestion, settings: Settings) -> bool:
    """Tell whether ordinary cards are laid on a meld (group) of wild cards alone.

    Wild cards are jokers and twos. `K` laid on `2 2 JK` → True; `2` laid on `2 2 JK` → False.
    """
    meld_laid_on = question.on
    if meld_laid_on is None:
        return False
    cards_laid = question.cards.cards
    if cards_laid.naturals == 0:
        return False
    return find_shape(read_meld(meld_laid_on.cards), settings) == "wilds"


def _list_mistakes_to_mention(rules: Ruleset, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """List notes on mistakes in the rule books that concern what these reasons say.

    The reason `meld-mixed` says how many wild cards a meld may hold. A translated rule book lost a
    "not" there, so the note `fault-wilds-not-lost` is added.
    """
    codes_of_reasons = [each.code for each in reasons]
    codes_of_notes: list[str] = []
    for code, notes in _FAULTS_BY_REASON.items():
        if code in codes_of_reasons:
            codes_of_notes += notes
    return tuple(find_known_mistakes(rules, *codes_of_notes))


# ------------------------------------------------------------------------------- what forbids a meld


def _list_reasons_against_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Yield all reasons that forbid laying the cards of the question; nothing if it is legal.

    `meld` is the group of cards that results from laying them.
    """
    yield from report_unreadable_cards(table.rules, *(question.opponents or ()))
    # The result by itself: too short, too many jokers, and so on.
    yield from _check_melds_of_table(table, meld)
    if question.cards == NOTHING:
        yield reason("nothing-laid", cited_settings="meld-shortest")  # "There is no card to lay."

    # The way to it: what may be added to a meld of the table.
    if question.on is not None:
        yield from _check_laying_on_meld(table, question.on, question.cards)
        yield from _check_early_wilds_on_meld(table.settings, question, meld)
    yield from against_dead_rank(
        table.settings, meld, other_melds=question.table, opponents=question.opponents
    )
    if question.on is None:
        yield from against_repeated_ranks(table.settings, [question.cards], question.table or ())
    yield from _check_wilds_laid_elsewhere(table.settings, question, meld)


def _check_laying_on_meld(table: Table, table_meld: Reading, cards: Reading) -> Reasons:
    """Yield what forbids laying cards on a meld (group of cards) of the table.

    Either that meld is not legal itself, or it may not take the jokers and twos among the cards.
    """
    yield from check_meld_on_table(table.rules, table_meld, out=table.hand.out)
    yield from against_laying_wilds(table.rules, read_meld(table_meld.cards), cards.cards.wilds)


def _check_early_wilds_on_meld(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """Yield a reason if jokers or twos are laid on a meld of the table that has too few other cards.

    In some games a side that has opened lays them only on a meld (group) with five natural cards.
    `meld` is the result.
    """
    wilds_laid = question.cards.cards.wilds
    if has_too_few_naturals_for_wilds(settings, meld, wilds_laid):
        yield explain_early_wilds(settings, meld, wilds_laid)
        # On the page: "pagat.com leaves melds free of this that were laid with the opening."
        yield reason("early-wilds-older-melds", cited_settings="wilds-from-naturals")


def has_too_few_naturals_for_wilds(settings: Settings, meld: Meld, wilds_laid: int) -> bool:
    """Tell whether a meld has too few natural cards to take wild ones after the side's opening.

    In some games five are needed. `meld` is the result: `3xK 2` → True, `5xK 2` → False. A meld of
    jokers and twos alone → False.
    """
    if wilds_laid == 0 or meld.naturals == 0:
        return False
    return meld.naturals < settings.wilds_from_naturals


def explain_early_wilds(settings: Settings, meld: Meld, wilds_laid: int) -> Reason:
    """Explain that a meld has too few natural cards to take this many jokers and twos."""
    # On the page: "After the opening a wild card joins only five natural cards or more: three here
    # (wild ones: 1)."
    return reason(
        "wilds-too-early",
        cited_settings="wilds-from-naturals",
        fewest=settings.wilds_from_naturals,
        naturals=meld.naturals,
        wilds=wilds_laid,
    )


def against_dead_rank(
    settings: Settings,
    meld: Meld,
    *,
    other_melds: Iterable[Reading] | None,
    opponents: Iterable[Reading] | None,
) -> Reasons:
    """Yield a reason if a meld (group of cards) is of a dead rank: nobody begins or extends one.

    In some games a rank is dead once a side has a canasta (seven cards) of it. Melds that are not
    known are None.
    """
    if meld.rank is None:
        return
    rank = KINDS[meld.rank]
    if is_dead(settings, rank, own_melds=other_melds, opponents=opponents):
        # On the page: "There is a complete canasta of kings already: the rank is dead, and nobody
        # begins or extends a meld of it."
        yield reason("meld-rank-dead", cited_settings="dead-ranks", rank=rank)


def against_repeated_ranks(
    settings: Settings, new_melds: Iterable[Reading], melds_on_table: Iterable[Reading]
) -> Reasons:
    """Yield a reason for each new meld (group of cards) of a rank of which the side has one already.

    In some games a side has one meld of each rank, to which all further cards of it are added; in
    some it begins a second one only once the first is a canasta, of seven cards. Of two new melds
    of a rank the second gives the reason.
    """
    if settings.repeated_rank not in ("never", "after-canasta"):
        return
    may_begin_after_canasta = settings.repeated_rank == "after-canasta"
    ranks_there: set[int | None] = set()
    for on_table in melds_on_table:
        is_canasta = on_table.cards.size >= settings.canasta_length
        if not (is_canasta and may_begin_after_canasta):
            ranks_there.add(read_meld(on_table.cards).rank)

    canastas_first = sorted(new_melds, key=lambda meld: meld.cards.size, reverse=True)
    for new in canastas_first:
        rank = read_meld(new.cards).rank
        if rank is not None and rank in ranks_there:
            # On the page: "A side has one meld of each rank: further kings are added to the one
            # that is there", or (`after-canasta`) "A second meld of kings is begun only once …"
            wording = "after-canasta" if may_begin_after_canasta else None
            yield reason(
                "meld-rank-once", cited_settings="repeated-rank", wording=wording, rank=KINDS[rank]
            )
        is_canasta = new.cards.size >= settings.canasta_length
        if not (is_canasta and may_begin_after_canasta):
            ranks_there.add(rank)


def _check_melds_of_table(table: Table, last_meld: Meld) -> Reasons:
    """Yield what is wrong with the melds (groups of cards) of the table, as they are after the turn.

    `last_meld` is the one in which cards are laid.
    """
    is_only_red_threes = last_meld.red_threes == last_meld.size
    for violation in run_checks(table, select_checks_of_laid_melds(table.rules)):
        # Red threes may never be melded, and another reason says so. That `3r 3r 3r` has no natural
        # cards is true as well, but nobody needs to hear it.
        if is_only_red_threes and violation.code == "meld-too-few-naturals":
            continue
        yield violation


def _check_wilds_laid_elsewhere(settings: Settings, question: MeldQuestion, meld: Meld) -> Reasons:
    """Yield a reason if the side must complete its meld of jokers and twos alone before this one.

    In some games a side that has begun such a meld (a group of wild cards) may lay wild cards
    nowhere else, until that has seven cards. `meld` results from laying the cards.
    """
    incomplete = count_blocking_wild_melds(settings, question.table or ())
    if incomplete == 0:
        return
    wilds_laid = question.cards.cards.wilds
    is_new_meld = question.on is None
    if wilds_laid > 0 and meld.naturals > 0:
        yield explain_that_wilds_are_blocked(wilds_laid)
    elif wilds_laid > 0 and is_new_meld:
        # On the page: "Before the first is a canasta wild cards are not used elsewhere."
        yield reason("second-wild-meld", cited_settings="wilds-blocked", melds=incomplete + 1)
    else:
        yield from check_completed_mixed_canasta(settings, meld, question.on)


def count_blocking_wild_melds(settings: Settings, melds_on_table: Iterable[Reading]) -> int:
    """Count the melds of jokers and twos alone that the side must complete before it lays others.

    In some games a side that has begun such a meld (group of cards) must first bring it to seven
    cards. In a game without that rule → 0.
    """
    if settings.wilds_blocked == "nothing":
        return 0
    return count_incomplete_wild_melds(settings, melds_on_table)


def explain_that_wilds_are_blocked(wilds_laid: int) -> Reason:
    """Explain that this many jokers and twos may not be laid beside other cards.

    The side must first complete its meld (group of cards) of jokers and twos alone.
    """
    # On the page: "As long as the meld of only wild cards is no canasta, the side uses none
    # elsewhere."
    return reason("wilds-blocked", cited_settings="wilds-blocked", wilds=wilds_laid)


def check_completed_mixed_canasta(
    settings: Settings, meld: Meld, meld_before: Reading | None
) -> Reasons:
    """Yield a reason if cards laid on a meld of the table make it a mixed canasta too early.

    A mixed canasta is a group of seven cards or more with jokers or twos in it. In some games a
    side may not complete one while it has an incomplete meld of jokers and twos alone. Call it for
    such a side. `meld_before` is the meld on the table before this turn; None for a new one.
    """
    if settings.wilds_blocked != "wilds-and-mixed":  # this game has no such rule
        return
    # A new meld with jokers or twos in it is forbidden by another reason.
    was_shorter_before = meld_before is not None and not _was_canasta(settings, meld_before)
    if was_shorter_before and _is_canasta_with_wilds(settings, meld):
        # On the page: "As long as the meld of only wild cards is no canasta, no mixed canasta is
        # completed."
        yield reason("mixed-blocked", cited_settings="wilds-blocked", cards=meld.size)


def _is_canasta_with_wilds(settings: Settings, meld: Meld) -> bool:
    """Tell whether a meld is a canasta (a group of seven cards or more) with jokers or twos in it."""
    is_canasta = find_kind_of_canasta(meld, settings) is not None
    return is_canasta and meld.wilds > 0


def _was_canasta(settings: Settings, meld_before: Reading) -> bool:
    """Tell whether a meld, as it was before this turn, was a canasta: a group of seven cards or more."""
    return find_kind_of_canasta(read_meld(meld_before.cards), settings) is not None


def against_laying_wilds(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """Yield what forbids laying this many wild cards (jokers and twos) on a meld of the table.

    - a meld of seven cards or more, a canasta → some games allow no wild cards on it
    - a meld of aces → some games allow wild cards on it at first only
    """
    yield from against_wilds_on_canasta(rules, meld, wilds)
    yield from _check_wilds_after_opening(rules.settings, meld, wilds)


def _check_wilds_after_opening(settings: Settings, meld: Meld, wilds: int) -> Reasons:
    """Yield a reason if jokers or twos (wild cards) are laid too late on a meld of the table.

    In some games aces take wild cards only in the turn in which the side lays its first melds. So
    `A A A` on the table takes none; `A A 2` has had one since that turn, and takes others.
    """
    has_wilds_already = meld.wilds > 0
    if wilds == 0 or has_wilds_already:
        return
    if takes_wilds_only_in_opening(settings, meld):
        # On the page: "A meld of aces begun with natural cards stays natural."
        setting = "natural-after-opening"
        yield reason(setting, cited_settings=setting, rank=_rank_of_meld(meld), wilds=wilds)


def against_wilds_on_canasta(rules: Ruleset, meld: Meld, wilds: int) -> Reasons:
    """Yield a reason if too many wild cards (jokers and twos) are laid on a meld of the table.

    In some games a canasta, a meld of seven cards or more, takes no wild cards. Of two wild cards
    laid on six kings, one is too many: the first makes the kings a canasta.
    """
    settings = rules.settings
    if not _takes_no_wilds_as_canasta(settings, meld):
        return
    too_many = _count_wilds_beyond_canasta(settings, meld, wilds)
    if too_many == 0:
        return

    # On the page: "No wild card is laid on a complete canasta here: …
    # - … 7 cards lie there already."
    # - … with the 6 cards on the table it is complete before." (`completes`)
    is_canasta_already = meld.size >= settings.canasta_length
    yield reason(
        "wild-on-canasta",
        cited_settings="wild-on-canasta",
        wording=None if is_canasta_already else "completes",
        wilds=too_many,
        cards=meld.size,
    )


def _takes_no_wilds_as_canasta(settings: Settings, meld: Meld) -> bool:
    """Tell whether this meld takes no more wild cards (jokers and twos) once it has seven cards.

    It is a rule of some games, for all melds but those of wild cards alone.
    """
    if settings.wild_on_canasta != "forbidden":
        return False
    is_of_wilds_alone = find_shape(meld, settings) == "wilds"
    return not is_of_wilds_alone  # no rule book forbids it for a meld of wild cards alone


def _count_wilds_beyond_canasta(settings: Settings, meld: Meld, wilds: int) -> int:
    """Count how many of these wild cards are laid when the meld has seven cards (is a canasta).

    Two wild cards laid on a meld of six → 1; on a meld of seven → 2. Other cards laid in the same
    turn do not matter, since the player may lay them after the wild ones.
    """
    missing_to_canasta = max(0, settings.canasta_length - meld.size)
    return max(0, wilds - missing_to_canasta)


def takes_wilds_only_in_opening(settings: Settings, meld: Meld) -> bool:
    """Tell whether a meld is of a rank that takes jokers and twos only in the side's opening.

    A side opens by laying its first melds (groups of cards) of the round. In some games aces are
    such a rank: then `A A A` → True, `K K K` → False.
    """
    is_of_one_rank = meld.rank is not None  # unlike `9h 8h 7h`
    return is_of_one_rank and _rank_of_meld(meld) in settings.natural_after_opening


def against_incomplete_beside_canasta(rules: Ruleset, laid: Iterable[Reading]) -> Reasons:
    """Yield a reason for each rank of which a turn lays both a short meld and a canasta.

    A canasta is a meld (group of cards) of seven or more. In some games `3xK` may not be begun in
    the turn in which `7xK` is laid, only later. `laid` are the melds of the turn.
    """
    if rules.settings.repeated_rank != "not-incomplete":  # this game has no such rule
        return
    incomplete_ranks: set[int] = set()  # ranks are indices of `KINDS`
    canasta_ranks: set[int] = set()
    for reading in laid:
        meld = read_meld(reading.cards)
        if reading.unknown or meld.rank is None:
            continue  # words that are no cards, or cards of several ranks
        if meld.size < rules.settings.canasta_length:
            incomplete_ranks.add(meld.rank)
        else:
            canasta_ranks.add(meld.rank)

    # On the page: "In the turn that closes the canasta of kings no other is begun."
    ranks_of_both = incomplete_ranks & canasta_ranks
    for rank in sorted(ranks_of_both):
        yield reason("meld-begun-beside-canasta", cited_settings="repeated-rank", rank=KINDS[rank])


# ------------------------------------------------------------------------------------ a legal meld


def _explain_legal_meld(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Explain, sentence by sentence, why a meld (group of cards) is legal and what it brings.

    `meld` is what results from laying the cards of the question.
    """
    settings = table.settings
    # Why it is legal.
    yield _explain_kind(settings, meld)
    yield from explain_longer_melds(table)
    if _asks_about_naturals_on_wilds(question, settings):
        yield _explain_naturals_on_wilds(settings, meld)

    # What it is worth, and what it changes for the side.
    yield from _explain_worth_of_canasta(question, meld, settings)
    yield from _explain_loss_of_natural_canasta(question, meld, settings)
    if question.on is not None and question.on.cards.wilds > meld.wilds:
        yield explain_reclaimed_wilds(question.on.cards.wilds)
    yield from _warn_of_restriction(settings, meld)

    # On what else the answer depends.
    yield from _explain_dependence_on_opening(question, meld, settings)
    yield from _explain_dependence_on_dead_rank(settings, question, meld)
    if question.table is None:  # the other melds of the side are not known
        yield from _explain_dependence_on_incomplete_meld(settings, question, meld)
        yield from _explain_dependence_on_wild_meld(settings, question, meld)
    else:
        yield from _comment_on_melds_of_same_rank(table, question, meld)


def _explain_kind(settings: Settings, meld: Meld) -> Reason:
    """Explain that a meld is legal: "Valid: 4 cards of one rank, natural ones 3 and wild ones 1"."""
    kind = meld_kind(meld, settings)
    return reason(
        f"meld-{kind}",
        cited_settings=_list_settings_that_allow(kind, settings, meld),
        cards=meld.size,
        naturals=meld.naturals,
        wilds=meld.wilds,
    )


def _list_settings_that_allow(kind: str, settings: Settings, meld: Meld) -> list[str]:
    """List the settings of the rules that allow a meld (group of cards) of this kind.

    `"natural"` → `["meld-shortest", "meld-one-rank"]`. The answer cites the rule books for these.
    """
    names_of_settings = list(_SETTINGS_BY_KIND[kind])
    is_ratio_limited = settings.wild_ratio != "any"
    if kind == "mixed" and is_ratio_limited:
        # How many jokers and twos there may be beside other cards.
        names_of_settings.append("wild-ratio")
    is_longer_than_canasta = meld.size > settings.canasta_length
    if kind == "wild" and is_longer_than_canasta:  # a shorter one is never too long
        names_of_settings.append("wild-melds-longest")
    return names_of_settings


_SETTING_BEFORE_CANASTA = "wild-meld-naturals/on-its-way"
"""The part of the setting `wild-meld-naturals` for a meld of wild cards that is not yet a canasta: it
has other sources.
"""


def _explain_naturals_on_wilds(settings: Settings, meld: Meld) -> Reason:
    """Explain that other cards may be laid on a meld of jokers and twos alone: `K` on `2 2 JK`.

    `meld` is the result, `K 2 2 JK`.
    """
    # Some rule books allow it for a meld of seven cards or more (a canasta), others for a shorter
    # one: they are found under different names.
    is_canasta = meld.size >= settings.canasta_length
    setting = "wild-meld-naturals" if is_canasta else _SETTING_BEFORE_CANASTA
    # On the page: "With natural cards (1) the meld of only wild cards (3) becomes a mixed one."
    return reason(
        "wilds-become-mixed", cited_settings=setting, wilds=meld.wilds, naturals=meld.naturals
    )


def _explain_worth_of_canasta(question: MeldQuestion, meld: Meld, settings: Settings) -> Reasons:
    """Explain what a canasta, a meld of seven cards or more, is worth; nothing for a smaller meld."""
    canasta = find_kind_of_canasta(meld, settings)
    if canasta is None:
        return

    # On the page: "With 7 cards the canasta is complete (“natural canasta”) and worth 500 points."
    yield reason(
        "canasta-made",
        cited_settings=f"canastas/{canasta.item}",
        item=canasta.item,
        bonus=canasta.points,
        cards=meld.size,
    )
    extra_points = _extra_bonus_for_complete(question, settings)
    if extra_points > 0:
        # On the page: "Laid down whole, the canasta is worth 100 points more."
        setting = f"concealed-canasta/{canasta.item}"
        yield reason("canasta-concealed", cited_settings=setting, bonus=extra_points)

    may_be_worth_nothing = settings.canastas_count != "always"
    if may_be_worth_nothing:
        # On the page: "At the end canastas count only for a side that has those which going out
        # needs."
        yield reason("canasta-with-out-needs", cited_settings="canastas-count")


def _explain_loss_of_natural_canasta(
    question: MeldQuestion, meld: Meld, settings: Settings
) -> Reasons:
    """Yield a comment if jokers or twos turn a natural canasta into a mixed one, which earns less.

    A canasta is a meld of seven cards or more; a natural one has no jokers and twos. A two laid on
    `7xK` → a comment; a king laid on it → nothing. `meld` is the result.
    """
    if question.on is None or not _is_canasta_with_wilds(settings, meld):
        return
    had_wilds_before = question.on.cards.wilds > 0
    if _was_canasta(settings, question.on) and not had_wilds_before:
        # On the page: "The canasta was natural: with 1 wild card it becomes mixed."
        yield reason("wild-makes-mixed", cited_settings="wild-on-canasta", wilds=meld.wilds)


def explain_reclaimed_wilds(wilds: int) -> Reason:
    """Explain that a meld of the table gives its jokers and twos (`wilds`) back to the hand."""
    # On the page: "The canasta has natural cards enough: its wild card (1) goes back to the hand."
    return reason("wilds-reclaimed", cited_settings="meld-wilds-stay", wilds=wilds)


def _explain_dependence_on_opening(
    question: MeldQuestion, meld: Meld, settings: Settings
) -> Reasons:
    """Yield a comment if a new meld is legal only in the turn in which the side opens.

    A side opens by laying its first melds (groups of cards) of the round. In some games `A A 2` is
    legal only then, since aces take jokers and twos at no other time.
    """
    is_new_meld = question.on is None
    if not is_new_meld or meld.wilds == 0:
        return
    if takes_wilds_only_in_opening(settings, meld):
        # On the page: "With aces, wild cards may be laid only when opening (here: 1)."
        yield reason(
            "wilds-only-in-opening",
            cited_settings="natural-after-opening",
            rank=_rank_of_meld(meld),
            wilds=meld.wilds,
        )
    elif has_too_few_naturals_for_wilds(settings, meld, meld.wilds):
        # On the page: "With fewer than five natural cards (here 3) wild cards are laid only when
        # opening."
        yield reason(
            "early-wilds-only-in-opening",
            cited_settings="wilds-from-naturals",
            fewest=settings.wilds_from_naturals,
            naturals=meld.naturals,
        )


def _explain_dependence_on_dead_rank(
    settings: Settings, question: MeldQuestion, meld: Meld
) -> Reasons:
    """Yield the condition that no side has a canasta of the meld's rank, if not all melds are known.

    In some games nobody begins or extends a meld (group) of such a rank, which is dead.
    """
    if meld.rank is None:
        return
    rank = _rank_of_meld(meld)
    if may_be_dead(settings, rank, own_melds=question.table, opponents=question.opponents):
        # On the page: "Only if no side has a canasta of kings: of a dead rank no meld is begun or
        # extended."
        yield reason("meld-hangs-on-dead", cited_settings="dead-ranks", rank=rank)


def _warn_of_restriction(settings: Settings, meld: Meld) -> Reasons:
    """Yield a warning if a meld of jokers and twos alone restricts its side, until it is complete.

    In some games the side may lay such wild cards nowhere else before the meld has seven cards.
    """
    if settings.wilds_blocked == "nothing":
        return
    if is_incomplete_wild_meld(meld, settings):
        # On the page: "As long as the meld of only wild cards (3) is no canasta, nobody of the side
        # goes out."
        yield reason("wild-meld-binds", cited_settings="wilds-blocked", cards=meld.size)


def _explain_dependence_on_incomplete_meld(
    settings: Settings, question: MeldQuestion, meld: Meld
) -> Reasons:
    """Yield the condition that the side has no other incomplete meld of that rank on the table.

    In some games a side may have only one meld (group of cards) of kings that is incomplete, with
    fewer than seven cards. Call it if the question does not give the other melds.
    """
    allows_one = settings.repeated_rank in ("not-incomplete", "after-canasta", "never")
    if allows_one and _is_new_incomplete_meld(settings, question, meld):
        # On the page: "Only if the side has no incomplete meld of kings on the table."
        yield reason("meld-hangs-on-rank", cited_settings="repeated-rank", rank=_rank_of_meld(meld))


def _explain_dependence_on_wild_meld(
    settings: Settings, question: MeldQuestion, meld: Meld
) -> Reasons:
    """Yield the condition that the side has no incomplete meld of jokers and twos alone.

    In some games a side that has begun such a meld (a group of wild cards) may lay wild cards
    nowhere else, until that has seven cards. Call it if the question does not give the other melds.
    """
    if settings.wilds_blocked == "nothing":  # this game has no such rule
        return
    lays_wilds = question.cards.cards.wilds > 0
    is_new_meld = question.on is None
    has_naturals = meld.naturals > 0
    if lays_wilds and (is_new_meld or has_naturals):  # otherwise the wild cards join that meld
        # On the page: "Only if the side has no meld of only wild cards that is not yet a canasta."
        yield reason("meld-hangs-on-wilds", cited_settings="wilds-blocked")


def _comment_on_melds_of_same_rank(table: Table, question: MeldQuestion, meld: Meld) -> Reasons:
    """Yield comments on a legal meld (group of cards) beside another one of the same rank."""
    # "There are two melds of kings: the sources that speak of it keep one for each rank." They do
    # not forbid a second, so this is not a reason against it.
    yield from run_checks(table, {"meld-rank-repeated"})
    yield from _explain_dependence_on_earlier_turn(table.settings, question, meld)


def _explain_dependence_on_earlier_turn(
    settings: Settings, question: MeldQuestion, meld: Meld
) -> Reasons:
    """Yield the condition that the side's canasta of the same rank is of an earlier turn.

    A canasta is a meld (group) of seven cards or more. In some games `3xK` may be begun beside
    `7xK`, but not in the turn in which the seventh king was laid. The question does not say when
    that was.
    """
    allows_one_incomplete = settings.repeated_rank == "not-incomplete"
    if not allows_one_incomplete or not _is_new_incomplete_meld(settings, question, meld):
        return
    # Beside another incomplete meld this one was refused already. So the other is a canasta.
    if _has_other_meld_of_rank(question, meld):
        # On the page: "Only if the canasta of kings was closed in an earlier turn."
        rank = _rank_of_meld(meld)
        yield reason("meld-hangs-on-turn", cited_settings="repeated-rank", rank=rank)


def _is_new_incomplete_meld(settings: Settings, question: MeldQuestion, meld: Meld) -> bool:
    """Tell whether the cards are a new meld (group) of one rank with fewer than seven cards.

    `3xK` → True; `7xK`, or kings laid on a meld of the table → False.
    """
    is_new_meld = question.on is None
    is_of_one_rank = meld.rank is not None  # unlike a sequence
    return is_new_meld and is_of_one_rank and meld.size < settings.canasta_length


def _rank_of_meld(meld: Meld) -> Kind:
    """Return the rank of a meld (group of cards) that is of one rank: `K K 2` → `Kind.KING`."""
    assert meld.rank is not None, "asked only of melds of one rank"
    return KINDS[meld.rank]


def _has_other_meld_of_rank(question: MeldQuestion, meld: Meld) -> bool:
    """Tell whether the side has another meld (group of cards) of the same rank on the table.

    The new meld `3xK` beside `7xK` → True, beside `7xQ` → False.
    """
    other_melds = question.table or ()
    return any(other.cards.ranks == meld.ranks for other in other_melds)
