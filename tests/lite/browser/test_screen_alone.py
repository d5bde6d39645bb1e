"""The screen of a phone stays on while a match is open on a pad alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lite.browser.lone_pad import LonePad

pytestmark = pytest.mark.long

RECORD_LOCKS = """() => {
    window.locks = [];
    navigator.wakeLock.request = async kind => {
        const lock = { kind, released: false, release: async () => { lock.released = true; } };
        window.locks.push(lock);
        return lock;
    };
}"""
COME_BACK = """() => {
    for (const lock of window.locks) lock.released = true;
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""The browser has released the lock in the background, and the page is in front again."""


@pytest.fixture
def recorded_pad(used_pad: LonePad) -> Iterator[LonePad]:
    """Return a pad whose browser records the locks with which a page keeps the screen on."""
    used_pad.tab.evaluate(RECORD_LOCKS)
    yield used_pad
    used_pad.tab.evaluate("() => { delete navigator.wakeLock.request; }")


def held_locks(pad: LonePad) -> list[str]:
    """Return the kinds of the locks that the pad holds: "screen" keeps the screen on."""
    script = "window.locks.filter(lock => !lock.released).map(lock => lock.kind)"
    kinds: list[str] = pad.tab.evaluate(script)
    return kinds


def wait_for_shell(pad: LonePad, path: str) -> None:
    """Wait until the shell, the page around the frame of the pad, has noticed which page it has."""
    pad.tab.wait_for_url(lambda url: url.endswith(f"#/{path}"))


def test_screen_stays_on_while_a_match_is_open(recorded_pad: LonePad) -> None:
    # The home page lets the screen go off: it holds no lock on it.
    pad = recorded_pad
    assert held_locks(pad) == []

    # A page of a match keeps the screen on, because the phone lies beside the cards. The lock is held
    # by the shell, the page around the frame with the page of the match.
    match = pad.begin_match()
    hand = f"{match}/smazzata"
    pad.go(hand)
    wait_for_shell(pad, hand)
    assert held_locks(pad) == ["screen"]

    # The phone shows something else for a while. Meanwhile the browser releases the lock. When the
    # pad comes back, it asks for it again.
    pad.tab.evaluate(COME_BACK)
    assert held_locks(pad) == ["screen"]

    # At home the pad releases it.
    pad.go("")
    wait_for_shell(pad, "")
    assert held_locks(pad) == []

    # It does not ask for it when it comes back there.
    pad.tab.evaluate(COME_BACK)
    assert held_locks(pad) == []
