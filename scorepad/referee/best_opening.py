"""Rulings on whether a player's whole hand can open, and how best.

A player who opens must discard one card and keep at least one, unless the player goes out. This
does not apply if another hand of cards follows, if the pile is taken, or if play continues without
cards (W Variante mini).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from scorepad.referee.best_play import (
    MELDS,
    MELDS_FOR_TOP_CARD,
    MELDS_PREVENTING_OUT,
    MELDS_THAT_MAY_OPEN,
    NEW_CANASTAS,
    OPENING_POINTS,
    LayableMeld,
    LayingTask,
    WildPoints,
    build_opening_task,
    find_best_play,
    find_melds_for_opening,
    find_melds_with_spare_top,
    find_new_melds,
    get_wild_points,
    give_a_point_for_each_card,
    leave_barred_ranks_out,
)
from scorepad.referee.field_types import Permission
from scorepad.referee.going_out import decide_going_out
from scorepad.referee.in_force import list_settings_of_canastas_needed
from scorepad.referee.opening import against_top_card, rule_opening
from scorepad.referee.questions import OpeningQuestion, OutQuestion
from scorepad.referee.reasons import reason
from scorepad.referee.ruling import Play, Reason, Reasons, Ruling, Verdict, forbidden
from scorepad.referee.situation import kind_of, report_impossible_cards
from scorepad.referee.whole_hand import possible_last_discards, worded_for_hand
from scorepad.rules.cards import NO_CARDS, NOTHING, Cards, Reading, gather_readings
from scorepad.rules.definitions import Ruleset
from scorepad.rules.settings import Settings

_CARDS_TO_KEEP = 2
"""Cards kept in the hand: one to discard, and one that stays."""
_CARD_TO_DISCARD = 1
"""What is kept where other cards are drawn after the discard: the talon."""
_SETTINGS_TO_KEEP = ("out-empty-handed", "canastas-needed")
"""The settings that make a player who stays in keep cards."""


def rule_best_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Answer how a player can best lay the first cards of the side, with all cards of the hand known.

    What a side lays first in a round is its opening: melds (groups of cards) that must reach a
    minimum of points. The answer shows the melds with the most points. If the hand cannot open, it
    says why.
    """
    hand = question.hand or NOTHING
    top_card = question.top_card or NOTHING
    impossible = report_impossible_cards(rules, hand, top_card, *(question.opponents or ()))
    if impossible:
        return forbidden(impossible)

    wants_to_go_out = question.concealed_out  # to lay all cards and end the round in this turn
    if wants_to_go_out:
        ruling = _rule_opening_to_go_out(rules, question)
    else:
        ruling = _rule_any_opening(rules, question)
    return _prepare_to_show(ruling)


