"""Reasons of rulings: those that the referee words itself, known faults of the sources, and the
sources of a reason's cited_settings.

A ruling gives its reasons with their cited_settings: the names of the settings, statements, steps
and penalties that they follow from. `cite_sources_of_reasons` adds what the sources say of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorepad.referee.ruling import Reason, Reasons, Ruling
from scorepad.referee.situation import ASKER
from scorepad.rules.applied import CHECKS_ALSO_DEPEND_ON
from scorepad.rules.checks import MessageArgument, is_meld
from scorepad.rules.definitions import Ruleset, citation_texts
from scorepad.rules.loader import load_faults
from scorepad.rules.table import Party, Table
from scorepad.rules.turn_checks import has_canasta_of_inferred_family


def reason(
    code: str,
    *,
    cited_settings: str | Sequence[str] = (),
    wording: str | None = None,
    **arguments: MessageArgument,
) -> Reason:
    """Make a reason of a ruling: a sentence of the message catalogue, and the settings it follows from.

    `code` is the key of the sentence, which shows the `arguments`; `wording` chooses one of several
    sentences with that key. `reason("opening-without-minimum", cited_settings="opening-by")` is the
    sentence "There is no opening minimum here", which follows from the setting `opening-by`.
    """
    settings = (cited_settings,) if isinstance(cited_settings, str) else tuple(cited_settings)
    if wording is None:
        return Reason(code, arguments, cited_settings=settings)
    # In the catalogue the sentence is chosen by the argument `why`.
    return Reason(code, {**arguments, "why": wording}, cited_settings=settings)


def make_reason_with_minimum(
    table: Table,
    code: str,
    minimum: int,
    cited_settings: str | None = None,
    **arguments: MessageArgument,
) -> Reason:
    """Make a reason whose sentence shows the opening minimum of the side that asks.

    That is how many points the first melds (groups of cards) of a side must be worth. With the code
    `opening-minimum`, a minimum of 90 and `score=2000`: “At 2,000 points in the match it takes at
    least 90 to open.”

    The reason cites the setting of the minimum. Another setting, if given, is cited before it.
    """
    settings: list[str] = []
    if cited_settings is not None:
        settings.append(cited_settings)
    settings.append(_find_setting_of_minimum(table))
    return Reason(code, {"minimum": minimum, **arguments}, cited_settings=tuple(settings))


def _find_setting_of_minimum(table: Table) -> str:
    """Return the name of the setting that gives the opening minimum of the side that asks.

    The opening minimum is how many points the first melds (groups of cards) of a side must be
    worth. Usually it rises with the match score. At 2000 points, with a minimum of 90 from 1500 on
    → `opening-steps/1500`.
    """
    match_score = table.before[ASKER]
    number_of_hand = table.hand.deal
    return table.rules.find_cited_setting_of_minimum(match_score, number_of_hand)


def explain_longer_melds(table: Table) -> Reasons:
    """Explain that melds of the side that asks may be longer than others, because it goes out.

    A meld is a group of cards. Call it if all of them are legal.
    """
    for laid in table.parties[ASKER].melds:
        if not is_meld(laid.meld, table.settings):
            # On the page: "Whoever goes out may have more cards than usual in a meld."
            yield reason("meld-longer-out", cited_settings="meld-longest-out")
            return


def explain_inference_about_wild_canastas(rules: Ruleset, party: Party) -> Reasons:
    """Yield a reason if the answer rests on a guess about canastas of jokers and twos only.

    A canasta is a meld (group) of seven cards or more; `party` are the players who lay melds
    together. Some rule books do not say whether a canasta without other cards is natural or mixed.
    If the party has one, the reason says which of them scorepad takes it for.
    """
    if has_canasta_of_inferred_family(rules, party):
        # On the page: "Here seven twos count as a natural canasta, and jokers with twos as a mixed
        # one. That is an interpretation: by the source's definition a natural canasta has no wild
        # cards."
        yield reason("wild-canastas-read", cited_settings="canastas")


# --------------------------------------------------------------------------- faults of the sources


def find_known_mistakes(rules: Ruleset, *codes: str) -> Reasons:
    """Yield those of the known mistakes of rule books, by code, that concern these rules.

    They do if the rules follow the book: if they cite its passage on the setting that the book is
    wrong about.
    """
    known_mistakes = load_faults()
    for code in codes:
        mistake = known_mistakes[code]
        setting = mistake.subject  # or a penalty, as `penalties/red-three-not-exposed`
        passage_of_book = mistake.reported_with
        if passage_of_book in _list_passages_cited_for(rules, setting):
            wrong_passages = citation_texts([mistake.cited])
            yield Reason(code, sources=wrong_passages, standing=mistake.cited.standing)


def _list_passages_cited_for(rules: Ruleset, subject: str) -> tuple[str, ...]:
    """List the passages of rule books that these rules cite for a setting or a penalty.

    For `pile` in the classic game: `("W:Presa del pozzo", "W:Congelamento del pozzo")`. Passages
    that are cited for one entry of a setting only, such as the points of a black three, are
    included.
    """
    cited = rules.find_citations(subject)
    cited_for_entries = cited.steps.values()
    return citation_texts([cited, *cited_for_entries])


def find_mistakes_about_setting(rules: Ruleset, setting: str) -> Reasons:
    """Yield a reason for each known mistake of a rule book about a setting of the rules.

    `setting` may also be a penalty, with its code: `penalties/red-three-not-exposed`.
    """
    codes: list[str] = []
    for code, mistake in load_faults().items():
        if mistake.subject == setting:
            codes.append(code)
    yield from find_known_mistakes(rules, *codes)


_STARTS_FROM_ZERO = "fault-opening-from-zero"
"""A source's table of minimums starts from a score of zero."""
_LEAVES_OUT_FIFTEEN = "fault-without-fifteen"
"""A source does not mention the minimum of fifteen points, for scores below zero."""
_LEAVES_OUT_ALL_BUT_FIFTY = "fault-only-fifty"
"""A source mentions no minimum but that of fifty points."""
FAULTS_OF_MINIMUMS = (_STARTS_FROM_ZERO, _LEAVES_OUT_FIFTEEN, _LEAVES_OUT_ALL_BUT_FIFTY)
"""Known faults that are reported with opening minimums."""


