"""`scorepad serve`, the web server; `link`, new links to it; `unit`, its systemd unit."""

from __future__ import annotations

import errno
import gc
import io
import os
import re
import signal
import stat
import sys
import threading
import tomllib
import webbrowser
from collections.abc import Iterator, Sequence
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any, NamedTuple

import click
import platformdirs
from click.core import ParameterSource

from scorepad.assets import templates_dir
from scorepad.cli.data_file import default_data, open_pad, warn_exposed
from scorepad.cli.options import FILE, SETTINGS_FILE, command, data, option, setting, setting_origin
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
from scorepad.i18n import os_error_text, system_error_text
from scorepad.i18n.variant_errors import variant_problems
from scorepad.matches.access import ADMIN, MatchId
from scorepad.rules.variants import own_variants
from scorepad.storage import Storage
from scorepad.storage.doctor import has_phones
from scorepad.web.host_names import EVERY_ADDRESS, announced_name, is_host_name
from scorepad.web.network_addresses import home_address, home_addresses, is_loopback

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
_BLOCKS = "\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}"
_BLACK_ON_WHITE = "\033[97;40m"
_RESET = "\033[0m"
_LINE = re.compile(r"line (\d+)")
_NOT_IN_FILE = {"config", "lang"}
_UNIT = Path(__file__).with_name("scorepad.service")
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_UNWRITABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]")
_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))


# ---------------------------------------------------------------- the settings file


def default_settings() -> Path:
    """The default settings file, in the user's configuration folder."""
    return platformdirs.user_config_path("scorepad", appauthor=False) / "scorepad.toml"


def _load_settings(context: click.Context, _: click.Parameter, path: Path) -> None:
    """Load the settings file into click's `default_map`. Raises Stop for a wrong key or type."""
    context.meta[SETTINGS_FILE] = path
    options = {}
    for param in context.command.params:
        if isinstance(param, click.Option) and param.name not in _NOT_IN_FILE:
            options[param.opts[0].lstrip("-")] = param

    defaults = {}
    is_required = context.get_parameter_source("config") is not ParameterSource.DEFAULT
    for key, value in _read_settings(path, is_required=is_required).items():
        if key not in options:
            raise Stop(
                "settings.no-key",
                key=printable_name(key[:LONGEST]),
                file=printable_name(path),
                known=", ".join(options),
            )
        kind = _kind(options[key])
        if not _has_kind(value, kind):
            raise Stop(f"settings.takes-{kind}", key=key, file=printable_name(path))
        defaults[str(options[key].name)] = value
    context.default_map = defaults


def _read_settings(path: Path, *, is_required: bool) -> dict[str, Any]:
    """The settings file as a dict; empty if it is missing and not required. Raises Stop."""
    try:
        content = path.read_bytes()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not is_required:
            return {}
        raise Stop(
            "settings.unread",
            file=printable_name(path),
            detail=os_error_text(error, chosen_words()),
        ) from None
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    except tomllib.TOMLDecodeError as error:
        # An error at the end of the file has no line number.
        found = _LINE.search(str(error))
        line = int(found[1]) if found else len(content.splitlines()) or 1
    raise Stop("settings.no-toml", file=printable_name(path), line=str(line))


_TYPES = {"switch": bool, "number": int, "list": list, "text": str}
"""The kinds of settings, and the Python type of each in TOML."""


def _has_kind(value: Any, kind: str) -> bool:
    if type(value) is not _TYPES[kind]:  # true is no number
        return False
    if isinstance(value, list):
        return all(isinstance(entry, str) for entry in value)
    return True


def _kind(option: click.Option) -> str:
    if option.is_flag:
        return "switch"
    if isinstance(option.type, click.IntRange):
        return "number"
    return "list" if option.multiple else "text"


# ---------------------------------------------------------------- serve


