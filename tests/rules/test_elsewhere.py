"""The same question under the other codifications and options of the variant."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings

from scorepad.referee.answering import answer_to, give_ruling
from scorepad.referee.elsewhere import list_other_values
from scorepad.referee.questions import (
    AnyQuestion,
    DiscardQuestion,
    MeldQuestion,
    OutQuestion,
    PileQuestion,
    RedThreesQuestion,
)
from scorepad.referee.ruling import Alternative, Verdict
from scorepad.rules.cards import read_cards
from scorepad.rules.definitions import VariantId
from scorepad.rules.variants import get_variant, settle
from scorepad.schemas.ruling_json import read_question
from tests.examples import examples
from tests.rules.questions_drawn import questions

WILD_ON_QUEENS = MeldQuestion(read_cards("2"), on=read_cards("7xQ"))
THREE_AND_THREE = MeldQuestion(read_cards("3xJ 3x2"))


def others(
    asked: AnyQuestion, variant: str = "classica", preset: str | None = None, **options: Any
) -> tuple[Alternative, ...]:
    rules = settle(
        variant, preset, {name.replace("_", "-"): value for name, value in options.items()}
    )
    return answer_to(rules, asked).others


def told(found: tuple[Alternative, ...]) -> list[tuple[str | None, dict[str, Any], str]]:
    return [(each.preset, dict(each.options), each.ruling.verdict.value) for each in found]


def test_what_no_codification_answers_otherwise_stands_nowhere_else() -> None:
    assert others(MeldQuestion(read_cards("3xK"))) == ()


def test_an_option_that_comes_with_a_codification_is_told_once_with_it() -> None:
    # G lets nobody lay off an eighth card; W "in altre versioni" lets no wild come on a canasta,
    # which no preset sets.
    found = others(WILD_ON_QUEENS)
    assert told(found) == [
        ("giochi", {"canasta-size": "exactly-seven"}, "forbidden"),
        (None, {"wild-on-canasta": "forbidden"}, "forbidden"),
    ]
    assert [each.sources for each in found] == [
        ("G:Regole sussidiarie",),
        ("W:Tipologie di canasta",),
    ]


def test_every_value_that_answers_otherwise_is_told_by_itself() -> None:
    # Two naturals and three wilds: not more than naturals (H), and fewer than naturals (W "in
    # alcune versioni").
    found = others(MeldQuestion(read_cards("2xJ 3x2")))
    assert told(found) == [
        ("getty", {"wild-limit": "not-more-than-naturals"}, "forbidden"),
        (None, {"wild-limit": "fewer-than-naturals"}, "forbidden"),
    ]


def test_what_only_changes_the_figures_is_told_too() -> None:
    # H: a concealed natural canasta is worth 600.
    (other,) = others(MeldQuestion(read_cards("7xQ")))
    assert (other.preset, dict(other.options)) == ("getty", {"concealed-canasta": 100})
    assert (other.ruling.verdict, other.ruling.details["bonus"]) == (Verdict.ALLOWED, 600)
    assert other.sources == ("H:Regole del classico gioco di carte Canasta",)


def test_under_a_codification_the_other_ones_are_elsewhere() -> None:
    found = others(WILD_ON_QUEENS, preset="giochi")
    assert ("wikipedia", {"canasta-size": "seven-or-more"}, "allowed") in told(found)


def test_what_the_table_chose_itself_stays_where_a_source_says_nothing_of_it() -> None:
    # A frozen pile taken with a natural and a wild: E alone allows it, and W alone speaks of the
    # usual way.
    pile = PileQuestion(read_cards("8"), frozen=True, laid=(read_cards("2x8 2"),))
    assert told(others(pile, pile="enciclopedia")) == [
        ("wikipedia", {"pile": "wikipedia"}, "forbidden")
    ]
    # The wild limit is W's, G's and E's: under each of them it is three, whatever the table chose.
    limited = others(THREE_AND_THREE, wild_limit="fewer-than-naturals", target=3000)
    assert {(preset, verdict) for preset, _, verdict in told(limited)} == {
        ("wikipedia", "allowed"), ("giochi", "allowed"), ("enciclopedia", "allowed"), ("getty", "allowed"),
    }  # fmt: skip
    assert all(options["target"] == 3000 for _, options, _ in told(limited))


def test_where_a_codification_answers_by_several_options_together_its_own_sources_stand() -> None:
    # Seven queens and a two laid at once: G forbids eight cards, and so do all its sources
    # together.
    (found, *_) = others(WILD_ON_QUEENS, wild_on_canasta="forbidden", canasta_size="exactly-seven")
    assert (found.preset, found.ruling.verdict, dict(found.changed)) == (
        "wikipedia",
        Verdict.ALLOWED,
        {},
    )


def test_what_only_two_sides_can_play_is_not_told_to_three() -> None:
    red = RedThreesQuestion(1, opened=False)
    assert [each.changed for each in others(red, "tre")] == [{"red-threes-unopened": "zero"}]
    assert {"red-threes-unopened": "to-opponents"} in [dict(each.changed) for each in others(red)]


def test_amounts_bear_on_no_ruling() -> None:
    names = {option.id for option, _ in list_other_values(get_variant("samba"), settle("samba"))}
    assert "target" not in names
    assert names == set(get_variant("samba").options) - {"target"}


def test_true_and_one_are_two_values() -> None:
    kept = DiscardQuestion(read_cards("3r"))
    assert told(others(kept, "samba")) == [(None, {"red-threes-may-be-kept": True}, "allowed")]
    assert told(others(kept, "samba", red_threes_may_be_kept=True)) == [
        (None, {"red-threes-may-be-kept": False}, "forbidden")
    ]


def test_a_match_whose_choices_are_gone_is_answered_by_itself() -> None:
    rules = settle("classica", None, {"wild-limit": "fewer-than-naturals"})
    preset = replace(rules, preset="gone")
    unknown = replace(rules, options={**rules.options, "wild-limit": "four"})
    for kept in (preset, unknown):
        answer = answer_to(kept, THREE_AND_THREE)
        assert (answer.ruling, answer.others) == (give_ruling(rules, THREE_AND_THREE), ())
    gone = replace(rules, variant=VariantId("gone"))
    assert answer_to(gone, MeldQuestion(read_cards("3xK"))).others == ()
    assert answer_to(replace(rules, options={**rules.options, "gone": "x"}), THREE_AND_THREE).others


def test_two_players_hear_of_the_other_codes() -> None:
    # W: two canastas, one in the first two American codes.
    out = OutQuestion((read_cards("7xQ"),))
    assert [dict(each.changed) for each in others(out, "due")] == [
        {"code": "usa-1"},
        {"code": "usa-2"},
    ]


@given(questions())
@settings(max_examples=examples(60))
def test_asked_there_the_question_gets_the_other_answer(question: dict[str, Any]) -> None:
    asked = read_question(json.dumps(question))
    here, others_there = (
        give_ruling(asked.rules, asked.question),
        answer_to(asked.rules, asked.question).others,
    )
    for other in others_there:
        there = give_ruling(
            settle(asked.rules.variant, other.preset, other.options), asked.question
        )
        assert (there.verdict, there.details, there.play) == (
            other.ruling.verdict, other.ruling.details, other.ruling.play
        )  # fmt: skip
        assert (there.verdict, there.details) != (here.verdict, here.details)
