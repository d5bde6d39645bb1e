"""Starting, naming and listing matches, and who may see them."""

from dataclasses import replace

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


@pytest.mark.parametrize(("change", "problems"), [
    ({"names": ("", "Loro")}, [("name-empty", ("names", 0), None)]),
    ({"names": ("\u200b\u2060", "Loro")}, [("name-empty", ("names", 0), None)]),
    ({"names": ("x" * 60, "y" * 61)}, [("name-too-long", ("names", 1), 60)]),
    ({"names": ("Noi", " noi ")}, [("name-repeated", ("names", 1), None)]),
    ({"names": ("Noi", "N\u200boi")}, [("name-repeated", ("names", 1), None)]),
    ({"names": ("Noi", "Lo\0ro")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "Lo\nro")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "\u202eoroL")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "Loro\ud83d")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi",)}, [("names-number", ("names",), 2)]),
    ({"players": (("Ada", "Ugo", "Pia"), ())}, [("players-number", ("players", 0), 2)]),
    ({"players": (("Ada", "Ugo", "", " "), ())}, []),
    ({"players": ((), ("Ada", "\x07"))}, [("name-control", ("players", 1, 1), None)]),
    ({"players": ((), ("Ada", "Ada"))}, []),
    ({"place": "z" * 61}, [("name-too-long", ("place",), 60)]),
    ({"dealer": (0, 2)}, [("dealer-unknown", ("dealer",), None)]),
    ({"names": ("", ""), "place": "\x1b", "dealer": (5, 0)}, [
        ("name-empty", ("names", 0), None), ("name-empty", ("names", 1), None),
        ("name-control", ("place",), None), ("dealer-unknown", ("dealer",), None),
    ]),
])  # fmt: skip
def test_names_that_cannot_be_are_all_told_at_once(pad, change, problems) -> None:
    dealer = change.pop("dealer", TWO_AGAINST_TWO.dealer)
    new = replace(TWO_AGAINST_TWO, labels=replace(TWO_AGAINST_TWO.labels, **change), dealer=dealer)
    told = pad.actions.start(RequestId("r"), PHONE, new)
    if problems:
        assert told == NamesRefused(tuple(NameProblem(*problem) for problem in problems))
        assert not any(pad.summaries(PHONE))
    else:
        assert isinstance(told, Saved)


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


def test_a_name_that_another_side_took_meanwhile_is_refused_beside_the_one_that_stands(
    table,
) -> None:
    renamed(table, ("Rossi", "Loro"), TWO_AGAINST_TWO.labels.players, "", 1)
    told = renamed(table, ("Noi", "Rossi"), TWO_AGAINST_TWO.labels.players, "", 1)
    assert told.problems == (NameProblem("name-repeated", ("names", 1)),)
    assert told.labels.names == ("Rossi", "Rossi")
