"""The match as the table sees it: the card with its columns, the hands as on paper, what can be
undone.
"""

from __future__ import annotations

import re

import pytest

from scorepad.matches import Pad
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin, Player
from tests.web.playing import (
    HAND_430_TO_60,
    HAND_1700_TO_60,
    HAND_2900_TO_MINUS_250,
    HAND_MINUS_220_TO_80,
    hand,
    side,
    start,
)

SAVE_NAMES = "Salva i nomi"  # "Save the names"
FOUR_PLAYERS = {"player_0_0": "Ada", "player_0_1": "Ugo", "player_1_0": "Eva", "player_1_1": "Ivo"}


def score_heads(page: Page) -> list[str]:
    """The head of each side: its name, players, total, opening, and what it lacks to the target."""
    return page.texts("section", class_="head")


def test_match_shows_dealer_and_rules_of_the_hand(begin: Begin) -> None:
    player = begin(**FOUR_PLAYERS)
    # "11 cards each, 1 is drawn. Going out needs at least 1 canasta."
    rules_of_hand = "Carte 11 a testa, se ne pesca 1 Per chiudere almeno 1 canasta"

    page = player.page()
    assert page.heading == "Noi contro Loro"
    # "Opens with 50, below 1.500 points. 5.000 to go."
    assert score_heads(page)[0] == (
        "Noi Ada, Ugo 0 Apre con 50 , sotto 1.500 punti ne mancano 5.000"
    )
    facts = page.one("dl", class_="facts").text
    # "Ada deals, Eva begins"
    assert facts == f"Dà le carte Ada (Noi) Comincia Eva (Loro) {rules_of_hand}"
    assert page.links()["Nuova smazzata"] == f"{page.url}/smazzata"
    assert page.links()["Foglio della partita (PDF)"] == f"{page.url}/foglio.pdf"

    page = player.play(HAND_430_TO_60)
    assert "Smazzata 2" in page.texts("h2")  # "Hand 2"
    assert page.one("dl", class_="facts").text == "Dà le carte Eva (Loro) Comincia Ugo (Noi)"
    assert rules_of_hand in page.one("details", id="rules").text


def test_totals_and_opening_minimums_follow_the_hands(player: Player) -> None:
    below_zero = player.play(HAND_MINUS_220_TO_80)
    # Opens with 15, since below zero.
    assert score_heads(below_zero)[0] == "Noi −220 Apre con 15 , sotto zero ne mancano 5.220"
    assert below_zero.all("progress")[0]["value"] == "0"

    page = player.play(HAND_1700_TO_60)
    assert score_heads(page) == [
        "Noi 1.480 Apre con 50 , sotto 1.500 punti ne mancano 3.520",
        "Loro 140 Apre con 50 , sotto 1.500 punti ne mancano 4.860",
    ]
    bar = page.all("progress")[0]
    assert bar["value"] == "1480"
    assert bar["max"] == "5000"

    from_1500_on = player.play(HAND_430_TO_60)
    assert score_heads(from_1500_on)[0] == (
        "Noi 1.910 Apre con 90 , da 1.500 punti ne mancano 3.090"
    )


def test_long_names_are_shortened_with_full_name_as_title(begin: Begin) -> None:
    """A class says how many letters the longest word of a name has, from which its size follows."""
    names = {"name_0": "Ada", "name_1": "Mariagrazia", "name_2": "Maria Antonietta"}
    page = begin("tagliagola", **names).page()

    assert page.heading == "Ada, Mariagrazia e Maria Antonietta"
    ada, mariagrazia, antonietta = page.all("section", class_="head")
    assert ada.one("h2", class_="letters-7").get("title") == ""
    assert mariagrazia.one("h2", class_="letters-11")["title"] == "Mariagrazia"
    assert antonietta.one("h2", class_="letters-10")["title"] == "Maria Antonietta"


