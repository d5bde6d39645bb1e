"""The id of a new match, the names that it may have, and how they are shortened."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.names import NameProblem, NamesRefused, short_name
from scorepad.matches.transaction import Saved
from tests.data import read_data
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table


def test_a_match_has_an_id_fit_for_an_address(start: Callable[..., Table]) -> None:
    ids = {start().match for _ in range(20)}
    assert len(ids) == 20
    for match in ids:
        assert re.fullmatch("[a-z0-9]{10}", match)


NAMES = read_data("matches/names.toml")
HALF_A_LETTER = {
    "names": ["Noi", "Loro\ud83d"],
    "problems": [{"code": "name-control", "pointer": ["names", 1]}],
}
"""What no TOML can say."""


@pytest.mark.parametrize("case", [*NAMES["case"], HALF_A_LETTER])
def test_names_that_cannot_be_are_all_told_at_once(pad: Pad, case: Mapping[str, Any]) -> None:
    texts = {key: as_tuple(case[key]) for key in ("names", "players", "place") if key in case}
    new = replace(
        TWO_AGAINST_TWO,
        labels=replace(TWO_AGAINST_TWO.labels, **texts),
        dealer=as_tuple(case.get("dealer", TWO_AGAINST_TWO.dealer)),
    )
    problems = []
    for problem in case.get("problems", ()):
        pointer = as_tuple(problem["pointer"])
        problems.append(NameProblem(problem["code"], pointer, problem.get("limit")))

    answer = pad.actions.start(RequestId("r"), PHONE, new)
    if problems:
        assert answer == NamesRefused(tuple(problems))
        assert pad.summaries(PHONE).in_progress == ()
    else:
        assert isinstance(answer, Saved)


def as_tuple(value: Any) -> Any:
    """The lists of TOML as the pad has them."""
    if not isinstance(value, list):
        return value
    return tuple(as_tuple(each) for each in value)


@pytest.mark.parametrize(("name", "short", "shorter"), NAMES["short"])
def test_a_short_name_leaves_out_articles(name: str, short: str, shorter: str) -> None:
    assert short_name(name, 10) == short
    assert short_name(name, 5) == shorter
