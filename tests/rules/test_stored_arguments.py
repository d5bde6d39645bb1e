"""The arguments of a finding keep their type when they are stored."""

import pytest

from scorepad.rules.cards import Kind
from scorepad.rules.checks import (
    Excess,
    MessageArgument,
    Needed,
    argument_from_json,
    argument_to_json,
)
from scorepad.rules.table import SideName


@pytest.mark.parametrize(
    ("argument", "stored"),
    [
        (90, 90),
        ("points", "points"),
        (SideName(1), {"side": 1}),
        (Kind.QUEEN, {"card": "Q"}),
        ((Kind.QUEEN, Kind.ACE), [{"card": "Q"}, {"card": "A"}]),
        # There are three kings of hearts, where the decks have two.
        (
            (Excess(kind=Kind.KING, suit="h", count=3, limit=2),),
            [{"excess": ["K", "h", 3, 2]}],
        ),
        # A side that needs two natural canastas has one.
        ((Needed(family="natural", count=2, has=1),), [{"needed": ["natural", 2, 1]}]),
    ],
)
def test_stored_argument_is_read_with_its_type(argument: MessageArgument, stored: object) -> None:
    # A message about a hand has arguments: figures, cards, sides. They are stored without words, so
    # that the message can be shown in any language later.
    assert argument_to_json(argument) == stored

    # A queen is read as a queen again, not as the text "Q".
    read = argument_from_json(stored)
    assert read == argument
    assert type(read) is type(argument)


@pytest.mark.parametrize("stored", [{"card": "Z"}, {"colour": "red"}, [{}]])
def test_stored_argument_of_unknown_kind_is_refused(stored: object) -> None:
    # "Z" is no card; "colour" and {} are no kinds of arguments.
    with pytest.raises(ValueError, match=r"Z|argument"):
        argument_from_json(stored)
