"""Drafts of a hand compared by what they count, and those of two phones merged."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import MeldEntry
from scorepad.web import field_texts as types
from scorepad.web.hand_fields import (
    ADJUSTMENTS,
    HAND_KEYS,
    OWED,
    Field,
    fields_for,
    group_of,
    key,
)

_NOUGHT_COUNTS = ("cards", "left", "sum", "melds")
"""Groups of fields in which a nought differs from a blank text."""


class FieldDifference(NamedTuple):
    """A field that differs in two drafts; one of the whole hand is only a `key`.

    `is_idle`: one of the drafts ignores it.
    """

    key: str
    field: Field | None
    texts: tuple[str, str]
    is_idle: bool


def draft_values(draft: Draft, rules: Ruleset, language: Language) -> dict[str, object]:
    """The values of the fields of a draft by key, of a text that has none the text: `1.500` is
    1500, `K K` is the same as `2xK`.
    """
    values: dict[str, object] = {}
    for name in HAND_KEYS:
        text = draft.get(name, "").strip()
        if text:
            values[name] = text
    for field in _all_fields(rules, draft):
        text = draft.get(field.key, "").strip()
        if not text:
            continue
        value = _value(field, text, language)
        if value or field.group in _NOUGHT_COUNTS:
            values[field.key] = value
    return values


def _all_fields(rules: Ruleset, draft: Draft) -> list[Field]:
    fields: list[Field] = []
    for position in range(len(rules.settings.sides)):
        fields += fields_for(rules, position, draft)
    return fields


def _value(field: Field, text: str, language: Language) -> object:
    value = field.type.read(text, language).value
    if value is None:
        return text
    if isinstance(field.type, types.Melds):
        return sorted(map(_sort_key, value))
    return value


def _sort_key(meld: MeldEntry) -> str:
    """Melds may be typed in any order."""
    return repr(meld)


def is_idle(draft: Draft, name: str) -> bool:
    """Whether a field is ignored, because the side is counted by a sum or a special hand."""
    if name in HAND_KEYS:
        return False
    for instead in ("sum", "special"):
        if draft.get(key(name[0], instead), "").strip():
            # A penalty beside a sum is refused, so it counts here.
            return group_of(name) not in (instead, ADJUSTMENTS, *OWED)
    return False


def count_the_same(one: Draft, other: Draft, rules: Ruleset, language: Language) -> bool:
    return _counted_values(one, rules, language) == _counted_values(other, rules, language)


def _counted_values(draft: Draft, rules: Ruleset, language: Language) -> object:
    """The values that count; rows of points with a reason in any order."""
    values: dict[str, object] = {}
    rows: dict[str, dict[str, str]] = {}
    for name, value in draft_values(draft, rules, language).items():
        if is_idle(draft, name):
            continue
        if name.endswith((".points", ".reason")):
            row, _, part = name.rpartition(".")
            rows.setdefault(row, {})[part] = str(value)
        else:
            values[name] = value
    sorted_rows = []
    for row, parts in rows.items():
        group = row.rpartition(".")[0]
        sorted_rows.append((group, *sorted(parts.items())))
    return values, sorted(sorted_rows)


def merge_drafts(
    base: Draft | None,
    mine: Draft,
    theirs: Draft,
    rules: Ruleset,
    language: Language,
    *,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """Both drafts merged, if they count the same or change different fields of their common base;
    else None.

    `mine_wins`: a field that both changed is taken from mine.
    """
    if count_the_same(mine, theirs, rules, language):
        ignored = {name: text for name, text in theirs.items() if is_idle(theirs, name)}
        return {**ignored, **mine}
    if base is None:
        return None
    base_values = draft_values(base, rules, language)
    my_values = draft_values(mine, rules, language)
    their_values = draft_values(theirs, rules, language)
    merged = {}
    for name in dict.fromkeys((*theirs, *mine)):
        base_value = base_values.get(name)
        my_value = my_values.get(name)
        their_value = their_values.get(name)
        if my_value == base_value:
            text = theirs.get(name)
        elif their_value in (base_value, my_value):
            text = mine.get(name)
        else:
            text = _merged_melds(name, base, mine, theirs, language)
            if text is None and not mine_wins:
                return None
            if text is None:
                text = mine.get(name)
        if text is not None:
            merged[name] = text
    return merged


def _merged_melds(
    name: str, base: Draft, mine: Draft, theirs: Draft, language: Language
) -> str | None:
    """Melds, one on a line, merged if two phones changed different lines; None if both changed the
    same line, or the field has no melds.
    """
    if not name.endswith(".melds"):
        return None
    merged = []
    lines_of_drafts = (draft.get(name, "").split("\n") for draft in (base, mine, theirs))
    for base_line, my_line, their_line in zip_longest(*lines_of_drafts, fillvalue=""):
        base_melds = types.MELDS.read(base_line, language).value
        my_melds = types.MELDS.read(my_line, language).value
        their_melds = types.MELDS.read(their_line, language).value
        if my_melds == base_melds:
            merged.append(their_line)
        elif their_melds in (base_melds, my_melds):
            merged.append(my_line)
        else:
            return None
    return "\n".join(filter(str.strip, merged))


def field_differences(
    stored: Draft, mine: Draft, rules: Ruleset, language: Language, *, only_mine: bool = False
) -> list[FieldDifference]:
    """The fields with different values; ignored ones last. `only_mine`: only fields typed in mine."""
    stored_values = draft_values(stored, rules, language)
    my_values = draft_values(mine, rules, language)
    fields: dict[str, Field | None] = {}
    for position in range(len(rules.settings.sides)):
        for draft in (stored, mine):
            fields |= {field.key: field for field in fields_for(rules, position, draft)}
    differences = []
    for name, field in (fields | dict.fromkeys(HAND_KEYS)).items():
        if stored_values.get(name) == my_values.get(name):
            continue
        if only_mine and not my_values.get(name):
            continue
        texts = stored.get(name, "").strip(), mine.get(name, "").strip()
        ignored_there = texts[0] != "" and is_idle(stored, name)
        ignored_here = texts[1] != "" and is_idle(mine, name)
        differences.append(FieldDifference(name, field, texts, ignored_there or ignored_here))
    return sorted(differences, key=lambda difference: difference.is_idle)
