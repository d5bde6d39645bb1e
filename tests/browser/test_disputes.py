"""Players in dispute ask the referee of the app on a phone: few taps, and nothing is asked twice."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.player import Dispute, Player, disputes_of


# A dispute is a way of taps to a ruling, with the cards in brackets: ["Arbitro", "Può chiudere?",
# ["K", "K", "K", "K", "K", "K"], "Avanti"]. ("Referee", "May they go out?", six kings, "Go on")
@pytest.mark.quick(2)
@pytest.mark.parametrize("dispute", disputes_of("any-match"), ids=lambda dispute: dispute.name)
def test_ruling_takes_at_most_five_taps(phone: Phone, dispute: Dispute) -> None:
    # A player starts at the home page. Tapping the keys of cards does not count.
    player = Player(phone())
    player.settle(dispute)
    assert player.taps <= 5


@pytest.mark.parametrize(
    ("path", "field", "taps", "text"),
    [
        # The question about taking the discard pile. Two kings with a two and three aces are laid.
        ("pozzo?top=K&frozen=yes", "laid", "K 2 A A K A", "2xK 2 / 3xA"),
        # The question about the first card turned up: a two, and a king after it.
        ("prima-carta", "cards", "2 K", "2 K"),
    ],
    ids=["melds sorted by rank", "cards turned up, in their order"],
)
def test_tapped_cards_are_written_into_the_field(
    phone: Phone, path: str, field: str, taps: str, text: str
) -> None:
    page = phone()
    page.goto(f"{page.url}arbitro/{path}")

    # The player taps the keys of these cards one by one.
    Player(page).cards(*taps.split())

    expect(page.locator(f"#{field}")).to_have_value(text)


@pytest.mark.quick
def test_facts_survive_link_reload_and_going_back(phone: Phone) -> None:
    page = phone()
    melds = page.locator("#melds")
    verdict = page.locator(".verdict")

    # A link asks: may a side with 1,600 points open with three queens and three nines? It needs
    # 90 points, and these are 6 × 10 = 60.
    page.goto(page.url + "arbitro/apertura?score=1600&melds=3xQ+/+3x9&passo=risposta")
    expect(verdict).to_have_text("No")

    # The player opens the facts of the case and goes on to change them.
    page.get_by_text("Il caso", exact=True).click()  # "The case"
    page.get_by_role("link", name="Cambia i fatti").click()  # "Change the facts"
    expect(melds).to_have_value("3xQ / 3x9")

    page.reload()
    expect(melds).to_have_value("3xQ / 3x9")

    # Three aces and three kings are 3 × 20 + 3 × 10 = 90.
    melds.fill("3xA / 3xK")
    page.locator(".bar").get_by_role(
        "button", name="Chiedi all'arbitro"
    ).click()  # "Ask the referee"
    expect(verdict).to_have_text("Sì")  # "Yes"

    page.go_back()
    expect(melds).to_have_value("3xA / 3xK")


def test_tapped_cards_survive_reload_and_change_of_language(phone: Phone) -> None:
    page = phone()
    page.goto(page.url.rstrip("/") + "/arbitro/calata")

    # Tapped on the page of the question whether a meld is legal. Below the field they stand in words.
    Player(page).cards("K", "K", "K", "2")
    expect(page.locator("#cards-echo")).to_contain_text("3 re e 1 pinella")  # "3 kings and a two"

    page.reload()
    expect(page.locator("#cards")).to_have_value("3xK 2")

    page.get_by_role("button", name="English").click()
    expect(page.locator("#cards")).to_have_value("3xK 2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Is this meld legal?")


@pytest.mark.parametrize("with_script", [True, False])
def test_enter_key_submits_the_answer(phone: Phone, with_script: bool) -> None:
    # "Which card is on top of the discard pile?"
    page = phone(java_script_enabled=with_script)
    page.goto(page.url.rstrip("/") + "/arbitro/pozzo")

    page.locator("#top").fill("K")
    page.locator("#top").press("Enter")

    next_question = "Il pozzo è congelato?"  # "Is the pile frozen?"
    expect(page.get_by_role("heading", name=next_question)).to_be_visible()
