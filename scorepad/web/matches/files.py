"""Matches as files: export and import of matches, and the hands as rows for a spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import IO

from flask import Blueprint, abort, redirect, request, url_for
from flask_wtf.file import FileField
from werkzeug.wrappers import Response
from wtforms import TextAreaField

from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.limited import LimitReached
from scorepad.matches.access import MatchId
from scorepad.matches.file_reader import VerifiedMatch, VerifiedRow
from scorepad.matches.link_format import unpack_match
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
from scorepad.web.device_cookies import set_renewed_cookie
from scorepad.web.forms import INVALID, PadForm, add_error, checks_itself, lazy
from scorepad.web.presenters import game_names, moment, versus
from scorepad.web.request_limits import MATCHES_PER_FILE, count_started_matches
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


class LinkForm(PadForm):
    """A link that holds a match."""

    link = TextAreaField(lazy("files.from-link.link"), description=lazy("files.from-link.text"))


@blueprint.before_request
def refuse_other_sites() -> None:
    """Refuse to send a file of matches to a page of another site."""
    if request.path.endswith((".json", ".csv")) and not is_same_origin():
        abort(403, "origin")


@blueprint.get("/partite/<match>/file", endpoint="save")
def show_files(match: str) -> Response:
    """Show the page from which the files of a match are downloaded."""
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
    """Download a match, or all matches of the device, as a JSON file that can be imported again.

    Matches that cannot be read are left out; the home page lists them.
    """
    with one_heavy_job_at_a_time():
        file = get_pad().exports.write_scratch_file(match, device_id())
    return _download(file, "application/json", "json", match)


@blueprint.get("/partite/<match>/file/righe.csv", endpoint="rows")
def download_rows(match: MatchId) -> Response:
    """Download the hands (rounds) of a match as a CSV file for a spreadsheet."""
    with one_heavy_job_at_a_time():
        state = load_match(match)
        file = get_pad().scratch_file()
        write_match_csv(file, state, page_words())
        file.seek(0)
    return _download(file, CSV, "csv", match)


@blueprint.get("/file/righe.csv", endpoint="every_row")
def download_all_rows() -> Response:
    """Download the hands (rounds) of all matches of the device as a CSV file for a spreadsheet.

    Practice matches are left out.
    """
    with one_heavy_job_at_a_time():
        file = get_pad().scratch_file()
        write_all_matches_csv(file, get_pad(), device_id(), page_words())
        file.seek(0)
    return _download(file, CSV, "csv", None)


@blueprint.route("/file", methods=["GET", "POST"], endpoint="take")
@checks_itself
def import_page() -> Response:
    """Show the page on which matches are imported and exported as files, or import a file."""
    request.max_content_length = LARGEST_UPLOAD  # for this page only
    form = ImportForm()
    if request.method == "GET":
        return _show_import(form)
    with one_heavy_job_at_a_time():
        return _import_uploaded_file(form)


def _import_uploaded_file(form: ImportForm) -> Response:
    """Import the matches of the uploaded file and go to them, or say what is wrong with it."""
    if not form.validate():
        return _show_import(form)
    uploaded = form.file.data
    if not uploaded or not _has_content(uploaded.stream):
        return _refuse_file(form, t("files.import.none"))  # "Choose the file of the match first."
    count_started_matches(number=MATCHES_PER_FILE)
    try:
        imported = get_pad().imports.import_rows(read_upload(uploaded.stream), device_id())
    except Unusable as error:
        return _refuse_file(form, error.message(page_words()))
    except LimitReached:
        # It says: "Reading this file takes more memory or time than the score pad gives to a …"
        return _refuse_file(form, t("files.limit"))
    error_message = _find_error_of_import(imported)
    if error_message:
        return _refuse_file(form, error_message)
    return _go_to_imported(imported)


def _refuse_file(form: ImportForm, error: str) -> Response:
    """Show the page to import matches, with what is wrong with the uploaded file."""
    add_error(form.file, error)
    form.status = INVALID
    return _show_import(form)


# ---------------------------------------------------------------- a match from a link


@blueprint.route("/ricevi", methods=["GET", "POST"], endpoint="receive")
@checks_itself
def receive_match() -> Response:
    """Show whose match is in a link, with a button to take it, or take it over.

    Who only opens the address gets the page with the field for the link.
    """
    form = LinkForm()
    if request.method == "GET":
        return _show_link(form)
    with one_heavy_job_at_a_time():
        return _receive_link(form)


def _receive_link(form: LinkForm) -> Response:
    """Show the match in the link of the form or take it over, or say what is wrong with the link."""
    if not form.validate():
        return _show_link(form)
    if not form.link.data:
        return _refuse_link(form, t("files.from-link.none"))  # "Paste the link of the match first."
    try:
        rows = list(read_upload(BytesIO(unpack_match(form.link.data))))
        if request.form.get("do") == "take":
            return _take_match(form, rows)
        return _show_match_to_take(form, _find_only_match(rows))
    except Unusable as error:
        return _refuse_link(form, error.message(page_words()))
    except LimitReached:
        return _refuse_link(form, t("files.limit"))


def _find_only_match(rows: Sequence[VerifiedRow]) -> VerifiedMatch:
    """Find the match in a link, which has one. Raises Unusable if somebody put in more, or none."""
    matches = [row for row in rows if isinstance(row, VerifiedMatch)]
    if len(matches) != 1:
        raise Unusable("files.link.unreadable")
    return matches[0]


def _show_match_to_take(form: LinkForm, match: VerifiedMatch) -> Response:
    """Show whose match is in a link, and a button to take it over."""
    words = page_words()
    summary = match.summary
    return render_page(
        "matches/receive.html",
        title=t("files.receive.title"),
        has_form=True,
        form=form,
        match=summary,
        game=game_names([summary], words)[summary.id],
        when=moment(summary.changed, words),
    )


def _take_match(form: LinkForm, rows: Sequence[VerifiedRow]) -> Response:
    """Take over the match in a link, and go to it. Raises Unusable if it cannot be taken over."""
    _find_only_match(rows)
    count_started_matches()
    imported = get_pad().imports.import_rows(rows, device_id())
    error_message = _find_error_of_import(imported)
    if error_message:
        return _refuse_link(form, error_message)
    return _go_to_imported(imported)


def _refuse_link(form: LinkForm, error: str) -> Response:
    """Show the page to import matches, with what is wrong with the link."""
    add_error(form.link, error)
    form.status = INVALID
    return _show_link(form)


# ---------------------------------------------------------------- what was imported


def _go_to_imported(imported: Imported) -> Response:
    """Go to the matches that were imported, and say there which they are."""
    if imported.taken:
        # A deleted match, of which a page is still cached, may have had the id of an imported one.
        app_state().clear_rendered()
    _report_imported(imported)
    return _redirect_to_imported(imported)


def _find_error_of_import(imported: Imported) -> str:
    """Say what is wrong with an imported file that brought nothing: empty if nothing is wrong.

    - it brought new matches (`taken`), or all its matches are here already (`here`) → empty
    - this device may not see matches of the file that are here already (`hidden`) → an error
    - it has no matches at all → "There is no match in this file."
    """
    if imported.taken:
        return ""
    if imported.hidden:
        return plural("files.hidden", len(imported.hidden))
    if not imported.here:
        return t("files.none")  # "There is no match in this file."
    return ""


def _report_imported(imported: Imported) -> None:
    """Show on the next page what came of an import.

    "2 matches loaded.", "1 match was here already" and so on: `taken` are new matches, `here` were
    here already, and `hidden` are here too, but this device may not see them.
    """
    if imported.taken:
        notice(plural("files.imported", len(imported.taken)))  # "{count} matches loaded."
    if imported.here:
        # It says: "{count} matches were here already, and stay as they are."
        notice(plural("files.was-here", len(imported.here)))
    if imported.hidden:
        notice(plural("files.hidden", len(imported.hidden)))


def _redirect_to_imported(imported: Imported) -> Response:
    """Redirect to the match of an imported file, or to the home page if the file has several.

    To see the page of the match, the browser gets its keys as cookies.
    """
    matches = [*imported.taken, *imported.here]
    if len(matches) > 1:
        response = redirect(url_for("home.page"), code=303)
    else:
        response = base.to_match(matches[0])
        for match, keys in imported.keys.items():
            set_key_cookies(response, match, keys)
    set_renewed_cookie(response)
    return response


def _has_content(file: IO[bytes]) -> bool:
    """Tell whether a file has any content.

    The file must be at its beginning, and is so again afterwards.
    """
    is_empty = file.read(1) == b""
    file.seek(0)
    return not is_empty


def _show_import(form: ImportForm) -> Response:
    """Show the page to import matches, with what is wrong with the uploaded file, if anything is."""
    return _show_import_page(form, link_form=LinkForm(formdata=None), form=form)


def _show_link(form: LinkForm) -> Response:
    """Show the page to import matches, with what is wrong with the link, if anything is."""
    return _show_import_page(ImportForm(formdata=None), link_form=form, form=form)


def _show_import_page(file_form: ImportForm, link_form: LinkForm, form: PadForm) -> Response:
    """Show the page on which matches are imported; `form` is the one that was sent."""
    return render_page(
        "matches/import.html",
        title=t("files.title"),
        has_form=True,
        form=form,
        file_form=file_form,
        link_form=link_form,
        has_matches=bool(get_pad().exports.list_visible_matches(device_id())),
    )


def _download(file: ScratchFile, mimetype: str, ending: str, match: MatchId | None) -> Response:
    """Send a file as a download, named after its match, or after today if it has all matches.

    `mimetype` and `ending` are those of the file, such as `application/json` and `json`.
    """
    words = page_words()
    if match:
        state = load_match(match)
        day = words.day(state.started.astimezone())
        name = t("files.name", names=versus(state.names, words), day=day)  # "match {names}, {day}"
    else:
        today = words.day(datetime.now(UTC).astimezone())
        name = t("files.name.all", day=today)  # "matches, {day}"
    return file_responses.sent_file(file, mimetype, f"scorepad {name}", ending)
