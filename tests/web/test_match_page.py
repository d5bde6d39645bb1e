"""The match as the table sees it: the card with its columns, the hands as on paper, what can be
undone.
"""

from __future__ import annotations

import re

import pytest

from scorepad.matches import Pad
from scorepad.web.cookies import VIEW_COOKIE
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
    """Return the head of each side: its name, players, total, opening, and what it lacks to the
    target.
    """
    return page.texts("section", class_="head")


def test_match_shows_dealer_and_rules_of_the_hand(begin: Begin) -> None:
    # The opening, the first melds of a side in a hand, takes at least 50 points of cards here:
    # "Opens with 50, below 1,500 points". "ne mancano 5.000" are the points that lack to the
    # target.
    player = begin(**FOUR_PLAYERS)
    page = player.page()
    assert page.heading == "Noi contro Loro"
    assert score_heads(page)[0] == (
        "Noi Ada, Ugo 0 Apre con 50 , sotto 1.500 punti ne mancano 5.000"
    )

    # "Ada deals, Eva begins. 11 cards each, 1 is drawn. Going out needs at least 1 canasta."
    rules_of_hand = "Carte 11 a testa, se ne pesca 1 Per chiudere almeno 1 canasta"
    facts = page.one("dl", class_="facts").text
    assert facts == f"Dà le carte Ada (Noi) Comincia Eva (Loro) {rules_of_hand}"
    assert page.links()["Nuova smazzata"] == f"{page.url}/smazzata"
    assert page.links()["Foglio della partita (PDF)"] == f"{page.url}/foglio.pdf"

    # In hand 2 Eva deals. From here on the rules of a hand are folded.
    page = player.play(HAND_430_TO_60)
    assert "Smazzata 2" in page.texts("h2")
    assert page.one("dl", class_="facts").text == "Dà le carte Eva (Loro) Comincia Ugo (Noi)"
    assert rules_of_hand in page.one("details", id="rules").text


def test_totals_and_opening_minimums_follow_the_hands(player: Player) -> None:
    # Below zero ("sotto zero") a side opens with 15 points. To 5,000 it lacks 5,220.
    below_zero = player.play(HAND_MINUS_220_TO_80)
    assert score_heads(below_zero)[0] == "Noi −220 Apre con 15 , sotto zero ne mancano 5.220"
    assert below_zero.all("progress")[0]["value"] == "0"

    # Noi get to −220 + 1,700, Loro to 80 + 60.
    page = player.play(HAND_1700_TO_60)
    assert score_heads(page) == [
        "Noi 1.480 Apre con 50 , sotto 1.500 punti ne mancano 3.520",
        "Loro 140 Apre con 50 , sotto 1.500 punti ne mancano 4.860",
    ]
    bar = page.all("progress")[0]
    assert bar["value"] == "1480"
    assert bar["max"] == "5000"

    # From 1,500 points on Noi open with 90.
    from_1500_on = player.play(HAND_430_TO_60)
    assert score_heads(from_1500_on)[0] == (
        "Noi 1.910 Apre con 90 , da 1.500 punti ne mancano 3.090"
    )


def test_long_names_are_shortened_with_full_name_as_title(begin: Begin) -> None:
    names = {"name_0": "Ada", "name_1": "Mariagrazia", "name_2": "Maria Antonietta"}
    page = begin("tagliagola", **names).page()

    # The heading has the names in full.
    assert page.heading == "Ada, Mariagrazia e Maria Antonietta"

    # A class says how many letters the longest word of a name has, and so how large it can be: 7
    # letters or fewer, the 11 of Mariagrazia, the 10 of Antonietta.
    ada, mariagrazia, antonietta = page.all("section", class_="head")
    assert ada.one("h2", class_="letters-7").get("title") == ""
    assert mariagrazia.one("h2", class_="letters-11")["title"] == "Mariagrazia"
    assert antonietta.one("h2", class_="letters-10")["title"] == "Maria Antonietta"


