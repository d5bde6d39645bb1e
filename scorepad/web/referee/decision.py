"""The next fact to ask for: the first that can still change the engine's answer.

Every open fact is tried with a few values; a fact matters if two cases that differ only in it have
different answers. If no fact matters, the answer is decided.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scorepad.matches.rulings import DEPENDS
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.cards import KINDS, Cards, Kind, read_cards
from scorepad.rules.settings import Settings
from scorepad.rules.variants import Ruleset
from scorepad.web.referee.cases import Answers, Case, Fact, InputKind

_HIGH = ("A", "K", "Q", "J", "10")
_NATURALS = tuple(kind for kind in Kind if kind.is_natural)


class Decision(NamedTuple):
    """The next fact, None if the answer is decided; and the reasons that hold in every case tried."""

    fact: Fact | None
    reasons: frozenset[tuple[str, Hashable]] = frozenset()

    def holds(self, reason: Reason) -> bool:
        """Whether a reason holds for all open facts."""
        return not self.reasons or _reason_key(reason) in self.reasons


def decide(case: Case, *, only_side: bool = False) -> Decision:
    """The next fact of a case without errors; `only_side`: only the side of the case may be asked."""
    asked = _open(case)
    if only_side:
        asked = [fact for fact in asked if fact.input is InputKind.SIDE]
    for fact in asked:
        if not only_side and (
            fact.needed or (fact.input is InputKind.SIDE and _open_hand_knows(case))
        ):
            return Decision(fact)
    tried = list(_cases(case, asked if only_side else None))
    of_hand = not only_side and case.answer("way") == "hand"
    for fact in asked:
        # No value shows how a whole hand uses the melds on the table.
        if (of_hand and fact.input is InputKind.MELDS) or _matters(fact, case, tried):
            return Decision(fact)
    rulings = [each.ruling for each in tried if each.ruling]
    common = (
        set.intersection(*({_reason_key(why) for why in each.reasons} for each in rulings))
        if rulings
        else None
    )
    if (
        common == set()
        and asked
        and not only_side
        and any(each.verdict is Verdict.FORBIDDEN for each in rulings)
    ):
        return Decision(asked[0])  # every case tried is forbidden, each for another reason
    return Decision(None, frozenset(common or ()))


def _open(case: Case) -> list[Fact]:
    """The facts that may still be asked for."""
    return [fact for fact in case.facts if not fact.aside and not case.is_answered(fact)]


def open_facts(case: Case, rules: Ruleset) -> list[str]:
    """The open facts, by name, on which the answer would depend under other rules: each tried
    separately.
    """
    there = replace(case, rules=rules)
    return [fact.name for fact in _open(there) if _changes(fact, there)] if there.ruling else []


def _changes(fact: Fact, case: Case) -> bool:
    """Whether one of its values, with the facts it adds, changes the usual answer."""
    usual = {fact.name: case.value(fact)}
    for tried in (
        case.with_answers(answers) for answers in _values(fact, case) if answers != usual
    ):
        # The table matters for a top card only together with it.
        leads_to = [each for each in tried.facts if not tried.is_answered(each)
                    and (fact.name in each.only or (fact.name, each.name) == ("top", "table"))]  # fmt: skip
        rulings = (each.ruling for each in _cases(tried, leads_to))
        if any(
            ruling is not None and _signature(ruling) != _signature(case.ruling)
            for ruling in rulings
        ):
            return True
    return False


def _open_hand_knows(case: Case) -> bool:
    """Whether the open hand of the match gives the facts that the question needs."""
    names = {name for fact in case.question.facts for name in case.names(fact)}
    sides = range(len(case.match.sides)) if case.match else ()
    return any(names.intersection(case.of_open_hand(side)) for side in sides)


def _cases(case: Case, among: Sequence[Fact] | None = None) -> Iterator[Case]:
    """The case with every open fact tried, or those `among` them; a fact may lead to others."""
    facts = _open(case) if among is None else [fact for fact in among if not case.is_answered(fact)]
    if not facts:
        yield case
        return
    for answers in _values(facts[0], case):
        yield from _cases(case.with_answers(answers), among)


def _matters(fact: Fact, case: Case, tried: list[Case]) -> bool:
    """Whether two cases that differ only in this fact, and the facts it adds, have different
    answers.
    """
    names = {
        *case.names(fact),
        *(each.name for each in case.question.facts if fact.name in each.only),
    }
    found: dict[Hashable, Hashable] = {}
    for each in tried:
        rest = frozenset((name, text) for name, text in each.typed.items() if name not in names)
        if (
            each.ruling is not None
            and found.setdefault(rest, answer := _signature(each.ruling)) != answer
        ):
            return True
    return False


def _signature(ruling: Ruling | None) -> Hashable:
    """A value that is equal for two equal answers to a question."""
    if ruling is None:
        return None
    depends = any(reason.code in DEPENDS for reason in ruling.reasons)
    is_value = ruling.verdict is Verdict.VALUE
    return (
        ruling.verdict,
        depends,
        frozenset(ruling.details.items()) if is_value else ruling.details.get("effect"),
    )


def _reason_key(reason: Reason) -> tuple[str, Hashable]:
    return reason.code, frozenset((name, str(value)) for name, value in reason.figures.items())


# ---------------------------------------------------------------- values to try


def _values(fact: Fact, case: Case) -> Iterator[Answers]:
    """The values with which a fact is tried."""
    name, settings = fact.name, case.settings
    match fact.input:
        case InputKind.COUNTS:  # no canasta, one or two of a kind, one of each
            names = case.names(fact)
            yield {names[0]: "0"}
            yield from ({each: count} for each in names for count in ("1", "2"))
            yield dict.fromkeys(names, "1")
            return
        case InputKind.CHOICE:
            texts = list(fact.values)
        case InputKind.SIDE:
            texts = (
                [str(position) for position in range(len(case.match.sides))] if case.match else []
            )
        case InputKind.SCORE:
            steps = {minimum: start for start, minimum in reversed(settings.opening_steps)}
            texts = ["-5", *map(str, steps.values())]
        case InputKind.FIGURE if name == "deal":
            texts = ["1", str(settings.match_deals or len(settings.opening_deals) or 1)]
        case InputKind.FIGURE:
            texts = ["0", "1", "2", "4"]
        case InputKind.CARD:
            texts = ["9", Kind.BLACK_THREE, Kind.TWO, Kind.RED_THREE]
            if name == "top":  # one that fits those melds
                table = read_cards(case.answer("table")).cards.ranks
                texts = ["", KINDS[table[0]] if table else "9", *texts]
        case _:
            texts = list(dict.fromkeys(_melds(name, case)))
    yield from ({name: text} for text in texts)


def _melds(name: str, case: Case) -> Iterator[str]:
    """Cards and melds that fit the other cards of the case, and some that do not."""
    settings, raw = case.settings, case.as_json()
    shown = read_cards(
        next((raw[key] for key in ("top", "card", "cards") if raw.get(key)), "")
    ).cards
    kinds = [kind for kind in KINDS if shown.of(kind)]
    rank = next((kind for kind in kinds if kind.is_natural), "9")
    if name == "laid":
        top = kinds[0] if kinds else "9"
        rich = " / ".join(f"5x{kind}" for kind in [high for high in _HIGH if high not in kinds][:3])
        yield from ("", f"2x{top}", f"{top} 2", top, f"3x{top}", f"4x{top}", f"2x{top} / {rich}")
    elif raw["kind"] == "out":
        yield from ("", "5xQ 2x2", " / ".join(_enough(settings)))
    elif name != "on":
        yield from ("", *(f"{count}x{rank}" for count in (3, 5, 7)))
        if settings.wilds_blocked != "nothing":
            yield from ("3x2", "3xJK", *(f"3x2 / {count}x{rank} 2" for count in (3, 4, 5)))
    elif len(shown.ranks) < 2:  # noqa: PLR2004 - cards of several ranks go on a sequence only
        yield from (
            f"3x{rank}",
            f"4x{rank}",
            f"2x{rank} 2",
            f"7x{rank}",
            f"6x{rank} 2",
            "3x2",
            "3xJK",
        )
    if settings.sequences != "none" and shown.suited and len(shown.ranks) == shown.naturals:
        yield from _beside(shown, 2 if name == "laid" else 3)


def _enough(settings: Settings) -> Iterator[str]:
    """Canastas that suffice to go out: one of each required kind, and natural ones for the rest."""
    ranks, full = iter(_NATURALS), settings.canasta_length
    kinds = {kind.family: kind for kind in reversed(settings.canastas)}
    needed = [
        kinds[family] for family, count in settings.canasta_families_needed for _ in range(count)
    ]
    for kind in needed:
        wilds = kind.wilds[0] and max(kind.wilds[0], 2)
        if kind.shape == "wilds":
            yield (
                f"{kind.jokers[0]}xJK {full - kind.jokers[0]}x2" if kind.jokers[0] else f"{full}x2"
            )
        elif kind.shape == "sequence":
            yield "4h 5h 6h 7h 8h 9h 10h"
        else:
            yield f"{full - wilds}x{kind.rank or next(ranks)}" + (f" {wilds}x2" if wilds else "")
    yield from (f"{full}x{next(ranks)}" for _ in range(settings.canastas_needed - len(needed)))


def _beside(cards: Cards, count: int) -> Iterator[str]:
    """Runs of `count` cards directly above and below cards of a suit; with two, also one on each
    side.
    """
    suit = cards.suited[0][1]
    places = [_NATURALS.index(KINDS[index]) for index in cards.ranks]
    above = _NATURALS[max(0, min(places) - count) : min(places)]
    below = _NATURALS[max(places) + 1 : max(places) + 1 + count]
    for run in (above, below, (*above[-1:], *below[:1]) if count == 2 else ()):  # noqa: PLR2004
        if len(run) == count:
            yield " ".join(f"{kind}{suit}" for kind in run)
