"""When something is asked: what a step asks for depends on the rules and on what was said before."""

from __future__ import annotations

from collections.abc import Callable

from scorepad.referee.case import has_partner
from scorepad.rules.cards import Kind, read_cards
from scorepad.rules.settings import ConcealedOut, Condition, OpeningBy, Shape
from scorepad.web.referee.cards_said import cards_of
from scorepad.web.referee.situation import YES, Situation

Asks = Callable[[Situation], bool]


def always(_: Situation) -> bool:
    """Whatever was said."""
    return True


def is_said(name: str, value: str) -> Asks:
    """Where this was said of it, or goes without saying."""
    return lambda situation: situation.said(name) == value


def all_of(*conditions: Asks) -> Asks:
    """Where all of these hold."""
    return lambda situation: all(condition(situation) for condition in conditions)


def alone(situation: Situation) -> bool:
    """Beside a match."""
    return situation.match is None


def by_score(situation: Situation) -> bool:
    """Where the opening minimum goes by the match score."""
    return situation.rules.settings.opening_by is OpeningBy.SCORE


def by_deal(situation: Situation) -> bool:
    """Where something goes by the number of the hand."""
    return "deal" in situation.rules.entry_fields


def may_freeze(situation: Situation) -> bool:
    """Where a discarded wild card freezes the pile."""
    return situation.rules.settings.freezing == "discarded-wild"


def wants_red_threes(situation: Situation) -> bool:
    """Where going out takes red threes."""
    return situation.rules.settings.out_red_threes != "any"


def with_partner(situation: Situation) -> bool:
    """Where somebody plays with a partner."""
    return has_partner(situation.rules.settings)


def bars_black_threes(situation: Situation) -> bool:
    """Whether it matters to this discard that it is the first round."""
    bars = situation.rules.settings.first_round_black_threes == "forbidden"
    return bars and read_cards(cards_of(situation.said("card"))).cards.of(Kind.BLACK_THREE) > 0


def wild_melds_bar(situation: Situation) -> bool:
    """Whether an incomplete meld of wild cards bars any discard."""
    settings = situation.rules.settings
    bars_out = any(each.bars_out and each.shape is Shape.WILDS for each in settings.incomplete)
    return bars_out or settings.wilds_blocked != "nothing"


def other_melds_decide(situation: Situation) -> bool:
    """Whether it hangs on the side's other melds if cards may be laid."""
    settings = situation.rules.settings
    return settings.repeated_rank == "not-incomplete" or settings.wilds_blocked != "nothing"


def fitting_melds_decide(situation: Situation) -> bool:
    """Whether no card is discarded that fits a meld of the side."""
    return situation.rules.settings.discard_fitting == "forbidden"


def by_canastas(situation: Situation) -> bool:
    """Where canastas decide what red threes are worth."""
    return situation.rules.settings.red_threes_condition is not Condition.OPENED


def takes_the_pile_at_the_end(situation: Situation) -> bool:
    """Where the pile is taken after the stock."""
    # A red three drawn last ends the hand whatever else there is.
    return situation.rules.settings.end_of_stock == "giochi" and situation.said("last_card") != "red-three"


def opens_going_out(situation: Situation) -> bool:
    """Whether it may be asked of a going out if what is laid opens."""
    is_concealed = situation.said("concealed") == YES
    asks = is_concealed and situation.rules.settings.concealed_out is ConcealedOut.OPENING_TURN
    return asks or is_said("way", "hand")(situation)
