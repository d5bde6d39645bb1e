"""May these cards be laid, as a meld of their own or on a meld of the side? Do these melds open?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorepad.referee.answers import Detail, Reason, Ruling, Verdict, answered
from scorepad.referee.case import (
    ASKER,
    against_table_meld,
    asker,
    broken,
    faults,
    is_frozen,
    kind_of,
    laid_down,
    lay_case,
    lying_checks,
    meld_checks,
    minimum_faults,
    minimum_reason,
    naturals_needed,
    reason,
    special_top,
    to_go_out,
    together,
    unknown_cards,
)
from scorepad.referee.questions import MeldQuestion, OpeningQuestion
from scorepad.rules.cards import KINDS, NOTHING, Kind, Reading
from scorepad.rules.checks import Figure
from scorepad.rules.settings import OpeningBy, Settings, Shape, WildRatio
from scorepad.rules.table import (
    Lay,
    Meld,
    Out,
    SideEntry,
    Table,
    canasta_of,
    is_incomplete_wild_meld,
    read_meld,
    shape_of,
)
from scorepad.rules.turn_checks import Weighed, has_out_canastas, weigh
from scorepad.rules.variants import Ruleset

_GROUNDS = {
    "natural": ("meld-shortest", "meld-one-rank"),
    "mixed": ("meld-naturals", "wild-limit"),
    "wild": ("wild-melds", "wild-melds-shortest"),
    "sequence": ("sequences",),
    "dirty-sequence": ("sequences", "wild-limit"),
    "black-threes": ("black-threes", "black-threes-fewest", "black-threes-wilds"),
}
"""The settings by which a meld of each kind may be laid; a mixed one by the ratio of its wild cards too, if any."""


def meld_kind(meld: Meld, settings: Settings) -> str:
    """What a legal meld is called."""
    if meld.is_of_black_threes:
        return "black-threes"
    shape = shape_of(meld, settings)
    if shape is Shape.WILDS:
        return "wild"
    if shape is Shape.SEQUENCE:
        return "dirty-sequence" if meld.wilds else "sequence"
    return "mixed" if meld.wilds else "natural"


def rule_meld(rules: Ruleset, question: MeldQuestion) -> Ruling:
    """Legal or not, and what it is: the whole meld, the cards it is laid on included."""
    whole = together(question.on or NOTHING, question.cards)
    lying, laid_now = laid_down(*(question.table or ())), laid_down(whole, concealed=question.on is None)
    out = Out(ASKER) if question.going_out else None
    table = lay_case(rules, SideEntry(melds=(*lying, *laid_now)), out=out)
    laid = asker(table)[1].melds[-1]
    # Cards have points in most games; those of the whole meld are known only if all cards are.
    points: dict[str, Detail] = {"points": laid.points} if laid.whole and rules.settings.unit == "points" else {}
    found = broken(table, meld_checks(rules))
    # Of red threes alone, or of a sequence with a black one, that they are says all.
    follows = {
        "meld-too-few-naturals": laid.meld.red_threes == laid.meld.size,
        "black-threes-not-out": any(why.figures.get("why") == "black-three" for why in found),
    }
    against = (
        *(why for why in found if not follows.get(why.code, False)),
        *_against_laying_off(rules, question, out),
        *_against_beside(rules, question, laid.meld),
    )
    if against:
        return answered((*against, *_faults(rules, against)), forbids=True, **points)
    if _becomes_a_rank(rules, question) and rules.settings.wild_meld_naturals == "unspoken":
        silent = Reason("naturals-on-wilds-unspoken", {"naturals": question.cards.cards.naturals})
        return Ruling(Verdict.SILENT, (silent,), points)
    canasta = canasta_of(laid.meld, rules.settings)
    bonus = canasta.points + _for_concealed(rules, question) if canasta else 0
    reasons = (*_in_favour(rules, question, laid.meld), *_beside(table, question, laid.meld))
    details: dict[str, Detail] = {"kind": meld_kind(laid.meld, rules.settings), **points}
    details |= {"canasta": canasta.item if canasta else None, "bonus": bonus}
    return answered((*reasons, *_faults(rules, reasons)), forbids=False, **details)


def _for_concealed(rules: Ruleset, question: MeldQuestion) -> int:
    """More for a canasta that comes down whole."""
    return rules.settings.concealed_canasta if question.on is None else 0


def _faults(rules: Ruleset, reasons: tuple[Reason, ...]) -> Iterator[Reason]:
    """What the sources of these reasons got wrong."""
    codes = {reason.code for reason in reasons}
    if "meld-mixed-ranks" in codes:
        yield from faults(rules, "fault-suits-and-sequences")
    if codes & {"meld-too-many-wilds", "meld-mixed"}:
        yield from faults(rules, "fault-wilds-not-lost")
    if "meld-black-threes" in codes:
        yield from faults(rules, "fault-black-three-left-out", "fault-black-three-swapped")


def _against_laying_off(rules: Ruleset, question: MeldQuestion, out: Out | None) -> Iterator[Reason]:
    """What forbids to lay cards on a meld, though the whole might be one."""
    if not question.cards.cards.size and not question.cards.unknown:
        yield reason("nothing-laid", "meld-shortest")
    if question.on is None:
        return
    yield from against_table_meld(rules, question.on, out=out)
    yield from against_laying_wilds(rules, read_meld(question.on.cards), question.cards.cards.wilds)


def _against_beside(rules: Ruleset, question: MeldQuestion, meld: Meld) -> Iterator[Reason]:
    """What the side's other melds forbid."""
    unfinished = sum(is_incomplete_wild_meld(read_meld(each.cards), rules.settings) for each in question.table or ())
    if not unfinished or rules.settings.wilds_blocked == "nothing":
        return
    wilds = question.cards.cards.wilds
    if wilds and meld.naturals:
        yield reason("wilds-blocked", "wilds-blocked", wilds=wilds)
    elif wilds and question.on is None:
        yield reason("second-wild-meld", "wilds-blocked", melds=unfinished + 1)
    elif rules.settings.wilds_blocked == "wilds-and-mixed" and completes_mixed(rules.settings, question.on, meld):
        yield reason("mixed-blocked", "wilds-blocked", cards=meld.size)


