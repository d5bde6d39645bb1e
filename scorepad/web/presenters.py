"""Shared presentation: matches, sources, rules and links on pages, and how pages follow a match.

An open page polls `Watch.state` (`static/live.js`), compares the tag, and fetches `Watch.page` when
it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import jsonify, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorepad.i18n import Language, Words, words
from scorepad.i18n.settings import family_word, value_word, word
from scorepad.matches.access import Access
from scorepad.matches.events import (
    ChosenCount,
    Correction,
    Ending,
    NewHand,
    NotedPenalty,
    Remark,
    Rename,
    Replacement,
    RulesChange,
)
from scorepad.matches.projection import MatchState
from scorepad.matches.transaction import Version, short_digest
from scorepad.rules.checks import SMALLEST_POINTS
from scorepad.rules.definitions import Cited, SourceId, Standing
from scorepad.rules.judge import Seat
from scorepad.rules.settings import Settings
from scorepad.rules.variants import (
    Choices,
    ChoiceValue,
    Ruleset,
    Variant,
    get_variant,
    settle,
    sources,
    variant_ids,
)
from scorepad.sheets.chart import chart_svg, running_chart
from scorepad.sheets.printed_names import joined
from scorepad.storage.rows import SummaryRecord
from scorepad.web.base import app_state, device_id, get_pad, page_words
from scorepad.web.hand_fields import waiting_fields

# ---------------------------------------------------------------- matches, sides, seats


def versus(names: Sequence[str], words: Words) -> str:
    """Who plays: `Noi contro Loro`; `Anna, Bea e Carlo`."""
    if list(names) == [words.text("web.side.noi"), words.text("web.side.loro")]:
        return words.text("web.versus.unnamed")
    if len(names) == 2:  # noqa: PLR2004 - two sides
        return words.text("web.versus", one=names[0], other=names[1])
    return words.listing(names)


def own_side_first(state: MatchState) -> tuple[int, ...]:
    """The positions of the sides in the display order of this device: its own side first."""
    return tuple(sorted(range(len(state.sides)), key=lambda position: position != state.own_side))


def player(seat: Seat, number: int | None = None, *, state: MatchState, words: Words) -> str:
    """A player at the table, now or in a hand: by name and side; if unnamed, by place in the side."""
    side, index = state.sides[seat[0]], seat[1]
    if len(side.players) == 1:
        return side.name
    name = side.players[index] if number is None else state.sat(seat, number)
    if name and side.name == joined(side.players):
        return name
    if name:
        return words.text("web.seat.named", player=name, side=side.name)
    return words.text("web.seat.unnamed", side=side.name, place=index + 1)


def moment(when: datetime, words: Words) -> str:
    """A day and time in the server's time zone."""
    local = when.astimezone()
    return words.text("web.moment", day=words.day(local), clock=words.clock(local))


def default_names(side_sizes: Sequence[int], words: Words) -> tuple[str, ...]:
    """The names of unnamed sides: Noi and Loro for pairs."""
    if len(side_sizes) == 2 and max(side_sizes) > 1:  # noqa: PLR2004 - two sides
        return words.text("web.side.noi"), words.text("web.side.loro")
    return tuple(
        words.text("web.side.player", number=number + 1) for number in range(len(side_sizes))
    )


def is_default_name(name: str) -> bool:
    """Whether a name is empty, or a default name of the form, in any language."""
    usual = (
        default_names(sizes, words(each)) for each in Language for sizes in ((2, 2), (1, 1, 1))
    )
    return not name.strip() or any(name.strip() in names for names in usual)


def hand_anchor(number: int) -> str:
    """The id of a hand on the page of its match."""
    return f"smazzata-{number}"


def reachable(state: MatchState) -> MatchState:
    """The match without its rematch, if that was deleted or this device cannot access it."""
    if state.rematch and get_pad().access(state.rematch, device_id()) is Access.NONE:
        return replace(state, rematch=None)
    return state


def chart_of(state: MatchState, words: Words) -> Markup:
    """The chart of the totals, for a page with `share.css`; empty before the first hand. Cached by
    log entry.
    """
    if not state.hands:
        return Markup()
    shown, key = app_state().shown, ("chart", state.id, state.sequence, state.names, words.language)
    if drawn := shown.get(key):
        return drawn
    svg = Markup(chart_svg(running_chart(state, words.language)))  # noqa: S704 - it escapes what people wrote
    return shown.put(key, Markup('<div class="chart">{}</div>').format(svg))


