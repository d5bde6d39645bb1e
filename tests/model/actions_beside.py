"""What people do beside counting: the course of a match, who comes in, the pad itself."""

import dataclasses
from typing import Any

from scorepad.matches.access import Access, DeviceId
from scorepad.matches.actions import Asking, NewPenalty
from scorepad.matches.events import EndHow, Ending
from scorepad.matches.events import Labels as LabelsOfPad
from scorepad.storage.rows import hash_device_id
from tests.model import course
from tests.model.actions import (
    DECIDE,
    ENDS,
    OPENS,
    OUT_OF_TURN,
    STALE,
    WRITERS,
    action,
    count_plainly,
    owner,
    seen_of,
)
from tests.model.hands import GAMES
from tests.model.match import Labels
from tests.model.play import CLIENTS, Play
from tests.model.told import answered


@action(side=(0, 1), then=(True, True, False))
def rule_and_count(play: Play, side: int, *, then: bool) -> None:
    """A ruling with its penalty, the hand counted, and the same again in the next hand; the first
    is taken back.
    """
    ruling(play, "noi", side, taken=True, stale=False)
    count_plainly(play, "noi", "turned")
    ruling(play, "loro", side, taken=True, stale=False)
    if then:
        take_back(play, "owner", len(play.match.standing("ruling")) - 2, stale=False)


# --------------------------------------------------------------------------------------- the course


@action(who=WRITERS, side=(0, 1), stale=STALE)
def penalty(play: Play, who: str, side: int, *, stale: bool) -> None:
    look, noted = play.look(who, stale=stale), NewPenalty(side, "draw-out-of-turn")
    play.send(
        who, "penalty", (look.hand, side),
        lambda match: course.penalty(match, who, look.hand, side),
        lambda sent, name, device: play.pad.actions.add_penalty(sent, name, device, look.name, noted),
    )  # fmt: skip


