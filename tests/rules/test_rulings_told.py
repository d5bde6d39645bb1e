"""What a ruling rests on and how it is told, beside what `tests/rulings/edges` has of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import describe_finding, explain_reason
from scorepad.i18n.verdicts import describe_verdict
from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import MeldQuestion, OutQuestion
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.cards import NO_CARDS, Kind, read_cards
from scorepad.rules.hand import Adjustment, HeldInPoints, PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from tests.rules.hands import hand
from tests.rules.test_worked_rulings import answered


def test_of_sevens_with_wild_cards_the_rule_of_that_is_named_and_not_that_of_the_limit() -> None:
    moderna = settle("moderna")
    for cards, named in (("4x7 2", "natural-only"), ("4xK 3x2", "wild-limit")):
        (reason,) = give_ruling(moderna, MeldQuestion(read_cards(cards))).reasons
        assert reason.rules == (named,)


def test_the_rules_of_a_reason_are_settings_and_statements_each_once() -> None:
    cited_settings = ("opening-steps/1500", "opening-steps", "penalties/exposed-card", "pile")
    assert Reason("opening-reached", cited_settings=cited_settings).rules == (
        "opening-steps",
        "pile",
    )


def test_a_ruling_without_a_play_lays_no_cards() -> None:
    assert Ruling(Verdict.ALLOWED).laid == NO_CARDS


@pytest.mark.parametrize(
    ("variant", "options", "figure"),
    [("classica", {}, "500"), ("samba", {"red-threes-may-be-kept": True}, "750")],
)
def test_a_red_three_in_hand_has_one_price_where_the_count_has_none_of_its_own(
    variant: str, options: dict[str, bool], figure: str
) -> None:
    code = "red-three-not-exposed"
    told = answered({"kind": "penalty", "variant": variant, "code": code, "options": options})
    for reason in told["reasons"]:
        numbers = {word for word in reason["message"].split() if word.isdigit()} - {"3"}
        assert numbers <= {figure} or reason["code"].startswith("fault-")
    assert (
        describe_verdict("penalty", told["verdict"], told["details"], words("it")) == f"−{figure}"
    )


@pytest.mark.parametrize(
    ("variant", "entry", "word", "is_there"),
    [
        ("mini", SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),)), "non ha penalità", True),
        ("mini", SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),)), ": .", False),
        ("classica", SideEntry(penalties=(PenaltyEntry("misdeal"),)), "draw-out-of-turn", True),
        # Points that the table decided are not told as cards.
        ("classica", SideEntry(left=HeldInPoints(7)), "le carte", True),
        ("classica", SideEntry(penalties=(PenaltyEntry("house", 7, "patto"),)), "le carte", False),
        ("classica", SideEntry(adjustments=(Adjustment(7, "patto"),)), "le carte", False),
    ],
)
def test_a_problem_of_penalties_and_points_is_told_as_what_it_is(
    variant: str, entry: SideEntry, word: str, *, is_there: bool
) -> None:
    (found,) = judge(settle(variant), hand(entry, SideEntry())).findings
    assert (word in describe_finding(found, ("noi", "loro"), words("it"))) is is_there


@pytest.mark.parametrize(
    "kept",
    [
        Reason("hand-cards-stay", {"cards": 1}),
        Reason("out-canastas-enough", {"needed": 1, "has": 1}),
        Reason("red-threes-worth", {"count": 2, "worth": 200}),
        Reason("penalty-counted-once", {"points": 500}),
        Reason("stock-top-fits-nothing"),
        Reason("stock-always-frozen", {"card": Kind.QUEEN, "naturals": 2}),
        Reason("discard-threes-together", {"card": Kind.BLACK_THREE, "threes": 4}),
    ],
    ids=lambda kept: kept.code,
)
def test_a_reason_kept_before_its_cards_were_told_keeps_its_words(kept: Reason) -> None:
    """Reasons as they were kept with a match before their messages were told apart."""
    for language in ("it", "en"):
        told = explain_reason(kept, words(language))
        assert told.endswith(".")
        assert "%(" not in told


def test_a_house_that_needs_no_canasta_says_so() -> None:
    """Three kings and a discard: nothing is wanting where no canasta is needed to go out."""
    rules = settle("classica")
    none_needed = replace(rules, settings=replace(rules.settings, canastas_needed=0))
    ruling = give_ruling(none_needed, OutQuestion((read_cards("3xK"),), discard=read_cards("4")))
    (reason,) = [each for each in ruling.reasons if each.code == "out-canastas-enough"]
    assert (reason.arguments["needed"], reason.arguments["why"]) == (0, "none")
