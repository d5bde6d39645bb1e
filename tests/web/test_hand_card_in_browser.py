"""The card of a hand on a phone: how many presses it takes, how high it is, and what follows every
key.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scorepad.matches import Pad
from scorepad.rules.variants import settle, variant_ids
from tests.web.counting import NewMatch, OpenPage, address_of_count, tap_cards
from tests.web.playing import DEVICE


def show_card(
    open_page: OpenPage, new_match: NewMatch, variant: str = "classica", **size: int
) -> Page:
    """The score card of the first hand of a new match."""
    sides = len(settle(variant).settings.sides)
    match = new_match(variant, names=("Noi", "Loro", "Altri")[:sides])
    return open_page(address_of_count(match), **size)


@pytest.fixture
def card(open_page: OpenPage, new_match: NewMatch) -> Page:
    """The score card of the first hand of a match of classica."""
    return show_card(open_page, new_match)


def tap_cell_and_keys(page: Page, cell: str, *keys: str) -> None:
    """Tap a cell, and then these keys of the keypad."""
    page.locator(f"#{cell}").tap()
    tap_keys(page, *keys)


def tap_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f"#digits button[data-key='{key}']").tap()


def values_of_cells(page: Page, *cells: str) -> list[str]:
    return [page.locator(f"#{cell}").input_value() for cell in cells]


@pytest.mark.quick
def test_usual_hand_is_entered_with_at_most_eighteen_taps(
    open_page: OpenPage, new_match: NewMatch, pad: Pad
) -> None:
    match = new_match()
    page = open_page(address_of_count(match))
    # Two natural canastas, one mixed one, cards worth 245, two red threes, nothing left in hand
    keys_for_noi = ["2", "1", "2", "4", "5", "next", "2", "0"]
    # No natural canasta, one mixed one, cards worth 130, no red three, 85 left in hand
    keys_for_loro = ["0", "1", "1", "3", "0", "next", "0", "8", "5"]
    taps = 1 + len(keys_for_noi) + len(keys_for_loro)
    assert taps <= 18

    page.locator("label[for=out]").tap()  # Noi went out
    tap_keys(page, *keys_for_noi, *keys_for_loro)

    # 2 × 500 + 300 + 245 + 2 × 100 + 100 for going out = 1845
    assert page.locator("#hand-a").inner_text() == "+1.845"
    # 300 + 130 − 85 = 345
    assert page.locator("#hand-b").inner_text() == "+345"

    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()
    saved_hand = pad.state(match, DEVICE).hands[0]
    assert [side.hand for side in saved_hand.sides] == [1845, 345]


def test_next_key_starts_with_column_of_own_side(
    open_page: OpenPage, new_match: NewMatch, pad: Pad
) -> None:
    """The phone is held by Loro: from their last cell the key leads to the first one of Noi."""
    match = new_match()
    pad.devices.set_side_and_holder(match, DEVICE, 1)
    page = open_page(f"/partite/{match}/smazzata")

    tap_cell_and_keys(page, "b-left", "5", "next", "2")

    assert values_of_cells(page, "b-left", "a-canastas-natural-canasta") == ["5", "2"]


@pytest.mark.quick
def test_next_key_skips_no_cell_after_digit_that_moved_on(card: Page) -> None:
    """The digit of a count, such as that of canastas, moves on to the next cell by itself."""
    cells = ("a-canastas-natural-canasta", "a-canastas-mixed-canasta", "a-cards", "a-red_threes")
    tap_cell_and_keys(
        card, "a-canastas-natural-canasta", "2", "next", "1", "next", "5", "next", "3"
    )
    assert values_of_cells(card, *cells) == ["2", "1", "5", "3"]


@pytest.mark.quick
def test_digit_replaces_value_of_cell_and_plus_continues_it(card: Page) -> None:
    tap_cell_and_keys(card, "a-cards", "3", "0", "0")
    tap_cell_and_keys(card, "a-left")
    tap_cell_and_keys(card, "a-cards", "3", "1", "0")
    expect(card.locator("#a-cards")).to_have_value("310")

    tap_cell_and_keys(card, "a-left")
    tap_cell_and_keys(card, "a-cards", "+", "4", "0")
    expect(card.locator("#a-cards")).to_have_value("310+40")


@pytest.mark.quick
def test_sums_are_visible_above_keypad(open_page: OpenPage, new_match: NewMatch, pad: Pad) -> None:
    """Also where the four names of the players take space."""
    match = new_match(players=(("Marta", "Gino"), ("Pina", "Massimiliano")))
    page = open_page(f"/partite/{match}/smazzata")
    page.locator("label[for=out]").tap()
    expect(page.locator("#digits")).to_be_visible()

    top_of_keypad = page.locator(".bar").bounding_box()["y"]
    for name in ("#hand-a", "#total-b"):
        box = page.locator(name).bounding_box()
        bottom = box["y"] + box["height"]
        assert box["y"] >= 0
        assert bottom <= top_of_keypad


@pytest.mark.quick
def test_cell_of_mini_opens_cards_of_its_side(open_page: OpenPage, new_match: NewMatch) -> None:
    """In mini canastas are not typed but counted from the cards; five cards make one."""
    page = show_card(open_page, new_match, "mini")
    expect(page.locator("#a-melds")).to_be_hidden()

    page.locator("#a-canastas-natural-canasta").tap()
    tap_cards(page, "K", "K", "K", "K", "K")
    expect(page.locator("#a-canastas-natural-canasta")).to_have_attribute("placeholder", "1")

    page.locator("#b-canastas-natural-canasta").tap()
    expect(page.locator("#b-melds")).to_be_visible()


LOW_CARDS = ("classica", "due", "sei", "cinque")
"""Variants whose card has few rows."""
HEIGHT_IN_SCREENS = "document.documentElement.scrollHeight / innerHeight"
"""How many screens the page is high."""
IS_WIDER_THAN_SCREEN = "document.documentElement.scrollWidth > innerWidth"
"""Whether the page is wider than the screen."""
VARIANTS_CLASSICA_FIRST = [
    "classica",
    *(variant for variant in variant_ids() if variant != "classica"),
]


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", VARIANTS_CLASSICA_FIRST)
def test_card_is_at_most_few_screens_high(
    open_page: OpenPage, new_match: NewMatch, variant: str
) -> None:
    """On a usual phone, with and without its keypad."""
    limit = 1.5 if variant in LOW_CARDS else 2.5
    page = show_card(open_page, new_match, variant)
    assert page.evaluate(HEIGHT_IN_SCREENS) <= limit
    assert not page.evaluate(IS_WIDER_THAN_SCREEN)

    typed_cells = page.locator(".cell input:not([type]):not([readonly])")
    if typed_cells.count():
        typed_cells.first.tap()
        expect(page.locator("#digits")).to_be_visible()
        assert page.evaluate(HEIGHT_IN_SCREENS) <= limit


LONG_NAMES = (
    "Giovanna e Massimiliano",
    "Le imbattibili di via Garibaldi",
    "Bartolomeo Quattrocchi",
)


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", VARIANTS_CLASSICA_FIRST)
def test_card_with_long_names_fits_small_phone(
    open_page: OpenPage, new_match: NewMatch, variant: str
) -> None:
    limit = 2 if variant == "classica" else 3
    names = LONG_NAMES[: len(settle(variant).settings.sides)]
    match = new_match(variant, names=names)
    page = open_page(address_of_count(match), width=320, height=640)

    assert page.evaluate(HEIGHT_IN_SCREENS) <= limit
    assert not page.evaluate(IS_WIDER_THAN_SCREEN)
    short_name = page.locator(".entry-head .short").first
    long_name = page.locator(".entry-head .long").first
    height_of_heading = "each => each.closest('h2').getBoundingClientRect().height"
    assert short_name.inner_text().lower() == "giova.–massi."
    assert long_name.inner_text().lower() == "giovanna e massimiliano"
    assert short_name.evaluate(height_of_heading) < 50

    page.set_viewport_size({"width": 1280, "height": 800})
    assert not short_name.is_visible()  # a wide screen shows the long name


MILLISECONDS_OF_TYPING = """() => ["1", "12", "120", "120+", "120+8", "120+85"].map((text) => {
  const field = document.getElementById("a-cards");
  const start = performance.now();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.getElementById("total-a").getBoundingClientRect();
  return performance.now() - start;
})"""
"""How long the card takes to follow each character that is typed."""


@pytest.mark.quick
def test_typing_takes_under_100_ms_on_slow_phone(open_page: OpenPage, new_match: NewMatch) -> None:
    page = show_card(open_page, new_match, "moderna")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})

    milliseconds = page.evaluate(MILLISECONDS_OF_TYPING)  # of 120+85, by character

    assert min(milliseconds) < 100, milliseconds  # other work on the machine delays some
    assert page.locator("#hand-a").inner_text() == "+205"


@pytest.mark.quick
def test_opening_is_chosen_by_tapping_melds(card: Page) -> None:
    """The opening is the melds laid in the turn in which a side lays its first ones."""
    card.locator("#cards-a summary").tap()
    card.locator("#a-melds").fill("4xK 2\n3xQ")
    card.locator("#more-a summary").tap()
    kings = card.get_by_role("button", name="4 re e 1 pinella")  # four kings and a two
    queens = card.get_by_role("button", name="3 donne")
    opening = card.locator("#a-opening")

    kings.tap()
    expect(opening).to_have_value("4xK 2")
    queens.tap()
    expect(opening).to_have_value("4xK 2\n3xQ")
    expect(kings).to_have_attribute("aria-pressed", "true")

    kings.tap()
    expect(opening).to_have_value("3xQ")
    expect(card.locator("#kept")).to_contain_text("Bozza al sicuro")
    expect(kings).to_have_attribute("aria-pressed", "false")


@pytest.mark.quick
def test_sums_follow_keys_without_network(card: Page) -> None:
    card.context.set_offline(True)

    tap_cell_and_keys(card, "a-cards", "1", "2", "0")
    assert card.locator("#hand-a").inner_text() == "+120"

    tap_keys(card, "+", "8", "5")
    assert card.locator("#hand-a").inner_text() == "+205"
    assert card.locator("#a-cards-echo").inner_text() == "= 205"
    assert card.locator("#total-a").inner_text() == "205"

    tap_cell_and_keys(card, "a-red_threes", "4")
    assert card.locator("#hand-a").inner_text() == "+1.005"  # 205 + 800 for four red threes
    card.context.set_offline(False)


@pytest.mark.quick
def test_tapped_cards_are_grouped_by_rank_and_counted(card: Page) -> None:
    card.locator("#cards-a summary").tap()
    expect(card.locator("#card-keys")).to_be_visible()

    tap_cards(card, "K", "K", "A", "A", "A", "K", "K", "K", "K", "2")

    expect(card.locator("#a-melds")).to_have_value("6xK 2\n3xA")
    # Six kings and a two are a mixed canasta of 60 + 20 points; three aces are 60.
    expect(card.locator("#a-melds-list li").first).to_have_text(
        "6 re e 1 pinella: canasta mista · 80 punti"
    )
    expect(card.locator("#a-canastas-mixed-canasta")).to_have_attribute("placeholder", "1")
    expect(card.locator("#a-cards")).to_have_attribute("placeholder", "140")
    expect(card.locator("#a-cards")).to_have_attribute("readonly", "")

    card.locator("#card-keys button[data-key='back']").tap()
    expect(card.locator("#a-melds")).to_have_value("6xK\n3xA")


@pytest.mark.quick
def test_back_button_after_save_skips_form_of_saved_hand(
    open_page: OpenPage, new_match: NewMatch
) -> None:
    match_path = f"/partite/{new_match()}"
    page = open_page(match_path)
    page.goto(f"{page.url}/smazzata")
    page.locator("#a-cards").fill("100")
    page.locator("#a-left").fill("0")
    page.locator("#b-cards").fill("50")
    page.locator("#b-left").fill("0")
    page.locator("label[for=out-nobody]").tap()
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()

    page.go_back()

    assert page.url.endswith(match_path)  # the page before the form
