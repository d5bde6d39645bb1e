"""The page of a count, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import url_for
from flask_wtf.csrf import generate_csrf

from scorepad.i18n import Words
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind
from scorepad.rules.settings import Partnership
from scorepad.web.base import FieldError
from scorepad.web.count.beside import agreement_of, remark_of
from scorepad.web.count.fields import CardButton, Field, Note
from scorepad.web.count.laid import Filled
from scorepad.web.count.live import live_of
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.outs import OutMaker
from scorepad.web.count.parties import parties_of
from scorepad.web.count.side_values import SideForm
from scorepad.web.count.sides import SideMaker
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import Addresses, CountPage, Hidden
from scorepad.web.polling import watch

YES = "1"
FIRST = "dal-primo"
"""What the address of a contest carries to begin with the first count."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What the form carries beside the draft: its request id, the note of a correction, what went wrong with it.

    `refused`: the hand had been sent to be saved, and was refused.
    """

    request_id: str
    note: str = ""
    errors: tuple[FieldError, ...] = ()
    note_notes: tuple[Note, ...] = ()
    refused: bool = False


def count_page(occasion: Occasion, draft: Mapping[str, str], telling: Telling, sent: Sent, words: Words) -> CountPage:
    """The page; what is wrong stands in its summary only if `sent` says so."""
    needs, outs = Needs(occasion.rules), OutMaker(occasion, draft, telling, words)
    return CountPage(
        title=_title(occasion, needs, words),
        errors=sent.errors,
        watch=watch(occasion.state, addresses_of(occasion).action),
        addresses=addresses_of(occasion),
        hidden=hidden_of(occasion, sent),
        agreement=agreement_of(draft, telling, words, refused=sent.refused),
        remark=remark_of(draft, telling, words),
        note=_note(occasion, sent, words),
        facts=tuple(_facts(occasion, needs, words)),
        single=outs.single(),
        sides=tuple(_sides(occasion, draft, telling, words)),
        buttons=card_buttons(needs.tapped, words),
        left_buttons=_left_buttons(needs, words),
        out=outs.out(),
        redraws=needs.settings.partnership is not Partnership.FIXED,
        live=live_of(occasion, telling, words),
        general=telling.beside(None),
        kept=kept_told(occasion, words),
        save=words.text(_named("count.save", occasion)),
        afresh=words.text("count.contest.afresh" if occasion.contests else "count.correct.afresh"),
        first=_first(occasion, words) if occasion.contests and (sent.refused or not draft) else "",
    )


def _first(occasion: Occasion, words: Words) -> str:
    """What begins a contest with what is contested: with whose count, where that is known."""
    by = occasion.past.versions[-1].by if occasion.past else None
    return words.text("count.contest.first") if by is None else words.text("count.contest.of", side=occasion.names[by])


def _sides(occasion: Occasion, draft: Mapping[str, str], telling: Telling, words: Words) -> Iterator[SideForm]:
    filled, parties = Filled(draft, telling, words), parties_of(draft, occasion.rules)
    return (SideMaker(occasion, filled, parties, side).make() for side in occasion.sides)


def _named(key: str, occasion: Occasion) -> str:
    """The message of the hand being counted, of a past one corrected, or of one contested."""
    if occasion.contests:
        return f"{key}.contest"
    return f"{key}.correct" if occasion.past else key


def _title(occasion: Occasion, needs: Needs, words: Words) -> str:
    key, number = _named("count.title", occasion), occasion.told_number
    if needs.deals is None:
        return words.text(key, number=number)
    return words.text(f"{key}.of", number=number, count=needs.deals)


def _facts(occasion: Occasion, needs: Needs, words: Words) -> Iterator[str]:
    if occasion.contests:
        yield words.text("count.contest.told")
    each = needs.settings.hands_each
    if each > 1:
        yield words.text("count.hands-each", count=each)


def _note(occasion: Occasion, sent: Sent, words: Words) -> Field:
    """Why a past hand is counted again: asked for where the other side had confirmed it, else as one likes."""
    confirmed = occasion.past is not None and occasion.past.checked.confirmed is not None
    key = "count.note.confirmed" if confirmed else "count.note.contest" if occasion.contests else "count.note"
    return Field("note", words.text(key), sent.note, words.text(f"{key}.hint"), sent.note_notes)


def card_buttons(kinds: tuple[Kind, ...], words: Words) -> tuple[CardButton, ...]:
    """Cards to tap."""
    naturals = {KINDS[index] for index in NATURAL_INDICES}
    return tuple(CardButton(kind.value, words.plural(f"card.{kind}", 1), kind in naturals) for kind in kinds)


def _left_buttons(needs: Needs, words: Words) -> tuple[CardButton, ...]:
    return () if needs.totals else card_buttons((*needs.tapped, Kind.BLACK_THREE, Kind.RED_THREE), words)


def addresses_of(occasion: Occasion) -> Addresses:
    """Where the form of this hand is sent."""
    match = occasion.state.id
    if occasion.past:
        room = "count.contest" if occasion.contests else "count.correct"
        action = url_for(room, match=match, number=occasion.number)
    else:
        action = url_for("count.page", match=match)
    first = f"{action}?{FIRST}=1"
    return Addresses(action, url_for("count.check", match=match), url_for("matches.page", match=match), first)


def hidden_of(occasion: Occasion, sent: Sent) -> Hidden:
    """Which hand this is and what was seen of it."""
    hand, version = ("", 0) if occasion.open_hand is None else (occasion.open_hand.id, occasion.open_hand.version)
    return Hidden(
        token=generate_csrf(),
        request_id=sent.request_id,
        hand=hand,
        version=version,
        number=occasion.number,
        seen=occasion.seen_entry,
        contest=YES if occasion.contests else "",
        refused=YES if sent.refused else "",
    )


def kept_told(occasion: Occasion, words: Words) -> str:
    """That the draft is on the server, and since when; empty where nothing was kept yet, or never is."""
    kept = occasion.open_hand
    if kept is None or not kept.version:
        return ""
    return words.text("count.kept", time=words.clock(kept.kept_at.astimezone()))
