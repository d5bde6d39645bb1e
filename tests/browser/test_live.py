"""Open pages that follow their match: several phones at one table, each in a browser of its own."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.hands import fill_figures, new_match, open_hand, save, totals
from tests.browser.room import (
    ASKED_ONCE,
    ASKED_WHEN_DENIED,
    OWNER,
    WITHIN,
    Room,
    begin,
    let_time_pass,
)
from tests.browser.room import address as address  # noqa: PLC0414 - a fixture
from tests.polling import ASKED_EVERY
from tests.web.playing import new_request

HAND = {
    "a-canastas-mixed-canasta": "1",
    "a-cards": "150",
    "a-left": "20",
    "b-cards": "100",
    "b-left": "40",
}
"""430 and 60: 300 + 150 − 20, and 100 − 40."""
AWAY = re.compile(r"^Non raggiungo il segnapunti\. Quello che vedi è delle \d\d:\d\d\.$")
Look = Callable[..., Page]
"""What the fixture `look` gives: a page of the match to a phone that is let in."""


@pytest.fixture
def room(address: str, data: Path) -> Iterator[Room]:
    """A match of somebody else's, whom no browser belongs to."""
    with Storage(data) as storage:
        pad = Pad(storage)
        new = NewMatch("classica", None, {}, Labels(("Noi", "Loro"), (("", ""), ("", ""))))
        yield Room(data, pad, begin(pad, OWNER, new).match)


@pytest.fixture
def look(phone: Phone, room: Room, address: str) -> Look:
    """A phone let into the match, at one of its pages; with `clock`, its time passes only by
    `let_time_pass`.
    """

    def looking(page: str = "", access: str = "view", *, clock: bool = False, **more: Any) -> Page:
        shown = phone(**more)
        room.let(shown, access)
        if clock:
            shown.clock.install()
        shown.goto(address + room.path + page)
        return shown

    return looking


def expect_status(page: Page) -> Any:
    """What the page says of itself, to be compared: `expect_status(page).to_be_empty()`."""
    return expect(page.locator("#live-status"), "what it says of itself")


def expect_totals(
    page: Page, *figures: str, at: str = ".head .total", within: int = WITHIN
) -> None:
    expect(page.locator(at)).to_have_text(list(figures), timeout=within, use_inner_text=True)


@pytest.mark.quick
def test_a_writer_a_viewer_and_the_board_show_the_same_within_seconds(
    phone: Phone, data: Path, address: str
) -> None:
    writer = phone()
    viewer = phone()
    board = phone(viewport={"width": 1280, "height": 800}, is_mobile=False)
    new_match(writer)
    path = "/partite/" + writer.url.rsplit("/", 1)[1]
    with Storage(data) as storage:
        room = Room(data, Pad(storage), MatchId(writer.url.rsplit("/", 1)[1]))
        room.let(viewer, "view")
        room.let(board, "view")
    viewer.goto(address + path)
    board.goto(f"{address}{path}/tabellone")
    open_hand(writer)
    fill_figures(writer, HAND)
    for page in (viewer, board):
        page.evaluate("window.isTheSame = true")
    save(writer)
    assert totals(writer) == ["430", "60"]
    expect_totals(viewer, "430", "60")
    expect_totals(board, "430", "60", at=".board-total")
    with writer.expect_navigation():
        writer.get_by_role("button", name="Annulla").tap()
    assert totals(writer) == ["0", "0"]
    expect_totals(viewer, "0", "0")
    expect_totals(board, "0", "0", at=".board-total")
    expect(viewer.locator("#live-announcement")).to_have_text("Dopo 0 smazzate: Noi 0 e Loro 0.")
    assert all(page.evaluate("window.isTheSame") for page in (viewer, board)), (
        "nothing was loaded again"
    )
    assert viewer.get_by_role("button", name="Annulla").count() == 0


def test_what_a_phone_may_do_follows_too(look: Look, room: Room) -> None:
    page = look()
    bar = page.locator(".bar a.primary")
    assert bar.count() == 0
    room.let(page, "write")
    expect(bar).to_have_text("Nuova smazzata", timeout=WITHIN)
    room.let(page, "view")
    expect(bar).to_have_count(0, timeout=WITHIN)


def test_a_phone_sent_away_says_so_and_nothing_can_be_pressed_that_would_write(
    look: Look, room: Room
) -> None:
    room.count()
    pages = [
        look("", "write", clock=True),
        look("/tabellone", clock=True),
        look("/smazzata", "write", clock=True),
    ]
    for page in pages:
        room.let(page, None)
        let_time_pass(page, ASKED_ONCE)
        expect_status(page).to_contain_text("Da qui la partita non si vede più")
        expect_status(page).to_contain_text(re.compile(r"delle \d\d:\d\d\."))
    bar = pages[0].locator(".bar a.primary, .bar form button")
    assert bar.evaluate_all("all => all.map(each => each.inert)") == [True, True]
    room.let(pages[0], "write")
    let_time_pass(pages[0], ASKED_WHEN_DENIED)
    expect_status(pages[0]).to_be_empty()
    assert bar.evaluate_all("all => all.map(each => each.inert)") == [False, False]


