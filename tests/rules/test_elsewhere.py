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
    MeldQuestion,
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


def test_under_a_codification_the_other_ones_are_elsewhere() -> None:
    found = others(WILD_ON_QUEENS, preset="giochi")
    assert ("wikipedia", {"canasta-size": "seven-or-more"}, "allowed") in told(found)


def test_what_the_table_chose_itself_stays_where_a_source_says_nothing_of_it() -> None:
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


def test_what_two_sides_can_play_is_told_to_them() -> None:
    red = RedThreesQuestion(1, opened=False)
    assert {"red-threes-unopened": "to-opponents"} in [dict(each.changed) for each in others(red)]


def test_amounts_bear_on_no_ruling() -> None:
    names = {option.id for option, _ in list_other_values(get_variant("samba"), settle("samba"))}
    assert "target" not in names
    assert names == set(get_variant("samba").options) - {"target"}


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


@given(questions())
@settings(max_examples=examples(250))
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