def test_hands_are_listed_in_order_with_the_last_one_unfolded(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80, HAND_430_TO_60)
    hands = page.one("ol", class_="hands")
    # Who went out; what each side made, and its total.
    assert hands.texts("summary", class_="row") == [
        "Smazzata 1 1 , chiude: Noi Noi +1.700 , in tutto 1.700 Loro +60 , in tutto 60",
        "Smazzata 2 2 , nessuno ha chiuso Noi −220 , in tutto 1.480 Loro +80 , in tutto 140",
        "Smazzata 3 3 , nessuno ha chiuso Noi +430 , in tutto 1.910 Loro +60 , in tutto 200",
    ]
    first, second, third = hands.all("li")
    assert not first.all("details")[0].has("open")
    assert not second.all("details")[0].has("open")
    assert third.all("details")[0].has("open")


def test_row_of_hand_names_who_went_out(begin: Begin) -> None:
    ugo_went_out = {**HAND_1700_TO_60, "out": {"side": "a", "player": 1}}
    page = begin(**FOUR_PLAYERS).play(ugo_went_out)
    assert "chiude: Ugo" in page.one("summary", class_="row").one(class_="out").text


def test_hand_shows_its_score_lines_and_their_sources(player: Player) -> None:
    page = player.play(HAND_1700_TO_60)

    # Natural and mixed canastas, cards laid, red threes, going out, cards in hand, the sum.
    assert page.one("table").texts("tr") == [
        "Noi Loro",
        "Canaste naturali (1) +500 –",
        "Canaste miste (2) +600 –",
        "Carte calate +400 +100",
        "Onori (3 rossi) (1) +100 –",
        "Chiusura +100 –",
        "Carte in mano 0 −40",
        "Smazzata +1.700 +60",
    ]
    sources = page.all("dl", class_="sources")[0].all("div")
    assert len(sources) == 6, "one for each line"
    assert sources[4].text.startswith("Chiusura Wikipedia: «Chiusura, punteggi e vittoria»")
    assert "Minimo di apertura: 50 per tutti." in page.text  # "Opening minimum 50 for all"
    assert "Chiusura: Noi." in page.text


def test_penalties_are_shown_with_name_or_reason(player: Player) -> None:
    house_penalty = {"code": "house", "points": 25, "reason": "ha <guardato> il pozzo"}
    ours = side(cards=100, penalties=["draw-out-of-turn", house_penalty])

    page = player.play(hand(ours, side(cards=100)))

    lines = page.one("table").texts("tr")
    assert "Pescata fuori turno (1) −100 –" in lines
    assert "Penalità della casa (1) −25 –" in lines
    assert "Noi, −25: ha <guardato> il pozzo" in page.text
    assert "&lt;guardato&gt;" in page.answer.text, "the reason is text and no markup"


def test_undo_removes_hand_after_hand(player: Player) -> None:
    with_two_hands = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)

    with_one_hand = player.submit(with_two_hands, "Annulla la smazzata 2")  # "Undo hand 2"
    assert with_one_hand.notices == [
        # Hand 2 was undone, and what was written in it is in the open hand.
        "Smazzata 2 annullata. Quello che c'era scritto torna nella smazzata in corso."
    ]

    without_hand = player.submit(with_one_hand, "Annulla la smazzata 1")
    assert score_heads(without_hand)[0].startswith("Noi 0")
    # "nothing to undo"
    assert without_hand.form("Niente da annullare").one("button").has("disabled")


def test_undo_sent_twice_undoes_once(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    player.submit(page, "Annulla la smazzata 2")

    sent_again = player.submit(page, "Annulla la smazzata 2")

    assert score_heads(sent_again)[0].startswith("Noi 1.700")
    assert sent_again.notices == []


def test_undo_from_an_outdated_page_is_refused(player: Player) -> None:
    old_page = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)

    refused = player.submit(old_page, "Annulla la smazzata 1", status=409)
    # The match has changed meanwhile, so that nothing was undone.
    assert refused.errors == [
        "Intanto la partita è cambiata: qui sotto è com'è adesso. Non è stato annullato niente."
    ]
    assert score_heads(refused)[0].startswith("Noi 1.480")

    undone = player.submit(refused, "Annulla la smazzata 2")
    assert undone.notices


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 30])
def test_undo_with_invalid_position_is_refused(player: Player, seen: str) -> None:
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla la smazzata 1")
    fields = page.values(form) | {"seen": seen}

    refused = player.client.post(form["action"], fields, status=422)
    assert score_heads(refused)[0].startswith("Noi 1.700")

    undone = player.submit(refused, "Annulla la smazzata 1")
    assert score_heads(undone)[0].startswith("Noi 0")


