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

SAVE_NAMES = "Salva i nomi"
FOUR = {"player_0_0": "Ada", "player_0_1": "Ugo", "player_1_0": "Eva", "player_1_1": "Ivo"}


def score_heads(page: Page) -> list[str]:
    """The head of each side: its name, players, total, opening, and what it lacks to the target."""
    return page.texts("section", class_="head")


def test_a_match_tells_what_the_hand_needs_and_who_deals_and_begins(begin: Begin) -> None:
    player = begin(**FOUR)
    rules_of_hand = "Carte 11 a testa, se ne pesca 1 Per chiudere almeno 1 canasta"

    page = player.page()
    assert page.heading == "Noi contro Loro"
    assert score_heads(page)[0] == (
        "Noi Ada, Ugo 0 Apre con 50 , sotto 1.500 punti ne mancano 5.000"
    )
    facts = page.one("dl", class_="facts").text
    assert facts == f"Dà le carte Ada (Noi) Comincia Eva (Loro) {rules_of_hand}"
    assert page.links()["Nuova smazzata"] == f"{page.url}/smazzata"
    assert page.links()["Foglio della partita (PDF)"] == f"{page.url}/foglio.pdf"

    page = player.play(HAND_430_TO_60)
    assert "Smazzata 2" in page.texts("h2")
    assert page.one("dl", class_="facts").text == "Dà le carte Eva (Loro) Comincia Ugo (Noi)"
    assert rules_of_hand in page.one("details", id="rules").text


def test_totals_openings_and_their_reasons_follow_the_hands(player: Player) -> None:
    below_zero = player.play(HAND_MINUS_220_TO_80)
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


def test_a_long_name_is_small_enough_for_its_column_and_told_in_full(begin: Begin) -> None:
    """A class says how many letters the longest word of a name has, from which its size follows."""
    names = {"name_0": "Ada", "name_1": "Mariagrazia", "name_2": "Maria Antonietta"}
    page = begin("tagliagola", **names).page()

    assert page.heading == "Ada, Mariagrazia e Maria Antonietta"
    ada, mariagrazia, antonietta = page.all("section", class_="head")
    assert ada.one("h2", class_="letters-7").get("title") == ""
    assert mariagrazia.one("h2", class_="letters-11")["title"] == "Mariagrazia"
    assert antonietta.one("h2", class_="letters-10")["title"] == "Maria Antonietta"


def test_the_hands_stand_as_on_paper_newest_last_and_older_ones_folded(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80, HAND_430_TO_60)
    hands = page.one("ol", class_="hands")
    assert hands.texts("summary", class_="row") == [
        "Smazzata 1 1 , chiude: Noi Noi +1.700 , in tutto 1.700 Loro +60 , in tutto 60",
        "Smazzata 2 2 , nessuno ha chiuso Noi −220 , in tutto 1.480 Loro +80 , in tutto 140",
        "Smazzata 3 3 , nessuno ha chiuso Noi +430 , in tutto 1.910 Loro +60 , in tutto 200",
    ]
    folds = [hand.all("details")[0] for hand in hands.all("li")]
    assert [fold.has("open") for fold in folds] == [False, False, True]


def test_the_row_of_a_hand_names_the_player_who_went_out(begin: Begin) -> None:
    out_by_ugo = {**HAND_1700_TO_60, "out": {"side": "a", "player": 1}}
    page = begin(**FOUR).play(out_by_ugo)
    assert "chiude: Ugo" in page.one("summary", class_="row").one(class_="out").text


def test_a_hand_opens_into_its_lines_side_by_side_with_their_sources(player: Player) -> None:
    page = player.play(HAND_1700_TO_60)

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
    assert "Minimo di apertura: 50 per tutti." in page.text
    assert "Chiusura: Noi." in page.text


def test_penalties_stand_with_their_names_and_the_tables_own_with_their_reasons(
    player: Player,
) -> None:
    of_the_house = {"code": "house", "points": 25, "reason": "ha <guardato> il pozzo"}
    ours = side(100, 0, penalties=["draw-out-of-turn", of_the_house])
    page = player.play(hand(ours, side(100, 0)))
    lines = page.one("table").texts("tr")
    assert "Pescata fuori turno (1) −100 –" in lines
    assert "Penalità della casa (1) −25 –" in lines
    assert "Noi, −25: ha <guardato> il pozzo" in page.text
    assert "&lt;guardato&gt;" in page.answer.text


