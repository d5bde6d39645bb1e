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
    # A browser sends the id of a request with each form, so that a form sent twice counts once.
    request = RequestId("same")
    pad.actions.start(request, PHONE, TWO_AGAINST_TWO)

    with pytest.raises(RequestRefused):
        pad.actions.start(request, TABLET, TWO_AGAINST_TWO)


@pytest.mark.parametrize("request_id", ["", "x" * 201, "two words", "è", "nul\0"])
def test_invalid_request_id_is_refused(pad: Pad, request_id: str) -> None:
    with pytest.raises(RequestRefused):
        pad.actions.start(RequestId(request_id), PHONE, TWO_AGAINST_TWO)


def test_data_file_does_not_contain_the_id_of_a_device(start: Start, storage: Storage) -> None:
    # The id of a device is a secret in its cookie: whoever knows it can act as this device.
    device = DeviceId("k7Hn-the-cookie-of-a-telephone-9Qz")
    table = start(device=device)
    # In these tests an id of a request usually contains that of the device. In a browser it does not.
    table.request = lambda: RequestId(secrets.token_hex(8))

    # The device saves a hand, types into the form of the next one, and corrects the first.
    table.play(hand_of_430_and_60())
    table.keep({"a.red_threes": "1"})
    table.correct(1, hand_of_430_and_60(), "di nuovo")

    storage.close()
    assert device.encode() not in storage.path.read_bytes()


@dataclass(frozen=True)
class FormBeforeUpdate:
    """A form as a browser sent it before scorepad was updated."""

    title: str


@dataclass(frozen=True)
class FormAfterUpdate:
    """The same form with a field that the update added."""

    title: str
    club: str = ""


def submit(content: object) -> Submission:
    """Make a submission with this content, always of the same request and device."""
    return Submission.from_content(RequestId("r" * 22), DeviceId("d" * 32), content)


def test_form_sent_again_after_an_update_is_the_same_submission() -> None:
    # A form was sent, and the answer did not arrive. The browser sends it again, to a new version of
    # scorepad that knows one more field, `club`. The browser's form does not have it.
    sent_before = submit(FormBeforeUpdate(title="Finale"))
    assert submit(FormAfterUpdate(title="Finale")) == sent_before


def test_form_sent_again_with_a_new_field_filled_is_another_submission() -> None:
    # What comes the second time says more than the first: it must not be taken for the same.
    sent_before = submit(FormBeforeUpdate(title="Finale"))
    assert submit(FormAfterUpdate(title="Finale", club="Ruota")) != sent_before


def test_submission_of_unsupported_type_is_refused() -> None:
    # `submit` makes a submission with some content, which is written as JSON to be compared with
    # what is sent again. JSON cannot write a time of the day.
    five_past_nine = time(hour=21, minute=5)
    with pytest.raises(TypeError, match="time"):
        submit(five_past_nine)
