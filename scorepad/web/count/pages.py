"""The page of a count, put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for
from flask_wtf.csrf import generate_csrf

from scorepad.i18n import Words
from scorepad.rules.cards import KINDS, NATURAL_INDICES, Kind
from scorepad.rules.terms import Partnership
from scorepad.web.count.fields import CardButton, Field, Note
from scorepad.web.count.laid import Filled
from scorepad.web.count.live import live_of
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion
from scorepad.web.count.outs import OutMaker
from scorepad.web.count.parties import parties_of
from scorepad.web.count.sides import SideMaker
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import Addresses, CountPage, Hidden
from scorepad.web.frame import FieldError


@dataclass(frozen=True, slots=True)
class Sent:
    """What the form carries beside the draft: its request id, the note of a correction, what went wrong with it."""

    request_id: str
    note: str = ""
    errors: tuple[FieldError, ...] = ()
    note_notes: tuple[Note, ...] = ()


def count_page(occasion: Occasion, draft: Mapping[str, str], telling: Telling, sent: Sent, words: Words) -> CountPage:
    """The page; what is wrong stands in its summary only if `sent` says so."""
    past = occasion.past is not None
    needs, parties = Needs(occasion.rules), parties_of(draft, occasion.rules)
    filled, outs = Filled(draft, telling, words), OutMaker(occasion, draft, telling, words)
    return CountPage(
        title=_title(occasion, needs, words),
        errors=sent.errors,
        addresses=addresses_of(occasion),
        hidden=hidden_of(occasion, sent),
        is_correction=past,
        note=Field("note", words.text("count.note"), sent.note, words.text("count.note.hint"), sent.note_notes),
        facts=_facts(needs, words),
        single=outs.single(),
        sides=tuple(SideMaker(occasion, filled, parties, side).make() for side in occasion.sides),
        buttons=_buttons(needs.tapped, words),
        left_buttons=() if needs.totals else _buttons((*needs.tapped, Kind.BLACK_THREE, Kind.RED_THREE), words),
        out=outs.out(),
        redraws=needs.settings.partnership is not Partnership.FIXED,
        live=live_of(occasion, telling, words),
        general=telling.beside(None),
        kept=kept_told(occasion, words),
        save=words.text("count.save.correction" if past else "count.save"),
    )


def _title(occasion: Occasion, needs: Needs, words: Words) -> str:
    key = "count.title.correct" if occasion.past else "count.title"
    if needs.deals is None:
        return words.text(key, number=occasion.number)
    return words.text(f"{key}.of", number=occasion.number, count=needs.deals)


def _facts(needs: Needs, words: Words) -> tuple[str, ...]:
    each = needs.settings.hands_each
    return (words.text("count.hands-each", count=each),) if each > 1 else ()


def _buttons(kinds: tuple[Kind, ...], words: Words) -> tuple[CardButton, ...]:
    naturals = {KINDS[index] for index in NATURAL_INDICES}
    return tuple(CardButton(kind.value, words.plural(f"card.{kind}", 1), kind in naturals) for kind in kinds)


def addresses_of(occasion: Occasion) -> Addresses:
    """Where the form of this hand is sent."""
    match = occasion.state.id
    if occasion.past:
        action = url_for("count.correct", match=match, number=occasion.number)
    else:
        action = url_for("count.page", match=match)
    return Addresses(action, url_for("count.check", match=match), url_for("matches.page", match=match))


def hidden_of(occasion: Occasion, sent: Sent) -> Hidden:
    """Which hand this is and what was seen of it."""
    hand, version = ("", 0) if occasion.open_hand is None else (occasion.open_hand.id, occasion.open_hand.version)
    return Hidden(generate_csrf(), sent.request_id, hand, version, occasion.number, occasion.seen_entry)


def kept_told(occasion: Occasion, words: Words) -> str:
    """That the draft is on the server, and since when; empty where nothing was kept yet, or never is."""
    kept = occasion.open_hand
    if kept is None or not kept.version:
        return ""
    return words.text("count.kept", time=words.clock(kept.kept_at.astimezone()))
