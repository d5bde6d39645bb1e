"""Rulings on the end of a hand: whether the player may go out, the bonus, and the value of red
threes.
"""

from __future__ import annotations

from dataclasses import replace

from scorepad.referee.case import (
    ASKER,
    CANNOT_BE,
    MELD_CHECKS,
    answers,
    broken,
    faults,
    has_partner,
    judged,
    lay_case,
    minimum_reason,
    reason,
    table_meld_checks,
    to_go_out,
    wild_family_reasons,
)
from scorepad.referee.questions import (
    Details,
    OutQuestion,
    Permission,
    Reason,
    Reasons,
    RedThreesQuestion,
    Ruling,
    Verdict,
    forbidden,
    value,
)
from scorepad.rules.checks import SMALLEST_POINTS, Figure, Needed
from scorepad.rules.definitions import Ruleset
from scorepad.rules.score import count_line, red_three_grounds
from scorepad.rules.table import Out, Table, Totals
from scorepad.rules.turn_checks import MINIMUM_HOLDS, wild_family_grounds

OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded", "out-canastas-missing", "out-red-threes-missing", "out-wild-meld-incomplete",
    "out-meld-incomplete", "out-discard-special", "out-discard-missing",
}  # fmt: skip
"""The checks of going out that can be made with the melds on the table."""


