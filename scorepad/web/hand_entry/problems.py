"""What the rules say of a hand while it is typed: scores, and messages for its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scorepad.i18n import Words
from scorepad.i18n.findings import fact, message
from scorepad.i18n.typed_cards import is_begun, notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import FIRST_NATURAL, Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judge import Finding, Judgement, SideScore
from scorepad.rules.settings import BlackThrees, Otherwise, Partnership, Sequences, Settings
from scorepad.rules.table import BLACK_THREES_SHOWN, Meld, Place, read_meld
from scorepad.schemas import Unusable
from scorepad.web.base import FieldError
from scorepad.web.forms import read_sum
from scorepad.web.hand_entry.drafts import Parsed, Problem
from scorepad.web.hand_fields import AGREED, DISCARD, HAND_KEYS, OUT, html_id, lines_of, side_of
from scorepad.web.presenters import anchor, place_url, places, rules_url

_OPENING_UNKNOWN = "opening-unknown"
Ask = Callable[[Mapping[str, Any]], Judgement]
"""Judges a hand; raises Unusable."""


class Tone(StrEnum):
    """How a message is meant."""

    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """Of something that is still being typed: no error yet."""
    AGREED = "agreed"
    """Against the rules, and counted because the table agreed."""


@dataclass(frozen=True, slots=True)
class Note:
    """A message beside a field (None: above all of them), with the rule's source and its place in the rulebook.

    `leads_to` is the key of the field that a summary links to.
    """

    key: str | None
    text: str
    tone: Tone = Tone.ERROR
    source: str = ""
    url: str = ""
    leads_to: str | None = None

    @property
    def error(self) -> FieldError:
        """The message as a line of a summary."""
        return FieldError(html_id(self.leads_to) if self.leads_to else None, self.text)


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be said of a hand: its messages, and the scores of the sides as far as no mistake can change them.

    `missing` is what is still to be typed; when the hand is saved it is an error too. `can_agree`: whether the table
    can agree to it all the same; None where no rule is broken, or something else has to be corrected first.
    `is_opening_unknown`: totals do not say with which cards a side opened, which is no mistake of anybody's.
    """

    notes: tuple[Note, ...] = ()
    missing: tuple[Note, ...] = ()
    scores: tuple[SideScore | None, ...] = (None, None, None)
    can_agree: bool | None = None
    is_opening_unknown: bool = False

    def beside(self, key: str | None) -> tuple[Note, ...]:
        """The messages of a field."""
        return tuple(note for note in self.notes if note.key == key)

    @property
    def errors(self) -> tuple[FieldError, ...]:
        """What is wrong, as lines of a summary, each once."""
        return tuple(dict.fromkeys(note.error for note in self.notes if note.tone is Tone.ERROR))

    @property
    def missing_errors(self) -> tuple[FieldError, ...]:
        """What is still to be typed, as lines of a summary, without what is an error already."""
        found = dict.fromkeys(note.error for note in self.missing)
        return tuple(error for error in found if error not in self.errors)


def report(parsed: Parsed, names: tuple[str, ...], ask: Ask, words: Words, *, final: bool = False) -> Report:
    """Judge a hand as far as it is typed. `final`: it is to be saved, so that what is missing is an error."""
    judgement, unusable, scores = _judged(ask, parsed)
    reporter = _Reporter(parsed, names, words, final, agreed=judgement is not None and judgement.is_valid)
    missing = tuple(reporter.problem(problem) for problem in parsed.problems if problem.missing)
    notes = [reporter.problem(problem) for problem in parsed.problems if not problem.missing]
    notes += missing if final else ()
    if unusable and not parsed.unseated:
        notes.append(reporter.unusable(unusable))
    # What hangs on who lays together is left out as long as nobody said it.
    found = judgement.findings if judgement else ()
    certain = tuple(each for each in found if not parsed.unseated or each.nature.by_itself)
    unknown = [finding for finding in certain if finding.code == _OPENING_UNKNOWN]
    for finding in decisive(tuple(finding for finding in certain if finding not in unknown), parsed.hand):
        notes += reporter.finding(finding)
    broken = [finding for finding in certain if finding.is_error]
    unread = unusable or any(problem.key != AGREED for problem in parsed.problems)
    can_agree = None if unread or not broken else True
    if not all(finding.may_be_agreed for finding in broken):
        can_agree = False
    scores = tuple(None if place in parsed.unfinished else score for place, score in enumerate(scores))
    return Report(tuple(sorted(notes, key=_page_order)), missing, scores, can_agree, bool(unknown))


