"""The rules of a match as its pages list them: each by its name, with its value in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorepad.caches import LruCache
from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Ruleset
from scorepad.rules.variants import own_variants
from scorepad.web.rule_words import describe_needs_to_go_out, describe_thirteen_cards
from scorepad.web.rulebook_links import rules_url

_USUAL_DECKS = 2
_cached_values: LruCache[Mapping[str, Any]] = LruCache()


class RuleFact(NamedTuple):
    """A rule of the match: its name, and its value in words.

    `more` is a second line below the value; empty for most rules.
    """

    name: str
    value: str
    more: str = ""


def collect_rule_facts(match: MatchState, words: Words) -> Mapping[str, Any]:
    """Collect what the pages of a match show of its rules, as variables of a template.

    - `facts_of_every_hand`: what the players have to know in each hand (round), such as how many
      cards are dealt
    - `all_rules`: the rules that were chosen for the match
    - `special_rules`: of these, without the options that have their usual value
    - `book`: the address of the rulebook

    All but the address are cached, because the rules of a match seldom change.
    """
    # The number changes when the user's own variants are loaded anew.
    key = (match.rules.digest, match.house, words.language, own_variants().number)
    facts = _cached_values.get_or_make(key, lambda: _make_rule_facts(match, words))
    return {**facts, "book": rules_url(match.rules)}


def _make_rule_facts(match: MatchState, words: Words) -> dict[str, Any]:
    """Make those facts that `collect_rule_facts` caches."""
    rules = match.rules
    special_options = {"target", *match.house}  # `house`: the options that have an unusual value
    return {
        "facts_of_every_hand": _list_facts_of_every_hand(rules, words),
        "all_rules": _list_chosen_rules(rules, words, set(rules.options)),
        "special_rules": _list_chosen_rules(rules, words, special_options),
    }


def _list_facts_of_every_hand(rules: Ruleset, words: Words) -> list[RuleFact]:
    """List what the players have to know in each hand (round) of the match.

    For example "Cards: 11 each, draw 1", and what a side needs to end the hand.
    """
    settings = rules.settings
    facts = []
    if settings.decks != _USUAL_DECKS:
        facts.append(RuleFact(words.t("setting.decks"), words.figure(settings.decks)))
    facts.append(RuleFact(words.t("web.fact.cards"), _say_how_cards_are_dealt(rules, words)))
    thirteen_cards = describe_thirteen_cards(settings, words)
    if thirteen_cards:
        facts.append(RuleFact(words.t("setting.thirteen"), thirteen_cards))
    # What a side needs to go out, which means to end the hand by playing the last card.
    needs = describe_needs_to_go_out(rules, words)
    facts.append(RuleFact(words.t("web.fact.out"), needs.canastas, more=needs.others))
    return facts


def _say_how_cards_are_dealt(rules: Ruleset, words: Words) -> str:
    """Say how many cards each player gets, and how many are drawn in a turn: "11 each, draw 1".

    In some games each player gets a second set of cards, to be played later. For `hand-and-foot`
    it is "2 hands of 13 each, draw 2".
    """
    settings = rules.settings
    key = "web.cards"  # "{dealt} each, draw {count}"
    if settings.hands_each != 1:
        key = "web.cards.hands"  # "{hands} hands of {dealt} each, draw {count}"
    return words.plural(key, settings.drawn, dealt=settings.dealt, hands=settings.hands_each)


def _list_chosen_rules(rules: Ruleset, words: Words, options: set[str]) -> list[RuleFact]:
    """List the rules that were chosen for a match, each by its name with its value in words.

    They are the variant of the game, what ends the match, the bonuses, the preset (a ready-made set
    of options), and those options whose ids are in `options`.
    """
    facts = [RuleFact(words.t("web.rules.variant"), words.t(f"variant.{rules.variant}.name"))]
    if rules.ends.minutes is not None:
        facts.append(RuleFact(words.t("web.rules.minutes"), words.figure(rules.ends.minutes)))
    number_of_hands = rules.settings.match_deals
    if number_of_hands is not None:
        facts.append(RuleFact(words.t("setting.match-deals"), words.figure(number_of_hands)))
    for code, bonus in rules.bonuses.items():
        facts.append(RuleFact(words.t(f"bonus.{code}"), words.signed(bonus.points)))
    if rules.preset:
        facts.append(RuleFact(words.t("web.new.preset"), words.t(f"preset.{rules.preset}")))
    for option, value in rules.options.items():
        if option in options:
            value_in_words = describe_option_value(option, value, words)
            facts.append(RuleFact(words.t(f"option.{option}"), value_in_words))
    return facts
