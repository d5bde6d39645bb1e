"""What else can be done with a match of the model: rulings, ends, names, rules, and who comes in."""

from dataclasses import replace
from typing import Any

from tests.model.match import Labels, Match
from tests.model.verbs import (
    NOT_OWNER,
    OVER,
    REFUSED,
    SAVED,
    STALE,
    Answer,
    hand_to_come,
    may_write,
)

RANKS = ("none", "view", "write", "own")


def penalty(match: Match, who: str, hand: int | None, side: int) -> Answer:
    """Note a penalty in the hand being played."""
    if match.is_over:
        return OVER
    if hand != hand_to_come(match):
        return STALE
    match.do("penalty", who, match.hands + 1, side=side, taken=True)
    return SAVED


def take_penalty_back(match: Match, who: str, entry: int) -> Answer:
    """Take a penalty of the hand being played back, with the ruling that brought it."""
    noted = match.standing("penalty", "ruling", number=match.hands + 1)
    if all(deed.at != entry or not deed.told["taken"] for deed in noted):
        return STALE
    match.do("undo", who, match.hands + 1, what=entry)
    return ("saved", match.hands + 1, None)


def ruling(match: Match, who: str, hand: int | None, side: int, *, taken: bool) -> Answer:
    """Keep a ruling with the hand being played; `taken`: with its penalty."""
    if match.is_over:
        return OVER
    if hand != hand_to_come(match):
        return STALE
    match.do("ruling", who, match.hands + 1, side=side, taken=taken)
    return SAVED


def take_back(match: Match, who: str, entry: int) -> Answer:
    """Take a ruling back; its penalty goes with it unless its hand has been counted."""
    kept = next((deed for deed in match.standing("ruling") if deed.at == entry), None)
    if kept is None:
        return STALE
    match.do("undo", who, kept.number, what=entry)
    return ("saved", kept.number, None)


def end(match: Match, who: str, seen: int, ending: tuple[str, int | None, int | None]) -> Answer:
    """End it as the table agreed."""
    if match.is_over:
        return OVER
    if seen != match.hands:
        return STALE
    match.do("end", who, None, ending=ending)
    return SAVED


def remark(match: Match, who: str, number: int, seen: str, text: str) -> Answer:
    """Note something of a hand."""
    if not 1 <= number <= match.hands or match.remark(number) != seen:
        return STALE
    if text != seen:
        match.do("remark", who, number, remark=text)
    return SAVED


def switch(match: Match, who: str, *, on: bool) -> Answer:
    """From now on hands are checked, or no longer."""
    if bool(match.checking_since) != on:
        match.do("checking", who, None, on=on)
    return SAVED


def rules(match: Match, who: str, target: int | None) -> Answer:
    """Another target, before the first hand; None for the usual one."""
    if match.hands:
        return ("hands counted",)
    wanted = target or match.game.target
    if match.game.carried and match.by_rules(match.game.carried, wanted)[0]:
        return REFUSED
    if wanted != match.target:
        match.do("rules", who, None, target=wanted)
    return SAVED


def rename(match: Match, who: str, wanted: Labels, seen: int) -> Answer:
    """Other names: what only this one changed since it looked holds, what both did is refused."""
    base, stand, mine = (_in_line(labels) for labels in (match.labels[seen], _now(match), wanted))
    merged = dict(stand)
    for where, called in mine.items():
        if called not in (base[where], stand[where]) and stand[where] != base[where]:
            return REFUSED
        if called != base[where]:
            merged[where] = called
    if merged == stand:
        return SAVED
    labels = _apart(merged, wanted)
    if not _can_be_called(labels):
        return REFUSED
    match.do("rename", who, None, labels=labels)
    return SAVED


