"""A count while the network comes and goes, in a real browser: nothing typed is lost, and a save
counts once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from tests.web.counting import NewMatch, OpenPage, address_of_count, count_on_pad, tap_cards
from tests.web.playing import DEVICE, hand, side

SAVE = 'button[value="save"]'
WAITING = (
    "Non ancora salvata: parte da sola appena torna la rete, finché questa pagina resta aperta"
)
KEPT = "Bozza al sicuro"
RESTORED = "Ho ripreso quello che avevi scritto"
IN_A_HAND = re.compile(r"/smazzata")
TIMEOUT = 30_000
RETRY_DELAYS_IN_MILLISECONDS = """async () => {
  const script = document.querySelector("script[src*=hand]").src;
  const { retryDelay } = await import(new URL("./outbox.js", script));
  return [1, 2, 3, 4, 5, 50].map(retryDelay);
}"""


@dataclass
class Count:
    """The page on which the first hand of a match is counted, and what the pad has of the match."""

    pad: Pad
    match: MatchId
    page: Page

    @property
    def points(self) -> list[list[int]]:
        hands = self.pad.state(self.match, DEVICE).hands
        return [[side.hand for side in hand.sides] for hand in hands]

    @property
    def draft(self) -> Mapping[str, str]:
        return self.pad.open(self.match, DEVICE).draft

    def expect_match_page(self, page: Page) -> None:
        page.wait_for_url(f"**/partite/{self.match}", timeout=TIMEOUT)


@pytest.fixture
def opened(pad: Pad, new_match: NewMatch, open_page: OpenPage) -> Count:
    """Nothing is typed yet."""
    match = new_match()
    return Count(pad, match, open_page(address_of_count(match)))


@pytest.fixture
def filled(opened: Count) -> Count:
    """The whole hand is typed, and the server has it."""
    fill(opened.page)
    expect_message(opened.page, KEPT)
    return opened


def fill(page: Page, cards: str = "100") -> None:
    """Type a whole hand: cards worth 100 on each side and 15 left, so 85 to 85."""
    for key in ("a", "b"):
        page.locator(f"#{key}-cards").fill(cards)
        page.locator(f"#{key}-left").fill("15")
    page.locator('label[for="out-nobody"]').tap()


def expect_message(page: Page, text: str) -> None:
    """Wait until the line below the form says this of what was typed."""
    expect(page.locator("#kept")).to_contain_text(text, timeout=TIMEOUT)


def expect_both_counts(page: Page, stored: str, typed: str) -> None:
    """Wait until the page says that the hand was saved meanwhile, with the cards of both counts."""
    heading = page.locator("h1")
    expect(heading).to_have_text("La smazzata 1 è già stata salvata", timeout=TIMEOUT)
    expect(page.locator("tbody")).to_contain_text(re.compile(rf"{stored}\s*{typed}"))


def count_on_another_phone(pad: Pad, match: MatchId, cards: int) -> None:
    """Another phone counts the hand: both sides laid cards worth so much."""
    laid = side(cards, left=15)
    count_on_pad(pad, match, hand(laid, laid))


def save_without_network(page: Page) -> None:
    """Press save where nobody answers: the hand waits on this phone."""
    page.locator(SAVE).tap()
    expect_message(page, WAITING)


def lose_answers(page: Page) -> list[int]:
    """Every save reaches the pad, and no answer comes back: the statuses that were lost."""
    lost: list[int] = []

    def lose(route: Route) -> None:
        if "do=save" in (route.request.post_data or ""):
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/smazzata", lose)
    return lost


def hold_requests(page: Page) -> list[Route]:
    """What is sent waits here until it is let go."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route(IN_A_HAND, hold)
    return held


