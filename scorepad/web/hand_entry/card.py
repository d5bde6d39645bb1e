"""The page of a hand: the hand that is entered, and the card with a row for each field and a column for each side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings import family_word, item_word, together
from scorepad.i18n.typed_cards import notated
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import HandState, MatchState
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind, read_cards
from scorepad.rules.judge import SideScore
from scorepad.rules.score import Line
from scorepad.rules.settings import CardsLeft, Otherwise
from scorepad.rules.table import canasta_of, incomplete_of, read_meld
from scorepad.rules.variants import Ruleset
from scorepad.storage.rows import OpenHand
from scorepad.web.cards import meld_in_words, meld_note, own_key
from scorepad.web.forms import is_sum, read_sum
from scorepad.web.hand_entry.drafts import HANDS, HIDDEN, Parsed, draft_from
from scorepad.web.hand_entry.problems import Note, Report, Tone
from scorepad.web.hand_fields import (
    AGREED,
    ALL_HANDS,
    CONCEALED,
    FIGURES,
    LAID,
    NONE,
    OUT,
    REMARK,
    Field,
    FieldKind,
    Part,
    counts_totals,
    fields_for,
    hands_apart,
    key,
    lines_of,
    needs_concealed,
    special_hands,
)
from scorepad.web.presenters import line_anchor, line_word, out_needs, own_side_first, place_url, rules_url

CARD_KEYS = (*(KINDS[index] for index in NATURAL_INDICES), Kind.TWO, Kind.JOKER, Kind.BLACK_THREE, Kind.RED_THREE)
"""The cards that may be tapped."""
_SHORT = 10
"""Characters of a name that has room above a column of a small phone."""


# ------------------------------------------------------------------------------------------- the hand that is entered


@dataclass(frozen=True, slots=True)
class Side:
    """A side before the hand, by its position; `players` are (index of the hand of cards, name) of who plays it."""

    position: int
    name: str
    before: int
    minimum: int | None
    players: tuple[tuple[int, str], ...]

    @property
    def key(self) -> str:
        """Its key in drafts and in the hand."""
        return SIDE_KEYS[self.position]


@dataclass(frozen=True, slots=True)
class MatchHand:
    """A hand of a match that is entered: the open one, or a `past` one corrected.

    `contests`: the past one is not corrected but counted by the other side, beside the first count.
    """

    state: MatchState
    number: int
    sides: tuple[Side, ...]
    open_hand: OpenHand | None = None
    past: HandState | None = None
    contests: bool = False

    @property
    def shown_number(self) -> int:
        """The number of the hand for people: those played on paper before are counted too."""
        return self.state.played + self.number

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.state.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names, by position."""
        return tuple(side.name for side in self.sides)

    @property
    def seen_entry(self) -> int:
        """The log entry of the version that is corrected; 0 for the open hand."""
        return self.past.versions[-1].sequence if self.past else 0

    @property
    def draft(self) -> Mapping[str, str]:
        """The fields as they were left; of a past hand those of the version that counts."""
        if self.past:
            return past_draft(self.past, self.rules)
        return self.open_hand.draft if self.open_hand else {}


def short_name(name: str) -> str:
    """A name for a narrow column: of several people the beginning of each, of a long one its first word."""
    if len(name) <= _SHORT:
        return name
    people = [each for each in re.split(r"\s+(?:e|ed|and)\s+|\s*[-–/+&,]\s*", name) if each]
    longest = _SHORT // len(people) if len(people) > 1 else _SHORT
    words = people if len(people) > 1 else name.split()[:1]
    return "–".join(each if len(each) <= longest + 1 else f"{each[:longest]}." for each in words)


def open_match_hand(state: MatchState, open_hand: OpenHand) -> MatchHand:
    """The hand being played."""
    resting = state.next_turn.resting
    sides = tuple(
        Side(position, side.name, side.total, side.minimum, _playing(position, side.players, resting))
        for position, side in enumerate(state.sides)
    )
    return MatchHand(state, len(state.hands) + 1, sides, open_hand=open_hand)