@answers(OutQuestion)
def rule_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player may go out; if concealed, also whether the cards laid reach the opening
    minimum.
    """
    return with_permission_penalty(rules, question, _rule_shown(rules, question))


PERMISSION_PENALTY = "permission-then-no-out"


def with_permission_penalty(rules: Ruleset, question: OutQuestion, ruling: Ruling) -> Ruling:
    """The ruling, with the cost of a permission that was asked for and given to a player who cannot
    go out.
    """
    has_permission = question.permission is Permission.GRANTED and has_partner(rules.settings)
    penalty = rules.penalties.get(PERMISSION_PENALTY)
    is_impossible = any(why.code in CANNOT_BE for why in ruling.reasons)
    if ruling.verdict is not Verdict.FORBIDDEN or not has_permission or is_impossible:
        return ruling
    if penalty is None or penalty.points is None:
        return ruling
    cost = reason(
        PERMISSION_PENALTY,
        f"penalties/{PERMISSION_PENALTY}",
        penalty=penalty.code,
        points=penalty.points,
    )
    return replace(ruling, reasons=(*ruling.reasons, cost))


def _rule_shown(rules: Ruleset, question: OutQuestion) -> Ruling:
    settings, by = rules.settings, rules.settings.opening_by
    opens = settings.concealed_out == "opening-turn" and by != "nothing"
    if not question.concealed or not opens:
        return rule_out(rules, question)
    by_deal = by == "deal"
    if (question.deal if by_deal else question.score) is not None:
        table = _lay(rules, question)
        minimum = table.lays[ASKER].minimum or 0
        enough = minimum_reason(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
        short = broken(table, {"opening-impossible"})
        answer = rule_out(rules, question, short, (enough,))
        return replace(answer, details={"minimum": minimum}) if short else answer
    # Without a given score, check every minimum and name those that can be reached.
    minimums = (
        dict(enumerate(settings.opening_deals, 1)) if by_deal else dict(settings.opening_steps)
    )
    if not by_deal:
        minimums = {-SMALLEST_POINTS: settings.opening_below_zero, **minimums}
    asked = [
        replace(question, deal=at) if by_deal else replace(question, score=at) for at in minimums
    ]
    shorts = {
        at: broken(_lay(rules, there), {"opening-impossible"})
        for at, there in zip(minimums, asked, strict=True)
    }
    about, figure = ("opening-deals", "deals") if by_deal else ("opening-steps", "steps")
    if all(shorts.values()):
        never = reason("out-concealed-never-opens", about, MINIMUM_HOLDS, why=by)
        return rule_out(rules, question, (*shorts[1 if by_deal else 0], never))
    if not any(shorts.values()):
        return rule_out(rules, question)
    reached = " ".join(f"{at}:{minimum}" for at, minimum in minimums.items() if not shorts[at])
    figures = {figure: reached, "why": by}
    return rule_out(
        rules, question, (), (reason("out-concealed-if-reached", about, MINIMUM_HOLDS, **figures),)
    )


def rule_out(
    rules: Ruleset,
    question: OutQuestion,
    short: tuple[Reason, ...] = (),
    opened: tuple[Reason, ...] = (),
) -> Ruling:
    """Whether the melds, the discard and the partner allow going out; and the bonus.

    `short` are the reasons against an opening in the same turn, `opened` those in favour.
    """
    table = _lay(rules, question)
    party = table.parties[ASKER]
    notes = list(wild_family_reasons(rules, party))
    if question.permission is not Permission.NOT_ASKED and not has_partner(rules.settings):
        notes.insert(0, reason("permission-of-nobody", "sides"))
    against = (*against_going_out(rules, question), *short)
    if against:
        return judged((*against, *notes))
    bonus, grounds = count_line(table, party, party.lays[0], "out")
    worth = (
        reason("out-worth", *grounds, bonus=bonus)
        if bonus
        else reason("out-worth-nothing", "out-bonus")
    )
    return judged((), (*_in_favour(table), worth, *opened, *notes), bonus=bonus)


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """Reasons against it on the table, or from the partner's answer or its absence; a lone player
    asks nobody.
    """
    found = broken(_lay(rules, question), OUT_CHECKS | table_meld_checks(rules))
    codes = {Permission.REFUSED: "permission-refused"}
    if rules.settings.permission == "must-ask":
        codes[Permission.NOT_ASKED] = "permission-not-asked"
    if has_partner(rules.settings) and question.permission in codes:
        return (*found, reason(codes[question.permission], "permission"))
    return found


def _lay(rules: Ruleset, question: OutQuestion) -> Table:
    out = Out(ASKER, question.concealed, question.discard, question.discard_noted)
    at = {"score": question.score or 0, "deal": question.deal or 1}
    return lay_case(rules, *question.table, red_threes=question.red_threes, out=out, **at)


def _in_favour(table: Table) -> Reasons:
    """The reasons in favour: the required canastas, and notes on a concealed going out and a
    missing discard.
    """
    rules, settings, out = table.rules, table.settings, table.hand.out
    party = table.parties[ASKER]
    kinds = tuple(
        Needed(family, n, party.families[family]) for family, n in settings.canasta_families_needed
    )
    why = "number" if settings.canastas_needed else "none"
    figures: dict[str, Figure] = {
        "has": party.families.total(),
        "needed": settings.canastas_needed,
        "why": why,
    }
    if kinds:
        figures |= {"why": "families", "families": kinds}
    grounds = (*to_go_out(settings), *(wild_family_grounds(rules, party) if kinds else ()))
    yield reason("out-canastas-enough", *grounds, **figures)
    if out and out.concealed:
        if settings.concealed_out_bonus == settings.out_bonus:
            # With equal bonuses, whether the going out is concealed makes no difference.
            if settings.out_bonus:
                yield reason("out-concealed-no-more", "concealed-out-bonus")
        elif settings.concealed_out == "own-melds-only":
            yield reason("out-concealed-own-melds", "concealed-out")
        else:
            yield reason("out-concealed-opens", "concealed-out", MINIMUM_HOLDS)
    if settings.hands_each > 1:
        yield reason("out-partner-foot", "hands-each")
    if out and not out.discard_noted and settings.last_discard == "obligatory":
        yield reason("out-discard-to-come", "last-discard", "last-discard-special")


# --------------------------------------------------------------------------------------- red threes

IN_HAND = "in-hand"
"""The step for a source that can be read as covering red threes not counted, though it mentions
those in hand.
"""


@answers(RedThreesQuestion)
def rule_red_threes(rules: Ruleset, question: RedThreesQuestion) -> Ruling:
    """Their points for the side and for its opponents; more red threes than the decks hold are
    refused.
    """
    # Only whether the side laid anything matters, not what.
    totals = Totals(question.canastas, SMALLEST_POINTS if question.opened else 0)
    table = lay_case(rules, totals=totals, red_threes=question.count, out=Out(ASKER))
    beyond = broken(table, {"red-threes-exceeded"})
    if beyond:
        return forbidden(beyond)
    if not rules.settings.red_three_values:
        return value((reason("red-threes-no-bonus", "red-three-values"),), {"points": 0})
    points, *others = (
        count_line(table, party, lay, "red-threes")[0]
        for party in table.parties
        for lay in party.lays
    )
    details: Details = {"points": points}
    if max(others):
        details["opponents"] = max(others)
    reasons = (*_why_worth(table, question.count, points, max(others)), *_notes(table, question))
    return value(reasons, details)


def _notes(table: Table, question: RedThreesQuestion) -> Reasons:
    """Contradictions in the question, and faults or inferences in the sources of the answer."""
    rules = table.rules
    unopened = rules.settings.red_threes_condition == "opened" and not question.opened
    if unopened and any(question.canastas.values()):
        yield reason("red-threes-canasta-unopened", "red-threes-condition")
    if question.count:
        yield from wild_family_reasons(rules, table.parties[ASKER])
    if unopened and question.count and IN_HAND in rules.cited["red-threes-otherwise"].steps:
        yield reason("red-threes-read-so", f"red-threes-otherwise/{IN_HAND}")
    yield from faults(rules, "fault-threes-swapped")


def _why_worth(table: Table, count: int, points: int, opponents: int) -> Reasons:
    """The value of this many red threes, and how the side's canastas or its opening change it."""
    settings, by = table.settings, table.settings.red_threes_condition
    values = settings.red_three_values
    if not count:
        yield reason("red-threes-worth", "red-three-values", why="none")
        return
    step, worth, plain = f"red-three-values/{count}", values[count - 1], count * values[0]
    figures: dict[str, Figure] = {"count": count, "worth": worth}
    if count == 1:
        figures = {"why": "one", "worth": worth}
    elif worth != plain:
        # All red threes together, double value, or another value.
        all_there_are = count == len(values) and values[count - 2] == (count - 1) * values[0]
        why = "all" if all_there_are else "doubled" if worth == 2 * plain else "together"
        figures = {"why": why, **figures, "plain": plain}
    yield reason("red-threes-worth", step, **figures)
    if by == "out-needs":
        yield from broken(table, {"out-canastas-missing"})
    effects = {worth: "for", 0: "nothing", -worth: "against"}
    effect = effects.get(points, "twice-against")
    if by == "canastas" and set(settings.red_threes_by_canastas) == {1}:
        effect = "always"
    elif opponents:
        effect = "shared" if points else "to-opponents"
    grounds = red_three_grounds(table, table.parties[ASKER], count, points)
    figures = {"why": by, "count": count, "points": points, "opponents": opponents}
    yield reason(
        f"red-threes-{effect}", *(ground for ground in grounds if ground != step), **figures
    )
