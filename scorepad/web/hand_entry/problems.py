"""Checks of a hand while it is typed: scores, and messages for its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import Any, NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.card_words import is_begun
from scorepad.i18n.findings import fact as finding_fact
from scorepad.i18n.findings import message as finding_message
from scorepad.i18n.typed_cards import notated
from scorepad.rules.cards import FIRST_NATURAL, Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.hand import Hand, SideEntry
from scorepad.rules.judging import Finding, Judgement
from scorepad.rules.score_lines import SideScore
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer, read_meld
from scorepad.schemas import Unusable
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.web.base import Errors, FieldError
from scorepad.web.citations import citations_in_words
from scorepad.web.field_texts import MOST_TIMES, meld_lines
from scorepad.web.forms import read_sum
from scorepad.web.hand_fields import (
    AGREED,
    CONCEALED,
    DISCARD,
    HAND_KEYS,
    OUT,
    html_id,
    side_of,
)
from scorepad.web.hand_reading import DraftProblem, TypedHand
from scorepad.web.rulebook_links import anchor, rules_url, url_with_anchor

Judge = Callable[[Hand], Judgement]
"""Judges a hand; raises Unusable."""


class Tone(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """For input still being typed: not yet an error."""
    AGREED = "agreed"
    """Against the rules, but counted because the table agreed."""


class Agreement(StrEnum):
    """Whether the table can agree to count a hand although it breaks rules."""

    NOT_NEEDED = ""
    """No rule is broken, or something else must be corrected first."""
    POSSIBLE = "possible"
    NEVER = "never"
    """A broken rule is one that no table can set aside, such as a card that does not exist."""


class FieldMessage(NamedTuple):
    """A message beside a field (None: above all of them), with the rule's source and its URL in the
    rulebook.

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

    `missing`: input still to be typed; when the hand is saved it is an error too.
    `is_opening_unknown`: totals do not show with which cards a side opened; this is not an error.
    """

    messages: tuple[FieldMessage, ...] = ()
    missing: tuple[FieldMessage, ...] = ()
    scores: tuple[SideScore | None, ...] = (None, None, None)
    agreement: Agreement = Agreement.NOT_NEEDED
    is_opening_unknown: bool = False

    beside: dict[str | None, list[FieldMessage]] = dataclass_field(default_factory=dict)
    """The messages by field."""
    errors: Errors = ()
    """The errors, as lines of a summary, each once."""
    missing_errors: Errors = ()
    """The missing input, as lines of a summary, without what is already an error."""

    def __post_init__(self) -> None:
        for message in self.messages:
            self.beside.setdefault(message.key, []).append(message)
        self.errors = _summary(message for message in self.messages if message.tone is Tone.ERROR)
        self.missing_errors = tuple(
            error for error in _summary(self.missing) if error not in self.errors
        )


def _summary(messages: Iterable[FieldMessage]) -> Errors:
    lines = []
    for message in messages:
        field_id = html_id(message.leads_to) if message.leads_to else None
        lines.append(FieldError(field_id, message.text))
    return tuple(dict.fromkeys(lines))


def report(
    parsed: TypedHand, names: tuple[str, ...], judge: Judge, words: Words, *, final: bool = False
) -> Report:
    """Judge a hand as far as it is typed. `final`: it is to be saved, so missing input is an error."""
    outcome = _judge_typed_hand(judge, parsed)
    is_agreed = outcome.judgement is not None and outcome.judgement.is_valid
    reporter = _Reporter(parsed, names, words, final, is_agreed)

    messages = []
    missing = []
    for problem in parsed.problems:
        if problem.missing:
            missing.append(reporter.problem(problem))
        else:
            messages.append(reporter.problem(problem))
    if final:
        messages += missing
    if outcome.unusable and not parsed.unseated:
        messages.append(reporter.unusable(outcome.unusable))
    findings = _known_findings(parsed, outcome.judgement)
    shown = [finding for finding in findings if finding.code != "opening-unknown"]
    for finding in decisive(shown, parsed.hand):
        messages += reporter.finding(finding)

    scores: list[SideScore | None] = list(outcome.scores)
    for position in parsed.unfinished:
        scores[position] = None
    return Report(
        messages=tuple(sorted(messages, key=_page_order)),
        missing=tuple(missing),
        scores=tuple(scores),
        agreement=_agreement(parsed, findings, outcome.unusable),
        is_opening_unknown=len(shown) < len(findings),
    )


def _known_findings(parsed: TypedHand, judgement: Judgement | None) -> list[Finding]:
    """The findings without those that depend on which sides lay together, until that is known."""
    if judgement is None:
        return []
    if not parsed.unseated:
        return list(judgement.findings)
    return [finding for finding in judgement.findings if finding.nature.by_itself]


def _agreement(
    parsed: TypedHand, findings: Sequence[Finding], unusable: Unusable | None
) -> Agreement:
    """Whether the table can agree to count the hand with these findings."""
    errors = [finding for finding in findings if finding.is_error]
    if not all(error.may_be_agreed for error in errors):
        return Agreement.NEVER
    other_problems = [problem for problem in parsed.problems if problem.key != AGREED]
    if unusable or other_problems or not errors:
        return Agreement.NOT_NEEDED
    return Agreement.POSSIBLE


def _page_order(message: FieldMessage) -> tuple[int, str]:
    """Going out comes first on the page, then the sides, then the remarks."""
    if message.key is None:
        return 0, ""
    if message.key not in HAND_KEYS:
        return 2, message.key[0]
    is_about_going_out = HAND_KEYS.index(message.key) <= HAND_KEYS.index(CONCEALED)
    return (1 if is_about_going_out else 3), ""


# ---------------------------------------------------------------------------------------- the score


class _Outcome(NamedTuple):
    """The judgement of a typed hand, or the value that made it unusable; and by side the score, None
    if it is not known.
    """

    judgement: Judgement | None
    unusable: Unusable | None
    scores: tuple[SideScore | None, ...]


def _judge_typed_hand(judge: Judge, parsed: TypedHand) -> _Outcome:
    """Judge the readable input. If the errors are all of one side, the scores of the others are
    valid.
    """
    hand = parsed.hand
    no_scores = (None,) * len(hand.sides)
    if not parsed.draft:
        return _Outcome(None, None, no_scores)
    judgement = None
    unusable = None
    try:
        judgement = judge(hand)
    except Unusable as error:
        unusable = error
        wrong_parts = [_pointer_of(error)]
    else:
        if judgement.sides:
            return _Outcome(judgement, None, judgement.sides)
        wrong_parts = [finding.where for finding in judgement.findings if finding.is_error]

    wrong_sides = {_side_at(where, hand) for where in wrong_parts}
    if None in wrong_sides or _sides_share_scores(parsed.rules.settings):
        return _Outcome(judgement, unusable, no_scores)
    try:
        scores = judge(_without_sides(hand, wrong_sides)).sides
    except Unusable:
        scores = None
    known_scores: list[SideScore | None] = list(scores or no_scores)
    for position in wrong_sides:
        if position is not None:
            known_scores[position] = None
    return _Outcome(judgement, unusable, tuple(known_scores))


def _sides_share_scores(settings: Settings) -> bool:
    """Whether the score of a side can depend on the melds of another."""
    return (
        any(share.opponents for share in settings.red_threes_by_families)
        or settings.red_threes_otherwise == "to-opponents"
        or settings.partnership != "fixed"
    )


def _without_sides(hand: Hand, wrong_sides: Collection[int | None]) -> Hand:
    """The hand with nothing typed for these sides."""
    sides = []
    for position, side in enumerate(hand.sides):
        sides.append(SideEntry() if position in wrong_sides else side)
    out = hand.out
    if out is not None and out.side in wrong_sides:
        out = None
    return replace(hand, sides=tuple(sides), out=out)


def _pointer_of(error: Unusable) -> Pointer:
    """Where an unusable value stands in the hand."""
    parts: list[str | int] = []
    for part in error.key.split("/"):
        parts.append(int(part) if part.isascii() and part.isdigit() else part)
    if parts[0] == "sides" and len(parts) > 1 and parts[1] in SIDE_KEYS:
        parts[1] = SIDE_KEYS.index(str(parts[1]))
    return tuple(parts)


def _side_at(where: Pointer, hand: Hand) -> int | None:
    """The side to which this part of the hand belongs; None for the hand as a whole."""
    match where:
        case ("out", *_) if hand.out is not None:
            return hand.out.side
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


def decisive(findings: Sequence[Finding], hand: Hand) -> Iterator[Finding]:
    """The findings without the errors that only follow from another one."""
    errors = [finding for finding in findings if finding.is_error]
    for finding in findings:
        if not finding.is_error or not _follows_from_another(finding, errors, hand):
            yield finding


def _follows_from_another(finding: Finding, errors: Sequence[Finding], hand: Hand) -> bool:
    if finding.code in _DECISIVE_FIRST and _meld_number(finding.where) is not None:
        codes = {error.code for error in errors if error.where == finding.where}
        most_decisive = next(code for code in _DECISIVE_FIRST if code in codes)
        return finding.code != most_decisive
    side = _side_at(finding.where, hand)
    causes = _FOLLOWS_FROM.get(finding.code, ())
    for error in errors:
        if _side_at(error.where, hand) != side:
            continue
        if error.code in causes:
            return True
        is_meld = _meld_number(error.where) is not None
        if is_meld and finding.code in _FOLLOWS_FROM_MELDS:
            return True
    return False


def _meld_number(where: Pointer) -> int | None:
    """The number of the meld to which this part of the hand belongs; None if it is no meld."""
    match where:
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

    parsed: TypedHand
    names: tuple[str, ...]
    words: Words
    final: bool
    agreed: bool

    def problem(self, problem: DraftProblem) -> FieldMessage:
        """Report unreadable or missing input."""
        name = "typed.doubt" if problem.given else "hand.error"
        side = side_of(problem.key) if problem.side is None else problem.side
        named = "" if side is None else self.names[side]
        text = self.words.t(
            f"{name}.{problem.reason}", limit=problem.limit, given=problem.given, side=named
        )
        return self._message(problem.key, text, side)

    def unusable(self, error: Unusable) -> FieldMessage:
        """A value that does not fit the rest of the hand: an opening's cards, a last discard of
        several cards.
        """
        key = self.parsed.key_at(_pointer_of(error))
        message_key = f"hand.{error.reason}"
        if self.words.has(message_key):
            text = self.words.t(message_key, **error.arguments)
        else:
            text = error.message(self.words)
        return self._message(key, text, side_of(key) if key else None)

    def finding(self, finding: Finding) -> Iterator[FieldMessage]:
        """Report a broken rule, beside each of its fields."""
        key = self.parsed.key_at(finding.where)
        keys: tuple[str, ...] = (key,) if key else ()
        leads_to = key
        if finding.where == ("sides",):
            keys = self._holding(finding)
            leads_to = keys[-1] if keys else self.parsed.key_at(("sides", 0))
        meld = self._typed_meld(finding, key)
        tone = self._tone(finding, key, meld)
        text = self._text(finding, tone, meld)
        url = url_with_anchor(rules_url(self.parsed.rules), anchor("check", finding.code))
        source = self._source(finding)
        for each in keys or (None,):
            side = side_of(each) if each and len(keys) == 1 else None
            yield self._message(each, text, side, leads_to, tone, source, url)

    def _typed_meld(self, finding: Finding, key: str | None) -> str:
        """The meld of a finding as typed; empty if it is about no single meld."""
        number = _meld_number(finding.where)
        melds = meld_lines(self.parsed.typed_in(key or ""))
        return melds[number] if number is not None and number < len(melds) else ""

    def _text(self, finding: Finding, tone: Tone, meld: str) -> str:
        # If the table agreed, there is nothing to correct.
        in_words = finding_fact if tone is Tone.AGREED else finding_message
        text = in_words(finding, self.names, self.words)
        return self.words.t("hand.of-meld", meld=meld, text=text) if meld else text

    def _source(self, finding: Finding) -> str:
        if not finding.sources:
            return self.words.t("standing.house")
        source = citations_in_words(finding.sources[:1], self.words)
        return self.words.t("hand.rule", source=source)

    def _holding(self, finding: Finding) -> tuple[str, ...]:
        """For cards of all sides, the last field of each side with cards."""
        excess = finding.arguments.get("excess")
        kinds = {Kind.RED_THREE}
        if isinstance(excess, tuple) and excess:
            kinds = {each.kind for each in excess if isinstance(each, Excess)} or kinds
        last_fields = []
        for column in self.parsed.columns:
            holding = []
            for field in column.fields.values():
                if field.name in column.texts and self._holds(field.key, kinds):
                    holding.append(field.key)
            last_fields += holding[-1:]
        if self._holds(DISCARD, kinds):
            last_fields.append(DISCARD)
        return tuple(last_fields)

    def _holds(self, key: str, kinds: set[Kind]) -> bool:
        text = self.parsed.typed_in(key)
        name = key[2:]
        if key == DISCARD or name == "melds" or name.startswith("left."):
            lines = (read_cards(notated(line)).cards for line in meld_lines(text))
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
        if finding.code == "black-threes-not-out" and OUT not in self.parsed.draft:
            return Tone.PENDING
        text = meld or self.parsed.draft.get(key, "")
        return Tone.PENDING if can_grow(finding, text, self.parsed.rules.settings) else Tone.ERROR

    def _message(
        self, key: str | None, text: str, side: int | None, leads_to: str | None = None, *more: Any
    ) -> FieldMessage:
        """A message with the name of its side: the summary is far from its fields."""
        if side is not None and self.names[side] not in text:
            text = self.words.t("hand.of-side", side=self.names[side], label=text)
        return FieldMessage(key, text, leads_to or key, *more)
