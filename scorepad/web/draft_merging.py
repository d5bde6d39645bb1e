"""Drafts of a hand compared by what they count, and those of two phones merged.

A draft is the typed texts of the form, by key of the field.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from scorepad.i18n import Language
from scorepad.matches.hands import Draft
from scorepad.rules.definitions import Ruleset
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

_ZERO_COUNTS = ("cards", "left", "sum", "melds")
"""Groups of fields in which a typed 0 differs from a blank field."""


class FieldDifference(NamedTuple):
    """A field whose value differs in two drafts, with both texts. `field` is None for a field of
    the whole hand.

    `is_ignored`: one of the drafts has a text there that it does not count.
    """

    key: str
    field: Field | None
    texts: tuple[str, str]
    is_ignored: bool


# ------------------------------------------------------------------------------------------- values


def draft_values(draft: Draft, rules: Ruleset, language: Language) -> dict[str, object]:
    """What the texts of a draft mean, by key: `1.500` is 1500, and `K K` is the same as `2xK`.

    A text that cannot be read is its own value.
    """
    values: dict[str, object] = {}
    for name in HAND_KEYS:
        text = draft.get(name, "").strip()
        if text:
            values[name] = text
    for field in _fields_of(draft, rules):
        text = draft.get(field.key, "").strip()
        if not text:
            continue
        value = _meaning_of(field, text, language)
        if value or field.group in _ZERO_COUNTS:
            values[field.key] = value
    return values


def _fields_of(draft: Draft, rules: Ruleset) -> Iterator[Field]:
    """The fields of all sides, with the rows that the draft has."""
    for position in range(len(rules.settings.sides)):
        yield from fields_for(rules, position, draft)


def _meaning_of(field: Field, text: str, language: Language) -> object:
    value = field.type.read(text, language).value
    if value is None:
        return text
    if isinstance(field.type, types.Melds):
        return sorted(map(repr, value))  # melds may be typed in any order
    return value


def is_ignored(draft: Draft, name: str) -> bool:
    """Whether a field does not count, because its side is counted by a sum or a special hand."""
    if name in HAND_KEYS:
        return False
    side = name[0]
    for replacement in ("sum", "special"):
        if draft.get(key(side, replacement), "").strip():
            # Penalties are refused beside a sum, not ignored.
            return group_of(name) not in (replacement, ADJUSTMENTS, *OWED)
    return False


# ---------------------------------------------------------------------------------------- comparing


def count_the_same(one: Draft, other: Draft, rules: Ruleset, language: Language) -> bool:
    return _counted_values(one, rules, language) == _counted_values(other, rules, language)


def _counted_values(
    draft: Draft, rules: Ruleset, language: Language
) -> tuple[dict[str, object], list[tuple[str, ...]]]:
    """The values of single fields, and the rows of points with a reason, which may stand in any
    order.
    """
    values: dict[str, object] = {}
    rows: dict[str, list[str]] = {}
    for name, value in draft_values(draft, rules, language).items():
        if is_ignored(draft, name):
            continue
        row, _, part = name.rpartition(".")
        if part in ("points", "reason"):
            rows.setdefault(row, []).append(f"{part} {value}")
        else:
            values[name] = value
    groups_with_rows = []
    for row, parts in rows.items():
        group = row.rpartition(".")[0]
        groups_with_rows.append((group, *sorted(parts)))
    return values, sorted(groups_with_rows)


def field_differences(
    stored: Draft, mine: Draft, rules: Ruleset, language: Language, *, only_mine: bool = False
) -> list[FieldDifference]:
    """The fields with different values in two drafts; those that one of them ignores come last.

    `only_mine`: only the fields in which something is typed in mine.
    """
    fields: dict[str, Field | None] = {}
    for position in range(len(rules.settings.sides)):
        for draft in (stored, mine):
            for field in fields_for(rules, position, draft):
                fields[field.key] = field
    for name in HAND_KEYS:
        fields[name] = None

    stored_values = draft_values(stored, rules, language)
    my_values = draft_values(mine, rules, language)
    counted = []
    ignored = []
    for name, each in fields.items():
        is_same = stored_values.get(name) == my_values.get(name)
        if is_same or (only_mine and not my_values.get(name)):
            continue
        texts = stored.get(name, "").strip(), mine.get(name, "").strip()
        if _has_ignored_text(stored, name) or _has_ignored_text(mine, name):
            ignored.append(FieldDifference(name, each, texts, is_ignored=True))
        else:
            counted.append(FieldDifference(name, each, texts, is_ignored=False))
    return counted + ignored


def _has_ignored_text(draft: Draft, name: str) -> bool:
    return bool(draft.get(name, "").strip()) and is_ignored(draft, name)


# ------------------------------------------------------------------------------------------ merging


def merge_drafts(
    base: Draft | None,
    mine: Draft,
    theirs: Draft,
    rules: Ruleset,
    language: Language,
    *,
    mine_wins: bool = False,
) -> dict[str, str] | None:
    """The drafts of two phones merged field by field; None if both changed the same field.

    `base` is the draft from which both began, None if that is not known: then they merge only if
    they count the same. `mine_wins`: a field that both changed is taken from mine.
    """
    if count_the_same(mine, theirs, rules, language):
        ignored = {name: text for name, text in theirs.items() if is_ignored(theirs, name)}
        return {**ignored, **mine}
    if base is None:
        return None

    base_values = draft_values(base, rules, language)
    my_values = draft_values(mine, rules, language)
    their_values = draft_values(theirs, rules, language)
    merged = {}
    for name in dict.fromkeys((*theirs, *mine)):
        i_changed_it = my_values.get(name) != base_values.get(name)
        they_changed_it = their_values.get(name) != base_values.get(name)
        is_same = my_values.get(name) == their_values.get(name)
        text = mine.get(name)
        if not i_changed_it:
            text = theirs.get(name)
        elif they_changed_it and not is_same:
            merged_melds = None
            if name.endswith(".melds"):
                merged_melds = _merge_melds(
                    base.get(name, ""), mine.get(name, ""), theirs.get(name, ""), language
                )
            if merged_melds is not None:
                text = merged_melds
            elif not mine_wins:
                return None
        if text is not None:
            merged[name] = text
    return merged


def _merge_melds(base: str, mine: str, theirs: str, language: Language) -> str | None:
    """Melds, one on a line, merged if two phones changed different lines; else None."""
    merged = []
    drafts = (text.split("\n") for text in (base, mine, theirs))
    for base_line, my_line, their_line in zip_longest(*drafts, fillvalue=""):
        base_melds = types.MELDS.read(base_line, language).value
        my_melds = types.MELDS.read(my_line, language).value
        their_melds = types.MELDS.read(their_line, language).value
        if my_melds == base_melds:
            merged.append(their_line)
        elif their_melds in (base_melds, my_melds):
            merged.append(my_line)
        else:
            return None
    return "\n".join(line for line in merged if line.strip())
