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
from tests.web.scorer import differences, error_links, hand_form, shown_values
from tests.web.tables import read_tables

CASES = read_tables("hand_page")
USUAL = {
    "a.canastas.natural-canasta": "1", "a.canastas.mixed-canasta": "1", "a.cards": "335",
    "a.red_threes": "1", "a.left": "15",
    "b.canastas.natural-canasta": "1", "b.canastas.mixed-canasta": "1", "b.cards": "290",
    "b.red_threes": "1", "b.left": "85",
    "out": "a",
}  # fmt: skip
"""Noi 500 + 300 + 335 + 100 + 100 (out) - 15 = 1320; Loro 500 + 300 + 290 + 100 - 85 = 1105."""
BY_CARDS = {
    name: "" if name.startswith(("a.canastas", "a.cards")) else text for name, text in USUAL.items()
}
"""The same without what Noi laid."""
HELD = {"a.left": "10", "b.left": "10"}
NOBODY_OUT = {**HELD, "b.cards": "0", "out": "nobody"}
"""What else a hand needs in which only Noi laid something."""


# ---------------------------------------------------------------- before counting


def test_the_page_says_what_holds_before_the_hand(player: Player) -> None:
    player.play(hand(side(300, natural=3, red_threes=2, left=0), side(100, 40), "a"))

    page = player.open()

    assert page.one("h1").text == "Smazzata 2"
    # 3 x 500 + 300 + 200 + 100 = 2100, so 90 from here; 100 - 40 = 60, so 50
    assert column_heads(page) == ["Noi apre con 90", "Loro apre con 50"]
    assert page.one(id="total-a").text == "2.100"
    assert page.one(id="total-b").text == "60"
    live = page.one(id="live")
    facts = live.one("ul").texts("li")
    assert facts[:2] == ["Per chiudere: almeno 1 canasta.", "Premio di chiusura: 100, in mano 200."]
    assert "2.100 punti prima di questa smazzata" in live.text


def test_where_concealed_melds_count_the_page_says_how_to_mark_them(begin: Begin) -> None:
    page = begin(preset="getty").open()
    assert page.one("input", name="a.canastas.concealed-canasta")
    assert "calata intera dalla mano" in page.one("details", id="cards-b").text


def test_players_without_names_are_told_apart_in_narrow_columns(begin: Begin) -> None:
    page = begin("tre").open()
    heads = [head.one("bdi", class_="short").text for head in page.all("div", class_="entry-head")]
    assert heads == ["Giocat. 1", "Giocat. 2", "Giocat. 3"]


def test_the_next_hand_is_counted_as_the_last_one_was(player: Player) -> None:
    player.play(hand({"melds": ["3xA"], "left": 20}, side(60, 20)))
    page = player.open()
    assert page.one("details", id="cards-a").has("open")
    assert not page.one("details", id="cards-b").has("open")


def test_the_first_button_of_the_form_which_enter_presses_only_checks(player: Player) -> None:
    assert hand_form(player.open()).all("button")[0]["value"] == "check"


# ---------------------------------------------------------------- counting


