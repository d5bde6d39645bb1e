"""The other side checks what one side counted: it confirms the hand, or counts it too.

The hand of these tests brings 430 points to Noi ("We", side `a`) and 60 to Loro ("They", side `b`).
"""

from __future__ import annotations

import pytest

from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Page, Visit
from tests.web.counting import notes_beside
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60
from tests.web.scorer import (
    differences,
    error_links,
    hand_form,
    shown_values,
)

CHECK_FROM_NOW = "D'ora in poi l'altra parte controlla"  # "From now on the other side checks"
FORM_150_TO_60 = {
    "a.cards": "150",
    "a.left": "0",
    "b.cards": "100",
    "b.left": "40",
    "out": "nobody",
}
"""A hand as it is typed: 150 points of cards laid for Noi; 100 for Loro, with 40 left in hand,
which count against them.
"""
CONFIRM_BUTTON = "È giusta: confermo"  # "It is right, I confirm"
PAGE_TO_CHECK = "smazzate/1/controlla"
"""The page on which the other side looks at the first hand."""
UNDO_CONFIRMATION = "Annulla la conferma della smazzata 1"  # "Undo the confirmation of hand 1"


@pytest.fixture
def first(player: Player) -> Player:
    """A phone that counted a hand, 430 to 60, in a match in which the other side checks."""
    player.submit("controllo", CHECK_FROM_NOW)
    player.play(HAND_430_TO_60)
    return player


@pytest.fixture
def other(first: Player, visit: Visit) -> Player:
    """A phone of the other side, which has to check the hand."""
    return Player(first.let_in(visit()), first.pad, first.match)


def waiting_hands(player: Player) -> list[str]:
    """Return what the page of the match says of hands that wait to be checked."""
    return player.page().texts("section", class_="awaited")


@pytest.fixture
def confirmed(first: Player, other: Player) -> Player:
    """The phone that counted a hand, which the other side confirmed."""
    other.submit(PAGE_TO_CHECK, CONFIRM_BUTTON)
    return first


@pytest.fixture
def contested(first: Player, other: Player) -> Player:
    """Let the other side count the hand again, with ten points more; return the first phone."""
    # The form is filled with the first count ("dal primo").
    page = other.page("smazzate/1/contesta?dal-primo=1")

    # Side b has 110 points of cards rather than 100. The 20 points that side a has left in hand are
    # typed as cards, two queens, which is the same.
    other.save({"b.cards": "110", "a.left": "", "a.left.0": "Q Q"}, page)
    return first


def choice_form(page: Page) -> dict[str, str]:
    """Return the fields that the button "This one holds" of the second count sends."""
    button = page.one("button", name="choose")
    return page.form_values("Vale questo") | {"choose": button["value"]}


def test_other_side_confirms_a_hand_once(first: Player, other: Player) -> None:
    # The first side has counted a hand: "… waits for the check of the other side".
    assert "aspetta il controllo dell'altra parte" in waiting_hands(first)[0]

    # The other side follows the link "Check", and presses the button twice.
    page = other.client.get(other.page().links()["Controlla"])
    confirmed = other.submit(page, CONFIRM_BUTTON)
    sent_again = other.submit(page, CONFIRM_BUTTON)

    # "Hand 1 confirmed." is said once, and no hand waits any more.
    assert "Smazzata 1 confermata." in confirmed.text
    assert "Smazzata 1 confermata." not in sent_again.text
    assert waiting_hands(first) == []


def test_checking_can_be_switched_on_and_off(player: Player) -> None:
    # "Now new hands wait for the check of the other side."
    switched_on = player.submit("controllo", CHECK_FROM_NOW)
    on_notice = "Adesso le smazzate nuove aspettano il controllo dell'altra parte."
    assert switched_on.notices == [on_notice]

    # The button "No more checks" is pressed: "Now nobody checks, and what is written holds."
    switched_off = player.submit("controllo", "Basta controlli")
    assert switched_off.notices == ["Adesso nessuno controlla: quello che si scrive vale."]

    player.play(HAND_430_TO_60)
    assert waiting_hands(player) == []


