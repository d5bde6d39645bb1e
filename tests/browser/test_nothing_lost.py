"""Nothing lost: two phones at one count see each other's figures, and a form typed without network
goes later, once.
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

PATIENCE = (ASKED_WHEN_DENIED + 5) * 1000
"""Milliseconds: also a page without access has asked again."""
NOT_YET = (
    "Non ancora inviato: la rete non risponde. Quello che hai scritto resta su questo telefono"
)
KEPT = "Bozza al sicuro"
BUT_PAGES = re.compile(r"/(stato|controllo|penalita)$")


@pytest.fixture
def one(phone: Phone) -> Page:
    """A phone that has begun a match."""
    page = phone()
    new_match(page)
    return page


@pytest.fixture
def room(one: Page, data: Path) -> Iterator[Room]:
    """The match of `one`."""
    with Storage(data) as storage:
        yield Room(data, Pad(storage), MatchId(re.findall(r"/partite/([a-z0-9]+)", one.url)[0]))


@pytest.fixture
def two(one: Page, phone: Phone, room: Room, address: str) -> tuple[Page, Page]:
    """Two phones at the count of the same hand."""
    other = phone()
    room.let(other, "write")
    for page in (one, other):
        page.goto(f"{address}{room.path}/smazzata")
    return one, other


def saved(page: Page) -> None:
    expect(page.locator("#kept")).to_contain_text(KEPT, timeout=PATIENCE)


# --------------------------------------------------------------------------------- two at one count


def test_a_phone_that_only_looks_at_a_count_shows_what_another_types_within_seconds(
    two: tuple[Page, Page],
) -> None:
    writer, viewer = two
    viewer.evaluate("window.isTheSame = true")
    writer.locator("#a-cards").fill("335")
    saved(writer)
    expect(viewer.locator("#a-cards")).to_have_value("335", timeout=WITHIN)
    writer.locator("#cards-b summary").tap()
    writer.locator("#b-melds").fill("4xK 2")
    writer.locator("label[for=out-nobody]").tap()
    expect(viewer.locator("#b-melds")).to_have_value(
        "4xK 2", timeout=WITHIN + 1000
    )  # and until it is sent
    assert viewer.locator("#cards-b").evaluate("each => each.open")
    expect(viewer.locator("#b-melds-list")).to_contain_text(
        "60 punti"
    )  # four kings at 10 and a wild two at 20
    expect(viewer.locator("#out-nobody")).to_be_checked()
    writer.locator("#a-cards").fill("")
    expect(viewer.locator("#a-cards")).to_have_value("", timeout=WITHIN + 1000)
    assert viewer.evaluate("window.isTheSame"), "nothing was loaded again"


def test_focus_caret_what_is_unfolded_and_where_one_looks_stay_as_they_are(
    two: tuple[Page, Page],
) -> None:
    writer, viewer = two
    viewer.locator("#b-cards").fill("1205")
    saved(viewer)
    viewer.locator("#more-a summary").first.tap()
    viewer.locator("#b-cards").evaluate(
        "field => { field.focus(); field.setSelectionRange(2, 2); }"
    )
    viewer.evaluate("window.field = document.activeElement")
    stood = "document.getElementById('b-cards').getBoundingClientRect().top"
    before = viewer.evaluate(stood)
    writer.locator("#a-cards").fill("335")
    expect(viewer.locator("#a-cards")).to_have_value("335", timeout=WITHIN + 1000)
    expect(viewer.locator("#b-cards")).to_be_focused()
    assert viewer.evaluate("[field.selectionStart, field === document.activeElement]") == [2, True]
    assert viewer.locator("#more-a").first.evaluate("each => each.open")
    assert viewer.evaluate(stood) == pytest.approx(before, abs=2)


@pytest.mark.quick
def test_two_that_type_at_once_each_get_the_figures_of_the_other(two: tuple[Page, Page]) -> None:
    one, other = two
    one.locator("#a-cards").press_sequentially("1335", delay=150)
    other.locator("#b-cards").press_sequentially("2440", delay=150)
    for page in two:
        for field, figure in (("#a-cards", "1335"), ("#b-cards", "2440")):
            expect(page.locator(field)).to_have_value(figure, timeout=WITHIN + 2000)
    assert "/smazzata" in one.url
    expect(one.locator("h1")).to_have_text("Smazzata 1")


def test_a_phone_whose_half_was_saved_by_the_other_leaves_the_form(two: tuple[Page, Page]) -> None:
    first, other = two
    other.locator("#b-cards").fill("60")
    other.locator("#b-left").fill("10")
    saved(other)
    expect(first.locator("#b-left")).to_have_value("10", timeout=WITHIN + 1000)
    first.locator("#a-cards").fill("100")
    first.locator("#a-left").fill("0")
    first.locator("label[for=out-nobody]").tap()
    saved(first)
    with first.expect_navigation():
        first.get_by_role("button", name="Salva la smazzata").tap()
    other.wait_for_url(re.compile(r"/partite/[a-z0-9]+$"), timeout=WITHIN + 2000)


def test_a_field_being_typed_in_is_not_written_over(two: tuple[Page, Page]) -> None:
    one, other = two
    other.locator("#b-cards").press_sequentially("12", delay=50)
    one.locator("#a-cards").fill("335")
    for figure in "34":
        other.wait_for_timeout(400)  # shorter than the pause after which it is sent
        other.locator("#b-cards").press_sequentially(figure)
    expect(other.locator("#a-cards")).to_have_value("335", timeout=WITHIN + 2000)
    expect(other.locator("#b-cards")).to_have_value("1234")
    expect(other.locator("#b-cards")).to_be_focused()


def test_who_keeps_their_own_figure_in_a_conflict_is_in_the_count_with_it(
    two: tuple[Page, Page],
) -> None:
    one, other = two
    other.route("**/controllo", lambda route: route.abort())
    other.locator("#a-cards").fill("305")
    expect(other.locator("#kept")).to_contain_text("La rete non risponde")
    one.locator("#a-cards").fill("300")
    saved(one)
    other.unroute("**/controllo")
    expect(other.locator(".stale")).to_be_visible(timeout=PATIENCE)
    other.get_by_role("button", name=re.compile("^Tieni 305")).tap()
    expect(other.locator("#a-cards")).to_have_value("305")
    expect(other.locator(".stale")).to_have_count(0)
    expect(one.locator("#a-cards")).to_have_value("305", timeout=WITHIN)


# ------------------------------------------------------------------------------- out while counting


BARRED = "Da questo telefono ora non si può più scrivere in questa partita. Quello che hai scritto è ancora su questo"


@pytest.mark.parametrize("access", [None, "view"])
def test_a_phone_that_may_not_write_any_more_keeps_its_form_and_says_so(
    two: tuple[Page, Page], room: Room, access: str | None
) -> None:
    _, page = two
    page.locator("#a-cards").fill("300")
    saved(page)
    room.let(page, access)
    expect(page.locator("#kept")).to_contain_text(BARRED, timeout=WITHIN)  # with nothing typed
    page.locator("#b-cards").fill("85")
    message = page.locator("#kept")
    save = page.locator("button[value=save]")
    expect(message).to_contain_text(BARRED, timeout=WITHIN)
    expect(save).to_be_disabled()
    expect(page.locator("#a-cards")).to_have_value("300")
    page.locator("#b-cards").press("5")
    page.wait_for_timeout(1000)
    expect(message).to_contain_text(BARRED)
    expect(page.locator("#b-cards")).to_have_value("855")
    assert page.evaluate(
        "Object.keys(localStorage).some(name => name.startsWith('scorepad-count'))"
    )
    # It is let in again, and goes on where it was.
    expect(page.locator("#live-status")).not_to_be_empty(timeout=WITHIN)
    room.let(page, "write")
    expect(message).to_contain_text(KEPT, timeout=PATIENCE)
    expect(save).to_be_enabled()
    assert room.draft["b.cards"] == "855"


@pytest.mark.parametrize("access", [None, "view"])
def test_another_form_stays_as_it_was_typed_too_and_goes_when_the_phone_is_let_in_again(
    two: tuple[Page, Page], room: Room, access: str | None
) -> None:
    _, page = two
    page.goto(page.url.replace("/smazzata", "/penalita"))
    fill_penalty(page)
    room.let(page, access)
    page.locator("form[data-later]").evaluate(
        "form => form.requestSubmit(form.querySelector('.primary'))"
    )
    expect(page.locator("#sending")).to_contain_text(
        "Da questo telefono ora non si può scrivere in questa partita."
    )
    expect(page.locator("#sending")).to_contain_text(
        "Quello che hai scritto è ancora su questo telefono."
    )
    expect(page.locator("input[value=draw-out-of-turn]")).to_be_checked()
    room.let(page, "write")
    expect(page.locator("#live-status")).to_be_empty(timeout=PATIENCE)
    page.locator("form[data-later] .primary").tap()
    sent(page)
    assert room.noted_penalties == ["draw-out-of-turn"]


# ------------------------------------------------------------------------------- the server is back


def unanswered(page: Page) -> None:
    """Nobody answers for fifty seconds: what is to be sent is tried again after 3, 6, 12 and 24 and
    then 30.
    """
    let_time_pass(page, 50)


def test_a_count_is_sent_as_soon_as_the_page_hears_of_the_server_again(
    two: tuple[Page, Page],
) -> None:
    _, page = two
    page.clock.install()
    page.reload()
    page.route(BUT_PAGES, lambda route: route.abort())
    page.locator("#a-cards").fill("300")
    unanswered(page)
    expect(page.locator("#kept")).to_contain_text("La rete non risponde")
    page.unroute(BUT_PAGES)
    let_time_pass(page, 15)  # so often the page asks at least
    expect(page.locator("#kept")).to_contain_text(KEPT)


def test_and_so_is_another_form(one: Page, room: Room) -> None:
    one.clock.install()
    one.goto(one.url + "/penalita")
    fill_penalty(one)
    one.route(BUT_PAGES, lambda route: route.abort())
    press_save(one)
    unanswered(one)
    waits(one)
    one.unroute(BUT_PAGES)
    let_time_pass(one, 15)
    sent(one)
    assert room.noted_penalties == ["draw-out-of-turn"]


# ---------------------------------------------------------------------------- forms without network


def waits(page: Page) -> None:
    expect(page.locator("#sending")).to_contain_text(NOT_YET)


def sent(page: Page) -> None:
    """It has come through, and the phone is where the answer leads."""
    page.wait_for_url(re.compile(r"/partite/[a-z0-9]+$"), timeout=PATIENCE)
    keeps_nothing(page)


def test_what_is_said_of_the_network_and_what_waits_are_both_to_be_read(one: Page) -> None:
    one.goto(one.url + "/nomi")
    one.locator("#name-0").fill("Antonietta")
    one.context.set_offline(True)
    press_save(one)
    waits(one)
    expect(one.locator("#live-status")).to_contain_text("Non c'è rete.")
    one.evaluate("scrollTo(0, 300)")
    for name in ("sending", "live-status"):
        seen = one.locator(f"#{name}").evaluate(
            """each => { const { left, top, width, height } = each.getBoundingClientRect();
            return [4, height - 4].map(y => document.elementFromPoint(left + width / 2, top + y) === each); }"""
        )
        assert seen == [True, True], f"{name} is covered"


def press_save(page: Page) -> None:
    page.locator("form button.primary").tap()


def keeps_nothing(page: Page) -> None:
    """Nothing waits on the phone to be sent."""
    names = "Object.keys(localStorage).filter(name => name.startsWith('scorepad-sent'))"
    assert page.evaluate(names) == []


def refuse_posts(page: Page, path: str) -> None:
    """Forms sent to this address do not come through."""

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.route(path, answer)


def fill_penalty(page: Page) -> None:
    page.locator("input[name=side]").nth(1).check()
    page.locator("input[name=code][value=draw-out-of-turn]").check()


@pytest.mark.quick
def test_names_typed_without_network_are_there_after_the_page_was_closed_and_kept_once(
    one: Page, room: Room
) -> None:
    match = one.url
    before = len(room.pad.records.audit(room.match, ADMIN))
    one.goto(match + "/nomi")
    one.locator("#name-0").fill("Antonietta e Gianfranco")
    one.context.set_offline(True)
    press_save(one)
    waits(one)
    # The battery dies; the phone comes back, still without network, and then with it.
    context = one.context
    one.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(match)
    expect(page.locator("#waiting")).to_contain_text("non è ancora partito")
    refuse_posts(page, "**/nomi")
    page.get_by_role("link", name="Riapri la pagina").tap()
    waits(page)
    expect(page.locator("#name-0")).to_have_value("Antonietta e Gianfranco")
    page.unroute("**/nomi")
    sent(page)
    expect(page.locator(".head h2").first).to_have_text("Antonietta e Gianfranco")
    assert len(room.pad.records.audit(room.match, ADMIN)) == before + 1
    expect(page.locator("#waiting")).to_be_hidden()


@pytest.mark.quick
def test_what_is_changed_while_it_waits_is_not_sent_before_it_is_asked_for_again(
    one: Page, room: Room
) -> None:
    match = one.url
    one.goto(match + "/nomi")
    one.locator("#name-0").fill("Anto")
    one.context.set_offline(True)
    press_save(one)
    waits(one)
    one.locator("#name-0").fill("Antonietta")
    expect(one.locator("#sending")).to_contain_text("perché hai cambiato qualcosa")
    one.context.set_offline(False)
    one.wait_for_timeout(1000)
    assert one.url == match + "/nomi"
    one.reload()
    expect(one.locator("#name-0")).to_have_value("Antonietta")
    press_save(one)
    sent(one)
    expect(one.locator(".head h2").first).to_have_text("Antonietta")


@pytest.mark.quick
def test_what_the_server_refuses_is_shown_by_its_page_as_without_script(one: Page) -> None:
    one.goto(one.url + "/nomi")
    one.locator("#name-0").fill("Loro")
    one.context.set_offline(True)
    press_save(one)
    waits(one)
    one.context.set_offline(False)
    expect(one).to_have_title(re.compile("^Errore: "), timeout=PATIENCE)
    expect(one.locator("#name-0")).to_have_value("Loro")
    expect(one.locator(".errors")).to_be_visible()
    keeps_nothing(one)


def test_what_waits_and_is_no_longer_needed_is_forgotten(one: Page) -> None:
    match = one.url
    one.goto(match + "/penalita")
    fill_penalty(one)
    refuse_posts(one, "**/penalita")
    press_save(one)
    waits(one)
    one.goto(match)
    one.get_by_role("button", name="Non serve più").tap()
    expect(one.locator("#waiting")).to_be_hidden()
    one.reload()
    expect(one.locator("#waiting")).to_be_hidden()
