"""A count while the network comes and goes, in a real browser: nothing typed is lost, and a save
counts once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from scorepad.matches.events import HandState
from tests.web.counting import NewMatch, OpenPage, address_of_count, count_on_pad, tap_cards
from tests.web.playing import DEVICE, hand, side

SAVE = 'button[value="save"]'
WAITING = (
    "Non ancora salvata: parte da sola appena torna la rete, finché questa pagina resta aperta"
)
PATIENCE = 30_000
RETRY_DELAYS = """async () => {
  const script = document.querySelector("script[src*=hand]").src;
  const { retryDelay } = await import(new URL("./outbox.js", script));
  return [1, 2, 3, 4, 5, 50].map(retryDelay);
}"""


def fill(page: Page, cards: str = "100") -> None:
    for key in ("a", "b"):
        page.locator(f"#{key}-cards").fill(cards)
        page.locator(f"#{key}-left").fill("15")
    page.locator('label[for="out-nobody"]').tap()


def kept(page: Page) -> None:
    expect(page.locator("#kept")).to_contain_text("Bozza al sicuro", timeout=PATIENCE)


def hands(pad: Pad, match: MatchId) -> tuple[HandState, ...]:
    return pad.state(match, DEVICE).hands


def scores(pad: Pad, match: MatchId) -> list[list[int]]:
    return [[side.hand for side in hand.sides] for hand in hands(pad, match)]


def count_elsewhere(pad: Pad, match: MatchId, cards: int) -> None:
    """Another phone counts the hand: both sides laid cards worth so much."""
    laid = side(cards, left=15)
    count_on_pad(pad, match, hand(laid, laid))


class Counting(NamedTuple):
    """A match without a hand, and the page on which its first one is counted."""

    match: MatchId
    page: Page


@pytest.fixture
def opened(new_match: NewMatch, open_page: OpenPage) -> Counting:
    """Nothing is typed yet."""
    match = new_match()
    return Counting(match, open_page(address_of_count(match)))


@pytest.fixture
def filled(opened: Counting) -> Counting:
    """The whole hand is typed, and the server has it."""
    fill(opened.page)
    kept(opened.page)
    return opened


def back_in_the_match(page: Page, match: MatchId) -> None:
    """The network is back, and the save that waited leads to the match."""
    page.context.set_offline(False)
    page.wait_for_url(f"**/partite/{match}", timeout=PATIENCE)


def save_in_vain(page: Page) -> None:
    """Save where nobody answers: it waits."""
    page.locator(SAVE).tap()
    expect(page.locator("#kept")).to_contain_text(WAITING, timeout=PATIENCE)


@pytest.mark.quick
def test_what_was_typed_and_saved_while_away_all_comes_through(pad: Pad, opened: Counting) -> None:
    match, page = opened
    page.context.set_offline(True)
    fill(page)
    expect(page.locator("#kept")).to_contain_text(
        "La rete non risponde: quello che scrivi resta su questo telefono"
    )
    save_in_vain(page)
    expect(page.locator("#a-cards")).to_have_value("100")
    assert not hands(pad, match)
    back_in_the_match(page, match)
    assert scores(pad, match) == [[85, 85]]


def test_who_changes_something_while_a_save_waits_asks_for_it_again(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled
    page.context.set_offline(True)
    save_in_vain(page)
    page.locator("#a-cards").fill("105")
    expect(page.locator("#kept")).to_contain_text("quando è giusta, premi di nuovo Salva")
    page.context.set_offline(False)
    kept(page)
    assert not hands(pad, match)
    assert pad.open(match, DEVICE).draft["a.cards"] == "105"
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    assert scores(pad, match) == [[90, 85]]


def lose_the_answer(page: Page) -> list[int]:
    """Every save reaches the pad, and no answer comes back; how many there were."""
    reached: list[int] = []

    def lose(route: Route) -> None:
        if "do=save" in (route.request.post_data or ""):
            reached.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/smazzata", lose)
    return reached


def test_a_save_whose_answer_was_lost_is_sent_again_and_counts_once(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled
    reached = lose_the_answer(page)
    save_in_vain(page)
    assert reached
    assert scores(pad, match) == [[85, 85]]
    page.unroute("**/smazzata")
    page.wait_for_url(f"**/partite/{match}", timeout=PATIENCE)
    assert scores(pad, match) == [[85, 85]]


def test_nor_does_it_count_twice_where_the_page_was_opened_again(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled
    lose_the_answer(page)
    save_in_vain(page)
    page.unroute("**/smazzata")
    again = reopened(page)
    # It had come through: the page is for the next hand, and stays.
    expect(again.locator("h1")).to_have_text("Smazzata 2")
    again.wait_for_timeout(500)
    expect(again.locator("h1")).to_have_text("Smazzata 2")
    assert copies(again) == []
    assert scores(pad, match) == [[85, 85]]


def reopened(page: Page, path: str = "") -> Page:
    """The battery died; later the page is opened again on the same phone, with the network back."""
    context: BrowserContext = page.context
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


def copies(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "Object.keys(localStorage).filter(name => name.startsWith('scorepad-count'))"
    )
    return found


def test_a_save_that_waited_is_sent_when_the_page_is_opened_again(
    pad: Pad, opened: Counting
) -> None:
    match, page = opened
    page.context.set_offline(True)
    fill(page)
    save_in_vain(page)
    again = reopened(page)
    again.wait_for_url(f"**/partite/{match}", timeout=PATIENCE)
    assert scores(pad, match) == [[85, 85]]
    assert copies(again) == []


def test_what_was_only_typed_when_the_battery_died_is_there_again(
    pad: Pad, opened: Counting
) -> None:
    match, page = opened
    page.context.set_offline(True)
    fill(page, "335")
    again = reopened(page)
    expect(again.locator("#kept")).to_contain_text("Ho ripreso quello che avevi scritto")
    expect(again.locator("#a-cards")).to_have_value("335")
    assert not hands(pad, match)
    assert pad.open(match, DEVICE).draft["b.cards"] == "335"


def test_a_hand_that_another_phone_counted_meanwhile_is_shown_beside_the_one_that_waited(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled
    page.context.set_offline(True)
    save_in_vain(page)
    count_elsewhere(pad, match, 90)
    page.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("La smazzata 1 è già stata salvata", timeout=PATIENCE)
    expect(page.locator("tbody")).to_contain_text(re.compile(r"90\s*100"))
    assert scores(pad, match) == [[75, 75]]
    assert len(copies(page)) == 1, "nobody has decided yet"
    page.locator(".stale-choice button").tap()
    expect(page.locator("h1")).to_have_text("Correggi la smazzata 1")
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    assert scores(pad, match) == [[85, 85]]


def test_and_so_is_one_that_only_this_phone_had_when_its_battery_died(
    pad: Pad, opened: Counting
) -> None:
    match, page = opened
    page.context.set_offline(True)
    fill(page)
    count_elsewhere(pad, match, 90)
    again = reopened(page)
    expect(again.locator("h1")).to_have_text("La smazzata 1 è già stata salvata", timeout=PATIENCE)
    expect(again.locator("tbody")).to_contain_text(re.compile(r"90\s*100"))
    # Nobody has decided yet: the battery may die here too.
    once_more = reopened(again)
    expect(once_more.locator("h1")).to_have_text(
        "La smazzata 1 è già stata salvata", timeout=PATIENCE
    )
    once_more.get_by_role("link", name="Tieni quello che c'è").tap()
    once_more.wait_for_url(f"**/partite/{match}")
    assert copies(once_more) == []
    assert scores(pad, match) == [[75, 75]]


def test_a_correction_waits_for_the_network_too(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match = new_match()
    count_elsewhere(pad, match, 100)
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    page.locator("#a-cards").fill("105")
    expect(page.locator("#kept")).to_contain_text(
        "Non ancora salvata: quello che scrivi resta solo su questo telefono"
    )
    page.context.set_offline(True)
    save_in_vain(page)
    back_in_the_match(page, match)
    assert scores(pad, match) == [[90, 85]]
    assert len(hands(pad, match)[0].versions) == 2


def test_what_is_said_of_the_hand_is_marked_as_of_before_while_nobody_answers(
    opened: Counting,
) -> None:
    page = opened.page
    page.locator("#a-cards").fill("100")
    kept(page)
    page.locator("#live summary").tap()
    expect(page.locator(".bar-missing")).to_be_visible()
    expect(page.locator(".live-before")).to_be_hidden()
    page.context.set_offline(True)
    page.locator("#b-cards").fill("100")
    expect(page.locator(".live-before")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".bar-missing")).to_be_hidden()
    page.context.set_offline(False)
    page.locator("#rest summary").tap()  # away from the keypad
    expect(page.locator(".bar-missing")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".live-before")).to_be_hidden()


def test_a_phone_that_keeps_nothing_says_so(opened: Counting) -> None:
    page = opened.page
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.context.set_offline(True)
    page.locator("#a-cards").fill("100")
    expect(page.locator("#kept")).to_contain_text(
        "resta solo su questo schermo. Non chiudere la pagina."
    )


def test_what_is_changed_while_a_save_is_on_its_way_is_shown_beside_it(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled

    held: list[Route] = []
    page.route("**/smazzata", lambda route: route.continue_() if held else held.append(route))
    page.locator(SAVE).tap()
    expect(page.locator("#kept")).to_contain_text("Sto salvando")
    page.locator("#a-cards").fill("105")
    held[0].continue_()
    expect(page.locator("h1")).to_have_text("La smazzata 1 è già stata salvata", timeout=PATIENCE)
    expect(page.locator("tbody")).to_contain_text(re.compile(r"100\s*105"))
    assert scores(pad, match) == [[85, 85]]


def delayed(page: Page) -> list[Route]:
    """What is sent waits here until it is let go."""
    held: list[Route] = []
    page.route(
        re.compile(r"/smazzata"),
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    return held


def let_go(page: Page, held: list[Route]) -> None:
    page.wait_for_timeout(200)
    assert held
    waiting, held[:] = list(held), []
    for route in waiting:
        route.continue_()
    page.unroute(re.compile(r"/smazzata"))


def test_cards_tapped_while_an_answer_is_on_its_way_stay(pad: Pad, opened: Counting) -> None:
    match, page = opened
    page.locator("#cards-a summary").tap()
    tap_cards(page, *["K"] * 4)
    kept(page)
    held = delayed(page)
    tap_cards(page, "2")
    page.wait_for_timeout(700)
    tap_cards(page, *["Q"] * 3)
    page.locator("#a-red_threes").fill("1")
    let_go(page, held)
    expect(page.locator("#a-melds-list li")).to_have_count(2)
    expect(page.locator("#a-melds")).to_have_value("4xK 2\n3xQ")
    expect(page.locator("#a-red_threes")).to_have_value("1")
    expect(page.locator("#a-red_threes")).to_be_focused()
    kept(page)
    draft = pad.open(match, DEVICE).draft
    assert (draft["a.melds"], draft["a.red_threes"]) == ("4xK 2\n3xQ", "1")


def expire(page: Page) -> None:
    page.evaluate("document.querySelector('#count [name=csrf_token]').value = 'old'")


def test_an_expired_form_keeps_the_copy_until_the_server_has_it(pad: Pad, opened: Counting) -> None:
    match, page = opened
    page.locator("#a-cards").fill("100")
    kept(page)
    expire(page)
    page.locator("#a-cards").fill("335")
    expect(page).to_have_title(re.compile("^Errore: "), timeout=PATIENCE)
    expect(page.locator("#kept")).to_have_text(
        "Non ancora salvata: quello che scrivi resta solo su questo telefono."
    )
    assert len(copies(page)) == 1
    assert pad.open(match, DEVICE).draft["a.cards"] == "100"
    again = reopened(page)
    expect(again.locator("#kept")).to_contain_text("Ho ripreso quello che avevi scritto")
    expect(again.locator("#a-cards")).to_have_value("335")
    assert pad.open(match, DEVICE).draft["a.cards"] == "335"
    assert copies(again) == []


def test_the_match_and_the_first_page_tell_of_a_hand_that_waits_and_lead_to_it(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    match, other = new_match(), new_match()
    page = open_page(f"/partite/{match}")
    expect(page.locator("#waiting")).to_be_hidden()
    # A page that is being closed may see the network once more, as may one whose requests are
    # routed from now on: what is written until the hand is opened again arrives nowhere.
    is_away, sent = [False], list[str]()

    def write(route: Route) -> None:
        if is_away[0] and route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.context.route(re.compile(r"/smazzata"), write)
    page.goto(page.url + "/smazzata")
    fill(page)
    kept(page)
    page.context.set_offline(True)
    is_away[0] = True
    page.locator(SAVE).tap()
    expect(page.locator("#kept")).to_contain_text("altrimenti quando riapri la smazzata")
    away = page.url
    again = reopened(page, f"/partite/{other}")
    again.on(
        "request", lambda request: sent.append(request.url) if request.method == "POST" else None
    )
    expect(again.locator("#waiting")).to_be_hidden()
    again.goto(away.split("/partite")[0])
    expect(again.locator("#waiting")).to_contain_text("una smazzata che aspetta di essere salvata")
    again.goto(away.removesuffix("/smazzata"))
    expect(again.locator("#waiting")).to_contain_text("una smazzata che aspetta di essere salvata")
    assert (sent, scores(pad, match)) == ([], []), "telling of it sends nothing"
    is_away[0] = False
    again.locator("#waiting a").tap()
    expect(again.locator(".hands")).to_be_visible(timeout=PATIENCE)
    expect(again.locator("#waiting")).to_be_hidden()
    assert scores(pad, match) == [[85, 85]]


def test_what_another_phone_typed_is_looked_at_before_it_is_saved(
    pad: Pad, filled: Counting
) -> None:
    match, page = filled
    held = delayed(page)
    page.locator("#a-cards").fill("105")
    page.wait_for_timeout(700)
    page.locator(SAVE).tap()
    assert len(held) == 1
    answer = held[0].fetch()
    body = re.sub(r'(name="b.cards"\s+value=)"100"', r'\1"120"', answer.text())
    held[0].fulfill(response=answer, body=body, headers={**answer.headers, "Scorepad-Joined": "1"})
    page.unroute(re.compile(r"/smazzata"))
    expect(page.locator("#kept")).to_have_text(
        "Intanto un altro telefono ha scritto in questa smazzata: guarda se va bene così,"
        " e salva di nuovo."
    )
    expect(page.locator("#kept")).to_have_attribute("role", "alert")
    expect(page.locator("#b-cards")).to_have_value("120")
    page.wait_for_timeout(300)
    assert not hands(pad, match)
    page.locator(SAVE).tap()
    page.wait_for_url(f"**/partite/{match}")
    assert scores(pad, match) == [[90, 105]]


def test_a_phone_without_network_asks_less_and_less_often(opened: Counting) -> None:
    page = opened.page
    assert page.evaluate(RETRY_DELAYS) == [3000, 6000, 12000, 24000, 30000, 30000]
