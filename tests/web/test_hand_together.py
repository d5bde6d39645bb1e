"""Two phones that write the same hand: what they typed in different fields is joined, in the same
field it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access, MatchId, RequestId
from scorepad.matches.actions import NewPenalty
from scorepad.storage.rows import known_as
from tests.web.client import Client, Page
from tests.web.playing import ALL_GOOD, device, match_of, play, start


@pytest.fixture
def two(client: Client, visit: Callable[..., Client], pad: Pad) -> tuple[Client, Client, MatchId]:
    """Two phones that may write in a match."""
    url, other = start(client), visit()
    other.get("/")
    match = match_of(url)
    with pad.context.storage.writing() as rows:
        rows.grant(match, known_as(device(other)), Access.WRITE, pad.context.clock())
    return client, other, match


def fields(page: Page, button: str = "Salva", **typed: str) -> dict[str, str]:
    named = {re.sub("^([abc])_", r"\1.", name): text for name, text in typed.items()}
    return page.values(page.form(button)) | named


def value(page: Page, name: str) -> str:
    return page.values(page.form("Salva")).get(name, "")


def test_each_side_types_its_own_half_and_both_stand(two: tuple[Client, Client, MatchId]) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_cards="300") | {"do": "check"})
    joined = other.post(url, fields(theirs, b_cards="200") | {"do": "check"})
    assert (value(joined, "a.cards"), value(joined, "b.cards")) == ("300", "200")


def test_the_same_field_typed_differently_is_asked(two: tuple[Client, Client, MatchId]) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_cards="300") | {"do": "check"})
    both = other.post(url, fields(theirs, a_cards="305") | {"do": "check"}, 409)
    assert any([cell.text for cell in row.all("td")] == ["300", "305"] for row in both.all("tr"))
    assert "Tieni 300" in both.links(), "the other phone has no name"
    kept = other.post(url, both.values(both.form("Tieni 305 (tu)")) | {"do": "check"})
    assert value(kept, "a.cards") == "305"


def test_what_only_the_other_changed_is_not_asked_and_not_taken_back(
    two: tuple[Client, Client, MatchId],
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_cards="300", a_left="15") | {"do": "check"})
    both = other.post(url, fields(theirs, a_cards="305", b_cards="200") | {"do": "check"}, 409)
    asked = [[cell.text for cell in row.all("td")] for row in both.all("tr") if row.all("td")]
    assert asked == [["300", "305"], ["niente", "200"]]
    kept = other.post(
        url, both.values(both.form("Tieni quello che ho scritto io")) | {"do": "check"}
    )
    assert [value(kept, name) for name in ("a.cards", "a.left", "b.cards")] == ["305", "15", "200"]


def test_a_penalty_noted_on_another_phone_is_shown_before_it_is_counted(
    two: tuple[Client, Client, MatchId], pad: Pad
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine = one.get(url)
    one.post(url, fields(mine, a_cards="300") | {"do": "check"})
    page = one.get(url)
    coming = pad.open(match, device(other)).id
    pad.actions.add_penalty(
        RequestId("penalty"), match, device(other), coming, NewPenalty(1, "draw-out-of-turn")
    )
    whole = {"a_left": "20", "b_cards": "200", "b_left": "40", "out": "nobody"}
    joined = one.post(url, fields(page, **whole) | {"do": "save"})
    assert "Intanto un altro telefono ha scritto in questa smazzata" in joined.text
    assert "Pescata fuori turno, \N{MINUS SIGN}100" in joined.one(id="b-noted").text
    assert (value(joined, "a.cards"), value(joined, "a.left")) == ("300", "20")
    one.submit(joined, "Salva la smazzata")
    assert [side.total for side in pad.state(match, device(one)).sides] == [280, 60]


@pytest.mark.parametrize("left", ["40", "45"], ids=["the same", "another"])
def test_both_save_a_hand_with_a_noted_penalty(
    two: tuple[Client, Client, MatchId], pad: Pad, left: str
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    coming = pad.open(match, device(other)).id
    for number, noted in enumerate(
        (NewPenalty(1, "draw-out-of-turn"), NewPenalty(1, "house", 25, "vino"))
    ):
        request = RequestId(f"penalty-{number}")
        pad.actions.add_penalty(request, match, device(other), coming, noted)
    mine, theirs = one.get(url), other.get(url)
    whole = {"a_cards": "300", "a_left": "20", "b_cards": "200", "out": "nobody"}
    one.post(url, fields(mine, **whole, b_left="40") | {"do": "save"})
    if left == "40":
        page = other.post(url, fields(theirs, **whole, b_left=left) | {"do": "save"})
        assert page.notices[0].startswith("La smazzata 1 era già stata salvata")
        return
    both = other.post(url, fields(theirs, **whole, b_left=left) | {"do": "save"}, 409)
    asked = [[cell.text for cell in row.all("td")] for row in both.all("tr") if row.all("td")]
    assert asked == [["40", "45"]]
    hidden = {each["name"]: each["value"] for each in both.all("input") if each.has("name")}
    assert hidden["b.penalties.draw-out-of-turn"] == "1"
    assert (hidden["b.house.0.points"], hidden["b.house.0.reason"]) == ("25", "vino")


def test_a_hand_is_not_saved_with_figures_that_its_page_did_not_show(
    two: tuple[Client, Client, MatchId], pad: Pad
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_cards="300") | {"do": "check"})
    whole = {"a_left": "20", "b_cards": "200", "b_left": "40", "out": "nobody"}
    shown = other.post(url, fields(theirs, **whole) | {"do": "save"})
    assert "Intanto un altro telefono ha scritto in questa smazzata" in shown.text
    assert pad.state(match, device(one)).hands == []
    assert value(shown, "a.cards") == "300"
    saved = other.submit(shown, "Salva la smazzata")
    assert [side.total for side in pad.state(match, device(one)).sides] == [280, 160], saved.text


def test_what_one_took_away_and_the_other_left_is_gone(two: tuple[Client, Client, MatchId]) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    one.post(url, fields(one.get(url), a_cards="300", a_left="20") | {"do": "check"})
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_cards="") | {"do": "check"})
    joined = other.post(url, fields(theirs, b_cards="200") | {"do": "check"})
    assert (value(joined, "a.cards"), value(joined, "a.left"), value(joined, "b.cards")) == (
        "",
        "20",
        "200",
    )


def test_one_side_by_cards_and_the_other_in_totals_stand_beside_each_other(
    two: tuple[Client, Client, MatchId],
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_melds="4xK") | {"a.left.0": "5 6", "do": "check"})
    joined = other.post(url, fields(theirs, b_cards="200") | {"do": "check"})
    assert [value(joined, name) for name in ("a.melds", "a.left.0", "b.cards")] == [
        "4xK",
        "5 6",
        "200",
    ]
    assert joined.one("details", id="cards-a").has("open")


def test_melds_on_different_lines_stand_beside_each_other_and_on_the_same_line_it_is_asked(
    two: tuple[Client, Client, MatchId],
) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    one.post(url, fields(one.get(url), a_melds="4xK\n3xQ") | {"do": "check"})
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_melds="5xK\n3xQ") | {"do": "check"})
    joined = other.post(url, fields(theirs, a_melds="4xK\n3xQ\n3x9") | {"do": "check"})
    assert value(joined, "a.melds").split() == ["5xK", "3xQ", "3x9"]
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_melds="5xK\n3xQ\n4x9") | {"do": "check"})
    both = other.post(url, fields(theirs, a_melds="5xK\n3xQ\n5x9") | {"do": "check"}, 409)
    assert "4x9" in both.one("tbody").text
    assert "5x9" in both.one("tbody").text


def test_where_one_side_is_counted_twice_it_is_said(two: tuple[Client, Client, MatchId]) -> None:
    one, other, match = two
    url = f"/partite/{match}/smazzata"
    mine, theirs = one.get(url), other.get(url)
    one.post(url, fields(mine, a_melds="4xK") | {"do": "check"})
    both = other.post(url, fields(theirs, a_cards="200") | {"do": "check"})
    assert (value(both, "a.melds"), value(both, "a.cards")) == ("4xK", "200")
    assert "Ci sono sia i totali sia le carte" in both.one(id="a-cards-messages").text


# ---------------------------------------------------------------- back to an earlier hand


@pytest.fixture
def undone(two: tuple[Client, Client, MatchId], pad: Pad) -> tuple[Client, Page]:
    """A phone with the count of the third hand open, while another undid the second and the first."""
    one, other, match = two
    play(pad, one, f"/partite/{match}", ALL_GOOD, ALL_GOOD)
    page = other.get(f"/partite/{match}/smazzata")
    for _ in range(2):
        state = pad.state(match, device(one))
        pad.undo(RequestId(f"undo-{state.sequence}"), match, device(one), state.sequence)
    assert len(pad.state(match, device(one)).hands) == 0
    return other, page


def test_that_hands_were_undone_is_said_plainly_and_nothing_is_asked_of_who_typed_nothing(
    undone: tuple[Client, Page],
) -> None:
    phone, page = undone
    told = phone.post(page.url, fields(page) | {"do": "save"}, 409)
    assert told.one("h1").text == "Intanto la smazzata 1 è stata annullata"
    assert "ora si conta di nuovo da lì" in told.one(class_="lead").text
    assert told.all("table") == []
    assert told.all("button") == []
    assert "Guarda la partita" in told.links()


def test_and_what_was_typed_of_a_later_one_is_shown_and_can_be_kept(
    undone: tuple[Client, Page],
) -> None:
    phone, page = undone
    told = phone.post(page.url, fields(page, b_cards="85") | {"do": "check"}, 409)
    assert told.one("h1").text == "Intanto la smazzata 1 è stata annullata"
    rows = told.one("tbody").all("tr")
    assert [row.text for row in rows] == ["Loro: Carte calate niente 85"]
    again = phone.submit(told, "Tieni quello che ho scritto io")
    assert again.one("h1").text == "Smazzata 1"
    assert value(again, "b.cards") == "85"


def test_a_correction_of_an_undone_hand_is_told_while_it_is_typed(
    two: tuple[Client, Client, MatchId], pad: Pad
) -> None:
    one, other, match = two
    play(pad, one, f"/partite/{match}", ALL_GOOD)
    page = other.get(f"/partite/{match}/smazzate/1/correggi")
    state = pad.state(match, device(one))
    pad.undo(RequestId("undo"), match, device(one), state.sequence)
    answer = other.raw.post(
        f"/partite/{match}/smazzata/controllo", data=fields(page) | {"do": "check"}
    )
    assert answer.status_code == 409


def test_who_is_out_is_told_so_by_the_check_even_with_a_form_that_expired(
    two: tuple[Client, Client, MatchId], visit: Callable[..., Client]
) -> None:
    one, _, match = two
    page, stranger = one.get(f"/partite/{match}/smazzata"), visit()
    stranger.post(
        f"/partite/{match}/smazzata/controllo", fields(page, a_cards="300") | {"do": "check"}, 404
    )