def test_home_the_phones_and_the_players_are_as_fresh_as_the_match(
    look: Look, phone: Phone, room: Room, address: str
) -> None:
    home, phones, players = look(), look("/telefoni", "own"), look()
    home.goto(address)
    players.goto(f"{address}/giocatori")
    for page in (home, phones, players):
        page.evaluate("window.isTheSame = true")
    expect_totals(home, "0", "0", at=".match .figure")
    room.count()
    expect_totals(home, "430", "60", at=".match .figure")
    expect(home.locator("#live-announcement")).to_have_text("Noi 430 e Loro 60")
    listed = phones.locator("ol.phones > li").count()
    room.let(phone(), "write")
    expect(phones.locator("ol.phones > li")).to_have_count(listed + 1, timeout=WITHIN)
    expect(players.locator(".names-name")).to_have_count(0)
    room.pad.actions.rename(
        new_request(), room.match, OWNER, Labels(("Noi", "Loro"), (("Ada", ""), ("", "")), "")
    )
    expect(players.locator(".names-name")).to_have_text(["Ada"], timeout=WITHIN)
    assert all(page.evaluate("window.isTheSame") for page in (home, phones, players)), (
        "nothing was loaded again"
    )


def test_a_form_says_that_the_match_went_on_and_keeps_what_is_typed(look: Look, room: Room) -> None:
    page = look("/fine", "write")
    page.get_by_label("Si gioca fino a una certa smazzata").check()
    room.count()
    expect(page.locator("#live-moved")).to_contain_text(
        "Dopo 1 smazzata: Noi 430 e Loro 60.", timeout=WITHIN
    )
    assert page.get_by_label("Si gioca fino a una certa smazzata").is_checked()
    assert page.locator("[name=shown_hands]").input_value() == "0", (
        "what is sent says what was seen"
    )


def test_what_is_unfolded_scrolled_to_and_focused_stays_so(look: Look, room: Room) -> None:
    for _ in range(3):
        room.count()
    page = look()
    page.locator("#smazzata-1 summary").first.tap()
    page.locator("#smazzata-3 summary").first.tap()
    fold = page.locator("details.fold:not(.why) > summary").last
    fold.tap()
    fold.focus()
    page.evaluate("scrollTo(0, 300)")
    before = page.evaluate("[scrollY, document.activeElement.outerHTML]")
    room.count(155)
    expect_totals(page, "1.725", "240")
    expect(page.locator("#smazzata-4 .made").first).to_have_text("+435")
    assert page.evaluate("[scrollY, document.activeElement.outerHTML]") == before
    opened = "number => document.querySelector(`#smazzata-${number} details`).open"
    assert [page.evaluate(opened, number) for number in (1, 2, 3, 4)] == [True, False, False, True]
    assert fold.locator("..").evaluate("element => element.open")


FORM = """<form id="note" action="/"><input type="hidden" name="seen" value="{seen}"><input name="n"></form>"""


def with_a_form(page: Page, room: Room) -> None:
    """Put a form on the match page that holds what was seen of the match, as a page of ours might."""

    def answer(route: Route) -> None:
        response = route.fetch()
        (tag,) = re.findall(r'data-live-tag="(\d+)', response.text())
        form = FORM.format(seen=tag)
        body = response.text().replace('<p class="on-paper">', f'{form}<p class="on-paper">', 1)
        route.fulfill(response=response, body=body)

    page.route(re.compile(f"{room.path}$"), answer)
    page.reload()


def test_a_form_being_typed_in_stays_as_it_is_until_that_is_done(look: Look, room: Room) -> None:
    page = look(clock=True)
    with_a_form(page, room)
    seen, typed = page.locator("#note [name=seen]"), page.locator("#note [name=n]")
    expect(seen).to_have_value("1")

    def play(total: str) -> None:
        room.count()
        let_time_pass(page, ASKED_ONCE)
        expect(page.locator(".head .total").first).to_have_text(total)

    play("430")
    expect(seen).to_have_value("2")
    typed.fill("il mazzo era corto")
    page.evaluate("document.activeElement.blur()")
    play("860")
    expect(typed).to_have_value("il mazzo era corto")
    expect(seen).to_have_value("2")
    typed.fill("")
    play("1.290")
    expect(typed).to_be_focused()
    expect(seen).to_have_value("2")
    page.evaluate("document.activeElement.blur()")
    let_time_pass(page, ASKED_ONCE)
    expect(seen).to_have_value("4")


