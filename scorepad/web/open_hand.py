"""What other pages read of the hand being played: its noted penalties, and facts for the referee."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Ruleset
from scorepad.web.field_texts import NONE, meld_lines
from scorepad.web.hand_fields import key


def noted_penalty_text(penalty: HandPenalty, rules: Ruleset, words: Words) -> str:
    """A noted penalty in words: its name and points, and the reason of a house penalty."""
    name = words.t(f"penalty.{penalty.code}")
    points = words.signed(-penalty.cost(rules))
    if penalty.reason:
        return words.t("match.penalty.what-why", name=name, points=points, reason=penalty.reason)
    return words.t("match.penalty.what", name=name, points=points)


def noted_penalties(state: MatchState, words: Words) -> list[str]:
    """The penalties noted for the hand being played, in words."""
    return [
        words.t(
            "match.penalty.row",
            side=state.sides[penalty.side].name,
            what=noted_penalty_text(penalty, state.rules, words),
        )
        for penalty in state.noted_penalties
    ]


def noted_sentence(state: MatchState, words: Words) -> str:
    """The noted penalties in a sentence; empty if there are none, or the match is over."""
    noted = noted_penalties(state, words)
    if not noted or state.status.finished:
        return ""
    return words.t("match.penalty.so-far", noted="; ".join(noted))


def referee_facts(draft: Draft, side: str, rules: Ruleset) -> dict[str, str]:
    """The facts of a side in the open hand, by the names that the referee uses."""
    melds = [line for line in meld_lines(draft.get(key(side, "melds"), "")) if line != NONE]
    fields_by_fact = {"count": "red_threes", "red_threes": "red_threes"}
    for kind in rules.settings.canastas:
        fields_by_fact[f"canastas-{kind.item}"] = f"canastas.{kind.item}"
    facts = {"table": " / ".join(melds)}
    for fact, name in fields_by_fact.items():
        facts[fact] = draft.get(key(side, name), "").strip()
    return {fact: text for fact, text in facts.items() if text}
