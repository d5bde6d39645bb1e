"""The messages beside the fields of a hand: what is unreadable, missing, or against the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.card_words import can_become_card_word
from scorepad.i18n.findings import finding_text, finding_without_remedy
from scorepad.i18n.typed_cards import to_notation
from scorepad.rules.cards import FIRST_NATURAL, Kind, read_cards
from scorepad.rules.checks import Excess
from scorepad.rules.judging import Finding
from scorepad.rules.settings import Settings
from scorepad.rules.table import Pointer, read_meld
from scorepad.schemas import Unusable
from scorepad.web.citations import citations_in_words
from scorepad.web.field_texts import MOST_TIMES, meld_lines
from scorepad.web.forms import read_sum
from scorepad.web.hand_entry.findings_shown import meld_number
from scorepad.web.hand_fields import DISCARD, OUT, Field, side_of
from scorepad.web.hand_reading import DraftProblem, TypedHand
from scorepad.web.rulebook_links import anchor, rules_url, url_with_anchor

_FIELDS_OF_THREES = {Kind.RED_THREE: "red_threes", Kind.BLACK_THREE: "black_threes"}
"""Prefixes of the names of fields that count threes outside melds and hands."""


class Tone(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    PENDING = "pending"
    """For input still being typed: not yet an error."""
    AGREED = "agreed"
    """Against the rules, but counted because the table agreed."""


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


@dataclass(frozen=True, slots=True)
class MessageWriter:
    """Writes the messages about a typed hand; `names` are those of the sides.

    `is_final`: the hand is to be saved, so nothing is pending. `is_agreed`: it counts although it
    breaks rules, because the table agreed.
    """

    parsed: TypedHand
    names: tuple[str, ...]
    words: Words
    is_final: bool
    is_agreed: bool

    def of_problem(self, problem: DraftProblem) -> FieldMessage:
        """A message about unreadable or missing input."""
        side = side_of(problem.key) if problem.side is None else problem.side
        group = "typed.doubt" if problem.given else "hand.error"
        text = self.words.t(
            f"{group}.{problem.reason}",
            limit=problem.limit,
            given=problem.given,
            side="" if side is None else self.names[side],
        )
        return FieldMessage(problem.key, self._with_side(text, side), problem.key)

    def of_unusable(self, error: Unusable, where: Pointer) -> FieldMessage:
        """A message about a value that does not fit the rest of the hand: an opening's cards, a last
        discard of several cards.
        """
        key = self.parsed.key_at(where)
        message_key = f"hand.{error.reason}"
        if self.words.has(message_key):
            text = self.words.t(message_key, **error.arguments)
        else:
            text = error.message(self.words)
        side = side_of(key) if key else None
        return FieldMessage(key, self._with_side(text, side), key)

    def of_finding(self, finding: Finding) -> Iterator[FieldMessage]:
        """The messages about a broken rule, one beside each of its fields."""
        if finding.where == ("sides",):
            yield from self._of_cards_of_all_sides(finding)
            return
        key = self.parsed.key_at(finding.where)
        side = side_of(key) if key else None
        meld = self._typed_meld(finding, key)
        tone = self._tone(finding, key, meld)
        yield self._finding_message(finding, tone, meld, key=key, side=side, leads_to=key)

    def _of_cards_of_all_sides(self, finding: Finding) -> Iterator[FieldMessage]:
        """The same message beside a field of each side that has such cards; the summary leads to
        the last of them.
        """
        keys = self._fields_with_excess_cards(finding)
        tone = self._tone(finding, keys[-1] if keys else None, "")
        if not keys:
            first_side = self.parsed.key_at(("sides", 0))
            yield self._finding_message(finding, tone, key=None, leads_to=first_side)
        side = side_of(keys[0]) if len(keys) == 1 else None
        for key in keys:
            yield self._finding_message(finding, tone, key=key, side=side, leads_to=keys[-1])

    def _finding_message(
        self,
        finding: Finding,
        tone: Tone,
        meld: str = "",
        *,
        key: str | None,
        side: int | None = None,
        leads_to: str | None,
    ) -> FieldMessage:
        # If the table agreed, there is nothing to correct.
        in_words = finding_without_remedy if tone is Tone.AGREED else finding_text
        text = in_words(finding, self.names, self.words)
        if meld:
            text = self.words.t("hand.of-meld", meld=meld, text=text)
        url = url_with_anchor(rules_url(self.parsed.rules), anchor("check", finding.code))
        text = self._with_side(text, side)
        return FieldMessage(key, text, leads_to, tone, self._source(finding), url)

    def _typed_meld(self, finding: Finding, key: str | None) -> str:
        """The meld of a finding as typed; empty if it is about no single meld."""
        number = meld_number(finding.where)
        melds = meld_lines(self.parsed.typed_in(key or ""))
        return melds[number] if number is not None and number < len(melds) else ""

    def _source(self, finding: Finding) -> str:
        if not finding.sources:
            return self.words.t("standing.house")
        source = citations_in_words(finding.sources[:1], self.words)
        return self.words.t("hand.rule", source=source)

    def _with_side(self, text: str, side: int | None) -> str:
        """A message with the name of its side, because the summary is far from its fields."""
        if side is None or self.names[side] in text:
            return text
        return self.words.t("hand.of-side", side=self.names[side], label=text)

    # ---------------------------------------------------------------- cards that the decks do not have

    def _fields_with_excess_cards(self, finding: Finding) -> list[str]:
        """The last field of each side that has such cards, and the last discard if it is one."""
        kinds = _excess_kinds(finding)
        last_fields = []
        for column in self.parsed.columns:
            last = None
            for name, text in column.texts.items():
                if self._has_cards_of(kinds, column.fields[name], text):
                    last = column.fields[name].key
            if last is not None:
                last_fields.append(last)
        if _are_cards_of(kinds, self.parsed.typed_in(DISCARD)):
            last_fields.append(DISCARD)
        return last_fields

    def _has_cards_of(self, kinds: set[Kind], field: Field, text: str) -> bool:
        """Whether cards of these kinds are typed in a field, or counted in it."""
        if field.name == "melds" or field.kind == "cards":
            return _are_cards_of(kinds, text)
        for kind, name in _FIELDS_OF_THREES.items():
            if kind in kinds and field.name.startswith(name):
                return bool(read_sum(text, self.words.language))
        return False

    # ---------------------------------------------------------------- tones

    def _tone(self, finding: Finding, key: str | None, meld: str) -> Tone:
        if not finding.is_error:
            return Tone.WARNING
        if self.is_agreed:
            return Tone.AGREED
        if self.is_final or key is None or key[2:] != "melds":
            return Tone.ERROR
        if finding.code == "black-threes-not-out" and OUT not in self.parsed.draft:
            return Tone.PENDING
        text = meld or self.parsed.draft.get(key, "")
        return Tone.PENDING if can_grow(finding, text, self.parsed.rules.settings) else Tone.ERROR


def _are_cards_of(kinds: set[Kind], text: str) -> bool:
    """Whether there are cards of these kinds among those of a text."""
    cards = read_cards(" ".join(map(to_notation, meld_lines(text)))).cards
    return any(cards.of(kind) for kind in kinds)


def _excess_kinds(finding: Finding) -> set[Kind]:
    """The kinds of cards of which there are too many; without `excess`, red threes."""
    excess = finding.arguments.get("excess")
    if isinstance(excess, tuple):
        kinds = {each.kind for each in excess if isinstance(each, Excess)}
        if kinds:
            return kinds
    return {Kind.RED_THREE}


def can_grow(finding: Finding, text: str, settings: Settings) -> bool:
    """Whether more cards can fix the finding in the meld typed as `text`, or in all melds of a
    side.
    """
    reading = read_cards(to_notation(text))
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
        and bool(_BEGUN.fullmatch(last) or can_become_card_word(last))
    )
