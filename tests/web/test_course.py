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
from tests.web.player import OUT_OF_TURN, PENALTY, REPLACE, Begin, Player
from tests.web.playing import HAND_430_TO_60, hand, keys_of, side
from tests.web.tables import read_tables
from tests.web.ways_to_write import token_of

PAGES = ("penalita", "fine", "giocatore", "regole", "cancella", "smazzate/1/annotazione")
"""The pages of what else may happen to a match: a penalty, its end, another player, other rules, its
deletion, a note on a hand.
"""
REMARK = "smazzate/1/annotazione"
SAVE_RULES = "Salva le regole"
DELETE = "Cancella per sempre"


END = "Finisce così"
FORMS = read_tables("refused_in_a_match")
REFUSED = [(name, refused) for name, form in FORMS.items() for refused in form["refused"]]
OVERTAKEN = read_tables("overtaken_in_a_match")


def texts_of_choices(page: Page) -> dict[str, str]:
    """What each choice says, by the value that is sent."""
    choices = page.all(class_="choice")
    return {choice.one("input")["value"]: choice.one("label").text for choice in choices}


@pytest.mark.parametrize(("name", "refused"), REFUSED)
def test_a_wrong_form_is_refused_beside_its_fields_and_stays_typed(
    begin: Begin, name: str, refused: dict[str, dict[str, str]]
) -> None:
    """As `refused_in_a_match.toml` tells: a form, what is typed into it, the errors by field."""
    form = FORMS[name]
    typed = refused["typed"]
    expected_errors = refused["errors"]
    player = begin(**form.get("begun", {}))
    player.play(*[HAND_430_TO_60] * form["hands"])
    state_before = player.state

    page = player.submit(form["page"], form["button"], status=422, **typed)

    assert page.errors == list(expected_errors.values())
    for field, error in expected_errors.items():
        assert page.one("p", id=f"{field}-error").text == error
    for field in page.form(form["button"]).all("input", type="text"):
        if field["name"] in typed:
            assert field["value"] == typed[field["name"]]
    assert player.state == state_before


# ---------------------------------------------------------------- penalties


def test_a_penalty_waits_in_the_open_hand_until_the_count(player: Player) -> None:
    page = player.note("1")
    assert page.notices == ["Penalità segnata: Loro, −100. Si conta con la smazzata."]
    noted = page.one("p", class_="noted").text
    assert noted.startswith("Penalità in questa smazzata: Loro: ")
    assert noted in player.page("tabellone").one(id="board-facts").text

    page = player.open()
    noted = page.one(id="b-noted")
    assert noted.texts("span")[0] == "Pescata fuori turno, −100"
    assert noted["data-points"] == "-100"
    assert page.one("small", id="more-b-summary").text == "Pescata fuori turno, −100"

    typed = {"out": "nobody", "a.cards": "0", "a.left": "20", "b.cards": "100", "b.left": "40"}
    page = player.check(typed, page)
    assert page.one("output", id="other-b").text == "−100"

    player.save({}, page)
    # 100 − 40 − 100: G, "Calcolo delle penalità"
    assert player.points == [[-20, -40]]
    assert "Penalità in questa smazzata" not in player.page("tabellone").text


def test_penalties_are_listed_with_their_points_and_reasons_as_often_as_they_are_noted(
    player: Player,
) -> None:
    player.note("0", "meld-out-of-turn-partner")
    player.note("0", "meld-out-of-turn-partner")
    player.note("0", "house", points="1.000", reason="mazzo caduto")

    noted = player.page("penalita").one("section", aria_labelledby="noted")
    assert noted.texts("li") == [
        "Noi: Calata nel turno del compagno, −200",
        "Noi: Calata nel turno del compagno, −200",
        "Noi: Penalità della casa, −1.000 (mazzo caduto)",
    ]
    assert player.open().one(id="a-noted")["data-points"] == "-1400"


def test_every_penalty_of_the_game_is_told_with_its_points_and_its_source(player: Player) -> None:
    page = player.page("penalita")
    penalties = texts_of_choices(page)

    assert penalties["red-three-not-exposed"] == "3 rosso non esposto: −500"
    source = "Giochi di carte: «Calcolo delle penalità»"
    assert page.text.count(source) == 1, "told once for all penalties that it speaks of"
    assert "Giochi di carte: «Permesso di chiusura»" in penalties["permission-then-no-out"]
    assert "Il pozzo si rimette com'era." in penalties["pile-taken-without-meld"]
    assert "I punti e il motivo li decidete voi" in penalties["house"]


