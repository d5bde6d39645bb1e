"""Starting a match: the form, another variant or number of players with everything typed kept, the start."""

from __future__ import annotations

from collections.abc import Mapping

from flask import redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorepad.matches.errors import RequestRefused, SentOtherwise
from scorepad.matches.results import NewMatchRefused, Saved
from scorepad.rules.variants import USUAL, Variant, get_variant, variant_ids
from scorepad.web import limits
from scorepad.web.device import keep_keys
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.matches.new_form import NewMatchForm, new_match_form
from scorepad.web.matches.new_page import new_match_page
from scorepad.web.matches.tables import seated_by, sits_by

SWITCH = "switch"
"""The name of the buttons that change the variant."""
SIT = "sit"
"""The name of the buttons that change an option of the table: `players=3`."""


def answer_new() -> Response:
    """The page of a new match, or the match that it started."""
    if request.method == "GET":
        return _show(_fresh(_variant(request.args.get("variante", USUAL)), request.args))
    before = _variant(request.form.get("variant", USUAL))
    if SWITCH in request.form:
        form = _changed(_variant(request.form[SWITCH]), before, request.form)
        return render(new_match_page(form, page_words(), chose_variant=form.plays is not before))
    if SIT in request.form:
        return _show(_changed(before, before, _seated(before)))
    return _start(new_match_form(before, seated_by(before, request.form))())


def _start(form: NewMatchForm) -> Response:
    """The match, or what is wrong with the form."""
    if form.validate():
        try:
            limits.begin()
            answer = the_pad().start(form.request_name, device_id(), form.new_match())
        except RequestRefused as trouble:
            started = isinstance(trouble, SentOtherwise)
            form.was_sent(page_words().text("serve.started-before" if started else "serve.sent-before"))
            return _show(form, 409)
        if not isinstance(answer, NewMatchRefused):
            return _to(answer)
        form.refuse(answer.problems)
    return _show(form, 422)


def _to(saved: Saved) -> Response:
    """On to the match, with the keys that open it to others."""
    answer = redirect(url_for("matches.page", match=saved.match), code=303)
    if saved.keys is not None:
        keep_keys(answer, saved.match, saved.keys)
    return answer


def _variant(name: str) -> Variant:
    return get_variant(name if name in variant_ids() else USUAL)


def _fresh(variant: Variant, asked: Mapping[str, str]) -> NewMatchForm:
    """A form with nothing typed; the address may say what is played, and how many sit at the table."""
    sent = {f"option-{option.id}": asked.get(option.id, "") for option in sits_by(variant)}
    form = new_match_form(variant, seated_by(variant, sent))(formdata=None)
    form.variant.data = variant.id
    form.take_rules(asked)
    form.name_sides()
    return form


def _seated(variant: Variant) -> Mapping[str, str]:
    """The form as sent, with the option of the table that was tapped."""
    sent = MultiDict(request.form)
    name, _, value = request.form[SIT].partition("=")
    if name in {option.id for option in sits_by(variant)}:
        sent[f"option-{name}"] = value
    return sent


def _changed(variant: Variant, before: Variant, sent: Mapping[str, str]) -> NewMatchForm:
    """The form of another variant, or table, with everything that was typed and has a place in it."""
    form = new_match_form(variant, seated_by(variant, sent))(formdata=sent)
    form.variant.data = variant.id
    form.name_sides()
    form.forget_strangers(before)
    return form


def _show(form: NewMatchForm, status: int = 200) -> Response:
    return render(new_match_page(form, page_words()), status)
