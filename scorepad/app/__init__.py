"""The application, wired."""

from scorepad.app.config import Config
from scorepad.app.factory import create_app, open_data
from scorepad.app.health import STORAGE
from scorepad.app.keys import KeyUnusable, signing_key

__all__ = ["STORAGE", "Config", "KeyUnusable", "create_app", "open_data", "signing_key"]
