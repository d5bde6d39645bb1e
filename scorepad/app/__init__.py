"""The application: its factory, configuration, logs and server."""

from scorepad.app.config import Config, KeyUnusable, signing_key
from scorepad.app.factory import create_app, open_data
from scorepad.app.views import STORAGE

__all__ = ["STORAGE", "Config", "KeyUnusable", "create_app", "open_data", "signing_key"]
