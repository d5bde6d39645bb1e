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

FIGURES_430_TO_60 = {
    "a-canastas-mixed-canasta": "1",
    "a-cards": "150",
    "a-left": "20",
    "b-cards": "100",
    "b-left": "40",
}
"""430 and 60: 300 + 150 − 20, and 100 − 40."""
# "I do not reach the pad. What you see is from …"
SERVER_AWAY = re.compile(r"^Non raggiungo il segnapunti\. Quello che vedi è delle \d\d:\d\d\.$")
OpenPage = Callable[..., Page]
"""What the fixture `open_page` gives: a page of the match on a phone that is let in."""


@pytest.fixture
def room(address: str, data: Path) -> Iterator[Room]:
    """A match that is played on the pad by somebody without a browser."""
    with Storage(data) as storage:
        pad = Pad(storage)
        new = NewMatch("classica", None, {}, labels=Labels(("Noi", "Loro"), (("", ""), ("", ""))))
        yield Room(data, pad, begin(pad, OWNER, new).match)


@pytest.fixture
def open_page(phone: Phone, room: Room, address: str) -> OpenPage:
    """Lets a new phone into the match and opens one of its pages; with `clock`, the time of the
    phone passes only by `let_time_pass`.
    """

    def open_page_of_match(
        page: str = "", access: str = "view", *, clock: bool = False, **more: Any
    ) -> Page:
        shown = phone(**more)
        room.let(shown, access)
        if clock:
            shown.clock.install()
        shown.goto(address + room.path + page)
        return shown

    return open_page_of_match


def expect_status(page: Page) -> Any:
    """The line in which the page says that it cannot be updated: `expect_status(page).to_be_empty()`."""
    return expect(page.locator("#live-status"), "the status line")


def expect_totals(
    page: Page, *figures: str, at: str = ".head .total", within: int = WITHIN
) -> None:
    """Wait until the page shows these totals in the elements of a selector."""
    expect(page.locator(at)).to_have_text(list(figures), timeout=within, use_inner_text=True)


def mark_loaded(*pages: Page) -> None:
    """Mark pages, so that `expect_not_reloaded` notices if they are loaded again."""
    for page in pages:
        page.evaluate("window.isMarked = true")


def expect_not_reloaded(*pages: Page) -> None:
    for page in pages:
        assert page.evaluate("window.isMarked"), "the page was loaded again"


@pytest.mark.quick
def test_open_pages_follow_a_saved_and_an_undone_hand(
    phone: Phone, data: Path, address: str
) -> None:
    writer = phone()
    viewer = phone()
    board = phone(viewport={"width": 1280, "height": 800}, is_mobile=False)
    new_match(writer)
    match = MatchId(writer.url.rsplit("/", 1)[1])
    with Storage(data) as storage:
        room = Room(data, Pad(storage), match)
        room.let(viewer, "view")
        room.let(board, "view")
    viewer.goto(address + room.path)
    board.goto(f"{address}{room.path}/tabellone")
    mark_loaded(viewer, board)

    open_hand(writer)
    fill_figures(writer, FIGURES_430_TO_60)
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
    expect_not_reloaded(viewer, board)
    assert viewer.get_by_role("button", name="Annulla").count() == 0, "a viewer cannot undo"


def test_open_page_follows_the_access_of_its_phone(open_page: OpenPage, room: Room) -> None:
    page = open_page()
    link_to_new_hand = page.locator(".bar a.primary")
    assert link_to_new_hand.count() == 0

    room.let(page, "write")
    expect(link_to_new_hand).to_have_text("Nuova smazzata", timeout=WITHIN)

    room.let(page, "view")
    expect(link_to_new_hand).to_have_count(0, timeout=WITHIN)


