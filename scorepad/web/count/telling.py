"""What is wrong with a count, put beside the fields it was typed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.judge import Finding, SideScore
from scorepad.schemas import Unusable
from scorepad.web import presenters as citing
from scorepad.web.base import FieldError
from scorepad.web.count import names
from scorepad.web.count.fields import Note, Tone
from scorepad.web.count.growing import can_grow
from scorepad.web.count.leading import field_to_mend, fields_beside
from scorepad.web.count.looking import Looked, place_of
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.said import Count, Trouble
from scorepad.web.count.steps import current_row
from scorepad.web.presenters import anchor, place_url, rules_url


@dataclass(frozen=True, slots=True)
class Told:
    """A note and the field it stands beside; None where it stands above them all.

    `leads_to` is the field that a line of a summary leads to.
    """

    field: str | None
    note: Note
    leads_to: str | None
    side: int | None = None
    """Whose it is; None where it is everybody's."""

    @property
    def error(self) -> FieldError:
        """The note as a line of a summary."""
        return FieldError(self.leads_to, self.note.text)


class Agreeable(StrEnum):
    """Whether a hand that the rules refuse may be counted because the table agrees."""

    NOTHING_TO = "nothing-to"
    """No rule is broken, or more is to be put right first."""
    YES = "yes"
    NEVER = "never"
    """Figures or cards cannot be: that is no matter of rules."""


@dataclass(frozen=True, slots=True)
class Telling:
    """All notes of a count. `missing` is what is still to be typed; at the end it is among the notes, as errors."""

    notes: tuple[Told, ...]
    missing: tuple[Told, ...]
    looked: Looked
    unfinished: frozenset[int]
    concealed: bool
    """Whether whoever went out did so in one turn with opening."""
    can_agree: Agreeable
    """Whether the table may agree to what is wrong."""

    def beside(self, field: str | None) -> tuple[Note, ...]:
        """The notes of a field."""
        return tuple(told.note for told in self.notes if told.field == field)

    def of_tone(self, tone: Tone) -> tuple[FieldError, ...]:
        """The notes of one tone, as lines of a summary, each once."""
        return tuple(dict.fromkeys(told.error for told in self.notes if told.note.tone is tone))

    def score(self, position: int) -> SideScore | None:
        """The score of a side, where it can be told: nothing of it is missing, and no mistake touches it."""
        return None if position in self.unfinished else self.looked.score(position)

    def waits_for(self, position: int) -> str:
        """What a side without a score waits for, as the end of a message key: `mending`, or `all`."""
        wrong = [told.side for told in self.notes if told.note.tone is Tone.ERROR and told not in self.missing]
        touched = position in wrong if position in self.unfinished else bool(wrong)
        return "mending" if touched else "all"


def tell(
    occasion: Occasion, count: Count, looked: Looked, draft: Mapping[str, str], words: Words, *, final: bool
) -> Telling:
    """Everything there is to say. `final`: the person is done, so that what is missing is an error too."""
    findings = _certain(looked, count)
    growing = frozenset() if final else _growing(findings, occasion, count, draft)
    agreed = looked.judgement is not None and looked.judgement.is_valid
    teller = _Teller(occasion, count, draft, words, growing, agreed)
    missing = tuple(teller.trouble(trouble) for trouble in count.troubles if trouble.missing)
    notes = [teller.trouble(trouble) for trouble in count.troubles if not trouble.missing]
    notes += missing if final else ()
    if looked.unusable and not count.unseated:
        notes.append(teller.unusable(looked.unusable))
    notes += chain.from_iterable(map(teller.finding, findings))
    notes.sort(key=_page_order)
    concealed = bool((count.hand.get("out") or {}).get("concealed"))
    can_agree = _agreeable(looked, count)
    return Telling(tuple(notes), missing, looked, frozenset(count.unfinished), concealed, can_agree)


def _agreeable(looked: Looked, count: Count) -> Agreeable:
    broken = [finding for finding in _certain(looked, count) if finding.is_error]
    if not all(finding.may_be_agreed for finding in broken):
        return Agreeable.NEVER
    unread = looked.unusable or any(trouble.field != names.AGREED for trouble in count.troubles)
    return Agreeable.NOTHING_TO if unread or not broken else Agreeable.YES


