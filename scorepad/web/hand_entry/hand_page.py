"""The page of a hand: its grid with a row for each field and a column for each side, and its panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
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
from scorepad.rules.definitions import Ruleset
from scorepad.rules.hand import HOUSE
from scorepad.rules.judging import Turn
from scorepad.rules.score_lines import Line
from scorepad.rules.settings import OutBonus, Settings
from scorepad.rules.table import Meld, canasta_of, incomplete_of, read_meld
from scorepad.schemas.hand_requests import SIDE_KEYS
from scorepad.sheets.score_table import LineKey, line_label
from scorepad.storage.rows import OpenHand
from scorepad.web import hand_fields
from scorepad.web.card_lines import CARD_KEYS, meld_in_words, meld_kind_in_words
from scorepad.web.field_texts import (
    CONCEALED_MARK,
    HAND_SEPARATOR,
    ZERO,
    meld_lines,
    without_concealed_mark,
)
from scorepad.web.filled_draft import fill_draft
from scorepad.web.forms import is_sum
from scorepad.web.hand_entry.field_messages import Tone
from scorepad.web.hand_entry.report import Report
from scorepad.web.hand_fields import Field, PagePart, field_key, side_of_key
from scorepad.web.open_hand import noted_penalty_text
from scorepad.web.presenters import own_side_first
from scorepad.web.rulebook_links import line_anchor, rules_url, url_with_anchor
from scorepad.web.typed_hand import TypedHand

OUT_ITEM = "out"
"""The scored item of going out, whose row of the grid is a question."""


class Side(NamedTuple):
    """A side before the hand: its score in the match, and the minimum of points with which it may
    open (lay its first melds), None for none.

    `players` are the names, which may be empty, of those who play in this hand, by index.
    """

    position: int
    key: str
    name: str
    before: int
    minimum: int | None
    players: dict[int, str]


class NotedLine(NamedTuple):
    """A noted penalty on the page: its entry of the log, its words, its points."""

    entry: int
    text: str
    points: int


class TypedMeld(NamedTuple):
    """A meld as typed in its `line`, and as read.

    `cards_text` is the line without the mark `*` of a concealed meld, one that was laid down whole.
    """

    line: str
    cards_text: str
    meld: Meld
    is_concealed: bool


class WhyUnscored(StrEnum):
    """Why a side of a hand has no score yet; the values are the ends of message keys."""

    ERROR = "mending"
    """An error has to be corrected first."""
    MISSING = "all"
    """Something is not typed yet."""


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
        """The address of the page on which the hand is entered, corrected or contested."""
        match_id = self.state.id
        if self.past is None:
            return url_for("hand_entry.page", match=match_id)
        if self.contests:
            return url_for("hand_entry.contest", match=match_id, number=self.number)
        return url_for("hand_entry.correct", match=match_id, number=self.number)

    @property
    def stored_id(self) -> str:
        """The id of the open hand, which is stored as it is typed; empty for a past hand."""
        return self.open_hand.id if self.open_hand else ""

    @property
    def stored_version(self) -> int:
        """The version of the stored fields of the open hand; 0 if none are stored."""
        return self.open_hand.version if self.open_hand else 0

    @property
    def count_entry(self) -> int:
        """The number of the log entry with the last count of a past hand; 0 for the open hand."""
        return self.past.versions[-1].sequence if self.past else 0

    @property
    def last_device(self) -> str:
        """The device that stored the fields of the open hand, or counted the past one; empty if none
        did.
        """
        if self.past:
            return self.past.versions[-1].device
        return self.open_hand.device if self.open_hand else ""

    @property
    def noted_penalties(self) -> tuple[HandPenalty, ...]:
        """The penalties that were noted during play and count besides those typed. A past hand has
        none, because its penalties are in its fields.
        """
        if self.past:
            return ()
        return self.state.noted_penalties

    @property
    def draft(self) -> Draft:
        """The texts of the fields as stored; for a past hand those of its last count."""
        if self.past:
            return _draft_of_past_hand(self.past, self.state.rules)
        if self.open_hand:
            return self.open_hand.draft
        return {}


def match_open_hand(state: MatchState, open_hand: OpenHand) -> MatchHand:
    """The hand that is being played, to be entered."""
    sides = []
    for position, side in enumerate(state.sides):
        side_before_hand = Side(
            position=position,
            key=SIDE_KEYS[position],
            name=side.name,
            before=side.total,
            minimum=side.minimum,
            players=_players_in_turn(state, position, state.next_turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, len(state.hands) + 1, tuple(sides), open_hand)


def match_past_hand(state: MatchState, past: HandState, *, contests: bool = False) -> MatchHand:
    """A hand that was counted, to be corrected, or to be contested by the other side."""
    sides = []
    for position, side in enumerate(state.sides):
        score = past.sides[position]
        points_of_hand = score.hand
        side_before_hand = Side(
            position=position,
            key=SIDE_KEYS[position],
            name=side.name,
            before=score.total - points_of_hand,
            minimum=score.opening_minimum,
            players=_players_in_turn(state, position, past.turn),
        )
        sides.append(side_before_hand)
    return MatchHand(state, past.number, tuple(sides), past=past, contests=contests)


def _players_in_turn(state: MatchState, position: int, turn: Turn) -> dict[int, str]:
    """The names of the players of a side who play in this turn, by index, without those who rest."""
    names = enumerate(state.sides[position].players)
    return {index: name for index, name in names if (position, index) not in turn.resting}


def _draft_of_past_hand(past: HandState, rules: Ruleset) -> dict[str, str]:
    """The texts of the form for the last count of a past hand, with its remark and the reason why
    the table agreed to it.
    """
    last = past.counted
    draft = fill_draft(last.hand, rules, last.draft)
    if past.remark:
        draft[hand_fields.REMARK] = past.remark
    if last.agreed:
        draft[hand_fields.AGREED] = last.agreed
    return draft


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
        """The heading: which hand it is, and whether it is entered, corrected or contested."""
        message_key = "hand.title"
        if self.hand.contests:
            message_key = "hand.title.contest"
        elif self.hand.past:
            message_key = "hand.title.correct"
        number = self.hand.state.called(self.hand.number)
        rules = self.parsed.rules
        hands_in_match = rules.settings.match_deals
        if "deal" not in rules.entry_fields or hands_in_match is None:
            return self.words.t(message_key, number=number)
        return self.words.t(f"{message_key}.of", number=number, count=hands_in_match)

    def label(self, field: Field) -> str:
        """What a field is called."""
        players = self.hand.sides[field.position].players
        return field.label.in_words(self.parsed.rules.variant, self.words, players)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in the order in which this device shows them."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @property
    def rows(self) -> Iterator[tuple[Field, ...]]:
        """The rows of the grid: a field for each side."""
        columns = []
        for side in self.sides:
            columns.append([*self._canastas_from_cards(side), *self.part(side, PagePart.GRID)])
        return zip(*columns, strict=True)

    def _canastas_from_cards(self, side: Side) -> list[Field]:
        """The fields that show the canastas of a side, in games that count all card by card; there
        they follow from the typed cards.
        """
        rules = self.parsed.rules
        if hand_fields.counts_totals(rules.settings):
            return []
        return list(hand_fields.canasta_fields(rules, side.position, PagePart.FROM_CARDS))

    def part(self, side: Side, part: PagePart) -> list[Field]:
        """The fields of a side in a part of the page.

        The field for the held cards of all players together is shown only if something is typed in
        it, because each player has a field.
        """
        shown = []
        for field in self.parsed.columns[side.position].fields.values():
            is_unused = field.name == hand_fields.ALL_HANDS and field.key not in self.parsed.draft
            if field.part == part and not is_unused:
                shown.append(field)
        return shown

    def comes_to(self, field: Field) -> str:
        """What the text of a field means, to be shown beside it: the value of a sum, or the cards in
        words with their points. Empty for other texts, which show it themselves.
        """
        text = self.parsed.typed_in(field.key)
        if field.is_number and is_sum(text):
            value = field.read_text(text, self.words.language).value
            return "" if value is None else self.words.t("hand.comes-to", figure=value)
        if field.kind == "cards" and text != ZERO:
            return self._held_cards_in_words(_read_held_cards(text))
        return ""

    def _held_cards_in_words(self, cards: Cards) -> str:
        """Cards that a player still holds, in words with their points; empty if there are none."""
        settings = self.parsed.rules.settings
        if not cards.size:
            return ""
        in_words = cards_in_words(cards.counts, self.words)
        if not in_words or settings.unit == "units":
            return in_words
        return self.words.t("hand.text", what=in_words, points=cards.points(settings.left_points))

    @cached_property
    def derived(self) -> Mapping[str, int]:
        """The numbers that follow from typed cards, by the key of the field in which they could have
        been typed instead: canastas, the points of the cards laid, and those of the cards held.

        For example `{"a.canastas.samba": 1, "a.cards": 230, "a.left": 35}`. What does not occur in
        the typed cards is left out.
        """
        numbers: dict[str, int] = {}
        for side in self.hand.sides:
            for name, number in self._totals_of_melds(side).items():
                numbers[field_key(side.key, name)] = number
            points_held = self._points_of_held_cards(side)
            if points_held is not None:
                numbers[field_key(side.key, "left")] = points_held
        return numbers

    def _totals_of_melds(self, side: Side) -> Counter[str]:
        """The points of the cards in the typed melds of a side, and how many canastas of each kind
        are among them, by name of the field: `{"cards": 230, "canastas.samba": 1}`.
        """
        settings = self.parsed.rules.settings
        totals = Counter[str]()
        for typed in self.typed_melds(side):
            totals["cards"] += typed.meld.cards.points(settings.card_points)
            for name in self._fields_that_count(typed):
                totals[name] += 1
        return totals

    def _points_of_held_cards(self, side: Side) -> int | None:
        """The points of the cards typed as still held by the players of a side.

        None if no such cards are typed, or if the rules do not count held cards by their points.
        """
        settings = self.parsed.rules.settings
        texts = []
        for key, text in self.parsed.draft.items():
            if key.startswith(f"{side.key}.left."):  # `a.left.0`: the cards of one player
                texts.append(text)
        if not texts or settings.cards_left != "points":
            return None
        held_cards = _read_held_cards(" ".join(texts))
        return held_cards.points(settings.left_points)

    def _fields_that_count(self, typed: TypedMeld) -> list[str]:
        """The names of the fields for totals that count this meld: `canastas.natural-canasta`."""
        settings = self.parsed.rules.settings
        names = []
        canasta = canasta_of(typed.meld, settings)
        if canasta:
            names.append(f"canastas.{canasta.item}")
        if canasta and typed.is_concealed:
            names.append("canastas.concealed-canasta")
        incomplete = incomplete_of(typed.meld, settings)
        if incomplete:
            names.append(f"incomplete.{incomplete.name}")
        return names

    def is_card_panel_open(self, side: Side) -> bool:
        """Whether the panel in which a side is counted by its cards is shown open.

        It is if something is typed there or has a message. It is also open for a new hand if the
        side was counted by its cards in the hand before.
        """
        for field in self.part(side, PagePart.BY_CARDS):
            is_typed = field.key in self.parsed.draft
            has_message = field.key in self.report.beside
            if is_typed or has_message:
                return True

        can_be_counted_otherwise = hand_fields.counts_totals(self.parsed.rules.settings)
        is_new = not self.hand.past and not self._is_side_begun(side)
        if not can_be_counted_otherwise or not is_new:
            return False
        return self._was_last_counted_by_cards(side)

    def _is_side_begun(self, side: Side) -> bool:
        """Whether something is typed in a field of this side."""
        return any(side_of_key(key) == side.position for key in self.parsed.draft)

    def _was_last_counted_by_cards(self, side: Side) -> bool:
        """Whether the melds of this side were typed card by card in the last hand of the match."""
        counted_hands = self.hand.state.hands
        if not counted_hands:
            return False
        last_hand = counted_hands[-1].counted.hand
        return bool(last_hand.sides[side.position].melds)

    def why_unscored(self, side: Side) -> WhyUnscored:
        """Why a side has no score yet: because of an error, or because something is still missing.

        An error of another side counts only if everything is typed for this side: else it is the
        missing input that the player should see first.
        """
        is_complete = side.position not in self.parsed.unfinished
        for message in self.report.messages:
            is_error = message.tone is Tone.ERROR and message not in self.report.missing
            if not is_error:
                continue
            is_of_this_side = message.key is not None and side_of_key(message.key) == side.position
            if is_of_this_side or is_complete:
                return WhyUnscored.ERROR
        return WhyUnscored.MISSING

    def out_choices(self, side: Side) -> Iterator[tuple[str, str]]:
        """The answers to the question who went out, each a value and a name: `a`, "We".

        These are the side and, if it has several players, each who has a name or was chosen before.
        """
        yield side.key, side.name
        if len(side.players) == 1:
            return
        for index, name in side.players.items():
            value = f"{side.key}.{index}"
            is_chosen = self.parsed.draft.get(hand_fields.OUT) == value
            if name or is_chosen:
                yield value, name or self.words.t("hand.player", number=index + 1)

    def typed(self, fields: list[Field]) -> list[Field]:
        """Those of these fields in which something other than 0 is typed."""
        return [field for field in fields if self.parsed.typed_in(field.key) not in ("", ZERO)]

    def is_more_panel_open(self, side: Side, fields: list[Field]) -> bool:
        """Whether the panel with these rarely used fields of a side is shown open.

        It is if a message stands in it, or if something is typed in a field that is not for a
        penalty. What penalties cost is seen without opening it, in the row of other points.
        """
        keys = [field.key for field in fields]
        keys.append(field_key(side.key, hand_fields.NOTED))  # noted penalties are shown there too
        if any(key in self.report.beside for key in keys):
            return True
        for field in self.typed(fields):
            is_for_penalty = field.group in ("penalties", HOUSE)
            if not is_for_penalty:
                return True
        return False

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
    def _items_with_row(self) -> frozenset[str]:
        """The scored items, such as `red-threes`, whose points stand in a row of the grid."""
        items = {OUT_ITEM}  # the row with the question who went out
        for fields_of_row in self.rows:
            first_field = fields_of_row[0]  # all fields of a row count the same item
            items.add(first_field.item)
        return frozenset(items)

    def _points_for_item(self, side: Side, item: str) -> int | None:
        """The points of a side for a scored item; None if its score is not known."""
        score = self.report.scores[side.position]
        if score is None:
            return None
        return sum(line.points for line in score.lines if line.item == item)

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The points for what has no row of the grid, by side in the order of the page."""
        return tuple(self._points_without_row(side) for side in self.sides)

    def _points_without_row(self, side: Side) -> int:
        """The points of a side for what has no row of the grid; 0 if its score is not known."""
        score = self.report.scores[side.position]
        if score is None:
            return 0
        return sum(line.points for line in score.lines if line.item not in self._items_with_row)

    def other_points(self, side: Side) -> str:
        """The points of a side for what has no row of the grid; empty if there are none."""
        points = self._points_without_row(side)
        return self.words.signed(points) if points else ""

    def points_of(self, field: Field) -> str:
        """The points of a cell of the grid, such as `+570`, to be shown beside its number.

        Empty if the score is not known, if the field is not in the grid, or if everybody can work
        the points out: 2 canastas in a row with the worth 500 need no `+1000`.
        """
        if field.part not in (PagePart.GRID, PagePart.FROM_CARDS):
            return ""
        side = self.hand.sides[field.position]
        points = self._points_for_item(side, field.item)
        if points is None or points == self._number_times_worth(field):
            return ""
        return self.words.signed(points)

    def _number_times_worth(self, field: Field) -> int:
        """The number in a cell of the grid times the worth shown beside the name of its row."""
        if not field.points_each:
            return 0
        worth_shown = field.points_each[0]
        return self._number_in(field) * worth_shown

    def _number_in(self, field: Field) -> int:
        """The number that a cell of the grid shows: the typed one, or what the typed cards come to.

        If two sides laid their melds together, the melds are typed in the column of one of them,
        and the number in the column of the other is 0. It is also 0 for a text that is no number.
        """
        is_typed_elsewhere = self.parsed.meld_columns[field.position] != field.position
        if is_typed_elsewhere and field.group in hand_fields.MELD_GROUPS:
            return 0
        text = self.parsed.typed_in(field.key)
        if not text:
            return self.derived.get(field.key, 0)
        typed_number: int | None = field.read_text(text, self.words.language).value
        if typed_number is None:
            return 0
        return typed_number

    @property
    def _is_concealed_typed(self) -> bool:
        """Whether it is typed that the hand of the player who went out was concealed."""
        return hand_fields.CONCEALED in self.parsed.draft

    @property
    def asks_concealed(self) -> bool:
        """Whether the page asks if the hand of the player who went out was concealed."""
        return self._is_concealed_typed or hand_fields.needs_concealed(self.parsed.rules)

    @property
    def _is_concealed_out(self) -> bool:
        """Whether it is typed that the hand of the player who went out was concealed, and these rules
        ask for that.
        """
        return self._is_concealed_typed and hand_fields.needs_concealed(self.parsed.rules)

    def out_points(self, side: Side) -> str:
        """The points of a side for going out, such as `+300`, to be shown in its column.

        Empty if its score is not known, or if nobody needs to be told: a side that went out gets
        the usual bonus, which stands beside the question who did, and another side gets nothing.
        """
        expected_points = 0
        if self.parsed.typed_in(hand_fields.OUT).startswith(side.key):  # `a`, or `a.1` for a player
            expected_points = _usual_out_bonus(
                self.parsed.rules.settings, is_concealed=self._is_concealed_typed
            )
        points = self._points_for_item(side, OUT_ITEM)
        if points is None or points == expected_points:
            return ""
        return self.words.signed(points)

    # ------------------------------------------------------------------ melds and lines

    def typed_melds(self, side: Side) -> Iterator[TypedMeld]:
        """The melds typed for a side."""
        for line in meld_lines(self.parsed.typed_in(field_key(side.key, "melds"))):
            if line != ZERO:
                cards_text = without_concealed_mark(line)
                meld = read_meld(read_cards(to_notation(cards_text)).cards)
                yield TypedMeld(line, cards_text, meld, is_concealed=line.endswith(CONCEALED_MARK))

    def melds(self, side: Side) -> Iterator[tuple[str, str]]:
        """The melds of a side, each as typed, and in words with its kind and points."""
        rules = self.parsed.rules
        for typed in self.typed_melds(side):
            is_wrong = self._breaks_rule(typed, side)
            kind = meld_kind_in_words(typed.meld, rules, self.words, is_wrong=is_wrong)
            cards = meld_in_words(typed.meld, rules.settings, self.words)
            if not cards:  # no card of it can be read
                cards = typed.cards_text
            yield typed.cards_text, self.words.t("hand.meld.text", cards=cards, kind=kind)

    def _breaks_rule(self, typed: TypedMeld, side: Side) -> bool:
        """Whether an error beside the melds of a side is about this meld alone."""
        for message in self.report.beside.get(field_key(side.key, "melds"), ()):
            if message.tone is Tone.ERROR and message.meld in (typed.line, typed.cards_text):
                return True
        return False

    def lines(self, side: Side) -> Iterator[tuple[str, int, str]]:
        """The lines of a side's score, each with its label, points, and address in the rulebook."""
        score = self.report.scores[side.position]
        if score is None:
            return
        rulebook = rules_url(self.parsed.rules)
        for line in score.lines:
            url = url_with_anchor(rulebook, line_anchor(line.item, line.code))
            yield self._line_label(line), line.points, url

    def _line_label(self, line: Line) -> str:
        """What a line of the score is called: "Red threes", or with the number of what it counts, if
        that is more than one.
        """
        if line.item == OUT_ITEM:
            return self._label_of_going_out(line)
        name = self._line_name(line)
        if line.count is None or line.count <= 1:
            return name
        return self.words.t("hand.line", name=name, count=line.count)

    def _label_of_going_out(self, line: Line) -> str:
        """What the line with the points for going out is called. It names the number of canastas, if
        the side got more than the usual points for them.
        """
        settings = self.parsed.rules.settings
        usual_bonus = _usual_out_bonus(settings, is_concealed=self._is_concealed_out)
        canastas = _canastas_of_bonus(settings, line.points, usual_bonus)
        if canastas is None:
            return self._line_name(line)
        return self.words.t("hand.line.out.canastas", canastas=canastas)

    def _line_name(self, line: Line) -> str:
        """The name of a line of the score, without a number."""
        return line_label(
            LineKey(line.item, line.code, line.reason),
            self.words,
            concealed=self._is_concealed_out,
            variant=self.parsed.rules.variant,
        )

    def families(self, bonus: OutBonus) -> str:
        """The canastas that a side needs for a bonus for going out, by family: "two natural and one
        mixed".
        """
        counts = {"natural": bonus.natural, "mixed": bonus.mixed}
        names = []
        for family, count in counts.items():
            if count:
                names.append(family_word(self.parsed.rules.variant, family, count, self.words))
        return self.words.listing(names)


def _usual_out_bonus(settings: Settings, *, is_concealed: bool) -> int:
    """The points for going out, with a concealed hand or not."""
    return settings.concealed_out_bonus if is_concealed else settings.out_bonus


def _canastas_of_bonus(settings: Settings, points: int, usual_bonus: int) -> int | None:
    """For how many canastas a side got so many points for going out; None if it got only the usual
    bonus.

    The score does not say that, so the number is looked up among the bonuses of the rules.
    """
    if points <= usual_bonus:
        return None
    for bonus in settings.out_bonus_canastas:
        points_with_bonus = bonus.points
        if settings.out_bonus_adds == "sum":  # otherwise it replaces the usual bonus
            points_with_bonus += usual_bonus
        if points == points_with_bonus:
            return bonus.canastas
    return None


def _read_held_cards(text: str) -> Cards:
    """The readable cards of a text, of one player or of several: `K 4 / 9` is three cards."""
    return read_cards(to_notation(text.replace(HAND_SEPARATOR, " "))).cards