def completes_mixed(settings: Settings, on: Reading | None, meld: Meld) -> bool:
    """Whether a meld with wild cards becomes a canasta, by what is laid on the meld `on` or as a new one."""
    was = None if on is None else canasta_of(read_meld(on.cards), settings)
    return was is None and meld.wilds > 0 and canasta_of(meld, settings) is not None


def _beside(table: Table, question: MeldQuestion, meld: Meld) -> Iterator[Reason]:
    """What the side's other melds have to do with it, and what the answer hangs on where nobody said which they are."""
    settings = table.settings
    begun = question.on is None and meld.size < settings.canasta_length and meld.rank is not None
    barred = begun and settings.repeated_rank == "not-incomplete"
    if question.table is not None:
        # Sources that speak of it want one meld of a rank; elsewhere nobody forbids a second.
        yield from broken(table, {"meld-rank-repeated"})
        if barred and any(each.cards.ranks == meld.ranks for each in question.table):
            yield reason("meld-hangs-on-turn", "repeated-rank", rank=Kind(KINDS[meld.ranks[0]]))
        return
    if barred:
        yield reason("meld-hangs-on-rank", "repeated-rank", rank=Kind(KINDS[meld.ranks[0]]))
    used = question.cards.cards.wilds and (meld.naturals or question.on is None)
    if used and settings.wilds_blocked != "nothing":
        yield reason("meld-hangs-on-wilds", "wilds-blocked")


def against_laying_wilds(rules: Ruleset, on: Meld, wilds: int) -> Iterator[Reason]:
    """What forbids to lay wild cards on a meld."""
    settings = rules.settings
    if not wilds:
        return
    yield from against_wilds_on(rules, on, wilds)
    rank = begun_natural(settings, on)
    if rank and not on.wilds:
        yield reason("natural-after-opening", "natural-after-opening", rank=rank, wilds=wilds)


def begun_natural(settings: Settings, meld: Meld) -> Kind | None:
    """The rank of a meld that takes wild cards only in the opening."""
    rank = None if meld.rank is None else KINDS[meld.rank]
    return rank if rank in settings.natural_after_opening else None


def _becomes_a_rank(rules: Ruleset, question: MeldQuestion) -> bool:
    """Whether natural cards are laid on a meld of wild cards alone."""
    if question.on is None or not question.cards.cards.naturals:
        return False
    return shape_of(read_meld(question.on.cards), rules.settings) is Shape.WILDS


