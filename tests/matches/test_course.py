"""What no page shows: totals that only programs send, and what a deleted match leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.names import NamesRefused
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TWO_AGAINST_TWO, Table, usual

ALMOST_OVER = replace(TWO_AGAINST_TWO, options={"target": 500}, carried=(100, 0))
"""A match that the usual hand ends."""


@pytest.mark.parametrize(
    ("carried", "codes"),
    [((10_000_000, 0), ["carried-too-large", "carried-over"]), ((100,), ["carried-number"])],
)
def test_totals_that_only_a_program_can_send_are_refused(
    pad: Pad, carried: tuple[int, ...], codes: list[str]
) -> None:
    new = replace(TWO_AGAINST_TWO, carried=carried)
    answer = pad.actions.start(RequestId("s"), PHONE, new)
    assert isinstance(answer, NamesRefused)
    assert [problem.code for problem in answer.problems] == codes


def test_a_deleted_match_leaves_not_even_its_name_with_its_rematch(
    pad: Pad, storage: Storage, start: Callable[..., Table]
) -> None:
    over = start(ALMOST_OVER)
    over.play(usual())
    begun = over.rematch()
    pad.actions.delete(over.match, PHONE)
    assert str(over.match).encode() not in storage.path.read_bytes()
    assert pad.state(begun.match, PHONE).rematch is None
