"""Forms: CSRF and request ids, field types with their messages, typed figures, and the responses to
a submitted form.

A form names its labels and messages by catalogue keys; `templates/fields.html` renders its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from flask import request
from flask_babel.speaklater import LazyString
from flask_wtf import FlaskForm
from flask_wtf.csrf import CSRFProtect
from werkzeug.datastructures import ImmutableMultiDict
from wtforms import Field, HiddenField, IntegerField, StringField, ValidationError
from wtforms.widgets import HiddenInput

from scorepad.i18n import Language
from scorepad.matches.access import DeviceId, MatchId, RequestId
from scorepad.matches.names import NameProblem, NamesRefused
from scorepad.matches.transaction import ReasonWanted, RequestRefused, Saved, Stale
from scorepad.rules.settings import LARGEST
from scorepad.web.base import Errors, FieldError, device_id, language, new_request_id, page_words, t

csrf = CSRFProtect()
"""Rejects every unsafe request without a token, except for views marked `checks_itself`."""

View = TypeVar("View", bound=Callable[..., Any])
Validator = Callable[[FlaskForm, Field], None]

INVALID, CONFLICT = 422, 409
LONGEST_REMARK = 300
"""Characters of a remark or reason."""
NUMERIC = {"inputmode": "numeric"}

_REQUEST = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Sent(NamedTuple):
    """What the services need of every form sent, as their first arguments: it is passed as `*sent`."""

    request: RequestId
    match: MatchId
    device: DeviceId


def checks_itself(view: View) -> View:
    """Exempt a view whose `PadForm` checks the CSRF token, so that it can show the input again."""
    csrf.exempt(view)
    return view


def lazy(key: str, /, **arguments: int | str) -> LazyString:
    """Return a message that is looked up only when it is rendered, in the language of the request.

    The labels of forms need this: they are defined when the program starts.
    """
    return LazyString(lambda: t(key, **arguments))


class _TokenWhenShown(FlaskForm.Meta.csrf_class):  # type: ignore[misc] # flask-wtf ships no types
    """Signs the CSRF token of a form when it is shown: most submitted forms end in a redirect."""

    def generate_csrf_token(self, csrf_token_field: Field) -> LazyString:
        return LazyString(super().generate_csrf_token, csrf_token_field)


class PadForm(FlaskForm):  # type: ignore[misc] # flask-wtf ships no types
    """A form with a CSRF token and a request id: submitted twice, it takes effect once."""

    class Meta(FlaskForm.Meta):  # type: ignore[misc]
        """Reads form data only."""

        csrf_class = _TokenWhenShown

        def wrap_formdata(self, form: FlaskForm, formdata: Any) -> Any:
            """Return the submitted fields, as WTForms asks for them.

            There are none in a JSON request, whose values could have any type.
            """
            if formdata is not None and request.is_json:
                return ImmutableMultiDict()
            return super().wrap_formdata(form, formdata)

    request_id = HiddenField(default=new_request_id)
    status = 200
    """The HTTP status of the page that shows it."""

    @property
    def request_name(self) -> RequestId:
        name: RequestId = self.request_id.data
        return name

    def validate_request_id(self, field: Field) -> None:
        """Refuse a missing or malformed request id: the form could take effect twice."""
        if not field.raw_data or not _REQUEST.fullmatch(field.data or ""):
            field.data = new_request_id()
            raise ValidationError(t("web.error.expired"))

    def validate(self, extra_validators: Any = None) -> bool:
        """Validate the form; if it is invalid, the page that shows it again has the status 422."""
        is_valid: bool = super().validate(extra_validators)
        if not is_valid:
            self.status = INVALID
        return is_valid

    @property
    def summary(self) -> Errors:
        """List the errors of all fields, in the order of the fields, each once.

        The page shows an error with a link to its field. Nobody sees a hidden field, so its error
        is one of the whole page.
        """
        errors: list[FieldError] = []
        for field in self:
            is_hidden = isinstance(field.widget, HiddenInput)
            field_id = None if is_hidden else field.id
            for text in self._error_texts(field):
                error = FieldError(field_id, str(text))
                if error not in errors:
                    errors.append(error)
        return tuple(errors)

    def _error_texts(self, field: Field) -> Sequence[str]:
        """List the error messages of a field.

        For a wrong CSRF token it is a message of our own: "The page had been open for a long time
        and has expired. What was typed is still here: send it again."
        """
        if field.name == "csrf_token" and field.errors:
            return [t("web.error.expired")]
        errors: Sequence[str] = field.errors
        return errors

    def submit(self, match: MatchId, act: Callable[[Sent], Any]) -> Saved | Stale | None:
        """Validate the form and save what it says, by calling `act`.

        `act` gets the request id, the match and the device. Returns

        - Saved, if it was saved
        - Stale, if the match has changed since the page was loaded
        - None, if the form must be shown again with its errors: it is invalid, a name was refused,
          or the same request id was used for something else

        Raises MatchOver.
        """
        if not self.validate():
            return None
        try:
            result = act(Sent(self.request_name, match, device_id()))
        except RequestRefused:
            self.reject(t("serve.sent-before"))
            return None
        if isinstance(result, Saved | Stale):
            return result

        self.status = INVALID
        if isinstance(result, ReasonWanted):
            add_error(self.reason, t("checking.reason-wanted"))
        else:
            self.show_refused_names(result)
        return None

    def reject(self, message: str, status: int = CONFLICT) -> None:
        """Refuse the form with an error about the whole page, and let it be sent again.

        It gets a new request id, because the old one was used, or the match has changed.
        """
        self.renew()
        # The request id is a hidden field, so that its errors are shown for the whole page.
        self.request_id.errors = (*self.request_id.errors, message)
        self.status = status

    def renew(self) -> None:
        """Take a new request id, for a form that is shown again with other content."""
        self.request_id.data = new_request_id()

    def show_refused_names(self, refused: NamesRefused) -> None:
        """Show what is wrong with refused names, each problem at the field of the name.

        A form with names defines this itself. For any other form it is a mistake to get here.
        """
        raise NotImplementedError(refused)


class HiddenNumber(IntegerField):  # type: ignore[misc] # WTForms ships no types
    """A number that the page put into the form, such as the version that it showed."""

    widget = HiddenInput()
    data: Any

    def process_formdata(self, valuelist: list[str]) -> None:
        """Read the number: `["17"]` → 17.

        It is None if it is missing, or something that our pages never send: then `pre_validate`
        refuses it.
        """
        self.data = None
        if valuelist and re.fullmatch(r"[0-9]{1,9}", valuelist[0]):
            self.data = int(valuelist[0])

    def _value(self) -> str:
        return "" if self.data is None else str(self.data)

    def pre_validate(self, form: FlaskForm) -> None:  # noqa: ARG002 - WTForms' signature
        """Refuse a missing number."""
        if self.data is None:
            raise ValidationError(t("web.error.expired"))


class Choice(NamedTuple):
    """A choice: its value, label, a further text and its source; the page may word it differently."""

    value: str
    label: str = ""
    detail: str = ""
    source: str = ""


class ChoiceField(StringField):  # type: ignore[misc] # WTForms ships no types
    """Radio buttons with further texts and sources; `message`: key of the error for an invalid choice."""

    def __init__(self, *args: Any, message: str = "web.error.choice", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.message = message
        self.choices: tuple[Choice, ...] = ()
        self.accepts: tuple[str, ...] = ()
        """Values that are accepted but not offered."""

    @property
    def chosen_label(self) -> str:
        """Return the label of the chosen value; the value itself if it is not offered."""
        for choice in self.choices:
            if choice.value == self.data:
                return choice.label
        return str(self.data)

    @property
    def choices_with_source(self) -> list[Choice]:
        return [choice for choice in self.choices if choice.source]

    def pre_validate(self, form: FlaskForm) -> None:  # noqa: ARG002 - WTForms' signature
        """Refuse a value that is not among the choices: "There is no such choice here …"."""
        offered = {choice.value for choice in self.choices}
        if self.data not in offered and self.data not in self.accepts:
            raise ValidationError(t(self.message))


def describing_ids(field: Field) -> str:
    """List the ids of what describes a field on its page: its hint, and its errors.

    `place-hint place-error`, or one of them; empty if the field has neither.
    """
    ids = []
    if field.description:
        ids.append(f"{field.id}-hint")
    if field.errors:
        ids.append(f"{field.id}-error")
    return " ".join(ids)


def at_most(limit: int, key: str = "match.long", length: Callable[[str], int] = len) -> Validator:
    """Make a validator that refuses a text longer than this limit; `key` is that of the message.

    `length` measures the text, by default in characters.
    """

    def check(_form: FlaskForm, field: Field) -> None:
        if length(field.data or "") > limit:
            raise ValidationError(t(key, limit=limit))

    return check


def whole_number(least: int, most: int, step: int = 1, *, optional: bool = True) -> Validator:
    """Make a validator for a whole number from `least` to `most` that is a multiple of `step`.

    "Points: enter a number from 0 to 5,000, a multiple of 5." `optional`: the field may be blank.
    """
    return _WholeNumber(least, most, step, is_optional=optional)


@dataclass(frozen=True)
class _WholeNumber:
    """A validator for a whole number from `least` to `most` that is a multiple of `step`."""

    least: int
    most: int
    step: int
    is_optional: bool

    def __call__(self, _form: FlaskForm, field: Field) -> None:
        """Check what is typed in a field, as WTForms calls it. Raises ValidationError."""
        number = read_figure(field.data or "", language())
        if not self._accepts(number):
            raise ValidationError(self._error_message(str(field.label.text)))

    def _accepts(self, number: int | Misread | None) -> bool:
        """Tell whether a number is valid, as it was read from the field.

        - None, for a blank field → True if the field is optional
        - `Misread`, for a text that is no number → False
        - a number → True if it is within the limits, and a multiple of the step
        """
        if number is None:
            return self.is_optional
        if isinstance(number, Misread):
            return False
        is_within_limits = self.least <= number <= self.most
        return is_within_limits and number % self.step == 0

    def _error_message(self, field_name: str) -> str:
        """Say which numbers a field takes.

        "Points: enter a number from 0 to 5,000", and unless the step is 1: ", a multiple of 5".
        """
        words = page_words()
        key = "web.error.whole" if self.step == 1 else "web.error.whole.step"
        return words.t(
            key,
            name=field_name,
            least=words.figure(self.least),
            most=words.figure(self.most),
            step=self.step,
        )


def one_line(text: str) -> str:
    """Reduce white space and line ends in a text to single spaces."""
    return " ".join(text.split())


def problem_text(problem: NameProblem) -> str:
    """Say what is wrong with a name, or another text of a match: "A name is missing here. …".

    If somebody changed the text on another phone meanwhile, the message shows what is stored now.
    """
    key = f"web.names.{problem.code}"
    was_removed_meanwhile = problem.stored_text == ""
    if was_removed_meanwhile:
        key += ".away"  # "Meanwhile somebody took away what was there. …"
    return t(key, limit=problem.limit or 0, stands=problem.stored_text or "")


def add_error(field: Field, message: str) -> None:
    field.errors = (*field.errors, message)


# ---------------------------------------------------------------- typed figures

_SPACE = "[ \\u00a0\\u2009\\u202f']"
_SEPARATOR = {Language.ITALIAN: rf"(?:\.|{_SPACE})", Language.ENGLISH: rf"(?:\.|,|{_SPACE})"}
_WHOLE_NUMBER = {
    language: re.compile(rf"\d+|\d{{1,3}}(?:{separator}\d{{3}})+", re.ASCII)
    for language, separator in _SEPARATOR.items()
}
"""Digits only, or digits with separators of thousands."""
_MINUS = re.compile(r"[-\u2212\u2010-\u2015]\s*[0-9]")
_SIGN = re.compile(r"[-\u2212\u2010-\u2015]\s*")
_TIMES = re.compile(r"[x\u00d7*]", re.IGNORECASE)
_UNFINISHED = "+xX\u00d7*"
_WHITE = " \t\n\r\f\v\u00a0\u2009\u202f"
_LONGEST_NUMBER = 12
"""Characters of a number with its separators."""
_LONGEST_CALCULATION = 200
"""Characters of a number or a sum. Anything longer is not looked at."""


class Misread(StrEnum):
    """Why typed text is not a figure."""

    MINUS = "minus"
    """It has a minus sign."""
    LARGE = "large"
    """It is more than a hand can have."""
    FIGURE = "figure"
    """It is not a whole number."""


def read_figure(text: str, language: Language) -> int | Misread | None:
    """Read a whole number that somebody typed; None for a blank text.

    Thousands may be separated as the language does. In English:

    - `1280` and `1,280` → 1280
    - `-5` → `Misread.MINUS`, negative numbers are refused
    - `99999999` → `Misread.LARGE`
    - `12a` → `Misread.FIGURE`
    """
    text = text.strip()
    if not text:
        return None
    if len(text) > _LONGEST_CALCULATION:  # so long that it is not looked at more closely
        return Misread.LARGE if text.isdecimal() else Misread.FIGURE
    if text.isascii() and text.isdecimal():  # as nearly all figures are typed
        return _refuse_too_large(int(text))

    typed = re.sub(r"\s+", " ", text)
    if _MINUS.match(typed):
        return Misread.MINUS
    if _is_whole_number(typed, language):
        digits = re.sub(r"\D", "", typed)  # without the separators of thousands
        return _refuse_too_large(int(digits))
    if _is_mistyped_large_number(typed):
        return Misread.LARGE
    return Misread.FIGURE


def _refuse_too_large(number: int) -> int | Misread:
    """Return a number itself, or `Misread.LARGE` if it is more than a hand (a round) can have."""
    if number > LARGEST:
        return Misread.LARGE
    return number


def _is_whole_number(typed: str, language: Language) -> bool:
    """Tell whether a text is digits only, or digits with separators of thousands.

    In English `1280`, `1,280` and `1 280` → True; `12,80` → False.
    """
    if len(typed) > _LONGEST_NUMBER:
        return False
    return _WHOLE_NUMBER[language].fullmatch(typed) is not None


def _is_mistyped_large_number(typed: str) -> bool:
    """Tell whether a mistyped number is too large in any case, wherever its separators belong.

    - `1.00.00.000`, which has eight digits → True
    - `12,80`, which may be a small number → False
    """
    digits = re.sub(r"[\s.,']", "", typed)
    is_number = digits.isascii() and digits.isdigit()
    return is_number and len(digits) > len(str(LARGEST))


def figure_of(text: str | None) -> int | None:
    """Read a typed whole number; None if the text is blank, or not such a number."""
    figure = read_figure(text or "", language())
    if not isinstance(figure, int):
        return None
    return figure


def read_sum(text: str, language: Language, *, signed: bool = False) -> int | Misread | None:
    """Read a number or a calculation that somebody typed; None for a blank text.

    - `120+85+40` → 245
    - `3x50+4x20` → 230
    - `3x50+` → 150, as the sum is still being typed
    - `-20` → -20 if `signed`, else `Misread.MINUS`
    """
    text = text.strip()
    if not text:
        return None
    if len(text) > _LONGEST_CALCULATION:
        return Misread.FIGURE
    if text.isdecimal():  # one number, as nearly always
        return read_figure(text, language)
    typed = text.rstrip(_UNFINISHED + _WHITE)
    minus_sign = _SIGN.match(typed) if signed else None
    if minus_sign is None:
        return _read_terms(typed, language)
    total = _read_terms(typed.removeprefix(minus_sign.group()), language)
    if isinstance(total, Misread):
        return total
    return -total


def _read_terms(typed: str, language: Language) -> int | Misread:
    """Add up a calculation without a sign in front: `3x50+80` → 230.

    If one of its numbers is misread, or the total is too large, the reason is returned.
    """
    total = 0
    for term in typed.split("+"):
        product = _read_product(term, language)
        if isinstance(product, Misread):
            return product
        total += product
    return _refuse_too_large(total)


def _read_product(term: str, language: Language) -> int | Misread:
    """Multiply the numbers of a term: `3x50` → 150, `80` → 80.

    If one of them cannot be read, as in `3xx50`, the reason is returned.
    """
    product = 1
    for factor in _TIMES.split(term):
        figure = read_figure(factor, language)
        if figure is None:
            return Misread.FIGURE  # nothing stands between two signs
        if isinstance(figure, Misread):
            return figure
        # Many large factors would make a huge number. One above the limit is enough to refuse it.
        product = min(product * figure, LARGEST + 1)
    return product


def is_sum(text: str) -> bool:
    """Tell whether a typed text is a calculation, such as `3x50`, so that its value is shown."""
    return bool(re.search(r"[0-9]\s*[+x\u00d7*]", text, re.IGNORECASE))
