"""The fields for the rules of one variant: codification, options, target; wherever a table chooses them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wtforms import Field, StringField, ValidationError

from scorepad.rules.loader import Option
from scorepad.rules.match import LARGEST
from scorepad.rules.variants import Choice, Variant, default_of
from scorepad.web.figures import read_whole
from scorepad.web.forms import PadForm
from scorepad.web.frame import language, page_words
from scorepad.web.matches.tables import coded, sits_by


class RulesForm(PadForm):
    """The rules of one variant. Its fields are made by `rule_fields`, for as many options as may be chosen."""

    plays: Variant
    preset: StringField

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
        chosen = {
            name: self._option(option) for name, option in self.plays.options.items() if option_field(name) in self
        }
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def has_rules(self) -> bool:
        """Whether any rule was chosen otherwise than usual, or is wrong."""
        asked_before = {option.id for option in sits_by(self.plays)}
        chosen = [self[option_field(name)].data or "" for name in self.plays.options if name not in asked_before]
        moved = self.preset.data != usual_preset(self.plays)
        return moved or any(map(str.strip, chosen)) or self.has_errors("option-", "preset")

    def validate_preset(self, field: Field) -> None:
        """Refuse a codification that the variant does not have."""
        one_of(field, (usual_preset(self.plays), *self.plays.presets))

    def take_rules(self, asked: Mapping[str, str]) -> None:
        """Choose what an address of the rulebook chose; what the variant does not have is left out."""
        if asked.get("preset") in self.plays.presets:
            self.preset.data = asked["preset"]
        for option in self.plays.options.values():
            given = asked.get(option.id, "").strip()
            amount = option.step is not None and read_whole(given, language())
            if amount or given in known_values(self.plays, option):
                self[option_field(option.id)].data = given

    def forget_strange_rules(self, before: Variant) -> None:
        """Leave out what was chosen for the variant `before` and does not exist in this one, or means nothing here."""
        if self.preset.data not in self.plays.presets:
            self.preset.data = usual_preset(self.plays)
        for option in self.plays.options.values():
            field, earlier = self[option_field(option.id)], before.options.get(option.id)
            if option.step is None:
                is_known = field.data in known_values(self.plays, option)
            else:
                is_known = earlier is not None and earlier.step == option.step
            field.data = field.data if is_known else ""

    def has_errors(self, *starts: str) -> bool:
        """Whether anything is wrong with a field whose name starts so."""
        return any(name.startswith(starts) for name in self.errors)

    def _option(self, option: Option) -> Choice | None:
        typed = (self[option_field(option.id)].data or "").strip()
        if not typed:
            return None
        if option.step is not None:
            amount = read_whole(typed, language())
            return None if amount == default_of(self.plays, option) else amount
        return next((entry.value for entry in option.values if coded(entry.value) == typed), None)


def rule_fields(variant: Variant, options: Iterable[Option]) -> dict[str, Any]:
    """The fields of the codification and of these options, in the order of the page."""
    fields: dict[str, Any] = {"plays": variant, "preset": StringField(default=usual_preset(variant))}
    for option in options:
        check = _amount_of(variant, option) if option.step is not None else _value_of(variant, option)
        fields[option_field(option.id)] = StringField(default="", validators=[check])
    return fields


def option_field(option: str) -> str:
    """The field of an option."""
    return f"option-{option}"


def usual_preset(variant: Variant) -> str:
    """The codification that changes nothing in the variant; empty where there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def one_of(field: Field, known: tuple[str, ...]) -> None:
    """Refuse what the page does not offer."""
    if field.data not in known:
        raise ValidationError(page_words().text("web.error.choice"))


def known_values(variant: Variant, option: Option) -> tuple[str, ...]:
    """What a form may send for an option; nothing follows the codification, or what is usual."""
    return ("", *(coded(entry.value) for entry in variant.values_of(option)))


def _value_of(variant: Variant, option: Option) -> Any:
    known = known_values(variant, option)
    return lambda _form, field: one_of(field, known)


def _amount_of(variant: Variant, option: Option) -> Any:
    step, usual = option.step or 1, int(default_of(variant, option))

    def check(_form: PadForm, field: Field) -> None:
        typed, speech = (field.data or "").strip(), page_words()
        amount = read_whole(typed, language()) if typed else step
        if amount is None:
            raise ValidationError(speech.text("web.error.amount", usual=usual))
        if amount <= 0 or amount % step or amount > LARGEST:
            key = "web.error.amount-step" if step > 1 else "web.error.amount-any"
            raise ValidationError(speech.text(key, step=step))

    return check
