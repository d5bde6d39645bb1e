"""The data is refused, by file and key, where it is not whole."""

from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import ChoiceError, VariantError
from scorepad.rules.definitions import OptionValue, split_into_parts
from scorepad.rules.judging import judge
from scorepad.rules.loader import load_faults, load_sources
from scorepad.rules.variants import (
    Variant,
    build_variant,
    default_variant,
    get_variant,
    settle,
    settle_variant,
    sources,
    variant_ids,
)
from tests.data import read_data
from tests.rules.hands import hand, side

CHILD_OF_CLASSICA = 'id = "child"\nextends = "classica"\n'
"""The first lines of a file with a variant that changes something of classica."""
REFUSED = read_data("rules/not-whole.toml")
"""Data with a mistake, and the key that the message must name: of variants, faults and choices."""


def build_child_of_classica(folder: Path, text: str = "") -> Variant:
    """The variant of a file that extends classica and goes on with this text."""
    (folder / "child.toml").write_text(CHILD_OF_CLASSICA + text, "utf-8")
    return build_variant("child", folder, sources())


def read_error(folder: Path, text: str) -> VariantError:
    """The error of a file `child.toml` with this text, which cannot be used."""
    (folder / "child.toml").write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        build_variant("child", folder, sources())
    assert error.value.file == "child.toml"
    return error.value


@pytest.mark.parametrize("row", REFUSED["variants"], ids=lambda row: row["key"])
def test_invalid_variant_is_refused_with_its_key(tmp_path: Path, row: dict[str, str]) -> None:
    """A row is the `text` of a file, such as a value without source, its `key` and the `problem`."""
    error = read_error(tmp_path, CHILD_OF_CLASSICA + row["text"])

    assert error.key == row["key"]
    assert row["problem"] in error.problem


def test_variant_with_other_id_than_its_file_is_refused(tmp_path: Path) -> None:
    assert "id" in read_error(tmp_path, 'id = "other"').key


def test_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    assert read_error(tmp_path, "id = ").problem


def test_variant_without_parent_needs_its_players(tmp_path: Path) -> None:
    assert read_error(tmp_path, 'id = "child"').key == "players"


def test_variant_without_parent_needs_every_setting(tmp_path: Path) -> None:
    error = read_error(tmp_path, 'id = "child"\n[players]\nvalue = [4]\ncite = ["W:Samba"]\n')
    assert error.key == "settings.sides"


def test_unknown_key_of_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text('[W]\ntitle = "x"\nsections = []\nauthor = "y"\n')
    with pytest.raises(VariantError, match="unknown-key"):
        load_sources(tmp_path)


@pytest.mark.parametrize("row", REFUSED["faults"], ids=lambda row: row["problem"])
def test_invalid_fault_of_source_is_refused_with_its_key(
    tmp_path: Path, row: dict[str, str]
) -> None:
    """A fault is what a source has wrong or leaves out: an entry of `faults.toml`."""
    (tmp_path / "faults.toml").write_text(row["text"], "utf-8")

    with pytest.raises(VariantError, match=row["problem"]) as error:
        load_faults(tmp_path)

    assert error.value.file == "faults.toml"
    assert error.value.key == row["key"]


def test_variants_are_listed_with_classica_and_its_table_sizes_first() -> None:
    assert default_variant() == "classica"
    assert variant_ids()[:6] == ("classica", "due", "tre", "tagliagola", "sei", "cinque")
    assert len(variant_ids()) == 16
    assert get_variant("due").parent == "classica"


@pytest.mark.parametrize("row", REFUSED["choices"], ids=lambda row: f"{row['key']} {row['reason']}")
def test_choice_that_variant_does_not_offer_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(ChoiceError) as error:
        settle(row["variant"], row.get("preset"), row.get("options", {}))
    assert error.value.key == row["key"]
    assert error.value.reason == row["reason"]


def test_preset_of_variant_without_presets_is_refused(tmp_path: Path) -> None:
    child = build_child_of_classica(tmp_path)  # presets are not inherited
    with pytest.raises(ChoiceError) as error:
        settle_variant(child, "wikipedia", {})
    assert error.value.reason == "no-presets"


def test_option_overrides_preset_and_preset_overrides_default() -> None:
    by_default = settle("classica")
    assert by_default.settings.meld_longest is None

    by_preset = settle("classica", "giochi")
    assert by_preset.settings.meld_longest == 7

    by_option = settle("classica", "giochi", {"canasta-size": "seven-or-more"})
    assert by_option.settings.meld_longest is None


