"""WebKitGTK, driven by its WebDriver: the engine of Safari, as far as Debian has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

PORT = 4455
STEP = 0.5
"""Seconds between two looks at a page."""
LONGEST_WAIT = 120.0
"""Seconds that a start or a page may take."""


class WebKit:
    """A browser with a new profile. Its programs are skipped over if Debian's packages are missing."""

    def __init__(self, home: Path) -> None:
        for program in ("WebKitWebDriver", "xvfb-run"):
            if shutil.which(program) is None:
                pytest.skip(f"{program} is missing: packages webkit2gtk-driver and xvfb")
        command = ["xvfb-run", "--auto-servernum", "WebKitWebDriver", f"--port={PORT}"]
        self._driver = subprocess.Popen(
            command, env={**os.environ, "HOME": str(home)}, start_new_session=True
        )
        self._session = self._begin_session()

    def close(self) -> None:
        """Close the browser and its driver."""
        self._send("DELETE", "")
        os.killpg(self._driver.pid, 15)
        self._driver.wait()

    def open(self, url: str) -> None:
        """Open a page in place of the one that is shown."""
        self._send("POST", "/url", {"url": "about:blank"})
        self._send("POST", "/url", {"url": url})

    def run(self, script: str) -> Any:
        """Run the body of a function in the page, and return what it returns."""
        return self._send("POST", "/execute/sync", {"script": script, "args": []})

    def wait_for(self, condition: str) -> Any:
        """Wait until an expression in the page is true, and return its value."""
        end = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < end:
            value = self.run(f"return {condition}")
            if value:
                return value
            time.sleep(STEP)
        raise AssertionError(f"never true: {condition}")

    def _begin_session(self) -> str:
        """Begin a session once the driver listens, and return the path of its commands."""
        browser = {"args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": browser}}}
        end = time.monotonic() + LONGEST_WAIT
        while True:
            try:
                session = _request("POST", "/session", wanted)
                return f"/session/{session['sessionId']}"
            except URLError:
                if time.monotonic() > end:
                    raise
                time.sleep(STEP)

    def _send(self, method: str, path: str, body: Any = None) -> Any:
        return _request(method, self._session + path, body)


def _request(method: str, path: str, body: Any = None) -> Any:
    """Send a command to the driver, and return the value of its answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = Request(f"http://127.0.0.1:{PORT}{path}", data, headers, method=method)
    with urlopen(request, timeout=LONGEST_WAIT) as answer:
        return json.load(answer)["value"]
