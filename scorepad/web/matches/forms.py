"""The forms about a match. Fields are named after what they hold: `name-0`, `player-0-1`, `option-wild-limit`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wtforms import Field, HiddenField, IntegerField, StringField, ValidationError

from scorepad.i18n import Language, Words, words
from scorepad.pad.values import NameProblem, NewMatch
from scorepad.rules.entries import Place
from scorepad.rules.loader import Option
from scorepad.rules.seats import Seat, seating
from scorepad.rules.variants import LARGEST_TARGET, Choice, Variant, default_of
from scorepad.web.figures import read_figure
from scorepad.web.forms import PadForm
from scorepad.web.frame import language, page_words

NAMES_SPOKEN = ("noi", "loro")
_KINDS = {1: "player", 2: "side"}


class UndoForm(PadForm):
    """Undo the last thing done, as long as nothing else has been done since."""

    seen = IntegerField()

    def validate_seen(self, field: Field) -> None:
        """Refuse what no page of ours gave."""
        if not isinstance(field.data, int):
            raise ValidationError(page_words().text("web.error.expired"))


class LabelsForm(PadForm):
    """Names of sides and players, and the place. Made for a table size by `labels_form`."""

    side_sizes: tuple[int, ...] = ()
    place: StringField

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides as typed."""
        return tuple(self[f"name-{side}"].data or "" for side in range(len(self.side_sizes)))

    @property
    def place_typed(self) -> str:
        """The place as typed."""
        return self.place.data or ""

    @property
    def players(self) -> tuple[tuple[str, ...], ...]:
        """The players by side, as typed; a side of one is named after its player."""
        return tuple(
            tuple(self[f"player-{side}-{index}"].data or "" for index in range(size)) if size > 1 else ("",)
            for side, size in enumerate(self.side_sizes)
        )

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Put what the pad says against the names beside their fields."""
        speech = page_words()
        for problem in problems:
            figures = {} if problem.limit is None else {"limit": problem.limit}
            field, text = self[field_of(problem.where)], speech.text(f"web.names.{problem.code}", **figures)
            field.errors = (*field.errors, self._told_of(problem.where, text, speech))

    def _told_of(self, where: Place, text: str, speech: Words) -> str:
        """What is wrong with a name, with whose it is: read in the summary it stands far from its field."""
        kind, *rest = where
        if kind == "place":
            return speech.text("web.names.of-side", whose=speech.text("web.place"), text=text)
        if kind not in ("names", "players") or not rest:
            return text
        side, *seat = (int(part) for part in rest)
        whose = side_word(self.side_sizes, side, speech)
        if not seat:
            return speech.text("web.names.of-side", whose=whose, text=text)
        player = speech.text("web.field.player", number=seat[0] + 1)
        return speech.text("web.names.of-player", side=whose, player=player, text=text)


def side_kind(size: int) -> str:
    """What a side of so many is called: one is a player, and more than two are a team."""
    return _KINDS.get(size, "team")


def side_word(side_sizes: tuple[int, ...], side: int, speech: Words) -> str:
    """A side by its number, whatever its name."""
    return speech.text(f"web.field.{side_kind(side_sizes[side])}", number=side + 1)


def field_of(where: Place) -> str:
    """The field of a place in the names: `("players", 0, 1)` is `player-0-1`."""
    kind, *rest = where
    if kind in ("names", "players") and rest:
        return "-".join((str(kind).removesuffix("s"), *map(str, rest)))
    return str(kind) if kind in ("place", "dealer") else "name-0"


def label_fields(side_sizes: tuple[int, ...]) -> dict[str, Any]:
    """The fields of names for sides of these sizes, and of the place, in the order of the page."""
    fields: dict[str, Any] = {"side_sizes": side_sizes}
    for side, size in enumerate(side_sizes):
        fields[f"name-{side}"] = StringField()
        if size > 1:
            fields |= {f"player-{side}-{index}": StringField() for index in range(size)}
    return fields | {"place": StringField()}


def labels_form(side_sizes: tuple[int, ...]) -> type[LabelsForm]:
    """The form of names for sides of these sizes."""
    return type("LabelsForm", (LabelsForm,), label_fields(side_sizes))


class NewMatchForm(LabelsForm):
    """A new match of one variant. Made by `new_match_form`."""

    plays: Variant
    preset: StringField
    variant = HiddenField()
    dealer = StringField(default="0-0")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who may deal first, clockwise."""
        return seats_of(self.plays)

    @property
    def options(self) -> dict[str, Choice]:
        """The options chosen, with those that follow the codification left out."""
        chosen = {name: self._option(option) for name, option in self.plays.options.items()}
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def has_names(self) -> bool:
        """Whether any name, dealer or place was typed, or is wrong."""
        typed = [name for side in self.players for name in side] + [self.place_typed]
        moved = self.dealer.data != "0-0" or not are_default_names(self.names)
        return moved or any(map(str.strip, typed)) or self._has_errors("name-", "player-", "place", "dealer")

    @property
    def has_rules(self) -> bool:
        """Whether any rule was chosen otherwise than usual, or is wrong."""
        chosen = [self[f"option-{name}"].data or "" for name in self.plays.options]
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

    def forget_strangers(self) -> None:
        """Leave out what was chosen for another variant and does not exist in this one."""
        if self.preset.data not in self.plays.presets:
            self.preset.data = usual_preset(self.plays)
        if self.dealer.data not in {f"{side}-{index}" for side, index in self.seats}:
            self.dealer.data = "0-0"
        for option in self.plays.options.values():
            field = self[f"option-{option.id}"]
            if option.step is None and field.data not in known_values(self.plays, option):
                field.data = ""

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


