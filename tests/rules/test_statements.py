"""What the sources say beside the figures: which of it holds in a variant, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorepad.errors import VariantError
from scorepad.referee.reasons import find_mistakes_about_setting
from scorepad.rules.definitions import Standing, Variant
from scorepad.rules.loader import load_statements
from scorepad.rules.variants import (
    get_variant,
    settle,
    statements_of,
    variant_ids,
    variant_with_choices,
)
from tests.rules.choices import values_of_options


def held(variant: Variant) -> set[str]:
    return {each.id for each in statements_of(variant)}


def test_every_statement_is_cited_and_holds_somewhere() -> None:
    uncited = {each.id for each in load_statements().values() if not each.cited.citations}
    assert uncited == {"table-agreement"}, "which no source tells"
    found = set()
    for name in variant_ids():
        found |= held(get_variant(name))
        for option, value in values_of_options(name):
            found |= held(variant_with_choices(name, None, {option.id: value.value}))
    assert found == {each.id for each in load_statements().values()}


def test_a_statement_follows_what_the_table_chose() -> None:
    wild_opening = variant_with_choices("canastone", None, {"wild-opening": True})
    assert "after-a-wild-opening" in held(wild_opening)
    kept = variant_with_choices("samba", None, {"red-threes-may-be-kept": True})
    assert "red-three-replaced" not in held(kept)


def test_where_a_games_own_sources_do_not_speak_a_statement_is_taken_over_and_says_so() -> None:
    of_mini = {each.id: each.cited for each in statements_of(get_variant("mini"))}
    assert (of_mini["steps"].standing, of_mini["steps"].read) == (Standing.INFERRED, "as-classic")
    assert of_mini["single-draw"].standing is Standing.STATED
    of_samba = {each.id: each.cited for each in statements_of(get_variant("samba"))}
    assert of_samba["steps"].standing is Standing.STATED, (
        "what Wikipedia leaves out there is as in the classic game"
    )
    # The deal passes on by a source that speaks of the classic game alone; of the others one is left.
    passes = of_samba["deal-passes"]
    assert (passes.standing, passes.read) == (Standing.INFERRED, "as-classic")
    assert list(map(str, of_samba["cut"].citations)) == ["W:Preparazione"]
    of_moderna = {each.id for each in statements_of(get_variant("moderna")) if each.differs}
    assert of_moderna == {
        "talon-kept-aside",
        "talon-with-pile",
        "eighth-card-out",
        "ace-or-seven-discarded",
        "pile-above-a-wild",
    }, "those alone are a matter of its own sources"


def test_what_stands_instead_of_another_statement_names_one_beside_the_same_rule() -> None:
    by_id = {each.id: each for each in load_statements().values()}
    replacing = [each for each in by_id.values() if each.instead]
    assert {each.id for each in replacing} == {
        "red-three-drawn-not-replaced",
        "red-three-first-chance",
        "any-dealer",
        "ace-or-seven-discarded",
    }
    for each in replacing:
        assert each.differs
        assert by_id[str(each.instead)].after == each.after


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


def test_the_faults_of_the_sources_are_known_by_the_setting_that_they_touch() -> None:
    def codes(variant: str, setting: str) -> set[str]:
        return {each.code for each in find_mistakes_about_setting(settle(variant), setting)}

    of_openings = {"fault-only-fifty", "fault-without-fifteen"}
    assert codes("classica", "opening-steps") == of_openings
    assert codes("classica", "decks") == set()
    assert codes("samba", "opening-steps") == set(), "its openings are Wikipedia's alone"
