"""The page of a hand without JavaScript: what is typed is kept, told, refused with its remedy, and
counted.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.matches import Pad
from tests.web.client import Page, Visit
from tests.web.counting import beside, columns, missing, sums
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
    assert columns(page) == ["Noi apre con 90", "Loro apre con 50"]
    assert [page.one(id=f"total-{key}").text for key in "ab"] == ["2.100", "60"]
    live = page.one(id="live")
    facts = [fact.text for fact in live.one("ul").all("li")]
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
    player.note("1")
    page = player.open()
    assert [page.one("details", id=f"cards-{key}").has("open") for key in "ab"] == [True, False]


def test_the_first_button_of_the_form_which_enter_presses_only_checks(player: Player) -> None:
    assert hand_form(player.open()).all("button")[0]["value"] == "check"


# ---------------------------------------------------------------- counting


def test_a_hand_by_totals_is_counted(player: Player) -> None:
    assert player.save(USUAL).url == player.match
    assert player.points == [[1320, 1105]]


def test_cards_are_written_as_they_are_called_as_well(player: Player) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two
    fours: 20.
    """
    typed = {
        "a.melds": "4 re, 2 pinelle e 1 jolly\n\ntre donne", "a.left": "0",
        "b.cards": "0", "b.left.0": "1 re 2 quattro", "out": "a",
    }  # fmt: skip
    page = player.while_typing(typed)
    assert [meld.text for meld in page.one(id="a-melds-list").all("li")] == [
        "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti", "3 donne: combinazione · 30 punti",
    ]  # fmt: skip
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
    player.save({**USUAL, "out": "a.7"})
    assert player.hands[1].counted.hand.out.player is None, "there is no such player"


def test_melds_are_typed_one_a_line_and_stand_for_the_figures(player: Player) -> None:
    page = player.check({"b.melds": "3xK 2\n7xQ"})
    for field, figure in (("b-canastas-natural-canasta", "1"), ("b-cards", "120")):
        cell = page.one("input", id=field)
        assert cell["placeholder"] == figure
        assert cell.has("readonly")
    page = player.check({"b.melds": ""}, page)
    assert not page.one("input", id="b-cards").has("readonly")


def test_the_opening_is_chosen_among_the_melds(player: Player) -> None:
    page = player.check({**NOBODY_OUT, "a.melds": "3xA\n4xK"})
    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "3xA"
    buttons = [button for button in page.all("button") if button.has("data-opening")]
    assert [button["aria-pressed"] for button in buttons] == ["true", "false"]
    page = player.press("opening.a.1", {}, page)
    page = player.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "4xK"
    # Four kings are 40: the opening takes 50.
    assert any("almeno 50 punti" in error for error in player.save({}, page).errors)
    player.save({"a.opening": "3xA"})
    assert len(player.hands) == 1


def test_a_warning_does_not_stop_the_hand(player: Player) -> None:
    page = player.check({**NOBODY_OUT, "a.melds": "3xK\n4xK"})
    assert "Attenzione: " in beside(page, "a.melds")[0]
    assert player.save({}, page).url == player.match
    assert [found.code for found in player.hands[0].warnings] == ["meld-rank-repeated"]


def test_a_finished_match_has_no_hand_to_count(player: Player) -> None:
    player.end("time")
    assert player.open().url == player.match


# ---------------------------------------------------------------- refused, and nothing lost


