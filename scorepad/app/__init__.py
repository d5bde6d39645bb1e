"""The application: factory, configuration, server and logs."""

from scorepad.app.factory import (
    LENGTH,
    STORAGE,
    Config,
    KeyUnusable,
    create_app,
    key_path,
    open_data,
    signing_key,
)

__all__ = [
    "LENGTH",
    "STORAGE",
    "Config",
    "KeyUnusable",
    "create_app",
    "key_path",
    "open_data",
    "signing_key",
]
