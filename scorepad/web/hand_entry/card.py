"""The page of a hand: the hand being entered, its card with a row for each field and a column for
each side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings import family_word, item_word
from scorepad.i18n.typed_cards import notated
from scorepad.matches.events import HandState, Penalty
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import Cards, read_cards
from scorepad.rules.score_lines import Line
from scorepad.rules.settings import OutBonus
from scorepad.rules.table import Meld, canasta_of, incomplete_of, read_meld
from scorepad.schemas.requests import SIDE_KEYS
from scorepad.sheets.score_table import LineKey, line_label
from scorepad.storage.rows import OpenHand
from scorepad.web import hand_fields
from scorepad.web.card_lines import CARD_KEYS, meld_in_words, meld_note
from scorepad.web.forms import is_sum, read_sum
from scorepad.web.hand_drafts import HANDS, Parsed, draft_from
from scorepad.web.hand_entry.problems import Report, Tone
from scorepad.web.hand_fields import (
    HIDDEN,
    NONE,
    Field,
    FieldKind,
    PagePart,
    key,
    penalty_text,
)
from scorepad.web.presenters import own_side_first
from scorepad.web.rulebook_links import line_anchor, place_url, rules_url

OUT_ITEM = "out"
"""The scored item of going out, whose row of the card is a question."""


class Side(NamedTuple):
    """A side before the hand; `players`: (index of the hand of cards, name of its player)."""

    position: int
    key: str
    name: str
    before: int
    minimum: int | None
    players: tuple[tuple[int, str], ...]


class NotedLine(NamedTuple):
    """A noted penalty on the card: its entry of the log, its words, its points."""

    entry: int
    text: str
    points: int


class MatchHand(NamedTuple):
    """A hand being entered: the open one, or a `past` one being corrected.

    `contests`: the other side counts the past hand separately; the first count is kept.
    """

    state: MatchState
    number: int
    sides: tuple[Side, ...]
    open_hand: OpenHand | None = None
    past: HandState | None = None
    contests: bool = False

    @property
    def url(self) -> str:
        """The URL of its form."""
        if not self.past:
            return url_for("hand_entry.page", match=self.state.id)
        view = "contest" if self.contests else "correct"
        return url_for(f"hand_entry.{view}", match=self.state.id, number=self.number)

    @property
    def noted_penalties(self) -> tuple[Penalty, ...]:
        """The penalties that count with it besides those typed; a past hand has its own as fields."""
        return () if self.past else self.state.noted_penalties

    @property
    def draft(self) -> Draft:
        """The fields as stored; for a past hand those of the valid version."""
        if not self.past:
            return self.open_hand.draft if self.open_hand else {}
        last = self.past.counted
        notes = {hand_fields.REMARK: self.past.remark, hand_fields.AGREED: last.agreed}
        draft = draft_from(last.hand, self.state.rules, last.draft)
        return draft | {name: text for name, text in notes.items() if text}


def match_hand(
    state: MatchState,
    open_hand: OpenHand | None = None,
    past: HandState | None = None,
    *,
    contests: bool = False,
) -> MatchHand:
    """The hand being played, or a past one to be corrected or contested."""
    resting, sides = (past.turn if past else state.next_turn).resting, []
    for position, side in enumerate(state.sides):
        before, minimum = side.total, side.minimum
        if past:
            then = past.sides[position]
            before, minimum = then.total - then.hand, then.opening_minimum
        players = tuple(
            (hand, name)
            for hand, name in enumerate(side.players)
            if (position, hand) not in resting
        )
        sides.append(Side(position, SIDE_KEYS[position], side.name, before, minimum, players))
    number = past.number if past else len(state.hands) + 1
    return MatchHand(state, number, tuple(sides), open_hand, past, contests)


@dataclass(frozen=True)
class Card:
    """The page of a draft with its messages; rendered by `templates/hand_entry`."""

    hand: MatchHand
    parsed: Parsed
    report: Report
    words: Words

    keys = CARD_KEYS

    @property
    def title(self) -> str:
        """The heading: the hand, and the action."""
        name = "hand.title" + (
            ".contest" if self.hand.contests else ".correct" if self.hand.past else ""
        )
        rules, number = self.parsed.rules, self.hand.state.called(self.hand.number)
        if "deal" not in rules.entry_fields or rules.settings.match_deals is None:
            return self.words.t(name, number=number)
        return self.words.t(f"{name}.of", number=number, count=rules.settings.match_deals)

    @cached_property
    def items(self) -> Mapping[str, str]:
        """The scored items of the fields, in the terms of the variant."""
        items = {
            each.item
            for each in (*self.parsed.fields[0], *self._from_cards(self.sides[0]))
            if each.item
        }
        return {item: item_word(self.parsed.rules.variant, item, self.words) for item in items}

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in the order in which this device shows them."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @property
    def rows(self) -> Iterator[tuple[Field, ...]]:
        """The rows of the card: a field for each side."""
        return zip(
            *([*self._from_cards(side), *self.part(side, PagePart.CARD)] for side in self.sides),
            strict=True,
        )

    def _from_cards(self, side: Side) -> tuple[Field, ...]:
        """The canastas of a side, where all is counted by cards."""
        rules = self.parsed.rules
        if hand_fields.counts_totals(rules.settings):
            return ()
        return tuple(hand_fields.canasta_fields(rules, side.position, PagePart.FROM_CARDS))

    def part(self, side: Side, part: PagePart) -> list[Field]:
        """The fields of a side in a part of the page."""
        fields = self.parsed.fields[side.position]
        shown = [
            each
            for each in fields
            if each.name != hand_fields.ALL_HANDS or each.key in self.parsed.draft
        ]
        return [each for each in shown if each.part == part]

    def comes_to(self, field: Field) -> str:
        """The value of a sum; cards in words, with their points."""
        words, settings, text = (
            self.words,
            self.parsed.rules.settings,
            self.parsed.typed_in(field.key),
        )
        if field.kind in hand_fields.FIGURES and is_sum(text):
            figure = read_sum(text, words.language, signed=field.kind is FieldKind.SIGNED)
            return words.t("hand.comes-to", figure=figure) if type(figure) is int else ""
        if field.kind is not FieldKind.CARDS or text == NONE:
            return ""
        cards = _cards(text)
        what = cards_in_words(cards.counts, words) if cards.size else ""
        if not what or settings.unit == "units":
            return what
        return words.t("hand.text", what=what, points=cards.points(settings.left_points))

    @cached_property
    def derived(self) -> Mapping[str, int]:
        """The totals of the cards of the sides, by key; only nonzero ones."""
        settings, found = self.parsed.rules.settings, Counter[str]()
        for side in self.hand.sides:
            for line, meld in self.laid(side):
                kind, incomplete = canasta_of(meld, settings), incomplete_of(meld, settings)
                names = [f"canastas.{kind.item}"] if kind else []
                names += ["canastas.concealed-canasta"] if kind and line.endswith(HIDDEN) else []
                names += [f"incomplete.{incomplete.name}"] if incomplete else []
                found.update(key(side.key, name) for name in names)
                found[key(side.key, "cards")] += meld.cards.points(settings.card_points)
            left = [
                text
                for name, text in self.parsed.draft.items()
                if name.startswith(f"{side.key}.left.")
            ]
            if left and settings.cards_left == "points":
                found[key(side.key, "left")] = _cards(" ".join(left)).points(settings.left_points)
        return found

    def is_by_cards(self, side: Side) -> bool:
        """Whether the side is counted by its cards: typed here, or used in the last hand."""
        draft, hands = self.parsed.draft, self.hand.state.hands
        if {each.key for each in self.part(side, PagePart.BY_CARDS)} & (
            draft.keys() | self.report.beside.keys()
        ):
            return True
        if not hand_fields.counts_totals(self.parsed.rules.settings):
            return False
        if self.hand.past or not hands or any(name.startswith(f"{side.key}.") for name in draft):
            return False
        return bool(hands[-1].counted.hand["sides"].get(side.key, {}).get("melds"))

    def reason_unscored(self, side: Side) -> str:
        """What a side without a score waits for: `mending` an error, or `all` missing input."""
        wrong = [
            note
            for note in self.report.notes
            if note.tone is Tone.ERROR and note not in self.report.missing
        ]
        if side.position in self.parsed.unfinished:
            wrong = [note for note in wrong if (note.key or "").startswith(f"{side.key}.")]
        return "mending" if wrong else "all"

    def out_choices(self, side: Side) -> Iterator[tuple[str, str]]:
        """(value, name) of the candidates for going out: the side, and each player named or chosen."""
        yield side.key, side.name
        for hand, name in side.players if len(side.players) > 1 else ():
            value = f"{side.key}.{hand}"
            if name or self.parsed.draft.get(hand_fields.OUT) == value:
                yield value, name or self.words.t("hand.player", number=hand + 1)

    def typed(self, fields: list[Field]) -> list[Field]:
        """Those of these fields in which something other than nought is typed."""
        return [each for each in fields if self.parsed.typed_in(each.key) not in ("", NONE)]

    def has_more(self, side: Side, fields: list[Field]) -> bool:
        """Whether the panel of rarely used fields is open: for a message, or for something typed
        other than a penalty, which the row of other points shows.
        """
        keys = {each.key for each in fields} | {key(side.key, hand_fields.NOTED)}
        if not keys.isdisjoint(self.report.beside):
            return True
        return any(each.group not in ("penalties", "house") for each in self.typed(fields))

    def noted(self, side: Side) -> list[NotedLine]:
        """The penalties noted for a side while the hand is played."""
        rules, words = self.parsed.rules, self.words
        return [
            NotedLine(penalty.entry, penalty_text(penalty, rules, words), -penalty.cost(rules))
            for penalty in self.hand.noted_penalties
            if penalty.side == side.position
        ]

    # ------------------------------------------------------------------ what a column adds up to

    @cached_property
    def _row_items(self) -> frozenset[str]:
        """The scored items that have a row of the card."""
        items = {fields[0].item for fields in self.rows}
        return frozenset(items | {OUT_ITEM})

    def _scored(self, side: Side, item: str) -> int | None:
        """The points of a side for an item; None if its score is not known."""
        score = self.report.scores[side.position]
        if score is None:
            return None
        return sum(line.points for line in score.lines if line.item == item)

    @cached_property
    def others(self) -> tuple[int, ...]:
        """By side, as the page shows them, the points for what has no row of the card."""
        found = []
        for side in self.sides:
            score = self.report.scores[side.position]
            lines = score.lines if score else ()
            found.append(sum(line.points for line in lines if line.item not in self._row_items))
        return tuple(found)

    def other_points(self, side: Side) -> str:
        """The points of a side for what has no row of the card; empty if there are none."""
        points = self.others[self.sides.index(side)]
        return self.words.signed(points) if points else ""

    def points_of(self, field: Field) -> str:
        """The points of a cell, if they are not its figure times the worth beside the name of its
        row; else empty.
        """
        if field.part not in (PagePart.CARD, PagePart.FROM_CARDS):
            return ""
        scored = self._scored(self.hand.sides[field.position], field.item)
        worth = field.worth[0] if field.worth else 0
        if scored is None or scored == self._figure(field) * worth:
            return ""
        return self.words.signed(scored)

    def _figure(self, field: Field) -> int:
        """The figure that a cell shows."""
        if (
            self.parsed.writers[field.position] != field.position
            and field.group in hand_fields.LAID
        ):
            return 0
        text = self.parsed.typed_in(field.key)
        if not text:
            return self.derived.get(field.key, 0)
        figure = read_sum(text, self.words.language, signed=field.kind is FieldKind.SIGNED)
        return figure if isinstance(figure, int) else 0

    @property
    def asks_concealed(self) -> bool:
        """Whether the page asks if the hand of who went out was concealed."""
        return (
            hand_fields.needs_concealed(self.parsed.rules)
            or hand_fields.CONCEALED in self.parsed.draft
        )

    def out_points(self, side: Side) -> str:
        """The points of a side for going out, if the page shows others beside the question; else
        empty.
        """
        settings = self.parsed.rules.settings
        scored = self._scored(side, OUT_ITEM)
        shown = 0
        if self.parsed.typed_in(hand_fields.OUT).startswith(side.key):
            is_concealed = hand_fields.CONCEALED in self.parsed.draft
            shown = settings.concealed_out_bonus if is_concealed else settings.out_bonus
        return "" if scored is None or scored == shown else self.words.signed(scored)

    # ------------------------------------------------------------------ melds and lines

    def laid(self, side: Side) -> Iterator[tuple[str, Meld]]:
        """The melds of a side as typed, and as parsed."""
        for line in hand_fields.lines_of(self.parsed.typed_in(key(side.key, "melds"))):
            if line != NONE:
                yield line, read_meld(_cards(line.rstrip(HIDDEN)))

    def melds(self, side: Side) -> Iterator[tuple[str, str]]:
        """The melds of a side as typed, each with its cards, kind and points in words."""
        rules, words, notes = (
            self.parsed.rules,
            self.words,
            self.report.beside.get(key(side.key, "melds"), ()),
        )
        wrong = " ".join(note.text for note in notes if note.tone is Tone.ERROR)
        for line, meld in self.laid(side):
            cards = line.rstrip(HIDDEN).strip()
            note = meld_note(
                meld, rules, words, is_wrong=f"«{cards}»" in wrong or f"«{line}»" in wrong
            )
            what = meld_in_words(meld, rules.settings, words) or cards
            yield cards, words.t("hand.meld.text", cards=what, told=note)

    def lines(self, side: Side) -> Iterator[tuple[str, int, str]]:
        """(label, points, place in the rulebook) per score line of a side."""
        score, book = self.report.scores[side.position], rules_url(self.parsed.rules)
        for line in score.lines if score else ():
            yield (
                self._line_label(line),
                line.points,
                place_url(book, line_anchor(line.item, line.code)),
            )

    def _line_label(self, line: Line) -> str:
        settings, words = self.parsed.rules.settings, self.words
        concealed = hand_fields.CONCEALED in self.parsed.draft and hand_fields.needs_concealed(
            self.parsed.rules
        )
        variant = self.parsed.rules.variant
        key = LineKey(line.item, line.code, line.reason)
        name = line_label(key, words, concealed=concealed, variant=variant)
        if line.item != "out":
            count = line.count or 0
            return words.t("hand.line", name=name, count=count) if count > 1 else name
        plain = settings.concealed_out_bonus if concealed else settings.out_bonus
        more = line.points - (plain if settings.out_bonus_adds == "sum" else 0)
        reached = (bonus.canastas for bonus in settings.out_bonus_canastas if bonus.points == more)
        canastas = next(reached, None) if line.points > plain else None
        return name if canastas is None else words.t("hand.line.out.canastas", canastas=canastas)

    def families(self, bonus: OutBonus) -> str:
        """The canastas required by a bonus for going out."""
        families = (("natural", bonus.natural), ("mixed", bonus.mixed))
        variant, words = self.parsed.rules.variant, self.words
        return words.listing(
            family_word(variant, family, count, words) for family, count in families if count
        )


def _cards(text: str) -> Cards:
    """The readable cards of a text, in one hand or several."""
    return read_cards(notated(text.replace(HANDS, " "))).cards
