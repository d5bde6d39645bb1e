"""Somebody who tries codes and keys from many addresses, while others enter with theirs."""

import re
import time
from collections import Counter
from http import HTTPStatus
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
ADDRESSES_OF_THIEVES = 11
CODES_AT_ONCE = 300 + 2 * ADDRESSES_OF_THIEVES
"""Wrong codes that so many addresses may try at once."""
CODES_A_SECOND = CODES_AT_ONCE / 600


def begin_match_with_code(served: Served) -> str:
    """The code to write in a match, which a phone shows to others."""
    match = Match.begin(served)
    phone = Browser(served.port, "127.9.9.9")
    assert phone.follow(f"/e/{match.key}").status == HTTPStatus.OK
    page = phone.get(f"{match.page}/telefoni").text
    code = re.search(r"([A-Z3-9]{3} [A-Z3-9]{3})\s*</strong>", page)
    assert code, page
    return code[1]


def enter_by_code(browser: Browser, token: str, code: str) -> int:
    """The status of the answer to a code."""
    return browser.submit("/entra", {"csrf_token": token, "code": code}).status


def test_guessed_codes_do_not_lock_out_other_phones(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open", "--host", "0.0.0.0") as served:
        code = begin_match_with_code(served)
        statuses: Counter[int] = Counter()
        started_at = time.monotonic()
        for number in range(ADDRESSES_OF_THIEVES):
            thief = Browser(served.port, f"127.0.1.{number + 1}")
            token = thief.token("/entra")
            for _ in range(40):
                thief.cookies.pop("scorepad_device", None)  # from a phone that is not known
                statuses[enter_by_code(thief, token, "AAA AAA")] += 1
        seconds = time.monotonic() - started_at
        guest = Browser(served.port, "127.0.2.1")
        token = guest.token("/entra")
        assert enter_by_code(guest, token, "CCC CCC") == HTTPStatus.NOT_FOUND
        assert enter_by_code(guest, token, code) == HTTPStatus.SEE_OTHER
    print(f"\n{dict(statuses)} in {seconds:.1f} s")
    assert set(statuses) <= {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}
    most_codes_tried = CODES_AT_ONCE + CODES_A_SECOND * seconds + 1
    assert statuses[HTTPStatus.NOT_FOUND] <= most_codes_tried


def test_guessed_keys_do_not_lock_out_the_right_key(tmp_path: Path) -> None:
    with serving(tmp_path / "x.db", "--no-open") as served:
        match = Match.begin(served)
        statuses: Counter[int] = Counter()
        started_at = time.monotonic()
        for _ in range(KEYS_TRIED):
            statuses[served.get(f"/e/{new_key()}").status] += 1
        seconds = time.monotonic() - started_at
        assert Browser(served.port).follow(f"/e/{match.key}").status == HTTPStatus.OK
        assert served.ask("GET", "/api/v1/matches", key=match.key).status == HTTPStatus.OK
    print(f"\n{dict(statuses)} in {seconds:.1f} s")
    assert set(statuses) <= {HTTPStatus.NOT_FOUND, HTTPStatus.TOO_MANY_REQUESTS}
    most_keys_tried = KEYS_AT_ONCE + KEYS_A_SECOND * seconds + 1
    assert statuses[HTTPStatus.NOT_FOUND] <= most_keys_tried
