"""The log of a match as people read it, and the pages of the players."""

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

MERGE_NAMES = "Unisci i due nomi"  # "Join the two names"
HAND_530_TO_60 = hand(side(250, 20, mixed=1), side(100, 40))
"""A mixed canasta 300, cards laid 250, cards left in hand −20; and 100 − 40."""


def log_entries(page: Page) -> list[str]:
    """Return the text of each entry of the log."""
    return page.texts("p", class_="log-what")


def entry_details(page: Page, number: int) -> list[str]:
    """Return the lines below the text of an entry. Entry 1 is the start of the match."""
    entry = page.one("li", id=f"voce-{number}")
    lines = []
    for details in entry.all("ul", class_="log-more"):
        lines += details.texts("li")
    return lines


def entry_devices(page: Page) -> list[str]:
    """Return the device that made each entry. Its time stands before it: `21:15 · telefono 1`."""
    return [entry.partition(" · ")[2] for entry in page.texts("p", class_="log-by")]


# ------------------------------------------------------------------------------------------ the log


def test_log_describes_entries_in_order(leading: Player) -> None:
    # The one hand of the match stands at 430 to 60. It is corrected to 530 to 60, because "an ace
    # was missing", and the correction is undone.
    leading.correct_to(1, HAND_530_TO_60, note="mancava un asso")
    leading.undo("Annulla la correzione")

    page = leading.page("registro")

    assert page.heading == "Registro della partita"  # "Log of the match"
    assert log_entries(page) == [
        "Partita cominciata: Canasta classica, Noi contro Loro.",  # the match began
        "Smazzata 1 contata: Noi +430, Loro +60.",  # hand 1 was counted
        "Smazzata 1 corretta: Noi da +430 a +530, Loro sempre +60.",  # it was corrected
        "Correzione della smazzata 1 annullata.",  # the correction was undone
    ]
    # Below the hand stand the totals, below the correction what was changed, and the reason.
    assert entry_details(page, 2) == ["Totali: Noi 430, Loro 60."]
    assert entry_details(page, 3) == [
        "Noi, Carte calate: da +150 a +250.",  # points of the cards laid
        "Motivo: mancava un asso",
    ]
    # All were made on "phone 1", which is "this one".
    assert entry_devices(page) == ["telefono 1 (questo)"] * 4


def test_undone_entry_is_struck_through_with_time_of_undo(leading: Player) -> None:
    leading.undo("Annulla la smazzata 1")

    # "Undone at" is followed by a time.
    entry = leading.page("registro").one("li", id="voce-2")
    assert entry.one("s").text == "Smazzata 1 contata: Noi +430, Loro +60."
    assert entry.one("p", class_="log-undone").text.startswith("Annullata alle ")


def test_undo_on_another_day_has_its_date(leading: Player) -> None:
    # Two days after the hand was counted, it is undone.
    leading.pad.context.clock = lambda: datetime.now(UTC) + timedelta(days=2)
    leading.undo("Annulla la smazzata 1")

    page = leading.page("registro")

    # The log has a heading for each day, of which the second is the date of the undo.
    date_of_undo = page.texts("h2")[1]
    undone = page.one("p", class_="log-undone").text
    assert undone.startswith(f"Annullata: {date_of_undo}, ")


def test_log_lists_sum_adjustments_and_penalties_of_hand(player: Player) -> None:
    # Noi have a sum that the table agreed. Loro laid 150 and have 40 left in hand; they drew out of
    # turn (−100), talked (−25 by a rule of the house) and dropped cards (−20, as agreed).
    penalty_of_house = {"code": "house", "points": 25, "reason": "Ha parlato"}
    penalties = ["draw-out-of-turn", penalty_of_house]
    adjustment = {"points": -20, "reason": "carte cadute"}
    loro = side(150, left=40, penalties=penalties, adjustments=[adjustment])
    player.play({"sides": {"a": {"sum": 455}, "b": loro}})

    assert entry_details(player.page("registro"), 2) == [
        "Totali: Noi 455, Loro −35.",  # 150 − 40 − 100 − 25 − 20
        "Noi, Somma concordata: +455.",
        "Loro, Pescata fuori turno: −100.",
        "Loro, Correzione concordata: carte cadute: −20.",
        "Loro, Penalità della casa: −25. Motivo: Ha parlato",
        # The score pad says that it did not check the sum agreed at the table.
        "Somma concordata al tavolo: il segnapunti non l'ha controllata.",
    ]


