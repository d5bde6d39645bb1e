"""The page of the phones made out of what the pad tells."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.matches.access import Access
from scorepad.matches.devices import MOST_LOOKERS, Held, Phone
from scorepad.matches.projection import MatchState
from scorepad.web.forms import PadForm
from scorepad.web.frame import FieldError, new_request_id
from scorepad.web.labels import moment
from scorepad.web.live.watching import watch_phones
from scorepad.web.phones.codes import drawn, key_address, listens_to_phones, origin
from scorepad.web.phones.forms import HAND_ON, NO_SIDE, REMOVE, RENEW, WITHDRAW
from scorepad.web.phones.page import Button, Code, PhoneRow, PhonesPage, SeatChoice

MOST_ROWS = 8
"""Phones that only look; where there are more they are folded away."""


def phones_page(
    tag: str,
    state: MatchState,
    held: Held,
    phones: tuple[Phone, ...],
    words: Words,
    errors: tuple[FieldError, ...] = (),
) -> PhonesPage:
    """The page as this device may see it: codes that it holds, buttons where the match is its own."""
    before = origin()
    seated = next((phone.side for phone in phones if phone.is_mine), None)
    folded = [phone for phone in phones if phone.access is Access.VIEW and not phone.is_mine]
    if len(folded) <= MOST_ROWS:
        folded = []
    return PhonesPage(
        title=words.text("phones.title"),
        errors=errors,
        watch=watch_phones(state, tag, words),
        match=state.id,
        form=PadForm(formdata=None),
        unreachable="" if before else words.text("phones.no-network" if listens_to_phones() else "phones.alone"),
        codes=tuple(_codes(state, held, before, words)),
        phones=tuple(_row(phone, state, words) for phone in phones if phone not in folded),
        lookers=tuple(_row(phone, state, words) for phone in folded),
        lookers_fold=words.plural("phones.lookers", len(folded)),
        seats=tuple(_seats(state, seated, words)) if state.access.can_write else (),
    )


def _codes(state: MatchState, held: Held, before: str | None, words: Words) -> Iterator[Code]:
    if state.access.can_write:
        yield _code(Access.WRITE, held.keys.write, state, held, before, words)
    yield _code(Access.VIEW, held.keys.view, state, held, before, words)


def _code(access: Access, key: str, state: MatchState, held: Held, before: str | None, words: Words) -> Code:
    address = key_address(before, key) if before and key else ""
    is_own, is_made = state.access is Access.OWN, access in held.made
    missing = "" if key else words.text(f"phones.{'unknown' if is_made else 'none'}.{'own' if is_own else 'others'}")
    return Code(
        access=access.value,
        title=words.text(f"phones.{access}"),
        told=words.text(f"phones.{access}.told", most=MOST_LOOKERS) if address else "",
        picture=drawn(address) if address else None,
        label=words.text(f"phones.{access}.code"),
        address=address,
        missing=missing,
        is_open=access is Access.WRITE or not state.access.can_write,
        request=new_request_id(),
        fold=words.text("phones.change") if is_own and is_made else "",
        buttons=tuple(_code_buttons(access, words, is_made=is_made)) if is_own else (),
    )


def _code_buttons(access: Access, words: Words, *, is_made: bool) -> Iterator[Button]:
    told = words.text(f"phones.renew.{access}") if is_made else ""
    yield Button(RENEW, words.text("phones.renew" if is_made else "phones.make"), told)
    if is_made:
        yield Button(WITHDRAW, words.text("phones.withdraw"), words.text(f"phones.withdraw.{access}"))


def _row(phone: Phone, state: MatchState, words: Words) -> PhoneRow:
    facts = [words.text(f"phones.may.{phone.access}"), words.text("phones.since", when=moment(phone.since, words))]
    if phone.side is not None and phone.side < len(state.sides):
        facts.append(words.text("phones.counts-for", side=state.sides[phone.side].name))
    may_change = state.access is Access.OWN and phone.access is not Access.OWN
    return PhoneRow(
        anchor=f"phone-{phone.number}",
        name=words.text("phones.phone", number=phone.number),
        mine=words.text("phones.mine") if phone.is_mine else "",
        facts=tuple(facts),
        mark=phone.mark,
        request=new_request_id(),
        fold=words.text("phones.phone.change", number=phone.number) if may_change else "",
        buttons=tuple(_phone_buttons(words)) if may_change else (),
    )


def _phone_buttons(words: Words) -> Iterator[Button]:
    yield Button(HAND_ON, words.text("phones.hand-on"), words.text("phones.hand-on.told"))
    yield Button(REMOVE, words.text("phones.remove"), words.text("phones.remove.told"))


def _seats(state: MatchState, seated: int | None, words: Words) -> Iterator[SeatChoice]:
    for position, side in enumerate(state.sides):
        yield SeatChoice(str(position), side.name, seated == position)
    yield SeatChoice(NO_SIDE, words.text("phones.no-side"), seated is None)
