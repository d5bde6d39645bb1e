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

# Some settings of a game depend on others. House rules that change one of them then change ("move")
# the other too, or have to give it as well.
LINKED = Path(__file__).with_name("linked")


def list_worked_hands() -> list[tuple[str, dict[str, Any]]]:
    """List the hands worked by hand, each with the folder that holds its house rules."""
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
INCOMPLETE_AND_IMPOSSIBLE_RULES = read_data(LINKED / "refused.json")
MOVED = read_data(LINKED / "moved.json")


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """Offer the house rules of a folder beside this file, `linked` or `own`, while a test runs."""
    offer_own_variants(LINKED.with_name(request.param))
    yield
    offer_own_variants(None)


def read_house_rules(
    parent: str = "classica", penalties: Mapping[str, int] | None = None, /, **settings: Any
) -> Variant:
    """Read a file of house rules that extends a variant and gives these penalties and settings.

    The names of settings are written with `_` in place of `-`: `read_house_rules(wild_limit=2)`.
    """
    file: dict[str, Any] = {"id": "casa", "extends": parent, "settings": {}, "penalties": {}}
    for key, value in settings.items():
        file["settings"][key.replace("_", "-")] = {"value": value, "standing": "house"}
    for code, points in (penalties or {}).items():
        file["penalties"][code] = {"points": points, "standing": "house"}
    return parse_own_variant("casa.toml", tomlkit.dumps(file))


def list_mistakes(**settings: Any) -> list[str]:
    """Read house rules that cannot be used because of these settings; return the messages."""
    with pytest.raises(VariantError) as error:
        read_house_rules(**settings)
    return describe_variant_errors(error.value, words("en"))


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_PROBLEMS, indirect=["folder"])
def test_hand_breaking_house_rule_has_the_expected_problems(
    folder: None, worked: dict[str, Any]
) -> None:
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    assert [finding.code for finding in judgement.findings] == worked["problems"]

    # The problem cites no source, since the table made the rule. A few hands say by their key
    # `standing` that the rule which they break is one of the sources.
    standing = Standing(worked.get("standing", "house"))
    for finding in judgement.findings:
        assert finding.standing is standing
        assert bool(finding.sources) == (standing is not Standing.AGREED)


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_SCORES, indirect=["folder"])
def test_hand_by_house_rules_has_the_expected_score(folder: None, worked: dict[str, Any]) -> None:
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    for name, side in zip(worked["hand"]["sides"], judgement.sides, strict=True):
        # A person worked out the points of each side: {"mixed-canasta": 300, "cards": 120}.
        lines = {line.code or line.item: line for line in side.lines}
        points = {item: line.points for item, line in lines.items()}
        assert points == worked["expect"][name]

        # The case lists which of these follow from a rule of the table: ["mixed-canasta"].
        for item, line in lines.items():
            is_by_house_rule = line.standing is Standing.AGREED
            assert is_by_house_rule == (item in worked["house"])


WORKED_WITH_END_OF_MATCH = [row for row in WORKED_WITH_SCORES if "match" in row.values[1]]


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_END_OF_MATCH, indirect=["folder"])
def test_match_by_house_rules_ends_as_expected(folder: None, worked: dict[str, Any]) -> None:
    # The fixture `folder` offers the house rules that the hand is played by.
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    assert [side.total for side in judgement.sides] == worked["match"]["totals"]
    assert judgement.status.finished == worked["match"]["finished"]
    assert judgement.status.winner == worked["match"]["winner"]


# How many wild cards a canasta may have depends on how many a meld may have ("wild-limit"): a house
# rule that changes this limit changes the canastas that had as many wild cards as a meld.


def canastas_with_limit(variant: Variant, limit: int) -> list[dict[str, Any]]:
    """Return the kinds of canasta of a game once melds may have so many wild cards.

    Each kind has the fewest and the most wild cards: `"wilds": [1, 3]`. Where the most were as many
    as in any meld, they change.
    """
    usual_limit = variant.settings["wild-limit"].value
    canastas = []
    for kind in variant.settings["canastas"].value:
        has_natural_cards = kind["shape"] != "wilds"
        if has_natural_cards and kind["wilds"][1] == usual_limit:
            fewest = kind["wilds"][0]
            canastas.append({**kind, "wilds": [fewest, limit]})
        else:
            canastas.append(kind)
    return canastas


@pytest.mark.parametrize("limit", [1, 2, 4, 6])
@pytest.mark.parametrize("parent", package_ids())
def test_canastas_follow_limit_of_wild_cards(parent: str, limit: int) -> None:
    # A table allows more or fewer wild cards in a meld than the game.
    variant = get_variant(parent)
    house_rules = read_house_rules(parent, wild_limit=limit)

    # Its canastas may have as many, although the file says nothing of them.
    canastas = house_rules.settings["canastas"]
    assert list(canastas.value) == canastas_with_limit(variant, limit)
    if limit != variant.settings["wild-limit"].value:
        assert house_rules.moved["settings.canastas"] == "settings.wild-limit"
        assert canastas.cited.standing is Standing.AGREED


