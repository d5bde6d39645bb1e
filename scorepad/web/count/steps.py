"""What the buttons of a count do to the draft, for a browser without JavaScript and for one with it alike.

A button is named by what it does and to which field: `up:a-red`, `card:a:K`, `left:a-left-cards-0:K`,
`meld-new:a`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.rules.cards import INDEX, NATURAL_INDICES, Kind, Suit, read_cards
from scorepad.web.count import names
from scorepad.web.figures import read_figure

Draft = dict[str, str]

_COUNTED = re.compile(r"(?:([0-9]{1,2})x)?(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Done:
    """The draft after a step, and the id of the place on the page where it happened."""

    draft: Draft
    place: str


def take_step(
    button: str, draft: Mapping[str, str], language: Language, most: Callable[[str], int | None] = lambda _: None
) -> Done | None:
    """Do what a button says; None for a button that is no step. `most` tells how far a field is counted up."""
    verb, _, rest = button.partition(":")
    kept = dict(draft)
    if verb in ("up", "down"):
        by = 1 if verb == "up" else -1
        return _count(kept, rest, by, language, most(rest) if by > 0 else None)
    if verb in _IN_HAND:
        return _IN_HAND[verb](kept, *rest.partition(":")[::2])
    side, _, what = rest.partition(":")
    if verb in _OF_SIDE and side in SIDE_KEYS:
        if verb not in ("house-new", "adjust-new"):
            # Whoever taps a card counts by cards, even where nothing else was sent yet.
            kept[names.way(side)] = names.BY_CARDS
        return _OF_SIDE[verb](kept, side, what)
    return None


def _count(draft: Draft, field: str, by: int, language: Language, most: int | None) -> Done | None:
    """Count up as far as there is something to count, or down to nothing; what is beyond already stays."""
    if not names.is_field(field):
        return None
    figure = read_figure(draft.get(field, ""), language) or 0
    if isinstance(figure, int):
        counted = figure + by if most is None else min(figure + by, max(most, figure))
        draft[field] = str(max(0, counted))
    return Done(draft, field)


def grow(text: str, token: str) -> str:
    """A line of cards with one more: another of the last kind is counted with it (`K` and `K` are `2xK`)."""
    before, count, last = _last_of(text)
    if last.upper() == token.upper():
        return f"{before}{count + 1}x{token}"
    return f"{text.rstrip()} {token}".lstrip()


def shrink(text: str) -> str:
    """A line of cards without the last one."""
    before, count, last = _last_of(text)
    left = count - 1
    again = f"{left}x{last}" if left > 1 else last if left == 1 else ""
    return f"{before}{again}".rstrip()


def _last_of(text: str) -> tuple[str, int, str]:
    """What stands before the last card of a line, how many there are of it, and the card; none in an empty line."""
    line = text.rstrip()
    word = line.rsplit(None, 1)[-1] if line else ""
    found = _COUNTED.fullmatch(word)
    if not found:
        return "", 0, ""
    return line[: len(line) - len(word)], int(found[1] or 1), found[2]


def current_row(draft: Mapping[str, str], side: str) -> int:
    """The row that tapped cards go to: the one chosen, else the last."""
    rows = names.meld_rows(draft, side)
    chosen = _row_of(draft.get(names.current(side), ""), rows)
    if chosen is not None:
        return chosen
    return rows[-1] if rows else 0


def _row_of(text: str, rows: tuple[int, ...]) -> int | None:
    """The row that a text names; None for anything else that somebody sent."""
    return next((row for row in rows if str(row) == text), None)


def suit_in_hand(draft: Mapping[str, str], side: str) -> str:
    """The suit to be offered for tapped cards, as its letter: the one chosen, else that of the meld's last card."""
    if names.suit(side) in draft:
        return _chosen_suit(draft, side)
    last = draft.get(names.meld(side, current_row(draft, side)), "").split()[-1:]
    suited = [suit for index, suit, _ in read_cards("".join(last)).cards.suited if index in NATURAL_INDICES]
    return suited[0] if suited else ""


def _chosen_suit(draft: Mapping[str, str], side: str) -> str:
    chosen = draft.get(names.suit(side), "")
    return chosen if chosen in tuple(Suit) else ""


