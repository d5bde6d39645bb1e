"""Disputes at the table on a phone: few taps to the ruling, each fact once."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.player import Dispute, Player, disputes_of

MOST_TAPS = 5


@pytest.mark.quick(2)
@pytest.mark.parametrize("dispute", disputes_of("any-match"), ids=lambda dispute: dispute.name)
def test_a_dispute_is_over_in_five_taps(phone: Phone, dispute: Dispute) -> None:
    """What the other questions answer is in tests/web."""
    player = Player(phone())
    player.settle(dispute)
    assert player.taps <= MOST_TAPS


@pytest.mark.parametrize(
    ("path", "field", "taps", "text"),
    [
        ("pozzo?top=K&frozen=yes", "laid", "K 2 A A K A", "2xK 2 / 3xA"),
        ("prima-carta", "cards", "2 K", "2 K"),
    ],
    ids=["by rank", "in their order where they were turned up"],
)
def test_tapped_cards_lie_as_they_are_read(
    phone: Phone, path: str, field: str, taps: str, text: str
) -> None:
    page = phone()
    page.goto(f"{page.url}arbitro/{path}")
    Player(page).cards(*taps.split())
    expect(page.locator(f"#{field}")).to_have_value(text)


@pytest.mark.quick
def test_a_question_is_sent_to_somebody_as_an_address_and_survives_a_reload(phone: Phone) -> None:
    page = phone()
    page.goto(page.url + "arbitro/apertura?score=1600&melds=3xQ+/+3x9&passo=risposta")
    expect(page.locator(".verdict")).to_have_text("No")
    page.get_by_text("Il caso", exact=True).click()
    page.get_by_role("link", name="Cambia i fatti").click()
    expect(page.locator("#melds")).to_have_value("3xQ / 3x9")
    page.reload()
    expect(page.locator("#melds")).to_have_value("3xQ / 3x9")
    page.locator("#melds").fill("3xA / 3xK")
    page.locator(".bar").get_by_role("button", name="Chiedi all'arbitro").click()
    expect(page.locator(".verdict")).to_have_text("Sì")
    page.go_back()
    expect(page.locator("#melds")).to_have_value("3xA / 3xK")


def test_what_was_tapped_survives_a_reload_and_another_language(phone: Phone) -> None:
    page = phone()
    page.goto(page.url.rstrip("/") + "/arbitro/calata")
    Player(page).cards("K", "K", "K", "2")
    expect(page.locator("#cards-echo")).to_contain_text("3 re e 1 pinella")
    page.reload()
    expect(page.locator("#cards")).to_have_value("3xK 2")
    page.get_by_role("button", name="English").click()
    expect(page.locator("#cards")).to_have_value("3xK 2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Is this meld legal?")


@pytest.mark.parametrize("script", [True, False])
def test_the_enter_key_goes_on(phone: Phone, script: bool) -> None:
    page = phone(java_script_enabled=script)
    page.goto(page.url.rstrip("/") + "/arbitro/pozzo")
    page.locator("#top").fill("K")
    page.locator("#top").press("Enter")
    expect(page.get_by_role("heading", name="Il pozzo è congelato?")).to_be_visible()