def test_a_noted_penalty_is_taken_back_where_the_hand_is_counted(player: Player) -> None:
    player.note("0")
    player.note("1")
    page = player.open()
    take_back = page.one(id="a-noted").one("button")
    assert take_back.text == "Togli"
    assert page.one(id=take_back["aria-describedby"]).text == "Pescata fuori turno, −100"

    typed = {"a.cards": "150"}
    taken_back = player.press(take_back["value"], typed, page)
    player.press(take_back["value"], typed, page)  # sent twice, it is one

    assert taken_back.notices == ["Penalità annullata."]
    assert player.noted == [(1, OUT_OF_TURN)]
    assert player.draft == typed

    again = player.submit("", "Rifai")
    assert again.notices == ["Penalità rimessa."]
    assert player.noted == [(0, OUT_OF_TURN), (1, OUT_OF_TURN)]


def test_a_penalty_noted_beside_a_sum_is_asked_about_at_the_sum(player: Player) -> None:
    """A sum that the table agreed includes everything, penalties too."""
    player.note("1")

    page = player.save({"a.sum": "430", "b.sum": "60"})
    assert page.errors == [
        "La somma è già tutto compreso: togli le penalità segnate di Loro, o la somma."
    ]
    assert player.hands == []

    take_back = page.one(id="b-noted").one("button")["value"]
    page = player.press(take_back, {}, page)
    player.save({}, page)
    assert player.points == [[430, 60]]


def test_a_penalty_for_a_hand_that_was_counted_meanwhile_is_asked_again(player: Player) -> None:
    page = player.page("penalita")
    player.play(HAND_430_TO_60)

    refused = player.submit(page, PENALTY, status=409, side="1", code=OUT_OF_TURN)
    assert "Se vale per la smazzata 2, premi di nuovo il pulsante." in refused.errors[0]
    assert player.noted == []

    player.submit(refused, PENALTY)
    player.submit(refused, PENALTY)  # sent twice, it is one
    assert player.noted == [(1, OUT_OF_TURN)]


def test_in_mini_there_is_no_penalty_to_note(begin: Begin) -> None:
    player = begin("mini")
    page = player.page("penalita")
    assert "In questo gioco non ci sono penalità." in page.text
    assert "Segna una penalità" not in player.page().links()

    form_of_the_end = player.page("fine")
    made_up = form_of_the_end.form_values(END)
    made_up |= {"side": "0", "code": "house", "points": "5", "reason": "x"}
    player.client.post(page.url, made_up, status=422)
    assert player.noted == []


# ---------------------------------------------------------------- notes


def test_a_note_stands_beside_its_hand_and_goes_when_it_is_emptied(leading: Player) -> None:
    note = "Ugo ha chiuso subito </textarea><b>"
    page = leading.page(REMARK)

    with_spaces = " Ugo ha\r\nchiuso  subito </textarea><b> "
    leading.submit(page, "Salva", text=with_spaces)
    leading.submit(page, "Salva", text=with_spaces)  # sent twice, it is one
    assert f"Annotazione: {note}" in leading.page().text

    page = leading.page(REMARK)
    assert page.form_values("Salva")["text"] == note
    leading.submit(page, "Salva", text="")
    assert leading.hands[0].remark == ""

    leading.undo("Annulla l'annotazione alla smazzata 1")
    assert leading.hands[0].remark == note


def test_a_note_on_a_hand_that_was_undone_meanwhile_says_so(leading: Player) -> None:
    page = leading.page(REMARK)
    leading.undo("Annulla la smazzata 1")

    late = leading.submit(page, "Salva", text="bella")

    assert late.notices == ["Intanto la smazzata 1 è stata annullata: l'annotazione non è salvata."]
    leading.client.get(page.url, status=404)


# ---------------------------------------------------------------- ends


