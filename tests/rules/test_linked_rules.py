"""House rules whose figures hang together: what moves, what has to be given too, and hands worked
by hand.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from scorepad.errors import VariantError
from scorepad.i18n import words
from scorepad.i18n.variant_errors import describe_variant_errors
from scorepad.rules.definitions import Standing, Variant
from scorepad.rules.links import FOLLOWS, RELATIONS, Condition, values_by_key
from scorepad.rules.loader import load_links
from scorepad.rules.variants import get_variant, offer_own_variants, package_ids, parse_own_variant
from scorepad.schemas import read_hand_request
from tests.data import read_data

LINKED = Path(__file__).with_name("linked")


def list_worked_hands() -> list[tuple[str, dict[str, Any]]]:
    """The worked hands, each with the folder of its house rules."""
    found = []
    for folder in ("linked", "own"):
        text = LINKED.with_name(folder).joinpath("worked.json").read_text("utf-8")
        found += [(folder, worked) for worked in json.loads(text)]
    return found


WORKED_WITH_PROBLEMS = []
WORKED_WITH_SCORES = []
for folder_of_rules, worked_hand in list_worked_hands():
    row = pytest.param(folder_of_rules, worked_hand, id=worked_hand["case"])
    if "problems" in worked_hand:
        WORKED_WITH_PROBLEMS.append(row)
    else:
        WORKED_WITH_SCORES.append(row)
REFUSED = read_data(LINKED / "refused.json")
MOVED = read_data(LINKED / "moved.json")


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """The house rules of a folder beside this file."""
    offer_own_variants(LINKED.with_name(request.param))
    yield
    offer_own_variants(None)


def read_house_rules(
    parent: str = "classica", penalties: Mapping[str, int] | None = None, /, **settings: Any
) -> Variant:
    """House rules of a file that gives these settings (`wild_limit`) and penalties."""
    file: dict[str, Any] = {"id": "casa", "extends": parent, "settings": {}, "penalties": {}}
    for key, value in settings.items():
        file["settings"][key.replace("_", "-")] = {"value": value, "standing": "house"}
    for code, points in (penalties or {}).items():
        file["penalties"][code] = {"points": points, "standing": "house"}
    return parse_own_variant("casa.toml", tomlkit.dumps(file))


def list_mistakes(**settings: Any) -> list[str]:
    """The messages about a file that cannot be used because of these settings."""
    with pytest.raises(VariantError) as error:
        read_house_rules(**settings)
    return describe_variant_errors(error.value, words("en"))


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_PROBLEMS, indirect=["folder"])
def test_a_hand_that_breaks_a_house_rule_has_the_problems_worked_by_hand(
    folder: None, worked: dict[str, Any]
) -> None:
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    assert [finding.code for finding in judgement.findings] == worked["problems"]
    standing = Standing(worked.get("standing", "house"))
    for finding in judgement.findings:
        assert finding.standing is standing
        # What the table itself decided is said by no source.
        assert bool(finding.sources) == (standing is not Standing.AGREED)


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_SCORES, indirect=["folder"])
def test_a_hand_by_house_rules_has_the_score_worked_by_hand(
    folder: None, worked: dict[str, Any]
) -> None:
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    for name, side in zip(worked["hand"]["sides"], judgement.sides, strict=True):
        points = {line.code or line.item: line.points for line in side.lines}
        assert points == worked["expect"][name]
        for line in side.lines:
            is_house_rule = (line.code or line.item) in worked["house"]
            assert (line.standing is Standing.AGREED) == is_house_rule
    if "match" in worked:
        assert [side.total for side in judgement.sides] == worked["match"]["totals"]
        assert judgement.status.finished == worked["match"]["finished"]
        assert judgement.status.winner == worked["match"]["winner"]


@pytest.mark.parametrize("limit", [1, 2, 4, 6])
@pytest.mark.parametrize("parent", package_ids())
def test_every_canasta_up_to_the_limit_of_wild_cards_follows_it(parent: str, limit: int) -> None:
    usual = get_variant(parent).settings
    usual_limit = usual["wild-limit"].value

    house_rules = read_house_rules(parent, wild_limit=limit)

    canastas = house_rules.settings["canastas"]
    for usual_kind, kind in zip(usual["canastas"].value, canastas.value, strict=True):
        if usual_kind["shape"] != "wilds" and usual_kind["wilds"][1] == usual_limit:
            assert kind == {**usual_kind, "wilds": [usual_kind["wilds"][0], limit]}
        else:
            assert kind == usual_kind
    if limit != usual_limit:
        assert house_rules.moved["settings.canastas"] == "settings.wild-limit"
        assert canastas.cited.standing is Standing.AGREED


def test_an_option_that_sets_canastas_follows_the_limit_too() -> None:
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "bolivia"
        takes-options = ["dirty-escalera"]
        settings.wild-limit = { value = 3, standing = "house" }
        """,
    )
    dirty = house_rules.options["dirty-escalera"].value_of(True)

    wilds_by_canasta = {kind["item"]: kind.get("wilds") for kind in dirty.sets["canastas"]}

    assert wilds_by_canasta == {
        "natural-canasta": [0, 0],
        "mixed-canasta": [1, 3],
        "samba": [0, 0],
        "dirty-samba": [1, 3],
        "bolivia": None,
    }
    assert dirty.cited_by_setting["canastas"].standing is Standing.AGREED


