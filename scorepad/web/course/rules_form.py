"""The form with which the rules of a match are changed before its first hand."""

from __future__ import annotations

from wtforms import HiddenField

from scorepad.i18n import Words
from scorepad.matches.projection import MatchState
from scorepad.matches.results import NameProblem
from scorepad.rules.loader import Option
from scorepad.rules.variants import Choice, Choices, Ruleset, Variant, settle
from scorepad.web.frame import page_words
from scorepad.web.matches.forms import field_of
from scorepad.web.matches.rules_form import RulesForm, option_field, rule_fields
from scorepad.web.matches.tables import coded, sits_by


class ChangeForm(RulesForm):
    """The rules of a match, and the digest of those that stood when the page was shown. Made by `change_form`."""

    seated: Choices
    """The options that decide who sits at the table: they stay as they are."""
    seen = HiddenField()

    @property
    def has_house(self) -> bool:
        """Whether any rule of the house is chosen otherwise than usual, or wrong."""
        chosen = any(self[option_field(option.id)].data for option in self.house)
        return chosen or self.has_errors("option-")

    @property
    def wanted(self) -> dict[str, Choice]:
        """The options as the match should have them."""
        return {**self.options, **self.seated}

    def fill(self, rules: Ruleset, words: Words) -> None:
        """Show these rules as they stand; an option that follows the codification as following it."""
        usual = settle(rules.variant, rules.preset, self.seated).options
        self.seen.data = rules.digest
        self.preset.data = rules.preset or ""
        for option in asked(self.plays):
            value = rules.options.get(option.id, usual[option.id])
            if option.step is not None:
                self[option_field(option.id)].data = words.figure(int(value))
            else:
                self[option_field(option.id)].data = "" if value == usual[option.id] else coded(value)

    def refuse(self, problems: tuple[NameProblem, ...]) -> None:
        """Put what the pad says against the rules beside their fields."""
        for problem in problems:
            name = field_of(problem.where)
            field = self._fields.get(name, self.preset)
            limit = {} if problem.limit is None else {"limit": problem.limit}
            field.errors = (*field.errors, page_words().text(f"web.names.{problem.code}", **limit))


def asked(variant: Variant) -> tuple[Option, ...]:
    """The options that may be changed: all but those that decide who sits at the table."""
    kept = sits_by(variant)
    return tuple(option for option in variant.options.values() if option not in kept)


def change_form(variant: Variant, state: MatchState) -> type[ChangeForm]:
    """The form for a match of this variant."""
    seated = {option.id: state.rules.options[option.id] for option in sits_by(variant)}
    return type("ChangeForm", (ChangeForm,), {"seated": seated, **rule_fields(variant, asked(variant))})