def test_undo_says_what_it_undoes_and_goes_as_deep_as_the_match(player: Player) -> None:
    with_two_hands = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)

    with_one_hand = player.submit(with_two_hands, "Annulla la smazzata 2")
    assert with_one_hand.notices == [
        "Smazzata 2 annullata. Quello che c'era scritto torna nella smazzata in corso."
    ]
    sent_again = player.submit(with_two_hands, "Annulla la smazzata 2")
    assert score_heads(sent_again)[0].startswith("Noi 1.700"), "it undoes once"
    assert sent_again.notices == [], "said once"

    without_hand = player.submit(with_one_hand, "Annulla la smazzata 1")
    assert score_heads(without_hand)[0].startswith("Noi 0")
    assert without_hand.form("Niente da annullare").one("button").has("disabled")


def test_an_undo_of_something_overtaken_undoes_nothing_and_shows_what_stands(
    player: Player,
) -> None:
    old_page = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)

    refused = player.submit(old_page, "Annulla la smazzata 1", status=409)
    assert refused.errors == [
        "Intanto la partita è cambiata: qui sotto è com'è adesso. Non è stato annullato niente."
    ]
    assert score_heads(refused)[0].startswith("Noi 1.480")

    undone = player.submit(refused, "Annulla la smazzata 2")
    assert undone.notices, "and can be undone from there"


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 30])
def test_an_undo_of_nothing_that_this_page_showed_undoes_nothing_and_offers_it_again(
    player: Player, seen: str
) -> None:
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla la smazzata 1")

    refused = player.client.post(form["action"], page.values(form) | {"seen": seen}, status=422)
    assert score_heads(refused)[0].startswith("Noi 1.700")

    undone = player.submit(refused, "Annulla la smazzata 1")
    assert score_heads(undone)[0].startswith("Noi 0")


def test_a_corrected_hand_shows_every_version_and_its_note(player: Player) -> None:
    out_concealed = {**HAND_1700_TO_60, "out": {"side": "a", "concealed": True}}
    page = player.play(out_concealed, HAND_430_TO_60)
    assert page.links()["Correggi la smazzata 1"] == f"{page.url}/smazzate/1/correggi"

    page = player.correct_to(1, HAND_MINUS_220_TO_80, "contata la riga sbagliata")

    assert score_heads(page)[0].startswith("Noi 210")  # −220 + 430
    first_hand = page.one("li", id="smazzata-1")
    assert first_hand.one("summary", class_="row").text.endswith("corretta")
    assert "Motivo: contata la riga sbagliata" in first_hand.text
    assert re.search(r"Conto 1, \d+ \w+ \d{4}, \d\d:\d\d", first_hand.text)
    lines_now, lines_before = first_hand.all("table")
    assert lines_now.texts("tr")[-1] == "Smazzata −220 +80"
    assert "Chiusura in mano" in lines_before.text


def test_every_reason_for_a_doubt_is_told_in_short_and_once(begin: Begin) -> None:
    """The first hand is corrected to 2,000 points and more: by then the match was over, and the
    openings of the second hand should have had 90.
    """
    laid_60 = hand(side(60, 0), side(60, 0))
    richer = hand(side(400, 0, natural=3, mixed=1, red_threes=2), HAND_1700_TO_60["sides"]["a"])
    player = begin(option_target="2000", name_0="Ada & C.")
    player.play(HAND_430_TO_60, laid_60)

    page = player.correct_to(1, richer)

    doubts = (
        "Ada & C.: traguardo già raggiunto prima; "
        "Ada & C.: apertura in dubbio, con i punteggi corretti servivano 90; "
        "Loro: apertura in dubbio, con i punteggi corretti servivano 90"
    )
    second_hand = page.one("li", id="smazzata-2")
    assert second_hand.one(class_="mark-doubt").text == doubts
    assert page.links()[f"Smazzata 2 – {doubts}"] == "#smazzata-2"
    assert "ne fanno 60 in tutto, ne mancano 30." in second_hand.text


