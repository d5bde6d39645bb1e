"""The other side checks what one side counted: it confirms the hand, or counts it too."""

from __future__ import annotations

import pytest

from scorepad.matches import Pad
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Page, Visit
from tests.web.counting import beside
from tests.web.player import Player
from tests.web.playing import ALL_GOOD, correct, hand, play, side, start
from tests.web.scorer import (
    Scorer,
    differences,
    error_links,
    hand_form,
    let_in,
    shown_values,
)

OTHER = hand(side(150, 20, mixed=1), side(110, 40))
DIFFERENT = [["Loro: Carte calate", "+100", "+110"], ["Loro: Smazzata", "+60", "+70"]]
"""Where these two differ."""
CHECK_FROM_NOW = "D'ora in poi l'altra parte controlla"
MINE = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "nobody"}
"""150, and 100 - 40."""
RIGHT = "È giusta: confermo"
CONFIRMED = "Smazzata 1 confermata."
UNDO = "Annulla la conferma della smazzata 1"


@pytest.fixture
def one(client: Client, pad: Pad) -> Scorer:
    """A phone that counted a hand, 430 and 60, in a match in which the other side checks."""
    match = start(client)
    client.submit(client.get(f"{match}/controllo"), CHECK_FROM_NOW)
    play(pad, client, match, ALL_GOOD)
    return Scorer(client, pad, match)


@pytest.fixture
def other(one: Scorer, visit: Visit) -> Scorer:
    """A phone of the other side."""
    return Scorer(let_in(one.client, one.match, visit()), one.pad, one.match)


def checking(scorer: Scorer) -> Page:
    return scorer.client.get(f"{scorer.match}/smazzate/1/controlla")


def confirm(scorer: Scorer, page: Page | None = None) -> Page:
    return scorer.client.submit(page or checking(scorer), RIGHT)


def contest(scorer: Scorer, **typed: str) -> None:
    """Count the hand again from the first count, with what is typed otherwise."""
    page = scorer.client.get(f"{scorer.match}/smazzate/1/contesta?dal-primo=1")
    named = {name.replace("_", ".", 1): text for name, text in typed.items()}
    assert scorer.save(named, page).url == scorer.match


def differing_lines(page: Page) -> list[list[str]]:
    """The lines in which two counts differ: what, in the first, in the second."""
    return differences(page.one(class_="warn"))


def choice(page: Page) -> dict[str, str]:
    """What is sent to choose between two counts: the second one."""
    (form,) = [form for form in page.all("form") if form.all("button", name="choose")]
    return page.values(form) | {"choose": form.one("button", name="choose")["value"]}


def test_the_other_side_is_led_to_the_hand_and_confirms_it(one: Scorer, other: Scorer) -> None:
    waiting = one.client.get(one.match).one("section", class_="awaited")
    assert "aspetta il controllo dell'altra parte" in waiting.text
    link = other.client.get(one.match).one("section", class_="awaited").one("a")
    assert link.text == "Controlla"
    page = other.client.get(link["href"])
    assert CONFIRMED in confirm(other, page).text
    assert not one.client.get(one.match).all("section", class_="awaited")
    assert CONFIRMED not in confirm(other, page).text, "sent again, it is said once"


def test_turning_the_check_on_and_off_is_told_and_then_nothing_waits(player: Player) -> None:
    on = player.client.submit(player.page("controllo"), CHECK_FROM_NOW)
    assert on.notices == ["Adesso le smazzate nuove aspettano il controllo dell'altra parte."]
    off = player.client.submit(player.page("controllo"), "Basta controlli")
    assert off.notices == ["Adesso nessuno controlla: quello che si scrive vale."]
    assert not player.play(ALL_GOOD).all("section", class_="awaited")


def test_who_counted_the_hand_finds_no_button_to_confirm_it(one: Scorer) -> None:
    page = checking(one)
    assert "la controlla l'altra parte" in page.text
    assert not [button for button in page.all("button") if "confermo" in button.text]


