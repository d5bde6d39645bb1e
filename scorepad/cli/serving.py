"""What the commands on a data file do: serve the pad, list the matches, write a sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import platformdirs

from scorepad.app import Config, KeyUnusable, create_app, signing_key
from scorepad.cli.ending import DONE, Stop
from scorepad.i18n import Words
from scorepad.pad import Pad
from scorepad.pad.errors import MatchNotFound
from scorepad.pad.values import KEEPER, MatchId, MatchSummary
from scorepad.storage import Storage
from scorepad.storage.errors import BrokenFile, Busy, ForeignFile, NewerFile, StorageError, Unwritable
from scorepad.web.hosts import home_address

THREADS = 8
LARGEST_BODY = 1024 * 1024
"""Octets that are read at all; the application itself takes less."""
PATIENCE = 30
"""Seconds that a browser may leave a connection idle."""

_TOLD: dict[type[StorageError], str] = {
    ForeignFile: "serve.foreign-file",
    NewerFile: "serve.newer-file",
    BrokenFile: "serve.broken-file",
    Unwritable: "serve.unwritable",
    Busy: "serve.busy",
}


def default_data() -> Path:
    """The file of the matches where none is named: in the user's data folder."""
    return platformdirs.user_data_path("scorepad", appauthor=False) / "scorepad.db"


def serve_pad(host: str, port: int, data: str | None, speech: Words) -> int:
    """Answer browsers until it is stopped. Raises Stop."""
    path = _path(data)
    server = _listen(_app(path, speech), host, port, speech)
    click.echo(speech.text("cli.serve.listening", address=_address(host, server), data=str(path)))
    try:
        server.run()
    finally:
        server.close()
    return DONE


def list_matches(data: str | None, speech: Words) -> int:
    """Print the matches of the file, those in progress first. Raises Stop."""
    path = _path(data)
    if not path.exists() and data is None:
        click.echo(speech.text("cli.matches.none"))
        return DONE
    try:
        found = _pad(path, speech).summaries(KEEPER)
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    for match in (*found.in_progress, *found.finished):
        click.echo(_listed(match, speech))
    if not any(found):
        click.echo(speech.text("cli.matches.none"))
    return DONE


def write_sheet(match: str, output: str | None, data: str | None, speech: Words) -> int:
    """Write the match sheet as PDF. Raises Stop."""
    from scorepad.pad.paper import match_sheet
    from scorepad.sheets import NoPdf

    try:
        state = _pad(_path(data), speech).state(MatchId(match), KEEPER)
        pdf = match_sheet(state, speech)
    except MatchNotFound:
        raise Stop(speech.text("cli.no-match", match=match[:40])) from None
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    except NoPdf as trouble:
        raise Stop(speech.text("serve.no-pdf", detail=trouble.detail)) from trouble
    file = Path(output or f"{match}.pdf")
    try:
        file.write_bytes(pdf)
    except OSError as trouble:
        detail = trouble.strerror or str(trouble)
        raise Stop(speech.text("cli.cannot-write", file=str(file), detail=detail)) from trouble
    click.echo(speech.text("cli.written", file=str(file)))
    return DONE


def storage_stop(trouble: StorageError, speech: Words) -> Stop:
    """A data file that cannot be used, in a sentence."""
    key = next((key for kind, key in _TOLD.items() if isinstance(trouble, kind)), "serve.storage")
    return Stop(speech.text(key, file=str(trouble.path), detail=trouble.detail or type(trouble).__name__))


def _path(data: str | None) -> Path:
    return Path(data).expanduser() if data else default_data()


def _pad(path: Path, speech: Words) -> Pad:
    if not path.exists():
        raise Stop(speech.text("serve.no-file", file=str(path)))
    try:
        return Pad(Storage(path))
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble


def _app(path: Path, speech: Words) -> Any:
    try:
        # First the file: beside one that is not ours no key is left.
        Storage(path).close()
        return create_app(Config(path.resolve(), signing_key(path.resolve())))
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    except KeyUnusable as trouble:
        raise Stop(speech.text("serve.key", file=str(trouble.path), detail=trouble.detail)) from trouble


def _listen(app: Any, host: str, port: int, speech: Words) -> Any:
    from waitress import create_server

    try:
        return create_server(
            app,
            host=host,
            port=port,
            threads=THREADS,
            channel_timeout=PATIENCE,
            max_request_body_size=LARGEST_BODY,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, ValueError) as trouble:
        detail = getattr(trouble, "strerror", None) or str(trouble)
        raise Stop(speech.text("cli.serve.port-taken", address=f"{host}:{port}", detail=detail)) from trouble


def _address(host: str, server: Any) -> str:
    """The address to type into a browser: on all addresses, the one that the home network uses."""
    port = server.effective_port if hasattr(server, "effective_port") else server.effective_listen[0][1]
    name = (home_address() or "127.0.0.1") if host in ("", "0.0.0.0", "::", "*") else host  # noqa: S104 - compared
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _listed(match: MatchSummary, speech: Words) -> str:
    scores = ", ".join(f"{name} {speech.figure(total)}" for name, total in zip(match.names, match.totals, strict=True))
    state = speech.text("cli.matches.finished" if match.standing.finished else "cli.matches.open")
    return f"{match.id}  {scores}  ({state}, {speech.day(match.changed.astimezone())})"
