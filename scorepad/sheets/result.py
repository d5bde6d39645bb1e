"""A match in words for pages, paper, pictures and spreadsheets: names, result, rows of a hand, text
and CSV.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from scorepad.i18n import LANGUAGES, Language, Words
from scorepad.i18n import words as catalogue
from scorepad.i18n.settings import item_word
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.events import Counted, EndHow
from scorepad.matches.names import composed
from scorepad.matches.projection import HandState, MatchState
from scorepad.rules.definitions import Standing
from scorepad.rules.judge import Seat
from scorepad.rules.score_lines import ITEMS, Line, item_order
from scorepad.rules.variants import use_words

if TYPE_CHECKING:
    from scorepad.matches import Pad
    from scorepad.matches.access import DeviceId, MatchId

# ---------------------------------------------------------------- names on paper and in pictures

Lacking = frozenset[str]
"""Characters without a glyph on this machine."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ISOLATES = frozenset({"RLI", "LRI", "FSI", "PDI"})
_TURNING = frozenset({"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "PDF"}) | _ISOLATES
"""Bidirectional classes of characters that can change the direction of surrounding text."""
_KINDS = {1: "player", 2: "side"}
"""The term for a side by number of players; with more it is a team."""

PAIR = 2
"""The number of players of a pair."""


def joined(players: Sequence[str]) -> str:
    """Several players as the name of their side: `Marta–Gino`."""
    return "–".join(map(isolated, players))


def is_noi_or_loro(name: str) -> bool:
    """Whether a side is called Noi or Loro, in any language."""
    return any(
        name.casefold() in _in_any_language(f"web.side.{usual}") for usual in ("noi", "loro")
    )


def named_by_players(state: MatchState) -> MatchState:
    """The match with the names of their players for sides called Noi or Loro, if all of these have
    names.

    Whose "Noi" it is depends on who looks.
    """
    sides = tuple(
        side._replace(name=joined(side.players))
        if is_noi_or_loro(side.name) and all(side.players)
        else side
        for side in state.sides
    )
    return replace(state, sides=sides)


class Names:
    """The printed names of the sides and players of a match.

    If a name cannot be drawn because all its characters are `lacking`, the seat is added.

    Attributes: `sides`, the names of the sides; `players`, by side, the named players; `drawn`, the
    names of the sides in a chart, in which the side's number replaces an illegible name.
    """

    def __init__(self, state: MatchState, words: Words, lacking: Lacking) -> None:
        by_players = named_by_players(state)
        if lacking.isdisjoint("".join(by_players.names)):
            state = by_players
        self._state, self._words, self._lacking = state, words, lacking
        named = [side.name for side in state.sides]
        self._known = [name for side in state.sides for name in side.players]
        numbers = [
            words.text(f"sheets.number.{_KINDS.get(len(side.players), 'team')}", number=number)
            for number, side in enumerate(state.sides, 1)
        ]
        self.sides = tuple(
            distinct(name, number, named, lacking)
            for name, number in zip(named, numbers, strict=True)
        )
        self.players = tuple(
            tuple(
                self._player(name, (side, index)) for index, name in enumerate(each.players) if name
            )
            for side, each in enumerate(state.sides)
        )
        self.drawn = tuple(
            name if is_legible(name, lacking) else number
            for name, number in zip(self.sides, numbers, strict=True)
        )

    def below(self, side: int) -> tuple[str, ...]:
        """The players printed below the name of their side; none where they are its name."""
        players = self.players[side]
        is_named_by_them = self._state.sides[side].name == joined(self._state.sides[side].players)
        return () if is_named_by_them or players == (self.sides[side],) else players

    def seat(self, seat: Seat, hand: int | None = None) -> str:
        """The player in a seat, now or in a hand of the pad: by name or, if unnamed, by side and
        seat.

        For a side of one player, the side's name.
        """
        side, index = seat
        players = self._state.sides[side].players
        if hand is not None and len(players) > 1:
            name = self._state.sat(seat, hand)
        else:
            name = players[index] if index < len(players) else ""
        if name:
            return self._player(name, seat)
        return self.sides[side] if len(players) == 1 else self._place(seat)

    def out(self, hand: HandState) -> str:
        """Who went out in a hand: the player if known, else the side."""
        seat = seat_out(self._state, hand)
        return (
            self.seat(seat, hand.number)
            if seat
            else self.sides[SIDE_KEYS.index(hand.counted.hand["out"]["side"])]
        )

    @property
    def state(self) -> MatchState:
        """The match with these names."""
        sides = zip(self._state.sides, self.sides, self.players, strict=True)
        return replace(
            self._state,
            sides=tuple(side._replace(name=name, players=players) for side, name, players in sides),
        )

    def _place(self, seat: Seat) -> str:
        return self._words.text("web.seat.unnamed", side=self.sides[seat[0]], place=seat[1] + 1)

    def _player(self, name: str, seat: Seat) -> str:
        return distinct(name, self._place(seat), self._known, self._lacking)


def distinct(name: str, otherwise: str, others: Iterable[str], lacking: Lacking) -> str:
    """A name; followed by another one if its drawable part is empty or the same as one of `others`."""
    if not lacking:
        return isolated(name)

    def drawn(of: str) -> str:
        return " ".join("".join(character for character in of if character not in lacking).split())

    shown = drawn(name)
    if any(map(str.isalnum, shown)) and all(
        shown != drawn(other) for other in others if other != name
    ):
        return isolated(name)
    return f"{isolated(name)} ({otherwise})"


def is_legible(name: str, lacking: Lacking) -> bool:
    """Whether a name is legible drawn letter by letter from left to right, as WeasyPrint does in
    charts.
    """
    return not any(
        character in lacking
        or unicodedata.bidirectional(character) in _TURNING
        or unicodedata.category(character)[0] in "MC"
        or unicodedata.category(character) == "So"
        for character in name
    )


def isolated(name: str) -> str:
    """A name with bidirectional isolation, so that it does not reorder the text around it."""
    if name.isascii() or not any(
        unicodedata.bidirectional(character) in _TURNING for character in name
    ):
        return name
    kept = "".join(
        character for character in name if unicodedata.bidirectional(character) not in _ISOLATES
    )
    return f"\N{FIRST STRONG ISOLATE}{kept}\N{POP DIRECTIONAL ISOLATE}"


def printable(text: str) -> str:
    """A text with unprintable characters replaced: controls and lone surrogates become `�`, line
    ends spaces.
    """
    replaced = {
        ord(each): " " if each.isspace() else REPLACEMENT
        for each in set(text)
        if each.isspace() or unicodedata.category(each) in ("Cc", "Cs", "Cn", "Co")
    }
    return text.translate(replaced)


# ---------------------------------------------------------------- the state and the end of a match


class MatchResult(NamedTuple):
    """The state or end of a match: the outcome in a sentence, and its reason."""

    sentence: str
    how: str

    def __str__(self) -> str:
        return f"{self.sentence}. {self.how}".rstrip()


def ended_of(state: MatchState, words: Words) -> MatchResult:
    """How a finished match ended."""
    status, ending, sides = state.status, state.ending, state.sides
    hands, sentence = state.coming - 1, words.text("web.ended.even")
    if status.winner is not None:
        winner = sides[status.winner]
        others = words.listing(words.figure(other.total) for other in sides if other is not winner)
        sentence = words.text(
            "web.ended.won",
            won=won_words(state, status.winner, words),
            total=winner.total,
            others=others,
        )
    if state.ended_early and ending:
        who = "" if ending.side is None else sides[ending.side].name
        if status.winner is None and ending.how is EndHow.BROKEN_OFF:
            sentence = words.text("match.ended.nobody")
        return MatchResult(sentence, words.plural(f"match.ended.{ending.how}", hands, side=who))
    if status.winner is None:
        return MatchResult(sentence, words.plural("web.ended.even.hands", hands))
    if status.target is None or sides[status.winner].total < status.target:
        return MatchResult(sentence, words.plural("web.ended.all-hands", hands))
    how = words.plural("web.ended.hands", hands, target=status.target)
    several = sum(side.total >= status.target for side in sides) > 1
    return MatchResult(sentence, f"{how} {words.text('web.ended.several')}" if several else how)


def seat_out(state: MatchState, hand: HandState) -> Seat | None:
    """The seat of who went out in a hand; None if the hand does not say or the player is unnamed."""
    out = hand.counted.hand["out"]
    position, index = SIDE_KEYS.index(out["side"]), out.get("player")
    places = range(len(state.sides[position].players))
    playing = [(position, place) for place in places if (position, place) not in hand.turn.resting]
    if len(places) == 1 or index is None or index >= len(playing):
        return None
    return playing[index] if state.sat(playing[index], hand.number) else None


def won_words(state: MatchState, winner: int, words: Words) -> str:
    """The winner in a sentence: `Abbiamo vinto noi`, `Vince la coppia Marta–Gino`."""
    side, seats = state.sides[winner], state.rules.settings.sides[winner]
    usual = next(
        (
            name
            for name in ("noi", "loro")
            if side.name.casefold() in _in_any_language(f"web.side.{name}")
        ),
        "",
    )
    if seats == PAIR == len(side.players) and usual and all(side.players):
        return words.text("result.won.pair", side="–".join(map(isolated, side.players)))
    if usual:
        return words.text(f"result.won.{usual}")
    kind = "" if seats == 1 else ".pair" if seats == PAIR else ".team"
    return words.text(f"result.won{kind}", side=isolated(side.name))


def _in_any_language(key: str) -> set[str]:
    return {catalogue(language).text(key).casefold() for language in LANGUAGES}


def ending_to_come(state: MatchState, words: Words) -> str:
    """An agreed end that is not reached yet; empty if there is none."""
    ending = state.ending
    if ending is None or state.status.finished or ending.hands is None:
        return ""
    if ending.hands == len(state.hands) + 1:
        return words.text("match.last-hand")
    return words.text("match.up-to-hand", number=state.called(ending.hands))


def result_of(state: MatchState, words: Words) -> MatchResult:
    """The winner and how, or the leader, in a few words, to be shown beside the totals."""
    if state.status.finished:
        ended, winner = ended_of(state, words), state.status.winner
        won = ended.sentence if winner is None else won_words(state, winner, words)
        return MatchResult(won, ended.how)
    hands, highest = state.played + len(state.hands), max(side.total for side in state.sides)
    leading = [side.name for side in state.sides if side.total == highest]
    sentence = words.plural("share.going-on", hands) if hands else words.text("share.not-begun")
    return MatchResult(
        sentence, words.text("share.leads", side=leading[0]) if len(leading) == 1 else ""
    )


def game_of(state: MatchState, words: Words) -> str:
    """The game played, and whether it counts."""
    game = words.text(f"variant.{state.rules.variant}.name")
    return words.text("share.practice", game=game) if state.practice else game


def players_of(state: MatchState, position: int, words: Words) -> str:
    """The named players of a side of several; empty where the side is named by them."""
    side = state.sides[position]
    if side.name == joined(side.players):
        return ""
    named = [isolated(name) for name in side.players if name]
    return words.listing(named) if named and state.rules.settings.sides[position] > 1 else ""


def text_of(state: MatchState, words: Words) -> str:
    """The result as text to share: the place, a line for each side, and the end."""
    state = named_by_players(state)
    day = words.day(state.started.astimezone())
    where = ", ".join(filter(None, (game_of(state, words), day, isolated(state.place))))
    lines = []
    for position, side in enumerate(state.sides):
        name, players = isolated(side.name), players_of(state, position, words)
        key = "share.text.players" if players else "share.text.side"
        lines.append(words.text(key, side=name, players=players, points=words.figure(side.total)))
    return "\n".join((where, *lines, str(result_of(state, words))))


def alt_of(state: MatchState, words: Words) -> str:
    """The alternative text of the picture."""
    state = named_by_players(state)
    sides = ", ".join(f"{isolated(side.name)} {words.figure(side.total)}" for side in state.sides)
    return words.text("share.picture.alt", sides=sides, how=str(result_of(state, words)))


# ---------------------------------------------------------------- the rows of a counted hand


class Row(NamedTuple):
    """The label of a line, and the line of each side; None if a side has none."""

    item: str
    code: str | None
    label: str
    lines: tuple[Line | None, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The distinct source places of the rules applied."""
        return tuple(dict.fromkeys(place for line in self.lines if line for place in line.sources))

    @property
    def is_reading(self) -> bool:
        """Whether a rule applied is an inference from the sources."""
        return any(line is not None and line.standing is Standing.READ for line in self.lines)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments of a reading (`read.…` in the catalogue)."""
        return tuple(dict.fromkeys(name for line in self.lines if line for name in line.read))


class CountTable(NamedTuple):
    """The lines of one count of a hand, side by side; `names` are those of the sides."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    sides: tuple[tuple[Line, ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side."""
        return tuple(sum(line.points for line in lines) for lines in self.sides)

    @property
    def readings(self) -> dict[tuple[str, ...], list[str]]:
        """The arguments of its readings, each with the labels of the rows based on it."""
        found: dict[tuple[str, ...], list[str]] = {}
        for row in self.rows:
            if row.arguments:
                found.setdefault(row.arguments, []).append(row.label)
        return found


Key = tuple[str, str | None, str | None, int]
"""Item, code and reason of a line, and its index among equal ones."""


def table_of(
    counted: Counted, names: Sequence[str], variant: str, words: Words, *, by_reason: bool
) -> CountTable:
    """A count in rows, in the order of the items; `by_reason`: one row for each reason, which it
    names.
    """
    by_side = [keyed(lines, by_reason=by_reason) for lines in counted.lines]
    concealed, rows = is_concealed(counted.hand), []
    for key in sorted(
        dict.fromkeys(key for lines in by_side for key in lines), key=lambda key: item_order(key[0])
    ):
        item, code, reason, _ = key
        label = line_label(item, code, reason, words, concealed=concealed, variant=variant)
        rows.append(Row(item, code, label, tuple(lines.get(key) for lines in by_side)))
    return CountTable(tuple(names), tuple(rows), counted.lines)


def keyed(lines: Iterable[Line], *, by_reason: bool) -> dict[Key, Line]:
    """The lines of a side by key."""
    seen: Counter[tuple[str, str | None, str | None]] = Counter()
    found = {}
    for line in lines:
        kind = (line.item, line.code, line.reason if by_reason else None)
        found[*kind, seen[kind]] = line
        seen[kind] += 1
    return found


def line_label(
    item: str, code: str | None, reason: str | None, words: Words, *, concealed: bool, variant: str
) -> str:  # fmt: skip
    """The label of a line; `concealed`: the side that went out did so concealed."""
    if code:
        return words.text(f"{item}.{code}")
    if item == "out" and concealed:
        return words.text("item.out-concealed")
    label = item_word(variant, item, words)
    return words.text("web.line.agreed", item=label, reason=reason) if reason else label


def is_concealed(hand: Mapping[str, Any]) -> bool:
    """Whether a side went out concealed in a hand."""
    return bool((hand.get("out") or {}).get("concealed"))


def special_hands(hand: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, str]]:
    """The sides that showed a special hand, each with that hand's name in the rules."""
    sides = hand.get("sides", {})
    shown = (
        (name, sides.get(key, {}).get("special"))
        for key, name in zip(SIDE_KEYS, names, strict=False)
    )
    return [(name, special) for name, special in shown if special]


def single_and_pair(hand: HandState, names: Sequence[str], words: Words) -> tuple[str, str]:
    """The single player and the pair, if pairs change in every hand; empty if everyone played
    alone.
    """
    if hand.single is None:
        return "", ""
    return names[hand.single], words.listing(
        name for side, name in enumerate(names) if side != hand.single
    )


# ---------------------------------------------------------------- CSV

Cell = str | int | None

_DELIMITERS = {Language.ITALIAN: ";", Language.ENGLISH: ","}
_MARKED = {Language.ITALIAN}
_HEADS = (
    "match", "started", "place", "variant", "preset", "practice", "hand", "counted", "side", "players", "before",
    "minimum", "out",
)  # fmt: skip
_LAST_HEADS = ("points", "total", "lines", "remark", "agreed")
_FORMULAS = ("=", "+", "-", "@")
"""The characters that begin a formula, after Unicode normalisation: `＝` counts as `=`."""


def every_row_csv(
    pad: Pad, device: DeviceId, words: Words, unread: list[MatchId]
) -> Iterator[bytes]:
    """All matches of a device but practice matches as CSV; `unread` gets those that cannot be read."""
    own_items = items_of_own_variants(pad.states(device, [], own_variants_only=True))
    return rows_csv(pad.states(device, unread), words, own_items)


def items_of_own_variants(matches: Iterable[MatchState]) -> dict[str, str]:
    """The canastas that only custom variants have, each with a variant that names it."""
    found = dict[str, str]()
    for state in matches:
        for item in state.rules.items:
            if item not in ITEMS:
                found[item] = state.rules.variant
                use_words(state.rules.words)
    return found


def rows_csv(
    matches: Iterable[MatchState], words: Words, own_items: Mapping[str, str]
) -> Iterator[bytes]:
    """The matches as CSV, with line ends as in RFC 4180: the heads, then the rows of each match.

    `own_items` are the canastas of their custom variants, which come last.
    """
    if words.language in _MARKED:
        yield codecs.BOM_UTF8
    heads = [words.text(f"files.csv.{head}") for head in _HEADS] + [
        words.text(f"item.{item}") for item in ITEMS
    ]
    heads += [item_word(variant, item, words) for item, variant in own_items.items()]
    heads += [words.text(f"files.csv.{head}") for head in _LAST_HEADS]
    yield _csv_lines([heads], words)
    for state in matches:
        use_words(state.rules.words)
        for hand in state.hands:
            sides = range(len(state.sides))
            yield _csv_lines(
                [_csv_row(state, hand, side, (*ITEMS, *own_items), words) for side in sides], words
            )


def _csv_lines(rows: Iterable[Iterable[Cell]], words: Words) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=_DELIMITERS[words.language], lineterminator="\r\n")
    for row in rows:
        writer.writerow(_guarded(row))
    return text.getvalue().encode("utf-8", "replace")


def _csv_row(
    state: MatchState, hand: HandState, position: int, items: Iterable[str], words: Words
) -> list[Cell]:
    """A side's row of a hand: the match, the side and its points of each item, empty if it has no
    such line.
    """
    side, stood, counted = state.sides[position], hand.sides[position], hand.counted
    out = counted.hand.get("out") or {}
    went = out.get("side") == SIDE_KEYS[position]
    lines = {item: [line.points for line in stood.lines if line.item == item] for item in items}
    return [
        state.id,
        _moment(state.started),
        state.place,
        words.text(f"variant.{state.rules.variant}.name"),
        words.text(f"preset.{state.rules.preset}") if state.rules.preset else "",
        words.text("files.csv.yes") if state.practice else "",
        state.called(hand.number),
        _moment(hand.versions[-1].at),
        side.name,
        ", ".join(name for name in side.players if name),
        stood.total - stood.hand,
        stood.opening_minimum,
        words.text("files.csv.concealed" if out.get("concealed") else "files.csv.yes")
        if went
        else "",
        *(sum(points) if points else None for points in lines.values()),
        stood.hand,
        stood.total,
        "; ".join(_line(line, state.rules.variant, words) for line in stood.lines),
        hand.remark,
        counted.agreed,
    ]


def _moment(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _line(line: Line, variant: str, words: Words) -> str:
    """A line with its count and reason: `Canaste naturali (2) 1000`."""
    penalty = f"{line.item}.{line.code}" if line.code else ""
    why = words.text(penalty) if penalty and words.has(penalty) else line.code or ""
    about = ", ".join(
        filter(None, ("" if line.count is None else str(line.count), why, line.reason or ""))
    )
    item = item_word(variant, line.item, words)
    return f"{item} ({about}) {line.points}" if about else f"{item} {line.points}"


def _guarded(row: Iterable[Cell]) -> list[Cell]:
    """A row in which no cell can be taken for a formula: user-entered text remains text."""
    return [_text(cell) if isinstance(cell, str) else cell for cell in row]


def _text(cell: str) -> str:
    line = "".join(letter if letter.isprintable() else " " for letter in cell)
    plain = composed(line, "NFKC").lstrip(" '\"")
    return f"'{line}" if plain.startswith(_FORMULAS) else line