def past_match_hand(state: MatchState, hand: HandState, *, contests: bool = False) -> MatchHand:
    """A past hand to be corrected, or contested."""
    resting = hand.turn.resting
    sides = tuple(
        Side(place, side.name, then.total - then.hand, then.opening_minimum, _playing(place, side.players, resting))
        for place, (side, then) in enumerate(zip(state.sides, hand.sides, strict=True))
    )
    return MatchHand(state, hand.number, sides, past=hand, contests=contests)


def past_draft(hand: HandState, rules: Ruleset) -> dict[str, str]:
    """The fields that say a past hand as it stands, with its note and agreement."""
    last = hand.counted
    notes = {REMARK: hand.remark, AGREED: last.agreed}
    return draft_from(last.hand, rules, last.draft) | {name: text for name, text in notes.items() if text}


def _playing(
    position: int, players: tuple[str, ...], resting: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, str], ...]:
    return tuple(enumerate(name for index, name in enumerate(players) if (position, index) not in resting))


# ------------------------------------------------------------------------------------------------ the page


@dataclass(frozen=True)
class Cell:
    """A field on the page. `comes_to` says what its text comes to.

    `derived` is what the cards of the side come to where those are typed instead; `is_veiled`: somebody else's column
    holds it.
    """

    field: Field
    side: Side
    value: str
    notes: tuple[Note, ...] = ()
    comes_to: str = ""
    derived: str = ""
    is_veiled: bool = False

    @cached_property
    def key(self) -> str:
        """The key of the field in the draft."""
        return f"{self.side.key}.{self.field.name}"

    @cached_property
    def id(self) -> str:
        """Its id on the page."""
        return self.key.replace(".", "-")

    @property
    def is_used(self) -> bool:
        """Whether anything is typed in it."""
        return self.value.strip() not in ("", NONE)

    @property
    def is_wrong(self) -> bool:
        """Whether an error stands beside it."""
        return any(note.tone is Tone.ERROR for note in self.notes)