def test_each_end_says_who_wins_by_it_right_now(player: Player) -> None:
    assert "Siete pari, 0 a 0: non vince nessuno." in player.page("fine").text

    player.play(HAND_430_TO_60)

    ends = texts_of_choices(player.page("fine"))
    assert list(ends) == ["last-hand", "hands", "time", "given-up:0", "given-up:1", "broken-off"]
    ahead = "Avanti adesso: Noi, 430 a 60."
    assert f"Dopo la smazzata 2 vince chi è avanti. {ahead}" in ends["last-hand"]
    assert ends["hands"].endswith(f"Poi vince chi è avanti. {ahead}")
    assert ends["time"].endswith("Vince chi è avanti: Noi, 430 a 60.")
    assert ends["given-up:0"] == "Si arrende: Noi Vince: Loro."
    assert ends["broken-off"].startswith("Interrotta: nessuno vince")


def test_of_three_the_others_go_on_to_be_compared_where_one_gives_up(begin: Begin) -> None:
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    player.play({"sides": {"a": side(200), "b": side(150), "c": side(0)}, "out": None})
    page = player.page("fine")
    assert "Si arrende: Ada Tra gli altri vince chi è avanti: Bea, 150 a 0." in page.text


@pytest.mark.parametrize(
    ("how", "winner", "message"),
    [
        ("time", 0, "Tempo scaduto dopo 1 smazzata."),
        ("given-up:0", 1, "Resa di Noi dopo 1 smazzata."),
        ("broken-off", None, "Interrotta dopo 1 smazzata."),
    ],
)
def test_a_match_ends_at_once_and_undo_takes_it_back(
    leading: Player, how: str, winner: int | None, message: str
) -> None:
    ended = leading.end(how)
    assert ended.one(class_="ended").texts("p")[1] == message
    assert leading.state.status.finished
    assert leading.state.status.winner == winner

    undone = leading.undo("Annulla la fine della partita")
    assert undone.notices == ["Fine della partita annullata."]
    assert not leading.state.status.finished


def test_a_match_that_is_over_is_not_ended_again_and_takes_no_other_player(
    leading: Player,
) -> None:
    replacing = leading.page("giocatore")
    leading.end("time")

    late = leading.submit(replacing, REPLACE, seat="0-0", name="Cleo")

    assert late.notices == ["La partita è già finita."]
    assert leading.page("fine").notices == ["La partita è già finita."]


@pytest.mark.parametrize(
    ("chosen", "hands_to_play", "message"),
    [
        ({"how": "last-hand"}, 1, "La prossima smazzata è l'ultima: così avete deciso."),
        ({"how": "hands", "number": "3"}, 2, "la smazzata 3"),
    ],
    ids=["the next one", "the third one"],
)
def test_a_last_hand_is_agreed_and_ends_the_match_when_it_is_counted(
    leading: Player, chosen: dict[str, str], hands_to_play: int, message: str
) -> None:
    page = leading.end(**chosen)
    assert message in page.text
    assert message in leading.page("fine").text
    assert not leading.state.status.finished

    leading.play(*[HAND_430_TO_60] * hands_to_play)
    assert leading.state.status.finished


def test_hands_are_numbered_from_those_on_paper_on(begin: Begin) -> None:
    """One hand was played on paper before; hand and foot is over after the fourth."""
    player = begin("hand-and-foot", carried_0="100", carried_1="0", played="1")
    page = player.page("fine")
    assert "Smazzate giocate finora: 1." in page.text

    player.submit(page, END, status=422, how="hands", number="1")
    refused = player.submit(page, END, status=422, how="hands", number="4")
    assert refused.errors == [
        "Si finisce comunque con la smazzata 4: scrivi un numero più piccolo."
    ]

    player.submit(page, END, how="hands", number="3")
    assert player.state.ending.hands == 2


def test_an_end_after_another_hand_is_asked_again_with_who_is_ahead_now(leading: Player) -> None:
    page = leading.page("fine")
    leading.play(hand(side(100, 40), side(500, natural=2, mixed=1), "b"))

    refused = leading.submit(page, END, status=409, how="time")
    assert "qui sotto c'è chi è avanti adesso" in refused.errors[0]
    # 430 + 60 against 60 + 500 + 1,000 + 300 + 100
    assert "Vince chi è avanti: Loro, 1.960 a 490." in refused.text
    assert not leading.state.status.finished

    leading.submit(refused, END)
    assert leading.state.status.winner == 1


def test_where_a_hand_is_being_typed_it_is_said_that_it_stays(leading: Player) -> None:
    stays = "Quello che è già scritto della smazzata in corso non si perde"
    assert stays not in leading.page("fine").text

    leading.check({"a.cards": "150"})
    assert stays in leading.page("fine").text