def test_open_pages_without_access_say_so_and_disable_writing(
    open_page: OpenPage, room: Room
) -> None:
    room.count()
    match_page = open_page("", "write", clock=True)
    board = open_page("/tabellone", clock=True)
    hand_form = open_page("/smazzata", "write", clock=True)

    for page in (match_page, board, hand_form):
        room.let(page, None)
        let_time_pass(page, ASKED_ONCE)
        expect_status(page).to_contain_text("Da qui la partita non si vede più")  # "no longer seen"
        expect_status(page).to_contain_text(re.compile(r"delle \d\d:\d\d\."))
    assert inert_buttons(match_page) == [True, True]

    room.let(match_page, "write")
    let_time_pass(match_page, ASKED_WHEN_DENIED)
    expect_status(match_page).to_be_empty()
    assert inert_buttons(match_page) == [False, False]


def inert_buttons(page: Page) -> list[bool]:
    """Whether the link to a new hand and the button to undo cannot be pressed."""
    buttons = page.locator(".bar a.primary, .bar form button")
    inert: list[bool] = buttons.evaluate_all("all => all.map(each => each.inert)")
    return inert


def test_home_phones_and_players_pages_follow_the_match(
    open_page: OpenPage, phone: Phone, room: Room, address: str
) -> None:
    home = open_page()
    home.goto(address)
    players = open_page()
    players.goto(f"{address}/giocatori")
    phones = open_page("/telefoni", "own")  # opened last, so that it lists all three phones
    mark_loaded(home, phones, players)

    expect_totals(home, "0", "0", at=".match .figure")
    room.count()
    expect_totals(home, "430", "60", at=".match .figure")
    expect(home.locator("#live-announcement")).to_have_text("Noi 430 e Loro 60")

    listed_phones = phones.locator("ol.phones > li")
    number_before = listed_phones.count()
    room.let(phone(), "write")
    expect(listed_phones).to_have_count(number_before + 1, timeout=WITHIN)

    expect(players.locator(".names-name")).to_have_count(0)
    labels = Labels(("Noi", "Loro"), (("Ada", ""), ("", "")), "")
    room.pad.actions.rename(new_request(), room.match, OWNER, labels)
    expect(players.locator(".names-name")).to_have_text(["Ada"], timeout=WITHIN)
    expect_not_reloaded(home, phones, players)


def test_open_form_reports_a_new_hand_and_keeps_its_fields(open_page: OpenPage, room: Room) -> None:
    page = open_page("/fine", "write")
    choice = page.get_by_label("Si gioca fino a una certa smazzata")  # "until a certain hand"
    choice.check()

    room.count()

    news = page.locator("#live-moved")
    expect(news).to_contain_text("Dopo 1 smazzata: Noi 430 e Loro 60.", timeout=WITHIN)
    assert choice.is_checked()
    shown_hands = page.locator("[name=shown_hands]")
    assert shown_hands.input_value() == "0", "the form still says what was shown to the person"


def test_update_keeps_folds_scroll_position_and_focus(open_page: OpenPage, room: Room) -> None:
    for _ in range(3):
        room.count()  # the last hand is unfolded
    page = open_page()
    page.locator("#smazzata-1 summary").first.tap()  # unfolded
    page.locator("#smazzata-3 summary").first.tap()  # folded
    fold = page.locator("details.fold:not(.why) > summary").last
    fold.tap()
    fold.focus()
    page.evaluate("scrollTo(0, 300)")
    scroll_and_focus = "[scrollY, document.activeElement.outerHTML]"
    before = page.evaluate(scroll_and_focus)

    room.count(cards=155)

    expect_totals(page, "1.725", "240")
    expect(page.locator("#smazzata-4 .made").first).to_have_text("+435")
    assert page.evaluate(scroll_and_focus) == before
    is_unfolded = "number => document.querySelector(`#smazzata-${number} details`).open"
    assert page.evaluate(is_unfolded, 1)
    assert not page.evaluate(is_unfolded, 2)
    assert not page.evaluate(is_unfolded, 3)
    assert page.evaluate(is_unfolded, 4), "the new hand"
    assert fold.locator("..").evaluate("element => element.open")


