"""The end of a hand: may the player go out, and what is that worth? What are red threes worth?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorepad.referee.answers import Reason, Ruling, Verdict, answered
from scorepad.referee.case import (
    ASKER,
    MELD_CHECKS,
    asker,
    broken,
    counter_readings,
    faults,
    has_partner,
    laid_down,
    lay_case,
    lying_checks,
    minimum_reason,
    reason,
    to_go_out,
)
from scorepad.referee.questions import OutQuestion, Permission, RedThreesQuestion
from scorepad.rules.checks import SMALLEST_POINTS, Figure, Needed
from scorepad.rules.score import count_line, red_three_grounds
from scorepad.rules.settings import ConcealedOut, Condition, LastDiscard, OpeningBy, Settings
from scorepad.rules.table import Out, SideEntry, Table, Totals
from scorepad.rules.turn_checks import MINIMUM_HOLDS, by_reading
from scorepad.rules.variants import Ruleset

OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded", "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete",
    "out-meld-incomplete", "out-discard-special", "out-discard-missing",
}  # fmt: skip
"""What keeps a player from going out, of what can be seen on the table."""


def rule_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """May the player go out; of a concealed going out also whether what is laid reaches the opening minimum."""
    by = rules.settings.opening_by
    opens = rules.settings.concealed_out is ConcealedOut.OPENING_TURN and by is not OpeningBy.NOTHING
    if not question.concealed or not opens:
        return rule_out(rules, question)
    if (question.deal if by is OpeningBy.DEAL else question.score) is None:
        return _at_any_score(rules, question)
    table = _lay(rules, question)
    minimum = table.minimum(ASKER) or 0
    enough = minimum_reason(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
    short = broken(table, {"opening-impossible"})
    answer = rule_out(rules, question, short, (enough,))
    return replace(answer, details={"minimum": minimum}) if short else answer


def _at_any_score(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The same where nobody said the score: it holds as far as what is laid reaches the opening at some of them."""
    by_deal = rules.settings.opening_by is OpeningBy.DEAL
    tried = list(_openings_tried(rules, question))
    short = {start: broken(_lay(rules, each), {"opening-impossible"}) for start, _, each in tried}
    about, figure = ("opening-deals", "deals") if by_deal else ("opening-steps", "steps")
    if all(short.values()):
        never = reason("out-concealed-never-opens", about, MINIMUM_HOLDS, why=rules.settings.opening_by.value)
        return rule_out(rules, question, (*short[1 if by_deal else 0], never))
    if not any(short.values()):
        return rule_out(rules, question)
    reached = " ".join(f"{start}:{minimum}" for start, minimum, _ in tried if not short[start])
    figures = {figure: reached, "why": rules.settings.opening_by.value}
    return rule_out(rules, question, (), (reason("out-concealed-if-reached", about, MINIMUM_HOLDS, **figures),))


def _openings_tried(rules: Ruleset, question: OutQuestion) -> Iterator[tuple[int, int, OutQuestion]]:
    """Each step of the opening table: where it begins, its minimum, and the question asked there."""
    settings = rules.settings
    if settings.opening_by is OpeningBy.DEAL:
        for deal, minimum in enumerate(settings.opening_deals, 1):
            yield deal, minimum, replace(question, deal=deal)
        return
    below = -SMALLEST_POINTS
    for start, minimum in ((below, settings.opening_below_zero), *settings.opening_steps):
        yield start, minimum, replace(question, score=start)


def rule_out(
    rules: Ruleset, question: OutQuestion, short: tuple[Reason, ...] = (), opened: tuple[Reason, ...] = ()
) -> Ruling:
    """Whether the melds, the discard and the partner allow it; and the bonus.

    `short` is what forbids it of an opening in the same turn, `opened` what speaks for it.
    """
    table = _lay(rules, question)
    notes = list(counter_readings(rules, asker(table)[0]))
    if question.permission is not Permission.NOT_ASKED and not has_partner(rules.settings):
        notes.insert(0, reason("permission-of-nobody", "sides"))
    against = (*against_going_out(rules, question), *short)
    if against:
        return answered((*against, *notes), forbids=True)
    bonus, grounds = count_line(table, *asker(table), "out")
    worth = reason("out-worth", *grounds, bonus=bonus) if bonus else reason("out-worth-nothing", "out-bonus")
    return answered((*_in_favour(table), worth, *opened, *notes), forbids=False, bonus=bonus)


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """What forbids it on the table, and what the partner said, or was not asked; who plays alone asks nobody."""
    found = broken(_lay(rules, question), OUT_CHECKS | lying_checks(rules))
    if not has_partner(rules.settings):
        return found
    if question.permission is Permission.REFUSED:
        return (*found, reason("permission-refused", "permission"))
    if question.permission is Permission.NOT_ASKED and rules.settings.permission == "must-ask":
        return (*found, reason("permission-not-asked", "permission"))
    return found


def _lay(rules: Ruleset, question: OutQuestion) -> Table:
    out = Out(ASKER, question.concealed, question.discard, question.discard_noted)
    side = SideEntry(melds=laid_down(*question.table), red_threes=question.red_threes)
    return lay_case(rules, side, out=out, score=question.score or 0, deal=question.deal or 1)


