"""The application, wired."""

from scorepad.app.config import Config
from scorepad.app.factory import STORAGE, create_app
from scorepad.app.keys import KeyUnusable, signing_key

__all__ = ["STORAGE", "Config", "KeyUnusable", "create_app", "signing_key"]
