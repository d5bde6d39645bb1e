"""Open pages are updated when another phone changes their match.

An open page polls: every two seconds it asks the server whether the match has changed. Each phone
of a test is a browser context of its own.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.events import Labels
from scorepad.matches.projection import NewMatch
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.hands import fill_figures, open_hand, save, totals
from tests.browser.room import (
    ASKED_ONCE,
    OWNER,
    WITHIN,
    Room,
    begin,
    let_time_pass,
)
from tests.browser.room import address as address  # noqa: PLC0414 - a fixture
from tests.polling import ASKED_EVERY
from tests.web.playing import new_request

FIGURES_430_TO_60 = {
    "a-canastas-mixed-canasta": "1",
    "a-cards": "150",
    "a-left": "20",
    "b-cards": "100",
    "b-left": "40",
}
"""The cells of a hand worth 430 and 60: 300 + 150 − 20, and 100 − 40."""
OpenPage = Callable[..., Page]
"""What the fixture `open_page` gives: a page of the match on a phone that is let in."""


@pytest.fixture
def room(address: str, data: Path) -> Iterator[Room]:
    """Begin a match between Noi and Loro that is played without a browser, in this process."""
    with Storage(data) as storage:
        pad = Pad(storage)
        new = NewMatch("classica", None, {}, labels=Labels(("Noi", "Loro"), (("", ""), ("", ""))))
        yield Room(data, pad, begin(pad, OWNER, new).match)


@pytest.fixture
def open_page(phone: Phone, room: Room, address: str) -> OpenPage:
    """Return a function that opens a page of the match on a new phone: `open_page("/tabellone")`."""

    def open_page_of_match(
        path: str = "", access: str = "view", *, clock: bool = False, **settings: Any
    ) -> Page:
        """Let a new phone with these browser settings into the match, and open a page of it there.

        The access is "view", "write" or "own". With `clock`, time passes for the page only while a
        test calls `let_time_pass`.
        """
        page = phone(**settings)
        room.let(page, access)
        if clock:
            page.clock.install()
        page.goto(f"{address}/partite/{room.match}{path}")
        return page

    return open_page_of_match


def expect_status(page: Page) -> Any:
    """Expect something of the line in which a page says that it cannot be updated:
    `expect_status(page).to_be_empty()`.
    """
    return expect(page.locator("#live-status"), "the status line")


def expect_totals(
    page: Page, *figures: str, at: str = ".head .total", within: int = WITHIN
) -> None:
    """Wait until the page shows these totals in the elements of the selector `at`."""
    expect(page.locator(at)).to_have_text(list(figures), timeout=within, use_inner_text=True)


def mark_loaded(*pages: Page) -> None:
    """Mark pages, so that `expect_not_reloaded` notices if they are loaded again."""
    for page in pages:
        page.evaluate("window.isMarked = true")


def expect_not_reloaded(*pages: Page) -> None:
    for page in pages:
        assert page.evaluate("window.isMarked"), "the page was loaded again"


@pytest.mark.quick
def test_open_pages_follow_a_saved_and_an_undone_hand(open_page: OpenPage) -> None:
    # One phone writes in a match. Another looks at its page, and a tablet shows the totals on a board.
    writer = open_page(access="own")
    viewer = open_page(access="view")
    board = open_page("/tabellone", viewport={"width": 1280, "height": 800}, is_mobile=False)

    # The open pages get a mark in a variable, which is lost if they are loaded anew.
    mark_loaded(viewer, board)

    # The writer saves a hand of 430 and 60 points. The other pages show its totals.
    open_hand(writer)
    fill_figures(writer, FIGURES_430_TO_60)
    save(writer)
    assert totals(writer) == ["430", "60"]
    expect_totals(viewer, "430", "60")
    expect_totals(board, "430", "60", at=".board-total")

    # The writer undoes the hand. The totals are zero again everywhere.
    with writer.expect_navigation():
        writer.get_by_role("button", name="Annulla").tap()  # "Undo"
    assert totals(writer) == ["0", "0"]
    expect_totals(viewer, "0", "0")
    expect_totals(board, "0", "0", at=".board-total")

    # A screen reader is told: "After 0 hands: We 0 and They 0."
    expect(viewer.locator("#live-announcement")).to_have_text("Dopo 0 smazzate: Noi 0 e Loro 0.")

    # The pages were updated in place, and the viewer cannot undo.
    expect_not_reloaded(viewer, board)
    assert viewer.get_by_role("button", name="Annulla").count() == 0


@pytest.mark.quick
def test_open_form_of_a_hand_shows_a_penalty_noted_on_another_phone(
    open_page: OpenPage, room: Room
) -> None:
    page = open_page("/smazzata", access="write", clock=True)
    expect(page.locator("#b-noted")).to_be_hidden()

    # Another phone notes that Loro ("they") have drawn out of turn: 100 points off.
    room.note_penalty(side=1)
    let_time_pass(page, ASKED_ONCE)

    expect(page.locator("#b-noted")).to_contain_text("Pescata fuori turno, −100")


def test_open_page_follows_the_access_of_its_phone(open_page: OpenPage, room: Room) -> None:
    # The phone may only look at the match.
    page = open_page()
    link_to_new_hand = page.locator(".bar a.primary")
    assert link_to_new_hand.count() == 0

    # Now it may write as well. The open page gets the link "New hand".
    room.let(page, "write")
    expect(link_to_new_hand).to_have_text("Nuova smazzata", timeout=WITHIN)

    # It may only look again.
    room.let(page, "view")
    expect(link_to_new_hand).to_have_count(0, timeout=WITHIN)


def test_open_pages_without_access_say_so_and_disable_writing(
    open_page: OpenPage, room: Room
) -> None:
    # Three phones have pages of a match with one hand open. Time passes on them only where this test
    # says so.
    room.count()
    match_page = open_page("", "write", clock=True)
    board = open_page("/tabellone", "view", clock=True)
    hand_form = open_page("/smazzata", "write", clock=True)

    # The owner shuts all three out. A page asks every 2 seconds what is new, and then says: "From
    # here the match is no longer seen", and of what time is what it shows: "of 21:30."
    no_access = None
    for page in (match_page, board, hand_form):
        room.let(page, no_access)
        let_time_pass(page, seconds=2.5)
        expect_status(page).to_contain_text("Da qui la partita non si vede più")
        expect_status(page).to_contain_text(re.compile(r"delle \d\d:\d\d\."))

    # Neither the link to a new hand nor the button to undo the last one can be pressed.
    assert inert_buttons(match_page) == [True, True]

    # One phone is let in again. Its page, which had no access, asks only every 8 seconds.
    room.let(match_page, "write")
    let_time_pass(match_page, seconds=10)
    expect_status(match_page).to_be_empty()
    assert inert_buttons(match_page) == [False, False]


def inert_buttons(page: Page) -> list[bool]:
    """Tell of the link to a new hand and of the button to undo whether they cannot be pressed."""
    buttons = page.locator(".bar a.primary, .bar form button")
    inert: list[bool] = buttons.evaluate_all("all => all.map(each => each.inert)")
    return inert


def test_home_phones_and_players_pages_follow_the_match(
    open_page: OpenPage, phone: Phone, room: Room, address: str
) -> None:
    # Three phones are let into a match. They show the home page, the page of all players, and the
    # list of phones. The mark of `mark_loaded` is lost if a page is loaded anew.
    home = open_page()
    home.goto(address)
    players = open_page()
    players.goto(f"{address}/giocatori")
    phones = open_page("/telefoni", "own")
    mark_loaded(home, phones, players)

    # A hand of 430 and 60 points is saved: the home page shows the new totals of the match.
    expect_totals(home, "0", "0", at=".match .figure")
    room.count()
    expect_totals(home, "430", "60", at=".match .figure")
    expect(home.locator("#live-announcement")).to_have_text("Noi 430 e Loro 60")

    # A fourth phone is let in: it appears in the list.
    listed_phones = phones.locator("ol.phones > li")
    number_before = listed_phones.count()
    fourth_phone = phone()
    room.let(fourth_phone, "write")
    expect(listed_phones).to_have_count(number_before + 1, timeout=WITHIN)

    # A player of the first side gets the name Ada: it appears on the page of all players.
    names = players.locator(".names-name")
    expect(names).to_have_count(0)
    labels = Labels(names=("Noi", "Loro"), players=(("Ada", ""), ("", "")))
    room.pad.actions.rename(new_request(), room.match, OWNER, labels)
    expect(names).to_have_text(["Ada"], timeout=WITHIN)

    # No page was loaded anew.
    expect_not_reloaded(home, phones, players)


def test_open_form_reports_a_new_hand_and_keeps_its_fields(open_page: OpenPage, room: Room) -> None:
    # A phone is about to end the match: "It is played until a certain hand".
    page = open_page("/fine", "write")
    choice = page.get_by_label("Si gioca fino a una certa smazzata")
    choice.check()

    # Another phone saves a hand. The page says "After 1 hand: …", and keeps what was chosen.
    room.count()
    news = page.locator("#live-moved")
    expect(news).to_contain_text("Dopo 1 smazzata: Noi 430 e Loro 60.", timeout=WITHIN)
    assert choice.is_checked()
    shown_hands = page.locator("[name=shown_hands]")
    assert shown_hands.input_value() == "0", "the form still says what was shown to the person"


def test_update_keeps_folds_scroll_position_and_focus(open_page: OpenPage, room: Room) -> None:
    # The match page shows three hands, of which the last is unfolded. The user unfolds the first,
    # and folds the last.
    for _ in range(3):
        room.count()
    page = open_page()
    page.locator("#smazzata-1 summary").first.tap()
    page.locator("#smazzata-3 summary").first.tap()

    # They unfold another part of the page, have the focus there, and scroll down.
    fold = page.locator("details.fold:not(.why) > summary").last
    fold.tap()
    fold.focus()
    page.evaluate("scrollTo(0, 300)")
    scroll_and_focus = "[scrollY, document.activeElement.outerHTML]"
    before = page.evaluate(scroll_and_focus)

    # Another phone saves a fourth hand, of 435 and 60.
    room.count(cards=155)
    expect_totals(page, "1.725", "240")  # 3 × 430 + 435, 4 × 60
    expect(page.locator("#smazzata-4 .made").first).to_have_text("+435")

    # The user finds everything as they left it, and the new hand unfolded.
    assert page.evaluate(scroll_and_focus) == before
    is_unfolded = "number => document.querySelector(`#smazzata-${number} details`).open"
    assert page.evaluate(is_unfolded, 1)
    assert not page.evaluate(is_unfolded, 2)
    assert not page.evaluate(is_unfolded, 3)
    assert page.evaluate(is_unfolded, 4), "the new hand"
    assert fold.locator("..").evaluate("element => element.open")


def add_form_to_match_page(page: Page, room: Room) -> None:
    """Load the match page as if it came from the server with the form of `html_with_form` in it."""

    def answer(route: Route) -> None:
        """Let the server answer, and add the form to its page."""
        response = route.fetch()
        route.fulfill(response=response, body=html_with_form(response.text()))

    page.route(re.compile(f"{room.path}$"), answer)
    page.reload()


def html_with_form(html: str) -> str:
    """Add a form to the HTML of a match page: a text field "n", and a hidden field "seen".

    The hidden field has the tag of the match that the page was made with, a number that grows with
    every change. So a test sees whether an update has replaced the form.
    """
    tag = re.search(r'data-live-tag="(\d+)', html)[1]
    hidden_field = f'<input type="hidden" name="seen" value="{tag}">'
    form = f'<form id="note" action="/">{hidden_field}<input name="n"></form>'
    next_paragraph = '<p class="on-paper">'
    return html.replace(next_paragraph, form + next_paragraph, 1)


def test_form_is_not_updated_while_it_is_typed_in(open_page: OpenPage, room: Room) -> None:
    page = open_page(clock=True)
    add_form_to_match_page(page, room)
    hidden_tag = page.locator("#note [name=seen]")
    text_field = page.locator("#note [name=n]")
    expect(hidden_tag).to_have_value("1")

    def count_hand_and_wait(expected_total: str) -> None:
        """Save a hand of 430 on another phone, and wait for the total on this page."""
        room.count()
        let_time_pass(page, ASKED_ONCE)
        expect(page.locator(".head .total").first).to_have_text(expected_total)

    # Nothing is typed yet. The total and the form are updated.
    count_hand_and_wait("430")
    expect(hidden_tag).to_have_value("2")

    # The field has a text, but no focus. The total is updated (2 × 430), the form is not.
    text_field.fill("il mazzo era corto")
    page.evaluate("document.activeElement.blur()")
    count_hand_and_wait("860")
    expect(text_field).to_have_value("il mazzo era corto")
    expect(hidden_tag).to_have_value("2")

    # The field is empty, but has the focus. The form is not updated either.
    text_field.fill("")
    count_hand_and_wait("1.290")  # 3 × 430
    expect(text_field).to_be_focused()
    expect(hidden_tag).to_have_value("2")

    # The field has neither text nor focus. The form is updated to the match of three hands.
    page.evaluate("document.activeElement.blur()")
    let_time_pass(page, ASKED_ONCE)
    expect(hidden_tag).to_have_value("4")


PRESS_UNDO_AS_SOON_AS_IT_CHANGES = """() => new MutationObserver((_, observer) => {
  const button = document.querySelector('.bar form button');
  if (!button.textContent.includes('2')) return;
  observer.disconnect();
  setTimeout(() => button.click());
}).observe(document.getElementById('match'), { subtree: true, childList: true, characterData: true })"""
"""Clicks the button to undo at the moment when an update makes it the one to undo hand 2."""


def test_button_that_has_just_changed_cannot_be_pressed(open_page: OpenPage, room: Room) -> None:
    # The page has a button "Undo hand 1".
    room.count()
    page = open_page("", "write")
    button = page.locator(".bar form button")
    expect(button).to_have_text("Annulla la smazzata 1")

    # The user taps it just when another phone saves hand 2. The tap was aimed at hand 1, and must
    # not undo hand 2.
    page.evaluate(PRESS_UNDO_AS_SOON_AS_IT_CHANGES)
    room.count()
    expect_totals(page, "860", "120")  # 2 × 430, 2 × 60
    page.wait_for_timeout(1000)
    assert len(room.pad.state(room.match, OWNER).hands) == 2

    # A second later the button can be pressed, and undoes hand 2.
    with page.expect_navigation():
        button.tap()
    assert len(room.pad.state(room.match, OWNER).hands) == 1


@pytest.mark.quick
def test_correction_by_another_phone_is_reported(open_page: OpenPage, room: Room) -> None:
    # This phone is correcting hand 1 when another one saves a correction of it.
    room.count()
    page = open_page("/smazzate/1/correggi", "write")
    room.correct_first_hand(cards=250)

    # "This hand has just been changed"
    expect_status(page).to_contain_text("Questa smazzata è appena cambiata", timeout=WITHIN)


@pytest.mark.quick
def test_hand_saved_by_another_phone_is_reported_and_typing_kept(
    open_page: OpenPage, room: Room
) -> None:
    # A phone types into the form of the hand. The page says that the draft is kept.
    page = open_page("/smazzata", "write", clock=True)
    page.locator("#b-cards").fill("85")
    expect(page.locator("#kept")).not_to_be_empty()

    # Another phone renames the sides, which does not matter to this form.
    labels = Labels(("Rossi", "Verdi"), (("", ""), ("", "")), "")
    room.pad.actions.rename(new_request(), room.match, OWNER, labels)
    let_time_pass(page, WITHIN / 1000)
    expect_status(page).to_be_empty()

    # Another phone saves the hand: "This hand has already been counted". What was typed stays.
    room.count()
    expect_status(page).to_contain_text("Questa smazzata è già stata contata", timeout=WITHIN)
    expect(page.locator("#b-cards")).to_have_value("85")

    # The message has a link to the match.
    with page.expect_navigation():
        page.get_by_role("link", name="Guarda la partita").tap()  # "Look at the match"
    assert totals(page) == ["430", "60"]


def test_saving_phone_is_not_told_that_another_saved(open_page: OpenPage, room: Room) -> None:
    page = open_page("/smazzata", "write")

    # Each text that the status line of the page ever has is recorded.
    statuses: list[str] = []
    page.expose_function("noteStatus", lambda text: statuses.append(str(text)))
    page.evaluate("""() => {
      const status = document.getElementById('live-status');
      new MutationObserver(() => noteStatus(status.textContent)).observe(status, { childList: true });
    }""")

    def answer_slowly(route: Route) -> None:
        """Pass a request on to the server, and the answer to a saved hand back 3 seconds late."""
        # That answer is a redirection to the match, which is left to the browser to follow.
        response = route.fetch(max_redirects=0)
        if route.request.method == "POST":
            route.request.frame.page.wait_for_timeout(3000)
        route.fulfill(response=response)

    # The user saves a hand of 430 and 60 points. Before the answer comes, the page asks what is new,
    # as it does every 2 seconds, and learns that a hand was saved: its own.
    page.route(re.compile("/smazzata$"), answer_slowly)
    fill_figures(page, FIGURES_430_TO_60)
    save(page)
    assert totals(page) == ["430", "60"]

    # The page has never said that another phone saved the hand.
    assert statuses == []


@pytest.mark.quick
def test_offline_page_says_so_and_does_not_poll(open_page: OpenPage, room: Room) -> None:
    page = open_page()
    requested_paths = list_requests(page)

    # The phone loses the network: "No network. What you see is from 21:30."
    page.context.set_offline(True)
    no_network = re.compile(r"^Non c'è rete\. Quello che vedi è delle \d\d:\d\d\.$")
    expect_status(page).to_have_text(no_network, timeout=1000)

    # Meanwhile another phone saves a hand. This page does not even ask.
    room.count()
    requested_paths.clear()
    page.wait_for_timeout(WITHIN)
    assert requested_paths == []

    # The network is back. The page asks at once, rather than at its next turn.
    page.context.set_offline(False)
    expect_totals(page, "430", "60", within=1500)
    expect_status(page).to_be_empty()


def test_page_says_when_the_server_does_not_answer(open_page: OpenPage, room: Room) -> None:
    # A phone shows the board of a match. Time passes on it only where this test says so.
    page = open_page("/tabellone", clock=True)

    # A page asks every 2 seconds what is new. One missing answer of the server is not mentioned.
    page.route("**/stato", lambda route: route.abort())
    let_time_pass(page, seconds=2.5)
    expect_status(page).to_be_empty()

    # A second one is: "I do not reach the pad. What you see is from 21:30."
    let_time_pass(page, seconds=2)
    server_away = re.compile(r"^Non raggiungo il segnapunti\. Quello che vedi è delle \d\d:\d\d\.$")
    expect_status(page).to_have_text(server_away)

    # Another phone saves a hand of 430 and 60 points, and the server answers again. After failures
    # the page waits longer before it asks, but 15 seconds at most.
    room.count()
    page.unroute("**/stato")
    let_time_pass(page, seconds=15)
    expect_totals(page, "430", "60", at=".board-total")
    expect_status(page).to_be_empty()


def list_requests(page: Page) -> list[str]:
    """Return a list to which the last part of each address is added that the page requests."""
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url.rsplit("/", 1)[1]))
    return paths


def test_polling_interval_depends_on_visibility_and_answers(
    open_page: OpenPage, room: Room
) -> None:
    page = open_page(clock=True)
    requested_paths = list_requests(page)

    def count_polls(seconds: float) -> int:
        """Let so much time pass, and return how often the page polls meanwhile."""
        requested_paths.clear()
        let_time_pass(page, seconds)
        return requested_paths.count("stato")

    # A visible page polls about every two seconds, after the answer to the poll before.
    assert 8 <= count_polls(10 * ASKED_EVERY) <= 11

    # A hidden one polls every 15 seconds.
    set_hidden(page, hidden=True)
    assert 3 <= count_polls(60) <= 4

    # When it is seen again, it polls at once.
    requested_paths.clear()
    set_hidden(page, hidden=False)
    let_time_pass(page, 0.5)
    assert requested_paths.count("stato") == 1, "at once"

    # While the server does not answer, the page waits longer each time, 15 seconds at most.
    page.route("**/stato", lambda route: route.abort())
    assert 4 <= count_polls(60) <= 8


def set_hidden(page: Page, *, hidden: bool) -> None:
    """Tell the page that it is hidden, as it is behind another tab, or seen."""
    page.evaluate(
        """hidden => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )
