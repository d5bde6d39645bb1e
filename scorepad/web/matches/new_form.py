"""The form of a new match: names, dealer, place, codification and options, for one variant and so many players."""

from __future__ import annotations

from typing import Any

from wtforms import Field, HiddenField, StringField, ValidationError

from scorepad.pad.values import NewMatch
from scorepad.rules.loader import Option
from scorepad.rules.seats import Seat
from scorepad.rules.variants import LARGEST_TARGET, Choice, Choices, Variant, default_of
from scorepad.web.figures import read_figure
from scorepad.web.forms import PadForm
from scorepad.web.frame import language, page_words
from scorepad.web.matches.forms import LabelsForm, label_fields
from scorepad.web.matches.tables import coded, default_names, is_default_name, seats_of, sits_by, sizes_of


class NewMatchForm(LabelsForm):
    """A new match of one variant, for the players that sit at the table. Made by `new_match_form`."""

    plays: Variant
    seated: Choices
    """What was chosen of the options that decide who sits at the table."""
    preset: StringField
    variant = HiddenField()
    dealer = StringField(default="0-0")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who may deal first, clockwise."""
        return seats_of(self.plays, self.seated)

    @property
    def house(self) -> tuple[Option, ...]:
        """The options with a list of values that are asked among the rules of the house."""
        asked_before = sits_by(self.plays)
        return tuple(
            option for option in self.plays.options.values() if option.step is None and option not in asked_before
        )

    @property
    def options(self) -> dict[str, Choice]:
        """The options chosen, with those that follow the codification left out."""
        chosen = {name: self._option(option) for name, option in self.plays.options.items()}
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def has_names(self) -> bool:
        """Whether any name, dealer or place was typed, or is wrong."""
        typed = [name for side in self.players for name in side] + [self.place_typed]
        moved = self.dealer.data != "0-0" or not all(map(is_default_name, self.names))
        return moved or any(map(str.strip, typed)) or self._has_errors("name-", "player-", "place", "dealer")

    @property
    def has_rules(self) -> bool:
        """Whether any rule was chosen otherwise than usual, or is wrong."""
        asked_before = {option.id for option in sits_by(self.plays)}
        chosen = [self[f"option-{name}"].data or "" for name in self.plays.options if name not in asked_before]
        moved = self.preset.data != usual_preset(self.plays)
        return moved or any(map(str.strip, chosen)) or self._has_errors("option-", "preset")

    def new_match(self) -> NewMatch:
        """The match that this form starts."""
        side, index = self.dealer.data.split("-")
        defaults = default_names(self.side_sizes, page_words())
        names = tuple(typed if typed.strip() else usual for typed, usual in zip(self.names, defaults, strict=True))
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            names=names,
            players=self.players,
            dealer=(int(side), int(index)),
            place=self.place_typed,
        )

    def validate_preset(self, field: Field) -> None:
        """Refuse a codification that the variant does not have."""
        _one_of(field, (usual_preset(self.plays), *self.plays.presets))

    def validate_dealer(self, field: Field) -> None:
        """Refuse a seat that the table does not have."""
        _one_of(field, tuple(f"{side}-{index}" for side, index in self.seats))

    def name_sides(self) -> None:
        """Give the sides that nobody has named the names that are usual at this table."""
        for side, name in enumerate(default_names(self.side_sizes, page_words())):
            field = self[f"name-{side}"]
            field.data = name if is_default_name(field.data or "") else field.data

    def forget_strangers(self, before: Variant) -> None:
        """Leave out what was chosen for the variant `before` and does not exist in this one, or means nothing here."""
        if self.preset.data not in self.plays.presets:
            self.preset.data = usual_preset(self.plays)
        if self.dealer.data not in {f"{side}-{index}" for side, index in self.seats}:
            self.dealer.data = "0-0"
        for option in self.plays.options.values():
            field, earlier = self[f"option-{option.id}"], before.options.get(option.id)
            if option.step is None:
                is_known = field.data in known_values(self.plays, option)
            else:
                is_known = earlier is not None and earlier.step == option.step
            field.data = field.data if is_known else ""

    def _has_errors(self, *starts: str) -> bool:
        return any(name.startswith(starts) for name in self.errors)

    def _option(self, option: Option) -> Choice | None:
        typed = (self[f"option-{option.id}"].data or "").strip()
        if not typed:
            return None
        if option.step is not None:
            amount = read_figure(typed, language())
            return None if amount == default_of(self.plays, option) else amount
        return next((entry.value for entry in option.values if coded(entry.value) == typed), None)


def new_match_form(variant: Variant, seated: Choices) -> type[NewMatchForm]:
    """The form of a new match of this variant, with so many at the table."""
    fields = label_fields(sizes_of(variant, seated))
    fields |= {"plays": variant, "seated": seated, "preset": StringField(default=usual_preset(variant))}
    for option in variant.options.values():
        check = _amount_of(variant, option) if option.step is not None else _value_of(variant, option)
        fields[f"option-{option.id}"] = StringField(default="", validators=[check])
    return type("NewMatchForm", (NewMatchForm,), fields)


def usual_preset(variant: Variant) -> str:
    """The codification that changes nothing in the variant; empty where there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def _one_of(field: Field, known: tuple[str, ...]) -> None:
    if field.data not in known:
        raise ValidationError(page_words().text("web.error.choice"))


def known_values(variant: Variant, option: Option) -> tuple[str, ...]:
    """What a form may send for an option; nothing follows the codification, or what is usual."""
    sides = len(variant.settings["sides"].value)
    return ("", *(coded(entry.value) for entry in option.values if entry.only_sides in (None, sides)))


def _value_of(variant: Variant, option: Option) -> Any:
    known = known_values(variant, option)
    return lambda _form, field: _one_of(field, known)


def _amount_of(variant: Variant, option: Option) -> Any:
    step, usual = option.step or 1, int(default_of(variant, option))

    def check(_form: PadForm, field: Field) -> None:
        typed, speech = (field.data or "").strip(), page_words()
        amount = read_figure(typed, language()) if typed else step
        if amount is None:
            raise ValidationError(speech.text("web.error.amount", usual=usual))
        if amount <= 0 or amount % step or amount > LARGEST_TARGET:
            key = "web.error.amount-step" if step > 1 else "web.error.amount-any"
            raise ValidationError(speech.text(key, step=step))

    return check
