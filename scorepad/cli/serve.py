"""`scorepad serve`, the pad in the browser; `link`, new addresses for it; `unit`, its systemd unit."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import stat
import sys
import threading
import tomllib
import webbrowser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

import click
import platformdirs

from scorepad.assets import templates_dir
from scorepad.cli.base import (
    DONE,
    SETTINGS_FILE,
    Stop,
    argument,
    command,
    data,
    option,
    origin,
    print_error,
    print_text,
    require_name,
    setting,
    shown,
)  # fmt: skip
from scorepad.cli.data_file import data_path, open_pad, storage_errors, warn_exposed
from scorepad.i18n import Words, os_error_text, system_error_text
from scorepad.i18n.variant_files import variant_problem
from scorepad.matches.access import KEEPER, MatchId
from scorepad.rules.variants import own_variants
from scorepad.storage import Storage
from scorepad.web.security import EVERY_ADDRESS, announced_name, home_address, home_addresses, is_host_name, is_loopback

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
MOST_PROXIES = 9
LOGS = ("plain", "json")
_BLOCKS = "\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}"
_BLACK_ON_WHITE, _RESET = "\033[97;40m", "\033[0m"
_LONGEST_GIVEN = 40
"""Characters of a wrong name, key or user that an error repeats."""
_LINE = re.compile(r"line (\d+)")
_NOT_IN_FILE = {"config", "lang"}
_UNIT = Path(__file__).with_name("scorepad.service")
_DEFAULT_USER = "scorepad"
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
_UNWRITABLE = re.compile(r"[^\x20-\x7e\u00a0-\U0010ffff]|[\"\\]")
_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))


# ---------------------------------------------------------------- the settings file


def default_settings() -> Path:
    """The settings file where none is named: in the user's folder of settings."""
    return platformdirs.user_config_path("scorepad", appauthor=False) / "scorepad.toml"


def config(words: Words) -> click.Parameter:
    """`--config`: its file becomes click's `default_map`, before the other options are read."""

    def load(context: click.Context, _: click.Parameter, given: str | None) -> str | None:
        if not context.resilient_parsing:
            context.default_map = _defaults(context, given, words)
        return given

    more: dict[str, Any] = {"metavar": "FILE", "is_eager": True, "expose_value": False, "callback": load}
    return setting("config", "settings.config", {"file": shown(default_settings())}, **more)(words)


def _defaults(context: click.Context, given: str | None, words: Words) -> dict[str, Any]:
    """The values of the file by the names of their parameters. Raises Stop for a wrong key or type."""
    require_name(given, "--config", words)
    path = default_settings() if given is None else Path(given)
    context.meta[SETTINGS_FILE] = path
    options = {
        param.opts[0].lstrip("-"): param
        for param in context.command.params
        if isinstance(param, click.Option) and param.name not in _NOT_IN_FILE
    }
    defaults = {}
    for key, value in _read(path, words, is_required=given is not None).items():
        if key not in options:
            known = ", ".join(options)
            raise Stop(words.text("settings.no-key", key=shown(key[:_LONGEST_GIVEN]), file=shown(path), known=known))
        kind, fits = _kind(options[key], value)
        if not fits:
            raise Stop(words.text(f"settings.takes-{kind}", key=key, file=shown(path)))
        defaults[str(options[key].name)] = value
    return defaults


def _read(path: Path, words: Words, *, is_required: bool) -> dict[str, Any]:
    try:
        content = path.expanduser().read_bytes()
    except (OSError, RuntimeError) as error:  # RuntimeError: an unknown home folder
        if isinstance(error, FileNotFoundError) and not is_required:
            return {}
        cause = error if isinstance(error, OSError) else FileNotFoundError(errno.ENOENT, str(error))
        raise Stop(words.text("settings.unread", file=shown(path), detail=os_error_text(cause, words))) from None
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    except tomllib.TOMLDecodeError as error:
        # An error at the end of the file names no line.
        found = _LINE.search(str(error))
        line = int(found[1]) if found else len(content.splitlines()) or 1
    raise Stop(words.text("settings.no-toml", file=shown(path), line=str(line)))


def _kind(option: click.Option, value: object) -> tuple[str, bool]:
    """The kind of value that an option takes in the file, and whether this value is one."""
    if option.is_flag:
        return "switch", isinstance(value, bool)
    if isinstance(option.type, click.IntRange):
        return "number", isinstance(value, int) and not isinstance(value, bool)
    if option.multiple:
        return "list", isinstance(value, list) and all(isinstance(each, str) for each in value)
    return "text", isinstance(value, str)