def _card(draft: Draft, side: str, token: str) -> Done | None:
    if token not in tuple(Kind):
        return None
    field = names.meld(side, current_row(draft, side))
    suit = _chosen_suit(draft, side) if INDEX[Kind(token)] in NATURAL_INDICES else ""
    draft[field] = grow(draft.get(field, ""), token + suit)
    return Done(draft, field)


def _left_card(draft: Draft, field: str, token: str) -> Done | None:
    """Another card in a hand at the end; `0`, that there is none, makes room for it."""
    if token not in tuple(Kind) or not names.is_of_cards(field):
        return None
    text = draft.get(field, "").strip()
    draft[field] = grow("" if text == "0" else text, token)
    return Done(draft, field)


def _left_uncard(draft: Draft, field: str, _: str) -> Done | None:
    if not names.is_of_cards(field):
        return None
    draft[field] = shrink(draft.get(field, ""))
    return Done(draft, field)


def _uncard(draft: Draft, side: str, _: str) -> Done:
    field = names.meld(side, current_row(draft, side))
    draft[field] = shrink(draft.get(field, ""))
    return Done(draft, field)


def _meld_new(draft: Draft, side: str, _: str) -> Done:
    """Begin another meld, in a row that stands empty if there is one."""
    rows = names.meld_rows(draft, side) or (0,)
    blank = [row for row in rows if not draft.get(names.meld(side, row), "").strip()]
    row = blank[-1] if blank else min(rows[-1] + 1, names.MOST_ROWS - 1)
    draft.setdefault(names.meld(side, row), "")
    _take_up(draft, side, row)
    return Done(draft, names.meld(side, row))


def _take_up(draft: Draft, side: str, row: int) -> None:
    """Tapped cards go to this row from now on, and get the suit that is in it."""
    draft[names.current(side)] = str(row)
    draft.pop(names.suit(side), None)


def _meld_edit(draft: Draft, side: str, row: str) -> Done | None:
    chosen = _row_of(row, names.meld_rows(draft, side))
    if chosen is None:
        return None
    _take_up(draft, side, chosen)
    return Done(draft, names.meld(side, chosen))


def _meld_drop(draft: Draft, side: str, row: str) -> Done:
    """Take a meld away; the rows after it move up."""
    rows = [kept for kept in names.meld_rows(draft, side) if str(kept) != row]
    lines = [(draft.get(names.meld(side, kept), ""), names.meld_concealed(side, kept) in draft) for kept in rows]
    chosen = current_row(draft, side)
    for name in [name for name in draft if name.startswith(f"{side}-meld-")]:
        del draft[name]
    for place, (text, concealed) in enumerate(lines or [("", False)]):
        draft[names.meld(side, place)] = text
        if concealed:
            draft[names.meld_concealed(side, place)] = names.TICKED
    _take_up(draft, side, rows.index(chosen) if chosen in rows else max(0, len(rows) - 1))
    return Done(draft, names.melds(side))


def _house_new(draft: Draft, side: str, _: str) -> Done:
    row = _next_row(names.house_rows(draft, side))
    draft.setdefault(names.house_points(side, row), "")
    draft.setdefault(names.house_reason(side, row), "")
    return Done(draft, names.house_points(side, row))


def _adjust_new(draft: Draft, side: str, _: str) -> Done:
    row = _next_row(names.adjust_rows(draft, side))
    draft.setdefault(names.adjust_points(side, row), "")
    draft.setdefault(names.adjust_reason(side, row), "")
    return Done(draft, names.adjust_points(side, row))


def _next_row(rows: tuple[int, ...]) -> int:
    """The row after those that there are; the first stands there from the start."""
    return min((rows or (0,))[-1] + 1, names.MOST_ROWS - 1)


_IN_HAND: dict[str, Callable[[Draft, str, str], Done | None]] = {"left": _left_card, "unleft": _left_uncard}
"""Done to a field of cards in hand."""
_OF_SIDE: dict[str, Callable[[Draft, str, str], Done | None]] = {
    "card": _card,
    "uncard": _uncard,
    "meld-new": _meld_new,
    "meld-edit": _meld_edit,
    "meld-drop": _meld_drop,
    "house-new": _house_new,
    "adjust-new": _adjust_new,
}