def test_hands_are_listed_in_order_with_the_last_one_unfolded(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80, HAND_430_TO_60)

    # A row says who went out ("chiude") or that nobody did, what each side made, and its total.
    hands = page.one("ol", class_="hands")
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
    # Ugo is the second player of Noi, and so has the number 1.
    ugo_went_out = {**HAND_1700_TO_60, "out": {"side": "a", "player": 1}}
    page = begin(**FOUR_PLAYERS).play(ugo_went_out)
    assert "chiude: Ugo" in page.one("summary", class_="row").one(class_="out").text


def test_hand_shows_its_score_lines_and_their_sources(player: Player) -> None:
    page = player.play(HAND_1700_TO_60)

    assert page.one("table").texts("tr") == [
        "Noi Loro",
        "Canaste naturali (1) +500 –",  # natural canastas
        "Canaste miste (2) +600 –",  # mixed canastas
        "Carte calate +400 +100",  # cards laid
        "Onori (3 rossi) (1) +100 –",  # red threes
        "Chiusura +100 –",  # going out
        "Carte in mano 0 −40",  # cards left in hand
        "Smazzata +1.700 +60",  # the whole hand
    ]

    # For each of the six lines the page says where its rule stands, such as going out in Wikipedia.
    sources = page.all("dl", class_="sources")[0].all("div")
    assert len(sources) == 6
    assert sources[4].text.startswith("Chiusura Wikipedia: «Chiusura, punteggi e vittoria»")
    # Below that it says that the "opening minimum" was 50 for all, and that Noi went out.
    assert "Minimo di apertura: 50 per tutti." in page.text
    assert "Chiusura: Noi." in page.text


def test_penalties_are_shown_with_name_or_reason(player: Player) -> None:
    # Noi drew out of turn. The house gives a penalty for having <looked at> the discard pile.
    house_penalty = {"code": "house", "points": 25, "reason": "ha <guardato> il pozzo"}
    ours = side(cards=100, penalties=["draw-out-of-turn", house_penalty])

    page = player.play(hand(ours, side(cards=100)))

    lines = page.one("table").texts("tr")
    assert "Pescata fuori turno (1) −100 –" in lines
    assert "Penalità della casa (1) −25 –" in lines

    # The reason is shown as text, not as markup.
    assert "Noi, −25: ha <guardato> il pozzo" in page.text
    assert "&lt;guardato&gt;" in page.answer.text


def test_undo_removes_hand_after_hand(player: Player) -> None:
    with_two_hands = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)

    # "Hand 2 undone. What was written there is back in the hand in progress."
    with_one_hand = player.submit(with_two_hands, "Annulla la smazzata 2")
    assert with_one_hand.notices == [
        "Smazzata 2 annullata. Quello che c'era scritto torna nella smazzata in corso."
    ]

    # With hand 1 undone there is "nothing to undo" any more.
    without_hand = player.submit(with_one_hand, "Annulla la smazzata 1")
    assert score_heads(without_hand)[0].startswith("Noi 0")
    assert without_hand.form("Niente da annullare").one("button").has("disabled")


def test_undo_sent_twice_undoes_once(player: Player) -> None:
    # The button is tapped twice. The second request has the same id as the first.
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    player.submit(page, "Annulla la smazzata 2")

    sent_again = player.submit(page, "Annulla la smazzata 2")

    assert score_heads(sent_again)[0].startswith("Noi 1.700")
    assert sent_again.notices == []


def test_undo_from_an_outdated_page_is_refused(player: Player) -> None:
    # A page still offers to undo hand 1, while hand 2 is counted on another phone.
    old_page = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)

    # "Meanwhile the match has changed … Nothing has been undone." Below is how it is now.
    refused = player.submit(old_page, "Annulla la smazzata 1", status=409)
    assert refused.errors == [
        "Intanto la partita è cambiata: qui sotto è com'è adesso. Non è stato annullato niente."
    ]
    assert score_heads(refused)[0].startswith("Noi 1.480")  # 1,700 − 220

    # The page that is shown then offers to undo hand 2.
    undone = player.submit(refused, "Annulla la smazzata 2")
    assert undone.notices


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 30])
def test_undo_with_invalid_position_is_refused(player: Player, seen: str) -> None:
    # The form says which entry of the log was the last one when the page was made. Here that is
    # wrong.
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla la smazzata 1")
    fields = page.values(form) | {"seen": seen}

    refused = player.client.post(form["action"], fields, status=422)
    assert score_heads(refused)[0].startswith("Noi 1.700")

    # With the form of the page that is shown then, the hand is undone.
    undone = player.submit(refused, "Annulla la smazzata 1")
    assert score_heads(undone)[0].startswith("Noi 0")