def test_log_gives_reason_of_hand_agreed_against_the_rules(player: Player) -> None:
    # Noi went out without a canasta, which the rules do not allow. The table agrees on the hand all
    # the same, because "the canasta was there", and adds the note "what an evening".
    typed = {"a.cards": "150", "a.left": "0", "b.cards": "100", "b.left": "40", "out": "a"}
    player.save({**typed, "remark": "che serata", "agreed": "la canasta c'era"})

    totals, reason, broken_rule, note = entry_details(player.page("registro"), 2)

    # 150 + 100 for going out; 100 − 40
    assert totals == "Totali: Noi 250, Loro 60."
    assert reason.endswith("Motivo: la canasta c'era")
    # The log says that going out is not possible: at least one canasta is needed, and here are 0.
    assert broken_rule == "Noi: la chiusura non è possibile, serve almeno una canasta (qui: 0)."
    assert note == "Annotazione: che serata"


def test_log_describes_noted_penalties(player: Player) -> None:
    # During the hand the table notes a penalty for each side, of which 0 is Noi and 1 is Loro.
    player.note("1", "draw-out-of-turn")
    player.note("0", "house", points="25", reason="Ha parlato")

    page = player.page("registro")

    # "Penalty in hand 1": "drawing out of turn", and a "penalty of the house" for having talked
    assert log_entries(page)[1:] == [
        "Penalità nella smazzata 1, a Loro: Pescata fuori turno, −100.",
        "Penalità nella smazzata 1, a Noi: Penalità della casa, −25.",
    ]
    assert entry_details(page, 3) == ["Motivo: Ha parlato"]


def test_log_describes_checking_by_the_other_side(player: Player, visit: Visit) -> None:
    match = player.match_id
    checking = player.pad.checking
    hand_1 = 1

    # One phone counts for Noi. Another one is let into the match, and counts for Loro (side 1).
    noi = player.device
    client_of_loro = player.let_in(visit())
    loro = device(client_of_loro)
    player.pad.devices.set_side_and_holder(match, loro, 1)

    # Entry 1 of the log is the start of the match. In entry 2 Noi switch on that each hand is
    # counted by one side and checked by the other. In entry 3 they count a hand, which Loro confirm
    # in entry 4.
    checking.switch(new_request(), match, noi, on=True)
    player.play(HAND_430_TO_60)
    count_of_noi = 3
    checking.confirm(new_request(), match, loro, hand_1, count_of_noi)

    # In entry 5 Loro contest that count with one of their own, because "an ace was missing".
    contest = SentHand(hand=hand_typed(HAND_530_TO_60), reason="mancava un asso")
    checking.contest(new_request(), match, loro, hand_1, count_of_noi, contest)
    count_of_loro = 5

    # Noi see both counts and choose that of Loro. Then they switch the checking off.
    shown = ShownCounts(count_of_noi, count_of_loro)
    checking.choose(new_request(), match, noi, hand_1, shown, count_of_loro)
    checking.switch(new_request(), match, noi, on=False)

    # The log describes each of these steps.
    log = player.page("registro")
    assert log_entries(log)[1:] == [
        "Da qui una parte conta e l'altra controlla.",  # from here on one counts, the other checks
        "Smazzata 1 contata: Noi +430, Loro +60.",
        "Smazzata 1 confermata.",
        "Smazzata 1 contestata. L'altro conto: Noi +530, Loro +60.",  # contested; the other count
        # the other count was chosen
        "Smazzata 1: scelto l'altro conto, Noi da +430 a +530, Loro sempre +60.",
        "Da qui nessuno controlla più i conti dell'altro.",  # from here on nobody checks
    ]
    # Below entry 5 stand the value that differs, the cards laid by Noi, and the reason.
    assert entry_details(log, count_of_loro) == [
        "Noi, Carte calate: da +150 a +250.",
        "Motivo: mancava un asso",
    ]

    # It also says which phone made an entry: phone 1 has counted, and phone 2 ("for Loro") has
    # confirmed. Each phone reads "(this one)" at its own entries.
    _start, _switch, by_counting, by_confirming, *_ = entry_devices(log)
    assert by_counting == "telefono 1 (questo)"
    assert by_confirming == "telefono 2, per Loro"

    log_of_loro = client_of_loro.get(f"{player.match}/registro")
    _start, _switch, by_counting, by_confirming, *_ = entry_devices(log_of_loro)
    assert by_counting == "telefono 1"
    assert by_confirming == "telefono 2 (questo), per Loro"