def _in_favour(rules: Ruleset, question: MeldQuestion, meld: Meld) -> Iterator[Reason]:
    """Why it may be laid, and what comes of it."""
    settings, kind = rules.settings, meld_kind(meld, rules.settings)
    figures = {"cards": meld.size, "naturals": meld.naturals, "wilds": meld.wilds}
    grounds = list(_GROUNDS[kind])
    if kind == "mixed" and settings.wild_ratio is not WildRatio.ANY:
        grounds.append("wild-ratio")
    if kind == "wild" and meld.size > settings.canasta_length:
        # Only of a meld longer than a canasta it matters that wild cards alone may be as many.
        grounds.append("wild-melds-longest")
    yield reason(f"meld-{kind}", *grounds, **figures)
    if _becomes_a_rank(rules, question):
        complete = meld.size >= settings.canasta_length
        ground = "wild-meld-naturals" if complete else "wild-meld-naturals/on-its-way"
        yield reason("wilds-become-mixed", ground, wilds=meld.wilds, naturals=meld.naturals)
    yield from _canasta_made(rules, question, meld)
    # Wild cards that only an opening may hold so, or that bind the side.
    rank = begun_natural(settings, meld)
    if rank and meld.wilds and question.on is None:
        yield reason("wilds-only-in-opening", "natural-after-opening", rank=rank, wilds=meld.wilds)
    if is_incomplete_wild_meld(meld, settings) and settings.wilds_blocked != "nothing":
        yield reason("wild-meld-binds", "wilds-blocked", cards=meld.size)


def _canasta_made(rules: Ruleset, question: MeldQuestion, meld: Meld) -> Iterator[Reason]:
    settings = rules.settings
    canasta, on = canasta_of(meld, settings), read_meld((question.on or NOTHING).cards)
    if canasta is None:
        return
    item = canasta.item
    yield reason("canasta-made", f"canastas/{item}", item=item, bonus=canasta.points, cards=meld.size)
    if _for_concealed(rules, question):
        yield reason("canasta-concealed", f"concealed-canasta/{item}", bonus=settings.concealed_canasta)
    if settings.canastas_count != "always":
        yield reason("canasta-with-out-needs", "canastas-count")
    if canasta_of(on, settings) and meld.wilds and not on.wilds:
        yield reason("wild-makes-mixed", "wild-on-canasta", wilds=meld.wilds)


def against_wilds_on(rules: Ruleset, on: Meld, wilds: int) -> Iterator[Reason]:
    """What forbids to lay so many wild cards on a meld: that it is a canasta by then, where none may come on those.

    Natural cards laid with them may come after the wild ones, so that only these can be too many.
    """
    settings = rules.settings
    stay = min(wilds, on.size + wilds - settings.canasta_length)
    # Of canastas of wild cards alone nobody says it.
    if stay <= 0 or settings.wild_on_canasta != "forbidden" or shape_of(on, settings) is Shape.WILDS:
        return
    completes: dict[str, Figure] = {"why": "completes"} if on.size < settings.canasta_length else {}
    yield reason("wild-on-canasta", "wild-on-canasta", wilds=stay, cards=on.size, **completes)


def begun_in_one_turn(rules: Ruleset, laid: Iterable[Reading]) -> Iterator[Reason]:
    """That of these melds, as a turn leaves them, one is incomplete and another closed the canasta of its rank."""
    if rules.settings.repeated_rank != "not-incomplete":
        return
    begun, closed = set[int](), set[int]()
    for each in laid:
        meld = read_meld(each.cards)
        if meld.rank is not None and not each.unknown:
            (closed if meld.size >= rules.settings.canasta_length else begun).add(meld.rank)
    for rank in sorted(begun & closed):
        yield reason("meld-begun-beside-canasta", "repeated-rank", rank=Kind(KINDS[rank]))


def rule_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """The minimum, and whether the melds reach it. Without melds, the minimum alone."""
    table = _lay_opening(rules, question)
    lay = asker(table)[1]
    minimum = None if table.needs_no_minimum(lay) else table.minimum(ASKER)
    details: dict[str, Detail] = {} if minimum is None else {"minimum": minimum}
    known = () if minimum is None else tuple(minimum_faults(table))
    if not question.melds:
        return Ruling(Verdict.VALUE, (_why_minimum(table, minimum), *known), details)
    against = (*_against_opening(table), *_against_top_card(rules, question))
    counts = table.minimum(ASKER) is not None and not lay.unreadable
    weighed = weigh(table, lay, table.minimum(ASKER) or 0) if counts else None
    if weighed is not None:
        details["counted"] = weighed.points
        details |= {} if minimum is None else {"missing": max(0, minimum - weighed.points)}
    if not against and question.top_card is not None and rules.settings.pile == "not-told":
        return Ruling(Verdict.SILENT, (Reason("top-card-not-told"),), details)
    reasons = list(against or _why_opened(table, lay, minimum, weighed))
    if question.concealed_out and table.hand.out is None:
        reasons.append(reason("opening-not-out", *to_go_out(rules.settings)))
    return answered((*reasons, *known), forbids=bool(against), **details)