def test_a_hand_that_cannot_be_is_refused_with_reason_remedy_and_all_that_was_typed(
    player: Player,
) -> None:
    typed = {**USUAL, "b.left": "12"}
    typed |= {"a.canastas.natural-canasta": "0", "a.canastas.mixed-canasta": ""}
    page = player.save(typed)
    no_canasta = (
        "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
        " Completa il conto o togli la chiusura."
    )
    no_multiple = (
        "Loro: 12 punti non sono possibili: le carte valgono sempre multipli di 5."
        " Controlla la cifra."
    )
    assert page.errors == [no_canasta, no_multiple]
    assert error_links(page) == ["#out", "#b-left"]
    rule = (
        "Regola: Wikipedia: «Chiusura, punteggi e vittoria»."
        " Leggi la regola (si apre in un'altra pagina)"
    )
    assert beside(page, "out") == [f"Errore: {no_canasta} {rule}"]
    assert no_multiple in beside(page, "b.left")[0]
    assert page.one("input", id="b-left")["aria-invalid"] == "true"
    shown = shown_values(page)
    assert {name: shown.get(name, "") for name in typed} == typed
    assert player.hands == []


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(player: Player) -> None:
    sent = {**shown_values(player.open()), **USUAL, "b.left": "12", "do": "save"}
    answer = player.client.raw.post(f"{player.match}/smazzata", data=sent)
    refused = f"{player.match}/smazzata?errori=1"
    assert (answer.status_code, answer.headers["Location"]) == (303, refused)
    page = player.client.get(refused)
    assert len(page.errors) == 1
    assert not player.open().errors, "while typing nothing is wrong yet"
    # The script fetches it to show what others typed.
    fetched = Page(player.client.raw.get(refused, headers={"Scorepad-Live": "1"}), refused)
    assert not fetched.errors
    assert shown_values(fetched)["refused"] == "1", "an agreement is still offered"
    assert player.save({"b.left": "85"}, page).url == player.match


def test_a_blank_hand_is_refused_and_nothing_of_it_kept(player: Player) -> None:
    assert len(player.save({"a.cards": " "}).errors) == 5
    assert player.state.open_hand is None


@pytest.mark.parametrize("case", CASES["together"])
def test_what_cannot_go_together_is_told_and_nothing_of_it_cleared(
    player: Player, case: dict[str, Any]
) -> None:
    typed, field, told = case["typed"], case["field"], case["told"]
    assert told in beside(player.while_typing({**USUAL, **typed}), field)[0]
    page = player.save({**USUAL, **typed})
    assert [told in error for error in page.errors] == [True]
    assert error_links(page) == [f"#{field}"]
    assert typed.items() <= shown_values(page).items()


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(player: Player, field: str) -> None:
    long = "K " * 501
    typed = {
        **BY_CARDS, "a.melds": "7xK", "b.left": "", "b.left.0": "A",
        "b.house.0.points": "25", "b.house.0.reason": "fretta", field: long,
    }  # fmt: skip
    page = player.save(typed)
    (told,) = page.errors
    assert "Questo testo è troppo lungo: al massimo 1.000 caratteri." in told
    assert told in beside(page, field)[0]
    assert player.draft[field] == long


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(player: Player) -> None:
    typed = {**USUAL, "a.cards": "-335", "b.cards": "mille", "b.red_threes": "100", "out": "c"}
    page = player.save(typed)
    assert "Noi: Qui il meno non serve" in beside(page, "a.cards")[0]
    assert "Loro: Qui serve un numero intero" in beside(page, "b.cards")[0]
    assert "al massimo 99" in beside(page, "b.red_threes")[0]
    assert beside(page, "out") == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert len(page.errors) == 4
    assert {"a.cards": "-335", "b.cards": "mille"}.items() <= shown_values(page).items()


def test_what_could_be_two_things_is_asked_for_and_not_guessed(player: Player) -> None:
    typed = {"a.melds": "4 re 1 matta"}
    asked = "1 matta: jolly o pinella? Scrivi quale dei due."
    assert any(asked in line for line in missing(player.while_typing(typed))), "no error yet"
    assert asked in beside(player.save(typed), "a.melds")[0]


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
    (told,) = page.errors
    assert told.startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8.")
    assert told in beside(page, "a.melds")[0]
    assert told in beside(page, "b.melds")[0]
    assert error_links(page) == ["#b-melds"], "the last field that has some, to look at first"


