"""Sentences of the rulebook beside the figures of a variant, with their sources, as data.

They decide nothing: the rules in force are the settings. A statement holds in every variant whose settings have the
values that it names.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from scorepad.errors import VariantError
from scorepad.rules.citations import Cited
from scorepad.rules.definitions import SETTING_KEYS, inherited
from scorepad.rules.loader import data_folder, read_cited
from scorepad.rules.variants import Variant, sources

_FILE = "statements.toml"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the rulebook: the section it stands in, the rule it follows, and where it is said.

    `after` is a setting (None: the head of the section), `when` the values that settings must have for it to hold, and
    `unless` those that they must not have.
    `differs`: it is what another source says instead; of the statement `instead`, where that is named.
    """

    id: str
    section: str
    after: str | None
    when: Mapping[str, Any]
    unless: Mapping[str, Any]
    cited: Cited
    differs: bool = False
    instead: str | None = None


@cache
def all_statements() -> tuple[Statement, ...]:
    """Every statement, in the order of the data. Raises VariantError where the data is wrong."""
    raw = tomllib.loads((data_folder() / "book" / _FILE).read_text("utf-8"))
    return tuple(_statement(name, entry) for name, entry in raw.items())


def statements_of(variant: Variant) -> Iterator[Statement]:
    """Those that hold in a variant; taken over from the classic game where its own sources do not speak."""
    for each in all_statements():
        cited = _taken(each.cited, variant)
        if not _holds(each, variant):
            continue
        if not each.differs:
            yield replace(each, cited=cited)
        # What another source of the classic game says otherwise is no matter of a game taken from elsewhere.
        elif cited is each.cited or variant.stated_by:
            yield each


def _holds(statement: Statement, variant: Variant) -> bool:
    now = {key: value.value for key, value in variant.settings.items()}
    return all(now[key] == value for key, value in statement.when.items()) and not any(
        now[key] == value for key, value in statement.unless.items()
    )


def _taken(cited: Cited, variant: Variant) -> Cited:
    if variant.inherits is None:
        return cited
    values = (variant.players, *variant.settings.values())
    own = {place for value in values if value.cited.read != variant.inherits for place in value.cited.citations}
    if own.issuperset(cited.citations):
        return cited
    return inherited(cited, variant.inherits, variant.stated_by)


def _statement(name: str, entry: dict[str, Any]) -> Statement:
    section, after, differs = entry.pop("section", None), entry.pop("after", None), entry.pop("differs", False)
    when, unless, instead = entry.pop("when", {}), entry.pop("unless", {}), entry.pop("instead", None)
    if section is None:
        raise VariantError(_FILE, f"{name}.section", "missing")
    for key in (*when, *unless, *filter(None, [after])):
        if key not in SETTING_KEYS:
            raise VariantError(_FILE, name, "unknown-setting", name=key)
    cited = read_cited(data_folder() / "book" / _FILE, name, entry, sources())
    return Statement(name, section, after, when, unless, cited, differs, instead)