def test_corrected_hand_shows_both_versions_and_the_reason(player: Player) -> None:
    out_concealed = {**HAND_1700_TO_60, "out": {"side": "a", "concealed": True}}
    page = player.play(out_concealed, HAND_430_TO_60)
    # "Correct hand 1"
    assert page.links()["Correggi la smazzata 1"] == f"{page.url}/smazzate/1/correggi"

    page = player.correct_to(1, HAND_MINUS_220_TO_80, "contata la riga sbagliata")

    assert score_heads(page)[0].startswith("Noi 210")  # −220 + 430
    first_hand = page.one("li", id="smazzata-1")
    assert first_hand.one("summary", class_="row").text.endswith("corretta")  # "corrected"
    assert "Motivo: contata la riga sbagliata" in first_hand.text
    # The first version, with its date and time.
    assert re.search(r"Conto 1, \d+ \w+ \d{4}, \d\d:\d\d", first_hand.text)
    lines_now, lines_before = first_hand.all("table")
    assert lines_now.texts("tr")[-1] == "Smazzata −220 +80"
    assert "Chiusura in mano" in lines_before.text


def test_doubts_about_a_hand_are_listed_once(begin: Begin) -> None:
    """With the first hand corrected, Ada had reached the target of 2,000 before the second, in which
    both sides would have needed 90 points to open: they had more than 1,500.
    """
    both_open_with_60 = hand(side(cards=60), side(cards=60))
    # 3 natural canastas 1500, a mixed one 300, cards 400, red threes 200: 2,400.
    ada = side(cards=400, natural=3, mixed=1, red_threes=2)
    corrected = hand(ada, HAND_1700_TO_60["sides"]["a"])
    player = begin(option_target="2000", name_0="Ada & C.")
    player.play(HAND_430_TO_60, both_open_with_60)

    page = player.correct_to(1, corrected)

    doubts = (
        "Ada & C.: traguardo già raggiunto prima; "  # the target was reached before
        # the opening is in doubt, 90 were needed
        "Ada & C.: apertura in dubbio, con i punteggi corretti servivano 90; "
        "Loro: apertura in dubbio, con i punteggi corretti servivano 90"
    )
    second_hand = page.one("li", id="smazzata-2")
    assert second_hand.one(class_="mark-doubt").text == doubts
    assert page.links()[f"Smazzata 2 – {doubts}"] == "#smazzata-2"
    assert "ne fanno 60 in tutto, ne mancano 30." in second_hand.text


def test_exact_target_ends_the_match(begin: Begin) -> None:
    page = begin().play({"sides": {"a": {"sum": 5000}, "b": {"sum": 0}}})
    # "Target 5.000 reached in 1 hand."
    assert "Traguardo 5.000 raggiunto in 1 smazzata." in page.one(class_="ended").text


def test_finished_match_shows_winner_and_offers_no_hand(client: Client, begin: Begin) -> None:
    page = begin().play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    # "We have won …, target reached in 2 hands."
    assert page.one(class_="ended").text.startswith(
        "Abbiamo vinto noi: 5.800 a −500 Traguardo 5.000 raggiunto in 2 smazzate."
    )
    assert score_heads(page) == ["Noi 5.800 vittoria", "Loro −500"]
    assert page.one("ol", class_="hands").all("details", open="") == [], "all hands are folded"
    assert "Nuova smazzata" not in page.links()
    assert page.links()["Nuova partita"] == "/partite/nuova"

    undone = client.submit(page, "Annulla la smazzata 2")
    assert undone.all(class_="ended") == [], "a finished match can be undone too"


def test_finished_match_names_the_pair_that_won(begin: Begin) -> None:
    page = begin(**FOUR_PLAYERS).play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)
    ended = page.one(class_="ended-who")
    assert ended.text == "Vince la coppia Ada–Ugo: 5.800 a −500"
    assert ended.one(class_="whole").text == "Ada–Ugo:", "the names of a pair stay on a line"


