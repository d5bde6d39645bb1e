"""The other side checks what one side counted: it confirms the hand, or counts it too."""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Element, Page, Visit
from tests.web.counting import notes_beside
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, play, start
from tests.web.scorer import (
    Scorer,
    differences,
    error_links,
    hand_form,
    let_in,
    shown_values,
)

CHECK_FROM_NOW = "D'ora in poi l'altra parte controlla"
MINE = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody"}
"""150, and 100 - 40."""
RIGHT = "È giusta: confermo"
UNDO = "Annulla la conferma della smazzata 1"


@pytest.fixture
def one(client: Client, pad: Pad) -> Scorer:
    """A phone that counted a hand, 430 and 60, in a match in which the other side checks."""
    match = start(client)
    client.submit(client.get(f"{match}/controllo"), CHECK_FROM_NOW)
    play(pad, client, match, HAND_430_TO_60)
    return Scorer(client, pad, match)


@pytest.fixture
def other(one: Scorer, visit: Visit) -> Scorer:
    """A phone of the other side."""
    return Scorer(let_in(one.client, one.match, visit()), one.pad, one.match)


def checking(scorer: Scorer) -> Page:
    """The page on which the other side looks at the first hand."""
    return scorer.client.get(f"{scorer.match}/smazzate/1/controlla")


def awaited(scorer: Scorer) -> list[Element]:
    """What the page of the match says of hands that wait to be checked."""
    return scorer.client.get(scorer.match).all("section", class_="awaited")


def confirm(scorer: Scorer) -> Page:
    return scorer.client.submit(checking(scorer), RIGHT)


@pytest.fixture
def confirmed(one: Scorer, other: Scorer) -> Scorer:
    """The phone that counted a hand, which the other side confirmed."""
    confirm(other)
    return one


@pytest.fixture
def contested(one: Scorer, other: Scorer) -> Scorer:
    """The phone that counted a hand, of which the other side counted 70 points for itself."""
    page = other.client.get(f"{other.match}/smazzate/1/contesta?dal-primo=1")
    # Two queens in hand are the 20 points that were typed first.
    other.save({"a.left": "", "a.left.0": "Q Q", "b.cards": "110"}, page)
    return one


def choice_form(page: Page) -> dict[str, str]:
    """What is sent to choose the second of two counts."""
    (form,) = [form for form in page.all("form") if form.all("button", name="choose")]
    return page.values(form) | {"choose": form.one("button", name="choose")["value"]}


def test_the_other_side_is_led_to_the_hand_and_confirms_it(one: Scorer, other: Scorer) -> None:
    assert "aspetta il controllo dell'altra parte" in awaited(one)[0].text
    link = awaited(other)[0].one("a")
    assert link.text == "Controlla"
    page = other.client.get(link["href"])
    assert "Smazzata 1 confermata." in other.client.submit(page, RIGHT).text
    assert awaited(one) == []
    again = other.client.submit(page, RIGHT)
    assert "Smazzata 1 confermata." not in again.text, "it is said once"


def test_turning_the_check_on_and_off_is_told_and_then_nothing_waits(player: Player) -> None:
    on = player.client.submit(player.page("controllo"), CHECK_FROM_NOW)
    assert on.notices == ["Adesso le smazzate nuove aspettano il controllo dell'altra parte."]
    off = player.client.submit(player.page("controllo"), "Basta controlli")
    assert off.notices == ["Adesso nessuno controlla: quello che si scrive vale."]
    player.play(HAND_430_TO_60)
    assert awaited(player) == []


def test_who_counted_the_hand_finds_no_button_to_confirm_it(one: Scorer) -> None:
    page = checking(one)
    assert "la controlla l'altra parte" in page.text
    assert "confermo" not in page.text


def test_a_hand_corrected_meanwhile_is_not_confirmed_and_shown_as_it_is(
    one: Scorer, other: Scorer
) -> None:
    page = checking(other)
    one.save({"b.cards": "110"}, one.correct())
    page = other.client.submit(page, RIGHT, status=409)
    assert "Non è stato confermato niente" in page.text
    assert "+110" in page.text
    assert one.hands[0].confirmed is None


