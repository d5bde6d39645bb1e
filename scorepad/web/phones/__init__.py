"""The phones of a match: the codes that let others in, who came in, and whose match it is.

Its modules are read when it is first entered, as those of a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from scorepad.web.forms import checks_itself

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

blueprint = Blueprint("phones", __name__)
PHONES = "/partite/<match>/telefoni"


@blueprint.get("/e/<key>")
def enter(key: str) -> Response:
    """Come into a match by its key, and go on to its clean address."""
    from scorepad.web.phones import entering

    return entering.enter(key)


@blueprint.get(PHONES)
def page(match: str) -> Response:
    """The codes and the phones of a match."""
    from scorepad.web.phones import views

    return views.show(match)


@blueprint.get(f"{PHONES}/stato")
def state(match: str) -> Response:
    """How far the match has come, and who may come to it."""
    from scorepad.web.phones import views

    return views.state(match)


@blueprint.post(f"{PHONES}/codice")
@checks_itself
def code(match: str) -> Response:
    """Make a code anew, or withdraw it."""
    from scorepad.web.phones import views

    return views.change_code(match)


@blueprint.post(f"{PHONES}/telefono")
@checks_itself
def phone(match: str) -> Response:
    """Hand the match on to a phone, or send it out."""
    from scorepad.web.phones import views

    return views.change_phone(match)


@blueprint.post(f"{PHONES}/parte")
@checks_itself
def seat(match: str) -> Response:
    """Say which side this phone counts for."""
    from scorepad.web.phones import views

    return views.sit(match)
