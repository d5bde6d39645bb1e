"""Two drafts of one hand: what differs, whether they count the same, and how they merge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from scorepad.i18n import Language, Words
from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import read_cards
from scorepad.rules.variants import Ruleset
from scorepad.web.figures import Misread, read_sum
from scorepad.web.hand_entry.card import Card, Cell
from scorepad.web.hand_entry.match_hand import MatchHand, Question
from scorepad.web.hand_entry.problems import Agreeable, Report, Verdict
from scorepad.web.hand_fields import (
    AGREED,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    HAND_KEYS,
    OUT,
    REMARK,
    SINGLE,
    FieldKind,
    fields_for,
    key,
    lines_of,
    rows_of,
    side_of,
)  # fmt: skip

_NEEDED_NOUGHT = ("cards", "left", "sum", "melds")
"""Fields in which `0` says something else than a blank one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with different texts in two drafts."""

    label: str
    there: str
    mine: str


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
        case FieldKind.COUNT | FieldKind.POINTS | FieldKind.SIGNED:
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
        return group not in ("sum", "adjustments", "penalties", "house")
    shows = draft.get(key(prefix, "special"), "").strip()
    return bool(shows) and group not in ("special", "adjustments", "penalties", "house")


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
    hand: MatchHand, there: Mapping[str, str], mine: Mapping[str, str], words: Words, *, only_mine: bool = False
) -> Iterator[Difference]:
    """The fields with different meanings; those that do not count last. `only_mine`: only what is typed in mine."""
    rules, language = hand.rules, words.language
    left, right = meanings(there, rules, language), meanings(mine, rules, language)
    idle = []
    for name, (label, texts) in _shown(hand, (there, mine), words).items():
        if left.get(name) == right.get(name) or (only_mine and not right.get(name)):
            continue
        stands, typed = (text or words.text("count.stale.nothing") for text in texts)
        if any(is_idle(draft, name) for draft in (there, mine) if draft.get(name, "").strip()):
            idle.append(Difference(words.text("count.stale.idle", label=label), stands, typed))
        else:
            yield Difference(label, stands, typed)
    yield from idle


def _shown(
    hand: MatchHand, drafts: tuple[Mapping[str, str], ...], words: Words
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By key: the label of a field, and its text in each draft in words."""
    report = Report((), (), Verdict(None), frozenset(), Agreeable.NOTHING_TO)
    cards = [Card(hand, draft, report, words) for draft in drafts]
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    values = [{cell.key: cell for cells in card.cells for cell in cells} for card in cards]
    for name in dict.fromkeys(name for cells in values for name in cells):
        label = next(cells[name].label for cells in values if name in cells)
        found[name] = (label, tuple(_cell_text(cells[name]) if name in cells else "" for cells in values))
    found[SINGLE] = words.text("count.single"), tuple(_answer(card.single) for card in cards)
    found[OUT] = words.text("count.out"), tuple(_answer(card.out) for card in cards)
    for name, label in {CONCEALED: "count.concealed", DISCARD_NONE: "count.discard.none"}.items():
        yes = words.text("value.yes")
        found[name] = words.text(label), tuple(yes if draft.get(name) else "" for draft in drafts)
    for name, label in {DISCARD: "count.discard", AGREED: "count.agreed", REMARK: "count.remark"}.items():
        found[name] = words.text(label), tuple(draft.get(name, "").strip() for draft in drafts)
    return found


def _cell_text(cell: Cell) -> str:
    chosen = next((choice.label for choice in cell.choices if choice.chosen and choice.value), "")
    return chosen or cell.value.strip()


def _answer(question: Question | None) -> str:
    if question is None:
        return ""
    choices = (*question.others, *(choice for column in question.columns for choice in column))
    return next((choice.label for choice in choices if choice.chosen), "")
