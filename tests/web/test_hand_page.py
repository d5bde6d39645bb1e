"""The page of a hand without JavaScript: what is typed is kept, told, refused with its remedy, and
counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import RequestId
from scorepad.matches.events import EndHow, Ending
from tests.web.client import Client, Page
from tests.web.counting import beside, columns, missing, read_cases, sums
from tests.web.playing import ALL_GOOD, device, hand, match_of, play, side, start
from tests.web.scorer import Scorer, differences, error_links, hand_form, shown_values

CASES = read_cases("hand_page")
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


@pytest.fixture
def scorer(client: Client, pad: Pad) -> Scorer:
    return Scorer(client, pad, start(client))


# ---------------------------------------------------------------- before counting


def test_the_page_says_what_holds_before_the_hand(scorer: Scorer) -> None:
    played = hand(side(300, natural=3, red_threes=2, left=0), side(100, 40), "a")
    play(scorer.pad, scorer.client, scorer.match, played)
    page = scorer.open()
    assert page.one("h1").text == "Smazzata 2"
    # 3 x 500 + 300 + 200 + 100 = 2100, so 90 from here; 100 - 40 = 60, so 50
    assert columns(page) == ["Noi apre con 90", "Loro apre con 50"]
    assert [page.one(id=f"total-{key}").text for key in "ab"] == ["2.100", "60"]
    live = page.one(id="live")
    facts = [fact.text for fact in live.one("ul").all("li")]
    assert facts[:2] == ["Per chiudere: almeno 1 canasta.", "Premio di chiusura: 100, in mano 200."]
    assert "2.100 punti prima di questa smazzata" in live.text


def test_where_concealed_melds_count_the_page_says_how_to_mark_them(client: Client) -> None:
    page = client.get(f"{start(client, preset='getty')}/smazzata")
    assert page.one("input", name="a.canastas.concealed-canasta")
    assert "calata intera dalla mano" in page.one("details", id="cards-b").text


def test_players_without_names_are_told_apart_in_narrow_columns(client: Client) -> None:
    page = client.get(f"{start(client, 'tre')}/smazzata")
    heads = [head.one("bdi", class_="short").text for head in page.all("div", class_="entry-head")]
    assert heads == ["Giocat. 1", "Giocat. 2", "Giocat. 3"]


def test_the_next_hand_is_counted_as_the_last_one_was(scorer: Scorer) -> None:
    by_cards = hand({"melds": ["3xA"], "left": 20}, side(60, 20))
    play(scorer.pad, scorer.client, scorer.match, by_cards)
    page = scorer.open()
    assert [page.one("details", id=f"cards-{key}").has("open") for key in "ab"] == [True, False]


def test_the_first_button_of_the_form_which_enter_presses_only_checks(scorer: Scorer) -> None:
    assert hand_form(scorer.open()).all("button")[0]["value"] == "check"


# ---------------------------------------------------------------- counting


def test_a_hand_by_totals_is_counted(scorer: Scorer) -> None:
    assert scorer.save(USUAL).url == scorer.match
    assert scorer.points == [[1320, 1105]]
    assert scorer.state.open_hand is None


def test_cards_are_written_as_they_are_called_as_well(scorer: Scorer) -> None:
    """Four kings, two twos and a joker: 40 + 40 + 50 = 130; three queens: 30; left a king and two
    fours: 20.
    """
    typed = {
        "a.melds": "4 re, 2 pinelle e 1 jolly\n\ntre donne", "a.left": "0",
        "b.cards": "0", "b.left.0": "1 re 2 quattro", "out": "a",
    }  # fmt: skip
    page = scorer.while_typing(typed)
    assert [meld.text for meld in page.one(id="a-melds-list").all("li")] == [
        "4 re, 2 pinelle e 1 jolly: canasta mista · 130 punti", "3 donne: combinazione · 30 punti",
    ]  # fmt: skip
    assert page.one(id="b-left-0-echo").text == "1 re e 2 quattro · 20 punti"
    scorer.save(typed)
    # 300 + 130 + 30 + 100 for going out, nothing left = 560; the others laid nothing and hold 20
    assert scorer.points == [[560, -20]]


def test_figures_are_typed_as_people_write_them_in_their_language(
    visit: Callable[..., Client], pad: Pad
) -> None:
    english = visit("en")
    scorer = Scorer(english, pad, start(english))
    scorer.save({**USUAL, "a.cards": "1,000"})
    assert scorer.points[0][0] == 500 + 300 + 1000 + 100 + 100 - 15


def test_who_went_out_is_told_by_name_also_after_somebody_else_takes_the_place(
    client: Client, pad: Pad
) -> None:
    scorer = Scorer(client, pad, start(client, player_0_0="Ada", player_0_1="Bruno"))
    choices = [choice["value"] for choice in scorer.open().all("input", name="out")]
    assert choices == ["a", "a.0", "a.1", "b", "nobody"]
    page = scorer.save({**USUAL, "out": "a.1"})
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = client.get(f"{scorer.match}/giocatore")
    page = client.submit(page, "Cambia il giocatore", seat="0-1", name="Carla")
    assert "Chiusura: Bruno (Noi)." in page.one("li", id="smazzata-1").text
    page = scorer.save({**USUAL, "out": "a"})
    assert "Chiusura: Noi." in page.one("li", id="smazzata-2").text
    scorer.save({**USUAL, "out": "a.7"})
    assert scorer.hands[2].counted.hand.out.player is None, "there is no such player"


def test_melds_are_typed_one_a_line_and_stand_for_the_figures(scorer: Scorer) -> None:
    page = scorer.check({"b.melds": "3xK 2\n7xQ"})
    canastas = page.one("input", id="b-canastas-natural-canasta")
    cards = page.one("input", id="b-cards")
    assert (canastas["placeholder"], cards["placeholder"]) == ("1", "120")
    assert canastas.has("readonly")
    assert cards.has("readonly")
    page = scorer.check({"b.melds": ""}, page)
    assert not page.one("input", id="b-cards").has("readonly")


def test_the_opening_is_chosen_among_the_melds(scorer: Scorer) -> None:
    page = scorer.check({**NOBODY_OUT, "a.melds": "3xA\n4xK"})
    page = scorer.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "3xA"
    buttons = [button for button in page.all("button") if button.has("data-opening")]
    assert [button["aria-pressed"] for button in buttons] == ["true", "false"]
    page = scorer.press("opening.a.1", {}, page)
    page = scorer.press("opening.a.0", {}, page)
    assert shown_values(page)["a.opening"] == "4xK"
    # Four kings are 40: the opening takes 50.
    assert any("almeno 50 punti" in error for error in scorer.save({}, page).errors)
    scorer.save({"a.opening": "3xA"})
    assert len(scorer.hands) == 1


def test_a_warning_does_not_stop_the_hand(scorer: Scorer) -> None:
    page = scorer.check({**NOBODY_OUT, "a.melds": "3xK\n4xK"})
    assert "Attenzione: " in beside(page, "a.melds")[0]
    assert scorer.save({}, page).url == scorer.match
    assert [found.code for found in scorer.hands[0].warnings] == ["meld-rank-repeated"]


def test_an_undone_hand_is_open_again_as_it_was_typed(scorer: Scorer) -> None:
    page = scorer.save({**USUAL, "a.cards": " 335 "})
    scorer.client.submit(page, "Annulla")
    assert shown_values(scorer.open())["a.cards"] == " 335 "


def test_a_finished_match_has_no_hand_to_count(scorer: Scorer) -> None:
    match = match_of(scorer.match)
    ending = Ending(EndHow.TIME)
    scorer.pad.actions.end(RequestId("end"), match, device(scorer.client), 0, ending)
    assert scorer.open().url == scorer.match


# ---------------------------------------------------------------- refused, and nothing lost


def test_a_hand_that_cannot_be_is_refused_with_reason_remedy_and_all_that_was_typed(
    scorer: Scorer,
) -> None:
    typed = {**USUAL, "b.left": "12"}
    typed |= {"a.canastas.natural-canasta": "0", "a.canastas.mixed-canasta": ""}
    page = scorer.save(typed)
    assert page.title == "Errore: Smazzata 1 – scorepad"
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
    assert scorer.hands == []


def test_a_refused_hand_leads_to_a_page_that_can_be_loaded_again(scorer: Scorer) -> None:
    sent = {**shown_values(scorer.open()), **USUAL, "b.left": "12", "do": "save"}
    answer = scorer.client.raw.post(f"{scorer.match}/smazzata", data=sent)
    refused = f"{scorer.match}/smazzata?errori=1"
    assert (answer.status_code, answer.headers["Location"]) == (303, refused)
    for _ in range(2):
        page = scorer.client.get(refused)
        assert len(page.errors) == 1
    assert not scorer.open().errors, "while typing nothing is wrong yet"
    # The script fetches it to show what others typed.
    fetched = Page(scorer.client.raw.get(refused, headers={"Scorepad-Live": "1"}), refused)
    assert not fetched.all(class_="errors")
    assert shown_values(fetched)["refused"] == "1", "an agreement is still offered"
    assert scorer.save({"b.left": "85"}, page).url == scorer.match


def test_a_blank_hand_is_refused_and_nothing_of_it_kept(scorer: Scorer) -> None:
    assert len(scorer.save({"a.cards": " "}).errors) == 5
    assert scorer.state.open_hand is None


@pytest.mark.parametrize("case", CASES["together"])
def test_what_cannot_go_together_is_told_and_nothing_of_it_cleared(
    scorer: Scorer, case: dict[str, Any]
) -> None:
    typed, field, told = case["typed"], case["field"], case["told"]
    assert told in beside(scorer.while_typing({**USUAL, **typed}), field)[0]
    page = scorer.save({**USUAL, **typed})
    assert [told in error for error in page.errors] == [True]
    assert error_links(page) == [f"#{field}"]
    assert typed.items() <= shown_values(page).items()
    assert scorer.hands == []


@pytest.mark.parametrize("field", ["a.melds", "a.opening", "b.left.0", "b.house.0.reason"])
def test_a_text_that_is_too_long_is_told_and_stays_whole(scorer: Scorer, field: str) -> None:
    long = "K " * 501
    typed = {
        **BY_CARDS, "a.melds": "7xK", "b.left": "", "b.left.0": "A",
        "b.house.0.points": "25", "b.house.0.reason": "fretta", field: long,
    }  # fmt: skip
    page = scorer.save(typed)
    (told,) = page.errors
    assert "Questo testo è troppo lungo: al massimo 1.000 caratteri." in told
    assert told in beside(page, field)[0]
    assert scorer.draft[field] == long


def test_what_cannot_be_read_is_told_beside_its_field_and_stays(scorer: Scorer) -> None:
    typed = {**USUAL, "a.cards": "-335", "b.cards": "mille", "b.red_threes": "100", "out": "c"}
    page = scorer.save(typed)
    assert "Noi: Qui il meno non serve" in beside(page, "a.cards")[0]
    assert "Loro: Qui serve un numero intero" in beside(page, "b.cards")[0]
    assert "al massimo 99" in beside(page, "b.red_threes")[0]
    assert beside(page, "out") == ["Errore: Di' chi ha chiuso, o che non ha chiuso nessuno."]
    assert len(page.errors) == 4
    shown = shown_values(page)
    assert (shown["a.cards"], shown["b.cards"]) == ("-335", "mille")


def test_what_could_be_two_things_is_asked_for_and_not_guessed(scorer: Scorer) -> None:
    typed = {"a.melds": "4 re 1 matta"}
    asked = "1 matta: jolly o pinella? Scrivi quale dei due."
    assert any(asked in line for line in missing(scorer.while_typing(typed))), "no error yet"
    page = scorer.save(typed)
    assert shown_values(page)["a.melds"] == typed["a.melds"]
    assert asked in beside(page, "a.melds")[0]


def test_totals_beside_cards_are_told_and_nothing_of_them_is_lost(scorer: Scorer) -> None:
    typed = {**USUAL, "a.melds": "7xK", "a.left.0": "A"}
    page = scorer.save(typed)
    assert page.errors == [
        "Noi: Ci sono sia i totali sia le carte: lascia gli uni o le altre.",
        "Noi: Le carte in mano ci sono sia in punti sia con le carte: lascia un modo solo.",
    ]
    assert error_links(page) == ["#a-cards", "#a-left"]
    assert typed.items() <= shown_values(page).items()
    assert scorer.hands == []


def test_problems_of_the_whole_hand_name_both_sides(scorer: Scorer) -> None:
    typed = {"a.melds": "4xK 3x2", "b.melds": "4xQ 3x2\n4xJ 3x2", **HELD, "out": "nobody"}
    page = scorer.save(typed)
    (told,) = page.errors
    assert told.startswith("Noi e Loro insieme hanno 9 pinelle: nel mazzo sono 8.")
    assert beside(page, "hand") == []
    assert told in beside(page, "a.melds")[0]
    assert told in beside(page, "b.melds")[0]
    assert error_links(page) == ["#b-melds"], "the last field that has some, to look at first"


def test_the_last_discard_may_be_the_card_too_many(scorer: Scorer) -> None:
    page = scorer.save({**HELD, "a.melds": "8xK", "b.cards": "0", "out": "a", "discard": "K"})
    assert any("9 re" in error for error in page.errors)
    assert "#discard" in error_links(page)


@pytest.mark.parametrize("case", CASES["red_threes"])
def test_too_many_red_threes_lead_to_a_field_that_has_some(
    scorer: Scorer, case: dict[str, Any]
) -> None:
    field = case["field"]
    page = scorer.save({**USUAL, "a.red_threes": "", "b.red_threes": "", **case["typed"]})
    assert ["onori: nel mazzo sono 4" in error for error in page.errors] == [True]
    link = f"#{field.replace('.', '-')}"
    assert error_links(page) == [link]
    assert page.one(id="bar-problems").one("a")["href"] == link
    assert "onori: nel mazzo sono 4" in beside(page, field)[0]
    assert beside(page, "hand") == []


@pytest.mark.parametrize("meld", ["4xK 3r", "K 3r", "3xQ 2 3r", "3r 3r 3r"])
def test_a_red_three_in_a_meld_is_told_once_and_nothing_that_only_follows_from_it(
    scorer: Scorer, meld: str
) -> None:
    page = scorer.save({**NOBODY_OUT, "a.melds": f"{meld}\n3xA"})
    told = f"Noi: «{meld}»: Un 3 rosso non si cala mai"
    assert [told in error for error in page.errors] == [True]


def test_an_opening_with_cards_that_were_not_laid_is_told_in_words(scorer: Scorer) -> None:
    page = scorer.save({**NOBODY_OUT, "a.melds": "5xK", "a.opening": "3xA"})
    (told,) = page.errors
    assert told.startswith("Noi: Le carte dell'apertura devono essere tra quelle calate.")
    assert error_links(page) == ["#a-opening"]
    assert page.one("textarea", id="a-opening").text == "3xA"


def test_an_expired_form_shows_what_was_typed_and_can_be_sent_again(scorer: Scorer) -> None:
    page = scorer.check({"a.cards": "335"})
    assert "Bozza al sicuro" in page.one(id="kept").text
    page = scorer.save({**USUAL, "csrf_token": "old"}, page, 400)
    assert len(page.errors) == 1
    assert USUAL.items() <= shown_values(page).items()
    assert page.one(id="kept").text == "", "nothing more of it was kept"
    assert scorer.save({}, page).url == scorer.match


def test_the_page_is_small_on_the_wire(scorer: Scorer) -> None:
    page = f"{scorer.match}/smazzata"
    answer = scorer.client.raw.get(page, headers={"Accept-Encoding": "gzip"})
    assert len(answer.data) < 14_000


# ---------------------------------------------------------------- while typing


def test_the_live_check_keeps_the_draft_and_tells_what_it_comes_to(scorer: Scorer) -> None:
    page = scorer.while_typing(USUAL)
    assert page.one(id="count-status").text == (
        "Noi: +1.320 in questa smazzata, 1.320 in tutto."
        " Loro: +1.105 in questa smazzata, 1.105 in tutto."
    )
    assert page.one(id="kept").text.startswith("Bozza al sicuro alle ")
    assert USUAL.items() <= scorer.draft.items()
    assert page.one("input", name="version")["value"] == "1"


def test_what_is_still_missing_is_no_error_while_typing(scorer: Scorer) -> None:
    page = scorer.while_typing({"a.cards": "335", "a.red_threes": "1", **HELD})
    assert missing(page) == [
        "Quanti punti sono stati calati da Loro? (0 se nessuno)",
        "Di' chi ha chiuso, o che non ha chiuso nessuno.",
    ]
    assert not page.one(id="bar-problems").all("li")
    assert sums(page) == ["+425", "–"]


def tones_beside_melds(scorer: Scorer, cards: str) -> tuple[set[str], bool]:
    """How the notes beside the cards begin, and whether their field is called wrong."""
    page = scorer.while_typing({"a.melds": cards})
    notes = [note for note in beside(page, "a.melds") if "apre con" not in note]
    is_wrong = page.one("textarea", id="a-melds").has("aria-invalid")
    return {note.partition(": ")[0] for note in notes}, is_wrong


@pytest.mark.parametrize("cards", CASES["cards"]["unfinished"])
def test_what_further_cards_can_mend_is_called_unfinished(scorer: Scorer, cards: str) -> None:
    assert tones_beside_melds(scorer, cards) == ({"Da finire"}, False)


@pytest.mark.parametrize("cards", CASES["cards"]["wrong"])
def test_what_no_further_card_can_mend_is_called_wrong(scorer: Scorer, cards: str) -> None:
    assert tones_beside_melds(scorer, cards) == ({"Errore"}, True)


def test_melds_that_do_not_reach_the_opening_yet_are_unfinished_until_they_are_saved(
    scorer: Scorer,
) -> None:
    typed = {**NOBODY_OUT, "a.melds": "3xK"}
    (told,) = beside(scorer.while_typing(typed), "a.melds")
    assert told.startswith("Da finire: Noi: in questa smazzata si apre con almeno 50")
    assert error_links(scorer.save(typed)) == ["#a-melds"]


@pytest.mark.parametrize(("out", "tone"), [("", "Da finire: "), ("nobody", "Errore: ")])
def test_black_threes_wait_for_who_went_out_and_no_longer(
    scorer: Scorer, out: str, tone: str
) -> None:
    page = scorer.while_typing({**NOBODY_OUT, "a.melds": "7xK\n3x3b", "out": out})
    assert [note.startswith(tone) for note in beside(page, "a.melds")] == [True]


def test_beside_a_mistake_of_the_one_stands_the_count_of_the_other(scorer: Scorer) -> None:
    page = scorer.while_typing({**USUAL, "a.left": "12"})
    assert sums(page) == ["–", "+1.105"]
    assert "Totale 1.105" in page.all(class_="live-side")[1].text


def test_where_red_threes_pass_to_the_others_no_count_is_told_beside_a_mistake(
    client: Client, pad: Pad
) -> None:
    match = start(client, option_red_threes_unopened="to-opponents")
    page = Scorer(client, pad, match).while_typing({**USUAL, "a.left": "12"})
    assert sums(page) == ["–", "–"]


def test_a_side_of_which_something_is_missing_is_not_taken_for_one_that_laid_nothing(
    scorer: Scorer,
) -> None:
    page = scorer.while_typing({"a.red_threes": "2", "a.opening": "3xA", "b.cards": "90", **HELD})
    assert sums(page) == ["–", "+80"]
    assert not page.one(id="bar-problems").all("li")


INCOMPLETE = "Il conto compare quando c'è tutto."
WRONG = "Il conto compare quando gli errori sono corretti."


@pytest.mark.parametrize(
    ("typed", "waits"),
    [
        ({**USUAL, "a.red_threes": "3", "b.red_threes": "3"}, [WRONG, WRONG]),
        ({**USUAL, "a.cards": "mille"}, [WRONG]),
        ({**USUAL, "a.cards": ""}, [INCOMPLETE]),
        ({**USUAL, "a.cards": "", "b.left": "12"}, [INCOMPLETE, WRONG]),
        ({**BY_CARDS, "a.melds": "Z"}, [WRONG]),
        ({**BY_CARDS, "a.melds": "2xK", "out": "nobody"}, [INCOMPLETE]),
    ],
)
def test_a_side_without_a_count_is_told_what_it_waits_for(
    scorer: Scorer, typed: dict[str, str], waits: list[str]
) -> None:
    page = scorer.while_typing(typed)
    sides = [box.all("p") for box in page.all(class_="live-side")]
    assert [lines[-1].text for lines in sides if len(lines) > 1] == waits


@pytest.mark.parametrize(
    ("typed", "name"), [({}, "Chiusura"), ({"concealed": "on"}, "Chiusura in mano")]
)
def test_a_concealed_going_out_is_called_so_while_it_is_counted(
    scorer: Scorer, typed: dict[str, str], name: str
) -> None:
    page = scorer.while_typing({**USUAL, **typed})
    assert name in [term.text for term in page.all("dt")]


@pytest.mark.parametrize(("language", "wrong"), [("it", "non va"), ("en", "not valid")])
def test_a_meld_that_breaks_a_rule_is_called_so_in_either_language(
    visit: Callable[..., Client], pad: Pad, language: str, wrong: str
) -> None:
    """A meld may have three wild cards at most, and this one of queens has four."""
    client = visit(language)
    page = Scorer(client, pad, start(client)).check({"a.melds": "5xQ 4x2\n4xK", "a.left.0": "9"})
    queens, kings = (meld.text for meld in page.one("ol", id="a-melds-list").all("li"))
    assert wrong in queens
    assert wrong not in kings


# ---------------------------------------------------------------- a hand that was saved meanwhile


def test_the_same_hand_saved_from_two_pages_is_told_and_saved_once(scorer: Scorer) -> None:
    late = scorer.open()
    scorer.save(USUAL)
    page = scorer.save({**USUAL, "a.cards": "0335", "b.red_threes_held": "0"}, late)
    assert page.url == scorer.match
    assert page.notices == [
        "La smazzata 1 era già stata salvata da un altro telefono o da un'altra pagina,"
        " con lo stesso conto."
    ]
    assert len(scorer.hands) == 1


def test_a_hand_that_was_saved_meanwhile_can_be_corrected_with_what_was_typed(
    scorer: Scorer,
) -> None:
    late = scorer.open()
    scorer.save(USUAL)
    page = scorer.save({**USUAL, "a.cards": "340"}, late, 409)
    assert page.one("h1").text == "La smazzata 1 è già stata salvata"
    page = scorer.client.submit(page, "Correggi con quello che ho scritto io")
    assert page.one("h1").text == "Correggi la smazzata 1"
    scorer.save({}, page)
    assert scorer.points == [[1325, 1105]]
    assert len(scorer.hands[0].versions) == 2


# ---------------------------------------------------------------- corrections


@pytest.fixture
def counted(scorer: Scorer) -> Scorer:
    """A match with a hand of 430 and 60 points."""
    play(scorer.pad, scorer.client, scorer.match, ALL_GOOD)
    return scorer


def test_a_past_hand_is_shown_as_it_was_counted_and_corrected_with_a_note(counted: Scorer) -> None:
    page = counted.correct()
    shown = shown_values(page)
    assert (shown["a.cards"], shown["a.canastas.mixed-canasta"]) == ("150", "1")
    assert (shown["a.left"], shown["out"]) == ("20", "nobody")
    # It is checked while it is typed, and nothing of it is kept.
    assert sums(counted.while_typing({"a.cards": "155"}, page)) == ["+435", "+60"]
    saved = counted.save({"a.cards": "250", "reason": "un re di troppo"}, page)
    assert saved.url == counted.match
    assert counted.points == [[530, 60]]
    assert counted.hands[0].versions[-1].event.reason == "un re di troppo"
    assert counted.state.open_hand is None


@pytest.mark.parametrize(
    ("typed", "link"),
    [
        ({"a.left": "7", "reason": "perché sì"}, "#a-left"),
        ({"a.cards": "250", "reason": "n" * 301}, "#reason"),
    ],
    ids=["impossible points", "a long note"],
)
def test_a_refused_correction_keeps_note_and_figures(
    counted: Scorer, typed: dict[str, str], link: str
) -> None:
    page = counted.save(typed, counted.correct(), 422)
    assert error_links(page) == [link]
    assert page.errors[0] in beside(page, link[1:])[0]
    assert typed.items() <= shown_values(page).items()
    assert len(counted.hands[0].versions) == 1


def test_of_two_corrections_at_once_the_same_is_no_conflict_and_another_shows_both_values(
    counted: Scorer,
) -> None:
    first, same, other = counted.correct(), counted.correct(), counted.correct()
    counted.save({"a.cards": "250"}, first)
    assert counted.save({"a.cards": "250"}, same).url == counted.match
    assert len(counted.hands[0].versions) == 2
    page = counted.save({"a.cards": "255", "reason": "mia"}, other, 409)
    assert differences(page) == [["Noi: Carte calate", "250", "255"]]
    page = counted.client.submit(page, "Correggi con quello che ho scritto io")
    assert shown_values(page)["reason"] == "mia"
    counted.save({}, page)
    assert counted.points == [[535, 60]]
