"""Rulings on going out: whether the player may, with the melds shown, and the bonus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from scorepad.referee.field_types import Permission
from scorepad.referee.in_force import has_partner, list_settings_of_canastas_needed
from scorepad.referee.questions import OutQuestion
from scorepad.referee.reasons import (
    explain_inference_about_wild_canastas,
    explain_longer_melds,
    make_reason_with_minimum,
    reason,
)
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, Verdict, allowed, forbidden
from scorepad.referee.situation import (
    ASKER,
    IMPOSSIBLE_CARDS,
    MELD_CHECKS,
    build_table_of_asker,
    enter_melds,
    run_checks,
    select_checks_of_table_melds,
)
from scorepad.rules.checks import SMALLEST_POINTS, MessageArgument, Needed
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import Out, SideEntry
from scorepad.rules.score import count_bonus_for_going_out
from scorepad.rules.settings import Settings
from scorepad.rules.table import Party, Table
from scorepad.rules.turn_checks import MINIMUM_HOLDS, has_canasta_of_inferred_family

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
_SCORE_AT_START = 0
"""The match score of each side before the first hand."""
_FIRST_HAND = 1
"""The number of the first hand (round) of a match."""
_BELOW_ZERO = -SMALLEST_POINTS
"""A match score below zero. All of them have the same opening minimum."""


def rule_going_out(rules: Ruleset, question: OutQuestion) -> Ruling:
    """Decide whether a player may go out, that is, play the last card and so end the round.

    A player who goes out "concealed" lays all cards in one turn and none before. In some games that
    is allowed only if the cards are worth enough points, which is then checked too.
    """
    points = _NEED_NO_POINTS
    if question.concealed and _must_reach_minimum_to_go_out(rules.settings):
        points = _judge_points(rules, question)
    ruling = decide_going_out(rules, question, points)
    return with_consequences_of_no(rules, question, ruling)


def with_consequences_of_no(rules: Ruleset, question: OutQuestion, ruling: Ruling) -> Ruling:
    """Add what follows for a player who may not go out; a ruling that allows it is not changed.

    There is a penalty for asking the partner for permission in vain. Who plays from a second hand,
    the foot, must keep two cards of it.
    """
    if ruling.verdict is not Verdict.FORBIDDEN:
        return ruling
    # Cards that cannot exist, such as nine kings in two decks, were only mistyped. Then it is not
    # known whether the player may go out.
    has_impossible_cards = any(each.code in IMPOSSIBLE_CARDS for each in ruling.reasons)
    if has_impossible_cards:
        return ruling

    consequences: list[Reason] = []
    if rules.settings.hands_each > 1 and question.foot is not False:
        # On the page: "Whoever may not go out keeps two cards: one to discard, one to hold."
        consequences.append(reason("out-keeps-two-cards", cited_settings="hands-each"))
    asks_partner = has_partner(rules.settings) and rules.settings.permission != "none"
    if asks_partner and question.permission is Permission.GRANTED:
        consequences += _explain_penalty_for_asking(rules)
    return replace(ruling, reasons=(*ruling.reasons, *consequences))


class _PointsOfCards(NamedTuple):
    """Whether all cards of a player, laid in one turn, are worth the points that this takes."""

    too_few: tuple[Reason, ...] = ()
    """Why they are worth too little; empty if they may be laid."""
    comments: tuple[Reason, ...] = ()
    """What is said of their points if they may be laid."""
    missed_minimum: int | None = None
    """The points needed, if they are known and not reached."""


_NEED_NO_POINTS = _PointsOfCards()
"""The cards may be worth any number of points."""


def _explain_penalty_for_asking(rules: Ruleset) -> Reasons:
    """Yield the penalty for asking the partner in vain; nothing if these rules have none."""
    penalty = rules.penalties.get(_ASKED_IN_VAIN)
    if penalty is None or penalty.points is None:
        return
    # On the page: "Asked to go out and could not: the side loses 100 points."
    yield reason(
        _ASKED_IN_VAIN,
        cited_settings=f"penalties/{_ASKED_IN_VAIN}",
        penalty=_ASKED_IN_VAIN,
        points=penalty.points,
    )


# ------------------------------------------------------------------------- concealed, with a minimum


def _must_reach_minimum_to_go_out(settings: Settings) -> bool:
    """Tell whether a player who lays all cards in one turn must reach a minimum of points.

    In most games that turn is also the opening (the first laying) of the side, and every opening
    must reach a minimum.
    """
    is_opening = settings.concealed_out == "opening-turn"
    openings_have_minimum = settings.opening_by != "nothing"
    return is_opening and openings_have_minimum


def _judge_points(rules: Ruleset, question: OutQuestion) -> _PointsOfCards:
    """Judge whether all cards of a player reach the minimum of points for laying them in one turn.

    The minimum depends on the score of the match (or the number of the round), which the question
    may leave out.
    """
    if _is_minimum_known(rules.settings, question):
        return _judge_points_by_minimum(rules, question)
    return _judge_points_by_every_minimum(rules, question)


def _judge_points_by_minimum(rules: Ruleset, question: OutQuestion) -> _PointsOfCards:
    """Judge whether all cards of a player reach the minimum of points that holds in this hand.

    Call it if the question tells the score of the match (or the number of the round).
    """
    table = _build_table_at_end(rules, question)
    minimum = table.sides[ASKER].minimum
    assert minimum is not None, "called only in games with a minimum"
    too_few_points = _check_points_of_all_cards(table)
    if too_few_points:
        return _PointsOfCards(too_few=too_few_points, missed_minimum=minimum)

    # On the page: "Going out concealed means opening in the same turn, with at least 50 points:
    # those laid are enough."
    enough = make_reason_with_minimum(table, "out-concealed-reached", minimum, MINIMUM_HOLDS)
    return _PointsOfCards(comments=(enough,))


def _is_minimum_known(settings: Settings, question: OutQuestion) -> bool:
    """Tell whether the question says what the minimum of points depends on.

    In most games that is the score of the match, in others the number of the round.
    """
    if settings.opening_by == "deal":
        return question.deal is not None
    return question.score is not None


def _check_points_of_all_cards(table: Table) -> tuple[Reason, ...]:
    """Return a reason if all cards on the table are worth less than the minimum of points.

    The minimum is what the first cards that a side lays in a round must reach.
    """
    return run_checks(table, {"opening-impossible"})


class _TriedMinimum(NamedTuple):
    """A minimum of points in some part of a match, and whether the cards reach it."""

    start: int
    """The match score from which it holds; in some games the number of the round."""
    minimum: int
    too_few_points: tuple[Reason, ...]
    """The reason if the cards are worth less; otherwise empty."""

    @property
    def is_reached(self) -> bool:
        """Tell whether the cards are worth at least the minimum."""
        return not self.too_few_points


def _judge_points_by_every_minimum(rules: Ruleset, question: OutQuestion) -> _PointsOfCards:
    """Judge whether all cards of a player reach the minimum of points, if it is not known which.

    Every minimum of the game is tried. If they are 15, 50 and 90 points, cards worth 10 are too
    few, 100 are enough, and 70 are enough on the condition that the minimum is 15 or 50.
    """
    tried = _try_every_minimum(rules, question)
    reached = [each for each in tried if each.is_reached]
    if len(reached) == len(tried):
        return _PointsOfCards()
    if reached:
        condition = _explain_which_minimums_are_reached(rules.settings, reached)
        return _PointsOfCards(comments=(condition,))
    return _PointsOfCards(too_few=_explain_that_no_minimum_is_reached(rules.settings, tried))


def _explain_that_no_minimum_is_reached(
    settings: Settings, tried: list[_TriedMinimum]
) -> tuple[Reason, ...]:
    """Explain that the cards reach none of the minimums of points that this game has.

    First comes, as an example, how many points they lack at the start of a match.
    """
    start_of_match = _FIRST_HAND if settings.opening_by == "deal" else _SCORE_AT_START
    reasons: list[Reason] = []
    for each in tried:
        if each.start == start_of_match:
            reasons += each.too_few_points

    # On the page: "Going out concealed means opening in the same turn, and what is laid is enough
    # at no score" (`score`), or "… in no hand" (`deal`).
    reaches_none = reason(
        "out-concealed-never-opens",
        cited_settings=(_setting_of_minimums(settings), MINIMUM_HOLDS),
        wording=settings.opening_by,
    )
    return (*reasons, reaches_none)


def _explain_which_minimums_are_reached(settings: Settings, reached: list[_TriedMinimum]) -> Reason:
    """Explain that the player may go out only where one of these minimums of points holds.

    A minimum holds from a score of the match on or, in other games, in one round of it.
    """
    depends_on_round = settings.opening_by == "deal"
    # The sentence lists them, as `0:50 1500:90` by score, or as `1:50 2:90` by round.
    name_of_list = "deals" if depends_on_round else "steps"
    list_of_minimums: dict[str, MessageArgument] = {name_of_list: _write_minimums(reached)}
    # On the page: "The match score is not known: these cards are enough to open only at these
    # scores …"
    return reason(
        "out-concealed-if-reached",
        # Where the minimums are listed, and that they hold for a player who goes out too.
        cited_settings=(_setting_of_minimums(settings), MINIMUM_HOLDS),
        wording=settings.opening_by,
        **list_of_minimums,
    )


def _write_minimums(minimums: list[_TriedMinimum]) -> str:
    """Write minimums of points as text, which a message to the player takes as its argument.

    `0:50 1500:90` are 50 points from a score of 0 on, and 90 from a score of 1500 on. In a game in
    which they depend on the round, `2:90` are 90 points in the second round.
    """
    return " ".join(f"{each.start}:{each.minimum}" for each in minimums)


def _setting_of_minimums(settings: Settings) -> str:
    """Name the setting that lists the minimums of points: by number of the round, or by score."""
    return "opening-deals" if settings.opening_by == "deal" else "opening-steps"


def _try_every_minimum(rules: Ruleset, question: OutQuestion) -> list[_TriedMinimum]:
    """Check for each minimum of points in this game whether the cards of the question reach it.

    A minimum starts to hold at a score of the match or, in other games, in a round of it. The cards
    are judged as if the question were asked at that moment.
    """
    tried: list[_TriedMinimum] = []
    for start, minimum in _list_minimums_by_start(rules.settings).items():
        question_at_start = _ask_at(rules.settings, question, start)
        table = _build_table_at_end(rules, question_at_start)
        too_few_points = _check_points_of_all_cards(table)
        tried.append(_TriedMinimum(start, minimum, too_few_points))
    return tried


def _ask_at(settings: Settings, question: OutQuestion, start: int) -> OutQuestion:
    """Return a copy of a question, as if it were asked when a minimum of points starts to hold.

    `start` is the number of a round in some games, and a score of the match in the others: 1500 →
    the question with the score 1500.
    """
    if settings.opening_by == "deal":
        return replace(question, deal=start)
    return replace(question, score=start)


def _list_minimums_by_start(settings: Settings) -> Mapping[int, int]:
    """List every minimum of points of this game, by where it starts to hold.

    - by number of the round: `{1: 50, 2: 90}`
    - by score of the match: `{-5: 15, 0: 50, 1500: 90}`, where -5 stands for any score below zero
    """
    if settings.opening_by == "deal":
        return dict(enumerate(settings.opening_deals, start=_FIRST_HAND))

    minimums = {_BELOW_ZERO: settings.opening_below_zero}
    minimums |= dict(settings.opening_steps)  # pairs of a score and the minimum from there on
    return minimums


# ------------------------------------------------------------------------------- the melds on the table


def decide_going_out(
    rules: Ruleset, question: OutQuestion, points: _PointsOfCards = _NEED_NO_POINTS
) -> Ruling:
    """Decide whether a player may go out (play the last card and so end the round).

    If so, the details give the bonus for it: `{"bonus": 100}`. `points` says whether the cards are
    worth enough, in a game in which that matters.
    """
    table = _build_table_at_end(rules, question)
    comments = tuple(_comment_on_going_out(table, question))

    reasons_against = (*against_going_out(rules, question), *points.too_few)
    if reasons_against:
        details: Details = {}
        if points.missed_minimum is not None:
            details["minimum"] = points.missed_minimum
        return forbidden(reasons_against + comments, details)

    bonus = _find_bonus(table, concealed=question.concealed)
    reasons_for = (
        *_explain_permission_to_go_out(table, question),
        _explain_bonus(bonus),
        *points.comments,
    )
    return allowed(reasons_for + comments, {"bonus": bonus.points})


class _OutBonus(NamedTuple):
    """The bonus for going out, and the settings that give it."""

    points: int
    settings: tuple[str, ...]


def _find_bonus(table: Table, *, concealed: bool) -> _OutBonus:
    """Find the bonus for going out, as the score of the round counts it: usually 100 points.

    The result also has the settings of the rules that give the bonus. `concealed`: the player laid
    all cards in one turn.
    """
    party = table.parties[ASKER]  # the sides that lay their cards together
    bonus = count_bonus_for_going_out(table, party, concealed=concealed)
    settings_changed = table.rules.find_settings_chosen_by_players(bonus.also_depends_on)
    return _OutBonus(bonus.points, (*bonus.cited_settings, *settings_changed))


def _explain_bonus(bonus: _OutBonus) -> Reason:
    """Explain how many points going out earns: "Going out is worth 100 points"."""
    if bonus.points == 0:
        # On the page: "Going out gives no points here."
        return reason("out-worth-nothing", cited_settings="out-bonus")
    return reason("out-worth", cited_settings=bonus.settings, bonus=bonus.points)


def _comment_on_going_out(table: Table, question: OutQuestion) -> Reasons:
    """Yield comments that are added to the answer, whether the player may go out or not.

    One is about a partner who was asked where there is none, the other about a canasta (a group of
    seven cards or more) of jokers and twos alone.
    """
    says_partner_was_asked = question.permission is not Permission.NOT_ASKED
    if says_partner_was_asked and not has_partner(table.settings):
        # On the page: "Here everybody plays alone: there is no partner to ask."
        yield reason("permission-of-nobody", cited_settings="sides")
    elif says_partner_was_asked and table.settings.permission == "none":
        # On the page: "Here the partner is not asked: the answer binds nobody."
        yield reason("permission-without-asking", cited_settings="permission")

    # On the page: "Here seven twos count as a natural canasta. That is an interpretation."
    yield from explain_inference_about_wild_canastas(table.rules, table.parties[ASKER])


def against_going_out(rules: Ruleset, question: OutQuestion) -> tuple[Reason, ...]:
    """List what forbids a player to go out, that is, to play the last card and end the round.

    An empty result means that the player may go out.
    """
    # The cards on the table: for example, too few complete melds, or a wrong last discard.
    table = _build_table_at_end(rules, question)
    checks = _OUT_CHECKS | select_checks_of_table_melds(rules)
    against_cards = run_checks(table, checks)

    # The partner: in some games a player must ask, and a "no" is binding.
    against_permission = _check_permission_of_partner(rules.settings, question.permission)
    against_foot = _check_feet(rules.settings, question)
    return (*against_cards, *against_permission, *against_foot)


def _check_feet(settings: Settings, question: OutQuestion) -> Reasons:
    """Yield a reason if the player or the partner has yet to play from the foot, the second hand.

    In most games each player has one hand only.
    """
    if settings.hands_each == 1:
        return
    if question.foot is False:
        # On the page: "Only whoever plays from the foot goes out: after the last card of the hand
        # the foot is taken up."
        yield reason("out-foot-to-come", cited_settings="hands-each")
    if settings.out_partner_foot == "needed" and question.partner_foot is False:
        # On the page: "The partner must have played at least part of a turn from the foot, and has
        # not."
        yield reason("out-partner-foot-missing", cited_settings="out-partner-foot")


def _check_permission_of_partner(settings: Settings, permission: Permission) -> Reasons:
    """Yield a reason if the partner's answer forbids the player to go out (end the round).

    - the partner refused → always a reason
    - the partner was not asked → a reason in games in which the player must ask
    """
    if not has_partner(settings) or settings.permission == "none":
        return
    must_ask = settings.permission == "must-ask"
    if permission is Permission.REFUSED:
        # On the page: "The partner said no: the answer binds, and there is no going out in this
        # turn."
        yield reason("permission-refused", cited_settings="permission")
    elif permission is Permission.NOT_ASKED and must_ask:
        # On the page: "Here the partner must be asked before going out, and was not."
        yield reason("permission-not-asked", cited_settings="permission")


def _build_table_at_end(rules: Ruleset, question: OutQuestion) -> Table:
    """Build the table as it is when the player goes out and the round ends.

    A score of the match or a number of the round that the question leaves out is that of the start
    of a match.
    """
    laid = SideEntry(melds=enter_melds(question.table), red_threes=question.red_threes)
    last_play = Out(side=ASKER, concealed=question.concealed, discard=question.discard)
    return build_table_of_asker(
        rules,
        laid,
        out=last_play,
        score=question.score or _SCORE_AT_START,
        deal=question.deal or _FIRST_HAND,
    )


def _explain_permission_to_go_out(table: Table, question: OutQuestion) -> Reasons:
    """Explain why the player may go out (end the round), and what is still to be done for it."""
    settings = table.settings
    yield _explain_canastas(table)
    yield from explain_longer_melds(table)
    if question.concealed:
        yield from _explain_concealed_out(settings)
    yield from _list_conditions_on_feet(settings, question)
    if question.discard is None:
        yield from _remind_of_discard(settings)


def _list_conditions_on_feet(settings: Settings, question: OutQuestion) -> Reasons:
    """Yield what must be so of the players' second hands, the "feet", if it is not known."""
    if settings.hands_each == 1:
        return
    if question.foot is None:
        # On the page: "Only from the foot: whoever has used up the hand takes up the foot."
        yield reason("out-hangs-on-foot", cited_settings="hands-each")
    if settings.out_partner_foot == "needed" and question.partner_foot is None:
        # On the page: "Only if the partner has played at least part of a turn from the foot."
        yield reason("out-partner-foot", cited_settings="out-partner-foot")