# ---------------------------------------------------------------- serve


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The options of `scorepad serve`. `origins`: where each of them was given, for error messages."""

    host: str
    port: int
    allow_host: tuple[str, ...]
    proxies: int
    no_limits: bool
    no_open: bool
    log: str | None
    origins: Mapping[str, str]

    @property
    def address(self) -> str:
        """The host to listen on; an IPv6 address without the brackets that it has in a URL."""
        return self.host[1:-1] if self.host.startswith("[") and self.host.endswith("]") else self.host


@command(
    "serve",
    setting("host", "cli.serve.host", {"host": DEFAULT_HOST}, default=DEFAULT_HOST, metavar="H"),
    setting(
        "port", "cli.serve.port", {"port": str(DEFAULT_PORT)}, default=DEFAULT_PORT, metavar="P",
        type=click.IntRange(0, 65535),
    ),
    setting("allow-host", "cli.serve.allow-host", multiple=True, metavar="NAME"),
    setting("proxies", "settings.proxies", default=0, type=click.IntRange(0, MOST_PROXIES), metavar="N"),
    setting("no-limits", "settings.no-limits", is_flag=True),
    setting("no-open", "cli.serve.no-open", is_flag=True),
    setting("log", "settings.log", type=click.Choice(LOGS)),
    data,
    config,
    epilog="settings.order",
)  # fmt: skip
def serve_command(words: Words, /, data: str | None, **options: Any) -> int:
    """`scorepad serve`."""
    for trouble in own_variants().broken:
        print_error(variant_problem(trouble, words))
    context = click.get_current_context()
    origins = {param.name or "": origin(context, param) for param in context.command.params}
    return run_server(ServeOptions(**options, origins=origins), data, words)


def run_server(options: ServeOptions, data: str | None, words: Words) -> int:
    """Answer browsers until a signal stops the server. Raises Stop."""
    # Flask is imported here: the help and the errors of the options need none of it.
    from scorepad.app.server import configure_logs
    from scorepad.web.home.views import start_link
    from scorepad.web.phones.views import SERVER

    path = data_path(data, words)
    for name in options.allow_host:
        if not is_host_name(name):
            given = shown(name[:_LONGEST_GIVEN])
            raise Stop(words.text("cli.serve.no-name", setting=options.origins["allow_host"], given=given))
    configure_logs(options.log)
    app = _create_app(path, options, words)
    app.extensions[SERVER] = server = _listen(app, options, words)
    _stop_on_signals(server)
    warn_exposed(path.resolve(), words)
    try:
        for line in _addresses(options.address, server.effective_port, path, words):
            print_text(line)
        here = _own_address(options, server.effective_port)
        if options.proxies and options.allow_host:
            print_text(words.text("settings.public", address=f"{here}/"))
        link = here + start_link(app)
        print_text(words.text("cli.home", address=link))
        if not options.no_open and _is_at_desktop():
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        server.run()
    finally:
        server.close()
    return DONE


def _create_app(path: Path, options: ServeOptions, words: Words) -> Any:
    from scorepad.app import Config, KeyUnusable, create_app, signing_key

    try:
        with storage_errors(words):
            # The file first: no key is left beside a file that is not scorepad's.
            Storage(path).close()
            whole = path.resolve()
            config = Config(whole, signing_key(whole), options.allow_host, options.address, options.proxies)
            return create_app(replace(config, limited=not options.no_limits))
    except KeyUnusable as error:
        detail = system_error_text(error.reason, error.detail, words)
        raise Stop(words.text("serve.key", file=shown(error.path), detail=detail)) from error


def _listen(app: Any, options: ServeOptions, words: Words) -> Any:
    from scorepad.app.server import listen

    key, name = "cli.serve.no-host", "host"
    try:
        return listen(app, options.address, options.port, log_requests=options.log is not None)
    except ValueError:
        detail = words.text("machine.no-such-host")
    except OSError as error:
        detail = os_error_text(error, words)
        if error.errno != errno.EADDRNOTAVAIL:
            key, name = "cli.serve.port-taken", "port"
    address = f"{_bracketed(options.address)}:{options.port}"
    raise Stop(words.text(key, address=address, detail=detail, setting=options.origins[name]))


def _stop_on_signals(server: Any) -> None:
    """Stop the server on SIGINT and SIGTERM; a second signal ends the process at once."""

    def stop(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        server.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _addresses(host: str, port: int, path: Path, words: Words) -> Iterator[str]:
    """The addresses of the pad: for this computer, then for the phones of the network with a QR code."""
    names = [host]
    if host in EVERY_ADDRESS:
        names = [*(home_addresses() or [DEFAULT_HOST]), *filter(None, [announced_name()])]
    addresses = [f"http://{_bracketed(name)}:{port}/" for name in names]
    yield words.text("cli.serve.listening", address=addresses[0], data=shown(path))
    if is_loopback(host):
        return
    if host in EVERY_ADDRESS:
        if not home_addresses():
            yield words.text("cli.serve.no-network")
            return
        yield words.text("cli.serve.here", address=f"http://localhost:{port}/")
    yield words.text("cli.serve.phones")
    yield from (f"  {address}" for address in addresses)
    code = terminal_qr(addresses[0])
    if code:
        yield f"{code}\n{words.text('cli.serve.scan', address=addresses[0])}"


def _own_address(options: ServeOptions, port: int) -> str:
    """The origin under which this computer opens the pad; behind a proxy the public one."""
    if options.proxies and options.allow_host:
        return f"https://{options.allow_host[0]}"
    name = "localhost" if options.address in EVERY_ADDRESS else _bracketed(options.address)
    return f"http://{name}:{port}"


def _is_at_desktop() -> bool:
    """Whether the command runs in a terminal of a graphical session on this computer."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()) or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or not {"DISPLAY", "WAYLAND_DISPLAY"}.isdisjoint(os.environ)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def terminal_qr(address: str) -> str:
    """The QR code of an address in half blocks, under 60 columns; empty if the output cannot encode them.

    Black on white in a terminal of any colours; without colours in a file.
    """
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    import segno

    code = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(code, compact=True)
    before, after = (_BLACK_ON_WHITE, _RESET) if sys.stdout.isatty() else ("", "")
    return "\n".join(f"{before}{line}{after}" for line in code.getvalue().splitlines())


