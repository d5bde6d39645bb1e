"""A hand counted by the other side too, and what was confirmed and is counted again."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, RequestId
from scorepad.matches.events import HandState
from scorepad.matches.transaction import Saved
from tests.web.client import Client, Page
from tests.web.counting import begin, begun, beside, type_and
from tests.web.playing import ALL_GOOD, device, match_of, play

SAVE = "Salva il mio conto"
MINE = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody"}


@pytest.fixture
def started(client: Client, pad: Pad) -> Saved:
    return begun(pad, client)


@pytest.fixture
def match(client: Client, pad: Pad, started: Saved) -> str:
    """A match in which one side counts and the other checks, with a hand that `client` counted."""
    url = f"/partite/{started.match}"
    pad.checking.switch(request(), started.match, device(client), on=True)
    play(pad, client, url, ALL_GOOD)
    return url


@pytest.fixture
def other(visit: Callable[..., Client], pad: Pad, started: Saved) -> Client:
    """A phone of the other side, let in to write."""
    phone = visit()
    phone.get("/regole")
    assert started.keys is not None
    pad.devices.enter(started.keys.write, device(phone))
    assert pad.access(started.match, device(phone)) is Access.WRITE
    return phone


def request() -> RequestId:
    return RequestId(secrets.token_hex(16))


def contesting(client: Client, match: str) -> Page:
    return client.get(f"{match}/smazzate/1/contesta")


def send(client: Client, page: Page, do: str, status: int = 200, **typed: str) -> Page:
    form = page.form(SAVE)
    named = {name.replace("__", "."): text for name, text in typed.items()}
    return client.post(form["action"], {**page.values(form), **named, "do": do}, status)


def hand_of(pad: Pad, client: Client, match: str) -> HandState:
    return pad.state(match_of(match), device(client)).hands[0]


def confirm(pad: Pad, client: Client, match: str) -> None:
    entry = hand_of(pad, client, match).versions[-1].sequence
    pad.checking.confirm(request(), match_of(match), device(client), 1, entry)
    assert hand_of(pad, client, match).confirmed is not None


def test_the_other_side_counts_from_nothing(other: Client, match: str) -> None:
    page = contesting(other, match)
    assert page.one("h1").text == "La conto anch'io: smazzata 1"
    form = page.form(SAVE)
    assert form["action"] == f"{match}/smazzate/1/contesta"
    shown = page.values(form)
    assert not [
        name
        for name, text in shown.items()
        if name[1:2] == "-" and name[2:] in ("cards", "left") and text
    ]
    assert "out" not in shown
    assert "Contala da capo" in form.text


def test_a_contest_stands_beside_the_first_count(other: Client, pad: Pad, match: str) -> None:
    send(
        other,
        contesting(other, match),
        "save",
        **{name.replace(".", "__"): text for name, text in MINE.items()},
    )
    hand = hand_of(pad, other, match)
    assert [side.hand for side in hand.sides] == [430, 60]
    assert hand.contest is not None
    # 150, and 100 less 40
    assert [sum(line.points for line in lines) for lines in hand.contest.event.lines] == [150, 60]


def test_what_is_typed_is_checked_and_stays_a_contest(other: Client, pad: Pad, match: str) -> None:
    page = contesting(other, match)
    form = page.form(SAVE)
    answer = other.raw.post(form["data-check"], data={**page.values(form), **MINE, "do": "check"})
    told = Page(answer, form["data-check"])
    assert [button.text for button in told.all("button", value="save")] == [SAVE]
    assert told.one(id="count-status").text.startswith(
        "Noi: +150 in questa smazzata, 150 in tutto."
    )
    page = send(other, page, "check", a__cards="150")
    assert page.one("input", id="a-cards")["value"] == "150"
    assert hand_of(pad, other, match).contest is None


def test_a_contest_that_cannot_be_is_refused_with_all_that_was_typed(
    other: Client, pad: Pad, match: str
) -> None:
    page = send(
        other,
        contesting(other, match),
        "save",
        422,
        a__cards="152",
        a__left="0",
        reason="manca un asso",
    )
    assert page.title.startswith("Errore: La conto anch'io: smazzata 1")
    assert page.one("input", id="a-cards")["value"] == "152"
    assert page.one("input", id="reason")["value"] == "manca un asso"
    assert hand_of(pad, other, match).contest is None


def test_the_first_count_is_offered_still_where_something_is_missing(
    other: Client, visit: Callable[..., Client], pad: Pad, match: str
) -> None:
    page = send(other, contesting(other, match), "save", 422)
    link = page.one(id="first").one("a")
    assert link.text == "Parti dal primo conto"
    form = page.form(SAVE)
    told = Page(
        other.raw.post(form["data-check"], data={**page.values(form), "do": "check"}),
        form["data-check"],
    )
    assert told.one(id="first").one("a")["href"] == link["href"], (
        "and while the rest is being typed"
    )
    assert other.get(link["href"]).one("input", id="a-cards")["value"] == "150"


def test_a_contest_against_the_rules_may_be_agreed_to(other: Client, pad: Pad, match: str) -> None:
    typed = {name.replace(".", "__"): text for name, text in {**MINE, "out": "a"}.items()}
    page = send(other, contesting(other, match), "save", 422, **typed)
    send(other, page, "save", agreed="chiusura buona")
    contest = hand_of(pad, other, match).contest
    assert contest is not None
    assert contest.event.agreed == "chiusura buona"


def test_a_hand_that_was_corrected_meanwhile_is_shown_beside_the_contest(
    other: Client, client: Client, pad: Pad, match: str
) -> None:
    page = contesting(other, match)
    type_and("save", client, client.get(f"{match}/smazzate/1/correggi"), {"a.cards": "145"})
    typed = {name.replace(".", "__"): text for name, text in MINE.items()}
    both = send(other, page, "save", 409, **typed)
    assert "Noi: Carte calate 145 150" in both.one("tbody").text
    form = both.one("form", class_="stale-choice")
    assert form["action"] == f"{match}/smazzate/1/contesta"
    again = other.post(form["action"], {**both.values(form), "do": "check"})
    assert again.one("input", id="a-cards")["value"] == "150"


def test_whoever_counted_a_hand_does_not_contest_it(client: Client, match: str) -> None:
    page = client.get(f"{match}/smazzate/1/contesta")
    assert page.url == match
    assert page.notices == ["Questa smazzata l'avete contata voi: la controlla l'altra parte."]


def test_a_table_that_does_not_check_never_meets_it(client: Client, pad: Pad) -> None:
    url = begin(pad, client)
    play(pad, client, url, ALL_GOOD)
    client.get(f"{url}/smazzate/1/contesta", 404)
    client.get(f"{url}/smazzate/2/contesta", 404)


def test_a_confirmed_hand_changes_only_with_a_reason(
    other: Client, client: Client, pad: Pad, match: str
) -> None:
    confirm(pad, other, match)
    page = client.get(f"{match}/smazzate/1/correggi")
    assert "Perché cambia?" in [label.text for label in page.all("label")]
    page = type_and("save", client, page, {"a.cards": "145"}, 422)
    assert page.errors == ["Questa smazzata è già confermata: scrivi perché cambia."]
    assert page.one(class_="errors").one("a")["href"] == "#reason"
    assert beside(page, "reason") == [
        "Errore: Questa smazzata è già confermata: scrivi perché cambia."
    ]
    assert page.one("input", id="a-cards")["value"] == "145"
    assert [side.hand for side in hand_of(pad, client, match).sides] == [430, 60]
    type_and("save", client, page, {"reason": "un quattro in meno"})
    assert [side.hand for side in hand_of(pad, client, match).sides] == [425, 60]