def test_side_that_counted_cannot_confirm(first: Player) -> None:
    # The first side has counted a hand, and looks at the page on which it is confirmed.
    page = first.page(PAGE_TO_CHECK)
    assert "la controlla l'altra parte" in page.text  # "the other side checks it"
    assert "confermo" not in page.text  # "I confirm"


def test_hand_corrected_meanwhile_is_not_confirmed(first: Player, other: Player) -> None:
    # The first side has counted a hand. While the other one looks at it, 100 points of cards are
    # corrected to 110.
    page = other.page(PAGE_TO_CHECK)
    first.save({"b.cards": "110"}, first.correct())

    # The other side confirms what it saw. "Nothing was confirmed", and the new points are shown.
    refused = other.submit(page, CONFIRM_BUTTON, status=409)

    assert "Non è stato confermato niente" in refused.text
    assert "+110" in refused.text
    assert first.hands[0].confirmed is None


def test_two_counts_are_compared_and_one_is_chosen(contested: Player, other: Player) -> None:
    # A hand was counted by both sides. Both phones show the "Second count".
    assert "Secondo conto (" in contested.page().text
    assert "Secondo conto (" in other.page().text

    # The two counts differ in the cards that Loro laid, and so in the sum of their hand.
    page = contested.page(PAGE_TO_CHECK)
    assert differences(page.one(class_="warn")) == [
        ["Loro: Carte calate", "+100", "+110"],
        ["Loro: Smazzata", "+60", "+70"],
    ]

    # The second count is chosen. 70 = 110 − 40 left in hand.
    contested.client.post(page.url, choice_form(page))
    assert contested.points == [[430, 70]]


@pytest.mark.parametrize("chosen", ["0", "x", "", "99"])
def test_invalid_choice_of_count_is_refused(contested: Player, chosen: str) -> None:
    # Both sides have counted a hand, and one count is to be chosen. Its button sends a number.
    page = contested.page(PAGE_TO_CHECK)
    invalid_choice = choice_form(page) | {"choose": chosen}

    contested.client.post(page.url, invalid_choice, status=400)

    assert contested.points == [[430, 60]], "the first count, as before"


def board_facts(player: Player) -> str:
    """Return what the board of the match, a page to look at from afar, says of the match."""
    return player.page("tabellone").one(id="board-facts").text


def test_board_shows_hands_to_confirm(first: Player) -> None:
    assert "Smazzate da confermare: 1" in board_facts(first)  # "Hands to confirm"


def test_board_shows_contested_hands(contested: Player) -> None:
    # "Hands with two counts, to choose from"
    assert "Smazzate con due conti, da scegliere: 1" in board_facts(contested)
    assert "da confermare" not in board_facts(contested)  # "to confirm"


def test_viewer_is_told_that_it_may_only_look(first: Player, other: Player, guest: Client) -> None:
    # A third phone comes in with the key that only lets it look.
    first.let_in(guest, VIEW_COOKIE)
    page = guest.get(first.match)

    # "From this phone one can only look." The phone of the other side may do more.
    assert "Da questo telefono si guarda soltanto." in page.text
    assert "si guarda soltanto" not in other.page().text
    assert page.links()["Altri telefoni"] == f"{first.match}/telefoni"  # "Other phones"


def test_undo_of_confirmation_needs_a_reason(confirmed: Player) -> None:
    # The other side has confirmed a hand. This is undone on a page of its own.
    page = confirmed.page("annulla")
    assert page.heading == UNDO_CONFIRMATION

    # Blanks are no reason: "write why".
    refused = confirmed.submit(page, UNDO_CONFIRMATION, status=422, reason="  ")
    assert "scrivi perché" in refused.errors[0]

    # With "I misread", the confirmation is undone, and the hand waits to be checked again.
    undone = confirmed.submit(refused, UNDO_CONFIRMATION, reason="ho letto male")
    assert "Conferma della smazzata 1 annullata." in undone.text
    assert confirmed.hands[0].waits