# ---------------------------------------------------------------- players


def test_a_player_is_replaced_from_the_coming_hand_on(begin: Begin) -> None:
    player = begin(player_1_0="Ugo")
    player.play(HAND_430_TO_60)

    named = player.replace("1-0", " Carla ")
    unnamed = player.replace("1-1", "Cleo")

    assert named.notices == ["Dalla smazzata 2 gioca Carla al posto di Ugo."]
    assert unnamed.notices == ["Dalla smazzata 2 gioca Cleo."]
    assert player.state.sides[1].players == ("Carla", "Cleo")
    player.undo("Annulla il cambio di giocatore")
    assert player.state.sides[1].players == ("Carla", "")


def test_a_past_hand_was_dealt_by_who_sat_there_then(begin: Begin) -> None:
    player = begin(player_0_0="Ada")
    player.play(HAND_430_TO_60)
    player.replace("0-0", "Bea")

    page = player.play(*[HAND_430_TO_60] * 4)

    # Noi's first player dealt the first hand and, of four, deals the fifth again.
    assert "Carte date da Ada (Noi)." in page.one(id="smazzata-1").text
    assert "Carte date da Bea (Noi)." in page.one(id="smazzata-5").text


# ---------------------------------------------------------------- rules


def test_target_options_and_codification_change_before_the_first_hand(player: Player) -> None:
    chosen = {"preset": "getty", "option-target": "3.000", "option-concealed-canasta": "0"}

    saved = player.submit("regole", SAVE_RULES, **chosen)
    page = player.page("regole")

    assert saved.notices == ["Regole salvate."]
    assert player.state.rules.preset == "getty"
    assert player.state.status.target == 3000
    assert player.state.rules.options["concealed-canasta"] == 0
    values = page.form_values("Salva")
    assert chosen.items() <= values.items()
    assert values["option-wild-limit"] == "", "as the preset has it"

    player.undo("Annulla il cambio delle regole")
    assert player.state.status.target == 5000


def test_options_that_decide_who_sits_at_the_table_are_not_offered_and_stay(
    client: Client, pad: Pad
) -> None:
    new = client.get("/partite/nuova?variante=mini&players=3")
    player = Player(client, pad, client.submit(new, "Comincia: ").url)
    state_before = player.state
    assert not player.page("regole").all("input", name="option-players")

    player.submit("regole", SAVE_RULES)
    assert player.state == state_before, "saved as they stand they are no change"

    player.submit("regole", SAVE_RULES, option_target="21")
    assert player.state.rules.settings.sides == (1, 1, 1)
    assert player.state.rules.settings.target == 21


def test_after_the_first_hand_the_rules_are_fixed(player: Player) -> None:
    page_of_before = player.page("regole")
    player.play(HAND_430_TO_60)

    page = player.page("regole")
    assert "Queste regole non si cambiano più dopo la prima smazzata" in page.text
    assert "Traguardo 5.000" in page.text
    assert not page.all("form", method="post", action=page.url)

    late = player.submit(page_of_before, SAVE_RULES, status=409, option_target="3.000")
    assert late.errors == [
        "Intanto è stata salvata la prima smazzata: le regole non si cambiano più, e sono rimaste come prima."
    ]
    assert player.state.status.target == 5000


# ---------------------------------------------------------------- two phones at one form


@pytest.mark.parametrize("case", OVERTAKEN.values(), ids=OVERTAKEN.keys())
def test_what_somebody_changed_meanwhile_is_shown_and_not_written_over_unseen(
    player: Player, case: dict[str, Any]
) -> None:
    player.play(*[HAND_430_TO_60] * case["hands"])
    client = player.client
    button = case["button"]
    first_phone = player.page(case["page"])
    second_phone = player.page(case["page"])
    client.submit(first_phone, button, **case["first"])
    client.submit(first_phone, button, **case["first"])  # sent twice, it is one
    state_before = player.state

    refused = client.submit(second_phone, button, status=409, **case["second"])
    assert case["shown"] in refused.text
    assert refused.errors[0].startswith(case["error"])
    assert player.state == state_before

    client.submit(refused, button)
    assert case["after"] in player.page(case["page"]).answer.text


