"""What a question is asked in: the rules, what was said so far, and in a match what is known of the open hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorepad.contract.ruling_forms import keys_of
from scorepad.i18n import Words
from scorepad.pad.values import MatchState, SideState
from scorepad.pad.who import SIDE_KEYS
from scorepad.rules.variants import Ruleset
from scorepad.web.hand_entry.fields import key as field_key
from scorepad.web.hand_entry.fields import lines_of

YES, NO = "yes", "no"
BETWEEN = " / "
"""What stands between two melds in one line."""


_MINUS = "-\u2212\u2010\u2011\u2012\u2013\u2014\u2015"


def is_below_zero(text: str) -> bool:
    """Whether a figure was typed with a minus sign."""
    return text.strip()[:1] in tuple(_MINUS)


def without_minus(text: str) -> str:
    """A figure without its sign."""
    return text.strip().removeprefix(text.strip()[:1]) if is_below_zero(text) else text


@dataclass(frozen=True, slots=True)
class Situation:
    """The rules that a question is asked under, and what was said.

    `typed` holds what the address says, by name; `first` what goes without saying, `choices` the rules as the address
    chooses them, beside a match.
    """

    rules: Ruleset
    typed: Mapping[str, str]
    words: Words
    match: MatchState | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)

    def said(self, name: str) -> str:
        """What was said of this, or goes without saying."""
        return self.typed.get(name, self.usual(name)).strip()

    def usual(self, name: str) -> str:
        """What goes without saying: what the match knows, else the first of the choices."""
        return self.known.get(name, self.first.get(name, ""))

    def takes_hand(self, kind: str) -> bool:
        """Whether a question of this kind may be asked with a whole hand of cards."""
        return "hand" in keys_of(kind)

    @property
    def side(self) -> int | None:
        """The position of the side that the question is about; None where nobody said, or there is no match."""
        if self.match is None:
            return None
        position = self.typed.get("who", "")
        return int(position) if position in {str(place) for place, _ in enumerate(self.match.sides)} else None

    @property
    def side_state(self) -> SideState | None:
        """That side as it stands."""
        return None if self.match is None or self.side is None else self.match.sides[self.side]

    @property
    def score(self) -> int:
        """The match score of that side; points."""
        return self.side_state.total if self.side_state else 0

    @property
    def known(self) -> Mapping[str, str]:
        """What is known of the hand that is being played, of the side that the question is about."""
        if self.match is None or self.side is None or self.match.open_hand is None:
            return {}
        return known_of(self.match.open_hand.draft, SIDE_KEYS[self.side], self.rules)


def known_of(draft: Mapping[str, str], key: str, rules: Ruleset) -> dict[str, str]:
    """What was typed of a side in the open hand, as the referee asks for it."""

    def typed(name: str) -> str:
        return draft.get(field_key(key, name), "").strip()

    melds = [line for line in lines_of(typed("melds")) if line != "0"]
    told = {"table": BETWEEN.join(melds), "count": typed("red_threes"), "red_threes": typed("red_threes")}
    for kind in rules.settings.canastas:
        told[f"canastas-{kind.item}"] = typed(f"canastas.{kind.item}")
    return {name: text for name, text in told.items() if text}