@dataclass(frozen=True)
class Card:
    """The page of a draft with the messages about it; `templates/hand_entry` words it."""

    hand: MatchHand
    parsed: Parsed
    report: Report
    words: Words

    keys = CARD_KEYS

    @cached_property
    def draft(self) -> Mapping[str, str]:
        """The fields as typed."""
        return self.parsed.draft

    @cached_property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.parsed.rules

    @property
    def title(self) -> str:
        """The heading: which hand, and what is done with it."""
        key = "count.title" + (".contest" if self.hand.contests else ".correct" if self.hand.past else "")
        of = self.rules.settings.match_deals if "deal" in self.rules.entry_fields else None
        if of is None:
            return self.words.text(key, number=self.hand.shown_number)
        return self.words.text(f"{key}.of", number=self.hand.shown_number, count=of)

    @property
    def unopened(self) -> int:
        """The sign of the red threes of a side that laid nothing, for the sums that the page makes itself."""
        return -1 if self.rules.settings.red_threes_otherwise is Otherwise.NEGATIVE else 0

    @property
    def asks_concealed(self) -> bool:
        """Whether the page asks for a concealed going out."""
        return needs_concealed(self.rules) or CONCEALED in self.draft

    @property
    def specials(self) -> tuple[tuple[str, int], ...]:
        """(name, points) of the special hands."""
        return special_hands(self.rules)

    @property
    def totals_apart(self) -> Iterator[tuple[Field, str]]:
        """The fields of which several are worth something else than each, and what they are worth together."""
        for each in fields_for(self.rules, 0):
            if len(each.worth) > 1:
                yield each, together(each.worth, self.words)

    def item_word(self, item: str) -> str:
        """A scored item, as the players of the variant call it."""
        return item_word(self.rules.variant, item, self.words)

    def own_text(self, key: str) -> str:
        """A text as the players of the variant say it."""
        return self.words.text(own_key(key, self.rules, self.words))

    # ------------------------------------------------------------------ cells and columns

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides in the order in which this device shows them."""
        return tuple(self.hand.sides[position] for position in own_side_first(self.hand.state))

    @cached_property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """All fields, by side."""
        return tuple(tuple(self._cells(side)) for side in self.hand.sides)

    def _cells(self, side: Side) -> Iterator[Cell]:
        derived, writers = self._derived(side), self.parsed.parties.writers
        notes: dict[str | None, list[Note]] = {}
        for note in self.report.notes:
            notes.setdefault(note.key, []).append(note)
        for each in fields_for(self.rules, side.position, self.draft):
            name = key(side.key, each.name)
            value = self.draft.get(name, "")
            yield Cell(
                each,
                side,
                value,
                tuple(notes.get(name, ())),
                self._comes_to(each, value),
                "" if value.strip() else derived.get(each.name, ""),
                is_veiled=each.group in LAID and side.position not in writers,
            )

    def _comes_to(self, each: Field, value: str) -> str:
        """What a sum comes to; cards in words, with their points."""
        words, settings = self.words, self.rules.settings
        if each.kind in FIGURES and is_sum(value):
            figure = read_sum(value, words.language, signed=each.kind is FieldKind.SIGNED)
            return words.text("count.comes-to", figure=figure) if type(figure) is int else ""
        if each.kind is not FieldKind.CARDS or value.strip() in ("", NONE):
            return ""
        cards = read_cards(notated(value.replace(HANDS, " "))).cards
        what = cards_in_words(cards.counts, words) if cards.size else ""
        if not what or settings.unit == "units":
            return what
        return words.text("count.told", what=what, points=cards.points(settings.left_points))

    def _derived(self, side: Side) -> dict[str, str]:
        """The totals that the cards of a side come to, by field; only what is not nothing."""
        settings, found = self.rules.settings, dict[str, int]()
        for line in self.meld_lines(side):
            meld = read_meld(read_cards(notated(line.rstrip(HIDDEN))).cards)
            kind, incomplete = canasta_of(meld, settings), incomplete_of(meld, settings)
            names = [f"canastas.{kind.item}"] if kind else []
            names += ["canastas.concealed-canasta"] if kind and line.endswith(HIDDEN) else []
            names += [f"incomplete.{incomplete.name}"] if incomplete else []
            for name in names:
                found[name] = found.get(name, 0) + 1
            found["cards"] = found.get("cards", 0) + meld.cards.points(settings.card_points)
        typed = [text for name, text in self.draft.items() if name.startswith(f"{side.key}.left.")]
        if typed and settings.cards_left is CardsLeft.POINTS:
            left = read_cards(notated(" ".join(typed).replace(HANDS, " "))).cards
            found["left"] = left.points(settings.left_points)
        return {name: str(value) for name, value in found.items()}

    @property
    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """The rows of the card: a cell for each side."""
        return zip(*(self.part(side, Part.CARD) for side in self.sides), strict=True)

    @property
    def columns(self) -> tuple[tuple[Side, SideScore | None], ...]:
        """The sides, each with its score as far as that is known."""
        return tuple((side, self.report.scores[side.position]) for side in self.sides)

    def part(self, side: Side, part: Part) -> list[Cell]:
        """The cells of a side in a part of the page."""
        return [
            cell
            for cell in self.cells[side.position]
            if cell.field.part == part and (cell.field.name != ALL_HANDS or cell.value)
        ]

    def is_by_cards(self, side: Side) -> bool:
        """Whether the side is counted by its cards: typed here, the only way, or as in the hand before."""
        cells = self.part(side, Part.BY_CARDS)
        if not counts_totals(self.rules.settings) or any(cell.value.strip() or cell.notes for cell in cells):
            return True
        hands = self.hand.state.hands
        is_blank = not self.hand.past and not any(name.startswith(f"{side.key}.") for name in self.draft)
        return is_blank and bool(hands) and bool(hands[-1].counted.hand["sides"].get(side.key, {}).get("melds"))

    def hands_apart(self, side: Side) -> bool:
        """Whether the hands of cards of the side are noted one by one."""
        return hands_apart(self.rules.settings, side.position) is not None

    def partners(self, side: Side) -> list[str]:
        """The names of the sides that lay together with a side."""
        return [self.hand.names[other] for other in self.parsed.parties.of(side.position) if other != side.position]

    def waits_for(self, side: Side) -> str:
        """What a side without a score waits for: `mending` a mistake, or `all` that is missing."""
        wrong = [note for note in self.report.notes if note.tone is Tone.ERROR and note not in self.report.missing]
        if side.position in self.parsed.unfinished:
            wrong = [note for note in wrong if (note.key or "").startswith(f"{side.key}.")]
        return "mending" if wrong else "all"

    def goers(self, side: Side) -> Iterator[tuple[str, str]]:
        """(value, name) of who of a side may have gone out: the side, and each player who has a name or was chosen."""
        yield side.key, side.name
        chosen = self.draft.get(OUT, "")
        for hand, name in side.players if len(side.players) > 1 else ():
            if name or chosen == f"{side.key}.{hand}":
                yield f"{side.key}.{hand}", name or self.words.text("count.player", number=hand + 1)

    # ------------------------------------------------------------------ melds and lines

    def meld_lines(self, side: Side) -> tuple[str, ...]:
        """The melds of a side as typed."""
        return tuple(line for line in lines_of(self.draft.get(key(side.key, "melds"), "")) if line != NONE)

    def melds(self, side: Side) -> Iterator[tuple[str, str]]:
        """The melds of a side as typed, each with its cards, kind and points in words."""
        notes = self.report.beside(key(side.key, "melds"))
        wrong = " ".join(note.text for note in notes if note.tone is Tone.ERROR)
        for line in self.meld_lines(side):
            cards = line.rstrip(HIDDEN).strip()
            meld = read_meld(read_cards(notated(cards)).cards)
            note = meld_note(meld, self.rules, self.words, is_wrong=f"«{cards}»" in wrong or f"«{line}»" in wrong)
            what = meld_in_words(meld, self.rules.settings, self.words) or cards
            yield cards, self.words.text("count.meld.told", cards=what, told=note)

    def lines(self, side: Side) -> Iterator[tuple[str, int, str]]:
        """(label, points, place in the rulebook) of the score of a side."""
        score, book = self.report.scores[side.position], rules_url(self.rules)
        for line in score.lines if score else ():
            yield self._line_label(line), line.points, place_url(book, line_anchor(line.item, line.code))

    def _line_label(self, line: Line) -> str:
        settings, words = self.rules.settings, self.words
        concealed = CONCEALED in self.draft and needs_concealed(self.rules)
        if line.item == "out":
            plain = settings.concealed_out_bonus if concealed else settings.out_bonus
            base = plain if settings.out_bonus_adds == "sum" else 0
            for bonus in settings.out_bonus_canastas:
                if line.points > plain and line.points == base + bonus.points:
                    return words.text("count.line.out.canastas", canastas=bonus.canastas)
        name = line_word(line, words, concealed=concealed, variant=self.rules.variant)
        several = line.item != "out" and (line.count or 0) > 1
        return words.text("count.line", name=name, count=line.count or 0) if several else name

    @property
    def out_facts(self) -> Iterator[str]:
        """What going out needs and is worth."""
        settings, words = self.rules.settings, self.words
        canastas, more = out_needs(self.rules, words)
        yield words.text("count.out-needs", needed="; ".join(filter(None, (canastas, more))))
        if not settings.out_bonus:
            return
        name = "count.out.worth"
        if needs_concealed(self.rules):
            name += ".concealed" if settings.concealed_out_bonus != settings.out_bonus else ".alike"
        parts = [words.text(name, points=settings.out_bonus, concealed=settings.concealed_out_bonus)]
        for bonus in settings.out_bonus_canastas:
            families = words.listing(
                family_word(self.rules.variant, family, number, words)
                for family, number in (("natural", bonus.natural), ("mixed", bonus.mixed))
                if number
            )
            name = "count.out.worth.more" if settings.out_bonus_adds == "sum" else "count.out.worth.canastas"
            parts.append(words.text(name, points=bonus.points, canastas=bonus.canastas, families=families))
        yield f"{'; '.join(parts)}."
