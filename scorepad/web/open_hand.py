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


def noted_penalty_text(penalty: HandPenalty, rules: Ruleset, words: Words) -> str:
    """A penalty in words: its name, its points and, if the table made it up, the reason.

    It was noted while the hand was still being played.
    """
    name = words.t(f"penalty.{penalty.code}")
    points = words.signed(-penalty.cost(rules))
    if penalty.reason:
        return words.t("match.penalty.what-why", name=name, points=points, reason=penalty.reason)
    return words.t("match.penalty.what", name=name, points=points)


def noted_penalties(state: MatchState, words: Words) -> list[str]:
    """The penalties noted for the hand while it is still being played, each in words with its side."""
    rows = []
    for penalty in state.noted_penalties:
        side = state.sides[penalty.side].name
        text = noted_penalty_text(penalty, state.rules, words)
        rows.append(words.t("match.penalty.row", side=side, what=text))
    return rows


def noted_sentence(state: MatchState, words: Words) -> str:
    """A sentence that lists the penalties noted so far in the hand being played.

    Empty if there are none, or the match is over.
    """
    rows = noted_penalties(state, words)
    if not rows or state.status.finished:
        return ""
    return words.t("match.penalty.so-far", noted="; ".join(rows))


def referee_facts(draft: Draft, side: str, rules: Ruleset) -> dict[str, str]:
    """What the referee's pages ask about a side and is already typed for the hand being played.

    These are its melds (sets of cards), its red threes and its canastas (sets of seven cards or
    more), by the names that the pages use: `{"table": "3xK / 4xQ", "count": "1", …}`.
    """
    red_threes = draft.get(field_key(side, "red_threes"), "").strip()
    facts = {
        "table": _typed_melds(draft, side),
        "count": red_threes,  # so the page about the points of red threes calls it
        "red_threes": red_threes,  # and so the page about going out
    }
    for kind in rules.settings.canastas:
        count = draft.get(field_key(side, f"canastas.{kind.item}"), "")
        facts[f"canastas-{kind.item}"] = count.strip()
    return {name: text for name, text in facts.items() if text}


def _typed_melds(draft: Draft, side: str) -> str:
    """The melds (sets of cards) typed for a side, in one line: `3xK / 4xQ`; empty for none.

    A typed 0 says that the side has none.
    """
    melds_text = draft.get(field_key(side, "melds"), "")
    melds = [meld for meld in meld_lines(melds_text) if meld != ZERO]
    return BETWEEN.join(melds)
