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
from scorepad.referee.ruling import Answer, Ruling
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import ChoiceValue, Option, Ruleset, Variant
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
        """Note a penalty for a side in the hand (round) that is being played.

        It is charged when the hand is counted. `hand_id` is the hand that the page of the device
        showed. Stale, and nothing is noted, if that hand is over, or if the rules of the match have
        no such penalty. Raises MatchOver.
        """
        with self.submission(
            NotedPenalty, request, match, device, hand_id=hand_id, penalty=penalty
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            tx.require_going_on()
            is_same_hand = hand_id == tx.match.current_hand_id
            if not is_same_hand:
                return tx.make_stale_result()
            is_known_penalty = penalty.code in tx.match.rules.penalties
            if not is_known_penalty:
                return tx.make_stale_result()

            noted = NotedPenalty(
                number=tx.match.next_number,  # the number of the hand
                side=penalty.side,
                code=penalty.code,
                points=penalty.points,
                reason=penalty.reason,
            )
            return tx.append(noted)

    def take_back_penalty(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Take back a penalty noted for the hand (round) being played, even after later actions.

        `entry` is the number of the log entry that noted it. If a ruling noted it, the ruling is in
        the same entry, and is taken back as well. Stale if the penalty was taken back already, or
        if its hand was counted.
        """
        with self.submission(Undo, request, match, device, entry=entry) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            for penalty in tx.match.noted_penalties:  # without those that were taken back
                if penalty.entry == entry:
                    noted_by = tx.match.get_entry(entry).event  # a penalty or a ruling
                    undo = Undo(entry, undone_kind=noted_by.kind, number=noted_by.hand_number)
                    return tx.append(undo)
            return tx.make_stale_result()

    def remark(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        number: int,
        shown: str,
        text: str,
    ) -> Saved | Stale:
        """Write a remark on a counted hand (round); an empty text removes the remark.

        `number` is the number of the hand, from 1. `shown` is the remark that the page of the
        device showed: Stale if the hand has another one now, so that nobody overwrites what they
        have not seen.
        """
        with self.submission(
            Remark, request, match, device, number=number, shown=shown, text=text
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            if not tx.match.has_hand(number):  # it was undone
                return tx.make_stale_result()
            if tx.match.get_counted_hand(number).remark != shown:
                return tx.make_stale_result()
            new_remark = tidy_text(text)
            if new_remark == shown:  # nothing to store
                return Saved(match, number)
            return tx.append(Remark(number, new_remark))

    def keep_ruling(
        self,
        request: RequestId,
        match: MatchId,
        device: DeviceId,
        asking: Asking,
        *,
        with_penalty: bool = False,
    ) -> Saved | Stale:
        """Store a ruling in the log: a question about the rules, with the answer of the referee.

        It belongs to the hand (round) that is being played. `asking` has the question, and what the
        device saw when it asked. With `with_penalty`, the penalty in the ruling is charged, if it
        costs a side points.

        Stale if that hand is over, or the rules were changed since. Raises MatchOver, and Unusable
        for an invalid question.
        """
        with self.submission(
            RulingKept, request, match, device, asking=asking, with_penalty=with_penalty
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            tx.require_going_on()
            # With another hand or other rules the answer may be another one than the device saw.
            is_same_hand = asking.hand_id == tx.match.current_hand_id
            has_same_rules = asking.rules == tx.match.rules.digest
            if not is_same_hand or not has_same_rules:
                return tx.make_stale_result()

            # The answer is not sent along, since a device could send any: the referee gives it again.
            question = read_question_of_match(asking.question, tx.match.rules)
            kept = RulingKept(
                number=tx.match.next_number,  # the number of the hand
                side=asking.side,
                question=dict(asking.question),
                answer=_shorten_answer(answer_request(question), asking.reasons),
            )
            if with_penalty:
                kept = _add_penalty_to_ruling(kept)
            return tx.append(kept)

    def take_back_ruling(
        self, request: RequestId, match: MatchId, device: DeviceId, entry: int
    ) -> Saved | Stale:
        """Take back a stored ruling of the referee, even after later actions.

        `entry` is the number of the log entry that stored it. Stale if it was taken back already. A
        penalty that was noted with the ruling is taken back too. But a hand (round) that was
        counted with the penalty in the meantime stays as it was counted.
        """
        with self.submission(Undo, request, match, device, entry=entry) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            for ruling in tx.match.rulings:  # without those that were taken back
                if ruling.sequence == entry:
                    undo = Undo(entry, undone_kind=RulingKept.kind, number=ruling.event.number)
                    return tx.append(undo)
            return tx.make_stale_result()

    # ------------------------------------------------------------------------------------ the match

    def start(self, request: RequestId, device: DeviceId, new: NewMatch) -> Saved | NamesRefused:
        """Start a match, which the device that sent the request owns.

        The result is NamesRefused if its names, its first dealer or the points taken over from
        paper are invalid. Raises ChoiceError for rules that do not exist.
        """
        rules = settle(new.variant, new.preset, new.options, new.ends)  # as the players chose them
        labels, problems = tidy_and_check_labels(new.labels, rules.settings)
        problems += tuple(_find_start_problems(new, rules))
        if problems:
            return NamesRefused(problems)

        event = Start(
            **asdict(labels),  # the names of sides and players, and the free texts
            dealer=new.dealer,
            house=list_house_rules(rules),
            carried=new.carried,  # the points of the sides from paper
            played=new.played,  # the number of hands (rounds) on paper
            practice=new.practice,
        )
        sent = Submission.from_content(request, device, new)
        with self.context.storage.writing() as rows:
            first_result = find_first_result(rows, sent, Start)
            if first_result is not None:  # the same form once more: it starts one match only
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
        """Change the names of the sides and players of a match, and free texts such as the place.

        `labels` are the names as typed. `seen` is the latest log entry that the device had seen
        when it showed the form; None if it saw the present names. If another device has changed
        names since:

        - a name that was left as it was shown → keeps the change of the other device
        - a name that both changed → NamesRefused, with the name that it has now

        NamesRefused also for invalid names. If no name changes, nothing is stored.
        """
        with self.submission(Rename, request, match, device, labels=labels) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            settings = tx.match.rules.settings
            current = tx.match.labels
            typed = tidy_labels(labels, settings)
            shown = _find_labels_shown(tx, seen)
            merged, changed_by_both = merge_labels(typed, shown, current)

            invalid = find_label_problems(merged, settings)
            if invalid or changed_by_both:
                return NamesRefused((*invalid, *changed_by_both), merged, tx.match.sequence)
            if merged == current:  # nothing to store
                return Saved(match)
            return tx.append(Rename(**asdict(merged)))

    def end(
        self, request: RequestId, match: MatchId, device: DeviceId, seen_hands: int, ending: Ending
    ) -> Saved | Stale:
        """End the match as the players agreed, at once or after a later hand (round).

        `seen_hands` is the number of counted hands when the page was shown. Stale if there are more
        or fewer now, since the players may want to think again. Raises MatchOver.
        """
        with self.submission(
            Ending, request, match, device, seen_hands=seen_hands, ending=ending
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            tx.require_going_on()
            if seen_hands != len(tx.match.hands):
                return tx.make_stale_result()
            return tx.append(ending)

    def replace(
        self, request: RequestId, match: MatchId, device: DeviceId, seat: Seat, was: str, name: str
    ) -> Saved | NamesRefused | Stale:
        """Let another player take over a seat from the next hand (round) on.

        `seat` is the position of the side, and of the player in it. `was` is the name that the page
        showed in the seat: Stale if another player sits there now. `name` is the new player:
        NamesRefused if the name is invalid. Nothing is stored if it is the same name. Raises
        MatchOver.
        """
        with self.submission(
            Replacement, request, match, device, seat=seat, was=was, name=name
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            labels = tx.match.labels
            # Before all else: that another player sits there is the news, also in a finished match.
            if labels.name_in_seat(seat) != was:
                return tx.make_stale_result()
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
                number=tx.match.next_number,  # the hand with which the new player begins
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
        """Change the rules of a match before its first hand (round) is counted.

        `preset` is a named set of rules, `options` are single choices, such as the points to play
        to. `shown_rules` is the digest of the rules that the page showed; empty if not known. The
        result is

        - Saved, also if the rules stay the same, or
        - Stale, if the match has other rules now than the page showed, or
        - NamesRefused, if the new rules do not fit the players or the points of this match.

        Raises HandsCounted once a hand is counted, and ChoiceError for rules that do not exist.
        """
        with self.submission(
            RulesChange, request, match, device, preset=preset, options=options
        ) as (tx, first_result):
            if first_result is not None:  # the same form once more
                return first_result
            if tx.match.hands:
                raise HandsCounted(match)
            current = tx.match.rules
            if shown_rules and shown_rules != current.digest:
                return tx.make_stale_result()

            # A limit of time or hands stays as it was agreed when the match began.
            rules = settle(current.variant, preset, options, current.ends)
            problem = _find_problem_of_new_rules(tx.match, rules)
            if problem is not None:
                return NamesRefused((problem,))
            has_same_choices = rules.preset == current.preset and rules.options == current.options
            if has_same_choices:  # nothing to store
                return Saved(match)
            return _store_rules_change(tx, rules)

    def rematch(
        self, request: RequestId, match: MatchId, device: DeviceId, best_of: Literal[0, 3, 5] = 0
    ) -> Saved | Stale:
        """Start a rematch with the same names, rules and devices, and the next dealer.

        A match and its rematches are a series, which may be a best of 3 or of 5. `best_of` is that
        length, if none was agreed before; 0 for none. A match has one rematch: if another device
        has started it already, Saved returns that one. The result is Stale

        - while the match goes on,
        - if the device has no access to the rematch that was started, and
        - if this same request started a rematch before, which was deleted since.
        """
        sent = Submission.from_content(request, device, match, best_of)
        with self.context.transaction(match, device, sent) as tx:
            first_result = find_first_result(tx.rows, sent, Start)
            if first_result is not None:  # the same form once more
                return first_result
            existing = _find_existing_rematch(tx)
            if existing is not None:  # another device was faster
                return _answer_with_existing_rematch(tx, existing, device)
            if not tx.match.status.finished:
                return tx.make_stale_result()
            if _has_started_rematch_before(tx):  # which was deleted since, as it does not exist
                return tx.make_stale_result()

            saved = _start_rematch(tx, best_of)
            # Also in the log of this match, so that its pages show the link to the rematch.
            tx.append(events.Rematch(), request=_derive_id_of_entry_about_rematch(tx))
            tx.rows.put_rematch(match, saved.match)
            return saved

    def delete(self, match: MatchId, device: DeviceId) -> None:
        """Delete a match permanently, without traces in the data file. Raises NotOwner."""
        with self.context.storage.writing() as rows:
            access.admit_owner(rows, match, device)
            rows.drop_match(match)
        # The rows are deleted already. If rewriting the file fails now, the next deletion rewrites
        # it.
        with suppress(StorageError):
            self.context.storage.rewrite()


# ----------------------------------------------------------------------------------------- starting


def _find_labels_shown(tx: Transaction, seen: int | None) -> Labels | None:
    """Return the names of a match that a form showed when its page was loaded.

    `seen` is the number of the latest log entry at that time; None if it showed the present names.
    The result is None if the log has no such entry, so that nobody knows what was shown.
    """
    if seen is None:
        return tx.match.labels
    is_in_log = 1 <= seen <= tx.match.sequence
    if not is_in_log:
        return None
    # The state of that time is rebuilt from the log.
    records_until_then = [entry.record for entry in tx.match.log[:seen]]
    state_then = project(tx.match.record, records_until_then, tx.rules_of)
    return state_then.labels


def _find_start_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """Find what is wrong with a new match besides its names.

    That is the first dealer, and the points and hands (rounds) taken over from paper.
    """
    if new.dealer not in seat_players(rules.settings):
        # Shown as "There is no such seat at the table. Choose who deals first."
        yield NameProblem("dealer-unknown", ("dealer",))
    yield from _find_paper_problems(new, rules)


def _find_paper_problems(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """Find what is wrong with what a match takes over from paper, where it was begun.

    `new.carried` are the points of the sides so far, `new.played` is the number of hands (rounds).
    A match that begins here has no points from paper, `()`, and no problem with them.
    """
    number_of_sides = len(rules.settings.sides)
    has_points_from_paper = bool(new.carried)
    if has_points_from_paper and len(new.carried) != number_of_sides:
        # Shown as "There must be a total for each side: they are 2."
        yield NameProblem("carried-number", ("carried",), number_of_sides)
        return  # the other checks need a total for each side
    for side, total in enumerate(new.carried):
        yield from _find_problems_of_total(side, total, rules.settings)
    yield from _find_problem_of_finished_match(new, rules)


def _find_problems_of_total(side: int, total: int, settings: Settings) -> Iterator[NameProblem]:
    """Find what is wrong with the points that a side has from paper.

    They are too many, or cannot be right, since all scores are multiples of 5: 1,482 points.
    """
    pointer = ("carried", side)
    counts_points = settings.unit == "points"  # one game counts units, which may be any number
    if abs(total) > LARGEST:
        # Shown as "This total is too large: at most 9,999,999."
        yield NameProblem("carried-too-large", pointer, LARGEST)
    elif counts_points and total % SMALLEST_POINTS != 0:
        # Shown as "The total is a multiple of 5. Check the paper again."
        yield NameProblem("carried-not-multiple", pointer, SMALLEST_POINTS)


def _find_problem_of_finished_match(new: NewMatch, rules: Ruleset) -> Iterator[NameProblem]:
    """Find out whether a match was finished on paper already, so that nothing is left to play.

    It was if all its hands (rounds) were played, in a game with a fixed number, or if a side has
    reached the target.
    """
    settings = rules.settings
    number_of_hands = settings.match_deals  # None without a fixed number
    if number_of_hands is not None and new.played >= number_of_hands:
        # Shown as "At most 3 hands can have been played already: at least one is still …"
        yield NameProblem("played-all", ("played",), number_of_hands - 1)
    elif _is_over_at_start(new.carried, new.played, rules):
        # Shown as "With these totals the match is over already: the target is 2,000. …"
        yield NameProblem("carried-over", ("carried", 0), settings.target)


def _is_over_at_start(carried: tuple[int, ...], played: int, rules: Ruleset) -> bool:
    """Tell whether a match would be over before it starts, by what was played on paper.

    `carried` are the points of the sides from paper, `played` is the number of hands (rounds). A
    target of 2,000 and `(2100, 1500)` → True. A match that begins here has no points → False.
    """
    if not carried:
        return False
    return find_match_status(carried, rules.settings, played).finished


def _store_match(
    rows: WriteTransaction, sent: Submission, event: Start, rules: Ruleset, now: datetime
) -> Saved:
    """Store a new match with these rules, and return its id and its keys.

    Its log begins with the `event`. The device that sent the request owns the match. A key is what
    other devices enter the match with.
    """
    match = MatchRecord(_generate_match_id(rows), rules.digest, now)
    rows.add_match(match, freeze(rules))
    first_entry = rows.append(sent.entry(match.id, 1, event, now))

    # The command line has access to every match anyway.
    is_command_line = sent.device == hash_device_id(ADMIN)
    if not is_command_line:
        rows.grant(match.id, sent.device, Access.OWN, now)

    keys = store_new_keys(rows, match.id, now)
    rows.put(_summarize_new_match(match, first_entry, rules))
    return Saved(MatchId(match.id), keys=keys, sequence=first_entry.sequence)


def _summarize_new_match(match: MatchRecord, first_entry: Entry, rules: Ruleset) -> SummaryRecord:
    """Return what lists of matches show of a new match, whose log has only this entry."""
    state = MatchState(match, rules, rules_of=lambda _digest: rules)  # it has no other rules yet
    state.apply_log([decode_log_entry(first_entry)])
    return state.summary()


def _generate_match_id(rows: WriteTransaction) -> str:
    """Generate a random id that no match has: `k3f9x2mbqa`."""
    while True:
        match_id = "".join(secrets.choice(LETTERS) for _ in range(_ID_LENGTH))
        if rows.match(match_id) is None:
            return match_id


def _find_existing_rematch(tx: Transaction) -> MatchId | None:
    """Find the rematch of a match; None if none was started, or if it was deleted since."""
    rematch = tx.match.rematch
    if rematch is None:
        return None
    if tx.rows.match(rematch) is None:  # it was deleted
        return None
    return rematch


def _answer_with_existing_rematch(
    tx: Transaction, rematch: MatchId, device: DeviceId
) -> Saved | Stale:
    """Return the result for a device that starts a rematch after another one has done so.

    It is that rematch, as if this device had started it. Stale if the device has no access to it:
    it entered this match later, or was removed from the rematch.
    """
    if find_access(tx.rows, rematch, device) is Access.NONE:
        return tx.make_stale_result()
    return Saved(rematch, again=True)


def _derive_id_of_entry_about_rematch(tx: Transaction) -> RequestId:
    """Derive the id of the log entry that says "a rematch was started" from the id of the form.

    `k3f9` → `k3f9+rematch`

    An entry is stored under the id of the form that made it, and an id may be stored only once. But
    the form that starts a rematch makes two entries: the first one of the new log, which has the id
    of the form, and this one in the log of the finished match.
    """
    return RequestId(f"{tx.submission.request}+rematch")


def _has_started_rematch_before(tx: Transaction) -> bool:
    """Tell whether the form that is sent now has started a rematch of this match before.

    That is asked of the log of this match, where it is noted. The log of the rematch does not tell
    if the rematch was deleted since.
    """
    entry_about_rematch = tx.rows.find_entry_of_request(_derive_id_of_entry_about_rematch(tx))
    return entry_about_rematch is not None


def _start_rematch(tx: Transaction, best_of: Literal[0, 3, 5]) -> Saved:
    """Store the rematch of a match: the same names, rules and devices, and the next dealer.

    It belongs to the device that starts it. `best_of` is the length of the series of matches that
    the players chose now, such as best of 3; 0 for none.
    """
    match = tx.match
    place_in_series = _find_place_in_series(tx, best_of)
    event = Start(
        **asdict(match.labels),  # the names of sides and players, and the free texts
        dealer=match.next_turn.dealer,
        house=match.house,  # the house rules of the table
        practice=match.practice,
        rematch=True,
        checking=match.checking,  # whether one side counts and the other checks
        game=place_in_series.game,
        best_of=place_in_series.best_of,
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


def _find_place_in_series(tx: Transaction, best_of: Literal[0, 3, 5]) -> _PlaceInSeries:
    """Find the place of a rematch in a series: its number, and the length of the series.

    `best_of` is the length that the players chose now, such as best of 3; 0 for none. It does not
    count if they agreed on a length before, and the series is not over.
    """
    series = count_wins_in_series(tx.rows, tx.match)
    is_series_over = series.winner is not None
    if is_series_over:  # the rematch begins a new one
        return _PlaceInSeries(game=1, best_of=best_of)

    length = tx.match.begins.best_of  # the length agreed before; 0 for none
    may_be_chosen_now = best_of in series.lengths
    if may_be_chosen_now:
        length = best_of
    return _PlaceInSeries(game=tx.match.begins.game + 1, best_of=length)


def _copy_devices(tx: Transaction, rematch: MatchId) -> None:
    """Give the devices of a match the same access to its rematch, with their sides and names.

    The device that starts the rematch owns it already. If another one owns the match, it may only
    write in the rematch.
    """
    for record in tx.rows.list_devices_with_access(tx.match.id):
        starts_rematch = record.device == tx.submission.device
        if not starts_rematch:
            access_to_rematch = Access(record.access)
            if access_to_rematch is Access.OWN:  # a match has one owner
                access_to_rematch = Access.WRITE
            tx.rows.grant(rematch, record.device, access_to_rematch, tx.now)
        tx.rows.put_seat(rematch, record.device, record.side, record.name)


class _Seated(NamedTuple):
    """The names of a match with another player in a seat, and the problems that they have."""

    labels: Labels
    problems: tuple[NameProblem, ...]


def _seat_player(labels: Labels, seat: Seat, name: str, settings: Settings) -> _Seated:
    """Put a new player in a seat, and return all names of the match, with their problems.

    `seat` is the position of the side, and of the player in it. A name has a problem if it is too
    long or missing, for example.
    """
    side, index = seat
    is_side_of_one = len(labels.players[side]) == 1
    if is_side_of_one:  # the side is named after its player, and has the only name
        changed_name = side_pointer(side)
    else:
        changed_name = player_pointer(side, index)
    new_labels = replace_texts(labels, {changed_name: name})
    tidied_labels, problems = tidy_and_check_labels(new_labels, settings)

    # Other players may be without a name, but not one who takes over a seat. For the name of a
    # side, this is among the problems already.
    is_name_missing = not name.strip()
    if is_name_missing and not is_side_of_one:
        # Shown as "A name is missing here. Write one."
        problems = (*problems, NameProblem("name-empty", changed_name))
    return _Seated(tidied_labels, problems)


# -------------------------------------------------------------------------------------------- rules


def _find_problem_of_new_rules(match: MatchState, rules: Ruleset) -> NameProblem | None:
    """Find out why a match cannot go on by new rules; None if it can.

    The rules must be for the same number of players. And the points that the match has from paper
    must not end it at once, because the new target is lower.
    """
    sides = rules.settings.sides
    if sides != match.rules.settings.sides:
        # Shown as "2 names are needed, one for each side."
        return NameProblem("names-number", ("names",), len(sides))
    if _is_over_at_start(match.carried, match.played, rules):
        # Shown as "With these totals the match is over already: the target is 2,000. …"
        return NameProblem("carried-over", ("target",), rules.settings.target)
    return None


def _store_rules_change(tx: Transaction, rules: Ruleset) -> Saved:
    """Store that the match goes on by these rules.

    Its log has only a digest, by which the rules are found. The rules themselves are stored beside
    it.
    """
    tx.rows.add_ruleset(rules.digest, freeze(rules))
    return tx.append(RulesChange(rules.digest, list_house_rules(rules)))


def list_house_rules(rules: Ruleset) -> tuple[str, ...]:
    """List the house rules of a table: the options that it chose otherwise than usual.

    `("opening-steps",)` for a table that chose other minimums for a side's first cards. The list is
    stored with the match, because what is usual may change in a later version.
    """
    variant = get_variant(rules.variant)
    usual_values = _find_usual_values(variant, rules.preset)
    house_rules = []
    for name, value in rules.options.items():
        if value == usual_values[name]:
            continue
        if _is_set_by_every_match(variant.options[name]):
            continue
        house_rules.append(name)
    return tuple(house_rules)


def _find_usual_values(variant: Variant, preset: str | None) -> dict[str, ChoiceValue]:
    """Find the usual value of each option of a game: the default, or that of the chosen preset.

    A preset is a named set of rules; None if none was chosen.
    """
    usual_values = {}
    for name, option in variant.options.items():
        usual_values[name] = default_of(variant, option)
    if preset:
        usual_values |= variant.presets[preset].options  # these replace the defaults
    return usual_values


def _is_set_by_every_match(option: Option) -> bool:
    """Tell whether an option is about what every match chooses for itself.

    That is how many points it is played to, or how many players each side has. Such an option is no
    house rule.
    """
    if option.sets in _SETTINGS_OF_EVERY_MATCH:  # an option that is a number sets one setting
        return True
    for value in option.values:  # any other has a list of values, which set several settings each
        if any(setting in _SETTINGS_OF_EVERY_MATCH for setting in value.sets):
            return True
    return False


# ---------------------------------------------------------------------------------------- in a hand


def find_penalty_points(ruling: Ruling) -> int:
    """Return the points that a ruling of the referee takes from a side; 0 without a penalty.

    Rulings about other questions may have points too, such as a minimum to reach. These take
    nothing.
    """
    # The reason "penalty-of" says "Drew out of turn: 100 points off the offending side."
    is_about_penalty = any(reason.code == "penalty-of" for reason in ruling.reasons)
    points = ruling.details.get("points")
    if is_about_penalty and isinstance(points, int):
        return points
    return 0


def _add_penalty_to_ruling(kept: RulingKept) -> RulingKept:
    """Add to a ruling of the referee the penalty that it imposes, so that a side loses the points.

    The ruling is returned as it is if it is about no side, or costs no points.
    """
    if kept.side is None:
        return kept
    points = find_penalty_points(kept.answer.ruling)
    if points == 0:
        return kept
    penalty = kept.question["code"]  # a question about a penalty names it, as `draw-out-of-turn`
    return replace(kept, code=penalty, points=points)


def _shorten_answer(answer: Answer, shown_reasons: frozenset[str] | None) -> Answer:
    """Drop from an answer of the referee the reasons that were not shown, to save space.

    `shown_reasons` are the codes of those that were; None for all. Rulings by other sets of rules,
    which an answer has for comparison, are shown without reasons.
    """
    ruling = answer.ruling
    if shown_reasons is not None:
        kept_reasons = tuple(reason for reason in ruling.reasons if reason.code in shown_reasons)
        ruling = replace(ruling, reasons=kept_reasons)

    others = []
    for other in answer.others:
        ruling_without_reasons = replace(other.ruling, reasons=())
        others.append(replace(other, ruling=ruling_without_reasons))
    return replace(answer, ruling=ruling, others=tuple(others))
