"""Nothing that is typed is lost.

Two phones at the form of one hand see each other's figures, and a form that is submitted without
network is sent later, once.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, MatchId
from scorepad.storage import Storage
from tests.browser.conftest import Phone
from tests.browser.hands import new_match
from tests.browser.room import ASKED_WHEN_DENIED, WITHIN, Room, let_time_pass
from tests.browser.room import address as address  # noqa: PLC0414 - a fixture

LONG_TIMEOUT = (ASKED_WHEN_DENIED + 5) * 1000
"""Milliseconds in which a page has polled again even if it has no access."""
DRAFT_STORED = "Bozza al sicuro"  # "Draft safe": the server has what is typed in the form
SENT_AND_POLLED = WITHIN + 1000
"""Milliseconds in which one phone has sent what was typed, and another has polled it."""
# The addresses of polls, of drafts of a hand, and of the form of a penalty.
POLLS_AND_FORMS = re.compile(r"/(stato|controllo|penalita)$")


@pytest.fixture
def first(phone: Phone) -> Page:
    """Begin a match on a phone."""
    page = phone()
    new_match(page)
    return page


@pytest.fixture
def room(first: Page, data: Path) -> Iterator[Room]:
    """Give access to the match of the phone `first` without a browser."""
    with Storage(data) as storage:
        yield Room(data, Pad(storage), MatchId(re.findall(r"/partite/([a-z0-9]+)", first.url)[0]))


@pytest.fixture
def both(first: Page, phone: Phone, room: Room, address: str) -> tuple[Page, Page]:
    """Let a second phone into the match, and open the form of the same hand on both."""
    other = phone()
    room.let(other, "write")
    for page in (first, other):
        page.goto(f"{address}{room.path}/smazzata")
    return first, other


def expect_draft_stored(page: Page) -> None:
    """Wait until the page says that the server has what was typed."""
    expect(page.locator("#kept")).to_contain_text(DRAFT_STORED, timeout=LONG_TIMEOUT)


# --------------------------------------------------------------------------------- two at one count


def test_hand_form_shows_what_another_phone_types(both: tuple[Page, Page]) -> None:
    # If the page were loaded anew, this mark would be lost.
    writer, viewer = both
    viewer.evaluate("window.isMarked = true")

    # One phone types the points of a side. The other one shows them.
    writer.locator("#a-cards").fill("335")
    expect_draft_stored(writer)
    expect(viewer.locator("#a-cards")).to_have_value("335", timeout=WITHIN)

    # It unfolds the cards of the other side, types a meld of four kings and a two, and chooses that
    # nobody went out. The other phone unfolds the cards too, and adds up 4 × 10 + 20.
    writer.locator("#cards-b summary").tap()
    writer.locator("#b-melds").fill("4xK 2")
    writer.locator("label[for=out-nobody]").tap()
    expect(viewer.locator("#b-melds")).to_have_value("4xK 2", timeout=SENT_AND_POLLED)
    assert viewer.locator("#cards-b").evaluate("fold => fold.open")
    expect(viewer.locator("#b-melds-list")).to_contain_text("60 punti")
    expect(viewer.locator("#out-nobody")).to_be_checked()

    # It empties the first field again.
    writer.locator("#a-cards").fill("")
    expect(viewer.locator("#a-cards")).to_have_value("", timeout=SENT_AND_POLLED)
    assert viewer.evaluate("window.isMarked"), "the page was not loaded again"


def test_hand_form_keeps_focus_caret_folds_and_scroll_position(both: tuple[Page, Page]) -> None:
    # Two phones have the form of the same hand open. The user of this one has typed a figure and
    # unfolded a part of the form.
    other_phone, page = both
    field = page.locator("#b-cards")
    field.fill("1205")
    expect_draft_stored(page)
    page.locator("#more-a summary").first.tap()

    # The caret is in the middle of the figure: "12|05".
    field.evaluate("field => { field.focus(); field.setSelectionRange(2, 2); }")
    page.evaluate("window.fieldBefore = document.activeElement")
    top_before = field.bounding_box()["y"]

    # Another field is typed on the other phone. The form on this one is updated.
    other_phone.locator("#a-cards").fill("335")
    expect(page.locator("#a-cards")).to_have_value("335", timeout=SENT_AND_POLLED)

    # The field is the same element as before. It has the focus, and the caret at the same place.
    expect(field).to_be_focused()
    assert page.evaluate("fieldBefore === document.activeElement")
    assert page.evaluate("fieldBefore.selectionStart") == 2

    # The part is still unfolded, and the page was not scrolled.
    assert page.locator("#more-a").first.evaluate("fold => fold.open")
    assert field.bounding_box()["y"] == pytest.approx(top_before, abs=2)


@pytest.mark.quick
def test_two_phones_typing_at_once_get_each_others_figures(both: tuple[Page, Page]) -> None:
    # Each phone types the points of one side, digit by digit.
    first, other = both
    first.locator("#a-cards").press_sequentially("1335", delay=150)
    other.locator("#b-cards").press_sequentially("2440", delay=150)

    # Both show the points of both sides, and are still at the form.
    for page in both:
        expect(page.locator("#a-cards")).to_have_value("1335", timeout=WITHIN + 2000)
        expect(page.locator("#b-cards")).to_have_value("2440", timeout=WITHIN + 2000)
    assert "/smazzata" in first.url
    expect(first.locator("h1")).to_have_text("Smazzata 1")


def test_phone_leaves_the_form_when_another_saves_the_hand(both: tuple[Page, Page]) -> None:
    # One phone types what side b has.
    first, other = both
    other.locator("#b-cards").fill("60")
    other.locator("#b-left").fill("10")
    expect_draft_stored(other)
    expect(first.locator("#b-left")).to_have_value("10", timeout=SENT_AND_POLLED)

    # The other one types what side a has, and saves the hand.
    first.locator("#a-cards").fill("100")
    first.locator("#a-left").fill("0")
    first.locator("label[for=out-nobody]").tap()
    expect_draft_stored(first)
    with first.expect_navigation():
        first.get_by_role("button", name="Salva la smazzata").tap()  # "Save the hand"

    # The first phone goes on to the page of the match by itself.
    other.wait_for_url(re.compile(r"/partite/[a-z0-9]+$"), timeout=WITHIN + 2000)


def test_field_being_typed_in_is_not_overwritten(both: tuple[Page, Page]) -> None:
    first, other = both
    field = other.locator("#b-cards")
    pause = 400  # shorter than the one after which a draft is sent

    # While somebody types a figure slowly, the other phone fills in another field.
    field.press_sequentially("12", delay=50)
    first.locator("#a-cards").fill("335")
    other.wait_for_timeout(pause)
    field.press_sequentially("3")
    other.wait_for_timeout(pause)
    field.press_sequentially("4")

    expect(other.locator("#a-cards")).to_have_value("335", timeout=WITHIN + 2000)
    expect(field).to_have_value("1234")
    expect(field).to_be_focused()


def test_own_figure_chosen_in_a_conflict_reaches_the_other_phone(both: tuple[Page, Page]) -> None:
    # The draft of one phone does not reach the server: "The network does not answer".
    first, other = both
    other.route("**/controllo", lambda route: route.abort())
    other.locator("#a-cards").fill("305")
    expect(other.locator("#kept")).to_contain_text("La rete non risponde")

    # Meanwhile the other phone types another figure into the same field.
    first.locator("#a-cards").fill("300")
    expect_draft_stored(first)

    # When the server answers again, the first phone shows both figures.
    other.unroute("**/controllo")
    expect(other.locator(".stale")).to_be_visible(timeout=LONG_TIMEOUT)

    # Its user chooses their own: "Keep 305".
    other.get_by_role("button", name=re.compile("^Tieni 305")).tap()
    expect(other.locator("#a-cards")).to_have_value("305")
    expect(other.locator(".stale")).to_have_count(0)
    expect(first.locator("#a-cards")).to_have_value("305", timeout=WITHIN)


# ------------------------------------------------------------------------------- out while counting


@pytest.mark.parametrize("access", [None, "view"])
def test_hand_form_is_kept_when_write_access_is_lost(
    both: tuple[Page, Page], room: Room, access: str | None
) -> None:
    # A phone that may write has the form of a hand open. Its draft is sent to the server.
    _first, page = both
    message = page.locator("#kept")
    save_button = page.locator("button[value=save]")
    cards_of_b = page.locator("#b-cards")
    page.locator("#a-cards").fill("300")
    expect_draft_stored(page)

    # The owner takes the access of this phone away, or lets it only look: "From this phone one can
    # no longer write in this match. What you wrote is still on this phone."
    room.let(page, access)
    cannot_write = re.compile(
        r"Da questo telefono ora non si può più scrivere in questa partita\."
        r" Quello che hai scritto è ancora su questo"
    )
    expect(message).to_contain_text(cannot_write, timeout=WITHIN)

    # The user goes on typing. Nothing can be saved, but the figures stay in the form.
    cards_of_b.fill("85")
    expect(message).to_contain_text(cannot_write, timeout=WITHIN)
    expect(save_button).to_be_disabled()
    expect(page.locator("#a-cards")).to_have_value("300")

    # One more digit stays too, even after a second, in which a draft is usually sent. The draft is
    # in the storage of the phone.
    cards_of_b.press("5")
    page.wait_for_timeout(1000)
    expect(message).to_contain_text(cannot_write)
    expect(cards_of_b).to_have_value("855")
    has_draft = "Object.keys(localStorage).some(name => name.startsWith('scorepad-count'))"
    assert page.evaluate(has_draft)

    # By now the page has also noticed, when it asked what is new, that it may not write. Then the
    # phone may write again, and sends what was typed meanwhile.
    expect(page.locator("#live-status")).not_to_be_empty(timeout=WITHIN)
    room.let(page, "write")
    expect(message).to_contain_text(DRAFT_STORED, timeout=LONG_TIMEOUT)
    expect(save_button).to_be_enabled()
    assert room.draft["b.cards"] == "855"


@pytest.mark.parametrize("access", [None, "view"])
def test_penalty_form_is_kept_when_write_access_is_lost(
    both: tuple[Page, Page], room: Room, access: str | None
) -> None:
    _first, page = both
    page.goto(page.url.replace("/smazzata", "/penalita"))
    message = page.locator("#sending")
    form = page.locator("form[data-later]")
    fill_penalty(page)

    # The owner takes the access of this phone away, or lets it only look. Then the form is submitted.
    room.let(page, access)
    form.evaluate("form => form.requestSubmit(form.querySelector('.primary'))")

    # The page says that one cannot write in this match from this phone now, and that what was
    # written is still on it. The chosen penalty is still chosen.
    expect(message).to_contain_text("Da questo telefono ora non si può scrivere in questa partita.")
    expect(message).to_contain_text("Quello che hai scritto è ancora su questo telefono.")
    expect(page.locator("input[value=draw-out-of-turn]")).to_be_checked()

    # The phone may write again, and its user presses the button anew.
    room.let(page, "write")
    expect(page.locator("#live-status")).to_be_empty(timeout=LONG_TIMEOUT)
    form.locator(".primary").tap()
    expect_sent(page)
    assert room.noted_penalties == ["draw-out-of-turn"]


# ------------------------------------------------------------------------------- the server is back


def let_50_seconds_pass(page: Page) -> None:
    """Let so much time pass that the next attempt to send is half a minute away.

    Attempts come after 3, 6, 12 and 24 seconds, and then every 30.
    """
    let_time_pass(page, 50)


def test_hand_form_is_sent_as_soon_as_the_server_answers_again(both: tuple[Page, Page]) -> None:
    # A phone shows the form of a hand. From now on time passes on it only where this test says so.
    _first, page = both
    page.clock.install()
    page.reload()

    # The server does not answer. The page waits longer after each attempt to send what is typed: 3,
    # 6, 12 and 24 seconds, which are 45, and then 30. It says "The network does not answer".
    page.route(POLLS_AND_FORMS, lambda route: route.abort())
    page.locator("#a-cards").fill("300")
    let_time_pass(page, seconds=50)
    expect(page.locator("#kept")).to_contain_text("La rete non risponde")

    # The server answers again. The page would not try to send for 25 seconds. But it also asks every
    # 15 seconds what is new, gets an answer, and sends at once: "Draft safe".
    page.unroute(POLLS_AND_FORMS)
    let_time_pass(page, seconds=15)
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro")


def test_penalty_form_is_sent_as_soon_as_the_server_answers_again(first: Page, room: Room) -> None:
    # From now on the test turns the clock of the page.
    first.clock.install()
    first.goto(first.url + "/penalita")
    fill_penalty(first)

    # The server answers neither polls nor the form, until the page tries to send only every 30
    # seconds.
    first.route(POLLS_AND_FORMS, lambda route: route.abort())
    press_save(first)
    let_50_seconds_pass(first)
    expect_waiting(first)

    # It answers again. The page notices that earlier, by a poll, which comes every 15 seconds.
    first.unroute(POLLS_AND_FORMS)
    let_time_pass(first, 15)
    expect_sent(first)
    assert room.noted_penalties == ["draw-out-of-turn"]


# ---------------------------------------------------------------------------- forms without network


def expect_waiting(page: Page) -> None:
    """Wait until the page says that its form waits to be sent."""
    # It is not sent yet, because the network does not answer, and stays on this phone.
    expect(page.locator("#sending")).to_contain_text(
        "Non ancora inviato: la rete non risponde. Quello che hai scritto resta su questo telefono"
    )


def expect_sent(page: Page) -> None:
    """Wait until the form was accepted and the phone is on the page of the match."""
    page.wait_for_url(re.compile(r"/partite/[a-z0-9]+$"), timeout=LONG_TIMEOUT)
    expect_nothing_waiting(page)


def test_messages_about_network_and_waiting_form_are_both_visible(first: Page) -> None:
    # A phone without network submits the form of the names.
    first.goto(first.url + "/nomi")
    first.locator("#name-0").fill("Antonietta")
    first.context.set_offline(True)
    press_save(first)
    expect_waiting(first)
    expect(first.locator("#live-status")).to_contain_text("Non c'è rete.")  # "There is no network."

    # Both messages stay at the edge of the window when the page is scrolled. None covers the other.
    first.evaluate("scrollTo(0, 300)")
    assert is_uncovered(first, "#sending")
    assert is_uncovered(first, "#live-status")


def is_uncovered(page: Page, selector: str) -> bool:
    """Tell whether nothing lies over an element near its upper and its lower edge."""
    uncovered: bool = page.locator(selector).evaluate("""element => {
      const { left, top, bottom, width } = element.getBoundingClientRect();
      const middle = left + width / 2;
      return document.elementFromPoint(middle, top + 4) === element
        && document.elementFromPoint(middle, bottom - 4) === element;
    }""")
    return uncovered


def press_save(page: Page) -> None:
    page.locator("form button.primary").tap()


def expect_nothing_waiting(page: Page) -> None:
    """Check that no form is stored on the phone to be sent later."""
    waiting_forms = "Object.keys(localStorage).filter(name => name.startsWith('scorepad-sent'))"
    assert page.evaluate(waiting_forms) == []


def abort_posts(page: Page, path: str) -> None:
    """Let no form reach the server that is sent to this address. The page itself can be loaded."""

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.route(path, answer)


def fill_penalty(page: Page) -> None:
    """Choose the second side, and that it drew a card out of turn."""
    page.locator("input[name=side]").nth(1).check()
    page.locator("input[name=code][value=draw-out-of-turn]").check()


@pytest.mark.quick
def test_form_typed_offline_survives_closing_and_is_sent_once(first: Page, room: Room) -> None:
    match = first.url
    entries_before = len(room.pad.records.audit(room.match, ADMIN))

    # A phone without network submits the form of the names, and the page is closed.
    first.goto(match + "/nomi")
    first.locator("#name-0").fill("Antonietta e Gianfranco")
    first.context.set_offline(True)
    press_save(first)
    expect_waiting(first)
    context = first.context
    first.close()

    # With the network again, the user opens the page of the match, which says "not sent yet".
    context.set_offline(False)
    page = context.new_page()
    page.goto(match)
    expect(page.locator("#waiting")).to_contain_text("non è ancora partito")

    # They open the form anew ("Reopen the page"). It has what was typed, but cannot be sent yet.
    abort_posts(page, "**/nomi")
    page.get_by_role("link", name="Riapri la pagina").tap()
    expect_waiting(page)
    expect(page.locator("#name-0")).to_have_value("Antonietta e Gianfranco")

    # Now it can. The page sends it by itself, and the log of the match has one entry more.
    page.unroute("**/nomi")
    expect_sent(page)
    expect(page.locator(".head h2").first).to_have_text("Antonietta e Gianfranco")
    assert len(room.pad.records.audit(room.match, ADMIN)) == entries_before + 1
    expect(page.locator("#waiting")).to_be_hidden()


@pytest.mark.quick
def test_form_changed_while_waiting_is_not_sent_by_itself(first: Page, room: Room) -> None:
    # A phone without network submits the form of the names.
    match = first.url
    first.goto(match + "/nomi")
    first.locator("#name-0").fill("Anto")
    first.context.set_offline(True)
    press_save(first)
    expect_waiting(first)

    # The user changes the name. It will not be sent by itself, "because you have changed something".
    first.locator("#name-0").fill("Antonietta")
    expect(first.locator("#sending")).to_contain_text("perché hai cambiato qualcosa")

    # The network is back, and the page stays at the form.
    first.context.set_offline(False)
    first.wait_for_timeout(1000)
    assert first.url == match + "/nomi"

    # The changed name is still there after the page is loaded anew, and can be saved.
    first.reload()
    expect(first.locator("#name-0")).to_have_value("Antonietta")
    press_save(first)
    expect_sent(first)
    expect(first.locator(".head h2").first).to_have_text("Antonietta")


@pytest.mark.quick
def test_waiting_form_that_is_refused_shows_the_page_of_the_refusal(first: Page) -> None:
    # A phone without network submits a name for side 1 that the other side has, which is refused.
    first.goto(first.url + "/nomi")
    first.locator("#name-0").fill("Loro")
    first.context.set_offline(True)
    press_save(first)
    expect_waiting(first)

    # The network is back, and the form is sent. "Error: …", with what was typed, and no second try.
    first.context.set_offline(False)
    expect(first).to_have_title(re.compile("^Errore: "), timeout=LONG_TIMEOUT)
    expect(first.locator("#name-0")).to_have_value("Loro")
    expect(first.locator(".errors")).to_be_visible()
    expect_nothing_waiting(first)


def test_waiting_form_can_be_discarded(first: Page) -> None:
    # The form of a penalty does not reach the server.
    match = first.url
    first.goto(match + "/penalita")
    fill_penalty(first)
    abort_posts(first, "**/penalita")
    press_save(first)
    expect_waiting(first)

    # On the page of the match the user says "Not needed any more".
    first.goto(match)
    first.get_by_role("button", name="Non serve più").tap()

    # The form does not wait any more, not even after the page is loaded anew.
    expect(first.locator("#waiting")).to_be_hidden()
    first.reload()
    expect(first.locator("#waiting")).to_be_hidden()