@pytest.mark.parametrize("field", ["csrf_token", "request_id", "seen"])
def test_reason_is_kept_when_the_form_is_invalid(confirmed: Player, field: str) -> None:
    # The other side has confirmed a hand. This is to be undone.
    page = confirmed.page("annulla")
    form = page.form_values(UNDO_CONFIRMATION) | {"reason": "ho letto male"}  # "I misread"

    # A hidden field of the form is empty. "What was written is still here"
    refused = confirmed.client.post(page.url, form | {field: ""}, status=422)
    assert "Quello che c'era scritto è ancora qui" in refused.errors[0]
    assert refused.value_of("reason") == "ho letto male"

    # From the page of the refusal it is enough to press the button again.
    confirmed.submit(refused, UNDO_CONFIRMATION)
    assert confirmed.hands[0].waits


def test_reason_is_kept_when_another_changed_the_match(confirmed: Player, other: Player) -> None:
    # The other side has confirmed a hand. While one phone shows the page to undo that, another
    # phone changes the place of the match.
    page = confirmed.page("annulla")
    other.submit("nomi", "Salva", place="Ostia")

    refused = confirmed.submit(page, UNDO_CONFIRMATION, status=409, reason="ho letto male")

    # Undone is always the last change: "see on the button what is undone now".
    assert "guarda sul pulsante che cosa si annulla adesso" in refused.errors[0]
    assert refused.heading == "Annulla il cambio dei nomi"  # "Undo the change of names"
    assert refused.value_of("reason") == "ho letto male"
    assert confirmed.hands[0].confirmed


# ---------------------------------------------------------------- counted by the other side too


def test_other_side_counts_the_hand_anew(other: Player) -> None:
    # The first side has counted a hand, 430 to 60. The other side gets an empty form, so as to
    # count it without looking at the first count.
    page = other.contest()
    assert page.heading == "La conto anch'io: smazzata 1"  # "I count it too"
    assert "Contala da capo" in hand_form(page).text  # "Count it anew"
    assert shown_values(page)["a.cards"] == ""

    # It counts 150 points of cards for Noi, and for Loro 100 less 40 left in hand.
    other.save(FORM_150_TO_60, page)

    # The first count holds until one of the two is chosen.
    assert other.points == [[430, 60]]

    # The second one is kept beside it, as lines of the score.
    second_count = other.hands[0].contest.event
    lines_of_noi, lines_of_loro = second_count.lines
    assert sum(line.points for line in lines_of_noi) == 150
    assert sum(line.points for line in lines_of_loro) == 60


def test_contest_is_checked_while_typing(other: Player) -> None:
    # The other side counts a hand that the first side has counted.
    page = other.contest()

    # It types 150 points of cards for Noi ("We"), and 100 less 40 for the other side. Meanwhile the
    # script of the page asks for the totals: "We, +150 in this hand, 150 in all."
    shown = other.while_typing(FORM_150_TO_60, page)
    totals = shown.one(id="count-status").text
    assert "Noi: +150 in questa smazzata, 150 in tutto." in totals
    assert shown.one("button", value="save").text == "Salva il mio conto"  # "Save my count"

    # Without JavaScript there is a button to check what is typed so far.
    checked = other.check({"a.cards": "150"}, page)
    assert shown_values(checked)["a.cards"] == "150"

    # Neither has saved a second count.
    assert other.hands[0].contest is None


def test_invalid_contest_is_refused_and_kept(other: Player) -> None:
    # The other side counts a hand too. No cards have 152 points together, as the points of each
    # card are a multiple of 5.
    typed = {"a.cards": "152", "a.left": "0", "reason": "manca un asso"}  # "an ace is missing"

    page = other.save(typed, other.contest(), status=422)

    assert page.title.startswith("Errore: La conto anch'io: smazzata 1")  # "Error, I count it too"
    assert typed.items() <= shown_values(page).items()
    assert other.hands[0].contest is None