def _page_order(note: Note) -> tuple[int, str]:
    """Going out stands first on the page, then the sides, then what is said beside the figures."""
    if note.key is None:
        return 0, ""
    if note.key in HAND_KEYS:
        return (1 if HAND_KEYS.index(note.key) <= HAND_KEYS.index(OUT) else 3), ""
    return 2, note.key[0]


# ------------------------------------------------------------------------------------------------------- the score

_Scores = tuple[SideScore | None, ...]


def _judged(ask: Ask, parsed: Parsed) -> tuple[Judgement | None, Unusable | None, _Scores]:
    """What the rules say of what could be read; where one side made the mistakes, the scores of the others stand."""
    hand, settings = parsed.hand, parsed.rules.settings
    none: _Scores = (None,) * len(settings.sides)
    if not parsed.draft:
        return None, None, none
    judgement = unusable = None
    try:
        judgement = ask(hand)
    except Unusable as trouble:
        unusable = trouble
    if judgement and judgement.is_valid:
        return judgement, None, judgement.sides or none
    wrong = _sides_in_the_wrong(judgement, unusable, hand)
    if wrong is None or not _each_for_itself(settings):
        return judgement, unusable, none
    sides = {key: {} if SIDE_KEYS.index(key) in wrong else side for key, side in hand["sides"].items()}
    out = hand.get("out")
    out = None if out is None or SIDE_KEYS.index(out["side"]) in wrong else out
    try:
        others = ask({**hand, "sides": sides, "out": out})
    except Unusable:
        return judgement, unusable, none
    scores = others.sides if others.is_valid and others.sides else none
    return judgement, unusable, tuple(None if place in wrong else score for place, score in enumerate(scores))


def _place_of(trouble: Unusable) -> Place:
    """Where in the hand something stands that cannot be used."""
    first, *rest = (int(part) if part.isascii() and part.isdigit() else part for part in trouble.key.split("/"))
    if first == "sides" and rest and rest[0] in SIDE_KEYS:
        return (first, SIDE_KEYS.index(str(rest[0])), *rest[1:])
    return (first, *rest)


def _sides_in_the_wrong(
    judgement: Judgement | None, unusable: Unusable | None, hand: Mapping[str, Any]
) -> set[int] | None:  # fmt: skip
    """The sides that made the mistakes; None where one belongs to the hand as a whole."""
    places = [_place_of(unusable)] if unusable else []
    places += [finding.where for finding in (judgement.findings if judgement else ()) if finding.is_error]
    sides = [_side_at(place, _side_out(hand)) for place in places]
    return {side for side in sides if isinstance(side, int)} if all(isinstance(each, int) for each in sides) else None


def _side_out(hand: Mapping[str, Any]) -> int | None:
    return SIDE_KEYS.index(hand["out"]["side"]) if hand.get("out") else None


def _side_at(place: Place, out: int | None) -> int | str | None:
    """The side that a place of the hand belongs to; `out` is the one that went out."""
    if place[:1] == ("out",):
        return out
    return place[1] if place[:1] == ("sides",) and len(place) > 1 else None


def _each_for_itself(settings: Settings) -> bool:
    """Whether what a side scores never depends on what another laid."""
    handed = settings.red_threes_otherwise is Otherwise.TO_OPPONENTS
    shared = any(share.opponents for share in settings.red_threes_by_families)
    return settings.partnership is Partnership.FIXED and not handed and not shared


# ---------------------------------------------------------------------------------------- which findings are shown

_DECISIVE_FIRST = (
    "card-unknown", "meld-red-three", "meld-kind-not-allowed", "meld-sequence-broken", "meld-mixed-ranks",
    "meld-too-many-wilds", "meld-too-few-naturals", "meld-too-long", "meld-too-short", "black-threes-not-out",
)  # fmt: skip
"""Of the errors of one meld only the first of these is shown: the others follow from it, or wait for it."""
_FOLLOWS_FROM_MELDS = ("opening-impossible", "out-canastas-missing", "out-meld-incomplete", "out-wild-meld-incomplete")
"""Not shown for a side with a wrong meld: they may go with it."""
_FOLLOWS_FROM = {
    "totals-impossible": ("points-not-multiple",),
    "opening-impossible": ("totals-impossible", "points-not-multiple"),
    "deck-exceeded": ("red-threes-exceeded",),
}