class ServeOptions(NamedTuple):
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
    "config", type=FILE, default=default_settings, is_eager=True, expose_value=False, callback=_load_settings,
    help="settings.config",
)  # fmt: skip
def serve_command(**options: Any) -> int:
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

    for name in options.allow_host:
        if not is_host_name(name):
            raise Stop(
                "cli.serve.no-name",
                setting=setting_origin("allow_host"),
                given=printable_name(name[:LONGEST]),
            )
    configure_logs(options.log)
    path = options.data or default_data()
    app = _create_app(path, options)
    app.extensions[SERVER] = server = _listen(app, options)
    _stop_on_signals(server)
    warn_exposed(path.resolve())
    try:
        for line in _addresses(options.address, server.effective_port, path):
            write_line(line)
        here = _own_address(options, server.effective_port)
        if options.proxies and options.allow_host:
            write_line(t("settings.public", address=f"{here}/"))
        link = here + start_link(app)
        write_line(t("cli.admin", address=link))
        if not options.no_open and _is_at_desktop():
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        gc.freeze()
        gc.enable()
        server.run()
    finally:
        server.close()
    return DONE


def _create_app(path: Path, options: ServeOptions) -> Any:
    from scorepad.app import Config, KeyUnusable, create_app, key_path, signing_key

    # The file is opened first, so that no key is created beside a file that is not scorepad's.
    Storage(path).close()
    whole = path.resolve()
    is_key_lost = not key_path(whole).exists() and has_phones(whole)
    try:
        key = signing_key(whole)
    except KeyUnusable as error:
        detail = system_error_text(error.reason, error.detail, chosen_words())
        raise Stop("serve.key", file=printable_name(error.path), detail=detail) from error
    if is_key_lost:
        write_error_line(
            t("serve.warning", text=t("serve.key-lost", file=printable_name(key_path(whole))))
        )
    config = Config(
        whole,
        key,
        options.allow_host,
        options.address,
        options.proxies,
        limited=not options.no_limits,
    )
    return create_app(config)


def _listen(app: Any, options: ServeOptions) -> Any:
    from scorepad.app import STORAGE
    from scorepad.app.server import listen

    message = "cli.serve.no-host"
    wrong_option = "host"
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
    except OSError as error:
        detail = os_error_text(error, chosen_words())
        if error.errno != errno.EADDRNOTAVAIL:
            message = "cli.serve.port-taken"
            wrong_option = "port"
    raise Stop(
        message,
        address=f"{_bracketed(options.address)}:{options.port}",
        detail=detail,
        setting=setting_origin(wrong_option),
    )