def test_log_describes_phones_that_change(player: Player, visit: Visit) -> None:
    # The owner makes the phone of a guest the owner of the match. It removes the former owner.
    devices = player.pad.devices
    guest = player.let_in(visit())
    new_owner = device(guest)
    devices.set_side_and_holder(player.match_id, new_owner, 1, "Gino <b>")
    devices.make_owner(player.match_id, player.device, hash_device_id(new_owner))
    devices.remove_device(player.match_id, new_owner, hash_device_id(player.device))

    page = guest.get(f"{player.match}/registro")
    assert log_entries(page)[1:] == [
        "La partita passa al telefono di Gino <b>.",  # the match passes to Gino's phone
        "Il telefono 1 è uscito.",  # phone 1 has left
    ]
    # The phone that was removed is still named at its own entries.
    assert entry_devices(page)[1] == "telefono 1"


def test_log_describes_changes_of_codes(player: Player) -> None:
    devices = player.pad.devices
    match = player.match_id
    owner = player.device

    # The owner replaces the code with which others view the match. Later both this code and the one
    # with which they keep score are withdrawn.
    devices.renew_key(match, owner, Access.VIEW, player.keys)
    devices.withdraw_key(match, owner, Access.VIEW)
    devices.withdraw_key(match, owner, Access.WRITE)

    # The command line makes new codes and removes every phone. The phone comes in again.
    new_keys = devices.start_over(match, ADMIN)
    player.client.get(f"/e/{new_keys.write}")

    page = player.page("registro")
    assert log_entries(page)[1:] == [
        "Nuovo codice per guardare.",  # a new code to view
        "Codice per guardare tolto.",  # the code to view was withdrawn
        "Codice per segnare tolto.",  # the code to keep score was withdrawn
        "Codici nuovi dalla riga di comando.",  # new codes by the command line
    ]
    # "command line, on the computer of the score pad"
    assert entry_devices(page)[-1] == "riga di comando, sul computer del segnapunti"


def test_log_describes_changes_of_rules_and_names(player: Player) -> None:
    # Before the first hand the table changes the rules to those of another source and to a lower
    # target, and names a side, a player and the place.
    player.submit("regole", "Salva", preset="giochi", option_target="3.000")
    player.submit("nomi", "Salva i nomi", name_0="Rossi", player_0_0="Ada", place="Bar Sport")
    player.play(HAND_430_TO_60)

    page = player.page("registro")
    assert log_entries(page)[1:] == [
        "Regole cambiate prima della prima smazzata.",  # rules changed before the first hand
        "Nomi e luogo cambiati.",  # names and place changed
        "Smazzata 1 contata: Rossi +430, Loro +60.",
    ]

    # "Rules followed: from «Wikipedia» to «…", and "Target: from «5,000» to «3,000»."
    changed_rules = entry_details(page, 2)
    assert changed_rules[0].startswith("Regole seguite: da «Wikipedia» a «")
    assert changed_rules[-1] == "Traguardo: da «5.000» a «3.000»."
    assert entry_details(page, 3) == [
        "Noi: ora si chiama Rossi.",  # is now called Rossi
        "Per Rossi: scritto il nome Ada.",  # the name Ada was written
        "Luogo: Bar Sport.",
    ]