def decisive(findings: tuple[Finding, ...], hand: Mapping[str, Any]) -> tuple[Finding, ...]:
    """The findings without the errors that only follow from another one."""
    errors = [finding for finding in findings if finding.is_error]
    wrong_melds = {_meld_at(finding.where)[1] for finding in errors if _meld_at(finding.where)}
    out = _side_out(hand)

    def follows(finding: Finding) -> bool:
        if not finding.is_error:
            return False
        meld, rank = _meld_at(finding.where), _DECISIVE_FIRST.index
        if meld and finding.code in _DECISIVE_FIRST:
            beside = [each.code for each in errors if each.where == finding.where and each.code in _DECISIVE_FIRST]
            return finding.code != min(beside, key=rank)
        side = _side_at(finding.where, out)
        if finding.code in _FOLLOWS_FROM_MELDS and side in wrong_melds:
            return True
        causes = _FOLLOWS_FROM.get(finding.code, ())
        return any(each.code in causes and _side_at(each.where, out) == side for each in errors)

    return tuple(finding for finding in findings if not follows(finding))


def _meld_at(place: Place) -> Place:
    """The place as that of a meld; empty where it is none."""
    return place if len(place) == 4 and place[0] == "sides" and place[2] == "melds" else ()  # noqa: PLR2004


