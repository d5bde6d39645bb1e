"""The rules of the same variant under which a question would get another answer.

Those are its other presets, and the values of its options that a table could have
chosen instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scorepad.errors import ChoiceError
from scorepad.referee.ruling import Alternative, Ruling
from scorepad.rules.definitions import (
    Choices,
    ChoiceValue,
    Option,
    OptionValue,
    Preset,
    Ruleset,
    SourceId,
    Variant,
    citation_texts,
    is_same,
)
from scorepad.rules.variants import default_of, get_variant, settle

GiveRulingUnder = Callable[[Ruleset], Ruling]
"""A function that answers one question under the rules that it is given."""


def find_alternatives(
    rules: Ruleset, ruling: Ruling, give_ruling_under: GiveRulingUnder
) -> tuple[Alternative, ...]:
    """Find the other rules of the same game under which a question would get another answer.

    A game has options, such as which first card of the discard pile freezes it. A preset is a set
    of options that one rule book plays with. `ruling` is the answer under the rules in force, and
    `give_ruling_under` answers the same question under any other rules.

    The result lists presets first, then single options, except those that the presets explain.
    """
    try:
        choices = _find_choices_of_players(rules)
        # Listed last, but found first: they explain why a preset gives another answer.
        single_options = _find_single_options(choices, rules, ruling, give_ruling_under)
        presets = _find_presets(choices, rules, ruling, give_ruling_under, single_options)
    except ChoiceError:
        # A match keeps the rules that it began with. The game may have lost one of their options,
        # or their preset, since then. So there is nothing to compare them with.
        return ()
    return (*presets, *_drop_explained_options(single_options, presets))


def _drop_explained_options(
    single_options: list[Alternative], presets: list[Alternative]
) -> list[Alternative]:
    """Drop the alternatives of a single option that a preset (set of options) explains already.

    If the preset `getty` gives another answer because of its option `upcard`, that option is not
    listed a second time by itself.
    """
    changes_of_presets: list[tuple[str, ChoiceValue]] = []  # names and values of options
    for preset in presets:
        changes_of_presets += preset.changed.items()

    unexplained: list[Alternative] = []
    for single in single_options:
        is_explained = all(change in changes_of_presets for change in single.changed.items())
        if not is_explained:
            unexplained.append(single)
    return unexplained


def is_same_answer(one: Ruling, other: Ruling) -> bool:
    """Tell whether two rulings are the same answer: "yes" and "yes", or "90 points" both times.

    Verdict and details must be equal. The reasons may differ: they do not change what a player may
    do.
    """
    return one.verdict is other.verdict and dict(one.details) == dict(other.details)


# ------------------------------------------------------------------------------------------ choices


@dataclass(frozen=True, slots=True)
class _PlayersChoices:
    """The rules that players choose: a game, perhaps one of its presets, and options besides."""

    variant: Variant
    preset: str | None
    own_options: Choices
    """The options that they choose themselves, beside those of the preset."""

    def settle_rules(self) -> Ruleset:
        """Return the rules that are in force with these choices."""
        return settle(self.variant.id, self.preset, self.own_options)

    def with_options(self, changed: Choices) -> _PlayersChoices:
        """Return the same choices with some options changed."""
        return replace(self, own_options={**self.own_options, **changed})

    def with_preset(self, preset: Preset) -> _PlayersChoices:
        """Return the choices of the same players with another preset: the rules of one rule book.

        They keep only those of their own options about which the book says nothing.
        """
        kept: dict[str, ChoiceValue] = {}
        for name, chosen in self.own_options.items():
            is_set_by_preset = name in preset.options
            # A preset leaves out an option if its book plays with the default.
            if not is_set_by_preset and not _is_default_of_book(self.variant, name, preset.source):
                kept[name] = chosen
        return replace(self, preset=preset.id, own_options=kept)

    def list_options_without_preset(self) -> Choices:
        """List the options by which the same rules are chosen without any preset.

        These are the players' own ones, and the options of the preset that are no defaults.
        """
        if self.preset is None:
            return self.own_options
        default_options = settle(self.variant.id).options
        return _pick_differing_options(self.settle_rules().options, default_options)


def _find_choices_of_players(rules: Ruleset) -> _PlayersChoices:
    """Find the choices by which players came to these rules.

    If they play the preset `getty`, but another value of its option `upcard`, only that option is
    their own. Raises ChoiceError if the game or the preset no longer exists.
    """
    options_of_preset = settle(rules.variant, rules.preset).options
    own_options: dict[str, ChoiceValue] = {}
    for name, chosen in rules.options.items():
        if name not in options_of_preset:  # the game has lost this option since the match began
            continue
        if not is_same(chosen, options_of_preset[name]):
            own_options[name] = chosen
    return _PlayersChoices(get_variant(rules.variant), rules.preset, own_options)


def _is_default_of_book(variant: Variant, option_name: str, book: SourceId) -> bool:
    """Tell whether a rule book is cited for the value that an option has by default."""
    option = variant.options[option_name]
    default = option.value_of(default_of(variant, option))
    if default is None:  # the default is a number of points, which has no citations of its own
        return False
    return any(citation.source == book for citation in default.cited.citations)


def _pick_differing_options(options: Choices, others: Choices) -> Choices:
    """Pick the options whose values differ from those in `others`, which has the same names.

    Of `{"upcard": "getty", "pile": "wikipedia"}`, with the other value `wikipedia` for both →
    `{"upcard": "getty"}`.
    """
    return {name: value for name, value in options.items() if not is_same(value, others[name])}


# ------------------------------------------------------------------------------------------ options


def _find_single_options(
    choices: _PlayersChoices,
    rules: Ruleset,
    ruling: Ruling,
    give_ruling_under: GiveRulingUnder,
) -> list[Alternative]:
    """Find the options that change the answer if only that one option has another value.

    `rules` are in force with the players' choices, and `ruling` is the answer under them.
    """
    alternatives: list[Alternative] = []
    for option, value in list_other_values(choices.variant, rules):
        changed = {option.id: value.value}
        other_choices = choices.with_options(changed)
        other_ruling = give_ruling_under(other_choices.settle_rules())
        if is_same_answer(other_ruling, ruling):
            continue
        alternative = Alternative(
            preset=None,  # its name would stand for all its options, and one of them is changed
            options=other_choices.list_options_without_preset(),
            changed=changed,
            ruling=other_ruling,
            sources=citation_texts([value.cited]),
        )
        alternatives.append(alternative)
    return alternatives


def list_other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """List each value that the players could have chosen instead, together with its option.

    With the option `end-of-stock` at `hand-ends`, its other value is `giochi`. Of an option that
    takes any number of points, only the numbers that a rule book names are listed. Options by which
    few tables play are left out: no rule book of this game has them.
    """
    for option in variant.options.values():
        if option.is_rare:
            continue
        for value in variant.values_of(option):
            changes_number_of_players = "sides" in value.sets
            if changes_number_of_players:  # that is no choice of rules
                continue
            chosen = rules.options.get(option.id)
            if chosen is None or not is_same(value.value, chosen):
                yield option, value


# ------------------------------------------------------------------------------------------ presets


def _find_presets(
    choices: _PlayersChoices,
    rules: Ruleset,
    ruling: Ruling,
    give_ruling_under: GiveRulingUnder,
    single_options: list[Alternative],
) -> list[Alternative]:
    """Find the other presets (the rules of one rule book each) that change the answer.

    `rules` are in force with the players' choices, and `ruling` is the answer under them. The
    `single_options` change it by themselves, so that they may explain why a preset does.
    """
    alternatives: list[Alternative] = []
    for preset in choices.variant.presets.values():
        if preset.id == choices.preset:
            continue
        other_choices = choices.with_preset(preset)
        other_rules = other_choices.settle_rules()
        other_ruling = give_ruling_under(other_rules)
        if is_same_answer(other_ruling, ruling):
            continue
        deciding = _find_deciding_options(other_rules, other_ruling, single_options)
        # Without a deciding option, only several together change the answer.
        to_cite = deciding or _list_options_by_which_preset_differs(preset, other_rules, rules)
        alternative = Alternative(
            preset=preset.id,
            options={**other_choices.own_options, **deciding},
            changed=deciding,
            ruling=other_ruling,
            sources=_cite_options(choices.variant, to_cite),
        )
        alternatives.append(alternative)
    return alternatives


def _list_options_by_which_preset_differs(
    preset: Preset, rules_of_preset: Ruleset, rules: Ruleset
) -> Choices:
    """List the options that may be why a preset gives another answer than `rules`, those in force.

    They are the options that it sets. A preset that sets none stands for the defaults of the game:
    then they are the options that the players changed.
    """
    if preset.options:
        return preset.options
    return _pick_differing_options(rules_of_preset.options, rules.options)


def _find_deciding_options(
    rules_of_preset: Ruleset, ruling_of_preset: Ruling, single_options: list[Alternative]
) -> Choices:
    """Find the options of a preset that give its answer even without the rest of the preset.

    A preset is a set of options. If it sets `upcard` to `getty`, and this option alone gives the
    same answer → `{"upcard": "getty"}`. `single_options` are the answers with one option changed.
    """
    deciding: dict[str, ChoiceValue] = {}
    for single in single_options:
        gives_same_answer = is_same_answer(single.ruling, ruling_of_preset)
        if gives_same_answer and _are_in_force(rules_of_preset, single.changed):
            deciding |= single.changed
    return deciding


def _are_in_force(rules: Ruleset, options: Choices) -> bool:
    """Tell whether these options have the same values in the rules."""
    return all(is_same(rules.options[name], value) for name, value in options.items())


def _cite_options(variant: Variant, options: Choices) -> tuple[str, ...]:
    """List the citations of rule books for the chosen values of these options, each once.

    `{"upcard": "getty"}` → `("H:Regole del classico gioco di carte Canasta",)`.
    """
    values = [variant.options[name].value_of(chosen) for name, chosen in options.items()]
    # A number of points that no rule book names is None here: there is nothing to cite.
    values_to_cite = [value for value in values if value is not None]
    return citation_texts(value.cited for value in values_to_cite)