def reopen(page: Page, path: str = "") -> Page:
    """The battery died; later the page is opened again on the same phone, with the network back."""
    context = page.context
    url = page.url.split("/partite")[0] + path if path else page.url
    # Nothing is sent on leaving: the phone is off. A page that is being closed may see the network
    # once more, and send what waits: it has to be gone before.
    context.set_offline(True)
    page.evaluate(
        "navigator.sendBeacon = () => false;"
        "window.fetch = () => Promise.reject(new TypeError('off')); null"
    )
    page.goto("about:blank")
    page.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    return again


def local_copies(page: Page) -> list[str]:
    """What this phone keeps of counts that the server does not have yet."""
    found: list[str] = page.evaluate(
        "Object.keys(localStorage).filter(name => name.startsWith('scorepad-count'))"
    )
    return found


# ---------------------------------------------------------------- saved without network


@pytest.mark.quick
def test_what_was_typed_and_saved_while_away_all_comes_through(opened: Count) -> None:
    page = opened.page
    page.context.set_offline(True)
    fill(page)
    expect_message(page, "La rete non risponde: quello che scrivi resta su questo telefono")
    save_without_network(page)
    expect(page.locator("#a-cards")).to_have_value("100")
    assert opened.points == []

    page.context.set_offline(False)
    opened.expect_match_page(page)
    assert opened.points == [[85, 85]]


def test_who_changes_something_while_a_save_waits_asks_for_it_again(filled: Count) -> None:
    page = filled.page
    page.context.set_offline(True)
    save_without_network(page)
    page.locator("#a-cards").fill("105")
    expect_message(page, "quando è giusta, premi di nuovo Salva")

    page.context.set_offline(False)
    expect_message(page, KEPT)
    assert filled.points == []
    assert filled.draft["a.cards"] == "105"

    page.locator(SAVE).tap()
    filled.expect_match_page(page)
    assert filled.points == [[90, 85]]


def test_a_save_whose_answer_was_lost_is_sent_again_and_counts_once(filled: Count) -> None:
    page = filled.page
    lost = lose_answers(page)
    save_without_network(page)
    assert lost
    assert filled.points == [[85, 85]]

    page.unroute("**/smazzata")
    filled.expect_match_page(page)
    assert filled.points == [[85, 85]]


def test_a_save_whose_answer_was_lost_does_not_count_twice_where_the_page_was_opened_again(
    filled: Count,
) -> None:
    lose_answers(filled.page)
    save_without_network(filled.page)
    filled.page.unroute("**/smazzata")

    again = reopen(filled.page)

    # It had come through: the page is for the next hand, and stays.
    expect(again.locator("h1")).to_have_text("Smazzata 2")
    again.wait_for_timeout(500)
    expect(again.locator("h1")).to_have_text("Smazzata 2")
    assert local_copies(again) == []
    assert filled.points == [[85, 85]]


def test_a_save_that_waited_is_sent_when_the_page_is_opened_again(opened: Count) -> None:
    opened.page.context.set_offline(True)
    fill(opened.page)
    save_without_network(opened.page)

    again = reopen(opened.page)

    opened.expect_match_page(again)
    assert opened.points == [[85, 85]]
    assert local_copies(again) == []