def test_a_hand_corrected_meanwhile_is_not_confirmed_and_shown_as_it_is(
    one: Scorer, other: Scorer
) -> None:
    page = checking(other)
    correct(one.pad, one.client, one.match, 1, OTHER)
    page = other.client.submit(page, RIGHT, 409)
    assert "Non è stato confermato niente" in page.text
    assert "+110" in page.text
    assert one.hands[0].confirmed is None


def test_of_two_counts_the_page_tells_where_they_differ_and_takes_the_one_chosen(
    one: Scorer, other: Scorer
) -> None:
    assert checking(one).one("section", class_="counting").one("h2").text.startswith("Il conto (")
    # Two queens in hand are the 20 points that were typed.
    contest(other, **{"a_left": "", "a_left.0": "Q Q", "b_cards": "110"})
    for phone in (one, other):
        page = phone.client.get(one.match)
        assert "Secondo conto (" in page.text
        assert "dell'altra parte (" not in page.text
    page = checking(one)
    assert differing_lines(page) == DIFFERENT
    one.client.post(page.url, choice(page))
    assert one.points == [[430, 70]]


def test_a_choice_of_neither_is_refused(one: Scorer, other: Scorer) -> None:
    contest(other, b_cards="110")
    page = checking(one)
    for chosen in ("0", "x", "", "99"):
        one.client.post(page.url, choice(page) | {"choose": chosen}, 400)
    assert one.points == [[430, 60]]


def test_the_board_tells_what_waits_for_a_check_and_what_is_contested(
    one: Scorer, other: Scorer
) -> None:
    board = f"{one.match}/tabellone"
    assert "Smazzate da confermare: 1" in one.client.get(board).one(id="board-facts").text
    contest(other, b_cards="110")
    told = one.client.get(board).one(id="board-facts").text
    assert "Smazzate con due conti, da scegliere: 1" in told
    assert "da confermare" not in told


def test_a_phone_that_may_only_look_is_told_so(one: Scorer, other: Scorer, visit: Visit) -> None:
    viewer = let_in(one.client, one.match, visit(), VIEW_COOKIE)
    page = viewer.get(one.match)
    assert "Da questo telefono si guarda soltanto." in page.text
    assert page.links()["Altri telefoni"] == f"{one.match}/telefoni"
    assert "si guarda soltanto" not in other.client.get(one.match).text


def test_undoing_a_confirmation_asks_why_and_keeps_what_was_typed(
    one: Scorer, other: Scorer
) -> None:
    confirm(other)
    page = one.client.get(f"{one.match}/annulla")
    assert page.one("h1").text == UNDO
    bare = one.client.submit(page, UNDO, 422, reason="  ")
    assert bare.title.startswith("Errore: ")
    assert "scrivi perché" in bare.text
    done = one.client.submit(bare, UNDO, reason="ho letto male")
    assert "Conferma della smazzata 1 annullata." in done.text
    assert one.hands[0].waits


@pytest.mark.parametrize("wrong", ["csrf_token", "request_id", "seen"])
def test_the_reason_for_an_undoing_outlasts_a_page_too_old_to_be_sent(
    one: Scorer, other: Scorer, wrong: str
) -> None:
    confirm(other)
    page = one.client.get(f"{one.match}/annulla")
    sent = page.values(page.form(UNDO)) | {"reason": "ho letto male", wrong: ""}
    again = one.client.post(page.url, sent, 422)
    assert "Quello che c'era scritto è ancora qui" in again.errors[0]
    assert again.one("input", name="reason")["value"] == "ho letto male"
    one.client.submit(again, UNDO)
    assert one.hands[0].waits


def test_the_reason_for_an_undoing_outlasts_what_another_did_meanwhile(
    one: Scorer, other: Scorer
) -> None:
    confirm(other)
    page = one.client.get(f"{one.match}/annulla")
    other.client.submit(other.client.get(f"{one.match}/nomi"), "Salva", place="Ostia")
    again = one.client.submit(page, UNDO, 409, reason="ho letto male")
    assert "guarda sul pulsante che cosa si annulla adesso" in again.errors[0]
    assert again.one("h1").text == "Annulla il cambio dei nomi"
    assert again.one("input", name="reason")["value"] == "ho letto male"
    assert "era d'accordo" not in again.text
    assert one.hands[0].confirmed