def _stop_on_signals(server: Any) -> None:
    """Stop the server on SIGINT, SIGTERM and SIGHUP; a second SIGINT or SIGTERM ends the process at
    once.

    A terminal that is closed sends SIGHUP twice, from the kernel and from the shell. A command
    started with `nohup` ignores it.
    """
    hang_up = getattr(signal, "SIGHUP", None)  # missing on Windows
    if hang_up is not None and signal.getsignal(hang_up) is signal.SIG_IGN:
        hang_up = None

    def stop(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if hang_up is not None:
            signal.signal(hang_up, signal.SIG_IGN)
        server.stop()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    if hang_up is not None:
        signal.signal(hang_up, stop)


def _addresses(host: str, port: int, path: Path) -> Iterator[str]:
    """The lines that the server prints: its URLs for this computer, then for phones in the network
    with a QR code.
    """
    if host not in EVERY_ADDRESS:
        address = f"http://{_bracketed(host)}:{port}/"
        yield t("cli.serve.listening", address=address, data=printable_name(path))
        if not is_loopback(host):
            yield from _addresses_for_phones([address])
        return

    in_network = home_addresses()
    names = [*in_network] or [DEFAULT_HOST]
    announced = announced_name()
    if announced:
        names.append(announced)
    addresses = [f"http://{_bracketed(name)}:{port}/" for name in names]
    yield t("cli.serve.listening", address=addresses[0], data=printable_name(path))
    if not in_network:
        yield t("cli.serve.no-network")
        return
    yield t("cli.serve.here", address=f"http://localhost:{port}/")
    yield from _addresses_for_phones(addresses)


def _addresses_for_phones(addresses: Sequence[str]) -> Iterator[str]:
    """The addresses, and the QR code of the first."""
    yield t("cli.serve.phones")
    for address in addresses:
        yield f"  {address}"
    code = terminal_qr(addresses[0])
    if code:
        yield f"{code}\n{t('cli.serve.scan', address=addresses[0])}"


def _own_address(options: ServeOptions, port: int) -> str:
    """The origin at which this computer opens the pad; behind a proxy the public one."""
    if options.proxies and options.allow_host:
        return f"https://{options.allow_host[0]}"
    name = "localhost" if options.address in EVERY_ADDRESS else _bracketed(options.address)
    return f"http://{name}:{port}"


def _is_at_desktop() -> bool:
    """Whether the command runs in a terminal of a graphical session on this computer."""
    is_terminal = sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()
    if not is_terminal or "SSH_CONNECTION" in os.environ:
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def terminal_qr(address: str) -> str:
    """The QR code of an address in half blocks, under 60 columns; empty if the output cannot encode
    them.

    Black on white in a terminal of any colours; without colours in a file.
    """
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    import segno

    code = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(code, compact=True)
    lines = code.getvalue().splitlines()
    if sys.stdout.isatty():
        lines = [f"{_BLACK_ON_WHITE}{line}{_RESET}" for line in lines]
    return "\n".join(lines)


@command
@click.argument("match", required=False, metavar="MATCH")
@option("--admin", is_flag=True, help="cli.link.admin")
@option("--host", metavar="H", help="cli.link.host")
@option(
    "--port", default=DEFAULT_PORT, type=click.IntRange(1, 65535), metavar="P", help="cli.link.port"
)
@data
def link_command(
    match: str | None, admin: bool, host: str | None, port: int, data: Path | None
) -> int:
    """`scorepad link`: new links for one match, replacing its keys, or with `--admin` one for every
    match.
    """
    if admin == (match is not None):
        raise Stop("cli.link.one")
    host_of_link = "localhost" if admin and host is None else _link_host(host)
    origin = f"http://{host_of_link}:{port}"
    devices = open_pad(data).devices
    if match is None:
        write_line(t("cli.admin", address=f"{origin}/casa/{devices.make_admin_link()}"))
        write_line(t("cli.link.admin.text", origin=origin))
        return DONE
    keys = devices.start_over(MatchId(match), ADMIN)
    link_to_write = f"{origin}/e/{keys.write}"
    write_line(t("cli.link.done", match=match))
    write_line(f"{t('cli.link.write')}\n  {link_to_write}")
    code = terminal_qr(link_to_write)
    if code:
        write_line(code)
    write_line(f"{t('cli.link.view')}\n  {origin}/e/{keys.view}")
    return DONE


def _link_host(host: str | None) -> str:
    """The host of a link: the given one, else the address in the home network."""
    if host is None or host in EVERY_ADDRESS:
        return home_address() or DEFAULT_HOST
    if is_host_name(host):
        return host
    try:
        return f"[{IPv6Address(host.removeprefix('[').removesuffix(']'))}]"
    except ValueError:
        raise Stop("cli.link.no-host", given=printable_name(host[:LONGEST])) from None


# ---------------------------------------------------------------- systemd


@command
@option("--user", default="scorepad", metavar="NAME", help="unit.user")
@option("--config", type=FILE, help="unit.config")
def unit_command(user: str, config: Path | None) -> int:
    """`scorepad unit`, for this program where it is installed now."""
    if not _USER.fullmatch(user):
        raise Stop("unit.no-user", given=printable_name(user[:LONGEST]))
    python = Path(sys.executable)
    templates = templates_dir()
    command = f'{_quoted(python)} -m scorepad serve --data "${{STATE_DIRECTORY}}/scorepad.db"'
    if config:
        command += f" --config {_quoted(config.absolute())}"
    reads_home = _is_in_home(python) or _is_in_home(templates)
    protect_home = "read-only" if reads_home else "yes"
    unit = _UNIT.read_text(encoding="utf-8")
    write_line(unit.format(command=command, user=user, home=protect_home).rstrip())
    closed = closed_folder(python) or closed_folder(templates)
    if closed is not None:
        write_error_line(t("unit.closed", folder=printable_name(closed)))
    return DONE


def _is_in_home(path: Path) -> bool:
    return any(path.is_relative_to(home) for home in _HOMES)


def _quoted(path: Path) -> str:
    """A path quoted for ExecStart. Raises Stop for characters not allowed there."""
    if _UNWRITABLE.search(str(path)):
        raise Stop("unit.no-path", file=printable_name(path))
    return f'"{path}"'.replace("%", "%%").replace("$", "$$")


def closed_folder(path: Path) -> Path | None:
    """The first folder above a path that only its owner may enter."""
    for folder in reversed(path.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None
