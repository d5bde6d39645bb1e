"""The data is refused, by file and key, where it is not whole."""

from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import ChoiceError, VariantError
from scorepad.rules.definitions import split_into_parts
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

HEIR = 'id = "erede"\nextends = "classica"\n'


def build_heir(folder: Path, text: str = "") -> Variant:
    """A variant that extends classica, with this text in its file."""
    (folder / "erede.toml").write_text(HEIR + text, "utf-8")
    return build_variant("erede", folder, sources())


NOT_WHOLE = read_data("rules/not-whole.toml")


def refuse(folder: Path, text: str) -> VariantError:
    """The error of a file with this text, which cannot be used."""
    (folder / "erede.toml").write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        build_variant("erede", folder, sources())
    assert error.value.file == "erede.toml"
    return error.value


@pytest.mark.parametrize("entry", NOT_WHOLE["variants"], ids=lambda entry: entry["key"])
def test_data_that_is_not_whole_is_refused_by_file_and_key(
    tmp_path: Path, entry: dict[str, str]
) -> None:
    error = refuse(tmp_path, HEIR + entry["text"])
    assert error.key == entry["key"]
    assert entry["problem"] in error.problem


def test_a_file_must_bear_its_own_name(tmp_path: Path) -> None:
    assert "id" in refuse(tmp_path, 'id = "altro"').key


def test_a_file_must_be_toml(tmp_path: Path) -> None:
    assert refuse(tmp_path, "id = ").problem


def test_a_variant_without_parent_must_say_everything(tmp_path: Path) -> None:
    assert refuse(tmp_path, 'id = "erede"').key == "players"
    with_players = 'id = "erede"\n[players]\nvalue = [4]\ncite = ["W:Samba"]\n'
    assert refuse(tmp_path, with_players).key == "settings.sides"


def test_unknown_keys_of_the_sources_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text('[W]\ntitle = "x"\nsections = []\nauthor = "y"\n')
    with pytest.raises(VariantError, match="unknown-key"):
        load_sources(tmp_path)


@pytest.mark.parametrize("entry", NOT_WHOLE["faults"], ids=lambda entry: entry["problem"])
def test_a_fault_of_a_source_is_refused_by_key(tmp_path: Path, entry: dict[str, str]) -> None:
    (tmp_path / "faults.toml").write_text(entry["text"], "utf-8")
    with pytest.raises(VariantError, match=entry["problem"]) as error:
        load_faults(tmp_path)
    assert error.value.file == "faults.toml"
    assert error.value.key == entry["key"]


def test_variants_are_offered_in_the_order_of_the_table() -> None:
    assert default_variant() == "classica"
    assert variant_ids()[:6] == ("classica", "due", "tre", "tagliagola", "sei", "cinque")
    assert len(variant_ids()) == 16
    assert get_variant("due").parent == "classica"


@pytest.mark.parametrize(
    "row", NOT_WHOLE["choices"], ids=lambda row: f"{row['key']} {row['reason']}"
)
def test_what_a_variant_does_not_have_cannot_be_chosen(row: dict[str, Any]) -> None:
    with pytest.raises(ChoiceError) as error:
        settle(row["variant"], row.get("preset"), row.get("options", {}))
    assert error.value.key == row["key"]
    assert error.value.reason == row["reason"]


def test_a_variant_without_presets_says_so(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError) as error:
        settle_variant(build_heir(tmp_path), "wikipedia", {})
    assert error.value.reason == "no-presets"


def test_an_option_beats_the_preset_and_the_preset_the_default() -> None:
    by_default = settle("classica")
    assert by_default.settings.meld_longest is None
    by_preset = settle("classica", "giochi")
    assert by_preset.settings.meld_longest == 7
    by_option = settle("classica", "giochi", {"canasta-size": "seven-or-more"})
    assert by_option.settings.meld_longest is None


def test_what_a_preset_changes_carries_the_source_of_that_value() -> None:
    (citation,) = settle("classica", "getty").cited["wild-ratio"].citations
    assert str(citation) == "H:Regole del classico gioco di carte Canasta"


def test_the_default_of_an_option_is_cited_as_the_setting_of_the_file(tmp_path: Path) -> None:
    heir = build_heir(
        tmp_path,
        """
        takes-options = ["wild-limit", "canasta-size"]
        settings.meld-longest = { value = 8, standing = "house" }
        """,
    )
    classica = get_variant("classica")

    # The file decides the size of canastas itself, and leaves the wild limit as it is in classica.
    canasta_size = heir.options["canasta-size"].values[0]
    assert canasta_size.cited.standing == "house"
    assert canasta_size.cited.citations == ()
    wild_limit = heir.options["wild-limit"].values[0]
    assert wild_limit.cited == classica.options["wild-limit"].values[0].cited


def test_what_the_table_decided_is_said_by_no_source(tmp_path: Path) -> None:
    heir = build_heir(
        tmp_path, 'settings.red-three-values = { value = [50, 100, 150, 400], standing = "house" }'
    )

    judgement = judge(settle_variant(heir, None, {}), hand(side("7xK", red_threes=2), side()))

    (line,) = [line for line in judgement.sides[0].lines if line.item == "red-threes"]
    assert line.points == 100
    assert line.standing == "house"
    assert line.sources == ()


def test_of_what_an_option_sets_single_settings_may_be_inferred() -> None:
    # W gives the second American version its 15 cards and its one canasta, and says nothing of the
    # draw.
    cited = settle("due", None, {"code": "usa-2"}).cited
    assert cited["canastas-needed"].standing == "stated"
    assert cited["drawn"].standing == "read"
    assert cited["drawn"].read == "usa-draws-one"


def test_an_amount_that_a_source_names_is_cited() -> None:
    target = settle("canastone", None, {"target": 12000}).cited["target"]
    assert target.standing == "stated"
    assert [str(citation) for citation in target.citations] == ["W:Canastone"]


def test_an_amount_that_no_source_names_is_the_tables_own() -> None:
    target = settle("canastone", None, {"target": 12500}).cited["target"]
    assert target.standing == "house"
    assert target.citations == ()


def test_an_option_for_an_amount_has_a_step_and_a_setting() -> None:
    target = get_variant("classica").options["target"]
    assert target.step == 500
    assert target.sets == "target"
    assert target.amount.cited.standing == "house"


def test_an_option_with_values_has_no_amount() -> None:
    wild_limit = get_variant("classica").options["wild-limit"]
    assert wild_limit.step is None
    assert wild_limit.sets is None
    assert wild_limit.amount is None


def test_points_by_families_of_canastas_are_parts_of_their_setting() -> None:
    families = get_variant("canastone").settings["red-threes-by-families"].value
    parts = split_into_parts("red-threes-by-families", families)
    assert list(parts) == [family["having"] for family in families]


def test_points_by_kind_of_card_are_parts_of_their_setting() -> None:
    assert split_into_parts("upcard-big-piles", [50, 20]) == {"JK": 50, "2": 20}


def test_a_variant_may_extend_one_of_its_own_folder(tmp_path: Path) -> None:
    build_heir(tmp_path, '[settings.dealt]\nvalue = 12\nstanding = "house"\n')
    (tmp_path / "nipote.toml").write_text('id = "nipote"\nextends = "erede"\n', "utf-8")
    grandchild = build_variant("nipote", tmp_path, sources())
    assert grandchild.settings["dealt"].value == 12
