"""The pad on a real file and the model beside it: everything is done to both, and then both are
looked at.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from operator import attrgetter
from pathlib import Path
from typing import Any

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, DeviceId, MatchId, MatchNotFound, RequestId
from scorepad.matches.events import Labels as LabelsOfPad
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from scorepad.storage import Storage
from tests.exported import export_file
from tests.model.hands import GAMES
from tests.model.match import Labels, Match
from tests.model.table import Clock, Look, Table
from tests.model.told import answered, may_check, may_choose, of_model, of_pad
from tests.model.verbs import Answer, Model, hand_to_come

OPENED_ANEW = 10
"""Checks after which the pad beside opens the file anew: what it keeps in mind between them is
looked at as well.
"""

CLIENTS = ("owner", "noi", "loro", "looker", "stranger")
NAMES = {2: ("Noi", "Loro"), 3: ("Ada", "Bea", "Carlo")}


class Differs(AssertionError):
    """The model and the pad do not agree."""


class Play:
    """Every verb is done twice. `sent` are the submissions so far, so that one can be sent again."""

    def __init__(self, folder: Path) -> None:
        self.path, self.clock, self.model = folder / "pad.db", Clock(), Model()
        self.storage, self.beside = Storage(self.path), Storage(self.path)
        self.pad, self.other = Pad(self.storage, self.clock), Pad(self.beside)
        self.checks, self.listing = itertools.count(1), itertools.cycle(CLIENTS)
        self.tables: list[Table] = []
        self.at = -1
        self.requests = itertools.count(1)
        self.sent: list[
            tuple[str, str, Callable[[str], Answer], Callable[[RequestId], object]]
        ] = []
        self.looks: dict[tuple[MatchId, str], Look] = {}
        self.hands: dict[tuple[MatchId, int], str] = {}
        self.called: dict[tuple[MatchId, str], int] = {}
        self.answers: Counter[tuple[str, str]] = Counter()
        """How often each thing was answered so."""

    @property
    def table(self) -> Table:
        """The match being played."""
        return self.tables[self.at]

    @property
    def match(self) -> Match:
        """The same in the model."""
        return self.table.model

    # ---------------------------------------------------------------------------------------- doing

    def start(self, game: str) -> None:
        """Another match, with two who may write and one who may look."""
        played = GAMES[game]
        names = NAMES[played.sides]
        new = NewMatch(
            played.variant,
            None,
            {},
            LabelsOfPad(names, played.nobody),
            carried=tuple(played.carried),
            played=played.played,
        )
        begun = self.pad.actions.start(RequestId(f"r{next(self.requests)}"), DeviceId("owner"), new)
        assert isinstance(begun, Saved)
        model = Match(played, "owner", Labels(names, played.nobody), played.target)
        self.seat(model, begun)
        for who, side, key in (
            ("noi", 0, begun.keys.write),
            ("loro", 1, begun.keys.write),
            ("looker", None, ""),
        ):
            self.pad.devices.enter(key or begun.keys.view, DeviceId(who))
            model.may[who] = "write" if key else "view"
            if key:
                self.pad.devices.set_side_and_holder(begun.match, DeviceId(who), side)
                model.seats[who] = side

    def seat(self, model: Match, begun: Saved) -> None:
        """A match that has just begun is the one being played."""
        assert begun.keys is not None
        model.name = begun.match
        self.tables.append(Table(begun.match, model, begun.keys))
        self.at = len(self.tables) - 1

    def clear(self, table: Table) -> None:
        """A match is deleted: nobody sees it, its keys open nothing, and what was sent to it was
        never sent.
        """
        self.model.forget(table.model)
        self.tables.remove(table)
        self.at = len(self.tables) - 1
        for left in self.tables:
            left.old = table.keys.write or left.old
            if left.model.rematch is table.model:
                left.model.rematch = None
        for who in (*CLIENTS, ADMIN):
            self.agree(
                f"what {who} may do", "none", self.other.access(table.name, DeviceId(who)).value
            )
            self.is_hidden(self.other, table.name, who)

    def send(
        self,
        who: str,
        kind: str,
        content: Hashable,
        act: Callable[[Match], Answer],
        ask: Callable[[RequestId, MatchId, DeviceId], object],
        request: str | None = None,
    ) -> None:
        """Submit a form to both."""
        table, name = self.table, request or f"r{next(self.requests)}"

        def model(sent: str) -> Answer:
            return self.model.submit(
                table.model, who, sent, kind, content, lambda: act(table.model)
            )

        def pad(sent: RequestId) -> object:
            return ask(sent, table.name, DeviceId(who))

        self.sent.append((name, kind, model, pad))
        self.submit(name, kind, model, pad)

    def ask_both(
        self, who: str, kind: str, verb: Callable[..., Answer], of_pad: str, *told: Hashable
    ) -> None:
        """Submit a form by a verb that takes the same of both; `of_pad` names that of the pad."""
        self.send(
            who,
            kind,
            told,
            lambda match: verb(match, who, *told),
            lambda sent, name, device: attrgetter(of_pad)(self.pad)(sent, name, device, *told),
        )

    def submit(
        self,
        name: str,
        kind: str,
        model: Callable[[str], Answer],
        pad: Callable[[RequestId], object],
    ) -> None:
        """Send something to both, perhaps for the second time."""
        expected = model(name)
        self.answers[kind, " ".join(word for word in expected if isinstance(word, str))] += 1
        self.agree(kind, expected, answered(kind, lambda: pad(RequestId(name))))

    def agree(self, what: str, expected: object, got: object) -> None:
        """The two have to say the same."""
        if expected != got:
            raise Differs(f"{what}: the model says {expected}, the pad {got}")

    # -------------------------------------------------------------------------------------- looking

    def look(self, who: str, *, stale: bool = False) -> Look:
        """What somebody sees now, or saw when that one looked last."""
        key, match = (self.table.name, who), self.match
        if stale and key in self.looks:
            return self.looks[key]
        hand = hand_to_come(match)
        state = self.pad.state(self.table.name, ADMIN)
        if match.typing or not match.is_over:
            name = self.pad.open(self.table.name, ADMIN).id
            called = self.hands.setdefault((self.table.name, hand), name)
            of_hand = self.called.setdefault((self.table.name, name), hand)
            self.agree("the name of a hand, and its hand", (called, of_hand), (name, hand))
        seen = tuple(
            (match.countings(number)[-1].at, contest.at if (contest := match.contest(number)) else 0,
             match.remark(number))
            for number in range(1, match.hands + 1)
        )  # fmt: skip
        known = self.hands.get((self.table.name, hand))
        found = Look(
            at=len(match.deeds),
            hand=hand if known else 0,  # a match that is over names no hand to come
            name=known or "none",
            version=match.typing.version if match.typing else 0,
            hands=seen,
            rules=state.rules.digest,
            rulings=tuple(deed.at for deed in match.standing("ruling")),
            penalties=tuple(deed.at for deed in match.standing("penalty", "ruling")),
        )
        self.looks[key] = found
        return found

    def check(self) -> None:
        """Both show the same: the pad that did it, and another beside it on the same file, which
        did nothing.

        That one adds up whatever is new from the file; now and then it is opened anew as well, as
        after a restart. Who may do what is in the file alone, so that it tells it for both.
        """
        if next(self.checks) % OPENED_ANEW == 0:
            self.open_beside()
        told = of_model(self.match)
        self.same(told, of_pad(self.pad.state(self.table.name, ADMIN)))
        self.compare(self.other, told)

    def compare(self, pad: Pad, told: dict[str, Any]) -> None:
        """The match being played, to everybody. In the lists, which all read from one row, it is
        looked up by two.
        """
        asking = next(self.listing)
        for who in CLIENTS:
            may = self.match.may.get(who, "none")
            self.agree(f"what {who} may do", may, pad.access(self.table.name, DeviceId(who)).value)
            if may == "none":
                self.is_hidden(pad, self.table.name, who)
                continue
            if may == "own":
                self.same(told, of_pad(pad.state(self.table.name, DeviceId(who))))
            self.agree("log", told["log"], pad.version(self.table.name, DeviceId(who)).last_entry)
            self.may(pad, who)
            if may == "own" or who == asking:
                self.listed(pad, who, told)

    def same(self, told: dict[str, Any], got: dict[str, Any]) -> None:
        """Told part by part, so that one sees what differs."""
        for part, expected in told.items():
            self.agree(part, expected, got[part])

    def is_hidden(self, pad: Pad, name: MatchId, who: str) -> None:
        """Somebody without a key sees nothing of it."""
        try:
            pad.state(name, DeviceId(who))
        except MatchNotFound:
            listed = pad.summaries(DeviceId(who))
            self.agree(
                "lists", False, name in [row.id for row in listed.in_progress + listed.finished]
            )
        else:
            raise Differs(f"{who} sees the match")

    def may(self, pad: Pad, who: str) -> None:
        """Who checks and chooses what."""
        device = DeviceId(who)
        self.agree(
            "may check", may_check(self.match, who), pad.checking.can_check(self.table.name, device)
        )
        for number in range(1, self.match.hands + 1):
            if self.match.contest(number):
                got = pad.checking.may_choose(self.table.name, device, number)
                self.agree("may choose", may_choose(self.match, who, number), got)

    def listed(self, pad: Pad, who: str, told: dict[str, Any]) -> None:
        """The match among all that somebody has."""
        lists = pad.summaries(DeviceId(who))
        over, winner, early = told["outcome"]
        (row,) = [
            row
            for row in (lists.finished if over else lists.in_progress)
            if row.id == self.table.name
        ]
        got = (row.totals, row.hands, row.winner, row.names, row.ending or None)
        ending = told["ending"][0] if early else None
        self.agree(
            "the list",
            (told["totals"], self.match.hands, winner, told["labels"].names, ending),
            got,
        )

    # ----------------------------------------------------------------------------------- at the end

    def restart(self) -> None:
        """The pad is stopped and started."""
        self.storage.close()
        self.storage = Storage(self.path)
        self.pad = Pad(self.storage, self.clock)

    def open_beside(self) -> None:
        """The other pad is stopped and started."""
        self.beside.close()
        self.beside = Storage(self.path)
        self.other = Pad(self.beside)

    def finish(self) -> None:
        """All matches once more after a restart, and taken into another file: there they are the
        same.
        """
        self.restart()
        self.open_beside()
        for position in range(len(self.tables)):
            self.at = position
            self.check()
        taken = export_file(self.pad)
        elsewhere = self.path.with_name("elsewhere.db")
        with Storage(elsewhere) as storage:
            other = Pad(storage)
            other.imports.import_file(taken, ADMIN)
            self.agree("exported again", True, export_file(other) == taken)
            for table in self.tables:
                self.same(of_model(table.model), of_pad(other.state(table.name, ADMIN)))
        self.close()

    def close(self) -> None:
        """Nothing more is played."""
        self.storage.close()
        self.beside.close()