def _in_favour(table: Table) -> Iterator[Reason]:
    """That the canastas needed are there, and what else is asked."""
    rules, settings, out = table.rules, table.settings, table.hand.out
    party = asker(table)[0]
    kinds = tuple(Needed(family, n, party.families[family]) for family, n in settings.canasta_families_needed)
    figures = {"has": party.families.total(), "needed": settings.canastas_needed}
    if kinds:
        grounds = (*to_go_out(settings), *by_reading(rules, party))
        yield reason("out-canastas-enough", *grounds, **figures, why="families", families=kinds)
    else:
        yield reason("out-canastas-enough", *to_go_out(settings), **figures, why="number")
    if out and out.concealed:
        yield from _concealed(rules)
    if out and not out.discard_noted and settings.last_discard is LastDiscard.OBLIGATORY:
        yield reason("out-discard-to-come", "last-discard", "last-discard-special")


def _concealed(rules: Ruleset) -> Iterator[Reason]:
    """What a concealed going out asks that the table at the end does not show."""
    settings = rules.settings
    if settings.concealed_out_bonus == settings.out_bonus:
        # It is a going out like any other: what makes it a concealed one is of no account.
        if settings.out_bonus:
            yield reason("out-concealed-no-more", "concealed-out-bonus")
    elif settings.concealed_out is ConcealedOut.OWN_MELDS_ONLY:
        yield reason("out-concealed-own-melds", "concealed-out")
    else:
        yield reason("out-concealed-opens", "concealed-out", MINIMUM_HOLDS)


IN_HAND = "in-hand"
"""The step of what another text may be read to say of red threes not counted, though it speaks of those in hand."""


def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """Their points for the side itself, and what they bring the others; more than the decks hold there cannot be."""
    # What the side laid matters only as far as it laid anything.
    laid = SMALLEST_POINTS if question.opened else 0
    entry = SideEntry(totals=Totals(question.canastas, laid), red_threes=question.count)
    table = lay_case(rules, entry, out=Out(ASKER))
    beyond = broken(table, {"red-threes-exceeded"})
    if beyond:
        return Ruling(Verdict.FORBIDDEN, beyond)
    if not rules.settings.red_three_values:
        return Ruling(Verdict.VALUE, (reason("red-threes-no-bonus", "red-three-values"),), {"points": 0})
    points = count_line(table, *asker(table), "red-threes")[0]
    others = [(party, lay) for party in table.parties for lay in party.lays if lay.position != ASKER]
    opponents = max(count_line(table, party, lay, "red-threes")[0] for party, lay in others)
    reasons = (*_why(table, question.count, points, opponents), *_notes(table, question))
    return Ruling(
        Verdict.VALUE, reasons, {"points": points, "opponents": opponents} if opponents else {"points": points}
    )


def _notes(table: Table, question: RedThreesQuestion) -> Iterator[Reason]:
    """What does not go together, and what the sources of the answer got wrong, or leave to be read."""
    rules = table.rules
    unopened = rules.settings.red_threes_condition is Condition.OPENED and not question.opened
    if unopened and any(question.canastas.values()):
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count:
        yield from counter_readings(rules, asker(table)[0])
    if unopened and question.count and IN_HAND in rules.cited["red-threes-otherwise"].steps:
        yield reason("red-threes-read-so", f"red-threes-otherwise/{IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")


def _why(table: Table, count: int, points: int, opponents: int) -> Iterator[Reason]:
    by = table.settings.red_threes_condition
    values = table.settings.red_three_values
    worth = (0, *values)[count]
    step = f"red-three-values/{count}" if count else "red-three-values"
    yield reason("red-threes-worth", step, **_together(values, count, worth))
    if not count:
        return
    if by is Condition.OUT_NEEDS:
        yield from broken(table, {"out-canastas-missing"})
    effect = _effect(table.settings, worth, points, opponents)
    figures = {"why": by.value, "count": count, "points": points, "opponents": opponents}
    grounds = red_three_grounds(table, asker(table)[0], count, points)
    yield reason(effect, *(ground for ground in grounds if ground != step), **figures)


def _together(values: tuple[int, ...], count: int, worth: int) -> dict[str, Figure]:
    """How several of them come to what they are worth: each by itself, because it is all there are, or so many."""
    if not count:
        return {"why": "none"}
    if count == 1:
        return {"why": "one", "worth": worth}
    plain = count * values[0]
    if worth == plain:
        return {"count": count, "worth": worth}
    if count == len(values) and values[count - 2] == (count - 1) * values[0]:
        why = "all"
    else:
        why = "doubled" if worth == 2 * plain else "together"
    return {"why": why, "count": count, "worth": worth, "plain": plain}


def _effect(settings: Settings, worth: int, points: int, opponents: int) -> str:
    """What the side's canastas, or its opening, make of their worth."""
    if settings.red_threes_condition is Condition.CANASTAS and set(settings.red_threes_by_canastas) == {1}:
        return "red-threes-always"
    if opponents:
        return "red-threes-shared" if points else "red-threes-to-opponents"
    effects = {worth: "red-threes-for", 0: "red-threes-nothing", -worth: "red-threes-against"}
    return effects.get(points, "red-threes-twice-against")