def test_match_goes_on_when_level_beyond_the_target(begin: Begin) -> None:
    points_1300 = side(cards=500, natural=1, mixed=1)  # 500 + 500 + 300
    page = begin(option_target="1000").play(hand(points_1300, points_1300))
    # "Level beyond the target, another hand is played."
    assert "Pari oltre il traguardo: si gioca ancora una smazzata." in page.text
    noi, loro = score_heads(page)
    assert noi.endswith("traguardo raggiunto")
    assert loro.endswith("traguardo raggiunto")
    assert "Nuova smazzata" in page.links()


def test_totals_link_to_the_hand_and_open_hand_is_resumed(player: Player) -> None:
    page = player.play(HAND_1700_TO_60)
    total = page.all("p", class_="total")[0].one("a")
    assert total["href"] == f"{player.match}/smazzata"
    assert total["aria-label"] == "1.700: aggiungi una smazzata"

    player.check({"a.cards": "12"})
    # "Resume the hand"
    assert player.page().links()["Riprendi la smazzata"] == f"{player.match}/smazzata"


def test_redo_restores_hand_after_hand(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    heads_before = score_heads(page)
    assert "Rifai" not in " ".join(page.texts("button")), "nothing to redo yet"
    player.undo("Annulla la smazzata 2")
    both_undone = player.undo("Annulla la smazzata 1")

    page = player.submit(both_undone, "Rifai la smazzata 1")  # "Redo hand 1"
    assert page.notices == ["Smazzata 1 rimessa."]  # "Hand 1 is back."

    page = player.submit(page, "Rifai la smazzata 2")
    assert score_heads(page) == heads_before
    assert "Rifai" not in " ".join(page.texts("button")), "nothing to redo any more"


def test_redo_from_an_outdated_page_is_refused(player: Player) -> None:
    player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    player.undo("Annulla la smazzata 2")
    old_page = player.undo("Annulla la smazzata 1")
    player.submit(old_page, "Rifai la smazzata 1")

    sent_again = player.submit(old_page, "Rifai la smazzata 1")
    assert score_heads(sent_again)[0].startswith("Noi 1.700 "), "it is redone once"

    new_id = "another-request-0001"
    refused = player.submit(old_page, "Rifai la smazzata 1", status=409, request_id=new_id)
    assert "Non è stato rifatto niente." in refused.text  # "Nothing was redone."


# ---------------------------------------------------------------- series


def series(page: Page) -> list[str]:
    """What the page says of the series of matches that this one belongs to."""
    return page.texts("p", class_="series")


def test_series_of_three_is_won_and_a_new_one_begins(
    client: Client, begin: Begin, pad: Pad
) -> None:
    won_by_noi = HAND_2900_TO_MINUS_250
    won_by_loro = hand(won_by_noi["sides"]["b"], won_by_noi["sides"]["a"], out="b")

    first = begin(option_target="500").play(won_by_noi)
    assert series(first) == []

    second = client.submit(first, "Rivincita")
    assert series(second) == ["Serie: Noi 1–0 Loro"]
    second = Player(client, pad, second.url).play(won_by_loro)

    form = second.one("form", class_="lengths")
    third = client.post(form["action"], second.values(form) | {"best_of": "3"})
    assert series(third) == ["Serie: Noi 1–1 Loro, al meglio di 3"]  # "best of 3"
    third = Player(client, pad, third.url).play(won_by_noi)
    assert series(third) == ["Serie vinta da Noi · Serie: Noi 2–1 Loro, al meglio di 3"]

    of_another_series = client.submit(third, "Rivincita")
    assert series(of_another_series) == []


def test_match_of_five_shows_who_sits_out(begin: Begin) -> None:
    player = begin("cinque", player_1_0="Eva", player_1_1="Ivo", player_1_2="Zoe")
    zoe_sits_out = "Riposa: Zoe (Loro)"
    assert player.page().one(class_="resting").text == zoe_sits_out
    assert player.play(HAND_430_TO_60).one(class_="resting").text != zoe_sits_out


def test_page_and_print_show_rules_place_and_time(begin: Begin) -> None:
    page = begin(option_target="3.000", preset="giochi", place="Rimini").page()

    when = page.one("p", class_="on-paper").text
    assert re.fullmatch(r"Canasta classica · Rimini · \d+ \w+ \d{4}, \d\d:\d\d", when)
    rules_on_screen = page.all("dl", class_="sources")[-1]
    rules_on_paper = page.one("div", class_="on-paper")
    for rules in (rules_on_screen, rules_on_paper):
        assert "Gioco Canasta classica" in rules.text
        assert "Regole seguite Giochi di carte" in rules.text
        assert "Traguardo 3.000" in rules.text


def test_names_and_place_can_be_changed_and_undone(client: Client, begin: Begin) -> None:
    page = begin(player_0_0="Ada").play(HAND_1700_TO_60)
    form = client.get(page.links()["Nomi e luogo"])
    assert form.value_of("player-0-0") == "Ada"

    saved = client.submit(form, SAVE_NAMES, name_0="Nonni", place="Ostia")
    assert saved.heading == "Nonni contro Loro"
    assert "Nonni +1.700" in saved.text
    assert "Ostia" in saved.text

    undone = client.submit(saved, "Annulla il cambio dei nomi")  # "Undo the change of names"
    assert undone.heading == "Noi contro Loro"


def test_undo_keeps_the_open_draft(player: Player) -> None:
    player.play(HAND_1700_TO_60)
    player.check({"a.cards": "7"})

    undone = player.undo("Annulla")

    # It says that what somebody was typing stays, and the figures undone do not return.
    assert undone.notices == [
        "Smazzata 1 annullata. Nella smazzata in corso resta quello che qualcuno vi stava scrivendo; le cifre della "
        "smazzata annullata non tornano."
    ]
    assert player.draft["a.cards"] == "7"


def test_marks_of_a_hand_are_separated_by_space(player: Player) -> None:
    """The hand is marked as corrected, and as waiting for the check of the other side."""
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    player.play(HAND_1700_TO_60)
    page = player.correct_to(1, HAND_1700_TO_60)
    assert re.search(r'</span>\s+<span class="mark-doubt">', page.answer.text)


def test_source_headings_on_english_page_are_marked_italian(visit: Visit, pad: Pad) -> None:
    english = visit("en")
    page = Player(english, pad, start(english)).play(HAND_1700_TO_60)
    sources = page.one(class_="hands").all("dl", class_="sources")[0]
    headings = sources.texts("span", lang="it")
    assert headings
    for heading in headings:
        assert heading.startswith("“"), "with English quotation marks"


def test_conflicting_change_of_name_is_refused_once(player: Player) -> None:
    old_page = player.page("nomi")
    player.submit("nomi", SAVE_NAMES, name_0="Ada", name_1="Eva", player_0_1="Anna")

    refused = player.submit(old_page, SAVE_NAMES, status=409, name_0="Nonni", place="Ostia")
    # "Meanwhile somebody has written «Ada». If you save, what stands below takes its place."
    assert refused.errors == [
        "Coppia 1: Intanto qualcuno ha scritto «Ada». Se salvi, al suo posto resta quello che c'è qui sotto."
    ]
    merged = {"name-0": "Nonni", "name-1": "Eva", "player-0-1": "Anna", "place": "Ostia"}
    assert merged.items() <= refused.form_values(SAVE_NAMES).items()
    assert player.page().heading == "Ada contro Eva"

    saved = player.submit(refused, SAVE_NAMES)
    assert saved.heading == "Nonni contro Eva"


@pytest.mark.parametrize("seen", ["", "0", "-1", "x", "99999999999999"])
def test_change_of_names_with_invalid_position_is_refused(player: Player, seen: str) -> None:
    page = player.page("nomi")
    refused = player.submit(page, SAVE_NAMES, status=409, name_0="Nonni", seen=seen)
    # "Meanwhile somebody has written …"
    assert refused.errors[0].startswith("Coppia 1: Intanto qualcuno ha scritto «Noi».")
    assert player.page().heading == "Noi contro Loro"
