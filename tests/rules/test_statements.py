"""What the sources say beside the figures: which of it holds in a variant, and why."""

from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import VariantError
from scorepad.referee.reasons import find_mistakes_about_setting
from scorepad.rules.definitions import Standing, Statement, Variant
from scorepad.rules.loader import load_statements
from scorepad.rules.variants import (
    get_variant,
    settle,
    statements_of,
    variant_ids,
    variant_with_choices,
)
from tests.rules.choices import values_of_options


def list_statements(variant: Variant) -> set[str]:
    """List the statements that hold in a variant, by their ids.

    A statement is a sentence of the rulebook, such as "With each hand the deal passes on".
    """
    return {statement.id for statement in statements_of(variant)}


def with_option(variant: str, option: str, value: Any) -> Variant:
    """Return a variant as it is where the table chose this value of an option."""
    return variant_with_choices(variant, None, {option: value})


def test_every_statement_holds_in_some_variant_or_with_some_option() -> None:
    # A statement is a sentence of the rulebook, such as "With each hand the deal passes on". It is
    # shown where it holds: in some games, or where the table chose some value of an option.
    shown: set[str] = set()
    for game in variant_ids():
        shown.update(list_statements(get_variant(game)))
        for option, choice in values_of_options(game):
            game_with_option = with_option(game, option.id, choice.value)
            shown.update(list_statements(game_with_option))

    # Every statement of the file is shown somewhere.
    all_statements = {statement.id for statement in load_statements().values()}
    assert shown == all_statements


def test_only_statement_about_agreements_cites_no_source() -> None:
    # That the table agrees on its rules before it plays is not from a book.
    statements = load_statements().values()
    uncited = [statement.id for statement in statements if not statement.cited.citations]
    assert uncited == ["table-agreement"]


def test_option_may_add_a_statement() -> None:
    # In canastone a side may not open with wild cards alone, unless the table chose so. Only then
    # the rulebook tells what follows such an opening.
    assert "after-a-wild-opening" not in list_statements(get_variant("canastone"))

    with_wild_opening = with_option("canastone", "wild-opening", value=True)
    assert "after-a-wild-opening" in list_statements(with_wild_opening)


def test_option_may_remove_a_statement() -> None:
    # In samba a red three is laid on the table, and the player draws another card for it. If the
    # table chose that it may be kept in hand, the rulebook does not say so.
    assert "red-three-replaced" in list_statements(get_variant("samba"))

    with_red_threes_kept = with_option("samba", "red-threes-may-be-kept", value=True)
    assert "red-three-replaced" not in list_statements(with_red_threes_kept)


def find_statement(variant: str, statement_id: str) -> Statement:
    """Find the statement with this id among those that hold in a variant."""
    statements = statements_of(get_variant(variant))
    (found,) = [statement for statement in statements if statement.id == statement_id]
    return found


@pytest.mark.parametrize(
    ("variant", "statement"),
    [
        # Mini's own sources say nothing of the steps of a turn.
        ("mini", "steps"),
        # How the deal passes is told by a source that speaks of the classic game alone.
        ("samba", "deal-passes"),
    ],
)
def test_statement_taken_over_from_classic_game_is_inferred(variant: str, statement: str) -> None:
    # The sources of the game do not say this. It is inferred by the argument that what they leave
    # out is as in the classic game.
    cited = find_statement(variant, statement).cited
    assert cited.standing is Standing.INFERRED
    assert cited.read == "as-classic"  # the key of the argument


@pytest.mark.parametrize(
    ("variant", "statement"),
    [
        # Mini has a draw of its own.
        ("mini", "single-draw"),
        # Wikipedia says that what it leaves out of samba is as in the classic game.
        ("samba", "steps"),
    ],
)
def test_statement_that_source_makes_for_the_game_is_stated(variant: str, statement: str) -> None:
    # "Stated" is what a source says in words, other than what is inferred.
    assert find_statement(variant, statement).cited.standing is Standing.STATED


def test_statement_cites_only_sources_of_the_game() -> None:
    # For classica, more sources say how the cards are cut. Of samba only Wikipedia (W) tells.
    citations = find_statement("samba", "cut").cited.citations
    assert [str(citation) for citation in citations] == ["W:Preparazione"]


def test_statement_differs_where_sources_contradict_each_other() -> None:
    # In two matters the sources of moderna do not agree with each other.
    statements = statements_of(get_variant("moderna"))
    assert {statement.id for statement in statements if statement.differs} == {
        "ace-or-seven-discarded",
        "pile-above-a-wild",
    }


def test_contradicting_statements_stand_beside_the_same_rule() -> None:
    statements = load_statements().values()
    # On the page, each statement stands after a rule. One that contradicts another statement names
    # it (`instead`).
    rule_of = {statement.id: statement.after for statement in statements}
    contradicting = [statement for statement in statements if statement.instead]

    assert {statement.id for statement in contradicting} == {
        "red-three-drawn-not-replaced",
        "red-three-first-chance",
        "any-dealer",
        "ace-or-seven-discarded",
    }

    # Both stand after the same rule.
    for statement in contradicting:
        assert statement.differs
        assert rule_of[str(statement.instead)] == statement.after


@pytest.mark.parametrize(
    ("variant", "setting", "mistakes"),
    [
        # The first melds of a side need a minimum of points, which rises with its score. One source
        # of classica names only the minimum of 50 points. Another leaves out that it is 15 for a
        # side below zero.
        ("classica", "opening-steps", {"fault-only-fifty", "fault-without-fifteen"}),
        # No source is wrong about the number of decks.
        ("classica", "decks", set()),
        # The only source of samba about this minimum is Wikipedia, which has neither mistake.
        ("samba", "opening-steps", set()),
    ],
)
def test_mistakes_of_sources_are_found_by_setting(
    variant: str, setting: str, mistakes: set[str]
) -> None:
    found = find_mistakes_about_setting(settle(variant), setting)
    assert {mistake.code for mistake in found} == mistakes


@pytest.mark.parametrize(
    ("text", "key_and_problem"),
    [
        # The section is missing.
        ('cite = ["W:Samba"]', r"mine.*missing"),
        # The source is missing.
        ('section = "melds"', r"mine.*uncited"),
        # The name of the setting is wrong: it is `wild-limit`.
        (
            'section = "melds"\ncite = ["W:Samba"]\nwhen = { wild-limits = 3 }',
            r"mine.*unknown-setting.*wild-limits",
        ),
        # The key `text` is too much: texts stand in the catalogues of the languages.
        ('section = "melds"\ncite = ["W:Samba"]\ntext = "…"', "unknown-key"),
    ],
)
def test_invalid_statement_is_refused(tmp_path: Path, text: str, key_and_problem: str) -> None:
    # A statement is a sentence of the rulebook. It stands in a section there, cites a source, and
    # may hold only when a setting has some value. This file has one, with the id "mine".
    (tmp_path / "statements.toml").write_text(f"[mine]\n{text}", "utf-8")

    # The message names the statement and what is wrong with it.
    with pytest.raises(VariantError, match=key_and_problem):
        load_statements(tmp_path)
