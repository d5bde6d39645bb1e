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
    """Offer the house rules of a folder while a test runs, so that hands are judged by them.

    The test is parametrized with the name of the folder, which lies beside this file: `linked` or
    `own`.
    """
    folder_beside_this_file = Path(__file__).with_name(request.param)
    offer_own_variants(folder_beside_this_file)
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
    # The fixture `folder` offers the house rules that the hand is played by. With at most two wild
    # cards in a meld, for example, three of them are a problem.
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    assert [finding.code for finding in judgement.findings] == worked["problems"]

    # The problem cites no source, since the table made the rule. One hand says by its key
    # `standing` that it breaks a rule of the sources instead, and they are cited.
    standing = Standing(worked.get("standing", "house"))
    for finding in judgement.findings:
        assert finding.standing is standing
        if standing is Standing.AGREED:
            assert not finding.sources
        else:
            assert finding.sources


@pytest.mark.parametrize(("folder", "worked"), WORKED_WITH_SCORES, indirect=["folder"])
def test_hand_by_house_rules_has_the_expected_score(folder: None, worked: dict[str, Any]) -> None:
    # The fixture `folder` offers the house rules that the hand is played by.
    judgement = read_hand_request(json.dumps(worked["hand"])).judge()

    for name, side in zip(worked["hand"]["sides"], judgement.sides, strict=True):
        points_by_item = {}
        for line in side.lines:
            item = line.code or line.item  # penalties and bonuses have a code
            points_by_item[item] = line.points

            # The case lists what follows from a rule of the table: ["mixed-canasta"].
            is_by_house_rule = line.standing is Standing.AGREED
            assert is_by_house_rule == (item in worked["house"])

        # A person worked out the points of each side: {"mixed-canasta": 300, "cards": 120}.
        assert points_by_item == worked["expect"][name]


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
    # House rules allow so many wild cards in a meld. They say nothing of canastas, which are melds
    # of seven cards.
    variant = get_variant(parent)
    house_rules = read_house_rules(parent, wild_limit=limit)

    # A canasta that might have as many wild cards as any meld, still may: the new limit of them.
    canastas = house_rules.settings["canastas"]
    assert list(canastas.value) == canastas_with_limit(variant, limit)

    # If the game has another limit, that is a house rule too. `moved` tells what it follows from.
    usual_limit = variant.settings["wild-limit"].value
    if limit != usual_limit:
        assert house_rules.moved["settings.canastas"] == "settings.wild-limit"
        assert canastas.cited.standing is Standing.AGREED


