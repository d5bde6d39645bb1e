"""What the sources say beside the figures: which of it holds in a variant, and why."""

from pathlib import Path

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
    """The ids of the statements that hold in a variant."""
    return {statement.id for statement in statements_of(variant)}


def test_every_statement_holds_somewhere() -> None:
    statements_found = set()
    for name in variant_ids():
        statements_found |= list_statements(get_variant(name))
        for option, value in values_of_options(name):
            statements_found |= list_statements(
                variant_with_choices(name, None, {option.id: value.value})
            )
    assert statements_found == {statement.id for statement in load_statements().values()}


def test_every_statement_but_that_of_the_tables_own_agreement_is_cited() -> None:
    statements = load_statements().values()
    uncited = [statement.id for statement in statements if not statement.cited.citations]
    assert uncited == ["table-agreement"]


def test_a_statement_follows_what_the_table_chose() -> None:
    wild_opening = variant_with_choices("canastone", None, {"wild-opening": True})
    assert "after-a-wild-opening" in list_statements(wild_opening)
    red_threes_kept = variant_with_choices("samba", None, {"red-threes-may-be-kept": True})
    assert "red-three-replaced" not in list_statements(red_threes_kept)


def find_statement(variant: str, statement_id: str) -> Statement:
    (statement,) = [each for each in statements_of(get_variant(variant)) if each.id == statement_id]
    return statement


@pytest.mark.parametrize(
    ("variant", "statement", "standing"),
    [
        # Mini's own sources say nothing of the steps of a turn, and have a draw of their own.
        ("mini", "steps", Standing.INFERRED),
        ("mini", "single-draw", Standing.STATED),
        # What Wikipedia leaves out of samba is as in the classic game.
        ("samba", "steps", Standing.STATED),
        # How the deal passes is told by a source that speaks of the classic game alone.
        ("samba", "deal-passes", Standing.INFERRED),
    ],
)
def test_a_statement_taken_over_from_the_classic_game_is_inferred(
    variant: str, statement: str, standing: Standing
) -> None:
    cited = find_statement(variant, statement).cited
    assert cited.standing is standing
    if standing is Standing.INFERRED:
        assert cited.read == "as-classic"


def test_a_statement_cites_only_the_sources_of_the_game() -> None:
    citations = find_statement("samba", "cut").cited.citations
    assert [str(citation) for citation in citations] == ["W:Preparazione"]


def test_only_what_differs_between_its_own_sources_is_reported_as_different_in_moderna() -> None:
    statements = statements_of(get_variant("moderna"))
    assert {statement.id for statement in statements if statement.differs} == {
        "ace-or-seven-discarded",
        "pile-above-a-wild",
    }


def test_what_stands_instead_of_another_statement_names_one_beside_the_same_rule() -> None:
    statements = load_statements().values()
    rule_of = {statement.id: statement.after for statement in statements}
    replacing = [statement for statement in statements if statement.instead]

    assert {statement.id for statement in replacing} == {
        "red-three-drawn-not-replaced",
        "red-three-first-chance",
        "any-dealer",
        "ace-or-seven-discarded",
    }
    for statement in replacing:
        assert statement.differs
        assert rule_of[str(statement.instead)] == statement.after


@pytest.mark.parametrize(
    ("variant", "setting", "mistakes"),
    [
        ("classica", "opening-steps", {"fault-only-fifty", "fault-without-fifteen"}),
        ("classica", "decks", set()),
        # Its openings are Wikipedia's alone, which has neither mistake.
        ("samba", "opening-steps", set()),
    ],
)
def test_mistakes_of_the_sources_are_known_by_the_setting_that_they_touch(
    variant: str, setting: str, mistakes: set[str]
) -> None:
    found = find_mistakes_about_setting(settle(variant), setting)
    assert {mistake.code for mistake in found} == mistakes


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('cite = ["W:Samba"]', r"mine.*missing"),
        (
            'section = "melds"\nwhen = { wild-limits = 3 }\ncite = ["W:Samba"]',
            r"mine.*unknown-setting.*wild-limits",
        ),
        ('section = "melds"', r"mine.*uncited"),
        ('section = "melds"\ntext = "…"\ncite = ["W:Samba"]', "unknown-key"),
    ],
)
def test_a_statement_that_names_no_section_or_no_setting_is_refused_by_its_name(
    tmp_path: Path, text: str, problem: str
) -> None:
    (tmp_path / "statements.toml").write_text(f"[mine]\n{text}", "utf-8")
    with pytest.raises(VariantError, match=problem):
        load_statements(tmp_path)
