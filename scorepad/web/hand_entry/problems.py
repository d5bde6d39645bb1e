"""Checks of a hand while it is typed: scores, and messages for its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.card_words import is_begun
from scorepad.i18n.findings import fact, message
from scorepad.i18n.typed_cards import notated
from scorepad.rules.cards import FIRST_NATURAL, Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judging import Finding, Judgement
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer, read_meld
from scorepad.schemas import Unusable
from scorepad.schemas.requests import SIDE_KEYS
from scorepad.web.base import Errors, FieldError
from scorepad.web.citations import places
from scorepad.web.forms import read_sum
from scorepad.web.hand_drafts import MOST_TIMES, DraftProblem, Parsed
from scorepad.web.hand_fields import (
    AGREED,
    CONCEALED,
    DISCARD,
    HAND_KEYS,
    OUT,
    html_id,
    lines_of,
    side_of,
)
from scorepad.web.rulebook_links import anchor, place_url, rules_url

Ask = Callable[[Mapping[str, Any]], Judgement]
"""Judges a hand; raises Unusable."""


class Tone(StrEnum):
    """The tone of a message."""

    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """For input still being typed: not yet an error."""
    AGREED = "agreed"
    """Against the rules, but counted because the table agreed."""


class Note(NamedTuple):
    """A message beside a field (None: above all of them), with the rule's source and its place in
    the rulebook.

    `leads_to` is the key of the field that a summary links to.
    """

    key: str | None
    text: str
    leads_to: str | None
    tone: Tone = Tone.ERROR
    source: str = ""
    url: str = ""


@dataclass(slots=True)
class Report:
    """The report on a hand: its messages, and the scores of the sides that no error can change.

    `missing`: input still to be typed; when the hand is saved it is an error too. `can_agree`:
    whether the table can accept the hand anyway; None if no rule is broken, or something else must
    be corrected first. `is_opening_unknown`: totals do not show with which cards a side opened;
    this is not an error.
    """

    notes: tuple[Note, ...] = ()
    missing: tuple[Note, ...] = ()
    scores: tuple[SideScore | None, ...] = (None, None, None)
    can_agree: bool | None = None
    is_opening_unknown: bool = False

    beside: dict[str | None, list[Note]] = field(default_factory=dict)
    """The messages by field."""
    errors: Errors = ()
    """The errors, as lines of a summary, each once."""
    missing_errors: Errors = ()
    """The missing input, as lines of a summary, without what is already an error."""

    def __post_init__(self) -> None:
        for note in self.notes:
            self.beside.setdefault(note.key, []).append(note)
        self.errors = _summary(note for note in self.notes if note.tone is Tone.ERROR)
        self.missing_errors = tuple(
            error for error in _summary(self.missing) if error not in self.errors
        )


def _summary(notes: Iterable[Note]) -> Errors:
    return tuple(
        dict.fromkeys(
            FieldError(note.leads_to and html_id(note.leads_to), note.text) for note in notes
        )
    )


def report(
    parsed: Parsed, names: tuple[str, ...], ask: Ask, words: Words, *, final: bool = False
) -> Report:
    """Judge a hand as far as it is typed. `final`: it is to be saved, so missing input is an error."""
    judgement, unusable, scores = _judged(ask, parsed)
    reporter = _Reporter(
        parsed, names, words, final, agreed=judgement is not None and judgement.is_valid
    )
    missing = tuple(reporter.problem(problem) for problem in parsed.problems if problem.missing)
    notes = [reporter.problem(problem) for problem in parsed.problems if not problem.missing]
    notes += missing if final else ()
    if unusable and not parsed.unseated:
        notes.append(reporter.unusable(unusable))
    # Omit what depends on who lays together until that is known.
    found = [
        each
        for each in (judgement.findings if judgement else ())
        if not parsed.unseated or each.nature.by_itself
    ]
    shown = [finding for finding in found if finding.code != "opening-unknown"]
    for finding in decisive(shown, parsed.hand):
        notes += reporter.finding(finding)
    broken = [finding for finding in found if finding.is_error]
    is_complete = not unusable and all(problem.key == AGREED for problem in parsed.problems)
    can_agree = True if broken and is_complete else None
    can_agree = can_agree if all(finding.may_be_agreed for finding in broken) else False
    return Report(
        notes=tuple(sorted(notes, key=_page_order)),
        missing=missing,
        scores=tuple(
            None if place in parsed.unfinished else score for place, score in enumerate(scores)
        ),
        can_agree=can_agree,
        is_opening_unknown=len(shown) < len(found),
    )


def _page_order(note: Note) -> tuple[int, str]:
    """Going out comes first on the page, then the sides, then the notes."""
    if note.key is None:
        return 0, ""
    if note.key in HAND_KEYS:
        return (1 if HAND_KEYS.index(note.key) <= HAND_KEYS.index(CONCEALED) else 3), ""
    return 2, note.key[0]


# ---------------------------------------------------------------------------------------- the score


def _judged(
    ask: Ask, parsed: Parsed
) -> tuple[Judgement | None, Unusable | None, tuple[SideScore | None, ...]]:
    """The judgement of the readable input; if one side made the errors, the scores of the others
    are valid.
    """
    hand, settings = parsed.hand, parsed.rules.settings
    none = (None,) * len(settings.sides)
    if not parsed.draft:
        return None, None, none
    judgement = unusable = None
    try:
        judgement = ask(hand)
        wrong = [finding.where for finding in judgement.findings if finding.is_error]
    except Unusable as error:
        unusable, wrong = error, [_place_of(error)]
    if judgement and judgement.sides:
        return judgement, None, judgement.sides
    sides = {_side_at(place, hand) for place in wrong}
    # Whether the score of a side can depend on the melds of another.
    shared = any(share.opponents for share in settings.red_threes_by_families)
    shared = shared or settings.red_threes_otherwise == "to-opponents"
    if None in sides or shared or settings.partnership != "fixed":
        return judgement, unusable, none
    rest = {
        key: {} if SIDE_KEYS.index(key) in sides else side for key, side in hand["sides"].items()
    }
    out = hand.get("out")
    out = None if out is None or SIDE_KEYS.index(out["side"]) in sides else out
    try:
        scores = ask({**hand, "sides": rest, "out": out}).sides or none
    except Unusable:
        return judgement, unusable, none
    return (
        judgement,
        unusable,
        tuple(None if place in sides else score for place, score in enumerate(scores)),
    )


def _place_of(error: Unusable) -> Pointer:
    """The place in the hand of an unusable value."""
    first, *rest = (
        int(part) if part.isascii() and part.isdigit() else part for part in error.key.split("/")
    )
    if first == "sides" and rest and rest[0] in SIDE_KEYS:
        return (first, SIDE_KEYS.index(str(rest[0])), *rest[1:])
    return (first, *rest)


def _side_at(place: Pointer, hand: Mapping[str, Any]) -> int | str | None:
    """The side of a place in the hand; None for the hand as a whole."""
    match place:
        case ("out", *_) if hand.get("out"):
            return SIDE_KEYS.index(hand["out"]["side"])
        case ("sides", int(side), *_):
            return side
    return None


# ------------------------------------------------------------------------- which findings are shown

_DECISIVE_FIRST = (
    "card-unknown", "meld-red-three", "meld-kind-not-allowed", "meld-sequence-broken", "meld-mixed-ranks",
    "meld-too-many-wilds", "meld-too-few-naturals", "meld-too-long", "meld-too-short", "black-threes-not-out",
)  # fmt: skip
"""Of the errors of one meld only the first of these is shown: the others follow from it, or depend
on it.
"""
_FOLLOWS_FROM_MELDS = (
    "opening-impossible",
    "out-canastas-missing",
    "out-meld-incomplete",
    "out-wild-meld-incomplete",
)
"""Not shown for a side with a wrong meld, the likely cause."""
_FOLLOWS_FROM = {
    "totals-impossible": ("points-not-multiple",),
    "opening-impossible": ("totals-impossible", "points-not-multiple"),
    "deck-exceeded": ("red-threes-exceeded",),
}


def decisive(findings: Sequence[Finding], hand: Mapping[str, Any]) -> Iterator[Finding]:
    """The findings without the errors that only follow from another one."""
    errors = [
        (each.code, each.where, _side_at(each.where, hand)) for each in findings if each.is_error
    ]
    wrong_melds = {side for _, where, side in errors if _meld_number(where) is not None}
    for finding in findings:
        code, where, side = finding.code, finding.where, _side_at(finding.where, hand)
        if finding.is_error and code in _DECISIVE_FIRST and _meld_number(where) is not None:
            beside = {other for other, at, _ in errors if at == where}
            follows = code != next(first for first in _DECISIVE_FIRST if first in beside)
        else:
            causes = _FOLLOWS_FROM.get(code, ())
            follows = any(cause in causes and at == side for cause, _, at in errors)
            follows = follows or (code in _FOLLOWS_FROM_MELDS and side in wrong_melds)
        if not (finding.is_error and follows):
            yield finding


def _meld_number(place: Pointer) -> int | None:
    """The number of the meld of a place; None if it is no meld."""
    match place:
        case ("sides", _, "melds", int(number)):
            return number
    return None


def can_grow(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards can fix the finding in the meld typed as `text`, or in all melds of a
    side.
    """
    reading = read_cards(notated(text))
    if finding.code == "card-unknown":
        return bool(reading.unknown) and _is_begun(text.split(), list(reading.unknown))
    meld = read_meld(reading.cards)
    match finding.code:
        case "meld-too-short" | "opening-impossible":
            return True
        case "meld-too-few-naturals" | "meld-too-many-wilds":
            return meld.wilds <= settings.most_wilds(
                MOST_TIMES, meld.ranks[0] if meld.ranks else FIRST_NATURAL
            )
        case "meld-kind-not-allowed":
            longest = settings.black_threes_longest
            allowed = settings.black_threes != "never" and (longest is None or meld.size < longest)
            return allowed and not (meld.wilds and settings.black_threes_wilds == "pure")
        case "meld-sequence-broken":
            # The naturals are of one suit, none twice; wild cards only if sequences may have them.
            suited = meld.cards.suited
            each_once = all(count == 1 for _, _, count in suited) and len(suited) == meld.naturals
            may_be_wild = not meld.wilds or settings.sequences == "dirty"
            return each_once and may_be_wild and len({suit for _, suit, _ in suited}) == 1
    return False


