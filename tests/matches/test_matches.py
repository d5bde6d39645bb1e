"""Starting, naming and listing matches, and who may see them."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorepad.errors import ChoiceError
from scorepad.matches.access import (
    ADMIN,
    Access,
    MatchId,
    MatchNotFound,
    RequestId,
)
from scorepad.matches.events import Labels
from scorepad.matches.names import NameProblem, NamesRefused
from scorepad.matches.transaction import Saved
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO


def test_a_match_has_an_id_fit_for_an_address(start) -> None:
    ids = {start().match for _ in range(20)}
    assert len(ids) == 20
    assert all(
        len(name) == 10 and name.isalnum() and name.islower() and name.isascii() for name in ids
    )


@pytest.mark.parametrize(
    "change", [{"variant": "bridge"}, {"preset": "nobody's"}, {"options": {"wild-limit": "nine"}}]
)
def test_rules_that_do_not_exist_start_no_match(pad, change: dict[str, object]) -> None:
    with pytest.raises(ChoiceError):
        pad.actions.start(RequestId("r"), PHONE, replace(TWO_AGAINST_TWO, **change))
    assert not any(pad.summaries(PHONE))


def test_names_are_kept_without_the_space_around_them(start) -> None:
    table = start(
        replace(
            TWO_AGAINST_TWO,
            labels=replace(
                TWO_AGAINST_TWO.labels,
                names=("  Noi \n", "Nonna Pina 👵🏽"),
                place=" da Ada ",
                players=(("Zoë",), ()),
            ),
        )
    )
    assert [side.name for side in table.state.sides] == ["Noi", "Nonna Pina 👵🏽"]
    assert [side.players for side in table.state.sides] == [("Zoë", ""), ("", "")]
    assert table.state.labels.place == "da Ada"


NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8"))["case"]
HALF = {
    "names": ["Noi", "Loro\ud83d"],
    "problems": [{"code": "name-control", "pointer": ["names", 1]}],
}
"""Half a letter, which no TOML can say."""


@pytest.mark.parametrize("case", [*NAMES, HALF])
def test_names_that_cannot_be_are_all_told_at_once(pad, case: Mapping[str, Any]) -> None:
    texts = {key: as_tuple(case[key]) for key in ("names", "players", "place") if key in case}
    labels = replace(TWO_AGAINST_TWO.labels, **texts)
    dealer = as_tuple(case.get("dealer", TWO_AGAINST_TWO.dealer))
    told = pad.actions.start(
        RequestId("r"), PHONE, replace(TWO_AGAINST_TWO, labels=labels, dealer=dealer)
    )
    problems = tuple(
        NameProblem(each["code"], as_tuple(each["pointer"]), each.get("limit"))
        for each in case.get("problems", ())
    )
    assert told == NamesRefused(problems) if problems else isinstance(told, Saved)
    assert any(pad.summaries(PHONE)) is not bool(problems)


def as_tuple(value: Any) -> Any:
    """The lists of TOML as the pad has them."""
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["nowhere", "", "x" * 500, "è", "\0", "\ud800", "a' or 1=1"])
def test_a_match_that_is_not_there_is_not_found(pad, name: str) -> None:
    assert pad.access(MatchId(name), PHONE) is Access.NONE
    assert pad.access(MatchId(name), ADMIN) is Access.NONE
    with pytest.raises(MatchNotFound) as caught:
        pad.state(MatchId(name), PHONE)
    assert caught.value.id == name


def renamed(table, names, players, place, seen):
    return table.pad.actions.rename(
        table.request(), table.match, PHONE, Labels(names, players, place), seen
    )


def test_the_same_change_made_by_both_is_no_quarrel_and_no_entry(table) -> None:
    for _ in range(2):
        players = TWO_AGAINST_TWO.labels.players
        assert isinstance(renamed(table, ("Nonne", "Loro"), players, "", 1), Saved)
    assert table.state.sequence == 2


def test_a_name_that_another_side_took_meanwhile_is_refused_beside_the_one_that_stands(
    table,
) -> None:
    renamed(table, ("Rossi", "Loro"), TWO_AGAINST_TWO.labels.players, "", 1)
    told = renamed(table, ("Noi", "Rossi"), TWO_AGAINST_TWO.labels.players, "", 1)
    assert told.problems == (NameProblem("name-repeated", ("names", 1)),)
    assert told.labels.names == ("Rossi", "Rossi")