def test_corrected_hand_shows_both_versions_and_the_reason(player: Player) -> None:
    # In hand 1 Noi laid their first and their last cards in one turn: they went out concealed. The
    # link "Correct hand 1" leads to its form.
    out_concealed = {**HAND_1700_TO_60, "out": {"side": "a", "concealed": True}}
    page = player.play(out_concealed, HAND_430_TO_60)
    assert page.links()["Correggi la smazzata 1"] == f"{page.url}/smazzate/1/correggi"

    # It is corrected, because "the wrong line was counted". The total is −220 + 430 then.
    page = player.correct_to(1, HAND_MINUS_220_TO_80, "contata la riga sbagliata")
    assert score_heads(page)[0].startswith("Noi 210")

    # The row of the hand is marked as "corrected". Unfolded it has the reason, and "Count 1", which
    # is the first version, with its date and time.
    first_hand = page.one("li", id="smazzata-1")
    assert first_hand.one("summary", class_="row").text.endswith("corretta")
    assert "Motivo: contata la riga sbagliata" in first_hand.text
    assert re.search(r"Conto 1, \d+ \w+ \d{4}, \d\d:\d\d", first_hand.text)

    # The first version has the line "going out concealed".
    lines_now, lines_before = first_hand.all("table")
    assert lines_now.texts("tr")[-1] == "Smazzata −220 +80"
    assert "Chiusura in mano" in lines_before.text


def test_doubts_about_a_hand_are_listed_once(begin: Begin) -> None:
    # A match goes to 2,000 points. In its second hand both sides open, that is lay their first
    # melds, with 60 points. This is enough, as from 0 points on an opening takes 50.
    both_open_with_60 = hand(side(cards=60), side(cards=60))
    player = begin(option_target="2000", name_0="Ada & C.")
    player.play(HAND_430_TO_60, both_open_with_60)

    # The first hand is corrected to 2,400 and 1,600 points. A natural canasta has 500, a mixed one
    # 300, a red three 100. From 1,500 points on an opening takes 90.
    ada = side(cards=400, natural=3, mixed=1, red_threes=2)
    loro = side(cards=400, natural=1, mixed=2, red_threes=1)
    page = player.correct_to(1, hand(ada, loro))

    # "Ada: target already reached before; Ada and Loro: opening in doubt, with the corrected scores
    # it took 90". The second hand is marked so, and the list of doubts at the top links to it.
    doubts = (
        "Ada & C.: traguardo già raggiunto prima; "
        "Ada & C.: apertura in dubbio, con i punteggi corretti servivano 90; "
        "Loro: apertura in dubbio, con i punteggi corretti servivano 90"
    )
    second_hand = page.one("li", id="smazzata-2")
    assert second_hand.one(class_="mark-doubt").text == doubts
    assert page.links()[f"Smazzata 2 – {doubts}"] == "#smazzata-2"

    # "They come to 60 in all, 30 are missing."
    assert "ne fanno 60 in tutto, ne mancano 30." in second_hand.text


def test_exact_target_ends_the_match(begin: Begin) -> None:
    page = begin().play({"sides": {"a": {"sum": 5000}, "b": {"sum": 0}}})

    # "Target 5,000 reached in 1 hand."
    assert "Traguardo 5.000 raggiunto in 1 smazzata." in page.one(class_="ended").text