def test_a_button_that_comes_to_say_something_else_waits_for_the_eye(
    look: Look, room: Room
) -> None:
    room.count()
    page = look("", "write")
    button = page.locator(".bar form button")
    expect(button).to_have_text("Annulla la smazzata 1")
    page.evaluate("""() => new MutationObserver((_, observer) => {
      const button = document.querySelector('.bar form button');
      if (!button.textContent.includes('2')) return;
      observer.disconnect();
      setTimeout(() => button.click());
    }).observe(document.getElementById('match'), { subtree: true, childList: true, characterData: true })""")
    room.count()
    expect_totals(page, "860", "120")
    page.wait_for_timeout(1000)
    assert len(room.pad.state(room.match, OWNER).hands) == 2, "aimed at the first hand"
    with page.expect_navigation():
        button.tap()
    assert len(room.pad.state(room.match, OWNER).hands) == 1


@pytest.mark.quick
def test_a_hand_that_another_phone_counted_is_reported_and_nothing_typed_is_lost(
    look: Look, room: Room
) -> None:
    page = look("/smazzata", "write", clock=True)
    page.locator("#b-cards").fill("85")
    expect(page.locator("#kept")).not_to_be_empty()
    room.pad.actions.rename(
        new_request(), room.match, OWNER, Labels(("Rossi", "Verdi"), (("", ""), ("", "")), "")
    )
    let_time_pass(page, WITHIN / 1000)
    expect_status(page).to_be_empty()
    room.count()
    expect_status(page).to_contain_text("Questa smazzata è già stata contata", timeout=WITHIN)
    expect(page.locator("#b-cards")).to_have_value("85")
    with page.expect_navigation():
        page.get_by_role("link", name="Guarda la partita").tap()
    assert totals(page) == ["430", "60"]


def test_who_saves_the_hand_is_not_told_that_another_did(look: Look, room: Room) -> None:
    page = look("/smazzata", "write")
    statuses: list[str] = []
    page.expose_function("noteStatus", lambda text: statuses.append(str(text)))
    page.evaluate("new MutationObserver(() => noteStatus(document.getElementById('live-status').textContent))"
                  ".observe(document.getElementById('live-status'), { childList: true })")  # fmt: skip

    def slowly(route: Route) -> None:
        response = route.fetch(max_redirects=0)
        if route.request.method == "POST":
            page.wait_for_timeout(WITHIN)  # counted already, and the answer is long on its way
        route.fulfill(response=response)

    page.route(re.compile("/smazzata$"), slowly)
    fill_figures(page, HAND)
    save(page)
    assert totals(page) == ["430", "60"]
    assert statuses == []


@pytest.mark.quick
def test_without_a_network_it_asks_nothing_says_so_and_is_back_at_once(
    look: Look, room: Room
) -> None:
    page = look()
    paths = list_requests(page)
    page.context.set_offline(True)
    expect_status(page).to_have_text(
        re.compile(r"^Non c'è rete\. Quello che vedi è delle \d\d:\d\d\.$"), timeout=1000
    )
    room.count()
    paths.clear()
    page.wait_for_timeout(WITHIN)
    assert paths == []
    page.context.set_offline(False)
    expect_totals(page, "430", "60", within=1500)
    expect_status(page).to_be_empty()


def test_where_nobody_answers_it_says_so_and_takes_it_back(look: Look, room: Room) -> None:
    page = look("/tabellone", clock=True)
    page.route("**/stato", lambda route: route.abort())
    let_time_pass(page, ASKED_ONCE)
    expect_status(page).to_be_empty()
    let_time_pass(page, ASKED_EVERY)
    expect_status(page).to_have_text(AWAY)
    page.unroute("**/stato")
    room.count()
    let_time_pass(page, 15)
    expect_totals(page, "430", "60", at=".board-total")
    expect_status(page).to_be_empty()


def list_requests(page: Page) -> list[str]:
    """What the page asks from now on, as it asks."""
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url.rsplit("/", 1)[1]))
    return paths


def test_it_asks_every_few_seconds_seldom_while_hidden_and_less_where_nobody_answers(
    look: Look, room: Room
) -> None:
    page = look(clock=True)
    paths = list_requests(page)

    def times(seconds: float) -> int:
        paths.clear()
        let_time_pass(page, seconds)
        return paths.count("stato")

    assert 8 <= times(10 * ASKED_EVERY) <= 11, (
        "each one after the answer, the first and the last of them included"
    )
    hide(page, hidden=True)
    assert 3 <= times(60) <= 4
    paths.clear()
    hide(page, hidden=False)
    let_time_pass(page, 0.5)
    assert paths.count("stato") == 1, "at once"
    page.route("**/stato", lambda route: route.abort())
    assert 4 <= times(60) <= 8


def hide(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "now => { Object.defineProperty(document, 'hidden', { value: now, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )
