"""Starting, naming and listing matches, and who may see them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from scorepad.errors import ChoiceError
from scorepad.matches.access import (
    ADMIN,
    Access,
    DeviceId,
    MatchId,
    MatchNotFound,
    NotAllowed,
    RequestId,
)
from scorepad.matches.events import Labels
from scorepad.matches.hands import SentHand, ShownDraft
from scorepad.matches.names import NameProblem, NamesRefused
from scorepad.matches.projection import NewMatch
from scorepad.matches.transaction import RequestRefused, Saved
from scorepad.rules.variants import settle
from scorepad.storage.rows import known_as

PHONE, TABLET = DeviceId("phone"), DeviceId("tablet")
NEW = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Ivo"))))


def test_a_new_match_stands_at_nothing(table) -> None:
    state = table.state
    assert [(side.name, side.players, side.total) for side in state.sides] == [
        ("Noi", ("Ada", "Ugo"), 0),
        ("Loro", ("Eva", "Ivo"), 0),
    ]
    assert [(side.minimum, side.minimum_from, side.to_target) for side in state.sides] == [
        (50, 0, 5000)
    ] * 2
    assert (state.hands, state.open_hand, state.undoable, state.sequence) == ([], None, None, 1)
    assert (state.status.finished, state.status.winner, state.access) == (False, None, Access.OWN)
    assert state.rules == settle("classica")
    assert state.started == state.changed == datetime(2026, 3, 7, 20, 30, 1, tzinfo=UTC)
    assert (state.begins.dealer, state.next_turn.dealer, state.next_turn.first) == (
        (0, 0),
        (0, 0),
        (1, 0),
    )


def test_the_deal_passes_with_each_hand(start, build) -> None:
    table = start(replace(NEW, dealer=(1, 1)))
    table.play(build.usual(), build.usual())
    state = table.state
    # Noi and Loro alternate around the table: Ada, Eva, Ugo, Ivo; Ivo deals first, then Ada, then
    # Eva.
    assert [hand.turn.dealer for hand in state.hands] == [(1, 1), (0, 0)]
    assert state.next_turn.dealer == (1, 0)


def test_a_match_has_an_id_fit_for_an_address(start) -> None:
    ids = {start().match for _ in range(20)}
    assert len(ids) == 20
    assert all(
        len(name) == 10 and name.isalnum() and name.islower() and name.isascii() for name in ids
    )


def test_options_and_presets_hold_for_the_match(start) -> None:
    table = start(replace(NEW, options={"target": 3000}))
    assert table.state.status.target == 3000
    assert [side.to_target for side in table.state.sides] == [3000, 3000]


@pytest.mark.parametrize(
    "change", [{"variant": "bridge"}, {"preset": "nobody's"}, {"options": {"wild-limit": "nine"}}]
)
def test_rules_that_do_not_exist_start_no_match(pad, change: dict[str, object]) -> None:
    with pytest.raises(ChoiceError):
        pad.actions.start(RequestId("r"), PHONE, replace(NEW, **change))
    assert not any(pad.summaries(PHONE))


def test_three_sides_have_three_names(start) -> None:
    table = start(NewMatch("tre", None, {}, Labels(("Ada", "Ugo", "Eva"), ())))
    assert [(side.name, side.players) for side in table.state.sides] == [
        ("Ada", ("",)),
        ("Ugo", ("",)),
        ("Eva", ("",)),
    ]


def test_names_are_kept_without_the_space_around_them(start) -> None:
    table = start(
        replace(
            NEW,
            labels=replace(
                NEW.labels,
                names=("  Noi \n", "Nonna Pina 👵🏽"),
                place=" da Ada ",
                players=(("Zoë",), ()),
            ),
        )
    )
    assert [side.name for side in table.state.sides] == ["Noi", "Nonna Pina 👵🏽"]
    assert [side.players for side in table.state.sides] == [("Zoë", ""), ("", "")]
    assert table.state.labels.place == "da Ada"


@pytest.mark.parametrize(("change", "problems"), [
    ({"names": ("", "Loro")}, [("name-empty", ("names", 0), None)]),
    ({"names": ("\u200b\u2060", "Loro")}, [("name-empty", ("names", 0), None)]),
    ({"names": ("x" * 60, "y" * 61)}, [("name-too-long", ("names", 1), 60)]),
    ({"names": ("Noi", " noi ")}, [("name-repeated", ("names", 1), None)]),
    ({"names": ("Noi", "N\u200boi")}, [("name-repeated", ("names", 1), None)]),
    ({"names": ("Noi", "Lo\0ro")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "Lo\nro")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "\u202eoroL")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi", "Loro\ud83d")}, [("name-control", ("names", 1), None)]),
    ({"names": ("Noi",)}, [("names-number", ("names",), 2)]),
    ({"players": (("Ada", "Ugo", "Pia"), ())}, [("players-number", ("players", 0), 2)]),
    ({"players": (("Ada", "Ugo", "", " "), ())}, []),
    ({"players": ((), ("Ada", "\x07"))}, [("name-control", ("players", 1, 1), None)]),
    ({"players": ((), ("Ada", "Ada"))}, []),
    ({"place": "z" * 61}, [("name-too-long", ("place",), 60)]),
    ({"dealer": (0, 2)}, [("dealer-unknown", ("dealer",), None)]),
    ({"names": ("", ""), "place": "\x1b", "dealer": (5, 0)}, [
        ("name-empty", ("names", 0), None), ("name-empty", ("names", 1), None),
        ("name-control", ("place",), None), ("dealer-unknown", ("dealer",), None),
    ]),
])  # fmt: skip
def test_names_that_cannot_be_are_all_told_at_once(pad, change, problems) -> None:
    dealer = change.pop("dealer", NEW.dealer)
    new = replace(NEW, labels=replace(NEW.labels, **change), dealer=dealer)
    told = pad.actions.start(RequestId("r"), PHONE, new)
    if problems:
        assert told == NamesRefused(tuple(NameProblem(*problem) for problem in problems))
        assert not any(pad.summaries(PHONE))
    else:
        assert isinstance(told, Saved)


def test_the_same_start_sent_twice_starts_one_match(pad) -> None:
    first = pad.actions.start(RequestId("r"), PHONE, NEW)
    again = pad.actions.start(RequestId("r"), PHONE, NEW)
    assert (first.again, again.again, first.match == again.match) == (False, True, True)
    assert len(pad.summaries(PHONE).in_progress) == 1


def test_another_device_gets_nothing_out_of_a_request_that_it_overheard(pad) -> None:
    pad.actions.start(RequestId("r"), PHONE, NEW)
    with pytest.raises(RequestRefused):
        pad.actions.start(RequestId("r"), TABLET, NEW)


@pytest.mark.parametrize("request_id", ["", "x" * 201, "two words", "è", "nul\0"])
def test_a_request_without_a_proper_name_is_refused(pad, request_id: str) -> None:
    with pytest.raises(RequestRefused):
        pad.actions.start(RequestId(request_id), PHONE, NEW)


@pytest.mark.parametrize("name", ["nowhere", "", "x" * 500, "è", "\0", "\ud800", "a' or 1=1"])
def test_a_match_that_is_not_there_is_not_found(pad, name: str) -> None:
    assert pad.access(MatchId(name), PHONE) is Access.NONE
    assert pad.access(MatchId(name), ADMIN) is Access.NONE
    with pytest.raises(MatchNotFound) as caught:
        pad.state(MatchId(name), PHONE)
    assert caught.value.id == name


def test_another_device_gets_the_answer_for_a_match_that_is_not_there(table, pad, build) -> None:
    assert pad.access(table.match, TABLET) is Access.NONE
    verbs = [
        lambda: pad.state(table.match, TABLET),
        lambda: pad.open(table.match, TABLET),
        lambda: pad.judge_typed(table.match, TABLET, build.usual()),
        lambda: pad.store_draft(table.match, TABLET, ShownDraft("x", 0), {}),
        lambda: pad.count(
            RequestId("x"), table.match, TABLET, ShownDraft("x", 0), SentHand(hand=build.usual())
        ),
        lambda: pad.correct(
            RequestId("x"), table.match, TABLET, 1, 2, SentHand(hand=build.usual())
        ),
        lambda: pad.undo(RequestId("x"), table.match, TABLET, 1),
        lambda: pad.actions.rename(RequestId("x"), table.match, TABLET, Labels(("A", "B"), (), "")),
        # Not even by sending again what the owner sent.
        lambda: pad.actions.rename(
            RequestId("start-1"), table.match, TABLET, Labels(("A", "B"), (), "")
        ),
    ]
    for verb in verbs:
        with pytest.raises(MatchNotFound):
            verb()
    assert not any(pad.summaries(TABLET))


def test_a_device_that_may_only_look_writes_nothing(table, pad, storage, clock, build) -> None:
    with storage.writing() as rows:
        rows.grant(table.match, known_as(TABLET), "view", clock())
    assert pad.state(table.match, TABLET).access is Access.VIEW
    verbs = [
        lambda: pad.open(table.match, TABLET),
        lambda: pad.store_draft(table.match, TABLET, ShownDraft(f"{table.match}-1", 0), {"x": "1"}),
        lambda: pad.count(
            RequestId("x"),
            table.match,
            TABLET,
            ShownDraft(f"{table.match}-1", 0),
            SentHand(hand=build.usual()),
        ),
        lambda: pad.undo(RequestId("x"), table.match, TABLET, 1),
        lambda: pad.actions.rename(RequestId("x"), table.match, TABLET, Labels(("A", "B"), (), "")),
    ]
    for verb in verbs:
        with pytest.raises(NotAllowed):
            verb()
    assert table.state.sequence == 1


def test_who_has_the_file_in_hand_owns_every_match(start, pad) -> None:
    mine, other = start(), start(device=TABLET)
    assert pad.access(mine.match, ADMIN) is Access.OWN
    assert [match.id for match in pad.summaries(ADMIN).in_progress] == [other.match, mine.match]


def test_matches_are_listed_with_their_scores_the_last_changed_first(start, pad, build) -> None:
    one, two, three = start(), start(replace(NEW, options={"target": 500})), start()
    one.play(build.usual())
    two.play(build.hand(build.counted(150, 20, natural_canasta=1), build.counted(100, 40)))
    listed = pad.summaries(PHONE)
    assert [(match.id, match.totals, match.hands) for match in listed.in_progress] == [
        (one.match, (430, 60), 1),
        (three.match, (0, 0), 0),
    ]
    (finished,) = listed.finished
    assert (finished.id, finished.names, finished.variant) == (
        two.match,
        ("Noi", "Loro"),
        "classica",
    )
    assert (finished.finished, finished.winner, finished.target) == (True, 0, 500)
    assert finished.changed > finished.started


def test_the_list_follows_the_order_of_changes_when_the_clock_jumps_back(
    start, pad, clock, build
) -> None:
    one, two = start(), start()
    clock.now = datetime(2025, 1, 1, tzinfo=UTC)
    one.play(build.usual())
    assert [match.id for match in pad.summaries(PHONE).in_progress] == [one.match, two.match]


def test_names_can_be_changed_and_changed_back(table, pad) -> None:
    told = pad.actions.rename(
        table.request(),
        table.match,
        PHONE,
        Labels(("Rossi", "Bianchi"), (("Ada", "Pia"), ()), "al bar"),
    )
    assert isinstance(told, Saved)
    state = table.state
    assert [(side.name, side.players) for side in state.sides] == [
        ("Rossi", ("Ada", "Pia")),
        ("Bianchi", ("", "")),
    ]
    assert (state.labels.place, state.undoable.event.kind, state.undoable.event.hand_number) == (
        "al bar",
        "rename",
        None,
    )
    assert pad.summaries(PHONE).in_progress[0].names == ("Rossi", "Bianchi")
    table.undo()
    assert [side.name for side in table.state.sides] == ["Noi", "Loro"]
    assert pad.summaries(PHONE).in_progress[0].names == ("Noi", "Loro")


def test_the_same_names_again_are_no_change(table, pad) -> None:
    pad.actions.rename(table.request(), table.match, PHONE, NEW.labels)
    assert table.state.sequence == 1


def test_names_that_cannot_be_are_not_taken_later_either(table, pad) -> None:
    told = pad.actions.rename(table.request(), table.match, PHONE, Labels(("Noi", ""), (), ""))
    wanted = Labels(("Noi", ""), (("", ""), ("", "")), "")
    assert told == NamesRefused((NameProblem("name-empty", ("names", 1)),), wanted, 1)
    assert table.state.sequence == 1


def renamed(table, names, players, place, seen):
    return table.pad.actions.rename(
        table.request(), table.match, PHONE, Labels(names, players, place), seen
    )


def test_names_that_others_changed_stay_where_they_were_left_alone(table) -> None:
    renamed(table, ("Nonne", "Loro"), (("Anna", "Ugo"), ("Eva", "Ivo")), "", 1)
    told = renamed(table, ("Noi", "Loro"), (("Ada", "Ugo"), ("Eva", "Pio")), "Ostia", 1)
    assert isinstance(told, Saved)
    state = table.state
    assert [(side.name, side.players) for side in state.sides] == [
        ("Nonne", ("Anna", "Ugo")),
        ("Loro", ("Eva", "Pio")),
    ]
    assert state.labels.place == "Ostia"


def test_a_name_that_both_changed_is_refused_with_the_one_that_stands(table) -> None:
    renamed(table, ("Nonne", "Loro"), (("Ada", "Ugo"), ("Eva", "")), "", 1)
    told = renamed(table, ("Nonni", "Loro"), (("Ada", "Ugo"), ("Eva", "Pio")), "Ostia", 1)
    assert told == NamesRefused(
        (
            NameProblem("name-overtaken", ("names", 0), stands="Nonne"),
            NameProblem("name-overtaken", ("players", 1, 1), stands=""),
        ),
        Labels(("Nonni", "Loro"), (("Ada", "Ugo"), ("Eva", "Pio")), "Ostia"),
        2,
    )
    assert table.state.sequence == 2
    assert isinstance(
        renamed(table, ("Nonni", "Loro"), (("Ada", "Ugo"), ("Eva", "Pio")), "Ostia", 2), Saved
    )
    assert [side.name for side in table.state.sides] == ["Nonni", "Loro"]


def test_the_same_change_made_by_both_is_no_quarrel(table) -> None:
    for _ in range(2):
        assert isinstance(renamed(table, ("Nonne", "Loro"), NEW.labels.players, "", 1), Saved)
    assert table.state.sequence == 2


def test_a_name_that_another_side_took_meanwhile_is_refused_beside_the_one_that_stands(
    table,
) -> None:
    renamed(table, ("Rossi", "Loro"), NEW.labels.players, "", 1)
    told = renamed(table, ("Noi", "Rossi"), NEW.labels.players, "", 1)
    assert told.problems == (NameProblem("name-repeated", ("names", 1)),)
    assert told.labels.names == ("Rossi", "Rossi")


@pytest.mark.parametrize("seen", [0, -1, 9])
def test_where_nobody_knows_what_was_seen_every_difference_is_refused(table, seen) -> None:
    told = renamed(table, ("Nonne", "Loro"), NEW.labels.players, "", seen)
    assert told.problems == (NameProblem("name-overtaken", ("names", 0), stands="Noi"),)
    assert isinstance(renamed(table, ("Noi", "Loro"), NEW.labels.players, "", seen), Saved)
    assert table.state.sequence == 1
