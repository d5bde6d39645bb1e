"""Device cookies as the server signs them, for tests that choose the device or read which one a
browser is.
"""

from itsdangerous import URLSafeTimedSerializer

from scorepad.matches.access import DeviceId
from scorepad.web.cookies import DEVICE_COOKIE
from scorepad.web.device_cookies import DeviceToken

KEY = b"k" * 32
"""What the applications of the tests sign with."""


def device_cookie(name: str, key: bytes = KEY) -> str:
    """The value of the cookie of this device."""
    return URLSafeTimedSerializer(key, salt=DEVICE_COOKIE).dumps(DeviceToken(name))


def admin_cookie(key: bytes = KEY) -> str:
    """The value of the cookie that gives a browser every match."""
    return URLSafeTimedSerializer(key, salt="scorepad_admin").dumps("")


def device_in(value: str) -> DeviceId:
    """The device in the value of a cookie, whichever key signed it."""
    return DeviceId(URLSafeTimedSerializer("").loads_unsafe(value)[1][0])
