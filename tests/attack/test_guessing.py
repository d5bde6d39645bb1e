"""Somebody who tries codes and keys from many addresses, while others enter with theirs."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from scorepad.matches.keys import new_key
from tests.attack.served import Match, Phone, Served, serving

pytestmark = pytest.mark.long
TRIES = 600
KEYS_AT_ONCE = 480
"""Wrong keys that an address may try at once."""
KEYS_A_SECOND = 8
"""As many more may be tried as time passes."""
ADDRESSES = 11
CODES_AT_ONCE = 300 + 2 * ADDRESSES
"""Wrong codes that so many addresses may try at once."""
CODES_A_SECOND = CODES_AT_ONCE / 600


def short_code(served: Served) -> str:
    """The code to write in a match, which a phone shows to others."""
    match, phone = Match.begin(served), Phone(served, "127.9.9.9")
    assert phone.enter(f"/e/{match.key}") == 200
    _, page = phone.ask("GET", f"/partite/{match.id}/telefoni")
    found = re.search(r"([A-Z3-9]{3}) ([A-Z3-9]{3})\s*</strong>", page)
    assert found, page
    return f"{found[1]} {found[2]}"


def test_codes_tried_from_eleven_addresses_shut_out_no_other_phone(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open", "--host", "0.0.0.0") as served:
        code = short_code(served)
        tried: Counter[int] = Counter()
        began = time.monotonic()
        for number in range(ADDRESSES):
            thief = Phone(served, f"127.0.1.{number + 1}")
            token = thief.token()
            for _ in range(40):
                thief.cookies.pop(
                    "scorepad_device", None
                )  # each try from a phone that is not known
                status, _ = thief.ask("POST", "/entra", {"csrf_token": token, "code": "AAA AAA"})
                tried[status] += 1
        took = time.monotonic() - began
        guest = Phone(served, "127.0.2.1")
        token = guest.token()
        mistyped, _ = guest.ask("POST", "/entra", {"csrf_token": token, "code": "CCC CCC"})
        right, _ = guest.ask("POST", "/entra", {"csrf_token": token, "code": code})
    print(
        f"\n{dict(tried)} in {took:.1f} s; a phone of another address: mistyped {mistyped}, right {right}"
    )
    assert (mistyped, right) == (404, 303)
    assert set(tried) <= {404, 429}
    assert tried[404] <= CODES_AT_ONCE + CODES_A_SECOND * took + 1, "whoever goes on is refused"


def test_keys_tried_shut_out_no_right_key_of_their_address(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)
        thief = Phone(served, "127.0.0.1")
        tried: Counter[int] = Counter()
        began = time.monotonic()
        for _ in range(TRIES):
            status, _ = thief.ask("GET", f"/e/{new_key()}")
            thief.cookies.clear()
            tried[status] += 1
        took = time.monotonic() - began
        by_link = Phone(served, "127.0.0.1").enter(f"/e/{match.key}")
        by_program = served.ask("GET", "/api/v1/matches", key=match.key).status
    print(
        f"\n{dict(tried)} in {took:.1f} s; the right key from there: link {by_link}, program {by_program}"
    )
    assert (by_link, by_program) == (200, 200)
    assert set(tried) <= {404, 429}
    assert tried[404] <= KEYS_AT_ONCE + KEYS_A_SECOND * took + 1, "whoever goes on is told so"
