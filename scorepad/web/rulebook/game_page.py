"""What the page of a game shows, ready for its template: texts, links and anchors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import name_rule, write_rule, write_sentence
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.referee.penalties import Irregularity, irregularities
from scorepad.rules.definitions import (
    Cited,
    Option,
    OptionValue,
    Preset,
    Standing,
    Statement,
)
from scorepad.rules.variants import default_of
from scorepad.schemas.variant_json import Difference
from scorepad.web.citations import cited_words, source_name, source_title
from scorepad.web.rule_choices import ChosenRules, effective_options, seat_options
from scorepad.web.rule_pickers import RulePicker, list_rule_pickers
from scorepad.web.rule_words import (
    coded,
    say_length_of_match,
    say_number_of_players,
    say_options_of_preset,
)
from scorepad.web.rulebook import content
from scorepad.web.rulebook_links import RulebookLink, anchor, choice_args, game_url

_PADS_ON_SHEET = (2, 4)
"""The numbers of blank pads that can be printed on a sheet."""
_PARTS = ("lines", "problems", "choices", "codifications", "sources")
"""The folded parts below the chapters."""


class ShownStatement(NamedTuple):
    """A sentence of a source, beside the rules that the settings decide."""

    anchor: str
    text: str
    source: str


class ShownAlternative(NamedTuple):
    """What a rule would be with another value of an option, and the page that shows it so."""

    sentence: str
    statements: list[str]
    source: str
    url: str


class ShownRuleChange(NamedTuple):
    """How a game differs from the classic game; `classic` is empty where it has nothing alike."""

    name: str
    anchor: str
    """The rule on the page; empty if it has none."""
    is_house: bool
    here: str
    classic: str


class ShownRule(NamedTuple):
    """A rule of a chapter: its table or its sentence, and what is folded below."""

    anchor: str
    name: str
    is_house: bool
    table: content.FigureTable | None
    sentence: str
    statements: list[ShownStatement]
    sources: list[content.QuotedSource]
    other_statements: list[ShownStatement]
    """What other sources state in its place."""
    alternatives: list[ShownAlternative]
    mistakes: list[str]
    """What sources write by mistake."""


class ShownPenalty(NamedTuple):
    """A penalty, or a bonus that players added."""

    anchor: str
    name: str
    is_house: bool
    text: str
    explanation: str
    source: str
    mistakes: list[str]


class ShownChapter(NamedTuple):
    """A chapter: what stands at its head, its rules, and below these bonuses or penalties."""

    anchor: str
    title: str
    head: list[ShownStatement]
    sources_of_head: list[content.QuotedSource]
    rules: list[ShownRule]
    further: list[ShownPenalty]
    is_without_penalties: bool


class ShownValue(NamedTuple):
    """A value of an option."""

    text: str
    mark: str
    """Whether it is the usual one or in force, in words; empty if it is neither."""
    source: str
    url: str
    """The page of the game with this value; empty for the one in force."""


class ShownOption(NamedTuple):
    """An option of the game, with all its values."""

    anchor: str
    name: str
    values: list[ShownValue]


class ShownPreset(NamedTuple):
    """A codification of the game: a named set of options."""

    anchor: str
    name: str
    options: str
    source: str
    url: str
    compare_url: str
    """Where it is compared with the game itself; empty if it changes no option."""


class GamePage:
    """The page of a game under the rules that the URL chooses."""

    def __init__(self, chosen: ChosenRules, words: Words, *, is_unfolded: bool) -> None:
        """Prepare the page; `words` has the messages of the game, also if it is house rules.

        The options of few tables are only on the unfolded page, or where one of them is chosen: the
        page shall be read on a phone with a slow network.
        """
        self.chosen = chosen
        self.words = words
        self.variant = chosen.variant
        self.chapters = list(self._list_chapters())
        is_rare_chosen = any(self.variant.options[name].is_rare for name in chosen.options)
        self.has_rare_options = is_unfolded or is_rare_chosen
        self.options = [self._show_option(option) for option in self._list_options()]
        self.score_lines = [
            *content.score_line_items(chosen, words),
            *content.score_line_items_of_other_options(chosen, words),
        ]
        self.checks = list(content.check_items(chosen, words))
        self.presets = [self._show_preset(preset) for preset in self.variant.presets.values()]

    @property
    def description(self) -> str:
        """What is special about the game."""
        return self.words.t(f"variant.{self.variant.id}.special")

    @property
    def about(self) -> str:
        """How many play it and how long, and its other names."""
        current = self.chosen.current_variant
        about = self.words.t(
            "web.game.about",
            players=say_number_of_players(current, self.words),
            length=say_length_of_match(current, self.words),
        )
        key_of_names = f"rulebook.also.{self.variant.id}"
        if not self.words.has(key_of_names):
            return about
        names = self.words.t("rulebook.also", names=self.words.t(key_of_names))
        return f"{about}. {names}"

    @property
    def choices(self) -> str:
        """The preset and the options that the URL chooses, in words; empty for none."""
        return self.chosen.in_words(self.words)

    @property
    def url_without_choices(self) -> str:
        return game_url(self.variant.id)

    @property
    def has_hidden_options(self) -> bool:
        """Whether the game has options that only the unfolded page shows."""
        has_rare = any(option.is_rare for option in self.variant.options.values())
        return has_rare and not self.has_rare_options

    def _list_options(self) -> list[Option]:
        options = effective_options(self.variant)
        return [option for option in options if self.has_rare_options or not option.is_rare]

    @property
    def has_choices_to_make(self) -> bool:
        return bool(self.variant.presets or self.options)

    @property
    def pickers(self) -> list[RulePicker]:
        """List the fields with which the reader chooses other rules."""
        return list_rule_pickers(self.chosen, self.words, with_rare=self.has_rare_options)

    # ---------------------------------------------------------------- links

    def list_links_to_play(self) -> list[RulebookLink]:
        """List the buttons that begin a match: one, or one for each number of players."""
        args = self._url_parameters()
        links = []
        for option in seat_options(self.variant):
            for value in option.values:
                if "sides" not in value.sets:
                    continue
                number_of_players = sum(value.sets["sides"])
                players = self.words.t("players", count=number_of_players)
                text = self.words.t("web.game.play-in", players=players)
                args_of_value = {**args, option.id: coded(value.value)}
                url = url_for("setup.new", variante=self.variant.id, **args_of_value)
                links.append(RulebookLink(text, url))
        if not links:
            url = url_for("setup.new", variante=self.variant.id, **args)
            links.append(RulebookLink(self.words.t("web.game.play"), url))
        return links

    def list_links_to_papers(self) -> list[RulebookLink]:
        """List the papers of the game as PDF: the rules card and blank pads, also in large print."""
        args = self._url_parameters()
        game = self.variant.id
        links = [self._link_to_paper("card", url_for("rulebook.card", game=game, **args))]
        for number in _PADS_ON_SHEET:
            args_of_pad = {**args, "per-foglio": number}
            url = url_for("rulebook.blank", game=game, **args_of_pad)
            links.append(self._link_to_paper(f"blank.{number}", url))
        large_card = url_for("rulebook.card", game=game, **args, grande="si")
        large_pad = url_for("rulebook.blank", game=game, **args, grande="si")
        links.append(self._link_to_paper("card.large", large_card))
        links.append(self._link_to_paper("blank.large", large_pad))
        return links

    def _link_to_paper(self, name: str, url: str) -> RulebookLink:
        return RulebookLink(self.words.t(f"paper.link.{name}"), url)

    def _url_parameters(self) -> dict[str, Any]:
        """Return the URL parameters that choose the same preset and options."""
        return choice_args(self.chosen.preset, self.chosen.options)

    def list_contents(self) -> list[RulebookLink]:
        """List the chapters and the folded parts, each with the URL that leads to it."""
        links = [RulebookLink(chapter.title, f"#{chapter.anchor}") for chapter in self.chapters]
        for part in _PARTS:
            links.append(
                RulebookLink(self.words.t(f"rulebook.{part}"), f"#{anchor('section', part)}")
            )
        return links

    # ---------------------------------------------------------------- what differs

    @cached_property
    def changes(self) -> list[ShownRuleChange]:
        """List how the game differs from the classic game."""
        changes = content.changed_rules(self.chosen, self.words)
        return [self._show_change(change) for change in changes]

    def _show_change(self, change: Difference) -> ShownRuleChange:
        """Show how a rule, a bonus or a penalty differs from the classic game."""
        table, _, code = change.key.partition("/")
        is_setting = not code
        if is_setting:
            name = name_rule(table, self.words)
            anchor_on_page = anchor("rule", table)
        else:
            name = change.name
            anchor_on_page = self._find_anchor_of_code(table, code)
        classic = ""
        if is_setting or change.there != self.words.t("value.not-here"):
            classic = self.words.t("rulebook.changed.classic", value=change.there)
        return ShownRuleChange(
            name=name,
            anchor=anchor_on_page,
            is_house=self._is_house_rule(change.cited),
            here=change.here,
            classic=classic,
        )

    def _find_anchor_of_code(self, table: str, code: str) -> str:
        """Find the anchor of a bonus or a penalty on the page; empty for anything else."""
        if table == "bonuses":
            return anchor("bonus", code)
        if table == "penalties":
            return anchor("penalty", code)
        return ""

    def _is_house_rule(self, cited: Cited) -> bool:
        """Tell whether the players made a rule themselves, on the page of their house rules."""
        return self.variant.is_own and cited.standing is Standing.AGREED

    # ---------------------------------------------------------------- chapters

    def _list_chapters(self) -> Iterator[ShownChapter]:
        for chapter in content.chapters(self.chosen, self.words):
            further: list[ShownPenalty] = []
            if chapter.section == "count":
                further = self._list_bonuses()
            elif chapter.section == "penalties":
                further = self._list_penalties()
            is_without_penalties = chapter.section == "penalties" and not further
            quoted = content.quoted_sources("", chapter.head, self.words)
            yield ShownChapter(
                anchor=anchor("section", chapter.section),
                title=self.words.t(f"rulebook.section.{chapter.section}"),
                head=self._show_statements(chapter.head),
                sources_of_head=list(quoted),
                rules=[self._show_rule(key) for key in chapter.rules],
                further=further,
                is_without_penalties=is_without_penalties,
            )

    def _show_rule(self, key: str) -> ShownRule:
        """Show the rule that a setting decides, with the statements of sources about it."""
        variant = self.chosen.current_variant
        cited = variant.settings[key].cited
        beside: list[Statement] = []
        others: list[Statement] = []
        for statement in self.chosen.statements:
            if statement.after != key:
                continue
            if statement.differs:
                others.append(statement)
            else:
                beside.append(statement)

        source_of_rule = cited_words(cited, self.words)
        alternatives = content.alternative_choices(key, self.chosen)
        mistakes = content.known_mistakes_about_rule(self.chosen.rules, key)
        return ShownRule(
            anchor=anchor("rule", key),
            name=name_rule(key, self.words),
            is_house=self._is_house_rule(cited),
            table=content.figure_table(key, variant, self.words),
            sentence=write_rule(key, variant, self.words),
            statements=self._show_statements(beside),
            sources=list(content.quoted_sources(source_of_rule, beside, self.words)),
            other_statements=self._show_statements(others),
            alternatives=[self._show_alternative(key, choice) for choice in alternatives],
            mistakes=self._describe_mistakes(mistakes),
        )

    def _show_statements(self, statements: Iterable[Statement]) -> list[ShownStatement]:
        shown = []
        for statement in statements:
            shown.append(
                ShownStatement(
                    anchor=anchor("statement", statement.id),
                    text=content.statement_text(statement, self.words),
                    source=cited_words(statement.cited, self.words),
                )
            )
        return shown

    def _show_alternative(self, key: str, other: ChosenRules) -> ShownAlternative:
        """Show a rule as it would be with other choices, with the statements that only these have."""
        statements_here = {statement.id for statement in self.chosen.statements}
        statements = []
        for statement in other.statements:
            is_about_rule = statement.after == key and not statement.differs
            if is_about_rule and statement.id not in statements_here:
                statements.append(content.statement_text(statement, self.words))
        return ShownAlternative(
            sentence=write_sentence(key, other.current_variant, self.words),
            statements=statements,
            source=cited_words(other.current_variant.settings[key].cited, self.words),
            url=other.url(anchor("rule", key)),
        )

    def _describe_mistakes(self, codes: Iterable[str]) -> list[str]:
        """Say what sources write by mistake; each known mistake has a code."""
        return [self.words.t(f"ruling.{code}") for code in codes]

    def _list_bonuses(self) -> list[ShownPenalty]:
        """List the bonuses that players added to the game."""
        bonuses = []
        for code, bonus in self.variant.bonuses.items():
            bonuses.append(
                ShownPenalty(
                    anchor=anchor("bonus", code),
                    name=self.words.t(f"bonus.{code}"),
                    is_house=self._is_house_rule(bonus.cited),
                    text=self.words.t("rulebook.bonus", points=bonus.points),
                    explanation="",
                    source=cited_words(bonus.cited, self.words),
                    mistakes=[],
                )
            )
        return bonuses

    def _list_penalties(self) -> list[ShownPenalty]:
        penalties = irregularities(self.chosen.rules)
        return [self._show_penalty(penalty) for penalty in penalties]

    def _show_penalty(self, penalty: Irregularity) -> ShownPenalty:
        mistakes = content.known_mistakes_about_penalty(self.chosen.rules, penalty.code)
        return ShownPenalty(
            anchor=anchor("penalty", penalty.code),
            name=self.words.t(f"penalty.{penalty.code}"),
            is_house=self._is_house_rule(penalty.cited),
            text=content.penalty_text(penalty, self.words),
            explanation=content.remark_on_penalty(penalty, self.chosen.rules, self.words),
            source=cited_words(penalty.cited, self.words),
            mistakes=self._describe_mistakes(mistakes),
        )

    # ---------------------------------------------------------------- options and presets

    def _show_option(self, option: Option) -> ShownOption:
        return ShownOption(
            anchor=anchor("option", option.id),
            name=self.words.t(f"option.{option.id}"),
            values=list(self._list_values(option)),
        )

    def _list_values(self, option: Option) -> Iterator[ShownValue]:
        """List the values of an option.

        For an amount they are the usual one, those that a source names, and any other.
        """
        usual = coded(default_of(self.variant, option))
        if option.sets is not None:  # the option is an amount, and sets one setting to it
            yield ShownValue(
                text=self.words.figure(int(usual)),
                mark=self.words.t("rulebook.usual"),
                source=cited_words(self.variant.settings[option.sets].cited, self.words),
                url="",
            )
        for value in self.variant.values_of(option):
            yield self._show_value(option, value, is_usual=coded(value.value) == usual)
        if option.amount is not None:
            yield self._show_any_amount(option, option.amount.cited, usual)

    def _show_value(self, option: Option, value: OptionValue, *, is_usual: bool) -> ShownValue:
        is_in_force = coded(value.value) == coded(self.chosen.rules.options[option.id])
        mark = ""
        if is_usual:
            mark = self.words.t("rulebook.usual")
        elif is_in_force:
            mark = self.words.t("rulebook.in-force")
        url = ""
        if not is_in_force:
            page = self.chosen.with_option(option.id, value.value)
            url = page.url(anchor("option", option.id))
        return ShownValue(
            text=describe_option_value(option.id, value.value, self.words),
            mark=mark,
            source=cited_words(value.cited, self.words),
            url=url,
        )

    def _show_any_amount(self, option: Option, cited: Cited, usual: str) -> ShownValue:
        """Show that any amount is allowed, or the one in force if no source names it."""
        source = cited_words(cited, self.words)
        value_now = self.chosen.rules.options[option.id]
        is_named = option.value_of(value_now) is not None
        if coded(value_now) != usual and not is_named:
            amount = self.words.figure(int(coded(value_now)))
            return ShownValue(amount, self.words.t("rulebook.in-force"), source, url="")
        key = "any" if option.step == 1 else "amount"
        text = self.words.t(f"option.{option.id}.{key}", step=option.step or 1)
        return ShownValue(text, mark="", source=source, url="")

    def _show_preset(self, preset: Preset) -> ShownPreset:
        game = self.variant.id
        compare_url = ""
        if preset.options:
            compare_url = url_for("rulebook.compare", uno=game, altro=f"{game}/{preset.id}")
        return ShownPreset(
            anchor=anchor("preset", preset.id),
            name=self.words.t(f"preset.{preset.id}"),
            options=say_options_of_preset(preset.options, self.words),
            source=source_title(preset.source),
            url=game_url(game, preset.id),
            compare_url=compare_url,
        )

    def list_sources(self) -> list[tuple[str, str]]:
        """List the sources that the page cites, each by its short name and its title."""
        cited = content.cited_sources(self.chosen)
        return [(source_name(source.id, self.words), source.title) for source in cited]
