"""`scorepad serve`: the web server."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from scorepad.cli.addresses import DEFAULT_HOST, DEFAULT_PORT, bracketed, server_address_lines
from scorepad.cli.data_file import default_data, warn_exposed
from scorepad.cli.options import FILE, command, data, setting, setting_origin
from scorepad.cli.output import (
    DONE,
    LONGEST,
    Stop,
    chosen_words,
    printable_name,
    t,
    write_error_line,
    write_line,
)
from scorepad.cli.settings_file import default_settings, load_settings
from scorepad.i18n import describe_os_error, describe_system_error
from scorepad.i18n.variant_errors import describe_variant_errors
from scorepad.rules.variants import own_variants
from scorepad.storage import Storage
from scorepad.storage.doctor import is_entered_by_phone
from scorepad.web.host_names import EVERY_ADDRESS, is_host_name

_ALWAYS_GRAPHICAL = frozenset({"darwin", "win32"})
"""Systems, by their name in Python, on which each terminal belongs to a graphical session."""


class ServeOptions(NamedTuple):
    """The options of `scorepad serve`, from the command line, the environment or the file."""

    host: str
    port: int
    allow_host: tuple[str, ...]
    proxies: int
    no_limits: bool
    no_open: bool
    log: str | None
    data: Path | None

    @property
    def address(self) -> str:
        """Return the host to listen on as sockets want it: `[::1]` → `::1`.

        Any other host stays as it is.
        """
        if self.host.startswith("[") and self.host.endswith("]"):
            return self.host[1:-1]
        return self.host

    @property
    def is_public(self) -> bool:
        """Tell whether the server is reached by https under a public name, through a proxy."""
        return self.proxies > 0 and bool(self.allow_host)


@command
@setting("host", default=DEFAULT_HOST, metavar="H", help="cli.serve.host")
@setting(
    "port", default=DEFAULT_PORT, metavar="P", type=click.IntRange(0, 65535), help="cli.serve.port"
)
@setting("allow-host", multiple=True, metavar="NAME", help="cli.serve.allow-host")
@setting("proxies", default=0, type=click.IntRange(0, 9), metavar="N", help="settings.proxies")
@setting("no-limits", is_flag=True, help="settings.no-limits")
@setting("no-open", is_flag=True, help="cli.serve.no-open")
@setting("log", type=click.Choice(["plain", "json"]), help="settings.log")
@data
@setting(
    "config", type=FILE, default=default_settings, is_eager=True, expose_value=False, callback=load_settings,
    help="settings.config",
)  # fmt: skip
def serve_command(**options: Any) -> int:
    """Run `scorepad serve`: report errors in the user's own variants, then serve requests."""
    for error in own_variants().broken:
        for text in describe_variant_errors(error, chosen_words()):
            write_error_line(text)
    return run_server(ServeOptions(**options))


def run_server(options: ServeOptions) -> int:
    """Start the web server, print its addresses, and serve requests until a signal stops it.

    Raises Stop if the server cannot start.
    """
    # Nothing made while the program starts is garbage: looking for it takes a fifth of the time.
    gc.disable()
    path = options.data or default_data()
    running = _start_server(options, path)
    warn_exposed(path.resolve())
    try:
        _show_addresses(running, options, path)
        gc.freeze()  # what exists now stays, and need not be looked at again
        gc.enable()
        running.server.run()
    finally:
        running.server.close()
    return DONE


class _RunningServer(NamedTuple):
    """The web server, and the Flask application whose pages it serves."""

    server: Any
    app: Any


def _start_server(options: ServeOptions, path: Path) -> _RunningServer:
    """Start to listen for requests, which are served once the server runs.

    `path` is that of the data file. Raises Stop if the server cannot start.
    """
    # Flask is imported here because help and option errors do not need it.
    from scorepad.app.request_log import configure_logs
    from scorepad.web.phones.views import SERVER

    _require_host_names(options.allow_host)
    configure_logs(options.log)
    app = _create_app(path, options)
    server = _listen(app, options)
    app.extensions[SERVER] = server  # a page can open it to the home network
    _stop_on_signals(server)
    return _RunningServer(server, app)


def _show_addresses(running: _RunningServer, options: ServeOptions, path: Path) -> None:
    """Print the addresses of the server and its admin link, and open that in the browser.

    The admin link gives one browser access to all matches.
    """
    from scorepad.web.home.views import make_start_link  # Flask is not imported for the help

    port = running.server.effective_port
    _print_addresses(options, port, path)
    admin_link = _own_origin(options, port) + make_start_link(running.app)
    write_line(t("cli.admin", address=admin_link))
    if not options.no_open and _is_at_desktop():
        _open_in_browser(admin_link)


def _print_addresses(options: ServeOptions, port: int, path: Path) -> None:
    """Print the addresses of the server, with the public one if it is behind a proxy."""
    for line in server_address_lines(options.address, port, path):
        write_line(line)
    if options.is_public:
        public_origin = _own_origin(options, port)
        write_line(t("settings.public", address=f"{public_origin}/"))


def _open_in_browser(link: str) -> None:
    """Open a link in the browser of this computer, without waiting until it has started."""
    thread = threading.Thread(target=webbrowser.open, args=(link,), daemon=True)
    thread.start()


def _require_host_names(names: Sequence[str]) -> None:
    """Raise Stop if a value of `--allow-host` is not a host name.

    `pad.example.org` is one, `https://pad.example.org` is not.
    """
    for name in names:
        if not is_host_name(name):
            setting_to_change = setting_origin("allow_host")
            given = printable_name(name[:LONGEST])
            raise Stop("cli.serve.no-name", setting=setting_to_change, given=given)