def can_grow(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards can mend what was found in the meld typed as `text`, or in all melds of a side."""
    reading = read_cards(notated(text))
    if finding.code == "card-unknown":
        return bool(reading.unknown) and _is_begun(text.split(), list(reading.unknown))
    meld = read_meld(reading.cards)
    match finding.code:
        case "meld-too-short" | "opening-impossible":
            return True
        case "meld-too-few-naturals" | "meld-too-many-wilds":
            rank = meld.ranks[0] if meld.ranks else FIRST_NATURAL
            return meld.wilds <= settings.most_wilds(_MANY, rank)
        case "meld-kind-not-allowed":
            longest = settings.black_threes_longest
            allowed = settings.black_threes is not BlackThrees.NEVER and (longest is None or meld.size < longest)
            return allowed and not (meld.wilds and settings.black_threes_wilds == "pure")
        case "meld-sequence-broken":
            return _fits_a_sequence(meld, settings)
        case _:
            return False


_MANY = 99
"""Natural cards, more than any meld has."""
_BEGUN = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card: `4x`, `1` of `10`, `3` of `3b`."""


def _is_begun(typed: list[str], unknown: list[str]) -> bool:
    """Whether only the end of what was typed is no card yet: the beginning of a word, and the number before it."""
    *before, last = unknown
    at_the_end = typed[-len(unknown) :] == unknown and len(before) <= 1
    return at_the_end and all(map(str.isdigit, before)) and bool(_BEGUN.fullmatch(last) or is_begun(last))


def _fits_a_sequence(meld: Meld, settings: Settings) -> bool:
    """Whether the naturals are of one suit, none twice; wild cards only where they may stand between them."""
    suited = meld.cards.suited
    each_once = all(count == 1 for _, _, count in suited) and len(suited) == meld.naturals
    may_be_wild = not meld.wilds or settings.sequences is Sequences.DIRTY
    return each_once and may_be_wild and len({suit for _, suit, _ in suited}) == 1


# ------------------------------------------------------------------------------------------------ messages by field


@dataclass(frozen=True, slots=True)
class _Reporter:
    """Words what is wrong. `agreed`: the hand counts all the same, because the table agreed."""

    parsed: Parsed
    names: tuple[str, ...]
    words: Words
    final: bool
    agreed: bool

    def problem(self, problem: Problem) -> Note:
        """What cannot be read, or is missing."""
        if problem.given:
            text = self.words.text(f"typed.doubt.{problem.reason}", given=problem.given)
        else:
            figures = {"limit": problem.limit} if problem.limit else {}
            text = self.words.text(f"count.error.{problem.reason}", **figures)
        text = self._of_side(text, problem.side)
        return Note(problem.key, text, leads_to=problem.key)

    def unusable(self, trouble: Unusable) -> Note:
        """A value that does not fit the rest of the hand: an opening's cards, a last discard of several."""
        own = f"count.{trouble.reason}"
        text = self.words.text(own) if self.words.has(own) else trouble.message(self.words)
        key = self.parsed.key_of(_place_of(trouble))
        side = side_of(key) if key else None
        return Note(key, self._of_side(text, side), leads_to=key)

    def finding(self, finding: Finding) -> Iterator[Note]:
        """A rule that the hand breaks, beside each of its fields."""
        keys = self._keys(finding)
        leads_to = keys[-1] if keys else self.parsed.keys.get(("sides", 0)) if _is_of_all(finding) else None
        url = place_url(rules_url(self.parsed.rules), anchor("check", finding.code))
        source = source_words(finding.sources, self.words)
        for key in keys or (None,):
            side = side_of(key) if key and len(keys) == 1 else None
            tone = self._tone(finding)
            # Where the table agreed there is nothing to be done about it.
            text = (fact if tone is Tone.AGREED else message)(finding, self.names, self.words)
            text = self._of_side(self._of_meld(text, finding), side)
            yield Note(key, text, tone, source, url, leads_to)

    def _keys(self, finding: Finding) -> tuple[str, ...]:
        """The fields of a finding: where it was typed; for cards of all sides, the last field of each that has some."""
        parsed = self.parsed
        if not _is_of_all(finding):
            key = parsed.key_of(finding.where)
            return (key,) if key else ()
        excess = finding.figures.get("excess")
        kinds = {each.kind for each in excess if isinstance(each, Excess)} if isinstance(excess, tuple) else None
        holding = [key for key in dict.fromkeys(parsed.keys.values()) if self._holds(key, kinds or {Kind.RED_THREE})]
        return tuple({key[0] if side_of(key) is not None else key: key for key in holding}.values())

    def _holds(self, key: str, kinds: set[Kind]) -> bool:
        text, name = self.parsed.draft.get(key, ""), key[2:]
        if key == DISCARD or name == "melds" or name.startswith("left."):
            lines = (read_cards(notated(line)).cards for line in lines_of(text))
            return any(cards.of(kind) for cards in lines for kind in kinds)
        counted = {Kind.RED_THREE: ("red_threes", "red_threes_held"), Kind.BLACK_THREE: tuple(BLACK_THREES_SHOWN)}
        return any(name in counted.get(kind, ()) for kind in kinds) and bool(read_sum(text, self.words.language))

    def _tone(self, finding: Finding) -> Tone:
        if not finding.is_error:
            return Tone.WARNING
        if self.agreed:
            return Tone.AGREED
        return Tone.PENDING if not self.final and self._is_growing(finding) else Tone.ERROR

    def _is_growing(self, finding: Finding) -> bool:
        """Whether it is found in melds that cards to come can make right."""
        key = self.parsed.key_of(finding.where)
        if key is None or key[2:] != "melds":
            return False
        if finding.code == "black-threes-not-out":
            return OUT not in self.parsed.draft
        return can_grow(finding, self._meld(finding) or self.parsed.draft.get(key, ""), self.parsed.rules.settings)

    def _meld(self, finding: Finding) -> str:
        """The meld that a finding is about, as it was typed; empty where it is about more than one."""
        key, place = self.parsed.key_of(finding.where), _meld_at(finding.where)
        lines = lines_of(self.parsed.draft.get(key or "", ""))
        return lines[int(place[3])] if place and int(place[3]) < len(lines) else ""

    def _of_meld(self, text: str, finding: Finding) -> str:
        meld = self._meld(finding)
        return self.words.text("count.of-meld", meld=meld, text=text) if meld else text

    def _of_side(self, text: str, side: int | None) -> str:
        """A sentence that says whose it is: in the summary it stands far from the side's fields."""
        if side is None or self.names[side] in text:
            return text
        return self.words.text("count.of-side", side=self.names[side], label=text)


def _is_of_all(finding: Finding) -> bool:
    return finding.where == ("sides",)


def source_words(citations: tuple[str, ...], words: Words) -> str:
    """Where a rule stands, in words: the first of its places."""
    return words.text("count.rule", source=places(citations[:1], words)) if citations else words.text("standing.house")