def test_finished_match_shows_winner_and_offers_no_hand(client: Client, begin: Begin) -> None:
    page = begin().play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    # "We have won", because the "target 5,000" was "reached in 2 hands".
    assert page.one(class_="ended").text.startswith(
        "Abbiamo vinto noi: 5.800 a −500 Traguardo 5.000 raggiunto in 2 smazzate."
    )
    assert score_heads(page) == ["Noi 5.800 vittoria", "Loro −500"]

    # All hands are folded. There is a link to a new match, but none to a new hand.
    assert page.one("ol", class_="hands").all("details", open="") == []
    assert "Nuova smazzata" not in page.links()
    assert page.links()["Nuova partita"] == "/partite/nuova"

    # The last hand can be undone, and the match goes on.
    undone = client.submit(page, "Annulla la smazzata 2")
    assert undone.all(class_="ended") == []


def test_finished_match_names_the_pair_that_won(begin: Begin) -> None:
    page = begin(**FOUR_PLAYERS).play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    # "The pair Ada–Ugo wins". A line does not break between the names of a pair.
    ended = page.one(class_="ended-who")
    assert ended.text == "Vince la coppia Ada–Ugo: 5.800 a −500"
    assert ended.one(class_="whole").text == "Ada–Ugo:"


def test_match_goes_on_when_level_beyond_the_target(begin: Begin) -> None:
    # Both sides get 1,300 points: cards 500, a natural canasta 500, a mixed one 300.
    points_1300 = side(cards=500, natural=1, mixed=1)
    page = begin(option_target="1000").play(hand(points_1300, points_1300))

    # "Level beyond the target" means that "one more hand is played".
    assert "Pari oltre il traguardo: si gioca ancora una smazzata." in page.text
    noi, loro = score_heads(page)  # each "target reached"
    assert noi.endswith("traguardo raggiunto")
    assert loro.endswith("traguardo raggiunto")
    assert "Nuova smazzata" in page.links()


def test_totals_link_to_the_hand_and_open_hand_is_resumed(player: Player) -> None:
    # The total of a side is a link: "1,700: add a hand".
    page = player.play(HAND_1700_TO_60)
    total = page.all("p", class_="total")[0].one("a")
    assert total["href"] == f"{player.match}/smazzata"
    assert total["aria-label"] == "1.700: aggiungi una smazzata"

    # When somebody has begun to type a hand, a link says "Resume the hand".
    player.check({"a.cards": "12"})
    assert player.page().links()["Riprendi la smazzata"] == f"{player.match}/smazzata"


def test_redo_restores_hand_after_hand(player: Player) -> None:
    # No button says "Redo" while there is nothing to redo.
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    heads_before = score_heads(page)
    assert "Rifai" not in " ".join(page.texts("button"))

    player.undo("Annulla la smazzata 2")
    both_undone = player.undo("Annulla la smazzata 1")

    # "Hand 1 is back."
    page = player.submit(both_undone, "Rifai la smazzata 1")
    assert page.notices == ["Smazzata 1 rimessa."]

    # With hand 2 everything is as before.
    page = player.submit(page, "Rifai la smazzata 2")
    assert score_heads(page) == heads_before
    assert "Rifai" not in " ".join(page.texts("button"))


def test_redo_from_an_outdated_page_is_refused(player: Player) -> None:
    # Two hands are played and undone. The page has a button to redo hand 1, which is pressed.
    player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    player.undo("Annulla la smazzata 2")
    page = player.undo("Annulla la smazzata 1")
    player.submit(page, "Rifai la smazzata 1")

    # It is pressed twice. The second request has the same ID as the first one, and redoes nothing
    # more: Noi ("We") has the 1,700 points of hand 1.
    sent_again = player.submit(page, "Rifai la smazzata 1")
    assert score_heads(sent_again)[0].startswith("Noi 1.700 ")

    # From the page of before comes a request with another ID. What it shows holds no longer, and
    # the request is refused: "Nothing was redone."
    new_id = "another-request-0001"
    refused = player.submit(page, "Rifai la smazzata 1", status=409, request_id=new_id)
    assert "Non è stato rifatto niente." in refused.text


