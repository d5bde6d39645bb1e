"""What `scorepad serve` does: the pad, answering browsers."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

from scorepad.app import Config, KeyUnusable, create_app, signing_key
from scorepad.cli.datafile import data_path, storage_stop
from scorepad.cli.ending import DONE, Stop
from scorepad.cli.printing import say, shown
from scorepad.i18n import Words, because, machine_word
from scorepad.storage import Storage
from scorepad.storage.errors import StorageError
from scorepad.web.hosts import home_address

_EVERY_ADDRESS = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared


def serve_pad(host: str, port: int, data: str | None, speech: Words) -> int:
    """Answer browsers until it is stopped. Raises Stop."""
    path = data_path(data, speech)
    # As it stands in an address, an IPv6 host has brackets; as it is listened on, none.
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    server = _listen(_app(path, speech), host, port, speech)
    try:
        say(speech.text("cli.serve.listening", address=_address(host, server), data=shown(path)))
        server.run()
    finally:
        server.close()
    return DONE


def _app(path: Path, speech: Words) -> Any:
    try:
        # First the file: beside one that is not ours no key is left.
        Storage(path).close()
        return create_app(Config(path.resolve(), signing_key(path.resolve())))
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    except KeyUnusable as trouble:
        detail = machine_word(trouble.reason, trouble.detail, speech)
        raise Stop(speech.text("serve.key", file=shown(trouble.path), detail=detail)) from trouble


def _listen(app: Any, host: str, port: int, speech: Words) -> Any:
    from scorepad.app.server import listen

    address = f"{_bracketed(host)}:{port}"
    try:
        return listen(app, host, port)
    except ValueError:
        detail = speech.text("machine.no-such-host")
        raise Stop(speech.text("cli.serve.no-host", address=address, detail=detail)) from None
    except OSError as trouble:
        key = "cli.serve.no-host" if trouble.errno == errno.EADDRNOTAVAIL else "cli.serve.port-taken"
        raise Stop(speech.text(key, address=address, detail=because(trouble, speech))) from trouble


def _address(host: str, server: Any) -> str:
    """The address to type into a browser: on all addresses, the one that the home network uses."""
    port = server.effective_port if hasattr(server, "effective_port") else server.effective_listen[0][1]
    name = (home_address() or "127.0.0.1") if host in _EVERY_ADDRESS else host
    return f"http://{_bracketed(name)}:{port}/"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
