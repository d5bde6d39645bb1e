"""A submission that comes again counts once; with other content it is never taken for what came
first.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import time

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.transaction import RequestRefused, Submission
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Table, hand_of_430_and_60


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
    table.request = lambda: RequestId(secrets.token_hex(8))  # the usual ones name the device

    table.play(hand_of_430_and_60())
    table.keep({"a.red_threes": "1"})
    table.correct(1, hand_of_430_and_60(), "di nuovo")

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
    request = RequestId("r" * 22)
    device = DeviceId("d" * 32)
    before = Submission.from_content(request, device, TextsBefore("Finale"))

    new_text_empty = Submission.from_content(request, device, TextsAfter("Finale"))
    new_text_filled = Submission.from_content(request, device, TextsAfter("Finale", "Ruota"))

    assert new_text_empty == before
    assert new_text_filled != before


def test_a_value_of_a_type_that_has_no_digest_is_refused() -> None:
    with pytest.raises(TypeError, match="time"):
        Submission.from_content(RequestId("r" * 22), DeviceId("d" * 32), time(21, 5))
