"""The page of a hand: the card with a row for each field and a column for each side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.i18n.settings import item_word, together
from scorepad.i18n.typed_cards import notated
from scorepad.rules.cards import KINDS, Kind, read_cards
from scorepad.rules.judge import SideScore
from scorepad.rules.melds import Meld, canasta_of, incomplete_of, read_meld
from scorepad.rules.score import Line
from scorepad.rules.settings import CardsLeft, Otherwise, Shape
from scorepad.rules.variants import Ruleset
from scorepad.web.base import FieldError
from scorepad.web.cards import CardButton, Choice, card_buttons, meld_in_words, meld_told, own_key
from scorepad.web.figures import is_sum, read_sum
from scorepad.web.hand_entry.match_hand import MatchHand, Question, Side
from scorepad.web.hand_entry.parser import HIDDEN, NONE, Parties, parties_of
from scorepad.web.hand_entry.problems import Note, Report, Tone
from scorepad.web.hand_fields import (
    AGREED,
    ALL_HANDS,
    CONCEALED,
    DISCARD,
    DISCARD_NONE,
    LAID,
    NOBODY,
    OUT,
    REMARK,
    SINGLE,
    YES,
    Field,
    FieldKind,
    Part,
    counts_totals,
    fields_for,
    hands_apart,
    held_kinds,
    html_id,
    key,
    lines_of,
    melded_kinds,
    must_discard,
    needs_concealed,
    needs_single,
    needs_suits,
    special_hands,
)  # fmt: skip
from scorepad.web.presenters import line_anchor, line_word, place_url, rules_url

# --------------------------------------------------------------------------------------------------- the page's values


@dataclass(frozen=True, slots=True)
class Cell:
    """A field on the page. `told` says what its text comes to.

    `derived` is what the cards of the side come to where those are typed instead; `is_veiled`: somebody else's column
    holds it.
    """

    field: Field
    key: str
    id: str
    label: str
    value: str
    notes: tuple[Note, ...]
    hint: str = ""
    told: str = ""
    derived: str = ""
    is_veiled: bool = False
    choices: tuple[Choice, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether an error stands beside it."""
        return any(note.tone is Tone.ERROR for note in self.notes)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the card: its name, what each is worth, the back of its canastas (`red`, `black`), and its cells."""

    name: str
    label: str
    worth: str
    back: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A side on the page: head, sums, and what is not on the card."""

    side: Side
    facts: tuple[str, ...]
    by_cards: tuple[Cell, ...]
    melds: tuple[str, ...]
    more: tuple[Cell, ...]
    more_told: str
    is_by_cards: bool
    is_summed: bool
    score: SideScore | None
    waits: str
    lines: tuple[tuple[str, str, str], ...]
    """(label, points, place in the rulebook) of its score."""


# ------------------------------------------------------------------------------------------------ the page


