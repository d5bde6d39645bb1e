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


def show_card(open_page: OpenPage, new_match: NewMatch, variant: str = "classica") -> Page:
    """Open the score card of the first hand of a new match, on a usual phone."""
    number_of_sides = len(settle(variant).settings.sides)
    names = ("Noi", "Loro", "Altri")[:number_of_sides]  # "We", "They", "Others"
    match = new_match(variant, names=names)
    return open_page(address_of_count(match))


@pytest.fixture
def card(open_page: OpenPage, new_match: NewMatch) -> Page:
    """Open the score card of the first hand of a match of classica, the usual variant."""
    return show_card(open_page, new_match)


def tap_cell_and_keys(page: Page, cell: str, *keys: str) -> None:
    """Tap a cell (`a-cards`), and then these keys of the keypad at the bottom of the screen."""
    page.locator(f"#{cell}").tap()
    tap_keys(page, *keys)


def tap_keys(page: Page, *keys: str) -> None:
    """Tap these keys of the keypad: a digit, "+" or "next", which leads to the next cell."""
    for key in keys:
        page.locator(f"#digits button[data-key='{key}']").tap()


def values_of_cells(page: Page, *cells: str) -> list[str]:
    """Read what stands in these cells."""
    return [page.locator(f"#{cell}").input_value() for cell in cells]


@pytest.mark.quick
def test_usual_hand_is_entered_with_at_most_eighteen_taps(
    open_page: OpenPage, new_match: NewMatch, pad: Pad
) -> None:
    match = new_match()
    page = open_page(address_of_count(match))

    # Natural canastas, mixed ones, points of cards, red threes and points left in hand are typed in
    # this order. A cell that takes one digit moves on to the next cell by itself.
    # Noi have two natural canastas, a mixed one, cards worth 245, two red threes, nothing in hand.
    keys_for_noi = ["2", "1", "2", "4", "5", "next", "2", "0"]
    # Loro have no natural canasta, a mixed one, cards worth 130, no red three, 85 left in hand.
    keys_for_loro = ["0", "1", "1", "3", "0", "next", "0", "8", "5"]
    # One tap more says who went out.
    taps = 1 + len(keys_for_noi) + len(keys_for_loro)
    assert taps <= 18

    # Noi went out. Then the keypad begins with their first cell.
    page.locator("label[for=out]").tap()
    tap_keys(page, *keys_for_noi, *keys_for_loro)

    # 2 × 500 + 300 + 245 + 2 × 100 + 100 for going out
    assert page.locator("#hand-a").inner_text() == "+1.845"
    # 300 + 130 − 85
    assert page.locator("#hand-b").inner_text() == "+345"

    # "Save the hand"
    with page.expect_navigation():
        page.get_by_role("button", name="Salva la smazzata").tap()
    saved_hand = pad.state(match, DEVICE).hands[0]
    assert [side.hand for side in saved_hand.sides] == [1845, 345]


def test_next_key_starts_with_column_of_own_side(
    open_page: OpenPage, new_match: NewMatch, pad: Pad
) -> None:
    # The phone belongs to a player of Loro (side 1, key "b"), whose column comes first.
    match = new_match()
    pad.devices.set_side_and_holder(match, DEVICE, 1)
    page = open_page(f"/partite/{match}/smazzata")

    tap_cell_and_keys(page, "b-left", "5", "next", "2")

    # From the last cell of Loro the key has led to the first one of Noi.
    assert values_of_cells(page, "b-left", "a-canastas-natural-canasta") == ["5", "2"]


@pytest.mark.quick
def test_next_key_skips_no_cell_after_digit_that_moved_on(card: Page) -> None:
    cells = ("a-canastas-natural-canasta", "a-canastas-mixed-canasta", "a-cards", "a-red_threes")

    # A number of canastas has one digit, after which the card moves on to the next cell by itself.
    # Somebody presses the key for the next cell all the same.
    tap_cell_and_keys(
        card, "a-canastas-natural-canasta", "2", "next", "1", "next", "5", "next", "3"
    )

    assert values_of_cells(card, *cells) == ["2", "1", "5", "3"]


@pytest.mark.quick
def test_digit_replaces_value_of_cell_and_plus_continues_it(card: Page) -> None:
    # Somebody types 300, goes to another cell, and comes back to type the right number.
    tap_cell_and_keys(card, "a-cards", "3", "0", "0")
    tap_cell_and_keys(card, "a-left")
    tap_cell_and_keys(card, "a-cards", "3", "1", "0")
    expect(card.locator("#a-cards")).to_have_value("310")

    # They come back once more to add what they had forgotten.
    tap_cell_and_keys(card, "a-left")
    tap_cell_and_keys(card, "a-cards", "+", "4", "0")
    expect(card.locator("#a-cards")).to_have_value("310+40")


