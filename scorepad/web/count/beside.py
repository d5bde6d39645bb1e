"""What is said beside the figures of a hand: why the table agreed to what the rules refuse, and a note."""

from __future__ import annotations

from collections.abc import Mapping

from scorepad.i18n import Words
from scorepad.web.count import names
from scorepad.web.count.fields import Field
from scorepad.web.count.telling import Agreeable, Telling
from scorepad.web.count.values import AgreementForm, RemarkForm


def agreement_of(draft: Mapping[str, str], telling: Telling, words: Words, *, refused: bool) -> AgreementForm:
    """Offered once the hand was refused, or something was typed in it; never for what is no matter of rules."""
    asked = refused or bool(draft.get(names.AGREED, "").strip())
    label, hint = words.text("count.agreed"), words.text("count.agreed.hint")
    return AgreementForm(
        reason=_field(names.AGREED, label, hint, draft, telling),
        is_offered=asked and telling.can_agree is Agreeable.YES,
        never=words.text("count.agreed.never") if asked and telling.can_agree is Agreeable.NEVER else "",
    )


def remark_of(draft: Mapping[str, str], telling: Telling, words: Words) -> RemarkForm:
    """Open where something stands in it."""
    label, hint = words.text("count.remark"), words.text("count.remark.hint", limit=names.LONGEST_NOTE)
    field = _field(names.REMARK, label, hint, draft, telling)
    return RemarkForm(field, is_open=bool(field.value.strip()))


def _field(name: str, label: str, hint: str, draft: Mapping[str, str], telling: Telling) -> Field:
    return Field(name, label, draft.get(name, ""), hint, telling.beside(name))