def _remind_of_discard(settings: Settings) -> Reasons:
    """Yield a reminder to discard the last card, in a game in which a player who goes out must."""
    if settings.last_discard == "obligatory":
        # On the page: "The discard is still to come: going out takes one here."
        yield reason("out-discard-to-come", cited_settings=("last-discard", "last-discard-special"))


def _explain_canastas(table: Table) -> Reason:
    """Explain that the side has enough canastas (groups of seven cards or more) to go out.

    The sentence gives the number that it has, and the number that it needs.
    """
    settings = table.settings
    if settings.canasta_families_needed:  # such as at least one natural canasta, without wild cards
        return _explain_canastas_of_families(table)
    # On the page: "Going out takes two canastas: there are two", or "Going out takes no canastas
    # here."
    return reason(
        "out-canastas-enough",
        cited_settings="canastas-needed",
        wording="number" if settings.canastas_needed > 0 else "none",
        has=_count_canastas(table.parties[ASKER]),
        needed=settings.canastas_needed,
    )


def _count_canastas(party: Party) -> int:
    """Count the canastas (groups of seven cards or more) of a party, of all families together.

    A party are the sides that lay their cards together. Two natural canastas (without jokers and
    twos) and a mixed one → 3.
    """
    return party.families.total()


def _explain_canastas_of_families(table: Table) -> Reason:
    """Explain that the side has enough canastas, and enough of each kind that going out takes.

    A canasta is a group of seven cards or more. In some games going out takes three of them, and
    two of these must be natural ones (without jokers and twos).
    """
    settings = table.settings
    party = table.parties[ASKER]
    cited_settings = [*list_settings_of_canastas_needed(settings)]
    if has_canasta_of_inferred_family(table.rules, party):
        cited_settings.append("canastas")
    # On the page: "Going out takes at least three canastas, among them two natural ones. In all,
    # there are four."
    return reason(
        "out-canastas-enough",
        cited_settings=cited_settings,
        wording="families",
        has=_count_canastas(party),
        needed=settings.canastas_needed,
        families=_list_canastas_by_family(settings, party),
    )


