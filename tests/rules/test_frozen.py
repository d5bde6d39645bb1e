"""Rules stored with a match: what is refused. `test_properties` holds that they come back whole."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from scorepad.errors import NewerError
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import freeze, settle, thaw

# A match is stored with its rules, "frozen" as JSON, so that a later version of the app does not
# change them. These are the rules of classica with two options.
RULES = settle("classica", None, {"concealed-canasta": 100, "red-threes-unopened": "zero"})


def store_and_load(rules: Ruleset) -> dict[str, Any]:
    """Freeze rules, write them as JSON, and return what is read from it."""
    frozen: dict[str, Any] = json.loads(json.dumps(freeze(rules)))
    return frozen


@pytest.fixture
def frozen() -> dict[str, Any]:
    """Return RULES in their frozen form, as it is stored with a match."""
    return store_and_load(RULES)


def test_frozen_rules_have_version_1(frozen: dict[str, Any]) -> None:
    assert frozen["version"] == 1
    assert thaw(frozen) == RULES


@pytest.mark.parametrize("version", [2, 0, None, "1"])
def test_frozen_rules_of_other_version_are_refused(frozen: dict[str, Any], version: object) -> None:
    # Rules of another version have another form, so that this version of the app cannot read them.
    frozen["version"] = version
    with pytest.raises(NewerError, match="version"):
        thaw(frozen)


def test_frozen_rules_without_version_are_refused(frozen: dict[str, Any]) -> None:
    # They are taken for rules of a later version, which stores them in another form.
    del frozen["version"]
    with pytest.raises(NewerError):
        thaw(frozen)


@pytest.mark.parametrize("setting", ["upcard_wild", "opening_by"])
def test_frozen_rules_without_a_setting_are_refused(frozen: dict[str, Any], setting: str) -> None:
    del frozen["settings"][setting]
    with pytest.raises(ValidationError, match=setting):
        thaw(frozen)


def test_frozen_rules_whose_settings_are_a_number_are_refused(frozen: dict[str, Any]) -> None:
    frozen["settings"] = 5
    with pytest.raises(ValidationError, match="settings"):
        thaw(frozen)


@pytest.mark.parametrize("variant", ["hand-and-foot", "moderna"])
def test_thaw_adds_rules_of_the_pile_that_earlier_versions_did_not_have(variant: str) -> None:
    # An earlier version of the app did not know the rules of the pile in these games. It stored
    # "not-told", and had no setting `pile_taken_most`.
    rules_of_today = settle(variant)
    frozen = store_and_load(rules_of_today)
    settings = frozen["settings"]
    settings["pile"] = "not-told"
    settings["upcard"] = "not-told"
    settings["pile_naturals"] = 1
    del settings["pile_taken_most"]

    thawed = thaw(frozen)

    # A match that began then goes on with the rules of today.
    assert thawed.settings == rules_of_today.settings
    assert thawed.cited == rules_of_today.cited