OPTION = """id = "casa"
extends = "classica"
[options.matte]
default = "tre"
words.it = "Matte"
[[options.matte.values]]
is = "tre"
standing = "house"
words.it = "Tre"
[[options.matte.values]]
is = "altre"
set = { wild-limit = 4 }
standing = "house"
words.it = "Altre"
"""


def test_an_option_of_ones_own_moves_what_follows() -> None:
    house_rules = parse_own_variant("casa.toml", OPTION)

    others = house_rules.options["matte"].value_of("altre")  # sets the wild limit to 4

    mixed_canasta = others.sets["canastas"][1]
    assert mixed_canasta["wilds"] == [1, 4]
    assert others.cited_by_setting["canastas"].standing is Standing.AGREED


def test_a_canasta_below_the_limit_of_wild_cards_stays_where_it_is() -> None:
    canastas = [
        {"shape": "group", "wilds": [0, 0]},
        {"shape": "group", "wilds": [1, 2]},
        {"shape": "group", "wilds": [1, 3]},
    ]
    moved = FOLLOWS["most-wilds"](3, 4, canastas)
    assert [kind["wilds"] for kind in moved] == [[0, 0], [1, 2], [1, 4]]


def test_a_penalty_that_is_gone_moves_nothing() -> None:
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "classica"
        drops = ["red-three-not-exposed"]
        settings.held-red-three = { value = 300, standing = "house" }
        """,
    )
    assert house_rules.moved == {}
    assert "red-three-not-exposed" not in house_rules.penalties


@pytest.mark.parametrize("row", MOVED, ids=lambda row: row["case"])
def test_a_setting_moves_with_those_that_it_hangs_together_with(row: dict[str, Any]) -> None:
    penalties = row.get("penalties", {})

    house_rules = read_house_rules(row["parent"], penalties, **row["settings"])

    assert dict(house_rules.moved) == row["moved"]
    for key, value in row["then"].items():
        assert house_rules.settings[key].value == value
    for code, points in penalties.items():
        assert house_rules.penalties[code].points == points


@pytest.mark.parametrize("row", REFUSED["to be given too"], ids=lambda row: row["named"])
def test_what_nobody_else_can_decide_has_to_be_given_too(row: dict[str, Any]) -> None:
    settings = row["settings"]
    (setting,) = settings
    missing = row["named"]

    (message,) = list_mistakes(**settings)

    assert message.startswith(f"casa.toml, line 4, settings.{setting}: settings.{setting} = ")
    assert message.endswith(f"Give {missing} too.")
    if "with_it" in row:
        missing_setting = missing.removeprefix("settings.")
        read_house_rules(**settings, **{missing_setting: row["with_it"]})


@pytest.mark.parametrize("row", REFUSED["no game"], ids=lambda row: row["named"])
def test_settings_that_make_no_game_are_refused(row: dict[str, Any]) -> None:
    (message,) = list_mistakes(**row["settings"])
    assert row["named"] in message


@pytest.mark.parametrize("variant", package_ids())
def test_the_variants_of_the_package_fulfil_every_condition(variant: str) -> None:
    values = values_by_key(get_variant(variant))
    for link in load_links():
        if isinstance(link, Condition) and link.id != "canastas-within-limit":
            assert link.is_fulfilled(values), link.id


def test_every_rule_of_a_link_is_used() -> None:
    rules_used = {link.rule for link in load_links()}
    assert rules_used == FOLLOWS.keys() | RELATIONS.keys()


@pytest.mark.parametrize(
    ("values", "expected"),
    [((3, 7, "unlimited"), True), ((8, 7, "unlimited"), False), ((3, 7, 6), False)],
)
def test_shortest_meld_canasta_and_longest_meld_are_in_order(
    values: tuple[Any, ...], expected: bool
) -> None:
    assert RELATIONS["in-order"](*values) == expected


def test_a_game_may_have_canastas_of_wild_cards_alone() -> None:
    wild_canasta = {"item": "wild-canasta", "points": 900, "shape": "wilds", "family": "wild"}
    assert RELATIONS["canastas-reach-limit"](3, [wild_canasta])