# ---------------------------------------------------------------- series


def series(page: Page) -> list[str]:
    """Return what the page says of the series of matches that this one belongs to."""
    return page.texts("p", class_="series")


def test_series_of_three_is_won_and_a_new_one_begins(
    client: Client, begin: Begin, pad: Pad
) -> None:
    # With a target of 500 one hand decides a match. The same hand with its sides exchanged is won
    # by Loro.
    won_by_noi = HAND_2900_TO_MINUS_250
    won_by_loro = hand(won_by_noi["sides"]["b"], won_by_noi["sides"]["a"], out="b")

    # Noi win a match.
    first = begin(option_target="500").play(won_by_noi)
    assert series(first) == []

    # A rematch makes it a series. Loro win the second match.
    second = client.submit(first, "Rivincita")
    assert series(second) == ["Serie: Noi 1–0 Loro"]
    second = Player(client, pad, second.url).play(won_by_loro)

    # For the third match the table says that the series is the "best of 3". Noi win it, and the
    # series.
    form = second.one("form", class_="lengths")
    third = client.post(form["action"], second.values(form) | {"best_of": "3"})
    assert series(third) == ["Serie: Noi 1–1 Loro, al meglio di 3"]
    third = Player(client, pad, third.url).play(won_by_noi)
    assert series(third) == ["Serie vinta da Noi · Serie: Noi 2–1 Loro, al meglio di 3"]

    # The next rematch belongs to no series yet.
    of_another_series = client.submit(third, "Rivincita")
    assert series(of_another_series) == []


def test_match_of_five_shows_who_sits_out(begin: Begin) -> None:
    # Five play as two against three. Of the three one sits out each hand ("riposa"), in turn.
    player = begin("cinque", player_1_0="Eva", player_1_1="Ivo", player_1_2="Zoe")
    zoe_sits_out = "Riposa: Zoe (Loro)"
    assert player.page().one(class_="resting").text == zoe_sits_out
    assert player.play(HAND_430_TO_60).one(class_="resting").text != zoe_sits_out


def test_page_and_print_show_rules_place_and_time(begin: Begin) -> None:
    page = begin(option_target="3.000", preset="giochi", place="Rimini").page()

    # A line that is only printed has game, place, date and time.
    when = page.one("p", class_="on-paper").text
    assert re.fullmatch(r"Canasta classica · Rimini · \d+ \w+ \d{4}, \d\d:\d\d", when)

    # The rules are there twice, for the screen and for print: the game, the source of its rules,
    # which is here the preset `giochi`, and the target.
    rules_on_screen = page.all("dl", class_="sources")[-1]
    rules_on_paper = page.one("div", class_="on-paper")
    for rules in (rules_on_screen, rules_on_paper):
        assert "Gioco Canasta classica" in rules.text
        assert "Regole seguite Giochi di carte" in rules.text
        assert "Traguardo 3.000" in rules.text


def test_names_and_place_can_be_changed_and_undone(client: Client, begin: Begin) -> None:
    # "Names and place" leads to a form that has the names.
    page = begin(player_0_0="Ada").play(HAND_1700_TO_60)
    form = client.get(page.links()["Nomi e luogo"])
    assert form.value_of("player-0-0") == "Ada"

    saved = client.submit(form, SAVE_NAMES, name_0="Nonni", place="Ostia")
    assert saved.heading == "Nonni contro Loro"
    assert "Nonni +1.700" in saved.text
    assert "Ostia" in saved.text

    # "Undo the change of names"
    undone = client.submit(saved, "Annulla il cambio dei nomi")
    assert undone.heading == "Noi contro Loro"


def test_undo_keeps_the_open_draft(player: Player) -> None:
    # Somebody has begun to type hand 2 when hand 1 is undone.
    player.play(HAND_1700_TO_60)
    player.check({"a.cards": "7"})

    undone = player.undo("Annulla")

    # "Hand 1 undone. In the hand in progress what somebody was writing stays; the figures of the
    # undone hand do not come back."
    assert undone.notices == [
        "Smazzata 1 annullata. Nella smazzata in corso resta quello che qualcuno vi stava scrivendo; le cifre della "
        "smazzata annullata non tornano."
    ]
    assert player.draft["a.cards"] == "7"