def test_canastas_set_by_option_follow_limit_of_wild_cards() -> None:
    # In bolivia a meld may have at most two wild cards. An option, `dirty-escalera`, sets which
    # canastas there are, with two wild cards as well. These house rules allow three in a meld.
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "bolivia"
        takes-options = ["dirty-escalera"]
        settings.wild-limit = { value = 3, standing = "house" }
        """,
    )

    dirty_escalera = house_rules.options["dirty-escalera"].value_of(True)

    # So do the canastas that the option sets.
    fewest_and_most_wilds = {
        kind["item"]: kind.get("wilds") for kind in dirty_escalera.sets["canastas"]
    }
    assert fewest_and_most_wilds == {
        "natural-canasta": [0, 0],
        "mixed-canasta": [1, 3],
        "samba": [0, 0],
        "dirty-samba": [1, 3],
        "bolivia": None,  # of wild cards alone
    }
    assert dirty_escalera.cited_by_setting["canastas"].standing is Standing.AGREED


def test_own_option_that_changes_limit_of_wild_cards_moves_canastas() -> None:
    # House rules with an option of their own, "matte" (wild cards). Its value "altre" (more) allows
    # four of them in a meld. By "tre" (three) there are as many as in classica.
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
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
        """,
    )

    four_wild_cards = house_rules.options["matte"].value_of("altre")

    # So a mixed canasta has one to four, although the option says nothing of canastas.
    _natural_canasta, mixed_canasta = four_wild_cards.sets["canastas"]
    assert mixed_canasta["wilds"] == [1, 4]
    assert four_wild_cards.cited_by_setting["canastas"].standing is Standing.AGREED


def test_canasta_below_limit_of_wild_cards_does_not_follow_it() -> None:
    # Kinds of canasta with the fewest and the most wild cards in it. Only the last may have three,
    # as many as any meld.
    canastas = [
        {"shape": "group", "wilds": [0, 0]},
        {"shape": "group", "wilds": [1, 2]},
        {"shape": "group", "wilds": [1, 3]},
    ]

    # A house rule allows four wild cards in a meld instead of three.
    change_canastas = FOLLOWS["most-wilds"]
    changed = change_canastas(3, 4, canastas)

    assert [kind["wilds"] for kind in changed] == [[0, 0], [1, 2], [1, 4]]


def test_dropped_penalty_moves_nothing() -> None:
    # What a red three left in hand costs usually moves the penalty for a red three that was not
    # laid on the table. These house rules do not have this penalty at all.
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
def test_changed_setting_moves_those_that_depend_on_it(row: dict[str, Any]) -> None:
    # In one row, for example, house rules change the points of cards: a black three counts 10.
    penalties = row.get("penalties", {})
    house_rules = read_house_rules(row["parent"], penalties, **row["settings"])

    # Then a black three left in hand costs as much. `moved` names the setting that changed with the
    # one it follows: {"settings.left-black-three": "settings.card-points"}.
    assert dict(house_rules.moved) == row["moved"]
    for key, value in row["then"].items():
        assert house_rules.settings[key].value == value
    for code, points in penalties.items():
        assert house_rules.penalties[code].points == points


GIVEN_TOO = INCOMPLETE_AND_IMPOSSIBLE_RULES["to be given too"]
"""A setting, and another that has to be given with it."""


@pytest.mark.parametrize("row", GIVEN_TOO, ids=lambda row: row["named"])
def test_house_rules_without_setting_that_depends_on_another_are_refused(
    row: dict[str, Any],
) -> None:
    # House rules with three decks, for example, have six red threes. They have to say what five and
    # six are worth ("red-three-values"), and do not.
    (setting,) = row["settings"]
    missing = row["named"]

    (message,) = list_mistakes(**row["settings"])

    # The message names the line of the setting that is given, and the one that is missing.
    assert message.startswith(f"casa.toml, line 4, settings.{setting}: settings.{setting} = ")
    assert message.endswith(f"Give {missing} too.")


@pytest.mark.parametrize(
    "row", [row for row in GIVEN_TOO if "with_it" in row], ids=lambda row: row["named"]
)
def test_house_rules_with_setting_that_depends_on_another_are_read(row: dict[str, Any]) -> None:
    # The same house rules with a fitting value of the setting that was missing: no error is raised.
    missing_setting = row["named"].removeprefix("settings.")
    read_house_rules(**row["settings"], **{missing_setting: row["with_it"]})


@pytest.mark.parametrize(
    "row", INCOMPLETE_AND_IMPOSSIBLE_RULES["no game"], ids=lambda row: row["named"]
)
def test_settings_that_contradict_each_other_are_refused(row: dict[str, Any]) -> None:
    # For example a longest meld of six cards, where a canasta needs seven.
    (message,) = list_mistakes(**row["settings"])
    assert row["named"] in message


@pytest.mark.parametrize("variant", package_ids())
def test_packaged_variant_fulfils_every_condition(variant: str) -> None:
    # What is required of the settings of house rules holds in the games of the app.
    values = values_by_key(get_variant(variant))
    for link in load_links():
        if isinstance(link, Condition):
            assert link.is_fulfilled(values), link.id


def test_every_function_of_links_is_used_by_data() -> None:
    functions_used = {link.rule for link in load_links()}
    assert functions_used == FOLLOWS.keys() | RELATIONS.keys()


@pytest.mark.parametrize(
    ("shortest_meld", "canasta", "longest_meld", "expected"),
    [(3, 7, "unlimited", True), (8, 7, "unlimited", False), (3, 7, 6, False)],
)
def test_in_order_compares_shortest_meld_canasta_and_longest_meld(
    shortest_meld: int, canasta: int, longest_meld: int | str, expected: bool
) -> None:
    # A canasta has at least as many cards as the shortest meld, and at most as many as the longest.
    assert RELATIONS["in-order"](shortest_meld, canasta, longest_meld) == expected


def test_game_may_have_only_canastas_of_wild_cards() -> None:
    # Three wild cards may be in a meld, and so in a mixed canasta. This game has none: a canasta
    # of wild cards alone has no such limit.
    wild_canasta = {"item": "wild-canasta", "points": 900, "shape": "wilds", "family": "wild"}
    assert RELATIONS["canastas-reach-limit"](3, [wild_canasta])
