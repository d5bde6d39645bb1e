"""Rulings on going out: whether the player may, with the melds shown, and the bonus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.field_types import Permission
from scorepad.referee.in_force import has_partner, settings_of_canastas_needed
from scorepad.referee.questions import OutQuestion
from scorepad.referee.reasons import (
    inference_about_wild_canastas,
    minimum_reason,
    reason,
)
from scorepad.referee.ruling import Reason, Reasons, Ruling, Verdict, allowed, forbidden
from scorepad.referee.situation import (
    ASKER,
    IMPOSSIBLE_CARDS,
    MELD_CHECKS,
    table_meld_checks,
    table_with,
    violations,
)
from scorepad.rules.checks import SMALLEST_POINTS, MessageArgument, Needed
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out
from scorepad.rules.score import count_line
from scorepad.rules.settings import Settings
from scorepad.rules.table import Party, Table
from scorepad.rules.turn_checks import MINIMUM_HOLDS, wild_family_cited_settings

_OUT_CHECKS = MELD_CHECKS | {
    "red-threes-exceeded",
    "out-canastas-missing",
    "out-red-threes-missing",
    "out-wild-meld-incomplete",
    "out-meld-incomplete",
    "out-discard-special",
    "out-discard-missing",
}
"""The checks of going out that can be made with the melds on the table."""
_ASKED_IN_VAIN = "permission-then-no-out"
"""The penalty for asking the partner and then not going out."""
_BELOW_ZERO = -SMALLEST_POINTS
"""A match score below zero. All of them have the same opening minimum."""


def rule_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Whether the player may go out; if concealed, also whether the cards laid reach the opening
    minimum.
    """
    if question.concealed and _opens_when_concealed(rules.settings):
        ruling = _rule_out_with_opening(rules, question)
    else:
        ruling = rule_out(rules, question)
    return with_permission_penalty(rules, question, ruling)


def with_permission_penalty(rules: Ruleset, question: OutQuestion, ruling: Ruling) -> Ruling:
    """The ruling, with the cost of a permission that was asked for and given to a player who cannot
    go out.
    """
    if not _was_asked_in_vain(rules, question, ruling):
        return ruling
    return replace(ruling, reasons=(*ruling.reasons, *_cost_of_asking_in_vain(rules)))


def _was_asked_in_vain(rules: Ruleset, question: OutQuestion, ruling: Ruling) -> bool:
    """Whether the partner was asked and gave permission, but the player may not go out after all.

    If some cards of the question cannot exist, the question is wrong: it is not known then.
    """
    was_granted = question.permission is Permission.GRANTED and has_partner(rules.settings)
    if not was_granted:
        return False
    if ruling.verdict is not Verdict.FORBIDDEN:
        return False
    has_impossible_cards = any(each.code in IMPOSSIBLE_CARDS for each in ruling.reasons)
    return not has_impossible_cards


class _AboutOpening(NamedTuple):
    """The reasons about an opening (the first melds of a side) in the turn in which its player goes
    out.
    """

    against: tuple[Reason, ...] = ()
    in_favour: tuple[Reason, ...] = ()


_NOT_ABOUT_OPENING = _AboutOpening()


def _cost_of_asking_in_vain(rules: Ruleset) -> Reasons:
    """The penalty for asking the partner in vain, if these rules have one with points."""
    penalty = rules.penalties.get(_ASKED_IN_VAIN)
    if penalty is not None and penalty.points is not None:
        cited_setting = f"penalties/{_ASKED_IN_VAIN}"
        yield reason(
            _ASKED_IN_VAIN,
            cited_settings=cited_setting,
            penalty=_ASKED_IN_VAIN,
            points=penalty.points,
        )


# ------------------------------------------------------------------------- concealed, with a minimum


def _opens_when_concealed(settings: Settings) -> bool:
    """Whether a concealed going out opens in the same turn, with a minimum."""
    return settings.concealed_out == "opening-turn" and settings.opening_by != "nothing"


