"""Disputes at the table on a phone: few taps to the ruling, each fact once."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phone
from tests.browser.player import Dispute, Player, disputes_of

MOST_TAPS = 5


@pytest.mark.quick(2)
@pytest.mark.parametrize("dispute", disputes_of("any-match"), ids=lambda dispute: dispute.name)
def test_ruling_takes_at_most_five_taps(phone: Phone, dispute: Dispute) -> None:
    """The answers to other questions are in tests/web."""
    player = Player(phone())
    player.settle(dispute)
    assert player.taps <= MOST_TAPS


@pytest.mark.parametrize(
    ("path", "field", "taps", "text"),
    [
        ("pozzo?top=K&frozen=yes", "laid", "K 2 A A K A", "2xK 2 / 3xA"),
        ("prima-carta", "cards", "2 K", "2 K"),
    ],
    ids=["melds sorted by rank", "cards turned up, in their order"],
)
def test_tapped_cards_are_written_into_the_field(
    phone: Phone, path: str, field: str, taps: str, text: str
) -> None:
    page = phone()
    page.goto(f"{page.url}arbitro/{path}")
    Player(page).cards(*taps.split())
    expect(page.locator(f"#{field}")).to_have_value(text)


@pytest.mark.quick
def test_facts_survive_link_reload_and_going_back(phone: Phone) -> None:
    """At 1,600 points an opening needs 90: 3 queens and 3 nines are 60, 3 aces and 3 kings 90."""
    page = phone()
    melds = page.locator("#melds")
    verdict = page.locator(".verdict")

    page.goto(page.url + "arbitro/apertura?score=1600&melds=3xQ+/+3x9&passo=risposta")
    expect(verdict).to_have_text("No")
    page.get_by_text("Il caso", exact=True).click()
    page.get_by_role("link", name="Cambia i fatti").click()  # "Change the facts"
    expect(melds).to_have_value("3xQ / 3x9")

    page.reload()
    expect(melds).to_have_value("3xQ / 3x9")

    melds.fill("3xA / 3xK")
    page.locator(".bar").get_by_role("button", name="Chiedi all'arbitro").click()
    expect(verdict).to_have_text("Sì")
    page.go_back()
    expect(melds).to_have_value("3xA / 3xK")


def test_tapped_cards_survive_reload_and_change_of_language(phone: Phone) -> None:
    page = phone()
    page.goto(page.url.rstrip("/") + "/arbitro/calata")
    Player(page).cards("K", "K", "K", "2")
    expect(page.locator("#cards-echo")).to_contain_text("3 re e 1 pinella")

    page.reload()
    expect(page.locator("#cards")).to_have_value("3xK 2")

    page.get_by_role("button", name="English").click()
    expect(page.locator("#cards")).to_have_value("3xK 2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Is this meld legal?")


@pytest.mark.parametrize("with_script", [True, False])
def test_enter_key_submits_the_answer(phone: Phone, with_script: bool) -> None:
    page = phone(java_script_enabled=with_script)
    page.goto(page.url.rstrip("/") + "/arbitro/pozzo")

    page.locator("#top").fill("K")
    page.locator("#top").press("Enter")

    next_question = "Il pozzo è congelato?"  # "Is the pile frozen?"
    expect(page.get_by_role("heading", name=next_question)).to_be_visible()
