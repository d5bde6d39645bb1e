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
from scorepad.i18n import os_error_text, system_error_text
from scorepad.i18n.variant_errors import variant_problems
from scorepad.rules.variants import own_variants
from scorepad.storage import Storage
from scorepad.storage.doctor import has_phones
from scorepad.web.host_names import EVERY_ADDRESS, is_host_name


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
        """The host to listen on; an IPv6 address without brackets."""
        if self.host.startswith("[") and self.host.endswith("]"):
            return self.host[1:-1]
        return self.host

    @property
    def is_public(self) -> bool:
        """Whether the server is reached by https under a public name, through a proxy."""
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
    """`scorepad serve`: the server; it first reports errors in the user's variants."""
    for error in own_variants().broken:
        for text in variant_problems(error, chosen_words()):
            write_error_line(text)
    return run_server(ServeOptions(**options))


def run_server(options: ServeOptions) -> int:
    """Serve requests until a signal stops the server. Raises Stop."""
    # What is made while the program starts is kept: looking for garbage in it takes a fifth of
    # the time.
    gc.disable()
    # Flask is imported here because help and option errors do not need it.
    from scorepad.app.request_log import configure_logs
    from scorepad.web.home.views import start_link
    from scorepad.web.phones.views import SERVER

    _require_host_names(options.allow_host)
    configure_logs(options.log)
    path = options.data or default_data()
    app = _create_app(path, options)
    server = _listen(app, options)
    app.extensions[SERVER] = server
    _stop_on_signals(server)
    warn_exposed(path.resolve())
    try:
        for line in server_address_lines(options.address, server.effective_port, path):
            write_line(line)
        origin = _own_origin(options, server.effective_port)
        if options.is_public:
            write_line(t("settings.public", address=f"{origin}/"))
        link = origin + start_link(app)
        write_line(t("cli.admin", address=link))
        if not options.no_open and _is_at_desktop():
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        gc.freeze()
        gc.enable()
        server.run()
    finally:
        server.close()
    return DONE


def _require_host_names(names: Sequence[str]) -> None:
    """Raise Stop if one of the allowed hosts is no host name, such as a URL."""
    for name in names:
        if not is_host_name(name):
            raise Stop(
                "cli.serve.no-name",
                setting=setting_origin("allow_host"),
                given=printable_name(name[:LONGEST]),
            )


def _create_app(path: Path, options: ServeOptions) -> Any:
    """Create the Flask application for the data file at this path. Raises Stop, StorageError."""
    from scorepad.app import Config, KeyUnusable, create_app, key_path, signing_key

    # The file is opened first, so that no key is created beside a file that is not scorepad's.
    Storage(path).close()
    real_path = path.resolve()
    is_key_lost = not key_path(real_path).exists() and has_phones(real_path)
    try:
        key = signing_key(real_path)
    except KeyUnusable as error:
        detail = system_error_text(error.reason, error.detail, chosen_words())
        raise Stop("serve.key", file=printable_name(error.path), detail=detail) from error
    if is_key_lost:
        text = t("serve.key-lost", file=printable_name(key_path(real_path)))
        write_error_line(t("serve.warning", text=text))
    config = Config(
        data=real_path,
        key=key,
        allowed_hosts=options.allow_host,
        listens=options.address,
        proxies=options.proxies,
        limited=not options.no_limits,
    )
    return create_app(config)


def _listen(app: Any, options: ServeOptions) -> Any:
    """A server that listens on the chosen host and port. Raises Stop if it cannot."""
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
    except ValueError:
        detail = t("machine.no-such-host")
        is_wrong_host = True
    except OSError as error:
        detail = os_error_text(error, chosen_words())
        is_wrong_host = error.errno == errno.EADDRNOTAVAIL

    address = f"{bracketed(options.address)}:{options.port}"
    if is_wrong_host:
        origin = setting_origin("host")
        raise Stop("cli.serve.no-host", address=address, detail=detail, setting=origin)
    origin = setting_origin("port")
    raise Stop("cli.serve.port-taken", address=address, detail=detail, setting=origin)


def _stop_on_signals(server: Any) -> None:
    """Stop the server on SIGINT, SIGTERM and SIGHUP.

    A second SIGINT or SIGTERM ends the process at once. A terminal that is closed sends SIGHUP
    twice, from the kernel and from the shell; a command started with `nohup` ignores it.
    """
    hang_up = getattr(signal, "SIGHUP", None)  # missing on Windows
    if hang_up is not None and signal.getsignal(hang_up) is signal.SIG_IGN:
        hang_up = None

    def stop_server(_number: int, _frame: object) -> None:
        # From now on the signals have their usual effect again.
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
    """The origin at which this computer opens the pad: `http://localhost:8765`.

    Behind a proxy it is the public one.
    """
    if options.is_public:
        return f"https://{options.allow_host[0]}"
    if options.address in EVERY_ADDRESS:
        return f"http://localhost:{port}"
    return f"http://{bracketed(options.address)}:{port}"


def _is_at_desktop() -> bool:
    """Whether the command runs in a terminal of a graphical session on this computer."""
    if not sys.stdin:
        return False
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    is_remote = "SSH_CONNECTION" in os.environ
    if not is_terminal or is_remote:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
