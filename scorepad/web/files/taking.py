"""Matches taken back from a file that a phone sends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import redirect, request, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response
from wtforms import FileField

from scorepad.matches.heavy import heavy_work
from scorepad.matches.imports import Imported
from scorepad.schemas import Unusable
from scorepad.web import limits
from scorepad.web.device import keep_keys
from scorepad.web.forms import PadForm, form_errors
from scorepad.web.frame import FieldError, Page, device_id, notice, page_words, render, setup, the_pad

LARGEST_UPLOAD = 8 * 2**20
"""Octets: a hundred long matches and more."""
WRONG = 422


class TakeForm(PadForm):
    """The file."""

    file = FileField()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesPage(Page):
    """A file to send; all matches to save, where there are any."""

    template: ClassVar[str] = "files/take.html"
    has_form: ClassVar[bool] = True
    form: TakeForm
    whole: str
    rows: str
    interface: str
    """Where programs find what they may ask; empty where nothing is told of it."""


def answer() -> Response:
    """The page that asks for a file, or the matches that were in it."""
    request.max_content_length = LARGEST_UPLOAD  # of this page alone: a file is longer than what people type
    if request.method == "GET":
        return _show(TakeForm(formdata=None))
    with heavy_work():
        return _take()


def _take() -> Response:
    form = TakeForm()
    if not form.validate():
        return _show(form, form_errors(form), WRONG)
    sent = form.file.data
    octets = _read(sent) if isinstance(sent, FileStorage) else b""
    if not octets:
        return _show(form, (FieldError("file", page_words().text("files.take.none")),), WRONG)
    limits.begin(limits.FILE_WEIGHT)
    try:
        told = the_pad().imports.take(octets, device_id())
    except Unusable as trouble:
        return _show(form, (FieldError("file", trouble.told(page_words())),), WRONG)
    return _took(told, form)


def _read(sent: FileStorage) -> bytes:
    with sent.stream as stream:
        return stream.read()


def _took(told: Imported, form: TakeForm) -> Response:
    """On to the match, or to the list where there are several; what was here already is told."""
    words = page_words()
    if told.taken:
        # What was drawn of a match of this name that was deleted before may stand for another log now.
        setup().forget()
    if told.hidden and not told.taken:
        return _show(form, (FieldError("file", words.plural("files.hidden", len(told.hidden))),), WRONG)
    found = (*told.taken, *told.here)
    if not found:
        return _show(form, (FieldError("file", words.text("files.none")),), WRONG)
    for key, matches in (("files.took", told.taken), ("files.was-here", told.here), ("files.hidden", told.hidden)):
        if matches:
            notice(words.plural(key, len(matches)))
    if len(found) > 1:
        return redirect(url_for("home.page"), code=303)
    shown = redirect(url_for("matches.page", match=found[0]), code=303)
    for match, keys in (told.keys or {}).items():
        keep_keys(shown, match, keys)
    return shown


def _show(form: TakeForm, errors: tuple[FieldError, ...] = (), status: int = 200) -> Response:
    words = page_words()
    has_any = bool(the_pad().exports.names(device_id()))
    page = FilesPage(
        title=words.text("files.title"),
        errors=errors,
        form=form,
        whole=url_for("files.every") if has_any else "",
        rows=url_for("files.every_row") if has_any else "",
        interface="/api/",
    )
    return render(page, status)
