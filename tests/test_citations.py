"""Every value of every variant says where it comes from."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import scorepad.variants
from scorepad.rules.checks import NATURES
from scorepad.rules.definitions import Cited, Standing, Variant
from scorepad.rules.score import LINES
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.variants import get_variant, settle, sources, variant_ids
from tests.rules.choices import values_of_options

PACKAGE = Path(scorepad.variants.__file__).parents[1]


def every_value(variant: Variant) -> list[tuple[str, Cited]]:
    values = [("players", variant.players.cited)]
    values += [(key, value.cited) for key, value in variant.settings.items()]
    values += [(code, penalty.cited) for code, penalty in variant.penalties.items()]
    for option in variant.options.values():
        values += [(f"{option.id}: {value.value}", value.cited) for value in option.values]
        if option.amount:
            values.append((option.id, option.amount.cited))
    return values


@pytest.mark.parametrize("name", variant_ids())
def test_every_value_is_cited_or_agreed_at_the_table(name: str) -> None:
    known = sources()
    values = every_value(get_variant(name))
    assert len(values) > 60
    for key, cited in values:
        assert cited.citations or cited.standing is Standing.AGREED, key
        assert (cited.read is not None) == (cited.standing is Standing.INFERRED), key
        for place in cited.citations:
            assert place.section in known[place.source].sections, key


def test_every_file_of_the_data_is_a_variant_that_is_offered() -> None:
    files = {file.stem for file in (PACKAGE / "variants").glob("*.toml")}
    assert files == {"sources", "order", "faults", *variant_ids()}


@pytest.mark.parametrize("name", variant_ids())
def test_every_value_that_an_option_sets_is_cited_where_it_comes_into_force(name: str) -> None:
    for option, value in values_of_options(name):
        rules = settle(name, None, {option.id: value.value})
        assert all(rules.cited[key] == value.cited_by_setting[key] for key in value.sets)


@pytest.mark.parametrize("name", variant_ids())
def test_every_rule_in_force_is_in_the_code_and_every_finding_and_line_cites(name: str) -> None:
    rules = settle(name)
    for rule in rules.checks:
        assert rule.id in NATURES
        assert rule.severity in ("error", "warning")
        assert rule.cited_settings, rule.id
    for line in rules.lines:
        assert line.id in LINES
        assert line.cited_settings, line.id
    settings = rules.settings
    named = {kind.item for kind in (*settings.canastas, *settings.held_together)}
    named |= {kind.item for kind in settings.incomplete if kind.item}
    assert named <= set(ITEMS)


@pytest.mark.parametrize("name", variant_ids())
def test_every_preset_sets_only_what_the_variant_takes(name: str) -> None:
    variant = get_variant(name)
    for preset in variant.presets.values():
        rules = settle(name, preset.id)
        assert all(rules.options[key] == value for key, value in preset.options.items())


def texts_of(file: Path) -> set[str]:
    """The texts in a module, without its docstrings."""
    docstrings, texts = [], []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Expr):
            docstrings.append(node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node)
    return {text.value for text in texts if text not in docstrings}


NAMED = {
    "rules/score_lines.py": {"samba", "bolivia"},  # canastas
    "rules/settings.py": {"mini"},  # how the pile is taken
    "rules/variants.py": {"moderna", "hand-and-foot"},  # matches stored before their pile was known
    "schemas/variant_json.py": {"classica"},  # what other variants are told beside
    "web/home/views.py": {"classica"},  # the game of the practice match
}
"""The only modules that name a variant, or something that is called the same."""


def test_no_rule_is_chosen_by_the_name_of_a_variant() -> None:
    for file in PACKAGE.rglob("*.py"):
        module = file.relative_to(PACKAGE).as_posix()
        assert texts_of(file).intersection(variant_ids()) == NAMED.get(module, set()), module


def test_the_engine_holds_no_place_of_a_source() -> None:
    place = re.compile(rf"({'|'.join(map(re.escape, sources()))}):\S")
    for folder in ("rules", "referee"):
        for file in sorted((PACKAGE / folder).glob("*.py")):
            assert not [text for text in texts_of(file) if place.search(text)], file.name


@pytest.mark.parametrize("name", ["mini", "moderna", "hand-and-foot"])
def test_what_a_game_takes_from_the_classic_one_is_no_statement_of_its_own_sources(
    name: str,
) -> None:
    classic, variant = get_variant("classica"), get_variant(name)
    for key, value in variant.settings.items():
        is_taken = value.value == classic.settings[key].value
        if is_taken and value.cited.standing is Standing.STATED:
            places = set(map(str, value.cited.citations)) - {"W:Variante mini"}
            assert not [place for place in places if place[0] in "WGHE"], key
    assert variant.settings["meld-wilds-stay"].cited.read == "as-classic"
