"""A whole match to 5000, played through the pages on a phone, and its sheet.

The hands are those of `tests/golden/classica-whole-match.json`, where every figure is worked by
hand: an opening below zero, an exhausted stock, a penalty, a concealed going out, four red threes,
negative hands.
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


def test_match_of_classica_is_played_corrected_and_printed(phone: Phone, tmp_path: Path) -> None:
    page = phone()
    new_match(page)
    assert totals(page) == ["0", "0"]

    # MATCH is a match whose figures were worked by hand. It has the hands, and after each of them the
    # totals of both sides and their minimums: the points with which a side must open the next hand,
    # which rise with its total. For the first hand they are 50.
    minimums_before_hands = [(50, 50), *MATCH.minimums]
    for index, hand in enumerate(MATCH.hands):
        # The match page shows the minimums of both sides.
        assert minimums(page) == [figure(minimum) for minimum in minimums_before_hands[index]]

        # The phone opens the form of the hand. In that of hand 6 it first tries to save a hand which
        # the rules do not allow.
        open_hand(page)
        if index == 5:
            try_hand_with_too_many_twos(page)

        # It enters the hand: the cards of the first one are tapped, those of others are typed.
        fill(page, hand, tapping=index == 0)
        save(page)
        assert totals(page) == [figure(total) for total in MATCH.totals[index]]

    # "We won", and there is no hand to open any more.
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")
    assert minimums(page) == []

    # In hand 3 the other side ("Loro") gets 40 points more. The winner is the same.
    correct_hand_three(page)
    corrected_totals = totals_with_hand_three_corrected()
    assert totals(page) == corrected_totals[-1]
    expect(page.locator(".ended-who")).to_contain_text("Abbiamo vinto noi")

    # The row of each hand shows the totals after it, which are corrected from hand 3 on.
    rows = page.locator(".hands > li")
    for index, totals_after_hand in enumerate(corrected_totals):
        texts = rows.nth(index).locator(".sum").all_inner_texts()
        assert texts[:2] == totals_after_hand

    # The sheet has all totals, "page 1 of 2", and "counted wrong", the reason of the correction.
    text_of_sheet = sheet(page, tmp_path)
    for noi, loro in corrected_totals:
        assert noi in text_of_sheet
        assert loro in text_of_sheet
    assert "pagina 1 di" in text_of_sheet
    assert "contati male" in text_of_sheet


def totals_with_hand_three_corrected() -> list[list[str]]:
    """Return the totals of noi and loro after each hand as the pad writes them: "1.500".

    From hand 3 on loro has 40 more than in the match as it was entered: 150 - 110.
    """
    corrected = []
    for number, (noi, loro) in enumerate(MATCH.totals, start=1):
        corrected_loro = loro
        if number >= 3:
            corrected_loro += 40
        corrected.append([figure(noi), figure(corrected_loro)])
    return corrected


def try_hand_with_too_many_twos(page: Page) -> None:
    """Save a meld of five kings and five twos, and check that it is refused with a reason, and that
    nothing typed is lost. Then empty the fields again.
    """
    unfold(page, "a-melds")
    page.locator("#a-melds").fill("5xK 5x2")
    page.locator("#b-cards").fill("130")
    page.locator("#b-left").fill("85")
    page.locator("#a-left").fill("20")
    page.locator("label[for=out]").tap()

    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()  # "Save the hand"

    # The title begins with "Error". At most 3 wild cards are allowed, and there are 5.
    expect(page).to_have_title(re.compile("^Errore: "))
    error = "le matte possono essere al massimo 3 (carte naturali: 5), e sono 5"
    expect(page.locator(".errors").first).to_contain_text(error)
    expect(page.locator("#b-cards")).to_have_value("130")
    expect(page.locator("#a-melds")).to_have_value("5xK 5x2")

    for field in ("#a-melds", "#a-left", "#b-left"):
        page.locator(field).fill("")


def correct_hand_three(page: Page) -> None:
    """Correct the card points of loro in hand 3 from 110 to 150."""
    # The row of the hand is unfolded, and has a link to correct it.
    row = page.locator(".hands > li").nth(2)
    row.locator("summary").first.tap()
    with page.expect_navigation():
        row.get_by_role("link", name=re.compile("Correggi")).tap()

    expect(page.locator("#b-cards")).to_have_value("110")
    page.locator("#b-cards").fill("150")
    page.locator("#reason").fill("Punti contati male")  # "Points counted wrong"
    with page.expect_navigation():
        page.locator("button[value=save]").tap()