def test_setting_changed_by_preset_cites_source_of_its_value() -> None:
    (citation,) = settle("classica", "getty").cited["wild-ratio"].citations
    assert str(citation) == "H:Regole del classico gioco di carte Canasta"


def get_default(variant: Variant, option: str) -> OptionValue:
    """The value that holds where nobody chooses one: the first."""
    default, *_others = variant.options[option].values
    return default


def test_default_of_inherited_option_is_a_house_rule_where_the_file_sets_it(tmp_path: Path) -> None:
    """The option `canasta-size` decides the setting `meld-longest`, which this file sets itself."""
    child = build_child_of_classica(
        tmp_path,
        """
        takes-options = ["canasta-size"]
        settings.meld-longest = { value = 8, standing = "house" }
        """,
    )

    default = get_default(child, "canasta-size")
    assert default.cited.standing == "house"
    assert default.cited.citations == ()


def test_default_of_inherited_option_is_cited_as_in_the_parent_otherwise(tmp_path: Path) -> None:
    child = build_child_of_classica(tmp_path, 'takes-options = ["wild-limit"]')

    default = get_default(child, "wild-limit")
    assert default.cited == get_default(get_variant("classica"), "wild-limit").cited


def test_score_line_by_house_rule_cites_no_source(tmp_path: Path) -> None:
    # What one, two, three and four red threes are worth at this table.
    child = build_child_of_classica(
        tmp_path, 'settings.red-three-values = { value = [50, 100, 150, 400], standing = "house" }'
    )
    rules = settle_variant(child, preset=None, options={})
    two_red_threes = side("7xK", red_threes=2)

    first_side, _ = judge(rules, hand(two_red_threes, side())).sides

    (line,) = [line for line in first_side.lines if line.item == "red-threes"]
    assert line.points == 100
    assert line.standing == "house"
    assert line.sources == ()


def test_one_of_the_settings_of_an_option_may_be_inferred() -> None:
    """The source of the second American version of two players (`usa-2`) says that going out needs
    one canasta. It does not say how many cards are drawn: one, as an argument of ours has it.
    """
    cited = settle("due", None, {"code": "usa-2"}).cited

    assert cited["canastas-needed"].standing == "stated"
    drawn = cited["drawn"]
    assert drawn.standing == "read"  # inferred
    assert drawn.read == "usa-draws-one"  # the key of the argument


def test_target_that_source_names_is_cited() -> None:
    target = settle("canastone", None, {"target": 12000}).cited["target"]
    assert target.standing == "stated"
    assert [str(citation) for citation in target.citations] == ["W:Canastone"]


def test_target_that_no_source_names_is_a_house_rule() -> None:
    target = settle("canastone", None, {"target": 12500}).cited["target"]
    assert target.standing == "house"
    assert target.citations == ()


def test_option_for_an_amount_has_step_and_setting() -> None:
    target = get_variant("classica").options["target"]
    assert target.step == 500
    assert target.sets == "target"
    assert target.amount.cited.standing == "house"


def test_option_with_values_has_no_amount() -> None:
    wild_limit = get_variant("classica").options["wild-limit"]
    assert wild_limit.step is None
    assert wild_limit.sets is None
    assert wild_limit.amount is None


def test_points_by_families_of_canastas_are_split_into_parts() -> None:
    """In canastone, red threes count by the canastas that a side has: natural, mixed, or both."""
    value = get_variant("canastone").settings["red-threes-by-families"].value

    parts = split_into_parts("red-threes-by-families", value)

    assert list(parts) == ["both", "natural", "mixed", "none"]


def test_points_by_kind_of_card_are_split_into_parts() -> None:
    assert split_into_parts("upcard-big-piles", [50, 20]) == {"JK": 50, "2": 20}


def test_variant_may_extend_another_of_its_folder(tmp_path: Path) -> None:
    build_child_of_classica(tmp_path, '[settings.dealt]\nvalue = 12\nstanding = "house"\n')
    (tmp_path / "grandchild.toml").write_text('id = "grandchild"\nextends = "child"\n', "utf-8")

    grandchild = build_variant("grandchild", tmp_path, sources())

    assert grandchild.settings["dealt"].value == 12
