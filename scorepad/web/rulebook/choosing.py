"""What a reader chose of a game's codifications and options, read from the address of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.rules.loader import Option
from scorepad.rules.variants import Choice, Ruleset, Variant, as_played, settle
from scorepad.web.figures import read_figure
from scorepad.web.frame import FieldError
from scorepad.web.matches.tables import coded
from scorepad.web.rulebook import places

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Chosen:
    """A game as the reader chose it.

    `variant` is the game as its data has it, `played` the same with what was chosen in its settings, `rules` what a
    table then plays by. `errors` tell what was asked and cannot be; it is left out.
    """

    variant: Variant
    preset: str | None
    options: Mapping[str, Choice]
    errors: tuple[FieldError, ...]

    @property
    def played(self) -> Variant:
        """The variant under these choices."""
        return as_played(self.variant.id, self.preset, self.options)

    @property
    def rules(self) -> Ruleset:
        """The rules in force under these choices."""
        return settle(self.variant.id, self.preset, self.options)

    def url(self, anchor: str | None = None) -> str:
        """The page of the game under these choices."""
        return places.game_url(self.variant.id, self.preset, self.options, anchor)

    def with_choice(self, option: str, value: Choice) -> Variant:
        """The variant with one option chosen otherwise."""
        return as_played(self.variant.id, self.preset, {**self.options, option: value})

    def url_with(self, option: str, value: Choice, anchor: str | None = None) -> str:
        """The page of the game with one option chosen otherwise."""
        return places.game_url(self.variant.id, self.preset, {**self.options, option: value}, anchor)

    def told(self, words: Words) -> str:
        """What was chosen, in words; empty where nothing was."""
        named = [words.text(f"preset.{self.preset}")] if self.preset else []
        named += [
            words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
            for name, value in self.options.items()
        ]
        return "; ".join(named)


def usual(variant: Variant) -> Chosen:
    """The game with nothing chosen."""
    return Chosen(variant, None, {}, ())


def chosen(variant: Variant, asked: Mapping[str, str], words: Words) -> Chosen:
    """The game with what an address asks for; what cannot be is told and left out."""
    preset, errors = asked.get(places.PRESET, "").strip() or None, []
    if preset is not None and preset not in variant.presets:
        errors.append(FieldError(None, words.text("rulebook.unknown.preset", given=preset[:_LONGEST])))
        preset = None
    options: dict[str, Choice] = {}
    for option, given in _given(variant, asked):
        value = _read(variant, option, given, words)
        if value is None:
            name = words.text(f"option.{option.id}")
            errors.append(FieldError(None, words.text("rulebook.unknown.option", option=name, given=given[:_LONGEST])))
        else:
            options[option.id] = value
    return Chosen(variant, preset, options, tuple(errors))


def _given(variant: Variant, asked: Mapping[str, str]) -> Iterator[tuple[Option, str]]:
    for option in variant.options.values():
        given = asked.get(option.id, "").strip()
        if given:
            yield option, given


def _read(variant: Variant, option: Option, given: str, words: Words) -> Choice | None:
    """The value that is meant; None where there is none such."""
    if option.step is not None:
        value: Choice | None = read_figure(given, words.language)
    else:
        value = next((each.value for each in option.values if coded(each.value) == given), None)
    if value is None:
        return None
    try:
        settle(variant.id, None, {option.id: value})
    except ChoiceError:
        return None
    return value
