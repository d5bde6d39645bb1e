"""Everything that goes wrong at a table: what it costs, what else follows, and who says so.

Expected values are those of the pages of rules that the data cite.
"""

from collections.abc import Iterable

import pytest

from scorepad.i18n import words
from scorepad.referee.answering import give_ruling
from scorepad.referee.penalties import (
    Costs,
    Irregularity,
    irregularities,
    irregularity,
)
from scorepad.referee.questions import PenaltyQuestion
from scorepad.rules.definitions import FreeIrregularity, Standing
from scorepad.rules.loader import load_irregularities
from scorepad.rules.variants import settle, sources, variant_ids

PENALTIES = [
    ("red-three-not-exposed", 500),
    ("pile-taken-without-meld", 50),
    ("pile-taken-top-card-unused", 200),
    ("draw-out-of-turn", 100),
    ("meld-out-of-turn-opponents", 100),
    ("meld-out-of-turn-partner", 200),
    ("permission-then-no-out", 100),
]
"""What costs points in every game with penalties, in the order of the list that players see."""
PENALTIES_OF_MODERNA = [*PENALTIES, ("mismeld", 10)]
# Irregularities that cost no points. What follows from one instead is its remedy.
BETWEEN_PARTNERS = {"out-after-no", "partner-talk"}
STATED_FOR_SAMBA = {"exposed-card", "two-cards-discarded", "opening-under-minimum"}
"""What the source describes for samba; it holds by inference in the other games."""
STATED_FOR_CLASSICA = {"wrong-dealer", "wrong-dealer-late", "meld-taken-back", "draw-taken-back"}
WITHOUT_POINTS = BETWEEN_PARTNERS | STATED_FOR_SAMBA | STATED_FOR_CLASSICA
CLASSIC_GAMES = ("classica", "due", "tre", "tagliagola", "sei", "cinque")
GAMES_WITH_PENALTIES = [name for name in variant_ids() if name != "mini"]
GAMES_WITHOUT_PARTNERS = ["due", "tre"]
GAMES_WITH_PARTNERS = [name for name in GAMES_WITH_PENALTIES if name not in GAMES_WITHOUT_PARTNERS]
"""With tagliagola, where two are partners for the hand."""


def list_penalties(listed: Iterable[Irregularity]) -> list[tuple[str, int | None]]:
    """List the irregularities that cost points, each by its code and its points."""
    return [(each.code, each.points) for each in listed if each.costs is Costs.POINTS]


def list_codes_without_points(variant: str) -> set[str]:
    """List the irregularities of a game that cost nothing, by their codes."""
    listed = irregularities(settle(variant))
    return {each.code for each in listed if each.costs is Costs.NOTHING}


@pytest.mark.parametrize("variant", GAMES_WITH_PENALTIES)
def test_penalties_have_the_expected_points(variant: str) -> None:
    # For example drawing out of turn costs 100 points. Moderna has one penalty more.
    expected = PENALTIES_OF_MODERNA if variant == "moderna" else PENALTIES
    assert list_penalties(irregularities(settle(variant))) == expected


@pytest.mark.parametrize("variant", GAMES_WITH_PENALTIES)
def test_penalties_are_listed_first_and_what_the_table_agreed_on_last(variant: str) -> None:
    *others, last = irregularities(settle(variant))

    # First come those that cost points, then those that cost nothing.
    costs = [each.costs for each in others]
    penalties = costs.count(Costs.POINTS)
    without_points = costs.count(Costs.NOTHING)
    assert costs == [Costs.POINTS] * penalties + [Costs.NOTHING] * without_points

    # The last is a penalty that a table makes up, with points as it agreed.
    assert last.code == "house"
    assert last.costs is Costs.AGREED


@pytest.mark.parametrize("variant", GAMES_WITH_PARTNERS)
def test_irregularities_without_points_are_the_same_in_all_games(variant: str) -> None:
    # For example a card shown by mistake ("exposed-card") costs no points.
    assert list_codes_without_points(variant) == WITHOUT_POINTS


@pytest.mark.parametrize("variant", GAMES_WITHOUT_PARTNERS)
def test_games_without_partners_have_no_irregularity_between_partners(variant: str) -> None:
    # Nobody can talk with a partner, or go out though the partner said no.
    assert list_codes_without_points(variant) == STATED_FOR_SAMBA | STATED_FOR_CLASSICA


