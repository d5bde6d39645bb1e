"""The pages of house rules: the list, the form, the differences, export and import of files."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorepad.errors import VariantError
from scorepad.heavy import one_heavy_job_at_a_time
from scorepad.i18n import describe_os_error
from scorepad.i18n.settings_in_words import variant_name
from scorepad.i18n.variant_errors import describe_variant_errors
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
from scorepad.schemas.variant_json import find_differing_rules
from scorepad.storage.own_rules import (
    compose_house_rules,
    delete_house_rules_file,
    make_free_code,
    read_house_rules_text,
    save_house_rules_file,
    save_uploaded_house_rules,
)
from scorepad.web.base import app_state, language, notice, page_words, render_page, t
from scorepad.web.cookies import may_see_all
from scorepad.web.file_responses import file_response
from scorepad.web.forms import INVALID, PadForm, checks_itself
from scorepad.web.own_rules.forms import OwnFileForm, OwnRulesForm, make_own_rules_form
from scorepad.web.request_limits import count_started_matches
from scorepad.web.rules_of_devices import made_here, remember_made_here, rules_of_other_guests

blueprint = Blueprint("own_rules", __name__, url_prefix="/nostre-regole")
MOST_RULES = 100
"""House rules of a pad, without those of guests: of devices without access to all matches."""
MOST_OF_GUESTS = 20
"""House rules of all guests together: a limit for each is not enough, as a device can get a new
session.
"""
MOST_OF_DEVICE = 5
"""House rules of one guest."""


@blueprint.get("/", endpoint="page")
def show_house_rules() -> Response:
    """Show the house rules on this pad, and the games from which new ones can start."""
    return _show_list(OwnFileForm(formdata=None))


@blueprint.route("/nuove", methods=["GET", "POST"], endpoint="new")
@checks_itself
def new_rules_page() -> Response:
    """Show the form for new house rules, or save them once it is submitted.

    They start from the game that the parameter `da` ("from") names, or else from the first one.
    """
    parent = request.values.get("da")
    if parent not in package_ids():
        parent = package_ids()[0]
    return _show_or_save_form(get_variant(parent))


@blueprint.get("/<variant>")
def one(variant: str) -> Response:
    """Show house rules: how they differ from the game that they start from."""
    return _show_one(_find_house_rules_of_url(variant), PadForm(formdata=None))


@blueprint.route("/<variant>/cambia", methods=["GET", "POST"])
@checks_itself
def change(variant: str) -> Response:
    """Show the form to change house rules, or save the changes once it is submitted.

    Matches already started keep the rules that they have.
    """
    return _show_or_save_form(_find_rules_to_change(variant))


@blueprint.post("/<variant>/elimina")
@checks_itself
def remove(variant: str) -> Response:
    """Remove house rules, and show the list of those that are left.

    Matches already started keep the removed rules.
    """
    house_rules = _find_rules_to_change(variant)
    form = PadForm()
    if not form.validate():
        return _show_one(house_rules, form)

    name = variant_name(house_rules, page_words())  # afterwards nothing knows it
    try:
        delete_house_rules_file(house_rules.id)
    except _ERRORS_OF_SAVING as error:
        _show_error(form, error)
        return _show_one(house_rules, form)

    app_state().clear_rendered()  # pages rendered before may show the removed rules
    notice(t("own.removed", name=name))  # "“{name}” is deleted."
    return redirect(url_for("own_rules.page"), code=303)


@blueprint.get("/<variant>.toml")
def download(variant: str) -> Response:
    """Return the file of house rules, to be imported on another pad."""
    text = read_house_rules_text(_find_house_rules_of_url(variant).id)
    return file_response(text.encode(), "application/toml", variant, "toml")


@blueprint.post("/file", endpoint="take")
@checks_itself
def import_rules() -> Response:
    """Save the house rules in an uploaded file, or show the list again and what is wrong."""
    form = OwnFileForm()
    if not form.validate():
        return _show_list(form)
    content = form.read_content(LARGEST_FILE)
    if not content:
        form.reject(t("own.take.none"), INVALID)  # "Choose a file."
        return _show_list(form)
    if len(content) > LARGEST_FILE:
        # It says: "The file is too large for rules: at most {most} kB."
        form.reject(t("own.take.large", most=LARGEST_FILE // 1024), INVALID)
        return _show_list(form)

    rules_id = _save_upload(form, content)
    if rules_id is None:
        return _show_list(form)
    return _redirect_to_saved(rules_id)


def _save_upload(form: OwnFileForm, content: bytes) -> str | None:
    """Save the house rules of an uploaded file, and return their id.

    None if they cannot be saved: the form then has an error that says why. Raises Overloaded if the
    server reads too many files at the moment.
    """
    with one_heavy_job_at_a_time():
        try:
            _require_room_for_new_rules()
            return save_uploaded_house_rules(
                form.file.data.filename, content, is_guest=not may_see_all()
            )
        except _ERRORS_OF_SAVING as error:
            _show_error(form, error)
            return None


class _TooManyRules(Exception):
    """Raised when a device cannot add house rules; the message says why."""


def _require_room_for_new_rules() -> None:
    """Check that this device may add house rules.

    - there are too many already → raises _TooManyRules
    - the device adds them too fast → raises TooManyRequests, status 429
    """
    if may_see_all():
        _require_room_for_admin()
    else:
        _require_room_for_guest()
    count_started_matches()  # new house rules count like a match that the device starts


def _require_room_for_admin() -> None:
    """Check that a device with access to all matches may add house rules. Raises _TooManyRules.

    The house rules of guests do not count for this limit.
    """
    rules_of_admins = len(own_variants().usable) - len(own_variants().guests)
    if rules_of_admins >= MOST_RULES:
        # It says: "There are {most} house rules already: delete one that nobody plays any more."
        raise _TooManyRules(t("own.many", most=MOST_RULES))


def _require_room_for_guest() -> None:
    """Check that a device without access to all matches may add house rules. Raises _TooManyRules.

    There is a limit for the device, and one for all such devices together.
    """
    rules_of_guests = own_variants().guests
    rules_of_device = rules_of_guests.intersection(made_here())
    if len(rules_of_device) >= MOST_OF_DEVICE:
        # It says: "You saved {most} sets of rules from this phone already …"
        raise _TooManyRules(t("own.many.device", most=MOST_OF_DEVICE))
    if len(rules_of_guests) >= MOST_OF_GUESTS:
        # It says: "The phones of guests saved {most} sets of rules already, together …"
        raise _TooManyRules(t("own.many.guests", most=MOST_OF_GUESTS))


_ERRORS_OF_SAVING = (_TooManyRules, VariantError, LimitReached, OSError)
"""What can go wrong when house rules are saved or removed, and is shown on the form."""


def _show_error(form: PadForm, error: Exception) -> None:
    """Show on the form why house rules cannot be saved or removed."""
    words = page_words()
    match error:
        case VariantError():  # the rules are wrong, or their file cannot be read
            for text in describe_variant_errors(error, words):
                form.reject(text, INVALID)
        case LimitReached():  # to check the rules takes too long
            form.reject(t("own.take.costly"), INVALID)
        case OSError():  # the disk is full, for example
            form.reject(t("own.not-written", detail=describe_os_error(error, words)), 503)
        case _:
            form.reject(str(error), INVALID)


def _find_house_rules_of_url(name: str) -> Variant:
    """Find the house rules with the id in the URL; answer 404 for anything else.

    A game that comes with the app has no page here either.
    """
    house_rules = own_variants().usable.get(name)
    if house_rules is None:
        abort(404)
    return house_rules


def _may_change(variant: str) -> bool:
    """Tell whether this device may change house rules.

    It may if it made them, or if it has access to all matches.
    """
    return may_see_all() or variant in made_here()


def _find_rules_to_change(name: str) -> Variant:
    """Find the house rules of the URL; answer 403 if this device may not change them."""
    house_rules = _find_house_rules_of_url(name)
    if not _may_change(house_rules.id):
        abort(403, "not-admin")  # the page "These rules are not yours"
    return house_rules


def _show_or_save_form(variant: Variant) -> Response:
    """Show the form of house rules, or save what was submitted.

    - a saved set of house rules → it is changed
    - a game that comes with the app → new house rules start from it

    If something is wrong, the form is shown again with its errors.
    """
    if request.method == "GET":
        return _show_form(make_own_rules_form(variant, None, request.args))
    form = make_own_rules_form(variant, request.form)
    if not form.validate():
        return _show_form(form)

    rules_id = _save_house_rules(form)
    if rules_id is None:
        return _show_form(form)
    return _redirect_to_saved(rules_id)


def _save_house_rules(form: OwnRulesForm) -> str | None:
    """Save the house rules of a valid form, and return their id.

    None if they cannot be saved: the form then has an error that says why.
    """
    rules = form.house_rules()
    if form.saved_id is None:
        rules_id = _make_free_rules_id(rules.name)
        text_before = ""
    else:
        rules_id = form.saved_id
        text_before = read_house_rules_text(rules_id)  # its comments and sources stay
    text = compose_house_rules(
        rules, rules_id, form.base_game, language=language(), text_before=text_before
    )
    try:
        if form.saved_id is None:
            _require_room_for_new_rules()
        save_house_rules_file(rules_id, text, is_guest=not may_see_all())
    except _ERRORS_OF_SAVING as error:
        _show_error(form, error)
        return None
    return rules_id


def _make_free_rules_id(name: str) -> str:
    """Make an id for new house rules from their name, which no other game has: `regole-di-casa`."""
    used_ids = {*variant_ids(), *RESERVED}
    return make_free_code(name, used_ids, "regole")


def _redirect_to_saved(variant: str) -> Response:
    """Redirect to the page of house rules that were just saved.

    The session remembers that this device may change them.
    """
    remember_made_here(variant)
    app_state().clear_rendered()  # pages rendered before may show the rules as they were
    # It says: "House rules “{name}” saved. You can choose them for every new match."
    notice(t("own.saved", name=variant_name(get_variant(variant), page_words())))
    return redirect(url_for("own_rules.one", variant=variant), code=303)


def _show_one(house_rules: Variant, form: PadForm) -> Response:
    """Show the page of house rules, with what they change in the game that they start from.

    `form` is sent by the button to remove them; after an error it has a message.
    """
    words = page_words(house_rules)
    parent = get_variant(house_rules.parent or house_rules.id)
    differences = find_differing_rules(house_rules, words, parent.id)
    return render_page(
        "own_rules/one.html",
        title=variant_name(house_rules, words),
        words=words,
        variant=house_rules,
        parent=parent,
        differences=[difference for difference in differences if difference.matters],
        may_change=_may_change(house_rules.id),
        form=form,
    )


def _show_form(form: OwnRulesForm) -> Response:
    """Show the page with the form of house rules, new or saved ones."""
    title = t("own.new.title")
    if form.saved_id:
        title = t("own.change.title", name=variant_name(form.rules_before, page_words()))
    return render_page("own_rules/form.html", title=title, has_form=True, form=form)


def _show_list(form: OwnFileForm) -> Response:
    """Show the page with all house rules of this pad.

    `form` is the one to import a file; after an error it has a message.
    """
    return render_page(
        "own_rules/page.html",
        title=t("own.title"),
        has_form=True,
        form=form,
        rules=_list_rules_but_of_other_guests(),
        rules_of_guests=[get_variant(rules_id) for rules_id in sorted(rules_of_other_guests())],
        broken=_list_messages_of_broken_files(),
        variants_to_start_from=[get_variant(variant_id) for variant_id in package_ids()],
    )


def _list_rules_but_of_other_guests() -> list[Variant]:
    """List the house rules on this pad, without those that other guests made.

    A guest is a device without access to all matches.
    """
    ids_of_other_guests = rules_of_other_guests()
    rules = []
    for rules_id, variant in own_variants().usable.items():
        if rules_id not in ids_of_other_guests:
            rules.append(variant)
    return rules


def _list_messages_of_broken_files() -> list[str]:
    """List what is wrong with the files of house rules that cannot be used, in words."""
    messages: list[str] = []
    for error in own_variants().broken:
        messages += describe_variant_errors(error, page_words())
    return messages
