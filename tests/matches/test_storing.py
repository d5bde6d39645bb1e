"""What is stored comes back the same, and means for ever what it meant when it was acknowledged."""

import pytest

from scorepad.matches import Pad
from scorepad.matches.transaction import Saved
from scorepad.rules.hand import Hand
from scorepad.storage import Storage
from tests.examples import in_full
from tests.hands_read import hand_of
from tests.independent import playing
from tests.independent.compare import chance
from tests.independent.game import find_game
from tests.matches.conftest import Table


def play_random_hand(seed: str) -> Hand:
    """Make up a hand of the classic game; the same seed gives the same hand.

    It is entered as four people may enter it: by cards or by totals, sometimes against the rules.
    """
    classica = find_game("classica", None, {})
    table = playing.Table(chance(seed), classica)
    played = table.play()

    # It is in JSON, with the sides by name, and the side that went out, if one did.
    hand = {"sides": played["sides"], "out": played.get("out")}
    names_of_sides = tuple(played["sides"])
    return hand_of(hand, names_of_sides)


@pytest.mark.parametrize("number", [*range(12), *in_full(*range(12, 120))])
def test_stored_hand_is_loaded_as_it_was_judged(
    table: Table, storage: Storage, number: int
) -> None:
    # A random hand is judged by the rules: what each side scores, and what is wrong with it. The
    # number is a seed.
    played = play_random_hand(f"stored-{number}")
    judged = table.state.judge(1, played)

    # It is counted with this judgement. A hand that cannot be as it was entered is not stored.
    answer = table.count(played)
    assert answer.judgement == judged
    if not isinstance(answer, Saved):
        return

    # Another pad, whose cache is empty, reads the hand from the log as it was entered.
    table.pad = Pad(storage)
    (stored,) = table.state.hands
    (entered,) = stored.versions  # it was not corrected
    assert entered.event.hand == played

    # It has the same scores and warnings.
    assert stored.sides == judged.sides
    assert table.totals == [side.total for side in judged.sides]
    assert stored.warnings == judged.findings
    assert stored.doubts == ()

    # Scored again, from the 0 points of each side before it, it comes to the same as well.
    scored_again = stored.counted.score_again(table.state.rules.settings, (0, 0))
    assert scored_again == judged


@pytest.mark.parametrize(
    "text", ["", "  ", "−45", "♠♥", "\0", "\ud83d", "x" * 10_000, '{"json": [1]}', "'; --"]
)
def test_draft_keeps_any_text_exactly(table: Table, text: str) -> None:
    # A draft is what was typed into the form of a hand that is not saved yet. The text comes as the
    # value of a field, and within the name of another.
    draft = {"field": text, f"name {text}": "other"}
    table.keep(draft)
    assert table.state.open_hand.draft == draft