def _lay_opening(rules: Ruleset, question: OpeningQuestion) -> Table:
    """The melds on the table. Nobody goes out without the canastas, whatever was said: then it is an opening alone."""
    entry = SideEntry(melds=laid_down(*question.melds), opening=question.melds)
    leaving = lay_case(rules, entry, out=Out(ASKER, concealed=True), score=question.score, deal=question.deal)
    if question.concealed_out and (not question.melds or has_out_canastas(leaving, asker(leaving)[0])):
        return leaving
    return lay_case(rules, entry, score=question.score, deal=question.deal)


def _why_minimum(table: Table, minimum: int | None) -> Reason:
    rules, score = table.rules, table.hand.before[ASKER]
    by = rules.settings.opening_by
    if by is OpeningBy.NOTHING:
        return reason("opening-without-minimum", "opening-by")
    if minimum is None:
        return reason("opening-concealed-without-minimum", "concealed-out")
    if by is OpeningBy.DEAL:
        return minimum_reason(table, "opening-minimum-of-hand", minimum, deal=table.hand.deal)
    code = "opening-minimum-below-zero" if score < 0 else "opening-minimum"
    return minimum_reason(table, code, minimum, score=score)


def _against_opening(table: Table) -> Iterator[Reason]:
    """What keeps the melds from opening: as melds, or as an opening."""
    settings = table.settings
    yield from broken(table, lying_checks(table.rules) | {"opening-below-minimum"})
    yield from begun_in_one_turn(table.rules, (entry.reading for entry in table.hand.sides[ASKER].melds))
    # Other melds with wild cards may have been laid before an incomplete meld of wild cards alone; a second one like
    # it may not, where it binds the side.
    incomplete = sum(is_incomplete_wild_meld(laid.meld, settings) for laid in asker(table)[1].melds)
    if incomplete > 1 and settings.wilds_blocked != "nothing":
        yield reason("second-wild-meld", "wilds-blocked", melds=incomplete)


def _against_top_card(rules: Ruleset, question: OpeningQuestion) -> Iterator[Reason]:
    """What forbids to open with the top card of the pile."""
    if question.top_card is None:
        return
    if question.top_card.unknown:
        yield from unknown_cards(rules, question.top_card)
        return
    settings, top = rules.settings, kind_of(question.top_card)
    frozen = is_frozen(settings, noted=False)
    using = [meld.cards for meld in question.melds if question.top_card.cards.is_among(meld.cards)]
    needed = _needed_with(settings, top)
    if settings.opening_pile == "never":
        yield reason("top-card-never-opens", "opening-pile", card=top)
    elif needed is None:
        ground = "stop-ranks" if top in settings.stop_ranks else "pile-tops"
        yield reason("top-card-stops", ground, card=top)
    elif not using:
        yield reason("top-card-unused", "opening-pile", card=top)
    elif max(cards.of(top) for cards in using) <= needed:
        # What says how many cards like the top card must be laid with it.
        natural = ("pile-naturals-frozen", "freezing") if frozen else ("pile-naturals",)
        grounds = natural if top.is_natural else (f"pile-tops/{top}",)
        yield reason("top-card-needs-more", *grounds, card=top, needed=needed)


def _needed_with(settings: Settings, top: Kind) -> int | None:
    """Cards like the top card that must be laid with it out of the hand; None where nothing takes it to open."""
    if top in settings.stop_ranks:
        return None
    if top.is_natural:
        return naturals_needed(settings, frozen=is_frozen(settings, noted=False))
    way = special_top(settings, top)
    return way.more if way is not None and way.used == "melded" else None


def _why_opened(table: Table, lay: Lay, minimum: int | None, weighed: Weighed | None) -> Iterator[Reason]:
    """Why the melds open."""
    settings = table.settings
    yield _why_minimum(table, minimum)
    if weighed is not None and minimum is not None:
        yield minimum_reason(table, "opening-reached", minimum, counted=weighed.points)
        if weighed.aside:
            yield reason("opening-melds-aside", "opening-naturals-up-to", melds=weighed.aside, minimum=minimum)
    # Sources that speak of it want one meld of a rank; elsewhere nobody forbids a second.
    yield from broken(table, {"meld-rank-repeated"})
    # The opening of wild cards alone binds the opponents where no pile opens (W Canastone).
    binds = settings.opening_wild_melds == "as-others" and settings.opening_pile == "never"
    if binds and not any(laid.meld.naturals for laid in lay.melds):
        yield reason("opening-wilds-stop", "opening-wild-melds")
