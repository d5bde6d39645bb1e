"""Five disputes at the table, each from the question to the sheet, on a phone."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

Phone = Callable[..., Page]


def begin(page: Page) -> str:
    """A match of the classic game; its address."""
    page.get_by_role("link", name="Nuova partita").click()
    page.locator("form button.primary").first.click()
    expect(page.get_by_role("heading", name="Noi contro Loro")).to_be_visible()
    return page.url


def ask(page: Page, question: str) -> None:
    """The question, from the match page."""
    page.get_by_role("link", name="Arbitro", exact=True).click()
    page.get_by_role("link", name=question, exact=True).click()


def tap(page: Page, field: str, *cards: str) -> None:
    keys = page.locator(f'button[data-to="{field}"]')
    for card in cards:
        keys.and_(page.locator(f'[data-card="{card}"]')).click()


def onward(page: Page, button: str = "Avanti") -> None:
    page.locator(".bar").get_by_role("button", name=button).click()


def keep(page: Page, word: str) -> None:
    expect(page.locator(".verdict")).to_have_text(word)
    page.get_by_role("button", name="Tieni la decisione").click()
    expect(page.locator(".notice").first).to_contain_text("Decisione tenuta")


def sheet(page: Page, match: str) -> str:
    """The text of the match sheet, in one line."""
    answer = page.request.get(f"{match}/foglio.pdf?dettaglio=1")
    assert answer.ok
    pages = PdfReader(io.BytesIO(answer.body())).pages
    return " ".join(" ".join(each.extract_text() for each in pages).split())


def test_is_it_enough_to_open(phone: Phone) -> None:
    page = phone()
    match = begin(page)
    ask(page, "Basta per aprire?")
    page.get_by_label("Noi", exact=True).check()
    onward(page)
    tap(page, "melds", "Q", "Q", "Q")
    expect(page.locator("#melds-told")).to_contain_text("3 donne")
    onward(page, "Chiedi all'arbitro")
    expect(page.get_by_text("Per aprire servono 50 punti, ne hai calati 30: ne mancano 20.")).to_be_visible()
    keep(page, "No")
    told = sheet(page, match)
    assert "Basta per aprire? No" in told
    assert "ne mancano 20" in told
    assert "L'apertura" in told


@pytest.mark.quick
def test_may_the_frozen_pile_be_taken_with_a_king_and_a_two(phone: Phone) -> None:
    page = phone()
    match = begin(page)
    ask(page, "Può prendere il pozzo?")
    page.get_by_label("Loro", exact=True).check()
    tap(page, "top", "Q", "K")
    expect(page.locator("#top")).to_have_value("K")
    onward(page)
    page.get_by_role("group", name="Il pozzo è congelato?").get_by_label("Sì").check()
    onward(page)
    onward(page)
    tap(page, "laid", "K", "2")
    onward(page, "Chiedi all'arbitro")
    expect(page.locator(".others")).to_contain_text("Enciclopedia")
    keep(page, "No")
    assert "Può prendere il pozzo? No" in sheet(page, match)


@pytest.mark.quick
def test_she_drew_out_of_turn(phone: Phone) -> None:
    page = phone()
    match = begin(page)
    ask(page, "Pescata fuori turno")
    expect(page.locator(".verdict")).to_have_text("−100")
    page.get_by_role("button", name="Tieni la decisione").click()
    expect(page.locator(".errors")).to_contain_text("Scegli a chi si segna la penalità")
    page.get_by_label("Loro", exact=True).check()
    keep(page, "−100")
    expect(page.get_by_text("Penalità in questa smazzata: Loro: Pescata fuori turno, −100")).to_be_visible()
    told = sheet(page, match)
    assert "Pescata fuori turno: −100" in told
    assert "Penalità: Loro, −100" in told


def test_may_she_go_out_and_taken_back_again(phone: Phone) -> None:
    page = phone()
    match = begin(page)
    ask(page, "Può chiudere?")
    page.get_by_label("Noi", exact=True).check()
    onward(page)
    tap(page, "table", *["Q"] * 7)
    page.get_by_role("button", name="Nuova combinazione").click()
    tap(page, "table", "K", "K", "K")
    expect(page.locator("#table")).to_have_value("7xQ / 3xK")
    onward(page)
    page.get_by_label("Si scarta").check()
    onward(page)
    tap(page, "discard", "2")
    onward(page, "Chiedi all'arbitro")
    expect(page.locator(".why-so")).to_contain_text("matta")
    keep(page, "No")
    assert "Può chiudere? No" in sheet(page, match)
    page.get_by_role("button", name="Annulla: decisione dell'arbitro").click()
    expect(page.locator(".notice").first).to_contain_text("Tolta la decisione")
    assert "Può chiudere?" not in sheet(page, match)


@pytest.mark.parametrize("script", [True, False])
def test_a_two_was_turned_up_first(phone: Phone, script: bool) -> None:
    page = phone(java_script_enabled=script)
    match = begin(page)
    ask(page, "Prima carta scoperta: e ora?")
    tap(page, "cards", "2", "K")
    expect(page.locator("#cards")).to_have_value("2 K")
    onward(page, "Chiedi all'arbitro")
    keep(page, "Pozzo congelato")
    page.goto(f"{match}/registro")
    expect(
        page.get_by_text("Decisione dell'arbitro nella smazzata 1. Prima carta scoperta: e ora? Pozzo congelato")
    ).to_be_visible()
    assert "Pozzo congelato" in sheet(page, match)


@pytest.mark.quick
def test_a_question_is_sent_to_somebody_as_an_address_and_survives_a_reload(phone: Phone) -> None:
    page = phone()
    page.goto(page.url.rstrip("/") + "/arbitro/apertura?score=1600&melds=3xQ+/+3x9&passo=risposta")
    expect(page.locator(".verdict")).to_have_text("No")
    other = phone()
    other.goto(page.url)
    expect(other.locator(".verdict")).to_have_text("No")
    page.get_by_role("link", name="Cambia la domanda").click()
    expect(page.locator("#melds")).to_have_value("3xQ / 3x9")
    page.reload()
    expect(page.locator("#melds")).to_have_value("3xQ / 3x9")
    page.locator("#melds").fill("3xA / 3xK")
    onward(page, "Chiedi all'arbitro")
    expect(page.locator(".verdict")).to_have_text("Sì")
    page.go_back()
    expect(page.locator("#melds")).to_have_value("3xA / 3xK")


def test_what_was_tapped_survives_a_reload_and_another_language(phone: Phone) -> None:
    page = phone()
    page.goto(page.url.rstrip("/") + "/arbitro/calata")
    tap(page, "cards", "K", "K", "K", "2")
    expect(page.locator("#cards-told")).to_contain_text("3 re e 1 pinella")
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
    expect(page.get_by_role("group", name="Il pozzo è congelato?")).to_be_visible()