def add_form_to_match_page(page: Page, room: Room) -> None:
    """Have the match page contain a form with a text field and, hidden, the tag of the match."""

    def answer(route: Route) -> None:
        response = route.fetch()
        tag = re.search(r'data-live-tag="(\d+)', response.text())[1]
        fields = f'<input type="hidden" name="seen" value="{tag}"><input name="n">'
        form = f'<form id="note" action="/">{fields}</form>'
        body = response.text().replace('<p class="on-paper">', f'{form}<p class="on-paper">', 1)
        route.fulfill(response=response, body=body)

    page.route(re.compile(f"{room.path}$"), answer)
    page.reload()


def test_form_is_not_updated_while_it_is_typed_in(open_page: OpenPage, room: Room) -> None:
    page = open_page(clock=True)
    add_form_to_match_page(page, room)
    hidden_tag = page.locator("#note [name=seen]")
    text_field = page.locator("#note [name=n]")
    expect(hidden_tag).to_have_value("1")

    def count_hand_and_wait(expected_total: str) -> None:
        room.count()
        let_time_pass(page, ASKED_ONCE)
        expect(page.locator(".head .total").first).to_have_text(expected_total)

    count_hand_and_wait("430")
    expect(hidden_tag).to_have_value("2")

    text_field.fill("il mazzo era corto")
    page.evaluate("document.activeElement.blur()")
    count_hand_and_wait("860")
    expect(text_field).to_have_value("il mazzo era corto")
    expect(hidden_tag).to_have_value("2")

    text_field.fill("")
    count_hand_and_wait("1.290")
    expect(text_field).to_be_focused()
    expect(hidden_tag).to_have_value("2")

    page.evaluate("document.activeElement.blur()")  # neither text nor focus any more
    let_time_pass(page, ASKED_ONCE)
    expect(hidden_tag).to_have_value("4")


PRESS_UNDO_AS_SOON_AS_IT_CHANGES = """() => new MutationObserver((_, observer) => {
  const button = document.querySelector('.bar form button');
  if (!button.textContent.includes('2')) return;
  observer.disconnect();
  setTimeout(() => button.click());
}).observe(document.getElementById('match'), { subtree: true, childList: true, characterData: true })"""


def test_button_that_has_just_changed_cannot_be_pressed(open_page: OpenPage, room: Room) -> None:
    """A tap that was aimed at "undo hand 1" must not undo hand 2."""
    room.count()
    page = open_page("", "write")
    button = page.locator(".bar form button")
    expect(button).to_have_text("Annulla la smazzata 1")
    page.evaluate(PRESS_UNDO_AS_SOON_AS_IT_CHANGES)

    room.count()
    expect_totals(page, "860", "120")
    page.wait_for_timeout(1000)
    assert len(room.pad.state(room.match, OWNER).hands) == 2

    with page.expect_navigation():
        button.tap()
    assert len(room.pad.state(room.match, OWNER).hands) == 1


@pytest.mark.quick
def test_hand_corrected_by_another_phone_is_reported_to_whoever_corrects_it(
    open_page: OpenPage, room: Room
) -> None:
    room.count()
    page = open_page("/smazzate/1/correggi", "write")

    room.correct_first_hand(cards=250)

    # "This hand has just been changed"
    expect_status(page).to_contain_text("Questa smazzata è appena cambiata", timeout=WITHIN)


@pytest.mark.quick
def test_hand_saved_by_another_phone_is_reported_and_typing_kept(
    open_page: OpenPage, room: Room
) -> None:
    page = open_page("/smazzata", "write", clock=True)
    page.locator("#b-cards").fill("85")
    expect(page.locator("#kept")).not_to_be_empty()

    labels = Labels(("Rossi", "Verdi"), (("", ""), ("", "")), "")
    room.pad.actions.rename(new_request(), room.match, OWNER, labels)
    let_time_pass(page, WITHIN / 1000)
    expect_status(page).to_be_empty()  # other names do not matter

    room.count()
    expect_status(page).to_contain_text("Questa smazzata è già stata contata", timeout=WITHIN)
    expect(page.locator("#b-cards")).to_have_value("85")
    with page.expect_navigation():
        page.get_by_role("link", name="Guarda la partita").tap()  # "Look at the match"
    assert totals(page) == ["430", "60"]