# ---------------------------------------------------------------- counted by the other side too


def test_the_other_side_counts_from_nothing_and_both_counts_stand(other: Scorer) -> None:
    page = other.contest()
    assert page.one("h1").text == "La conto anch'io: smazzata 1"
    shown = shown_values(page)
    assert [shown.get(name, "") for name in MINE] == [""] * len(MINE)
    assert "Contala da capo" in hand_form(page).text
    other.save(MINE, page)
    assert other.points == [[430, 60]]
    contest = other.hands[0].contest
    assert contest is not None
    assert [sum(line.points for line in lines) for lines in contest.event.lines] == [150, 60]


def test_what_is_typed_is_checked_and_stays_a_contest(other: Scorer) -> None:
    page = other.contest()
    told = other.while_typing(MINE, page)
    assert told.one("button", value="save").text == "Salva il mio conto"
    assert "Noi: +150 in questa smazzata, 150 in tutto." in told.one(id="count-status").text
    assert shown_values(other.check({"a.cards": "150"}, page))["a.cards"] == "150"
    assert other.hands[0].contest is None


def test_a_contest_that_cannot_be_is_refused_with_all_that_was_typed(other: Scorer) -> None:
    typed = {"a.cards": "152", "a.left": "0", "reason": "manca un asso"}
    page = other.save(typed, other.contest(), 422)
    assert page.title.startswith("Errore: La conto anch'io: smazzata 1")
    assert typed.items() <= shown_values(page).items()
    assert other.hands[0].contest is None


def test_a_contest_may_begin_with_the_first_count(other: Scorer) -> None:
    refused = other.save({}, other.contest(), 422)
    link = refused.links()["Parti dal primo conto"]
    assert other.while_typing({}, refused).one(id="first").one("a")["href"] == link
    page = other.client.get(link)
    shown = shown_values(page)
    assert [shown[name] for name in MINE] == ["150", "20", "100", "40", "nobody"]
    # Nothing that was typed goes by a tap: once something is there, it is offered no more.
    assert "Parti dal primo conto" not in page.links()


def test_a_contest_against_the_rules_may_be_agreed_to(other: Scorer) -> None:
    page = other.save({**MINE, "out": "a"}, other.contest(), 422)
    other.save({"agreed": "chiusura buona"}, page)
    contest = other.hands[0].contest
    assert contest is not None
    assert contest.event.agreed == "chiusura buona"


def test_a_hand_that_was_corrected_meanwhile_is_shown_beside_the_contest(
    one: Scorer, other: Scorer
) -> None:
    page = other.contest()
    one.save({"a.cards": "145"}, one.correct())
    both = other.save(MINE, page, 409)
    assert ["Noi: Carte calate", "145", "150"] in differences(both)
    again = other.client.submit(both, "quello che ho scritto io")
    assert again.one("h1").text == "La conto anch'io: smazzata 1"
    assert shown_values(again)["a.cards"] == "150"


def test_whoever_counted_a_hand_does_not_contest_it(one: Scorer) -> None:
    page = one.contest()
    assert page.url == one.match
    assert page.notices == ["Questa smazzata l'avete contata voi: la controlla l'altra parte."]


def test_a_table_that_does_not_check_never_meets_it(player: Player) -> None:
    player.play(ALL_GOOD)
    for number in (1, 2):
        player.client.get(f"{player.match}/smazzate/{number}/contesta", 404)


def test_a_confirmed_hand_changes_only_with_a_reason(one: Scorer, other: Scorer) -> None:
    confirm(other)
    page = one.correct()
    assert "Perché cambia?" in [label.text for label in page.all("label")]
    page = one.save({"a.cards": "145"}, page, 422)
    assert page.errors == ["Questa smazzata è già confermata: scrivi perché cambia."]
    assert error_links(page) == ["#reason"]
    assert page.errors[0] in beside(page, "reason")[0]
    assert shown_values(page)["a.cards"] == "145"
    assert one.points == [[430, 60]]
    one.save({"reason": "un quattro in meno"}, page)
    assert one.points == [[425, 60]]
