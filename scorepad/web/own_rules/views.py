"""The pages of house rules: the list, the form, the differences, export and import of files."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.errors import VariantError
from scorepad.heavy import heavy_work
from scorepad.i18n import os_error_text
from scorepad.i18n.settings_in_words import variant_name
from scorepad.i18n.variant_errors import variant_problems
from scorepad.limited import LimitReached
from scorepad.rules.definitions import Variant
from scorepad.rules.toml_text import LARGEST_FILE
from scorepad.rules.variants import (
    RESERVED,
    get_variant,
    own_variants,
    package_ids,
    variant_ids,
)
from scorepad.schemas.variant_json import differing_rules
from scorepad.storage.own_rules import compose, free_code, own_text, remove_own, save_own, take_own
from scorepad.web.base import app_state, language, notice, page_words, render_page, t
from scorepad.web.file_responses import file_response
from scorepad.web.forms import INVALID, PadForm, checks_itself
from scorepad.web.own_rules.forms import OwnFileForm, OwnRulesForm, own_rules_form
from scorepad.web.rule_choices import keep_made, made_here, of_other_guests
from scorepad.web.security import is_admin, limit_matches

blueprint = Blueprint("own_rules", __name__, url_prefix="/nostre-regole")
MOST_RULES = 100
"""House rules of a pad, without those of guests: of devices without access to all matches."""
MOST_OF_GUESTS = 20
"""House rules of all guests together. A device can get a new session, so that a limit for each is
not enough.
"""
MOST_OF_DEVICE = 5
"""House rules of one guest."""


@blueprint.get("/")
def page() -> Response:
    """The house rules of this pad, and the variants to start from."""
    return _show_list(OwnFileForm(formdata=None))


@blueprint.route("/nuove", methods=["GET", "POST"], endpoint="new")
@checks_itself
def new_rules_page() -> Response:
    """House rules that start from a variant of the package."""
    name = request.values.get("da")
    return _edit(get_variant(name if name in package_ids() else package_ids()[0]))


@blueprint.get("/<variant>")
def one(variant: str) -> Response:
    """House rules: the differences from the variant that they start from."""
    return _show_one(_own(variant), PadForm(formdata=None))


@blueprint.route("/<variant>/cambia", methods=["GET", "POST"])
@checks_itself
def change(variant: str) -> Response:
    """Change the figures of house rules; matches already started keep theirs."""
    return _edit(_changeable(variant))


@blueprint.post("/<variant>/elimina")
@checks_itself
def remove(variant: str) -> Response:
    """Remove house rules; matches already started keep them."""
    own = _changeable(variant)
    form = PadForm()
    name = variant_name(own, page_words())
    if not form.validate() or not _attempt(form, lambda: remove_own(own.id)):
        return _show_one(own, form)
    app_state().forget()
    notice(t("own.removed", name=name))
    return redirect(url_for("own_rules.page"), code=303)


@blueprint.get("/<variant>.toml")
def download(variant: str) -> Response:
    """The file of house rules, for another pad."""
    return file_response(own_text(_own(variant).id).encode(), "application/toml", variant, "toml")


@blueprint.post("/file", endpoint="take")
@checks_itself
def import_rules() -> Response:
    form = OwnFileForm()
    if not form.validate():
        return _show_list(form)
    file = form.file.data
    saved = list[str]()
    content = file.read(LARGEST_FILE + 1) if file else b""
    if not content:
        form.reject(t("own.take.none"), INVALID)
        return _show_list(form)
    if len(content) > LARGEST_FILE:
        form.reject(t("own.take.large", most=LARGEST_FILE // 1024), INVALID)
        return _show_list(form)

    def write() -> None:
        saved.append(take_own(file.filename, content, is_guest=not is_admin()))

    with heavy_work():
        is_taken = _attempt(form, write, is_new=True)
    return _saved(*saved) if is_taken else _show_list(form)


def _attempt(form: PadForm, write: Callable[[], None], *, is_new: bool = False) -> bool:
    """Write house rules, new ones within the limits; False if something was wrong, which is shown
    with the form.
    """
    full = _why_full() if is_new else ""
    if full:
        form.reject(full, INVALID)
        return False
    if is_new:
        limit_matches()
    try:
        write()
    except VariantError as error:
        for text in variant_problems(error, page_words()):
            form.reject(text, INVALID)
    except LimitReached:
        form.reject(t("own.take.costly"), INVALID)
    except OSError as error:
        form.reject(t("own.not-written", detail=os_error_text(error, page_words())), 503)
    return not form.errors


def _why_full() -> str:
    """Why this device cannot make more house rules; empty if it can."""
    guests = own_variants().guests
    if is_admin():
        is_full = len(own_variants().usable) - len(guests) >= MOST_RULES
        return t("own.many", most=MOST_RULES) if is_full else ""
    if len(guests & made_here()) >= MOST_OF_DEVICE:
        return t("own.many.device", most=MOST_OF_DEVICE)
    if len(guests) >= MOST_OF_GUESTS:
        return t("own.many.guests", most=MOST_OF_GUESTS)
    return ""


def _own(name: str) -> Variant:
    """The custom variant of a URL; any other is 404."""
    return own_variants().usable.get(name) or abort(404)


def _may_change(variant: str) -> bool:
    """Whether this device made the house rules, or has access to all matches."""
    return is_admin() or variant in made_here()


def _changeable(name: str) -> Variant:
    own = _own(name)
    if not _may_change(own.id):
        abort(403, "not-home")
    return own


def _edit(variant: Variant) -> Response:
    """Show the form, or save it."""
    if request.method == "GET":
        return _show_form(own_rules_form(variant, None, request.args))
    form = own_rules_form(variant, request.form)
    if not form.validate():
        return _show_form(form)
    rules = form.rules()
    name = form.saved_id or free_code(rules.name, {*variant_ids(), *RESERVED}, "regole")
    content = compose(rules, name, form.parent, language(), own_text(name) if form.saved_id else "")
    is_saved = _attempt(
        form, lambda: save_own(name, content, is_guest=not is_admin()), is_new=not form.saved_id
    )
    return _saved(name) if is_saved else _show_form(form)


def _saved(variant: str) -> Response:
    """Redirect to house rules saved by this device; it may change them."""
    keep_made(variant)
    app_state().forget()
    notice(t("own.saved", name=variant_name(get_variant(variant), page_words())))
    return redirect(url_for("own_rules.one", variant=variant), code=303)


def _show_one(own: Variant, form: PadForm) -> Response:
    words = page_words(own)
    parent = get_variant(own.parent or own.id)
    return render_page(
        "own_rules/one.html",
        title=variant_name(own, words),
        words=words,
        variant=own,
        parent=parent,
        differences=[each for each in differing_rules(own, words, parent.id) if each.matters],
        may_change=_may_change(own.id),
        form=form,
    )


def _show_form(form: OwnRulesForm) -> Response:
    title = (
        t("own.change.title", name=variant_name(form.variant, page_words()))
        if form.saved_id
        else t("own.new.title")
    )
    return render_page("own_rules/form.html", title=title, has_form=True, form=form)


def _show_list(form: OwnFileForm) -> Response:
    broken = list[str]()
    for error in own_variants().broken:
        broken += variant_problems(error, page_words())
    others = of_other_guests()
    return render_page(
        "own_rules/page.html",
        title=t("own.title"),
        has_form=True,
        form=form,
        rules=[variant for name, variant in own_variants().usable.items() if name not in others],
        rules_of_guests=list(map(get_variant, sorted(others))),
        broken=broken,
        starts=list(map(get_variant, package_ids())),
    )
