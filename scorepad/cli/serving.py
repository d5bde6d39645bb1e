"""What `scorepad serve` does: the pad, answering browsers."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scorepad.app import Config, KeyUnusable, create_app, signing_key
from scorepad.app.logs import tell_logs
from scorepad.cli.datafile import data_path, storage_stop
from scorepad.cli.drawing import drawn
from scorepad.cli.ending import DONE, Stop
from scorepad.cli.examining_around import exposed
from scorepad.cli.printing import say, shown, tell
from scorepad.i18n import Words, because, machine_word
from scorepad.storage import Storage
from scorepad.storage.errors import StorageError
from scorepad.web.home.link import start_link
from scorepad.web.hosts import EVERY_ADDRESS, announced_name, home_addresses, is_loopback, is_plain


@dataclass(frozen=True, slots=True)
class Door:
    """Where the pad listens, and how it stands there: as the options of the command are called.

    `origins`: what each of them was given by, to tell where a wrong value is.
    """

    host: str
    port: int
    allow_host: tuple[str, ...] = ()
    proxies: int = 0
    no_limits: bool = False
    no_open: bool = False
    log: str | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def listens(self) -> str:
        """The host as it is listened on: as it stands in an address, an IPv6 one has brackets."""
        return self.host[1:-1] if self.host.startswith("[") and self.host.endswith("]") else self.host

    def origin(self, name: str) -> str:
        """What a value was given by."""
        return self.origins.get(name, f"--{name.replace('_', '-')}")


def serve_pad(door: Door, data: str | None, speech: Words) -> int:
    """Answer browsers until it is stopped. Raises Stop."""
    path = data_path(data, speech)
    for name in door.allow_host:
        if not is_plain(name):
            setting = door.origin("allow_host")
            raise Stop(speech.text("cli.serve.no-name", setting=setting, given=shown(name[:40])))
    tell_logs(door.log)
    app = _app(path, door, speech)
    server = _listen(app, door, speech)
    _stop_on_signals(server)
    _warn(path, speech)
    try:
        for line in _told(door.listens, server, path, speech):
            say(line)
        if door.proxies and door.allow_host:
            say(speech.text("settings.public", address=f"https://{door.allow_host[0]}/"))
        link = _here(door, server) + start_link(app)
        say(speech.text("cli.home", address=link))
        if not door.no_open and _is_at_desktop():
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        server.run()
    finally:
        server.close()
    return DONE


def _warn(path: Path, speech: Words) -> None:
    """Tell what other users of the computer can read or change, and how to mend it."""
    for finding in exposed(path.resolve()):
        tell(speech.text("serve.warning", told=speech.text(f"doctor.{finding.code}", **finding.figures)))


def _app(path: Path, door: Door, speech: Words) -> Any:
    try:
        # First the file: beside one that is not ours no key is left.
        Storage(path).close()
        whole = path.resolve()
        key = signing_key(whole)
        config = Config(whole, key, door.allow_host, door.listens, door.proxies)
        return create_app(replace(config, limited=not door.no_limits))
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    except KeyUnusable as trouble:
        detail = machine_word(trouble.reason, trouble.detail, speech)
        raise Stop(speech.text("serve.key", file=shown(trouble.path), detail=detail)) from trouble


def _listen(app: Any, door: Door, speech: Words) -> Any:
    from scorepad.app.server import listen

    address, host = f"{_bracketed(door.listens)}:{door.port}", door.origin("host")
    try:
        return listen(app, door.listens, door.port, told=door.log is not None)
    except ValueError:
        detail = speech.text("machine.no-such-host")
        raise Stop(speech.text("cli.serve.no-host", address=address, detail=detail, setting=host)) from None
    except OSError as trouble:
        detail = because(trouble, speech)
        if trouble.errno == errno.EADDRNOTAVAIL:
            raise Stop(speech.text("cli.serve.no-host", address=address, detail=detail, setting=host)) from trouble
        port = door.origin("port")
        raise Stop(speech.text("cli.serve.port-taken", address=address, detail=detail, setting=port)) from trouble


def _stop_on_signals(server: Any) -> None:
    """Let Ctrl-C and `systemctl stop` end the server; a second signal ends the process at once."""

    def stop(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        server.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _told(host: str, server: Any, path: Path, speech: Words) -> Iterator[str]:
    """Where the pad is, first for this machine, then for the phones of the network with a code for their cameras."""
    port = server.effective_port
    addresses = [f"http://{_bracketed(name)}:{port}/" for name in _names(host)]
    yield speech.text("cli.serve.listening", address=addresses[0], data=shown(path))
    if is_loopback(host):
        return
    if host in EVERY_ADDRESS and not home_addresses():
        yield speech.text("cli.serve.no-network")
        return
    if host in EVERY_ADDRESS:
        yield speech.text("cli.serve.here", address=f"http://localhost:{port}/")
    yield speech.text("cli.serve.phones")
    yield from (f"  {address}" for address in addresses)
    picture = drawn(addresses[0])
    if picture:
        yield f"{picture}\n{speech.text('cli.serve.scan', address=addresses[0])}"


def _here(door: Door, server: Any) -> str:
    """The origin at which this machine opens the pad; with a proxy the public one."""
    if door.proxies and door.allow_host:
        return f"https://{door.allow_host[0]}"
    name = "localhost" if door.listens in EVERY_ADDRESS else _bracketed(door.listens)
    return f"http://{name}:{server.effective_port}"


def _is_at_desktop() -> bool:
    """Whether somebody sits at this machine, at a terminal of a graphical session."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()) or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or not {"DISPLAY", "WAYLAND_DISPLAY"}.isdisjoint(os.environ)


def _names(host: str) -> list[str]:
    """The names under which browsers find the pad: on all addresses, first the one that the home network uses."""
    if host not in EVERY_ADDRESS:
        return [host]
    announced = announced_name()
    return [*(home_addresses() or ["127.0.0.1"]), *([announced] if announced else [])]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
