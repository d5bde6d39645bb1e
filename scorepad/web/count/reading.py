"""From the draft to the hand of the contract: what can be read, and what cannot, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scorepad.i18n import Language
from scorepad.matches.access import SIDE_KEYS
from scorepad.matches.results import Said
from scorepad.rules.variants import Ruleset
from scorepad.web.count import names
from scorepad.web.count.needs import Needs
from scorepad.web.count.parties import Parties, out_side, parties_of
from scorepad.web.count.said import Count, Trouble
from scorepad.web.count.side_reading import SideReader
from scorepad.web.figures import read_figure


def read_draft(draft: Mapping[str, str], rules: Ruleset, language: Language) -> Count:
    """Read a draft, whatever it holds."""
    count, needs, parties = Count(), Needs(rules), parties_of(draft, rules)
    keys = SIDE_KEYS[: len(rules.settings.sides)]
    count.hand["sides"] = {key: {} for key in keys}
    for position in range(len(keys)):
        SideReader(count, draft, needs, parties, position, language).read()
    _count_by_value(count, draft, needs, language)
    _leave_out_the_unfinished(count, parties)
    if needs.single:
        _read_single(count, draft, needs)
    _read_out(count, draft, needs)
    _ask_for_hands(count, draft, needs)
    _read_said(count, draft)
    return count


def _count_by_value(count: Count, draft: Mapping[str, str], needs: Needs, language: Language) -> None:
    """What is counted by value, laid or left in hand, is no more of one together than the decks hold."""
    sides = {position for position, key in enumerate(count.hand["sides"]) if any(_value_fields(draft, needs, key))}
    if count.unfinished & sides:
        return
    together: dict[int, dict[str, int]] = {}
    for key in count.hand["sides"]:
        for points, field in _value_fields(draft, needs, key):
            figure = read_figure(draft.get(field, ""), language)
            if isinstance(figure, int) and figure:
                together.setdefault(points, {})[field] = figure
    for counts in together.values():
        limit, last = max(needs.most(field) or 0 for field in counts), list(counts)[-1]
        if sum(counts.values()) > limit:
            count.troubles.append(Trouble(last, "values-decks", SIDE_KEYS.index(last[0]), limit=limit))
            count.unfinished.update(sides)


def _value_fields(draft: Mapping[str, str], needs: Needs, key: str) -> Iterator[tuple[int, str]]:
    """(points, field) of the cards of a side that are counted by value."""
    way = needs.way(draft, key)
    if way == names.BY_VALUES:
        yield from ((points, names.value(key, points)) for points, _ in needs.values)
    if way not in (names.BY_SPECIAL, names.BY_SUM) and needs.left_way(draft, key) == names.IN_VALUES:
        yield from ((points, names.left_value(key, points)) for points, _ in needs.left_values)


def _read_said(count: Count, draft: Mapping[str, str]) -> None:
    """What goes with the hand beside its figures; what is too long is told."""
    count.said = Said(*(draft.get(field, "").strip() for field in names.SAID_FIELDS))
    for field in names.SAID_FIELDS:
        if len(draft.get(field, "").strip()) > names.LONGEST_NOTE:
            count.troubles.append(Trouble(field, "long", limit=names.LONGEST_NOTE))


def _leave_out_the_unfinished(count: Count, parties: Parties) -> None:
    """Without its totals a side would seem not to have opened, and its red threes would turn against it."""
    sides = count.hand["sides"]
    for group in parties.groups:
        read = [sides[SIDE_KEYS[position]] for position in group]
        if count.unfinished.intersection(group) and not any({"totals", "melds"} & side.keys() for side in read):
            for side in read:
                side.pop("red_threes", None)
                side.pop("opening", None)


def _ask_for_hands(count: Count, draft: Mapping[str, str], needs: Needs) -> None:
    """Nobody but who went out holds no cards: what is left blank there was forgotten, and is not nothing."""
    out = count.hand.get("out")
    for position, key in enumerate(count.hand["sides"]):
        if needs.way(draft, key) in (names.BY_SPECIAL, names.BY_SUM):
            continue
        went_out = out is not None and out["side"] == key
        blank = [name for name in _hand_fields(draft, needs, position) if not draft.get(name, "").strip()]
        apart = needs.hands_apart(position) is not None and needs.left_way(draft, key) == names.IN_CARDS
        if went_out and (apart or needs.hands(position) == 1):
            # Whose hand is empty, where several are noted, is known only if it was said who of the side went out.
            gone = names.left_cards(key, (out or {}).get("player", -1)) if apart else ""
            blank = [name for name in blank if name != gone] if gone in blank else blank[1:]
        if blank:
            count.troubles.append(Trouble(blank[0], "left-missing", position, missing=True))


def _hand_fields(draft: Mapping[str, str], needs: Needs, position: int) -> list[str]:
    """The fields in which the cards left in hand are told, as this draft tells them."""
    key = SIDE_KEYS[position]
    if needs.left_way(draft, key) == names.IN_POINTS:
        return [names.left(key)]
    if needs.left_way(draft, key) == names.IN_VALUES:
        fields = [names.left_value(key, points) for points, _ in needs.left_values]
        return [] if any(draft.get(name, "").strip() for name in fields) else fields[:1]
    together = names.left_cards(key, names.ALL_HANDS)
    if draft.get(together, "").strip():
        return [together]
    return [names.left_cards(key, hand) for hand in range(needs.hands_apart(position) or 1)]


def _all_summed(count: Count, draft: Mapping[str, str], needs: Needs) -> bool:
    """Whether nothing is told of any side but the sum that the table agreed."""
    return all(needs.way(draft, key) == names.BY_SUM for key in count.hand["sides"])


def _read_single(count: Count, draft: Mapping[str, str], needs: Needs) -> None:
    """Who took the pile first and plays alone for the hand, if anybody is said to have."""
    count.fields["single",] = names.SINGLE
    chosen = draft.get(names.SINGLE, "")
    known = tuple(count.hand["sides"])
    count.hand["single"] = chosen if chosen in known else None
    if chosen not in (*known, names.NOBODY) and not _all_summed(count, draft, needs):
        count.troubles.append(Trouble(names.SINGLE, "single-missing", missing=True))
        count.unfinished.update(range(len(known)))
        count.unseated = True


def _read_out(count: Count, draft: Mapping[str, str], needs: Needs) -> None:
    """Who went out, if anybody is said to have."""
    count.fields["out",] = names.OUT
    count.fields["out", "discard"] = names.DISCARD
    shown = [key for key in count.hand["sides"] if needs.way(draft, key) == names.BY_SPECIAL]
    if shown:
        _read_special_out(count, draft, shown)
        return
    count.troubles += _at_odds(draft, needs)
    side = out_side(draft, needs.rules)
    count.hand["out"] = None
    if side is None and not draft.get(names.OUT) and _all_summed(count, draft, needs):
        # Of a hand that is only its sums nobody has to know who went out.
        del count.hand["out"]
    elif side is None:
        if draft.get(names.OUT) != names.NOBODY:
            count.troubles.append(Trouble(names.OUT, "out-missing", missing=True))
    elif side not in count.unfinished:
        count.hand["out"] = _out(draft, needs, side)


def _read_special_out(count: Count, draft: Mapping[str, str], shown: list[str]) -> None:
    """Who shows a special hand goes out with it; without a last discard, which is not asked for then."""
    sides, chosen = count.hand["sides"], draft.get(names.OUT, "").partition(".")[0]
    positions = [SIDE_KEYS.index(key) for key in shown]
    if len(shown) > 1:
        count.troubles.append(Trouble(names.special(shown[1]), "special-twice", positions[1]))
        count.unfinished.update(positions)
    elif chosen not in ("", shown[0]):
        count.troubles.append(Trouble(names.OUT, "special-out", positions[0]))
    count.hand["out"] = {"side": shown[0], "concealed": False} if "special" in sides[shown[0]] else None
    for key in shown[1:]:
        sides[key].pop("special", None)


def _at_odds(draft: Mapping[str, str], needs: Needs) -> Iterator[Trouble]:
    """What was said of going out and cannot go together: nobody is to guess which of it holds."""
    discarded = bool(draft.get(names.DISCARD, "").strip())
    if draft.get(names.OUT) == names.NOBODY:
        if needs.concealed and names.CONCEALED in draft:
            yield Trouble(names.CONCEALED, "concealed-nobody")
        if discarded:
            yield Trouble(names.DISCARD, "discard-nobody")
        if names.DISCARD_NONE in draft:
            yield Trouble(names.DISCARD_NONE, "discard-none-nobody")
    elif discarded and names.DISCARD_NONE in draft:
        yield Trouble(names.DISCARD_NONE, "discard-both")


def _out(draft: Mapping[str, str], needs: Needs, position: int) -> dict[str, Any]:
    concealed = needs.concealed and names.CONCEALED in draft
    out: dict[str, Any] = {"side": SIDE_KEYS[position], "concealed": concealed}
    player = draft.get(names.OUT, "").partition(".")[2]
    if player in {str(hand) for hand in range(needs.hands(position))}:
        out["player"] = int(player)
    discard = draft.get(names.DISCARD, "").strip()
    if discard:
        out["discard"] = discard
    elif names.DISCARD_NONE in draft:
        out["discard"] = None
    return out
