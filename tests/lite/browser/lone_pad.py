"""A pad alone in a browser, as somebody with a phone uses it."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from playwright.sync_api import BrowserContext, Frame, Locator, Page, Playwright, Worker, expect

from tests import fonts
from tests.browser import hands
from tests.conftest import CHROMIUM, CHROMIUM_FLAGS
from tests.lite.browser.site_server import SiteServer

START = 120_000
"""Milliseconds that a start may take on a busy machine."""
ANSWER = 30_000
"""Milliseconds that the next page may take."""
FIGURES = {
    "a-canastas-natural-canasta": "1",
    "a-cards": "215",
    "a-left": "0",
    "b-cards": "90",
    "b-left": "35",
}
"""A hand that nobody went out of: 500 + 215, and 90 − 35."""
A_SCORES, B_SCORES = 715, 55
"""What a hand with these figures is worth."""


class LonePad:
    """A browser whose profile is a folder: closed and opened again it has what it stored."""

    def __init__(self, playwright: Playwright, profile: Path, server: SiteServer) -> None:
        self.address = server.address
        self.requests: list[str] = []
        """The URLs that the browser has asked for, also those that its storage answered."""
        self._playwright = playwright
        self._profile = profile
        self._host_rule = f"MAP {server.host} 127.0.0.1:{server.port}"
        self.open()

    def open(self) -> None:
        """Open the browser, with an empty page."""
        self.browser: BrowserContext = self._playwright.chromium.launch_persistent_context(
            self._profile,
            executable_path=CHROMIUM,
            args=[*CHROMIUM_FLAGS, f"--host-resolver-rules={self._host_rule}"],
            env={**os.environ, "FONTCONFIG_FILE": str(fonts.PHONE)},
            viewport={"width": 390, "height": 844},
            has_touch=True,
            is_mobile=True,
            locale="it-IT",
            accept_downloads=True,
        )
        self.browser.set_default_timeout(ANSWER)
        self.browser.on("request", lambda request: self.requests.append(request.url))
        self.tab = self.browser.pages[0]

    def close(self) -> None:
        """Close the browser. What it stored stays."""
        with suppress(Exception):  # one whose processes were killed
            self.browser.close()

    # ------------------------------------------------------------ the shell

    def start(self, path: str = "") -> None:
        """Open the site, and wait for its first page; `path` is that of a page: `partite/k3v`."""
        self.visit(path)
        self.wait_for_start()

    def visit(self, path: str = "") -> None:
        """Open the site."""
        self.tab.goto("about:blank")  # the shell stays where only the part after # differs
        self.tab.goto(f"{self.address}#/{path}" if path else self.address)

    def wait_for_start(self, tab: Page | None = None) -> None:
        """Wait until the application has answered."""
        tab = tab or self.tab
        tab.locator("#application:not(.stale)").wait_for(timeout=START)

    @contextmanager
    def loads_again(self) -> Generator[None]:
        """Expect that the block lets the tab load the shell anew.

        Not `expect_navigation`: the shell writes the path of each page into its own address, which
        Playwright takes for a navigation, and which may happen after the page is shown.
        """
        with self.tab.expect_event("load"):
            yield

    def start_in_new_tab(self) -> None:
        """Open the site in a tab of its own, and forget the tab before, which may have crashed."""
        before = self.tab
        self.tab = self.browser.new_page()
        before.close()
        self.start()

    @property
    def frame(self) -> Frame:
        """The frame with the page of the application."""
        frame = self.tab.locator("#application").element_handle().content_frame()
        assert frame is not None
        return frame

    @property
    def path(self) -> str:
        """The path of the page below the application: `partite/k3v`."""
        return self.frame.url.removeprefix(f"{self.address}app/")

    @property
    def start_text(self) -> Locator:
        """What the shell says in place of a page."""
        return self.tab.locator("#start-text")

    @property
    def start_action(self) -> Locator:
        """The button below it."""
        return self.tab.locator("#start-action")

    @property
    def version(self) -> str:
        """The version of the site that is in use."""
        text = self.tab.locator("#site").text_content()
        assert text is not None
        version: str = json.loads(text)["version"]
        return version

    @property
    def worker(self) -> Worker:
        """The worker in which Python runs."""
        (worker,) = self.tab.workers
        return worker

    # ------------------------------------------------------------ the pages

    def go(self, path: str) -> None:
        """Open a page of the application."""
        with self.frame.expect_navigation(timeout=START):  # a worker may have to start before
            self.frame.evaluate("url => { location.href = url; }", f"{self.address}app/{path}")

    def wait_for_address(self) -> None:
        """Wait until the shell has the path of the page in its own address.

        It does so once all of the page is loaded, which is later than the page is shown.
        """
        fragment = re.escape(f"#/{self.path}")
        expect(self.tab).to_have_url(re.compile(f"{fragment}$"))

    def tap_link(self, name: str) -> None:
        """Follow a link of the page."""
        with self.frame.expect_navigation():
            self.frame.get_by_role("link", name=name).first.tap()

    def type_text(self, name: str, text: str) -> None:
        """Type a text into a field, which may stand in something folded."""
        self.frame.locator(f"[name={name}]").evaluate(
            "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }",
            text,
        )

    def begin_match(self) -> str:
        """Begin a match, and return its path."""
        self.go("")
        hands.new_match(self.frame)
        return self.path

    def type_hand(self) -> None:
        """Type `FIGURES` as the coming hand of the match that is shown."""
        hands.open_hand(self.frame)
        hands.fill_figures(self.frame, FIGURES)

    def save_hand(self) -> None:
        """Save the hand that is typed, and wait for the page of the match."""
        self.tap_save()
        self.frame.locator(".head .total").first.wait_for()
        self.wait_for_address()

    def tap_save(self) -> None:
        """Save the hand that is typed, and do not wait."""
        self.frame.get_by_role("button", name="Salva la smazzata").tap()

    def play_hand(self) -> None:
        """Enter and save a hand of the match that is shown."""
        self.type_hand()
        self.save_hand()

    def expect_hands(self, number: int) -> None:
        """Check the totals of the match that is shown: those after so many hands with `FIGURES`."""
        totals = [hands.figure(number * A_SCORES), hands.figure(number * B_SCORES)]
        expect(self.frame.locator(".head .total")).to_have_text(totals)

    # ------------------------------------------------------------ accidents

    def kill_renderers(self) -> None:
        """Kill the processes in which the browser shows pages and runs scripts."""
        for process in self._list_processes():
            if "--type=renderer" in process.cmdline():
                os.kill(process.pid, signal.SIGKILL)

    def _list_processes(self) -> Sequence[psutil.Process]:
        """All processes of this browser: those below the one that has its profile."""
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                command = process.cmdline()
                if f"--user-data-dir={self._profile}" in command and not has_type(command):
                    return process.children(recursive=True)
        raise AssertionError("the browser does not run")


def has_type(command: Sequence[str]) -> bool:
    """Whether a process of Chromium is not the browser itself, but one that it has started."""
    return any(argument.startswith("--type=") for argument in command)