def _list_canastas_by_family(settings: Settings, party: Party) -> tuple[Needed, ...]:
    """List how many canastas of each family going out takes, and how many the party has.

    A canasta is a group of seven cards or more. Two natural ones (without jokers and twos) are
    needed and there are three → `(Needed("natural", count=2, has=3),)`.
    """
    families: list[Needed] = []
    for family, number_needed in settings.canasta_families_needed:
        number_there = party.families[family]
        families.append(Needed(family, count=number_needed, has=number_there))
    return tuple(families)


def _explain_concealed_out(settings: Settings) -> Reasons:
    """Explain to a player who goes out "concealed" (lays all cards in one turn) what that earns.

    In some games the bonus is larger then, and the explanation says what counts as concealed.
    """
    has_own_bonus = settings.concealed_out_bonus != settings.out_bonus
    if not has_own_bonus:
        yield from _explain_lack_of_concealed_bonus(settings)
    elif settings.concealed_out == "own-melds-only":
        # On the page: "It counts if the player lays nothing on the partner's melds, and a canasta
        # of their own."
        yield reason("out-concealed-own-melds", cited_settings="concealed-out")
    elif settings.concealed_out == "with-lay-offs":
        # On the page: "It counts if the player lays a whole canasta in this turn; cards may also be
        # laid on the side's melds."
        yield reason("out-concealed-with-lay-offs", cited_settings="concealed-out")
    else:
        # On the page: "It counts if there was no opening before this turn, and the minimum still
        # applies."
        yield reason("out-concealed-opens", cited_settings=("concealed-out", MINIMUM_HOLDS))


def _explain_lack_of_concealed_bonus(settings: Settings) -> Reasons:
    """Yield the comment that laying all cards in one turn earns no more than going out otherwise.

    Where going out earns no points at all, another sentence says so, and this one is left out.
    """
    if settings.out_bonus == 0:
        return
    # On the page: "Going out concealed: here it gives no more points than going out otherwise."
    yield reason("out-concealed-no-more", cited_settings="concealed-out-bonus")