@pytest.mark.quick
def test_sums_are_visible_above_keypad(open_page: OpenPage, new_match: NewMatch, pad: Pad) -> None:
    # The names of four players take space. Tapping that Noi went out opens the keypad.
    match = new_match(players=(("Marta", "Gino"), ("Pina", "Massimiliano")))
    page = open_page(f"/partite/{match}/smazzata")
    page.locator("label[for=out]").tap()
    expect(page.locator("#digits")).to_be_visible()

    # Both the sum of this hand and the total of the match lie between the top of the screen and the
    # bar, which stands on the keypad.
    top_of_keypad = page.locator(".bar").bounding_box()["y"]
    for name in ("#hand-a", "#total-b"):
        box = page.locator(name).bounding_box()
        bottom = box["y"] + box["height"]
        assert box["y"] >= 0
        assert bottom <= top_of_keypad


@pytest.mark.quick
def test_cell_of_mini_opens_cards_of_its_side(open_page: OpenPage, new_match: NewMatch) -> None:
    # In the variant mini nobody types how many canastas there are. The cards are entered.
    page = show_card(open_page, new_match, "mini")
    expect(page.locator("#a-melds")).to_be_hidden()

    # A tap on the cell opens the keys of the cards. Five kings are a canasta of this variant.
    page.locator("#a-canastas-natural-canasta").tap()
    tap_cards(page, "K", "K", "K", "K", "K")
    expect(page.locator("#a-canastas-natural-canasta")).to_have_attribute("placeholder", "1")

    # The cell of the other side opens the cards of that side.
    page.locator("#b-canastas-natural-canasta").tap()
    expect(page.locator("#b-melds")).to_be_visible()


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
    # On a usual phone the card of these four has few rows. That of others has more.
    limit = 1.5 if variant in ("classica", "due", "sei", "cinque") else 2.5
    page = show_card(open_page, new_match, variant)
    assert page.evaluate(HEIGHT_IN_SCREENS) <= limit
    assert not page.evaluate(IS_WIDER_THAN_SCREEN)

    # The keypad, which opens where there is a cell to type in, does not make the page higher.
    typed_cells = page.locator(".cell input:not([type]):not([readonly])")
    if typed_cells.count():
        typed_cells.first.tap()
        expect(page.locator("#digits")).to_be_visible()
        assert page.evaluate(HEIGHT_IN_SCREENS) <= limit


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", VARIANTS_CLASSICA_FIRST)
def test_card_with_long_names_fits_small_phone(
    open_page: OpenPage, new_match: NewMatch, variant: str
) -> None:
    # Most variants have two sides, some three.
    number_of_sides = len(settle(variant).settings.sides)
    long_names = (
        "Giovanna e Massimiliano",
        "Le imbattibili di via Garibaldi",
        "Bartolomeo Quattrocchi",
    )
    match = new_match(variant, names=long_names[:number_of_sides])
    page = open_page(address_of_count(match), width=320, height=640)

    # The card is at most two screens high, or three in a variant with more rows, and not wider than
    # the screen.
    most_screens = 2 if variant == "classica" else 3
    assert page.evaluate(HEIGHT_IN_SCREENS) <= most_screens
    assert not page.evaluate(IS_WIDER_THAN_SCREEN)

    # The head of the first column has the name in full, and a short one for small screens.
    long_name = page.locator(".entry-head .long").first
    short_name = page.locator(".entry-head .short").first
    assert long_name.inner_text().lower() == "giovanna e massimiliano"
    assert short_name.inner_text().lower() == "giova.–massi."

    # With the short one the head has a single line, of less than 50 pixels.
    height_of_head = "name => name.closest('h2').getBoundingClientRect().height"
    assert short_name.evaluate(height_of_head) < 50

    # On a wide screen the short name is not shown.
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not short_name.is_visible()


MILLISECONDS_OF_TYPING = """() => ["1", "12", "120", "120+", "120+8", "120+85"].map((text) => {
  const field = document.getElementById("a-cards");
  const start = performance.now();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.getElementById("total-a").getBoundingClientRect();
  return performance.now() - start;
})"""
"""Type `120+85` character by character, and measure how long the sums take to follow each."""