def test_saving_phone_is_not_told_that_another_saved(open_page: OpenPage, room: Room) -> None:
    """The page polls after its hand was saved and before the answer has come."""
    page = open_page("/smazzata", "write")
    statuses: list[str] = []
    page.expose_function("noteStatus", lambda text: statuses.append(str(text)))
    page.evaluate("""() => {
      const status = document.getElementById('live-status');
      new MutationObserver(() => noteStatus(status.textContent)).observe(status, { childList: true });
    }""")

    def answer_slowly(route: Route) -> None:
        response = route.fetch(max_redirects=0)
        if route.request.method == "POST":
            page.wait_for_timeout(WITHIN)
        route.fulfill(response=response)

    page.route(re.compile("/smazzata$"), answer_slowly)
    fill_figures(page, FIGURES_430_TO_60)
    save(page)
    assert totals(page) == ["430", "60"]
    assert statuses == []


@pytest.mark.quick
def test_offline_page_says_so_and_does_not_poll(open_page: OpenPage, room: Room) -> None:
    page = open_page()
    requested_paths = list_requests(page)
    # "No network. What you see is from …"
    no_network = re.compile(r"^Non c'è rete\. Quello che vedi è delle \d\d:\d\d\.$")

    page.context.set_offline(True)
    expect_status(page).to_have_text(no_network, timeout=1000)
    room.count()
    requested_paths.clear()
    page.wait_for_timeout(WITHIN)
    assert requested_paths == []

    page.context.set_offline(False)
    expect_totals(page, "430", "60", within=1500)
    expect_status(page).to_be_empty()


def test_page_says_when_the_server_does_not_answer(open_page: OpenPage, room: Room) -> None:
    page = open_page("/tabellone", clock=True)
    page.route("**/stato", lambda route: route.abort())
    let_time_pass(page, ASKED_ONCE)
    expect_status(page).to_be_empty()  # one answer may be missing
    let_time_pass(page, ASKED_EVERY)
    expect_status(page).to_have_text(SERVER_AWAY)

    page.unroute("**/stato")
    room.count()
    let_time_pass(page, 15)
    expect_totals(page, "430", "60", at=".board-total")
    expect_status(page).to_be_empty()


def list_requests(page: Page) -> list[str]:
    """A list to which the last part of each address that the page requests is added."""
    paths: list[str] = []
    page.on("request", lambda request: paths.append(request.url.rsplit("/", 1)[1]))
    return paths


def test_polling_interval_depends_on_visibility_and_answers(
    open_page: OpenPage, room: Room
) -> None:
    page = open_page(clock=True)
    requested_paths = list_requests(page)

    def count_polls(seconds: float) -> int:
        """How often the page polls in these seconds."""
        requested_paths.clear()
        let_time_pass(page, seconds)
        return requested_paths.count("stato")

    # About ten, since each poll comes after the answer to the one before.
    assert 8 <= count_polls(10 * ASKED_EVERY) <= 11

    set_hidden(page, hidden=True)
    assert 3 <= count_polls(60) <= 4

    requested_paths.clear()
    set_hidden(page, hidden=False)
    let_time_pass(page, 0.5)
    assert requested_paths.count("stato") == 1, "at once"

    page.route("**/stato", lambda route: route.abort())
    assert 4 <= count_polls(60) <= 8


def set_hidden(page: Page, *, hidden: bool) -> None:
    """Tell the page that it is hidden, as behind another tab."""
    page.evaluate(
        """hidden => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
        }""",
        hidden,
    )
