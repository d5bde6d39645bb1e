"""What an answer rests on: the settings that decide the case at hand, and the places in the sources that say so.

A check rests on all that may matter to it. Where only one of those things decided, only the sources of that are named:
another may even say the opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorepad.rules.checks import Figure
from scorepad.rules.settings import Settings
from scorepad.rules.terms import OpeningBy
from scorepad.rules.variants import Ruleset

THE_ONE_MINIMUM = 50
"""Points: the opening minimum of the source that names only one (G)."""
NAMES_ONE_MINIMUM = "G:Regole sussidiarie"
"""Where that source does."""

Figures = Mapping[str, Figure]


def cited(rules: Ruleset, *settings: str) -> tuple[str, ...]:
    """The places in the sources that these settings rest on, each once.

    A match begun before a setting was told by itself has no place for it.
    """
    told = [rules.cited[name] for name in settings if name in rules.cited]
    return tuple(dict.fromkeys(str(place) for why in told for place in why.citations))


def minimum_rests(settings: Settings, score: int) -> str:
    """The setting that says the opening minimum at this match score."""
    if settings.opening_by is OpeningBy.DEAL:
        return "opening-deals"
    return "opening-below-zero" if score < 0 else "opening-steps"


def minimum_sources(rules: Ruleset, score: int, minimum: int) -> tuple[str, ...]:
    """Where the sources say this minimum (points); a source that names only one is none of any other."""
    return _who_say(cited(rules, minimum_rests(rules.settings, score)), minimum)


def _who_say(places: tuple[str, ...], minimum: int) -> tuple[str, ...]:
    return tuple(place for place in places if minimum == THE_ONE_MINIMUM or place != NAMES_ONE_MINIMUM)


def check_rests(settings: Settings, code: str, figures: Figures) -> tuple[str, ...]:
    """The settings that what a check found rests on; none where those of the check itself are the ones."""
    return _RESTS[code](settings, figures) if code in _RESTS else ()


def check_sources(rules: Ruleset, code: str, figures: Figures) -> tuple[str, ...]:
    """Where the sources say so; none where they are those of the check itself."""
    places = cited(rules, *check_rests(rules.settings, code, figures))
    minimum = figures.get("minimum")
    return places if not isinstance(minimum, int) else _who_say(places, minimum)


def _number(figures: Figures, name: str) -> int:
    number = figures[name]
    assert isinstance(number, int), name
    return number


def _too_many_wilds(settings: Settings, figures: Figures) -> tuple[str, ...]:
    """Only the limits that are exceeded."""
    wilds, ratio = _number(figures, "wilds"), settings.wild_ratio.allows(_number(figures, "naturals"))
    limits = {"wild-limit": settings.wild_limit} | ({} if ratio is None else {"wild-ratio": ratio})
    if _number(figures, "allowed") < min(limits.values()):
        return ("natural-only",)
    return tuple(name for name, limit in limits.items() if wilds > limit)


def _too_short(_: Settings, figures: Figures) -> tuple[str, ...]:
    return ("wild-melds-shortest",) if figures["why"] == "wilds" else ("meld-shortest",)


def _not_allowed(_: Settings, figures: Figures) -> tuple[str, ...]:
    said = {"never": "black-threes", "longest": "black-threes-longest", "pure": "black-threes-wilds"}
    return (said.get(str(figures["why"]), "black-threes-fewest"),)


def _below_minimum(settings: Settings, figures: Figures) -> tuple[str, ...]:
    said = {
        "natural-group": "opening-natural-group", "mixed-canasta": "opening-natural-group",
        "wilds-alone": "opening-wild-melds", "black-threes": "black-threes",
    }  # fmt: skip
    why = str(figures["why"])
    if why in said:
        return (said[why],)
    minimum = minimum_rests(settings, _number(figures, "score"))
    return (minimum, "opening-naturals-up-to") if why == "naturals" else (minimum,)


_RESTS: dict[str, Callable[[Settings, Figures], tuple[str, ...]]] = {
    "meld-too-many-wilds": _too_many_wilds,
    "meld-too-short": _too_short,
    "meld-kind-not-allowed": _not_allowed,
    "opening-below-minimum": _below_minimum,
}
