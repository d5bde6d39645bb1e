"""Irregularities: mistakes at the table, the points that they cost, and what else follows.

The variant defines the penalties; a variant may have none. Irregularities without points are the
same in all variants.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scorepad.errors import ChoiceError, VariantError
from scorepad.referee.in_force import has_partner
from scorepad.referee.questions import PenaltyQuestion
from scorepad.referee.reasons import find_mistakes_about_setting, reason
from scorepad.referee.ruling import Details, Reason, Reasons, Ruling, silent, value
from scorepad.rules.checks import MessageArgument
from scorepad.rules.definitions import (
    Cited,
    FreeIrregularity,
    PenaltyKind,
    Ruleset,
    Variant,
    citation_texts,
)
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.loader import load_irregularities
from scorepad.rules.settings import Settings
from scorepad.rules.variants import find_shipped_game, get_variant


class Costs(StrEnum):
    """The kinds of cost of an irregularity."""

    POINTS = "points"
    NOTHING = "nothing"
    """The sources that mention it name no points."""
    HELD = "held"
    """The cost of a red three left in hand in this game, which the count already deducts."""
    AGREED = "agreed"
    """The table decides."""


class Irregularity(NamedTuple):
    """A mistake at the table, by its code, with words under `penalty.…`.

    `points` are deducted from the side that did it: 0 if there are none or the table decides, and
    the deduction of the count if it costs the same as a red three in hand; `remedy` is the other
    consequence (words under `remedy.…`), or None.
    """

    code: str
    costs: Costs
    points: int
    remedy: str | None
    cited: Cited

    @property
    def sources(self) -> tuple[str, ...]:
        return citation_texts([self.cited])


PENALTIES_WITH_PARTNER = ("meld-out-of-turn-partner", "permission-then-no-out")
"""Penalties for mistakes that require a partner."""
_OUT_AGAINST_REFUSAL = "out-after-no"
"""The irregularity of a player who goes out though the partner, when asked, refused it."""

# How the reasons of a red three that was not exposed are worded: their argument `why`.
_MAY_BE_KEPT = "kept"
"""Red threes may be kept in hand here, and only the count of the hand deducts points for them."""
_POINTS_FOR_EACH = "each"
"""The penalty is so many points for each red three."""
_COUNT_DEDUCTS_OTHER_POINTS = "own"
"""The count of the hand deducts another number of points than the penalty."""


def irregularities(rules: Ruleset) -> tuple[Irregularity, ...]:
    """List the irregularities (mistakes at the table) that can happen in this game.

    First come those that cost points, then those that cost none, then those whose points the
    players agree on. If the rule books of a game mention no penalties, the list is empty.
    """
    if not rules.penalties:
        return ()
    with_points: list[Irregularity] = []
    agreed_by_players: list[Irregularity] = []
    for penalty in rules.penalties.values():
        offence = _build_irregularity_with_penalty(rules, penalty)
        if offence.costs is Costs.AGREED:
            agreed_by_players.append(offence)
        else:
            with_points.append(offence)
    return (*with_points, *_list_irregularities_without_points(rules), *agreed_by_players)


def _list_irregularities_without_points(rules: Ruleset) -> list[Irregularity]:
    """List the mistakes that cost no points and can happen in this game.

    The file that lists them has them under a condition: those under `with-partner` can happen only
    in a game with partners.
    """
    without_points: list[Irregularity] = []
    for condition, mistakes_by_code in load_irregularities().items():
        if not _can_happen(rules.settings, condition):
            continue
        for mistake in mistakes_by_code.values():
            without_points.append(_build_irregularity_without_points(rules, mistake))
    return without_points


def irregularity(rules: Ruleset, code: str) -> Irregularity | None:
    """Find an irregularity (a mistake at the table) by its code, such as `draw-out-of-turn`.

    None if the game does not have it.
    """
    for each in irregularities(rules):
        if each.code == code:
            return each
    return None


def _build_irregularity_with_penalty(rules: Ruleset, penalty: PenaltyKind) -> Irregularity:
    """Build the irregularity (a mistake at the table) for a penalty that the rules list.

    - a red three not laid down, in a game in which one may keep it → its cost as a card in hand
    - a penalty to which the rules give no points → the players agree on them
    - any other → the points of the penalty
    """
    may_keep_red_threes = rules.settings.red_threes_kept != "exposed"
    cited = penalty.cited
    if penalty.code == NOT_EXPOSED and may_keep_red_threes:
        costs = Costs.HELD
        points = rules.settings.held_red_three
        cited = rules.cited["held-red-three"]
    elif penalty.points is None:
        costs = Costs.AGREED
        points = 0
    else:
        costs = Costs.POINTS
        points = penalty.points
    return Irregularity(penalty.code, costs, points, penalty.remedy, cited)


# --------------------------------------------------------------------- irregularities without points


def _can_happen(settings: Settings, condition: str) -> bool:
    """Tell whether a game meets the condition under which some irregularities are listed.

    - `"with-partner"` → True in a game with partners
    - `"with-minimum"` → True in a game in which the first melds (groups of cards) of a side must
      reach a minimum of points
    - `"always"` → True
    """
    if condition == "with-partner":
        return has_partner(settings)
    if condition == "with-minimum":
        return settings.opening_by != "nothing"
    return True


def _build_irregularity_without_points(rules: Ruleset, listed: FreeIrregularity) -> Irregularity:
    """Build the irregularity for a mistake that costs no points, citing the sources that mention it."""
    if listed.code == _OUT_AGAINST_REFUSAL:
        # A setting of the rules says what a partner's "no" means, and cites more than the list.
        cited = rules.cited["permission"]
    else:
        cited = _cite_for_this_game(rules, listed)
    return Irregularity(
        code=listed.code, costs=Costs.NOTHING, points=0, remedy=listed.remedy, cited=cited
    )


def _cite_for_this_game(rules: Ruleset, listed: FreeIrregularity) -> Cited:
    """Return what supports a rule about a mistake at the table, as far as it holds in this game.

    The rule book that mentions the mistake describes one game, `listed.game`, and states the rule
    of that one. For other games the rule is only a conclusion. But a book about the classic game
    may also state it of games that are based on the classic one.
    """
    variant = _find_shipped_variant(rules)  # None if its file was removed since
    if variant is not None and variant.id == listed.game:
        return listed.cited
    if variant is not None and _is_classic_game(get_variant(listed.game)):
        # A book that tells this game as the classic one with changes states its rules too.
        return variant.cite_inherited(listed.cited)

    # The page says how it was concluded, by a text such as `told-of-samba`: "told of Samba".
    name_of_text = f"told-of-{listed.game}"
    return listed.cited.in_other_game(name_of_text)


def _find_shipped_variant(rules: Ruleset) -> Variant | None:
    """Find the game of these rules that comes with the app.

    The rules of samba, or of a user's house rules that are based on samba → samba. None if the file
    of the house rules has been removed since: a match keeps the rules with which it began.
    """
    try:
        variant = get_variant(rules.variant)
        return find_shipped_game(variant)
    except (ChoiceError, VariantError):  # the file, or one that it is based on, is gone or broken
        return None


def _is_classic_game(variant: Variant) -> bool:
    """Tell whether a variant (game) is the classic one, for any number of players.

    All other games are based on it: it alone inherits its rules from no other.
    """
    return variant.reasoning_for_rest is None


# ------------------------------------------------------------------------------------------- rulings


def rule_penalty(rules: Ruleset, question: PenaltyQuestion) -> Ruling:
    """Say what an irregularity (a mistake at the table) costs, and what else happens after it.

    The details are as in `{"points": 100, "remedy": "pile-put-back"}`. The referee gives no answer
    if no rule book mentions the mistake, or if the players must agree on the points.
    """
    offence = irregularity(rules, question.code)
    if offence is None:
        return _answer_for_unknown_penalty(rules, question.code)
    if offence.costs is Costs.AGREED:
        # On the page: "The table decides the points, with a reason, and the sources give none."
        agreed = _cite_sources_of_offence(offence, "penalty-agreed", penalty=offence.code)
        return silent((agreed,))
    return value(tuple(_explain_offence(rules, offence)), _describe_offence(rules, offence))


def _explain_offence(rules: Ruleset, offence: Irregularity) -> Reasons:
    """Explain a mistake at the table: its cost, what else happens, and notes on the rule books."""
    yield from _explain_cost(rules, offence)
    is_without_partner = not has_partner(rules.settings)
    if is_without_partner and offence.code in PENALTIES_WITH_PARTNER:
        # On the page: "But here everybody plays alone: without a partner this does not happen."
        yield reason("penalty-without-partner", cited_settings="sides")
    if offence.remedy:
        # "The pile is put back", for example.
        yield _cite_sources_of_offence(offence, "penalty-remedy", remedy=offence.remedy)
    yield from _list_mistakes_about_penalty(rules, offence)


def _answer_for_unknown_penalty(rules: Ruleset, code: str) -> Ruling:
    """Answer that the rule books do not mention this penalty, or that they mention none at all."""
    if rules.penalties:
        # On the page: "The sources say nothing of this case."
        not_listed = reason("penalty-not-listed", cited_settings="penalties-known", penalty=code)
        return silent((not_listed,))
    # On the page: "In this game the sources speak of no penalties and no irregularities."
    none_at_all = reason("penalties-none", cited_settings="penalties-known", penalty=code)
    return silent((none_at_all,))


def _list_mistakes_about_penalty(rules: Ruleset, offence: Irregularity) -> Reasons:
    """Yield notes on known mistakes in the rule books about a red three that was not laid down.

    Red threes are bonus cards. A rule book may give two costs for the same thing: a penalty for not
    laying one down, and a deduction for having it left in hand. Only then there is a note.
    """
    if offence.code != NOT_EXPOSED or offence.costs is not Costs.POINTS:
        return
    if _is_penalty_the_cost_in_hand(rules, offence):
        yield from find_mistakes_about_setting(rules, f"penalties/{offence.code}")


def _describe_offence(rules: Ruleset, offence: Irregularity) -> Details:
    """Describe what a mistake costs, and what else happens after it, as details of the answer.

    - most mistakes → `{"points": 100, "remedy": "pile-put-back"}`
    - a mistake without penalty → `{"points": None}`
    - a red three not laid down → also `"held"`, its cost as a card left in hand, if that is another
    """
    points = offence.points if offence.costs is Costs.POINTS else None
    details: Details = {"points": points}
    if offence.code == NOT_EXPOSED:
        details |= _describe_other_deduction(rules.settings, points)
    if offence.remedy:
        details["remedy"] = offence.remedy
    return details


def _describe_other_deduction(settings: Settings, penalty_points: int | None) -> Details:
    """Describe what a red three left in hand costs, if it is not as much as the penalty.

    Red threes are bonus cards to be laid down at once. A penalty of 100 and a cost of 500 →
    `{"held": 500}`; 100 for both → no detail.
    """
    cost_in_hand = settings.held_red_three
    if cost_in_hand == penalty_points:
        return {}
    return {"held": cost_in_hand}


def _explain_cost(rules: Ruleset, offence: Irregularity) -> Reasons:
    """Explain how many points a mistake at the table costs: "100 points off the offending side".

    For a red three (a bonus card) not laid down, also its cost as a card left in hand is told.
    """
    if offence.costs is Costs.HELD:  # a red three that may be kept
        yield _explain_that_red_three_may_be_kept(offence.points)
    elif offence.costs is Costs.NOTHING:
        # On the page: "The sources give no points for it."
        yield _cite_sources_of_offence(offence, "penalty-without-points", penalty=offence.code)
    elif offence.code == NOT_EXPOSED:  # a red three that had to be laid down
        yield from _explain_two_costs_of_red_three(rules, offence)
    else:
        yield _explain_points_of_penalty(offence)


def _explain_that_red_three_may_be_kept(points: int) -> Reason:
    """Explain that a red three (a bonus card) may be kept in hand, and what it costs at the end."""
    # On the page: "Here a red three may be kept in hand, which is no offence."
    return reason(
        "penalty-of",
        cited_settings=("red-threes-kept", "held-red-three"),
        wording=_MAY_BE_KEPT,
        points=points,
    )


def _explain_points_of_penalty(offence: Irregularity) -> Reason:
    """Explain how many points a penalty is: "100 points off the offending side"."""
    return _cite_sources_of_offence(
        offence, "penalty-of", penalty=offence.code, points=offence.points
    )


def _explain_two_costs_of_red_three(rules: Ruleset, offence: Irregularity) -> tuple[Reason, Reason]:
    """Explain the penalty for not laying down a red three, and warn not to enter its cost twice.

    A red three (a bonus card) still in hand can be entered as a penalty, or as a card left in hand.
    Both deduct points.
    """
    warning = _warn_of_double_entry(rules.settings, offence.points)
    if not _is_penalty_the_cost_in_hand(rules, offence):
        # The sentence that this game's own rule books support comes first: here it is the warning.
        return (warning, _explain_penalty_for_each_red_three(offence))

    # On the page: "100 points off the offending side for each red three" (`each`), or "in all,
    # however many red threes there are" (`once`).
    penalty = reason(
        "penalty-of",
        cited_settings=("held-red-three", "held-red-three-counts"),
        wording=rules.settings.held_red_three_counts,
        penalty=offence.code,
        points=offence.points,
    )
    return (penalty, warning)


def _explain_penalty_for_each_red_three(offence: Irregularity) -> Reason:
    """Explain the penalty for red threes not laid down: "100 points for each red three"."""
    return _cite_sources_of_offence(
        offence, "penalty-of", penalty=offence.code, points=offence.points, why=_POINTS_FOR_EACH
    )


def _is_penalty_the_cost_in_hand(rules: Ruleset, offence: Irregularity) -> bool:
    """Tell whether the penalty for not laying down a red three is the cost of having it in hand.

    They are one and the same deduction if one passage of a rule book is cited for both.
    """
    passages_on_cost_in_hand = rules.list_passages_of("held-red-three")
    return any(passage in passages_on_cost_in_hand for passage in offence.sources)


def _warn_of_double_entry(settings: Settings, penalty_points: int) -> Reason:
    """Warn not to enter the same red three twice on the score form.

    A red three (a bonus card) that was not laid down can be entered as a penalty or as a card left
    in hand, and both cost points.
    """
    costs_the_same = settings.held_red_three == penalty_points
    if costs_the_same:
        # On the page: "In the count it is the same thing as a red three left in hand: enter it only
        # once." It costs so much for `each` red three, or only `once` for all.
        wording: str = settings.held_red_three_counts
    else:
        wording = _COUNT_DEDUCTS_OTHER_POINTS
    return reason(
        "penalty-counted-once",
        cited_settings="held-red-three",
        wording=wording,
        points=settings.held_red_three,
    )


def _cite_sources_of_offence(
    offence: Irregularity, code: str, **arguments: MessageArgument
) -> Reason:
    """Build a reason of the ruling that cites the rule books about a mistake at the table.

    `code` is the key of the sentence shown, such as `penalty-of`; `arguments` are filled into it.
    """
    return Reason(
        code, arguments=arguments, sources=offence.sources, standing=offence.cited.standing
    )
