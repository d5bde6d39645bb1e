"""What people do, one function each, with the choices that there are: for Hypothesis and for the
plain walk alike.
"""

from collections.abc import Callable, Mapping
from typing import Any

from scorepad.matches.access import DeviceId
from scorepad.matches.hands import SentHand, ShownCounts, ShownDraft
from tests.model import course, verbs
from tests.model.hands import NAMES, Hand
from tests.model.play import Play
from tests.model.table import Look
from tests.model.told import answered
from tests.model.verbs import Said

WRITERS = ("owner", "noi", "loro", "noi", "loro", "owner", "noi", "loro", "looker", "stranger")
DECIDE = (None, None, None, "owner", "noi", "looker")
"""None: whoever owns the match."""
STALE = (False, False, False, True)
DRAFTS: tuple[dict[str, str], ...] = (
    {},
    {"a.cards": "150"},
    {"a.cards": "150", "b.cards": "  "},
    {"a.cards": "60", "b.penalties.draw-out-of-turn": "1"},
    {"a.penalties.draw-out-of-turn": "1"},
)
MISCOUNTED = Said("contata male")
SAID = (
    Said(),
    Said(),
    Said(agreed="così d’accordo"),
    Said(remark="al primo giro"),
    MISCOUNTED,
)
NOTED = (
    Said(),
    MISCOUNTED,
    Said("due pinelle in più", "", "d’accordo"),
    Said(remark="chi sa"),
)
OUT_OF_TURN, OPENS = (
    {"kind": "penalty", "code": "draw-out-of-turn"},
    {"kind": "opening", "score": 0, "melds": ["3xK"]},
)
ENDS = (("last-hand", 1, None), ("hands", 2, None), ("by-rules", 0, None), ("last-hand", 2, None),
        ("time", 0, None), ("given-up", 0, 0), ("given-up", 0, 1), ("broken-off", 0, None))  # fmt: skip
Action = Callable[..., None]
ACTIONS: dict[str, tuple[Action, dict[str, tuple[Any, ...]]]] = {}


def action(**choices: tuple[Any, ...]) -> Callable[[Action], Action]:
    """Something people do, and the values that each argument can take."""

    def note(act: Action) -> Action:
        ACTIONS[act.__name__] = (act, choices)
        return act

    return note


def seen_of(look: Look, which: int) -> tuple[int, tuple[int, int, str]]:
    """The number of a hand that is there, and what was seen of it; where there is none, the first."""
    number = 1 + which % max(1, len(look.hands))
    return number, look.hands[number - 1] if look.hands else (0, 0, "")


def sent_hand(
    played: Hand, said: Said, draft: Mapping[str, str] | None = None, reason: str = ""
) -> SentHand:
    """A hand as the pad takes it, with what is said beside it."""
    return SentHand(
        hand=played.of_pad(),
        draft=draft,
        remark=said.remark,
        agreed=said.agreed,
        reason=reason,
    )


def owner(play: Play) -> str:
    """Whose match it is by now."""
    return next(who for who, may in play.match.may.items() if may == "own")


# -------------------------------------------------------------------------------------------- hands


@action(who=WRITERS, draft=DRAFTS, stale=STALE)
def keep(play: Play, who: str, draft: dict[str, str], *, stale: bool) -> None:
    look, name = play.look(who, stale=stale), play.table.name
    expected = verbs.keep(play.match, who, look.hand, look.version, draft)
    got = answered(
        "keep",
        lambda: play.pad.store_draft(
            name, DeviceId(who), ShownDraft(look.name, look.version), draft
        ),
    )
    play.agree("keep", expected, got)


@action(who=WRITERS, hand=NAMES, draft=(None, *DRAFTS), said=SAID, stale=STALE)
def count(
    play: Play, who: str, hand: str, draft: dict[str, str] | None, said: Said, *, stale: bool
) -> None:
    look = play.look(who, stale=stale)
    played = play.match.game.hands.get(hand) or play.match.game.hands["usual"]
    shown = ShownDraft(look.name, look.version)
    hand_sent = sent_hand(played, said, draft)
    play.send(
        who, "hand", (look.hand, id(played), said.remark, said.agreed),
        lambda match: verbs.count(match, who, look.hand, look.version, played, draft, said),
        lambda sent, name, device: play.pad.count(sent, name, device, shown, hand_sent),
    )  # fmt: skip


@action(who=("owner", "noi", "loro"), hand=("usual", "turned", "summed", "great"))
def count_plainly(play: Play, who: str, hand: str) -> None:
    count(play, who, hand, None, Said(), stale=False)


