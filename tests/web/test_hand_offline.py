"""A count while the network comes and goes, in a real browser: nothing typed is lost, and a save
counts once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from scorepad.matches import Pad
from scorepad.matches.access import MatchId
from scorepad.matches.hands import ShownDraft
from scorepad.storage import connection
from tests.web.counting import NewMatch, OpenPage, address_of_count, count_on_pad, tap_cards
from tests.web.playing import DEVICE, hand, side

SAVE = 'button[value="save"]'
WAITS_FOR_NETWORK = (
    "Non ancora salvata: parte da sola appena torna la rete, finché questa pagina resta aperta"
)
"""Not saved yet: it is sent by itself once there is a network, while this page stays open."""
DRAFT_IS_SAFE = "Bozza al sicuro"
"""The server has the draft."""
DRAFT_IS_RESTORED = "Ho ripreso quello che avevi scritto"
"""I have restored what you had typed."""
URL_OF_A_HAND = re.compile(r"/smazzata")
TIMEOUT_IN_MILLISECONDS = 30_000


@dataclass
class OpenForm:
    """The form of the first hand of a match in a browser, and what the server has of the hand."""

    pad: Pad
    match: MatchId
    page: Page

    @property
    def saved_points(self) -> list[list[int]]:
        """Read the points of each saved hand, by side: `[[85, 85]]`."""
        hands = self.pad.state(self.match, DEVICE).hands
        return [[side.hand for side in hand.sides] for hand in hands]

    @property
    def stored_draft(self) -> Mapping[str, str]:
        """Read what the server has of the hand that is typed, by field: `{"a.cards": "100"}`."""
        return self.pad.open(self.match, DEVICE).draft

    def expect_match_page(self, page: Page) -> None:
        """Wait until the browser shows the page of the match, to which a save leads."""
        page.wait_for_url(f"**/partite/{self.match}", timeout=TIMEOUT_IN_MILLISECONDS)


@pytest.fixture
def empty_form(pad: Pad, new_match: NewMatch, open_page: OpenPage) -> OpenForm:
    """Open a form in which nothing is typed yet."""
    match = new_match()
    return OpenForm(pad, match, open_page(address_of_count(match)))


@pytest.fixture
def form_with_hand(empty_form: OpenForm) -> OpenForm:
    """Open a form and type a whole hand, 85 to 85, which the server has as a draft."""
    type_whole_hand(empty_form.page)
    expect_draft_status(empty_form.page, DRAFT_IS_SAFE)
    return empty_form


def type_whole_hand(page: Page, cards: str = "100") -> None:
    """Type a whole hand: both sides laid cards worth 100 and have 15 left, so 85 to 85."""
    for key in ("a", "b"):
        page.locator(f"#{key}-cards").fill(cards)
        page.locator(f"#{key}-left").fill("15")
    page.locator('label[for="out-nobody"]').tap()


def expect_draft_status(page: Page, text: str) -> None:
    """Wait until the status line below the form says this."""
    expect(page.locator("#kept")).to_contain_text(text, timeout=TIMEOUT_IN_MILLISECONDS)


def expect_conflict(page: Page, stored: str, typed: str) -> None:
    """Wait until the page says that another phone has saved the hand, and shows both values of the
    field in which they differ.
    """
    # "Hand 1 has already been saved"
    heading = page.locator("h1")
    expect(heading).to_have_text(
        "La smazzata 1 è già stata salvata", timeout=TIMEOUT_IN_MILLISECONDS
    )
    expect(page.locator("tbody")).to_contain_text(re.compile(rf"{stored}\s*{typed}"))


def save_hand_on_another_phone(pad: Pad, match: MatchId, cards: int) -> None:
    """Save a hand in which both sides laid cards worth so much and have 15 left."""
    either_side = side(cards, left=15)
    count_on_pad(pad, match, hand(a=either_side, b=either_side))


def type_on_another_phone(form: OpenForm, field: str, text: str) -> None:
    """Type into a field of the same hand on another phone, whose draft the server stores."""
    stored = form.pad.open(form.match, DEVICE)
    shown = ShownDraft(stored.id, stored.version)
    form.pad.store_draft(form.match, DEVICE, shown, {**stored.draft, field: text})


def save_without_network(page: Page) -> None:
    """Press the button to save while offline, and wait until the page says that the hand waits."""
    page.locator(SAVE).tap()
    expect_draft_status(page, WAITS_FOR_NETWORK)


def lose_responses_to_saves(page: Page) -> list[int]:
    """Let saves reach the server, but lose the responses. Returns the list of their statuses."""
    lost_statuses: list[int] = []

    def lose_response(route: Route) -> None:
        is_save = "do=save" in (route.request.post_data or "")
        if not is_save:
            route.continue_()
            return

        # The request is sent to the server. For the page it fails, as if there were no network.
        response = route.fetch()
        lost_statuses.append(response.status)
        route.abort()

    page.route("**/smazzata", lose_response)
    return lost_statuses


def lose_forms(context: BrowserContext) -> list[str]:
    """Let no form of a hand reach the server any more, from any page of the browser.

    Returns the list of the addresses to which pages try to send one.
    """
    lost: list[str] = []

    def lose_form(route: Route) -> None:
        if route.request.method == "POST":
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    context.route(URL_OF_A_HAND, lose_form)
    return lost


def hold_requests(page: Page) -> list[Route]:
    """Hold forms back until the test continues them. Returns the list of the held ones."""
    held: list[Route] = []

    def hold_form(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route(URL_OF_A_HAND, hold_form)
    return held


def reopen(page: Page, path: str = "") -> Page:
    """Close the page while offline, and open it again online. Returns the new page, which may be
    that of another path.
    """
    context = page.context
    url = page.url.split("/partite")[0] + path if path else page.url

    # A page that is being closed may see the network once more and send what waits. So it is left
    # before, without any request.
    context.set_offline(True)
    page.evaluate(
        "navigator.sendBeacon = () => false;"
        "window.fetch = () => Promise.reject(new TypeError('off')); null"
    )
    page.goto("about:blank")
    page.close()

    context.set_offline(False)
    reopened = context.new_page()
    reopened.goto(url)
    return reopened


def local_copies(page: Page) -> list[str]:
    """List the drafts in the storage of the browser, which the server does not have yet."""
    found: list[str] = page.evaluate(
        "Object.keys(localStorage).filter(name => name.startsWith('scorepad-count'))"
    )
    return found


# ---------------------------------------------------------------- saved without network


@pytest.mark.quick
def test_hand_typed_and_saved_offline_is_sent_when_online(empty_form: OpenForm) -> None:
    # There is no network. What is typed "stays on this phone".
    page = empty_form.page
    page.context.set_offline(True)
    type_whole_hand(page)
    stays_on_phone = "La rete non risponde: quello che scrivi resta su questo telefono"
    expect_draft_status(page, stays_on_phone)

    # The hand is saved: the form stays open and waits.
    save_without_network(page)
    expect(page.locator("#a-cards")).to_have_value("100")
    assert empty_form.saved_points == []

    # The network is back. The form is sent by itself.
    page.context.set_offline(False)
    empty_form.expect_match_page(page)
    assert empty_form.saved_points == [[85, 85]]


def test_change_while_save_waits_cancels_the_save(form_with_hand: OpenForm) -> None:
    # A hand waits for the network. Somebody changes it: "when it is right, press Save again".
    page = form_with_hand.page
    page.context.set_offline(True)
    save_without_network(page)
    page.locator("#a-cards").fill("105")
    press_save_again = "quando è giusta, premi di nuovo Salva"
    expect_draft_status(page, press_save_again)

    # The network is back. The change is stored as a draft, but the hand is not saved.
    page.context.set_offline(False)
    expect_draft_status(page, DRAFT_IS_SAFE)
    assert form_with_hand.saved_points == []
    assert form_with_hand.stored_draft["a.cards"] == "105"

    page.locator(SAVE).tap()
    form_with_hand.expect_match_page(page)
    assert form_with_hand.saved_points == [[90, 85]]  # 105 − 15 and 100 − 15


def test_save_with_lost_response_is_resent_and_counted_once(form_with_hand: OpenForm) -> None:
    # The save reaches the server. The page does not learn of it, and waits for the network.
    page = form_with_hand.page
    lost_responses = lose_responses_to_saves(page)
    save_without_network(page)
    assert lost_responses
    assert form_with_hand.saved_points == [[85, 85]]

    # The network is back. The page sends the hand again.
    page.unroute("**/smazzata")
    form_with_hand.expect_match_page(page)
    assert form_with_hand.saved_points == [[85, 85]]


def test_save_with_lost_response_is_counted_once_after_reopening(form_with_hand: OpenForm) -> None:
    # The save reaches the server, but its response is lost. So the page says that the hand waits for
    # the network, and stores a copy of it in the browser.
    page = form_with_hand.page
    lose_responses_to_saves(page)
    save_without_network(page)
    page.unroute("**/smazzata")

    # The phone is switched off and on again. The server shows the form of hand 2, because hand 1
    # was saved.
    reopened = reopen(page)
    heading = reopened.locator("h1")
    expect(heading).to_have_text("Smazzata 2")

    # Half a second is enough for a waiting hand to be sent, which would lead to another page. But
    # the page has given up the copy.
    reopened.wait_for_timeout(500)
    expect(heading).to_have_text("Smazzata 2")
    assert local_copies(reopened) == []
    assert form_with_hand.saved_points == [[85, 85]]


def test_waiting_save_is_sent_when_page_is_reopened(empty_form: OpenForm) -> None:
    # A hand is typed and saved offline. Then the phone is switched off.
    empty_form.page.context.set_offline(True)
    type_whole_hand(empty_form.page)
    save_without_network(empty_form.page)

    # With a network again, the form is opened.
    reopened = reopen(empty_form.page)

    empty_form.expect_match_page(reopened)
    assert empty_form.saved_points == [[85, 85]]
    assert local_copies(reopened) == []


def test_correction_saved_offline_is_sent_when_online(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    # A saved hand of 85 to 85 is opened to be corrected.
    match = new_match()
    save_hand_on_another_phone(pad, match, 100)
    page = open_page(f"/partite/{match}/smazzate/1/correggi")
    correction = OpenForm(pad, match, page)

    # The server stores no draft of a correction: "what you type stays only on this phone".
    page.locator("#a-cards").fill("105")
    only_on_phone = "Non ancora salvata: quello che scrivi resta solo su questo telefono"
    expect_draft_status(page, only_on_phone)
    page.context.set_offline(True)
    save_without_network(page)

    # The network is back. The correction is sent by itself: 105 − 15.
    page.context.set_offline(False)
    correction.expect_match_page(page)
    assert correction.saved_points == [[90, 85]]
    assert len(pad.state(match, DEVICE).hands[0].versions) == 2


def test_home_and_match_page_link_to_waiting_hand(
    pad: Pad, new_match: NewMatch, open_page: OpenPage
) -> None:
    # No hand waits for the network yet, so the page of the match says nothing of one.
    match = new_match()
    page = open_page(f"/partite/{match}")
    match_url = page.url
    home_url = match_url.split("/partite")[0]
    expect(page.locator("#waiting")).to_be_hidden()

    # A hand is typed.
    page.goto(f"{match_url}/smazzata")
    type_whole_hand(page)
    expect_draft_status(page, DRAFT_IS_SAFE)

    # It is saved offline: it will be sent when there is a network, "otherwise when you open the
    # hand again". Forms are lost from here on, even where the browser tries to send one.
    page.context.set_offline(True)
    lost_forms = lose_forms(page.context)
    page.locator(SAVE).tap()
    expect_draft_status(page, "altrimenti quando riapri la smazzata")

    # The phone is switched off and on again, and online. It first shows another match, in which
    # nothing waits.
    page = reopen(page, f"/partite/{new_match()}")
    lost_forms.clear()
    expect(page.locator("#waiting")).to_be_hidden()

    # The home page and the page of the match link to "a hand that waits to be saved". They do not
    # try to send it themselves.
    a_hand_waits = "una smazzata che aspetta di essere salvata"
    for url in (home_url, match_url):
        page.goto(url)
        expect(page.locator("#waiting")).to_contain_text(a_hand_waits)
    assert lost_forms == []

    # Forms arrive again. The link leads to the form of the hand, which sends it: the list of the
    # hands is shown.
    page.context.unroute(URL_OF_A_HAND)
    page.locator("#waiting a").tap()
    expect(page.locator(".hands")).to_be_visible(timeout=TIMEOUT_IN_MILLISECONDS)
    expect(page.locator("#waiting")).to_be_hidden()
    assert OpenForm(pad, match, page).saved_points == [[85, 85]]


# ---------------------------------------------------------------- typed, and not yet saved


def test_hand_typed_offline_is_restored_when_page_is_reopened(empty_form: OpenForm) -> None:
    # A hand is typed offline, but not saved. The phone is switched off.
    empty_form.page.context.set_offline(True)
    type_whole_hand(empty_form.page, cards="335")

    # With a network again, the form is opened, and the server gets the draft.
    reopened = reopen(empty_form.page)
    expect_draft_status(reopened, DRAFT_IS_RESTORED)
    expect(reopened.locator("#a-cards")).to_have_value("335")
    assert empty_form.saved_points == []
    assert empty_form.stored_draft["b.cards"] == "335"


def test_expired_form_keeps_local_copy_until_server_has_it(empty_form: OpenForm) -> None:
    # The server has a draft of the first input.
    page = empty_form.page
    page.locator("#a-cards").fill("100")
    expect_draft_status(page, DRAFT_IS_SAFE)

    # The page is open for so long that its token is no longer valid. The server refuses the next
    # draft, and the page says that it "stays only on this phone".
    page.evaluate("document.querySelector('#count [name=csrf_token]').value = 'old'")
    page.locator("#a-cards").fill("335")
    expect(page).to_have_title(re.compile("^Errore: "), timeout=TIMEOUT_IN_MILLISECONDS)
    only_on_phone = "Non ancora salvata: quello che scrivi resta solo su questo telefono."
    expect_draft_status(page, only_on_phone)
    assert len(local_copies(page)) == 1
    assert empty_form.stored_draft["a.cards"] == "100"

    # The page is opened again, with a valid token. It restores its copy and sends it.
    reopened = reopen(page)
    expect_draft_status(reopened, DRAFT_IS_RESTORED)
    expect(reopened.locator("#a-cards")).to_have_value("335")
    assert empty_form.stored_draft["a.cards"] == "335"
    assert local_copies(reopened) == []


def test_phone_without_local_storage_says_so(empty_form: OpenForm) -> None:
    # Neither the browser nor the server, which is not reached, can store what is typed.
    page = empty_form.page
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.context.set_offline(True)
    page.locator("#a-cards").fill("100")

    # "It stays only on this screen. Do not close the page."
    do_not_close_page = "resta solo su questo schermo. Non chiudere la pagina."
    expect_draft_status(page, do_not_close_page)


def test_hand_refused_on_full_disk_is_saved_once_there_is_room(
    form_with_hand: OpenForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = form_with_hand.page
    with monkeypatch.context() as full_disk:
        # So many bytes are to stay free on the disk of the server. No disk has so many.
        full_disk.setattr(connection, "RESERVE", 2**60)
        page.locator(SAVE).tap()
        # "There is no more space on the disk of the score pad."
        expect_draft_status(page, "sul disco del segnapunti non c'è più posto")

        # What is typed now is stored in the browser: "not yet saved".
        page.locator("#a-cards").fill("105")
        expect_draft_status(page, "Non ancora salvato")
        assert len(local_copies(page)) == 1
    assert form_with_hand.saved_points == []

    # The server has space again. The browser gives up its copy.
    page.locator(SAVE).tap()
    form_with_hand.expect_match_page(page)
    assert form_with_hand.saved_points == [[90, 85]]  # 105 − 15 and 100 − 15
    assert local_copies(page) == []


def test_check_of_hand_is_marked_as_outdated_while_offline(empty_form: OpenForm) -> None:
    page = empty_form.page
    missing_fields = page.locator(".bar-missing")
    outdated_mark = page.locator(".live-before")

    # While somebody types, the server checks the hand, and the page lists what is still missing.
    page.locator("#a-cards").fill("100")
    expect_draft_status(page, DRAFT_IS_SAFE)
    page.locator("#live summary").tap()
    expect(missing_fields).to_be_visible()
    expect(outdated_mark).to_be_hidden()

    # Offline the list would soon be wrong. It is hidden, and what was checked is marked as of
    # before.
    page.context.set_offline(True)
    page.locator("#b-cards").fill("100")
    expect(outdated_mark).to_be_visible(timeout=TIMEOUT_IN_MILLISECONDS)
    expect(missing_fields).to_be_hidden()

    # Online again, the hand is checked anew. A tap outside closes the keypad.
    page.context.set_offline(False)
    page.locator("#rest summary").tap()
    expect(missing_fields).to_be_visible(timeout=TIMEOUT_IN_MILLISECONDS)
    expect(outdated_mark).to_be_hidden()


def test_cards_tapped_while_response_is_delayed_are_kept(empty_form: OpenForm) -> None:
    # Four kings are tapped. The server has them as a draft.
    page = empty_form.page
    page.locator("#cards-a summary").tap()
    tap_cards(page, "K", "K", "K", "K")
    expect_draft_status(page, DRAFT_IS_SAFE)

    # A two is tapped. After a short while the page sends the draft, but the network is slow.
    held_requests = hold_requests(page)
    tap_cards(page, "2")
    page.wait_for_timeout(700)

    # Meanwhile three queens are tapped, and a number is typed into another field.
    tap_cards(page, "Q", "Q", "Q")
    page.locator("#a-red_threes").fill("1")
    page.wait_for_timeout(200)
    assert held_requests

    # The response arrives. It knows nothing of the queens.
    for request in list(held_requests):
        request.continue_()
    page.unroute(URL_OF_A_HAND)

    # The form has all cards in two melds, and the number. The field still has the focus.
    expect(page.locator("#a-melds-list li")).to_have_count(2)
    expect(page.locator("#a-melds")).to_have_value("4xK 2\n3xQ")
    expect(page.locator("#a-red_threes")).to_have_value("1")
    expect(page.locator("#a-red_threes")).to_be_focused()
    expect_draft_status(page, DRAFT_IS_SAFE)
    assert empty_form.stored_draft["a.melds"] == "4xK 2\n3xQ"
    assert empty_form.stored_draft["a.red_threes"] == "1"


def test_retry_delay_grows_with_failures(empty_form: OpenForm) -> None:
    # The page asks its script for the delay after one failure in a row, two, and so on.
    milliseconds = empty_form.page.evaluate("""async () => {
      const script = document.querySelector("script[src*=hand]").src;
      const { retryDelay } = await import(new URL("./outbox.js", script));
      return [1, 2, 3, 4, 5, 50].map(retryDelay);
    }""")

    # It doubles each time, up to half a minute.
    assert milliseconds == [3000, 6000, 12000, 24000, 30000, 30000]


# ---------------------------------------------------------------- another phone was quicker


def test_waiting_hand_saved_by_another_phone_is_shown_as_conflict(form_with_hand: OpenForm) -> None:
    # On this phone both sides have laid cards worth 100 and have 15 left. The hand is saved offline,
    # and waits for the network.
    page = form_with_hand.page
    page.context.set_offline(True)
    save_without_network(page)

    # Meanwhile another phone saves the same hand, in which both sides have laid 90.
    save_hand_on_another_phone(form_with_hand.pad, form_with_hand.match, cards=90)

    # The network is back. The page shows both values. Until the user has decided, the saved hand
    # stays, and the browser has the other one.
    page.context.set_offline(False)
    expect_conflict(page, stored="90", typed="100")
    assert form_with_hand.saved_points == [[75, 75]]  # 90 − 15
    assert len(local_copies(page)) == 1

    # The user chooses to correct the hand to what was typed here.
    correct_to_typed = page.locator(".stale-choice button")
    correct_to_typed.tap()
    expect(page.locator("h1")).to_have_text("Correggi la smazzata 1")  # "Correct hand 1"
    page.locator(SAVE).tap()
    form_with_hand.expect_match_page(page)
    assert form_with_hand.saved_points == [[85, 85]]  # 100 − 15


@pytest.mark.quick
def test_restored_hand_saved_by_another_phone_is_shown_as_conflict(empty_form: OpenForm) -> None:
    # A hand is typed offline, with 100 for the cards of each side. Meanwhile another phone saves
    # the same hand with 90.
    empty_form.page.context.set_offline(True)
    type_whole_hand(empty_form.page)
    save_hand_on_another_phone(empty_form.pad, empty_form.match, cards=90)

    # With a network again, the form is opened. It shows both values.
    reopened = reopen(empty_form.page)
    expect_conflict(reopened, stored="90", typed="100")

    # It still does if it is closed and opened again, because nobody has decided yet.
    reopened = reopen(reopened)
    expect_conflict(reopened, stored="90", typed="100")

    # The user chooses "Keep what is there".
    reopened.get_by_role("link", name="Tieni quello che c'è").tap()
    empty_form.expect_match_page(reopened)
    assert local_copies(reopened) == []
    assert empty_form.saved_points == [[75, 75]]


@pytest.mark.quick
def test_change_during_save_is_shown_as_conflict(form_with_hand: OpenForm) -> None:
    # The network is slow: the save is held back on its way to the server.
    page = form_with_hand.page
    held_requests = hold_requests(page)
    page.locator(SAVE).tap()
    expect_draft_status(page, "Sto salvando")  # "I am saving"

    # Meanwhile somebody changes 100, the cards of Noi, to 105. Then the save arrives.
    page.locator("#a-cards").fill("105")
    (held_save,) = held_requests
    held_save.continue_()
    page.unroute(URL_OF_A_HAND)

    # The hand is saved as it was sent. The page shows in what the form differs from it.
    expect_conflict(page, stored="100", typed="105")
    assert form_with_hand.saved_points == [[85, 85]]


def test_input_of_another_phone_is_shown_before_save(form_with_hand: OpenForm) -> None:
    # Both sides have 100 for their cards. Here those of Noi are changed to 105. The page sends the
    # draft half a second later, but the network is slow: it does not arrive yet.
    page = form_with_hand.page
    held_requests = hold_requests(page)
    page.locator("#a-cards").fill("105")
    page.wait_for_timeout(700)
    assert len(held_requests) == 1

    # Another phone types 120 for the cards of Loro. Before this page knows of it, its user presses
    # the button to save.
    type_on_another_phone(form_with_hand, "b.cards", "120")
    page.locator(SAVE).tap()

    # The draft arrives. The server joins both inputs, and answers with them.
    (held_draft,) = held_requests
    held_draft.continue_()
    page.unroute(URL_OF_A_HAND)

    # The page shows the 120, and does not send the save: "Another phone has typed into this hand
    # meanwhile. Look whether it is right like this."
    look_whether_it_is_right = (
        "Intanto un altro telefono ha scritto in questa smazzata: guarda se va bene così"
    )
    expect_draft_status(page, look_whether_it_is_right)
    expect(page.locator("#kept")).to_have_attribute("role", "alert")
    expect(page.locator("#b-cards")).to_have_value("120")

    # Within 300 milliseconds it would have been sent.
    page.wait_for_timeout(300)
    assert form_with_hand.saved_points == []

    # The user has looked at it and presses the button again.
    page.locator(SAVE).tap()
    form_with_hand.expect_match_page(page)
    assert form_with_hand.saved_points == [[90, 105]]  # 105 − 15 and 120 − 15