def test_who_has_exactly_the_target_has_reached_it(begin: Begin) -> None:
    page = begin().play({"sides": {"a": {"sum": 5000}, "b": {"sum": 0}}})
    assert "Traguardo 5.000 raggiunto in 1 smazzata." in page.one(class_="ended").text


def test_the_end_says_who_won_and_how_and_offers_no_further_hand(
    client: Client, begin: Begin
) -> None:
    page = begin().play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250)

    assert page.one(class_="ended").text.startswith(
        "Abbiamo vinto noi: 5.800 a −500 Traguardo 5.000 raggiunto in 2 smazzate."
    )
    assert score_heads(page) == ["Noi 5.800 vittoria", "Loro −500"]
    folds = page.one("ol", class_="hands").all("details")
    assert not any(fold.has("open") for fold in folds), "the chart stands near"
    assert "Nuova smazzata" not in page.links()
    assert page.links()["Nuova partita"] == "/partite/nuova"

    undone = client.submit(page, "Annulla la smazzata 2")
    assert undone.all(class_="ended") == [], "a finished match can be undone too"


def test_the_end_names_the_pair_that_won(begin: Begin) -> None:
    ended = (
        begin(**FOUR).play(HAND_2900_TO_MINUS_250, HAND_2900_TO_MINUS_250).one(class_="ended-who")
    )
    assert ended.text == "Vince la coppia Ada–Ugo: 5.800 a −500"
    assert ended.one(class_="whole").text == "Ada–Ugo:", "the names of a pair stay on a line"


def test_level_beyond_the_target_the_match_goes_on_and_says_so(begin: Begin) -> None:
    points_1300 = side(500, 0, natural=1, mixed=1)
    page = begin(option_target="1000").play(hand(points_1300, points_1300))
    assert "Pari oltre il traguardo: si gioca ancora una smazzata." in page.text
    noi, loro = score_heads(page)
    assert noi.endswith("traguardo raggiunto")
    assert loro.endswith("traguardo raggiunto")
    assert "Nuova smazzata" in page.links()


def test_the_totals_lead_to_the_next_hand_and_one_left_open_is_resumed(
    player: Player,
) -> None:
    page = player.play(HAND_1700_TO_60)
    total = page.all("p", class_="total")[0].one("a")
    assert total["href"] == f"{player.match}/smazzata"
    assert total["aria-label"] == "1.700: aggiungi una smazzata"

    player.check({"a.cards": "12"})
    assert player.page().links()["Riprendi la smazzata"] == f"{player.match}/smazzata"


def test_what_was_undone_is_done_again_as_deep_as_it_was_undone(player: Player) -> None:
    page = player.play(HAND_1700_TO_60, HAND_MINUS_220_TO_80)
    heads_before = score_heads(page)
    assert "Rifai" not in " ".join(page.texts("button"))
    player.undo("Annulla la smazzata 2")
    both_undone = player.undo("Annulla la smazzata 1")

    page = player.submit(both_undone, "Rifai la smazzata 1")
    assert page.notices == ["Smazzata 1 rimessa."]
    sent_again = player.submit(both_undone, "Rifai la smazzata 1")
    assert score_heads(sent_again)[0].startswith("Noi 1.700 "), "it is done once"
    another = {"request_id": "another-request-0001"}
    overtaken = player.submit(both_undone, "Rifai la smazzata 1", status=409, **another)
    assert "Non è stato rifatto niente." in overtaken.text

    page = player.submit(page, "Rifai la smazzata 2")
    assert score_heads(page) == heads_before
    assert "Rifai" not in " ".join(page.texts("button"))


# ---------------------------------------------------------------- series


def series(page: Page) -> list[str]:
    """What the page says of the series of matches that this one belongs to."""
    return page.texts("p", class_="series")