@dataclass(frozen=True)
class Card:
    """The page of a draft with the messages about it; the template reads its properties."""

    hand: MatchHand
    draft: Mapping[str, str]
    report: Report
    words: Words

    @cached_property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.hand.rules

    @cached_property
    def problems(self) -> tuple[FieldError, ...]:
        """What is wrong."""
        return self.report.lines(Tone.ERROR)

    @cached_property
    def missing(self) -> tuple[FieldError, ...]:
        """What is still to be typed."""
        return tuple(error for error in dict.fromkeys(self.report.missing_errors) if error not in self.problems)

    @property
    def agreed(self) -> str:
        """Why the table counts a hand that the rules refuse."""
        return self.draft.get(AGREED, "")

    @property
    def remark(self) -> str:
        """The remark on the hand."""
        return self.draft.get(REMARK, "")

    @property
    def has_suits(self) -> bool:
        """Whether melds may need suits."""
        return needs_suits(self.rules.settings)

    @property
    def unopened(self) -> int:
        """The sign of the red threes of a side that laid nothing, for the sums that the page makes itself."""
        return -1 if self.rules.settings.red_threes_otherwise is Otherwise.NEGATIVE else 0

    @property
    def title(self) -> str:
        """The heading: which hand, and what is done with it."""
        key = "count.title" + (".contest" if self.hand.contests else ".correct" if self.hand.past else "")
        count = self.rules.settings.match_deals if "deal" in self.rules.entry_fields else None
        if count is None:
            return self.words.text(key, number=self.hand.shown_number)
        return self.words.text(f"{key}.of", number=self.hand.shown_number, count=count)

    # ------------------------------------------------------------------ fields

    @cached_property
    def _parties(self) -> Parties:
        return parties_of(self.draft, self.rules)

    @cached_property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """All fields, by side."""
        return tuple(tuple(self._cells(side)) for side in self.hand.sides)

    def _cells(self, side: Side) -> Iterator[Cell]:
        parties, derived, prefix = self._parties, self._derived(side), side.key
        noted = {note.key for note in self.report.notes}
        for each in fields_for(self.rules, side.position, self.draft):
            name = f"{prefix}.{each.name}"
            value = self.draft.get(name, "")
            yield Cell(
                field=each,
                key=name,
                id=name.replace(".", "-"),
                label=self.words.text("count.of-side", side=side.name, label=self.label(each, side)),
                value=value,
                notes=self.report.beside(name) if name in noted else (),
                hint=self._hint(each, side),
                told=self._told(each, value),
                derived=derived.get(each.name, "") if not value.strip() else "",
                is_veiled=each.group in LAID and side.position not in parties.writers,
                choices=tuple(self._specials(name)) if each.kind is FieldKind.CHOICE else (),
            )

    def label(self, each: Field, side: Side) -> str:  # noqa: PLR0911 - one for each group of fields
        """What a field is called."""
        words, item = self.words, each.item
        match each.group:
            case "canastas":
                return self._item(item)
            case "incomplete":
                return self._item(f"{item}-incomplete")
            case "cards" | "red_threes" | "red_threes_held" | "black_threes" | "black_threes_aside":
                return self._item(each.name.replace("_", "-"))
            case "penalties":
                return words.text(f"penalty.{item}")
            case "house" | "adjustments":
                number = int(each.name.split(".")[1]) + 1
                group = "house" if each.group == "house" else "adjust"
                return words.text(f"count.{group}.{item}", number=number)
            case "left":
                return self._left_label(each, side)
            case "special":
                return self._item("special")
            case "sum" | "opening" | "melds":
                return words.text(f"count.{each.name}")
            case _:
                (kind,) = (kind for kind in held_kinds(self.rules) if kind.key == each.name)
                cards = words.plural(f"card.{kind.rank}", kind.number)
                return words.text("count.held", number=kind.number, cards=cards)

    def _left_label(self, each: Field, side: Side) -> str:
        if each.name == "left":
            return self._item("cards-left")
        if each.name == ALL_HANDS:
            return self.words.text("count.left-cards.together")
        if hands_apart(self.rules.settings, side.position) is None:
            return self.words.text("count.left-cards")
        return self.words.text("count.left-cards.hand", hand=self._player(side, int(each.item)))

    def _player(self, side: Side, hand: int) -> str:
        return dict(side.players).get(hand) or self.words.text("count.player", number=hand + 1)

    def _item(self, item: str) -> str:
        return item_word(self.rules.variant, item, self.words)

    def _hint(self, each: Field, side: Side) -> str:  # noqa: PLR0911 - one for each group of fields
        """What each of a field is worth, or how it is typed."""
        words, settings = self.words, self.rules.settings
        match each.group:
            case "canastas" | "penalties" | "red_threes_held" | "red_threes" | "black_threes" | "black_threes_aside":
                return words.figure(each.worth[0])
            case "incomplete":
                (kind,) = (kind for kind in settings.incomplete if kind.name == each.item)
                bars = words.text("count.incomplete.bars") if kind.bars_out else ""
                return ", ".join(part for part in (words.figure(-kind.points) if kind.points else "", bars) if part)
            case "melds":
                hint = words.text("count.melds.hint.suits" if needs_suits(settings) else "count.melds.hint")
                return f"{hint} {words.text('count.melds.hint.concealed')}" if settings.concealed_canasta else hint
            case "opening" | "sum":
                return words.text(f"count.{each.name}.hint")
            case "house" | "adjustments":
                return words.text("count.house.hint" if each.group == "house" else "count.adjust.hint.signed")
            case "left" if each.kind is FieldKind.CARDS:
                several = settings.hands_of(side.position) > 1 and hands_apart(settings, side.position) is None
                return words.text("count.left-cards.hint.hands" if several else "count.left-cards.hint")
            case _ if each.group in {kind.key for kind in held_kinds(self.rules)}:
                return words.text("count.held.hint", points=words.signed(each.worth[0]))
            case _:
                return ""

    def _told(self, each: Field, value: str) -> str:
        """What a sum comes to; cards in words, with their points."""
        words, settings = self.words, self.rules.settings
        if value and each.kind in (FieldKind.COUNT, FieldKind.POINTS, FieldKind.SIGNED) and is_sum(value):
            figure = read_sum(value, words.language, signed=each.kind is FieldKind.SIGNED)
            return words.text("count.comes-to", figure=figure) if type(figure) is int else ""
        if each.kind is not FieldKind.CARDS or value.strip() in ("", NONE):
            return ""
        cards = read_cards(notated(value.replace("/", " "))).cards
        what = cards_in_words(cards.counts, words) if cards.size else ""
        if not what or settings.unit == "units":
            return what
        return words.text("count.told", what=what, points=cards.points(settings.left_points))

    def _specials(self, name: str) -> Iterator[Choice]:
        chosen = self.draft.get(name, "")
        yield Choice("", name, "", self.words.text("count.special.none"), not chosen)
        for value, points in special_hands(self.rules):
            called = self.words.text(f"value.special.{value}")
            label = self.words.text("count.special.worth", name=called[:1].upper() + called[1:], points=points)
            yield Choice("", name, value, label, value == chosen)

    # ------------------------------------------------------------------ cards that stand for figures

    def _lines(self, side: Side) -> tuple[str, ...]:
        return tuple(
            line.rstrip(HIDDEN).strip() for line in lines_of(self.draft.get(key(side.key, "melds"), "")) if line != NONE
        )

    def _derived(self, side: Side) -> dict[str, str]:
        """The totals that the cards of a side come to, by field; only what is not nothing."""
        settings, found = self.rules.settings, dict[str, int]()
        if not any(name.startswith((f"{side.key}.melds", f"{side.key}.left.")) for name in self.draft):
            return {}
        hidden = [line.endswith(HIDDEN) for line in lines_of(self.draft.get(key(side.key, "melds"), ""))]
        for line, concealed in zip(self._lines(side), hidden, strict=False):
            meld = _meld(line)
            kind, incomplete = canasta_of(meld, settings), incomplete_of(meld, settings)
            names = [f"canastas.{kind.item}"] if kind else []
            names += ["canastas.concealed-canasta"] if kind and concealed else []
            names += [f"incomplete.{incomplete.name}"] if incomplete else []
            for name in names:
                found[name] = found.get(name, 0) + 1
            found["cards"] = found.get("cards", 0) + meld.cards.points(settings.card_points)
        left = [each.name for each in fields_for(self.rules, side.position) if each.kind is FieldKind.CARDS]
        typed = [self.draft[key(side.key, name)] for name in left if key(side.key, name) in self.draft]
        if typed and settings.cards_left is CardsLeft.POINTS:
            reading = read_cards(notated(" ".join(typed).replace("/", " ")))
            found["left"] = reading.cards.points(settings.left_points)
        return {name: str(value) for name, value in found.items()}

    def _melds(self, side: Side) -> Iterator[str]:
        """The melds of a side: cards, kind and points."""
        settings = self.rules.settings
        wrong = " ".join(note.text for note in self.report.beside(key(side.key, "melds")) if note.tone is Tone.ERROR)
        for line in self._lines(side):
            meld = _meld(line)
            told = meld_told(meld, self.rules, self.words, is_wrong=f"«{line}»" in wrong)
            cards = meld_in_words(meld, settings, self.words)
            yield self.words.text("count.meld.told", cards=cards or line, told=told)

    # ------------------------------------------------------------------ rows and columns

    @property
    def rows(self) -> Iterator[Row]:
        """The rows of the card."""
        by_side = [[cell for cell in cells if cell.field.part is Part.CARD] for cells in self.cells]
        kinds = {kind.item: kind for kind in self.rules.settings.canastas}
        for cells in zip(*by_side, strict=True):
            each, back = cells[0].field, ""
            if each.group == "canastas":
                kind = kinds.get(each.item)
                mixed = kind is not None and (kind.shape is Shape.WILDS or kind.wilds[1] > 0)
                back = "black" if mixed else "red"
            yield Row(html_id(each.name), self.label(each, self.hand.sides[0]), cells[0].hint, back, cells)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The sides."""
        return tuple(self._column(side) for side in self.hand.sides)

    def _column(self, side: Side) -> Column:
        cells = self.cells[side.position]
        score = self.report.score(side.position)
        more = tuple(cell for cell in cells if cell.field.part is Part.MORE)
        by_cards = tuple(cell for cell in cells if cell.field.part is Part.BY_CARDS)
        used = [self.label(cell.field, side) for cell in more if cell.value.strip() not in ("", NONE)]
        return Column(
            side=side,
            facts=tuple(self._facts(side)),
            by_cards=tuple(cell for cell in by_cards if cell.field.name != ALL_HANDS or cell.value),
            melds=tuple(self._melds(side)),
            more=more,
            more_told=", ".join(used),
            is_by_cards=self._is_by_cards(side, by_cards),
            is_summed=any(cell.field.name in ("sum", "special") and cell.value.strip() for cell in more),
            score=score,
            waits="" if score else self.words.text(f"count.live.none.{self._waits_for(side.position)}"),
            lines=tuple(self._lines_of(score)) if score else (),
        )

    def _is_by_cards(self, side: Side, cells: tuple[Cell, ...]) -> bool:
        """Whether the side is counted by its cards: typed here, the only way, or as in the hand before."""
        if not counts_totals(self.rules.settings) or any(cell.value.strip() for cell in cells):
            return True
        hands = self.hand.state.hands
        is_blank = not self.hand.past and not any(name.startswith(f"{side.key}.") for name in self.draft)
        return is_blank and bool(hands) and bool(hands[-1].versions[-1].hand["sides"].get(side.key, {}).get("melds"))

    def _facts(self, side: Side) -> Iterator[str]:
        """Who a side plays with, where that changes, and where what they laid is typed."""
        parties = self._parties
        others = [self.hand.names[other] for other in parties.of(side.position) if other != side.position]
        if others:
            yield self.words.text("count.paired", others=self.words.listing(others))
        elif len(parties.groups) < len(self.hand.sides):
            yield self.words.text("count.alone")
        if side.position not in parties.writers:
            yield self.words.text("count.elsewhere", side=self.hand.names[parties.writer(side.position)])

    def _waits_for(self, position: int) -> str:
        """What a side without a score waits for: `mending`, or `all`."""
        wrong = [note.side for note in self.report.notes if note.tone is Tone.ERROR and note not in self.report.missing]
        touched = position in wrong if position in self.report.unfinished else bool(wrong)
        return "mending" if touched else "all"

    def _lines_of(self, score: SideScore) -> Iterator[tuple[str, str, str]]:
        book = rules_url(self.rules)
        for line in score.lines:
            url = place_url(book, line_anchor(line.item, line.code))
            yield self._line_label(line), self.words.signed(line.points), url

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
        if line.item == "out" or line.count is None or line.count < 2:  # noqa: PLR2004 - one of it needs no number
            return name
        return words.text("count.line", name=name, count=line.count)

    # ------------------------------------------------------------------ the whole hand

    @cached_property
    def single(self) -> Question | None:
        """Who plays alone, where somebody does."""
        if not needs_single(self.rules):
            return None
        chosen = self.draft.get(SINGLE, "")
        columns: list[tuple[Choice, ...]] = [
            (Choice(_radio_id(SINGLE, side.key), SINGLE, side.key, side.name, side.key == chosen),)
            for side in self.hand.sides
        ]
        label = self.words.text("count.single.nobody")
        others = (Choice(SINGLE + "-nobody", SINGLE, NOBODY, label, chosen == NOBODY),)
        return Question(_first_named(columns, SINGLE), others, self.report.beside(SINGLE))

    @property
    def out(self) -> Question:
        """Who went out."""
        chosen = self.draft.get(OUT, "")
        columns = [tuple(self._goers(side, chosen)) for side in self.hand.sides]
        label = self.words.text("count.out.nobody")
        others = (Choice("out-nobody", OUT, NOBODY, label, chosen == NOBODY),)
        return Question(_first_named(columns, OUT), others, self.report.beside(OUT))

    def _goers(self, side: Side, chosen: str) -> Iterator[Choice]:
        """Who of a side may have gone out: the side, and each of its players who has a name or was chosen."""
        values = [(side.key, side.name)]
        for hand, name in side.players if len(side.players) > 1 else ():
            value = f"{side.key}.{hand}"
            if name or value == chosen:
                values.append((value, name or self.words.text("count.player", number=hand + 1)))
        if len(side.players) == 1 and chosen.startswith(f"{side.key}."):
            chosen = side.key
        for value, name in values:
            yield Choice(_radio_id(OUT, value), OUT, value, name, value == chosen)

    @cached_property
    def concealed(self) -> Choice | None:
        """Whether somebody went out concealed, where the rules ask for it or it was typed."""
        is_asked = needs_concealed(self.rules) or CONCEALED in self.draft
        return self._tick(CONCEALED, "count.concealed") if is_asked else None

    @cached_property
    def discard_none(self) -> Choice:
        """Whether whoever went out did so without a last discard."""
        return self._tick(DISCARD_NONE, "count.discard.none")

    def _tick(self, name: str, label: str) -> Choice:
        return Choice(html_id(name), name, YES, self.words.text(label), name in self.draft)

    @property
    def discards(self) -> Iterator[Choice]:
        """The cards that may have been discarded last, and what was noted otherwise."""
        chosen = self.draft.get(DISCARD, "")
        yield Choice("", DISCARD, "", self.words.text("count.discard.unknown"), not chosen)
        kinds = (*KINDS[2:-2], *KINDS[1::-1], *KINDS[-2:])
        for kind in kinds:
            name = self.words.plural(f"card.{kind}", 1)
            label = self.words.text("count.discard.card", token=kind.value, name=name)
            yield Choice("", DISCARD, kind.value, label, kind.value == chosen)
        if chosen and chosen not in {kind.value for kind in kinds}:
            cards = read_cards(chosen).cards
            told = [self.words.plural(f"card.{kind}", 1) for index, kind in enumerate(KINDS) if cards.counts[index]]
            yield Choice("", DISCARD, chosen, f"{chosen} {' '.join(told)}".strip(), True)

    @cached_property
    def discard_must(self) -> str:
        """That nobody goes out without a last discard; empty where that is allowed."""
        settings = self.rules.settings
        key = f"count.discard.must.{settings.last_discard_special}"
        return self.words.text(key) if must_discard(settings) else ""

    @property
    def shown(self) -> str:
        """That whoever shows a special hand has gone out with it."""
        shown = next((side for side in self.hand.sides if self.draft.get(key(side.key, "special"))), None)
        return self.words.text("count.out.special", side=shown.name) if shown else ""

    @property
    def out_worth(self) -> str:
        """The points of going out."""
        return self.words.figure(self.rules.settings.out_bonus) if self.rules.settings.out_bonus else ""

    @property
    def out_facts(self) -> Iterator[str]:
        """What going out needs and is worth, what cards left cost, and how many hands each plays."""
        settings, words = self.rules.settings, self.words
        if self.hand.contests:
            yield words.text("count.contest.told")
        if settings.hands_each > 1:
            yield words.text("count.hands-each", count=settings.hands_each)
        yield self._canastas_needed()
        if settings.out_red_threes == "one-for-each-canasta":
            yield words.text("count.out-needs.red-threes")
        bars = [words.text(f"value.incomplete.{kind.name}") for kind in settings.incomplete if kind.bars_out]
        if bars:
            yield words.text("count.out-needs.complete", melds=words.listing(bars))
        if settings.permission == "must-ask":
            yield words.text("count.out-needs.permission")
        if settings.out_bonus:
            yield self._bonus_told()
        if settings.cards_left is not CardsLeft.POINTS:
            yield words.text(f"count.left.{settings.cards_left}", wild=settings.left_wild, group=settings.left_group)
        for each in fields_for(self.rules, 0):
            if len(each.worth) > 1:
                name = self.label(each, self.hand.sides[0])
                yield words.text("count.of-side", side=name, label=together(each.worth, words))
        if counts_totals(settings):
            yield words.text(own_key("count.cards.hint", self.rules, words))

    def _canastas_needed(self) -> str:
        settings, words = self.rules.settings, self.words
        needed = words.plural(own_key("count.needed", self.rules, words), settings.canastas_needed)
        if not settings.canasta_families_needed:
            return words.text("count.out-needs", needed=needed)
        families = self._families(settings.canasta_families_needed)
        return words.text("count.out-needs.families", needed=needed, families=families)

    def _families(self, families: tuple[tuple[str, int], ...]) -> str:
        words = self.words
        return words.listing(
            words.plural(own_key(f"count.family.{family}", self.rules, words), count) for family, count in families
        )

    def _bonus_told(self) -> str:
        settings, words = self.rules.settings, self.words
        name = "count.out.worth"
        if needs_concealed(self.rules):
            name += ".concealed" if settings.concealed_out_bonus != settings.out_bonus else ".alike"
        told = [words.text(name, points=settings.out_bonus, concealed=settings.concealed_out_bonus)]
        more = "count.out.worth.more" if settings.out_bonus_adds == "sum" else "count.out.worth.canastas"
        for bonus in settings.out_bonus_canastas:
            families = tuple(
                (name, count) for name, count in (("natural", bonus.natural), ("mixed", bonus.mixed)) if count
            )
            listed = self._families(families)
            told.append(words.text(more, points=bonus.points, canastas=bonus.canastas, families=listed))
        return f"{'; '.join(told)}."

    @property
    def keys(self) -> tuple[CardButton, ...]:
        """The cards that may be tapped: those that are melded, and threes."""
        kinds = melded_kinds(self.rules.settings)
        black = () if Kind.BLACK_THREE in kinds else (Kind.BLACK_THREE,)
        return card_buttons((*kinds, *black, Kind.RED_THREE), self.words)


def _meld(line: str) -> Meld:
    return read_meld(read_cards(notated(line)).cards)


def _radio_id(name: str, value: str) -> str:
    return f"{name}-{value.replace('.', '-')}"


def _first_named(columns: list[tuple[Choice, ...]], name: str) -> tuple[tuple[Choice, ...], ...]:
    """The choices, the first with the name of the question as its id: messages lead to it."""
    first = columns[0][0]
    renamed = Choice(name, first.name, first.value, first.label, first.chosen)
    return ((renamed, *columns[0][1:]), *columns[1:])
