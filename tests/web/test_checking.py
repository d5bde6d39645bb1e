"""The pages on which a side checks what the other counted, as a phone without scripts sees them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access
from scorepad.matches.hands import SentHand
from scorepad.matches.transaction import Saved
from tests.web.client import Client, Page
from tests.web.playing import correct, device, hand, hand_typed, match_of, play, side, start

USUAL = hand(side(150, 20, mixed=1), side(100, 40))
OTHER = hand(side(150, 20, mixed=1), side(110, 40))


def differences(page: Page) -> list[list[str]]:
    """The lines in which two counts differ: what, in the first, in the second."""
    return [
        [cell.text for cell in row.all("th", "td")]
        for row in page.one(class_="warn").one("tbody").all("tr")
    ]


@pytest.fixture
def match(client: Client, visit: Callable[..., Client], pad: Pad) -> tuple[str, Client]:
    """A match where hands are checked, with one counted; and the phone of the other side."""
    url, other = start(client), visit()
    other.get("/")
    with pad.context.storage.writing() as rows:
        rows.grant(match_of(url), pad_mark(other), Access.WRITE, pad.context.clock())
    client.submit(client.get(f"{url}/controllo"), "D'ora in poi l'altra parte controlla")
    play(pad, client, url, USUAL)
    return url, other


def pad_mark(client: Client) -> str:
    from scorepad.storage.rows import known_as

    return known_as(device(client))


def test_the_other_side_is_led_to_the_hand_and_confirms_it(
    match: tuple[str, Client], client: Client
) -> None:
    url, other = match
    assert (
        "aspetta il controllo dell'altra parte"
        in client.get(url).one("section", class_="awaited").text
    )
    page = other.get(url)
    link = page.one("section", class_="awaited").one("a")
    assert link.text == "Controlla"
    done = other.submit(other.get(link["href"]), "È giusta: confermo")
    assert "Smazzata 1 confermata" in done.text
    assert not client.get(url).all("section", class_="awaited")


def test_turning_the_check_on_and_off_is_told(client: Client) -> None:
    url = start(client)
    on = client.submit(client.get(f"{url}/controllo"), "D'ora in poi l'altra parte controlla")
    assert on.notices == ["Adesso le smazzate nuove aspettano il controllo dell'altra parte."]
    off = client.submit(client.get(f"{url}/controllo"), "Basta controlli")
    assert off.notices == ["Adesso nessuno controlla: quello che si scrive vale."]


def test_who_counted_the_hand_finds_no_button_to_confirm_it(
    match: tuple[str, Client], client: Client
) -> None:
    url, _ = match
    page = client.get(f"{url}/smazzate/1/controlla")
    assert "la controlla l'altra parte" in page.text
    assert not [button for button in page.all("button") if "confermo" in button.text]


def test_a_hand_corrected_meanwhile_is_not_confirmed_and_shown_as_it_is(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    page = other.get(f"{url}/smazzate/1/controlla")
    correct(pad, client, url, 1, OTHER)
    answer = other.submit(page, "È giusta: confermo", 409)
    assert "Non è stato confermato niente" in answer.text
    assert "+110" in answer.text
    assert pad.state(match_of(url), device(client)).hands[0].confirmed is None


def test_the_same_confirmation_sent_twice_is_said_once(match: tuple[str, Client]) -> None:
    url, other = match
    page = other.get(f"{url}/smazzate/1/controlla")
    assert "Smazzata 1 confermata." in other.submit(page, "È giusta: confermo").text
    again = other.submit(page, "È giusta: confermo")
    assert again.status == 200
    assert "Smazzata 1 confermata." not in again.text


def test_of_two_counts_the_page_tells_where_they_differ_and_takes_the_one_chosen(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    name, who = match_of(url), device(other)
    seen = pad.state(name, who).hands[0].versions[-1].sequence
    assert isinstance(
        pad.checking.contest(
            "contest",
            name,
            who,
            1,
            seen,
            SentHand(hand=hand_typed(OTHER), reason="un dieci in più"),
        ),
        Saved,
    )
    page = client.get(f"{url}/smazzate/1/controlla")
    assert differences(page) == [
        ["Loro: Carte calate", "+100", "+110"],
        ["Loro: Smazzata", "+60", "+70"],
    ]
    second = page.one("button", name="choose")
    form = next(form for form in page.all("form") if form.all("button", name="choose"))
    done = client.post(
        f"{url}/smazzate/1/controlla", page.values(form) | {"choose": second["value"]}
    )
    assert done.status == 200
    assert [side.total for side in pad.state(name, who).sides] == [430, 70]


def test_counts_of_the_same_points_differ_nowhere_and_are_called_what_they_are(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    name, who = match_of(url), device(other)
    assert (
        client.get(f"{url}/smazzate/1/controlla")
        .one("section", class_="counting")
        .one("h2")
        .text.startswith("Il conto (")
    )
    seen = pad.state(name, who).hands[0].versions[-1].sequence
    # Two queens in hand are the 20 points that were typed.
    same = hand({**side(150, mixed=1), "left": "Q Q"}, side(110, 40))
    assert isinstance(
        pad.checking.contest("contest", name, who, 1, seen, SentHand(hand=hand_typed(same))), Saved
    )
    page = client.get(f"{url}/smazzate/1/controlla")
    assert differences(page) == [
        ["Loro: Carte calate", "+100", "+110"],
        ["Loro: Smazzata", "+60", "+70"],
    ]
    for phone in (client, other):
        page = phone.get(url)
        assert "Secondo conto (" in page.text
        assert "dell'altra parte (" not in page.text


def test_the_board_tells_what_waits_for_a_check_and_what_is_contested(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    name, who = match_of(url), device(other)
    told = client.get(f"{url}/tabellone").one(id="board-facts").text
    assert "Smazzate da confermare: 1" in told
    seen = pad.state(name, who).hands[0].versions[-1].sequence
    pad.checking.contest("contest", name, who, 1, seen, SentHand(hand=hand_typed(OTHER)))
    told = client.get(f"{url}/tabellone").one(id="board-facts").text
    assert "Smazzate con due conti, da scegliere: 1" in told
    assert "da confermare" not in told


def test_a_phone_that_may_only_look_is_told_so(
    match: tuple[str, Client], visit: Callable[..., Client], pad: Pad
) -> None:
    url, other = match
    viewer = visit()
    viewer.get("/")
    with pad.context.storage.writing() as rows:
        rows.grant(match_of(url), pad_mark(viewer), Access.VIEW, pad.context.clock())
    page = viewer.get(url)
    assert "Da questo telefono si guarda soltanto." in page.text
    assert page.links()["Altri telefoni"] == f"{url}/telefoni"
    assert "si guarda soltanto" not in other.get(url).text


def test_a_choice_of_neither_is_refused(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    name, who = match_of(url), device(other)
    seen = pad.state(name, who).hands[0].versions[-1].sequence
    pad.checking.contest("contest", name, who, 1, seen, SentHand(hand=hand_typed(OTHER)))
    page = client.get(f"{url}/smazzate/1/controlla")
    form = next(form for form in page.all("form") if form.all("button", name="choose"))
    for choice in ("0", "x", "", "99"):
        client.post(f"{url}/smazzate/1/controlla", page.values(form) | {"choose": choice}, 400)
    assert [side.total for side in pad.state(name, who).sides] == [430, 60]


def test_undoing_a_confirmation_asks_why_and_keeps_what_was_typed(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    other.submit(other.get(f"{url}/smazzate/1/controlla"), "È giusta: confermo")
    page = client.get(f"{url}/annulla")
    assert page.one("h1").text == "Annulla la conferma della smazzata 1"
    bare = client.submit(page, "Annulla la conferma della smazzata 1", 422, reason="  ")
    assert bare.title.startswith("Errore: ")
    assert "scrivi perché" in bare.text
    done = client.submit(bare, "Annulla la conferma della smazzata 1", reason="ho letto male")
    assert "Conferma della smazzata 1 annullata." in done.text
    assert pad.state(match_of(url), device(client)).hands[0].waits


@pytest.mark.parametrize("wrong", ["csrf_token", "request_id", "seen"])
def test_the_reason_for_an_undoing_outlasts_a_page_too_old_to_be_sent(
    match: tuple[str, Client], client: Client, pad: Pad, wrong: str
) -> None:
    url, other = match
    other.submit(other.get(f"{url}/smazzate/1/controlla"), "È giusta: confermo")
    page = client.get(f"{url}/annulla")
    sent = page.values(page.form("Annulla la conferma")) | {"reason": "ho letto male", wrong: ""}
    again = client.post(page.url, sent, 422)
    assert "Quello che c'era scritto è ancora qui" in again.errors[0]
    assert again.one("input", name="reason")["value"] == "ho letto male"
    client.submit(again, "Annulla la conferma della smazzata 1")
    assert pad.state(match_of(url), device(client)).hands[0].waits


def test_the_reason_for_an_undoing_outlasts_what_another_did_meanwhile(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, other = match
    other.submit(other.get(f"{url}/smazzate/1/controlla"), "È giusta: confermo")
    page = client.get(f"{url}/annulla")
    other.submit(other.get(f"{url}/nomi"), "Salva", place="Ostia")
    again = client.submit(page, "Annulla la conferma della smazzata 1", 409, reason="ho letto male")
    assert again.errors == [
        "Intanto la partita è cambiata e non è stato annullato niente. Quello che c'era scritto è ancora qui: guarda "
        "sul pulsante che cosa si annulla adesso."
    ]
    assert again.one("h1").text == "Annulla il cambio dei nomi"
    assert again.one("input", name="reason")["value"] == "ho letto male"
    assert "era d'accordo" not in again.text
    assert pad.state(match_of(url), device(client)).hands[0].confirmed


def test_a_hand_that_is_not_there_has_no_page(match: tuple[str, Client], client: Client) -> None:
    url, _ = match
    for number in ("0", "2", "99999999999999999999"):
        client.get(f"{url}/smazzate/{number}/controlla", 404)


def test_checking_is_turned_off_again_and_then_nothing_waits(
    match: tuple[str, Client], client: Client, pad: Pad
) -> None:
    url, _ = match
    client.submit(client.get(f"{url}/controllo"), "Basta controlli")
    play(pad, client, url, USUAL)
    assert not client.get(url).all("section", class_="awaited")


def test_in_english_it_says_the_same(
    match: tuple[str, Client], visit: Callable[..., Client], pad: Pad
) -> None:
    url, _ = match
    english = visit("en")
    english.get("/")
    with pad.context.storage.writing() as rows:
        rows.grant(match_of(url), pad_mark(english), Access.WRITE, pad.context.clock())
    page = english.get(f"{url}/smazzate/1/controlla")
    assert "Hand 1 confirmed." in english.submit(page, "Correct: I confirm").text


def test_a_contest_may_begin_with_the_count_that_it_contests(match: tuple[str, Client]) -> None:
    url, other = match
    page = other.get(f"{url}/smazzate/1/contesta")
    assert page.one(id="a-cards")["value"] == ""
    page = other.get(page.links()["Parti dal primo conto"])
    assert [page.one(id=field)["value"] for field in ("a-cards", "a-left", "b-cards", "b-left")] == [
        "150", "20", "100", "40",
    ]  # fmt: skip
    # Nothing that was typed goes by a tap: once something is there, it is offered no more.
    assert "Parti dal primo conto" not in page.links()
    assert other.submit(page, "Salva il mio conto", **{"b.cards": "110"}).status == 200
    assert differences(other.get(f"{url}/smazzate/1/controlla"))[0] == [
        "Loro: Carte calate",
        "+100",
        "+110",
    ]
