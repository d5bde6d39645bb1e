"""What other pages read of the hand being played: its noted penalties, and facts for the referee."""

from __future__ import annotations

from scorepad.i18n import Words
from scorepad.matches.events import HandPenalty
from scorepad.matches.hands import Draft
from scorepad.matches.projection import MatchState
from scorepad.rules.definitions import Ruleset
from scorepad.web.card_lines import BETWEEN
from scorepad.web.field_texts import ZERO, meld_lines
from scorepad.web.hand_fields import field_key


def describe_noted_penalty(penalty: HandPenalty, rules: Ruleset, words: Words) -> str:
    """Describe a penalty that players noted while a hand (a round) was still being played.

    - "Drew out of turn, −100"
    - made up by the players, with the reason → "House penalty, −50 (late)"
    """
    name = words.t(f"penalty.{penalty.code}")
    points = words.signed(-penalty.cost(rules))
    if penalty.reason:
        return words.t("match.penalty.what-why", name=name, points=points, reason=penalty.reason)
    return words.t("match.penalty.what", name=name, points=points)


def noted_penalties(state: MatchState, words: Words) -> list[str]:
    """List the penalties noted while the hand (the round) is being played: "We: …, −100"."""
    rows = []
    for penalty in state.noted_penalties:
        side = state.sides[penalty.side].name
        text = describe_noted_penalty(penalty, state.rules, words)
        rows.append(words.t("match.penalty.row", side=side, what=text))
    return rows


def noted_sentence(state: MatchState, words: Words) -> str:
    """List the penalties noted so far in one sentence: "Penalties in this hand: We: …, −100".

    Empty if there are none, or if the match is over.
    """
    rows = noted_penalties(state, words)
    if not rows or state.status.finished:
        return ""
    return words.t("match.penalty.so-far", noted="; ".join(rows))


def referee_facts(draft: Draft, side: str, rules: Ruleset) -> dict[str, str]:
    """Collect what is typed about a side in the form of the hand, and the referee would ask for.

    The referee's pages then need not ask a player again. The facts are the melds (sets of cards on
    the table), red threes (bonus cards) and canastas (sets of seven cards or more), by the names
    that these pages use: `{"table": "3xK / 4xQ", "count": "1", "red_threes": "1"}`.
    """
    red_threes = draft.get(field_key(side, "red_threes"), "").strip()
    facts = {
        "table": _join_typed_melds(draft, side),
        "count": red_threes,  # so the page about the points of red threes calls it
        "red_threes": red_threes,  # and so the page about going out
    }
    for kind in rules.settings.canastas:
        count = draft.get(field_key(side, f"canastas.{kind.item}"), "")
        facts[f"canastas-{kind.item}"] = count.strip()
    return {name: text for name, text in facts.items() if text}


def _join_typed_melds(draft: Draft, side: str) -> str:
    """Join the melds (sets of cards on the table) typed for a side into one line: `3xK / 4xQ`.

    A typed 0 says that the side has none: the result is empty.
    """
    melds_text = draft.get(field_key(side, "melds"), "")
    melds = [meld for meld in meld_lines(melds_text) if meld != ZERO]
    return BETWEEN.join(melds)
