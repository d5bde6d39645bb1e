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

# The rules of each game (variant) are a file of TOML. A variant may extend another: it has the
# rules of its parent, but for the settings in its own file. Each setting cites its source.
CHILD_OF_CLASSICA = 'id = "child"\nextends = "classica"\n'
"""The first lines of a file with a variant that changes something of classica."""
REFUSED = read_data("rules/not-whole.toml")
"""Data with a mistake, and the key that the message must name: of variants, faults and choices."""


def build_child_of_classica(folder: Path, text: str = "") -> Variant:
    """Write a file that extends classica and goes on with this text; return its variant."""
    (folder / "child.toml").write_text(CHILD_OF_CLASSICA + text, "utf-8")
    return build_variant("child", folder, sources())


def read_error(folder: Path, text: str) -> VariantError:
    """Write a file `child.toml` with this text, which cannot be used; return the error."""
    (folder / "child.toml").write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        build_variant("child", folder, sources())
    assert error.value.file == "child.toml"
    return error.value


@pytest.mark.parametrize("row", REFUSED["variants"], ids=lambda row: row["key"])
def test_invalid_variant_is_refused_with_its_key(tmp_path: Path, row: dict[str, str]) -> None:
    # For example a setting [settings.dealt] with a value and without source: the key is
    # "settings.dealt", and the problem "uncited".
    error = read_error(tmp_path, CHILD_OF_CLASSICA + row["text"])

    assert error.key == row["key"]
    assert row["problem"] in error.problem


def test_variant_with_other_id_than_its_file_is_refused(tmp_path: Path) -> None:
    # The file is `child.toml`.
    assert "id" in read_error(tmp_path, 'id = "other"').key


def test_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    assert read_error(tmp_path, "id = ").problem


def test_variant_without_parent_needs_its_players(tmp_path: Path) -> None:
    assert read_error(tmp_path, 'id = "child"').key == "players"


def test_variant_without_parent_needs_every_setting(tmp_path: Path) -> None:
    # This file says only that four play. The first setting that it lacks is named.
    error = read_error(tmp_path, 'id = "child"\n[players]\nvalue = [4]\ncite = ["W:Samba"]\n')
    assert error.key == "settings.sides"


def test_unknown_key_of_source_is_refused(tmp_path: Path) -> None:
    # A source has a title and sections, but no author.
    (tmp_path / "sources.toml").write_text('[W]\ntitle = "x"\nsections = []\nauthor = "y"\n')
    with pytest.raises(VariantError, match="unknown-key"):
        load_sources(tmp_path)


@pytest.mark.parametrize("row", REFUSED["faults"], ids=lambda row: row["problem"])
def test_invalid_fault_of_source_is_refused_with_its_key(
    tmp_path: Path, row: dict[str, str]
) -> None:
    # A fault is something that a source got wrong or left out. They are listed in `faults.toml`.
    (tmp_path / "faults.toml").write_text(row["text"], "utf-8")

    with pytest.raises(VariantError, match=row["problem"]) as error:
        load_faults(tmp_path)

    assert error.value.file == "faults.toml"
    assert error.value.key == row["key"]


def test_variants_are_listed_with_classica_and_its_table_sizes_first() -> None:
    # "due" is classica for two players, "tre" for three, and so on.
    assert default_variant() == "classica"
    assert variant_ids()[:6] == ("classica", "due", "tre", "tagliagola", "sei", "cinque")
    assert len(variant_ids()) == 16
    assert get_variant("due").parent == "classica"


@pytest.mark.parametrize("row", REFUSED["choices"], ids=lambda row: f"{row['key']} {row['reason']}")
def test_choice_that_variant_does_not_offer_is_refused(row: dict[str, Any]) -> None:
    # Players choose a variant, perhaps a preset (the rules as one source has them), and options.
    with pytest.raises(ChoiceError) as error:
        settle(row["variant"], row.get("preset"), row.get("options", {}))

    assert error.value.key == row["key"]
    assert error.value.reason == row["reason"]


def test_preset_of_variant_without_presets_is_refused(tmp_path: Path) -> None:
    # Classica has a preset "wikipedia". A variant that extends it does not inherit that.
    child = build_child_of_classica(tmp_path)
    with pytest.raises(ChoiceError) as error:
        settle_variant(child, "wikipedia", {})
    assert error.value.reason == "no-presets"


def test_option_overrides_preset_and_preset_overrides_default() -> None:
    # By default a meld may have any number of cards.
    by_default = settle("classica")
    assert by_default.settings.meld_longest is None

    # By the preset "giochi" it has at most seven.
    by_preset = settle("classica", "giochi")
    assert by_preset.settings.meld_longest == 7

    # A table plays by "giochi", but chose that a canasta may have more than seven cards.
    by_option = settle("classica", "giochi", {"canasta-size": "seven-or-more"})
    assert by_option.settings.meld_longest is None


def test_setting_changed_by_preset_cites_source_of_its_value() -> None:
    # By the preset "getty" a meld has never more wild cards than natural ones. That is what the
    # source H says, whose rules the preset follows.
    (citation,) = settle("classica", "getty").cited["wild-ratio"].citations
    assert str(citation) == "H:Regole del classico gioco di carte Canasta"


