"""Every value of every variant says where it comes from.

A variant of the game is a data file of settings. Beside each value, places in books of rules are
cited, such as "W:Chiusura": the section Chiusura of the source W.
"""

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


def list_cited_values(variant: Variant) -> list[tuple[str, Cited]]:
    """List every value of a variant with what it cites, each by a name for it."""
    values = [("players", variant.players.cited)]
    values += [(key, value.cited) for key, value in variant.settings.items()]
    values += [(code, penalty.cited) for code, penalty in variant.penalties.items()]
    for option in variant.options.values():
        values += [(f"{option.id}: {value.value}", value.cited) for value in option.values]
        if option.amount:
            values.append((option.id, option.amount.cited))
    return values


@pytest.mark.parametrize("name", variant_ids())
def test_every_value_is_cited_or_agreed(name: str) -> None:
    known_sources = sources()
    values = list_cited_values(get_variant(name))

    assert len(values) > 60
    for key, cited in values:
        # No source is needed only for what is agreed at the table.
        assert cited.citations or cited.standing is Standing.AGREED, key

        # What is inferred has an argument, and nothing else has one.
        has_argument = cited.read is not None
        assert has_argument == (cited.standing is Standing.INFERRED), key

        for citation in cited.citations:
            assert citation.section in known_sources[citation.source].sections, key


def test_every_data_file_is_an_offered_variant() -> None:
    files = [file.stem for file in (PACKAGE / "variants").glob("*.toml")]
    files_for_all_variants = ["sources", "order", "faults"]
    assert sorted(files) == sorted([*files_for_all_variants, *variant_ids()])


@pytest.mark.parametrize("name", variant_ids())
def test_values_set_by_an_option_keep_their_citation(name: str) -> None:
    # A value of an option, such as four players, changes some settings of the variant. Beside each
    # of them the data file cites what says so for this value of the option.
    for option, option_value in values_of_options(name):
        rules = settle(name, preset=None, options={option.id: option_value.value})
        for setting in option_value.sets:
            expected_citation = option_value.cited_by_setting[setting]
            assert rules.cited[setting] == expected_citation


@pytest.mark.parametrize("name", variant_ids())
def test_every_check_and_line_in_force_is_registered_and_cites(name: str) -> None:
    # Checks find problems of a hand, lines make up its score. Each rests on settings, whose sources
    # it cites.
    rules = settle(name)
    for check in rules.checks:
        assert check.id in NATURES
        assert check.severity in ("error", "warning")
        assert check.cited_settings, check.id
    for line in rules.lines:
        assert line.id in LINES
        assert line.cited_settings, line.id


@pytest.mark.parametrize("name", variant_ids())
def test_every_item_of_the_settings_is_registered(name: str) -> None:
    settings = settle(name).settings
    # Each kind of canastas, and of melds that cost points if they are not complete, may have a line
    # in the score, by the name of its item.
    for kind in (*settings.canastas, *settings.held_together, *settings.incomplete):
        if kind.item:
            assert kind.item in ITEMS


@pytest.mark.parametrize("name", variant_ids())
def test_every_preset_is_taken_by_its_variant(name: str) -> None:
    # A preset is a set of options that are chosen together, under one name.
    for preset in get_variant(name).presets.values():
        options = settle(name, preset.id).options
        for option, value in preset.options.items():
            assert options[option] == value


def list_texts(file: Path) -> set[str]:
    """List the string constants in a module; docstrings, which are statements, are left out."""
    nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
    docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
    texts = set()
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node not in docstrings:
                texts.add(node.value)
    return texts


VARIANTS_NAMED_IN_MODULES = {
    "rules/score_lines.py": {"samba", "bolivia"},  # canastas
    "rules/settings.py": {"mini"},  # how the pile is taken
    "rules/variants.py": {"moderna", "hand-and-foot"},  # matches stored before their pile was known
    "schemas/variant_json.py": {"classica"},  # what other variants are told beside
    "web/home/views.py": {"classica"},  # the game of the practice match
}
"""The only modules that name a variant, or something that is called the same."""


def test_no_rule_is_chosen_by_the_name_of_a_variant() -> None:
    # Rules are chosen by settings. Only the modules listed above may name a variant, for a reason
    # that stands beside each, and they name no other.
    for file in PACKAGE.rglob("*.py"):
        module = file.relative_to(PACKAGE).as_posix()
        variants_named = list_texts(file).intersection(variant_ids())
        assert variants_named == VARIANTS_NAMED_IN_MODULES.get(module, set()), module


def test_engine_names_no_passage_of_a_source() -> None:
    # Citations stand in the data files alone.
    letters_of_sources = "|".join(re.escape(letter) for letter in sources())
    passage = re.compile(rf"({letters_of_sources}):\S")  # "W:Chiusura"

    files = [*(PACKAGE / "rules").glob("*.py"), *(PACKAGE / "referee").glob("*.py")]
    for file in files:
        for text in list_texts(file):
            assert not passage.search(text), file.name


def list_citations_shared_with_classica(name: str) -> list[str]:
    """List what a game cites for the rules of the classic game that its sources state as well."""
    classica = get_variant("classica")
    citations = []
    for key, setting in get_variant(name).settings.items():
        is_as_in_classica = setting.value == classica.settings[key].value
        if is_as_in_classica and setting.cited.standing is Standing.STATED:
            citations += map(str, setting.cited.citations)
    return citations


@pytest.mark.parametrize("name", ["mini", "moderna", "hand-and-foot"])
def test_sources_of_the_classic_game_state_no_rule_of_another_game(name: str) -> None:
    # Many rules of these games are as in the classic one. Such a rule may cite only sources that
    # are about the game itself. If none of them states it, it is not stated but inferred, and is
    # not in this list.
    citations = list_citations_shared_with_classica(name)

    # The four sources of the classic game, of which W is Wikipedia, do not speak of other games,
    # but for one section on mini.
    sources_of_classica = ("W:", "G:", "H:", "E:")
    for citation in citations:
        is_section_on_mini = name == "mini" and citation == "W:Variante mini"
        assert is_section_on_mini or not citation.startswith(sources_of_classica)


@pytest.mark.parametrize("name", ["mini", "moderna", "hand-and-foot"])
def test_rule_taken_from_classic_game_says_so(name: str) -> None:
    # None of the sources of these games says that wild cards stay in the meld in which they were
    # laid. It is inferred that they do, for the reason "as in the classic game".
    setting = get_variant(name).settings["meld-wilds-stay"]
    reason_of_inference = setting.cited.read
    assert reason_of_inference == "as-classic"
