"""Whether totals counted at the table can be: the cheapest and the dearest cards for the canastas
named, exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .cards import NATURALS, Card
from .game import Game
from .hand import Hand
from .layouts import Problem, cheapest_groups, dearest_groups, make_problem
from .sequences import Run, choices, place_in_suits, runs, take
from .stock import Counts, Stock, remaining

NOTHING = 10**9


def _cost(run: Run) -> int:
    """The fewest points that a sequence can be worth: its wilds all twos."""
    return run.points + 20 * run.wilds


def is_possible(hand: Hand, name: str, elsewhere: Iterable[Card]) -> bool:
    """Whether the side's totals lie in their interval."""
    totals = hand.side(name).totals
    if totals is None or totals.cards % 5 or 0 < totals.cards < 15 or totals.cards < 0:
        return totals is None
    named = +totals.canastas
    if named.pop("concealed-canasta", 0) > named.total():
        return False
    found = interval(
        hand.game, remaining(hand.game.decks, elsewhere), named, went_out=hand.went_out(name)
    )
    return found is not None and found[0] <= totals.cards <= found[1]


def interval(
    game: Game, stock: Stock, named: Counter[str], *, went_out: bool
) -> tuple[int, int] | None:
    """Fewest and most points of legal cards that make exactly the canastas named; None if none do."""
    game = game.going_out() if went_out else game
    problem = make_problem(game, stock, named, went_out=went_out)
    if not game.sequences:
        least, most = cheapest_groups(problem, stock.ranks), dearest_groups(problem, stock.ranks)
        return None if least is None or most is None else (least, most)
    search = Search(
        problem,
        stock,
        named["samba"],
        named["dirty-samba"],
        dirty=bool(game.option("dirty-escalera")),
    )
    least = search.cheapest()
    most = None if least is None else search.dearest()
    return None if least is None or most is None else (least, most)


@dataclass
class Search:
    """The interval where sequences take part: every choice of sambas tried, groups laid from what
    they leave.
    """

    problem: Problem
    stock: Stock
    clean: int
    dirty_named: int
    dirty: bool
    best: int = -1
    groups: dict[tuple[Counts, int, frozenset[int] | None], int | None] = field(
        default_factory=dict
    )
    seen: set[tuple[Counts, tuple[Counts, ...], frozenset[int], int]] = field(default_factory=set)

    def cheapest(self) -> int | None:
        """Sambas of exactly seven cards; no choice is tried that cannot be cheaper than the best so
        far.
        """
        alone = cheapest_groups(self.problem, self.stock.ranks)
        if alone is None or self.clean > min(self.stock.ranks[4:7]):
            return None
        clean, dirty = runs(0, 7, 7), [run for run in runs(2, 7, 7) if run.wilds]
        among = [sorted(clean, key=_cost)] * self.clean + [
            sorted(dirty, key=_cost)
        ] * self.dirty_named
        self.best = NOTHING
        self._cheaper(among, (), self.stock.ranks, alone)
        return None if self.best == NOTHING else self.best

    def _cheaper(
        self,
        among: list[list[Run]],
        chosen: tuple[Run, ...],
        ranks: Counts,
        alone: int,
        first: int = 0,
    ) -> None:
        """Choose a run from each list, the same list in its order only, while the whole can be
        under the best.
        """
        spent = sum(_cost(run) for run in chosen)
        place = len(chosen)
        if place == len(among):
            groups = cheapest_groups(self.problem, ranks, sum(run.wilds for run in chosen))
            cost = sum(run.points for run in chosen)
            if groups is not None and cost + groups < self.best and self._fits(chosen):
                self.best = cost + groups
            return
        start = first if place and among[place] is among[place - 1] else 0
        for i, run in enumerate(among[place][start:], start):
            if (
                spent + alone + sum(_cost(runs_[0]) for runs_ in among[place + 1 :]) + _cost(run)
                >= self.best
            ):
                return
            rest = take(ranks, run.places)
            if min(rest) >= 0:
                self._cheaper(among, (*chosen, run), rest, alone, i)

    def _fits(self, chosen: tuple[Run, ...]) -> bool:
        return next(place_in_suits(self.stock.suited, chosen), None) is not None

    def dearest(self) -> int | None:
        """First the sambas alone; if cards are left over, with shorter sequences for the ranks left
        over as well.
        """
        self.best = -1
        bound = self._bound((), self.stock.ranks, self.stock.suited, frozenset())
        for chosen, ranks in choices(self.stock, self.clean, self.dirty_named, longest=11):
            self._try(chosen, ranks)
            if self.best >= bound:
                return self.best
        for chosen, ranks in choices(self.stock, self.clean, self.dirty_named, longest=11):
            for suited in dict.fromkeys(place_in_suits(self.stock.suited, chosen)):
                self._mend(chosen, ranks, suited, frozenset())
            if self.best >= bound:
                return self.best
        return self.best if self.best >= 0 else None

    def _try(self, chosen: tuple[Run, ...], ranks: Counts) -> None:
        points = self._points(chosen, ranks)
        if points > self.best and self._fits(chosen):
            self.best = points

    def _points(
        self, chosen: tuple[Run, ...], ranks: Counts, shared: frozenset[int] | None = None
    ) -> int:
        """The most points with just these sequences, or, with `shared` ranks, a bound with more; -1
        if impossible.
        """
        wilds = sum(run.wilds for run in chosen)
        key = (ranks, wilds, shared)
        if key not in self.groups:
            loose = shared is not None and self.dirty
            self.groups[key] = dearest_groups(
                self.problem, ranks, wilds, shared=shared or frozenset(), loose=loose
            )
        groups = self.groups[key]
        return -1 if groups is None else groups + sum(run.points for run in chosen)

    def _bound(
        self,
        chosen: tuple[Run, ...],
        ranks: Counts,
        suited: tuple[Counts, ...],
        done: frozenset[int],
    ) -> int:
        """More than this cannot be laid with the sequences chosen and any others that spare the
        ranks done with.
        """
        shared = {place for run in self._open_runs(ranks, suited, done) for place in run.places}
        return self._points(chosen, ranks, frozenset(shared))

    def _open_runs(
        self, ranks: Counts, suited: tuple[Counts, ...], done: frozenset[int]
    ) -> list[Run]:
        """The short sequences that can still be laid."""
        return [
            run
            for run in runs(2 * self.dirty, 3, 5)
            if not done.intersection(run.places)
            and all(ranks[place] for place in run.places)
            and any(all(suit[place] for place in run.places) for suit in suited)
        ]

    def _mend(
        self,
        chosen: tuple[Run, ...],
        ranks: Counts,
        suited: tuple[Counts, ...],
        done: frozenset[int],
    ) -> None:
        """Try sequences over a rank of which one or two cards are left over, or leave that rank as
        it is.
        """
        state = (ranks, suited, done, sum(run.wilds for run in chosen))
        if state in self.seen:
            return
        self.seen.add(state)
        self.best = max(self.best, self._points(chosen, ranks))
        lonely = [
            place for place in range(len(NATURALS)) if 0 < ranks[place] < 3 and place not in done
        ]
        if not lonely or self._bound(chosen, ranks, suited, done) <= self.best:
            return
        for run in self._open_runs(ranks, suited, done):
            if lonely[0] in run.places:
                for rest in dict.fromkeys(place_in_suits(suited, (run,))):
                    self._mend((*chosen, run), take(ranks, run.places), rest, done)
        self._mend(chosen, ranks, suited, done | {lonely[0]})