@command(
    "link",
    argument("match", metavar="MATCH", required=False),
    option("--home", is_flag=True, help="cli.link.home"),
    option("--host", metavar="H", help="cli.link.host"),
    option(
        "--port", default=DEFAULT_PORT, type=click.IntRange(1, 65535), metavar="P",
        help="cli.link.port", figures={"port": str(DEFAULT_PORT)},
    ),
    data,
)  # fmt: skip
def link_command(words: Words, match: str | None, home: bool, host: str | None, port: int, data: str | None) -> int:
    """`scorepad link`: new links for one match, whose keys are withdrawn, or with `--home` one for every match."""
    if home == (match is not None):
        raise Stop(words.text("cli.link.one"))
    before = f"http://{'localhost' if home and host is None else _link_host(host, words)}:{port}"
    with open_pad(data_path(data, words), words) as pad:
        token = pad.devices.make_home_link() if match is None else ""
        keys = pad.devices.start_over(MatchId(match), KEEPER) if match is not None else None
    if keys is None:
        print_text(words.text("cli.home", address=f"{before}/casa/{token}"))
        print_text(words.text("cli.link.home.told", origin=before))
        return DONE
    to_write = f"{before}/e/{keys.write}"
    print_text(words.text("cli.link.done", match=match or ""))
    print_text("\n".join(filter(None, (words.text("cli.link.write"), f"  {to_write}", terminal_qr(to_write)))))
    print_text(f"{words.text('cli.link.view')}\n  {before}/e/{keys.view}")
    return DONE


def _link_host(host: str | None, words: Words) -> str:
    """The host of a link: the one given, else the address in the home network."""
    if host is None or host in EVERY_ADDRESS:
        return home_address() or DEFAULT_HOST
    if is_host_name(host):
        return host
    try:
        return f"[{IPv6Address(host.removeprefix('[').removesuffix(']'))}]"
    except ValueError:
        raise Stop(words.text("cli.link.no-host", given=shown(host[:_LONGEST_GIVEN]))) from None


# ---------------------------------------------------------------- systemd


@command(
    "unit",
    option("--user", default=_DEFAULT_USER, metavar="NAME", help="unit.user", figures={"user": _DEFAULT_USER}),
    option("--config", metavar="FILE", help="unit.config"),
)
def unit_command(words: Words, user: str, config: str | None) -> int:
    """`scorepad unit`, for this program where it is installed now."""
    if not _USER.fullmatch(user):
        raise Stop(words.text("unit.no-user", given=shown(user[:_LONGEST_GIVEN])))
    require_name(config, "--config", words)
    python, templates = Path(sys.executable), templates_dir()
    command = f'{_quoted(python, words)} -m scorepad serve --data "${{STATE_DIRECTORY}}/scorepad.db"'
    if config:
        command += f" --config {_quoted(Path(config).expanduser().absolute(), words)}"
    is_in_home = any(path.is_relative_to(home) for home in _HOMES for path in (python, templates))
    home = "read-only" if is_in_home else "yes"
    print_text(_UNIT.read_text(encoding="utf-8").format(command=command, user=user, home=home).rstrip())
    closed = closed_folder(python) or closed_folder(templates)
    if closed is not None:
        print_error(words.text("unit.closed", folder=shown(closed)))
    return DONE


def _quoted(path: Path, words: Words) -> str:
    """A path as an argument in ExecStart. Raises Stop for characters that cannot stand there."""
    if _UNWRITABLE.search(str(path)):
        raise Stop(words.text("unit.no-path", file=shown(path)))
    return f'"{path}"'.replace("%", "%%").replace("$", "$$")


def closed_folder(path: Path) -> Path | None:
    """The first folder above a path that only its owner may enter."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & stat.S_IXOTH), None)
