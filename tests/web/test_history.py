"""The audit of a match as people read it, and the pages of the players."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scorepad.i18n import words
from scorepad.matches import Pad
from scorepad.matches.access import ADMIN, Access
from scorepad.matches.events import EVENTS
from scorepad.matches.hands import SentHand, ShownCounts
from scorepad.storage.rows import hash_device_id
from tests.web.client import Client, Page, Visit
from tests.web.player import Begin, Player
from tests.web.playing import (
    HAND_430_TO_60,
    begin_on_pad,
    device,
    hand,
    hand_typed,
    new_request,
    side,
    start,
)

MERGE = "Unisci i due nomi"
HAND_530_TO_60 = hand(side(250, 20, mixed=1), side(100, 40))


def log_entries(page: Page) -> list[str]:
    """What was done, entry by entry."""
    return page.texts("p", class_="log-what")


def entry_details(page: Page, number: int) -> list[str]:
    """What there is to say beside an entry."""
    lines = []
    for details in page.one("li", id=f"voce-{number}").all("ul", class_="log-more"):
        lines += details.texts("li")
    return lines


def entry_devices(page: Page) -> list[str]:
    """On which device, entry by entry; the time stands before it."""
    return [entry.partition(" · ")[2] for entry in page.texts("p", class_="log-by")]


# ---------------------------------------------------------------------------------------- the audit


def test_every_entry_is_told_in_words_the_last_one_last(leading: Player) -> None:
    leading.correct_to(1, HAND_530_TO_60, "mancava un asso")
    leading.undo("Annulla la correzione")

    page = leading.page("registro")

    assert page.heading == "Registro della partita"
    assert log_entries(page) == [
        "Partita cominciata: Canasta classica, Noi contro Loro.",
        "Smazzata 1 contata: Noi +430, Loro +60.",
        "Smazzata 1 corretta: Noi da +430 a +530, Loro sempre +60.",
        "Correzione della smazzata 1 annullata.",
    ]
    assert entry_details(page, 2) == ["Totali: Noi 430, Loro 60."]
    assert entry_details(page, 3) == [
        "Noi, Carte calate: da +150 a +250.",
        "Motivo: mancava un asso",
    ]
    assert entry_devices(page) == ["telefono 1 (questo)"] * 4


def test_what_was_undone_is_struck_through_and_says_so(leading: Player) -> None:
    leading.undo("Annulla la smazzata 1")

    entry = leading.page("registro").one("li", id="voce-2")
    assert entry.one("s").text == "Smazzata 1 contata: Noi +430, Loro +60."
    assert entry.one("p", class_="log-undone").text.startswith("Annullata alle ")


def test_an_undo_of_another_day_says_the_day(leading: Player) -> None:
    leading.pad.context.clock = lambda: datetime.now(UTC) + timedelta(days=2)
    leading.undo("Annulla la smazzata 1")

    page = leading.page("registro")

    _today, in_two_days = page.texts("h2")  # a heading for each day
    assert page.one("p", class_="log-undone").text.startswith(f"Annullata: {in_two_days}, ")


def test_sums_adjustments_and_penalties_of_a_hand_are_told(player: Player) -> None:
    of_the_house = {"code": "house", "points": 25, "reason": "Ha parlato"}
    agreed = {"points": -20, "reason": "carte cadute"}
    loro = side(150, 40, penalties=["draw-out-of-turn", of_the_house], adjustments=[agreed])
    player.play({"sides": {"a": {"sum": 455}, "b": loro}})

    assert entry_details(player.page("registro"), 2) == [
        "Totali: Noi 455, Loro −35.",
        "Noi, Somma concordata: +455.",
        "Loro, Pescata fuori turno: −100.",
        "Loro, Correzione concordata: carte cadute: −20.",
        "Loro, Penalità della casa: −25. Motivo: Ha parlato",
        "Somma concordata al tavolo: il segnapunti non l'ha controllata.",
    ]


def test_what_the_table_agreed_against_the_rules_is_told_with_its_reason(player: Player) -> None:
    """Going out without a canasta, which the rules refuse."""
    typed = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "a"}
    player.save({**typed, "remark": "che serata", "agreed": "la canasta c'era"})

    totals, agreed, broken, remark = entry_details(player.page("registro"), 2)

    assert totals == "Totali: Noi 250, Loro 60."
    assert agreed.endswith("Motivo: la canasta c'era")
    assert broken == "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
    assert remark == "Annotazione: che serata"


def test_a_penalty_noted_is_told_with_whose_what_points_and_reason(player: Player) -> None:
    player.note("1")
    player.note("0", "house", points="25", reason="Ha parlato")
    page = player.page("registro")
    assert log_entries(page)[1:] == [
        "Penalità nella smazzata 1, a Loro: Pescata fuori turno, −100.",
        "Penalità nella smazzata 1, a Noi: Penalità della casa, −25.",
    ]
    assert entry_details(page, 3) == ["Motivo: Ha parlato"]


def test_confirming_contesting_and_choosing_are_told(player: Player, visit: Visit) -> None:
    checking = player.pad.checking
    match = player.match_id
    other = player.let_in(visit())
    player.pad.devices.set_side_and_holder(match, device(other), 1)
    contest = SentHand(hand=hand_typed(HAND_530_TO_60), reason="mancava un asso")

    checking.switch(new_request(), match, player.device, on=True)
    player.play(HAND_430_TO_60)
    # The count is the third entry of the log, and the contest the fifth.
    checking.confirm(new_request(), match, device(other), 1, 3)
    checking.contest(new_request(), match, device(other), 1, 3, contest)
    checking.choose(new_request(), match, player.device, 1, ShownCounts(3, 5), 5)
    checking.switch(new_request(), match, player.device, on=False)

    page = player.page("registro")
    assert log_entries(page)[1:] == [
        "Da qui una parte conta e l'altra controlla.",
        "Smazzata 1 contata: Noi +430, Loro +60.",
        "Smazzata 1 confermata.",
        "Smazzata 1 contestata. L'altro conto: Noi +530, Loro +60.",
        "Smazzata 1: scelto l'altro conto, Noi da +430 a +530, Loro sempre +60.",
        "Da qui nessuno controlla più i conti dell'altro.",
    ]
    assert entry_details(page, 5) == [
        "Noi, Carte calate: da +150 a +250.",
        "Motivo: mancava un asso",
    ]
    assert entry_devices(page)[2:4] == ["telefono 1 (questo)", "telefono 2, per Loro"]
    page_of_other = other.get(f"{player.match}/registro")
    assert entry_devices(page_of_other)[2:4] == ["telefono 1", "telefono 2 (questo), per Loro"]


def test_who_decided_about_codes_and_phones_is_told(player: Player, visit: Visit) -> None:
    devices = player.pad.devices
    match = player.match_id
    first = player.device
    guest = player.let_in(visit())
    second = device(guest)
    devices.set_side_and_holder(match, second, 1, "Gino <b>")

    devices.renew_key(match, first, Access.VIEW, player.keys)
    devices.withdraw_key(match, first, Access.VIEW)
    devices.make_owner(match, first, hash_device_id(second))
    devices.remove_device(match, second, hash_device_id(first))
    devices.withdraw_key(match, second, Access.WRITE)
    guest.get(f"/e/{devices.start_over(match, ADMIN).write}")

    page = guest.get(f"{player.match}/registro")
    assert log_entries(page)[1:] == [
        "Nuovo codice per guardare.",
        "Codice per guardare tolto.",
        "La partita passa al telefono di Gino <b>.",
        "Il telefono 1 è uscito.",
        "Codice per segnare tolto.",
        "Codici nuovi dalla riga di comando.",
    ]
    assert entry_devices(page)[1] == "telefono 1"
    assert entry_devices(page)[-1] == "riga di comando, sul computer del segnapunti"


def test_the_course_of_a_match_is_told(player: Player) -> None:
    player.submit("regole", "Salva", preset="giochi", option_target="3.000")
    player.submit("nomi", "Salva i nomi", name_0="Rossi", player_0_0="Ada", place="Bar Sport")
    player.play(HAND_430_TO_60)
    player.submit("smazzate/1/annotazione", "Salva", text="bella mano")
    player.replace("0-0", "Gino")
    player.end("last-hand")
    player.undo("Annulla la fine della partita")
    rematch = player.client.submit(player.end("broken-off"), "Rivincita")

    page = player.page("registro")
    assert log_entries(page)[1:] == [
        "Regole cambiate prima della prima smazzata.",
        "Nomi e luogo cambiati.",
        "Smazzata 1 contata: Rossi +430, Loro +60.",
        "Annotazione alla smazzata 1: bella mano",
        "Dalla smazzata 2, per Rossi, gioca Gino al posto di Ada.",
        "Deciso al tavolo: la smazzata 2 è l'ultima.",
        "Fine della partita annullata.",
        "Partita interrotta: non vince nessuno.",
        "Cominciata la rivincita.",
    ]
    rules = entry_details(page, 2)
    assert rules[0].startswith("Regole seguite: da «Wikipedia» a «")
    assert rules[-1] == "Traguardo: da «5.000» a «3.000»."
    assert entry_details(page, 3) == [
        "Noi: ora si chiama Rossi.",
        "Per Rossi: scritto il nome Ada.",
        "Luogo: Bar Sport.",
    ]
    log_of_rematch = player.client.get(f"{rematch.url}/registro")
    assert "È la rivincita di un'altra partita." in entry_details(log_of_rematch, 1)


def test_a_start_tells_who_plays_and_what_came_from_paper(begin: Begin) -> None:
    names = {"player_0_0": "Ada", "player_0_1": "Ugo", "place": "Casa"}
    paper = {"carried_0": "1200", "carried_1": "85", "carried_1_below": "on", "played": "3"}
    player = begin("hand-and-foot", **names, **paper)
    assert entry_details(player.page("registro"), 1)[-4:] == [
        "Per Noi giocano Ada e Ugo.",
        "Luogo: Casa.",
        "Regole seguite: pagat.com",
        "Già giocate sul foglio 3 smazzate. Si parte da Noi 1.200, Loro −85.",
    ]


def test_a_long_log_has_a_way_to_its_end(player: Player) -> None:
    assert "Vai all'ultima cosa scritta" not in player.page("registro").links()
    player.play(*[HAND_430_TO_60] * 12)
    assert player.page("registro").links()["Vai all'ultima cosa scritta"] == "#voce-13"


def test_whatever_can_be_undone_has_its_words() -> None:
    for kind, event in EVENTS.items():
        if event.can_be_undone:
            assert words("it").has(f"actions.entry.{kind}"), kind


# ------------------------------------------------------------------------------------------ players


def figures_of_player(page: Page) -> dict[str, str]:
    """What stands on the page of a player, each figure by its name."""
    figures = {}
    for box in page.all("dl"):
        for row in box.all("div"):
            figures[row.one("dt").text] = row.all("dd")[0].text
    return figures


def test_a_players_page_tells_won_lost_averages_and_the_best_hand(begin: Begin) -> None:
    player = begin(player_0_0="Ada")
    player.play(HAND_430_TO_60, HAND_530_TO_60)
    player.end("time")

    page = player.client.get("/giocatori/ada")

    assert page.heading == "Ada"
    assert figures_of_player(page) == {
        "Partite": "1",
        "Vinte": "1",
        "Perse": "0",
        "Media per smazzata": "480",
        "Media per partita": "960",
        "Smazzata migliore": "+530",
        "Totale più alto": "960",
    }
    best_hand = page.all("a", href=f"{player.match}#smazzata-2")[0]
    assert best_hand.text.startswith("Smazzata 2, Noi contro Loro, ")
    assert page.one("a", class_="match").text.startswith(
        "Noi contro Loro Ada contro Loro Vinta: 960 a 120"
    )


@pytest.fixture
def finished(begin: Begin) -> Begin:
    """Whoever holds a match that is over, of these players."""

    def play(**names: str) -> Player:
        player = begin(**names)
        player.play(HAND_430_TO_60)
        player.end("time")
        return player

    return play


def test_a_player_typed_under_two_names_gets_one_of_them_in_the_matches_that_are_over(
    client: Client, begin: Begin, finished: Begin
) -> None:
    over = finished(player_0_0="Ada", player_1_0="Ivo")
    finished(player_0_0="Ada", player_1_0="Ivo")
    finished(player_0_0="Adelaide")
    going_on = begin(player_0_0="ada")
    page = client.get(client.get("/giocatori/Ada").links()["È la stessa persona di…"])
    assert "Le 2 partite finite di ada" in page.text
    assert page.texts("label") == ["Ivo", "Adelaide"]

    refused = client.submit(page, MERGE, status=409, other="Ivo")
    assert refused.errors == ["ada e Ivo hanno giocato nella stessa partita: sono due persone."]

    merged = client.submit(refused, MERGE, other="Adelaide")
    assert merged.notices == ["2 partite sono adesso di Adelaide."]
    assert figures_of_player(merged)["Partite"] == "3"
    assert going_on.state.sides[0].players == ("ada", ""), "a match that goes on stays as it is"

    over.undo("Annulla il cambio dei nomi")
    adelaide = client.get("/giocatori/Adelaide")
    assert figures_of_player(adelaide)["Partite"] == "2"


def test_players_of_others_are_not_merged(client: Client, visit: Visit, finished: Begin) -> None:
    finished(player_0_0="Ada", player_1_0="Ivo")
    path = "/stessa-persona?nome=Ada"
    visit().get(path, status=404)
    client.get("/stessa-persona", status=404)

    page = client.get(path)
    form = page.form_values(MERGE)
    client.post(path, form | {"other": "Nessuno"}, status=422)
    client.post(path, form | {"other": "Ivo", "csrf_token": "x"}, status=400)
    client.post(path, form | {"other": "Ivo", "request_id": ""}, status=422)


def test_the_list_of_players_counts_matches_and_leaves_out_names_that_nobody_chose(
    client: Client,
) -> None:
    start(client, player_0_0="Ada", player_1_1="Ivo")
    start(client, player_0_0="ada")
    start(client)

    names = client.get("/giocatori").one("ul", class_="names")

    assert names.texts("li") == ["ada 2 partite", "Ivo 1 partita"]
    assert client.get("/").links()["Giocatori"] == "/giocatori"


def test_without_any_name_the_list_says_where_names_are_written(client: Client) -> None:
    page = client.get("/giocatori")
    assert "Nomi e luogo" in page.one("p", class_="lead").text
    assert "Giocatori" not in client.get("/").links()


@pytest.mark.parametrize(
    "name", ["Ada/Bea", "..", ".", "a?b#c", "50%", "Già & Sì", "<i>", "日本", "a\\b", "x+y"]
)
def test_any_name_has_a_page(client: Client, name: str) -> None:
    start(client, player_0_0=name)
    links = client.get("/giocatori").one("ul", class_="names").all("a")
    assert client.get(links[0]["href"]).heading == name


def test_the_page_of_a_player_who_is_no_longer_there_speaks_of_no_match(
    client: Client, begin: Begin
) -> None:
    player = begin(player_0_0="Ada")
    main = client.get("/giocatori/Ada").one("main")
    assert main["data-live-gone"].startswith(
        "Questo giocatore non è più nelle partite di questo telefono: "
    )
    player.submit("nomi", "Salva", player_0_0="Adele")
    client.get(main["data-live-page"], status=404)


@pytest.mark.parametrize("path", ["/", "/giocatori/Ada", "{match}", "{match}/cancella"])
def test_no_line_about_a_match_begins_with_the_dot_between_two_words(
    begin: Begin, path: str
) -> None:
    player = begin(player_0_0="Ada", place="Rimini")
    page = player.client.get(path.format(match=player.match)).answer.text
    content = page[page.index("<main") :]
    assert "\N{NO-BREAK SPACE}· " in content
    assert " · " not in content


def test_a_player_who_is_not_there_or_in_matches_of_another_is_not_found(
    client: Client, visit: Visit
) -> None:
    start(client, player_0_0="Ada")
    client.get("/giocatori/Zoe", status=404)
    client.get("/giocatori?nome=Zoe", status=404)
    visit().get("/giocatori/Ada", status=404)


def test_mini_is_told_apart_in_tenths_of_units(client: Client, begin: Begin) -> None:
    """Mini is counted in units, of some 30 a match; other games in points."""
    begin(player_0_0="Ada").play(HAND_430_TO_60)
    three_units = {"sides": {"a": {"sum": 3}, "b": {"sum": 1}}}
    four_units = {"sides": {"a": {"sum": 4}, "b": {"sum": 1}}}
    begin("mini", player_0_0="Ada").play(three_units, four_units)

    page = client.get("/giocatori/Ada")

    assert "Partite alla mini, a unità" in page.text
    units = page.one("section", aria_labelledby="unit-units")
    points = page.one("section", aria_labelledby="unit-points")
    assert "Media per smazzata 3,5" in units.text
    assert "Media per smazzata 430" in points.text


def test_many_matches_stand_on_the_page_once_they_are_asked_for(client: Client, pad: Pad) -> None:
    client.get("/")
    players = (("Ada", ""), ("", ""))
    for _ in range(31):
        begin_on_pad(pad, device(client), "classica", ("Noi", "Loro"), players=players)

    page = client.get("/giocatori/Ada")
    whole_page = client.get(page.links()["Mostra tutte le 31 partite"])

    assert len(page.all("a", class_="match")) == 30
    assert len(whole_page.all("a", class_="match")) == 31