@action(who=WRITERS, which=(0, 1, 2), stale=STALE)
def take_penalty_back(play: Play, who: str, which: int, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    entry = look.penalties[which % len(look.penalties)] if look.penalties else 1
    play.ask_both(who, "undo", course.take_penalty_back, "actions.take_back_penalty", entry)


@action(who=WRITERS, side=(0, 1), taken=(True, True, False), stale=STALE)
def ruling(play: Play, who: str, side: int, *, taken: bool, stale: bool) -> None:
    look = play.look(who, stale=stale)
    takes = taken and not play.match.game.deals
    asked = OUT_OF_TURN if takes else OPENS
    if look.rules != play.look("owner").rules:
        look = play.look(
            who
        )  # rulings by other rules are stale by themselves; here those of the match
    asking = Asking(asked, look.rules, look.name, side)
    play.send(
        who, "ruling", (look.hand, look.rules, side, takes),
        lambda match: course.ruling(match, who, look.hand, side, taken=takes),
        lambda sent, name, device: play.pad.actions.keep_ruling(
            sent, name, device, asking, with_penalty=takes
        ),
    )  # fmt: skip


@action(who=WRITERS, which=(0, 1, 2), stale=STALE)
def take_back(play: Play, who: str, which: int, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    entry = look.rulings[which % len(look.rulings)] if look.rulings else 1
    play.ask_both(who, "undo", course.take_back, "actions.take_back_ruling", entry)


@action(who=WRITERS, how=ENDS, stale=STALE)
def end(play: Play, who: str, how: tuple[str, int, int | None], *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    seen, word = len(look.hands), how[0]
    ending = (word, seen + how[1] if how[1] else None, how[2])
    play.send(
        who, "end", (seen, ending),
        lambda match: course.end(match, who, seen, ending),
        lambda sent, name, device: play.pad.actions.end(
            sent, name, device, seen, Ending(EndHow(word), ending[1], ending[2])
        ),
    )  # fmt: skip


@action(who=WRITERS, which=(0, 1, 2, 5), text=("bella", "", "al primo giro"), stale=STALE)
def remark(play: Play, who: str, which: int, text: str, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    number, (_, _, stood) = seen_of(look, which)
    play.ask_both(who, "remark", course.remark, "actions.remark", number, stood, text)


@action(
    who=WRITERS, side=(0, 1), called=("Rossi", "Bianchi", "Noi", "  "), place=("", "Roma"),
    player=(None, None, "Fabio", ""), stale=STALE,
)  # fmt: skip
def rename(
    play: Play, who: str, side: int, called: str, place: str, player: str | None, *, stale: bool
) -> None:
    look = play.look(who, stale=stale)
    seen = play.match.labels[look.at]
    names = tuple(called if each == side else name for each, name in enumerate(seen.names))
    players = [list(seated) for seated in seen.players]
    if player is not None:
        players[side][-1] = player
    seats = tuple(map(tuple, players))
    wanted = Labels(tuple(name.strip() for name in names), seats, place)
    typed = LabelsOfPad(names, seats, place)
    play.send(
        who, "rename", (names, seats, place),
        lambda match: course.rename(match, who, wanted, look.at),
        lambda sent, name, device: play.pad.actions.rename(sent, name, device, typed, look.at),
    )  # fmt: skip


@action(
    who=WRITERS,
    side=(0, 1),
    place=(0, -1),
    name=("Dario", "Elsa", " Fabio ", "Noi", "Ada", " "),
    stale=STALE,
)
def sit_in(play: Play, who: str, side: int, place: int, name: str, *, stale: bool) -> None:
    """Somebody takes a player's place."""
    look = play.look(who, stale=stale)
    seen, places = play.match.labels[look.at], len(play.match.game.nobody[side])
    seat = (side, place % places)
    was = seen.names[side] if places == 1 else seen.players[side][seat[1]]
    play.ask_both(who, "replace", course.replaced, "actions.replace", seat, was, name)


@action(who=WRITERS, to=(None, 3000, 2500, 7000))
def rules(play: Play, who: str, to: int | None) -> None:
    if play.match.game.deals:
        return  # four hands end it, whatever they add up to
    options = {"target": to} if to else {}
    play.send(
        who, "rules", to,
        lambda match: course.rules(match, who, to),
        lambda sent, name, device: play.pad.actions.change_rules(sent, name, device, None, options),
    )  # fmt: skip


# ------------------------------------------------------------------------------------- who comes in


@action(
    who=("noi", "loro", "noi", "loro", "looker", "owner", "stranger"),
    key=("write", "write", "view", "old"),
)
def enter(play: Play, who: str, key: str) -> None:
    """Come in by a key as it is now, or by one that was in force before."""
    table = play.table
    brought = {"write": table.keys.write, "view": table.keys.view, "old": table.old}[key]
    expected = ("no key",) if key == "old" else course.enter(table.model, who, key)
    play.agree(
        "enter", expected, answered("enter", lambda: play.pad.devices.enter(brought, DeviceId(who)))
    )


@action(who=WRITERS, side=(None, 0, 1))
def sit(play: Play, who: str, side: int | None) -> None:
    got = answered(
        "sit", lambda: play.pad.devices.set_side_and_holder(play.table.name, DeviceId(who), side)
    )
    play.agree("sit", course.sit(play.match, who, side), got)


@action()
def all_in(play: Play) -> None:
    """Everybody comes in who plays, by a new key where there is none."""
    if "write" not in play.match.doors:
        lock(play, None, "write", "renew")
    for who in ("owner", "noi", "loro"):
        enter(play, who, "write")
        sit(play, who, {"noi": 0, "loro": 1}.get(who))
    enter(play, "looker", "view")


@action(who=DECIDE, whom=("noi", "loro", "owner", "looker"), what=("remove", "remove", "hand-on"))
def put(play: Play, who: str | None, whom: str, what: str) -> None:
    """Send a device out, or hand the match on to it."""
    who = who or owner(play)

    def ask(sent: Any, name: Any, device: Any) -> object:
        verb = play.pad.devices.remove_device if what == "remove" else play.pad.devices.make_owner
        return verb(name, device, hash_device_id(DeviceId(whom)), sent)

    play.send(
        who, "access", (what, whom), lambda match: course.decide(match, who, what, whom=whom), ask
    )


@action(who=DECIDE, may=("write", "view"), what=("renew", "withdraw"))
def lock(play: Play, who: str | None, may: str, what: str) -> None:
    """Another key, or none; whoever came by it is out."""
    table, who = play.table, who or owner(play)

    def ask(sent: Any, name: Any, device: Any) -> object:
        if what == "withdraw":
            return play.pad.devices.withdraw_key(name, device, Access(may), sent)
        keys = play.pad.devices.renew_key(name, device, Access(may), table.keys, sent)
        if getattr(keys, may):
            table.old = getattr(table.keys, may) or table.old
            known = {name: key for name, key in dataclasses.asdict(keys).items() if key}
            table.keys = dataclasses.replace(table.keys, **known)
        return keys

    play.send(
        who, "access", (what, may), lambda match: course.decide(match, who, what, may=may), ask
    )


# ----------------------------------------------------------------------------------- the pad itself


@action(who=CLIENTS)
def look(play: Play, who: str) -> None:
    """Somebody looks, and will go by that for a while."""
    play.look(who)


@action()
def restart(play: Play) -> None:
    play.restart()


@action(game=tuple(GAMES))
def begin(play: Play, game: str) -> None:
    """Another match, as long as there are few."""
    if len(play.tables) < 3:
        play.start(game)


@action(which=(0, 1, 2))
def turn_to(play: Play, which: int) -> None:
    """Another of the matches that were begun."""
    play.at = len(play.tables) - 1 - which % len(play.tables)