def _rule_any_opening(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Rule on the best first melds of a player who need not end the round in the same turn.

    In most games the player must keep two cards in the hand then.
    """
    search = _prepare_search(rules, question, concealed_out=False)
    if search.cards_to_keep > 0:
        return _rule_opening_that_keeps_cards(search)
    return search.rule_staying_in()


def _rule_opening_that_keeps_cards(search: _OpeningSearch) -> Ruling:
    """Rule on the best first melds, in a game in which only who ends the round may run out of cards.

    The player either keeps two cards in the hand, or lays all cards and ends the round (goes out).
    The way that lays more points is the better one.
    """
    settings = search.rules.settings
    staying_in = search.find_best_staying_in()
    going_out = search.find_best_going_out()
    if going_out is not None and _is_better(going_out, staying_in, settings):
        return _add_reasons(going_out, _explain_that_player_goes_out(settings))
    if staying_in is not None:
        return _add_reasons(staying_in, *_comment_on_two_cards_kept(search, staying_in))
    return search.explain_why_hand_cannot_open()


def _explain_that_player_goes_out(settings: Settings) -> Reason:
    """Explain that the best first melds end the round, because the player goes out with them."""
    # On the page: "With these melds the player goes out in the same turn: the canastas for it are
    # there."
    cited_settings = list_settings_of_canastas_needed(settings)
    return reason("opening-goes-out", cited_settings=cited_settings)


def _comment_on_two_cards_kept(search: _OpeningSearch, opening: Ruling) -> Reasons:
    """Comment that two cards had to stay in the hand, if the best first melds leave just these two.

    Of ten cards eight are laid → the comment. Six are laid → no comment: nothing more would have
    been laid anyway.
    """
    cards_staying = search.count_cards_staying_in_hand(opening)
    if cards_staying > search.cards_to_keep:
        return
    if search.cards_to_keep == _CARD_TO_DISCARD:
        # On the page: "One card is kept, to be discarded: the talon follows. Without a talon two
        # cards must stay."
        yield reason("opening-discard-kept", cited_settings="talon/kept")
        return
    # On the page: "Cards that stay in hand: 2. One is discarded, and at least one must stay with
    # whoever does not go out."
    yield reason("opening-hand-kept", cited_settings=_SETTINGS_TO_KEEP, cards=_CARDS_TO_KEEP)


def _rule_opening_to_go_out(rules: Ruleset, question: OpeningQuestion) -> Ruling:
    """Rule on the best first melds of a player who wants to end the round in the same turn.

    If the hand cannot do that, the ruling is on its best first melds without ending the round, and
    says so.
    """
    search_for_going_out = _prepare_search(rules, question, concealed_out=True)
    going_out = search_for_going_out.find_best_going_out()
    if going_out is not None:
        return going_out

    search_for_staying_in = _prepare_search(rules, question, concealed_out=False)
    staying_in = search_for_staying_in.rule_staying_in()
    # On the page: "With this hand there is no going out in the same turn …"
    cannot_go_out = reason(
        "opening-not-out",
        cited_settings=list_settings_of_canastas_needed(rules.settings),
        wording="hand",  # another wording is about melds that a player shows
    )
    return _add_reasons(staying_in, cannot_go_out)


def _is_better(opening: Ruling, other: Ruling | None, settings: Settings) -> bool:
    """Tell whether first melds are better than others, which may not exist (None).

    Both are rulings that allow their melds.
    """
    if other is None:
        return True
    return _compute_worth(opening, settings) > _compute_worth(other, settings)


def _compute_worth(opening: Ruling, settings: Settings) -> tuple[int, int, int]:
    """Compute what the first melds of a ruling are worth: the higher result is the better one.

    More points come first. If they are equal, more of them that count toward the minimum are
    better, and then fewer melds: three kings and three nines, 60 points → `(60, 60, -2)`.
    """
    points_laid = opening.laid.points(settings.card_points)
    # In a game that needs no minimum, a ruling does not say how many count.
    points_counted = int(opening.details.get("counted") or 0)
    number_of_melds = len(opening.play.laid) if opening.play else 0
    return (points_laid, points_counted, -number_of_melds)


def _add_reasons(ruling: Ruling, *more_reasons: Reason) -> Ruling:
    """Return a copy of a ruling with more reasons after its own."""
    return replace(ruling, reasons=ruling.reasons + more_reasons)


def _prepare_to_show(ruling: Ruling) -> Ruling:
    """Prepare a ruling on the first melds of a side to be shown.

    An answer about first melds shows only the cards to lay, so the last discard is removed. Reasons
    about misprints in the rule books come last.
    """
    ruling = replace(ruling, reasons=_move_faults_last(ruling.reasons))
    if ruling.play is None:
        return ruling
    play_without_discard = Play(ruling.play.laid, discard=None)
    return replace(ruling, play=play_without_discard)


def _move_faults_last(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """Move the reasons that only report a fault of a rule book behind all others."""
    faults = [each for each in reasons if _is_on_fault_of_source(each)]
    others = [each for each in reasons if not _is_on_fault_of_source(each)]
    return (*others, *faults)


def _is_on_fault_of_source(given: Reason) -> bool:
    """Tell whether a reason only says that a rule book prints a rule wrongly, or leaves it out.

    Its code says so: `fault-opening-from-zero` → True, `opening-reached` → False.
    """
    return given.code.startswith("fault-")


# ----------------------------------------------------------------------------- the openings of a hand


@dataclass(frozen=True, slots=True)
class _OpeningSearch:
    """The search for the best opening of a hand. Its results are rulings, with the play that they
    judge.
    """

    rules: Ruleset
    question: OpeningQuestion
    task: LayingTask
    """The melds that may be laid. The top card of the pile, if it is taken, is among the cards."""
    minimum: int | None
    """The points that an opening must reach; None if it needs none."""
    cards_to_keep: int
    """How many cards a player who does not go out must keep."""

    def count_cards_staying_in_hand(self, opening: Ruling) -> int:
        """Count the cards that stay in the hand after first melds; `opening` is a ruling on them."""
        return self.task.available.size - opening.laid.size

    def rule_staying_in(self) -> Ruling:
        """Rule on the best first melds of a player who does not end the round with them.

        If the hand has none, the ruling says why.
        """
        best = self.find_best_staying_in()
        if best is not None:
            return best
        return self.explain_why_hand_cannot_open()

    def find_best_staying_in(self) -> Ruling | None:
        """Find the best first melds of a player who does not end the round; None if there are none.

        The result is the ruling that allows them.
        """
        task = self._require_opening(self._require_top_card(self.task))
        if self.cards_to_keep > 0:
            task = task.keeping_cards(self.cards_to_keep)
        best = self._rule_best_play_if_allowed(task)
        if best is None and self.rules.settings.opening_canasta == "no-minimum":
            return self._rule_best_play_if_allowed(task.requiring(NEW_CANASTAS, least=1))
        return best

    def _find_best_that_may_empty_hand(self) -> Ruling | None:
        """Find the best first melds, even if no card stays in the hand; None if there are none.

        The result is the ruling that allows them, but for the cards that should stay.
        """
        task = self._require_opening(self._require_top_card(self.task))
        return self._rule_best_play_if_allowed(task)

    def find_best_going_out(self) -> Ruling | None:
        """Find the best first melds with which a player ends the round; None if there are none.

        The result is the ruling that allows the melds, with the melds as its `play`.
        """
        takes_pile = self.question.top_card is not None
        if takes_pile:
            # The player also gets the other cards of the pile, which are not known here. So it is
            # enough to lay the canastas (melds of seven cards or more) that ending the round takes.
            return self._rule_best_play_if_allowed(self._build_task_to_go_out())
        return self._find_best_way_to_lay_whole_hand()

    def _find_best_way_to_lay_whole_hand(self) -> Ruling | None:
        """Find the best way to lay the whole hand in one turn, which ends the round.

        One card may be left over, to be discarded last. The result is the ruling on that play, with
        the cards to lay; None if the rules allow no such play.
        """
        task = self._build_task_to_go_out()
        discards = possible_last_discards(self.rules.settings, task.available, named_discard=None)
        play = find_best_play(task.laying_all_but(discards))
        if play is None:
            return None

        # The search knows only limits, such as points to reach. The full rules are applied here.
        ruling = self._rule_opening_play(play)
        if ruling.verdict is Verdict.FORBIDDEN:
            return None
        if not self._may_go_out(play):
            return None
        return ruling

    def _build_task_to_go_out(self) -> LayingTask:
        """Build the task of a player who lays the first melds and ends the round in the same turn.

        The melds must include the canastas (seven cards or more) that ending the round requires. In
        most games they must also reach the minimum of points for first melds.
        """
        settings = self.rules.settings
        task = self._require_top_card(self.task)
        task = task.requiring_canastas_to_go_out(settings)
        task = task.requiring(MELDS_PREVENTING_OUT, most=0)

        # Some games waive the minimum of points for a player who says that the round ends.
        is_waived_in_game = settings.concealed_out == "own-melds-only"
        is_minimum_waived = is_waived_in_game and self.question.concealed_out
        if is_minimum_waived:
            return task
        return self._require_opening(task)

    def _require_top_card(self, task: LayingTask) -> LayingTask:
        """Require that one meld can hold the top card of the discard pile, if the player takes it."""
        if task.top is None:
            return task
        if self.rules.settings.opening_pile == "hand-only":
            # That meld alone is worth less by the top card. So exactly one is chosen as such.
            return task.requiring(MELDS_FOR_TOP_CARD, least=1, most=1)
        return task.requiring(MELDS_FOR_TOP_CARD, least=1)

    def _require_opening(self, task: LayingTask) -> LayingTask:
        """Require that the melds may be the first of a side: one of them must be fit to open with.

        They must also reach a minimum of points, in most games.
        """
        task = task.requiring(MELDS_THAT_MAY_OPEN, least=1)
        if self.minimum is None or task.has_only_counting_melds:
            # The play with the most points is found. If they are too few, the ruling says so.
            return task
        # Some points do not count. The play with the most points may have too few that count,
        # while another one has enough.
        return task.requiring(OPENING_POINTS, least=self.minimum)

    def explain_why_hand_cannot_open(self) -> Ruling:
        """Rule that a hand cannot lay the first melds of its side, and say why.

        - The melds would do, but too few cards would stay in the hand.
        - The best melds lack something, such as points.
        - The hand has no melds at all.
        """
        if self.cards_to_keep > 0:
            melds_that_would_do = self._find_best_that_may_empty_hand()
            if melds_that_would_do is not None:
                cards_left = self.count_cards_staying_in_hand(melds_that_would_do)
                return self._explain_that_too_few_cards_stay(cards_left)

        best_melds = self._rule_most_counting_points(self.task)
        if best_melds is not None:
            return best_melds
        # On the page: "These cards make no meld to open with."
        return forbidden((reason("hand-without-meld", cited_settings="meld-shortest"),))

    def _explain_that_too_few_cards_stay(self, cards_left: int) -> Ruling:
        """Rule that a hand cannot open, because too few cards (`cards_left`) would stay in it.

        The details of the ruling say how many points the player reaches while keeping enough cards:
        `{"minimum": 50, "counted": 30, "missing": 20}`.
        """
        minimum = self.minimum or 0  # 0: this game needs no minimum of points
        # On the page: "To reach 50 points too few cards would stay in hand (1): one is discarded
        # and at least one must stay, since the player cannot go out."
        too_few_cards = reason(
            "opening-hand-emptied",
            cited_settings=_SETTINGS_TO_KEEP,
            cards=cards_left,
            minimum=minimum,
        )
        with_cards_kept = self._rule_most_counting_points(
            self.task.keeping_cards(self.cards_to_keep)
        )
        if with_cards_kept is None:  # no meld can be laid then, so all points are missing
            details = {"minimum": minimum, "counted": 0, "missing": minimum}
            return forbidden((too_few_cards,), details)
        return _add_reasons(with_cards_kept, too_few_cards)

    def _rule_best_play_if_allowed(self, task: LayingTask) -> Ruling | None:
        """Rule on the best play of a task as first melds.

        None if there is no play, or if the ruling would forbid it.
        """
        ruling = self._rule_best_play(task)
        if ruling is None or ruling.verdict is Verdict.FORBIDDEN:
            return None
        return ruling

    def _rule_best_play(self, task: LayingTask) -> Ruling | None:
        """Find the best play of a task and rule on it as first melds; None if there is no play."""
        play = find_best_play(task)
        if play is None:
            return None
        return self._rule_opening_play(play)

    def _rule_opening_play(self, play: Play) -> Ruling:
        """Rule on the melds of a play as the first melds of a side in this round.

        They are judged as if the player had shown them, but the reasons speak of the whole hand:
        "this hand can lay 60 points" in place of "you laid 60 points".
        """
        question_with_melds = replace(self.question, melds=play.melds)
        ruling_on_shown_melds = rule_opening(self.rules, question_with_melds)
        return worded_for_hand(ruling_on_shown_melds, play)

    def _may_go_out(self, play: Play) -> bool:
        """Tell whether a player may end the round with this play.

        In some games the partner must be asked first: here the answer is assumed to be yes.
        """
        question = OutQuestion(
            table=play.melds,
            discard=Reading(play.discard or NO_CARDS),
            concealed=True,  # the player had laid nothing before
            permission=Permission.GRANTED,
        )
        return decide_going_out(self.rules, question).verdict is Verdict.ALLOWED

    def _rule_most_counting_points(self, task: LayingTask) -> Ruling | None:
        """Rule on the melds with the most points that count toward the minimum for first melds.

        The ruling says what they lack, and shows no cards to lay. None if the hand has no melds.
        """
        # If no meld is fit to open with, or can hold the top card of the discard pile, others are
        # tried: the ruling says so.
        with_top_card = self._require_top_card(task)
        fit_to_open = with_top_card.requiring(MELDS_THAT_MAY_OPEN, least=1)
        for task_to_try in (fit_to_open, with_top_card, task):
            some_melds = task_to_try.requiring(MELDS, least=1)
            ruling = self._rule_best_play(some_melds.preferring_points_that_count())
            if ruling is not None:
                return replace(ruling, play=None)
        return None


def _prepare_search(
    rules: Ruleset, question: OpeningQuestion, *, concealed_out: bool
) -> _OpeningSearch:
    """Prepare the search for the best first melds of a hand.

    `concealed_out`, whether the player also ends the round in this turn, replaces what the question
    says of it.
    """
    settings = rules.settings
    question = replace(question, concealed_out=concealed_out)
    minimum = settings.opening_minimum(question.score, question.deal)  # in points
    return _OpeningSearch(
        rules=rules,
        question=question,
        task=_build_task_of_first_melds(rules, question, minimum),
        minimum=minimum,
        cards_to_keep=_count_cards_to_keep(settings, takes_pile=question.top_card is not None),
    )


def _build_task_of_first_melds(
    rules: Ruleset, question: OpeningQuestion, minimum: int | None
) -> LayingTask:
    """Build the task of laying the best first melds (groups of cards) from a player's cards.

    The cards are those of the hand, and the top card of the discard pile if the player takes it.
    `minimum` are the points that first melds must reach in this game; None if they need none.
    """
    settings = rules.settings
    ends_round = question.concealed_out
    cards = gather_readings(question.hand or NOTHING, question.top_card or NOTHING).cards
    new_melds = find_new_melds(settings, cards, going_out=ends_round)
    legal_melds = leave_barred_ranks_out(settings, new_melds, (), question.opponents)
    if minimum is None:
        # The best first melds are those with most cards.
        melds = give_a_point_for_each_card(legal_melds)
        wilds = WildPoints(joker=1, two=1)
    else:
        melds = find_melds_for_opening(rules, legal_melds, minimum, concealed=ends_round)
        wilds = get_wild_points(rules.settings)
    top_card = question.top_card
    if minimum is not None and top_card is not None and settings.opening_pile == "hand-only":
        holders = _find_holders_of_spare_top_card(rules, question, legal_melds, minimum)
        melds = chain(holders, melds)
    else:
        melds = _mark_holders_of_top_card(rules, question, melds)
    return build_opening_task(cards, melds, wilds=wilds, top=top_card)


def _find_holders_of_spare_top_card(
    rules: Ruleset, question: OpeningQuestion, melds: Iterable[LayableMeld], minimum: int
) -> Iterator[LayableMeld]:
    """Find the melds that may hold the pile's top card, where a side opens from the hand alone.

    Only their other cards count for the opening. They are marked, so that a play can be required to
    have one.
    """
    assert question.top_card is not None, "asked only of a player who takes the pile"
    holders = [meld for meld in melds if _may_hold_top_card(rules, question, meld.result.cards)]
    for meld in find_melds_with_spare_top(rules, holders, question.top_card, minimum):
        yield meld.also_adding_one_to(MELDS_FOR_TOP_CARD)


def _mark_holders_of_top_card(
    rules: Ruleset, question: OpeningQuestion, melds: Iterable[LayableMeld]
) -> Iterator[LayableMeld]:
    """Mark the melds that may hold the top card of the discard pile, and yield the others unchanged.

    With a king on top, `K K K` is marked and `9 9 9` is not. Marked melds are counted, so that a
    play can be required to have one.
    """
    for meld in melds:
        if _may_hold_top_card(rules, question, meld.result.cards):
            yield meld.also_adding_one_to(MELDS_FOR_TOP_CARD)
        else:
            yield meld


def _count_cards_to_keep(settings: Settings, *, takes_pile: bool) -> int:
    """Count the cards that a player who lays first melds must keep in the hand.

    In most games only a player who ends the round may run out of cards.
    """
    gets_another_hand = settings.hands_each > 1
    if gets_another_hand:
        return 0
    if takes_pile:  # the other cards of the discard pile come into the hand
        return 0
    if settings.unit != "points":  # a player without cards stays in the round
        return 0
    if settings.talon:
        return _CARD_TO_DISCARD
    return _CARDS_TO_KEEP


def _may_hold_top_card(rules: Ruleset, question: OpeningQuestion, meld: Cards) -> bool:
    """Tell whether the top card of the discard pile may be one of the cards of this first meld.

    A king on top may be in `K K K`, but not in `9 9 9`. Without a top card the answer is False.
    """
    top_card = question.top_card
    if top_card is None:
        return False
    number_of_its_kind = meld.of(kind_of(top_card))
    if number_of_its_kind == 0:
        return False
    # The rules are asked as if this meld were all that the player lays.
    question_with_meld = replace(question, melds=(Reading(meld),))
    reasons_against = list(against_top_card(rules, question_with_meld))
    return len(reasons_against) == 0
