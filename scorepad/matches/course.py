"""What else happens to a match: penalties noted, notes, an end agreed, players replaced, other rules, a rematch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from scorepad.matches import matches
from scorepad.matches.access import access_of, admit_owner, find
from scorepad.matches.answers import NameProblem, NewMatchRefused, Saved, Stale
from scorepad.matches.desk import Desk, Sent, found_again, saved
from scorepad.matches.errors import HandsCounted, MatchOver
from scorepad.matches.hands import open_hand
from scorepad.matches.house import house_options
from scorepad.matches.kinds import EntryKind
from scorepad.matches.labels import read_labels
from scorepad.matches.notes import tidy_note
from scorepad.matches.office import Office
from scorepad.matches.payloads import Beginning, Labels, ending_json, replacement_json
from scorepad.matches.values import Ending, Replacement
from scorepad.matches.who import Access, DeviceId, MatchId, RequestId
from scorepad.rules.match import Seat, standing, turns
from scorepad.rules.variants import Choice, freeze, settle
from scorepad.storage.errors import StorageError

Draft = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Noted:
    """A penalty noted while the hand is played: the position of the side, the code.

    `points` and `reason` are those of a penalty of the table's own.
    """

    side: int
    code: str
    points: int | None = None
    reason: str = ""


class Course:
    """Every verb raises MatchNotFound, NotAllowed and RequestRefused as the pad's."""

    def __init__(self, office: Office) -> None:
        self._office = office

    # ------------------------------------------------------------------------------------------------ in a hand

    def note_penalty(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        hand_id: str,
        noted: Noted,
        write: Callable[[Draft], Draft],
    ) -> Saved | Stale:
        """Note a penalty in the hand being played; it waits there until the count. Stale where that hand is over.

        `write` puts it among the fields of the open hand. Raises MatchOver.
        """

        def act(desk: Desk) -> Saved | Stale:
            if desk.log.standing.finished:
                raise MatchOver(match)
            if hand_id != desk.seen.coming_id:
                return desk.seen.stale
            after, changed = written(desk, write)
            payload = {"number": len(desk.log.hands) + 1, "fields": changed, **asdict(noted)}
            entry = desk.append(EntryKind.PENALTY, request, payload)
            desk.type_in(after)
            return saved(entry, desk.log.rules)

        return self._office.submit(EntryKind.PENALTY, Sent.of(request, device, hand_id, asdict(noted)), match, act)

    def remark(
        self, request: RequestId, match: MatchId, device: DeviceId, number: int, seen: str, text: str
    ) -> Saved | Stale:
        """Note something of a counted hand; `seen` is the note that stood there. Empty takes it away."""

        def act(desk: Desk) -> Saved | Stale:
            if not 1 <= number <= len(desk.log.hands) or desk.log.marks[number - 1].remark != seen:
                return desk.seen.stale
            tidy = tidy_note(text)
            if tidy == seen:
                return Saved(match, number)
            return saved(desk.append(EntryKind.REMARK, request, {"number": number, "text": tidy}), desk.log.rules)

        return self._office.submit(EntryKind.REMARK, Sent.of(request, device, number, seen, text), match, act)

    # ------------------------------------------------------------------------------------------------ the match

    def end(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_hands: int, ending: Ending
    ) -> Saved | Stale:
        """End the match as the table agreed, now or after a hand to come. `seen_hands` had been counted.

        Raises MatchOver.
        """

        def act(desk: Desk) -> Saved | Stale:
            if desk.log.standing.finished:
                raise MatchOver(match)
            if seen_hands != len(desk.log.hands):
                return desk.seen.stale
            return saved(desk.append(EntryKind.END, request, ending_json(ending)), desk.log.rules)

        sent = Sent.of(request, device, seen_hands, ending_json(ending))
        return self._office.submit(EntryKind.END, sent, match, act)

    def replace(
        self, request: RequestId, match: MatchId, device: DeviceId, seat: Seat, was: str, name: str
    ) -> Saved | NewMatchRefused | Stale:
        """Somebody takes a player's place from the coming hand on. `was` is who the device had seen there."""

        def act(desk: Desk) -> Saved | NewMatchRefused | Stale:
            labels, side = desk.log.labels, seat[0]
            if seated(labels, seat) != was:
                return desk.seen.stale
            if desk.log.standing.finished:
                raise MatchOver(match)
            if name.strip() == was:
                return Saved(match)
            wanted = _with_player(labels, seat, name)
            read, problems = read_labels(wanted.names, wanted.players, labels.place, desk.log.rules.settings)
            where = ("names", side) if len(labels.players[side]) == 1 else ("players", *seat)
            if not name.strip() and len(labels.players[side]) > 1:
                problems = (*problems, NameProblem("name-empty", where))
            if problems:
                return NewMatchRefused(problems)
            taken = Replacement(seat, was, seated(read, seat), len(desk.log.hands) + 1)
            return saved(desk.append(EntryKind.REPLACE, request, replacement_json(read, taken)), desk.log.rules)

        return self._office.submit(EntryKind.REPLACE, Sent.of(request, device, list(seat), was, name), match, act)

    def change_rules(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        preset: str | None,
        options: Mapping[str, Choice],
        seen: str = "",
    ) -> Saved | NewMatchRefused | Stale:
        """Other options of the house, or another target, as long as no hand is counted: then raises HandsCounted.

        `seen` is the digest of the rules that the device had seen, where it says so. Raises ChoiceError for rules that
        do not exist.
        """

        def act(desk: Desk) -> Saved | NewMatchRefused | Stale:
            log = desk.log
            if log.hands:
                raise HandsCounted(match)
            if seen not in ("", log.rules.digest):
                return desk.seen.stale
            rules = settle(log.rules.variant, preset, options)
            if rules.settings.sides != log.rules.settings.sides:
                return NewMatchRefused((NameProblem("names-number", ("names",), len(rules.settings.sides)),))
            carried = log.begins.carried
            if carried and standing(carried, rules.settings, log.begins.played).finished:
                return NewMatchRefused((NameProblem("carried-over", ("target",), rules.settings.target),))
            if (rules.preset, rules.options) == (log.rules.preset, log.rules.options):
                return Saved(match)
            desk.rows.add_ruleset(rules.digest, freeze(rules))
            payload = {"ruleset": rules.digest, "house": list(house_options(rules))}
            return saved(desk.append(EntryKind.RULES, request, payload), rules)

        sent = Sent.of(request, device, preset, dict(options))
        return self._office.submit(EntryKind.RULES, sent, match, act)

    def rematch(self, request: RequestId, match: MatchId, device: DeviceId) -> Saved | Stale:
        """The same again: names, rules and devices, and the next dealer. Stale as long as the match goes on.

        Where somebody began it already, that is the answer. Sent again after it was deleted it is stale.
        """
        sent = Sent.of(request, device, match)
        with self._office.storage.writing() as rows:
            desk = self._office.desk(rows, match, device, sent.content)
            again = found_again(rows, self._office.shelf, sent, EntryKind.START, None)
            if again is not None:
                return again
            begun = desk.seen.rematch
            if begun and find(rows, begun) is not None:
                # Who came in here since then, or was put out there, comes into the rematch by its own key alone.
                there = access_of(rows, begun, device)
                return desk.seen.stale if there is Access.NONE else Saved(MatchId(begun), again=True)
            can_begin = desk.log.standing.finished and rows.requested(_noted(sent)) is None
            return _begin_again(desk, sent) if can_begin else desk.seen.stale

    def delete(self, match: MatchId, device: DeviceId) -> None:
        """Delete a match for good: nothing of it stays in the file. Raises NotOwner for whoever does not own it."""
        with self._office.storage.writing() as rows:
            admit_owner(rows, match, device)
            rows.drop_match(match)
        # It is gone already. If the rest of it cannot be swept up now, it is with the next one.
        with suppress(StorageError):
            self._office.storage.rewrite()


