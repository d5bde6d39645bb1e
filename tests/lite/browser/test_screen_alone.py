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
STOP_RECORDING = "() => { delete navigator.wakeLock.request; }"
HELD_LOCKS = "window.locks.filter(lock => !lock.released).map(lock => lock.kind)"
COME_BACK = """() => {
    for (const lock of window.locks) lock.released = true;
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""The browser has released the lock in the background, and the page is in front again."""


@pytest.fixture
def recorded_pad(used_pad: LonePad) -> Iterator[LonePad]:
    """A pad whose browser records which locks of the screen it gives."""
    used_pad.tab.evaluate(RECORD_LOCKS)
    yield used_pad
    used_pad.tab.evaluate(STOP_RECORDING)


def held_locks(pad: LonePad) -> list[str]:
    """The kinds of the locks that the pad holds."""
    kinds: list[str] = pad.tab.evaluate(HELD_LOCKS)
    return kinds


def wait_for_shell(pad: LonePad, path: str) -> None:
    """Wait until the shell has noticed which page is shown."""
    pad.tab.wait_for_url(lambda url: url.endswith(f"#/{path}"))


def test_the_screen_stays_on_while_a_match_is_open(recorded_pad: LonePad) -> None:
    assert held_locks(recorded_pad) == []
    match = recorded_pad.begin_match()
    hand = f"{match}/smazzata"
    recorded_pad.go(hand)
    wait_for_shell(recorded_pad, hand)
    assert held_locks(recorded_pad) == ["screen"]
    recorded_pad.tab.evaluate(COME_BACK)
    assert held_locks(recorded_pad) == ["screen"]

    recorded_pad.go("")
    wait_for_shell(recorded_pad, "")
    assert held_locks(recorded_pad) == []
    recorded_pad.tab.evaluate(COME_BACK)
    assert held_locks(recorded_pad) == []