# ---------------------------------------------------------------- sources


def places(citations: Iterable[str], words: Words) -> str:
    """Citations (`W:L'apertura`) in words: each source once, with its headings."""
    found = _by_source(citations, words)
    return "; ".join(f"{source}: {', '.join(headings)}" for source, headings in found.items())


def places_html(citations: Iterable[str], words: Words) -> Markup:
    """Like `places`, as HTML that marks the headings as Italian."""
    found = _by_source(citations, words)
    return Markup("; ").join(
        Markup("{}: {}").format(source, Markup(", ").join(map(_italian, headings)))
        for source, headings in found.items()
    )


def _by_source(citations: Iterable[str], words: Words) -> dict[str, list[str]]:
    headings: dict[str, list[str]] = {}
    for citation in citations:
        source, _, heading = citation.partition(":")
        headings.setdefault(source_name(source, words), []).append(
            words.text("web.heading", heading=heading)
        )
    return headings


def _italian(text: str) -> Markup:
    return Markup('<span lang="it">{}</span>').format(text)


def source_name(source: str, words: Words) -> str:
    """The short name of a source."""
    return words.text(key) if words.has(key := f"web.source.{source}") else source


def source_title(source: SourceId) -> Markup:
    """The printed title of a source, as HTML marked as Italian."""
    return _italian(sources()[source].title)


def cited_words(cited: Cited, words: Words) -> str:
    """The sources of a value and its basis: stated by a source, inferred, or a house rule."""
    named = places(map(str, cited.citations), words) if cited.citations else ""
    if named and cited.notes:
        named = f"{named} ({words.text('rulebook.why.manuals', names='; '.join(cited.notes))})"
    key = {Standing.STATED: "stated", Standing.READ: "read", Standing.HOUSE: "house"}[
        cited.standing
    ]
    if named and cited.standing is not Standing.STATED:
        key = f"{key}-from"
    argument = words.text(f"read.{cited.read}") if cited.standing is Standing.READ else ""
    return words.text(f"rulebook.why.{key}", places=named, argument=argument)


def basis_words(cited: Cited, words: Words) -> str:
    """`cited_words` in short, for a list of choices."""
    named = [places(map(str, cited.citations), words)] if cited.citations else []
    if cited.read:
        named.append(words.text("web.new.read", why=words.text(f"read.{cited.read}")))
    elif cited.standing is not Standing.STATED:
        named.append(words.text(f"standing.{cited.standing}"))
    return ". ".join(named)


# ---------------------------------------------------------------- rules


def out_needs(rules: Ruleset, words: Words) -> tuple[str, str]:
    """The conditions for a side to go out: its canastas, and the others."""
    settings, more = rules.settings, list[str]()
    if settings.out_red_threes != "any":
        more.append(words.text(f"web.needs.{settings.out_red_threes}"))
    if barring := [
        words.text(f"value.incomplete.{kind.name}") for kind in settings.incomplete if kind.bars_out
    ]:
        more.append(words.text("web.needs.nothing-unfinished", kinds=words.listing(barring)))
    if settings.last_discard == "obligatory":
        more.append(words.text(f"web.needs.discard.{settings.last_discard_special}"))
    if settings.permission == "must-ask":
        more.append(words.text("web.needs.permission"))
    return _canastas_needed(rules, words), "; ".join(more)


def _canastas_needed(rules: Ruleset, words: Words) -> str:
    settings, variant = rules.settings, rules.variant
    families = settings.canasta_families_needed
    every = family_word(variant, "any", settings.canastas_needed, words)
    if not families:
        return words.text("web.needs", canastas=every)
    named = words.listing(family_word(variant, family, count, words) for family, count in families)
    if sum(count for _, count in families) < settings.canastas_needed:
        return words.text("web.needs.among", canastas=every, named=named)
    return words.text("web.needs", canastas=named)


def thirteen_word(settings: Settings, words: Words) -> str:
    """What gives a player thirteen more cards; empty if nothing does."""
    return "" if settings.thirteen == "never" else word("thirteen", settings.thirteen, words)


def players_words(variant: Variant, words: Words) -> str:
    """The player counts: `4 giocatori`; `2, 3 o 4 giocatori`."""
    *few, last = map(words.figure, sorted(variant.players.value))
    count = words.text("web.either", some=", ".join(few), last=last) if few else last
    return words.text("players", count=count)


