"""A whole match to 5000, played through the pages on a phone, and its sheet.

The hands are those of `tests/golden/classica-whole-match.json`, every figure worked by hand there:
an opening below zero, an exhausted stock, a penalty, a concealed going out, four red threes,
negative hands. Here a wrong entry is put right on the way, and at the end hand 3 is corrected: loro
laid 150 card points and not 110, so that every total of loro from then on is 40 more, and loro
opens hand 7 at 3.000 with 120 instead of 90.
"""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone
from tests.browser.hands import (
    figure,
    fill,
    minimums,
    new_match,
    open_hand,
    save,
    sheet,
    totals,
    unfold,
)
from tests.matches.whole_matches import whole

MATCH = whole("classica")
MINIMUMS = [(50, 50), *MATCH.minimums]
"""Before each hand, and after the last."""
CORRECTED_FROM, MORE = 3, 40


def test_a_family_plays_a_whole_match_and_prints_its_sheet(phone: Phone, tmp_path: Path) -> None:
    page = phone()
    new_match(page)
    assert totals(page) == ["0", "0"]
    for number, hand in enumerate(MATCH.hands):
        assert minimums(page) == [figure(minimum) for minimum in MINIMUMS[number]]
        open_hand(page)
        if number == 5:
            enter_a_hand_that_cannot_be(page)
        fill(page, hand, tapping=number == 0)
        save(page)
        assert totals(page) == [figure(total) for total in MATCH.totals[number]]
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    assert minimums(page) == []

    correct_hand_three(page)
    corrected = [(figure(noi), figure(loro)) for noi, loro in totals_with_hand_three_corrected()]
    assert totals(page) == list(corrected[-1])
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    rows = page.locator(".hands > li")
    for number, (noi, loro) in enumerate(corrected):
        assert rows.nth(number).locator(".sum").all_inner_texts()[:2] == [noi, loro]

    text_of_sheet = sheet(page, tmp_path)
    for noi, loro in corrected:
        assert noi in text_of_sheet
        assert loro in text_of_sheet
    assert "pagina 1 di" in text_of_sheet
    assert "contati male" in text_of_sheet


def totals_with_hand_three_corrected() -> list[tuple[int, int]]:
    """The totals of noi and loro after each hand: loro has 40 more from hand 3 on."""
    after = []
    for number, (noi, loro) in enumerate(MATCH.totals, start=1):
        more = MORE if number >= CORRECTED_FROM else 0
        after.append((noi, loro + more))
    return after


def enter_a_hand_that_cannot_be(page: Page) -> None:
    """Five twos beside five kings: refused with reason and remedy, and nothing typed is lost."""
    unfold(page, "a-melds")
    page.locator("#a-melds").fill("5xK 5x2")
    page.locator("#b-cards").fill("130")
    page.locator("#b-left").fill("85")
    page.locator("#a-left").fill("20")
    page.locator("label[for=out]").tap()
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()
    expect(page).to_have_title(re.compile("^Errore: "))
    summary = page.locator("[role=alert], .error-summary, .errors").first
    expect(summary).to_contain_text(
        "le matte possono essere al massimo 3 (carte naturali: 5), e sono 5"
    )
    expect(page.locator("#b-cards")).to_have_value("130")
    melds = page.locator("#a-melds")
    expect(melds).to_have_value("5xK 5x2")
    for field in (melds, page.locator("#a-left"), page.locator("#b-left")):
        field.fill("")


def correct_hand_three(page: Page) -> None:
    """The card points of loro were miscounted."""
    row = page.locator(".hands > li").nth(CORRECTED_FROM - 1)
    row.locator("summary").first.tap()
    with page.expect_navigation():
        row.get_by_role("link", name=re.compile("Correggi")).tap()
    expect(page.locator("#b-cards")).to_have_value("110")
    page.locator("#b-cards").fill("150")
    page.locator("#reason").fill("Punti contati male")
    with page.expect_navigation():
        page.locator("button[value=save]").tap()
