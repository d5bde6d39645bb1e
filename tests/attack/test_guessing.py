"""A thief tries codes and keys, while others come into their matches with the right ones.

A match can be entered by the key in its link, or by a short code that a phone shows for ten minutes.
"""

import re
import time
from collections import Counter
from http import HTTPStatus
from pathlib import Path

import pytest

from scorepad.matches.keys import new_key
from tests.attack.served import Browser, Match, Served, serving

pytestmark = pytest.mark.long


def begin_match_with_code(served: Served) -> str:
    """Begin a match, and return the short code that a phone in it shows to others: "K7M 4PX"."""
    match = Match.begin(served)
    phone = Browser(served.port, "127.9.9.9")
    assert phone.follow(f"/e/{match.key}").status == HTTPStatus.OK
    page = phone.get(f"{match.page}/telefoni").text
    code = re.search(r"([A-Z3-9]{3} [A-Z3-9]{3})\s*</strong>", page)
    assert code, page
    return code[1]


def enter_by_code(browser: Browser, token: str, code: str) -> int:
    """Send the form with a code, and return the status of the answer."""
    return browser.submit("/entra", {"csrf_token": token, "code": code}).status


def try_forty_wrong_codes(served: Served, address: str) -> Counter[int]:
    """Try them from this address, and return how often each status was answered."""
    statuses: Counter[int] = Counter()
    thief = Browser(served.port, address)
    token = thief.token("/entra")
    for _ in range(40):
        # Without this cookie the thief seems to be a new phone.
        thief.cookies.pop("scorepad_device", None)
        statuses[enter_by_code(thief, token, "AAA AAA")] += 1
    return statuses


def test_guessed_codes_do_not_lock_out_other_phones(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open", "--host", "0.0.0.0") as served:
        code = begin_match_with_code(served)

        # From each of eleven addresses a thief tries forty wrong codes: 440 in all.
        statuses: Counter[int] = Counter()
        started_at = time.monotonic()
        for number in range(1, 12):
            statuses += try_forty_wrong_codes(served, f"127.0.1.{number}")
        seconds = time.monotonic() - started_at

        # A guest at another address mistypes their code once, and then comes in.
        guest = Browser(served.port, "127.0.2.1")
        token = guest.token("/entra")
        assert enter_by_code(guest, token, "CCC CCC") == HTTPStatus.NOT_FOUND
        assert enter_by_code(guest, token, code) == HTTPStatus.SEE_OTHER

    # A wrong code that the server has looked up is answered by 404, and one too many by 429.
    print(f"\n{dict(statuses)} in {seconds:.1f} s")
    assert set(statuses) <= {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}

    # All addresses share 300 tries, and each has two of its own. What was used up comes back little
    # by little within ten minutes, which are 600 seconds.
    tries = 300 + 2 * 11
    tries_that_came_back = tries * seconds / 600
    assert statuses[HTTPStatus.NOT_FOUND] <= tries + tries_that_came_back + 1


def test_guessed_keys_do_not_lock_out_the_right_key(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)

        # A thief tries 600 wrong keys from one address.
        statuses: Counter[int] = Counter()
        started_at = time.monotonic()
        for _ in range(600):
            statuses[served.get(f"/e/{new_key()}").status] += 1
        seconds = time.monotonic() - started_at

        # From the same address a browser and a program come in by the right key.
        assert Browser(served.port).follow(f"/e/{match.key}").status == HTTPStatus.OK
        assert served.ask("GET", "/api/v1/matches", key=match.key).status == HTTPStatus.OK

    # A wrong key is answered by 404, and one too many by 429. An address may try 480 in a minute.
    print(f"\n{dict(statuses)} in {seconds:.1f} s")
    assert set(statuses) <= {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}
    most_keys_tried = 480 + 480 / 60 * seconds + 1
    assert statuses[HTTPStatus.NOT_FOUND] <= most_keys_tried
