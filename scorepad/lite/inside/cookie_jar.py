"""The cookies of the one browser that a pad alone serves.

A service worker can neither read nor set the cookies of the browser, so the pad keeps them itself,
beside its data file.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from http.cookies import Morsel, SimpleCookie


@dataclass(frozen=True, slots=True)
class KeptCookie:
    """A cookie as a response has set it; `expires` are seconds since 1970, None: never."""

    name: str
    value: str
    path: str
    expires: float | None


class CookieJar:
    """Cookies by name and path, written and read as JSON."""

    def __init__(self, text: str = "[]") -> None:
        """Read the cookies that `to_json` has written."""
        self._cookies: dict[tuple[str, str], KeptCookie] = {}
        for values in json.loads(text):
            cookie = KeptCookie(**values)
            self._cookies[cookie.name, cookie.path] = cookie

    def to_json(self) -> str:
        """Return all cookies as JSON."""
        return json.dumps([asdict(cookie) for cookie in self._cookies.values()])

    def header_for(self, path: str) -> str:
        """Return the header `Cookie` of a request for this path; empty if no cookie is for it.

        As browsers do, cookies of longer paths come first.
        """
        now = time.time()
        sent = []
        for cookie in self._cookies.values():
            is_current = cookie.expires is None or cookie.expires > now
            if is_current and _is_below(path, cookie.path):
                sent.append(cookie)
        sent.sort(key=lambda cookie: len(cookie.path), reverse=True)
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in sent)

    def store(self, header: str) -> None:
        """Store the cookies of a header `Set-Cookie`; one that has expired is removed."""
        for morsel in SimpleCookie(header).values():
            path = morsel["path"] or "/"
            key = (morsel.key, path)
            expires = _find_expiry(morsel)
            if expires is not None and expires <= time.time():
                self._cookies.pop(key, None)
            else:
                # The value as it was sent: signed values must not change.
                self._cookies[key] = KeptCookie(morsel.key, morsel.coded_value, path, expires)


def _is_below(path: str, cookie_path: str) -> bool:
    """Tell whether a cookie for `cookie_path` is sent with a request for `path`.

    `/partite/k3v` is for `/partite/k3v` and `/partite/k3v/foglio`, but not for `/partite/k3vx`.
    """
    if path == cookie_path:
        return True
    folder = cookie_path if cookie_path.endswith("/") else f"{cookie_path}/"
    return path.startswith(folder)


def _find_expiry(morsel: Morsel[str]) -> float | None:
    """Find when a cookie expires, in seconds since 1970; None if the response does not say.

    Deleting a cookie sets `Max-Age=0`. The date in `Expires` says the same for old browsers.
    """
    max_age = morsel["max-age"]
    if max_age == "":
        return None
    return time.time() + int(max_age)
