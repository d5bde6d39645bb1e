"""The rules of the same variant under which a question would get another answer.

Those are its other presets, and the values of its options that a table could have
chosen instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
        search = _prepare_alternative_search(rules, ruling, give_ruling_under)
        return search.find_all_alternatives()
    except ChoiceError:
        # A match keeps the rules that it began with. The game may have lost one of their options,
        # or their preset, since then. So there is nothing to compare them with.
        return ()


def _prepare_alternative_search(
    rules: Ruleset, ruling: Ruling, give_ruling_under: GiveRulingUnder
) -> _AlternativeSearch:
    """Gather what the search for other answers needs; `ruling` is the answer under these rules.

    Raises ChoiceError if the variant (game) of the rules, or their preset, no longer exists.
    """
    return _AlternativeSearch(
        variant=get_variant(rules.variant),
        rules_in_force=rules,
        table_options=_find_options_of_table(rules),
        ruling_in_force=ruling,
        give_ruling_under=give_ruling_under,
    )


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


def _find_options_of_table(rules: Ruleset) -> Choices:
    """Find the options that the players chose themselves, beside their preset (set of options).

    If they play the preset `getty`, but another value of its option `upcard`, it is only that one:
    `{"upcard": "wikipedia"}`. Raises ChoiceError if the variant (game) or the preset is gone.
    """
    options_of_preset = settle(rules.variant, rules.preset).options
    # A match keeps the options that it began with. The game may have lost some of them since then.
    known = {name: value for name, value in rules.options.items() if name in options_of_preset}
    return _pick_changed_options(known, options_of_preset)


def _pick_changed_options(options: Choices, defaults: Choices) -> Choices:
    """Pick the options whose values differ from these defaults.

    Of `{"upcard": "getty", "pile": "wikipedia"}`, with the default `wikipedia` for both →
    `{"upcard": "getty"}`.
    """
    return {name: value for name, value in options.items() if not is_same(value, defaults[name])}


# --------------------------------------------------------------------------------------- the search


@dataclass(frozen=True, slots=True)
class _AlternativeSearch:
    """The search for other rules of a variant that give another ruling on a question. Its methods
    raise ChoiceError if the variant no longer has a preset or an option.
    """

    variant: Variant
    rules_in_force: Ruleset
    table_options: Choices
    """The options that the table chose in addition to its preset."""
    ruling_in_force: Ruling
    """The ruling under the rules in force."""
    give_ruling_under: GiveRulingUnder

    def find_all_alternatives(self) -> tuple[Alternative, ...]:
        """Find the presets, then the single options, under which the answer would be another one.

        A preset is a set of options that one rule book plays with. An option that explains why the
        answer of a listed preset differs is not listed again.
        """
        # The options come first here, although they are listed last: they help to explain presets.
        single_options = self._find_single_options()
        presets = self._find_presets(single_options)
        return (*presets, *_drop_explained_options(single_options, presets))

    def _find_single_options(self) -> list[Alternative]:
        """Find the options that change the answer if only that one option has another value."""
        alternatives: list[Alternative] = []
        for option, value in list_other_values(self.variant, self.rules_in_force):
            alternative = self._try_option(option, value)
            if not is_same_answer(alternative.ruling, self.ruling_in_force):
                alternatives.append(alternative)
        return alternatives

    def _find_presets(self, single_options: list[Alternative]) -> list[Alternative]:
        """Find the other presets that give another answer.

        A preset is a set of options that one rule book plays with. `single_options` are the options
        that change the answer by themselves; they may explain why a preset does.
        """
        alternatives: list[Alternative] = []
        for preset in self.variant.presets.values():
            if preset.id == self.rules_in_force.preset:
                continue
            alternative = self._try_preset(preset, single_options)
            if not is_same_answer(alternative.ruling, self.ruling_in_force):
                alternatives.append(alternative)
        return alternatives

    def _try_option(self, option: Option, value: OptionValue) -> Alternative:
        """Ask the question again with one option changed, and all else as in the rules in force.

        The result has the answer, and the options to choose so that this answer holds.
        """
        changed = {option.id: value.value}
        table_options: Choices = {**self.table_options, **changed}
        other_rules = settle(self.variant.id, self.rules_in_force.preset, table_options)
        return Alternative(
            preset=None,  # its name stands for all its options, and one of them is changed
            options=self._list_options_without_preset(other_rules, table_options),
            changed=changed,
            ruling=self.give_ruling_under(other_rules),
            sources=citation_texts([value.cited]),
        )

    def _list_options_without_preset(self, other_rules: Ruleset, table_options: Choices) -> Choices:
        """List the options to choose, without any preset, to play by these other rules.

        A preset is a set of options under one name. The other rules have one option changed.

        - the table plays without a preset → `table_options`, its own with that change
        - it plays the preset `getty` → the options of `getty` too, if they are not the defaults
        """
        if self.rules_in_force.preset is None:
            return table_options

        rules_with_defaults = settle(self.variant.id)
        return _pick_changed_options(other_rules.options, rules_with_defaults.options)

    def _try_preset(self, preset: Preset, single_options: list[Alternative]) -> Alternative:
        """Ask the question again under a preset, a set of options that one rule book plays with.

        The result has the answer and, if it is known, the options of the preset that decide it:
        those that change the answer by themselves too (`single_options`).
        """
        kept_options = _keep_undecided_options(self.table_options, preset, self.variant)
        rules_of_preset = settle(self.variant.id, preset.id, kept_options)
        ruling = self.give_ruling_under(rules_of_preset)

        deciding_options = _find_deciding_options(rules_of_preset, ruling, single_options)
        if deciding_options:
            options_to_cite = deciding_options
        else:
            # Only several options together change the answer, and it is not known which.
            options_to_cite = _list_options_of_preset(preset, rules_of_preset, self.rules_in_force)
        return Alternative(
            preset=preset.id,
            options={**kept_options, **deciding_options},
            changed=deciding_options,
            ruling=ruling,
            sources=_cite_options(self.variant, options_to_cite),
        )


# ------------------------------------------------------------------------------------------ options


def list_other_values(variant: Variant, rules: Ruleset) -> Iterator[tuple[Option, OptionValue]]:
    """List each value that the players could have chosen instead, together with its option.

    With the option `end-of-stock` at `hand-ends`, its other value is `giochi`. Of an option that
    takes any number of points, only the numbers that a rule book names are listed.
    """
    for option in variant.options.values():
        for value in variant.values_of(option):
            changes_number_of_players = "sides" in value.sets
            if changes_number_of_players:  # that is no choice of rules
                continue
            chosen = rules.options.get(option.id)
            if chosen is None or not is_same(value.value, chosen):
                yield option, value


# ------------------------------------------------------------------------------------------ presets


def _list_options_of_preset(preset: Preset, rules_of_preset: Ruleset, rules: Ruleset) -> Choices:
    """List the options by which a preset may differ from `rules`, the rules in force.

    A preset is a set of options that one rule book plays with.

    - a preset that sets options → these
    - a preset that sets none, and stands for the defaults of the game → the defaults that are not
      in force: `{"upcard": "wikipedia"}` if the table chose another `upcard`
    """
    if preset.options:
        return preset.options
    return _pick_changed_options(rules_of_preset.options, rules.options)


def _keep_undecided_options(table_options: Choices, preset: Preset, variant: Variant) -> Choices:
    """Keep those of the table's own options about which a preset says nothing.

    A preset is a set of options that one rule book plays with. Where it says something, the table's
    own choice does not hold under the preset.
    """
    kept: dict[str, ChoiceValue] = {}
    for name, chosen in table_options.items():
        if name in preset.options:
            continue
        # Without setting the option, a preset still means its default if its book states that one.
        if _is_source_of_default(preset.source, variant, name):
            continue
        kept[name] = chosen
    return kept


def _is_source_of_default(source: SourceId, variant: Variant, option_name: str) -> bool:
    """Tell whether a source (rule book) is cited for the default value of an option.

    The default of the option `upcard` of the classic game is cited from the source `W` alone: `W` →
    True, `G` → False.
    """
    option = variant.options[option_name]
    default = option.value_of(default_of(variant, option))
    if default is None:  # the default is a number of points, which has no citations of its own
        return False
    return any(citation.source == source for citation in default.cited.citations)


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