def written(desk: Desk, write: Callable[[Draft], Draft]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The fields of the open hand with a penalty among them, and what each field changed there said before and says."""
    before = dict(open_hand(desk.seen).draft)
    after = dict(write(before))
    return after, {name: [before.get(name, ""), text] for name, text in after.items() if before.get(name) != text}


def seated(labels: Labels, seat: Seat) -> str:
    """Who sits there: a player by name, empty where nobody was named; a side of one goes by the side's name."""
    side, index = seat
    players = labels.players[side] if 0 <= side < len(labels.players) else ()
    if len(players) == 1:
        return labels.names[side]
    return players[index] if 0 <= index < len(players) else ""


def _with_player(labels: Labels, seat: Seat, name: str) -> Labels:
    side, index = seat
    if len(labels.players[side]) == 1:
        names = tuple(name if position == side else each for position, each in enumerate(labels.names))
        return replace(labels, names=names)
    players = [list(each) for each in labels.players]
    players[side][index] = name
    return replace(labels, players=tuple(map(tuple, players)))


def _begin_again(desk: Desk, sent: Sent) -> Saved:
    log = desk.log
    dealer = turns(log.rules.settings, log.dealer, len(log.hands) + 1)[-1].dealer
    begins = Beginning(dealer, log.house, practice=log.begins.practice, is_rematch=True,
                       checking=bool(log.checking_since))  # fmt: skip
    begun = matches.start(desk.rows, sent, desk.now, log.rules, log.labels, begins)
    for grant in desk.rows.grants(log.match.id):
        if grant.device != desk.device:
            access = Access.WRITE if grant.access == Access.OWN else grant.access
            desk.rows.grant(begun.match, grant.device, access, desk.now)
        desk.rows.put_seat(begun.match, grant.device, grant.side)
    desk.append(EntryKind.REMATCH, _noted(sent), {})
    desk.rows.put_rematch(log.match.id, begun.match)
    return begun


def _noted(sent: Sent) -> RequestId:
    """The name under which the match before notes that its rematch began; it stays when the rematch is deleted."""
    return RequestId(f"{sent.request}+rematch")
