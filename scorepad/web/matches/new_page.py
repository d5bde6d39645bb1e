"""The page of a new match as values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.rules.loader import Option
from scorepad.rules.match import Seat
from scorepad.rules.variants import Variant, default_of, get_variant, variant_ids
from scorepad.schemas.variants import Difference, differences
from scorepad.web.citing import places
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import form_errors
from scorepad.web.frame import Page
from scorepad.web.labels import versus
from scorepad.web.matches.label_fields import SideFields, side_fields
from scorepad.web.matches.new_form import NewMatchForm
from scorepad.web.matches.paper_page import PaperFields, paper_shown
from scorepad.web.matches.rules_page import RuleFields, rules_shown
from scorepad.web.matches.tables import coded, sits_by
from scorepad.web.wording import length_words, players_words


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """A variant to play: a button that keeps what was typed."""

    id: str
    name: str
    players: str
    special: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TableChoice:
    """Something that decides who sits at the table: a button for each value, that keeps what was typed.

    `id` is that of the field that keeps the value, `chosen` what it holds.
    """

    id: str
    name: str
    chosen: str
    values: tuple[TableValue, ...]


@dataclass(frozen=True, slots=True)
class TableValue:
    """A value of it: what the button sends and says."""

    sends: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The settings that decide anything in a game and differ from the classic game.

    Each with its source, empty where it is `source`, the most common one.
    """

    differences: tuple[tuple[Difference, str], ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatchPage(Page):
    """A new match: one button that starts it, everything else optional below."""

    template: ClassVar[str] = "matches/new.html"
    has_form: ClassVar[bool] = True
    form: NewMatchForm
    start: str
    """What the large button says."""
    game: str
    """What it starts, in a line."""
    special: str
    """What is special in the game, in a line; empty for the classic one."""
    tables: tuple[TableChoice, ...]
    variants: tuple[VariantChoice, ...]
    comparison: Comparison | None
    """What the game decides otherwise than the classic one; None for that one itself."""
    differs: str
    """What the comparison is called."""
    rules: RuleFields
    sides: tuple[SideFields, ...]
    dealer: ChoiceField
    place: TextField
    paper: PaperFields
    chose_variant: bool
    """Whether another variant was just chosen: then what it changes stands open, and its rules."""
    names_open: bool


def new_match_page(form: NewMatchForm, words: Words, *, chose_variant: bool = False) -> NewMatchPage:
    """The page of a new match with everything that was typed; whatever was typed stands open."""
    variant = form.plays
    name, comparison = words.text(f"variant.{variant.id}.name"), _compared_with_classic(variant, words)
    return NewMatchPage(
        title=words.text("web.new.title"),
        errors=form_errors(form),
        form=form,
        start=words.text("web.new.start", sides=versus(form.side_names, words)),
        game=_game(form, words),
        special=words.text(f"variant.{variant.id}.special") if comparison else "",
        tables=tuple(_table(form, option, words) for option in sits_by(variant)),
        variants=tuple(_variant(name, variant, words) for name in variant_ids()),
        comparison=comparison,
        differs=words.text("web.new.differs", variant=name),
        rules=rules_shown(form, words, are_open=form.has_rules or chose_variant),
        sides=side_fields(form, words),
        dealer=_dealer(form, words),
        place=text_field(form.place, words.text("web.place")),
        paper=paper_shown(form, words),
        chose_variant=chose_variant,
        names_open=form.has_names,
    )


def _compared_with_classic(variant: Variant, words: Words) -> Comparison | None:
    """A game against the classic one; None for the classic game itself."""
    found = [each for each in differences(variant, words) if each.matters]
    if not found:
        return None
    named = [places(map(str, each.cited.citations), words) for each in found]
    usual = Counter(named).most_common(1)[0][0]
    own = ("" if source == usual else source for source in named)
    return Comparison(tuple(zip(found, own, strict=True)), usual)


def _game(form: NewMatchForm, words: Words) -> str:
    return words.text(
        "web.new.game",
        variant=words.text(f"variant.{form.plays.id}.name"),
        players=words.text("players", count=sum(form.side_sizes)),
        length=length_words(form.plays, words),
    )


def _table(form: NewMatchForm, option: Option, words: Words) -> TableChoice:
    field = form[f"option-{option.id}"]
    chosen = field.data or coded(default_of(form.plays, option))
    values = tuple(
        TableValue(
            f"{option.id}={coded(entry.value)}", value_word(option.id, entry.value, words), coded(entry.value) == chosen
        )
        for entry in option.values
    )
    return TableChoice(field.id, words.text(f"option.{option.id}"), field.data or "", values)


def _variant(name: str, chosen: Variant, words: Words) -> VariantChoice:
    variant = get_variant(name)
    return VariantChoice(
        id=variant.id,
        name=words.text(f"variant.{variant.id}.name"),
        players=players_words(variant, words),
        special=words.text(f"variant.{variant.id}.special"),
        is_chosen=variant.id == chosen.id,
    )


def _dealer(form: NewMatchForm, words: Words) -> ChoiceField:
    names = form.side_names
    seats = tuple(Choice(f"{side}-{index}", _seat((side, index), form, names, words)) for side, index in form.seats)
    label = words.text("course.paper.dealer" if form.has_paper else "web.new.dealer")
    return choice_field(form.dealer, label, seats)


def _seat(seat: Seat, form: NewMatchForm, names: tuple[str, ...], words: Words) -> str:
    side, index = seat
    if form.side_sizes[side] == 1:
        return names[side]
    typed = form.players[side][index].strip()
    if typed:
        return words.text("web.seat.named", player=typed, side=names[side])
    return words.text("web.seat.unnamed", side=names[side], place=index + 1)
