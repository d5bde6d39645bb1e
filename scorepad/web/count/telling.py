"""What is wrong with a count, put beside the fields it was typed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.contract import Unusable
from scorepad.i18n import Words
from scorepad.i18n.findings import message
from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.judge import Finding, Judgement
from scorepad.web import citing
from scorepad.web.count import names
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.reading import Count, Trouble
from scorepad.web.count.steps import current_row
from scorepad.web.count.values import Note, Tone
from scorepad.web.frame import FieldError


@dataclass(frozen=True, slots=True)
class Told:
    """A note and the field it belongs to; None where it belongs to the hand as a whole."""

    field: str | None
    note: Note

    @property
    def error(self) -> FieldError:
        """The note as a line of a summary."""
        return FieldError(self.field, self.note.text)


@dataclass(frozen=True, slots=True)
class Telling:
    """All notes of a count. `missing` is what is still to be typed; at the end it is among the notes, as errors."""

    notes: tuple[Told, ...]
    missing: tuple[Told, ...]
    judgement: Judgement | None
    unfinished: frozenset[int]

    def beside(self, field: str | None) -> tuple[Note, ...]:
        """The notes of a field."""
        return tuple(told.note for told in self.notes if told.field == field)

    def of_tone(self, tone: Tone) -> tuple[FieldError, ...]:
        """The notes of one tone, as lines of a summary, each once."""
        return tuple(dict.fromkeys(told.error for told in self.notes if told.note.tone is tone))


@dataclass(frozen=True, slots=True)
class Looked:
    """What the rules say of what could be read: a judgement, or why there is none."""

    judgement: Judgement | None
    unusable: Unusable | None = None


def tell(
    occasion: Occasion, count: Count, looked: Looked, draft: Mapping[str, str], words: Words, *, final: bool
) -> Telling:
    """Everything there is to say. `final`: the person is done, so that what is missing is an error too."""
    findings = looked.judgement.findings if looked.judgement else ()
    pending = frozenset() if final else _being_typed(draft)
    missing = tuple(_trouble(trouble, occasion, words) for trouble in count.troubles if trouble.missing)
    notes = [_trouble(trouble, occasion, words) for trouble in count.troubles if not trouble.missing]
    notes += missing if final else ()
    if looked.unusable:
        notes.append(_unusable(looked.unusable, words))
    notes += [_finding(finding, occasion, count, pending, words) for finding in findings]
    notes.sort(key=_page_order)
    return Telling(tuple(notes), missing, looked.judgement, frozenset(count.unfinished))


def _page_order(told: Told) -> str:
    """The whole hand, then the sides, then going out."""
    field = told.field or ""
    return f"1{field[0]}" if field[1:2] == "-" else "2" if field else "0"


def _being_typed(draft: Mapping[str, str]) -> frozenset[str]:
    """The melds that are still growing."""
    return frozenset(names.meld(side, current_row(draft, side)) for side in SIDE_KEYS)


def _trouble(trouble: Trouble, occasion: Occasion, words: Words) -> Told:
    text = words.text(f"count.error.{trouble.reason}")
    return Told(trouble.field, Note(_of_side(text, trouble.side, occasion, words), "", Tone.ERROR))


def _of_side(text: str, side: int | None, occasion: Occasion, words: Words) -> str:
    """A sentence that says whose it is: read in the summary it stands far from the side's fields."""
    if side is None or occasion.names[side] in text:
        return text
    return words.text("count.of-side", side=occasion.names[side], label=text)


def _unusable(trouble: Unusable, words: Words) -> Told:
    """A field that belongs to the hand but not to this one: the opening's cards, a last discard of several cards."""
    key = f"count.{trouble.reason}"
    text = words.text(key) if words.has(key) else trouble.told(words)
    first, _, rest = trouble.key.partition("/")
    side, _, what = rest.partition("/")
    field = f"{side}-{what.split('/')[0]}" if first == "sides" else what or rest or None
    return Told(field, Note(text, "", Tone.ERROR))


def _finding(finding: Finding, occasion: Occasion, count: Count, pending: frozenset[str], words: Words) -> Told:
    field = count.field_of(finding.where)
    tone = Tone.ERROR if finding.is_error else Tone.WARNING
    if field in pending and finding.is_error:
        tone = Tone.PENDING
    side = SIDE_KEYS.index(field[0]) if field and field[1:2] == "-" else None
    text = _of_side(message(finding, occasion.names, words), side, occasion, words)
    return Told(field, Note(text, source_told(finding.sources, words), tone))


def source_told(places: tuple[str, ...], words: Words) -> str:
    """Where a rule stands, in words: the first of its places."""
    return words.text("count.rule", source=citing.places(places[:1], words)) if places else words.text("standing.house")
