"""The fields of the rules as a page shows them, with the words and the source of each choice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.rules.loader import Option
from scorepad.rules.variants import default_of
from scorepad.web.citing import basis_words, source_title_shown
from scorepad.web.fields import Choice, ChoiceField, TextField, choice_field, text_field
from scorepad.web.matches.rules_form import RulesForm, option_field, usual_preset
from scorepad.web.matches.tables import coded
from scorepad.web.wording import length_words, options_words


@dataclass(frozen=True, slots=True)
class RuleFields:
    """The rules that may be chosen. `length` tells how long a match goes, where no target is asked."""

    length: str
    target: TextField | None
    preset: ChoiceField | None
    options: tuple[ChoiceField, ...]
    are_open: bool


def rules_shown(form: RulesForm, words: Words, *, are_open: bool) -> RuleFields:
    """The fields of a variant's rules."""
    variant = form.plays
    target = variant.options.get("target")
    return RuleFields(
        length="" if target else words.text("web.new.length", length=length_words(variant, words)),
        target=_target(form, target, words) if target else None,
        preset=_preset(form, words) if variant.presets else None,
        options=tuple(_option(form, option, words) for option in form.house),
        are_open=are_open,
    )


def _preset(form: RulesForm, words: Words) -> ChoiceField:
    named = tuple(
        Choice(
            preset.id,
            words.text(f"preset.{preset.id}"),
            options_words(preset.options, words),
            source_title_shown(preset.source),
        )
        for preset in form.plays.presets.values()
    )
    none = () if usual_preset(form.plays) else (Choice("", words.text("web.new.preset.none")),)
    return choice_field(form.preset, words.text("web.new.preset"), (*none, *named))


def _option(form: RulesForm, option: Option, words: Words) -> ChoiceField:
    """A rule of the house. Where there are codifications it may follow them; else the usual value is one of its own."""
    variant = form.plays
    usual = default_of(variant, option)
    values = tuple(
        Choice(coded(entry.value), value_word(option.id, entry.value, words), "", basis_words(entry.cited, words))
        for entry in variant.values_of(option)
    )
    if variant.presets:
        note = words.text("web.new.follow.note", usual=value_word(option.id, usual, words))
        values = (Choice("", words.text("web.new.follow"), note), *values)
    else:
        note = words.text("web.new.usual")
        values = tuple(replace(each, value="", note=note) if each.value == coded(usual) else each for each in values)
    return choice_field(form[option_field(option.id)], words.text(f"option.{option.id}"), values)


def _target(form: RulesForm, option: Option, words: Words) -> TextField:
    usual = default_of(form.plays, option)
    step = option.step or 1
    hint = words.text("web.new.target.hint" if step > 1 else "web.new.target.hint-any", usual=int(usual), step=step)
    return text_field(form["option-target"], words.text("option.target"), hint, is_number=True)