def _rule_out_with_opening(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The ruling on a player who lays the side's first melds, its opening, and goes out in one turn.

    The cards laid must reach the opening minimum, a number of points.
    """
    if _is_minimum_known(rules.settings, question):
        return _rule_at_known_minimum(rules, question)
    return _rule_at_any_minimum(rules, question)


def _rule_at_known_minimum(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The ruling on a question that gives the score (or the number of the hand) by which the opening
    minimum is known. If the cards do not reach it, the details name it: `{"minimum": 90}`.
    """
    table = _out_table(rules, question)
    minimum = table.sides[ASKER].minimum
    assert minimum is not None, "an opening needs a minimum here"
    too_few_points = _too_few_points_to_open(table)
    if too_few_points:
        ruling = rule_out(rules, question, _AboutOpening(against=too_few_points))
        return replace(ruling, details={"minimum": minimum})
    reached = minimum_reason(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
    return rule_out(rules, question, _AboutOpening(in_favour=(reached,)))


def _is_minimum_known(settings: Settings, question: OutQuestion) -> bool:
    """Whether the question says what the opening minimum depends on: the number of the hand in the
    match or, in most games, the match score.
    """
    if settings.opening_by == "deal":
        return question.deal is not None
    return question.score is not None


def _too_few_points_to_open(table: Table) -> tuple[Reason, ...]:
    """The reason if all cards laid together do not reach the opening minimum; empty if they do."""
    return violations(table, {"opening-impossible"})


class _TriedMinimum(NamedTuple):
    """An opening minimum (points), and the reason if the cards laid do not reach it."""

    start: int
    """The lowest match score from which it holds or, where minimums depend on that, the number of
    the hand in the match.
    """
    minimum: int
    too_few_points: tuple[Reason, ...]


def _rule_at_any_minimum(rules: Ruleset, question: OutQuestion) -> Ruling:
    """The ruling on a question without the score (or the number of the hand) that decides the
    opening minimum.

    Every minimum of the game is tried: cards worth 70 points reach a minimum of 50, and not one of
    90. Then the player may go out only where the minimum is 50.
    """
    tried = _try_every_minimum(rules, question)
    reached = [each for each in tried if not each.too_few_points]
    if not reached:
        never_opens = _why_no_minimum_is_reached(rules.settings, tried)
        return rule_out(rules, question, _AboutOpening(against=never_opens))
    if len(reached) == len(tried):
        return rule_out(rules, question)
    only_if_reached = _condition_on_minimum(rules.settings, reached)
    return rule_out(rules, question, _AboutOpening(in_favour=(only_if_reached,)))


def _why_no_minimum_is_reached(
    settings: Settings, tried: list[_TriedMinimum]
) -> tuple[Reason, ...]:
    """The reasons for cards that reach none of the opening minimums that were tried.

    The first says what they lack for the minimum at the start of a match, the last that they reach
    no other minimum either.
    """
    at_start = _tried_at_start_of_match(settings, tried)
    reaches_no_other = reason(
        "out-concealed-never-opens",
        cited_settings=(_setting_of_minimums(settings), MINIMUM_HOLDS),
        wording=settings.opening_by,
    )
    return (*at_start.too_few_points, reaches_no_other)


def _condition_on_minimum(settings: Settings, reached: list[_TriedMinimum]) -> Reason:
    """The reason that the player may go out only where one of these opening minimums is in force.

    It follows from the setting that lists the minimums, and from what the sources say of a minimum
    for a player who goes out concealed.
    """
    name_of_list = "deals" if settings.opening_by == "deal" else "steps"
    arguments: dict[str, MessageArgument] = {name_of_list: _list_of_minimums(reached)}
    return reason(
        "out-concealed-if-reached",
        cited_settings=(_setting_of_minimums(settings), MINIMUM_HOLDS),
        wording=settings.opening_by,
        **arguments,
    )


def _list_of_minimums(minimums: list[_TriedMinimum]) -> str:
    """Opening minimums as an argument of a message, which lists them: `0:50 1500:90` for 50 points
    from a match score of 0, and 90 from one of 1500.

    Where minimums depend on the hand of the match, `2:90` are 90 points in the second.
    """
    return " ".join(f"{each.start}:{each.minimum}" for each in minimums)


def _setting_of_minimums(settings: Settings) -> str:
    """The setting with the opening minimums: by the number of the hand, or by the match score."""
    return "opening-deals" if settings.opening_by == "deal" else "opening-steps"


def _try_every_minimum(rules: Ruleset, question: OutQuestion) -> list[_TriedMinimum]:
    """Every opening minimum of the game, tried with the cards of the question."""
    tried: list[_TriedMinimum] = []
    for start, minimum in _minimums_by_start(rules.settings).items():
        at_start = _question_at(rules.settings, question, start)
        too_few_points = _too_few_points_to_open(_out_table(rules, at_start))
        tried.append(_TriedMinimum(start, minimum, too_few_points))
    return tried


def _question_at(settings: Settings, question: OutQuestion, start: int) -> OutQuestion:
    """The question, asked in the hand of the match or at the match score where a minimum starts."""
    if settings.opening_by == "deal":
        return replace(question, deal=start)
    return replace(question, score=start)


def _tried_at_start_of_match(settings: Settings, tried: list[_TriedMinimum]) -> _TriedMinimum:
    """Of the opening minimums tried, the one in force when a match starts.

    Minimums depend on the number of the hand, which is 1 then, or on the match score, which is 0.
    """
    tried_by_start = {each.start: each for each in tried}
    start_of_match = 1 if settings.opening_by == "deal" else 0
    return tried_by_start[start_of_match]


def _minimums_by_start(settings: Settings) -> Mapping[int, int]:
    """Every opening minimum of the game, by where it starts.

    That is the number of a hand in the match, as in `{1: 50, 2: 90}`, or the lowest match score, as
    in `{-5: 15, 0: 50, 1500: 90}`. There -5 stands for any score below zero.
    """
    if settings.opening_by == "deal":
        return dict(enumerate(settings.opening_deals, start=1))
    return {_BELOW_ZERO: settings.opening_below_zero, **dict(settings.opening_steps)}


# ------------------------------------------------------------------------------- the melds on the table


def rule_out(
    rules: Ruleset, question: OutQuestion, about_opening: _AboutOpening = _NOT_ABOUT_OPENING
) -> Ruling:
    """Whether a player may go out (play the last card, which ends the hand), and the bonus for it.

    It depends on the melds of the side, the last discard and the partner. `about_opening` are the
    reasons about an opening in the same turn.
    """
    table = _out_table(rules, question)
    comments = _comments_on_out(table, question)
    against = (*against_going_out(rules, question), *about_opening.against)
    if against:
        return forbidden((*against, *comments))

    bonus = _bonus_for_out(table)
    in_favour = (*_in_favour_of_out(table, question), _why_bonus(bonus), *about_opening.in_favour)
    return allowed((*in_favour, *comments), {"bonus": bonus.points})


class _OutBonus(NamedTuple):
    """The bonus for going out, and the settings that give it."""

    points: int
    settings: tuple[str, ...]


def _bonus_for_out(table: Table) -> _OutBonus:
    """The bonus that the side of the question gets for going out, as the score of a hand counts
    it.
    """
    party = table.parties[ASKER]
    side = party.sides[0]
    points, settings = count_line(table, party, side, "out")
    return _OutBonus(points, settings)


def _why_bonus(bonus: _OutBonus) -> Reason:
    """The reason that names the bonus for going out, or says that there is none."""
    if bonus.points == 0:
        return reason("out-worth-nothing", cited_settings="out-bonus")
    return reason("out-worth", cited_settings=bonus.settings, bonus=bonus.points)


def _comments_on_out(table: Table, question: OutQuestion) -> Reasons:
    """What is said whether going out is allowed or not: that the player has no partner to ask, and
    that it is an inference how canastas of wild cards count.
    """
    says_partner_was_asked = question.permission is not Permission.NOT_ASKED
    if says_partner_was_asked and not has_partner(table.settings):
        yield reason("permission-of-nobody", cited_settings="sides")
    yield from inference_about_wild_canastas(table.rules, table.parties[ASKER])


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """What forbids going out: the melds of the table, the last discard, or the partner's answer."""
    table = _out_table(rules, question)
    checks_of_table = _OUT_CHECKS | table_meld_checks(rules)
    against_table = violations(table, checks_of_table)
    against_permission = _against_lacking_permission(rules.settings, question.permission)
    return (*against_table, *against_permission)


def _against_lacking_permission(settings: Settings, permission: Permission) -> Reasons:
    """The reason if the partner refused permission to go out, or was not asked in a game in which
    that is obligatory. Who plays without a partner asks nobody.
    """
    if not has_partner(settings):
        return
    must_ask = settings.permission == "must-ask"
    if permission is Permission.REFUSED:
        yield reason("permission-refused", cited_settings="permission")
    elif permission is Permission.NOT_ASKED and must_ask:
        yield reason("permission-not-asked", cited_settings="permission")


def _out_table(rules: Ruleset, question: OutQuestion) -> Table:
    """The table at the end of a hand in which the side of the question goes out.

    Without a match score or a number of the hand, it is that of the first hand of a match.
    """
    return table_with(
        rules,
        *question.table,
        red_threes=question.red_threes,
        out=Out(side=ASKER, concealed=question.concealed, discard=question.discard),
        score=question.score or 0,
        deal=question.deal or 1,
    )


def _in_favour_of_out(table: Table, question: OutQuestion) -> Reasons:
    """The reasons why the player may go out: the side has the canastas that this requires. Then what
    the player must know or still do.
    """
    settings = table.settings
    yield _enough_canastas(table)
    if question.concealed:
        yield from _about_concealed(settings)
    if settings.hands_each > 1:  # each player has a second hand of cards, the foot
        yield reason("out-partner-foot", cited_settings="hands-each")
    if question.discard is None:
        yield from _about_discard_to_come(settings)


def _about_discard_to_come(settings: Settings) -> Reasons:
    """The reminder to discard a last card, in a game in which a player who goes out must."""
    if settings.last_discard == "obligatory":
        yield reason("out-discard-to-come", cited_settings=("last-discard", "last-discard-special"))


def _enough_canastas(table: Table) -> Reason:
    """The reason that the side has the canastas (melds of seven cards or more) that going out
    requires: how many it has, and how many it needs.
    """
    settings = table.settings
    if settings.canasta_families_needed:
        return _enough_canastas_of_families(table)
    wording = "number" if settings.canastas_needed > 0 else "none"
    return reason(
        "out-canastas-enough",
        cited_settings="canastas-needed",
        wording=wording,
        has=_total_of_canastas(table.parties[ASKER]),
        needed=settings.canastas_needed,
    )


def _total_of_canastas(party: Party) -> int:
    """How many canastas a side has, of all families together: 3 for two natural ones and a mixed
    one.

    Sides that share their melds are one party, and have them together.
    """
    return party.families.total()


def _enough_canastas_of_families(table: Table) -> Reason:
    """The reason that the side has the canastas that going out requires, in a game that requires so
    many of a family, such as two natural ones, besides so many in all.
    """
    settings = table.settings
    party = table.parties[ASKER]
    settings_applied = (
        *settings_of_canastas_needed(settings),
        *wild_family_cited_settings(table.rules, party),
    )
    return reason(
        "out-canastas-enough",
        cited_settings=settings_applied,
        wording="families",
        has=_total_of_canastas(party),
        needed=settings.canastas_needed,
        families=_canastas_by_family(settings, party),
    )


def _canastas_by_family(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """The canastas of each family that going out requires, with the number that the party has."""
    families: list[Needed] = []
    for family, count in settings.canasta_families_needed:
        families.append(Needed(family, count, party.families[family]))
    return tuple(families)


def _about_concealed(settings: Settings) -> Reasons:
    """What a player who goes out concealed must know.

    Where that earns a bonus of its own, it is what the bonus requires; elsewhere that there is no
    such bonus.
    """
    has_own_bonus = settings.concealed_out_bonus != settings.out_bonus
    if not has_own_bonus:
        yield from _no_bonus_for_concealed(settings)
    elif settings.concealed_out == "own-melds-only":
        yield reason("out-concealed-own-melds", cited_settings="concealed-out")
    else:
        yield reason("out-concealed-opens", cited_settings=("concealed-out", MINIMUM_HOLDS))


def _no_bonus_for_concealed(settings: Settings) -> Reasons:
    """The reason that going out concealed earns no more than going out otherwise.

    Nothing where going out earns no bonus at all: another reason says that.
    """
    if settings.out_bonus != 0:
        yield reason("out-concealed-no-more", cited_settings="concealed-out-bonus")