def test_the_last_discard_may_be_the_card_too_many(player: Player) -> None:
    page = player.save({**HELD, "a.melds": "8xK", "b.cards": "0", "out": "a", "discard": "K"})
    assert any("9 re" in error for error in page.errors)
    assert "#discard" in error_links(page)


@pytest.mark.parametrize("case", CASES["red_threes"])
def test_too_many_red_threes_lead_to_a_field_that_has_some(
    player: Player, case: dict[str, Any]
) -> None:
    field = case["field"]
    page = player.save({**USUAL, "a.red_threes": "", "b.red_threes": "", **case["typed"]})
    assert ["onori: nel mazzo sono 4" in error for error in page.errors] == [True]
    link = f"#{field.replace('.', '-')}"
    assert error_links(page) == [link]
    assert page.one(id="bar-problems").one("a")["href"] == link
    assert "onori: nel mazzo sono 4" in beside(page, field)[0]


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_a_red_three_in_a_meld_is_told_once_and_nothing_that_only_follows_from_it(
    player: Player, meld: str
) -> None:
    page = player.save({**NOBODY_OUT, "a.melds": f"{meld}\n3xA"})
    told = f"Noi: «{meld}»: Un 3 rosso non si cala mai"
    assert [told in error for error in page.errors] == [True]