def length_words(variant: Variant, words: Words) -> str:
    """The length of a match: a target, a number of hands, or minutes."""
    hands, target = (variant.settings[key].value for key in ("match-deals", "target"))
    parts, minutes = (
        [words.plural("web.length.hands", hands)] if isinstance(hands, int) else [],
        variant.ends.minutes,
    )
    parts += (
        [words.text("web.length.target", target=target)]
        if isinstance(target, int) and not parts
        else []
    )
    parts += [words.text("web.length.minutes", minutes=minutes)] if minutes is not None else []
    return ", ".join(parts)


def score_ranges(steps: Sequence[tuple[int, int]], words: Words) -> list[tuple[int, str]]:
    """The score ranges of the opening minimums: the least score of each, and the range in words."""
    ranges = [
        (least, words.text("rulebook.opening.from-to", least=least, most=above - SMALLEST_POINTS))
        for (least, _), (above, _) in pairwise(steps)
    ]
    return [*ranges, (steps[-1][0], words.text("rulebook.opening.from", least=steps[-1][0]))]


def option_words(option: str, value: ChoiceValue, words: Words) -> str:
    """An option with its value: `Traguardo: 5.000`."""
    return words.text(
        "web.new.chosen",
        option=words.text(f"option.{option}"),
        value=value_word(option, value, words),
    )


def choices_words(preset: str | None, options: Choices, words: Words) -> str:
    """A preset and options with their values; empty if there are none."""
    named = [words.text(f"preset.{preset}")] if preset else []
    return "; ".join(
        (*named, *(option_words(name, value, words) for name, value in options.items()))
    )


def options_words(options: Choices, words: Words) -> str:
    """The options that a preset sets, with their values."""
    return choices_words(None, options, words) or words.text("web.new.preset.nothing")


def coded(value: ChoiceValue) -> str:
    """The value of an option in forms and URLs."""
    return value if isinstance(value, str) else json.dumps(value)


# ---------------------------------------------------------------- links into the rulebook

PRESET = "preset"
"""URL parameter of the preset; each option has its id as its parameter."""
_PREFIXES = {
    "section": "capitolo", "rule": "regola", "statement": "detto", "option": "scelta", "preset": "codificazione",
    "check": "avviso", "item": "voce", "penalty": "penalita", "bonus": "premio", "word": "parola",
}  # fmt: skip


class Place(NamedTuple):
    """A link into the rulebook."""

    name: str
    url: str


def anchor(kind: str, name: str) -> str:
    """The anchor of an entry on a variant's page, or of a word in the glossary: `regola-decks`.

    Anchors are built from the ids in the data, so that URLs stay valid.
    """
    return f"{_PREFIXES[kind]}-{name}"


def line_anchor(item: str, code: str | None = None) -> str:
    """The anchor of a score line by its item; of a penalty or a bonus by its code."""
    return anchor(item, code) if code else anchor("item", item)


def choice_args(preset: str | None, options: Choices | None) -> dict[str, Any]:
    """A preset and options as URL parameters."""
    found: dict[str, Any] = {PRESET: preset} if preset else {}
    return found | {name: coded(value) for name, value in (options or {}).items()}


def game_url(
    game: str, preset: str | None = None, options: Choices | None = None, anchor: str | None = None
) -> str:
    """The page of a variant under a preset and options."""
    return url_for("rulebook.page", game=game, **choice_args(preset, options), _anchor=anchor)


def rules_url(rules: Ruleset) -> str:
    """The page with the rules of a match, without an anchor; empty if the variant no longer exists
    or was changed.
    """
    if rules.variant not in variant_ids():
        return ""
    variant = get_variant(rules.variant)
    known = variant.presets.get(rules.preset or "")
    # A preset that sets nothing is the variant itself.
    preset = known.id if known and known.options else None
    usual = settle(variant.id, preset).options
    own = {
        name: value
        for name, value in rules.options.items()
        if name in usual and value != usual[name]
    }
    now = settle(variant.id, preset, own, rules.ends) if variant.is_own else rules
    if any(
        getattr(now, part) != getattr(rules, part)
        for part in ("settings", "penalties", "bonuses", "words")
    ):
        return ""
    return game_url(variant.id, preset, own)