@pytest.mark.quick
def test_typing_takes_under_100_ms_on_slow_phone(open_page: OpenPage, new_match: NewMatch) -> None:
    # This variant has many rows. The processor is slowed down to a quarter.
    page = show_card(open_page, new_match, "moderna")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})

    milliseconds = page.evaluate(MILLISECONDS_OF_TYPING)  # one figure for each character

    # The fastest counts, because other work on the machine delays some.
    assert min(milliseconds) < 100, milliseconds
    assert page.locator("#hand-a").inner_text() == "+205"  # 120 + 85


@pytest.mark.quick
def test_opening_is_chosen_by_tapping_melds(card: Page) -> None:
    # A side has laid two melds in the hand: four kings with a two, and three queens.
    card.locator("#cards-a summary").tap()
    card.locator("#a-melds").fill("4xK 2\n3xQ")

    # Its opening are the melds of the turn in which it laid its first ones. Each meld of the hand
    # has a button there.
    card.locator("#more-a summary").tap()
    kings = card.get_by_role("button", name="4 re e 1 pinella")
    queens = card.get_by_role("button", name="3 donne")
    opening = card.locator("#a-opening")

    # The first tap on a button adds the meld to the opening.
    kings.tap()
    expect(opening).to_have_value("4xK 2")
    queens.tap()
    expect(opening).to_have_value("4xK 2\n3xQ")
    expect(kings).to_have_attribute("aria-pressed", "true")

    # The second tap removes it, also after the draft was stored and the page updated.
    kings.tap()
    expect(opening).to_have_value("3xQ")
    expect(card.locator("#kept")).to_contain_text("Bozza al sicuro")
    expect(kings).to_have_attribute("aria-pressed", "false")


@pytest.mark.quick
def test_sums_follow_keys_without_network(card: Page) -> None:
    # The script of the page counts by itself.
    card.context.set_offline(True)

    tap_cell_and_keys(card, "a-cards", "1", "2", "0")
    assert card.locator("#hand-a").inner_text() == "+120"

    # "120+85" is typed. Beside the cell stands the result.
    tap_keys(card, "+", "8", "5")
    assert card.locator("#hand-a").inner_text() == "+205"
    assert card.locator("#a-cards-echo").inner_text() == "= 205"
    assert card.locator("#total-a").inner_text() == "205"

    # A red three is worth 100, but all four together 800.
    tap_cell_and_keys(card, "a-red_threes", "4")
    assert card.locator("#hand-a").inner_text() == "+1.005"
    card.context.set_offline(False)


@pytest.mark.quick
def test_tapped_cards_are_grouped_by_rank_and_counted(card: Page) -> None:
    # The field for the melds of Noi ("we", key "a") opens with keys for the cards.
    card.locator("#cards-a summary").tap()
    expect(card.locator("#card-keys")).to_be_visible()

    # The cards are tapped in any order, and grouped by their rank: six kings and three aces. The two,
    # a wild card, joins the kings, which were tapped just before it.
    melds = card.locator("#a-melds")
    tap_cards(card, "K", "K", "A", "A", "A", "K", "K", "K", "K", "2")
    expect(melds).to_have_value("6xK 2\n3xA")

    # "6 kings and 1 two: mixed canasta, 80 points". Seven cards with a wild one are a mixed canasta,
    # and the points are those of its cards, 6 × 10 + 20.
    first_meld = card.locator("#a-melds-list li").first
    expect(first_meld).to_have_text("6 re e 1 pinella: canasta mista · 80 punti")

    # The pad fills in the cells that it can count: one mixed canasta, and the points of all cards,
    # 80 + 3 × 20 for the aces. The latter cannot be typed any more.
    mixed_canastas = card.locator("#a-canastas-mixed-canasta")
    points_of_cards = card.locator("#a-cards")
    expect(mixed_canastas).to_have_attribute("placeholder", "1")
    expect(points_of_cards).to_have_attribute("placeholder", "140")
    expect(points_of_cards).to_have_attribute("readonly", "")

    # The key to go back removes the card that was tapped last, the two.
    card.locator("#card-keys button[data-key='back']").tap()
    expect(melds).to_have_value("6xK\n3xA")


@pytest.mark.quick
def test_back_button_after_save_skips_form_of_saved_hand(
    open_page: OpenPage, new_match: NewMatch
) -> None:
    # The user goes from the page of the match to the form of the hand, fills it in and saves it.
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

    # The button of the browser leads to the page before the form.
    page.go_back()

    assert page.url.endswith(match_path)
