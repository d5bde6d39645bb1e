"""Actions on a match other than on hands: start, rename, rules, end, rematch; penalties, remarks,
rulings.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
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
    find_access,
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
    decode_log_entry,
)
from scorepad.matches.history import count_wins_in_series
from scorepad.matches.keys import LETTERS, store_new_keys
from scorepad.matches.names import (
    NameProblem,
    NamesRefused,
    find_label_problems,
    merge_labels,
    player_pointer,
    replace_texts,
    side_pointer,
    tidy_and_check_labels,
    tidy_labels,
    tidy_text,
)
from scorepad.matches.projection import MatchState, NewMatch, project
from scorepad.matches.service import Service
from scorepad.matches.transaction import Saved, Stale, Submission, Transaction, find_first_result
from scorepad.referee.ruling import Answer, Reason, Ruling
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import ChoiceValue, Option, Ruleset
from scorepad.rules.judging import Seat, find_match_status, seat_players
from scorepad.rules.settings import LARGEST, Settings
from scorepad.rules.variants import default_of, freeze, get_variant, settle
from scorepad.schemas.ruling_json import answer_request, read_question_of_match
from scorepad.storage.connection import StorageError
from scorepad.storage.rows import (
    Entry,
    MatchRecord,
    SummaryRecord,
    WriteTransaction,
    hash_device_id,
)

_ID_LENGTH = 10
_SETTINGS_OF_EVERY_MATCH = {"target", "sides"}
"""Settings that every match has a value of its own for, so that they are no house rules."""


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
            is_same_hand = hand_id == tx.match.current_hand_id
            is_known_penalty = penalty.code in tx.match.rules.penalties
            if not is_same_hand or not is_known_penalty:
                return tx.stale_result()
            noted = NotedPenalty(
                number=tx.match.next_number,
                side=penalty.side,
                code=penalty.code,
                points=penalty.points,
                reason=penalty.reason,
            )
            return tx.append(noted)

    def take_back_penalty(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Undo a penalty noted for the hand being played, even after later actions.

        `entry` is the number of the entry in the log that noted it. A penalty that was noted with a
        ruling stands in the same entry as the ruling, which is undone as well. Stale if the penalty
        is undone already, or its hand is counted.
        """
        with self.submission(Undo, request, match, device, entry=entry) as tx:
            if tx.was_sent_before:
                return tx.first_result
            noted_entries = [penalty.entry for penalty in tx.match.noted_penalties]
            if entry not in noted_entries:
                return tx.stale_result()
            noted = tx.match.entry_at(entry).event
            return tx.append(Undo(entry, undone_kind=noted.kind, number=noted.hand_number))

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
            if not tx.match.has_hand(number):  # it was undone
                return tx.stale_result()
            if tx.match.hand_on_pad(number).remark != shown:
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
        """Store a ruling of the referee in the log, with the hand being played.

        `with_penalty`: also note the penalty that the ruling says, if that costs a side points.
        Stale if the hand that was asked about is over, or the rules changed since. Raises
        MatchOver, and Unusable for an invalid question.
        """
        with self.submission(
            RulingKept, request, match, device, asking=asking, with_penalty=with_penalty
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            tx.require_going_on()
            # The referee answered by the rules of that time, about the hand played at that time.
            is_same_hand = asking.hand_id == tx.match.current_hand_id
            has_same_rules = asking.rules == tx.match.rules.digest
            if not is_same_hand or not has_same_rules:
                return tx.stale_result()
            answer = _answer_to_store(asking, tx.match.rules)
            kept = RulingKept(
                number=tx.match.next_number,
                side=asking.side,
                question=dict(asking.question),
                answer=answer,
            )
            if with_penalty:
                kept = _with_penalty_noted(kept)
            return tx.append(kept)

    def take_back_ruling(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Undo the ruling that this entry of the log stored, even after later actions. Stale if it
        is undone already.

        A penalty that was noted with the ruling stands in the same entry, and is undone with it;
        a hand that was counted with the penalty in the meantime stays as it was counted.
        """
        with self.submission(Undo, request, match, device, entry=entry) as tx:
            if tx.was_sent_before:
                return tx.first_result
            for ruling in tx.match.rulings:  # those that are not undone
                if ruling.sequence == entry:
                    undo = Undo(entry, undone_kind=RulingKept.kind, number=ruling.event.number)
                    return tx.append(undo)
            return tx.stale_result()

    # ------------------------------------------------------------------------------------ the match

    def start(self, request: RequestId, device: DeviceId, new: NewMatch) -> Saved | NamesRefused:
        """Start a match, which the device that sent the request owns.

        NamesRefused if its names, its first dealer or the totals from paper are invalid. Raises
        ChoiceError for rules that do not exist.
        """
        # `settle` works out the rules from the choices: here of preset, options and ends.
        rules = settle(new.variant, new.preset, new.options, new.ends)
        labels, problems = tidy_and_check_labels(new.labels, rules.settings)
        problems += tuple(_start_problems(new, rules))
        if problems:
            return NamesRefused(problems)

        event = Start(
            **asdict(labels),
            dealer=new.dealer,
            house=differing_options(rules),  # the house rules of the table
            carried=new.carried,  # the totals from paper
            played=new.played,
            practice=new.practice,
        )
        sent = Submission.from_content(request, device, new)
        with self.context.storage.writing() as rows:
            # A form that was sent twice starts one match.
            first_result = find_first_result(rows, sent, Start)
            if first_result is not None:
                return first_result
            return _store_match(rows, sent, event, rules, self.context.clock())

    def rename(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        labels: Labels,
        seen: int | None = None,
    ) -> Saved | NamesRefused | Stale:
        """Change the names of the sides and players, and the free texts such as the place.

        `labels` are the names as typed. `seen` is the last entry of the log that the device had
        seen when it showed the form; None if not known: then it has seen the present names.

        A name that the device left as it was shown keeps its present value, also if others have
        changed it since. NamesRefused if the device changed a name that others have changed too
        (`overtaken`), and for invalid names. Nothing is stored if no name changes.
        """
        with self.submission(Rename, request, match, device, labels=labels) as tx:
            if tx.was_sent_before:
                return tx.first_result
            settings = tx.match.rules.settings
            current = tx.match.labels
            shown: Labels | None = current
            if seen is not None:
                shown = _labels_at(tx, seen)

            typed = tidy_labels(labels, settings)
            merged, overtaken = merge_labels(typed, shown, current)

            invalid = find_label_problems(merged, settings)
            if invalid or overtaken:
                return NamesRefused((*invalid, *overtaken), merged, tx.match.sequence)
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
        """Seat another player, with this name, from the next hand on.

        `seat` is the position of the side and of the player in it. `was` is the name that the
        device showed in that seat: Stale if another player sits there now. NamesRefused for an
        invalid name. Nothing is stored if the name is the same. Raises MatchOver.
        """
        with self.submission(
            Replacement, request, match, device, seat=seat, was=was, name=name
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            labels = tx.match.labels
            # First of all: another player in that seat is the news, also if the match is over too.
            if labels.name_in_seat(seat) != was:
                return tx.stale_result()
            tx.require_going_on()
            if name.strip() == was:
                return Saved(tx.match.id)

            seated = _seat_player(labels, seat, name, tx.match.rules.settings)
            if seated.problems:
                return NamesRefused(seated.problems)
            replacement = Replacement(
                **asdict(seated.labels),  # the names of all players from now on
                seat=seat,
                was=was,
                name=seated.labels.name_in_seat(seat),
                number=tx.match.next_number,
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
        if the match has other rules now. NamesRefused if the new rules do not fit this match.
        Nothing is stored if they are the same. Raises HandsCounted once a hand is counted, and
        ChoiceError for rules that do not exist.
        """
        with self.submission(
            RulesChange, request, match, device, preset=preset, options=options
        ) as tx:
            if tx.was_sent_before:
                return tx.first_result
            rules_before = tx.match.rules
            if tx.match.hands:
                raise HandsCounted(match)
            if shown_rules not in ("", rules_before.digest):
                return tx.stale_result()

            # How the match ends besides its target stays as it is.
            rules = settle(rules_before.variant, preset, options, rules_before.ends)
            problem = _rules_problem(tx.match, rules)
            if problem is not None:
                return NamesRefused((problem,))
            if rules.preset == rules_before.preset and rules.options == rules_before.options:
                return Saved(match)
            return _store_rules_change(tx, rules)

    def rematch(
        self, request: RequestId, match: MatchId, device: DeviceId, best_of: Literal[0, 3, 5] = 0
    ) -> Saved | Stale:
        """Start a rematch with the same names, rules and devices, and the next dealer.

        It continues the series of this match, unless that is decided; `best_of` sets the length of
        the series if none was agreed, 0 for none. A match has one rematch: if it was started
        already, Saved returns that one. The result is Stale

        - while the match goes on,
        - if the device has no access to the rematch that was started, and
        - for a request repeated after its rematch was deleted.
        """
        with self.context.transaction(match, device, request, match, best_of) as tx:
            first_result = find_first_result(tx.rows, tx.submission, Start)
            if first_result is not None:  # the same form once more
                return first_result
            existing = _existing_rematch(tx)
            if existing is not None:  # another device was faster
                return _result_of_existing_rematch(tx, existing, device)
            if not tx.match.status.finished:
                return tx.stale_result()
            if _was_rematch_deleted(tx):
                return tx.stale_result()
            saved = _start_rematch(tx, best_of)
            tx.append(events.Rematch(), request=_request_in_rematched(tx))
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


def _start_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """The problems of a new match besides its names: of the first dealer, and of what was played on
    paper before.
    """
    if new.dealer not in seat_players(rules.settings):
        yield NameProblem("dealer-unknown", ("dealer",))
    yield from _paper_problems(new, rules)


def _paper_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """The problems of a match that was begun on paper, and goes on here.

    `carried` are the totals of the sides from there, `played` is the number of hands. A match that
    begins here has neither, and no problem.
    """
    number_of_sides = len(rules.settings.sides)
    if new.carried and len(new.carried) != number_of_sides:
        yield NameProblem("carried-number", ("carried",), number_of_sides)
        return  # the other checks need a total for each side
    for side, total in enumerate(new.carried):
        yield from _carried_total_problems(side, total, rules.settings)
    yield from _over_on_paper_problems(new, rules)


def _carried_total_problems(side: int, total: int, settings: Settings) -> Iterator[NameProblem]:
    """The problems of a total that a side has from paper: it is too large, or cannot be reached
    because all scores are multiples of some points.
    """
    pointer = ("carried", side)
    counts_points = settings.unit == "points"
    if abs(total) > LARGEST:
        yield NameProblem("carried-too-large", pointer, LARGEST)
    elif counts_points and total % SMALLEST_POINTS != 0:
        yield NameProblem("carried-not-multiple", pointer, SMALLEST_POINTS)


def _over_on_paper_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """The problem of a match that has nothing left to play after the hands played on paper.

    That is so after all hands of a match that has a fixed number of them, and once the totals end
    the match.
    """
    settings = rules.settings
    number_of_hands = settings.match_deals
    if number_of_hands is not None and new.played >= number_of_hands:
        yield NameProblem("played-all", ("played",), number_of_hands - 1)
    elif _is_over_at_start(new.carried, new.played, rules):
        yield NameProblem("carried-over", ("carried", 0), settings.target)


def _is_over_at_start(carried: tuple[int, ...], played: int, rules: Ruleset) -> bool:
    """Whether a match with these totals and hands played on paper would be over before it starts."""
    if not carried:
        return False
    return find_match_status(carried, rules.settings, played).finished


def _store_match(
    rows: WriteTransaction, sent: Submission, event: Start, rules: Ruleset, now: datetime
) -> Saved:
    """Store a new match with these rules, and return its id and its keys.

    Its log begins with the `event`. The device that sent the request owns the match.
    """
    match = MatchRecord(_new_match_id(rows), rules.digest, now)
    rows.add_match(match, freeze(rules))
    first_entry = rows.append(sent.entry(match.id, 1, event, now))
    is_command_line = sent.device == hash_device_id(ADMIN)
    if not is_command_line:  # which has access to every match anyway
        rows.grant(match.id, sent.device, Access.OWN, now)
    keys = store_new_keys(rows, match.id, now)
    rows.put(_summary_of_new_match(match, first_entry, rules))
    return Saved(MatchId(match.id), keys=keys, sequence=first_entry.sequence)


def _summary_of_new_match(match: MatchRecord, first_entry: Entry, rules: Ruleset) -> SummaryRecord:
    """What lists of matches show of a match whose log has only this entry."""
    state = MatchState(match, rules, rules_of=lambda _digest: rules)  # it has no other rules yet
    state.apply_log([decode_log_entry(first_entry)])
    return state.summary()


def _new_match_id(rows: WriteTransaction) -> str:
    """A random id that no match has."""
    while True:
        match_id = "".join(secrets.choice(LETTERS) for _ in range(_ID_LENGTH))
        if rows.match(match_id) is None:
            return match_id


def _existing_rematch(tx: Transaction) -> MatchId | None:
    """The rematch of a match; None if none was started, or it was deleted since."""
    rematch = tx.match.rematch
    if rematch is None or tx.rows.match(rematch) is None:
        return None
    return rematch


def _result_of_existing_rematch(
    tx: Transaction, rematch: MatchId, device: DeviceId
) -> Saved | Stale:
    """The result for a device that starts a rematch which another one has started already: that one,
    if the device may see it.

    A device that entered the match later, or was removed from the rematch, needs the key of the
    rematch.
    """
    if find_access(tx.rows, rematch, device) is Access.NONE:
        return tx.stale_result()
    return Saved(rematch, again=True)


def _request_in_rematched(tx: Transaction) -> RequestId:
    """The request id under which the match itself stores that its rematch was started.

    The start is stored in the log of the rematch, under the id of the request. An id is stored only
    once, so this match has another one.
    """
    return RequestId(f"{tx.submission.request}+rematch")


def _was_rematch_deleted(tx: Transaction) -> bool:
    """Whether this request started a rematch once before, which was deleted since, with its log.

    What is left is the entry in the log of this match. By it a form that is sent twice does not start
    another rematch.
    """
    return tx.rows.find_entry_of_request(_request_in_rematched(tx)) is not None


def _start_rematch(tx: Transaction, best_of: Literal[0, 3, 5]) -> Saved:
    """Store the rematch of the match of a transaction: with the same names and rules, the next
    dealer, and the devices of the match. It belongs to the device that starts it.

    `best_of` is the length of the series that was chosen, 0 for none.
    """
    match = tx.match
    place = _place_of_rematch(tx, best_of)
    event = Start(
        **asdict(match.labels),  # the names of the sides and players, and the free texts
        dealer=match.next_turn.dealer,
        house=match.house,
        practice=match.practice,
        rematch=True,
        checking=match.checking,
        game=place.game,
        best_of=place.best_of,
    )
    saved = _store_match(tx.rows, tx.submission, event, match.rules, tx.now)
    _copy_devices(tx, saved.match)
    return saved


class _PlaceInSeries(NamedTuple):
    """The place of a rematch in a series of matches."""

    game: int
    """Its number in the series, from 1."""
    best_of: Literal[0, 3, 5]
    """The length of the series; 0 for one without a limit."""


def _place_of_rematch(tx: Transaction, best_of: Literal[0, 3, 5]) -> _PlaceInSeries:
    """The place of the rematch in the series of its match.

    `best_of` is the length of the series that was chosen for the rematch, 0 for none. After a
    decided series the rematch begins a new one of that length. Otherwise it is the next match of the
    series: its length stays as it was agreed before, or is the chosen one if none was agreed.
    """
    series = count_wins_in_series(tx.rows, tx.match)
    if series.winner is not None:
        return _PlaceInSeries(game=1, best_of=best_of)
    next_game = tx.match.begins.game + 1
    if best_of in series.lengths:  # those that can be agreed now
        return _PlaceInSeries(next_game, best_of)
    return _PlaceInSeries(next_game, tx.match.begins.best_of)


def _copy_devices(tx: Transaction, rematch: MatchId) -> None:
    """Give the devices of a match the access to its rematch that they have to the match, with
    their sides and the names of their holders.

    The device that starts the rematch owns it already. If another device owns the match, that one
    may write in the rematch.
    """
    for grant in tx.rows.devices_with_access(tx.match.id):
        owns_rematch = grant.device == tx.submission.device
        if not owns_rematch:
            access_there = Access(grant.access)
            if access_there is Access.OWN:
                access_there = Access.WRITE
            tx.rows.grant(rematch, grant.device, access_there, tx.now)
        tx.rows.put_seat(rematch, grant.device, grant.side, grant.name)


class _Seated(NamedTuple):
    """The names of a match with another player in a seat, and the problems that they have."""

    labels: Labels
    problems: tuple[NameProblem, ...]


def _seat_player(labels: Labels, seat: Seat, name: str, settings: Settings) -> _Seated:
    """Put this name in a seat, the position of a side and of a player in it."""
    side, index = seat
    is_side_of_one = len(labels.players[side]) == 1
    if is_side_of_one:
        # Such a side is named after its player: it is the name of the side that changes.
        renamed = replace_texts(labels, {side_pointer(side): name})
        return _Seated(*tidy_and_check_labels(renamed, settings))

    pointer = player_pointer(side, index)
    new_labels, problems = tidy_and_check_labels(replace_texts(labels, {pointer: name}), settings)
    if not name.strip():  # seats may be without a name, but not when somebody is replaced
        problems = (*problems, NameProblem("name-empty", pointer))
    return _Seated(new_labels, problems)


# -------------------------------------------------------------------------------------------- rules


def _rules_problem(match: MatchState, rules: Ruleset) -> NameProblem | None:
    """Why a match cannot go on by these rules, which are new for it; None if it can.

    They must be for the same table, and the totals taken over from paper must not end the match.
    """
    sides = rules.settings.sides
    if sides != match.rules.settings.sides:
        return NameProblem("names-number", ("names",), len(sides))
    if _is_over_at_start(match.carried, match.played, rules):
        return NameProblem("carried-over", ("target",), rules.settings.target)
    return None


def _store_rules_change(tx: Transaction, rules: Ruleset) -> Saved:
    """Store that the match goes on by these rules.

    The log has only the digest of the rules; the rules themselves are stored beside it.
    """
    tx.rows.add_ruleset(rules.digest, freeze(rules))
    return tx.append(RulesChange(rules.digest, differing_options(rules)))


def differing_options(rules: Ruleset) -> tuple[str, ...]:
    """The names of the options that the table chose otherwise than the preset, or than the variant
    by default. Options that every match sets, such as the target, are left out.

    They are stored with the match because the defaults may change later.
    """
    variant = get_variant(rules.variant)
    usual_values = {name: default_of(variant, option) for name, option in variant.options.items()}
    if rules.preset:
        usual_values |= variant.presets[rules.preset].options
    differing = []
    for name, value in rules.options.items():
        if value != usual_values[name] and not _is_set_by_every_match(variant.options[name]):
            differing.append(name)
    return tuple(differing)


def _is_set_by_every_match(option: Option) -> bool:
    """Whether an option is about something that every match has a value of its own for: to how many
    points it is played, or how many players each side has.

    An option sets one setting to the value chosen (`option.sets`), or each of its values sets
    several settings at once.
    """
    if option.sets in _SETTINGS_OF_EVERY_MATCH:
        return True
    for value in option.values:
        if not _SETTINGS_OF_EVERY_MATCH.isdisjoint(value.sets):
            return True
    return False


# ---------------------------------------------------------------------------------------- in a hand


def penalty_points(ruling: Ruling) -> int:
    """The points that a ruling takes from the offending side; 0 if it says no penalty."""
    is_penalty = any(reason.code == "penalty-of" for reason in ruling.reasons)
    points = ruling.details.get("points")
    if is_penalty and isinstance(points, int):
        return points
    return 0


def _with_penalty_noted(kept: RulingKept) -> RulingKept:
    """A ruling to be stored, with the penalty that it imposes on a side noted in it: the name of the
    penalty, and its points.

    The ruling as it is if it is about no side, or imposes no points.
    """
    points = penalty_points(kept.answer.ruling)
    if points == 0 or kept.side is None:
        return kept
    penalty = kept.question["code"]  # a question about a penalty names it
    return replace(kept, code=penalty, points=points)


def _answer_to_store(asking: Asking, rules: Ruleset) -> Answer:
    """Ask the referee again, and return the answer with the reasons that are to be stored.

    Of the ruling by the rules of the match these are the reasons that the device showed. The rulings
    by other sets of rules are stored without reasons, to save space. Raises Unusable for an invalid
    question.
    """
    answer = answer_request(read_question_of_match(asking.question, rules))
    ruling = answer.ruling
    if asking.reasons is not None:
        shown_reasons = [reason for reason in ruling.reasons if reason.code in asking.reasons]
        ruling = _with_reasons(ruling, shown_reasons)
    other_answers = []
    for other in answer.others:
        without_reasons = _with_reasons(other.ruling, ())
        other_answers.append(replace(other, ruling=without_reasons))
    return replace(answer, ruling=ruling, others=tuple(other_answers))


def _with_reasons(ruling: Ruling, reasons: Iterable[Reason]) -> Ruling:
    return replace(ruling, reasons=tuple(reasons))