def test_canastas_set_by_option_follow_limit_of_wild_cards() -> None:
    # In bolivia a meld has at most two wild cards. By an option, `dirty-escalera`, canastas that
    # are sequences may have them too. These house rules allow three in a meld.
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "bolivia"
        takes-options = ["dirty-escalera"]
        settings.wild-limit = { value = 3, standing = "house" }
        """,
    )

    # A table that chooses the option has these kinds of canasta, each with the fewest and the most
    # wild cards in it. Where there may be any, the most are three now.
    option_chosen = house_rules.options["dirty-escalera"].value_of(True)
    wild_cards = {kind["item"]: kind.get("wilds") for kind in option_chosen.sets["canastas"]}
    assert wild_cards == {
        "natural-canasta": [0, 0],
        "mixed-canasta": [1, 3],
        "samba": [0, 0],  # a sequence
        "dirty-samba": [1, 3],  # a sequence with wild cards
        "bolivia": None,  # wild cards alone, without a limit
    }

    # That is cited as a house rule.
    assert option_chosen.cited_by_setting["canastas"].standing is Standing.AGREED


def test_canastas_follow_limit_of_wild_cards_in_option_of_house_rules() -> None:
    # These house rules have an option "matte" (wild cards). A table chooses between three of them
    # in a meld, as in classica ("tre"), and four ("altre", more).
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

    # A table chooses four. The option says nothing of canastas (melds of seven cards), but `sets`
    # now has them too: a mixed canasta may have one to four wild cards.
    four_chosen = house_rules.options["matte"].value_of("altre")
    _natural_canasta, mixed_canasta = four_chosen.sets["canastas"]
    assert mixed_canasta["wilds"] == [1, 4]

    # That is cited as a house rule.
    assert four_chosen.cited_by_setting["canastas"].standing is Standing.AGREED


def test_canasta_below_limit_of_wild_cards_does_not_follow_it() -> None:
    # Kinds of canasta with the fewest and the most wild cards in it. Only the last may have three,
    # as many as any meld.
    canastas = [
        {"shape": "group", "wilds": [0, 0]},
        {"shape": "group", "wilds": [1, 2]},
        {"shape": "group", "wilds": [1, 3]},
    ]

    # A house rule allows four wild cards in a meld. Before there were three.
    limit_before, limit_now = 3, 4
    change_canastas = FOLLOWS["most-wilds"]
    changed = change_canastas(limit_before, limit_now, canastas)

    assert [kind["wilds"] for kind in changed] == [[0, 0], [1, 2], [1, 4]]


def test_dropped_penalty_moves_nothing() -> None:
    # A red three left in hand costs 300 points by these house rules, not 500. Usually the penalty
    # for a red three that was not laid on the table follows, as it is for the same mistake. These
    # house rules do not have this penalty at all.
    house_rules = parse_own_variant(
        "casa.toml",
        """
        id = "casa"
        extends = "classica"
        drops = ["red-three-not-exposed"]
        settings.held-red-three = { value = 300, standing = "house" }
        """,
    )
    assert "red-three-not-exposed" not in house_rules.penalties

    # `moved` has what changed only because something else did. That is nothing here.
    assert house_rules.moved == {}


@pytest.mark.parametrize("row", MOVED, ids=lambda row: row["case"])
def test_changed_setting_moves_those_that_depend_on_it(row: dict[str, Any]) -> None:
    # House rules change settings of a game, and perhaps penalties. In one row, for example, they
    # change the points of cards: {"card-points": …}, in which a black three counts 10.
    penalties = row.get("penalties", {})
    house_rules = read_house_rules(row["parent"], penalties, **row["settings"])

    # Other settings change with these. Then a black three left in hand costs 10 as well:
    # {"left-black-three": 10}.
    for setting, value in row["then"].items():
        assert house_rules.settings[setting].value == value

    # Each that changed is listed with what it follows:
    # {"settings.left-black-three": "settings.card-points"}.
    assert dict(house_rules.moved) == row["moved"]

    # A penalty that the file gives has the points that it gives.
    for code, points in penalties.items():
        assert house_rules.penalties[code].points == points


GIVEN_TOO = INCOMPLETE_AND_IMPOSSIBLE_RULES["to be given too"]
"""A setting, and another that has to be given with it."""


@pytest.mark.parametrize("row", GIVEN_TOO, ids=lambda row: row["named"])
def test_house_rules_without_setting_that_depends_on_another_are_refused(
    row: dict[str, Any],
) -> None:
    # A file of house rules changes one setting, for example to three decks: {"decks": 3}. The game
    # has six red threes then. What five and six are worth depends on that, and is not said.
    (setting,) = row["settings"]
    missing = row["named"]  # "settings.red-three-values"

    (message,) = list_mistakes(**row["settings"])

    # The message begins with the place and the setting: "casa.toml, line 4, settings.decks:
    # settings.decks = 3". It ends with "Give settings.red-three-values too."
    assert message.startswith(f"casa.toml, line 4, settings.{setting}: settings.{setting} = ")
    assert message.endswith(f"Give {missing} too.")


@pytest.mark.parametrize(
    "row", [row for row in GIVEN_TOO if "with_it" in row], ids=lambda row: row["named"]
)
def test_house_rules_with_setting_that_depends_on_another_are_read(row: dict[str, Any]) -> None:
    # House rules change a setting on which another depends: with three decks, {"decks": 3}, there
    # are six red threes, whose values have to be given too. This file gives both.
    other_setting = row["named"].removeprefix("settings.")  # "red-three-values"
    settings = row["settings"] | {other_setting: row["with_it"]}

    # It is read without an error, and has the values that it gives.
    house_rules = read_house_rules(**settings)
    for setting, value in settings.items():
        assert house_rules.settings[setting].value == value


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
