"""The page of a new match as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from scorepad.i18n import Words
from scorepad.rules.loader import Option
from scorepad.rules.seats import Seat
from scorepad.rules.variants import Variant, default_of, get_variant, variant_ids
from scorepad.web.citing import source_title
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import form_errors
from scorepad.web.frame import Page
from scorepad.web.games.telling import Comparison, changes, compared, length_told, players_told, told
from scorepad.web.labels import versus
from scorepad.web.matches.label_fields import SideFields, side_fields
from scorepad.web.matches.new_form import NewMatchForm, usual_preset
from scorepad.web.matches.tables import coded, default_names, sits_by
from scorepad.web.wording import value_word


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
class RuleFields:
    """The rules that may be chosen. `length` tells how long a match goes, where no target is asked."""

    length: str
    target: TextField | None
    preset: ChoiceField | None
    options: tuple[ChoiceField, ...]
    are_open: bool


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
    chose_variant: bool
    """Whether another variant was just chosen: then what it changes stands open, and its rules."""
    names_open: bool


def new_match_page(form: NewMatchForm, words: Words, *, chose_variant: bool = False) -> NewMatchPage:
    """The page of a new match with everything that was typed; whatever was typed stands open."""
    variant = form.plays
    name, comparison = words.text(f"variant.{variant.id}.name"), compared(variant, words)
    return NewMatchPage(
        title=words.text("web.new.title"),
        errors=form_errors(form),
        form=form,
        start=words.text("web.new.start", sides=versus(_names(form, words), words)),
        game=_game(form, words),
        special=words.text(f"variant.{variant.id}.special") if comparison else "",
        tables=tuple(_table(form, option, words) for option in sits_by(variant)),
        variants=tuple(_variant(name, variant, words) for name in variant_ids()),
        comparison=comparison,
        differs=words.text("web.new.differs", variant=name),
        rules=_rules(form, words, are_open=form.has_rules or chose_variant),
        sides=side_fields(form, words),
        dealer=_dealer(form, words),
        place=text_field(form.place, words.text("web.place")),
        chose_variant=chose_variant,
        names_open=form.has_names,
    )


def _rules(form: NewMatchForm, words: Words, *, are_open: bool) -> RuleFields:
    variant = form.plays
    target = variant.options.get("target")
    return RuleFields(
        length="" if target else words.text("web.new.length", length=length_told(variant, words)),
        target=_target(form, target, words) if target else None,
        preset=_preset(form, words) if variant.presets else None,
        options=tuple(_option(form, option, words) for option in form.house),
        are_open=are_open,
    )


def _names(form: NewMatchForm, words: Words) -> tuple[str, ...]:
    usual = default_names(form.side_sizes, words)
    return tuple(typed.strip() or default for typed, default in zip(form.names, usual, strict=True))


def _game(form: NewMatchForm, words: Words) -> str:
    return words.text(
        "web.new.game",
        variant=words.text(f"variant.{form.plays.id}.name"),
        players=words.text("players", count=sum(form.side_sizes)),
        length=length_told(form.plays, words),
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
        players=players_told(variant, words),
        special=words.text(f"variant.{variant.id}.special"),
        is_chosen=variant.id == chosen.id,
    )


def _preset(form: NewMatchForm, words: Words) -> ChoiceField:
    named = tuple(
        Choice(preset.id, words.text(f"preset.{preset.id}"), changes(preset, words), source_title(preset.source))
        for preset in form.plays.presets.values()
    )
    none = () if usual_preset(form.plays) else (Choice("", words.text("web.new.preset.none")),)
    return choice_field(form.preset, words.text("web.new.preset"), (*none, *named))


def _option(form: NewMatchForm, option: Option, words: Words) -> ChoiceField:
    """A rule of the house. Where there are codifications it may follow them; else the usual value is one of its own."""
    variant = form.plays
    sides, usual = len(variant.settings["sides"].value), default_of(variant, option)
    values = tuple(
        Choice(coded(entry.value), value_word(option.id, entry.value, words), "", told(entry.cited, words))
        for entry in option.values
        if entry.only_sides in (None, sides)
    )
    if variant.presets:
        note = words.text("web.new.follow.note", usual=value_word(option.id, usual, words))
        values = (Choice("", words.text("web.new.follow"), note), *values)
    else:
        note = words.text("web.new.usual")
        values = tuple(replace(each, value="", note=note) if each.value == coded(usual) else each for each in values)
    return choice_field(form[f"option-{option.id}"], words.text(f"option.{option.id}"), values)


def _target(form: NewMatchForm, option: Option, words: Words) -> TextField:
    usual = default_of(form.plays, option)
    step = option.step or 1
    hint = words.text("web.new.target.hint" if step > 1 else "web.new.target.hint-any", usual=int(usual), step=step)
    return text_field(form["option-target"], words.text("option.target"), hint, is_number=True)


def _dealer(form: NewMatchForm, words: Words) -> ChoiceField:
    names = _names(form, words)
    seats = tuple(Choice(f"{side}-{index}", _seat((side, index), form, names, words)) for side, index in form.seats)
    return choice_field(form.dealer, words.text("web.new.dealer"), seats)


def _seat(seat: Seat, form: NewMatchForm, names: tuple[str, ...], words: Words) -> str:
    side, index = seat
    if form.side_sizes[side] == 1:
        return names[side]
    typed = form.players[side][index].strip()
    if typed:
        return words.text("web.seat.named", player=typed, side=names[side])
    return words.text("web.seat.unnamed", side=names[side], place=index + 1)
