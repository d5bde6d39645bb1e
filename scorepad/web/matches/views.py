"""The page of a match, and the page that starts one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorepad.i18n import Words
from scorepad.i18n.settings import value_word
from scorepad.matches.access import RequestRefused, SentOtherwise
from scorepad.matches.names import NamesRefused
from scorepad.rules.variants import Variant, default_of, default_variant, get_variant, variant_ids
from scorepad.schemas.variants import Difference, differences
from scorepad.web import limits
from scorepad.web.base import device_id, get_pad, load_match, page_words, render_page, t, to_match
from scorepad.web.forms import CONFLICT, INVALID, checks_itself, form_errors
from scorepad.web.matches.page import show_match
from scorepad.web.matches.setup_forms import NewMatchForm, new_match_form
from scorepad.web.presenters import coded, places, players_words
from scorepad.web.rule_choices import seat_options, seated_by
from scorepad.web.security import set_key_cookies

blueprint = Blueprint("matches", __name__, url_prefix="/partite")
SWITCH = "switch"
"""Name of the buttons that change the variant."""
SIT = "sit"
"""Name of the buttons that change how many sit at the table: `players=3`."""


@blueprint.get("/<match>")
def page(match: str) -> Response:
    """A match as it stands."""
    return show_match(load_match(match))


@blueprint.route("/nuova", methods=["GET", "POST"])
@checks_itself
def new() -> Response:
    """Start a match; the buttons for the variant and the table show the form again with all that was typed."""
    if request.method == "GET":
        return _show(_fresh_form(_variant(request.args.get("variante", default_variant())), request.args))
    before = _variant(request.form.get("variant", default_variant()))
    if SWITCH in request.form:
        form = _changed_form(_variant(request.form[SWITCH]), before, request.form)
        return _show(form, chose_variant=form.plays is not before)
    if SIT in request.form:
        return _show(_changed_form(before, before, _with_seats(before)))
    return _start(new_match_form(before, seated_by(before, request.form), request.form))


def _start(form: NewMatchForm) -> Response:
    if not form.validate():
        return _show(form, INVALID)
    limits.begin()
    try:
        result = get_pad().actions.start(form.request_name, device_id(), form.new_match())
    except RequestRefused as error:
        form.reject(t("serve.started-before" if isinstance(error, SentOtherwise) else "serve.sent-before"))
        return _show(form, CONFLICT)
    if isinstance(result, NamesRefused):
        form.refuse(result.problems)
        return _show(form, INVALID)
    response = to_match(result.match)
    if result.keys is not None:
        set_key_cookies(response, result.match, result.keys)
    return response


def _variant(name: str) -> Variant:
    return get_variant(name if name in variant_ids() else default_variant())


def _fresh_form(variant: Variant, args: Mapping[str, str]) -> NewMatchForm:
    """An empty form; the URL may choose the variant, the table and the rules."""
    sent = {f"option-{option.id}": args.get(option.id, "") for option in seat_options(variant)}
    form = new_match_form(variant, seated_by(variant, sent), None)
    form.take_rules(args)
    form.name_sides()
    return form


def _with_seats(variant: Variant) -> Mapping[str, str]:
    """The submitted form with the table that was chosen."""
    sent = MultiDict(request.form)
    name, _, value = request.form[SIT].partition("=")
    if name in {option.id for option in seat_options(variant)}:
        sent[f"option-{name}"] = value
    return sent


def _changed_form(variant: Variant, before: Variant, sent: Mapping[str, str]) -> NewMatchForm:
    """The form of another variant or table, with all that was typed and has a field in it."""
    form = new_match_form(variant, seated_by(variant, sent), sent)
    form.name_sides()
    form.drop_unknown(before)
    return form


def _show(form: NewMatchForm, status: int = 200, *, chose_variant: bool = False) -> Response:
    form.variant.data = form.plays.id
    form.offer()
    words = page_words()
    return render_page(
        "matches/new.html",
        title=t("web.new.title"),
        status=status,
        errors=form_errors(form),
        has_form=True,
        form=form,
        tables=[_table(form, option.id) for option in seat_options(form.plays)],
        variants=[(get_variant(name), players_words(get_variant(name), words)) for name in variant_ids()],
        differences=_differences(form.plays, words),
        chose_variant=chose_variant,
    )


def _differences(variant: Variant, words: Words) -> tuple[str, list[tuple[Difference, str]]] | None:
    """How a variant differs from classica: its usual source, and each difference with another source, if it has one."""
    found = [each for each in differences(variant, words) if each.matters]
    if not found:
        return None
    named = [places(map(str, each.cited.citations), words) for each in found]
    usual = Counter(named).most_common(1)[0][0]
    return usual, [(each, "" if source == usual else source) for each, source in zip(found, named, strict=True)]


def _table(form: NewMatchForm, name: str) -> tuple[str, str, list[tuple[str, str, bool]]]:
    """An option of the table: its id, what the form holds of it, and its values as code, label, and whether chosen."""
    option, field = form.plays.options[name], form[f"option-{name}"]
    chosen = field.data or coded(default_of(form.plays, option))
    values = [(coded(entry.value), value_word(name, entry.value, page_words())) for entry in option.values]
    return name, field.data or "", [(code, label, code == chosen) for code, label in values]
