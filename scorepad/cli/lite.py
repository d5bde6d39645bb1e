"""`scorepad lite`: the site in which the pad runs alone in a browser."""

from __future__ import annotations

import json
import secrets
import shlex
import shutil
import sys
from pathlib import Path

import click

from scorepad.cli.options import FILE, command, option
from scorepad.cli.output import DONE, Stop, chosen_words, printable_name, t, write_line
from scorepad.i18n import describe_os_error
from scorepad.lite.build import MARKER, BuildError, SiteReport, build_site
from scorepad.lite.pieces import PieceError, collect, download

_KILOBYTE = 1000


@command
@click.argument("site", required=False, type=FILE, metavar="[DIR]")
@option("--from", "pieces_folder", type=FILE, metavar="DIR", help="cli.lite.from")
@option("--download", "download_folder", type=FILE, metavar="DIR", help="cli.lite.download")
def lite_command(
    site: Path | None, pieces_folder: Path | None, download_folder: Path | None
) -> int:
    """Run `scorepad lite`: write the site, or with `--download` only fetch its pieces."""
    if download_folder is not None and site is None and pieces_folder is None:
        _download_pieces(download_folder)
        return DONE
    if site is not None and download_folder is None:
        _write_site(site, pieces_folder)
        return DONE
    raise Stop("cli.lite.either")  # "Name the folder of the site, or --download …: one of the two."


def _download_pieces(folder: Path) -> None:
    """Fetch all pieces into a folder, and print how to go on. Raises Stop if that fails."""
    try:
        download(folder)
    except PieceError as error:
        raise _describe_piece_error(error) from error
    except OSError as error:
        raise _describe_os_error(error, folder) from error
    write_line(t("cli.lite.downloaded", folder=printable_name(folder)))


def _write_site(site: Path, pieces_folder: Path | None) -> None:
    """Build the site, and print how large it is and how to publish it. Raises Stop if that fails."""
    try:
        _require_replaceable(site)
        report = _build(site, pieces_folder)
    except PieceError as error:
        raise _describe_piece_error(error) from error
    except BuildError as error:
        _write_output(error.detail)
        raise Stop("cli.lite.build-failed") from error
    except OSError as error:
        raise _describe_os_error(error, site) from error
    _describe_site(site, report)


def _require_replaceable(site: Path) -> None:
    """Raise Stop if the folder has anything that is not of a site written by this command."""
    if not site.exists():
        return
    if not site.is_dir():
        raise Stop("cli.lite.not-empty", folder=printable_name(site))
    own_names = _list_own_names(site)
    for path in sorted(site.iterdir()):
        if path.name in own_names:
            continue
        if own_names:
            file = printable_name(path.name)
            raise Stop("cli.lite.other-file", folder=printable_name(site), file=file)
        raise Stop("cli.lite.not-empty", folder=printable_name(site))


def _list_own_names(site: Path) -> set[str]:
    """List what an earlier site has in its folder; nothing if there is no site."""
    try:
        marker = json.loads((site / MARKER).read_text(encoding="utf-8"))
        files = marker["files"]
    except (OSError, ValueError, LookupError):
        return set()
    names = {MARKER}
    for file in files:
        names.add(file.partition("/")[0])
    return names


def _build(site: Path, pieces_folder: Path | None) -> SiteReport:
    """Build the site beside its folder, and give it its place when it is complete.

    Raises PieceError, BuildError and OSError.
    """
    site = site.resolve()
    site.parent.mkdir(parents=True, exist_ok=True)
    new = site.with_name(f".{site.name}-{secrets.token_hex(4)}")
    new.mkdir()
    try:
        with collect(pieces_folder) as pieces:
            report = build_site(pieces, new)
        _replace_folder(site, new)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return report


def _replace_folder(folder: Path, new: Path) -> None:
    """Give a folder the name of another one, which is deleted."""
    if not folder.exists():
        new.rename(folder)
        return
    old = new.with_name(f"{new.name}-old")
    folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old)


def _describe_site(site: Path, report: SiteReport) -> None:
    """Print where the site is and how large it is, how to publish it and how to try it."""
    folder = printable_name(site)
    size = report.size // _KILOBYTE
    compressed = report.compressed // _KILOBYTE
    write_line(
        t("cli.lite.done", folder=folder, files=report.files, size=size, compressed=compressed)
    )
    write_line(t("cli.lite.publish"))
    command = f"python3 -m http.server --directory {shlex.quote(folder)}"
    write_line(t("cli.lite.try", command=command, address="http://localhost:8000/"))


def _describe_piece_error(error: PieceError) -> Stop:
    """Return the message for pieces that cannot be had, after what pip or npm wrote."""
    _write_output(error.output)
    arguments = {name: printable_name(value) for name, value in error.arguments.items()}
    return Stop(f"cli.lite.{error.problem}", **arguments)


def _describe_os_error(error: OSError, folder: Path) -> Stop:
    """Return the message for files that cannot be written."""
    file = error.filename or folder
    detail = describe_os_error(error, chosen_words())
    return Stop("cli.lite.cannot-write", file=printable_name(file), detail=detail)


def _write_output(output: str) -> None:
    """Write what another program has written to standard error, so that it stands above ours."""
    if output:
        click.echo(output.rstrip(), sys.stderr, err=True)
