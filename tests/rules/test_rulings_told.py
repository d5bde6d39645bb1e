"""What a ruling rests on and how it is told, beside what `tests/rulings/edges` has of it."""

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
from tests.rules.worked_rulings import answer_question


def test_a_ruling_without_a_play_lays_no_cards() -> None:
    assert Ruling(Verdict.ALLOWED).laid == NO_CARDS


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        ("4x7 2", "natural-only"),  # sevens take no wild card at all
        ("4xK 3x2", "wild-limit"),  # at most two wild cards beside kings
    ],
)
def test_a_meld_with_wild_cards_is_refused_by_the_rule_that_it_breaks(
    cards: str, rule: str
) -> None:
    ruling = give_ruling(settle("moderna"), MeldQuestion(read_cards(cards)))
    (reason,) = ruling.reasons
    assert reason.rules == (rule,)


def test_a_reason_names_each_setting_once_and_no_penalty() -> None:
    reason = Reason(
        "opening-reached",
        cited_settings=("opening-steps/1500", "opening-steps", "penalties/exposed-card", "pile"),
    )
    assert reason.rules == ("opening-steps", "pile")


@pytest.mark.parametrize(
    ("variant", "options", "points"),
    [("classica", {}, "500"), ("samba", {"red-threes-may-be-kept": True}, "750")],
)
def test_a_red_three_kept_in_hand_has_one_price(
    variant: str, options: dict[str, bool], points: str
) -> None:
    answer = answer_question(
        {
            "kind": "penalty",
            "variant": variant,
            "code": "red-three-not-exposed",
            "options": options,
        }
    )

    verdict = describe_verdict("penalty", answer["verdict"], answer["details"], words("it"))
    assert verdict == f"−{points}"
    for reason in answer["reasons"]:
        if reason["code"].startswith("fault-"):
            continue  # a note on what a source got wrong quotes its figure
        numbers = {word for word in reason["message"].split() if word.isdigit()}
        assert numbers <= {"3", points}


def describe_problem(variant: str, entry: SideEntry) -> str:
    """The Italian sentence about the one problem of a hand in which a side has this entry."""
    (problem,) = judge(settle(variant), hand(entry, SideEntry())).findings
    return describe_finding(problem, ("noi", "loro"), words("it"))


def test_a_penalty_in_a_game_without_penalties_is_refused_as_such() -> None:
    entry = SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),))
    sentence = describe_problem("mini", entry)
    assert "non ha penalità" in sentence
    assert ": ." not in sentence, "no empty list of the penalties that there are"


def test_an_unknown_penalty_is_reported_with_those_that_there_are() -> None:
    entry = SideEntry(penalties=(PenaltyEntry("misdeal"),))
    assert "draw-out-of-turn" in describe_problem("classica", entry)


def test_points_that_no_cards_have_are_reported_as_points_of_cards() -> None:
    assert "le carte" in describe_problem("classica", SideEntry(left=HeldInPoints(7)))


@pytest.mark.parametrize(
    "entry",
    [
        SideEntry(penalties=(PenaltyEntry("house", 7, "patto"),)),
        SideEntry(adjustments=(Adjustment(7, "patto"),)),
    ],
    ids=["penalty", "adjustment"],
)
def test_points_that_the_table_decided_are_not_told_as_points_of_cards(entry: SideEntry) -> None:
    assert "le carte" not in describe_problem("classica", entry)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    "reason",
    [
        Reason("hand-cards-stay", {"cards": 1}),
        Reason("out-canastas-enough", {"needed": 1, "has": 1}),
        Reason("red-threes-worth", {"count": 2, "worth": 200}),
        Reason("penalty-counted-once", {"points": 500}),
        Reason("stock-top-fits-nothing"),
        Reason("stock-always-frozen", {"card": Kind.QUEEN, "naturals": 2}),
        Reason("discard-threes-together", {"card": Kind.BLACK_THREE, "threes": 4}),
    ],
    ids=lambda reason: reason.code,
)
def test_a_reason_stored_with_fewer_arguments_is_still_a_sentence(
    reason: Reason, language: str
) -> None:
    """Reasons as matches stored them before their messages named the cards too."""
    sentence = explain_reason(reason, words(language))
    assert sentence.endswith(".")
    assert "%(" not in sentence, "no placeholder is left open"


def test_where_no_canasta_is_needed_going_out_without_one_is_explained() -> None:
    classica = settle("classica")
    rules = replace(classica, settings=replace(classica.settings, canastas_needed=0))
    three_kings = read_cards("3xK")

    ruling = give_ruling(rules, OutQuestion((three_kings,), discard=read_cards("4")))

    (reason,) = [each for each in ruling.reasons if each.code == "out-canastas-enough"]
    assert reason.arguments["needed"] == 0
    assert reason.arguments["why"] == "none"
