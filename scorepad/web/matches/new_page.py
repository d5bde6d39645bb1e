"""The page of a new match as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scorepad.i18n import Words
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.loader import Option, Preset
from scorepad.rules.seats import Seat
from scorepad.rules.variants import Variant, default_of, get_variant, variant_ids
from scorepad.web.citing import places, source_title
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.forms import form_errors
from scorepad.web.frame import Page
from scorepad.web.labels import versus
from scorepad.web.matches.forms import NewMatchForm, coded, default_names, usual_preset
from scorepad.web.matches.label_fields import SideFields, side_fields
from scorepad.web.wording import value_word


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """A variant to play: a button that keeps what was typed."""

    id: str
    name: str
    players: str
    special: str
    is_chosen: bool


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
    variants: tuple[VariantChoice, ...]
    preset: ChoiceField | None
    options: tuple[ChoiceField, ...]
    target: TextField | None
    sides: tuple[SideFields, ...]
    dealer: ChoiceField
    place: TextField
    chose_variant: bool
    """Whether the variants stand open, as where another one was just chosen; likewise the names and the rules."""
    names_open: bool
    rules_open: bool


def new_match_page(form: NewMatchForm, words: Words, *, chose_variant: bool = False) -> NewMatchPage:
    """The page of a new match with everything that was typed; whatever was typed stands open."""
    variant = form.plays
    options = tuple(_option(form, option, words) for option in variant.options.values() if option.step is None)
    target = variant.options.get("target")
    return NewMatchPage(
        title=words.text("web.new.title"),
        errors=form_errors(form),
        form=form,
        start=words.text("web.new.start", sides=versus(_names(form, words), words)),
        game=_game(variant, words),
        variants=tuple(_variant(name, variant, words) for name in variant_ids()),
        preset=_preset(form, words) if variant.presets else None,
        options=options,
        target=_target(form, target, words) if target else None,
        sides=side_fields(form, words),
        dealer=_dealer(form, words),
        place=text_field(form.place, words.text("web.place")),
        chose_variant=chose_variant,
        names_open=form.has_names,
        rules_open=form.has_rules,
    )


def _names(form: NewMatchForm, words: Words) -> tuple[str, ...]:
    usual = default_names(form.side_sizes, words)
    return tuple(typed.strip() or default for typed, default in zip(form.names, usual, strict=True))


def _game(variant: Variant, words: Words) -> str:
    target = words.figure(variant.settings["target"].value)
    return words.text(
        "web.new.game",
        variant=words.text(f"variant.{variant.id}.name"),
        players=_players(variant, words),
        target=target,
    )


def _players(variant: Variant, words: Words) -> str:
    return words.text("players", count=sum(variant.settings["sides"].value))


def _variant(name: str, chosen: Variant, words: Words) -> VariantChoice:
    variant = get_variant(name)
    return VariantChoice(
        id=variant.id,
        name=words.text(f"variant.{variant.id}.name"),
        players=_players(variant, words),
        special=words.text(f"variant.{variant.id}.special"),
        is_chosen=variant.id == chosen.id,
    )


def _preset(form: NewMatchForm, words: Words) -> ChoiceField:
    named = tuple(
        Choice(preset.id, words.text(f"preset.{preset.id}"), _changes(preset, words), source_title(preset.source))
        for preset in form.plays.presets.values()
    )
    none = () if usual_preset(form.plays) else (Choice("", words.text("web.new.preset.none")),)
    return choice_field(form.preset, words.text("web.new.preset"), (*none, *named))


def _changes(preset: Preset, words: Words) -> str:
    """What a codification chooses, in words."""
    told = [
        words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
        for name, value in preset.options.items()
    ]
    return "; ".join(told) or words.text("web.new.preset.nothing")


def _option(form: NewMatchForm, option: Option, words: Words) -> ChoiceField:
    variant = form.plays
    sides = len(variant.settings["sides"].value)
    usual = value_word(option.id, default_of(variant, option), words)
    follow = Choice("", words.text("web.new.follow"), words.text("web.new.follow.note", usual=usual))
    values = (
        Choice(coded(entry.value), value_word(option.id, entry.value, words), "", cited(entry.cited, words))
        for entry in option.values
        if entry.only_sides in (None, sides)
    )
    return choice_field(form[f"option-{option.id}"], words.text(f"option.{option.id}"), (follow, *values))


def cited(why: Cited, words: Words) -> str:
    """Where a choice is said, or that it was read into the sources or agreed at the table."""
    told = [places(map(str, why.citations), words)] if why.citations else []
    if why.read:
        told.append(words.text("web.new.read", why=words.text(f"read.{why.read}")))
    elif why.standing is not Standing.STATED:
        told.append(words.text(f"standing.{why.standing}"))
    return ". ".join(told)


def _target(form: NewMatchForm, option: Option, words: Words) -> TextField:
    usual = default_of(form.plays, option)
    hint = words.text("web.new.target.hint", usual=int(usual), step=option.step or 1)
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