def test_cards_are_written_as_they_are_called_as_well(player: Player) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two
    fours: 20.
    """
    typed = {
        "a.melds": "4 re, 2 pinelle e 1 jolly\n\ntre donne",
        "a.left": "0",
        "b.cards": "0",
        "b.left.0": "1 re 2 quattro",
        "out": "a",
    }

    page = player.while_typing(typed)
    canasta, meld = page.one(id="a-melds-list").all("li")
    assert canasta.text == "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti"
    assert meld.text == "3 donne: combinazione · 30 punti"
    assert page.one(id="b-left-0-echo").text == "1 re e 2 quattro · 20 punti"

    player.save(typed)
    # 300 + 130 + 30 + 100 for going out, nothing left = 560; the others laid nothing and hold 20
    assert player.points == [[560, -20]]


def test_figures_are_typed_as_people_write_them_in_their_language(visit: Visit, pad: Pad) -> None:
    english = visit("en")
    player = Player(english, pad, start(english))
    player.save({**USUAL, "a.cards": "1,000"})
    assert player.points[0][0] == 500 + 300 + 1000 + 100 + 100 - 15


def test_who_went_out_is_told_by_name_also_after_somebody_else_takes_the_place(
    begin: Begin,
) -> None:
    player = begin(player_0_0="Ada", player_0_1="Bruno")
    choices = [choice["value"] for choice in player.open().all("input", name="out")]
    assert choices == ["a", "a.0", "a.1", "b", "nobody"]

    page = player.save({**USUAL, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text

    page = player.replace("0-1", "Carla")
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text


def test_where_there_is_no_such_player_the_side_went_out(player: Player) -> None:
    player.save({**USUAL, "out": "a.7"})
    out = player.hands[0].counted.hand.out
    assert out.side == 0
    assert out.player is None


def test_melds_are_typed_one_a_line_and_stand_for_the_figures(player: Player) -> None:
    page = player.check({"b.melds": "3xK 2\n7xQ"})
    assert page.one("input", id="b-canastas-natural-canasta")["placeholder"] == "1"
    assert page.one("input", id="b-cards")["placeholder"] == "120"
    assert page.one("input", id="b-cards").has("readonly")

    page = player.check({"b.melds": ""}, page)
    assert not page.one("input", id="b-cards").has("readonly")


def test_the_opening_is_chosen_among_the_melds(player: Player) -> None:
    page = player.check({**NOBODY_OUT, "a.melds": "3xA\n4xK"})

    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "3xA"
    buttons = [button for button in page.all("button") if button.has("data-opening")]
    assert [button["aria-pressed"] for button in buttons] == ["true", "false"]

    page = player.press("opening.a.1", {}, page)
    assert shown_values(page)["a.opening"] == "3xA\n4xK"
    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "4xK"
    # Four kings are 40: the opening takes 50.
    assert any("almeno 50 punti" in error for error in player.save({}, page).errors)


def test_a_warning_does_not_stop_the_hand(player: Player) -> None:
    page = player.check({**NOBODY_OUT, "a.melds": "3xK\n4xK"})
    assert "Attenzione: " in notes_beside(page, "a.melds")[0]
    assert player.save({}, page).url == player.match
    assert [found.code for found in player.hands[0].warnings] == ["meld-rank-repeated"]


def test_a_finished_match_has_no_hand_to_count(player: Player) -> None:
    player.end("time")
    assert player.open().url == player.match


# ---------------------------------------------------------------- refused, and nothing lost


def test_a_hand_that_cannot_be_is_refused_with_reason_remedy_and_all_that_was_typed(
    player: Player,
) -> None:
    no_canasta = {"a.canastas.natural-canasta": "0", "a.canastas.mixed-canasta": ""}
    typed = {**USUAL, **no_canasta, "b.left": "12"}

    page = player.save(typed)

    out_too_early = (
        "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
        " Completa il conto o togli la chiusura."
    )
    no_multiple = (
        "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5."
        " Controlla la cifra."
    )
    assert page.errors == [out_too_early, no_multiple]
    assert error_links(page) == ["#out", "#b-left"]
    rule = (
        "Regola: Wikipedia: «Chiusura, punteggi e vittoria»."
        " Leggi la regola (si apre in un'altra pagina)"
    )
    assert notes_beside(page, "out") == [f"Errore: {out_too_early} {rule}"]
    assert no_multiple in notes_beside(page, "b.left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"
    shown = shown_values(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert player.hands == []


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(player: Player) -> None:
    refused = f"{player.match}/smazzata?errori=1"
    sent = {**shown_values(player.open()), **USUAL, "b.left": "12", "do": "save"}

    answer = player.client.raw.post(f"{player.match}/smazzata", data=sent)

    assert answer.status_code == 303
    assert answer.headers["Location"] == refused
    assert len(player.client.get(refused).errors) == 1
    assert not player.open().errors, "while typing nothing is wrong yet"


def test_what_others_typed_is_fetched_without_errors_and_with_the_offer_to_agree(
    player: Player,
) -> None:
    player.save({**USUAL, "b.left": "12"})
    refused = f"{player.match}/smazzata?errori=1"

    answer = player.client.raw.get(refused, headers={"Scorepad-Live": "1"})

    page = Page(answer, refused)
    assert not page.errors
    assert shown_values(page)["refused"] == "1"


def test_a_blank_hand_is_refused_and_nothing_of_it_kept(player: Player) -> None:
    assert len(player.save({"a.cards": " "}).errors) == 5
    assert player.state.open_hand is None


@pytest.mark.parametrize("case", CASES["refused"])
def test_a_wrong_figure_is_told_beside_its_field_and_all_that_was_typed_stays(
    player: Player, case: dict[str, Any]
) -> None:
    field = case["field"]

    page = player.save({**USUAL, **case["typed"]})

    (error,) = page.errors
    assert case["told"] in error
    assert case["told"] in notes_beside(page, field)[0]
    assert error_links(page) == [f"#{field.replace('.', '-')}"]
    assert case["typed"].items() <= shown_values(page).items()


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(player: Player, field: str) -> None:
    typed = {
        **BY_CARDS,
        "a.melds": "7xK",
        "b.left": "",
        "b.left.0": "A",
        "b.house.0.points": "25",
        "b.house.0.reason": "fretta",
    }
    long_text = "K " * 501

    page = player.save({**typed, field: long_text})

    (error,) = page.errors
    assert "Questo testo è troppo lungo: al massimo 1.000 caratteri." in error
    assert error in notes_beside(page, field)[0]
    assert player.draft[field] == long_text


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(player: Player) -> None:
    wrong = {"a.cards": "-335", "b.cards": "mille", "b.red_threes": "100"}

    page = player.save({**USUAL, **wrong, "out": "c"})

    assert "Noi: Qui il meno non serve" in notes_beside(page, "a.cards")[0]
    assert "Loro: Qui serve un numero intero" in notes_beside(page, "b.cards")[0]
    assert "al massimo 99" in notes_beside(page, "b.red_threes")[0]
    assert notes_beside(page, "out") == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert len(page.errors) == 4
    assert wrong.items() <= shown_values(page).items()


def test_what_could_be_two_things_is_asked_for_and_not_guessed(player: Player) -> None:
    typed = {"a.melds": "4 re 1 matta"}
    asked = "1 matta: jolly o pinella? Scrivi quale dei due."
    assert asked in still_missing(player.while_typing(typed))[0], "no error yet"
    assert asked in notes_beside(player.save(typed), "a.melds")[0]


def test_totals_beside_cards_are_told_and_nothing_of_them_is_lost(player: Player) -> None:
    typed = {**USUAL, "a.melds": "7xK", "a.left.0": "A"}
    page = player.save(typed)
    assert page.errors == [
        "Noi: Ci sono sia i totali sia le carte: lascia gli uni o le altre.",
        "Noi: Le carte in mano ci sono sia in punti sia con le carte: lascia un modo solo.",
    ]
    assert error_links(page) == ["#a-cards", "#a-left"]
    assert typed.items() <= shown_values(page).items()


def test_problems_of_the_whole_hand_name_both_sides(player: Player) -> None:
    typed = {"a.melds": "4xK 3x2", "b.melds": "4xQ 3x2\n4xJ 3x2", **HELD, "out": "nobody"}

    page = player.save(typed)

    (error,) = page.errors
    assert error.startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8.")
    assert error in notes_beside(page, "a.melds")[0]
    assert error in notes_beside(page, "b.melds")[0]
    assert error_links(page) == ["#b-melds"], "the last field that has some, to look at first"


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_a_red_three_in_a_meld_is_told_once_and_nothing_that_only_follows_from_it(
    player: Player, meld: str
) -> None:
    (error,) = player.save({**NOBODY_OUT, "a.melds": f"{meld}\n3xA"}).errors
    assert f"Noi: «{meld}»: Un 3 rosso non si cala mai" in error


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(player: Player) -> None:
    page = player.check({"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text

    expired = player.save({**USUAL, "csrf_token": "old"}, page, status=400)
    assert USUAL.items() <= shown_values(expired).items()
    assert expired.one(id="kept").text == "", "nothing more of it was kept"
    assert player.save({}, expired).url == player.match


def test_the_page_is_small_on_the_wire(player: Player) -> None:
    page = f"{player.match}/smazzata"
    answer = player.client.raw.get(page, headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 14_000


# ---------------------------------------------------------------- while typing


def test_the_live_check_keeps_the_draft_and_tells_what_it_comes_to(player: Player) -> None:
    page = player.while_typing(USUAL)

    assert page.one(id="count-status").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto."
        " Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert page.one(id="kept").text.startswith("Bozza al sicuro alle ")
    assert USUAL.items() <= player.draft.items()
    assert page.one("input", name="version")["value"] == "1"

    player.save()
    assert player.points == [[1320, 1105]]


def test_what_is_still_missing_is_no_error_while_typing(player: Player) -> None:
    page = player.while_typing({"a.cards": "335", "a.red_threes": "1", **HELD})
    assert still_missing(page) == [
        "Quanti punti sono stati calati da Loro? (0 se nessuno)",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert not page.one(id="bar-problems").all("li")
    assert hand_sums(page) == ["+425", "–"]


@pytest.mark.parametrize("cards", CASES["cards"]["unfinished"])
def test_what_further_cards_can_mend_is_called_unfinished(player: Player, cards: str) -> None:
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Da finire: ")
    assert not page.one("textarea", id="a-melds").has("aria-invalid")


@pytest.mark.parametrize("cards", CASES["cards"]["wrong"])
def test_what_no_further_card_can_mend_is_called_wrong(player: Player, cards: str) -> None:
    page = player.while_typing({"a.melds": cards})
    assert notes_beside(page, "a.melds")[0].startswith("Errore: ")
    assert page.one("textarea", id="a-melds").has("aria-invalid")


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    player: Player,
) -> None:
    typed = {**NOBODY_OUT, "a.melds": "3xK"}
    (told,) = notes_beside(player.while_typing(typed), "a.melds")
    assert told.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")
    assert error_links(player.save(typed)) == ["#a-melds"]


@pytest.mark.parametrize(("out", "tone"), [("", "Da finire: "), ("nobody", "Errore: ")])
def test_black_threes_wait_for_who_went_out_and_no_longer(
    player: Player, out: str, tone: str
) -> None:
    page = player.while_typing({**NOBODY_OUT, "a.melds": "7xK\n3x3b", "out": out})
    (note,) = notes_beside(page, "a.melds")
    assert note.startswith(tone)


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(
    begin: Begin,
) -> None:
    player = begin(option_red_threes_unopened="to-opponents")
    page = player.while_typing({**USUAL, "a.left": "12"})
    assert hand_sums(page) == ["–", "–"]


def test_a_side_of_which_something_is_missing_is_not_taken_for_one_that_laid_nothing(
    player: Player,
) -> None:
    page = player.while_typing({"a.red_threes": "2", "a.opening": "3xA", "b.cards": "90", **HELD})
    assert hand_sums(page) == ["–", "+80"]
    assert not page.one(id="bar-problems").all("li")


@pytest.mark.parametrize(("typed", "waits"), CASES["waits"])
def test_a_side_without_a_count_is_told_what_it_waits_for(
    player: Player, typed: dict[str, str], waits: list[str]
) -> None:
    page = player.while_typing({**USUAL, **typed})
    told = [line.text for line in page.one(id="live").all("p") if "compare" in line.text]
    assert told == [f"Il conto compare quando {what}." for what in waits]


def test_a_meld_that_breaks_a_rule_is_called_so(player: Player) -> None:
    """A meld may have three wild cards at most, and this one of queens has four."""
    page = player.check({"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9"})
    queens, kings = page.one("ol", id="a-melds-list").all("li")
    assert "non va" in queens.text
    assert "non va" not in kings.text


# ---------------------------------------------------------------- corrections


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(leading: Player) -> None:
    page = leading.correct()
    counted = {"a.cards": "150", "a.canastas.mixed-canasta": "1", "a.left": "20", "out": "nobody"}
    assert counted.items() <= shown_values(page).items()

    # It is checked while it is typed, and nothing of it is kept.
    assert hand_sums(leading.while_typing({"a.cards": "155"}, page)) == ["+435", "+60"]
    assert leading.state.open_hand is None

    leading.save({"a.cards": "250", "reason": "un re di troppo"}, page)
    assert leading.points == [[530, 60]]
    assert leading.hands[0].versions[-1].event.reason == "un re di troppo"


@pytest.mark.parametrize(
    ("typed", "link"),
    [
        ({"a.left": "7", "reason": "perché sì"}, "#a-left"),
        ({"a.cards": "250", "reason": "n" * 301}, "#reason"),
    ],
    ids=["impossible points", "a long note"],
)
def test_a_refused_correction_keeps_note_and_figures(
    leading: Player, typed: dict[str, str], link: str
) -> None:
    page = leading.save(typed, leading.correct(), status=422)

    assert error_links(page) == [link]
    assert page.errors[0] in notes_beside(page, link[1:])[0]
    assert typed.items() <= shown_values(page).items()
    assert len(leading.hands[0].versions) == 1


def test_of_two_corrections_at_once_the_same_is_no_conflict_and_another_shows_both_values(
    leading: Player,
) -> None:
    first = leading.correct()
    same = leading.correct()
    other = leading.correct()
    leading.save({"a.cards": "250"}, first)

    assert leading.save({"a.cards": "250"}, same).url == leading.match
    assert len(leading.hands[0].versions) == 2

    conflict = leading.save({"a.cards": "255", "reason": "mia"}, other, status=409)
    assert differences(conflict) == [["Noi: Carte calate", "250", "255"]]

    again = leading.client.submit(conflict, "Correggi con quello che ho scritto io")
    assert shown_values(again)["reason"] == "mia"
    leading.save({}, again)
    assert leading.points == [[535, 60]]