def test_marks_of_a_hand_are_separated_by_space(player: Player) -> None:
    # "From now on the other side checks": so a hand is marked as "to confirm". Once it is saved
    # anew, even unchanged, it is marked as "corrected" too.
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    player.play(HAND_1700_TO_60)
    page = player.correct_to(1, HAND_1700_TO_60)

    # `<span class="mark-corrected">…</span> <span class="mark-doubt">…`: without white space the
    # two marks would be one word.
    assert re.search(r'</span>\s+<span class="mark-doubt">', page.answer.text)


def test_source_headings_on_english_page_are_marked_italian(visit: Visit, pad: Pad) -> None:
    # The rules come from Italian texts, whose sections have Italian headings.
    english = visit("en")
    page = Player(english, pad, start(english)).play(HAND_1700_TO_60)

    # Screen readers pronounce the headings as Italian. Their quotation marks are the English ones.
    sources = page.one(class_="hands").all("dl", class_="sources")[0]
    headings = sources.texts("span", lang="it")
    assert headings
    for heading in headings:
        assert heading.startswith("“")


def test_conflicting_change_of_name_is_refused_once(player: Player) -> None:
    # The form of the names is opened. Then it is opened and saved in another tab, with names for
    # both sides and a player of the first one.
    page = player.page("nomi")
    player.submit("nomi", SAVE_NAMES, name_0="Ada", name_1="Eva", player_0_1="Anna")

    # The first tab sends another name for the first side, and a place. "Meanwhile somebody has
    # written «Ada». If you save, what stands below takes its place."
    refused = player.submit(page, SAVE_NAMES, status=409, name_0="Nonni", place="Ostia")
    assert refused.errors == [
        "Coppia 1: Intanto qualcuno ha scritto «Ada». Se salvi, al suo posto resta quello che c'è qui sotto."
    ]

    # The form that it is shown has what was typed in this tab, name and place, and for the rest
    # what the other tab saved.
    form = refused.form_values(SAVE_NAMES)
    assert (form["name-0"], form["place"]) == ("Nonni", "Ostia")
    assert (form["name-1"], form["player-0-1"]) == ("Eva", "Anna")

    # The refused name is not saved yet: "Ada against Eva". Sent once more, it is.
    assert player.page().heading == "Ada contro Eva"
    saved = player.submit(refused, SAVE_NAMES)
    assert saved.heading == "Nonni contro Eva"


@pytest.mark.parametrize("seen", ["", "0", "-1", "x", "99999999999999"])
def test_change_of_names_with_invalid_position_is_refused(player: Player, seen: str) -> None:
    # The form says which entry of the log was the last one when it was opened. Here that is wrong,
    # so that nobody can tell whether the names have changed since: "Meanwhile somebody has written
    # «Noi»."
    page = player.page("nomi")
    refused = player.submit(page, SAVE_NAMES, status=409, name_0="Nonni", seen=seen)
    assert refused.errors[0].startswith("Coppia 1: Intanto qualcuno ha scritto «Noi».")
    assert player.page().heading == "Noi contro Loro"


@pytest.mark.parametrize("writer_looks_first", [True, False])
def test_only_a_phone_that_may_write_is_offered_to_correct_a_hand(
    player: Player, visit: Visit, writer_looks_first: bool
) -> None:
    player.play(HAND_1700_TO_60)
    viewer = Player(player.let_in(visit(), VIEW_COOKIE), player.pad, player.match)

    # The rows of hands are kept in a cache. Whoever looks first must not fill it for the other.
    phones = [player, viewer] if writer_looks_first else [viewer, player]
    pages = {phone: phone.page() for phone in phones}

    assert "Correggi la smazzata 1" in pages[player].links()  # "Correct hand 1"
    assert "Correggi la smazzata 1" not in pages[viewer].links()