def test_of_two_counts_the_page_tells_where_they_differ_and_takes_the_one_chosen(
    contested: Scorer, other: Scorer
) -> None:
    for phone in (contested, other):
        assert "Secondo conto (" in phone.client.get(phone.match).text
    page = checking(contested)
    assert differences(page.one(class_="warn")) == [
        ["Loro: Carte calate", "+100", "+110"],
        ["Loro: Smazzata", "+60", "+70"],
    ]
    contested.client.post(page.url, choice_form(page))
    assert contested.points == [[430, 70]]


@pytest.mark.parametrize("chosen", ["0", "x", "", "99"])
def test_a_choice_of_neither_is_refused(contested: Scorer, chosen: str) -> None:
    page = checking(contested)
    contested.client.post(page.url, choice_form(page) | {"choose": chosen}, status=400)
    assert contested.points == [[430, 60]]


def board_facts(scorer: Scorer) -> str:
    return scorer.client.get(f"{scorer.match}/tabellone").one(id="board-facts").text


def test_the_board_tells_what_waits_for_a_check(one: Scorer) -> None:
    assert "Smazzate da confermare: 1" in board_facts(one)


def test_the_board_tells_what_is_contested(contested: Scorer) -> None:
    assert "Smazzate con due conti, da scegliere: 1" in board_facts(contested)
    assert "da confermare" not in board_facts(contested)


def test_a_phone_that_may_only_look_is_told_so(one: Scorer, other: Scorer, guest: Client) -> None:
    let_in(one.client, one.match, guest, VIEW_COOKIE)
    page = guest.get(one.match)
    assert "Da questo telefono si guarda soltanto." in page.text
    assert page.links()["Altri telefoni"] == f"{one.match}/telefoni"
    assert "si guarda soltanto" not in other.client.get(one.match).text


def test_undoing_a_confirmation_asks_why(confirmed: Scorer) -> None:
    page = confirmed.client.get(f"{confirmed.match}/annulla")
    assert page.one("h1").text == UNDO
    refused = confirmed.client.submit(page, UNDO, status=422, reason="  ")
    assert "scrivi perché" in refused.errors[0]
    done = confirmed.client.submit(refused, UNDO, reason="ho letto male")
    assert "Conferma della smazzata 1 annullata." in done.text
    assert confirmed.hands[0].waits


@pytest.mark.parametrize("field", ["csrf_token", "request_id", "seen"])
def test_the_reason_for_an_undoing_outlasts_a_page_too_old_to_be_sent(
    confirmed: Scorer, field: str
) -> None:
    page = confirmed.client.get(f"{confirmed.match}/annulla")
    form = page.values(page.form(UNDO)) | {"reason": "ho letto male"}
    again = confirmed.client.post(page.url, form | {field: ""}, status=422)
    assert "Quello che c'era scritto è ancora qui" in again.errors[0]
    assert again.one("input", name="reason")["value"] == "ho letto male"
    confirmed.client.submit(again, UNDO)
    assert confirmed.hands[0].waits


def test_the_reason_for_an_undoing_outlasts_what_another_did_meanwhile(
    confirmed: Scorer, other: Scorer
) -> None:
    page = confirmed.client.get(f"{confirmed.match}/annulla")
    names = other.client.get(f"{other.match}/nomi")
    other.client.submit(names, "Salva", place="Ostia")
    again = confirmed.client.submit(page, UNDO, status=409, reason="ho letto male")
    assert "guarda sul pulsante che cosa si annulla adesso" in again.errors[0]
    assert again.one("h1").text == "Annulla il cambio dei nomi"
    assert again.one("input", name="reason")["value"] == "ho letto male"
    assert confirmed.hands[0].confirmed


# ---------------------------------------------------------------- counted by the other side too


