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


def test_ruling_without_a_play_lays_no_cards() -> None:
    # Only a ruling on a whole hand has a play: the best melds to lay, and a discard.
    assert Ruling(Verdict.ALLOWED).laid == NO_CARDS


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        ("4x7 2", "natural-only"),  # sevens take no wild card at all
        ("4xK 3x2", "wild-limit"),  # at most two wild cards beside kings
    ],
)
def test_meld_with_too_many_wild_cards_is_refused_by_its_rule(cards: str, rule: str) -> None:
    # Twos are wild cards.
    ruling = give_ruling(settle("moderna"), MeldQuestion(read_cards(cards)))
    (reason,) = ruling.reasons
    assert reason.rules == (rule,)


def test_rules_of_a_reason_name_each_setting_once_and_no_penalty() -> None:
    # A reason of the referee follows from settings of the game and from penalties.
    reason = Reason(
        "opening-reached",
        cited_settings=(
            "opening-steps/1500",  # a part of the next setting: for scores from 1500
            "opening-steps",
            "penalties/exposed-card",
            "pile",
        ),
    )
    assert reason.rules == ("opening-steps", "pile")


@pytest.mark.parametrize(
    ("variant", "options", "points"),
    [
        ("classica", {}, "500"),
        ("samba", {"red-threes-may-be-kept": True}, "750"),
    ],
)
def test_verdict_and_reasons_name_the_same_points_for_red_three(
    variant: str, options: dict[str, bool], points: str
) -> None:
    # What does it cost to keep a red three in hand? In samba a table may choose that one may.
    answer = answer_question(
        {
            "kind": "penalty",
            "code": "red-three-not-exposed",
            "variant": variant,
            "options": options,
        }
    )

    verdict = describe_verdict("penalty", answer["verdict"], answer["details"], words("it"))
    assert verdict == f"−{points}"

    # The reasons have no number but the points, and that of the card, a 3. Only a note on what a
    # source got wrong ("fault-…") quotes the wrong points.
    for reason in answer["reasons"]:
        if not reason["code"].startswith("fault-"):
            numbers = {word for word in reason["message"].split() if word.isdigit()}
            assert numbers <= {"3", points}


def describe_problem(variant: str, entry: SideEntry) -> str:
    """Judge a hand in which a side has this entry; return the Italian message of its problem."""
    (problem,) = judge(settle(variant), hand(entry, SideEntry())).findings
    return describe_finding(problem, ("noi", "loro"), words("it"))


def test_penalty_in_game_without_penalties_is_reported_as_such() -> None:
    # In mini nothing costs a penalty.
    entry = SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),))
    sentence = describe_problem("mini", entry)

    # The message does not end with an empty list of the penalties that are known.
    assert "non ha penalità" in sentence  # "has no penalties"
    assert ": ." not in sentence


def test_unknown_penalty_is_reported_with_the_known_ones() -> None:
    entry = SideEntry(penalties=(PenaltyEntry("misdeal"),))
    assert "draw-out-of-turn" in describe_problem("classica", entry)


def test_impossible_points_of_cards_left_are_called_points_of_cards() -> None:
    # No cards left in hand are worth 7 points.
    sentence = describe_problem("classica", SideEntry(left=HeldInPoints(7)))
    assert "le carte" in sentence  # "the cards"


@pytest.mark.parametrize(
    "entry",
    [
        SideEntry(penalties=(PenaltyEntry("house", points=7, reason="patto"),)),
        SideEntry(adjustments=(Adjustment(points=7, reason="patto"),)),
    ],
    ids=["penalty", "adjustment"],
)
def test_impossible_points_of_table_are_told_without_mention_of_cards(entry: SideEntry) -> None:
    # The players agreed on a penalty or an adjustment of 7 points. That has to be a multiple of 5,
    # as the points of cards are.
    sentence = describe_problem("classica", entry)

    # The message names the 7 points. It does not say what is said of 7 points of cards left in
    # hand: that the cards ("le carte") are worth a multiple of 5.
    assert "7" in sentence
    assert "le carte" not in sentence


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
def test_reason_stored_with_fewer_arguments_is_still_a_sentence(
    reason: Reason, language: str
) -> None:
    # An earlier version of the app stored these reasons without some cards or figures that their
    # messages name now. No placeholder, "%(cards)s", is left open.
    sentence = explain_reason(reason, words(language))
    assert sentence.endswith(".")
    assert "%(" not in sentence


def test_going_out_without_canasta_is_explained_where_none_is_needed() -> None:
    # At this table no canasta is needed to go out.
    classica = settle("classica")
    rules = replace(classica, settings=replace(classica.settings, canastas_needed=0))

    # A player with three kings on the table asks whether they may go out, discarding a four.
    going_out = OutQuestion(table=(read_cards("3xK"),), discard=read_cards("4"))
    ruling = give_ruling(rules, going_out)

    # Where none is needed, the message has other words, by the argument `why`.
    (reason,) = [each for each in ruling.reasons if each.code == "out-canastas-enough"]
    assert reason.arguments["needed"] == 0
    assert reason.arguments["why"] == "none"