def get_default(variant: Variant, option: str) -> OptionValue:
    """Return the value of an option that holds where nobody chooses one: the first."""
    default, *_others = variant.options[option].values
    return default


def test_default_of_inherited_option_is_a_house_rule_if_file_sets_it(tmp_path: Path) -> None:
    # This file takes the option `canasta-size` from classica, which decides the setting
    # `meld-longest`. It sets that by itself, too.
    child = build_child_of_classica(
        tmp_path,
        """
        takes-options = ["canasta-size"]
        settings.meld-longest = { value = 8, standing = "house" }
        """,
    )

    # By default its own value holds, which the table made up.
    default = get_default(child, "canasta-size")
    assert default.cited.standing == "house"
    assert default.cited.citations == ()


def test_default_of_inherited_option_cites_the_sources_of_the_parent(tmp_path: Path) -> None:
    # In classica a table may choose how many wild cards a meld may have. A file of house rules that
    # extends classica takes this option over, and changes nothing of it.
    child = build_child_of_classica(tmp_path, 'takes-options = ["wild-limit"]')

    # Where nobody chooses there are three. The same sources are cited for that.
    default = get_default(child, "wild-limit")
    default_of_parent = get_default(get_variant("classica"), "wild-limit")
    assert default.cited == default_of_parent.cited


def test_score_line_by_house_rule_cites_no_source(tmp_path: Path) -> None:
    # House rules say what one, two, three and four red threes are worth: two of them 100 points.
    setting = 'settings.red-three-values = { value = [50, 100, 150, 400], standing = "house" }'
    child = build_child_of_classica(tmp_path, setting)
    rules = settle_variant(child, preset=None, options={})

    # A side has seven kings and two red threes. The other side has nothing.
    played = hand(side("7xK", red_threes=2), side())
    first_side, _second_side = judge(rules, played).sides

    # The score line of the red threes is cited as a house rule.
    (red_threes,) = [line for line in first_side.lines if line.item == "red-threes"]
    assert red_threes.points == 100
    assert red_threes.standing == "house"
    assert red_threes.sources == ()


def test_one_of_the_settings_of_an_option_may_be_inferred() -> None:
    # An option of the game for two players chooses its second American version, `usa-2`. The source
    # says that going out needs one canasta in it. It does not say how many cards are drawn.
    cited = settle("due", None, {"code": "usa-2"}).cited

    assert cited["canastas-needed"].standing == "stated"

    # That one is drawn is inferred ("read"), by the argument with this key.
    drawn = cited["drawn"]
    assert drawn.standing == "read"
    assert drawn.read == "usa-draws-one"


def test_target_that_source_names_is_cited() -> None:
    # Wikipedia (W) says that a match of canastone goes up to 12,000 points.
    target = settle("canastone", None, {"target": 12000}).cited["target"]
    assert target.standing == "stated"
    assert [str(citation) for citation in target.citations] == ["W:Canastone"]


def test_target_that_no_source_names_is_a_house_rule() -> None:
    target = settle("canastone", None, {"target": 12500}).cited["target"]
    assert target.standing == "house"
    assert target.citations == ()


def test_option_for_an_amount_has_step_and_setting() -> None:
    # A table may choose any multiple of 500 points as the target of a match. Its own choice cites
    # no source.
    target = get_variant("classica").options["target"]
    assert target.step == 500
    assert target.sets == "target"
    assert target.amount.cited.standing == "house"


def test_option_with_values_has_no_amount() -> None:
    # The limit of wild cards in a meld is chosen from a list.
    wild_limit = get_variant("classica").options["wild-limit"]
    assert wild_limit.step is None
    assert wild_limit.sets is None
    assert wild_limit.amount is None


def test_points_that_depend_on_canastas_are_split_into_parts() -> None:
    # In canastone the points of red threes depend on the canastas of a side: whether it has natural
    # ones, mixed ones (with wild cards), both or none. The value is a list of these four cases.
    setting = "red-threes-by-families"
    value = get_variant("canastone").settings[setting].value

    parts = split_into_parts(setting, value)

    # Each case is a part, and can cite a source of its own.
    assert list(parts) == ["both", "natural", "mixed", "none"]


def test_points_by_kind_of_card_are_split_into_parts() -> None:
    # In some games the pile begins with many cards if the first one turned up is wild: here with 50
    # for a joker, and 20 for a two.
    assert split_into_parts("upcard-big-piles", [50, 20]) == {"JK": 50, "2": 20}


def test_variant_may_extend_another_of_its_folder(tmp_path: Path) -> None:
    # The child of classica deals 12 cards. The grandchild says nothing of that.
    build_child_of_classica(tmp_path, '[settings.dealt]\nvalue = 12\nstanding = "house"\n')
    (tmp_path / "grandchild.toml").write_text('id = "grandchild"\nextends = "child"\n', "utf-8")

    grandchild = build_variant("grandchild", tmp_path, sources())

    assert grandchild.settings["dealt"].value == 12
