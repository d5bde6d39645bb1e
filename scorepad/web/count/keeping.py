"""What is typed of the open hand, kept; and the hand, counted.

Two pages that count the same are of one mind, whatever else was typed on either: what does not count is no conflict,
and is kept from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.projection import MatchState, OpenHand
from scorepad.matches.results import Refused, Saved, Stale
from scorepad.schemas import Unusable
from scorepad.web.base import the_pad
from scorepad.web.count import names
from scorepad.web.count.calls import Call
from scorepad.web.count.counting import what_counts, with_what_stands
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import as_last_time
from scorepad.web.count.said import Count


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of the open hand, and the version of it that the page had seen, or agrees with."""

    draft: Mapping[str, str]
    version: int


@dataclass(frozen=True, slots=True)
class Keeping:
    """The open hand as it was kept, and its fields; `joined`: with some that only another page has."""

    open_hand: OpenHand
    draft: Mapping[str, str]
    joined: bool


def keep(call: Call, draft: Mapping[str, str]) -> Keeping | Stale:
    """Keep the fields of the open hand. Raises MatchOver."""
    typed = Typed(draft, call.form.seen_version)
    answer = _keep(call, typed)
    if isinstance(answer, Stale) and (joined := _joined(call, answer, draft)):
        typed, answer = joined, _keep(call, joined)
    return answer if isinstance(answer, Stale) else Keeping(answer, typed.draft, joined=typed.draft != draft)


def count(call: Call, counted: Count, draft: Mapping[str, str]) -> Saved | Refused | Stale | None:
    """The pad's answer to a hand; None for one that cannot be used as it is. Raises MatchOver."""
    answer = _count(call, counted, Typed(draft, call.form.seen_version))
    if isinstance(answer, Stale) and (joined := _joined(call, answer, draft)):
        return _count(call, counted, joined)
    return answer


def _joined(call: Call, stale: Stale, draft: Mapping[str, str]) -> Typed | None:
    """What both pages typed, where they count the same or none changed what the other did; else None.

    None too where the hand is another.
    """
    there, rules, language = stale.current, stale.state.rules, call.words.language
    if there is None or there.id != call.form.hand.data:
        return None
    if what_counts(there.draft, rules, language) == what_counts(draft, rules, language):
        return Typed(with_what_stands(draft, there.draft, rules, language), there.version)
    seen = _at_first(stale.state, draft, there.draft) if stale.seen == {} else stale.seen
    merged = None if seen is None else _merged(seen, draft, there.draft)
    return None if merged is None else Typed(merged, there.version)


def _at_first(state: MatchState, *drafts: Mapping[str, str]) -> dict[str, str]:
    """What a page shows of a hand of which nothing is kept: how each side is counted, which nobody has chosen.

    Nothing of a side in which both have typed: each meant the way in which they typed.
    """
    needs, shown = Needs(state.rules), as_last_time(state)
    keys = [key for key in SIDE_KEYS[: len(state.sides)] if not all(_types(draft, key) for draft in drafts)]
    ways = {names.way(key): needs.way(shown, key) for key in keys}
    return ways | {names.left_way(key): needs.left_way(shown, key) for key in keys}


def _types(draft: Mapping[str, str], key: str) -> bool:
    """Whether anything is typed of a side."""
    return any(name.startswith(f"{key}-") and not names.is_view(name) for name in draft)


def _merged(seen: Mapping[str, str], mine: Mapping[str, str], there: Mapping[str, str]) -> dict[str, str] | None:
    """What two pages made of the fields that both had seen; None where they changed one to different things."""
    merged = {}
    for name in dict.fromkeys((*there, *mine)):
        was, here, other = seen.get(name), mine.get(name), there.get(name)
        if here not in (was, other) and other != was and not names.is_of_tapping(name):
            return None
        chosen = other if here == was else here
        if chosen is not None:
            merged[name] = chosen
    return merged


def _keep(call: Call, typed: Typed) -> OpenHand | Stale:
    answer = the_pad().keep(call.match, call.device, call.form.hand.data, typed.version, typed.draft)
    return answer if isinstance(answer, Stale) else answer.open_hand


def _count(call: Call, counted: Count, typed: Typed) -> Saved | Refused | Stale | None:
    form = call.form
    try:
        return the_pad().count(
            form.request_name, call.match, call.device, form.hand.data, typed.version, counted.hand, typed.draft,
            counted.said,
        )  # fmt: skip
    except Unusable:
        return None