def test_the_other_side_counts_from_nothing_and_both_counts_stand(other: Scorer) -> None:
    page = other.contest()
    assert page.one("h1").text == "La conto anch'io: smazzata 1"
    assert "Contala da capo" in hand_form(page).text
    assert shown_values(page)["a.cards"] == ""
    other.save(MINE, page)
    assert other.points == [[430, 60]]
    noi, loro = other.hands[0].contest.event.lines
    assert sum(line.points for line in noi) == 150
    assert sum(line.points for line in loro) == 60


def test_what_is_typed_is_checked_and_stays_a_contest(other: Scorer) -> None:
    page = other.contest()
    typed = other.while_typing(MINE, page)
    assert typed.one("button", value="save").text == "Salva il mio conto"
    assert "Noi: +150 in questa smazzata, 150 in tutto." in typed.one(id="count-status").text
    assert shown_values(other.check({"a.cards": "150"}, page))["a.cards"] == "150"
    assert other.hands[0].contest is None


def test_a_contest_that_cannot_be_is_refused_with_all_that_was_typed(other: Scorer) -> None:
    typed = {"a.cards": "152", "a.left": "0", "reason": "manca un asso"}
    page = other.save(typed, other.contest(), status=422)
    assert page.title.startswith("Errore: La conto anch'io: smazzata 1")
    assert typed.items() <= shown_values(page).items()
    assert other.hands[0].contest is None


def test_a_contest_may_begin_with_the_first_count(other: Scorer) -> None:
    refused = other.save({}, other.contest(), status=422)
    link = refused.links()["Parti dal primo conto"]
    assert other.while_typing({}, refused).one(id="first").one("a")["href"] == link
    page = other.client.get(link)
    first_count = {"a.cards": "150", "a.left": "20", "b.cards": "100", "b.left": "40"}
    assert first_count.items() <= shown_values(page).items()
    # Nothing that was typed goes by a tap: once something is there, it is offered no more.
    assert "Parti dal primo conto" not in page.links()


def test_a_contest_against_the_rules_may_be_agreed_to(other: Scorer) -> None:
    page = other.save({**MINE, "out": "a"}, other.contest(), status=422)
    other.save({"agreed": "chiusura buona"}, page)
    assert other.hands[0].contest.event.agreed == "chiusura buona"


def test_a_hand_that_was_corrected_meanwhile_is_shown_beside_the_contest(
    one: Scorer, other: Scorer
) -> None:
    page = other.contest()
    one.save({"a.cards": "145"}, one.correct())
    both = other.save(MINE, page, status=409)
    assert ["Noi: Carte calate", "145", "150"] in differences(both)
    again = other.client.submit(both, "quello che ho scritto io")
    assert again.one("h1").text == "La conto anch'io: smazzata 1"
    assert shown_values(again)["a.cards"] == "150"


def test_whoever_counted_a_hand_does_not_contest_it(one: Scorer) -> None:
    page = one.contest()
    assert page.url == one.match
    assert page.notices == ["Questa smazzata l'avete contata voi: la controlla l'altra parte."]


def test_a_table_that_does_not_check_never_meets_it(player: Player) -> None:
    player.play(HAND_430_TO_60)
    for number in (1, 2):
        player.client.get(f"{player.match}/smazzate/{number}/contesta", status=404)


def test_a_confirmed_hand_changes_only_with_a_reason(confirmed: Scorer) -> None:
    page = confirmed.correct()
    assert "Perché cambia?" in page.texts("label")
    page = confirmed.save({"a.cards": "145"}, page, status=422)
    assert page.errors == ["Questa smazzata è già confermata: scrivi perché cambia."]
    assert error_links(page) == ["#reason"]
    assert page.errors[0] in notes_beside(page, "reason")[0]
    assert shown_values(page)["a.cards"] == "145"
    assert confirmed.points == [[430, 60]]
    confirmed.save({"reason": "un quattro in meno"}, page)
    assert confirmed.points == [[425, 60]]