_BEGUN = re.compile(r"[0-9]{1,2}(?:x[13]?)?", re.IGNORECASE | re.ASCII)
"""The beginning of a card: `4x`, `1` of `10`, `3` of `3b`."""


def _is_begun(typed: list[str], unknown: list[str]) -> bool:
    """Whether only the end of the text is not a card yet: the beginning of a word, and the number
    before it.
    """
    *before, last = unknown
    at_the_end = typed[-len(unknown) :] == unknown and len(before) <= 1
    return (
        at_the_end
        and all(map(str.isdigit, before))
        and bool(_BEGUN.fullmatch(last) or is_begun(last))
    )


# -------------------------------------------------------------------------------- messages by field

_COUNTED = {Kind.RED_THREE: "red_threes", Kind.BLACK_THREE: "black_threes"}
"""Prefixes of the names of fields that count cards outside melds and hands."""


@dataclass(frozen=True, slots=True)
class _Reporter:
    """Creates the messages. `agreed`: the hand counts anyway, because the table agreed."""

    parsed: Parsed
    names: tuple[str, ...]
    words: Words
    final: bool
    agreed: bool

    def problem(self, problem: DraftProblem) -> Note:
        """Report unreadable or missing input."""
        name = "typed.doubt" if problem.given else "hand.error"
        side = side_of(problem.key) if problem.side is None else problem.side
        named = "" if side is None else self.names[side]
        text = self.words.t(
            f"{name}.{problem.reason}", limit=problem.limit, given=problem.given, side=named
        )
        return self._note(problem.key, text, side)

    def unusable(self, error: Unusable) -> Note:
        """A value that does not fit the rest of the hand: an opening's cards, a last discard of
        several cards.
        """
        own, key = f"hand.{error.reason}", self.parsed.key_of(_place_of(error))
        if self.words.has(own):
            text = self.words.t(own, **error.arguments)
        else:
            text = error.message(self.words)
        return self._note(key, text, side_of(key) if key else None)

    def finding(self, finding: Finding) -> Iterator[Note]:
        """Report a broken rule, beside each of its fields."""
        parsed, words, key = self.parsed, self.words, self.parsed.key_of(finding.where)
        keys: tuple[str, ...] = (key,) if key else ()
        leads_to = key
        if finding.where == ("sides",):
            keys = self._holding(finding)
            leads_to = keys[-1] if keys else parsed.keys.get(("sides", 0))
        lines, number = lines_of(parsed.typed_in(key or "")), _meld_number(finding.where)
        meld = lines[number] if number is not None and number < len(lines) else ""
        tone = self._tone(finding, key, meld)
        # If the table agreed, there is nothing to correct.
        text = (fact if tone is Tone.AGREED else message)(finding, self.names, words)
        text = words.t("hand.of-meld", meld=meld, text=text) if meld else text
        url = place_url(rules_url(parsed.rules), anchor("check", finding.code))
        source = words.t("standing.house")
        if finding.sources:
            source = words.t("hand.rule", source=places(finding.sources[:1], words))
        for each in keys or (None,):
            side = side_of(each) if each and len(keys) == 1 else None
            yield self._note(each, text, side, leads_to, tone, source, url)

    def _holding(self, finding: Finding) -> tuple[str, ...]:
        """For cards of all sides, the last field of each side with cards."""
        excess = finding.arguments.get("excess")
        kinds = (
            {each.kind for each in excess if isinstance(each, Excess)}
            if isinstance(excess, tuple)
            else None
        )
        keys = [
            key for key in self.parsed.keys.values() if self._holds(key, kinds or {Kind.RED_THREE})
        ]
        return tuple({key[0] if side_of(key) is not None else key: key for key in keys}.values())

    def _holds(self, key: str, kinds: set[Kind]) -> bool:
        text, name = self.parsed.typed_in(key), key[2:]
        if key == DISCARD or name == "melds" or name.startswith("left."):
            lines = (read_cards(notated(line)).cards for line in lines_of(text))
            return any(cards.of(kind) for cards in lines for kind in kinds)
        counted = tuple(_COUNTED[kind] for kind in kinds if kind in _COUNTED)
        return name.startswith(counted) and bool(read_sum(text, self.words.language))

    def _tone(self, finding: Finding, key: str | None, meld: str) -> Tone:
        if not finding.is_error:
            return Tone.WARNING
        if self.agreed:
            return Tone.AGREED
        if self.final or key is None or key[2:] != "melds":
            return Tone.ERROR
        grows = can_grow(
            finding, meld or self.parsed.draft.get(key, ""), self.parsed.rules.settings
        )
        grows = grows or (finding.code == "black-threes-not-out" and OUT not in self.parsed.draft)
        return Tone.PENDING if grows else Tone.ERROR

    def _note(
        self, key: str | None, text: str, side: int | None, leads_to: str | None = None, *more: Any
    ) -> Note:
        """A message with the name of its side: the summary is far from its fields."""
        if side is not None and self.names[side] not in text:
            text = self.words.t("hand.of-side", side=self.names[side], label=text)
        return Note(key, text, leads_to or key, *more)