def place_url(page: str, anchor: str) -> str:
    """An anchor on a page; empty if there is no page."""
    return f"{page}#{anchor}" if page else ""


# --------------------------------------------------------------- how an open page follows its match

SEEN = "visto"
"""Query parameter of a form that refetches itself: the last log entry when it was first shown."""

# Kinds of log entries that a form reports.
SCORES = frozenset({NewHand.kind, Correction.kind, ChosenCount.kind})
NAMES = frozenset({Rename.kind, Replacement.kind})
RULES = frozenset({RulesChange.kind, NewHand.kind})
END = SCORES | {Ending.kind}
PENALTIES = frozenset({NewHand.kind, NotedPenalty.kind, Ending.kind})
REMARKS = SCORES | {Remark.kind}

_NOTICES = dict.fromkeys(SCORES, "scores") | dict.fromkeys(NAMES, "names")
_NOTICES |= {
    RulesChange.kind: "rules",
    Ending.kind: "end",
    NotedPenalty.kind: "penalty",
    Remark.kind: "remark",
}


class Watch(NamedTuple):
    """What a page needs to follow its match."""

    state: str
    """URL that returns the current tag."""
    page: str
    """URL from which the page is fetched again."""
    tag: str
    """State of the match when the page was rendered."""
    message: str
    """Text announced to screen readers when it changes."""
    change: str | None = None
    """On a form: what happened to the match since it was shown. None for other pages."""
    gone_message: str = ""
    """Shown when the page no longer exists; empty for the usual text."""


def watch(state: MatchState, page: str = "", poll: str = "", tag: str = "") -> Watch:
    """Let a page follow its match: that of the request, or the one at the URL `page`.

    `poll`: another URL for its tag, read before the match.
    """
    page = page or url_for(str(request.endpoint), **(request.view_args or {}))
    return Watch(
        poll or url_for("live.state", match=state.id), page, tag or state_tag(state), _totals(state)
    )


def watch_form(state: MatchState, kinds: Iterable[str], page: str = "") -> Watch:
    """Let a form follow its match: it reports what was done or undone of these kinds since it was
    first shown.

    `page`: the URL of another page with this report, for a form that cannot be fetched again.
    """
    seen = request.args.get(SEEN, state.sequence, type=int)
    happened = get_pad().records.since(state.id, device_id(), seen) if seen < state.sequence else ()
    changed, notice = [kind for kind in happened if kind in kinds], ""
    if changed:
        kind, words = _NOTICES.get(changed[-1], "other"), page_words()
        kind = "over" if state.status.finished else kind
        notice = words.text(
            f"live.moved.{kind}", now=_totals(state), names=versus(state.names, words)
        )
    query = {SEEN: seen} if page else {**request.args, SEEN: seen}
    watched = watch(state, page)
    return watched._replace(page=f"{watched.page}?{urlencode(query)}", change=notice)


def watch_all(
    tag: str, page: str, last: SummaryRecord | None = None, gone_message: str = ""
) -> Watch:
    """Let a page about all matches of the device follow them; `tag` was read before them.

    The totals of the `last` one are announced when they change.
    """
    totals = _listing(zip(last.names, last.totals, strict=True), page_words()) if last else ""
    return Watch(url_for("home.state"), page, tag, totals, gone_message=gone_message)


def is_refetch() -> bool:
    """Whether an open form refetches itself: then it is shown even if a new one would not be."""
    return SEEN in request.args


def state_tag(state: MatchState) -> str:
    """The tag of a match. Typing in the open hand does not change it, a penalty there does."""
    tag = f"{Version.of(state).tag}.{get_pad().replacements}"
    waiting = waiting_fields(state)
    return f"{tag}.{short_digest(waiting)}" if waiting else tag


def tag_response(tag: str) -> Response:
    """The current tag, or 304 to a client that already has it; with the server's time of day."""
    response = jsonify(tag=tag)
    response.set_etag(tag)
    response.headers["Scorepad-Clock"] = page_words().clock(datetime.now(UTC).astimezone())
    return response.make_conditional(request)


def _totals(state: MatchState) -> str:
    words = page_words()
    totals = _listing(((side.name, side.total) for side in state.sides), words)
    return words.plural("live.text", len(state.hands), totals=totals)


def _listing(sides: Iterable[tuple[str, int]], words: Words) -> str:
    return words.listing(
        [words.text("live.text.side", side=name, total=total) for name, total in sides]
    )
