"""Rules stored with a match: what is refused. `test_properties` holds that they come back whole."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from scorepad.errors import NewerError
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import freeze, settle, thaw

CONCEALED = settle("classica", None, {"concealed-canasta": 100, "red-threes-unopened": "zero"})


def stored(rules: Ruleset) -> dict[str, Any]:
    """Rules as they come back from a file."""
    frozen: dict[str, Any] = json.loads(json.dumps(freeze(rules)))
    return frozen


def test_frozen_rules_carry_version_1_and_no_other_one_is_read() -> None:
    frozen = stored(CONCEALED)
    assert frozen["version"] == 1
    assert thaw(frozen) == CONCEALED
    for version in (2, 0, None, "1"):
        with pytest.raises(NewerError, match="version"):
            thaw({**frozen, "version": version})
    with pytest.raises(NewerError):
        thaw({key: value for key, value in frozen.items() if key != "version"})


@pytest.mark.parametrize("key", ["upcard_wild", "opening_by"])
def test_frozen_rules_that_lack_a_setting_are_not_completed(key: str) -> None:
    frozen = stored(CONCEALED)
    del frozen["settings"][key]
    with pytest.raises(ValidationError, match=key):
        thaw(frozen)


def test_frozen_rules_without_a_table_of_settings_are_refused() -> None:
    frozen = {**stored(CONCEALED), "settings": 5}
    with pytest.raises(ValidationError, match="settings"):
        thaw(frozen)


@pytest.mark.parametrize("name", ["hand-and-foot", "moderna"])
def test_rules_stored_before_the_pile_was_known_get_its_rules(name: str) -> None:
    rules = settle(name)
    frozen = stored(rules)
    frozen["settings"] |= {"pile": "not-told", "upcard": "not-told", "pile_naturals": 1}
    del frozen["settings"]["pile_taken_most"]
    thawed = thaw(frozen)
    assert thawed.settings == rules.settings
    assert thawed.cited == rules.cited
