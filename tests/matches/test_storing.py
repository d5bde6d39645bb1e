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
    hand = playing.Table(chance(seed), classica).play()
    sides = hand["sides"]
    return hand_of({"sides": sides, "out": hand.get("out")}, tuple(sides))


@pytest.mark.parametrize("number", [*range(12), *in_full(*range(12, 120))])
def test_stored_hand_is_loaded_as_it_was_judged(
    table: Table, storage: Storage, number: int
) -> None:
    # The hand is judged by the rules: what each side scores, and what is wrong with it.
    played = play_random_hand(f"stored-{number}")
    judged = table.state.judge(1, played)

    # It is counted with this judgement. A hand that cannot be as it was entered is not stored.
    answer = table.count(played)
    assert answer.judgement == judged
    if not isinstance(answer, Saved):
        return

    # Another pad, whose cache is empty, reads the hand from the log with the same scores and
    # warnings.
    table.pad = Pad(storage)
    (stored,) = table.state.hands
    assert stored.versions[0].event.hand == played
    assert stored.sides == judged.sides
    assert stored.warnings == judged.findings
    assert stored.doubts == ()
    assert table.totals == [side.total for side in judged.sides]

    # Scored again from 0 points for each side, it comes to the same as well.
    assert stored.counted.score_again(table.state.rules.settings, (0, 0)) == judged


@pytest.mark.parametrize(
    "text", ["", "  ", "−45", "♠♥", "\0", "\ud83d", "x" * 10_000, '{"json": [1]}', "'; --"]
)
def test_draft_keeps_any_text_exactly(table: Table, text: str) -> None:
    # A draft is what was typed into the form of a hand that is not saved yet. The text comes as the
    # value of a field, and within the name of another.
    draft = {"field": text, f"name {text}": "other"}
    table.keep(draft)
    assert table.state.open_hand.draft == draft