# ---------------------------------------------------------------- deleting


def test_a_match_is_deleted_only_with_the_tick_and_is_gone(begin: Begin) -> None:
    player = begin(name_0="Nonni", name_1="Nipoti", place="Rimini")
    client = player.client
    player.play(HAND_430_TO_60)
    page = player.page("cancella")
    assert "Nonni contro Nipoti Punti: 430 a 60 Canasta classica · Rimini" in page.text

    refused = client.submit(page, DELETE, status=422)
    assert refused.errors == ["Per cancellare, metti il segno su «Sì, cancellala per sempre»."]
    assert refused.one("p", id="sure-error").text == refused.errors[0]

    for _ in range(2):  # pressed twice, it says the same
        home = client.submit(refused, DELETE, sure="on")
        assert home.url == "/"
        assert home.notices == ["Partita cancellata: Nonni contro Nipoti."]
    client.get(player.match, status=404)

    another_form = page.form_values(DELETE) | {"sure": "on", "request_id": "x" * 22}
    late = client.post(page.url, another_form, status=404)
    assert late.heading == "Questa partita non c'è più"


def test_who_does_not_hold_the_match_is_told_who_can_delete_it(
    player: Player, visit: Visit
) -> None:
    who_can = "Può cancellarla solo il telefono che tiene la partita, cioè il telefono 1"
    page_of_owner = player.page("cancella")
    other = player.let_in(visit())

    page = other.get(page_of_owner.url)
    assert who_can in page.text
    assert not page.all("input", type="checkbox")

    form_of_owner = page_of_owner.form_values(DELETE)
    sent = form_of_owner | {"sure": "on", "csrf_token": token_of(other)}
    refused = other.post(page_of_owner.url, sent, status=403)
    assert who_can in refused.text
    assert player.state.access is Access.OWN


def test_nothing_of_a_deleted_match_stays_in_the_file(begin: Begin, tmp_path: Path) -> None:
    """Names, notes and reasons come and go before, in rows that grow and shrink."""
    file = tmp_path / "scorepad.db"
    player = begin(name_0="Pappagalli", player_0_0="Adalgisa", place="Nettuno")
    for number in range(3):
        long_reason = "ragione" * (1 + 40 * number)
        player.check({"a.house.0.points": "5", "a.house.0.reason": long_reason})
        player.note("1", "house", points="5", reason="guardone")
        player.play(HAND_430_TO_60)
        player.submit(REMARK, "Salva", text="bisbiglio" * (30 - number))
    assert b"ragione" not in file.read_bytes(), "what was typed over is gone already"

    player.submit("cancella", DELETE, sure="on")

    octets = file.read_bytes()
    for word in ("Pappagalli", "Adalgisa", "Nettuno", "guardone", "bisbiglio", player.match_id):
        assert word.encode() not in octets
    # SQLite overwrites what is deleted, and yet may keep what it had copied about: the file is
    # written anew.
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("pragma freelist_count").fetchone() == (0,)


# ---------------------------------------------------------------- rematch


def test_a_rematch_has_the_same_names_the_next_dealer_and_its_keys(begin: Begin) -> None:
    player = begin(name_0="Nonni", name_1="Nipoti")
    player.play(HAND_430_TO_60)
    finished = player.end("time")

    page = player.submit(finished, "Rivincita")
    sent_again = player.submit(finished, "Rivincita")

    rematch = Player(player.client, player.pad, page.url).state
    assert [side.name for side in rematch.sides] == ["Nonni", "Nipoti"]
    assert [side.total for side in rematch.sides] == [0, 0]
    assert rematch.begins.dealer == (1, 0)
    assert keys_of(player.client, page.url).write
    assert sent_again.url == page.url, "sent twice, it is one"


def test_a_match_that_goes_on_again_gets_no_rematch(leading: Player) -> None:
    finished = leading.end("time")
    leading.undo("Annulla la fine della partita")

    late = leading.submit(finished, "Rivincita")

    assert late.notices == [
        "La partita va ancora avanti: la rivincita si comincia quando è finita."
    ]
    assert leading.state.rematch is None


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize("path", PAGES)
def test_a_page_leads_back_to_its_match(leading: Player, path: str) -> None:
    """Who may open it is in `security.toml`."""
    assert leading.page(path).links()["Torna alla partita"] == leading.match