def test_a_correction_waits_for_the_network_too(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    count_on_another_phone(pad, match, 100)
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    page.locator("#a-cards").fill("105")
    expect_message(page, "Non ancora salvata: quello che scrivi resta solo su questo telefono")
    page.context.set_offline(True)
    save_without_network(page)

    page.context.set_offline(False)

    correction = Count(pad, match, page)
    correction.expect_match_page(page)
    assert correction.points == [[90, 85]]
    assert len(pad.state(match, DEVICE).hands[0].versions) == 2


def test_the_match_and_the_first_page_tell_of_a_hand_that_waits_and_lead_to_it(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    count = Count(pad, match, open_page(f"/partite/{match}"))
    page = count.page
    expect(page.locator("#waiting")).to_be_hidden()
    # A page that is being closed may see the network once more, as may one whose requests are
    # routed from now on: what is written until the hand is opened again arrives nowhere.
    is_away = False
    lost_requests: list[str] = []

    def lose_while_away(route: Route) -> None:
        if is_away and route.request.method == "POST":
            lost_requests.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.context.route(IN_A_HAND, lose_while_away)
    page.goto(page.url + "/smazzata")
    fill(page)
    expect_message(page, KEPT)
    page.context.set_offline(True)
    is_away = True
    page.locator(SAVE).tap()
    expect_message(page, "altrimenti quando riapri la smazzata")
    home = page.url.split("/partite")[0]
    match_page = page.url.removesuffix("/smazzata")

    other_match = reopen(page, f"/partite/{new_match()}")
    lost_requests.clear()
    expect(other_match.locator("#waiting")).to_be_hidden()
    for address in (home, match_page):
        other_match.goto(address)
        waiting = other_match.locator("#waiting")
        expect(waiting).to_contain_text("una smazzata che aspetta di essere salvata")
    assert lost_requests == [], "telling of it sends nothing"

    is_away = False
    other_match.locator("#waiting a").tap()
    expect(other_match.locator(".hands")).to_be_visible(timeout=TIMEOUT)
    expect(other_match.locator("#waiting")).to_be_hidden()
    assert count.points == [[85, 85]]


# ---------------------------------------------------------------- typed, and not yet saved


def test_what_was_only_typed_when_the_battery_died_is_there_again(opened: Count) -> None:
    opened.page.context.set_offline(True)
    fill(opened.page, "335")

    again = reopen(opened.page)

    expect_message(again, RESTORED)
    expect(again.locator("#a-cards")).to_have_value("335")
    assert opened.points == []
    assert opened.draft["b.cards"] == "335"


def test_an_expired_form_keeps_the_copy_until_the_server_has_it(opened: Count) -> None:
    page = opened.page
    page.locator("#a-cards").fill("100")
    expect_message(page, KEPT)
    page.evaluate("document.querySelector('#count [name=csrf_token]').value = 'old'")
    page.locator("#a-cards").fill("335")
    expect(page).to_have_title(re.compile("^Errore: "), timeout=TIMEOUT)
    expect_message(page, "Non ancora salvata: quello che scrivi resta solo su questo telefono.")
    assert len(local_copies(page)) == 1
    assert opened.draft["a.cards"] == "100"

    again = reopen(page)
    expect_message(again, RESTORED)
    expect(again.locator("#a-cards")).to_have_value("335")
    assert opened.draft["a.cards"] == "335"
    assert local_copies(again) == []


def test_a_phone_that_keeps_nothing_says_so(opened: Count) -> None:
    page = opened.page
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.context.set_offline(True)
    page.locator("#a-cards").fill("100")
    expect_message(page, "resta solo su questo schermo. Non chiudere la pagina.")


def test_what_is_said_of_the_hand_is_marked_as_of_before_while_nobody_answers(
    opened: Count,
) -> None:
    page = opened.page
    missing = page.locator(".bar-missing")
    of_before = page.locator(".live-before")
    page.locator("#a-cards").fill("100")
    expect_message(page, KEPT)
    page.locator("#live summary").tap()
    expect(missing).to_be_visible()
    expect(of_before).to_be_hidden()

    page.context.set_offline(True)
    page.locator("#b-cards").fill("100")
    expect(of_before).to_be_visible(timeout=TIMEOUT)
    expect(missing).to_be_hidden()

    page.context.set_offline(False)
    page.locator("#rest summary").tap()  # away from the keypad
    expect(missing).to_be_visible(timeout=TIMEOUT)
    expect(of_before).to_be_hidden()


def test_cards_tapped_while_an_answer_is_on_its_way_stay(opened: Count) -> None:
    page = opened.page
    page.locator("#cards-a summary").tap()
    tap_cards(page, "K", "K", "K", "K")
    expect_message(page, KEPT)

    held = hold_requests(page)
    tap_cards(page, "2")
    page.wait_for_timeout(700)
    tap_cards(page, "Q", "Q", "Q")
    page.locator("#a-red_threes").fill("1")
    page.wait_for_timeout(200)
    assert held
    for route in list(held):
        route.continue_()
    page.unroute(IN_A_HAND)

    expect(page.locator("#a-melds-list li")).to_have_count(2)
    expect(page.locator("#a-melds")).to_have_value("4xK 2\n3xQ")
    expect(page.locator("#a-red_threes")).to_have_value("1")
    expect(page.locator("#a-red_threes")).to_be_focused()
    expect_message(page, KEPT)
    assert opened.draft["a.melds"] == "4xK 2\n3xQ"
    assert opened.draft["a.red_threes"] == "1"


def test_a_phone_without_network_asks_less_and_less_often(opened: Count) -> None:
    """After one failure, after two and so on to five, and after fifty."""
    delays = opened.page.evaluate(RETRY_DELAYS_IN_MILLISECONDS)
    assert delays == [3000, 6000, 12000, 24000, 30000, 30000]


# ---------------------------------------------------------------- another phone was quicker


def test_a_hand_that_another_phone_counted_meanwhile_is_shown_beside_the_one_that_waited(
    filled: Count,
) -> None:
    page = filled.page
    page.context.set_offline(True)
    save_without_network(page)
    count_on_another_phone(filled.pad, filled.match, 90)

    page.context.set_offline(False)
    expect_both_counts(page, "90", "100")
    assert filled.points == [[75, 75]]
    assert len(local_copies(page)) == 1, "nobody has decided yet"

    page.locator(".stale-choice button").tap()
    expect(page.locator("h1")).to_have_text("Correggi la smazzata 1")
    page.locator(SAVE).tap()
    filled.expect_match_page(page)
    assert filled.points == [[85, 85]]


def test_a_hand_that_only_this_phone_had_when_its_battery_died_is_shown_beside_the_one_counted(
    opened: Count,
) -> None:
    opened.page.context.set_offline(True)
    fill(opened.page)
    count_on_another_phone(opened.pad, opened.match, 90)

    again = reopen(opened.page)
    expect_both_counts(again, "90", "100")
    # Nobody has decided yet: the battery may die here too.
    once_more = reopen(again)
    expect_both_counts(once_more, "90", "100")

    once_more.get_by_role("link", name="Tieni quello che c'è").tap()
    opened.expect_match_page(once_more)
    assert local_copies(once_more) == []
    assert opened.points == [[75, 75]]


@pytest.mark.quick
def test_what_is_changed_while_a_save_is_on_its_way_is_shown_beside_it(filled: Count) -> None:
    page = filled.page
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/smazzata", hold_the_first)
    page.locator(SAVE).tap()
    expect_message(page, "Sto salvando")
    page.locator("#a-cards").fill("105")

    held[0].continue_()

    expect_both_counts(page, "100", "105")
    assert filled.points == [[85, 85]]


def test_what_another_phone_typed_is_looked_at_before_it_is_saved(filled: Count) -> None:
    page = filled.page
    held = hold_requests(page)
    page.locator("#a-cards").fill("105")
    page.wait_for_timeout(700)
    page.locator(SAVE).tap()

    # The server answers that another phone typed 120 for Loro meanwhile.
    (route,) = held
    answer = route.fetch()
    body = re.sub(r'(name="b.cards"\s+value=)"100"', r'\1"120"', answer.text())
    headers = {**answer.headers, "Scorepad-Joined": "1"}
    route.fulfill(response=answer, body=body, headers=headers)
    page.unroute(IN_A_HAND)

    joined = "Intanto un altro telefono ha scritto in questa smazzata: guarda se va bene così"
    expect_message(page, joined)
    expect(page.locator("#kept")).to_have_attribute("role", "alert")
    expect(page.locator("#b-cards")).to_have_value("120")
    page.wait_for_timeout(300)
    assert filled.points == []

    page.locator(SAVE).tap()
    filled.expect_match_page(page)
    assert filled.points == [[90, 105]]
