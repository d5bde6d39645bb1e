"""A submission that comes again counts once; with other content it is never taken for what came
first.
"""

import secrets
from dataclasses import dataclass
from datetime import time

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import DeviceId, RequestId
from scorepad.matches.transaction import RequestRefused, Submission
from scorepad.storage import Storage
from tests.matches.conftest import PHONE, TABLET, TWO_AGAINST_TWO, Start, hand_of_430_and_60


def test_request_id_of_another_device_is_refused(pad: Pad) -> None:
    request = RequestId("same")
    pad.actions.start(request, PHONE, TWO_AGAINST_TWO)
    with pytest.raises(RequestRefused):
        pad.actions.start(request, TABLET, TWO_AGAINST_TWO)


@pytest.mark.parametrize("request_id", ["", "x" * 201, "two words", "è", "nul\0"])
def test_invalid_request_id_is_refused(pad: Pad, request_id: str) -> None:
    with pytest.raises(RequestRefused):
        pad.actions.start(RequestId(request_id), PHONE, TWO_AGAINST_TWO)


def test_data_file_does_not_contain_the_id_of_a_device(start: Start, storage: Storage) -> None:
    device = DeviceId("k7Hn-the-cookie-of-a-telephone-9Qz")
    table = start(device=device)
    # The usual request ids of a table contain the id of the device.
    table.request = lambda: RequestId(secrets.token_hex(8))

    table.play(hand_of_430_and_60())
    table.keep({"a.red_threes": "1"})
    table.correct(1, hand_of_430_and_60(), "di nuovo")

    storage.close()
    assert device.encode() not in storage.path.read_bytes()


@dataclass(frozen=True)
class FormBeforeUpdate:
    title: str


@dataclass(frozen=True)
class FormAfterUpdate:
    """The form with a field that an update added."""

    title: str
    club: str = ""


def submit(content: object) -> Submission:
    """A submission with this content, always of one request and device."""
    return Submission.from_content(RequestId("r" * 22), DeviceId("d" * 32), content)


def test_form_sent_again_after_an_update_is_the_same_submission() -> None:
    sent_before = submit(FormBeforeUpdate(title="Finale"))
    assert submit(FormAfterUpdate(title="Finale")) == sent_before


def test_form_sent_again_with_a_new_field_filled_is_another_submission() -> None:
    sent_before = submit(FormBeforeUpdate(title="Finale"))
    assert submit(FormAfterUpdate(title="Finale", club="Ruota")) != sent_before


def test_submission_of_unsupported_type_is_refused() -> None:
    with pytest.raises(TypeError, match="time"):
        submit(time(hour=21, minute=5))
