"""Actions on a match other than on hands: start, rename, rules, end, rematch; penalties, remarks,
rulings.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from scorepad.matches import access, events
from scorepad.matches.access import (
    ADMIN,
    Access,
    DeviceId,
    MatchError,
    MatchId,
    RequestId,
    access_of,
)
from scorepad.matches.events import (
    Ending,
    Labels,
    NotedPenalty,
    Remark,
    Rename,
    Replacement,
    RulesChange,
    RulingKept,
    Start,
    Undo,
)
from scorepad.matches.history import series_of
from scorepad.matches.keys import LETTERS, store_new_keys
from scorepad.matches.names import (
    NameProblem,
    NamesRefused,
    merge_labels,
    read_labels,
    tidy_text,
    with_texts,
)
from scorepad.matches.projection import NewMatch, project
from scorepad.matches.service import Service
from scorepad.matches.transaction import Saved, Stale, Submission, Transaction, find_first_result
from scorepad.referee.ruling import Answer, Ruling
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import ChoiceValue, Option, Ruleset
from scorepad.rules.judging import Seat, match_status, seating
from scorepad.rules.settings import LARGEST
from scorepad.rules.table import Pointer
from scorepad.rules.variants import default_of, freeze, get_variant, settle
from scorepad.schemas.ruling_json import answer_request, read_question_of_match
from scorepad.storage.connection import StorageError
from scorepad.storage.rows import MatchRecord, WriteTransaction, known_as

_ID_LENGTH = 10
_STATED = {"target", "sides"}
"""Settings that every match states itself, so their options are not house rules."""


class HandsCounted(MatchError):
    """The rules of the match `id` are fixed since its first hand was counted."""


class NewPenalty(NamedTuple):
    """A penalty in the hand being played: the position of the side, the code.

    `points` and `reason` are set for a custom penalty of the table.
    """

    side: int
    code: str
    points: int | None = None
    reason: str = ""


class Asking(NamedTuple):
    """A question whose answer is to be stored, as the device saw it.

    `question` is as in the JSON contract, with its kind and without the rules; `rules` is the
    digest of the rules it was answered by, `hand_id` the id of the hand being played, `side` the
    position of the side it is about. `reasons` are the codes of the deciding reasons if facts were
    left open; None for all.
    """

    question: Mapping[str, Any]
    rules: str
    hand_id: str
    side: int | None = None
    reasons: frozenset[str] | None = None


class Actions(Service):
    """Actions on a match; every method raises MatchNotFound, NotAllowed and RequestRefused."""

    # ------------------------------------------------------------------------------------ in a hand

    def add_penalty(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        hand_id: str,
        penalty: NewPenalty,
    ) -> Saved | Stale:
        """Add a penalty to the hand being played, to be counted with it. Stale if that hand is
        over, or the rules of the match have no such penalty. Raises MatchOver.
        """
        with self.submission(
            NotedPenalty, request, match, device, hand_id=hand_id, penalty=penalty
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            tx.require_going_on()
            is_same_hand = hand_id == tx.match.coming_id
            is_known_penalty = penalty.code in tx.match.rules.penalties
            if not is_same_hand or not is_known_penalty:
                return tx.stale_result()
            noted = NotedPenalty(
                number=len(tx.match.hands) + 1,
                side=penalty.side,
                code=penalty.code,
                points=penalty.points,
                reason=penalty.reason,
            )
            return tx.append(noted)

    def take_back_penalty(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Undo a penalty noted for the hand being played, even after later actions; one that a
        ruling brought is undone with the ruling.

        Stale if it is undone already, or its hand is counted.
        """
        with self.submission(Undo, request, match, device, entry=entry) as tx:
            if tx.was_sent_before:
                return tx.first_result
            noted_entries = [penalty.entry for penalty in tx.match.noted_penalties]
            if entry not in noted_entries:
                return tx.stale_result()
            noted = tx.match.log[entry - 1].event
            return tx.append(Undo(entry, noted.kind, noted.hand_number))

    def remark(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: str,
        text: str,
    ) -> Saved | Stale:
        """Write a remark on the hand of this number on the pad; an empty text removes it.

        `shown` is the remark that the device showed: Stale if the hand has another one now.
        """
        with self.submission(
            Remark, request, match, device, number=number, shown=shown, text=text
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            if not 1 <= number <= len(tx.match.hands):
                return tx.stale_result()
            if tx.match.hands[number - 1].remark != shown:
                return tx.stale_result()
            remark = tidy_text(text)
            if remark == shown:
                return Saved(match, number)
            return tx.append(Remark(number, remark))

    def keep_ruling(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        asking: Asking,
        *,
        with_penalty: bool = False,
    ) -> Saved | Stale:
        """Store a ruling with the hand being played. Stale if that hand is over or the rules
        changed.

        `with_penalty`: also note the penalty that it says, if that costs points. Raises MatchOver,
        and Unusable for an invalid question.
        """
        with self.submission(
            RulingKept, request, match, device, asking=asking, with_penalty=with_penalty
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            tx.require_going_on()
            rules = tx.match.rules
            if asking.hand_id != tx.match.coming_id or asking.rules != rules.digest:
                return tx.stale_result()
            answer = _answer_to_store(asking, rules)
            kept = RulingKept(len(tx.match.hands) + 1, asking.side, dict(asking.question), answer)
            points = penalty_points(answer.ruling)
            if with_penalty and points and asking.side is not None:
                kept = replace(kept, code=asking.question["code"], points=points)
            return tx.append(kept)

    def take_back_ruling(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Undo a stored ruling, even after later actions, and its penalty unless the hand has been
        counted.

        Stale if it is undone already.
        """
        with self.submission(Undo, request, match, device, entry=entry) as tx:
            if tx.was_sent_before:
                return tx.first_result
            for ruling in tx.match.rulings:
                if ruling.sequence == entry:
                    return tx.append(Undo(entry, RulingKept.kind, ruling.event.number))
            return tx.stale_result()

    # ------------------------------------------------------------------------------------ the match

    def start(self, request: RequestId, device: DeviceId, new: NewMatch) -> Saved | NamesRefused:
        """Start a match owned by the device. Raises ChoiceError for rules that do not exist."""
        rules = settle(new.variant, new.preset, new.options, new.ends)
        labels, label_problems = read_labels(new.labels, rules.settings)
        problems = list(label_problems)
        if new.dealer not in seating(rules.settings):
            problems.append(NameProblem("dealer-unknown", ("dealer",)))
        problems += _carried_problems(new, rules)
        if problems:
            return NamesRefused(tuple(problems))

        event = Start(
            **asdict(labels),
            dealer=new.dealer,
            house=differing_options(rules),
            carried=new.carried,
            played=new.played,
            practice=new.practice,
        )
        sent = Submission.of(request, device, new)
        with self.context.storage.writing() as rows:
            first_result = find_first_result(rows, sent, Start)
            if first_result is not None:
                return first_result
            return _store_match(rows, sent, self.context.clock(), rules, event)

    def rename(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        labels: Labels,
        seen: int | None = None,
    ) -> Saved | NamesRefused | Stale:
        """Change the names of the sides and players, and the free texts such as the place.

        `seen` is the last entry of the log that the device had seen, if known: names that the
        device left unchanged keep their present value, and names that others have changed since are
        not overwritten. Identical names are not stored again.
        """
        with self.submission(Rename, request, match, device, labels=labels) as tx:
            if tx.was_sent_before:
                return tx.first_result
            settings = tx.match.rules.settings
            current = tx.match.labels
            shown = current if seen is None else _labels_at(tx, seen)
            typed, _ = read_labels(labels, settings)
            merged, overtaken = merge_labels(typed, shown, current)
            _, problems = read_labels(merged, settings)
            if problems or overtaken:
                return NamesRefused((*problems, *overtaken), merged, tx.match.sequence)
            if merged == current:
                return Saved(match)
            return tx.append(Rename(**asdict(merged)))

    def end(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_hands: int, ending: Ending
    ) -> Saved | Stale:
        """End the match as the table agreed, now or after a later hand.

        `seen_hands` is the number of counted hands when the page was shown: Stale if there are
        others now. Raises MatchOver.
        """
        with self.submission(
            Ending, request, match, device, seen_hands=seen_hands, ending=ending
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            tx.require_going_on()
            if seen_hands != len(tx.match.hands):
                return tx.stale_result()
            return tx.append(ending)

    def replace(
        self, request: RequestId, match: MatchId, device: DeviceId, seat: Seat, was: str, name: str
    ) -> Saved | NamesRefused | Stale:
        """Seat the player with this name from the next hand on.

        `seat` is the position of the side and of the player in it; `was` the name of the player
        that the device showed there: Stale if another one sits there now. Raises MatchOver.
        """
        with self.submission(
            Replacement, request, match, device, seat=seat, was=was, name=name
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            labels = tx.match.labels
            if labels.seated(seat) != was:
                return tx.stale_result()
            tx.require_going_on()
            if name.strip() == was:
                return Saved(tx.match.id)
            side, _ = seat
            plays_alone = len(labels.players[side]) == 1
            # A side of one player is named after that player.
            pointer: Pointer = ("names", side) if plays_alone else ("players", *seat)
            wanted = with_texts(labels, {pointer: name})
            new_labels, problems = read_labels(wanted, tx.match.rules.settings)
            if not plays_alone and not name.strip():
                problems = (*problems, NameProblem("name-empty", pointer))
            if problems:
                return NamesRefused(problems)
            replacement = Replacement(
                **asdict(new_labels),
                seat=seat,
                was=was,
                name=new_labels.seated(seat),
                number=len(tx.match.hands) + 1,
            )
            return tx.append(replacement)

    def change_rules(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        preset: str | None,
        options: Mapping[str, ChoiceValue],
        shown_rules: str = "",
    ) -> Saved | NamesRefused | Stale:
        """Change the preset, the house options or the target before the first hand.

        `shown_rules` is the digest of the rules that the device showed, empty if not known: Stale
        if the match has other rules now. Raises HandsCounted once a hand is counted, and
        ChoiceError for rules that do not exist.
        """
        with self.submission(
            RulesChange, request, match, device, preset=preset, options=options
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            state = tx.match
            before = state.rules
            if state.hands:
                raise HandsCounted(match)
            if shown_rules not in ("", before.digest):
                return tx.stale_result()

            rules = settle(before.variant, preset, options, before.ends)
            sides = rules.settings.sides
            if sides != before.settings.sides:
                problem = NameProblem("names-number", ("names",), len(sides))
                return NamesRefused((problem,))
            if _is_over_at_start(state.carried, state.played, rules):
                problem = NameProblem("carried-over", ("target",), rules.settings.target)
                return NamesRefused((problem,))
            if (rules.preset, rules.options) == (before.preset, before.options):
                return Saved(match)
            tx.rows.add_ruleset(rules.digest, freeze(rules))
            return tx.append(RulesChange(rules.digest, differing_options(rules)))

    def rematch(
        self, request: RequestId, match: MatchId, device: DeviceId, best_of: Literal[0, 3, 5] = 0
    ) -> Saved | Stale:
        """Start a rematch with the same names, rules and devices, and the next dealer. Stale while
        the match goes on.

        It continues the series of this match, unless that is decided; `best_of` sets its length if
        none was agreed. A rematch that was started already is returned. A request repeated after
        its deletion is stale.
        """
        # The id of the entry in this match, which remains when the rematch is deleted.
        request_here = RequestId(f"{request}+rematch")
        with self.context.transaction(match, device, request, match, best_of) as tx:
            first_result = find_first_result(tx.rows, tx.submission, Start)
            if first_result is not None:
                return first_result

            begun = tx.match.rematch
            if begun and tx.rows.match(begun) is not None:
                # A device that entered later, or was removed there, needs the rematch's own key.
                if access_of(tx.rows, begun, device) is Access.NONE:
                    return tx.stale_result()
                return Saved(begun, again=True)

            was_sent_before_deletion = tx.rows.requested(request_here) is not None
            if was_sent_before_deletion or not tx.match.status.finished:
                return tx.stale_result()
            saved = _start_rematch(tx, best_of)
            tx.append(events.Rematch(), request=request_here)
            tx.rows.put_rematch(match, saved.match)
            return saved

    def delete(self, match: MatchId, device: DeviceId) -> None:
        """Delete a match permanently, without traces in the file. Raises NotOwner."""
        with self.context.storage.writing() as rows:
            access.admit_owner(rows, match, device)
            rows.drop_match(match)
        # The rows are deleted already. If rewriting the file fails now, the next deletion rewrites
        # it.
        with suppress(StorageError):
            self.context.storage.rewrite()


# ----------------------------------------------------------------------------------------- starting


def _labels_at(tx: Transaction, sequence: int) -> Labels | None:
    """The names that the match had after this entry of the log; None if there is no such entry."""
    if not 1 <= sequence <= tx.match.sequence:
        return None
    records = [entry.record for entry in tx.match.log[:sequence]]
    state_then = project(tx.match.record, records, tx.rules_of)
    return state_then.labels


def _carried_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """The problems of the totals, and of the number of hands, that are taken over from paper."""
    settings = rules.settings
    if new.carried and len(new.carried) != len(settings.sides):
        yield NameProblem("carried-number", ("carried",), len(settings.sides))
        return
    for side, total in enumerate(new.carried):
        if abs(total) > LARGEST:
            yield NameProblem("carried-too-large", ("carried", side), LARGEST)
        elif settings.unit == "points" and total % SMALLEST_POINTS:
            yield NameProblem("carried-not-multiple", ("carried", side), SMALLEST_POINTS)
    if settings.match_deals is not None and new.played >= settings.match_deals:
        yield NameProblem("played-all", ("played",), settings.match_deals - 1)
    elif _is_over_at_start(new.carried, new.played, rules):
        yield NameProblem("carried-over", ("carried", 0), settings.target)


def _is_over_at_start(carried: tuple[int, ...], played: int, rules: Ruleset) -> bool:
    """Whether a match with these totals and hands played on paper would be over before it starts."""
    if not carried:
        return False
    return match_status(carried, rules.settings, played).finished


def _store_match(
    rows: WriteTransaction, sent: Submission, now: datetime, rules: Ruleset, event: Start
) -> Saved:
    """Store a new match with these rules, owned by the device that starts it."""
    match = MatchRecord(_new_match_id(rows), rules.digest, now)
    rows.add_match(match, freeze(rules))
    entry = rows.append(sent.entry(match.id, 1, event, now))
    if sent.device != known_as(ADMIN):
        rows.grant(match.id, entry.device, Access.OWN, now)
    keys = store_new_keys(rows, match.id, now)
    rows.put(project(match, [entry], lambda _: rules).summary())
    return Saved(MatchId(match.id), keys=keys, sequence=1)


def _new_match_id(rows: WriteTransaction) -> str:
    """A random id that no match has."""
    while True:
        match_id = "".join(secrets.choice(LETTERS) for _ in range(_ID_LENGTH))
        if rows.match(match_id) is None:
            return match_id


def _start_rematch(tx: Transaction, best_of: Literal[0, 3, 5]) -> Saved:
    """Store the rematch of a match: the same names and rules, the next dealer, and all devices of
    the match with the access that they have to it. It belongs to the device that starts it.
    """
    match = tx.match
    series = series_of(tx.rows, match)
    begins_new_series = series.winner is not None
    game = match.begins.game + 1
    if begins_new_series:
        game = 1
    length = match.begins.best_of
    if begins_new_series or best_of in series.lengths:
        length = best_of

    event = Start(
        **asdict(match.labels),
        dealer=match.next_turn.dealer,
        house=match.house,
        practice=match.practice,
        rematch=True,
        checking=match.checking,
        game=game,
        best_of=length,
    )
    begun = _store_match(tx.rows, tx.submission, tx.now, match.rules, event)
    for grant in tx.rows.grants(match.id):
        if grant.device != tx.submission.device:
            # The owner of the match may write in a rematch that another device started.
            access_there = Access.WRITE if grant.access == Access.OWN else grant.access
            tx.rows.grant(begun.match, grant.device, access_there, tx.now)
        tx.rows.put_seat(begun.match, grant.device, grant.side, grant.name)
    return begun


# -------------------------------------------------------------------------------------------- rules


def differing_options(rules: Ruleset) -> tuple[str, ...]:
    """The names of the options that the table chose otherwise than the preset, or than the variant
    by default. Options that every match states itself, such as the target, are left out.

    They are stored with the match because the defaults may change later.
    """
    variant = get_variant(rules.variant)
    usual = {name: default_of(variant, option) for name, option in variant.options.items()}
    if rules.preset:
        usual |= variant.presets[rules.preset].options
    differing = []
    for name, value in rules.options.items():
        if value != usual[name] and not _is_stated(variant.options[name]):
            differing.append(name)
    return tuple(differing)


def _is_stated(option: Option) -> bool:
    """Whether an option sets something that every match states itself."""
    if option.sets in _STATED:
        return True
    return any(_STATED.intersection(value.sets) for value in option.values)


# ---------------------------------------------------------------------------------------- in a hand


def penalty_points(ruling: Ruling) -> int:
    """The points that a ruling takes from the offending side; 0 if it says no penalty."""
    is_penalty = any(reason.code == "penalty-of" for reason in ruling.reasons)
    points = ruling.details.get("points")
    if is_penalty and isinstance(points, int):
        return points
    return 0


def _answer_to_store(asking: Asking, rules: Ruleset) -> Answer:
    """The referee's answer to a question about a match, as far as it is stored: with the reasons
    that the device showed, and without the reasons of other rules. Raises Unusable for an invalid
    question.
    """
    answer = answer_request(read_question_of_match(asking.question, rules))
    ruling = answer.ruling
    if asking.reasons is not None:
        shown = tuple(reason for reason in ruling.reasons if reason.code in asking.reasons)
        ruling = replace(ruling, reasons=shown)
    others = []
    for other in answer.others:
        others.append(replace(other, ruling=replace(other.ruling, reasons=())))
    return replace(answer, ruling=ruling, others=tuple(others))