def find_mistakes_about_minimum(table: Table) -> Reasons:
    """Yield the known mistakes of rule books about the opening minimum of the side that asks.

    The opening minimum is how many points the first melds (groups of cards) of a side must be
    worth. In most games it depends on the match score of the side, and some rule books leave out
    the minimum for some scores.
    """
    is_score_below_zero = table.before[ASKER] < 0
    if is_score_below_zero:  # these scores have a minimum of their own, of fifteen points
        # On the page: "Note: Wikipedia's table for canastone begins at 0; below zero the classic
        # game is followed."
        yield from find_known_mistakes(table.rules, _STARTS_FROM_ZERO)
        # On the page: "Note: the Encyclopedia does not speak of the 15 points below zero, and asks
        # for at least 50."
        yield from _report_if_minimum_left_out(table, _LEAVES_OUT_FIFTEEN)

    # On the page: "Note: Giochi di carte names only the minimum of 50 points."
    yield from _report_if_minimum_left_out(table, _LEAVES_OUT_ALL_BUT_FIFTY)


def _report_if_minimum_left_out(table: Table, code: str) -> Reasons:
    """Yield a known mistake of a rule book, if the book does not mention the side's minimum of points.

    The minimum is how many points the first cards that a side lays must be worth. A book that
    mentions only 50 points is mistaken where the side needs 90.
    """
    passages_on_minimum = table.rules.list_passages_of(_find_setting_of_minimum(table))
    for mistake in find_known_mistakes(table.rules, code):
        is_minimum_mentioned = any(passage in passages_on_minimum for passage in mistake.sources)
        if not is_minimum_mentioned:
            yield mistake


# --------------------------------------------------------------------------------------- sources

_OPENING = CHECKS_ALSO_DEPEND_ON["opening-below-minimum"]
_SETTINGS_BY_CODE = {
    "opening-reached": _OPENING,
    "pile-opening-reached": _OPENING,
    "out-concealed-reached": _OPENING,
    "out-concealed-never-opens": _OPENING,
    "out-concealed-if-reached": (*_OPENING, "opening-below-zero"),
    "opening-melds-aside": _OPENING,
    "red-threes-worth": ("red-three-values",),
    "red-threes-for": ("red-three-values", "red-threes-otherwise"),
    "red-threes-against": ("red-three-values", "red-threes-condition"),
    "red-threes-to-opponents": ("red-three-values", "red-threes-condition"),
    "red-threes-shared": ("red-three-values", "red-threes-condition"),
    "red-threes-twice-against": ("red-three-values", "red-threes-condition"),
    "canasta-made": ("canasta-length", "meld-wilds-stay"),
    "meld-natural": ("meld-wilds-stay",),
    "canasta-concealed": ("canasta-length",),
    "out-worth": ("out-bonus-canastas",),
    "penalty-counted-once": ("held-red-three-counts",),
}
"""The settings that a reason follows from besides those it cites, by its code."""
_SETTINGS_BY_CODE_AND_WORDING = {
    # What a hand can open with depends on all that it may and must keep.
    "opening-reached/hand": (
        *CHECKS_ALSO_DEPEND_ON["totals-impossible"],
        "canastas-needed",
        "hands-each",
    ),
    "pile-with-naturals/free": ("freezing",),
    "pile-with-wild/free": ("freezing",),
    "pile-with-naturals/frozen": ("freezing",),
    "pile-with-wild/frozen": ("freezing",),
    "upcard-freeze/always": ("freezing",),
    "upcard-freeze/never": ("freezing",),
    "upcard-cover/always": ("freezing",),
}
"""The settings that a reason depends on if it is worded so, by its code and argument `why`."""


def cite_sources_of_reasons(rules: Ruleset, ruling: Ruling) -> Ruling:
    """Return a copy of a ruling in which each reason cites its sources.

    They are the passages of rule books that the rules cite for the settings of the reason. Each
    reason also says how firmly its sources support it.
    """
    reasons = tuple(_cite_sources(rules, uncited) for uncited in ruling.reasons)
    return replace(ruling, reasons=reasons)


def _cite_sources(rules: Ruleset, uncited: Reason) -> Reason:
    """Return a copy of a reason that cites the rule books behind the settings that it names.

    A reason that names no settings stays as it is: it has its own sources, or needs none.
    """
    if not uncited.cited_settings:
        return uncited

    # Only the settings that it names are cited. The others say whether the players changed
    # something that the reason depends on: then no rule book supports it.
    support = rules.cite(uncited.cited_settings, _list_other_settings(uncited))
    return replace(uncited, sources=support.sources, standing=support.standing)


def _list_other_settings(reason_given: Reason) -> list[str]:
    """List the settings that a reason depends on, besides those that it names.

    They depend on its code and, for some codes, on which sentence is shown. For example, the reason
    `pile-with-wild` about a `frozen` pile → `["freezing"]`.
    """
    code = reason_given.code
    wording = reason_given.arguments.get("why")
    settings: list[str] = []
    settings += CHECKS_ALSO_DEPEND_ON.get(code, ())  # the code may be that of a check of a hand
    settings += _SETTINGS_BY_CODE.get(code, ())
    settings += _SETTINGS_BY_CODE_AND_WORDING.get(f"{code}/{wording}", ())
    return settings