def test_log_describes_notes_replaced_players_and_ends(begin: Begin) -> None:
    # After a hand somebody writes a note ("nice hand"), and Gino takes the place of Ada.
    player = begin(name_0="Rossi", player_0_0="Ada")
    player.play(HAND_430_TO_60)
    player.submit("smazzate/1/annotazione", "Salva", text="bella mano")
    player.replace("0-0", "Gino")

    # The table decides that the next hand is the last, and undoes that. It breaks the match off,
    # and begins a rematch.
    player.end("last-hand")
    player.undo("Annulla la fine della partita")
    finished_match = player.end("broken-off")
    rematch = player.submit(finished_match, "Rivincita")

    # The log has one entry for each of these steps, in this order.
    assert log_entries(player.page("registro"))[1:] == [
        "Smazzata 1 contata: Rossi +430, Loro +60.",
        "Annotazione alla smazzata 1: bella mano",
        "Dalla smazzata 2, per Rossi, gioca Gino al posto di Ada.",  # from hand 2 on Gino plays
        "Deciso al tavolo: la smazzata 2 è l'ultima.",  # hand 2 is the last one
        "Fine della partita annullata.",  # the end was undone
        "Partita interrotta: non vince nessuno.",  # broken off, nobody wins
        "Cominciata la rivincita.",  # a rematch was begun
    ]

    # "It is the rematch of another match."
    log_of_rematch = player.client.get(f"{rematch.url}/registro")
    assert "È la rivincita di un'altra partita." in entry_details(log_of_rematch, 1)


def test_log_of_start_names_players_and_totals_from_paper(begin: Begin) -> None:
    # A match that was begun on paper goes on in the pad after three hands, at 1200 to −85. The tick
    # "below zero" makes the 85 negative.
    names = {"player_0_0": "Ada", "player_0_1": "Ugo", "place": "Casa"}
    paper = {"carried_0": "1200", "carried_1": "85", "carried_1_below": "on", "played": "3"}
    player = begin("hand-and-foot", **names, **paper)

    details = entry_details(player.page("registro"), 1)

    assert details[-4:] == [
        "Per Noi giocano Ada e Ugo.",  # for Noi play Ada and Ugo
        "Luogo: Casa.",  # the place
        "Regole seguite: pagat.com",  # the rules followed
        # "3 hands played on paper already. It begins at …"
        "Già giocate sul foglio 3 smazzate. Si parte da Noi 1.200, Loro −85.",
    ]


def test_long_log_links_to_its_last_entry(player: Player) -> None:
    to_last_entry = "Vai all'ultima cosa scritta"  # "Go to the last thing written"
    assert to_last_entry not in player.page("registro").links()

    player.play(*[HAND_430_TO_60] * 12)

    # The log has 13 entries: the start of the match and twelve hands.
    links = player.page("registro").links()
    assert links[to_last_entry] == "#voce-13"


def test_every_undoable_entry_has_a_text() -> None:
    # The page of a match says what "Undo" would take back, such as "hand 3".
    for kind, event in EVENTS.items():
        if event.can_be_undone:
            assert words("it").has(f"actions.entry.{kind}"), kind


# ------------------------------------------------------------------------------------------ players


def statistics(page: Page) -> dict[str, str]:
    """Return the figures on the page of a player, by their labels."""
    figures = {}
    for box in page.all("dl"):
        for row in box.all("div"):
            label = row.one("dt").text
            figures[label] = row.all("dd")[0].text
    return figures


def test_player_page_shows_statistics_and_best_hand(begin: Begin) -> None:
    # Ada wins a match of two hands. Her side gets 430 and then 530, the other one 60 each time.
    player = begin(player_0_0="Ada")
    player.play(HAND_430_TO_60, HAND_530_TO_60)
    player.end("time")

    page = player.client.get("/giocatori/ada")

    assert page.heading == "Ada"
    assert statistics(page) == {
        "Partite": "1",  # matches
        "Vinte": "1",  # won
        "Perse": "0",  # lost
        "Media per smazzata": "480",  # mean of a hand
        "Media per partita": "960",  # mean of a match
        "Smazzata migliore": "+530",  # best hand
        "Totale più alto": "960",  # highest total
    }

    # The best hand links to its row in the match. The list of matches says "won: 960 to 120".
    best_hand = page.all("a", href=f"{player.match}#smazzata-2")[0]
    assert best_hand.text.startswith("Smazzata 2, Noi contro Loro, ")
    match = page.one("a", class_="match")
    assert match.text.startswith("Noi contro Loro Ada contro Loro Vinta: 960 a 120")


