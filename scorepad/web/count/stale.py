"""Somebody else was quicker: what stands now and what was typed, side by side, and a choice between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.i18n import Words
from scorepad.web.count import names
from scorepad.web.count.counting import counted_as, what_counts
from scorepad.web.count.fields import Choice
from scorepad.web.count.looking import Looked
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.pages import Sent, addresses_of, count_page, hidden_of
from scorepad.web.count.said import Count
from scorepad.web.count.side_values import SideForm
from scorepad.web.count.telling import tell
from scorepad.web.count.values import CountPage, Difference, StalePage


@dataclass(frozen=True, slots=True)
class Overtaken:
    """What stands: the same hand as somebody else left it, or the hand that it has become."""

    occasion: Occasion
    was_counted: bool
    """Whether the hand that was being typed has been saved meanwhile."""
    gone: str = ""
    """Why there is no such hand any more: the match is `over`, the hand was `undone`, or the match went `back` to an
    earlier one while it was being counted; empty where there is one."""
    number: int = 0
    """The number of the hand that is gone: the first of them."""


def stale_page(overtaken: Overtaken, mine: Mapping[str, str], sent: Sent, words: Words) -> StalePage:
    """Both values of every field that differs."""
    occasion = overtaken.occasion
    counted = overtaken.was_counted or occasion.past is not None
    kind = overtaken.gone or ("counted" if overtaken.was_counted else "corrected" if occasion.past else "typed")
    addresses = addresses_of(occasion)
    # What stands of an earlier hand is no answer to what was typed of a later one: only that is shown.
    is_back = overtaken.gone == "back"
    differences = tuple(_Two(occasion, occasion.draft, mine, words, is_back).differences())
    take_mine = "count.stale.take-mine.correct" if counted else "count.stale.take-mine"
    return StalePage(
        title=words.text(f"count.stale.{kind}", number=_number(overtaken)),
        addresses=addresses,
        told=words.text(f"count.stale.{kind}.told"),
        there=words.text("count.stale.there.saved" if counted else "count.stale.there.kept"),
        differences=differences,
        keep_there=addresses.back if counted or overtaken.gone else addresses.action,
        take_there=words.text("live.look" if overtaken.gone else "count.stale.take-there"),
        take_mine="" if is_back and not differences else words.text(take_mine),
        hidden=hidden_of(occasion, sent),
        note=sent.note,
        draft=tuple(mine.items()),
    )


def _number(overtaken: Overtaken) -> int:
    return overtaken.occasion.state.called(overtaken.number) if overtaken.gone else overtaken.occasion.told_number


@dataclass(frozen=True, slots=True)
class _Two:
    """Two drafts of one hand: what stands, and mine."""

    occasion: Occasion
    there: Mapping[str, str]
    mine: Mapping[str, str]
    words: Words
    only_mine: bool
    """Whether only what is typed in mine matters."""

    def differences(self) -> Iterator[Difference]:
        """What counts and differs; then what differs and does not count, for it was typed all the same."""
        there, mine = (_fields(self.occasion, draft, self.words) for draft in (self.there, self.mine))
        differing, counting = self._counts()
        idle = []
        for name in dict.fromkeys((*there, *mine)):
            label, stands = there.get(name, ("", ""))
            typed_label, typed = mine.get(name, ("", ""))
            if _plain(stands) == _plain(typed) or (self.only_mine and not _plain(typed)):
                continue
            if counted_as(name) in differing:
                yield self._difference(label or typed_label, stands, typed)
            elif counted_as(name) not in counting and not names.is_view(name):
                label = self.words.text("count.stale.idle", label=label or typed_label)
                idle.append(self._difference(label, stands, typed))
        yield from idle

    def _counts(self) -> tuple[set[str], set[str]]:
        """What differs of that which counts, and all that counts in either."""
        rules, language = self.occasion.rules, self.words.language
        there, mine = (what_counts(draft, rules, language) for draft in (self.there, self.mine))
        counting = there.keys() | mine.keys()
        return {name for name in counting if there.get(name) != mine.get(name)}, set(counting)

    def _difference(self, label: str, stands: str, typed: str) -> Difference:
        nothing = self.words.text("count.stale.nothing")
        return Difference(label, stands or nothing, typed or nothing)


def _plain(text: str) -> str:
    """What was typed, with nothing where it says none."""
    return text.strip() if text.strip() != "0" else ""


def _fields(occasion: Occasion, draft: Mapping[str, str], words: Words) -> dict[str, tuple[str, str]]:
    """Every field that the form would show of a draft: its label with the side's name, and its value in words."""
    telling = tell(occasion, Count(), Looked(None), draft, words, final=False)
    page = count_page(occasion, draft, telling, Sent(""), words)
    found: dict[str, tuple[str, str]] = {}
    for side in page.sides:
        for field in side.fields:
            found[field.id] = (words.text("count.of-side", label=field.label, side=side.name), field.value)
        for label, choices in _choices_of(side, words):
            found[choices[0].name] = (words.text("count.of-side", label=label, side=side.name), _chosen(choices))
        for tick in _ticks_of(side):
            label = words.text("count.of-side", label=tick.label, side=side.name)
            found[tick.name] = (label, words.text("value.yes") if tick.chosen else "")
    found |= dict(_of_hand(page, words))
    return found


def _choices_of(side: SideForm, words: Words) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """What of a side is chosen and not typed."""
    if side.laid:
        yield words.text("count.way"), side.laid.ways
        if side.laid.special:
            yield words.text("count.way.special"), side.laid.special
    yield words.text("count.left.legend"), side.left.ways


def _ticks_of(side: SideForm) -> Iterator[Choice]:
    """What of a side is ticked."""
    for meld in side.laid.melds if side.laid else ():
        if meld.concealed:
            yield meld.concealed
    if side.laid:
        yield side.laid.sum.below
    yield from (each.less for each in side.rare.adjustments)


def _of_hand(page: CountPage, words: Words) -> Iterator[tuple[str, tuple[str, str]]]:
    out = page.out
    if page.single:
        yield names.SINGLE, (words.text("count.single"), _chosen(page.single.choices))
    yield names.OUT, (words.text("count.out"), _chosen(tuple(choice for row in out.rows for choice in row)))
    cards = tuple(choice for choice in out.discard.cards if choice.value)
    yield names.DISCARD, (words.text("count.discard"), _chosen(cards))
    for field in (page.agreement.reason, page.remark.field):
        yield field.id, (field.label, field.value)
    for tick in (out.concealed, out.discard.none):
        if tick:
            yield tick.name, (tick.label, words.text("value.yes") if tick.chosen else "")


def _chosen(choices: tuple[Choice, ...]) -> str:
    return next((choice.label for choice in choices if choice.chosen), "")
