"""The id of a new match, the names that it may have, and how they are shortened."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.names import NameProblem, NamesRefused, short_name
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import Saved
from tests.data import read_data
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Start, labels


def test_id_of_match_can_stand_in_an_address(start: Start) -> None:
    ids = {start().match for _ in range(20)}
    assert len(ids) == 20, "all different"
    for match in ids:
        assert re.fullmatch("[a-z0-9]{10}", match)


NAMES = read_data("matches/names.toml")
# A name that cannot stand in a TOML file: half of a character that is written in two parts.
HALF_A_LETTER = {
    "names": ["Noi", "Loro\ud83d"],
    "problems": [{"code": "name-control", "pointer": ["names", 1]}],
}
CASES = [*NAMES["case"], HALF_A_LETTER]


def new_match(case: Mapping[str, Any]) -> NewMatch:
    """Return a match of four players with the `names`, `players`, `place` and `dealer` of a case.

    What a case does not have is as usual: the names of the sides are Noi and Loro, for example.
    """
    given = {key: as_tuple(value) for key, value in case.items()}
    given.pop("problems", None)  # what is expected of the match
    dealer = given.pop("dealer", (0, 0))  # side and seat
    return replace(TWO_AGAINST_TWO, labels=labels(**given), dealer=dealer)


def as_tuple(value: Any) -> Any:
    """Return a value of a TOML file with tuples in place of lists, as in a match."""
    if not isinstance(value, list):
        return value
    return tuple(as_tuple(each) for each in value)


@pytest.mark.parametrize("case", [case for case in CASES if "problems" in case])
def test_match_with_invalid_names_is_refused_with_all_problems(
    pad: Pad, case: Mapping[str, Any]
) -> None:
    # One case has the names ["Noi", " noi "] for the sides.
    answer = pad.actions.start(RequestId("r"), PHONE, new_match(case))

    # Its only problem has the code "name-repeated". The pointer ["names", 1] says where: at the
    # second name. Some problems, such as "name-too-long", also have a limit.
    expected = []
    for problem in case["problems"]:
        pointer = tuple(problem["pointer"])
        limit = problem.get("limit")
        expected.append(NameProblem(problem["code"], pointer, limit))
    assert answer == NamesRefused(tuple(expected))

    # No match was started.
    assert pad.summaries(PHONE).in_progress == ()


@pytest.mark.parametrize("case", [case for case in CASES if "problems" not in case])
def test_match_with_valid_names_starts(pad: Pad, case: Mapping[str, Any]) -> None:
    # In one case two players have the same name, Ada.
    answer = pad.actions.start(RequestId("r"), PHONE, new_match(case))
    assert isinstance(answer, Saved)


@pytest.mark.parametrize(("name", "in_ten_characters", "in_five_characters"), NAMES["short"])
def test_short_name_leaves_out_articles(
    name: str, in_ten_characters: str, in_five_characters: str
) -> None:
    # Names stand at the head of narrow columns. "Le Volpi di Bagnacavallo", the foxes of a town, is
    # shortened to "Volpi".
    assert short_name(name, 10) == in_ten_characters
    assert short_name(name, 5) == in_five_characters
