"""The page of a hand: its grid with a row for each field and a column for each side, and its panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings_in_words import family_word
from scorepad.i18n.typed_cards import to_notation
from scorepad.matches.events import HandPenalty, HandState
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.cards import Cards, read_cards
from scorepad.rules.score_lines import Line
from scorepad.rules.settings import OutBonus, Settings
from scorepad.rules.table import Meld, canasta_of, incomplete_of, read_meld
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.score_table import LineKey, line_label
from scorepad.storage.rows import OpenHand
from scorepad.web import hand_fields
from scorepad.web.card_lines import CARD_KEYS, meld_in_words, meld_kind_in_words
from scorepad.web.field_texts import HAND_SEPARATOR, HIDDEN, NONE, meld_lines
from scorepad.web.forms import is_sum
from scorepad.web.hand_entry.field_messages import Tone
from scorepad.web.hand_entry.report import Report
from scorepad.web.hand_fields import (
    Field,
    PagePart,
    key,
)
from scorepad.web.hand_filling import fill_draft
from scorepad.web.hand_reading import TypedHand
from scorepad.web.open_hand import noted_penalty_text
from scorepad.web.presenters import own_side_first
from scorepad.web.rulebook_links import line_anchor, rules_url, url_with_anchor

OUT_ITEM = "out"
"""The scored item of going out, whose row of the grid is a question."""


class Side(NamedTuple):
    """A side before the hand: its match score, and the minimum with which it opens, None for none.

    `players`: those who play in this hand, each the index and the name, which may be empty.
    """

    position: int
    key: str
    name: str
    before: int
    minimum: int | None
    players: tuple[tuple[int, str], ...]


class NotedLine(NamedTuple):
    """A noted penalty on the page: its entry of the log, its words, its points."""

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
        """The address of its page."""
        if self.past is None:
            return url_for("hand_entry.page", match=self.state.id)
        if self.contests:
            return url_for("hand_entry.contest", match=self.state.id, number=self.number)
        return url_for("hand_entry.correct", match=self.state.id, number=self.number)

    @property
    def noted_penalties(self) -> tuple[HandPenalty, ...]:
        """The penalties that count with it besides those typed; a past hand has its own as fields."""
        return () if self.past else self.state.noted_penalties

    @property
    def draft(self) -> Draft:
        """The fields as stored; for a past hand those of the valid version."""
        if not self.past:
            return self.open_hand.draft if self.open_hand else {}
        last = self.past.counted
        draft = fill_draft(last.hand, self.state.rules, last.draft)
        if self.past.remark:
            draft[hand_fields.REMARK] = self.past.remark
        if last.agreed:
            draft[hand_fields.AGREED] = last.agreed
        return draft


def match_hand(
    state: MatchState,
    open_hand: OpenHand | None = None,
    past: HandState | None = None,
    *,
    contests: bool = False,
) -> MatchHand:
    """The hand being played, or a past one to be corrected or contested."""
    number = past.number if past else len(state.hands) + 1
    sides = tuple(_side_before(state, past, position) for position in range(len(state.sides)))
    return MatchHand(state, number, sides, open_hand, past, contests)


def _side_before(state: MatchState, past: HandState | None, position: int) -> Side:
    """A side as it was before the past hand, or as it is before the open one."""
    side = state.sides[position]
    total_before = side.total
    minimum = side.minimum
    turn = state.next_turn
    if past:
        past_side = past.sides[position]
        total_before = past_side.total - past_side.hand
        minimum = past_side.opening_minimum
        turn = past.turn
    playing = []
    for index, name in enumerate(side.players):
        if (position, index) not in turn.resting:
            playing.append((index, name))
    return Side(
        position=position,
        key=SIDE_KEYS[position],
        name=side.name,
        before=total_before,
        minimum=minimum,
        players=tuple(playing),
    )


@dataclass(frozen=True)
class HandPage:
    """What the templates of a hand's page ask for: the hand, its typed fields and their messages."""

    hand: MatchHand
    parsed: TypedHand
    report: Report
    words: Words

    card_keys = CARD_KEYS

    @property
    def title(self) -> str:
        """The heading: the hand, and the action."""
        key = "hand.title"
        if self.hand.contests:
            key = "hand.title.contest"
        elif self.hand.past:
            key = "hand.title.correct"
        rules = self.parsed.rules
        number = self.hand.state.called(self.hand.number)
        if "deal" not in rules.entry_fields or rules.settings.match_deals is None:
            return self.words.t(key, number=number)
        return self.words.t(f"{key}.of", number=number, count=rules.settings.match_deals)

    def label(self, field: Field) -> str:
        """What a field is called."""
        players = self.hand.sides[field.position].players
        return field.label.text(self.parsed.rules.variant, self.words, players)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in the order in which this device shows them."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @property
    def rows(self) -> Iterator[tuple[Field, ...]]:
        """The rows of the grid: a field for each side."""
        columns = []
        for side in self.sides:
            columns.append([*self._from_cards(side), *self.part(side, PagePart.GRID)])
        return zip(*columns, strict=True)

    def _from_cards(self, side: Side) -> tuple[Field, ...]:
        """The canastas of a side, where all is counted by cards."""
        rules = self.parsed.rules
        if hand_fields.counts_totals(rules.settings):
            return ()
        return tuple(hand_fields.canasta_fields(rules, side.position, PagePart.FROM_CARDS))

    def part(self, side: Side, part: PagePart) -> list[Field]:
        """The fields of a side in a part of the page."""
        shown = []
        for field in self.parsed.columns[side.position].fields.values():
            is_unused = field.name == hand_fields.ALL_HANDS and field.key not in self.parsed.draft
            if field.part == part and not is_unused:
                shown.append(field)
        return shown

    def comes_to(self, field: Field) -> str:
        """What the text of a field means, beside it: the value of a sum, or the cards in words with
        their points. Empty for other texts, which show it themselves.
        """
        text = self.parsed.typed_in(field.key)
        if field.is_number and is_sum(text):
            value = field.type.read(text, self.words.language).value
            return "" if value is None else self.words.t("hand.comes-to", figure=value)
        if field.kind == "cards" and text != NONE:
            return self._held_cards_in_words(_readable_cards(text))
        return ""

    def _held_cards_in_words(self, cards: Cards) -> str:
        settings = self.parsed.rules.settings
        in_words = cards_in_words(cards.counts, self.words) if cards.size else ""
        if not in_words or settings.unit == "units":
            return in_words
        return self.words.t("hand.text", what=in_words, points=cards.points(settings.left_points))

    @cached_property
    def derived(self) -> Mapping[str, int]:
        """What the typed cards come to in the fields for totals, by key of the field: canastas, the
        points of the cards laid, those of the cards held. A field that is not in it comes to 0.
        """
        totals = Counter[str]()
        for side in self.hand.sides:
            for name, figure in self._totals_of_cards(side).items():
                totals[key(side.key, name)] = figure
        return totals

    def _totals_of_cards(self, side: Side) -> Counter[str]:
        """What the typed cards of a side come to, by name of the field."""
        settings = self.parsed.rules.settings
        totals = Counter[str]()
        for line, meld in self.typed_melds(side):
            totals.update(self._totals_with(meld, is_concealed=line.endswith(HIDDEN)))
            totals["cards"] += meld.cards.points(settings.card_points)

        held_prefix = key(side.key, "left.")
        held = [text for name, text in self.parsed.draft.items() if name.startswith(held_prefix)]
        if held and settings.cards_left == "points":
            totals["left"] = _readable_cards(" ".join(held)).points(settings.left_points)
        return totals

    def _totals_with(self, meld: Meld, *, is_concealed: bool) -> list[str]:
        """The names of the fields that count this meld."""
        settings = self.parsed.rules.settings
        names = []
        canasta = canasta_of(meld, settings)
        if canasta:
            names.append(f"canastas.{canasta.item}")
            if is_concealed:
                names.append("canastas.concealed-canasta")
        incomplete = incomplete_of(meld, settings)
        if incomplete:
            names.append(f"incomplete.{incomplete.name}")
        return names

    def is_by_cards(self, side: Side) -> bool:
        """Whether the panel for the cards of a side is open: something stands there, or the side was
        counted by its cards in the last hand.
        """
        draft = self.parsed.draft
        for field in self.part(side, PagePart.BY_CARDS):
            if field.key in draft or field.key in self.report.beside:
                return True
        if not hand_fields.counts_totals(self.parsed.rules.settings):
            return False  # the panel is the only way, and needs no hint

        is_begun = any(name.startswith(f"{side.key}.") for name in draft)
        earlier_hands = self.hand.state.hands
        if self.hand.past or is_begun or not earlier_hands:
            return False
        return bool(earlier_hands[-1].counted.hand.sides[side.position].melds)

    def reason_unscored(self, side: Side) -> str:
        """What a side without a score waits for: `mending` of an error, or `all` its input.

        The errors of other sides count only if the input of this one is complete.
        """
        is_unfinished = side.position in self.parsed.unfinished
        for message in self.report.messages:
            is_error = message.tone is Tone.ERROR and message not in self.report.missing
            is_of_this_side = message.key is not None and message.key.startswith(f"{side.key}.")
            if is_error and (is_of_this_side or not is_unfinished):
                return "mending"
        return "all"

    def out_choices(self, side: Side) -> Iterator[tuple[str, str]]:
        """(value, name) of the answers to who went out: the side, and of several players each who has
        a name, or was chosen before.
        """
        yield side.key, side.name
        if len(side.players) == 1:
            return
        for index, name in side.players:
            value = f"{side.key}.{index}"
            is_chosen = self.parsed.draft.get(hand_fields.OUT) == value
            if name or is_chosen:
                yield value, name or self.words.t("hand.player", number=index + 1)

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
        rules = self.parsed.rules
        lines = []
        for penalty in self.hand.noted_penalties:
            if penalty.side == side.position:
                text = noted_penalty_text(penalty, rules, self.words)
                lines.append(NotedLine(penalty.entry, text, points=-penalty.cost(rules)))
        return lines

    # ------------------------------------------------------------------ what a column adds up to

    @cached_property
    def _row_items(self) -> frozenset[str]:
        """The scored items that have a row of the grid."""
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
        """The points for what has no row of the grid, by side in the order of the page."""
        points_of_sides = []
        for side in self.sides:
            score = self.report.scores[side.position]
            points = 0
            for line in score.lines if score else ():
                if line.item not in self._row_items:
                    points += line.points
            points_of_sides.append(points)
        return tuple(points_of_sides)

    def other_points(self, side: Side) -> str:
        """The points of a side for what has no row of the grid; empty if there are none."""
        points = self.others[self.sides.index(side)]
        return self.words.signed(points) if points else ""

    def points_of(self, field: Field) -> str:
        """The points of a cell, if they are not its figure times the worth beside the name of its
        row; else empty.
        """
        if field.part not in (PagePart.GRID, PagePart.FROM_CARDS):
            return ""
        scored = self._scored(self.hand.sides[field.position], field.item)
        worth = field.worth[0] if field.worth else 0
        if scored is None or scored == self._figure(field) * worth:
            return ""
        return self.words.signed(scored)

    def _figure(self, field: Field) -> int:
        """The figure that a cell shows."""
        is_typed_elsewhere = self.parsed.writers[field.position] != field.position
        if is_typed_elsewhere and field.group in hand_fields.MELD_GROUPS:
            return 0
        text = self.parsed.typed_in(field.key)
        if not text:
            return self.derived.get(field.key, 0)
        return field.type.read(text, self.words.language).value or 0

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

    def typed_melds(self, side: Side) -> Iterator[tuple[str, Meld]]:
        """The melds of a side as typed, and as parsed."""
        for line in meld_lines(self.parsed.typed_in(key(side.key, "melds"))):
            if line != NONE:
                yield line, read_meld(_readable_cards(line.rstrip(HIDDEN)))

    def melds(self, side: Side) -> Iterator[tuple[str, str]]:
        """The melds of a side as typed, each with its cards, kind and points in words."""
        rules = self.parsed.rules
        messages = self.report.beside.get(key(side.key, "melds"), ())
        errors = " ".join(message.text for message in messages if message.tone is Tone.ERROR)
        for line, meld in self.typed_melds(side):
            cards = line.rstrip(HIDDEN).strip()
            is_wrong = f"«{cards}»" in errors or f"«{line}»" in errors
            kind = meld_kind_in_words(meld, rules, self.words, is_wrong=is_wrong)
            in_words = meld_in_words(meld, rules.settings, self.words) or cards
            yield cards, self.words.t("hand.meld.text", cards=in_words, kind=kind)

    def lines(self, side: Side) -> Iterator[tuple[str, int, str]]:
        """(label, points, URL in the rulebook) per score line of a side."""
        score = self.report.scores[side.position]
        rulebook = rules_url(self.parsed.rules)
        for line in score.lines if score else ():
            url = url_with_anchor(rulebook, line_anchor(line.item, line.code))
            yield self._line_label(line), line.points, url

    def _line_label(self, line: Line) -> str:
        words = self.words
        rules = self.parsed.rules
        is_concealed = hand_fields.CONCEALED in self.parsed.draft and hand_fields.needs_concealed(
            rules
        )
        line_key = LineKey(line.item, line.code, line.reason)
        name = line_label(line_key, words, concealed=is_concealed, variant=rules.variant)
        if line.item == OUT_ITEM:
            canastas = _canastas_of_bonus(rules.settings, line.points, is_concealed=is_concealed)
            return (
                name if canastas is None else words.t("hand.line.out.canastas", canastas=canastas)
            )
        count = line.count or 0
        return words.t("hand.line", name=name, count=count) if count > 1 else name

    def families(self, bonus: OutBonus) -> str:
        """The canastas required by a bonus for going out."""
        families = (("natural", bonus.natural), ("mixed", bonus.mixed))
        variant = self.parsed.rules.variant
        words = self.words
        return words.listing(
            family_word(variant, family, count, words) for family, count in families if count
        )


def _canastas_of_bonus(settings: Settings, points: int, *, is_concealed: bool) -> int | None:
    """The canastas that raise the bonus for going out to these points; None if none do."""
    usual_bonus = settings.concealed_out_bonus if is_concealed else settings.out_bonus
    if points <= usual_bonus:
        return None
    added = points - usual_bonus if settings.out_bonus_adds == "sum" else points
    for bonus in settings.out_bonus_canastas:
        if bonus.points == added:
            return bonus.canastas
    return None


def _readable_cards(text: str) -> Cards:
    """The readable cards of a text, in one hand or several."""
    return read_cards(to_notation(text.replace(HAND_SEPARATOR, " "))).cards