def _certain(looked: Looked, count: Count) -> tuple[Finding, ...]:
    """What the rules find, less what they cannot know as long as nobody said who lays together."""
    findings = looked.judgement.findings if looked.judgement else ()
    return tuple(each for each in findings if not count.unseated or each.nature.by_itself)


def _page_order(told: Told) -> str:
    """The whole hand, who plays alone, then the sides, then going out, then what is said beside it all."""
    field = told.field or ""
    if field == names.SINGLE:
        return "1"
    if field in names.SAID_FIELDS:
        return "4"
    return f"2{field[0]}" if field[1:2] == "-" else "3" if field else "0"


def _growing(
    findings: tuple[Finding, ...], occasion: Occasion, count: Count, draft: Mapping[str, str]
) -> frozenset[str]:
    """The melds still being typed that the cards to come can make right, all of them."""
    typed = {names.meld(side, current_row(draft, side)) for side in SIDE_KEYS} | {*map(names.melds, SIDE_KEYS)}
    for finding in findings:
        field = count.field_of(finding.where)
        if finding.is_error and field in typed:
            waits = finding.code == "black-threes-not-out" and names.OUT not in draft
            if not waits and not can_grow(finding, draft.get(field, ""), occasion.rules.settings):
                typed.discard(field)
    return frozenset(typed)


@dataclass(frozen=True, slots=True)
class _Teller:
    """Puts what is wrong into words, beside the fields of a draft.

    `growing` are the melds still to come; `agreed`: the hand counts all the same, for the table agreed.
    """

    occasion: Occasion
    count: Count
    draft: Mapping[str, str]
    words: Words
    growing: frozenset[str]
    agreed: bool

    def trouble(self, trouble: Trouble) -> Told:
        """What cannot be read, or is missing."""
        figures = {"limit": trouble.limit} if trouble.limit else {}
        if trouble.given:
            text = self.words.text(f"typed.doubt.{trouble.reason}", given=trouble.given)
        else:
            text = self.words.text(f"count.error.{trouble.reason}", **figures)
        note = Note(self._of_side(text, trouble.side), "", Tone.ERROR)
        return Told(trouble.field, note, trouble.field, trouble.side)

    def unusable(self, trouble: Unusable) -> Told:
        """A field that belongs to the hand but not to this one: the opening's cards, a last discard of several."""
        key = f"count.{trouble.reason}"
        text = self.words.text(key) if self.words.has(key) else trouble.told(self.words)
        field = self.count.field_of(place_of(trouble))
        side = _side_of(field)
        return Told(field, Note(self._of_side(text, side), "", Tone.ERROR), field, side)

    def finding(self, finding: Finding) -> Iterator[Told]:
        """A rule that the hand breaks, beside each of its fields."""
        fields = fields_beside(finding, self.count, self.draft, self.words.language)
        leads_to = field_to_mend(finding, self.count, self.draft, self.words.language)
        place = place_url(rules_url(self.occasion.rules), anchor("check", finding.code))
        for field in fields or (None,):
            side = _side_of(field) if len(fields) == 1 else None
            tone = self._tone(finding, field)
            # Where the table agreed there is nothing to be done about it.
            said = (fact if tone is Tone.AGREED else message)(finding, self.occasion.names, self.words)
            note = Note(self._of_side(said, side), source_told(finding.sources, self.words), tone, place)
            yield Told(field, note, leads_to, side)

    def _tone(self, finding: Finding, field: str | None) -> Tone:
        """An error is none yet in a meld that still grows."""
        if not finding.is_error:
            return Tone.WARNING
        if self.agreed:
            return Tone.AGREED
        return Tone.PENDING if field in self.growing else Tone.ERROR

    def _of_side(self, text: str, side: int | None) -> str:
        """A sentence that says whose it is: read in the summary it stands far from the side's fields."""
        if side is None or self.occasion.names[side] in text:
            return text
        return self.words.text("count.of-side", side=self.occasion.names[side], label=text)


def _side_of(field: str | None) -> int | None:
    """Whose field it is; None for one of the whole hand."""
    return SIDE_KEYS.index(field[0]) if field and field[1:2] == "-" else None


def source_told(places: tuple[str, ...], words: Words) -> str:
    """Where a rule stands, in words: the first of its places."""
    return words.text("count.rule", source=citing.places(places[:1], words)) if places else words.text("standing.house")
