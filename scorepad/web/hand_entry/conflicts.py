"""Two drafts of one hand: what differs, whether they count the same, and how they merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from scorepad.i18n import Language
from scorepad.i18n.typed_cards import notated
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Ruleset
from scorepad.web.forms import Misread, read_sum
from scorepad.web.hand_entry.drafts import HIDDEN
from scorepad.web.hand_fields import FIGURES, HAND_KEYS, NONE, OWED, Field, FieldKind, fields_for, key, lines_of

_NEEDED_NOUGHT = ("cards", "left", "sum", "melds")
"""Fields in which `0` says something else than a blank one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with different texts in two drafts; one of the whole hand is only a `key`.

    `is_idle`: in one of the drafts it does not count.
    """

    key: str
    field: Field | None
    texts: tuple[str, str]
    is_idle: bool


def meanings(draft: Mapping[str, str], rules: Ruleset, language: Language) -> dict[str, object]:
    """What the fields of a draft mean, by key, however they are written: `1.500` is `1500`, `K K` is `2xK`."""
    found: dict[str, object] = {name: text for name in HAND_KEYS if (text := draft.get(name, "").strip())}
    for position in range(len(rules.settings.sides)):
        for each in fields_for(rules, position, draft):
            text = draft.get(each.key, "").strip()
            meaning: object = text
            if each.kind in FIGURES:
                figure = read_sum(text, language, signed=True)
                meaning = text if isinstance(figure, Misread) else figure
            elif each.kind in (FieldKind.CARDS, FieldKind.MELDS):
                meaning = 0 if text == NONE else tuple(sorted(map(_same_cards, lines_of(text))))
            if meaning or (meaning == 0 and each.group in _NEEDED_NOUGHT):
                found[each.key] = meaning
    return found


def _same_cards(text: str) -> str:
    """Cards however they are written; as they were typed where some are no cards."""
    reading = read_cards(notated(text.rstrip(HIDDEN)))
    if reading.unknown:
        return " ".join(text.split())
    return f"{reading.cards.counts} {reading.cards.suited}{HIDDEN if text.endswith(HIDDEN) else ''}"


def is_idle(draft: Mapping[str, str], name: str) -> bool:
    """Whether a field does not count, because the side is counted by a sum or a special hand."""
    if name in HAND_KEYS:
        return False
    ways = (way for way in ("sum", "special") if draft.get(key(name[0], way), "").strip())
    way = next(ways, "")
    # A penalty beside a sum is refused: it counts in this.
    return bool(way) and name[2:].partition(".")[0] not in (way, "adjustments", *OWED)


def count_the_same(one: Mapping[str, str], other: Mapping[str, str], rules: Ruleset, language: Language) -> bool:
    """Whether two drafts are of the same hand."""
    return _counting(one, rules, language) == _counting(other, rules, language)


def _counting(draft: Mapping[str, str], rules: Ruleset, language: Language) -> object:
    """What counts of a draft; rows of agreed points in any order."""
    counts = {name: value for name, value in meanings(draft, rules, language).items() if not is_idle(draft, name)}
    rows: dict[str, dict[str, str]] = {}
    for name in [name for name in counts if name.endswith((".points", ".reason"))]:
        row, _, part = name.rpartition(".")
        rows.setdefault(row, {})[part] = str(counts.pop(name))
    return counts, sorted((row.rpartition(".")[0], *sorted(parts.items())) for row, parts in rows.items())


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
        chosen = there.get(name) if here.get(name) == before.get(name) else mine.get(name)
        if here.get(name) not in (before.get(name), other.get(name)) and other.get(name) != before.get(name):
            texts = (draft.get(name, "").split("\n") for draft in (seen, mine, there))
            chosen = _merged_melds(*texts) if name.endswith(".melds") else None
            if chosen is None:
                return None
        if chosen is not None:
            result[name] = chosen
    return result


def _merged_melds(seen: list[str], mine: list[str], there: list[str]) -> str | None:
    """Melds, one on a line, of which two devices changed different lines; None where both changed the same line."""
    result = []
    for lines in zip_longest(seen, mine, there, fillvalue=""):
        was, typed, stands = map(_same_cards, lines)
        if typed not in (was, stands) and stands != was:
            return None
        result.append(lines[2] if typed == was else lines[1])
    return "\n".join(filter(str.strip, result))


def differences(
    there: Mapping[str, str], mine: Mapping[str, str], rules: Ruleset, language: Language, *, only_mine: bool = False
) -> list[Difference]:
    """The fields with different meanings; those that do not count last. `only_mine`: only what is typed in mine."""
    left, right = meanings(there, rules, language), meanings(mine, rules, language)
    fields: dict[str, Field | None] = {}
    for position in range(len(rules.settings.sides)):
        for draft in (there, mine):
            fields |= {each.key: each for each in fields_for(rules, position, draft) if each.key not in fields}
    found = []
    for name, each in (fields | dict.fromkeys(HAND_KEYS)).items():
        if left.get(name) != right.get(name) and (right.get(name) or not only_mine):
            texts = there.get(name, "").strip(), mine.get(name, "").strip()
            idle = any(is_idle(draft, name) for draft, text in zip((there, mine), texts, strict=True) if text)
            found.append(Difference(name, each, texts, idle))
    return sorted(found, key=lambda difference: difference.is_idle)