def test_a_series_of_three_has_a_winner_and_then_another_begins(
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
    assert series(third) == ["Serie: Noi 1–1 Loro, al meglio di 3"]
    third = Player(client, pad, third.url).play(won_by_noi)
    assert series(third) == ["Serie vinta da Noi · Serie: Noi 2–1 Loro, al meglio di 3"]

    of_another_series = client.submit(third, "Rivincita")
    assert series(of_another_series) == []


def test_five_at_the_table_know_who_sits_out(begin: Begin) -> None:
    player = begin("cinque", player_1_0="Eva", player_1_1="Ivo", player_1_2="Zoe")
    assert player.page().one(class_="resting").text == "Riposa: Zoe (Loro)"
    assert player.play(HAND_430_TO_60).one(class_="resting").text != "Riposa: Zoe (Loro)"


def test_the_page_says_by_which_rules_where_and_when_also_on_paper(begin: Begin) -> None:
    page = begin(option_target="3.000", preset="giochi", place="Rimini").page()

    when = page.one("p", class_="on-paper").text
    assert re.fullmatch(r"Canasta classica · Rimini · \d+ \w+ \d{4}, \d\d:\d\d", when)
    for rules in (page.all("dl", class_="sources")[-1], page.one("div", class_="on-paper")):
        assert "Gioco Canasta classica" in rules.text
        assert "Regole seguite Giochi di carte" in rules.text
        assert "Traguardo 3.000" in rules.text


def test_names_and_place_can_be_put_right_and_that_can_be_undone(
    client: Client, begin: Begin
) -> None:
    page = begin(player_0_0="Ada").play(HAND_1700_TO_60)
    form = client.get(page.links()["Nomi e luogo"])
    assert form.value_of("player-0-0") == "Ada"

    saved = client.submit(form, SAVE_NAMES, name_0="Nonni", place="Ostia")
    assert saved.heading == "Nonni contro Loro"
    assert "Nonni +1.700" in saved.text
    assert "Ostia" in saved.text

    undone = client.submit(saved, "Annulla il cambio dei nomi")
    assert undone.heading == "Noi contro Loro"


def test_an_undoing_leaves_what_somebody_types_and_says_so(player: Player) -> None:
    player.play(HAND_1700_TO_60)
    player.check({"a.cards": "7"})

    undone = player.undo("Annulla")

    assert undone.notices == [
        "Smazzata 1 annullata. Nella smazzata in corso resta quello che qualcuno vi stava scrivendo; le cifre della "
        "smazzata annullata non tornano."
    ]
    assert player.draft["a.cards"] == "7"


def test_the_marks_of_a_hand_stand_apart(player: Player) -> None:
    player.submit("controllo", "D'ora in poi l'altra parte controlla")
    player.play(HAND_1700_TO_60)
    page = player.correct_to(1, HAND_1700_TO_60)
    assert re.search(r'</span>\s+<span class="mark-doubt">', page.answer.text)


def test_the_headings_of_the_sources_are_italian_on_an_english_page(visit: Visit, pad: Pad) -> None:
    english = visit("en")
    page = Player(english, pad, start(english)).play(HAND_1700_TO_60)
    sources = page.one(class_="hands").all("dl", class_="sources")[0]
    headings = sources.texts("span", lang="it")
    assert headings
    for heading in headings:
        assert heading.startswith("“"), "quoted as in English"


def test_a_name_that_two_changed_is_refused_and_shown_both_ways_until_it_is_sent_again(
    player: Player,
) -> None:
    old_page = player.page("nomi")
    player.submit("nomi", SAVE_NAMES, name_0="Ada", name_1="Eva", player_0_1="Anna")

    refused = player.submit(old_page, SAVE_NAMES, status=409, name_0="Nonni", place="Ostia")
    assert refused.errors == [
        "Coppia 1: Intanto qualcuno ha scritto «Ada». Se salvi, al suo posto resta quello che c'è qui sotto."
    ]
    both = {"name-0": "Nonni", "name-1": "Eva", "player-0-1": "Anna", "place": "Ostia"}
    assert both.items() <= refused.form_values(SAVE_NAMES).items()
    assert player.page().heading == "Ada contro Eva"

    saved = player.submit(refused, SAVE_NAMES)
    assert saved.heading == "Nonni contro Eva"


@pytest.mark.parametrize("seen", ["", "0", "-1", "x", "99999999999999"])
def test_a_page_of_names_that_does_not_say_what_it_showed_changes_nothing_unasked(
    player: Player, seen: str
) -> None:
    page = player.page("nomi")
    refused = player.submit(page, SAVE_NAMES, status=409, name_0="Nonni", seen=seen)
    assert refused.errors[0].startswith("Coppia 1: Intanto qualcuno ha scritto «Noi».")
    assert player.page().heading == "Noi contro Loro"
