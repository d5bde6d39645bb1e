"""Matches as files: export and import of matches, and the hands as rows for a spreadsheet."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import IO

from flask import Blueprint, abort, redirect, request, url_for
from flask_wtf.file import FileField
from werkzeug.wrappers import Response

from scorepad.heavy import heavy_work
from scorepad.limited import LimitReached
from scorepad.matches.access import MatchId
from scorepad.matches.transfer import Imported
from scorepad.matches.upload import read_upload
from scorepad.schemas import Unusable
from scorepad.sheets.spreadsheet import write_all_matches_csv, write_match_csv
from scorepad.storage.scratch import ScratchFile
from scorepad.web import base, file_responses, watching
from scorepad.web.base import (
    app_state,
    device_id,
    get_pad,
    load_match,
    notice,
    page_words,
    plural,
    render_page,
    t,
)
from scorepad.web.cookies import is_same_origin, set_key_cookies
from scorepad.web.device_cookies import renew_device
from scorepad.web.forms import INVALID, PadForm, add_error, checks_itself, lazy
from scorepad.web.presenters import versus
from scorepad.web.request_limits import FILE_WEIGHT, limit_matches
from scorepad.web.watching import watch_form

blueprint = Blueprint("files", __name__)
CSV = "text/csv; charset=utf-8"
LARGEST_UPLOAD = 8 * 2**20
"""Bytes: more than a hundred long matches."""


class ImportForm(PadForm):
    """A file of matches."""

    file = FileField(
        lazy("files.import.file"),
        description=lazy("files.import.text"),
        render_kw={"accept": ".json,application/json"},
    )


@blueprint.before_request
def refuse_other_sites() -> None:
    """Refuse a file from a page of another site."""
    if request.path.endswith((".json", ".csv")) and not is_same_origin():
        abort(403, "origin")


@blueprint.get("/partite/<match>/file", endpoint="save")
def show_files(match: str) -> Response:
    """The page with the files of a match to download."""
    state = load_match(match)
    return render_page(
        "matches/save.html",
        title=t("files.save.title"),
        watch=watch_form(state, watching.NAMES),
        match=state,
    )


@blueprint.get("/partite/<match>/file/partita.json", endpoint="whole")
@blueprint.get("/file/partite.json", endpoint="every")
def download_matches(match: MatchId | None = None) -> Response:
    """Download a match, or all matches of the device, as a file that can be imported.

    Matches that cannot be read are left out, and listed on the home page.
    """
    with heavy_work():
        file = get_pad().exports.scratch_file(match, device_id())
    return _download(file, "application/json", "json", match)


@blueprint.get("/partite/<match>/file/righe.csv", endpoint="rows")
def download_rows(match: MatchId) -> Response:
    """Download the hands of a match as CSV, for a spreadsheet."""
    with heavy_work():
        state = load_match(match)
        file = get_pad().scratch_file()
        write_match_csv(file, state, page_words())
        file.seek(0)
    return _download(file, CSV, "csv", match)


@blueprint.get("/file/righe.csv", endpoint="every_row")
def download_all_rows() -> Response:
    """Download the hands of all matches of the device, except practice matches, as CSV."""
    with heavy_work():
        file = get_pad().scratch_file()
        write_all_matches_csv(file, get_pad(), device_id(), page_words())
        file.seek(0)
    return _download(file, CSV, "csv", None)


@blueprint.route("/file", methods=["GET", "POST"], endpoint="take")
@checks_itself
def import_matches() -> Response:
    """The page to import matches from a file, and to export all of them."""
    request.max_content_length = LARGEST_UPLOAD  # for this page only
    form = ImportForm()
    if request.method == "GET":
        return _show_import(form)
    with heavy_work():
        return _import(form)


def _import(form: ImportForm) -> Response:
    """Import the matches of the uploaded file, and redirect to them; or show the form again with what
    is wrong with the file.
    """
    if not form.validate():
        return _show_import(form)
    if not form.file.data or not _has_content(form.file.data.stream):
        return _show_import(form, t("files.import.none"))
    limit_matches(FILE_WEIGHT)
    try:
        imported = get_pad().imports.put(read_upload(form.file.data.stream), device_id())
    except Unusable as error:
        return _show_import(form, error.message(page_words()))
    except LimitReached:
        return _show_import(form, t("files.limit"))

    error_message = _error_of_import(imported)
    if error_message:
        return _show_import(form, error_message)
    if imported.taken:
        # A deleted match, of which a page is still cached, may have had the id of an imported one.
        app_state().clear_rendered()
    _notice_imported(imported)
    return _to_imported(imported)


def _error_of_import(imported: Imported) -> str:
    """What is wrong with an imported file that brought no new match (`taken`), in words: this device
    has no access to matches of it that were here already (`hidden`), or it has no matches at all.

    Empty if nothing is wrong: it brought new matches, or all of them were `here` already.
    """
    if imported.taken:
        return ""
    if imported.hidden:
        return plural("files.hidden", len(imported.hidden))
    if not imported.here:
        return t("files.none")
    return ""


def _notice_imported(imported: Imported) -> None:
    """Show on the next page how many matches were imported (`taken`), how many of the file were here
    already (`here`), and how many of these this device has no access to (`hidden`).
    """
    if imported.taken:
        notice(plural("files.imported", len(imported.taken)))
    if imported.here:
        notice(plural("files.was-here", len(imported.here)))
    if imported.hidden:
        notice(plural("files.hidden", len(imported.hidden)))


def _to_imported(imported: Imported) -> Response:
    """Redirect to the match of an imported file; to the home page, which lists them, if it has several.

    The page of a match needs its keys in the cookies of the browser.
    """
    matches = [*imported.taken, *imported.here]
    if len(matches) > 1:
        response = redirect(url_for("home.page"), code=303)
    else:
        response = base.to_match(matches[0])
        for match, keys in imported.keys.items():
            set_key_cookies(response, match, keys)
    renew_device(response)
    return response


def _has_content(file: IO[bytes]) -> bool:
    """Whether a file, at its beginning, is not empty."""
    is_empty = file.read(1) == b""
    file.seek(0)
    return not is_empty


def _show_import(form: ImportForm, error: str = "") -> Response:
    """The page to import matches; `error` is what is wrong with the file sent, if anything."""
    if error:
        add_error(form.file, error)
        form.status = INVALID
    return render_page(
        "matches/import.html",
        title=t("files.title"),
        has_form=True,
        form=form,
        has_matches=bool(get_pad().exports.names(device_id())),
    )


def _download(file: ScratchFile, mimetype: str, ending: str, match: MatchId | None) -> Response:
    """A response that downloads a file named after its match, or after today if it has all."""
    words = page_words()
    if match:
        state = load_match(match)
        day = words.day(state.started.astimezone())
        name = t("files.name", names=versus(state.names, words), day=day)
    else:
        today = words.day(datetime.now(UTC).astimezone())
        name = t("files.name.all", day=today)
    return file_responses.sent_file(file, mimetype, f"scorepad {name}", ending)