def replaced(match: Match, who: str, seat: tuple[int, int], was: str, name: str) -> Answer:
    """Somebody takes a player's place; who plays alone goes by the name of the side."""
    labels, alone = _now(match), len(match.game.nobody[seat[0]]) == 1
    where = ("names", seat[0]) if alone else ("players", *seat)
    if _in_line(labels)[where] != was:
        return STALE
    if match.is_over:
        return OVER
    if name.strip() == was:
        return SAVED
    wanted = _apart({**_in_line(labels), where: name.strip()}, labels)
    if not name.strip() or not _can_be_called(wanted):
        return REFUSED
    match.do("replace", who, None, labels=wanted, taken=(seat, was, name.strip(), match.hands + 1))
    return SAVED


def _now(match: Match) -> Labels:
    return match.labels[len(match.deeds)]


def _in_line(labels: Labels) -> dict[tuple[str | int, ...], str]:
    """Each by where it stands."""
    players = {
        ("players", side, place): player
        for side, seated in enumerate(labels.players)
        for place, player in enumerate(seated)
    }
    return {
        ("place",): labels.place,
        **{("names", side): name for side, name in enumerate(labels.names)},
        **players,
    }


def _apart(line: dict[tuple[str | int, ...], str], like: Labels) -> Labels:
    names = tuple(line["names", side] for side in range(len(like.names)))
    players = tuple(
        tuple(line["players", side, place] for place in range(len(seated)))
        for side, seated in enumerate(like.players)
    )
    return Labels(names, players, line["place",])


def _can_be_called(labels: Labels) -> bool:
    """No side without a name, and no two of the same."""
    return "" not in labels.names and len(set(labels.names)) == len(labels.names)


def rematch(match: Match, who: str) -> Answer:
    """The same again, once: names, rules and devices, whoever deals next, and nothing brought from
    paper.
    """
    if match.rematch:
        return (*SAVED, "again") if match.rematch.may.get(who, "none") != "none" else STALE
    if not match.is_over:
        return STALE
    begun = Match(
        replace(match.game, carried=(), played=0), who, _now(match), match.target,
        (match.dealt + match.hands) % len(match.game.chairs), bool(match.checking_since),
    )  # fmt: skip
    for each, may in match.may.items():
        if may != "none":
            begun.may[each] = "own" if each == who else "write" if may == "own" else may
            begun.seats[each] = match.seats.get(each)
    match.rematch = begun
    match.do("rematch", who, None)
    return SAVED


def delete(match: Match, who: str) -> Answer:
    """A match is gone for everybody; only whose it is may do that."""
    refused = may_write(match, who)
    if refused:
        return refused
    if match.may[who] != "own":
        return NOT_OWNER
    match.may.clear()
    return SAVED


# ------------------------------------------------------------------------------------- who comes in


def sit(match: Match, who: str, side: int | None) -> Answer:
    """Say for which side somebody counts."""
    refused = may_write(match, who)
    if refused is None:
        match.seats[who] = side
    return refused or SAVED


def enter(match: Match, who: str, may: str) -> Answer:
    """Come in by a key, if there is one; nobody loses by it."""
    if may not in match.doors:
        return ("no key",)
    if RANKS.index(may) > RANKS.index(match.may.get(who, "none")):
        match.may[who] = may
    return ("entered",)


def decide(match: Match, who: str, what: str, **told: Any) -> Answer:
    """What the owner alone decides of who comes in: `whom` it is about, or which key (`may`)."""
    if match.may[who] != "own":
        return NOT_OWNER
    whom = told.get("whom")
    if whom is not None and match.may.get(whom, "none") == "none":
        return ("gone",)
    if what == "remove" and match.may[whom or ""] == "own":
        return NOT_OWNER
    if what == "remove":
        _out(match, str(whom))
    elif what == "hand-on":
        match.may[who] = "write"
        match.may[str(whom)] = "own"
    else:
        # A new key to write replaces both.
        is_both = (what, told["may"]) == ("renew", "write")
        lost = ("write", "view") if is_both else (told["may"],)
        for each in [each for each, may in match.may.items() if may in lost]:
            _out(match, each)
        (match.doors.add if what == "renew" else match.doors.discard)(told["may"])
    match.do("access", who, None)
    return ("done",)


def _out(match: Match, who: str) -> None:
    match.may[who] = "none"
    match.seats.pop(who, None)