@pytest.fixture
def play_finished_match(begin: Begin) -> Begin:
    """Play a match of one hand with these names until its time is up, and return its owner."""

    def play_match(**names: str) -> Player:
        player = begin(**names)
        player.play(HAND_430_TO_60)
        player.end("time")
        return player

    return play_match


def test_two_names_of_a_player_are_merged_in_finished_matches(
    client: Client, begin: Begin, play_finished_match: Begin
) -> None:
    # Two matches of Ada against Ivo and one of Adelaide are finished. One of "ada", who is the same
    # as Ada for the pad, is in progress.
    match_with_ivo = play_finished_match(player_0_0="Ada", player_1_0="Ivo")
    play_finished_match(player_0_0="Ada", player_1_0="Ivo")
    play_finished_match(player_0_0="Adelaide")
    unfinished_match = begin(player_0_0="ada")

    # On the page of Ada a link "It is the same person as…" leads to a choice of the other names. It
    # is about "The 2 finished matches of ada", as the name was written last.
    page_of_ada = client.get("/giocatori/Ada")
    choice = client.get(page_of_ada.links()["È la stessa persona di…"])
    assert "Le 2 partite finite di ada" in choice.text
    assert choice.texts("label") == ["Ivo", "Adelaide"]

    # Ivo is refused: "ada and Ivo have played in the same match: they are two persons."
    refused = client.submit(choice, MERGE_NAMES, status=409, other="Ivo")
    assert refused.errors == ["ada e Ivo hanno giocato nella stessa partita: sono due persone."]

    # Adelaide is chosen: "2 matches are Adelaide's now." With her own she has three ("Partite" is
    # "matches").
    page_of_adelaide = client.submit(refused, MERGE_NAMES, other="Adelaide")
    assert page_of_adelaide.notices == ["2 partite sono adesso di Adelaide."]
    assert statistics(page_of_adelaide)["Partite"] == "3"

    # In the unfinished match the name stays.
    assert unfinished_match.state.sides[0].players == ("ada", "")

    # In one match against Ivo somebody presses "Undo the change of the names". It is Ada's again,
    # and Adelaide has two.
    match_with_ivo.undo("Annulla il cambio dei nomi")
    page_of_adelaide = client.get("/giocatori/Adelaide")
    assert statistics(page_of_adelaide)["Partite"] == "2"


def test_merge_is_refused_for_players_of_others_and_wrong_forms(
    client: Client, visit: Visit, play_finished_match: Begin
) -> None:
    play_finished_match(player_0_0="Ada", player_1_0="Ivo")

    # The page exists for a player of this device's matches: not for other devices, nor without a
    # name.
    merge_ada = "/stessa-persona?nome=Ada"
    visit().get(merge_ada, status=404)
    client.get("/stessa-persona", status=404)

    # Three forms are wrong: a player who does not exist, a wrong CSRF token, and no id of the
    # request.
    form = client.get(merge_ada).form_values(MERGE_NAMES)
    client.post(merge_ada, form | {"other": "Nessuno"}, status=422)
    client.post(merge_ada, form | {"other": "Ivo", "csrf_token": "x"}, status=400)
    client.post(merge_ada, form | {"other": "Ivo", "request_id": ""}, status=422)


def test_player_list_counts_matches_of_each_name(client: Client) -> None:
    # Upper and lower case do not matter: two of the matches are Ada's. The third match has no
    # names.
    start(client, player_0_0="Ada", player_1_1="Ivo")
    start(client, player_0_0="ada")
    start(client)

    names = client.get("/giocatori").one("ul", class_="names")

    # The name is shown as it was written last. "Players" are linked from the home page.
    assert names.texts("li") == ["ada 2 partite", "Ivo 1 partita"]
    assert client.get("/").links()["Giocatori"] == "/giocatori"


