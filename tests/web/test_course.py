"""What else happens to a match: penalties, notes, ends agreed, players replaced, other rules, a
rematch, no match.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorepad.matches import Pad
from scorepad.matches.access import Access
from tests.web.client import Client, Page, Visit
from tests.web.player import NOTE_PENALTY, OUT_OF_TURN, REPLACE_PLAYER, Begin, Player
from tests.web.playing import HAND_430_TO_60, hand, keys_of, side
from tests.web.tables import read_tables
from tests.web.ways_to_write import token_of

NOTE_OF_HAND_1 = "smazzate/1/annotazione"
SAVE_RULES = "Salva le regole"
DELETE_FOR_EVER = "Cancella per sempre"
END_MATCH = "Finisce così"
WRONG_FORMS = read_tables("refused_in_a_match")
OVERTAKEN_FORMS = read_tables("overtaken_in_a_match")


def wrong_inputs() -> list[Any]:
    """List the cases of `refused_in_a_match.toml`: a form, and a wrong input with its errors."""
    found = []
    for name, form in WRONG_FORMS.items():
        for wrong_input in form["refused"]:
            found.append(pytest.param(form, wrong_input, id=name))
    return found


def texts_of_choices(page: Page) -> dict[str, str]:
    """Find the radio buttons of a page: the label of each, by the value that it sends."""
    choices = page.all(class_="choice")
    return {choice.one("input")["value"]: choice.one("label").text for choice in choices}


@pytest.mark.parametrize(("form", "wrong_input"), wrong_inputs())
def test_wrong_form_shows_errors_beside_fields_and_keeps_input(
    begin: Begin, form: dict[str, Any], wrong_input: dict[str, dict[str, str]]
) -> None:
    # An example from `refused_in_a_match.toml`: after a hand, somebody opens the page "penalita" and
    # types {"points": "-50", …}. Beside the field "points" the page asks for no minus sign.
    typed = wrong_input["typed"]
    expected_errors = wrong_input["errors"]

    # Some forms need a match with certain names, or begun on paper.
    player = begin(**form.get("begun", {}))
    player.play(*[HAND_430_TO_60] * form["hands"])
    state_before = player.state

    page = player.submit(form["page"], form["button"], status=422, **typed)

    # Each error stands in the summary and beside its field.
    assert page.errors == list(expected_errors.values())
    for field, error in expected_errors.items():
        assert page.one("p", id=f"{field}-error").text == error

    # The text fields still hold what was typed.
    text_fields = page.form(form["button"]).all("input", type="text")
    for text_field in text_fields:
        name = text_field["name"]
        if name in typed:
            assert text_field["value"] == typed[name]

    # Nothing is saved.
    assert player.state == state_before


# ---------------------------------------------------------------- penalties


def test_noted_penalty_is_shown_on_every_page_of_the_match(player: Player) -> None:
    # During a hand, somebody of Loro ("they", side 1) draws a card out of turn, which costs 100.
    match_page = player.note("1", OUT_OF_TURN)
    # In English: "Penalty noted: Loro, −100. It counts with the hand."
    assert match_page.notices == ["Penalità segnata: Loro, −100. Si conta con la smazzata."]

    # The page of the match and the board show it.
    penalty = match_page.one("p", class_="noted").text
    assert penalty.startswith("Penalità in questa smazzata: Loro: ")  # "penalties in this hand"
    assert penalty in player.page("tabellone").one(id="board-facts").text

    # The form of the hand shows it with the side of Loro: "Drawn out of turn".
    hand_page = player.open()
    noted = hand_page.one(id="b-noted")
    assert noted.texts("span")[0] == "Pescata fuori turno, −100"
    assert noted["data-points"] == "-100"
    assert hand_page.one("small", id="more-b-summary").text == "Pescata fuori turno, −100"


def test_noted_penalty_counts_with_the_hand_and_is_gone_afterwards(player: Player) -> None:
    # A penalty of 100 is noted for Loro ("they", side 1). Then the hand is over and typed in.
    player.note("1", OUT_OF_TURN)
    typed = {"out": "nobody", "a.cards": "0", "a.left": "20", "b.cards": "100", "b.left": "40"}
    checked = player.check(typed)
    assert checked.one("output", id="other-b").text == "−100"

    player.save({}, checked)
    # Noi: −20 left in hand. Loro: 100 − 40 − 100 for the penalty.
    assert player.points == [[-20, -40]]

    # The board shows no "penalties in this hand" for the next one.
    assert "Penalità in questa smazzata" not in player.page("tabellone").text


def test_penalty_noted_twice_is_listed_twice(player: Player) -> None:
    # Twice somebody of Noi ("we") lays cards in the partner's turn. Then the deck is dropped, for
    # which the players agree on a penalty of their own.
    player.note("0", "meld-out-of-turn-partner")
    player.note("0", "meld-out-of-turn-partner")
    player.note("0", "house", points="1.000", reason="mazzo caduto")

    list_of_penalties = player.page("penalita").one("section", aria_labelledby="noted")
    assert list_of_penalties.texts("li") == [
        "Noi: Calata nel turno del compagno, −200",
        "Noi: Calata nel turno del compagno, −200",
        "Noi: Penalità della casa, −1.000 (mazzo caduto)",
    ]
    points_of_noi = player.open().one(id="a-noted")["data-points"]
    assert points_of_noi == "-1400"  # 200 + 200 + 1,000


def test_penalty_page_gives_points_and_source_of_each_penalty(player: Player) -> None:
    page = player.page("penalita")
    penalties = texts_of_choices(page)

    # "A red three that was not exposed"
    assert penalties["red-three-not-exposed"] == "3 rosso non esposto: −500"

    # Most penalties stand in one section of the rule book "Giochi di carte", which is named once
    # for all of them. Another section has only this penalty, and is named beside it.
    assert page.text.count("Giochi di carte: «Calcolo delle penalità»") == 1
    assert "Giochi di carte: «Permesso di chiusura»" in penalties["permission-then-no-out"]

    # Some penalties do not only cost points: "The pile is put back as it was."
    assert "Il pozzo si rimette com'era." in penalties["pile-taken-without-meld"]
    # "You decide on the points and the reason."
    assert "I punti e il motivo li decidete voi" in penalties["house"]


def test_noted_penalty_can_be_removed_on_page_of_hand(player: Player) -> None:
    # Both sides have the same penalty. On the page of the hand each has a button to remove it.
    player.note("0", OUT_OF_TURN)
    player.note("1", OUT_OF_TURN)
    page = player.open()
    remove_button = page.one(id="a-noted").one("button")
    assert remove_button.text == "Togli"  # "Remove"
    # The description that screen readers read out: "Drawn out of turn"
    assert page.one(id=remove_button["aria-describedby"]).text == "Pescata fuori turno, −100"

    # The penalty of the first side is removed after a part of the hand was typed in.
    typed = {"a.cards": "150"}
    removed = player.press(remove_button["value"], typed, page)
    player.press(remove_button["value"], typed, page)  # sent twice, done once

    assert removed.notices == ["Penalità annullata."]  # "penalty removed"
    assert player.noted == [(1, OUT_OF_TURN)]
    assert player.draft == typed

    # On the page of the match the removal can be undone.
    restored = player.submit("", "Rifai")  # "Do again"
    assert restored.notices == ["Penalità rimessa."]  # "penalty put back"
    assert player.noted == [(0, OUT_OF_TURN), (1, OUT_OF_TURN)]


def test_noted_penalty_beside_agreed_sum_is_refused(player: Player) -> None:
    player.note("1", OUT_OF_TURN)

    # Instead of counting the cards, the players agree on a sum for each side.
    refused = player.save({"a.sum": "430", "b.sum": "60"})
    # The sum already includes everything, so Loro must have either no noted penalties or no sum.
    assert refused.errors == [
        "La somma è già tutto compreso: togli le penalità segnate di Loro, o la somma."
    ]
    assert player.hands == []

    # The players remove the penalty and save again.
    remove_button = refused.one(id="b-noted").one("button")
    without_penalty = player.press(remove_button["value"], {}, refused)
    player.save({}, without_penalty)
    assert player.points == [[430, 60]]


def test_penalty_for_hand_counted_meanwhile_must_be_confirmed(player: Player) -> None:
    # One phone opens the form of penalties in the first hand. Another saves this hand.
    page_of_hand_1 = player.page("penalita")
    player.play(HAND_430_TO_60)

    # The penalty would count with the second hand, which is perhaps not what is meant.
    refused = player.submit(page_of_hand_1, NOTE_PENALTY, status=409, side="1", code=OUT_OF_TURN)
    # "If it is for hand 2, press the button again."
    assert "Se vale per la smazzata 2, premi di nuovo il pulsante." in refused.errors[0]
    assert player.noted == []

    player.submit(refused, NOTE_PENALTY)
    player.submit(refused, NOTE_PENALTY)  # sent twice, done once
    assert player.noted == [(1, OUT_OF_TURN)]


def test_mini_has_no_penalties(begin: Begin) -> None:
    player = begin("mini")  # a variant of canasta
    penalty_page = player.page("penalita")
    assert "In questo gioco non ci sono penalità." in penalty_page.text  # "no penalties here"
    assert "Segna una penalità" not in player.page().links()  # "Note a penalty"

    # The page has no form. One is made up, with the hidden fields of another page.
    form = player.page("fine").form_values(END_MATCH)
    form |= {"side": "0", "code": "house", "points": "5", "reason": "x"}
    player.client.post(penalty_page.url, form, status=422)
    assert player.noted == []


# ---------------------------------------------------------------- notes


def test_note_on_hand_is_shown_and_can_be_emptied(leading: Player) -> None:
    # Blanks and line breaks become single blanks. Tags are only text.
    typed = " Ugo ha\r\nchiuso  subito </textarea><b> "
    note = "Ugo ha chiuso subito </textarea><b>"

    page = leading.page(NOTE_OF_HAND_1)
    leading.submit(page, "Salva", text=typed)
    leading.submit(page, "Salva", text=typed)  # sent twice, done once
    assert f"Annotazione: {note}" in leading.page().text

    # The form shows the note. Saved without a text, it is gone.
    page = leading.page(NOTE_OF_HAND_1)
    assert page.form_values("Salva")["text"] == note
    leading.submit(page, "Salva", text="")
    assert leading.hands[0].remark == ""

    # "Undo the note on hand 1"
    leading.undo("Annulla l'annotazione alla smazzata 1")
    assert leading.hands[0].remark == note


def test_note_on_hand_undone_meanwhile_is_not_saved(leading: Player) -> None:
    # Somebody writes a note on the first hand while another phone undoes this hand.
    note_page = leading.page(NOTE_OF_HAND_1)
    leading.undo("Annulla la smazzata 1")

    late = leading.submit(note_page, "Salva", text="bella")

    # The page says that hand 1 has been undone meanwhile and the note is not saved.
    assert late.notices == ["Intanto la smazzata 1 è stata annullata: l'annotazione non è salvata."]
    leading.client.get(note_page.url, status=404)


# ---------------------------------------------------------------- ends


def test_each_choice_of_end_names_its_winner(player: Player) -> None:
    # Without a hand there is no winner: "You are level, 0 to 0: nobody wins."
    assert "Siete pari, 0 a 0: non vince nessuno." in player.page("fine").text

    player.play(HAND_430_TO_60)

    choices = texts_of_choices(player.page("fine"))
    assert list(choices) == ["last-hand", "hands", "time", "given-up:0", "given-up:1", "broken-off"]
    # The match ends after one more hand, after some hands, or now: "Who leads wins".
    assert "Dopo la smazzata 2 vince chi è avanti." in choices["last-hand"]
    assert "Avanti adesso: Noi, 430 a 60." in choices["last-hand"]
    assert choices["hands"].endswith("Poi vince chi è avanti. Avanti adesso: Noi, 430 a 60.")
    assert choices["time"].endswith("Vince chi è avanti: Noi, 430 a 60.")
    # If Noi ("we") give up, Loro ("they") win, although they are behind.
    assert choices["given-up:0"] == "Si arrende: Noi Vince: Loro."
    # If the match is broken off, nobody wins.
    assert choices["broken-off"].startswith("Interrotta: nessuno vince")


def test_leader_of_the_others_wins_if_one_of_three_gives_up(begin: Begin) -> None:
    # Three play, each alone. After a hand in which nobody went out, Ada has 200 points, Bea 150 and
    # Cleo none.
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    player.play({"sides": {"a": side(200), "b": side(150), "c": side(0)}, "out": None})

    choices = texts_of_choices(player.page("fine"))

    # In English: "Ada gives up. Of the others the one who leads wins: Bea, with 150 to 0."
    ada_gives_up = choices["given-up:0"]
    assert ada_gives_up == "Si arrende: Ada Tra gli altri vince chi è avanti: Bea, 150 a 0."


@pytest.mark.parametrize(
    ("how", "winner", "message"),
    [
        ("time", 0, "Tempo scaduto dopo 1 smazzata."),
        ("given-up:0", 1, "Resa di Noi dopo 1 smazzata."),
        ("broken-off", None, "Interrotta dopo 1 smazzata."),
    ],
    ids=["time is up", "first side gives up", "broken off"],
)
def test_end_of_match_can_be_undone(
    leading: Player, how: str, winner: int | None, message: str
) -> None:
    # Noi ("we", side 0) lead with 430 to 60. They win, unless they give up or nobody wins.
    page = leading.end(how)
    assert page.one(class_="ended").texts("p")[1] == message
    assert leading.state.status.finished
    assert leading.state.status.winner == winner

    page = leading.undo("Annulla la fine della partita")  # "Undo the end of the match"
    assert page.notices == ["Fine della partita annullata."]
    assert not leading.state.status.finished


def test_finished_match_takes_no_replacement_and_no_second_end(leading: Player) -> None:
    # One phone opens the form to replace a player. Another ends the match.
    replacement_page = leading.page("giocatore")
    leading.end("time")

    late = leading.submit(replacement_page, REPLACE_PLAYER, seat="0-0", name="Cleo")

    assert late.notices == ["La partita è già finita."]  # "The match is already over."
    # The page to end the match leads to the match and says the same.
    assert leading.page("fine").notices == ["La partita è già finita."]


@pytest.mark.parametrize(
    ("form", "hands_to_play", "message"),
    [
        ({"how": "last-hand"}, 1, "La prossima smazzata è l'ultima: così avete deciso."),
        ({"how": "hands", "number": "3"}, 2, "la smazzata 3"),
    ],
    ids=["after the next hand", "after the third hand"],
)
def test_match_ends_when_agreed_last_hand_is_counted(
    leading: Player, form: dict[str, str], hands_to_play: int, message: str
) -> None:
    # One hand has been played. The players agree after which hand the match will be over.
    match_page = leading.end(**form)
    assert message in match_page.text
    assert message in leading.page("fine").text
    assert not leading.state.status.finished

    leading.play(*[HAND_430_TO_60] * hands_to_play)
    assert leading.state.status.finished


def test_number_of_last_hand_includes_hands_played_on_paper(begin: Begin) -> None:
    # A match goes on that was begun on paper, where one hand was played, with 100 to 0 points.
    player = begin("hand-and-foot", carried_0="100", carried_1="0", played="1")
    page = player.page("fine")
    assert "Smazzate giocate finora: 1." in page.text  # "hands played so far"

    # The first hand cannot be the last one: it is over already.
    player.submit(page, END_MATCH, status=422, how="hands", number="1")

    # Nor is there a choice with the fourth: this game always ends with it.
    refused = player.submit(page, END_MATCH, status=422, how="hands", number="4")
    assert refused.errors == [
        "Si finisce comunque con la smazzata 4: scrivi un numero più piccolo."
    ]

    # The third hand is to be the last: two more, because the first was played on paper.
    player.submit(page, END_MATCH, how="hands", number="3")
    assert player.state.ending.hands == 2


def test_end_after_hand_counted_meanwhile_must_be_confirmed(leading: Player) -> None:
    # Noi ("we") lead with 430 to 60. One phone opens the form to end the match now.
    page_of_before = leading.page("fine")

    # Another phone saves a hand. Noi have cards worth 100 and 40 left in hand: 60 points. Loro
    # ("they", side 1) go out with two natural canastas, a mixed one and cards worth 500: 2 × 500
    # + 300 + 500 + 100 for going out = 1,900 points.
    noi = side(cards=100, left=40)
    loro = side(cards=500, natural=2, mixed=1)
    leading.play(hand(noi, loro, out="b"))

    # The first phone sends its form, by which Noi would have won. "Below you see who leads now."
    refused = leading.submit(page_of_before, END_MATCH, status=409, how="time")
    assert "qui sotto c'è chi è avanti adesso" in refused.errors[0]
    # "Who leads wins: Loro", with 60 + 1,900 points to 430 + 60.
    assert "Vince chi è avanti: Loro, 1.960 a 490." in refused.text
    assert not leading.state.status.finished

    # The button pressed once more ends the match.
    leading.submit(refused, END_MATCH)
    assert leading.state.status.winner == 1


def test_end_page_says_that_typed_draft_stays(leading: Player) -> None:
    # "What has already been typed of the hand being played is not lost."
    draft_stays = "Quello che è già scritto della smazzata in corso non si perde"
    assert draft_stays not in leading.page("fine").text

    leading.check({"a.cards": "150"})
    assert draft_stays in leading.page("fine").text


# ---------------------------------------------------------------- players


def test_player_is_replaced_from_next_hand_on(begin: Begin) -> None:
    # The second side sits on the seats 1-0 and 1-1. Ugo's partner on the latter has no name.
    player = begin(player_1_0="Ugo")
    player.play(HAND_430_TO_60)

    # "From hand 2 on Carla plays in place of Ugo."
    page = player.replace("1-0", " Carla ")
    assert page.notices == ["Dalla smazzata 2 gioca Carla al posto di Ugo."]

    page = player.replace("1-1", "Cleo")
    assert page.notices == ["Dalla smazzata 2 gioca Cleo."]
    assert player.state.sides[1].players == ("Carla", "Cleo")

    # Only the second replacement is undone.
    player.undo("Annulla il cambio di giocatore")
    assert player.state.sides[1].players == ("Carla", "")


def test_dealer_of_past_hand_is_the_player_of_that_time(begin: Begin) -> None:
    # Ada plays the first hand. Bea takes her seat for the other four.
    player = begin(player_0_0="Ada")
    player.play(HAND_430_TO_60)
    player.replace("0-0", "Bea")
    page = player.play(*[HAND_430_TO_60] * 4)

    # Four players deal in turn. This seat deals the first hand and the fifth: "Dealt by Ada".
    assert "Carte date da Ada (Noi)." in page.one(id="smazzata-1").text
    assert "Carte date da Bea (Noi)." in page.one(id="smazzata-5").text


# ---------------------------------------------------------------- rules


def test_rules_can_be_changed_before_first_hand(player: Player) -> None:
    # The players choose a preset (one codification of the game) and differ from it in two options:
    # the target of the match, and the bonus for a concealed canasta.
    form = {"preset": "getty", "option-target": "3.000", "option-concealed-canasta": "0"}

    saved = player.submit("regole", SAVE_RULES, **form)
    assert saved.notices == ["Regole salvate."]  # "Rules saved."
    assert player.state.rules.preset == "getty"
    assert player.state.status.target == 3000
    assert player.state.rules.options["concealed-canasta"] == 0

    # The form shows what was chosen. An option in which the preset is kept has no value.
    values = player.page("regole").form_values("Salva")
    assert form.items() <= values.items()
    assert values["option-wild-limit"] == "", "as the preset has it"

    player.undo("Annulla il cambio delle regole")  # "Undo the change of the rules"
    assert player.state.status.target == 5000  # the usual target


def test_number_of_players_cannot_be_changed_after_start(client: Client, pad: Pad) -> None:
    start_page = client.get("/partite/nuova?variante=mini&players=3")
    player = Player(client, pad, client.submit(start_page, "Comincia: ").url)
    state_before = player.state

    # The number of players is an option of this variant, but the form does not offer it any more.
    assert not player.page("regole").all("input", name="option-players")

    # It stays the same if the rules are saved as they are, or with another target.
    player.submit("regole", SAVE_RULES)
    assert player.state == state_before

    player.submit("regole", SAVE_RULES, option_target="21")
    assert player.state.rules.settings.target == 21
    assert player.state.rules.settings.sides == (1, 1, 1)  # three players, each alone


def test_rules_cannot_be_changed_after_first_hand(player: Player) -> None:
    # One phone opens the form of the rules. Another saves the first hand.
    page_of_before = player.page("regole")
    player.play(HAND_430_TO_60)

    # Whoever opens the page now sees the rules, such as the target, but no form.
    page = player.page("regole")
    # "These rules do not change any more after the first hand."
    assert "Queste regole non si cambiano più dopo la prima smazzata" in page.text
    assert "Traguardo 5.000" in page.text
    assert not page.all("form", method="post", action=page.url)

    # The first phone sends its form: "The first hand has been saved meanwhile: …"
    late = player.submit(page_of_before, SAVE_RULES, status=409, option_target="3.000")
    assert late.errors == [
        "Intanto è stata salvata la prima smazzata: le regole non si cambiano più, e sono rimaste come prima."
    ]
    assert player.state.status.target == 5000


# ---------------------------------------------------------------- two phones at one form


@pytest.mark.parametrize("case", OVERTAKEN_FORMS.values(), ids=OVERTAKEN_FORMS.keys())
def test_form_overtaken_by_another_phone_must_be_confirmed(
    player: Player, case: dict[str, Any]
) -> None:
    # An example from `overtaken_in_a_match.toml`: the target of the match. The first phone sends
    # 3,000, and the second, whose page is of before, 7,000.
    button = case["button"]
    player.play(*[HAND_430_TO_60] * case["hands"])
    page_of_first_phone = player.page(case["page"])
    page_of_second_phone = player.page(case["page"])

    player.submit(page_of_first_phone, button, **case["first"])
    player.submit(page_of_first_phone, button, **case["first"])  # sent twice, done once
    state_of_first = player.state

    # The second phone is told what the first one saved, and nothing is changed.
    refused = player.submit(page_of_second_phone, button, status=409, **case["second"])
    assert case["shown"] in refused.text
    assert refused.errors[0].startswith(case["error"])
    assert player.state == state_of_first

    # It presses the button again, and its own input takes effect.
    player.submit(refused, button)
    assert case["after"] in player.page(case["page"]).answer.text


# ---------------------------------------------------------------- deleting


def test_match_is_deleted_only_if_box_is_ticked(begin: Begin) -> None:
    player = begin(name_0="Nonni", name_1="Nipoti", place="Rimini")
    player.play(HAND_430_TO_60)
    page = player.page("cancella")
    # The page shows which match would be deleted: its sides, points, game and place.
    assert "Nonni contro Nipoti Punti: 430 a 60 Canasta classica · Rimini" in page.text

    # The button alone is not enough: "To delete it, tick 'Yes, delete it for ever'."
    refused = player.submit(page, DELETE_FOR_EVER, status=422)
    assert refused.errors == ["Per cancellare, metti il segno su «Sì, cancellala per sempre»."]
    assert refused.one("p", id="sure-error").text == refused.errors[0]

    player.submit(refused, DELETE_FOR_EVER, sure="on")
    player.page(status=404)


def test_deletion_sent_twice_gets_the_same_answer(begin: Begin) -> None:
    player = begin(name_0="Nonni", name_1="Nipoti")
    page = player.page("cancella")
    for _ in range(2):
        home = player.submit(page, DELETE_FOR_EVER, sure="on")
        assert home.url == "/"
        assert home.notices == ["Partita cancellata: Nonni contro Nipoti."]  # "Match deleted"

    # A form of another phone, which has another id, is told that "this match is no longer here".
    other_form = page.form_values(DELETE_FOR_EVER) | {"sure": "on", "request_id": "x" * 22}
    late = player.client.post(page.url, other_form, status=404)
    assert late.heading == "Questa partita non c'è più"


def test_only_owner_can_delete_match(player: Player, visit: Visit) -> None:
    # "Only the phone that keeps the match can delete it, which is phone 1."
    only_phone_1 = "Può cancellarla solo il telefono che tiene la partita, cioè il telefono 1"
    page_of_owner = player.page("cancella")

    # Another phone may write to the match. The page for deleting it has no form there.
    other = player.let_in(visit())
    page = other.get(page_of_owner.url)
    assert only_phone_1 in page.text
    assert not page.all("input", type="checkbox")

    # It sends the form of the owner's page.
    form = page_of_owner.form_values(DELETE_FOR_EVER)
    form |= {"sure": "on", "csrf_token": token_of(other)}
    refused = other.post(page_of_owner.url, form, status=403)
    assert only_phone_1 in refused.text
    assert player.state.access is Access.OWN  # the match is still there


def play_hand_with_texts(player: Player, reason: str, note: str) -> None:
    """Play a hand with a reason in its draft, a penalty, and then a note on the first hand."""
    player.check({"a.house.0.points": "5", "a.house.0.reason": reason})
    player.note("1", "house", points="5", reason="guardone")
    player.play(HAND_430_TO_60)
    player.submit(NOTE_OF_HAND_1, "Salva", text=note)


def test_data_file_holds_no_text_of_deleted_match(begin: Begin, tmp_path: Path) -> None:
    data_file = tmp_path / "scorepad.db"
    player = begin(name_0="Pappagalli", player_0_0="Adalgisa", place="Nettuno")

    # The reasons of drafts get longer and the notes shorter, so that SQLite moves its rows about in
    # the file.
    play_hand_with_texts(player, reason="ragione", note="bisbiglio" * 30)
    play_hand_with_texts(player, reason="ragione" * 41, note="bisbiglio" * 29)
    play_hand_with_texts(player, reason="ragione" * 81, note="bisbiglio" * 28)

    # A draft is gone once its hand is counted.
    assert b"ragione" not in data_file.read_bytes()

    player.submit("cancella", DELETE_FOR_EVER, sure="on")

    # Nothing that was typed is left: the names of a side and a player, the place, the reason of the
    # penalties, the notes. Nor is the id of the match.
    content = data_file.read_bytes()
    for word in ("Pappagalli", "Adalgisa", "Nettuno", "guardone", "bisbiglio", player.match_id):
        assert word.encode() not in content

    # SQLite may keep pages from which all was deleted, with copies of what they held. There are none.
    with closing(sqlite3.connect(data_file)) as db:
        (number_of_free_pages,) = db.execute("pragma freelist_count").fetchone()
    assert number_of_free_pages == 0


# ---------------------------------------------------------------- rematch


def test_rematch_has_same_names_next_dealer_and_own_keys(begin: Begin) -> None:
    player = begin(name_0="Nonni", name_1="Nipoti")
    player.play(HAND_430_TO_60)
    finished = player.end("time")

    rematch_page = player.submit(finished, "Rivincita")  # "Rematch"

    # The sides have the same names, and no points yet.
    rematch = Player(player.client, player.pad, rematch_page.url)
    sides = rematch.state.sides
    assert [side.name for side in sides] == ["Nonni", "Nipoti"]
    assert [side.total for side in sides] == [0, 0]

    # A seat is a side and a player of it. (0, 0) dealt the only hand, so (1, 0) deals next.
    assert rematch.state.begins.dealer == (1, 0)

    # The browser has a key to write to the rematch.
    assert keys_of(player.client, rematch_page.url).write

    # The button pressed a second time starts no other rematch.
    same_page = player.submit(finished, "Rivincita")
    assert same_page.url == rematch_page.url


def test_unfinished_match_gets_no_rematch(leading: Player) -> None:
    # One phone shows the button for a rematch. Another phone undoes the end of the match.
    finished = leading.end("time")
    leading.undo("Annulla la fine della partita")

    late = leading.submit(finished, "Rivincita")

    # The match still goes on. The rematch can be started when it is over.
    assert late.notices == [
        "La partita va ancora avanti: la rivincita si comincia quando è finita."
    ]
    assert leading.state.rematch is None


# ---------------------------------------------------------------- links


@pytest.mark.parametrize(
    "path", ["penalita", "fine", "giocatore", "regole", "cancella", NOTE_OF_HAND_1]
)
def test_page_has_link_back_to_its_match(leading: Player, path: str) -> None:
    links = leading.page(path).links()
    assert links["Torna alla partita"] == leading.match  # "Back to the match"