def test_an_opening_with_cards_that_were_not_laid_is_told_in_words(player: Player) -> None:
    page = player.save({**NOBODY_OUT, "a.melds": "5xK", "a.opening": "3xA"})
    (told,) = page.errors
    assert told.startswith("Noi: Le carte dell'apertura devono essere tra quelle calate.")
    assert error_links(page) == ["#a-opening"]


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(player: Player) -> None:
    page = player.check({"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text
    page = player.save({**USUAL, "csrf_token": "old"}, page, 400)
    assert USUAL.items() <= shown_values(page).items()
    assert page.one(id="kept").text == "", "nothing more of it was kept"
    assert player.save({}, page).url == player.match


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


def test_what_is_still_missing_is_no_error_while_typing(player: Player) -> None:
    page = player.while_typing({"a.cards": "335", "a.red_threes": "1", **HELD})
    assert missing(page) == [
        "Quanti punti sono stati calati da Loro? (0 se nessuno)",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert not page.one(id="bar-problems").all("li")
    assert sums(page) == ["+425", "–"]


def tones_beside_melds(player: Player, cards: str) -> tuple[set[str], bool]:
    """How the notes beside the cards begin, and whether their field is called wrong."""
    page = player.while_typing({"a.melds": cards})
    notes = [note for note in beside(page, "a.melds") if "apre con" not in note]
    is_wrong = page.one("textarea", id="a-melds").has("aria-invalid")
    return {note.partition(": ")[0] for note in notes}, is_wrong


@pytest.mark.parametrize("cards", CASES["cards"]["unfinished"])
def test_what_further_cards_can_mend_is_called_unfinished(player: Player, cards: str) -> None:
    assert tones_beside_melds(player, cards) == ({"Da finire"}, False)


@pytest.mark.parametrize("cards", CASES["cards"]["wrong"])
def test_what_no_further_card_can_mend_is_called_wrong(player: Player, cards: str) -> None:
    assert tones_beside_melds(player, cards) == ({"Errore"}, True)


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    player: Player,
) -> None:
    typed = {**NOBODY_OUT, "a.melds": "3xK"}
    (told,) = beside(player.while_typing(typed), "a.melds")
    assert told.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")
    assert error_links(player.save(typed)) == ["#a-melds"]


@pytest.mark.parametrize(("out", "tone"), [("", "Da finire: "), ("nobody", "Errore: ")])
def test_black_threes_wait_for_who_went_out_and_no_longer(
    player: Player, out: str, tone: str
) -> None:
    page = player.while_typing({**NOBODY_OUT, "a.melds": "7xK\n3x3b", "out": out})
    assert [note.startswith(tone) for note in beside(page, "a.melds")] == [True]


def test_beside_a_mistake_of_the_one_stands_the_count_of_the_other(player: Player) -> None:
    page = player.while_typing({**USUAL, "a.left": "12"})
    assert sums(page) == ["–", "+1.105"]
    assert "Totale 1.105" in page.all(class_="live-side")[1].text


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(
    begin: Begin,
) -> None:
    player = begin(option_red_threes_unopened="to-opponents")
    page = player.while_typing({**USUAL, "a.left": "12"})
    assert sums(page) == ["–", "–"]


def test_a_side_of_which_something_is_missing_is_not_taken_for_one_that_laid_nothing(
    player: Player,
) -> None:
    page = player.while_typing({"a.red_threes": "2", "a.opening": "3xA", "b.cards": "90", **HELD})
    assert sums(page) == ["–", "+80"]
    assert not page.one(id="bar-problems").all("li")


@pytest.mark.parametrize(("typed", "waits"), CASES["waits"])
def test_a_side_without_a_count_is_told_what_it_waits_for(
    player: Player, typed: dict[str, str], waits: list[str]
) -> None:
    page = player.while_typing({**USUAL, **typed})
    sides = [box.all("p") for box in page.all(class_="live-side")]
    told = [lines[-1].text for lines in sides if len(lines) > 1]
    assert told == [f"Il conto compare quando {what}." for what in waits]


@pytest.mark.parametrize(
    ("typed", "name"), [({}, "Chiusura"), ({"concealed": "on"}, "Chiusura in mano")]
)
def test_a_concealed_going_out_is_called_so_while_it_is_counted(
    player: Player, typed: dict[str, str], name: str
) -> None:
    page = player.while_typing({**USUAL, **typed})
    assert name in [term.text for term in page.all("dt")]


@pytest.mark.parametrize(("language", "wrong"), [("it", "non va"), ("en", "not valid")])
def test_a_meld_that_breaks_a_rule_is_called_so_in_either_language(
    visit: Visit, pad: Pad, language: str, wrong: str
) -> None:
    """A meld may have three wild cards at most, and this one of queens has four."""
    client = visit(language)
    player = Player(client, pad, start(client))
    page = player.check({"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9"})
    queens, kings = (meld.text for meld in page.one("ol", id="a-melds-list").all("li"))
    assert wrong in queens
    assert wrong not in kings


# ---------------------------------------------------------------- corrections


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(leading: Player) -> None:
    page = leading.correct()
    counted = {"a.cards": "150", "a.canastas.mixed-canasta": "1", "a.left": "20", "out": "nobody"}
    assert counted.items() <= shown_values(page).items()
    # It is checked while it is typed, and nothing of it is kept.
    assert sums(leading.while_typing({"a.cards": "155"}, page)) == ["+435", "+60"]
    leading.save({"a.cards": "250", "reason": "un re di troppo"}, page)
    assert leading.points == [[530, 60]]
    assert leading.hands[0].versions[-1].event.reason == "un re di troppo"
    assert leading.state.open_hand is None


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
    page = leading.save(typed, leading.correct(), 422)
    assert error_links(page) == [link]
    assert page.errors[0] in beside(page, link[1:])[0]
    assert typed.items() <= shown_values(page).items()
    assert len(leading.hands[0].versions) == 1


def test_of_two_corrections_at_once_the_same_is_no_conflict_and_another_shows_both_values(
    leading: Player,
) -> None:
    first, same, other = leading.correct(), leading.correct(), leading.correct()
    leading.save({"a.cards": "250"}, first)
    assert leading.save({"a.cards": "250"}, same).url == leading.match
    assert len(leading.hands[0].versions) == 2
    page = leading.save({"a.cards": "255", "reason": "mia"}, other, 409)
    assert differences(page) == [["Noi: Carte calate", "250", "255"]]
    page = leading.client.submit(page, "Correggi con quello che ho scritto io")
    assert shown_values(page)["reason"] == "mia"
    leading.save({}, page)
    assert leading.points == [[535, 60]]