@action(who=WRITERS, which=(0, 1, 2, 5), hand=NAMES, said=(*NOTED, Said(agreed="sì")), stale=STALE)
def correct(play: Play, who: str, which: int, hand: str, said: Said, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    number, (seen, _, _) = seen_of(look, which)
    played = play.match.game.hands.get(hand) or play.match.game.hands["turned"]
    hand_sent = sent_hand(played, said, reason=said.note)
    play.send(
        who, "correction", (number, seen, id(played), said),
        lambda match: verbs.correct(match, who, number, seen, played, said),
        lambda sent, name, device: play.pad.correct(sent, name, device, number, seen, hand_sent),
    )  # fmt: skip


@action(who=WRITERS, which=(0, 1, 2, 5), hand=NAMES, said=NOTED, stale=STALE)
def contest(play: Play, who: str, which: int, hand: str, said: Said, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    number, (seen, _, _) = seen_of(look, which)
    played = play.match.game.hands.get(hand) or play.match.game.hands["turned"]
    hand_sent = sent_hand(played, said, reason=said.note)
    play.send(
        who, "contest", (number, seen, id(played), said),
        lambda match: verbs.contest(match, who, number, seen, played, said),
        lambda sent, name, device: play.pad.checking.contest(sent, name, device, number, seen, hand_sent),
    )  # fmt: skip


@action(who=WRITERS, which=(0, 1, 2, 5), stale=STALE)
def confirm(play: Play, who: str, which: int, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    number, (seen, _, _) = seen_of(look, which)
    play.ask_both(who, "confirm", verbs.confirm, "checking.confirm", number, seen)


@action(who=WRITERS, which=(0, 1, 2, 5), other=(False, True, True), stale=STALE)
def choose(play: Play, who: str, which: int, *, other: bool, stale: bool) -> None:
    """Settle a contested hand, the last one that there is where some are."""
    look = play.look(who, stale=stale)
    contested = [place for place, (_, opposed, _) in enumerate(look.hands) if opposed]
    number, shown = seen_of(look, contested[-1] if contested else which)
    chosen = shown[int(other)]
    play.send(
        who, "choice", (number, shown[:2], chosen),
        lambda match: verbs.choose(match, who, number, shown[:2], chosen),
        lambda sent, name, device: play.pad.checking.choose(
            sent, name, device, number, ShownCounts(*shown[:2]), chosen
        ),
    )  # fmt: skip


@action(who=WRITERS, on=(True, True, False))
def check(play: Play, who: str, *, on: bool) -> None:
    play.send(
        who, "checking", on,
        lambda match: course.switch(match, who, on=on),
        lambda sent, name, device: play.pad.checking.switch(sent, name, device, on=on),
    )  # fmt: skip


@action(who=WRITERS, note=("", "ripensato"), stale=STALE)
def undo(play: Play, who: str, note: str, *, stale: bool) -> None:
    undo_as(play, who, note, play.look(who, stale=stale))


def undo_as(play: Play, who: str, note: str, look: Look, request: str | None = None) -> None:
    play.send(
        who, "undo", (look.at, note),
        lambda match: verbs.undo(match, who, look.at, note),
        lambda sent, name, device: play.pad.undo(sent, name, device, look.at, note),
        request,
    )  # fmt: skip


@action(who=WRITERS, stale=STALE)
def redo(play: Play, who: str, *, stale: bool) -> None:
    look = play.look(who, stale=stale)
    play.ask_both(who, "redo", verbs.redo, "redo", look.at)


@action(undone=(1, 2, 3), redone=(1, 2, 3))
def undo_and_redo(play: Play, undone: int, redone: int) -> None:
    """Some things are undone, and some of them done again."""
    for _ in range(undone):
        undo_plainly(play, "owner")
    for _ in range(redone):
        redo(play, "noi", stale=False)


@action(who=("owner", "noi", "loro"))
def undo_plainly(play: Play, who: str) -> None:
    undo(play, who, "ripensato", stale=False)


@action(agree=(True, False, False), hand=("usual", "turned", "out"), settle=(None, False, True))
def check_plainly(play: Play, hand: str, *, agree: bool, settle: bool | None) -> None:
    """A hand as at a table: one side counts it, the other confirms or contests, and one of the two
    countings holds.
    """
    check(play, "owner", on=True)
    count_plainly(play, "noi", hand)
    last = play.match.hands - 1
    if agree:
        confirm(play, "loro", last, stale=False)
    else:
        contest(play, "loro", last, "fouled", Said("due pinelle in più"), stale=False)
        if settle is not None:
            choose(play, "noi" if settle else "loro", last, other=settle, stale=False)


@action(who=("owner", "noi"), most=(1, 3, 6))
def play_on(play: Play, who: str, most: int) -> None:
    """A match that is over is opened again, by undoing until it is not."""
    for _ in range(most):
        if play.match.is_over:
            undo(play, who, "si va avanti", stale=False)


@action(who=("noi", "loro"), draft=DRAFTS[1:], then=(True, False))
def type_and_count(play: Play, who: str, draft: dict[str, str], *, then: bool) -> None:
    """Somebody types, and counts; or types and leaves it."""
    keep(play, who, draft, stale=False)
    if then:
        count(play, who, "usual", draft, Said(), stale=False)


# -------------------------------------------------------------------------------------------- again


@action(which=(0, 0, 1, 2, 3, 7))
def again(play: Play, which: int) -> None:
    """What was sent comes a second time, to the letter."""
    if play.sent:
        play.submit(*play.sent[-1 - which % len(play.sent)])


@action(who=WRITERS, which=(0, 1, 2, 5))
def misuse(play: Play, who: str, which: int) -> None:
    """An undoing under the name of something else that was sent, or of another undoing."""
    if play.sent:
        undo_as(play, who, "ancora", play.look(who), play.sent[-1 - which % len(play.sent)][0])
