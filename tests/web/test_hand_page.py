"""The page of a hand without JavaScript: what is typed is kept, told, refused with its remedy, and
counted.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from tests.web.client import Page, Visit
from tests.web.counting import column_heads, hand_sums, notes_beside, still_missing
from tests.web.player import Begin, Player
from tests.web.playing import hand, side, start
from tests.web.scorer import differences, error_links, hand_form, link_to, shown_values
from tests.web.tables import read_tables

CASES = read_tables("hand_page")
FORM_1320_TO_1105 = {
    "a.canastas.natural-canasta": "1",
    "a.canastas.mixed-canasta": "1",
    "a.cards": "335",
    "a.red_threes": "1",
    "a.left": "15",
    "b.canastas.natural-canasta": "1",
    "b.canastas.mixed-canasta": "1",
    "b.cards": "290",
    "b.red_threes": "1",
    "b.left": "85",
    "out": "a",
}
"""The fields of a whole hand, `a.` of Noi ("we") and `b.` of Loro ("they").

Noi have 500 + 300 + 335 + 100 for a red three + 100 for going out − 15 = 1320, and Loro
500 + 300 + 290 + 100 − 85 = 1105.
"""
FORM_WITHOUT_CARDS_OF_NOI = {
    name: "" if name.startswith(("a.canastas", "a.cards")) else text
    for name, text in FORM_1320_TO_1105.items()
}
"""The same without the canastas and cards of Noi."""
TEN_LEFT_EACH = {"a.left": "10", "b.left": "10"}
REST_OF_HAND = {**TEN_LEFT_EACH, "b.cards": "0", "out": "nobody"}
"""The fields that a hand needs beside the melds of Noi: Loro laid nothing, nobody went out."""


# ---------------------------------------------------------------- before counting


def test_page_shows_totals_opening_minimums_and_rules_of_going_out(player: Player) -> None:
    # One hand has been played.
    # Noi: 3 × 500 + 300 + 2 × 100 for red threes + 100 for going out = 2,100
    noi = side(300, natural=3, red_threes=2, left=0)
    # Loro: 100 − 40 = 60
    loro = side(100, left=40)
    player.play(hand(noi, loro, out="a"))

    page = player.open()

    assert page.heading == "Smazzata 2"  # "Hand 2"
    assert page.one(id="total-a").text == "2.100"
    assert page.one(id="total-b").text == "60"

    # The first melds of a side need 50 points, and 90 from a total of 1,500 on.
    assert column_heads(page) == ["Noi apre con 90", "Loro apre con 50"]

    facts = page.one(id="live")
    assert "2.100 punti prima di questa smazzata" in facts.text  # "before this hand"
    going_out, bonus = facts.one("ul").texts("li")[:2]
    # To go out takes at least one canasta. It gives 100 points, and 200 if it is concealed, all
    # cards at once.
    assert going_out == "Per chiudere: almeno 1 canasta."
    assert bonus == "Premio di chiusura: 100, in mano 200."


def test_concealed_canastas_have_a_field_if_rules_count_them(begin: Begin) -> None:
    # This codification gives a bonus for a canasta that is laid as a whole from the hand.
    page = begin(preset="getty").open()
    assert page.one("input", name="a.canastas.concealed-canasta")

    # Where cards are entered one by one, the page says how such a canasta is marked.
    how_to_mark = "calata intera dalla mano"
    assert how_to_mark in page.one("details", id="cards-b").text


def test_players_without_names_have_short_numbered_names(begin: Begin) -> None:
    # Three play, each alone, and nobody typed a name. "Giocat. 1" stands for "Giocatore 1".
    heads = begin("tre").open().all("div", class_="entry-head")
    short_names = [head.one("bdi", class_="short").text for head in heads]
    assert short_names == ["Giocat. 1", "Giocat. 2", "Giocat. 3"]


def test_cards_are_unfolded_for_sides_that_entered_cards_last_time(player: Player) -> None:
    # In the first hand Noi entered their cards, and Loro only the points of theirs.
    noi = {"melds": ["3xA"], "left": 20}
    loro = side(60, left=20)
    player.play(hand(noi, loro))

    page = player.open()

    assert page.is_unfolded("cards-a")
    assert not page.is_unfolded("cards-b")


def test_enter_key_checks_instead_of_saving(player: Player) -> None:
    # For the Enter key a browser presses the first button of the form.
    first_button = hand_form(player.open()).all("button")[0]
    assert first_button["value"] == "check"


# ---------------------------------------------------------------- counting


def test_cards_can_be_written_in_words(player: Player) -> None:
    typed = {
        # Four kings, two twos and a joker: 40 + 40 + 50 = 130. Three queens: 30.
        "a.melds": "4 re, 2 pinelle e 1 jolly\n\ntre donne",
        "a.left": "0",
        "b.cards": "0",
        # A king and two fours: 10 + 5 + 5 = 20.
        "b.left.0": "1 re 2 quattro",
        "out": "a",
    }

    # While they are typed, the page says how it reads them: "mixed canasta", "meld".
    page = player.while_typing(typed)
    assert page.one(id="a-melds-list").texts("li") == [
        "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti",
        "3 donne: combinazione · 30 punti",
    ]
    assert page.one(id="b-left-0-echo").text == "1 re e 2 quattro · 20 punti"

    player.save(typed)
    # 300 for the mixed canasta + 130 + 30 + 100 for going out
    assert player.points == [[560, -20]]


def test_english_number_may_have_comma_between_thousands(visit: Visit, pad: Pad) -> None:
    english = visit("en")
    player = Player(english, pad, start(english))

    player.save({**FORM_1320_TO_1105, "a.cards": "1,000"})

    # 1,000 points of cards in place of 335: 1,320 − 335 + 1,000
    assert player.points == [[1985, 1105]]


def test_player_who_went_out_is_named_even_after_being_replaced(begin: Begin) -> None:
    # Where the players have names, the form asks which of them went out.
    player = begin(player_0_0="Ada", player_0_1="Bruno")
    choices = [choice["value"] for choice in player.open().all("input", name="out")]
    assert choices == ["a", "a.0", "a.1", "b", "nobody"]

    match_page = player.save({**FORM_1320_TO_1105, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in match_page.one("li", id="smazzata-1").text  # "Went out"

    # From the next hand on Carla plays in Bruno's place. The first hand still has his name.
    match_page = player.replace("0-1", "Carla")
    assert "Chiusura: Bruno (Noi)." in match_page.one("li", id="smazzata-1").text


def test_unknown_player_who_went_out_is_saved_as_the_side(player: Player) -> None:
    # "a.7" would be the eighth player of Noi, who are two.
    player.save({**FORM_1320_TO_1105, "out": "a.7"})
    out = player.hands[0].counted.hand.out
    assert out.side == 0
    assert out.player is None


def test_typed_melds_are_counted_in_place_of_totals(player: Player) -> None:
    # Loro have three kings with a two, and seven queens.
    page = player.check({"b.melds": "3xK 2\n7xQ"})

    # The pad fills in the totals: seven queens are a natural canasta, and 30 + 20 + 70 points.
    assert page.one("input", id="b-canastas-natural-canasta")["placeholder"] == "1"
    assert page.one("input", id="b-cards")["placeholder"] == "120"
    assert page.one("input", id="b-cards").has("readonly")

    # Without the melds the totals can be typed again.
    page = player.check({"b.melds": ""}, page)
    assert not page.one("input", id="b-cards").has("readonly")


def test_opening_is_chosen_by_buttons_beside_melds(player: Player) -> None:
    # Noi have laid three aces and four kings in the hand. The opening are the melds of the turn in
    # which they laid their first ones. A button beside each meld adds it.
    page = player.check({**REST_OF_HAND, "a.melds": "3xA\n4xK"})

    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "3xA"
    buttons = [button for button in page.all("button") if button.has("data-opening")]
    assert [button["aria-pressed"] for button in buttons] == ["true", "false"]

    page = player.press("opening.a.1", {}, page)
    assert shown_values(page)["a.opening"] == "3xA\n4xK"

    # Pressed again, it removes the meld.
    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "4xK"

    # Four kings are 40 points, which is not enough to open: "at least 50 points".
    refused = player.save({}, page)
    assert "almeno 50 punti" in refused.errors[0]


def test_hand_with_warning_is_saved(player: Player) -> None:
    # Two melds of kings are possible, but would usually be one.
    page = player.check({**REST_OF_HAND, "a.melds": "3xK\n4xK"})
    assert "Attenzione: " in notes_beside(page, "a.melds")[0]  # "Attention: "

    saved = player.save({}, page)
    assert saved.url == player.match
    assert [warning.code for warning in player.hands[0].warnings] == ["meld-rank-repeated"]


def test_hand_page_of_finished_match_leads_to_match(player: Player) -> None:
    player.end("time")
    assert player.open().url == player.match


# ---------------------------------------------------------------- refused, and nothing lost


@pytest.fixture
def impossible_hand() -> dict[str, str]:
    """Make a hand in which Noi went out without a canasta, and Loro have 12 points left, which is
    no multiple of 5.
    """
    no_canasta = {"a.canastas.natural-canasta": "0", "a.canastas.mixed-canasta": ""}
    return {**FORM_1320_TO_1105, **no_canasta, "b.left": "12"}


def test_impossible_hand_shows_reasons_beside_fields(
    player: Player, impossible_hand: dict[str, str]
) -> None:
    page = player.save(impossible_hand)

    # "Noi cannot go out, for which at least one canasta is needed. …"
    out_without_canasta = (
        "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
        " Completa il conto o togli la chiusura."
    )
    # "12 points are not possible. …"
    no_multiple = (
        "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5."
        " Controlla la cifra."
    )
    assert page.errors == [out_without_canasta, no_multiple]
    assert error_links(page) == ["#out", "#b-left"]

    # Beside the field, an error that comes from a rule of the game names the rule, with a link.
    rule = (
        "Regola: Wikipedia: «Chiusura, punteggi e vittoria»."
        " Leggi la regola (si apre in un'altra pagina)"
    )
    assert notes_beside(page, "out") == [f"Errore: {out_without_canasta} {rule}"]
    assert no_multiple in notes_beside(page, "b.left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"


def test_impossible_hand_is_not_saved_and_keeps_input(
    player: Player, impossible_hand: dict[str, str]
) -> None:
    page = player.save(impossible_hand)

    shown = shown_values(page)
    for field, text in impossible_hand.items():
        assert shown.get(field, "") == text
    assert player.hands == []


def test_refused_hand_redirects_to_page_with_its_errors(player: Player) -> None:
    # After a redirect the browser does not send the form again when the page is reloaded.
    refusal_url = f"{player.match}/smazzata?errori=1"
    no_multiple_of_5 = {**FORM_1320_TO_1105, "b.left": "12"}
    form = {**shown_values(player.open()), **no_multiple_of_5, "do": "save"}

    answer = player.client.raw.post(f"{player.match}/smazzata", data=form)

    assert answer.status_code == 303
    assert answer.location == refusal_url
    assert len(player.client.get(refusal_url).errors) == 1

    # Without the query in the address the form is as while it is typed, without errors.
    assert not player.open().errors


def test_live_update_of_refused_hand_has_no_errors(player: Player) -> None:
    # A hand was refused: 12 is no multiple of 5.
    player.save({**FORM_1320_TO_1105, "b.left": "12"})
    refusal_url = f"{player.match}/smazzata?errori=1"

    # Another phone typed something, so the script of the page fetches the page again.
    answer = player.client.raw.get(refusal_url, headers={"Scorepad-Live": "1"})

    page = Page(answer, refusal_url)
    assert not page.errors
    # A hidden field remembers that the hand was refused, so that the page still says whether
    # players may agree to it.
    assert shown_values(page)["refused"] == "1"


def test_blank_hand_is_refused_and_not_stored_as_draft(player: Player) -> None:
    refused = player.save({"a.cards": " "})
    # Missing are the cards laid and left of both sides, and who went out.
    assert len(refused.errors) == 5
    assert player.state.open_hand is None


@pytest.mark.parametrize("case", CASES["refused"])
def test_wrong_number_shows_error_beside_field_and_keeps_input(
    player: Player, case: dict[str, Any]
) -> None:
    # An example from `hand_page.toml`: {"b.house.0.points": "25"}, a penalty without a reason. In
    # the field "b.house.0.reason" the page asks "What is the reason".
    field = case["field"]

    page = player.save({**FORM_1320_TO_1105, **case["typed"]})

    assert len(page.errors) == 1
    assert case["message"] in page.errors[0]
    assert case["message"] in notes_beside(page, field)[0]
    assert error_links(page) == [link_to(field)]
    assert case["typed"].items() <= shown_values(page).items()


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_too_long_text_shows_error_and_is_kept_whole(player: Player, field: str) -> None:
    form = {
        **FORM_WITHOUT_CARDS_OF_NOI,
        "a.melds": "7xK",
        "b.left": "",
        "b.left.0": "A",
        "b.house.0.points": "25",
        "b.house.0.reason": "fretta",
    }
    too_long = "K " * 501  # 1,002 characters

    page = player.save({**form, field: too_long})

    assert len(page.errors) == 1
    # The text may have 1,000 characters at most.
    assert "Questo testo è troppo lungo: al massimo 1.000 caratteri." in page.errors[0]
    assert page.errors[0] in notes_beside(page, field)[0]
    assert player.draft[field] == too_long


def test_unreadable_values_show_errors_beside_fields_and_are_kept(player: Player) -> None:
    unreadable = {"a.cards": "-335", "b.cards": "mille", "b.red_threes": "100"}

    page = player.save({**FORM_1320_TO_1105, **unreadable, "out": "c"})  # there is no side c

    assert len(page.errors) == 4
    # "No minus is needed here", "a whole number is needed here", "at most 99".
    assert "Noi: Qui il meno non serve" in notes_beside(page, "a.cards")[0]
    assert "Loro: Qui serve un numero intero" in notes_beside(page, "b.cards")[0]
    assert "al massimo 99" in notes_beside(page, "b.red_threes")[0]
    # "Say who went out, or that nobody did."
    say_who_went_out = "Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."
    assert notes_beside(page, "out") == [say_who_went_out]
    assert unreadable.items() <= shown_values(page).items()


def test_ambiguous_word_for_wild_card_is_asked_about(player: Player) -> None:
    # Four kings and a "matta". This word means a wild card, which is a joker or a two.
    typed = {"a.melds": "4 re 1 matta"}
    joker_or_two = "1 matta: jolly o pinella? Scrivi quale dei due."

    # While it is typed, the question is no error.
    page = player.while_typing(typed)
    assert joker_or_two in still_missing(page)[0]

    refused = player.save(typed)
    assert joker_or_two in notes_beside(refused, "a.melds")[0]


def test_totals_beside_cards_are_refused_and_kept(player: Player) -> None:
    # Noi have typed totals (two canastas, 335 points, 15 left), and also cards.
    typed = {**FORM_1320_TO_1105, "a.melds": "7xK", "a.left.0": "A"}
    page = player.save(typed)

    # "There are both totals and cards: leave one or the other." "The cards in hand are there both
    # in points and as cards: leave only one way."
    assert page.errors == [
        "Noi: Ci sono sia i totali sia le carte: lascia gli uni o le altre.",
        "Noi: Le carte in mano ci sono sia in punti sia con le carte: lascia un modo solo.",
    ]
    assert error_links(page) == ["#a-cards", "#a-left"]
    assert typed.items() <= shown_values(page).items()


def test_too_many_twos_of_both_sides_are_refused_beside_both(player: Player) -> None:
    # Noi have laid three twos (with four kings), Loro three (with four queens) and three more (with
    # four jacks).
    typed = {
        "a.melds": "4xK 3x2",
        "b.melds": "4xQ 3x2\n4xJ 3x2",
        "a.left": "10",
        "b.left": "10",
        "out": "nobody",
    }
    page = player.save(typed)

    # There is one error: "Noi and Loro together have 9 twos: the pack has 8." Its link leads to the
    # melds of Loro, the last ones with twos.
    (error,) = page.errors
    assert error.startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8.")
    assert error_links(page) == ["#b-melds"]

    # It stands beside the melds of both sides.
    assert error in notes_beside(page, "a.melds")[0]
    assert error in notes_beside(page, "b.melds")[0]


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_red_three_in_meld_is_a_single_error(player: Player, meld: str) -> None:
    # "K 3r", a king and a red three, is also too short for a meld, and has two ranks. The page only
    # says that a red three is never laid.
    page = player.save({**REST_OF_HAND, "a.melds": f"{meld}\n3xA"})
    assert len(page.errors) == 1
    assert f"Noi: «{meld}»: Un 3 rosso non si cala mai" in page.errors[0]


def test_expired_form_keeps_input_and_can_be_sent_again(player: Player) -> None:
    # The first figure is stored as a draft: "Draft is safe".
    page = player.check({"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text

    # The whole hand is sent from a page that was open for so long that its token is not valid any
    # more. The new page has what was typed, but nothing of it is stored.
    expired = player.save({**FORM_1320_TO_1105, "csrf_token": "old"}, page, status=400)
    assert FORM_1320_TO_1105.items() <= shown_values(expired).items()
    assert expired.one(id="kept").text == ""

    # Its token is valid.
    saved = player.save({}, expired)
    assert saved.url == player.match


def test_gzipped_page_is_smaller_than_14_kb(player: Player) -> None:
    url = f"{player.match}/smazzata"
    answer = player.client.raw.get(url, headers={"Accept-Encoding": "gzip"})

    # So much fits into the first packets of a connection, without another round trip.
    assert len(answer.data) < 14_000


# ---------------------------------------------------------------- while typing


def test_live_check_shows_score_and_stores_draft(player: Player) -> None:
    page = player.while_typing(FORM_1320_TO_1105)

    # "+1,320 in this hand, 1,320 altogether"
    assert page.one(id="count-status").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto."
        " Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert page.one(id="kept").text.startswith("Bozza al sicuro alle ")  # "Draft is safe at …"
    assert FORM_1320_TO_1105.items() <= player.draft.items()
    assert page.value_of("version") == "1"

    # The form can be opened anew and saved: it has everything from the draft.
    player.save()
    assert player.points == [[1320, 1105]]


def test_missing_values_are_listed_without_error_while_typing(player: Player) -> None:
    page = player.while_typing({"a.cards": "335", "a.red_threes": "1", **TEN_LEFT_EACH})

    # The page asks how many points Loro laid, and who went out.
    cards_of_loro = "Quanti punti sono stati calati da Loro? (0 se nessuno)"
    who_went_out = "Di' chi ha chiuso, o che non ha chiuso nessuno."
    assert still_missing(page) == [cards_of_loro, who_went_out]
    assert page.one(id="bar-problems").all("li") == []

    # Noi have 335 + 100 for a red three − 10. Loro have no sum yet.
    assert hand_sums(page) == ["+425", "–"]


@pytest.mark.parametrize("cards", CASES["cards"]["unfinished"])
def test_meld_that_more_cards_can_complete_is_unfinished(player: Player, cards: str) -> None:
    # For example a single king, to which others may follow: "To be completed".
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Da finire: ")
    assert not page.one("textarea", id="a-melds").has("aria-invalid")


@pytest.mark.parametrize("cards", CASES["cards"]["wrong"])
def test_meld_that_no_card_can_complete_is_an_error(player: Player, cards: str) -> None:
    # For example a king and a queen. A meld has one rank only.
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Errore: ")
    assert page.one("textarea", id="a-melds").has("aria-invalid")


def test_too_low_opening_is_unfinished_while_typing_and_refused_on_save(player: Player) -> None:
    # Noi have only three kings, which are 30 points. The first melds of a side need 50.
    typed = {**REST_OF_HAND, "a.melds": "3xK"}

    # While it is typed, other melds may follow: "To be completed: … at least 50".
    page = player.while_typing(typed)
    note = notes_beside(page, "a.melds")[0]
    assert note.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")

    refused = player.save(typed)
    assert error_links(refused) == ["#a-melds"]


@pytest.mark.parametrize(("out", "note_begins"), [("", "Da finire: "), ("nobody", "Errore: ")])
def test_black_threes_are_unfinished_until_it_is_known_who_went_out(
    player: Player, out: str, note_begins: str
) -> None:
    # Noi have seven kings and three black threes, which only the side that goes out may lay. If
    # nobody did, they are an error.
    page = player.while_typing({**REST_OF_HAND, "a.melds": "7xK\n3x3b", "out": out})
    note = notes_beside(page, "a.melds")[0]
    assert note.startswith(note_begins)


def test_mistake_of_one_side_hides_both_scores_if_red_threes_may_pass(begin: Begin) -> None:
    # Under this option the red threes of a side that laid nothing count for the other side. So the
    # score of each side depends on what the other one laid.
    player = begin(option_red_threes_unopened="to-opponents")

    # A whole hand is typed, in which only Noi have a mistake: the points of the cards left in their
    # hands are 12, which is no multiple of 5.
    page = player.while_typing({**FORM_1320_TO_1105, "a.left": "12"})

    # Neither Noi nor Loro have a score.
    assert hand_sums(page) == ["–", "–"]


def test_side_with_missing_cards_has_no_score_and_no_error(player: Player) -> None:
    # Noi have typed their red threes and their first meld, three aces, but not yet what they laid
    # in all. If they had laid nothing, the meld would be an error and the red threes count against
    # them.
    noi_without_cards = {"a.red_threes": "2", "a.opening": "3xA"}
    page = player.while_typing({**noi_without_cards, "b.cards": "90", **TEN_LEFT_EACH})

    assert hand_sums(page) == ["–", "+80"]  # Loro: 90 − 10
    assert page.one(id="bar-problems").all("li") == []


@pytest.mark.parametrize(("typed", "reasons"), CASES["waits"])
def test_side_without_score_is_told_what_is_missing(
    player: Player, typed: dict[str, str], reasons: list[str]
) -> None:
    # Examples from `hand_page.toml`. If {"a.cards": "mille"} is typed into a form that is complete,
    # Noi have no score, for the reason "gli errori sono corretti". If the form lacks "a.cards", the
    # reason is "c'è tutto".
    page = player.while_typing({**FORM_1320_TO_1105, **typed})

    # For each side without a score there is a line, "The count appears when the errors are
    # corrected" or "… when everything is there".
    lines = page.one(id="live").texts("p")
    lines_of_sides = [line for line in lines if line.startswith("Il conto compare")]
    assert lines_of_sides == [f"Il conto compare quando {reason}." for reason in reasons]


def test_only_meld_that_breaks_rule_is_marked(player: Player) -> None:
    # Five queens with four twos, and four kings. A meld may have three wild cards, such as twos.
    page = player.check({"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9"})

    queens, kings = page.one("ol", id="a-melds-list").all("li")
    mark = "non va"  # "is not allowed"
    assert mark in queens.text
    assert mark not in kings.text


# ---------------------------------------------------------------- corrections


def test_past_hand_can_be_corrected_with_reason(leading: Player) -> None:
    # The form shows the saved hand: 300 for the canasta + 150 − 20 = 430 for Noi, 60 for Loro.
    page = leading.correct()
    saved = {"a.cards": "150", "a.canastas.mixed-canasta": "1", "a.left": "20", "out": "nobody"}
    assert saved.items() <= shown_values(page).items()

    # While the correction is typed, its score is shown, but no draft of it is stored.
    checked = leading.while_typing({"a.cards": "155"}, page)
    assert hand_sums(checked) == ["+435", "+60"]
    assert leading.state.open_hand is None

    # It is saved with a reason ("one king too many").
    leading.save({"a.cards": "250", "reason": "un re di troppo"}, page)
    assert leading.points == [[530, 60]]  # 300 + 250 − 20
    assert leading.hands[0].versions[-1].event.reason == "un re di troppo"


@pytest.mark.parametrize(
    ("typed", "link"),
    [
        ({"a.left": "7", "reason": "perché sì"}, "#a-left"),
        ({"a.cards": "250", "reason": "n" * 301}, "#reason"),
    ],
    ids=["impossible points", "a long reason"],
)
def test_refused_correction_keeps_input(leading: Player, typed: dict[str, str], link: str) -> None:
    page = leading.save(typed, leading.correct(), status=422)

    assert error_links(page) == [link]
    field = link.removeprefix("#")
    assert page.errors[0] in notes_beside(page, field)[0]
    assert typed.items() <= shown_values(page).items()
    # The hand still has only its first version.
    assert len(leading.hands[0].versions) == 1


def test_same_correction_of_two_phones_is_saved_once(leading: Player) -> None:
    # Two phones open the same hand to correct it, and type the same.
    first_page = leading.correct()
    second_page = leading.correct()
    leading.save({"a.cards": "250"}, first_page)

    saved = leading.save({"a.cards": "250"}, second_page)

    assert saved.url == leading.match
    assert len(leading.hands[0].versions) == 2  # the hand, and one correction


def test_different_corrections_of_two_phones_conflict(leading: Player) -> None:
    # Two phones open the same hand to correct it. The first saves its correction.
    first_page = leading.correct()
    second_page = leading.correct()
    leading.save({"a.cards": "250"}, first_page)

    # The second typed something else. The page shows the field, what is stored and what it typed.
    different = {"a.cards": "255", "reason": "mia"}
    conflict = leading.save(different, second_page, status=409)
    assert differences(conflict) == [["Noi: Carte calate", "250", "255"]]

    # It chooses "Correct with what I have written", and saves.
    correction = leading.submit(conflict, "Correggi con quello che ho scritto io")
    assert shown_values(correction)["reason"] == "mia"
    leading.save({}, correction)
    assert leading.points == [[535, 60]]  # 300 + 255 − 20
