"""The device that asks: a browser, known by a random cookie that it keeps."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin

if TYPE_CHECKING:
    from scorepad.pad.values import DeviceId

DEVICE_COOKIE = "scorepad_device"
KEPT_FOR = 400 * 24 * 60 * 60
"""Seconds; browsers keep no cookie longer."""

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")


class LastingSessions(SecureCookieSessionInterface):
    """Sessions that outlast the browser: a page left open on the table can still be sent the next day."""

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:  # noqa: ARG002 - Flask's own
        """When the cookie of a session ends."""
        return datetime.now(UTC) + timedelta(seconds=KEPT_FOR)


def current_device() -> DeviceId:
    """The device of this request, by its cookie; one without a cookie gets a new random name."""
    if "device" not in g:
        carried = request.cookies.get(DEVICE_COOKIE, "")
        g.device = carried if _NAME.fullmatch(carried) else secrets.token_urlsafe(24)
    device: DeviceId = g.device
    return device


def keep_device(response: Response) -> Response:
    """Let the browser keep the name that it was asked under, a little longer with each page of its own."""
    if "device" in g and response.mimetype == "text/html":
        response.set_cookie(
            DEVICE_COOKIE, g.device, max_age=KEPT_FOR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response