def new_match_form(variant: Variant) -> type[NewMatchForm]:
    """The form of a new match of this variant."""
    fields = label_fields(tuple(variant.settings["sides"].value))
    fields |= {"plays": variant, "preset": StringField(default=usual_preset(variant))}
    for option in variant.options.values():
        check = _amount_of(option) if option.step is not None else _value_of(variant, option)
        fields[f"option-{option.id}"] = StringField(default="", validators=[check])
    return type("NewMatchForm", (NewMatchForm,), fields)


def usual_preset(variant: Variant) -> str:
    """The codification that changes nothing in the variant; empty where there is none."""
    return next((preset.id for preset in variant.presets.values() if not preset.options), "")


def coded(value: Choice) -> str:
    """An option's value as a form sends it."""
    return value if isinstance(value, str) else json.dumps(value)


def seats_of(variant: Variant) -> tuple[Seat, ...]:
    """The seats of a variant's table, clockwise."""
    from scorepad.rules.variants import settle

    return seating(settle(variant.id).settings)


def default_names(side_sizes: tuple[int, ...], speech: Words) -> tuple[str, ...]:
    """What the sides are called where nobody names them: Noi and Loro where pairs play."""
    if len(side_sizes) == len(NAMES_SPOKEN) and max(side_sizes) > 1:
        return tuple(speech.text(f"web.side.{name}") for name in NAMES_SPOKEN)
    return tuple(speech.text("web.side.player", number=number + 1) for number in range(len(side_sizes)))


def are_default_names(names: Sequence[str]) -> bool:
    """Whether nobody has named these sides yet, in any language."""
    known = {name for tongue in Language for size in ((2, 2), (1, 1, 1)) for name in default_names(size, words(tongue))}
    return all(not name.strip() or name.strip() in known for name in names)


def _one_of(field: Field, known: tuple[str, ...]) -> None:
    if field.data not in known:
        raise ValidationError(page_words().text("web.error.choice"))


def known_values(variant: Variant, option: Option) -> tuple[str, ...]:
    """What a form may send for an option; nothing follows the codification."""
    sides = len(variant.settings["sides"].value)
    return ("", *(coded(entry.value) for entry in option.values if entry.only_sides in (None, sides)))


def _value_of(variant: Variant, option: Option) -> Any:
    known = known_values(variant, option)
    return lambda _form, field: _one_of(field, known)


def _amount_of(option: Option) -> Any:
    step = option.step or 1

    def check(_form: PadForm, field: Field) -> None:
        typed = (field.data or "").strip()
        amount = read_figure(typed, language()) if typed else step
        if amount is None or amount <= 0 or amount % step or amount > LARGEST_TARGET:
            key = "web.error.amount" if amount is None else "web.error.amount-step"
            raise ValidationError(page_words().text(key, step=step))

    return check
