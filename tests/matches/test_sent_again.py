"""A submission that comes again counts once; with other content it is never taken for what came
first.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import time

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.transaction import RequestRefused, Submission
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table, usual


def test_a_request_that_another_device_overheard_is_refused(pad: Pad) -> None:
    request = RequestId("same")
    pad.actions.start(request, PHONE, TWO_AGAINST_TWO)
    with pytest.raises(RequestRefused):
        pad.actions.start(request, TABLET, TWO_AGAINST_TWO)


@pytest.mark.parametrize("request_id", ["", "x" * 201, "two words", "è", "nul\0"])
def test_a_request_without_a_proper_name_is_refused(pad: Pad, request_id: str) -> None:
    with pytest.raises(RequestRefused):
        pad.actions.start(RequestId(request_id), PHONE, TWO_AGAINST_TWO)


def test_the_id_that_a_device_carries_never_comes_to_the_file(
    start: Callable[..., Table], storage: Storage
) -> None:
    device = DeviceId("k7Hn-the-cookie-of-a-telephone-9Qz")
    table = start(device=device)
    table.request = lambda: RequestId(secrets.token_hex(8))
    table.play(usual())
    table.keep({"a.red_threes": "1"})
    table.correct(1, usual(), "di nuovo")
    assert table.totals == [430, 60]
    assert table.pad.summaries(device).in_progress[0].id == table.match
    storage.close()
    assert device.encode() not in storage.path.read_bytes()


@dataclass(frozen=True)
class TextsBefore:
    """The texts of a form, before an update."""

    title: str


@dataclass(frozen=True)
class TextsAfter:
    """The same after the update, with a new text."""

    title: str
    club: str = ""


def test_a_form_that_waited_through_an_update_with_a_new_text_is_the_same_submission() -> None:
    request, device = RequestId("r" * 22), DeviceId("d" * 32)
    before = Submission.from_content(request, device, TextsBefore("Finale"))
    assert Submission.from_content(request, device, TextsAfter("Finale")) == before
    assert Submission.from_content(request, device, TextsAfter("Finale", "Ruota")) != before


def test_what_has_no_digest_of_its_own_is_refused() -> None:
    with pytest.raises(TypeError, match="time"):
        Submission.from_content(RequestId("r" * 22), DeviceId("d" * 32), time(21, 5))