def test_empty_player_list_says_where_names_are_entered(client: Client) -> None:
    page = client.get("/giocatori")

    # "Names and place" is the page of a match where they are entered. The home page does not link
    # to the "players" while there are none.
    assert "Nomi e luogo" in page.one("p", class_="lead").text
    assert "Giocatori" not in client.get("/").links()


@pytest.mark.parametrize(
    "name", ["Ada/Bea", "..", ".", "a?b#c", "50%", "Già & Sì", "<i>", "日本", "a\\b", "x+y"]
)
def test_name_with_special_characters_has_a_page(client: Client, name: str) -> None:
    start(client, player_0_0=name)
    link = client.get("/giocatori").one("ul", class_="names").one("a")
    assert client.get(link["href"]).heading == name


def test_page_of_renamed_player_is_gone(client: Client, begin: Begin) -> None:
    # The page is fetched again while it is open. It holds what its script says if it is gone: "This
    # player is not in the matches of this phone any more".
    player = begin(player_0_0="Ada")
    main = client.get("/giocatori/Ada").one("main")
    in_no_match = "Questo giocatore non è più nelle partite di questo telefono: "
    assert main["data-live-gone"].startswith(in_no_match)

    # Ada's name is corrected.
    player.submit("nomi", "Salva", player_0_0="Adele")
    client.get(main["data-live-page"], status=404)


@pytest.mark.parametrize("path", ["/", "/giocatori/Ada", "{match}", "{match}/cancella"])
def test_separator_dot_does_not_begin_a_line(begin: Begin, path: str) -> None:
    # A no-break space before the dot keeps it on the line of the word before.
    player = begin(player_0_0="Ada", place="Rimini")
    page = player.client.get(path.format(match=player.match))
    _head, _, content = page.answer.text.partition("<main")
    assert "\N{NO-BREAK SPACE}· " in content
    assert " · " not in content


def test_unknown_player_and_player_of_others_are_not_found(client: Client, visit: Visit) -> None:
    start(client, player_0_0="Ada")
    client.get("/giocatori/Zoe", status=404)
    client.get("/giocatori?nome=Zoe", status=404)

    # Ada is in no match of another device.
    visit().get("/giocatori/Ada", status=404)


def test_statistics_of_mini_are_separate_and_in_units(client: Client, begin: Begin) -> None:
    # Ada plays a hand of the classic game, which is scored in points, and two of mini, which is
    # scored in units: a match has some 30 of them.
    begin(player_0_0="Ada").play(HAND_430_TO_60)
    hand_3_to_1 = {"sides": {"a": {"sum": 3}, "b": {"sum": 1}}}
    hand_4_to_1 = {"sides": {"a": {"sum": 4}, "b": {"sum": 1}}}
    begin("mini", player_0_0="Ada").play(hand_3_to_1, hand_4_to_1)

    page = client.get("/giocatori/Ada")

    # "Matches of mini, in units" have means of their own.
    assert "Partite alla mini, a unità" in page.text
    matches_in_units = page.one("section", aria_labelledby="unit-units")
    matches_in_points = page.one("section", aria_labelledby="unit-points")
    assert "Media per smazzata 3,5" in matches_in_units.text  # the mean of 3 and 4
    assert "Media per smazzata 430" in matches_in_points.text


def test_player_page_shows_all_matches_on_request(client: Client, pad: Pad) -> None:
    # The first visit gives the device its cookie. It starts 31 matches with Ada at the first seat.
    client.get("/")
    players = (("Ada", ""), ("", ""))
    for _ in range(31):
        begin_on_pad(pad, device(client), "classica", ("Noi", "Loro"), players=players)

    # The page lists 30 of them, and links to the whole list: "Show all 31 matches".
    page = client.get("/giocatori/Ada")
    assert len(page.all("a", class_="match")) == 30
    whole_page = client.get(page.links()["Mostra tutte le 31 partite"])
    assert len(whole_page.all("a", class_="match")) == 31
