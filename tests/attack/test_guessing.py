"""Somebody who tries codes and keys from many addresses, while others enter with theirs."""

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from scorepad.matches.keys import new_key
from tests.attack.served import Browser, Match, Served, serving

pytestmark = pytest.mark.long
KEYS_TRIED = 600
KEYS_AT_ONCE = 480
"""Wrong keys that an address may try at once."""
KEYS_A_SECOND = 8
"""As many more may be tried as time passes."""
ADDRESSES = 11
CODES_AT_ONCE = 300 + 2 * ADDRESSES
"""Wrong codes that so many addresses may try at once."""
CODES_A_SECOND = CODES_AT_ONCE / 600


def code_shown_to_others(served: Served) -> str:
    """The code to write in a match, which a phone shows to others."""
    match, phone = Match.begin(served), Browser(served.port, "127.9.9.9")
    assert phone.follow(f"/e/{match.key}").status == 200
    page = phone.get(f"{match.page}/telefoni").text
    found = re.search(r"([A-Z3-9]{3}) ([A-Z3-9]{3})\s*</strong>", page)
    assert found, page
    return f"{found[1]} {found[2]}"


def enter_by_code(browser: Browser, token: str, code: str) -> int:
    """The status of the answer to a code."""
    return browser.submit("/entra", {"csrf_token": token, "code": code}).status


def test_codes_tried_from_eleven_addresses_shut_out_no_other_phone(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open", "--host", "0.0.0.0") as served:
        code = code_shown_to_others(served)
        tried: Counter[int] = Counter()
        began = time.monotonic()
        for number in range(ADDRESSES):
            thief = Browser(served.port, f"127.0.1.{number + 1}")
            token = thief.token("/entra")
            for _ in range(40):
                thief.cookies.pop("scorepad_device", None)  # from a phone that is not known
                tried[enter_by_code(thief, token, "AAA AAA")] += 1
        took = time.monotonic() - began
        guest = Browser(served.port, "127.0.2.1")
        token = guest.token("/entra")
        assert enter_by_code(guest, token, "CCC CCC") == 404
        assert enter_by_code(guest, token, code) == 303
    print(f"\n{dict(tried)} in {took:.1f} s")
    assert set(tried) <= {404, 429}
    assert tried[404] <= CODES_AT_ONCE + CODES_A_SECOND * took + 1, "whoever goes on is refused"


def test_keys_tried_shut_out_no_right_key_of_their_address(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)
        tried: Counter[int] = Counter()
        began = time.monotonic()
        for _ in range(KEYS_TRIED):
            tried[served.get(f"/e/{new_key()}").status] += 1
        took = time.monotonic() - began
        assert Browser(served.port).follow(f"/e/{match.key}").status == 200
        assert served.ask("GET", "/api/v1/matches", key=match.key).status == 200
    print(f"\n{dict(tried)} in {took:.1f} s")
    assert set(tried) <= {404, 429}
    assert tried[404] <= KEYS_AT_ONCE + KEYS_A_SECOND * took + 1, "whoever goes on is told so"