def _create_app(path: Path, options: ServeOptions) -> Any:
    """Create the Flask application for a data file, with the options of the command line.

    Raises Stop and StorageError.
    """
    from scorepad.app import Config, create_app

    # The file is opened first, so that no key is created beside a file that is not scorepad's.
    Storage(path).close()
    real_path = path.resolve()
    config = Config(
        data=real_path,
        key=_read_or_make_key(real_path),
        allowed_hosts=options.allow_host,
        listens=options.address,
        proxies=options.proxies,
        limited=not options.no_limits,
    )
    return create_app(config)


def _read_or_make_key(path: Path) -> bytes:
    """Read the key that signs the cookies for a data file; make one if there is none yet.

    Raises Stop if the key cannot be used.
    """
    from scorepad.app import KeyUnusable, key_path, signing_key

    key_file = key_path(path)
    was_missing = not key_file.exists()
    try:
        key = signing_key(path)
    except KeyUnusable as error:
        # It says: "The key … cannot be used: …. It signs the cookies. Put it back if you can; …"
        detail = describe_system_error(error.reason, error.detail, chosen_words())
        raise Stop("serve.key", file=printable_name(error.path), detail=detail) from error
    if was_missing and is_entered_by_phone(path):
        # The cookies of these phones were signed with another key, which is lost. It says: "the key
        # … was missing, and another one was made. A phone enters again by itself when …"
        text = t("serve.key-lost", file=printable_name(key_file))
        write_error_line(t("serve.warning", text=text))
    return key


def _listen(app: Any, options: ServeOptions) -> Any:
    """Make a server that listens on the host and port of the options.

    Raises Stop if it cannot. The message names the setting to change: `--host` or `--port`.
    """
    from scorepad.app import STORAGE
    from scorepad.app.server import listen

    try:
        return listen(
            app,
            options.address,
            options.port,
            log_requests=options.log is not None,
            abort_requests=app.extensions[STORAGE].stop,
        )
    except ValueError:  # there is no such host
        raise _wrong_host(options, t("machine.no-such-host")) from None
    except OSError as error:
        detail = describe_os_error(error, chosen_words())
        if error.errno == errno.EADDRNOTAVAIL:  # it is the address of another computer
            raise _wrong_host(options, detail) from None
        raise _wrong_port(options, detail) from None


def _wrong_host(options: ServeOptions, detail: str) -> Stop:
    """Make the error for a host that the server cannot listen on. It names the setting to change.

    "Cannot listen on 10.0.0.9:8765: …. Try another address (--host)."
    """
    address = f"{bracketed(options.address)}:{options.port}"
    setting_to_change = setting_origin("host")
    return Stop("cli.serve.no-host", address=address, detail=detail, setting=setting_to_change)


def _wrong_port(options: ServeOptions, detail: str) -> Stop:
    """Make the error for a port that the server cannot listen on. It names the setting to change.

    "Cannot listen on 127.0.0.1:80: …. Try another port (--port)."
    """
    address = f"{bracketed(options.address)}:{options.port}"
    setting_to_change = setting_origin("port")
    return Stop("cli.serve.port-taken", address=address, detail=detail, setting=setting_to_change)


def _stop_on_signals(server: Any) -> None:
    """Stop the server in good order when a signal asks for it; a second Ctrl-C ends it at once.

    The signals are SIGINT (Ctrl-C), SIGTERM (from the system) and SIGHUP (the terminal is closed).
    A terminal sends SIGHUP twice, itself and through the shell, so the second one is ignored. A
    server that was started with `nohup` ignores SIGHUP altogether. Windows has SIGBREAK instead of
    SIGHUP, for a closed window and for Ctrl-Break.
    """
    hang_up = getattr(signal, "SIGHUP", None) or getattr(signal, "SIGBREAK", None)
    if hang_up is not None and signal.getsignal(hang_up) is signal.SIG_IGN:
        hang_up = None  # started with `nohup`: it stays ignored

    def stop_server(_number: int, _frame: object) -> None:
        """Stop the server. Python calls this with the number of the signal."""
        # The next SIGINT or SIGTERM ends the process, as it does without a handler.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if hang_up is not None:
            signal.signal(hang_up, signal.SIG_IGN)
        server.stop()

    signal.signal(signal.SIGINT, stop_server)
    signal.signal(signal.SIGTERM, stop_server)
    if hang_up is not None:
        signal.signal(hang_up, stop_server)


def _own_origin(options: ServeOptions, port: int) -> str:
    """Return the beginning of the links to this server.

    - usually: `http://localhost:8765`
    - behind a proxy, with a public name: `https://pad.example.org`
    """
    if options.is_public:
        return f"https://{options.allow_host[0]}"
    if options.address in EVERY_ADDRESS:
        return f"http://localhost:{port}"
    return f"http://{bracketed(options.address)}:{port}"


def _is_at_desktop() -> bool:
    """Tell whether a user sits at this computer, so that a browser can be opened here.

    The command must run in a terminal, not over SSH, and in a graphical session.
    """
    if not sys.stdin:
        return False
    is_in_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not is_in_terminal:
        return False
    is_remote = "SSH_CONNECTION" in os.environ
    if is_remote:
        return False
    if sys.platform in _ALWAYS_GRAPHICAL:
        return True
    return "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