def test_red_three_that_may_be_kept_costs_only_what_the_count_deducts() -> None:
    # A red three has to be laid on the table at once. A table may choose that it can be kept in
    # hand: then this is no mistake.
    rules = settle("samba", preset=None, options={"red-threes-may-be-kept": True})

    red_three, *others = irregularities(rules)

    # It costs 750 points in samba when the hand is counted, and no penalty beside.
    assert red_three.code == "red-three-not-exposed"
    assert red_three.costs is Costs.HELD
    assert red_three.points == 750

    # All other penalties are as usual.
    assert list_penalties(others) == [
        penalty for penalty in PENALTIES if penalty != ("red-three-not-exposed", 500)
    ]


def test_mini_has_no_irregularities() -> None:
    assert irregularities(settle("mini")) == ()
    assert irregularity(settle("mini"), "exposed-card") is None


@pytest.mark.parametrize("code", sorted(STATED_FOR_SAMBA))
def test_irregularity_stated_for_samba_is_inferred_in_other_games(code: str) -> None:
    # The source tells of these in its description of samba, and not in those of other games.
    for variant in GAMES_WITH_PENALTIES:
        expected = Standing.STATED if variant == "samba" else Standing.INFERRED
        assert irregularity(settle(variant), code).cited.standing is expected


@pytest.mark.parametrize("code", sorted(STATED_FOR_CLASSICA))
def test_irregularity_stated_for_classic_games_is_inferred_in_others(code: str) -> None:
    # The source tells of these in its description of classica, and not in those of other games.
    # The classic games are classica for other numbers of players.
    for variant in GAMES_WITH_PENALTIES:
        expected = Standing.STATED if variant in CLASSIC_GAMES else Standing.INFERRED
        assert irregularity(settle(variant), code).cited.standing is expected


@pytest.mark.parametrize("variant", GAMES_WITH_PENALTIES)
def test_inferred_irregularity_has_its_argument_in_words(variant: str) -> None:
    # Where no source of a game says what follows from a mistake, it is inferred, for example from
    # what a source says of samba. Players can read this argument: `read` is the key of its text.
    texts = words("it")
    for each in irregularities(settle(variant)):
        argument = each.cited.read
        if each.cited.standing is Standing.INFERRED:
            assert texts.has(f"read.{argument}"), each.code


@pytest.mark.parametrize("language", ["it", "en"])
def test_irregularities_have_names_and_remedies_in_words(language: str) -> None:
    # The remedy of an irregularity says what follows from it, as a whole sentence.
    texts = words(language)
    for each in irregularities(settle("classica")):
        assert texts.has(f"penalty.{each.code}"), each.code
        if each.remedy:
            assert texts.t(f"remedy.{each.remedy}").endswith("."), each.code


IN_CLASSICA = {each.code: each for each in irregularities(settle("classica"))}


@pytest.mark.parametrize("code", sorted(IN_CLASSICA.keys() - {"house"}))
def test_referee_answers_with_points_and_remedy_of_irregularity(code: str) -> None:
    # An irregularity is a mistake at the table, such as drawing out of turn. That costs 100 points,
    # and has a remedy, "penalty-cards", which says what else follows from it.
    irregularity = IN_CLASSICA[code]
    expected: dict[str, object] = {"points": irregularity.points}

    # Where a mistake costs nothing, the answer has no number of points.
    if irregularity.points == 0:
        expected["points"] = None
    # Where nothing else follows from it, the answer has no remedy.
    if irregularity.remedy is not None:
        expected["remedy"] = irregularity.remedy

    # The referee is asked what it costs.
    ruling = give_ruling(settle("classica"), PenaltyQuestion(code))

    assert ruling.verdict == "value"
    assert ruling.details == expected
    for reason in ruling.reasons:
        assert reason.sources


def test_referee_is_silent_about_penalty_that_the_table_agreed_on() -> None:
    # "house" stands for any penalty that a table made up. Nobody but the table knows its points.
    ruling = give_ruling(settle("classica"), PenaltyQuestion("house"))
    assert ruling.verdict == "silent"
    assert ruling.details == {}


def test_irregularities_without_points_have_remedies_and_sources() -> None:
    listed: dict[str, FreeIrregularity] = {}
    for group in load_irregularities().values():
        listed |= group
    assert listed.keys() == WITHOUT_POINTS

    # Each says how the mistake is repaired. Only talk with a partner cannot be.
    without_remedy = {code for code, each in listed.items() if not each.remedy}
    assert without_remedy == {"partner-talk"}

    # Each cites a section that exists of a source.
    for each in listed.values():
        for citation in each.cited.citations:
            assert citation.section in sources()[citation.source].sections
