"""The page of a count, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import url_for
from flask_wtf.csrf import generate_csrf

from scorepad.i18n import Words
from scorepad.pad.values import SIDE_KEYS
from scorepad.rules.cards import KINDS, read_cards
from scorepad.web.count import names
from scorepad.web.count.live import live_of
from scorepad.web.count.occasions import Occasion, Side
from scorepad.web.count.sides import SideMaker, out_needs
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import Addresses, CardButton, Choice, CountPage, Field, Hidden, Note, OutForm
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
    return CountPage(
        title=words.text("count.title.correct" if past else "count.title", number=occasion.number),
        errors=sent.errors,
        addresses=addresses_of(occasion),
        hidden=hidden_of(occasion, sent),
        is_correction=past,
        note=Field("note", words.text("count.note"), sent.note, words.text("count.note.hint"), sent.note_notes),
        sides=tuple(SideMaker(occasion, draft, telling, words, side).make() for side in occasion.sides),
        buttons=tuple(CardButton(kind.value, words.plural(f"card.{kind}", 1)) for kind in names.TAPPED),
        out=_out(occasion, draft, telling, words),
        out_needs=out_needs(occasion.rules, words),
        live=live_of(occasion, telling, words),
        general=telling.beside(None),
        kept=kept_told(occasion, words),
        save=words.text("count.save.correction" if past else "count.save"),
    )


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


def _out(occasion: Occasion, draft: Mapping[str, str], telling: Telling, words: Words) -> OutForm:
    chosen = draft.get(names.OUT, "")
    nobody = Choice("out-nobody", names.OUT, names.NOBODY, words.text("count.out.nobody"), chosen == names.NOBODY)
    rows = [tuple(_goers(side, chosen, words)) for side in occasion.sides]
    first = rows[0][0]
    rows[0] = (Choice(names.OUT, first.name, first.value, first.label, first.chosen), *rows[0][1:])
    discard = draft.get(names.DISCARD, "")
    none = names.DISCARD_NONE in draft
    notes, none_notes = telling.beside(names.DISCARD), telling.beside(names.DISCARD_NONE)
    return OutForm(
        rows=(*rows, (nobody,)),
        notes=telling.beside(names.OUT),
        concealed=_tick(names.CONCEALED, "count.concealed", draft, words),
        concealed_notes=telling.beside(names.CONCEALED),
        discard=tuple(_discards(discard, words)),
        discard_notes=notes,
        discard_none=_tick(names.DISCARD_NONE, "count.discard.none", draft, words),
        discard_none_notes=none_notes,
        discard_open=bool(discard or none or notes or none_notes),
    )


def _tick(name: str, key: str, draft: Mapping[str, str], words: Words) -> Choice:
    return Choice(name, name, names.TICKED, words.text(key), name in draft)


def _goers(side: Side, chosen: str, words: Words) -> Iterator[Choice]:
    """Who of a side may have gone out: the side, and each of its players who has a name."""
    key = SIDE_KEYS[side.position]
    values = [(key, side.name)]
    if len(side.players) > 1:
        values += [(f"{key}.{player.hand}", player.name) for player in side.players if player.name]
    elif chosen.startswith(f"{key}."):
        chosen = key
    shown = {value for value, _ in values}
    unnamed = [player.hand for player in side.players if chosen == f"{key}.{player.hand}" and chosen not in shown]
    values += [(chosen, words.text("count.player", number=hand + 1)) for hand in unnamed]
    for value, name in values:
        yield Choice(f"out-{value.replace('.', '-')}", names.OUT, value, name, value == chosen)


def _discards(chosen: str, words: Words) -> Iterator[Choice]:
    """The cards that may have been discarded last, and what was noted otherwise."""
    yield Choice("", names.DISCARD, "", words.text("count.discard.unknown"), not chosen)
    kinds = {kind.value: words.plural(f"card.{kind}", 1) for kind in (*names.TAPPED, KINDS[-1])}
    for token, name in kinds.items():
        yield Choice(
            "", names.DISCARD, token, words.text("count.discard.card", token=token, name=name), token == chosen
        )
    if chosen and chosen not in kinds:
        cards = read_cards(chosen).cards
        told = [
            name for index, name in enumerate(words.plural(f"card.{kind}", 1) for kind in KINDS) if cards.counts[index]
        ]
        yield Choice("", names.DISCARD, chosen, f"{chosen} {' '.join(told)}".strip(), True)
