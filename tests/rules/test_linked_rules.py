"""House rules whose figures hang together: what moves, what has to be given too, and hands worked
by hand.
"""

from __future__ import annotations

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

LINKED = Path(__file__).with_name("linked")
WORKED = [
    pytest.param(folder, worked, id=worked["case"])
    for folder in ("linked", "own")
    for worked in json.loads(LINKED.with_name(folder).joinpath("worked.json").read_text("utf-8"))
]
REFUSED = json.loads((LINKED / "refused.json").read_text("utf-8"))
MOVED = json.loads((LINKED / "moved.json").read_text("utf-8"))
WILD = {"item": "wild-canasta", "points": 900, "shape": "wilds", "family": "wild"}


def read(
    parent: str = "classica", penalties: Mapping[str, int] | None = None, /, **settings: Any
) -> Variant:
    """A file that gives these settings (`wild_limit`) and penalties."""
    file: dict[str, Any] = {"id": "casa", "extends": parent, "settings": {}, "penalties": {}}
    for key, value in settings.items():
        file["settings"][key.replace("_", "-")] = {"value": value, "standing": "house"}
    for code, points in (penalties or {}).items():
        file["penalties"][code] = {"points": points, "standing": "house"}
    return parse_own_variant("casa.toml", tomlkit.dumps(file))


def refused(parent: str = "classica", /, **settings: Any) -> list[str]:
    """The messages of a file that cannot be used."""
    with pytest.raises(VariantError) as error:
        read(parent, **settings)
    return describe_variant_errors(error.value, words("en"))


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """The house rules of a folder beside this file."""
    offer_own_variants(LINKED.with_name(request.param))
    yield
    offer_own_variants(None)


@pytest.mark.parametrize(("folder", "worked"), WORKED, indirect=["folder"])
def test_a_hand_worked_by_hand_comes_out_as_worked(folder: None, worked: dict[str, Any]) -> None:
    asked = read_hand_request(json.dumps(worked["hand"]))
    found = asked.judge()
    if "problems" in worked:
        assert [each.code for each in found.findings] == worked["problems"]
        standing = Standing(worked.get("standing", "house"))
        for each in found.findings:
            assert each.standing is standing
            assert bool(each.sources) is (standing is not Standing.AGREED)
        return
    assert found.sides is not None, found.findings
    for name, side in zip(worked["hand"]["sides"], found.sides, strict=True):
        expected = worked["expect"][name]
        assert {line.code or line.item: line.points for line in side.lines} == expected
        house = {line.code or line.item for line in side.lines if line.standing is Standing.AGREED}
        assert house == set(worked["house"]) & set(expected)
    if "match" in worked:
        assert found.status is not None
        totals = [side.total for side in found.sides]
        told = {"totals": totals, "finished": found.status.finished, "winner": found.status.winner}
        assert told == worked["match"]


@pytest.mark.parametrize("limit", [1, 2, 4, 6])
@pytest.mark.parametrize("parent", package_ids())
def test_every_canasta_up_to_the_limit_of_wild_cards_follows_it(parent: str, limit: int) -> None:
    usual = get_variant(parent).settings
    before = usual["wild-limit"].value
    found = read(parent, wild_limit=limit)
    assert len(found.settings["canastas"].value) == len(usual["canastas"].value)
    for was, kind in zip(usual["canastas"].value, found.settings["canastas"].value, strict=True):
        if was["shape"] != "wilds" and was["wilds"][1] == before:
            assert kind == {**was, "wilds": [was["wilds"][0], limit]}
        else:
            assert kind == was
    if limit != before:
        assert found.moved["settings.canastas"] == "settings.wild-limit"
        assert found.settings["canastas"].cited.standing is Standing.AGREED


def test_an_option_that_sets_canastas_follows_the_limit_too() -> None:
    found = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "bolivia"
        takes-options = ["dirty-escalera"]
        settings.wild-limit = { value = 3, standing = "house" }
        """,
    )
    dirty = found.options["dirty-escalera"].value_of(True)
    assert dirty is not None
    assert {kind["item"]: kind.get("wilds") for kind in dirty.sets["canastas"]} == {
        "natural-canasta": [0, 0],
        "mixed-canasta": [1, 3],
        "samba": [0, 0],
        "dirty-samba": [1, 3],
        "bolivia": None,
    }


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
    found = parse_own_variant("casa.toml", OPTION).options["matte"].value_of("altre")
    assert found is not None
    assert found.sets["canastas"][1]["wilds"] == [1, 4]
    assert found.cited_by_setting["canastas"].standing is Standing.AGREED


def test_a_canasta_below_the_limit_of_wild_cards_stays_where_it_is() -> None:
    canastas = [{"shape": "group", "wilds": wilds} for wilds in ([0, 0], [1, 2], [1, 3])]
    moved = FOLLOWS["most-wilds"](3, 4, canastas)
    assert [kind["wilds"] for kind in moved] == [[0, 0], [1, 2], [1, 4]]


def test_a_penalty_that_is_gone_moves_nothing() -> None:
    gone = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "classica"
        drops = ["red-three-not-exposed"]
        settings.held-red-three = { value = 300, standing = "house" }
        """,
    )
    assert gone.moved == {}
    assert "red-three-not-exposed" not in gone.penalties


@pytest.mark.parametrize("row", MOVED, ids=lambda row: row["case"])
def test_a_figure_moves_with_those_that_it_hangs_together_with(row: dict[str, Any]) -> None:
    penalties = row.get("penalties", {})
    found = read(row["parent"], penalties, **row["settings"])
    assert {key: found.settings[key].value for key in row["then"]} == row["then"]
    assert dict(found.moved) == row["moved"]
    assert {code: found.penalties[code].points for code in penalties} == penalties


@pytest.mark.parametrize("row", REFUSED["to be given too"], ids=lambda row: row["named"])
def test_what_nobody_else_can_decide_has_to_be_given_too(row: dict[str, Any]) -> None:
    settings, named = row["settings"], row["named"]
    (given,) = settings
    (message,) = refused(**settings)
    assert message.startswith(f"casa.toml, line 4, settings.{given}: settings.{given} = ")
    assert message.endswith(f"Give {named} too.")
    if "with_it" in row:
        read(**settings, **{named.removeprefix("settings."): row["with_it"]})


@pytest.mark.parametrize("row", REFUSED["no game"], ids=lambda row: row["named"])
def test_figures_that_make_no_game_are_refused(row: dict[str, Any]) -> None:
    (message,) = refused(**row["settings"])
    assert row["named"] in message


def test_every_figure_of_a_limit_is_of_its_own_file_in_the_package() -> None:
    for name in package_ids():
        values = values_by_key(get_variant(name))
        for link in load_links():
            if isinstance(link, Condition) and link.id != "canastas-within-limit":
                assert link.is_fulfilled(values), (name, link.id)


def test_every_rule_of_a_link_is_used() -> None:
    used = {link.rule for link in load_links()}
    assert used == FOLLOWS.keys() | RELATIONS.keys()


def test_a_canasta_has_at_least_the_cards_of_a_meld_and_a_game_may_have_no_canasta_of_one_rank() -> (
    None
):
    is_in_order = RELATIONS["in-order"]
    assert is_in_order(3, 7, "unlimited")
    assert not is_in_order(8, 7, "unlimited")
    assert not is_in_order(3, 7, 6)
    assert RELATIONS["canastas-reach-limit"](3, [WILD])
