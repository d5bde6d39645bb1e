"""What every form carries: the token against forgery and the name of this submission; and its troubles in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from flask import request
from flask_wtf import FlaskForm
from flask_wtf.csrf import CSRFProtect
from werkzeug.datastructures import ImmutableMultiDict
from wtforms import Field, HiddenField, ValidationError

from scorepad.web.frame import FieldError, new_request_id, page_words

if TYPE_CHECKING:
    from scorepad.pad.who import RequestId

guard = CSRFProtect()
"""Refuses every unsafe request without a token, but one to a view that `checks_itself`."""

View = TypeVar("View", bound=Callable[..., Any])

LONGEST_NOTE = 300
"""Characters of a note that goes with a hand, a penalty or a correction."""

_REQUEST = re.compile(r"[A-Za-z0-9_-]{16,64}")


def checks_itself(view: View) -> View:
    """A view that checks its own form, and shows again what was typed; a `PadForm` looks at the token all the same."""
    guard.exempt(view)
    return view


class PadForm(FlaskForm):  # type: ignore[misc] # flask-wtf ships no types
    """A form of the pad. Sent twice, it counts once."""

    class Meta(FlaskForm.Meta):  # type: ignore[misc]
        """What a form is read from."""

        def wrap_formdata(self, form: FlaskForm, formdata: Any) -> Any:
            """The fields that were sent as a form: sent as JSON they could be of any shape, and none is taken."""
            if formdata is not None and request.is_json:
                return ImmutableMultiDict()
            return super().wrap_formdata(form, formdata)

    request_id = HiddenField(default=new_request_id)

    @property
    def request_name(self) -> RequestId:
        """The random name of this submission."""
        name: RequestId = self.request_id.data
        return name

    def validate_request_id(self, field: Field) -> None:
        """Refuse a name that no form of ours gave, and a form that was sent without any: it could count twice."""
        if not field.raw_data or not _REQUEST.fullmatch(field.data or ""):
            field.data = new_request_id()
            raise ValidationError(page_words().text("web.error.expired"))

    def was_sent(self, told: str) -> None:
        """Take a new name, since the old one has served for something else, and say so beside what was typed."""
        self.renew()
        self.request_id.errors = (*self.request_id.errors, told)

    def renew(self) -> None:
        """Take a new name, for a form that is shown again to be sent with other content."""
        self.request_id.data = new_request_id()


def form_errors(form: FlaskForm) -> tuple[FieldError, ...]:
    """What is wrong with a form, in the order of its fields. A stale token is told once, in words."""
    found = (_error(field, text) for field in form for text in _flat(field.errors))
    return tuple(dict.fromkeys(found))


def _error(field: Field, text: str) -> FieldError:
    if field.name == "csrf_token":
        return FieldError(None, page_words().text("web.error.expired"))
    return FieldError(None if isinstance(field, HiddenField) else field.id, text)


def _flat(errors: Any) -> list[str]:
    if isinstance(errors, dict):
        return [text for each in errors.values() for text in _flat(each)]
    return [text for each in errors for text in (_flat(each) if isinstance(each, list | tuple | dict) else [str(each)])]
