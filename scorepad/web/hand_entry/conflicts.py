"""Two drafts of one hand: what differs, whether they count the same, and how they merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Ruleset
from scorepad.web.forms import Misread, read_sum
from scorepad.web.hand_entry.card import Cell, MatchHand
from scorepad.web.hand_fields import (
    FIGURES,
    HAND_KEYS,
    FieldKind,
    fields_for,
    key,
    lines_of,
    rows_of,
    side_of,
)

_NEEDED_NOUGHT = ("cards", "left", "sum", "melds")
"""Fields in which `0` says something else than a blank one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with different texts in two drafts; without a cell it is one of the whole hand.

    `is_idle`: in one of the drafts it does not count.
    """

    key: str
    cell: Cell | None
    texts: tuple[str, str]
    is_idle: bool


def meanings(draft: Mapping[str, str], rules: Ruleset, language: Language) -> dict[str, object]:
    """What the fields of a draft mean, by key, however they are written: `1.500` is `1500`, `K K` is `2xK`."""
    found: dict[str, object] = {name: text for name in HAND_KEYS if (text := draft.get(name, "").strip())}
    for position, side in enumerate(SIDE_KEYS[: len(rules.settings.sides)]):
        for each in fields_for(rules, position, draft):
            text = draft.get(key(side, each.name), "").strip()
            meaning = _meaning(text, each.kind, language) if text else None
            if meaning or (meaning == 0 and each.group in _NEEDED_NOUGHT):
                found[key(side, each.name)] = meaning
    return found


def _meaning(text: str, kind: FieldKind, language: Language) -> object:
    match kind:
        case _ if kind in FIGURES:
            figure = read_sum(text, language, signed=True)
            return text if isinstance(figure, Misread) else figure
        case FieldKind.CARDS | FieldKind.MELDS:
            return 0 if text == "0" else tuple(sorted(map(_same_cards, lines_of(text))))
        case _:
            return text


def _same_cards(text: str) -> str:
    """Cards however they are written; as they were typed where some are no cards."""
    reading = read_cards(notated(text.rstrip("*")))
    mark = "*" if text.endswith("*") else ""
    return " ".join(text.split()) if reading.unknown else f"{reading.cards.counts} {reading.cards.suited}{mark}"


def is_idle(draft: Mapping[str, str], name: str) -> bool:
    """Whether a field does not count, because the side is counted by a sum or a special hand."""
    side = side_of(name)
    if side is None:
        return False
    prefix, group = SIDE_KEYS[side], name[2:].partition(".")[0]
    if draft.get(key(prefix, "sum"), "").strip():
        # A penalty beside a sum is refused: it counts in this.
        return group not in ("sum", "adjustments", "penalties", "bonuses", "house")
    shows = draft.get(key(prefix, "special"), "").strip()
    return bool(shows) and group not in ("special", "adjustments", "penalties", "bonuses", "house")


def count_the_same(one: Mapping[str, str], other: Mapping[str, str], rules: Ruleset, language: Language) -> bool:
    """Whether two drafts are of the same hand."""
    first, second = meanings(one, rules, language), meanings(other, rules, language)
    return all(_counting(one, first, side) == _counting(other, second, side) for side in (*SIDE_KEYS, ""))


def _counting(draft: Mapping[str, str], found: Mapping[str, object], side: str) -> object:
    """What counts of a side; rows of agreed points in any order."""
    counts = {
        name: value for name, value in found.items() if name[:1] + "." == side + "." or (not side and name in HAND_KEYS)
    }
    counts = {name: value for name, value in counts.items() if not is_idle(draft, name)}
    rows = sorted(
        (
            group,
            str(counts.pop(f"{side}.{group}.{row}.points", "")),
            str(counts.pop(f"{side}.{group}.{row}.reason", "")),
        )
        for group in ("house", "adjustments")
        for row in (rows_of(draft, side, group) if side else ())
    )
    return counts, rows


def merged(
    seen: Mapping[str, str] | None,
    mine: Mapping[str, str],
    there: Mapping[str, str],
    rules: Ruleset,
    language: Language,
) -> dict[str, str] | None:
    """Both drafts in one, where they count the same or change different fields of what both had seen; else None."""
    if count_the_same(mine, there, rules, language):
        return {**{name: text for name, text in there.items() if is_idle(there, name)}, **mine}
    if seen is None:
        return None
    here, other, before = (meanings(draft, rules, language) for draft in (mine, there, seen))
    result = {}
    for name in dict.fromkeys((*there, *mine)):
        if here.get(name) not in (before.get(name), other.get(name)) and other.get(name) != before.get(name):
            chosen = _merged_melds(seen.get(name, ""), mine.get(name, ""), there.get(name, ""))
            if side_of(name) is None or not name.endswith(".melds") or chosen is None:
                return None
        else:
            chosen = there.get(name) if here.get(name) == before.get(name) else mine.get(name)
        if chosen is not None:
            result[name] = chosen
    return result


def _merged_melds(seen: str, mine: str, there: str) -> str | None:
    """Melds, one on a line, of which two devices changed different lines; None where both changed the same line."""
    result = []
    for before, here, other in zip_longest(*(text.split("\n") for text in (seen, mine, there)), fillvalue=""):
        was, typed, stands = map(_same_cards, (before, here, other))
        if typed not in (was, stands) and stands != was:
            return None
        result.append(other if typed == was else here)
    return "\n".join(filter(str.strip, result))


def differences(
    hand: MatchHand, there: Mapping[str, str], mine: Mapping[str, str], language: Language, *, only_mine: bool = False
) -> list[Difference]:
    """The fields with different meanings; those that do not count last. `only_mine`: only what is typed in mine."""
    left, right = meanings(there, hand.rules, language), meanings(mine, hand.rules, language)
    cells: dict[str, Cell | None] = {}
    for side in hand.sides:
        for draft in (there, mine):
            for each in fields_for(hand.rules, side.position, draft):
                cells.setdefault(key(side.key, each.name), Cell(each, side, ""))
    found = []
    for name, cell in (cells | dict.fromkeys(HAND_KEYS)).items():
        if left.get(name) != right.get(name) and (right.get(name) or not only_mine):
            texts = there.get(name, "").strip(), mine.get(name, "").strip()
            idle = any(is_idle(draft, name) for draft in (there, mine) if draft.get(name, "").strip())
            found.append(Difference(name, cell, texts, idle))
    return sorted(found, key=lambda difference: difference.is_idle)
