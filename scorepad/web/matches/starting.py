"""Starting a match: the form, another variant with everything typed kept, the start."""

from __future__ import annotations

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.pad.errors import RequestRefused, SentOtherwise
from scorepad.pad.values import NewMatchRefused
from scorepad.rules.variants import Variant, get_variant, variant_ids
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.matches.forms import NewMatchForm, are_default_names, default_names, new_match_form
from scorepad.web.matches.new_page import new_match_page

SWITCH = "switch"
"""The name of the buttons that change the variant."""
FIRST = "classica"


def answer_new() -> Response:
    """The page of a new match, or the match that it started."""
    if request.method == "GET":
        return _show(_fresh(_variant(request.args.get("variante", FIRST))))
    if SWITCH in request.form:
        form = _switched(_variant(request.form[SWITCH]))
        return render(new_match_page(form, page_words(), chose_variant=True))
    form = new_match_form(_variant(request.form.get("variant", FIRST)))()
    if form.validate():
        try:
            answer = the_pad().start(form.request_name, device_id(), form.new_match())
        except RequestRefused as trouble:
            started = isinstance(trouble, SentOtherwise)
            form.was_sent(page_words().text("serve.started-before" if started else "serve.sent-before"))
            return _show(form, 409)
        if not isinstance(answer, NewMatchRefused):
            return redirect(url_for("matches.page", match=answer.match), code=303)
        form.refuse(answer.problems)
    return _show(form, 422)


def _variant(name: str) -> Variant:
    return get_variant(name if name in variant_ids() else FIRST)


def _fresh(variant: Variant) -> NewMatchForm:
    form = new_match_form(variant)(formdata=None)
    form.variant.data = variant.id
    _name_sides(form)
    return form


def _switched(variant: Variant) -> NewMatchForm:
    """The form of another variant with everything that was typed and has a place in it."""
    form = new_match_form(variant)()
    form.variant.data = variant.id
    if are_default_names(form.names):
        _name_sides(form)
    form.forget_strangers()
    return form


def _name_sides(form: NewMatchForm) -> None:
    for side, name in enumerate(default_names(form.side_sizes, page_words())):
        form[f"name-{side}"].data = name


def _show(form: NewMatchForm, status: int = 200) -> Response:
    return render(new_match_page(form, page_words()), status)