def test_contest_may_begin_with_the_first_count(other: Player) -> None:
    # The other side counts a hand too that the first side has counted.
    begin_with_first_count = "Parti dal primo conto"  # "Begin with the first count"

    # An empty form is refused. It still has the link, and so it has while somebody types.
    refused = other.save({}, other.contest(), status=422)
    link = refused.links()[begin_with_first_count]
    while_typing = other.while_typing({}, refused)
    assert while_typing.one(id="first").one("a")["href"] == link

    # The link leads to the form with the first count. There it is gone, because a tap on it would
    # overwrite what was typed since.
    page = other.client.get(link)
    first_count = {"a.cards": "150", "a.left": "20", "b.cards": "100", "b.left": "40"}
    assert first_count.items() <= shown_values(page).items()
    assert begin_with_first_count not in page.links()


def test_contest_against_the_rules_may_be_agreed(other: Player) -> None:
    # The other side counts a hand too. Noi ("We") went out, but in this count they have no canasta,
    # which going out needs.
    out_without_canasta = {**FORM_150_TO_60, "out": "a"}
    refused = other.save(out_without_canasta, other.contest(), status=422)

    # The table agreed on it all the same: "a good going out".
    other.save({"agreed": "chiusura buona"}, refused)
    assert other.hands[0].contest.event.agreed == "chiusura buona"


def test_contest_of_a_corrected_hand_shows_both(first: Player, other: Player) -> None:
    # The other side opens the form to count the hand too.
    page = other.contest()

    # Meanwhile the first side corrects its count: Noi ("We") laid 145 points of cards.
    correction_page = first.correct()
    first.save({"a.cards": "145"}, correction_page)

    # The other side has counted 150, and saves. The page shows what differs: "We, cards laid".
    conflict = other.save(FORM_150_TO_60, page, status=409)
    assert ["Noi: Carte calate", "145", "150"] in differences(conflict)

    # It goes on with "what I wrote", which stands in the form "I count it too" again.
    form = other.submit(conflict, "quello che ho scritto io")
    assert form.heading == "La conto anch'io: smazzata 1"
    assert shown_values(form)["a.cards"] == "150"


def test_side_that_counted_cannot_contest(first: Player) -> None:
    # The first side has counted a hand. It opens the page on which the other side counts it too.
    page = first.contest()

    # "You have counted this hand yourselves, and the other side checks it."
    assert page.notices == ["Questa smazzata l'avete contata voi: la controlla l'altra parte."]
    assert page.url == first.match


@pytest.mark.parametrize("number", [1, 2])
def test_hand_cannot_be_contested_where_nobody_checks(leading: Player, number: int) -> None:
    # Hand 1 is counted, hand 2 is not. In this match no side checks the other.
    leading.page(f"smazzate/{number}/contesta", status=404)


def test_correction_of_confirmed_hand_needs_a_reason(confirmed: Player) -> None:
    # The other side has confirmed a hand, which is corrected now.
    page = confirmed.correct()
    assert "Perché cambia?" in page.texts("label")  # "Why does it change?"

    # 150 points of cards laid become 145: "This hand is confirmed already, write why it changes."
    refused = confirmed.save({"a.cards": "145"}, page, status=422)
    assert refused.errors == ["Questa smazzata è già confermata: scrivi perché cambia."]
    assert error_links(refused) == ["#reason"]
    assert refused.errors[0] in notes_beside(refused, "reason")[0]
    assert shown_values(refused)["a.cards"] == "145"
    assert confirmed.points == [[430, 60]]

    # "One four less": a four has 5 points, so that 430 become 425.
    confirmed.save({"reason": "un quattro in meno"}, refused)
    assert confirmed.points == [[425, 60]]
