"""What an answer rests on, and where the sources say so.

A ground is a setting (`held-red-three`), a single step of one (`opening-steps/1500`, see `scorepad.rules.steps`) or a
penalty (`penalties/draw-out-of-turn`). Of all that may matter to a rule only the grounds that decided the case are
named: the sources of the others may even say the opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from scorepad.rules.checks import Figure
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.settings import Settings
from scorepad.rules.terms import OpeningBy
from scorepad.rules.variants import Ruleset

PENALTIES = "penalties"
"""The first part of the ground that a penalty is."""

Figures = Mapping[str, Figure]


class Basis(NamedTuple):
    """The places that say what was applied, and how firmly it stands; None where nothing needs a source."""

    sources: tuple[str, ...]
    standing: Standing | None


_WEAKEST = (Standing.HOUSE, Standing.READ, Standing.STATED)


def basis(rules: Ruleset, grounds: Iterable[str]) -> Basis:
    """Where the sources say what these grounds say; nowhere where the table decided a part of it.

    It stands as firmly as the least firm of them.
    """
    found = tuple(cited_at(rules, ground) for ground in grounds)
    standings = {cited.standing for cited in found}
    standing = next((each for each in _WEAKEST if each in standings), None)
    if standing is Standing.HOUSE:
        return Basis((), standing)
    return Basis(places_of(*found), standing)


def arguments(rules: Ruleset, grounds: Iterable[str]) -> tuple[str, ...]:
    """The names of the arguments by which these grounds are read out of the sources, each once."""
    found = (cited_at(rules, ground) for ground in grounds)
    return tuple(dict.fromkeys(cited.read for cited in found if cited.read))


def cited_at(rules: Ruleset, ground: str) -> Cited:
    """Why a ground is as it is."""
    setting, _, step = ground.partition("/")
    if setting == PENALTIES:
        return rules.penalties[step].cited
    cited = rules.cited[setting]
    return cited.of(step) if step else cited


def places(rules: Ruleset, *grounds: str) -> tuple[str, ...]:
    """The places that these grounds cite, each once."""
    return places_of(*(cited_at(rules, ground) for ground in grounds))


def places_of(*cited: Cited) -> tuple[str, ...]:
    """The places that are cited, each once, in order."""
    return tuple(dict.fromkeys(str(place) for why in cited for place in why.citations))


def minimum_ground(settings: Settings, score: int, deal: int) -> str:
    """The ground of the opening minimum at this match score, in this hand of the match."""
    if settings.opening_by is OpeningBy.DEAL:
        return f"opening-deals/{min(deal, len(settings.opening_deals))}"
    if score < 0:
        return "opening-below-zero"
    return f"opening-steps/{max(start for start, _ in settings.opening_steps if score >= start)}"


def check_grounds(rules: Ruleset, code: str, figures: Figures) -> tuple[str, ...]:
    """What a thing found by a check rests on: what decided, or all that the data names for the check."""
    if code in _GROUNDS:
        return _GROUNDS[code](rules.settings, figures)
    return next(rule.rests for rule in rules.checks if rule.id == code)


# ------------------------------------------------------------------------------------------------ of single checks


def _number(figures: Figures, name: str) -> int:
    number = figures[name]
    assert isinstance(number, int), name
    return number


def _points_not_multiple(_: Settings, figures: Figures) -> tuple[str, ...]:
    """What the table agrees has no source; cards in hand are worth what the sources say."""
    return () if "why" in figures else ("card-points",)


def _penalty_unknown(_: Settings, figures: Figures) -> tuple[str, ...]:
    """A name that means nothing needs no source; that a game has no penalties does."""
    return () if figures["known"] else ("penalties-known",)


def _totals_impossible(_: Settings, figures: Figures) -> tuple[str, ...]:
    return ("card-points",) if figures["why"] in ("multiple", "less") else ("card-points", "decks")


def _too_many_wilds(settings: Settings, figures: Figures) -> tuple[str, ...]:
    """Only the limits that are exceeded."""
    if figures["why"] == "sequence":
        return ("sequences",)
    wilds, ratio = _number(figures, "wilds"), settings.wild_ratio.allows(_number(figures, "naturals"))
    limits = {"wild-limit": settings.wild_limit} | ({} if ratio is None else {"wild-ratio": ratio})
    if _number(figures, "allowed") < min(limits.values()):
        return ("natural-only",)
    return tuple(name for name, limit in limits.items() if wilds > limit)


def _too_short(_: Settings, figures: Figures) -> tuple[str, ...]:
    return ("wild-melds-shortest",) if figures["why"] == "wilds" else ("meld-shortest",)


def _too_long(_: Settings, figures: Figures) -> tuple[str, ...]:
    said = {"wilds": "wild-melds-longest", "sequence": "sequences"}
    return (said.get(str(figures["why"]), "meld-longest"),)


def _not_allowed(_: Settings, figures: Figures) -> tuple[str, ...]:
    said = {"never": "black-threes", "longest": "black-threes-longest", "pure": "black-threes-wilds"}
    return (said.get(str(figures["why"]), "black-threes-fewest"),)


def _canastas_missing(_: Settings, figures: Figures) -> tuple[str, ...]:
    return ("canasta-families-needed",) if figures["why"] == "families" else ("canastas-needed",)


def _opening(settings: Settings, figures: Figures) -> tuple[str, ...]:
    said = {
        "natural-group": "opening-natural-group", "mixed-canasta": "opening-natural-group",
        "wilds-alone": "opening-wild-melds", "black-threes": "black-threes",
    }  # fmt: skip
    why = str(figures["why"])
    if why in said:
        return (said[why],)
    minimum = minimum_ground(settings, _number(figures, "score"), _number(figures, "deal"))
    return (minimum, "opening-naturals-up-to") if why == "naturals" else (minimum,)


def _opening_unknown(_: Settings, figures: Figures) -> tuple[str, ...]:
    return ("opening-natural-group" if figures["why"] == "natural-group" else "opening-naturals-up-to",)


def _nothing(_: Settings, __: Figures) -> tuple[str, ...]:
    """What was written down, and not what the game says, is wrong with it."""
    return ()


_GROUNDS: dict[str, Callable[[Settings, Figures], tuple[str, ...]]] = {
    "card-unknown": _nothing,
    "side-unknown": _nothing,
    "not-checked": _nothing,
    "meld-too-few-naturals": lambda _, __: ("meld-naturals",),
    "red-three-twice": lambda _, __: ("penalties-known/same-offence",),
    "points-not-multiple": _points_not_multiple,
    "penalty-unknown": _penalty_unknown,
    "totals-impossible": _totals_impossible,
    "meld-too-many-wilds": _too_many_wilds,
    "meld-too-short": _too_short,
    "meld-too-long": _too_long,
    "meld-kind-not-allowed": _not_allowed,
    "out-canastas-missing": _canastas_missing,
    "opening-below-minimum": _opening,
    "opening-impossible": _opening,
    "opening-unknown": _opening_unknown,
}
