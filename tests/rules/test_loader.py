"""The data is refused, by file and key, where it is not whole."""

from __future__ import annotations

import tomllib
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
from tests.rules.hands import hand, side

HEIR = 'id = "erede"\nextends = "classica"\n'


def build_heir(folder: Path, text: str = "") -> Variant:
    """A variant that extends classica, with this text in its file."""
    (folder / "erede.toml").write_text(HEIR + text, "utf-8")
    return build_variant("erede", folder, sources())


def refused(folder: Path, text: str) -> VariantError:
    (folder / "erede.toml").write_text(text, "utf-8")
    with pytest.raises(VariantError) as error:
        build_variant("erede", folder, sources())
    assert error.value.file == "erede.toml"
    return error.value


NOT_WHOLE = tomllib.loads(Path(__file__).with_name("not-whole.toml").read_text("utf-8"))


@pytest.mark.parametrize("entry", NOT_WHOLE["variants"], ids=lambda entry: entry["key"])
def test_data_that_is_not_whole_is_refused_by_file_and_key(
    tmp_path: Path, entry: dict[str, str]
) -> None:
    error = refused(tmp_path, HEIR + entry["text"])
    assert error.key == entry["key"]
    assert entry["problem"] in error.problem


def test_a_file_must_be_toml_and_bear_its_own_name(tmp_path: Path) -> None:
    assert "id" in refused(tmp_path, 'id = "altro"').key
    assert refused(tmp_path, "id = ").problem


def test_a_variant_without_parent_must_say_everything(tmp_path: Path) -> None:
    assert refused(tmp_path, 'id = "erede"').key == "players"
    whole = 'id = "erede"\n[players]\nvalue = [4]\ncite = ["W:Samba"]\n'
    assert refused(tmp_path, whole).key == "settings.sides"


def test_unknown_keys_of_the_sources_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text('[W]\ntitle = "x"\nsections = []\nauthor = "y"\n')
    with pytest.raises(VariantError, match="unknown-key"):
        load_sources(tmp_path)


@pytest.mark.parametrize("entry", NOT_WHOLE["faults"], ids=lambda entry: entry["problem"])
def test_a_fault_of_a_source_is_refused_by_key(tmp_path: Path, entry: dict[str, str]) -> None:
    (tmp_path / "faults.toml").write_text(entry["text"], "utf-8")
    with pytest.raises(VariantError, match=entry["problem"]) as error:
        load_faults(tmp_path)
    assert (error.value.file, error.value.key) == ("faults.toml", entry["key"])


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
    assert (error.value.key, error.value.reason) == (row["key"], row["reason"])


def test_a_variant_without_presets_says_so(tmp_path: Path) -> None:
    with pytest.raises(ChoiceError) as error:
        settle_variant(build_heir(tmp_path), "wikipedia", {})
    assert error.value.reason == "no-presets"


def test_an_option_beats_the_preset_and_the_preset_the_default() -> None:
    assert settle("classica").settings.meld_longest is None
    assert settle("classica", "giochi").settings.meld_longest == 7
    chosen = settle("classica", "giochi", {"canasta-size": "seven-or-more"})
    assert chosen.settings.meld_longest is None


def test_what_a_preset_changes_carries_the_source_of_that_value() -> None:
    (place,) = settle("classica", "getty").cited["wild-ratio"].citations
    assert str(place) == "H:Regole del classico gioco di carte Canasta"


def test_the_usual_value_of_an_option_is_cited_as_what_the_variant_decides_there(
    tmp_path: Path,
) -> None:
    heir = build_heir(
        tmp_path,
        """
        takes-options = ["wild-limit", "canasta-size"]
        settings.meld-longest = { value = 8, standing = "house" }
        """,
    )
    size, limit = heir.options["canasta-size"], heir.options["wild-limit"]
    assert size.values[0].cited.standing == "house"
    assert size.values[0].cited.citations == ()
    assert limit.values[0].cited == get_variant("classica").options["wild-limit"].values[0].cited


def test_what_the_table_decided_is_said_by_no_source(tmp_path: Path) -> None:
    heir = build_heir(
        tmp_path, 'settings.red-three-values = { value = [50, 100, 150, 400], standing = "house" }'
    )
    judgement = judge(settle_variant(heir, None, {}), hand(side("7xK", red_threes=2), side()))
    assert judgement.sides is not None
    (threes,) = [line for line in judgement.sides[0].lines if line.item == "red-threes"]
    assert (threes.points, threes.sources, threes.standing) == (100, (), "house")


def test_of_what_an_option_sets_single_settings_may_be_inferred() -> None:
    # W gives the second American version its 15 cards and its one canasta, and says nothing of the
    # draw.
    cited = settle("due", None, {"code": "usa-2"}).cited
    assert (cited["drawn"].standing, cited["drawn"].read) == ("read", "usa-draws-one")
    assert cited["canastas-needed"].standing == "stated"


@pytest.mark.parametrize(
    ("target", "standing", "places"),
    [(12000, "stated", ["W:Canastone"]), (12500, "house", [])],
)
def test_an_amount_is_cited_if_a_source_names_it_and_else_it_is_the_tables(
    target: int, standing: str, places: list[str]
) -> None:
    cited = settle("canastone", None, {"target": target}).cited["target"]
    assert cited.standing == standing
    assert list(map(str, cited.citations)) == places


def test_an_option_for_an_amount_tells_its_step_its_setting_and_what_it_cites() -> None:
    options = get_variant("classica").options
    target, wild_limit = options["target"], options["wild-limit"]
    assert target.amount is not None
    assert (target.step, target.sets) == (500, "target")
    assert target.amount.cited.standing == "house"
    assert (wild_limit.step, wild_limit.sets, wild_limit.amount) == (None, None, None)


def test_points_by_families_and_by_kind_of_card_are_parts_of_their_setting() -> None:
    families = get_variant("canastone").settings["red-threes-by-families"].value
    names = [family["having"] for family in families]
    assert list(split_into_parts("red-threes-by-families", families)) == names
    assert split_into_parts("upcard-big-piles", [50, 20]) == {"JK": 50, "2": 20}
